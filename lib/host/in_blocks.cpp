#include "lib/host/in_blocks.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "features/pattern_block.hpp"
#include "lib/core/values.hpp"
#include "lib/host/multiply.hpp"
#include "lib/host/sampled.hpp"
#include "lib/host/some_rows.hpp"
#include "lib/host/timer.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// How many of some rows have `most` bytes in all; `bytes(i)`: of row, or chunk, i.
template <class Bytes>
std::int64_t that_fit(std::int64_t n, std::int64_t most, const Bytes& bytes) {
  std::int64_t i = 0;
  for (std::int64_t sum = 0; i < n && (sum += bytes(i)) <= most;) i++;
  return i;
}

/// Whole pattern blocks, where rows have that many: of these B's facts are A's, where both are one matrix.
constexpr std::int64_t whole_blocks(std::int64_t rows) {
  return rows < kPatternBlock ? rows : rows / kPatternBlock * kPatternBlock;
}

/// A multiplication in blocks.
template <class T>
class InBlocks {
 public:
  /// `held`: bytes that the caller keeps meanwhile. `sink`: null where rows are only counted.
  InBlocks(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings, std::int64_t held, SinkThread<T>* sink,
           Stats& stats)
      : settings_(settings),
        team_(settings.options.threads),
        budget_(settings.options, held),
        sink_(sink),
        stats_(stats) {
    const Timer timer(stats.prepare);
    const bool one = same_matrix(a, b);
    if (settings.options.validate) validate_both(a, b, team_);
    budget_.require(Prepared<T>::most_bytes(a, team_) + (one ? 0 : Prepared<T>::most_bytes(b, team_)),
                    "64-bit row pointers and transposes of A and B");
    in_.emplace(a, b, false, team_);
    budget_.held += in_->bytes();
    stats.policy = settings.policy.name;
  }

  [[nodiscard]] std::int64_t rows() const noexcept { return in_->rows(); }

  void multiply() {
    for (std::int64_t first = 0; first < rows();) first += give(first, block_from(first));
    wait_for_sink();
  }

  void multiply(std::span<const std::int64_t> row_ptr, std::int64_t first) {
    begin_ = first;
    static_cast<void>(know_b());
    while (first < rows()) first += give(first, counted_block_from(first, row_ptr));
    wait_for_sink();
  }

  /// C's row pointers.
  [[nodiscard]] Array<Offset> count() {
    const std::int64_t pointers = (rows() + 1) * std::int64_t{sizeof(std::int64_t)};
    budget_.require(pointers, "C's row pointers");
    budget_.held += pointers;
    static_cast<void>(know_b());
    Array<Offset> row_ptr(rows() + 1);
    row_ptr[0] = 0;
    for (std::int64_t first = 0; first < rows();) first += count_from(first, row_ptr.data() + first);
    return row_ptr;
  }

 private:
  /// One block of rows on its way.
  struct Block {
    SomeRows<T> rows;
    Inputs<T> in;
    Options options;
    Settings settings;
    Budget budget;
    Monitor monitor;
    Stats stats = {};

    Block(InBlocks& all, std::int64_t first, std::int64_t n)
        : rows(all.in_->a(), first, first + n),
          in(*all.in_, rows.operand),
          options(all.settings_.options),
          settings{.options = options, .policy = all.settings_.policy},
          budget(all.budget_),
          monitor(options) {
      budget.held += static_cast<std::int64_t>(rows.ptr.size() * sizeof(Offset));
      if (all.sink_ != nullptr) options.stop = all.sink_->stop();
      if (all.settings_.options.progress)
        options.progress = [&all, first, n](double share) { all.report(first, n, share); };
    }
  };

  /// A share of `n` rows from `first` on is done: a block that was begun again with fewer rows takes nothing back.
  void report(std::int64_t first, std::int64_t n, double share) {
    const auto wanted = static_cast<double>(rows() - begin_);
    const double done = (static_cast<double>(first - begin_) + share * static_cast<double>(n)) / wanted;
    if (done > reported_) settings_.options.progress(reported_ = done);
  }

  /// Bytes of a block, and of all that grows with it: a third, as the sink has another block, and workers need memory.
  [[nodiscard]] std::int64_t room() const noexcept {
    return std::clamp<std::int64_t>((budget_.limit - (budget_.held - with_sink_)) / 3, 1, kBlockBytes);
  }
  /// That a row takes beside its entries: features, pointers of A's rows and of C's.
  [[nodiscard]] std::int64_t row_bytes() const noexcept {
    return feature_bytes({.rows = 1}, in_->b()) + std::int64_t{2 * sizeof(std::int64_t)};
  }
  static constexpr std::int64_t kEntry = sizeof(Column) + sizeof(T);

  /// B's facts, which stay; returns the bytes that they add.
  std::int64_t know_b() {
    if (b_facts_) return 0;
    const Operand<T>& b = in_->b();
    if (!budget_.fits(fact_bytes(b))) wait_for_sink();
    budget_.require(fact_bytes(b), "the features of B's rows");
    budget_.held += fact_bytes(b);
    const Timer timer(stats_.features);
    b_facts_ = std::make_shared<const PatternFacts>(pattern_facts(b, team_));
    check_products(in_->a(), b, b_facts_->longest);
    return fact_bytes(b);
  }

  /// The stages before the first accumulator; empty where there is no memory for the rows' features.
  std::optional<Decided> decided(Block& block, std::int64_t first) {
    const Operand<T>& b = in_->b();
    const bool of_b = &in_->a() == &b && first % kPatternBlock == 0;
    const std::int64_t features = feature_bytes(block.rows.operand, b, of_b);
    if (!block.budget.fits(features)) return std::nullopt;
    block.budget.held += features;
    return decide(block.rows.operand, b, block.settings, team_, block.stats,
                  {.b = b_facts_, .a_first_in_b = of_b ? first : -1});
  }

  /// Fewer rows than did not fit, or as many without the sink's block; throws where it was one.
  std::int64_t fewer(std::int64_t n, std::int64_t first, const Budget& budget) {
    if (with_sink_ != 0) return wait_for_sink(), n;
    if (n == 1) budget.refuse("row " + std::to_string(first) + " of C");
    return (n + 1) / 2;
  }

  /// C's rows from `first` on, as many as fit.
  [[nodiscard]] Csr<T> block_from(std::int64_t first) {
    for (std::int64_t n = std::min(next_, rows() - first);;) {
      Block block(*this, first, n);
      std::int64_t fitting = n;
      std::optional<Csr<T>> c = unmeasured(block, n, fitting);
      if (!c && fitting == n) c = measured(block, first, n, fitting);
      if (c) {
        add_block(stats_, block.stats);
        return *std::move(c);
      }
      n = fitting;
    }
  }

  /// Rows for the next block, where `n` rows had at most so many entries.
  void aim(std::int64_t n, std::int64_t bound) {
    const double bytes = static_cast<double>(n * row_bytes()) + static_cast<double>(bound) * kEntry;
    const auto most = static_cast<double>(std::min(rows(), 4 * n));
    next_ = std::max<std::int64_t>(1, whole_blocks(static_cast<std::int64_t>(std::min(
                                          most, static_cast<double>(n) * static_cast<double>(room()) / bytes))));
  }

  /// The block where no row of it is to be measured; empty where they are, or where only `fitting` rows fit.
  std::optional<Csr<T>> unmeasured(Block& block, std::int64_t n, std::int64_t& fitting) {
    std::optional<Decided> decided = decide_sampled(block.rows.operand, in_->b(), block.settings, team_, block.stats);
    if (!decided) return std::nullopt;
    const std::vector<Chunk>& chunks = decided->chunks;
    const std::int64_t some = that_fit(static_cast<std::int64_t>(chunks.size()), room(), [&](std::int64_t i) {
      const Chunk& chunk = chunks[static_cast<std::size_t>(i)];
      return (chunk.last - chunk.first) * row_bytes() + chunk.bound * kEntry;
    });
    if (some == 0 && chunks.size() > 1) return fitting = chunks.front().last, std::nullopt;
    if (some != 0 && static_cast<std::size_t>(some) < chunks.size())
      return fitting = std::max<std::int64_t>(1, whole_blocks(chunks[static_cast<std::size_t>(some)].first)),
             std::nullopt;
    Budget budget = block.budget;
    const std::int64_t bound = decided->measured.all.bound;
    std::optional<Csr<T>> c =
        multiply_decided(block.in, *decided, block.settings, team_, budget, block.monitor, block.stats);
    if (c) return aim(n, bound), std::move(c);
    block.stats.sampled = false, block.stats.method_reason.clear();
    return std::nullopt;
  }

  std::optional<Csr<T>> measured(Block& block, std::int64_t first, std::int64_t n, std::int64_t& fitting) {
    block.budget.held += know_b();
    std::optional<Decided> d = decided(block, first);
    if (!d) return fitting = fewer(n, first, block.budget), std::nullopt;
    const std::int64_t bound = d->measured.all.bound;
    const CRow* const measured_rows = d->measured.rows.data();
    const std::int64_t some =
        that_fit(n, room(), [&](std::int64_t i) { return row_bytes() + measured_rows[i].bound() * kEntry; });
    if (some < n && n > 1) return fitting = std::max<std::int64_t>(1, whole_blocks(some)), std::nullopt;
    std::optional<Csr<T>> c =
        multiply_decided(block.in, *d, block.settings, team_, block.budget, block.monitor, block.stats);
    if (!c) return fitting = fewer(n, first, block.budget), std::nullopt;
    return aim(n, bound), std::move(c);
  }

  [[nodiscard]] Csr<T> counted_block_from(std::int64_t first, std::span<const std::int64_t> row_ptr) {
    const std::int64_t end = end_of_block(row_ptr, first, room(), row_bytes(), kEntry);
    for (std::int64_t n = std::max<std::int64_t>(1, whole_blocks(end - first));;) {
      Block block(*this, first, n);
      if (std::optional<Csr<T>> c = counted(block, first, n, row_ptr)) {
        add_block(stats_, block.stats);
        return *std::move(c);
      }
      n = fewer(n, first, block.budget);
    }
  }

  std::optional<Csr<T>> counted(Block& block, std::int64_t first, std::int64_t n, std::span<const std::int64_t> all) {
    Array<Offset> counted(n + 1);
    Array<std::int64_t> row_ptr(n + 1);
    for (std::int64_t i = 0; i <= n; i++) {
      row_ptr[i] = all[static_cast<std::size_t>(first + i)] - all[static_cast<std::size_t>(first)];
      counted[i] = static_cast<Offset>(row_ptr[i]);
    }
    block.budget.entries = row_ptr[n], block.budget.c = c_bytes<T>(n, row_ptr[n]);
    const CountedTarget<T> target{row_ptr.span(), nullptr, nullptr};
    if (auto d = decide_sampled(block.rows.operand, in_->b(), block.settings, team_, block.stats))
      if (std::optional<Csr<T>> c = filled(block, *d, target, counted)) return c;
    block.stats.sampled = false;
    std::optional<Decided> d = decided(block, first);
    if (!d) return std::nullopt;
    {
      const Timer timer(block.stats.deciding);
      decide_again(d->measured, counted.data(), settings_.options.force, d->record);
    }
    return filled(block, *d, target, counted);
  }

  /// The numeric phase; empty, and nothing moved, where it does not fit.
  std::optional<Csr<T>> filled(Block& block, Decided& decided, CountedTarget<T> c, Array<Offset>& counted) {
    const Timer timer(block.stats.numeric);
    Budget& budget = block.budget;
    const auto numeric = phase_plan_that_fits<T>(block.rows.operand, in_->b(), decided, Phase::numeric, team_, budget,
                                                 settings_.options.force);
    if (!budget.fits(numeric.least)) return std::nullopt;
    std::optional<CStorage<T>> storage = CStorage<T>::reserve(budget.entries);
    if (!storage)
      throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(budget.c) + " bytes for rows of C");
    c.col = storage->col.data(), c.val = storage->val.data();
    block.monitor.begin(block.in.rows());
    fill_counted(numeric, decided, c, block.monitor);
    block.stats.method = Method::two_phase, block.stats.threads = numeric.team.size();
    return finished(block.in, std::move(counted), std::move(*storage), budget.held + budget.c + numeric.bytes,
                    block.stats);
  }

  /// Counts rows from `first` on; returns how many.
  std::int64_t count_from(std::int64_t first, Offset* row_ptr) {
    const std::string_view force = settings_.options.force;
    std::int64_t n = std::min({settings_.block_rows, rows() - first, std::max<std::int64_t>(1, room() / row_bytes())});
    for (;; n = (n + 1) / 2) {
      Block block(*this, first, n);
      const auto refused = [&] {
        if (n == 1) block.budget.refuse("row " + std::to_string(first) + " of C");
      };
      std::optional<Decided> d = decided(block, first);
      if (!d) {
        refused();
        continue;
      }
      decide_symbolic(force, d->record);
      const Timer timer(block.stats.symbolic);
      const auto symbolic =
          phase_plan_that_fits<T>(block.rows.operand, in_->b(), *d, Phase::symbolic, team_, block.budget, force);
      if (!block.budget.fits(symbolic.least)) {
        refused();
        continue;
      }
      block.monitor.begin(n);
      count_rows(symbolic, row_ptr, block.monitor);
      block.stats.bytes_temporary = block.budget.held + block.budget.c + symbolic.bytes;
      block.stats.nprod = d->measured.all.nprod;
      add_block(stats_, block.stats);
      return n;
    }
  }

  /// Leaves the sink a block, which counts until the sink has given it back; returns its rows.
  std::int64_t give(std::int64_t first, Csr<T> c) {
    const std::int64_t n = c.rows(), bytes = c_bytes<T>(n, c.nnz());
    wait_for_sink();
    sink_->give(first, std::move(c));
    budget_.held += with_sink_ = bytes;
    return n;
  }

  void wait_for_sink() {
    const Timer timer(stats_.sink);
    sink_->wait();
    budget_.held -= std::exchange(with_sink_, 0);
  }

  const Settings& settings_;
  Team team_;
  Budget budget_;  // beside the block of C that is made
  SinkThread<T>* sink_;
  std::int64_t with_sink_ = 0;  // bytes of the block that the sink has
  Stats& stats_;
  std::optional<Inputs<T>> in_;
  std::shared_ptr<const PatternFacts> b_facts_ = nullptr;
  std::int64_t begin_ = 0;  // of the rows that are wanted
  double reported_ = 0;
  std::int64_t next_ = settings_.block_rows;  // rows of the next block, at most
};

}  // namespace

void check_sizes(std::span<const std::int64_t> row_ptr, std::int64_t rows, std::int64_t first) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::invalid_argument, what); };
  if (row_ptr.size() != static_cast<std::size_t>(rows) + 1 || row_ptr[0] != 0)
    refuse("the sizes are of " + std::to_string(row_ptr.size()) + " row pointers; C has " + std::to_string(rows) +
           " rows");
  for (std::size_t i = 1; i < row_ptr.size(); i++)
    if (row_ptr[i] < row_ptr[i - 1])
      refuse("the sizes say that row " + std::to_string(i - 1) + " of C has " +
             std::to_string(row_ptr[i] - row_ptr[i - 1]) + " entries");
  if (first < 0 || first > rows)
    refuse("the first row is " + std::to_string(first) + ", but C has " + std::to_string(rows) + " rows");
}

std::int64_t end_of_block(std::span<const std::int64_t> row_ptr, std::int64_t first, std::int64_t most,
                          std::int64_t row, std::int64_t entry) {
  const auto bytes = [&](std::int64_t end) {
    return (end - first) * row +
           (row_ptr[static_cast<std::size_t>(end)] - row_ptr[static_cast<std::size_t>(first)]) * entry;
  };
  std::int64_t fits = first + 1, beyond = static_cast<std::int64_t>(row_ptr.size());  // whether it fits or not
  while (fits + 1 < beyond) {
    const std::int64_t middle = fits + (beyond - fits) / 2;
    (bytes(middle) <= most ? fits : beyond) = middle;
  }
  return fits;
}

void add_block(Stats& all, const Stats& block) {
  const std::int64_t peak = std::max(all.bytes_c + all.bytes_temporary, block.bytes_c + block.bytes_temporary);
  for (double Stats::*stage : {&Stats::prepare, &Stats::features, &Stats::binning, &Stats::deciding, &Stats::symbolic,
                               &Stats::numeric, &Stats::transfer})
    all.*stage += block.*stage;
  all.sampled = block.sampled && (all.blocks == 0 || all.sampled);
  all.policy = block.policy, all.method = block.method, all.method_reason = block.method_reason;
  all.device = block.device, all.binned |= block.binned;
  all.threads = std::max(all.threads, block.threads);
  all.nprod += block.nprod, all.nnz += block.nnz, all.blocks++;
  all.bytes_c = std::max(all.bytes_c, block.bytes_c), all.bytes_temporary = peak - all.bytes_c;
}

template <class T>
void multiply_in_blocks(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings, SinkThread<T>& sink,
                        Stats& stats) {
  const Timer total(stats.total);
  InBlocks<T>(a, b, settings, 0, &sink, stats).multiply();
}

template <class T>
void multiply_in_blocks(const CsrView<T>& a, const CsrView<T>& b, std::span<const std::int64_t> row_ptr,
                        std::int64_t first, const Settings& settings, SinkThread<T>& sink, Stats& stats) {
  const Timer total(stats.total);
  InBlocks<T> product(a, b, settings, static_cast<std::int64_t>(row_ptr.size_bytes()), &sink, stats);
  check_sizes(row_ptr, product.rows(), first);
  product.multiply(row_ptr, first);
}

template <class T>
Symbolic count_in_blocks(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings) {
  Stats stats;
  Array<std::int64_t> row_ptr = widened(InBlocks<T>(a, b, settings, 0, nullptr, stats).count());
  const std::int64_t nnz = row_ptr[row_ptr.size() - 1],
                     pointers = static_cast<std::int64_t>(row_ptr.span().size_bytes());
  return {.row_ptr = std::move(row_ptr),
          .nprod = stats.nprod,
          .nnz = nnz,
          .bytes_c = pointers + nnz * static_cast<std::int64_t>(sizeof(Column) + sizeof(T)),
          .bytes_temporary = stats.bytes_temporary - pointers};
}

#define ROWAN_INSTANTIATE(T)                                                                                          \
  template void multiply_in_blocks(const CsrView<T>&, const CsrView<T>&, const Settings&, SinkThread<T>&, Stats&);    \
  template void multiply_in_blocks(const CsrView<T>&, const CsrView<T>&, std::span<const std::int64_t>, std::int64_t, \
                                   const Settings&, SinkThread<T>&, Stats&);                                          \
  template Symbolic count_in_blocks(const CsrView<T>&, const CsrView<T>&, const Settings&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
