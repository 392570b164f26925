#include "lib/device/pipeline/resident.hpp"

#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Counts, and allocates C within the limit.
template <class T>
CountedProduct<T> prepared(const Pair<T>& pair, std::int64_t memory_limit) {
  CountedProduct<T> counted = measure_and_count(pair.engine(), pair.a(), pair.b(), pair.stream(), nullptr);
  if (memory_limit != 0 && pair.bytes() >= memory_limit)
    throw Error(ErrorCode::memory_limit, "A and B take " + std::to_string(pair.bytes()) +
                                             " bytes of device memory; memory_limit is " +
                                             std::to_string(memory_limit));
  allocate(pair.engine(), counted, memory_limit == 0 ? 0 : memory_limit - pair.bytes(), pair.stream());
  return counted;
}

/// A pair and its counted product; C's memory goes before the pair, whose stream it was taken on.
template <class T>
struct Work {
  std::shared_ptr<Pair<T>> pair;
  std::optional<CountedProduct<T>> counted = {};
  std::int64_t bytes_peak = 0;  // of the last product

  void fill() {
    const CurrentDevice chosen(pair->engine().info().ordinal);
    device::fill(pair->engine(), pair->a(), pair->b(), *counted, pair->stream());
  }
};

}  // namespace

template <class T>
std::unique_ptr<const DevicePlan<T>> plan_on_host(std::shared_ptr<Pair<T>> pair, std::int64_t memory_limit) {
  const auto work = std::make_shared<Work<T>>(Work<T>{std::move(pair)});
  work->counted.emplace(prepared(*work->pair, memory_limit));
  work->fill();
  const CountedProduct<T>& counted = *work->counted;
  const hipStream_t stream = work->pair->stream();
  auto plan = std::make_unique<DevicePlan<T>>();
  plan->row_ptr = fetched(counted.c.row_ptr.data(), counted.c.rows + 1, stream);
  plan->col = fetched(counted.c.col.data(), counted.c.nnz, stream);
  plan->nprod = counted.record.nprod();
  plan->bytes = work->pair->bytes() + counted.bytes_temporary + static_cast<std::int64_t>(counted.tables.bytes()) +
                static_cast<std::int64_t>(counted.c.row_ptr.bytes() + counted.c.col.bytes() + counted.c.val.bytes());
  plan->execute = [work](const T* a, const T* b, T* c) {
    const CurrentDevice chosen(work->pair->engine().info().ordinal);
    work->pair->copy_values(a, b);
    work->fill();
    copy_down(c, work->counted->c.val.data(), work->counted->c.nnz, work->pair->stream());
    work->pair->wait();
  };
  return plan;
}

template <class T>
DeviceResident<T> resident(std::shared_ptr<Pair<T>> pair) {
  const auto work = std::make_shared<Work<T>>(Work<T>{std::move(pair)});
  const int ordinal = work->pair->engine().info().ordinal;
  return {.multiply =
              [work, ordinal](Stats* stats) {
                const CurrentDevice chosen(ordinal);
                const Pair<T>& p = *work->pair;
                Pool& pool = p.engine().pool();
                work->counted.reset();
                pool.restart_peak();
                const std::int64_t before = pool.in_use();
                work->counted.emplace(product(p.engine(), p.a(), p.b(), 0, p.stream(), stats));
                p.wait();
                work->bytes_peak = pool.peak() - before;
              },
          .again =
              [work] {
                work->fill();
                work->pair->wait();
              },
          .bytes_peak = [work] { return work->bytes_peak; },
          .fetch = [work, ordinal]() -> Csr<T> {
            const CurrentDevice chosen(ordinal);
            const Product<T>& c = work->counted->c;
            const hipStream_t stream = work->pair->stream();
            return {c.rows, c.cols, fetched(c.row_ptr.data(), c.rows + 1, stream), fetched(c.col.data(), c.nnz, stream),
                    fetched(c.val.data(), c.nnz, stream)};
          },
          .release = [work] { work->counted.reset(); },
          .trim =
              [work, ordinal] {
                const CurrentDevice chosen(ordinal);
                work->pair->engine().pool().trim();
              }};
}

#define ROWAN_INSTANTIATE(T)                                                                          \
  template std::unique_ptr<const DevicePlan<T>> plan_on_host(std::shared_ptr<Pair<T>>, std::int64_t); \
  template DeviceResident<T> resident(std::shared_ptr<Pair<T>>);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
