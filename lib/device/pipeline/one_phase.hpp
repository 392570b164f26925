#pragma once
// Rows with few products in one phase, the others around them in two. C's memory is taken before C's size is known: by
// a sample of the short rows, which hardly ever is too little; then exactly so much is taken, and they are done again.
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// C, complete but for what `stream` still has to do, where measure_product() chose one phase; nothing, where it did
/// not, or where there is not the memory: then `measured.method` says why, and all is as after measure_product().
/// `before_values` is called before anything is put into the stream that reads values.
template <class T>
[[nodiscard]] std::optional<CountedProduct<T>> one_phase(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                         MeasuredProduct& measured, std::int64_t memory_limit,
                                                         hipStream_t stream, Stats* stats,
                                                         const std::function<void()>& before_values = {});

/// Entries of short rows, into C. `words`: what the kernel wants to find C's row pointers, whose last it tells the
/// host; none where they are known.
template <class T>
void fill_short_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted,
                     const LaunchWords& words, const HostMailbox<std::int64_t>::Sender& told, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
