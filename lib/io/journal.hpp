#pragma once
// What is known to be on the disk of a file that is written in blocks: a text beside it. First the origin, of what the
// file is made, some lines; then a line for each time that the disk was waited for, each with a checksum. A line that
// was not written to its end does not count.
#include <cstdint>
#include <optional>
#include <string>

#include "lib/io/descriptor.hpp"

namespace rowan::io {

/// How far a file is.
struct FileMark {
  std::int64_t rows = 0;           ///< that are written
  std::uint32_t col = 0, val = 0;  ///< CRC-32 of their columns and values
  bool ones = true;                ///< all values are 1
  [[nodiscard]] bool operator==(const FileMark&) const = default;
};

/// A journal as it was found.
struct FoundJournal {
  std::string origin;
  FileMark last;
  std::size_t bytes = 0;  ///< of the lines that count
};

/// Empty where there is none, or none that was begun to its end. Throws Error{io}.
[[nodiscard]] std::optional<FoundJournal> read_journal(const std::string& path);

class Journal {
 public:
  /// A new one, or what was found, to go on with. `origin` has lines that end. Throws Error{io}.
  [[nodiscard]] static Journal begin(const std::string& path, const std::string& origin);
  [[nodiscard]] static Journal go_on(const std::string& path, const FoundJournal& found);

  /// Adds a line and waits until it is on the disk. Throws Error{io}.
  void add(const FileMark& mark);

 private:
  Journal(std::string path, Descriptor file, std::size_t bytes)
      : path_(std::move(path)), file_(std::move(file)), bytes_(bytes) {}
  void write(const std::string& text);

  std::string path_;
  Descriptor file_;
  std::size_t bytes_;
};

}  // namespace rowan::io
