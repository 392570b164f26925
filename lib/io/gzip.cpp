#include "lib/io/gzip.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include <zlib.h>

#include <rowan/error.hpp>

namespace rowan::io {
namespace {

constexpr int kGzipWindow = 15 + 16;                    // the largest window, in gzip's wrapper
constexpr std::size_t kSlice = std::size_t{1} << 30;    // zlib counts what it is given in 32 bits
constexpr std::size_t kInput = std::size_t{256} << 10;  // compressed bytes at a time
// On matrices as text, level 1 compresses 91 MB/s on one core to 2.1:1, level 6 14 MB/s to 2.3:1.
constexpr int kLevel = 1;

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

/// Inflates member by member.
class GzipReader {
 public:
  GzipReader(Bytes compressed, std::string name) : compressed_(std::move(compressed)), name_(std::move(name)) {}

  std::size_t pull(std::span<char> room) {
    for (;;) {
      if (left_ < 2) refill();
      if (!inside_) {
        if (left_ == 0) return 0;
        if (!is_gzip({input_.data() + at_, left_})) throw broken("followed by something else");
        inflateReset(&stream_);
        inside_ = true;
      }
      // without input, too: zlib may hold back what did not fit the buffer before
      if (const std::size_t got = inflate_into(room); got != 0) return got;
      if (inside_ && left_ == 0 && ended_) throw broken("truncated");
    }
  }

 private:
  /// Tops the input up, unless the file has ended.
  void refill() {
    std::memmove(input_.data(), input_.data() + at_, left_);
    at_ = 0;
    const std::span<char> room = std::span(input_).subspan(left_);
    const std::size_t got = compressed_.read(room);
    ended_ = got != room.size();
    left_ += got;
  }

  std::size_t inflate_into(std::span<char> room) {
    const auto given = static_cast<uInt>(left_);
    const auto offered = static_cast<uInt>(std::min(kSlice, room.size()));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data() + at_);
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = offered;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t used = given - stream_.avail_in;
    at_ += used, left_ -= used, total_ += used;
    if (status == Z_STREAM_END)
      inside_ = false;
    else if (status != Z_OK && status != Z_BUF_ERROR)
      throw status == Z_MEM_ERROR ? Error(ErrorCode::out_of_memory, name_ + ": no memory to inflate gzip")
                                  : broken("corrupt");
    return offered - stream_.avail_out;
  }

  [[nodiscard]] Error broken(const char* how) const {
    return {ErrorCode::parse, name_ + ": gzip data is " + how + " after " + std::to_string(total_) + " bytes"};
  }

  Bytes compressed_;
  std::string name_;
  Inflater stream_;
  std::array<char, kInput> input_{};
  std::size_t at_ = 0, left_ = 0;  // what of the input is still to be inflated
  std::size_t total_ = 0;          // bytes inflated of the whole file
  bool ended_ = false;             // the file
  bool inside_ = true;             // a member
};

}  // namespace

bool is_gzip(std::string_view bytes) noexcept {
  return bytes.starts_with("\x1f\x8b");
}

Pull gunzip(Bytes compressed, const std::string& name) {
  return [reader = std::make_shared<GzipReader>(std::move(compressed), name)](std::span<char> room) {
    return reader->pull(room);
  };
}

TextBuffer inflate_gzip(std::string_view bytes, const std::string& name) {
  return Bytes(gunzip(bytes_of_memory(bytes), name)).rest();
}

TextBuffer gzip_member(std::string_view bytes) {
  Deflater stream;
  TextBuffer result(deflateBound(&stream, bytes.size()));
  const std::span<char> room = result.room();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(room.data());
  stream.avail_out = static_cast<uInt>(room.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw Error(ErrorCode::io, "gzip compression failed");
  result.advance(room.size() - stream.avail_out);
  return result;
}

}  // namespace rowan::io
