#include "lib/device/runtime/launch_words.hpp"

#include "lib/device/runtime/memory.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

std::optional<WordSets> KeptWords::take(std::int64_t count, hipStream_t stream) {
  for (std::size_t k = kept_.size(); k-- > 0;)  // the last ones first: they are most likely this stream's
    if (kept_[k].capacity >= count) return kept_.take(k, stream);
  return {};
}

ZeroWords::ZeroWords(Pool& pool, std::int64_t count, hipStream_t stream)
    : pool_(pool), stream_(stream), count_(count), sets_(pool.take_words(count, stream)) {}

ZeroWords::~ZeroWords() {
  if (launched_) sets_.second = !sets_.second, sets_.used_count = count_;
  pool_.give_words(sets_, count_, launched_, stream_);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
