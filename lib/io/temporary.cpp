#include "lib/io/temporary.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rowan::io {
namespace {

constexpr mode_t kReadAndWrite = 0777, kSpecial = 07000;  // permissions; set-user-id and its like

/// Bytes that a name in this folder may have.
std::size_t longest_name(const std::string& folder) {
  constexpr std::size_t kUsual = 255;
  const long most = pathconf(folder.empty() ? "." : folder.c_str(), _PC_NAME_MAX);
  return most > 0 ? static_cast<std::size_t>(most) : kUsual;
}

/// The first `most` bytes at most, no character of UTF-8 cut in two.
std::string shortened(std::string name, std::size_t most) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  if (name.size() <= most) return name;
  while (most > 0 && continues(name[most])) --most;
  name.resize(most);
  return name;
}

}  // namespace

void take_after(int file, const FileTarget& target) {
  struct stat mine {};
  if (fstat(file, &mine) != 0) return;
  const bool same = mine.st_uid == target.owner && mine.st_gid == target.group;
  const bool given = same || fchown(file, target.owner, target.group) == 0;
  static_cast<void>(fchmod(file, given ? target.mode : target.mode & ~kSpecial));
}

std::string temporary_name(const std::string& target, long long process) {
  constexpr std::size_t kNumber = 4;  // ".999", see below
  const std::string ending = ".tmp." + std::to_string(process);
  const std::size_t name = target.rfind('/') + 1;  // 0 where there is no '/'
  const std::size_t most = longest_name(target.substr(0, name)), taken = ending.size() + kNumber;
  return target.substr(0, name) + shortened(target.substr(name), most > taken ? most - taken : 1) + ending;
}

Temporary::Temporary(const FileTarget& target, const std::string& name) {
  const std::string stem = temporary_name(target.path, getpid());
  std::string candidate = stem;
  // taken names are those of other threads, or left by a process that was killed
  for (int taken = 0;; candidate = stem + "." + std::to_string(++taken)) {
    file_ = Descriptor(open(candidate.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, target.mode & kReadAndWrite));
    if (file_.number() >= 0) break;
    if (errno != EEXIST) throw io_error(name, "cannot be created", errno);
  }
  path_.swap(candidate);  // nothing is allocated between open() and here
  if (target.kind != FileKind::fresh) take_after(file_.number(), target);
}

Temporary::~Temporary() {
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace rowan::io
