#include "lib/device/pipeline/there.hpp"

#include <limits>
#include <random>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/brought.hpp"
#include "lib/device/pipeline/fastest.hpp"
#include "lib/device/pipeline/inspect.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/device/pipeline/planned.hpp"
#include "lib/host/timer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// C's memory, and the pool that it goes back to.
template <class T>
struct Kept {
  std::shared_ptr<Engine> engine;
  Product<T> c;
  Buffer<std::int32_t> narrow_ptr = {};
  Buffer<std::int64_t> wide_col = {};

  Kept(std::shared_ptr<Engine> of, Product<T> made) : engine(std::move(of)), c(std::move(made)) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    try {
      const CurrentDevice here(engine->info().ordinal);  // that the default stream, if it was made there, is of
      c = {}, narrow_ptr = {}, wide_col = {};
    } catch (const Error&) {
      (void)0;  // the runtime has ended, and the memory with it
    }
  }
};

/// What is left of a limit for C and its temporaries; 0: all.
[[nodiscard]] std::int64_t left_of(std::int64_t limit, std::int64_t held) {
  if (limit != 0) check_sizes(held + 1, limit, 0);
  return limit == 0 ? 0 : limit - held;
}

/// A plan, and what it was made of: sizes, and sums of the patterns where they are to be checked.
template <class T>
class PlanThere {
 public:
  PlanThere(const std::shared_ptr<Engine>& engine, const BroughtPair<T>& pair, const rowan::Options& options,
            hipStream_t stream)
      : rows_(pair.a().m.rows),
        inner_(pair.a().m.cols),
        cols_(pair.b().m.cols),
        a_nnz_(pair.a().nnz),
        b_nnz_(pair.b().nnz),
        planned_(engine, pair.a(), pair.b(), left_of(options.memory_limit, pair.bytes()), stream) {
    if (!options.validate) return;
    key_ = (static_cast<std::uint64_t>(std::random_device()()) << 32) | std::random_device()();
    sum_ = sum_patterns(engine->pool(), pair.a(), pair.b(), key_, stream);
  }

  void fill(const DeviceView<T>& a, const DeviceView<T>& b, T* val, hipStream_t stream) {
    const CurrentDevice chosen(engine()->info().ordinal);
    if (a.rows != rows_ || a.cols != inner_ || a.nnz != a_nnz_ || b.rows != inner_ || b.cols != cols_ ||
        b.nnz != b_nnz_)
      refuse_patterns();
    const BroughtPair<T> pair(engine()->pool(), a, b, false, stream);
    if (sum_ && sum_patterns(engine()->pool(), pair.a(), pair.b(), key_, stream) != *sum_) refuse_patterns();
    planned_.fill(pair.a(), pair.b(), val, stream);
  }
  [[nodiscard]] const std::shared_ptr<Engine>& engine() const noexcept { return planned_.shared_engine(); }
  [[nodiscard]] Planned<T>& planned() noexcept { return planned_; }

 private:
  [[noreturn]] static void refuse_patterns() {
    throw Error(ErrorCode::invalid_argument, "the patterns of A and B are not those that were planned");
  }
  std::int64_t rows_, inner_, cols_, a_nnz_, b_nnz_;
  std::uint64_t key_ = 0;
  std::optional<PatternSum> sum_ = {};
  Planned<T> planned_;
};

/// C's pattern, as wide as the call wants it, in memory of its own: a fill writes the plan's columns anew.
template <class T>
[[nodiscard]] DeviceMatrix<T> copy_of_pattern(const std::shared_ptr<Engine>& engine, const Product<T>& c,
                                              const DeviceCall& call) {
  const auto stream = static_cast<hipStream_t>(call.stream);
  Product<T> pattern{.rows = c.rows,
                     .cols = c.cols,
                     .nnz = c.nnz,
                     .row_ptr = Buffer<std::int64_t>(engine->pool(), c.rows + 1, stream),
                     .col = Buffer<Column>(engine->pool(), c.nnz, stream),
                     .val = {}};
  copy_there(pattern.row_ptr.data(), c.row_ptr.data(), c.rows + 1, stream);
  copy_there(pattern.col.data(), c.col.data(), c.nnz, stream);
  return handed_over(engine, std::move(pattern), call);
}

}  // namespace

template <class T>
DeviceMatrix<T> handed_over(const std::shared_ptr<Engine>& engine, Product<T> c, const DeviceCall& call) {
  const auto stream = static_cast<hipStream_t>(call.stream);
  const auto kept = std::make_shared<Kept<T>>(engine, std::move(c));
  Product<T>& p = kept->c;
  DeviceView<T> view{.rows = p.rows, .cols = p.cols, .nnz = p.nnz, .val = p.val.data()};
  if (call.row_ptr32) {
    if (p.nnz > std::numeric_limits<std::int32_t>::max())
      throw Error(ErrorCode::overflow, std::to_string(p.nnz) + " entries of C do not fit 32-bit row pointers");
    kept->narrow_ptr = converted<std::int32_t>(engine->pool(), p.row_ptr.data(), p.rows + 1, stream);
    view.row_ptr32 = kept->narrow_ptr.data();
    p.row_ptr = {};
  } else {
    view.row_ptr64 = p.row_ptr.data();
  }
  if (call.col64) {
    kept->wide_col = converted<std::int64_t>(engine->pool(), p.col.data(), p.nnz, stream);
    view.col64 = kept->wide_col.data();
    p.col = {};
  } else {
    view.col32 = p.col.data();
  }
  return {view, kept};
}

template <class T>
DeviceMatrix<T> multiply_there(const std::shared_ptr<Engine>& engine, const DeviceView<T>& a, const DeviceView<T>& b,
                               const rowan::Options& options, const DeviceCall& call) {
  const CurrentDevice chosen(engine->info().ordinal);
  const auto stream = static_cast<hipStream_t>(call.stream);
  Stats stats;
  DeviceMatrix<T> c;
  {
    const Timer timer(stats.total);
    const BroughtPair<T> pair(engine->pool(), a, b, options.validate, stream);
    const std::int64_t limit = left_of(options.memory_limit, pair.bytes());
    Stats* const told = call.stats != nullptr ? &stats : nullptr;
    c = handed_over(engine, fastest_product(*engine, pair.a(), pair.b(), limit, stream, told), call);
  }
  if (call.stats != nullptr) *call.stats = std::move(stats);
  return c;
}

template <class T>
Symbolic symbolic_there(Engine& engine, const DeviceView<T>& a, const DeviceView<T>& b, const rowan::Options& options,
                        const DeviceCall& call) {
  const CurrentDevice chosen(engine.info().ordinal);
  const auto stream = static_cast<hipStream_t>(call.stream);
  const BroughtPair<T> pair(engine.pool(), a, b, options.validate, stream);
  const CountedProduct<T> counted = measure_and_count(engine, pair.a(), pair.b(), stream, nullptr);
  return {.row_ptr = fetched(counted.c.row_ptr.data(), counted.c.rows + 1, stream),
          .nprod = counted.record->nprod(),
          .nnz = counted.c.nnz,
          .bytes_c = bytes_of_c<T>(counted.c.rows, counted.c.nnz),
          .bytes_temporary = counted.bytes_temporary + pair.bytes()};
}

template <class T>
Inspection inspect_there(Engine& engine, const DeviceView<T>& a, const DeviceView<T>& b, const std::string& force,
                         const rowan::Options& options, const DeviceCall& call) {
  const CurrentDevice chosen(engine.info().ordinal);
  const auto stream = static_cast<hipStream_t>(call.stream);
  const BroughtPair<T> pair(engine.pool(), a, b, options.validate, stream);
  return inspect(engine, pair.a(), pair.b(), force, stream);
}

template <class T>
DevicePlan<T> plan_there(const std::shared_ptr<Engine>& engine, const DeviceView<T>& a, const DeviceView<T>& b,
                         const rowan::Options& options, const DeviceCall& call) {
  const CurrentDevice chosen(engine->info().ordinal);
  const auto stream = static_cast<hipStream_t>(call.stream);
  const BroughtPair<T> pair(engine->pool(), a, b, options.validate, stream);
  const auto plan = std::make_shared<PlanThere<T>>(engine, pair, options, stream);
  auto work = std::make_shared<typename DevicePlan<T>::Work>();
  work->pattern = copy_of_pattern(engine, plan->planned().c(), call);
  work->nprod = plan->planned().nprod();
  work->bytes = plan->planned().bytes() + bytes_of_c<T>(0, work->pattern.nnz());
  work->execute_into = [plan](const DeviceView<T>& left, const DeviceView<T>& right, T* val, const DeviceCall& now) {
    plan->fill(left, right, val, static_cast<hipStream_t>(now.stream));
  };
  work->execute = [plan, pattern = work->pattern](const DeviceView<T>& left, const DeviceView<T>& right,
                                                  const DeviceCall& now) {
    struct PlannedValues {
      std::shared_ptr<Engine> engine;
      std::shared_ptr<const void> pattern;
      Buffer<T> val;
      PlannedValues(std::shared_ptr<Engine> of, std::shared_ptr<const void> shared, std::int64_t n, hipStream_t in)
          : engine(std::move(of)), pattern(std::move(shared)), val(engine->pool(), n, in) {}
    };
    const CurrentDevice here(plan->engine()->info().ordinal);
    const auto in = static_cast<hipStream_t>(now.stream);
    const auto kept = std::make_shared<PlannedValues>(plan->engine(), pattern.memory(), pattern.nnz(), in);
    plan->fill(left, right, kept->val.data(), in);
    DeviceView<T> view = pattern;
    view.val = kept->val.data();
    return DeviceMatrix<T>(view, kept);
  };
  return DevicePlan<T>(std::move(work));
}

template <class T>
DeviceMatrix<T> to_device(const std::shared_ptr<Engine>& engine, const Operand<T>& host, const rowan::Options& options,
                          const DeviceCall& call) {
  const CurrentDevice chosen(engine->info().ordinal);
  const auto stream = static_cast<hipStream_t>(call.stream);
  Pool& pool = engine->pool();
  const std::int64_t nnz = host.nnz();
  Product<T> m{.rows = host.rows,
               .cols = host.cols,
               .nnz = nnz,
               .row_ptr = Buffer<std::int64_t>(pool, host.rows + 1, stream),
               .col = Buffer<Column>(pool, nnz, stream),
               .val = Buffer<T>(pool, nnz, stream)};
  Staging staging(pool, Team(options.threads).size());
  staging.up(std::array{Staging::copy(m.row_ptr.data(), host.ptr, host.rows + 1),
                        Staging::copy(m.col.data(), host.col, nnz), Staging::copy(m.val.data(), host.val, nnz)},
             stream);
  DeviceMatrix<T> there = handed_over(engine, std::move(m), call);
  check(hipStreamSynchronize(stream), "copying to the device");
  return there;
}

template <class T>
Csr<T> to_host(Engine& engine, const DeviceView<T>& matrix, const rowan::Options& options, const DeviceCall& call) {
  const CurrentDevice chosen(engine.info().ordinal);
  const auto stream = static_cast<hipStream_t>(call.stream);
  check_view(matrix, "the matrix");
  const Brought<T> brought(engine.pool(), matrix, stream);
  const Operand<T>& m = brought.resident().m;
  CsrArrays<T> home{.rows = m.rows,
                    .cols = m.cols,
                    .row_ptr = Array<std::int64_t>(m.rows + 1),
                    .col = Array<Column>(matrix.nnz),
                    .val = Array<T>(matrix.nnz)};
  Staging staging(engine.pool(), Team(options.threads).size());
  staging.down(
      std::array{Staging::copy(home.row_ptr.data(), m.ptr, m.rows + 1),
                 Staging::copy(home.col.data(), m.col, matrix.nnz), Staging::copy(home.val.data(), m.val, matrix.nnz)},
      stream);
  check(hipStreamSynchronize(stream), "copying to the host");
  return {home.rows, home.cols, std::move(home.row_ptr), std::move(home.col), std::move(home.val)};
}

#define ROWAN_INSTANTIATE(T)                                                                                          \
  template DeviceMatrix<T> handed_over(const std::shared_ptr<Engine>&, Product<T>, const DeviceCall&);                \
  template DeviceMatrix<T> multiply_there(const std::shared_ptr<Engine>&, const DeviceView<T>&, const DeviceView<T>&, \
                                          const rowan::Options&, const DeviceCall&);                                  \
  template Symbolic symbolic_there(Engine&, const DeviceView<T>&, const DeviceView<T>&, const rowan::Options&,        \
                                   const DeviceCall&);                                                                \
  template Inspection inspect_there(Engine&, const DeviceView<T>&, const DeviceView<T>&, const std::string&,          \
                                    const rowan::Options&, const DeviceCall&);                                        \
  template DevicePlan<T> plan_there(const std::shared_ptr<Engine>&, const DeviceView<T>&, const DeviceView<T>&,       \
                                    const rowan::Options&, const DeviceCall&);                                        \
  template DeviceMatrix<T> to_device(const std::shared_ptr<Engine>&, const Operand<T>&, const rowan::Options&,        \
                                     const DeviceCall&);                                                              \
  template Csr<T> to_host(Engine&, const DeviceView<T>&, const rowan::Options&, const DeviceCall&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
