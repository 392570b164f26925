#include "lib/device/pipeline/brought.hpp"

#include <limits>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/elements.hpp"
#include "lib/device/pipeline/pair.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

// All kernels here: a thread an element, the grid covers them.

template <class To, class From>
__global__ void __launch_bounds__(kElementThreads) convert(const From* from, std::int64_t n, To* to) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (k < n) to[k] = static_cast<To>(from[k]);
}

/// `fault` becomes the greater of itself and n - i for a row i whose pointers are wrong, 0 < n - i <= n.
template <class P>
__global__ void __launch_bounds__(kElementThreads)
    check_row_pointers(const P* ptr, std::int64_t rows, std::int64_t nnz, std::int64_t* fault) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (i > rows) return;
  const std::int64_t here = ptr[i];
  const bool wrong = (i == 0 && here != 0) || (i == rows ? here != nnz : ptr[i + 1] < here);
  if (wrong) simt::atomic_max(fault, rows + 1 - i);
}

/// The same for entries whose column is outside [0, cols).
template <class C>
__global__ void __launch_bounds__(kElementThreads)
    check_columns(const C* col, std::int64_t cols, std::int64_t nnz, std::int64_t* fault) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (k < nnz && (col[k] < 0 || col[k] >= cols)) simt::atomic_max(fault, nnz - k);
}

/// Adds mix(k, values[k]) over all k to `sum`. `salt` tells one array from another.
template <class V>
__global__ void __launch_bounds__(kElementThreads)
    sum_array(const V* values, std::int64_t n, std::uint64_t salt, std::uint64_t* sum) {
  std::uint64_t mine = 0;
  const std::int64_t all = static_cast<std::int64_t>(gridDim.x) * kElementThreads;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x; k < n; k += all) {
    // the finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014), over place and value
    std::uint64_t z = salt + static_cast<std::uint64_t>(k) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U ^ static_cast<std::uint64_t>(values[k]);
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z = (z ^ (z >> 31)) * 0xbf58476d1ce4e5b9U;
    mine += z ^ (z >> 29);
  }
  mine = simt::wave_sum(mine);
  if (simt::lane() == 0 && mine != 0) simt::atomic_add(sum, mine);
}

template <class V>
void add_sum(const V* values, std::int64_t n, std::uint64_t salt, std::uint64_t* sum, hipStream_t stream) {
  constexpr std::int64_t kMostBlocks = 1024;  // each thread adds once for many elements
  Shape shape = threads_for(n);
  shape.grid = std::min<std::int64_t>(shape.grid, kMostBlocks);
  launch(sum_array<V>, shape, stream, values, n, salt, sum);
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

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

}  // namespace

template <class To, class From>
Buffer<To> converted(Pool& pool, const From* from, std::int64_t n, hipStream_t stream) {
  Buffer<To> to(pool, n, stream);
  launch(convert<To, From>, threads_for(n), stream, from, n, to.data());
  return to;
}

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

template <class T>
Brought<T>::Brought(Pool& pool, const DeviceView<T>& m, hipStream_t stream) {
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

template <class T>
BroughtPair<T>::BroughtPair(Pool& pool, const DeviceView<T>& a, const DeviceView<T>& b, bool validate,
                            hipStream_t stream) {
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

template <class T>
PatternSum sum_patterns(Pool& pool, const Resident<T>& a, const Resident<T>& b, std::uint64_t key, hipStream_t stream) {
  const Buffer<PatternSum> there(pool, 1, stream);
  check(hipMemsetAsync(there.data(), 0, sizeof(PatternSum), stream), "clearing");
  const bool one = a.m.ptr == b.m.ptr && a.m.col == b.m.col && a.m.rows == b.m.rows && a.nnz == b.nnz;
  for (int which = 0; which < (one ? 1 : 2); which++) {
    const Resident<T>& m = which == 0 ? a : b;
    std::uint64_t* const sum = there.data()->of + which;
    add_sum(m.m.ptr, m.m.rows + 1, key, sum, stream);
    add_sum(m.m.col, m.nnz, ~key, sum, stream);
  }
  PatternSum sums = fetched(there.data(), 1, stream)[0];
  if (one) sums.of[1] = sums.of[0];
  return sums;
}

#define ROWAN_INSTANTIATE(T)                                   \
  template void check_view(const DeviceView<T>&, const char*); \
  template class Brought<T>;                                   \
  template class BroughtPair<T>;                               \
  template PatternSum sum_patterns(Pool&, const Resident<T>&, const Resident<T>&, std::uint64_t, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE
template Buffer<std::int32_t> converted(Pool&, const std::int64_t*, std::int64_t, hipStream_t);
template Buffer<std::int64_t> converted(Pool&, const std::int32_t*, std::int64_t, hipStream_t);

}  // namespace rowan::device::inline ROWAN_BACKEND
