#include "lib/device/pipeline/transfer.hpp"

#include "lib/core/values.hpp"
#include "lib/host/timer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

template <class V>
Staging::Copy part_of(const Buffer<V>& to, const V* from, EqualPart part) {
  const std::int64_t begin = part.begin(to.size());
  return Staging::copy(to.data() + begin, from + begin, part.end(to.size()) - begin);
}

template <class V>
void send_part(const Buffer<V>& from, int from_device, const Buffer<V>& to, int to_device, EqualPart part,
               hipStream_t stream) {
  const std::int64_t begin = part.begin(to.size()), n = part.end(to.size()) - begin;
  if (n == 0) return;
  check(hipMemcpyPeerAsync(to.data() + begin, to_device, from.data() + begin, from_device,
                           static_cast<std::size_t>(n) * sizeof(V), stream),
        "copying to another device");
}

}  // namespace

void order(hipStream_t first, hipStream_t second) {
  Milestone here;  // what waits for it still does when it is gone
  here.record(first);
  here.before(second);
}

template <class T>
Uploaded<T>::Uploaded(Pool& pool, const Operand<T>& host, hipStream_t stream)
    : ordinal_(pool.device()),
      nnz_(host.nnz()),
      ptr_(pool, host.rows + 1, stream),
      col_(pool, nnz_, stream),
      val_(pool, nnz_, stream) {
  device_ = {{.rows = host.rows, .cols = host.cols, .ptr = ptr_.data(), .col = col_.data()}, val_.data()};
}

template <class T>
void Uploaded<T>::copy_pattern(const Operand<T>& host, EqualPart part, Staging& staging, hipStream_t stream) {
  staging.up(std::array{part_of(ptr_, host.ptr, part), part_of(col_, host.col, part)}, stream);
}

template <class T>
void Uploaded<T>::copy_values(const T* val, EqualPart part, Staging& staging, hipStream_t stream) {
  staging.up(std::array{part_of(val_, val, part)}, stream);
}

template <class T>
void Uploaded<T>::send_pattern(const Uploaded& to, EqualPart part, hipStream_t stream) const {
  send_part(ptr_, ordinal_, to.ptr_, to.ordinal_, part, stream);
  send_part(col_, ordinal_, to.col_, to.ordinal_, part, stream);
}

template <class T>
void Uploaded<T>::send_values(const Uploaded& to, EqualPart part, hipStream_t stream) const {
  send_part(val_, ordinal_, to.val_, to.ordinal_, part, stream);
}

template <class T>
std::int64_t Uploaded<T>::bytes() const noexcept {
  return static_cast<std::int64_t>(ptr_.bytes() + col_.bytes() + val_.bytes());
}

TransferSpeed transfer_speed(Engine& engine, const Team& team) {
  constexpr std::int64_t kBytes = 8 * Staging::kPiece;
  const CurrentDevice chosen(engine.info().ordinal);
  const OwnStream stream;
  Staging staging(engine.pool(), team.size());
  constexpr std::int64_t kColumns = kBytes / static_cast<std::int64_t>(sizeof(Column));
  const Buffer<Column> there(engine.pool(), kColumns, stream.get());
  const auto from = Array<Column>::zeroed(kColumns);
  TransferSpeed speed;
  for (int round = 0; round < 2; round++) {  // the first takes pinned memory
    Array<Column> to(kColumns);
    double up = 0, down = 0;
    {
      const Timer timer(up);
      staging.up(there.data(), from.data(), kColumns, stream.get());
      check(hipStreamSynchronize(stream.get()), "measuring copies");
    }
    {
      const Timer timer(down);
      staging.down(to.data(), there.data(), kColumns, stream.get());
    }
    speed = {.up = static_cast<double>(kBytes) / up, .down = static_cast<double>(kBytes) / down};
  }
  return speed;
}

#define ROWAN_INSTANTIATE(T) template class Uploaded<T>;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
