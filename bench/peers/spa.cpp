// The textbook's sparse accumulator, without anything clever: a marker and a value for each column, a list of the row's
// columns (Gustavson 1978; Gilbert, Moler and Schreiber 1992). It is what programs have that bring their own product.
//   spa            columns are sorted row by row
//   spa --unsorted they stay as they were met: C is not comparable with a sorted one, and less work
#include <algorithm>
#include <thread>
#include <utility>

#include "bench/peers/protocol.hpp"

namespace {

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int threads, const std::vector<std::string>& args)
      : a_(a),
        other_(&a == &b ? peer::Matrix() : b),
        b_(&a == &b ? a_ : other_),
        threads_(std::max(threads, 1)),
        sorted_(args.empty()) {}

  void multiply() {
    const auto rows = static_cast<std::size_t>(a_.rows);
    row_ptr_.assign(rows + 1, 0);
    in_parallel([&](std::size_t first, std::size_t last) { count(first, last); });
    for (std::size_t i = 0; i < rows; i++) row_ptr_[i + 1] += row_ptr_[i];
    const auto nnz = static_cast<std::size_t>(row_ptr_[rows]);
    // memory as `new` gives it: filling it with zeros first would be work that no product needs
    col_.reset(new std::int32_t[nnz]), val_.reset(new double[nnz]);
    in_parallel([&](std::size_t first, std::size_t last) { fill(first, last); });
  }
  /// Sorted for comparison where rows are not: that is not timed.
  [[nodiscard]] peer::Result result() const {
    if (!sorted_) sort(0, static_cast<std::size_t>(a_.rows));
    return {a_.rows, b_.cols, nullptr, row_ptr_.data(), col_.get(), val_.get()};
  }
  void release() { row_ptr_ = {}, col_.reset(), val_.reset(); }

 private:
  /// Rows in as many equal parts as there are threads.
  template <class F>
  void in_parallel(const F& f) const {
    const auto rows = static_cast<std::size_t>(a_.rows), n = static_cast<std::size_t>(threads_);
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < n; t++) others.emplace_back(f, rows * t / n, rows * (t + 1) / n);
    f(0, rows / n);
    for (std::thread& t : others) t.join();
  }
  template <class F>
  void for_products(std::size_t i, const F& f) const {
    for (auto k = static_cast<std::size_t>(a_.row_ptr[i]); k < static_cast<std::size_t>(a_.row_ptr[i + 1]); k++) {
      const auto j = static_cast<std::size_t>(a_.col[k]);
      for (auto l = static_cast<std::size_t>(b_.row_ptr[j]); l < static_cast<std::size_t>(b_.row_ptr[j + 1]); l++)
        f(static_cast<std::size_t>(b_.col[l]), a_.val[k], b_.val[l]);
    }
  }
  void count(std::size_t first, std::size_t last) {
    std::vector<std::int64_t> marker(static_cast<std::size_t>(b_.cols), -1);
    for (std::size_t i = first; i < last; i++) {
      const auto row = static_cast<std::int64_t>(i);
      std::int64_t n = 0;
      for_products(i, [&](std::size_t column, double, double) {
        if (marker[column] != row) marker[column] = row, n++;
      });
      row_ptr_[i + 1] = n;
    }
  }
  void fill(std::size_t first, std::size_t last) {
    std::vector<std::int64_t> marker(static_cast<std::size_t>(b_.cols), -1);
    std::vector<double> sum(static_cast<std::size_t>(b_.cols));
    for (std::size_t i = first; i < last; i++) {
      const auto row = static_cast<std::int64_t>(i);
      const std::int64_t begin = row_ptr_[i];
      std::int64_t n = begin;
      for_products(i, [&](std::size_t column, double x, double y) {
        if (marker[column] != row)
          marker[column] = row, sum[column] = x * y,
          col_[static_cast<std::size_t>(n++)] = static_cast<std::int32_t>(column);
        else
          sum[column] += x * y;
      });
      if (sorted_) std::sort(col_.get() + begin, col_.get() + n);
      for (std::int64_t k = begin; k < n; k++)
        val_[static_cast<std::size_t>(k)] = sum[static_cast<std::size_t>(col_[static_cast<std::size_t>(k)])];
    }
  }
  void sort(std::size_t first, std::size_t last) const {
    std::vector<std::pair<std::int32_t, double>> row;
    for (std::size_t i = first; i < last; i++) {
      row.clear();
      const auto begin = static_cast<std::size_t>(row_ptr_[i]), end = static_cast<std::size_t>(row_ptr_[i + 1]);
      for (std::size_t k = begin; k < end; k++) row.emplace_back(col_[k], val_[k]);
      std::sort(row.begin(), row.end());
      for (std::size_t k = begin; k < end; k++) col_[k] = row[k - begin].first, val_[k] = row[k - begin].second;
    }
  }

  peer::Matrix a_, other_;
  const peer::Matrix& b_;
  int threads_;
  bool sorted_;
  std::vector<std::int64_t> row_ptr_;
  std::unique_ptr<std::int32_t[]> col_;
  std::unique_ptr<double[]> val_;
};

}  // namespace

int main(int argc, char** argv) {
  return peer::serve<Peer>({{"plain SPA"}, {"plain SPA, unsorted", {"--unsorted"}, "unsorted"}}, argc, argv);
}
