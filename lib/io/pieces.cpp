// Pieces wait in slots that this function owns, and the pipeline hands on their numbers only: what it carries when an
// exception stops it, it forgets to destroy.
#include "lib/io/pieces.hpp"

#include <utility>
#include <vector>

#include <tbb/parallel_pipeline.h>

#include "lib/core/parallel.hpp"
#include "lib/io/gzip.hpp"

namespace rowan::io {

void write_pieces(Output& output, std::int64_t count, bool gzip, const std::function<Buffer(std::int64_t)>& make) {
  const auto finished = [&](std::int64_t piece) {
    Buffer bytes = make(piece);
    return gzip ? gzip_member(bytes.view()) : std::move(bytes);
  };
  const Team team;
  if (team.size() == 1 || count == 1) {
    for (std::int64_t piece = 0; piece != count; ++piece) output.write(finished(piece).view());
    return;
  }
  constexpr std::size_t kPiecesPerThread = 2;  // one being made, one waiting to be written
  // pieces leave in order, so those under way are neighbours and no two of them share a slot
  std::vector<Buffer> slots(kPiecesPerThread * static_cast<std::size_t>(team.size()));
  const auto slot = [&](std::int64_t piece) -> Buffer& {
    return slots[static_cast<std::size_t>(piece) % slots.size()];
  };
  std::int64_t next = 0;
  const auto number = [&](tbb::flow_control& flow) {
    if (next == count) flow.stop();
    return next++;
  };
  const auto fill = [&](std::int64_t piece) {
    slot(piece) = finished(piece);
    return piece;
  };
  const auto write = [&](std::int64_t piece) {
    output.write(slot(piece).view());
    slot(piece) = Buffer();
  };
  using tbb::filter_mode;
  tbb::parallel_pipeline(slots.size(), tbb::make_filter<void, std::int64_t>(filter_mode::serial_in_order, number) &
                                           tbb::make_filter<std::int64_t, std::int64_t>(filter_mode::parallel, fill) &
                                           tbb::make_filter<std::int64_t, void>(filter_mode::serial_in_order, write));
}

}  // namespace rowan::io
