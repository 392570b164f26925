#pragma once
// numpy's .npy: "\x93NUMPY", a version, the length of a header, the header as Python writes a dictionary, then the
// elements as memory stands.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rowan/memory.hpp>

namespace rowan::io {

/// An array in memory that it does not own.
struct NpyArray {
  std::string type;  ///< "<f8": order of bytes, kind, bytes of an element
  std::vector<std::int64_t> shape;
  std::string_view elements;

  [[nodiscard]] std::int64_t size() const;  ///< elements
};

/// Parses a .npy. Throws Error{parse}, whose message starts with `name`, for what breaks the form, Error{unsupported}
/// for elements that are Python's objects.
[[nodiscard]] NpyArray parse_npy(std::string_view bytes, const std::string& name);

/// The elements as another type: numbers of any kind and width. Throws Error{unsupported} for others, Error{overflow}
/// for integers that do not fit.
[[nodiscard]] Array<double> as_doubles(const NpyArray& array, const std::string& name);
[[nodiscard]] Array<std::int64_t> as_wide(const NpyArray& array, const std::string& name);
[[nodiscard]] Array<std::int32_t> as_narrow(const NpyArray& array, const std::string& name);

/// What precedes the elements in a .npy of one dimension, or of none where `size` is negative.
[[nodiscard]] std::string npy_header(std::string_view type, std::int64_t size);

}  // namespace rowan::io
