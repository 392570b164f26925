#include "lib/device/pipeline/there.hpp"

#include <limits>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/host/timer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kThreads = 256;

// All kernels here: a thread an element, the grid covers them.

template <class To, class From>
__global__ void __launch_bounds__(kThreads) convert(const From* from, std::int64_t n, To* to) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (k < n) to[k] = static_cast<To>(from[k]);
}

/// `fault` becomes the greater of itself and n - i for a row i whose pointers are wrong, 0 < n - i <= n.
template <class P>
__global__ void __launch_bounds__(kThreads)
    check_row_pointers(const P* ptr, std::int64_t rows, std::int64_t nnz, std::int64_t* fault) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i > rows) return;
  const std::int64_t here = ptr[i];
  const bool wrong = (i == 0 && here != 0) || (i == rows ? here != nnz : ptr[i + 1] < here);
  if (wrong) simt::atomic_max(fault, rows + 1 - i);
}

/// The same for entries whose column is outside [0, cols).
template <class C>
__global__ void __launch_bounds__(kThreads)
    check_columns(const C* col, std::int64_t cols, std::int64_t nnz, std::int64_t* fault) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (k < nnz && (col[k] < 0 || col[k] >= cols)) simt::atomic_max(fault, nnz - k);
}

[[nodiscard]] Shape threads_for(std::int64_t n) {
  return {.grid = (n + kThreads - 1) / kThreads, .block = kThreads};
}

template <class To, class From>
[[nodiscard]] Buffer<To> converted(Pool& pool, const From* from, std::int64_t n, hipStream_t stream) {
  Buffer<To> to(pool, n, stream);
  launch(convert<To, From>, threads_for(n), stream, from, n, to.data());
  return to;
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

/// What the host can see of a view.
template <class T>
void check_view(const DeviceView<T>& m, const char* name) {
  const std::string of = name;
  constexpr std::int64_t kMost = std::numeric_limits<Column>::max();
  if (m.rows < 0 || m.cols < 0 || m.nnz < 0) refuse(of + ": rows, cols or nnz is negative");
  if (m.rows > kMost || m.cols > kMost)
    throw Error(ErrorCode::overflow, of + " is " + std::to_string(m.rows) + " x " + std::to_string(m.cols) +
                                         ", more than 2147483647 rows or columns");
  if ((m.row_ptr64 == nullptr) == (m.row_ptr32 == nullptr) && !(m.rows == 0 && m.row_ptr64 == nullptr))
    refuse(of + ": one of row_ptr32 and row_ptr64 must be set");
  if (m.nnz == 0) return;
  if ((m.col32 == nullptr) == (m.col64 == nullptr)) refuse(of + ": one of col32 and col64 must be set");
  if (m.val == nullptr) refuse(of + ": val is null");
}

/// An operand as kernels take it: copies of what has another width.
template <class T>
class Brought {
 public:
  Brought(Pool& pool, const DeviceView<T>& m, hipStream_t stream) {
    const std::int64_t* ptr = m.row_ptr64;
    const Column* col = m.col32;
    if (ptr == nullptr && m.rows == 0) {
      ptr_ = Buffer<std::int64_t>(pool, 1, stream);
      check(hipMemsetAsync(ptr_.data(), 0, sizeof(std::int64_t), stream), "clearing");
      ptr = ptr_.data();
    } else if (ptr == nullptr) {
      ptr_ = converted<std::int64_t>(pool, m.row_ptr32, m.rows + 1, stream);
      ptr = ptr_.data();
    }
    if (m.col64 != nullptr) {
      col_ = converted<Column>(pool, m.col64, m.nnz, stream);
      col = col_.data();
    }
    resident_ = {{{.rows = m.rows, .cols = m.cols, .ptr = ptr, .col = col}, m.val}, m.nnz};
  }
  [[nodiscard]] const Resident<T>& resident() const noexcept { return resident_; }
  [[nodiscard]] std::int64_t bytes() const noexcept { return static_cast<std::int64_t>(ptr_.bytes() + col_.bytes()); }

 private:
  Buffer<std::int64_t> ptr_;
  Buffer<Column> col_;
  Resident<T> resident_;
};

/// What only the device can see: of A's and B's row pointers and columns.
struct Faults {
  std::int64_t row[2], entry[2];
};

template <class T>
void look_for_faults(const DeviceView<T>& m, int which, Faults* faults, hipStream_t stream) {
  const Shape rows = threads_for(m.rows + 1), entries = threads_for(m.nnz);
  if (m.row_ptr32 != nullptr)
    launch(check_row_pointers<std::int32_t>, rows, stream, m.row_ptr32, m.rows, m.nnz, faults->row + which);
  else if (m.row_ptr64 != nullptr)
    launch(check_row_pointers<std::int64_t>, rows, stream, m.row_ptr64, m.rows, m.nnz, faults->row + which);
  if (m.col32 != nullptr)
    launch(check_columns<std::int32_t>, entries, stream, m.col32, m.cols, m.nnz, faults->entry + which);
  else if (m.col64 != nullptr)
    launch(check_columns<std::int64_t>, entries, stream, m.col64, m.cols, m.nnz, faults->entry + which);
}

template <class T>
void tell_faults(const DeviceView<T>& m, int which, const Faults& faults, const char* name) {
  if (const std::int64_t f = faults.row[which]; f != 0) {
    const std::int64_t row = m.rows + 1 - f;
    refuse(std::string(name) + (row == m.rows ? ": row pointers do not end at its " + std::to_string(m.nnz) + " entries"
                                              : ": row pointers are wrong at row " + std::to_string(row)));
  }
  if (const std::int64_t f = faults.entry[which]; f != 0)
    refuse(std::string(name) + ": the column of entry " + std::to_string(m.nnz - f) + " is outside [0, " +
           std::to_string(m.cols) + ")");
}

template <class T>
[[nodiscard]] bool same_memory(const DeviceView<T>& a, const DeviceView<T>& b) {
  return a.rows == b.rows && a.cols == b.cols && a.nnz == b.nnz && a.row_ptr32 == b.row_ptr32 &&
         a.row_ptr64 == b.row_ptr64 && a.col32 == b.col32 && a.col64 == b.col64 && a.val == b.val;
}

/// Both operands, checked.
template <class T>
class BroughtPair {
 public:
  BroughtPair(Pool& pool, const DeviceView<T>& a, const DeviceView<T>& b, bool validate, hipStream_t stream) {
    check_view(a, "A"), check_view(b, "B");
    if (a.cols != b.rows)
      refuse("A has " + std::to_string(a.cols) + " columns, but B has " + std::to_string(b.rows) + " rows");
    const bool one = same_memory(a, b);
    if (validate) {
      const Buffer<Faults> there(pool, 1, stream);
      check(hipMemsetAsync(there.data(), 0, sizeof(Faults), stream), "clearing");
      look_for_faults(a, 0, there.data(), stream);
      if (!one) look_for_faults(b, 1, there.data(), stream);
      const Array<Faults> found = fetched(there.data(), 1, stream);
      tell_faults(a, 0, found[0], "A"), tell_faults(b, 1, found[0], "B");
    }
    a_.emplace(pool, a, stream);
    if (!one) b_.emplace(pool, b, stream);
  }
  [[nodiscard]] const Resident<T>& a() const noexcept { return a_->resident(); }
  [[nodiscard]] const Resident<T>& b() const noexcept { return b_ ? b_->resident() : a(); }
  [[nodiscard]] std::int64_t bytes() const noexcept { return a_->bytes() + (b_ ? b_->bytes() : 0); }

 private:
  std::optional<Brought<T>> a_, b_;
};

/// C's memory, and the pool that it goes back to.
template <class T>
struct Kept {
  std::shared_ptr<Engine> engine;
  Product<T> c;
  Buffer<std::int32_t> narrow_ptr = {};
  Buffer<std::int64_t> wide_col = {};

  Kept(std::shared_ptr<Engine> of, Product<T> made) : engine(std::move(of)), c(std::move(made)) {}
};

/// C as the call wants it.
template <class T>
[[nodiscard]] DeviceMatrix<T> handed_over(const std::shared_ptr<Engine>& engine, Product<T> c, const DeviceCall& call) {
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

/// What is left of a limit for C and its temporaries; 0: all.
[[nodiscard]] std::int64_t left_of(std::int64_t limit, std::int64_t held) {
  if (limit != 0) check_sizes(held + 1, limit, 0);
  return limit == 0 ? 0 : limit - held;
}

}  // namespace

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
    CountedProduct<T> counted = product(*engine, pair.a(), pair.b(), left_of(options.memory_limit, pair.bytes()),
                                        stream, call.stats != nullptr ? &stats : nullptr);
    c = handed_over(engine, std::move(counted.c), call);
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
          .nprod = counted.record.nprod(),
          .nnz = counted.c.nnz,
          .bytes_c = bytes_of_c<T>(counted.c.rows, counted.c.nnz),
          .bytes_temporary = counted.bytes_temporary + pair.bytes()};
}

template <class T>
DeviceMatrix<T> to_device(const std::shared_ptr<Engine>& engine, const Operand<T>& host, const DeviceCall& call) {
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
  copy_up(m.row_ptr.data(), host.ptr, host.rows + 1, stream);
  copy_up(m.col.data(), host.col, nnz, stream);
  copy_up(m.val.data(), host.val, nnz, stream);
  DeviceMatrix<T> there = handed_over(engine, std::move(m), call);
  check(hipStreamSynchronize(stream), "copying to the device");
  return there;
}

template <class T>
Csr<T> to_host(Engine& engine, const DeviceView<T>& matrix, const DeviceCall& call) {
  const CurrentDevice chosen(engine.info().ordinal);
  const auto stream = static_cast<hipStream_t>(call.stream);
  check_view(matrix, "the matrix");
  const Brought<T> brought(engine.pool(), matrix, stream);
  const Operand<T>& m = brought.resident().m;
  return {m.rows, m.cols, fetched(m.ptr, m.rows + 1, stream), fetched(m.col, matrix.nnz, stream),
          fetched(m.val, matrix.nnz, stream)};
}

#define ROWAN_INSTANTIATE(T)                                                                                          \
  template DeviceMatrix<T> multiply_there(const std::shared_ptr<Engine>&, const DeviceView<T>&, const DeviceView<T>&, \
                                          const rowan::Options&, const DeviceCall&);                                  \
  template Symbolic symbolic_there(Engine&, const DeviceView<T>&, const DeviceView<T>&, const rowan::Options&,        \
                                   const DeviceCall&);                                                                \
  template DeviceMatrix<T> to_device(const std::shared_ptr<Engine>&, const Operand<T>&, const DeviceCall&);           \
  template Csr<T> to_host(Engine&, const DeviceView<T>&, const DeviceCall&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
