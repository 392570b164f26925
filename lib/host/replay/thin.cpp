#include "lib/host/replay/thin.hpp"

#include <atomic>
#include <cstring>

#include "accumulators/common/places.hpp"
#include "lib/core/values.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/sampled.hpp"

namespace rowan {

using replay::kThinSlack;
using replay::ThinPosition;

namespace {

constexpr auto kEntryBytes = static_cast<std::int64_t>(sizeof(Column) + sizeof(ThinPosition));

template <class V>
Array<V> reserved(std::int64_t n) {
  return Array<V>(Block::try_reserve(static_cast<std::size_t>(n) * sizeof(V)), static_cast<std::size_t>(n));
}

}  // namespace

/// One worker writes C's columns where they stay, in arrays that are cut to size. Several write each chunk's where it
/// begins if no two products fall together, and copy them when all are counted.
class ThinPatternMaker {
 public:
  ThinPatternMaker(const Pattern& a, const Pattern& b, const std::vector<Chunk>& chunks, const Settings& settings,
                   bool with_replay)
      : a_(a), b_(b), chunks_(chunks), settings_(settings), with_replay_(with_replay) {
    auto& cut = made_.replay.chunks_;
    cut.reserve(chunks.size() + 1);
    for (const Chunk& c : chunks) {
      cut.push_back({c.first, c.last, made_.nprod, 0});
      made_.nprod += c.bound;
    }
    cut.push_back({a.rows, a.rows, made_.nprod, 0});
  }

  /// Bytes at most, with so many workers.
  [[nodiscard]] std::int64_t bytes(int workers) const noexcept {
    const std::int64_t entry = with_replay_ ? kEntryBytes : static_cast<std::int64_t>(sizeof(Column));
    return (workers > 1 ? 2 : 1) *
               (bound(workers) * entry + (a_.rows + 1) * static_cast<std::int64_t>(sizeof(Offset))) +
           (with_replay_ ? made_.nprod * static_cast<std::int64_t>(sizeof(ThinPosition)) : 0) +
           workers * static_cast<std::int64_t>(replay::thin_place_bytes(b_.cols));
  }

  /// Empty where memory cannot be had.
  [[nodiscard]] std::optional<ThinPattern> make(const Team& team) {
    const bool alone = team.size() == 1;
    Array<Offset> row_ptr(a_.rows + 1);
    Array<Column> col = reserved<Column>(bound(team.size()));
    Array<ThinPosition> sum_of;
    if (with_replay_) {
      made_.replay.position_of_ = reserved<ThinPosition>(made_.nprod + 1);
      sum_of = reserved<ThinPosition>(bound(team.size()));
      if (made_.replay.position_of_.data() == nullptr || sum_of.data() == nullptr) return std::nullopt;
    }
    if (col.data() == nullptr) return std::nullopt;
    auto& cut = made_.replay.chunks_;
    std::vector<std::int64_t> entries(chunks_.size());
    Monitor monitor(settings_.options);
    monitor.begin(a_.rows);
    std::atomic<std::size_t> next = 0;
    team.run([&](int) {
      Array<std::byte> places;
      std::int64_t end = 0;  // of what one worker has written
      for (std::size_t n; (n = next++) < chunks_.size();) {
        monitor.check();
        if (places.size() == 0) places = Array<std::byte>::zeroed(replay::thin_place_bytes(b_.cols));
        const std::int64_t at = alone ? end : begin(n);
        entries[n] = replay::thin_pattern(
            {.a = a_,
             .b = b_,
             .first = chunks_[n].first,
             .last = chunks_[n].last,
             .places = places.data(),
             .nnz = row_ptr.data() + 1,
             .col = col.data() + at,
             .position_of = with_replay_ ? made_.replay.position_of_.data() + cut[n].product : nullptr,
             .sum_of = with_replay_ ? sum_of.data() + at : nullptr});
        end += entries[n];
        monitor.done(chunks_[n].last - chunks_[n].first);
      }
    });
    std::int64_t nnz = 0;
    for (std::size_t n = 0; n < entries.size(); n++) {
      cut[n].entry = nnz, nnz += entries[n];
      made_.replay.most_entries_ = std::max(made_.replay.most_entries_, entries[n]);
    }
    cut.back().entry = nnz;
    row_ptr[0] = 0;
    for (std::int64_t i = 0; i < a_.rows; i++) row_ptr[i + 1] = static_cast<Offset>(row_ptr[i] + row_ptr[i + 1]);
    made_.row_ptr = widened(std::move(row_ptr));
    made_.col = side_by_side(std::move(col), nnz, team);
    if (with_replay_)
      made_.replay.sum_of_ = side_by_side(std::move(sum_of), nnz, team);
    else
      cut.clear();
    return std::move(made_);
  }

 private:
  /// Where chunk n's columns are written by several workers: none writes over what another wrote.
  [[nodiscard]] std::int64_t begin(std::size_t n) const noexcept {
    return made_.replay.chunks_[n].product + static_cast<std::int64_t>(n) * kThinSlack;
  }
  [[nodiscard]] std::int64_t bound(int workers) const noexcept {
    return workers == 1 ? made_.nprod + kThinSlack : begin(chunks_.size()) + kThinSlack;
  }
  template <class V>
  [[nodiscard]] Array<V> side_by_side(Array<V> apart, std::int64_t nnz, const Team& team) const {
    if (team.size() == 1) {
      apart.shrink(nnz);
      return apart;
    }
    Array<V> all(nnz);
    const auto& cut = made_.replay.chunks_;
    team.for_blocks(static_cast<std::int64_t>(chunks_.size()), 16, [&](std::int64_t from, std::int64_t to) {
      for (auto n = static_cast<std::size_t>(from); n < static_cast<std::size_t>(to); n++)
        std::copy_n(apart.data() + begin(n), cut[n + 1].entry - cut[n].entry, all.data() + cut[n].entry);
    });
    return all;
  }

  const Pattern& a_;
  const Pattern& b_;
  const std::vector<Chunk>& chunks_;
  const Settings& settings_;
  bool with_replay_;
  ThinPattern made_;
};

std::optional<ThinPattern> thin_pattern_of(const Pattern& a, const Pattern& b, bool with_replay,
                                           const Settings& settings, const Team& whole_team, Budget& budget) {
  Stats stats;
  const std::optional<Decided> decided = decide_sampled(a, b, settings, whole_team, stats);
  if (!decided || b.cols > kMostPlaces) return std::nullopt;
  for (const Chunk& c : decided->chunks)
    if (c.bound > replay::kMostThinSums) return std::nullopt;
  ThinPatternMaker maker(a, b, decided->chunks, settings, with_replay);
  const Team one(1);
  if (stats.nprod > kSampledAlone && whole_team.size() > 1 && budget.fits(maker.bytes(whole_team.size())))
    return maker.make(whole_team);
  if (!budget.fits(maker.bytes(1))) return std::nullopt;
  return maker.make(one);
}

template <class T>
void ThinReplay::run(const Inputs<T>& in, T* val, const Settings& settings, const Team& whole_team) const {
  Monitor monitor(settings.options);
  monitor.begin(in.a().rows);
  if (chunks_.empty()) return;
  const Team team = chunks_.back().product <= kSampledAlone ? Team(1) : whole_team;
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    Array<T> sums;
    for (std::size_t n; (n = next++) + 1 < chunks_.size();) {
      monitor.check();
      if (sums.size() == 0) sums = Array<T>(most_entries_ + 1);
      const ThinChunk &c = chunks_[n], &end = chunks_[n + 1];
      replay::thin_values(replay::ThinValuesTask<T>{in.a(), in.b(), c.first, c.last, position_of_.data() + c.product,
                                                    sum_of_.data() + c.entry, end.product - c.product,
                                                    end.entry - c.entry, sums.data(), val + c.entry});
      monitor.done(c.last - c.first);
    }
  });
}

std::int64_t ThinReplay::bytes() const noexcept {
  return static_cast<std::int64_t>((position_of_.size() + sum_of_.size()) * sizeof(ThinPosition) +
                                   chunks_.size() * sizeof(ThinChunk));
}

#define ROWAN_INSTANTIATE(T) template void ThinReplay::run(const Inputs<T>&, T*, const Settings&, const Team&) const;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
