// Eigen: A * B of row-major sparse matrices; its product comes out sorted. One thread.
#include <Eigen/SparseCore>

#include "bench/peers/protocol.hpp"

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

Matrix convert(const peer::Matrix& m) {
  return Eigen::Map<const Matrix>(m.rows, m.cols, m.nnz(), m.row_ptr.data(), m.col.data(), m.val.data());
}

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int, const std::vector<std::string>&)
      : a_(convert(a)), other_(&a == &b ? Matrix() : convert(b)), b_(&a == &b ? a_ : other_) {}

  void multiply() { c_ = a_ * b_; }
  [[nodiscard]] peer::Result result() const {
    return {c_.rows(), c_.cols(), c_.outerIndexPtr(), nullptr, c_.innerIndexPtr(), c_.valuePtr()};
  }
  void release() { c_ = Matrix(); }

 private:
  Matrix a_, other_;
  const Matrix& b_;
  Matrix c_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto version = [](int n) { return "." + std::to_string(n); };
  return peer::serve<Peer>(
      {{"Eigen " + std::to_string(EIGEN_WORLD_VERSION) + version(EIGEN_MAJOR_VERSION) + version(EIGEN_MINOR_VERSION)}},
      argc, argv);
}
