// What a device says it chose.
#include <doctest/doctest.h>

#include "accumulators/device/candidates.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

Inspection inspected(const Shape& shape, const std::string& force = "", const std::string& policy = "") {
  const Factors<double> f(shape, Values::integers);
  Options options;
  options.backend = kBackend, options.force = force, options.policy = policy;
  return Context(options).inspect(f.a(), f.b());
}

void check_rows(const Shape& shape, const Inspection& in) {
  const Factors<double> f(shape, Values::integers);
  const Inspection host = Context().inspect(f.a(), f.b());
  CHECK_EQ(in.rows, host.rows);
  CHECK_EQ(in.cols, host.cols);
  CHECK_EQ(in.nprod, host.nprod);
  CHECK_EQ(in.nnz, host.nnz);
  REQUIRE_EQ(in.row.size(), host.row.size());
  std::vector<std::int64_t> rows(in.bins.size()), nprod(in.bins.size()), nnz(in.bins.size());
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < in.row.size(); i++) {
    const RowReport &r = in.row[i], &h = host.row[i];
    wrong += r.row == h.row && r.a_nnz == h.a_nnz && r.nprod == h.nprod && r.nnz == h.nnz && r.span == h.span &&
                     r.b_row_max == h.b_row_max
                 ? 0
                 : 1;
    REQUIRE_LT(static_cast<std::size_t>(r.bin), in.bins.size());
    const auto bin = static_cast<std::size_t>(r.bin);
    rows[bin]++, nprod[bin] += r.nprod, nnz[bin] += r.nnz;
  }
  CHECK_EQ(wrong, 0);
  for (std::size_t b = 0; b < in.bins.size(); b++) {
    CHECK_EQ(in.bins[b].rows, rows[b]);
    CHECK_EQ(in.bins[b].nprod, nprod[b]);
    CHECK_EQ(in.bins[b].nnz, nnz[b]);
  }
}

void check_bins(const Inspection& in, int wave) {
  for (const BinReport& bin : in.bins) {
    CAPTURE(bin.label);
    const auto id = candidate_named(bin.candidate);
    REQUIRE(id);
    CHECK_EQ(bin.accumulator, kCandidates[*id].family);
    CHECK_GE(bin.group_size, 1);
    CHECK_LE(bin.group_size, wave);
    CHECK_EQ(bin.group_size & (bin.group_size - 1), 0);
    if (bin.label == "empty") {
      CHECK_EQ(bin.why, std::vector<std::string>{"no products"});
      continue;
    }
    CHECK_EQ(bin.why.empty(), in.policy == "nsparse");  // which compares nothing: hash for all
    CHECK((bin.label == "one entry" || bin.label.starts_with("nnz ") || bin.label.starts_with("nprod ")));
    CHECK(device::on_devices(*id));
    CHECK(bin.candidates[*id].feasible);
    for (std::size_t c = 0; c < kCandidates.size(); c++)
      if (!device::on_devices(static_cast<CandidateId>(c))) CHECK_FALSE(bin.candidates[c].feasible);
  }
}

}  // namespace

TEST_CASE("a device reports every row with the host's counts, and its bins partition them") {
  bool one_phase = device::count() == 0;
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const char* name : {"no rows", "all empty", "rows of B picked", "empty rows and columns", "wide",
                             "up to 600 products", "up to 5000 products", "beyond a narrow span", "unsorted"})
      for (const char* policy : {"", "nsparse"}) {
        CAPTURE(name);
        CAPTURE(policy);
        const Inspection in = inspected(shape(name), "", policy);
        if (*policy != '\0') CHECK_EQ(in.method, Method::two_phase);
        for (const BinReport& bin : in.bins)
          if (in.method == Method::one_phase && bin.label.starts_with("nprod ") && bin.nprod <= 64 * bin.rows) {
            one_phase = true;
            CHECK_EQ(bin.candidate, "sort");
          }
        check_rows(shape(name), in);
        check_bins(in, wave);
      }
  });
  CHECK(one_phase);
}

TEST_CASE("lanes walk long rows of B in groups, and the inspection says how many") {
  for_schedules(1, [](int, int) {
    int largest = 1;
    for (const BinReport& bin : inspected(shape("up to 5000 products")).bins)
      largest = std::max(largest, bin.group_size);
    CHECK_GT(largest, 1);
    for (const BinReport& bin : inspected(shape("identity")).bins) CHECK_EQ(bin.group_size, 1);
  });
}

TEST_CASE("how many lanes walk a row of B can be forced, and a policy can say it") {
  for_schedules(1, [](int wave, int) {
    for (const std::string name : {"hash", "dense-rank"})
      for (int lanes = 1; lanes <= 64; lanes *= 2) {
        CAPTURE(name);
        CAPTURE(lanes);
        int most = 1;
        for (const BinReport& bin : inspected(shape("up to 5000 products"), name + ":" + std::to_string(lanes)).bins) {
          CHECK_LE(bin.group_size, lanes);
          most = std::max(most, bin.group_size);
        }
        CHECK_EQ(most, std::min(lanes, wave));
      }
    for (const BinReport& bin : inspected(shape("up to 5000 products"), "", "nsparse").bins)
      if (bin.nnz > 27 * bin.rows) CHECK_EQ(bin.group_size, 32);
    for (const BinReport& bin : inspected(shape("up to 40 products"), "", "nsparse").bins)
      if (bin.label == "nnz 1-16") CHECK_EQ(bin.group_size, 1);
    for (const std::string wrong : {"hash:", "hash:3", "hash:128", "hash:8x", "nothing:8"})
      CHECK_THROWS_AS((void)inspected(shape("identity"), wrong), Error);
  });
}

TEST_CASE("a forced accumulator that cannot take a device's bin is reported beside its stand-in") {
  for_schedules(1, [](int, int) {
    bool direct = false, instead = false;
    for (const BinReport& bin : inspected(shape("rows of B picked"), "direct").bins)
      direct |= bin.candidate == "direct";
    CHECK(direct);
    for (const BinReport& bin : inspected(shape("up to 40 products"), "direct").bins) {
      if (bin.label == "empty" || bin.label == "one entry") continue;
      CHECK_EQ(bin.requested, "direct");
      CHECK_EQ(bin.why, std::vector<std::string>{"forced: direct", "direct cannot take these rows"});
      instead = true;
    }
    CHECK(instead);
    for (const BinReport& bin : inspected(shape("up to 600 products"), "hash").bins) {
      CHECK_EQ(bin.candidate, "hash");
      CHECK_EQ(bin.symbolic_candidate, "hash");
    }
  });
}

}  // namespace rowan::test
