// A copy around the caches, compiled once for every instruction set.
#if defined(ROWAN_CORE_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_CORE_STREAM_INL
#undef ROWAN_CORE_STREAM_INL
#else
#define ROWAN_CORE_STREAM_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Values of a cache line.
template <class V>
constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(V));

/// A copy that goes around the caches, whole lines at a time: what is written elsewhere is not read first. Others see
/// it after hwy::FlushStream().
template <class V>
HWY_INLINE void stream(const V* from, std::int64_t n, V* to) {
  const hn::CappedTag<V, 64 / sizeof(V)> d;
  std::int64_t k = 0;
  for (; k < n && reinterpret_cast<std::uintptr_t>(to + k) % 64 != 0; k++) to[k] = from[k];
  for (; k + kLine<V> <= n; k += kLine<V>)
    for (std::int64_t v = 0; v < kLine<V>; v += static_cast<std::int64_t>(hn::Lanes(d)))
      hn::Stream(hn::LoadU(d, from + k + v), d, to + k + v);
  for (; k < n; k++) to[k] = from[k];
}

/// Entries made piece by piece and written around the caches one piece behind another, whole lines alone: the line in
/// which a piece ends would be read before it is written, and what is written behind it would wait (stencil5 15.5 ->
/// 13.3 ms). Others see them after finish() and hwy::FlushStream().
template <class V>
class LineWriter {
 public:
  /// Entries of the buffer in addition to those of a piece.
  static constexpr std::int64_t kMore = 2 * kLine<V>;

  LineWriter(V* to, V* buffer)
      : to_(to),
        buffer_(buffer),
        held_(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(V))) {
    begins_ = held_;
  }
  /// Where the next piece is to be put.
  [[nodiscard]] HWY_INLINE V* next() const { return buffer_ + held_; }
  /// It has n entries.
  HWY_INLINE void wrote(std::int64_t n) {
    const hn::CappedTag<V, 64 / sizeof(V)> d;
    constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
    held_ += n;
    if (held_ < kLine<V>) return;
    std::int64_t k = begins_;
    if (begins_ != 0) {
      for (; k < kLine<V>; k++) *to_++ = buffer_[k];
      begins_ = 0;
    }
    for (; k + kLine<V> <= held_; k += kLine<V>, to_ += kLine<V>)
      for (std::int64_t v = 0; v < kLine<V>; v += kLanes) hn::Stream(hn::LoadU(d, buffer_ + k + v), d, to_ + v);
    held_ -= k;
    for (std::int64_t v = 0; v < kLine<V>; v += kLanes) hn::StoreU(hn::LoadU(d, buffer_ + k + v), d, buffer_ + v);
  }
  void finish() {
    for (std::int64_t k = begins_; k < held_; k++) *to_++ = buffer_[k];
    begins_ = held_ = 0;
  }

 private:
  V *to_, *buffer_;      // to_: of buffer_[begins_]
  std::int64_t held_;    // entries in the buffer, from the beginning of a line on
  std::int64_t begins_;  // in the first line: what lies before belongs to others
};

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
