#include "lib/device/pipeline/row_queue.hpp"

#include <algorithm>
#include <utility>

#include "lib/device/pipeline/pair.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kSumThreads = 256;

/// A block sums up the lengths of the rows of B that kSummedEntries entries of A ask for, into sums[block], which is 0.
__global__ void __launch_bounds__(kSumThreads)
    sum_lengths(const Column* col, std::int64_t nnz, const std::int64_t* b_ptr, std::uint64_t* sums) {
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * kSummedEntries,
                     end = begin + kSummedEntries < nnz ? begin + kSummedEntries : nnz;
  std::uint64_t mine = 0;
  for (std::int64_t e = begin + threadIdx.x; e < end; e += kSumThreads) {
    const Column j = col[e];
    mine += static_cast<std::uint64_t>(b_ptr[j + 1] - b_ptr[j]);
  }
  mine = simt::wave_sum(mine);
  if (simt::lane() == 0 && mine != 0) simt::atomic_add(sums + blockIdx.x, mine);
}

}  // namespace

Array<std::int64_t> sum_products(Pool& pool, const Pattern& a, std::int64_t nnz, const Pattern& b, hipStream_t stream) {
  const std::int64_t blocks = (nnz + kSummedEntries - 1) / kSummedEntries;
  const Buffer<std::uint64_t> sums(pool, blocks, stream);
  if (blocks != 0) check(hipMemsetAsync(sums.data(), 0, sums.bytes(), stream), "clearing");
  launch(sum_lengths, {.grid = blocks, .block = kSumThreads}, stream, a.col, nnz, b.ptr, sums.data());
  return fetched(reinterpret_cast<const std::int64_t*>(sums.data()), blocks, stream);
}

RowQueue::RowQueue(std::span<const std::int64_t> row_ptr, const Array<std::int64_t>& products, const Goals& goals,
                   int takers)
    : rows_(static_cast<std::int64_t>(row_ptr.size()) - 1), row_ptr_(row_ptr), goals_(goals), takers_(takers) {
  before_.reserve(products.size() + 1);
  before_.push_back(0);
  for (const std::int64_t sum : products) before_.push_back(before_.back() + sum);
}

std::int64_t RowQueue::products_before(std::int64_t row) const {
  const std::int64_t entry = row_ptr_[static_cast<std::size_t>(row)], nnz = row_ptr_.back();
  const std::int64_t block = entry / kSummedEntries, in_it = entry % kSummedEntries;
  const auto b = static_cast<std::size_t>(block);
  if (in_it == 0) return before_[b];
  // as if a block's entries had as many each
  const double share =
      static_cast<double>(in_it) / static_cast<double>(std::min(kSummedEntries, nnz - block * kSummedEntries));
  return before_[b] + static_cast<std::int64_t>(share * static_cast<double>(before_[b + 1] - before_[b]));
}

double RowQueue::products(const RowRange& rows) const {
  return before_.empty() ? 0 : static_cast<double>(products_before(rows.last) - products_before(rows.first));
}

RowQueue::RowChunk RowQueue::take_with(double wanted) {
  std::int64_t last = rows_;
  constexpr double kNotWorthTwo = 1.25;
  if (!before_.empty() && static_cast<double>(products_left()) > kNotWorthTwo * wanted) {
    const std::int64_t begin = products_before(next_);
    // the first row that begins behind as many products
    const auto rows = row_ptr_.subspan(static_cast<std::size_t>(next_) + 1);
    const auto behind = std::partition_point(rows.begin(), rows.end() - 1, [&](const std::int64_t& at) {
      const std::int64_t row = next_ + 1 + (&at - rows.data());
      return static_cast<double>(products_before(row) - begin) < wanted;
    });
    last = next_ + 1 + (behind - rows.begin());
  }
  nnz_.push_back(-1);
  return {taken_++, {std::exchange(next_, last), last}};
}

std::optional<RowQueue::RowChunk> RowQueue::take() {
  if (all_taken()) return std::nullopt;  // a matrix without rows is one chunk, too
  if (before_.empty()) return take_with(0);
  double wanted = static_cast<double>(goals_.first_products), least = static_cast<double>(goals_.least_products);
  if (counted_entries_ > 0) {
    // larger ones where there are many: the first and the last piece of a chunk travel alone
    constexpr double kChunks = 16, kLarger = 4, kSmaller = 0.25;
    const double products_an_entry = counted_products_ / counted_entries_;
    const double all = static_cast<double>(nprod()) / products_an_entry, goal = static_cast<double>(goals_.entries);
    wanted = std::clamp(all / (kChunks * takers_), goal, kLarger * goal) * products_an_entry;
    least = std::max(least, kSmaller * goal * products_an_entry);
  }
  if (takers_ > 1) wanted = std::min(wanted, std::max(static_cast<double>(products_left()) / (2 * takers_), least));
  return take_with(wanted);
}

std::optional<RowQueue::RowChunk> RowQueue::take_for_host(double share, bool measured) {
  // a chunk that waits and one at work, taken when more was left, are less than the host's share of what is left
  constexpr double kPart = 0.3;
  if (before_.empty() || all_taken()) return std::nullopt;
  constexpr double kFirst = 0.2;
  const double wanted = kPart * share * static_cast<double>(products_left()),
               least = static_cast<double>(goals_.least_products);
  if (wanted < least) return std::nullopt;
  return take_with(measured ? wanted : std::max(kFirst * wanted, least));
}

void RowQueue::count(const RowChunk& chunk, std::int64_t nnz) {
  nnz_[chunk.number] = nnz;
  while (places_.size() <= nnz_.size() && nnz_[places_.size() - 1] >= 0)
    places_.push_back(places_.back() + nnz_[places_.size() - 1]);
  if (before_.empty()) return;
  counted_products_ += products(chunk.rows);
  counted_entries_ += static_cast<double>(nnz);
}

std::optional<std::int64_t> RowQueue::place_of(std::size_t number) const {
  return number < places_.size() ? std::optional(places_[number]) : std::nullopt;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
