// Sums over bins on a device, emulated or real, against rows added one after another.
#include "lib/binning/device/bins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "lib/device/pipeline/decide.hpp"
#include "lib/device/pipeline/heavy.hpp"
#include "lib/device/pipeline/transfer.hpp"
#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr std::int64_t kMostKept = UINT32_MAX;  // products in CRow

/// What is known of rows as they might be: none to a quarter million products, spans to the last column there can be.
struct Made {
  std::vector<std::int64_t> ptr{0}, nprod;
  std::vector<device::CRow> c_rows;
  std::vector<std::uint8_t> relation;

  Made() { nprod.push_back(0); }
  explicit Made(std::int64_t rows) : Made() {
    std::mt19937 random(5);
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random()) % n; };
    for (std::int64_t i = 0; i < rows; i++) {
      const std::int64_t products = below(3) == 0 ? 0 : 1 + below(std::int64_t{1} << (1 + below(18))),
                         entries = products == 0 ? below(2) : 1 + below(std::int64_t{1} << (1 + below(17))),
                         span = products == 0 ? 0 : 1 + below(std::int64_t{1} << (1 + below(31))),
                         lo = products == 0 ? 0 : below((std::int64_t{1} << 31) - span),
                         b_max = products == 0 ? 0 : 1 + below(products);
      add(entries, products, span, lo, b_max, i != 0 && below(3) == 0 ? kSameAsPrevious : 0);
    }
  }
  void add(std::int64_t entries, std::int64_t products, std::int64_t span, std::int64_t lo, std::int64_t b_max,
           std::uint8_t related = 0) {
    ptr.push_back(ptr.back() + entries);
    nprod.back() = products, nprod.push_back(0);
    c_rows.push_back({static_cast<std::int32_t>(lo), static_cast<std::int32_t>(lo + span - 1),
                      static_cast<std::int32_t>(b_max), static_cast<std::uint32_t>(std::min(products, kMostKept))});
    relation.push_back(related);
  }
  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(c_rows.size()); }
};

std::array<Tally, kBins> sums(const Made& made, const Borders& borders) {
  std::array<Tally, kBins> all{};
  for (std::int64_t i = 0; i < made.rows(); i++) {
    const auto at = static_cast<std::size_t>(i);
    const device::CRow& f = made.c_rows[at];
    rowan::CRow row{.nprod = made.nprod[at], .lo = f.lo, .hi = f.hi, .b_max = f.b_max, .run = {}};
    row.run.same = made.relation[at] == kSameAsPrevious;
    row.run.rows = i + 1 < made.rows() && made.relation[at + 1] == kSameAsPrevious ? 2 : 1;
    const std::int64_t a_nnz = made.ptr[at + 1] - made.ptr[at];
    const RowNumbers numbers{.nprod = row.nprod,
                             .bound = row.bound(),
                             .a_nnz = a_nnz,
                             .span = row.span(),
                             .b_max = row.b_max,
                             .in_run = row.run.in_run()};
    const int bin = bin_of(borders, numbers, borders.class_of(numbers), goes_on(made.relation.data(), i));
    all[static_cast<std::size_t>(bin)].add(row, a_nnz, row.bound());
  }
  return all;
}

/// Entries of rows, if products that could fall together did.
std::vector<std::int64_t> some_entries(const Made& made) {
  std::vector<std::int64_t> entries;
  for (std::size_t i = 0; i < made.c_rows.size(); i++)
    entries.push_back(std::min(made.nprod[i], made.c_rows[i].span()));
  return entries;
}

template <std::size_t kCount>
void check_begin_of_keys(const std::array<Tally, kCount>& of_key, const std::vector<std::int32_t>& first) {
  std::int64_t rows = 0;
  std::size_t wrong = 0;
  for (int place = 0; place < kKeys; place++) {
    const auto key = static_cast<std::size_t>(key_at(place));
    wrong += first[key] != rows;
    if (key < kCount) rows += of_key[key].rows;
  }
  CHECK_EQ(wrong, 0);
}
void check_begin_of_chunks(const std::vector<std::int64_t>& entries, const std::vector<std::int64_t>& before_chunk) {
  std::int64_t before = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < entries.size(); i++) {
    if (i % kChunkRows == 0) wrong += before_chunk[i / kChunkRows] != before;
    before += entries[i];
  }
  CHECK_EQ(wrong, 0);
}

/// By key where rows that may be heavy are apart, else by bin; as the host is told them, too.
template <std::size_t kCount = kBins>
std::array<Tally, kCount> sums_on_device(const Made& made, const Borders& borders,
                                         RowNumber says = RowNumber::products) {
  const bool by_entries = says == RowNumber::entries;
  constexpr auto kKeysOfAll = static_cast<int>(kCount);
  Pool pool(0);
  const auto ptr = on_device(pool, made.ptr), number = on_device(pool, by_entries ? some_entries(made) : made.nprod);
  const auto c_rows = on_device(pool, made.c_rows);
  const auto relation = on_device(pool, made.relation);
  const Buffer<std::uint8_t> key(pool, made.rows(), nullptr);
  const Buffer<Tally> tally(pool, kKeysOfAll, nullptr);
  const Buffer<std::uint32_t> blocks_done(pool, 1, nullptr);
  constexpr std::int32_t kFlag = 77;
  const auto flag = on_device(pool, std::vector<std::int32_t>{kFlag});
  const Buffer<std::int32_t> first_of_key(pool, kKeys, nullptr);
  const auto before_chunk =
      on_device(pool, std::vector<std::int64_t>(static_cast<std::size_t>(chunks_of(made.rows()))));
  check(hipMemsetAsync(tally.data(), 0, tally.bytes(), nullptr), "clearing");
  check(hipMemsetAsync(blocks_done.data(), 0, blocks_done.bytes(), nullptr), "clearing");
  const Pattern a{.rows = made.rows(), .cols = 1, .ptr = ptr.data(), .col = nullptr};
  HostMailbox<ToldSums> told(pool, nullptr);
  tally_bins({.a = a,
              .number = number.data(),
              .says = says,
              .c_rows = c_rows.data(),
              .relation = by_entries ? nullptr : relation.data(),
              .moved = nullptr,
              .shift_mark = nullptr,
              .bundle_rows = nullptr,
              .saved = nullptr},
             borders,
             {.of_key = tally.data(),
              .key = key.data(),
              .heavy_apart = kKeysOfAll == kKeys,
              .flag = flag.data(),
              .told = told.sender(),
              .blocks_done = blocks_done.data(),
              .first_of_key = first_of_key.data(),
              .before_chunk = before_chunk.data()},
             nullptr, 2);
  std::array<Tally, kCount> found, heard{};
  copy_down(found.data(), tally.data(), kKeysOfAll, nullptr);
  check(hipStreamSynchronize(nullptr), "waiting");
  const ToldSums& sums = told.wait("waiting");
  CHECK_EQ(sums.flag, kFlag);
  for (int i = 0; i < sums.count; i++) heard[static_cast<std::size_t>(sums.key[i])] = sums.of[i];
  CHECK_EQ(std::memcmp(found.data(), heard.data(), sizeof found), 0);
  check_begin_of_keys(heard, on_host(first_of_key));
  if (by_entries) check_begin_of_chunks(some_entries(made), on_host(before_chunk));
  return found;
}

const Rules kRules{.short_rows = true, .room = {200, 200}};

using BinNumbers = std::vector<std::size_t>;

/// The bins whose sums differ; of squares, which are exact below 2^53, by more than rounding.
BinNumbers differing(const std::array<Tally, kBins>& found, std::array<Tally, kBins> expected) {
  constexpr double kExact = 1LL << 53, kRounding = 1e-12;
  BinNumbers bins;
  for (std::size_t bin = 0; bin < found.size(); bin++) {
    double& squares = expected[bin].nprod_squares;
    if (squares >= kExact && std::abs(squares - found[bin].nprod_squares) < kRounding * squares)
      squares = found[bin].nprod_squares;
    if (std::memcmp(&found[bin], &expected[bin], sizeof(Tally)) != 0) bins.push_back(bin);
  }
  return bins;
}

}  // namespace

TEST_CASE("a device bin's number and its parts are one another's, and followers have their leader's class") {
  std::set<std::string> seen;
  for (int bin = BinKey::kFirstClass; bin < kHeavyBin; bin++) {
    CAPTURE(bin);
    const BinParts parts = parts_of(bin);
    CHECK_EQ(bin_number(parts), bin);
    CHECK_EQ(class_of(bin), parts.row_class);
    seen.insert(std::to_string(parts.row_class) + " " + std::to_string(static_cast<int>(parts.kind)) +
                (parts.wide ? " wide" : ""));
    CHECK_EQ(is_follower(bin), parts.kind == RowKind::run_follower || parts.kind == RowKind::shift_follower);
    const int followers = follower_bin(bin), leaders = leader_bin(bin);
    CHECK_EQ(followers != kNoBin, parts.kind == RowKind::run || parts.kind == RowKind::shift);
    CHECK_EQ(leaders != bin, is_follower(bin));
    CHECK_FALSE(is_follower(leaders));
    for (const int other : {leaders, followers == kNoBin ? bin : followers}) {
      CHECK_EQ(class_of(other), parts.row_class);
      CHECK_EQ(parts_of(other).wide, parts.wide);
    }
    if (followers != kNoBin) CHECK_EQ(leader_bin(followers), bin);
  }
  CHECK_EQ(seen.size(), 8 * kBinBorders.size());
  CHECK_EQ(kHeavyBin, BinKey::kFirstClass + 8 * static_cast<int>(kBinBorders.size()));
  CHECK_EQ(kBins, kHeavyBin + 1);
  for (const int bin : {BinKey::kEmpty, BinKey::kDirect, kHeavyBin}) {
    CHECK_EQ(has_class(bin), false);
    CHECK_FALSE(is_follower(bin));
    CHECK_EQ(leader_bin(bin), bin);
    CHECK_EQ(follower_bin(bin), kNoBin);
  }
}

TEST_CASE("a device's row is in the bin of its class, kind and span, empty and direct rows are bins of their own") {
  const Borders borders = make_borders(Phase::numeric, kRules);
  const auto bin = [&](RowNumbers row, bool follower) { return bin_of(borders, row, borders.class_of(row), follower); };
  const RowNumbers row{.nprod = 1000, .bound = 900, .a_nnz = 9, .span = borders.narrow_span + 1};
  CHECK_EQ(bin({.nprod = 0, .a_nnz = 1}, false), BinKey::kEmpty);
  CHECK_EQ(bin({.nprod = 5, .bound = 5, .a_nnz = 1}, false), BinKey::kDirect);
  for (const bool in_run : {false, true})
    for (const bool in_shift : {false, true})
      for (const bool follower : {false, true}) {
        RowNumbers like = row;
        like.in_run = in_run, like.in_shift = in_shift;
        const BinParts parts = parts_of(bin(like, follower));
        CHECK_EQ(parts.row_class, borders.class_of(row));
        CHECK_EQ(parts.wide, !in_shift);
        CHECK_EQ(is_follower(bin(like, follower)), follower);
        CHECK_EQ(in_shift_bundle(parts.kind), in_shift);
        if (!follower && !in_shift) CHECK_EQ(parts.kind, in_run ? RowKind::run : RowKind::single);
      }
}

TEST_CASE("rows like no others have the heavy rows' bin from a number of products on, those of runs their own") {
  Borders borders = make_borders(Phase::numeric, kRules);
  borders.heavy = 5000;
  RowNumbers row{.nprod = 5000, .bound = 10, .a_nnz = 9, .span = 100};
  CHECK_EQ(bin_of(borders, row, borders.class_of(row), false), kHeavyBin);
  row.a_nnz = 1;
  CHECK_EQ(bin_of(borders, row, borders.class_of(row), false), BinKey::kDirect);
  row.a_nnz = 9, row.nprod = 4999;
  CHECK_NE(bin_of(borders, row, borders.class_of(row), false), kHeavyBin);
  row.nprod = 5000, row.in_run = true;
  CHECK_NE(bin_of(borders, row, borders.class_of(row), false), kHeavyBin);
  row.in_run = false, row.in_shift = true;
  CHECK_NE(bin_of(borders, row, borders.class_of(row), false), kHeavyBin);
}

TEST_CASE("rows that may be heavy are summed up apart, by the most products that they have, and belong to a bin") {
  const Borders borders = make_borders(Phase::symbolic, kRules);
  Made made;
  std::array<Tally, kHeavyClasses> expected;
  for (int i = 0; i < 1200; i++) {
    const std::int64_t products = kHeavyProducts[static_cast<std::size_t>(i % kHeavyClasses)] - 1 + i % 3;
    made.add(i % 7 == 0 ? 1 : 8, products, 3000, i, 40, i % 11 == 5 ? kSameAsPrevious : 0);
    if (i % 7 == 0 || i % 11 == 5 || i % 11 == 4) continue;  // one entry, or in a run
    int c = -1;
    for (const std::int64_t least : kHeavyProducts) c += products >= least ? 1 : 0;
    if (c < 0) continue;
    expected[static_cast<std::size_t>(c)].add(
        {.nprod = products, .bound = std::min<std::int64_t>(products, 3000), .a_nnz = 8, .span = 3000, .b_max = 40});
  }
  for_schedules(2, [&](int, int) {
    const std::array<Tally, kKeys> found = sums_on_device<kKeys>(made, borders);
    ToldSums told{};
    for (int key = 0; key < kKeys; key++)
      if (const Tally& t = found[static_cast<std::size_t>(key)]; t.rows != 0)
        told.key[told.count] = key, told.of[told.count++] = t;
    const HeavyTally heavy = heavy_tally(told);
    for (std::size_t c = 0; c < expected.size(); c++) {
      CAPTURE(c);
      CHECK_EQ(std::memcmp(&heavy.of[c], &expected[c], sizeof(Tally)), 0);
    }
    for (const std::int64_t least : {std::int64_t{0}, kHeavyProducts[0], kHeavyProducts[2]}) {
      CAPTURE(least);
      Borders decided = borders;
      if (least != 0) decided.heavy = least;
      std::array<Tally, kBins> bins{};
      for (int key = 0; key < kKeys; key++)
        if (const Tally& t = found[static_cast<std::size_t>(key)]; t.rows != 0)
          bins[static_cast<std::size_t>(bin_of_key(key, least))].add(t);
      CHECK_EQ(differing(bins, sums(made, decided)), BinNumbers{});
    }
  });
}

TEST_CASE("sums of no rows are told") {
  for_schedules(2, [](int, int) {
    CHECK_EQ(differing(sums_on_device(Made(), make_borders(Phase::numeric, kRules)), {}), BinNumbers{});
  });
}

TEST_CASE("keys of rows that may be heavy are none of other rows") {
  std::set<int> seen;
  for (int c = 0; c < kHeavyClasses; c++)
    for (int row_class = 0; row_class < static_cast<int>(kBinBorders.size()); row_class++)
      for (const bool wide : {false, true}) {
        const BinParts bin{row_class, RowKind::single, wide};
        const int key = heavy_key(c, bin);
        CHECK_GE(key, kBins);
        CHECK_LT(key, kKeys);
        CHECK_EQ(heavy_class_of(key), c);
        CHECK_EQ(bin_of_key(key, 0), bin_number(bin));
        for (int decided = 0; decided < kHeavyClasses; decided++)
          CHECK_EQ(bin_of_key(key, kHeavyProducts[static_cast<std::size_t>(decided)]),
                   c >= decided ? kHeavyBin : bin_number(bin));
        seen.insert(key);
      }
  CHECK_EQ(seen.size(), kHeavyKeys);
}

TEST_CASE("a bin's sums and maxima on a device are those of its rows, however long they are") {
  const Made made(3000);
  for (const Phase phase : {Phase::symbolic, Phase::numeric}) {
    const Borders borders = make_borders(phase, kRules);
    const auto expected = sums(made, borders);
    for_schedules(2, [&](int, int) { CHECK_EQ(differing(sums_on_device(made, borders), expected), BinNumbers{}); });
  }
}

TEST_CASE("a bin's sums on a device by entries, and how many are before every chunk of rows") {
  for (const std::int64_t rows : {1, 1024, 3000}) {
    Made made(rows);
    std::fill(made.relation.begin(), made.relation.end(), std::uint8_t{0});
    const Borders borders = make_borders(Phase::numeric, kRules);
    const auto expected = sums(made, borders);
    for_schedules(2, [&](int, int) {
      CHECK_EQ(differing(sums_on_device(made, borders, RowNumber::entries), expected), BinNumbers{});
    });
  }
}

TEST_CASE("a bin's sums on a device are right around 16 and 32 bits a row, and beyond 32 bits a block") {
  constexpr std::int64_t kHalf = 1 << 16, kWord = std::int64_t{1} << 32;
  const Borders borders = make_borders(Phase::numeric, kRules);
  for (const std::int64_t most : {kHalf - 1, kHalf, kHalf + 1, kWord - 1, kWord, kWord * kHalf}) {
    CAPTURE(most);
    Made made;
    for (std::int64_t i = 0; i < 1500; i++) {  // three blocks
      const std::int64_t span = std::min(most, std::int64_t{INT32_MAX});
      made.add(most, most - i % 2, span, 0, span);
    }
    const auto expected = sums(made, borders);
    for_schedules(1, [&](int, int) { CHECK_EQ(differing(sums_on_device(made, borders), expected), BinNumbers{}); });
  }
}

#if defined(ROWAN_EMULATED)
TEST_CASE("long rows go to global memory by the block, as short ones do") {
  const Borders borders = make_borders(Phase::numeric, kRules);
  const auto atomics = [&](std::int64_t products) {
    Made made;
    for (int i = 0; i < 1000; i++) made.add(products, products, products, 0, products);
    const std::uint64_t before = emulator::counters().global_atomics;
    static_cast<void>(sums_on_device(made, borders));
    return emulator::counters().global_atomics - before;
  };
  const std::uint64_t of_short_rows = atomics(65535);
  for (const std::int64_t products : {65536, 100000, INT32_MAX}) CHECK_EQ(atomics(products), of_short_rows);
}
#endif

}  // namespace rowan::test
