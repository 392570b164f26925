#include "features/sample.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>

#include "features/distinct.hpp"
#include "features/formulas.hpp"
#include "features/measure.hpp"

namespace rowan {
namespace {

/// The columns of a row's products, in the order of its entries.
struct ProductColumns {
  std::vector<Column> column;
  Column least = 0, greatest = -1;
  std::int64_t b_max = 0;

  void read(const Pattern& a, const Pattern& b, std::int64_t i) {
    column.clear(), b_max = 0;
    for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) {
      const std::int64_t row = a.col[k];
      column.insert(column.end(), b.col + b.ptr[row], b.col + b.ptr[row + 1]);
      b_max = std::max<std::int64_t>(b_max, b.length(row));
    }
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    least = column.empty() ? 0 : *low, greatest = column.empty() ? -1 : *high;
  }
};

/// Whether A's row i is the one before, moved by so many columns.
bool row_moved(const Pattern& a, std::int64_t i, Column by) {
  const Column *const row = a.col + a.ptr[i], *const before = a.col + a.ptr[i - 1];
  return a.length(i) == a.length(i - 1) &&
         std::equal(row, row + a.length(i), before, [by](Column x, Column y) { return x == y + by; });
}

/// Whether the products of row i are those of row j, moved by so many columns, or by any number of them; then there
/// must be some. Unlike rows mostly differ in their first entries.
bool products_moved(const Pattern& a, const Pattern& b, std::int64_t i, std::int64_t j,
                    std::optional<Column> by = std::nullopt) {
  if (a.length(i) != a.length(j)) return false;
  for (std::int64_t e = 0; e < a.length(i); e++) {
    const std::int64_t row = a.col[a.ptr[i] + e], other = a.col[a.ptr[j] + e];
    if (b.length(row) != b.length(other)) return false;
    const Column *const columns = b.col + b.ptr[row], *const others = b.col + b.ptr[other];
    for (std::int64_t k = 0; k < b.length(row); k++) {
      if (!by) by = columns[k] - others[k];
      if (columns[k] - others[k] != *by) return false;
    }
  }
  return by.has_value();
}

std::int64_t products_of(const Pattern& a, const Pattern& b, std::int64_t i) {
  std::int64_t n = 0;
  for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) n += b.length(a.col[k]);
  return n;
}

/// A place in each of `places` parts of the rows, anywhere within its part: grids have periods.
class Places {
 public:
  Places(std::int64_t rows, std::int64_t places) : rows_(rows), places_(places) {}
  [[nodiscard]] std::int64_t next() {
    const std::int64_t first = rows_ * p_ / places_, part = rows_ * (p_ + 1) / places_ - first;
    p_++, shuffle_ = shuffle_ * 6364136223846793005U + 1442695040888963407U;
    return first + static_cast<std::int64_t>((shuffle_ >> 33) % static_cast<std::uint64_t>(part));
  }

 private:
  std::int64_t rows_, places_, p_ = 0;
  std::uint64_t shuffle_ = 0x9E3779B97F4A7C15U;
};

}  // namespace

bool repeats(const Pattern& a, const Pattern& b, std::int64_t i) {
  constexpr std::int64_t kBefore = 4;
  for (std::int64_t j = i - 1; j >= std::max<std::int64_t>(i - kBefore, 0); j--)
    if (products_moved(a, b, i, j)) return true;
  return false;
}

bool meets_same_lines(const Pattern& a, const Pattern& b) {
  constexpr std::int64_t kPlaces = 16, kLongest = 64, kLines = 128;  // pairs of rows; entries of one; bytes
  constexpr std::int64_t kEntry = sizeof(Column) + sizeof(double);
  const std::int64_t of_row = std::max<std::int64_t>(1, kEntry * b.nnz() / std::max<std::int64_t>(b.rows, 1));
  const auto apart = static_cast<Column>(std::min<std::int64_t>(kLines / of_row, 1024));
  std::int64_t entries = 0, met = 0;
  const std::int64_t pairs = std::min(a.rows, kPlaces);
  Places places(a.rows, pairs);
  for (std::int64_t p = 0; p < pairs; p++) {
    const std::int64_t i = places.next();
    if (i == 0 || a.length(i) > kLongest || a.length(i - 1) > kLongest) continue;
    const std::span<const Column> row(a.col + a.ptr[i], a.col + a.ptr[i + 1]),
        before(a.col + a.ptr[i - 1], a.col + a.ptr[i]);
    for (std::size_t k = 0; k < row.size(); k++) {
      const Column c = row[k];
      const bool follows = k > 0 && c > row[k - 1] && c - row[k - 1] <= apart;
      met += follows || std::ranges::any_of(before, [&](Column d) { return std::abs(c - d) <= apart; }) ? 1 : 0;
    }
    entries += std::ssize(row);
  }
  return entries > 0 && 8 * met >= 7 * entries;
}

FeatureVector sample_features(const Pattern& a, const Pattern& b) {
  constexpr std::int64_t kMostPlaces = 48, kLeastPlaces = 8;
  const auto ratio = [](auto x, auto y) { return y == 0 ? 0.0F : static_cast<float>(x) / static_cast<float>(y); };
  const auto nprod = static_cast<std::int64_t>(static_cast<float>(a.nnz()) * ratio(b.nnz(), b.rows));  // or about that
  const std::int64_t budget = std::max(kSampleLeast, nprod / kSampleShare);
  const std::int64_t pair = std::max<std::int64_t>(1, 2 * nprod / std::max<std::int64_t>(a.rows, 1));
  const std::int64_t places =
      std::min(a.rows, std::clamp(budget / pair, kLeastPlaces, kMostPlaces));  // of two rows each
  Tally sample;
  std::int64_t pairs = 0, runs = 0;          // runs are found in A alone, whatever its rows' products are
  std::int64_t looked_at = 0, repeated = 0;  // products
  std::int64_t left = budget;
  ProductColumns row;
  DistinctColumns distinct;
  Places at_places(a.rows, std::max<std::int64_t>(places, 1));
  for (std::int64_t p = 0; p < places; p++) {
    const std::int64_t at = at_places.next();
    std::optional<RowNumbers> before;  // row `at`, where it was looked at
    for (std::int64_t i = at; i < std::min(at + 2, a.rows); i++) {
      RowNumbers numbers{.nprod = static_cast<Offset>(products_of(a, b, i)), .a_nnz = static_cast<Offset>(a.length(i))};
      const bool equal = i > at && row_moved(a, i, 0);
      if (i > at) pairs++, runs += equal ? 1 : 0;
      if (numbers.nprod > left) continue;  // too heavy to look at
      left -= numbers.nprod;
      if (equal && before) {  // the same products
        looked_at += numbers.nprod, repeated += numbers.nprod;
        sample.add(*before);
        continue;
      }
      if (i > at) {
        numbers.in_shift = row_moved(a, i, 1) && products_moved(a, b, i, i - 1, 1);
        looked_at += numbers.nprod, repeated += numbers.in_shift || repeats(a, b, i) ? numbers.nprod : 0;
      }
      row.read(a, b, i);
      numbers.b_max = row.b_max, numbers.span = std::int64_t{row.greatest} - row.least + 1;
      numbers.bound = static_cast<Offset>(distinct.count(row.column, row.least, row.greatest));
      // half of the rows looked at have a neighbour to be like
      sample.add(numbers);
      if (numbers.in_shift) sample.in_shifts++;
      before = numbers;
    }
  }
  const float compression = sample.bound == 0 ? 1.0F : ratio(sample.nprod, sample.bound);
  FeatureVector f = features_of(sample, b.cols, compression);
  f[index(Feature::rows)] = static_cast<float>(a.rows), f[index(Feature::a_row_nnz_avg)] = ratio(a.nnz(), a.rows);
  f[index(Feature::run_ratio)] = ratio(runs, pairs);
  f[index(Feature::repeat_ratio)] = ratio(repeated, looked_at);
  set_host_features(f, b.rows, a.nnz());
  f[index(Feature::nprod)] = f[index(Feature::nprod_avg)] * static_cast<float>(a.rows);
  return f;
}

}  // namespace rowan
