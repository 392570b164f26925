#include "lib/device/pipeline/transfer.hpp"

#include <cstring>
#include <vector>

#include "lib/core/notifier.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/heavy.hpp"
#include "lib/device/pipeline/one_phase.hpp"
#include "lib/device/pipeline/small.hpp"
#include "lib/host/timer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// What is put into `second` from now on comes after what is in `first`.
void order(hipStream_t first, hipStream_t second) {
  hipEvent_t event;
  check(hipEventCreateWithFlags(&event, hipEventDisableTiming), "making an event");
  const hipError_t recorded = hipEventRecord(event, first), waits = hipStreamWaitEvent(second, event, 0);
  (void)hipEventDestroy(event);  // what waits for it still does
  check(recorded, "recording an event");
  check(waits, "ordering streams");
}

/// Some rows of C on the host.
template <class T>
struct Piece {
  std::int64_t first = 0;
  Array<std::int64_t> row_ptr;
  Array<Column> col;
  Array<T> val;
};

struct RowRange {
  std::int64_t first, last;
};

/// Whether rows did not fit, so that fewer may.
bool too_large(const Error& e) {
  return e.code() == ErrorCode::memory_limit || e.code() == ErrorCode::out_of_memory;
}

template <class T>
Csr<T> assemble(std::vector<Piece<T>>& pieces, std::int64_t rows, std::int64_t cols) {
  if (pieces.size() == 1)
    return {rows, cols, std::move(pieces[0].row_ptr), std::move(pieces[0].col), std::move(pieces[0].val)};
  std::size_t nnz = 0;
  for (const Piece<T>& p : pieces) nnz += p.col.size();
  Array<std::int64_t> row_ptr(rows + 1);
  Array<std::int32_t> col(nnz);
  Array<T> val(nnz);
  std::size_t at = 0;
  for (Piece<T>& p : pieces) {
    for (std::size_t i = 0; i < p.row_ptr.size(); i++)
      row_ptr[static_cast<std::size_t>(p.first) + i] = static_cast<std::int64_t>(at) + p.row_ptr[i];
    std::copy(p.col.begin(), p.col.end(), col.begin() + at);
    std::copy(p.val.begin(), p.val.end(), val.begin() + at);
    at += p.col.size();
    p = {};
  }
  return {rows, cols, std::move(row_ptr), std::move(col), std::move(val)};
}

}  // namespace

template <class T>
Uploaded<T>::Uploaded(Pool& pool, const Operand<T>& host, Staging& staging, hipStream_t stream)
    : nnz_(host.nnz()), ptr_(pool, host.rows + 1, stream), col_(pool, nnz_, stream), val_(pool, nnz_, stream) {
  staging.up(ptr_.data(), host.ptr, host.rows + 1, stream);
  staging.up(col_.data(), host.col, nnz_, stream);
  device_ = {{.rows = host.rows, .cols = host.cols, .ptr = ptr_.data(), .col = col_.data()}, val_.data()};
}

template <class T>
void Uploaded<T>::copy_values(const T* val, Staging& staging, hipStream_t stream) {
  staging.up(val_.data(), val, nnz_, stream);
}

template <class T>
std::int64_t Uploaded<T>::bytes() const noexcept {
  return static_cast<std::int64_t>(ptr_.bytes() + col_.bytes() + val_.bytes());
}

TransferSpeed transfer_speed(Engine& engine, const Team& team) {
  constexpr std::int64_t kBytes = 8 * Staging::kPiece;
  const CurrentDevice chosen(engine.info().ordinal);
  const OwnStream stream;
  Staging staging(engine.pool(), team);
  const Buffer<char> there(engine.pool(), kBytes, stream.get());
  const auto from = Array<char>::zeroed(kBytes);
  TransferSpeed speed;
  for (int round = 0; round < 2; round++) {  // the first takes pinned memory
    Array<char> to(kBytes);
    double up = 0, down = 0;
    {
      const Timer timer(up);
      staging.up(there.data(), from.data(), kBytes, stream.get());
      check(hipStreamSynchronize(stream.get()), "measuring copies");
    }
    {
      const Timer timer(down);
      staging.down(to.data(), there.data(), kBytes, stream.get());
    }
    speed = {.up = static_cast<double>(kBytes) / up, .down = static_cast<double>(kBytes) / down};
  }
  return speed;
}

template <class T>
Csr<T> multiply_on_host(Engine& engine, const Operand<T>& a, const Operand<T>& b, bool same,
                        const rowan::Options& options, Stats& stats) {
  const CurrentDevice chosen(engine.info().ordinal);
  const OwnStream stream, copies;
  Staging staging(engine.pool(), Team(options.threads));
  std::optional<Uploaded<T>> first, second;
  {
    const Timer timer(stats.prepare);
    first.emplace(engine.pool(), a, staging, stream.get());
    if (!same) second.emplace(engine.pool(), b, staging, stream.get());
    order(stream.get(), copies.get());  // the memory is there
  }
  const Resident<T> left = first->resident(), right = same ? left : second->resident();
  const std::int64_t operands = first->bytes() + (same ? 0 : second->bytes());
  const std::int64_t limit = options.memory_limit;
  if (limit != 0 && operands >= limit)
    throw Error(ErrorCode::memory_limit, "A and B take " + std::to_string(operands) +
                                             " bytes of device memory; the limit is " + std::to_string(limit));
  Notifier notifier(options.progress);
  bool values_up = false;
  std::vector<Piece<T>> pieces;
  std::vector<RowRange> todo{{0, a.rows}};
  while (!todo.empty()) {
    if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the multiplication was cancelled");
    const RowRange range = todo.back();
    todo.pop_back();
    Resident<T> rows = left;
    rows.m.rows = range.last - range.first, rows.m.ptr += range.first;
    rows.nnz = a.ptr[range.last] - a.ptr[range.first];
    try {
      // values travel while patterns are counted
      const auto before_wait = [&] {
        if (values_up) return;
        first->copy_values(a.val, staging, copies.get());
        if (!same) second->copy_values(b.val, staging, copies.get());
        order(copies.get(), stream.get());
        values_up = true;
      };
      const std::int64_t for_c = limit == 0 ? 0 : limit - operands;
      CountedProduct<T> counted;
      bool done = false;
      if (may_be_small(engine, rows, right)) {
        before_wait();
        if (auto small = small_product(engine, rows, right, for_c, stream.get(), &stats))
          counted.c = *std::move(small), done = true;
      }
      if (!done) {
        MeasuredProduct measured = measure_product(engine, rows, right, stream.get(), &stats, heavy_room(for_c));
        if (auto in_one = one_phase(engine, rows, right, measured, for_c, stream.get(), &stats, before_wait)) {
          counted = *std::move(in_one), done = true;
          add_to_stats(engine, counted, stats);
        } else {
          counted = count_product(engine, rows, right, std::move(measured), stream.get(), &stats, before_wait);
          allocate(engine, counted, for_c, stream.get());
        }
      }
      Piece<T> piece;
      piece.first = range.first;
      piece.row_ptr = Array<std::int64_t>(rows.m.rows + 1);
      piece.col = Array<std::int32_t>(counted.c.nnz);
      piece.val = Array<T>(counted.c.nnz);
      order(stream.get(), copies.get());  // row pointers travel while values are computed
      if (!done) fill_timed(engine, rows, right, counted, stream.get(), stats);
      const Timer timer(stats.transfer);
      staging.down(piece.row_ptr.data(), counted.c.row_ptr.data(), rows.m.rows + 1, copies.get());
      staging.down(piece.col.data(), counted.c.col.data(), counted.c.nnz, stream.get());
      staging.down(piece.val.data(), counted.c.val.data(), counted.c.nnz, stream.get());
      order(copies.get(), stream.get());
      check(hipStreamSynchronize(stream.get()), "multiplying");
      pieces.push_back(std::move(piece));
      notifier.notify([&] { return static_cast<double>(range.last) / static_cast<double>(a.rows); });
    } catch (const Error& e) {
      if (!too_large(e) || range.last - range.first < 2) throw;
      const std::int64_t middle = range.first + (range.last - range.first) / 2;
      todo.push_back({middle, range.last});
      todo.push_back({range.first, middle});
      stats.method_reason = "C in chunks of rows: it does not fit the device's memory";
    }
  }
  stats.bytes_temporary += operands;
  Csr<T> c = assemble(pieces, a.rows, b.cols);
  stats.nnz = c.nnz();
  stats.bytes_c = c.nnz() * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(T)) + (a.rows + 1) * 8;
  return c;
}

#define ROWAN_INSTANTIATE(T)  \
  template class Uploaded<T>; \
  template Csr<T> multiply_on_host(Engine&, const Operand<T>&, const Operand<T>&, bool, const rowan::Options&, Stats&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
