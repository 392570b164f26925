// A plain sparse accumulator (Gustavson 1978; Gilbert, Moler and Schreiber 1992): for each column a marker and a value,
// and the list of the row's columns. `spa` sorts the list, `spa-unsorted` leaves C's columns in the order in which they
// were met. A thread takes consecutive rows with its share of the products, into memory of one entry a product, which
// is cut to C's size; several threads' parts are copied into C.
// Work: products, and for `spa` n log n of each row's n entries. Workspace of a thread: 16 bytes a column of B.
#include <algorithm>
#include <new>
#include <thread>

#include "bench/peers/protocol.hpp"

namespace {

struct Free {
  void operator()(void* p) const { std::free(p); }
};

/// Uninitialized memory that can be cut to size.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t n = 0) : data_(resized(nullptr, n)) {}
  void cut(std::size_t n) { data_.reset(resized(data_.release(), n)); }
  [[nodiscard]] T* data() const { return data_.get(); }

 private:
  static T* resized(T* from, std::size_t n) {
    void* to = std::realloc(from, std::max<std::size_t>(1, n) * sizeof(T));
    if (to == nullptr) {
      std::free(from);
      throw std::bad_alloc();
    }
    return static_cast<T*>(to);
  }
  std::unique_ptr<T, Free> data_;
};

/// Consecutive rows of C.
struct Part {
  std::size_t first = 0, last = 0;  // rows
  std::size_t products = 0;
  std::size_t entries = 0;
  Buffer<std::int32_t> col = Buffer<std::int32_t>();
  Buffer<double> val = Buffer<double>();
};

std::size_t place(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int threads, const std::vector<std::string>& args)
      : a_(a),
        other_(&a == &b ? peer::Matrix() : b),
        b_(&a == &b ? a_ : other_),
        threads_(std::max(1, threads)),
        sorted_(args.empty() || args[0] != "unsorted") {}

  void multiply() {
    row_ptr_ = Buffer<std::int32_t>(place(1) + static_cast<std::size_t>(a_.rows));
    std::vector<Part> parts = shares();
    std::vector<std::exception_ptr> failed(parts.size());
    std::vector<std::thread> others;
    const auto guarded = [&](std::size_t p) {
      try {
        multiply(parts[p]);
      } catch (...) {
        failed[p] = std::current_exception();
      }
    };
    for (std::size_t p = 1; p < parts.size(); p++) others.emplace_back(guarded, p);
    guarded(0);
    for (std::thread& t : others) t.join();
    for (const std::exception_ptr& f : failed)
      if (f) std::rethrow_exception(f);
    assemble(parts);
  }

  [[nodiscard]] peer::Result result() const {
    return {a_.rows, b_.cols, row_ptr_.data(), nullptr, col_.data(), val_.data()};
  }
  void release() { row_ptr_ = Buffer<std::int32_t>(), col_ = Buffer<std::int32_t>(), val_ = Buffer<double>(); }

 private:
  /// A part for each thread, of about as many products.
  [[nodiscard]] std::vector<Part> shares() const {
    const auto rows = static_cast<std::size_t>(a_.rows);
    const auto products_of = [&](std::size_t i) {
      std::size_t n = 0;
      for (auto k = place(a_.row_ptr[i]); k < place(a_.row_ptr[i + 1]); k++)
        n += place(b_.row_ptr[place(a_.col[k]) + 1] - b_.row_ptr[place(a_.col[k])]);
      return n;
    };
    std::size_t all = 0;
    for (std::size_t i = 0; i < rows; i++) all += products_of(i);
    const std::size_t share = all / place(threads_) + 1;
    std::vector<Part> parts(1);
    for (std::size_t i = 0; i < rows; i++) {
      if (threads_ > 1 && parts.back().products >= share) parts.push_back({.first = i});
      parts.back().last = i + 1;
      parts.back().products += threads_ > 1 ? products_of(i) : 0;
    }
    if (threads_ == 1) parts[0].products = all;
    return parts;
  }

  void multiply(Part& part) const {
    const auto cols = static_cast<std::size_t>(b_.cols);
    std::vector<std::size_t> marker(cols, 0);  // of a column: the last row that has it, counted from 1
    std::vector<double> sum(cols);
    part.col = Buffer<std::int32_t>(part.products), part.val = Buffer<double>(part.products);
    for (std::size_t i = part.first; i < part.last; i++) {
      std::int32_t* const list = part.col.data() + part.entries;
      std::size_t n = 0;
      for (auto k = place(a_.row_ptr[i]); k < place(a_.row_ptr[i + 1]); k++) {
        const std::size_t row = place(a_.col[k]);
        const double factor = a_.val[k];
        for (auto l = place(b_.row_ptr[row]); l < place(b_.row_ptr[row + 1]); l++) {
          const std::int32_t j = b_.col[l];
          if (marker[place(j)] == i + 1) {
            sum[place(j)] += factor * b_.val[l];
          } else {
            marker[place(j)] = i + 1, sum[place(j)] = factor * b_.val[l];
            list[n++] = j;
          }
        }
      }
      if (sorted_) std::sort(list, list + n);
      for (std::size_t k = 0; k < n; k++) part.val.data()[part.entries + k] = sum[place(list[k])];
      part.entries += n;
      row_ptr_.data()[i + 1] = static_cast<std::int32_t>(part.entries);  // counted from the part's begin
    }
  }

  void assemble(std::vector<Part>& parts) {
    row_ptr_.data()[0] = 0;
    if (parts.size() == 1) {
      col_ = std::move(parts[0].col), val_ = std::move(parts[0].val);
      col_.cut(parts[0].entries), val_.cut(parts[0].entries);
      return;
    }
    std::size_t entries = 0;
    for (const Part& p : parts) entries += p.entries;
    col_ = Buffer<std::int32_t>(entries), val_ = Buffer<double>(entries);
    std::vector<std::thread> copying;
    std::size_t before = 0;
    for (const Part& p : parts) {
      copying.emplace_back([this, &p, before] {
        std::copy_n(p.col.data(), p.entries, col_.data() + before);
        std::copy_n(p.val.data(), p.entries, val_.data() + before);
        for (std::size_t i = p.first; i < p.last; i++) row_ptr_.data()[i + 1] += static_cast<std::int32_t>(before);
      });
      before += p.entries;
    }
    for (std::thread& t : copying) t.join();
  }

  peer::Matrix a_, other_;
  const peer::Matrix& b_;
  int threads_;
  bool sorted_;
  Buffer<std::int32_t> row_ptr_, col_;
  Buffer<double> val_;
};

}  // namespace

int main(int argc, char** argv) {
  return peer::serve<Peer>({{"spa"}, {.name = "spa-unsorted", .args = {"unsorted"}, .sorted = false}}, argc, argv);
}
