#include <utility>

#include "lib/core/border.hpp"
#include "lib/core/notifier.hpp"
#include "lib/io/binary.hpp"
#include "lib/io/matrix_market.hpp"
#include "lib/io/native.hpp"
#include "lib/io/npz.hpp"
#include "lib/io/source.hpp"
#include "lib/io/zip.hpp"
#include <rowan/io.hpp>

namespace rowan {

Csr<double> read_matrix(const std::string& path, const Progress& progress) try {
  constexpr double kParsing = 0.75;  // of reading text on one or two threads; the rest is sorting by rows
  io::Source source = io::open_source(path);
  if (source.bytes.peek(io::kNativeMagic.size()) == io::kNativeMagic) {
    if (source.read_at) return io::read_native(source.size, source.read_at, source.map_at, source.name);
    const io::TextBuffer all = source.bytes.rest();
    return io::read_native(all.size(), io::reader_of(all.view()), {}, source.name);
  }
  if (io::is_zip(source.bytes.peek(io::kZipMagic))) {
    const io::TextBuffer all = source.bytes.rest();
    return io::read_npz(all.view(), source.name);
  }
  if (io::is_binary(source.bytes.peek(sizeof(io::kBinaryMagic))))
    return source.read_at ? io::read_binary(source.size, source.read_at, source.name)
                          : io::decode_binary(source.bytes.rest().view(), source.name);
  if (!source.share) return io::parse_matrix_market(std::move(source.bytes), source.name);
  Notifier notifier(progress);
  return io::parse_matrix_market(std::move(source.bytes), source.name,
                                 [&] { notifier.notify([&] { return kParsing * source.share(); }); });
} catch (...) {
  rethrow_as_error();
}

}  // namespace rowan
