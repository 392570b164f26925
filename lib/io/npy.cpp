#include "lib/io/npy.hpp"

#include <charconv>
#include <cstring>
#include <limits>

#include "lib/io/binary_checks.hpp"

namespace rowan::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// The text behind "'KEY': " in a dictionary as Python writes it.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& name) {
  const std::string quoted = "'" + std::string(key) + "':";
  const auto at = header.find(quoted);
  if (at == std::string_view::npos) throw broken(name, "the array's header has no " + std::string(key));
  std::string_view rest = header.substr(at + quoted.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

std::vector<std::int64_t> shape_in(std::string_view text, const std::string& name) {
  std::vector<std::int64_t> shape;
  const auto end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) throw broken(name, "the array's shape is no tuple");
  for (const char *p = text.data() + 1, *const last = text.data() + end; p != last;) {
    if (*p == ' ' || *p == ',' || *p == 'L') {  // L: Python 2
      ++p;
      continue;
    }
    std::int64_t size = 0;
    const auto [next, error] = std::from_chars(p, last, size);
    if (error != std::errc() || size < 0) throw broken(name, "the array's shape is not of whole numbers");
    shape.push_back(size), p = next;
  }
  return shape;
}

/// f(a value of the type of the elements)
template <class F>
void with_type(const NpyArray& array, const std::string& name, const F& f) {
  const std::string& t = array.type;
  if (t.size() == 3 && t.front() != '>') {
    switch (t[1] * 16 + (t[2] - '0')) {
      case 'f' * 16 + 8:
        return f(double{});
      case 'f' * 16 + 4:
        return f(float{});
      case 'i' * 16 + 8:
        return f(std::int64_t{});
      case 'i' * 16 + 4:
        return f(std::int32_t{});
      case 'i' * 16 + 2:
        return f(std::int16_t{});
      case 'i' * 16 + 1:
        return f(std::int8_t{});
      case 'u' * 16 + 8:
        return f(std::uint64_t{});
      case 'u' * 16 + 4:
        return f(std::uint32_t{});
      case 'u' * 16 + 2:
        return f(std::uint16_t{});
      case 'u' * 16 + 1:
      case 'b' * 16 + 1:
        return f(std::uint8_t{});
      default:
        break;
    }
  }
  throw Error(ErrorCode::unsupported, name + ": elements of numpy's type " + t +
                                          "; real numbers of this machine's order "
                                          "of bytes are read (float64 ... bool)");
}

template <class To>
Array<To> converted(const NpyArray& array, const std::string& name) {
  Array<To> result(array.size());
  with_type(array, name, [&](auto zero) {
    using From = decltype(zero);
    for (std::int64_t i = 0; i != array.size(); ++i) {
      From value;
      std::memcpy(&value, array.elements.data() + static_cast<std::size_t>(i) * sizeof(From), sizeof(From));
      if constexpr (std::is_integral_v<To>) {
        if constexpr (!std::is_integral_v<From>)
          throw Error(ErrorCode::unsupported, name + ": indices of numpy's type " + array.type);
        else if (!std::in_range<To>(value))
          throw Error(ErrorCode::overflow, name + ": element " + std::to_string(i) + " is " + std::to_string(value) +
                                               ", which exceeds " + std::to_string(std::numeric_limits<To>::max()));
      }
      result[i] = static_cast<To>(value);  // NOLINT(bugprone-signed-char-misuse): int8 is a number here
    }
  });
  return result;
}

}  // namespace

std::int64_t NpyArray::size() const {
  std::int64_t n = 1;
  for (const std::int64_t length : shape) n *= length;
  return n;
}

NpyArray parse_npy(std::string_view bytes, const std::string& name) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t fixed = bytes.size() > 6 && byte(6) == 1 ? 10 : 12;
  if (!bytes.starts_with(kMagic) || bytes.size() < fixed) throw broken(name, "not an array of numpy's");
  std::size_t length = byte(8) | byte(9) << 8;
  if (fixed == 12) length |= byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - fixed) throw broken(name, "the array's header breaks off");
  const std::string_view header = bytes.substr(fixed, length);
  NpyArray array;
  array.elements = bytes.substr(fixed + length);
  std::string_view type = value_of(header, "descr", name);
  if (!type.starts_with('\'') || type.find('\'', 1) == std::string_view::npos)
    throw Error(ErrorCode::unsupported, name + ": an array of structures");
  array.type = type.substr(1, type.find('\'', 1) - 1);
  if (array.type.find('O') != std::string::npos)
    throw Error(ErrorCode::unsupported, name + ": an array of Python's objects");
  array.shape = shape_in(value_of(header, "shape", name), name);
  std::size_t width = 0, letters = array.type.find_first_of("0123456789");
  if (letters != std::string::npos)
    std::from_chars(array.type.data() + letters, array.type.data() + array.type.size(), width);
  if (array.type.find('U') != std::string::npos) width *= 4;
  // the elements as a number of bytes, without an overflow on the way
  std::size_t expected = width;
  for (const std::int64_t size : array.shape) {
    if (size != 0 && expected > bytes.size() / static_cast<std::size_t>(size))
      expected = bytes.size() + 1;
    else
      expected *= static_cast<std::size_t>(size);
  }
  if (width == 0 || expected != array.elements.size())
    throw broken(name, "the array has " + std::to_string(array.elements.size()) +
                           " bytes, which is not what its type and shape ask for");
  return array;
}

Array<double> as_doubles(const NpyArray& array, const std::string& name) {
  return converted<double>(array, name);
}
Array<std::int64_t> as_wide(const NpyArray& array, const std::string& name) {
  return converted<std::int64_t>(array, name);
}
Array<std::int32_t> as_narrow(const NpyArray& array, const std::string& name) {
  return converted<std::int32_t>(array, name);
}

std::string npy_header(std::string_view type, std::int64_t size) {
  constexpr std::size_t kAlignment = 64, kFixed = 10;
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" +
                     (size < 0 ? "" : std::to_string(size) + ",") + "), }";
  text.resize((kFixed + text.size() + kAlignment) / kAlignment * kAlignment - kFixed, ' ');
  text.back() = '\n';
  std::string header(kMagic);
  header += {'\1', '\0', static_cast<char>(text.size() % 256), static_cast<char>(text.size() / 256)};
  return header + text;
}

}  // namespace rowan::io
