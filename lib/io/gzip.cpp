#include "lib/io/gzip.hpp"

#include <algorithm>

#include <zlib.h>

#include <rowan/error.hpp>

namespace rowan::io {
namespace {

constexpr int kGzipWindow = 15 + 16;                  // the largest window, in gzip's wrapper
constexpr std::size_t kSlice = std::size_t{1} << 30;  // zlib counts what it is given in 32 bits
constexpr std::size_t kUsualRatio = 4;                // a first guess; patterns compress four to one, doubles two
// On matrices as text, level 1 compresses 91 MB/s on one core to 2.1:1, level 6 14 MB/s to 2.3:1.
constexpr int kLevel = 1;

const Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<const Bytef*>(text.data());
}

/// A z_stream that is ended whatever happens.
struct Inflater : z_stream {
  Inflater() : z_stream{} {
    if (inflateInit2(this, kGzipWindow) != Z_OK) throw Error(ErrorCode::out_of_memory, "cannot start to inflate gzip");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(this); }
};

struct Deflater : z_stream {
  Deflater() : z_stream{} {
    constexpr int kMemory = 8;  // zlib's own default
    if (deflateInit2(this, kLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error(ErrorCode::out_of_memory, "cannot start to compress gzip");
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(this); }
};

}  // namespace

bool is_gzip(std::string_view bytes) noexcept {
  return bytes.starts_with("\x1f\x8b");
}

Buffer inflate_gzip(std::string_view bytes, const std::string& name) {
  Inflater stream;
  Buffer result(kUsualRatio * bytes.size());
  std::size_t used = 0;
  const auto broken = [&](const char* how) {
    return Error(ErrorCode::parse, name + ": gzip data is " + how + " after " + std::to_string(used) + " bytes");
  };
  for (bool inside = true; inside || used < bytes.size();) {
    if (!inside) {
      if (!is_gzip(bytes.substr(used))) throw broken("followed by something else");
      inflateReset(&stream);
    }
    const std::span<char> room = result.room();
    const uInt given = static_cast<uInt>(std::min(kSlice, bytes.size() - used));
    const uInt offered = static_cast<uInt>(std::min(kSlice, room.size()));
    stream.next_in = const_cast<Bytef*>(bytes_of(bytes) + used);  // zlib's interface; it does not write there
    stream.avail_in = given;
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = offered;
    const int status = inflate(&stream, Z_NO_FLUSH);
    used += given - stream.avail_in;
    result.advance(offered - stream.avail_out);
    inside = status != Z_STREAM_END;
    if (status == Z_MEM_ERROR) throw Error(ErrorCode::out_of_memory, name + ": no memory to inflate gzip");
    if (status == Z_BUF_ERROR || (inside && status == Z_OK && used == bytes.size() && stream.avail_out != 0))
      throw broken("truncated");
    if (inside && status != Z_OK) throw broken("corrupt");
  }
  return result;
}

Buffer gzip_member(std::string_view bytes) {
  Deflater stream;
  Buffer result(deflateBound(&stream, bytes.size()));
  const std::span<char> room = result.room();
  stream.next_in = const_cast<Bytef*>(bytes_of(bytes));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(room.data());
  stream.avail_out = static_cast<uInt>(room.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw Error(ErrorCode::io, "gzip compression failed");
  result.advance(room.size() - stream.avail_out);
  return result;
}

}  // namespace rowan::io
