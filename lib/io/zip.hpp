#pragma once
// Zip archives in memory, through libzip.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "lib/io/buffer.hpp"

namespace rowan::io {

inline constexpr std::size_t kZipMagic = 4;

/// Whether bytes, of which there are that many, start as a zip archive does.
[[nodiscard]] bool is_zip(std::string_view bytes) noexcept;

struct ZipState;  // libzip's

/// An archive to read. Everything throws Error{parse}, with a message that starts with `name`, for what breaks the
/// form, and Error{unsupported} in a build without libzip.
class ZipReader {
 public:
  /// The bytes must outlive the reader.
  ZipReader(std::string_view bytes, std::string name);

  [[nodiscard]] bool has(const std::string& entry) const;
  /// The content of an entry, inflated and checked. Throws Error{out_of_memory} for one larger than the free memory.
  [[nodiscard]] TextBuffer read(const std::string& entry) const;

 private:
  std::string name_;
  std::shared_ptr<ZipState> state_;
};

/// An archive that is written: what is added must outlive finish().
class ZipWriter {
 public:
  explicit ZipWriter(std::string name);

  void add(const std::string& entry, std::string_view bytes);
  /// The whole archive, compressed.
  [[nodiscard]] TextBuffer finish();

 private:
  std::string name_;
  std::shared_ptr<ZipState> state_;
};

}  // namespace rowan::io
