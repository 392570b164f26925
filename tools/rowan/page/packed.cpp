#include "tools/rowan/page/packed.hpp"

#include <algorithm>
#include <new>

#include <zlib.h>

namespace rowan::tool {
namespace {

nlohmann::ordered_json as_json(int width, std::string_view bytes) {
  return {{"width", width}, {"packed", base64(deflated(bytes))}};
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr unsigned kSixBits = 63;
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    unsigned three = 0;
    for (std::size_t k = 0; k < 3; k++)
      three = three << 8U | (k < there ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; k++)
      out += k <= there ? kDigits[three >> (18 - 6 * static_cast<unsigned>(k)) & kSixBits] : '=';
  }
  return out;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                Z_DEFAULT_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  out.resize(size);
  return out;
}

nlohmann::ordered_json packed(std::span<const std::int64_t> numbers) {
  const std::int64_t most = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  int width = 1;
  while (width < 8 && most >> (8 * width) != 0) width *= 2;
  std::string bytes;
  bytes.reserve(numbers.size() * static_cast<std::size_t>(width));
  for (int byte = 0; byte < width; byte++)
    for (const std::int64_t n : numbers) bytes += static_cast<char>(n >> (8 * byte) & 255);
  return as_json(width, bytes);
}

nlohmann::ordered_json packed(std::span<const std::uint8_t> numbers) {
  return as_json(1, {reinterpret_cast<const char*>(numbers.data()), numbers.size()});
}

}  // namespace rowan::tool
