#include "lib/device/pipeline/planned.hpp"

#include "lib/core/values.hpp"
#include "lib/device/runtime/fork.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

template <class T>
Planned<T>::Planned(std::shared_ptr<Engine> engine, const Resident<T>& a, const Resident<T>& b,
                    std::int64_t memory_limit, hipStream_t stream)
    : engine_(std::move(engine)), made_in_(stream) {
  counted_.emplace(product(*engine_, a, b, memory_limit, stream, nullptr));
  counted_->c.val = {};  // what comes has its own place for them
  const std::int64_t values = counted_->c.nnz * static_cast<std::int64_t>(sizeof(T));
  if (const std::int64_t room = memory_limit - bytes() - values; memory_limit == 0 || room > 0)
    list_ = list_products(*engine_, a, b, *counted_, Listed::alone, memory_limit == 0 ? 0 : room, stream);
  if (list_) {  // heavy rows are listed
    counted_->bytes_temporary -= counted_->heavy_memory.size() + counted_->heavy.bytes_of_words();
    counted_->heavy_memory = {}, counted_->heavy = {};
  }
  check(hipEventCreateWithFlags(&filled_, hipEventDisableTiming), "making an event");
  if (const hipError_t recorded = hipEventRecord(filled_, stream); recorded != hipSuccess) {
    (void)hipEventDestroy(filled_);
    check(recorded, "recording an event");
  }
}

template <class T>
Planned<T>::~Planned() {
  (void)hipStreamWaitEvent(made_in_, filled_, 0);  // memory goes back in this stream's order
  list_.reset(), counted_.reset();
  (void)hipEventDestroy(filled_);
}

template <class T>
void Planned<T>::fill(const Resident<T>& a, const Resident<T>& b, T* val, hipStream_t stream) {
  const std::lock_guard lock(lock_);
  check(hipStreamWaitEvent(stream, filled_, 0), "ordering streams");
  counted_->c.val = Buffer<T>::of_others(val, counted_->c.nnz);
  if (list_) {
    Fork fork(engine_->pool(), stream, list_->all ? 1 : 2);
    fill_listed(*engine_, *list_, a.m.val, b.m.val, val, fork.next());
    if (!list_->all) fill_queues(*engine_, a, b, *counted_, fork.next(), list_->by_list);
    fork.join();
  } else {
    device::fill(*engine_, a, b, *counted_, stream);
  }
  check(hipEventRecord(filled_, stream), "recording an event");
}

template <class T>
std::int64_t Planned<T>::bytes() const noexcept {
  return counted_->bytes_temporary + (list_ ? list_->bytes() : 0) +
         static_cast<std::int64_t>(counted_->tables.bytes() + counted_->c.row_ptr.bytes() + counted_->c.col.bytes());
}

template <class T>
std::unique_ptr<const HostedPlan<T>> plan_on_host(std::shared_ptr<Pair<T>> pair, std::int64_t memory_limit) {
  struct Work {
    std::shared_ptr<Pair<T>> pair;  // its stream outlives what was taken in it
    Buffer<T> val;
    std::optional<Planned<T>> planned;
  };
  if (memory_limit != 0 && pair->bytes() >= memory_limit)
    throw Error(ErrorCode::memory_limit, "A and B take " + std::to_string(pair->bytes()) +
                                             " bytes of device memory; memory_limit is " +
                                             std::to_string(memory_limit));
  const auto work = std::make_shared<Work>();
  work->pair = std::move(pair);
  const Pair<T>& p = *work->pair;
  work->planned.emplace(p.shared_engine(), p.a(), p.b(), memory_limit == 0 ? 0 : memory_limit - p.bytes(), p.stream());
  const Product<T>& c = work->planned->c();
  work->val = Buffer<T>(p.engine().pool(), c.nnz, p.stream());
  auto plan = std::make_unique<HostedPlan<T>>();
  plan->row_ptr = fetched(c.row_ptr.data(), c.rows + 1, p.stream());
  plan->col = fetched(c.col.data(), c.nnz, p.stream());
  plan->nprod = work->planned->nprod();
  plan->bytes = p.bytes() + work->planned->bytes() + static_cast<std::int64_t>(work->val.bytes());
  plan->execute = [work](const T* of_a, const T* of_b, T* to) {
    Pair<T>& operands = *work->pair;
    const CurrentDevice chosen(operands.engine().info().ordinal);
    operands.copy_values(of_a, of_b);
    work->planned->fill(operands.a(), operands.b(), work->val.data(), operands.stream());
    operands.copy_down(to, work->val.data(), work->val.size());
    operands.wait();
  };
  return plan;
}

#define ROWAN_INSTANTIATE(T) \
  template class Planned<T>; \
  template std::unique_ptr<const HostedPlan<T>> plan_on_host(std::shared_ptr<Pair<T>>, std::int64_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
