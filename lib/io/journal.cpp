#include "lib/io/journal.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <zlib.h>

#include "lib/io/disk.hpp"
#include "lib/io/target.hpp"

namespace rowan::io {
namespace {

constexpr std::string_view kBegins = "begins";  // behind the origin

/// A line with its checksum in front.
std::string checked(std::string_view text) {
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return std::to_string(crc) + " " + std::string(text) + "\n";
}

/// What checked() made a line of; empty where it did not.
std::optional<std::string> unchecked(const std::string& line) {
  std::string text = line.substr(std::min(line.size(), line.find(' ') + 1));
  if (checked(text) != line + "\n") return std::nullopt;
  return text;
}

std::string text_of(const FileMark& m) {
  return std::to_string(m.rows) + " rows; columns " + std::to_string(m.col) + "; values " + std::to_string(m.val) +
         (m.ones ? "; ones" : "; numbers");
}

std::optional<FileMark> mark_of(const std::string& text) {
  FileMark m;
  std::string word;
  std::istringstream words(text);
  words >> m.rows >> word >> word >> m.col >> word >> word >> m.val >> word >> word;
  m.ones = word == "ones";
  if (text_of(m) != text) return std::nullopt;
  return m;
}

Descriptor opened(const std::string& path, int how) {
  constexpr mode_t kMode = 0666;
  Descriptor file(open(path.c_str(), how | O_WRONLY | O_CLOEXEC, kMode));
  if (file.number() < 0) throw io_error(path, "cannot be created", errno);
  return file;
}

}  // namespace

std::optional<FoundJournal> read_journal(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  FoundJournal found;
  bool begun = false;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    const std::optional<std::string> text = unchecked(line);
    if (!text) break;
    if (begun) {
      const std::optional<FileMark> mark = mark_of(*text);
      if (!mark) break;
      found.last = *mark;
    } else if (*text == kBegins) {
      begun = true;
    } else {
      found.origin += *text + "\n";
    }
    found.bytes += line.size() + 1;
  }
  if (!begun) return std::nullopt;
  return found;
}

Journal Journal::begin(const std::string& path, const std::string& origin) {
  Journal journal(path, opened(path, O_CREAT | O_TRUNC), 0);
  std::string text;
  std::istringstream lines(origin);
  for (std::string line; std::getline(lines, line);) text += checked(line);
  journal.write(text + checked(kBegins));
  wait_for_names(path);
  return journal;
}

Journal Journal::go_on(const std::string& path, const FoundJournal& found) {
  Journal journal(path, opened(path, 0), found.bytes);
  if (ftruncate(journal.file_.number(), static_cast<off_t>(found.bytes)) != 0)
    throw io_error(path, "cannot be written", errno);
  return journal;
}

void Journal::add(const FileMark& mark) {
  write(checked(text_of(mark)));
}

void Journal::write(const std::string& text) {
  write_at(file_, bytes_, {text.data(), text.size()}, path_);
  bytes_ += text.size();
  wait_for_disk(file_, path_);
}

}  // namespace rowan::io
