#include <algorithm>
#include <vector>

#include <zlib.h>

#include "lib/core/parallel.hpp"
#include "lib/io/native_layout.hpp"

namespace rowan::io {

std::uint32_t crc_behind(std::uint32_t crc, std::span<const char> bytes) {
  constexpr std::int64_t kPart = std::int64_t{1} << 22;
  const auto size = static_cast<std::int64_t>(bytes.size());
  std::vector<uLong> parts(static_cast<std::size_t>((size + kPart - 1) / kPart));
  Team().for_blocks(size, kPart, [&](std::int64_t begin, std::int64_t end) {
    parts[static_cast<std::size_t>(begin / kPart)] =
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()) + begin, static_cast<z_size_t>(end - begin));
  });
  uLong whole = crc;
  for (std::size_t i = 0; i != parts.size(); ++i)
    whole = crc32_combine(whole, parts[i], std::min(kPart, size - static_cast<std::int64_t>(i) * kPart));
  return static_cast<std::uint32_t>(whole);
}

std::uint32_t crc_of(NativeHeader header) {
  header.crc = 0;
  return crc_behind(0, {reinterpret_cast<const char*>(&header), sizeof header});
}

}  // namespace rowan::io
