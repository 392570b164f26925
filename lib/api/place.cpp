#include "lib/api/place.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <hwy/cache_control.h>

#include "lib/core/parallel.hpp"
#include "lib/core/values.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// Below, a device is not even opened: that takes as long as hundreds of such products on one thread.
constexpr double kThoughtOfFrom = 4e6;                   // products
constexpr std::int64_t kRows = 128, kEntriesOfRow = 32;  // looked at, of each row
constexpr std::size_t kMultiplied = 4096, kOfRow = 512;  // products whose columns are compared, about

/// What a sample of A's rows has.
struct Sampled {
  double a_nnz = 0, nprod = 0;
  // of rows that were multiplied out: products and entries, estimated where not all products were looked at
  double multiplied = 0, c_nnz = 0;
  double looked_at = 0, distinct = 0, runs = 0;  // products, columns among them, runs of neighbours
  double rows = 0, shifted = 0, visits = 0, far = 0;
};

/// A row's columns, cut to what is inside the matrix.
template <class T>
std::span<const Column> row_of(const CsrView<T>& m, std::int64_t i) {
  const auto nnz = static_cast<std::int64_t>(m.col.size());
  const std::int64_t begin = std::clamp<std::int64_t>(m.row_ptr[static_cast<std::size_t>(i)], 0, nnz),
                     end = std::clamp<std::int64_t>(m.row_ptr[static_cast<std::size_t>(i) + 1], begin, nnz);
  return m.col.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

// Both forced inline, as in accumulators/common/prefetch.hpp.
HWY_INLINE void prefetch(const RowPointers& row_ptr, std::int64_t i) {
  if (const std::int64_t* wide = row_ptr.wide())
    hwy::Prefetch(wide + i);
  else
    hwy::Prefetch(row_ptr.narrow() + i);
}

/// What sample_row() reads of some rows, in the order of what leads to what. Little of rows from everywhere is in a
/// cache; to wait for each took 0.25 ms of a product of 2 ms.
template <class T>
HWY_INLINE void prefetch_rows(const CsrView<T>& a, const CsrView<T>& b, std::span<const std::int64_t> rows) {
  for (const std::int64_t i : rows) prefetch(a.row_ptr, i);
  for (const std::int64_t i : rows) {
    const std::span<const Column> row = row_of(a, i);
    for (std::size_t e = 0; e < row.size() && e < kEntriesOfRow; e += 16) hwy::Prefetch(row.data() + e);
  }
  for (const std::int64_t i : rows) {
    const std::span<const Column> row = row_of(a, i);
    const std::size_t step = row.size() / kEntriesOfRow + 1;
    for (std::size_t e = 0; e < row.size(); e += step)
      if (row[e] >= 0 && row[e] < b.rows) prefetch(b.row_ptr, row[e]);
  }
}

/// How a row of A goes on with the row before.
void compare(std::span<const Column> before, std::span<const Column> row, Sampled& all) {
  constexpr Column kFar = 256;
  all.rows++;
  const bool moved = before.size() == row.size() &&
                     std::equal(row.begin(), row.end(), before.begin(), [](Column c, Column b) { return c - 1 == b; });
  all.shifted += moved ? 1 : 0;
  // the row before has visited rows of B near its own columns
  for (std::size_t e = 0; e < std::min<std::size_t>(row.size(), kEntriesOfRow); e++) {
    const auto near = std::lower_bound(before.begin(), before.end(), row[e] - kFar);
    all.visits++, all.far += near == before.end() || *near > row[e] + kFar ? 1 : 0;
  }
}

/// Columns of about kOfRow of a row's products: all, or those of entries spread over the row.
template <class T>
void multiply_out(const CsrView<T>& b, std::span<const Column> row, double nprod, std::vector<Column>& columns) {
  const std::size_t step = static_cast<std::size_t>(nprod / static_cast<double>(kOfRow)) + 1;
  columns.clear();
  for (std::size_t e = 0; e < row.size() && columns.size() < 2 * kOfRow; e += step) {
    if (row[e] < 0 || row[e] >= b.rows) continue;
    const std::span<const Column> of_b = row_of(b, row[e]);
    columns.insert(columns.end(), of_b.begin(),
                   of_b.begin() + static_cast<std::ptrdiff_t>(std::min(of_b.size(), 2 * kOfRow)));
  }
}

/// Columns of `cols` that `all` products meet, where `some` of them met `distinct`: as if each product met any of n
/// columns, n(1 - exp(-some / n)) = distinct.
double distinct_of(double all, double some, double distinct, double cols) {
  if (all <= some) return all * distinct / std::max(some, 1.0);
  double low = distinct, high = std::max(std::min(distinct * some, cols), distinct);
  for (int k = 0; k < 40; k++) {
    const double n = std::sqrt(low * high);
    (n * -std::expm1(-some / n) < distinct ? low : high) = n;
  }
  return low * -std::expm1(-all / low);
}

void add_entries(std::vector<Column>& columns, double nprod, std::int64_t cols, Sampled& all) {
  std::ranges::sort(columns);
  const auto end = std::unique(columns.begin(), columns.end());  // clang 14 has no std::ranges::unique
  const auto distinct = static_cast<double>(end - columns.begin()), some = static_cast<double>(columns.size());
  all.looked_at += some, all.multiplied += nprod,
      all.c_nnz += distinct_of(nprod, some, distinct, static_cast<double>(cols));
  all.distinct += distinct;
  for (auto c = columns.begin(); c != end; ++c)
    if (c == columns.begin() || *c != *(c - 1) + 1) all.runs++;
}

template <class T>
void sample_row(const CsrView<T>& a, const CsrView<T>& b, std::int64_t i, std::vector<Column>& columns, Sampled& all) {
  const std::span<const Column> row = row_of(a, i);
  const auto entries = static_cast<std::int64_t>(row.size()), step = entries / kEntriesOfRow + 1;
  double nprod = 0;
  for (std::int64_t e = 0; e < entries; e += step) {
    const Column k = row[static_cast<std::size_t>(e)];
    if (k >= 0 && k < b.rows) nprod += static_cast<double>(row_of(b, k).size());
  }
  all.a_nnz += std::ceil(static_cast<double>(entries) / static_cast<double>(step)), all.nprod += nprod;
  compare(i > 0 ? row_of(a, i - 1) : std::span<const Column>(), row, all);
  if (all.looked_at >= static_cast<double>(kMultiplied)) return;
  nprod *= static_cast<double>(step);
  multiply_out(b, row, nprod, columns);
  add_entries(columns, std::max(nprod, static_cast<double>(columns.size())), b.cols, all);
}

double bytes(std::int64_t rows, double nnz, std::size_t value) {
  return 8.0 * static_cast<double>(rows + 1) + nnz * static_cast<double>(sizeof(Column) + value);
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  return text;
}

}  // namespace

template <class T>
ProductOutline outline(const CsrView<T>& a, const CsrView<T>& b) {
  const auto a_nnz = static_cast<double>(a.col.size()), b_nnz = static_cast<double>(b.col.size());
  ProductOutline p{
      .operand_bytes = bytes(a.rows, a_nnz, sizeof(T)), .b_bytes = bytes(b.rows, b_nnz, sizeof(T)), .a_nnz = a_nnz};
  if (a.col.data() != b.col.data() || a.val.data() != b.val.data()) p.operand_bytes += p.b_bytes;
  Sampled all;
  std::vector<Column> columns;
  const std::int64_t rows = std::min(a.rows, kRows);
  const std::int64_t stride = rows == kRows ? 37 : 1;  // the first, which are multiplied out, are from everywhere
  std::vector<std::int64_t> sample;
  for (std::int64_t k = 0; k < rows; k++) sample.push_back((2 * (k * stride % rows) + 1) * a.rows / (2 * rows));
  prefetch_rows(a, b, std::span<const std::int64_t>(sample));
  for (const std::int64_t i : sample) sample_row(a, b, i, columns, all);
  p.nprod = all.a_nnz > 0 ? a_nnz * all.nprod / all.a_nnz : 0;
  p.c_nnz = all.multiplied > 0 ? p.nprod * all.c_nnz / all.multiplied : 0;
  p.scattered = all.distinct > 0 ? all.runs / all.distinct : 0;
  p.shifted = all.rows > 0 ? all.shifted / all.rows : 0;
  p.far = all.visits > 0 ? all.far / all.visits : 0;
  p.c_bytes = bytes(a.rows, p.c_nnz, sizeof(T));
  return p;
}

// The first was fitted to the times of 217 matrices on one thread of a Zen 3, each family weighing alike: within a
// factor of 1.41 (standard deviation of the logarithm), 1.47 where a family was left out. Sixteen threads were 8.5
// times as fast as one, 32 about eleven (15 matrices); what every thread costs was seen on products of 2 to 10 ms (four
// matrices, 32 threads), which were taken for too fast. A device's time is that of copies, but for a constant (15
// matrices, an H200: within 1.2).
double host_seconds(const ProductOutline& p, int threads) {
  constexpr double kFarRow = 25e-9, kRow = 4.8e-9, kScatteredProduct = 1.1e-9, kProduct = 0.03e-9, kEntryOfC = 1.6e-9;
  constexpr double kPerThread = 0.5, kManyThreads = 16, kPerMore = 0.17, kThread = 0.06e-3;
  const double rows_of_b = p.a_nnz * (p.far * kFarRow + (1 - p.shifted) * kRow);
  const double one = rows_of_b + p.nprod * (p.scattered * kScatteredProduct + kProduct) + p.c_nnz * kEntryOfC;
  const double few = std::min<double>(threads, kManyThreads);
  return one / (1 + kPerThread * (few - 1) + kPerMore * (threads - few)) + kThread * (threads - 1);
}

double sent_bytes(const ProductOutline& p, double memory) {
  if (p.operand_bytes < memory) return p.operand_bytes;
  constexpr double kOfMemory = 0.75, kLargestEntry = 12;  // a chunk's operands; see in_parts.cpp
  const double least = std::ceil((p.operand_bytes + p.b_bytes) / (kOfMemory * memory)) * p.b_bytes;
  const double most = p.nprod * kLargestEntry;
  // a stencil sends the least, an R-MAT a fifth of the most: how far chunks have rows in common is not known here
  return p.operand_bytes + (most < least ? most : std::sqrt(least * most));
}

double device_seconds(const ProductOutline& p, const TransferSpeed& speed, double memory) {
  constexpr double kCall = 0.8e-3, kProduct = 0.002e-9;
  // rows that do not fit at once are gathered on the host first, as fast as they are sent: reasoned, not measured
  const double sent = sent_bytes(p, memory), gathered = sent - p.operand_bytes;
  return kCall + p.nprod * kProduct + (sent + gathered) / speed.up + p.c_bytes / speed.down;
}

// Beside one H100 and its copies 12 of the other 24 cores took 7 % of the time off products of 20 ms and more (a
// seventh where C is large for its products), as many as all 24, which made some slower: what all of them wait for is
// the host's memory. Products of 2 to 8 ms gained nothing.
CoresShare share_of_cores(const ProductOutline& p, int threads, int devices, double memory, double device_seconds) {
  constexpr double kFrom = 10e-3, kLeast = 0.1;
  const int copying = devices * std::min(kCopyingThreads, threads / devices), left = (threads - copying) / 2;
  if (left < 1 || device_seconds < kFrom || p.operand_bytes >= memory) return {};
  const double speed = device_seconds / host_seconds(p, left);
  return speed < kLeast ? CoresShare{} : CoresShare{speed, left};
}

void Placing::open() {
  tried_ = true;
  for (const Backend backend : backends_) {
    Options options;
    options.backend = backend, options.deterministic = true;  // the bits do not depend on the place
    try {
      options.devices = all_devices(backend);
      engine_ = open_devices(default_policy(backend), options);
      speed_ = engine_->transfer_speed();
      speed_.up *= engine_->devices, speed_.down *= engine_->devices;  // each has a link of its own
      return;
    } catch (const Error&) {
      engine_ = nullptr;  // there is none, or it is not well: the host remains
    }
  }
}

template <class T>
Placement Placing::place(const CsrView<T>& a, const CsrView<T>& b, const Options& options) {
  const double rows = static_cast<double>(std::max<std::int64_t>(b.rows, 1));
  if (a.transposed || b.transposed || a.row_ptr.size() != static_cast<std::size_t>(a.rows) + 1 ||
      b.row_ptr.size() != static_cast<std::size_t>(b.rows) + 1)
    return {};
  if (static_cast<double>(a.col.size()) * static_cast<double>(b.col.size()) / rows < kThoughtOfFrom / 8) return {};
  const ProductOutline p = outline(a, b);
  if (p.nprod < kThoughtOfFrom) return {};
  const std::lock_guard lock(lock_);
  if (!tried_) open();
  if (!engine_) return {};
  const int threads = Team(options.threads).size();
  const auto memory = static_cast<double>(engine_->memory);
  const double host = host_seconds(p, threads), device = device_seconds(p, speed_, memory);
  const CoresShare cores = share_of_cores(p, threads, engine_->devices, memory, device);
  const std::string there = "through " + engine_->name + " " + milliseconds(device) + ", copies included",
                    here = "on the host " + milliseconds(host);
  if (device < host) return {engine_.get(), cores, "predicted " + there + "; " + here};
  return {nullptr, {}, "predicted " + here + "; " + there};
}

std::string Placing::after_failure(const std::string& what) {
  return "on the host, because the device failed: " + what;
}

Placing* placing_for(const Options& options, bool nothing_named) {
  if (options.backend != Backend::automatic || !nothing_named) return nullptr;
  // never freed: at the process's end a GPU's runtime may be gone before
  static Placing* const of_process = []() -> Placing* {
    std::vector<Backend> backends;
    for (const std::string& name : device_backends())
      if (name != "emulated") backends.push_back(name == "cuda" ? Backend::cuda : Backend::hip);
    return backends.empty() ? nullptr : new Placing(std::move(backends));
  }();
  return of_process;
}

#define ROWAN_INSTANTIATE(T)                                                 \
  template ProductOutline outline(const CsrView<T>& a, const CsrView<T>& b); \
  template Placement Placing::place(const CsrView<T>& a, const CsrView<T>& b, const Options& options);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
