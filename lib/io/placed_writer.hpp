#pragma once
// Large arrays on their way to their places in a file.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lib/core/parked_threads.hpp"
#include "lib/io/descriptor.hpp"

namespace rowan::io {

/// Writes whole pages past the system's cache where the file system can: that saves a copy, which takes longer than
/// many a disk, and drives nothing else out of the cache. Several pieces at once, on threads of its own: they wait most
/// of the time, and should not take the places of those that compute.
class PlacedWriter {
 public:
  /// `file`, whose name is `path`, outlives this.
  PlacedWriter(const Descriptor& file, const std::string& path);

  /// Writes bytes at an offset; returns their CRC-32. Throws Error{io}.
  std::uint32_t write(std::size_t offset, std::span<const char> bytes);

 private:
  const Descriptor& file_;
  Descriptor direct_;  // the same file, past the cache; not open where it cannot be
  std::string name_;
  ParkedThreads threads_;
};

}  // namespace rowan::io
