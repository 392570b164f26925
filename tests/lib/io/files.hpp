#pragma once
// Files for tests, under a folder of their own that goes away with them, and the errors that reading them raises.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <unistd.h>

#include "tests/lib/io/errors.hpp"
#include <rowan/io.hpp>

namespace rowan::test {

class Folder {
 public:
  Folder() {
    const std::string name = "rowan-io-" + std::to_string(getpid()) + "-" + std::to_string(std::random_device{}());
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directory(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path(std::string_view name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string path() const { return path_.string(); }

  /// A file with this content; its path.
  [[nodiscard]] std::string file(std::string_view name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
  }

  /// How many files there are.
  [[nodiscard]] std::ptrdiff_t count() const {
    const std::filesystem::directory_iterator files(path_);
    return std::distance(begin(files), end(files));
  }

 private:
  std::filesystem::path path_;
};

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string read_error(const std::string& path) {
  return error_of([&] { static_cast<void>(read_matrix(path)); });
}

}  // namespace rowan::test
