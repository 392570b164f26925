#include "lib/io/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "lib/core/machine.hpp"
#include <rowan/error.hpp>

namespace rowan::io {
namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

/// What the kernel believes can be had without swapping; kUnknown where it does not say.
std::int64_t available() {
  std::ifstream file("/proc/meminfo");
  std::int64_t kilobytes = kUnknown / 1024;
  for (std::string word; file >> word;)
    if (word == "MemAvailable:") file >> kilobytes;
  return kilobytes * 1024;
}

/// The container's limit; kUnknown where there is none ("max") or no container.
std::int64_t container_limit() {
  std::ifstream file("/sys/fs/cgroup/memory.max");
  std::int64_t bytes = 0;
  return file >> bytes ? bytes : kUnknown;
}

}  // namespace

std::int64_t available_memory() {
  return std::min({machine_memory(), available(), container_limit()});
}

void check_rows_fit(std::int64_t rows, std::int64_t room, const std::string& where) {
  constexpr std::int64_t kPerRow = 16;  // a row pointer and a counter
  if (rows <= room / kPerRow) return;
  throw Error(ErrorCode::out_of_memory, where + ": " + std::to_string(rows) + " rows take " +
                                            std::to_string(rows * kPerRow) + " bytes, " + std::to_string(room) +
                                            " are free; leave out empty rows or use a machine with more memory");
}

}  // namespace rowan::io
