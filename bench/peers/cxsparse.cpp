// CXSparse: cs_multiply leaves rows of a column unsorted; sorted as its author does, by transposing twice. Its matrices
// are columns: A's rows are read as columns, and C' = B' A'. One thread.
#include <cs.h>

#include "bench/peers/protocol.hpp"

namespace {

struct Free {
  void operator()(cs_di* m) const { cs_di_spfree(m); }
};
using Matrix = std::unique_ptr<cs_di, Free>;

Matrix made(cs_di* m) {
  if (m == nullptr) throw std::runtime_error("out of memory");
  return Matrix(m);
}

/// The transpose of m, by reading rows as columns.
Matrix convert(const peer::Matrix& m) {
  Matrix c = made(cs_di_spalloc(static_cast<int>(m.cols), static_cast<int>(m.rows), static_cast<int>(m.nnz()), 1, 0));
  std::copy(m.row_ptr.begin(), m.row_ptr.end(), c->p);
  std::copy(m.col.begin(), m.col.end(), c->i);
  std::copy(m.val.begin(), m.val.end(), c->x);
  return c;
}

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int, const std::vector<std::string>&)
      : a_(convert(a)), other_(&a == &b ? nullptr : convert(b)), b_(&a == &b ? a_.get() : other_.get()) {}

  void multiply() {
    const Matrix unsorted = made(cs_di_multiply(b_, a_.get()));
    const Matrix transposed = made(cs_di_transpose(unsorted.get(), 1));
    c_ = made(cs_di_transpose(transposed.get(), 1));
  }
  [[nodiscard]] peer::Result result() const { return {c_->n, c_->m, c_->p, nullptr, c_->i, c_->x}; }
  void release() { c_.reset(); }

 private:
  Matrix a_, other_;
  const cs_di* b_;
  Matrix c_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string version =
      std::to_string(CS_VER) + "." + std::to_string(CS_SUBVER) + "." + std::to_string(CS_SUBSUB);
  return peer::serve<Peer>({{"CXSparse " + version + ", sorted"}}, argc, argv);
}
