#include "tools/rowan/inspect/png.hpp"

#include <zlib.h>

#include "tools/rowan/inspect/inspected.hpp"
#include "tools/rowan/page/packed.hpp"

namespace rowan::tool {
namespace {

std::string big_endian(std::uint32_t n) {
  std::string out;
  for (unsigned shift = 32; shift != 0; shift -= 8) out += static_cast<char>(n >> (shift - 8) & 255U);
  return out;
}

/// Length, name and content, checksum (PNG specification, 5.3).
std::string chunk(const std::string& name, const std::string& content) {
  const std::string summed = name + content;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size()));
  return big_endian(static_cast<std::uint32_t>(content.size())) + summed + big_endian(static_cast<std::uint32_t>(sum));
}

/// Red, green, blue, as a string of three bytes.
std::string channels(std::size_t candidate) {
  const std::string hex = colour_of(candidate);
  std::string out;
  for (std::size_t k = 1; k < hex.size(); k += 2) out += static_cast<char>(std::stoi(hex.substr(k, 2), nullptr, 16));
  return out;
}

}  // namespace

std::string png(const Raster& r) {
  constexpr int kFaintest = 95, kRange = 160;  // of 255: as page/spy.js has them
  std::string pixels;
  for (int row = 0; row < r.down; row++) {
    pixels += '\0';  // no filter
    for (int col = 0; col < r.across; col++) {
      const auto cell =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(r.across) + static_cast<std::size_t>(col);
      if (r.kind[cell] == Raster::kEmpty)
        pixels.append(4, '\0');
      else
        pixels += channels(r.kind[cell]) + static_cast<char>(kFaintest + kRange * r.amount[cell] / 255);
    }
  }
  const std::string size =
      big_endian(static_cast<std::uint32_t>(r.across)) + big_endian(static_cast<std::uint32_t>(r.down));
  const std::string eight_bits_with_alpha{'\x08', '\x06', '\0', '\0', '\0'};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", size + eight_bits_with_alpha) + chunk("IDAT", deflated(pixels)) +
         chunk("IEND", "");
}

}  // namespace rowan::tool
