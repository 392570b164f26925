#pragma once
// What both binary forms must fulfil to be matrices. Messages start with the file's name.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <rowan/error.hpp>

namespace rowan::io {

/// Copies bytes of a file from `offset` on to fill `room`, from any thread.
using ReadAt = std::function<void(std::size_t offset, std::span<char> room)>;

/// The same from memory, which must outlive it.
[[nodiscard]] ReadAt reader_of(std::string_view bytes);

/// 'NAME: WHAT'.
[[nodiscard]] Error broken(const std::string& name, const std::string& what);

/// Throws Error{parse} for negative sizes, Error{overflow} for those beyond `limit`; "5 rows" with `what` as "rows".
void check_size(std::int64_t size, const char* what, std::int64_t limit, const std::string& name);

/// Row pointers start at 0, never become smaller and end with nnz.
void check_row_pointers(std::span<const std::int64_t> row_ptr, std::int64_t nnz, const std::string& name);

/// Columns lie in [0, cols); the first that does not is named with its row.
void check_columns(std::span<const std::int64_t> row_ptr, std::span<const std::int32_t> col, std::int64_t cols,
                   const std::string& name);

}  // namespace rowan::io
