#include "lib/host/replay/thin.hpp"

#include <atomic>

#include "lib/core/values.hpp"
#include "lib/host/block_race.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/replay/masks.hpp"
#include "lib/host/sampled.hpp"

namespace rowan {

using replay::ThinForm;

ThinReplay::ThinReplay(const std::vector<Chunk>& chunks) {
  for (const Chunk& c : chunks) chunks_.push_back({c.first, c.last, c.bound}), products_ += c.bound;
}

std::shared_ptr<const ThinReplay::Steps> ThinReplay::write(const Pattern& a, const Pattern& b,
                                                           const std::int64_t* row_ptr, const Column* col,
                                                           std::int64_t room, const Team& team) const {
  constexpr std::int64_t kLine = 64;
  const auto n = static_cast<std::int64_t>(chunks_.size());
  const auto rows = [&](std::int64_t k) {
    const ThinChunk& chunk = chunks_[static_cast<std::size_t>(k)];
    return replay::ThinRows{a, b, row_ptr, col, chunk.first, chunk.last};
  };
  auto steps = std::make_shared<Steps>();
  steps->of_chunk.resize(chunks_.size());
  team.for_blocks(n, 1, [&](std::int64_t k, std::int64_t) {
    steps->of_chunk[static_cast<std::size_t>(k)].form =
        replay::thin_form(rows(k), chunks_[static_cast<std::size_t>(k)].products);
  });
  std::int64_t bytes = 0;
  for (std::int64_t k = 0; k < n; k++) {
    Steps::OfChunk& step = steps->of_chunk[static_cast<std::size_t>(k)];
    step.begin = bytes;
    bytes += replay::thin_bytes(rows(k), step.form, chunks_[static_cast<std::size_t>(k)].products);
    bytes = (bytes + kLine - 1) / kLine * kLine;
  }
  const std::int64_t table = b.cols * static_cast<std::int64_t>(sizeof(std::uint32_t));
  if (bytes + table > room) return nullptr;
  Block block = Block::try_reserve(static_cast<std::size_t>(bytes));
  if (bytes != 0 && block.data() == nullptr) return nullptr;
  steps->bytes = Array<std::byte>(std::move(block), static_cast<std::size_t>(bytes));
  const std::int64_t workers =
      std::clamp<std::int64_t>((room - bytes) / std::max<std::int64_t>(table, 1), 1, team.size());
  std::atomic<std::int64_t> next = 0;
  Team(static_cast<int>(workers)).run([&](int) {
    Array<std::uint32_t> position;
    for (std::int64_t k; (k = next++) < n;) {
      if (position.size() == 0) position = Array<std::uint32_t>(b.cols);
      const Steps::OfChunk& step = steps->of_chunk[static_cast<std::size_t>(k)];
      replay::write_thin(rows(k), step.form, position.data(), steps->bytes.data() + step.begin);
    }
  });
  return steps;
}

template <class T>
void ThinReplay::run(const Inputs<T>& in, const std::int64_t* row_ptr, const Column* col, T* val,
                     const Settings& settings, const Team& whole_team) const {
  const Operand<T>&a = in.a(), &b = in.b();
  Monitor monitor(settings.options);
  monitor.begin(a.rows);
  const std::int64_t table = b.cols * static_cast<std::int64_t>(sizeof(T));
  const Budget budget(settings.options, in.bytes() + bytes());
  const Team one(1);
  const bool alone = products_ <= kSampledAlone || budget.spare() < whole_team.size() * table;
  const Team& team = alone ? one : whole_team;

  std::shared_ptr<const Steps> steps;
  bool second = false;
  {
    const std::lock_guard lock(lazy_->lock);
    steps = lazy_->steps;
    second = ++lazy_->executions == 2;
  }
  if (second) {
    steps = write(a, b, row_ptr, col, budget.spare() - row_ptr[a.rows] * static_cast<std::int64_t>(sizeof(T)), team);
    const std::lock_guard lock(lazy_->lock);
    lazy_->steps = steps;
  }
  const bool masks = replay::has_masks();
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    Array<T> sums;
    BlockRace race;  // of dense and what was written
    for (std::size_t n; (n = next++) < chunks_.size();) {
      monitor.check();
      const ThinChunk& chunk = chunks_[n];
      ThinForm form = steps ? steps->of_chunk[n].form : ThinForm::none;
      if (form != ThinForm::positions && !masks) form = ThinForm::none;
      const bool raced = form != ThinForm::none;
      const std::size_t who = raced ? race.next(2) : 0;
      const bool dense = !raced || who == 1;
      if (dense && sums.size() == 0) sums = Array<T>::zeroed(b.cols);
      const replay::ThinRows rows{a, b, row_ptr, col, chunk.first, chunk.last};
      const auto start = std::chrono::steady_clock::now();
      replay::thin_values(replay::ThinValuesTask<T>{a, b, rows, dense ? ThinForm::none : form,
                                                    dense ? nullptr : steps->bytes.data() + steps->of_chunk[n].begin,
                                                    chunk.products, sums.data(), val});
      if (raced) {
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        race.took(who, took.count(), chunk.products + chunk.last - chunk.first);
      }
      monitor.done(chunk.last - chunk.first);
    }
  });
}

std::int64_t ThinReplay::bytes() const {
  const std::lock_guard lock(lazy_->lock);
  const auto list = static_cast<std::int64_t>(chunks_.size() * sizeof(ThinChunk));
  if (!lazy_->steps) return list;
  return list +
         static_cast<std::int64_t>(lazy_->steps->bytes.size() + lazy_->steps->of_chunk.size() * sizeof(Steps::OfChunk));
}

#define ROWAN_INSTANTIATE(T)                                                                               \
  template void ThinReplay::run(const Inputs<T>&, const std::int64_t*, const Column*, T*, const Settings&, \
                                const Team&) const;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
