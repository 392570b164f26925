#include "tests/support/matrices.hpp"

#include <limits>
#include <stdexcept>

#include "lib/core/values.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {

Sparsity from_rows(const Rows& rows, std::int64_t cols) {
  Sparsity s{.rows = static_cast<std::int64_t>(rows.size()), .cols = cols, .ptr = {0}, .col = {}};
  for (const auto& row : rows) {
    s.col.insert(s.col.end(), row.begin(), row.end());
    s.ptr.push_back(static_cast<std::int64_t>(s.col.size()));
  }
  return s;
}

const Shape& shape(std::string_view name) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list)
      if (s.name == name) return s;
  throw std::out_of_range("no shape " + std::string(name));
}

namespace {

template <class T>
T special(Random& random) {
  using Limits = std::numeric_limits<T>;
  switch (random.below(10)) {
    case 0:
      return Limits::quiet_NaN();
    case 1:
      return Limits::infinity();
    case 2:
      return -Limits::infinity();
    case 3:
    case 4:
      return -T{0};
    case 5:
      return T{0};
    case 6:
      return Limits::denorm_min();
    case 7:
      return -Limits::min() / 2;
    case 8:
      return Limits::max();
    default:
      return Limits::lowest();
  }
}

template <class T>
T real(Random& random) {
  const auto scale = static_cast<double>(std::int64_t{1} << random.below(12));
  return static_cast<T>(random.real() * scale);
}

}  // namespace

template <class T>
Matrix<T> filled(const Sparsity& pattern, Values values, std::uint64_t seed) {
  Random random(seed);
  Matrix<T> m{.pattern = pattern, .narrow_ptr = {}, .val = {}};
  for (const std::int64_t p : pattern.ptr) m.narrow_ptr.push_back(static_cast<std::int32_t>(p));
  for (std::int64_t k = 0; k < pattern.nnz(); k++) {
    if (values == Values::integers)
      m.val.push_back(static_cast<T>(random.between(-4, 4)));
    else if (values == Values::special && random.below(6) == 0)
      m.val.push_back(special<T>(random));
    else
      m.val.push_back(real<T>(random));
  }
  return m;
}

#define ROWAN_INSTANTIATE(T) template Matrix<T> filled(const Sparsity&, Values, std::uint64_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::test
