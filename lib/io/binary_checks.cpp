#include "lib/io/binary_checks.hpp"

#include <algorithm>

namespace rowan::io {

ReadAt reader_of(std::string_view bytes) {
  return [bytes](std::size_t offset, std::span<char> room) {
    const std::string_view part = bytes.substr(offset, room.size());
    std::copy(part.begin(), part.end(), room.begin());
  };
}

Error broken(const std::string& name, const std::string& what) {
  return {ErrorCode::parse, name + ": " + what};
}

void check_size(std::int64_t size, const char* what, std::int64_t limit, const std::string& name) {
  if (size < 0) throw broken(name, std::to_string(size) + " " + what + ", expected 0 or more");
  if (size > limit)
    throw Error(ErrorCode::overflow,
                name + ": " + std::to_string(size) + " " + what + " exceed the limit of " + std::to_string(limit));
}

void check_row_pointers(std::span<const std::int64_t> row_ptr, std::int64_t nnz, const std::string& name) {
  if (row_ptr[0] != 0) throw broken(name, "row pointers start at " + std::to_string(row_ptr[0]) + ", expected 0");
  for (std::size_t row = 0; row + 1 != row_ptr.size(); ++row)
    if (row_ptr[row + 1] < row_ptr[row])
      throw broken(name, "row " + std::to_string(row) + " ends at " + std::to_string(row_ptr[row + 1]) +
                             ", before it starts at " + std::to_string(row_ptr[row]));
  if (row_ptr.back() != nnz)
    throw broken(name, "row pointers end at " + std::to_string(row_ptr.back()) + ", expected " + std::to_string(nnz));
}

void check_columns(std::span<const std::int64_t> row_ptr, std::span<const std::int32_t> col, std::int64_t cols,
                   const std::string& name) {
  // one comparison finds negative columns too: they are huge as unsigned numbers
  const auto limit = static_cast<std::uint32_t>(cols);
  const auto wrong =
      std::find_if(col.begin(), col.end(), [&](std::int32_t c) { return static_cast<std::uint32_t>(c) >= limit; });
  if (wrong == col.end()) return;
  const auto row_end = std::upper_bound(row_ptr.begin(), row_ptr.end(), wrong - col.begin());
  throw broken(name, "row " + std::to_string(row_end - row_ptr.begin() - 1) + " has column " + std::to_string(*wrong) +
                         ", expected 0.." + std::to_string(cols - 1));
}

}  // namespace rowan::io
