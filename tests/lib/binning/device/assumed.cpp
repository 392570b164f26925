// The pass over rows whose sums are assumed, emulated or real, against the passes that sum them up.
#include "lib/binning/device/assumed.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "lib/core/mix.hpp"
#include "lib/device/pipeline/decide.hpp"
#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Rows of a few products each, some of which have many; neighbours are often alike.
struct LookedAt {
  std::vector<std::int64_t> ptr{0}, products, entries;
  std::vector<device::CRow> c_rows;
  std::vector<std::uint8_t> moved;

  explicit LookedAt(std::size_t rows) {
    std::mt19937 random(11);
    std::uint32_t n = 3;
    for (std::size_t i = 0; i < rows; i++) {
      const bool is_moved = random() % 4 != 0;
      if (!is_moved) n = static_cast<std::uint32_t>(random() % 9 == 0 ? random() % 70000 : random() % 40);
      ptr.push_back(ptr.back() + (n == 0 ? 0 : 1 + n / 8));
      const std::uint32_t span = n == 0 ? 0 : n + n / 3;
      products.push_back(n), entries.push_back(n / 2 + n % 2), moved.push_back(is_moved ? 1 : 0);
      c_rows.push_back({0, static_cast<std::int32_t>(span) - 1, static_cast<std::int32_t>(1 + n / 8), n});
    }
    products.push_back(0), entries.push_back(0);
  }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(c_rows.size()); }
};

/// What a way of binning makes of the rows.
struct Binned {
  ToldSums told = {};
  std::vector<std::uint8_t> key;
  std::vector<std::int32_t> list;
  std::vector<std::int64_t> row_ptr;
  std::vector<ShiftMark> marks;
  bool cancelled = false;
  Assumption answer = Assumption::untold;
};

/// The rows on the device, and what is made there.
class RowsToBin {
 public:
  RowsToBin(Pool& pool, const LookedAt& rows, RowNumber says) : pool_(pool), rows_(rows.count()), says_(says) {
    ptr_ = on_device(pool, rows.ptr), c_rows_ = on_device(pool, rows.c_rows), moved_ = on_device(pool, rows.moved);
    number_ = on_device(pool, says == RowNumber::products ? rows.products : rows.entries);
    marks_ = on_device(pool, std::vector<ShiftMark>(rows.c_rows.size()));
    key_ = Buffer<std::uint8_t>(pool, rows_, nullptr), list_ = Buffer<std::int32_t>(pool, rows_, nullptr);
    checksum_ = on_device(pool, std::vector<std::uint64_t>(1)), flag_ = on_device(pool, std::vector<std::int32_t>{5});
    chunk_ = on_device(pool, std::vector<std::int64_t>(static_cast<std::size_t>(chunks_of(rows_))));
    chunk_checksum_ = on_device(pool, std::vector<std::uint64_t>(static_cast<std::size_t>(chunks_of(rows_))));
    next_chunk_ = on_device(pool, std::vector<std::uint32_t>(1));
  }

  Binned summed_up() {
    const auto of_key = on_device(pool_, std::vector<Tally>(kKeys));
    const auto blocks_done = on_device(pool_, std::vector<std::uint32_t>(1));
    const Buffer<std::int32_t> next(pool_, kKeys, nullptr);
    HostMailbox<ToldSums> told(pool_, nullptr);
    tally_bins(source(), borders(),
               {.of_key = of_key.data(),
                .key = key_.data(),
                .heavy_apart = by_products(),
                .flag = flag_.data(),
                .told = told.sender(),
                .blocks_done = blocks_done.data(),
                .first_of_key = next.data(),
                .before_chunk = chunk_.data(),
                .checksum = checksum_.data()},
               nullptr, 2);
    const ListByKey list{key_.data(), next.data(), list_.data()};
    if (by_products())
      list_by_key(rows_, list, {}, nullptr);
    else
      list_and_point(rows_, list, number_.data(), chunk_.data(), nullptr);
    Binned made = fetched();
    made.told = told.wait("waiting");
    return made;
  }
  Binned assumed(const AssumedRows& assumption) {
    const auto listed = on_device(pool_, std::vector<std::int32_t>(kKeys));
    HostWord answer(pool_, nullptr);
    const Buffer<std::int64_t> row_ptr(pool_, rows_ + 1, nullptr);
    list_assumed(source(), borders(), assumption,
                 {.key = key_.data(),
                  .heavy_apart = by_products(),
                  .listed = listed.data(),
                  .list = list_.data(),
                  .checksum = checksum_.data(),
                  .flag = flag_.data(),
                  .row_ptr = row_ptr.data(),
                  .chunk_state = reinterpret_cast<unsigned long long*>(chunk_.data()),
                  .chunk_checksum = chunk_checksum_.data(),
                  .next_chunk = next_chunk_.data(),
                  .answer = by_products() ? nullptr : answer.sender()},
                 nullptr);
    Binned made = fetched();
    if (!by_products()) made.row_ptr = on_host(row_ptr);
    made.cancelled = on_host(checksum_)[0] != assumption.checksum;
    if (!by_products()) made.answer = static_cast<Assumption>(answer.wait("waiting"));
    return made;
  }

 private:
  [[nodiscard]] bool by_products() const { return says_ == RowNumber::products; }
  [[nodiscard]] Borders borders() const {
    return make_borders(by_products() ? Phase::symbolic : Phase::numeric, {.short_rows = true, .room = {200, 200}});
  }
  [[nodiscard]] RowSource source() {
    return {.a = {.rows = rows_, .cols = 1, .ptr = ptr_.data(), .col = nullptr},
            .number = number_.data(),
            .says = says_,
            .c_rows = c_rows_.data(),
            .relation = nullptr,
            .moved = by_products() ? moved_.data() : nullptr,
            .shift_mark = marks_.data(),
            .bundle_rows = nullptr,
            .saved = nullptr};
  }
  [[nodiscard]] Binned fetched() {
    return {.key = on_host(key_), .list = on_host(list_), .row_ptr = on_host(number_), .marks = on_host(marks_)};
  }

  Pool& pool_;
  std::int64_t rows_;
  RowNumber says_;
  Buffer<std::int64_t> ptr_, number_, chunk_;
  Buffer<device::CRow> c_rows_;
  Buffer<std::uint8_t> moved_, key_;
  Buffer<ShiftMark> marks_;
  Buffer<std::int32_t> list_, flag_;
  Buffer<std::uint32_t> next_chunk_;
  Buffer<std::uint64_t> checksum_, chunk_checksum_;
};

/// What the sums let one assume.
AssumedRows assumption_of(const ToldSums& told) {
  AssumedRows rows{.checksum = told.checksum + mix(static_cast<std::uint64_t>(told.flag))};
  std::vector<std::int32_t> count(kKeys);
  for (int k = 0; k < told.count; k++)
    count[static_cast<std::size_t>(told.key[k])] = static_cast<std::int32_t>(told.of[k].rows);
  std::int32_t before = 0;
  for (int place = 0; place < kKeys; place++) {
    const int key = key_at(place);
    rows.first_of_key[key] = before, before += count[static_cast<std::size_t>(key)];
    rows.behind_key[key] = before;
  }
  return rows;
}

/// The keys of listed rows, in the list's order; whether each row is listed once.
std::vector<std::uint8_t> keys_of_list(const Binned& made) {
  std::vector<std::uint8_t> keys;
  for (const std::int32_t row : made.list) keys.push_back(made.key[static_cast<std::size_t>(row)]);
  std::vector<std::int32_t> rows = made.list;
  std::sort(rows.begin(), rows.end());
  std::vector<std::int32_t> all(rows.size());
  std::iota(all.begin(), all.end(), 0);
  CHECK(rows == all);
  return keys;
}

/// Of `rows`, as assumed, the pass makes what two passes make.
void check_listed(const LookedAt& rows, RowNumber says) {
  Pool pool(0);
  const Binned expected = RowsToBin(pool, rows, says).summed_up();
  const Binned made = RowsToBin(pool, rows, says).assumed(assumption_of(expected.told));
  CHECK_FALSE(made.cancelled);
  CHECK(made.answer == (says == RowNumber::entries ? Assumption::right : Assumption::untold));
  CHECK(made.key == expected.key);
  CHECK(made.row_ptr == expected.row_ptr);
  CHECK(keys_of_list(made) == keys_of_list(expected));
  std::size_t other_marks = 0;
  for (std::size_t i = 0; i < made.marks.size(); i++)
    other_marks += made.marks[i].in_bundle() != expected.marks[i].in_bundle() ? 1U : 0U;
  CHECK_EQ(other_marks, 0);
}

}  // namespace

TEST_CASE("rows as assumed are listed as two passes list them, and have the checksum that was told of their like") {
  for (const RowNumber says : {RowNumber::products, RowNumber::entries})
    for (const std::size_t n : {std::size_t{1}, std::size_t{33}, std::size_t{1024}, std::size_t{2900}}) {
      CAPTURE(n);
      const LookedAt rows(n);
      for_schedules(2, [&](int, int) { check_listed(rows, says); });
    }
}

TEST_CASE("the same of rows that are so many that a thread looks at two") {
  const LookedAt rows((std::size_t{1} << 17) + 700);
  for (const RowNumber says : {RowNumber::products, RowNumber::entries})
    for_schedules(1, [&](int, int) { check_listed(rows, says); });
}

TEST_CASE("rows of which one has another number have another checksum, and nothing is listed where it is not theirs") {
  for (const RowNumber says : {RowNumber::products, RowNumber::entries}) {
    const LookedAt rows(2000);
    for (const std::size_t changed : {std::size_t{0}, std::size_t{1023}, std::size_t{1999}}) {
      CAPTURE(changed);
      LookedAt other = rows;
      other.products[changed] += 1, other.entries[changed] += 1, other.c_rows[changed].nprod += 1;
      for_schedules(1, [&](int, int) {
        Pool pool(0);
        const AssumedRows assumption = assumption_of(RowsToBin(pool, rows, says).summed_up().told);
        CHECK_FALSE(RowsToBin(pool, rows, says).assumed(assumption).cancelled);
        const Binned made = RowsToBin(pool, other, says).assumed(assumption);
        CHECK(made.cancelled);
        CHECK(made.answer == (says == RowNumber::entries ? Assumption::wrong : Assumption::untold));
      });
    }
  }
}

}  // namespace rowan::test
