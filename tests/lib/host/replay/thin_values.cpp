// Values of planned rows in every form, on every instruction set: the textbook's bits.
#include <doctest/doctest.h>

#include "lib/host/replay/masks.hpp"
#include "lib/host/replay/thin_kernels.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

using replay::ThinForm;

/// C's rows have about `width` entries at most.
Shape of_width(std::int64_t width) {
  Random random(static_cast<std::uint64_t>(width));
  Rows a, b;
  for (std::int64_t j = 0; j < 300; j++) {
    const std::int64_t first = j / 4 * 4;
    b.push_back(some_columns(random, random.between(0, width), first, first + width));
  }
  for (std::int64_t i = 0; i < 200; i++) {
    const std::int64_t first = random.between(0, 74) * 4;
    a.push_back(some_columns(random, random.between(0, 4), first, first + 4));
  }
  a.push_back({299});
  return {"rows of C of up to " + std::to_string(width), from_rows(a, 300), from_rows(b, 296 + width)};
}

template <class T>
std::string fault(const Problem<T>& p, ThinForm form) {
  const std::int64_t rows = p.a.rows;
  const replay::ThinRows of{p.a, p.b, p.expected.row_ptr.data(), p.expected.col.data(), 0, rows};
  const std::int64_t products = p.measured.all.nprod;
  const Memory steps(static_cast<std::size_t>(replay::thin_bytes(of, form, products)), 0xA5A5A5A5);
  std::vector<std::uint32_t> position(static_cast<std::size_t>(p.b.cols), 12345);
  replay::write_thin(of, form, position.data(), steps.data());
  std::vector<T> sums(static_cast<std::size_t>(p.b.cols)), val(p.expected.val.size() + 1, T{7});
  replay::thin_values(replay::ThinValuesTask<T>{p.a, p.b, of, form, steps.data(), products, sums.data(), val.data()});
  for (const T sum : sums)
    if (!same_bits(sum, T{0})) return "sums are not handed back zero";
  for (std::size_t k = 0; k < p.expected.val.size(); k++)
    if (!same_bits(val[k], p.expected.val[k])) return "entry " + std::to_string(k);
  return val.back() == T{7} ? "" : "written behind the last row";
}

}  // namespace

TEST_CASE_TEMPLATE("values of thin plans are sums in the order of A's entries, dense, by positions and by masks", T,
                   float, double) {
  std::vector<Shape> all = shapes();
  for (const std::int64_t width : {1, 3, 8, 9, 16, 17, 24, 31, 32, 33, 40, 48, 49, 56, 63, 64, 65})
    all.push_back(of_width(width));
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    for (const Values values : kAllValues)
      for (const Shape& s : all) {
        if (s.right().cols > 1 << 20) continue;
        CAPTURE(s.name);
        const Problem<T> p(s, values);
        CHECK_EQ(fault(p, ThinForm::none), "");
        if (std::int64_t(p.expected.col.size()) <= replay::kMostThinEntries)
          CHECK_EQ(fault(p, ThinForm::positions), "");
        const ThinForm best = replay::thin_form(
            {p.a, p.b, p.expected.row_ptr.data(), p.expected.col.data(), 0, p.a.rows}, p.measured.all.nprod);
        CHECK_EQ(fault(p, best), "");
      }
  }
}

TEST_CASE("the form is masks where C's rows have 64 entries at most, B's rows rise, and vectors are well filled") {
  const auto form = [](const Shape& s) {
    const Problem<double> p(s, Values::integers);
    return replay::thin_form({p.a, p.b, p.expected.row_ptr.data(), p.expected.col.data(), 0, p.a.rows},
                             p.measured.all.nprod);
  };
  const ThinForm masks = replay::has_masks() ? ThinForm::masks : ThinForm::positions;
  for (const std::int64_t width : {8, 16, 32, 60}) CHECK(form(of_width(width)) == masks);
  CHECK(form(of_width(90)) == ThinForm::positions);
  CHECK(form({"falling", from_rows({{0}}, 1), from_rows({{3, 1}}, 4)}) == ThinForm::positions);
  CHECK(form({"twice", from_rows({{0}}, 1), from_rows({{1, 1}}, 4)}) == ThinForm::positions);
  // 33 rows of B of one entry: five vectors each for one product
  Rows single;
  std::vector<std::int32_t> all;
  for (std::int32_t j = 0; j < 33; j++) single.push_back({j}), all.push_back(j);
  CHECK(form({"single entries", from_rows({all}, 33), from_rows(single, 33)}) == ThinForm::positions);
}

}  // namespace rowan::test
