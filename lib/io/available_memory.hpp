#pragma once

#include <cstdint>
#include <string>

namespace rowan::io {

/// Bytes that can still be used without driving the machine, or the container, out of memory.
[[nodiscard]] std::int64_t available_memory();

/// Throws Error{out_of_memory}, whose message starts with `where`, if the row pointers of `rows` rows, and the
/// counters beside them while a matrix is put together, take more than `room` bytes.
void check_rows_fit(std::int64_t rows, std::int64_t room, const std::string& where);

}  // namespace rowan::io
