#include "lib/api/place.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lib/core/parallel.hpp"
#include "lib/core/values.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// Below, a device is not even opened: that takes as long as hundreds of such products on one thread.
constexpr double kThoughtOfFrom = 4e6;                   // products
constexpr std::int64_t kRows = 256, kEntriesOfRow = 64;  // looked at, of each row
constexpr std::size_t kMultiplied = 4096;                // products whose columns are compared

/// What a sample of A's rows has.
struct Sampled {
  double a_nnz = 0, nprod = 0;
  double multiplied = 0, c_nnz = 0, runs = 0;  // of rows that were multiplied out: products, entries, runs of columns
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

void add_entries(std::vector<Column>& columns, Sampled& all) {
  all.multiplied += static_cast<double>(columns.size());
  std::ranges::sort(columns);
  const auto end = std::ranges::unique(columns).begin();
  all.c_nnz += static_cast<double>(end - columns.begin());
  for (auto c = columns.begin(); c != end; ++c)
    if (c == columns.begin() || *c != *(c - 1) + 1) all.runs++;
}

/// How a row of A goes on with the row before.
void compare(std::span<const Column> before, std::span<const Column> row, Sampled& all) {
  constexpr Column kFar = 256;
  all.rows++;
  const bool moved = before.size() == row.size() &&
                     std::equal(row.begin(), row.end(), before.begin(), [](Column c, Column b) { return c - 1 == b; });
  all.shifted += moved ? 1 : 0;
  // the row before has visited rows of B near its own columns
  for (std::size_t e = 0; e < std::min<std::size_t>(row.size(), 32); e++) {
    const auto near = std::lower_bound(before.begin(), before.end(), row[e] - kFar);
    all.visits++, all.far += near == before.end() || *near > row[e] + kFar ? 1 : 0;
  }
}

template <class T>
void sample_row(const CsrView<T>& a, const CsrView<T>& b, std::int64_t i, std::vector<Column>& columns, Sampled& all) {
  columns.clear();
  const std::span<const Column> row = row_of(a, i);
  const auto entries = static_cast<std::int64_t>(row.size()), step = entries / kEntriesOfRow + 1;
  const bool multiplies = all.multiplied < static_cast<double>(kMultiplied);
  double nprod = 0;
  for (std::int64_t e = 0; e < entries; e += step) {
    const Column k = row[static_cast<std::size_t>(e)];
    if (k < 0 || k >= b.rows) continue;
    const auto of_b = row_of(b, k);
    nprod += static_cast<double>(of_b.size());
    if (multiplies && columns.size() < kMultiplied)
      columns.insert(columns.end(), of_b.begin(),
                     of_b.begin() + static_cast<std::ptrdiff_t>(std::min(of_b.size(), kMultiplied)));
  }
  all.a_nnz += static_cast<double>(entries), all.nprod += nprod * static_cast<double>(step);
  compare(i > 0 ? row_of(a, i - 1) : std::span<const Column>(), row, all);
  add_entries(columns, all);
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
  ProductOutline p{.operand_bytes = bytes(a.rows, a_nnz, sizeof(T)), .a_nnz = a_nnz};
  if (a.col.data() != b.col.data() || a.val.data() != b.val.data()) p.operand_bytes += bytes(b.rows, b_nnz, sizeof(T));
  Sampled all;
  std::vector<Column> columns;
  const std::int64_t rows = std::min(a.rows, kRows);
  for (std::int64_t r = 0; r < rows; r++) sample_row(a, b, (2 * r + 1) * a.rows / (2 * rows), columns, all);
  p.nprod = all.a_nnz > 0 ? a_nnz * all.nprod / all.a_nnz : 0;
  p.c_nnz = all.multiplied > 0 ? p.nprod * all.c_nnz / all.multiplied : 0;
  p.scattered = all.c_nnz > 0 ? all.runs / all.c_nnz : 0;
  p.shifted = all.rows > 0 ? all.shifted / all.rows : 0;
  p.far = all.visits > 0 ? all.far / all.visits : 0;
  p.c_bytes = bytes(a.rows, p.c_nnz, sizeof(T));
  return p;
}

// Fitted to the times of 15 matrices, on one thread of a Zen 3 and through an H200 (bench/places.cpp shows how well
// they choose). The first is within a factor of 1.6 of most: scattered rows cost by entries of A and products, others
// by entries of C. Sixteen threads were 8.5 times as fast as one. The device's part is copies, but for a constant.
double host_seconds(const ProductOutline& p, int threads) {
  constexpr double kScatteredEntry = 6.1e-9, kScatteredProduct = 1.4e-9, kProduct = 0.15e-9, kEntryOfC = 2.0e-9;
  constexpr double kPerThread = 0.5;
  const double one = p.scattered * (p.a_nnz * kScatteredEntry + p.nprod * kScatteredProduct) + p.nprod * kProduct +
                     p.c_nnz * kEntryOfC;
  return one / (1 + kPerThread * (threads - 1));
}

double device_seconds(const ProductOutline& p, const TransferSpeed& speed) {
  constexpr double kCall = 0.8e-3, kProduct = 0.01e-9;
  return kCall + p.nprod * kProduct + p.operand_bytes / speed.up + p.c_bytes / speed.down;
}

Placing::Placing(const Options& options, std::vector<Backend> backends)
    : backends_(std::move(backends)), options_(options) {
  options_.deterministic = true;  // the bits do not depend on the place
}

void Placing::open() {
  tried_ = true;
  for (const Backend backend : backends_) {
    options_.backend = backend;
    try {
      engine_ = open_device(default_policy(backend), options_);
      speed_ = engine_->transfer_speed();
      return;
    } catch (const Error&) {
      engine_ = nullptr;  // there is none, or it is not well: the host remains
    }
  }
}

template <class T>
Placement Placing::place(const CsrView<T>& a, const CsrView<T>& b) {
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
  const double host = host_seconds(p, Team(options_.threads).size()), device = device_seconds(p, speed_);
  const std::string there = "through " + engine_->name + " " + milliseconds(device) + ", copies included",
                    here = "on the host " + milliseconds(host);
  if (device < host) return {engine_.get(), "predicted " + there + "; " + here};
  return {nullptr, "predicted " + here + "; " + there};
}

std::string Placing::after_failure(const std::string& what) {
  return "on the host, because the device failed: " + what;
}

std::unique_ptr<Placing> placing_for(const Options& options, bool nothing_named) {
  if (options.backend != Backend::automatic || !nothing_named) return nullptr;
  std::vector<Backend> backends;
  for (const std::string& name : device_backends())
    if (name != "emulated") backends.push_back(name == "cuda" ? Backend::cuda : Backend::hip);
  return backends.empty() ? nullptr : std::make_unique<Placing>(options, std::move(backends));
}

#define ROWAN_INSTANTIATE(T)                                                 \
  template ProductOutline outline(const CsrView<T>& a, const CsrView<T>& b); \
  template Placement Placing::place(const CsrView<T>& a, const CsrView<T>& b);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
