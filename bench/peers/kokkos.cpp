// Kokkos Kernels: spgemm symbolic and numeric in the default execution space (Debian's is serial), then its sort, since
// its columns come unsorted. With `reuse`, the numeric phase alone, unsorted as it leaves it (in its favour).
#include <KokkosKernels_SparseUtils.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spgemm.hpp>
#include <Kokkos_Core.hpp>

#include "bench/peers/protocol.hpp"

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Matrix = KokkosSparse::CrsMatrix<double, int, Device, void, int>;
using Handle =
    KokkosKernels::Experimental::KokkosKernelsHandle<int, int, double, Space, Space::memory_space, Space::memory_space>;

Matrix convert(const peer::Matrix& m) {
  typename Matrix::row_map_type::non_const_type row_ptr("row_ptr", m.row_ptr.size());
  typename Matrix::index_type::non_const_type col("col", m.col.size());
  typename Matrix::values_type::non_const_type val("val", m.val.size());
  std::copy(m.row_ptr.begin(), m.row_ptr.end(), row_ptr.data());
  std::copy(m.col.begin(), m.col.end(), col.data());
  std::copy(m.val.begin(), m.val.end(), val.data());
  return {"m", static_cast<int>(m.rows), static_cast<int>(m.cols), static_cast<int>(m.nnz()), val, row_ptr, col};
}

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int, const std::vector<std::string>& args)
      : a_(convert(a)), b_(&a == &b ? a_ : convert(b)), reuse_(!args.empty()) {
    if (reuse_) create();
  }
  ~Peer() { release_all(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void multiply() {
    if (!reuse_) create();
    // not KokkosSparse::spgemm_numeric, which destroys the handle
    KokkosSparse::Experimental::spgemm_numeric(&handle_, a_.numRows(), b_.numRows(), b_.numCols(), a_.graph.row_map,
                                               a_.graph.entries, a_.values, false, b_.graph.row_map, b_.graph.entries,
                                               b_.values, false, c_.graph.row_map, c_.graph.entries, c_.values);
    if (!reuse_) KokkosKernels::Impl::sort_crs_matrix(c_);
  }
  [[nodiscard]] peer::Result result() {
    if (reuse_) KokkosKernels::Impl::sort_crs_matrix(c_);
    return {a_.numRows(), b_.numCols(), c_.graph.row_map.data(), nullptr, c_.graph.entries.data(), c_.values.data()};
  }
  void release() {
    if (!reuse_) release_all();
  }

 private:
  void create() {
    handle_.create_spgemm_handle(KokkosSparse::SPGEMM_KK);
    KokkosSparse::spgemm_symbolic(handle_, a_, false, b_, false, c_);
  }
  void release_all() {
    if (handle_.get_spgemm_handle() != nullptr) handle_.destroy_spgemm_handle();
    c_ = Matrix();
  }

  Matrix a_, b_;
  bool reuse_;
  Handle handle_;
  Matrix c_;
};

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::string name = "Kokkos Kernels " + std::to_string(KOKKOS_VERSION / 10000) + "." +
                           std::to_string(KOKKOS_VERSION / 100 % 100) + " (" + Space::name() + ")";
  return peer::serve<Peer>({{name}, {name + " numeric only", {"reuse"}, "reuse"}}, argc, argv);
}
