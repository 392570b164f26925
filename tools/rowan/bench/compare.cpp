#include "tools/rowan/bench/compare.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <rowan/rowan.hpp>

namespace rowan::tool::bench {
namespace {

Csr<double> absolute(const CsrView<double>& m) {
  Csr<double> c = copy(m);
  for (double& v : c.val()) v = std::abs(v);
  return c;
}

}  // namespace

Expected::Expected(const Product& p) : c_(multiply(p.a, p.view_b())) {
  const Csr<double> a = absolute(p.a), b = p.square ? Csr<double>() : absolute(p.b);
  bound_ = multiply(a, p.square ? a : b);
  const CsrView<double> left = p.a.view(), c = bound_.view();
  for (std::int64_t i = 0; i < c.rows; i++) {
    const auto k = static_cast<double>(left.row_ptr[i + 1] - left.row_ptr[i]);
    for (std::int64_t at = c.row_ptr[i]; at < c.row_ptr[i + 1]; at++)
      bound_.val()[static_cast<std::size_t>(at)] *= 2 * (k + 2);
  }
}

std::string Expected::difference(const CsrView<double>& c, bool single) const {
  const double eps =
      single ? static_cast<double>(std::numeric_limits<float>::epsilon()) : std::numeric_limits<double>::epsilon();
  const CsrView<double> expected = c_.view();
  if (c.rows != expected.rows || c.cols != expected.cols)
    return fmt::format("C is {} x {}, not {} x {}", c.rows, c.cols, expected.rows, expected.cols);
  for (std::int64_t i = 0; i < c.rows; i++) {
    auto at = static_cast<std::size_t>(c.row_ptr[i]);
    const auto last = static_cast<std::size_t>(c.row_ptr[i + 1]);
    for (auto j = static_cast<std::size_t>(expected.row_ptr[i]); j < static_cast<std::size_t>(expected.row_ptr[i + 1]);
         j++) {
      const double error = eps * bound_.val()[j];
      const bool there = at < last && c.col[at] == expected.col[j];
      if (!there && std::abs(expected.val[j]) > error)
        return fmt::format("row {} lacks column {}, or it is not in its place", i, expected.col[j]);
      if (there && !(std::abs(c.val[at] - expected.val[j]) <= error))
        return fmt::format("row {}, column {} is {}, not {}", i, c.col[at], c.val[at], expected.val[j]);
      at += there ? 1 : 0;
    }
    if (at != last) return fmt::format("row {} has column {}, which is not in A*B or out of order", i, c.col[at]);
  }
  return "";
}

}  // namespace rowan::tool::bench
