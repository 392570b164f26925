#include "tools/rowan/bench/compare.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include <rowan/rowan.hpp>

namespace rowan::tool::bench {
namespace {

Csr<double> absolute(const CsrView<double>& m) {
  Csr<double> c = copy(m);
  for (double& v : c.val()) v = std::abs(v);
  return c;
}

/// |A||B|.
Csr<double> product_of_magnitudes(const Product& p) {
  const Csr<double> a = absolute(p.a), b = p.square ? Csr<double>() : absolute(p.b);
  return multiply(a, p.square ? a : b);
}

float rounded_up(double v) {
  return std::nextafter(static_cast<float>(v), std::numeric_limits<float>::infinity());
}

/// A binary CSR file of PROTOCOL.md, one row after another. Throws std::runtime_error where it ends early.
class Rows {
 public:
  explicit Rows(const std::string& path) : row_ptr_(path, std::ios::binary), col_(path, std::ios::binary) {
    val_.open(path, std::ios::binary);
    std::int32_t magic = 0;
    std::int64_t size[3] = {};
    get(row_ptr_, &magic, 1), get(row_ptr_, size, 3);
    if (magic != 0x52535243) throw std::runtime_error("C was not written as binary CSR");
    rows = size[0], cols = size[1];
    const std::int64_t head = row_ptr_.tellg();
    get(row_ptr_, &at_, 1);
    col_.seekg(head + 4 * (rows + 1)), val_.seekg(head + 4 * (rows + 1) + 4 * size[2]);
  }

  void next() {
    std::int32_t end = 0;
    get(row_ptr_, &end, 1);
    if (end < at_) throw std::runtime_error("C's row pointers fall");
    const auto n = static_cast<std::size_t>(end - at_);
    col.resize(n), val.resize(n);
    get(col_, col.data(), n), get(val_, val.data(), n);
    at_ = end;
  }

  std::int64_t rows = 0, cols = 0;
  std::vector<Column> col = {};  // of the row
  std::vector<double> val = {};

  /// Orders the row's entries by column.
  void sort() {
    std::vector<std::size_t> order(col.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return col[x] < col[y]; });
    const std::vector<Column> old_col = col;
    const std::vector<double> old_val = val;
    for (std::size_t k = 0; k < order.size(); k++) col[k] = old_col[order[k]], val[k] = old_val[order[k]];
  }

 private:
  template <class T>
  static void get(std::ifstream& in, T* to, std::size_t n) {
    if (!in.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(n * sizeof(T))))
      throw std::runtime_error("C's file ends early");
  }
  std::ifstream row_ptr_, col_, val_ = {};
  std::int32_t at_ = 0;
};

}  // namespace

Expected::Expected(const Product& p) : c_(multiply(p.a, p.view_b())) {
  const Csr<double> magnitudes = product_of_magnitudes(p);
  const CsrView<double> left = p.a.view(), c = magnitudes.view();
  magnitude_.reserve(c.val.size());
  for (const double v : c.val) magnitude_.push_back(rounded_up(v));
  roundings_.resize(static_cast<std::size_t>(c.rows));
  for (std::size_t i = 0; i < roundings_.size(); i++)
    roundings_[i] = 2 * (static_cast<double>(left.row_ptr[i + 1] - left.row_ptr[i]) + 2);
}

std::string Expected::difference(const std::string& file, const Form& form) const try {
  using Single = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  const double eps = form.single ? static_cast<double>(Single::epsilon()) : Double::epsilon();
  const double smallest = form.single ? static_cast<double>(Single::min()) : Double::min();
  const CsrView<double> expected = c_.view();
  Rows c(file);
  if (c.rows != expected.rows || c.cols != expected.cols)
    return fmt::format("C is {} x {}, not {} x {}", c.rows, c.cols, expected.rows, expected.cols);
  for (std::int64_t i = 0; i < c.rows; i++) {
    c.next();
    if (!form.sorted) c.sort();
    std::size_t at = 0;
    const double roundings = roundings_[static_cast<std::size_t>(i)];
    for (auto j = static_cast<std::size_t>(expected.row_ptr[i]); j < static_cast<std::size_t>(expected.row_ptr[i + 1]);
         j++) {
      const double error = roundings * (eps * static_cast<double>(magnitude_[j]) + smallest);
      const bool there = at < c.col.size() && c.col[at] == expected.col[j];
      if (!there && std::abs(expected.val[j]) > error)
        return fmt::format("row {} lacks column {}, or has it in another position", i, expected.col[j]);
      if (there && !(std::abs(c.val[at] - expected.val[j]) <= error))
        return fmt::format("row {}, column {} is {}, not {}", i, c.col[at], c.val[at], expected.val[j]);
      at += there ? 1 : 0;
    }
    if (at != c.col.size())
      return fmt::format("row {} has column {}, which is not in A*B or out of order", i, c.col[at]);
  }
  return "";
} catch (const std::runtime_error& e) {
  return e.what();
}

}  // namespace rowan::tool::bench
