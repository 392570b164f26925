#pragma once
// What writing a large file asks of the system.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lib/io/descriptor.hpp"

namespace rowan::io {

/// Makes the file `bytes` long, all zero, and takes the disk's space for them where the file system can. Throws
/// Error{io} where the disk has less than that free, with both sizes; `name` is for messages, as below.
void reserve(const Descriptor& file, std::size_t bytes, const std::string& name);

/// Writes bytes at an offset. Throws Error{io}.
void write_at(const Descriptor& file, std::size_t offset, std::span<const char> bytes, const std::string& name);

/// Reads as many bytes as `to` has. Throws Error{io}.
void read_at(const Descriptor& file, std::size_t offset, std::span<char> to, const std::string& name);

/// The system begins to bring these bytes of the file to the disk, where it can be asked for that.
void start_writing(const Descriptor& file, std::size_t offset, std::size_t bytes) noexcept;

/// Waits until all that was written is on the disk. Throws Error{io}.
void wait_for_disk(const Descriptor& file, const std::string& name);

/// The same of the names in the folder of `path`. A file system that cannot do that is none the worse.
void wait_for_names(const std::string& path) noexcept;

}  // namespace rowan::io
