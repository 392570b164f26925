// A trial makes lists of rows for other choices than the policy's, and runs the pipeline's own kernels on them.
#include "lib/device/pipeline/trial.hpp"

#include "lib/core/values.hpp"
#include "lib/device/pipeline/inspect.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

using Picks = std::vector<std::optional<DevicePick>>;

/// Rows by queue for some picks, with the memory that their kernels want.
struct PickedRows {
  std::shared_ptr<void> trial;  // whose stream the memory was taken on: it goes last
  KernelQueues queues;
  Buffer<std::int32_t> list;
  Buffer<std::byte> tables;
};

template <class T>
class Trial {
 public:
  explicit Trial(std::shared_ptr<Pair<T>> pair) : pair_(std::move(pair)) {
    Pool& pool = engine().pool();
    const Resident<T> a = pair_->a(), b = pair_->b();
    MeasuredProduct measured = measure_product(engine(), a, b, stream(), nullptr, 0);
    nnz_ = Buffer<std::int64_t>(pool, a.m.rows + 1, stream());
    symbolic_key_ = Buffer<std::uint8_t>(pool, a.m.rows, stream());
    check(
        hipMemcpyAsync(symbolic_key_.data(), measured.at.key, symbolic_key_.bytes(), hipMemcpyDeviceToDevice, stream()),
        "keeping bins");
    counted_ = count_product(engine(), a, b, std::move(measured), stream(), nullptr);
    allocate(engine(), counted_, 0, stream());
    for (const Phase phase : {Phase::symbolic, Phase::numeric}) list_bins(phase);
    pair_->wait();
  }

  [[nodiscard]] int ordinal() const noexcept { return pair_->engine().info().ordinal; }
  void wait() const { pair_->wait(); }

  [[nodiscard]] DeviceTrial facts() const {
    const Tally all = sum_of(tally(Phase::numeric));
    return {.rows = counted_.c.rows,
            .nprod = counted_.record->nprod(),
            .features = features_of(all, counted_.c.cols, 0),
            .bins = bins_};
  }

  [[nodiscard]] std::shared_ptr<PickedRows> prepare(Phase phase, const Picks& picks) {
    DeviceBinDecision decisions[kBins] = {};
    const auto p = static_cast<std::size_t>(phase);
    for (std::size_t i = 0; i < picks.size(); i++) {
      if (!picks[i]) continue;
      Rules rules = rules_of();
      rules.forced = picks[i]->candidate, rules.forced_group = picks[i]->group;
      for (const int key : {keys_[p][i], follower_bin(keys_[p][i])})
        if (key != kNoBin && tally(phase)[key].rows != 0)
          decisions[key] = decide_bin(phase, rules, engine().policy().trees, key,
                                      decisive(tally(phase), key, true, Tally{}), sorted());
    }
    auto choice = std::make_shared<PickedRows>();
    choice->queues = make_queues(tally(phase), decisions, true);
    list_rows_of(phase, *choice);
    return choice;
  }

  void run(Phase phase, PickedRows& choice) {
    if (phase == Phase::symbolic) {
      count_rows(engine(), pair_->a(), pair_->b(),
                 {.queues = choice.queues,
                  .bins = tally(Phase::symbolic),
                  .sorted_b = sorted(),
                  .list = choice.list.data(),
                  .c_rows = counted_.at.c_rows,
                  .b_relation = counted_.at.b_relation,
                  .nnz = nnz_.data()},
                 stream());
      return;
    }
    counted_.record->queues[kNumeric] = choice.queues;
    counted_.record->starts[kNumeric].clear();
    counted_.list = choice.list.data();
    std::swap(counted_.tables, choice.tables);
    fill(engine(), pair_->a(), pair_->b(), counted_, stream());
    std::swap(counted_.tables, choice.tables);
  }

 private:
  [[nodiscard]] Engine& engine() const noexcept { return pair_->engine(); }
  [[nodiscard]] hipStream_t stream() const noexcept { return pair_->stream(); }
  [[nodiscard]] Rules rules_of() const noexcept { return engine().rules(counted_.c.cols, sizeof(T)); }
  [[nodiscard]] bool sorted() const noexcept { return counted_.record->sorted_b; }
  [[nodiscard]] const Tally* tally(Phase phase) const noexcept {
    return counted_.record->bins[static_cast<int>(phase)];
  }
  [[nodiscard]] const std::uint8_t* key(Phase phase) const noexcept {
    return phase == Phase::symbolic ? symbolic_key_.data() : counted_.at.key;
  }

  /// Bins with products; in the symbolic phase without those that some candidate has nothing to count of.
  void list_bins(Phase phase) {
    const Rules rules = rules_of();
    const Borders borders = make_borders(phase, rules);
    const auto p = static_cast<std::size_t>(phase);
    for (int key = BinKey::kDirect; key < kBins; key++) {
      if (is_follower(key)) continue;
      const Tally mine = with_followers(tally(phase), key);
      if (mine.nprod == 0) continue;
      const RowExtent extent = row_extent_of(mine, sorted());
      DeviceTrialBin bin{.label = bin_label(key, borders),
                         .rows = mine.rows,
                         .nprod = mine.nprod,
                         .features = features_of(mine, counted_.c.cols, 0)};
      bool free = false;
      for (std::size_t i = 0; i < kCandidates.size(); i++) {
        const auto id = static_cast<CandidateId>(i);
        if (!feasible(phase, rules, id, extent)) continue;
        const QueueChoice queue = queue_for(phase, id, query_of(phase, rules, extent));
        free = free || queue.queue == kNoQueue;
        bin.feasible[i] = true, bin.lanes[i] = std::min(queue.threads, rules.wave);
      }
      if (free) continue;
      bins_[p].push_back(std::move(bin)), keys_[p].push_back(key);
    }
  }

  void list_rows_of(Phase phase, PickedRows& choice) {
    if (!choice.queues.listed()) return;
    Pool& pool = engine().pool();
    const std::int64_t rows = counted_.c.rows;
    choice.list = Buffer<std::int32_t>(pool, rows, stream());
    const Buffer<std::int64_t> cursor(pool, kMaxQueues, stream());
    check(hipMemsetAsync(cursor.data(), 0, cursor.bytes(), stream()), "clearing");
    list_by_queue(rows, key(phase), choice.queues.list, cursor.data(), choice.list.data(), stream());
    pair_->wait();
  }

  std::shared_ptr<Pair<T>> pair_;
  CountedProduct<T> counted_;
  Buffer<std::int64_t> nnz_;           // what the symbolic phase writes here is thrown away
  Buffer<std::uint8_t> symbolic_key_;  // in the metadata, the numeric phase's bins have replaced them
  std::array<std::vector<DeviceTrialBin>, 2> bins_;
  std::array<std::vector<int>, 2> keys_;  // of bins_
};

}  // namespace

template <class T>
DeviceTrial trial(std::shared_ptr<Pair<T>> pair) {
  const auto work = std::make_shared<Trial<T>>(std::move(pair));
  DeviceTrial out = work->facts();
  out.prepare = [work](Phase phase, const Picks& picks) -> std::function<void()> {
    const CurrentDevice chosen(work->ordinal());
    const std::shared_ptr<PickedRows> choice = work->prepare(phase, picks);
    choice->trial = work;
    return [trial = work.get(), phase, choice] {
      const CurrentDevice again(trial->ordinal());
      trial->run(phase, *choice);
    };
  };
  out.wait = [work] {
    const CurrentDevice chosen(work->ordinal());
    work->wait();
  };
  return out;
}

#define ROWAN_INSTANTIATE(T) template DeviceTrial trial(std::shared_ptr<Pair<T>>);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
