// SuiteSparse:GraphBLAS: GrB_mxm by PLUS_TIMES; GrB_wait ends what it left for later, the sort of rows with it. With
// its own choice, and its saxpy methods by name.
#include <complex>  // before the C header does it inside extern "C"

extern "C" {  // Debian's 7.4 does not say so itself
#include <GraphBLAS.h>
}

#include "bench/peers/protocol.hpp"

namespace {

void check(GrB_Info info, const char* what) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE)
    throw std::runtime_error(std::string(what) + " failed with " + std::to_string(info));
}

GrB_Matrix convert(const peer::Matrix& m) {
  const std::vector<GrB_Index> row_ptr(m.row_ptr.begin(), m.row_ptr.end()), col(m.col.begin(), m.col.end());
  GrB_Matrix c = nullptr;
  check(GrB_Matrix_import_FP64(&c, GrB_FP64, static_cast<GrB_Index>(m.rows), static_cast<GrB_Index>(m.cols),
                               row_ptr.data(), col.data(), m.val.data(), row_ptr.size(), col.size(), m.val.size(),
                               GrB_CSR_FORMAT),
        "import");
  check(GxB_Matrix_Option_set(c, GxB_FORMAT, GxB_BY_ROW), "by row");
  check(GxB_Matrix_Option_set(c, GxB_SPARSITY_CONTROL, GxB_SPARSE), "sparse");
  check(GrB_Matrix_wait(c, GrB_MATERIALIZE), "wait");
  return c;
}

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int threads, const std::vector<std::string>& args) {
    check(GrB_init(GrB_NONBLOCKING), "init");
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads), "threads");
    a_ = convert(a), b_ = &a == &b ? a_ : convert(b);
    check(GrB_Descriptor_new(&how_), "descriptor");
    const std::string method = args.empty() ? "" : args[0];
    if (method == "gustavson") check(GxB_Desc_set(how_, GxB_AxB_METHOD, GxB_AxB_GUSTAVSON), "method");
    if (method == "hash") check(GxB_Desc_set(how_, GxB_AxB_METHOD, GxB_AxB_HASH), "method");
    check(GxB_Desc_set(how_, GxB_SORT, 1), "sort");
    rows_ = a.rows, cols_ = b.cols;
  }

  void multiply() {
    check(GrB_Matrix_new(&c_, GrB_FP64, static_cast<GrB_Index>(rows_), static_cast<GrB_Index>(cols_)), "new");
    check(GxB_Matrix_Option_set(c_, GxB_SPARSITY_CONTROL, GxB_SPARSE), "sparse");
    check(GrB_mxm(c_, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, a_, b_, how_), "mxm");
    check(GrB_Matrix_wait(c_, GrB_MATERIALIZE), "wait");
  }
  /// Only asked for once: copies what GraphBLAS holds in 64 bits.
  [[nodiscard]] peer::Result result() {
    GrB_Index rows = 0, cols = 0, row_ptr_bytes = 0, col_bytes = 0, val_bytes = 0;
    GrB_Index *row_ptr = nullptr, *col = nullptr;
    void* val = nullptr;
    GrB_Type type = nullptr;
    bool iso = false, jumbled = false;
    check(GxB_Matrix_export_CSR(&c_, &type, &rows, &cols, &row_ptr, &col, &val, &row_ptr_bytes, &col_bytes, &val_bytes,
                                &iso, &jumbled, nullptr),
          "export");
    row_ptr_.assign(row_ptr, row_ptr + rows + 1);
    const auto nnz = static_cast<std::size_t>(row_ptr_.back());
    col_.assign(col, col + nnz);
    const auto* v = static_cast<const double*>(val);
    if (iso)
      val_.assign(nnz, v[0]);
    else
      val_.assign(v, v + nnz);
    std::free(row_ptr), std::free(col), std::free(val);
    if (jumbled) throw std::runtime_error("the columns of C are not sorted");
    return {rows_, cols_, nullptr, row_ptr_.data(), col_.data(), val_.data()};
  }
  void release() {
    GrB_Matrix_free(&c_);
    row_ptr_ = {}, col_ = {}, val_ = {};
  }

 private:
  std::int64_t rows_, cols_;
  GrB_Matrix a_ = nullptr, b_ = nullptr, c_ = nullptr;
  GrB_Descriptor how_ = nullptr;
  std::vector<std::int64_t> row_ptr_;
  std::vector<std::int32_t> col_;
  std::vector<double> val_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = "GraphBLAS " + std::to_string(GxB_IMPLEMENTATION_MAJOR) + "." +
                           std::to_string(GxB_IMPLEMENTATION_MINOR) + "." + std::to_string(GxB_IMPLEMENTATION_SUB);
  return peer::serve<Peer>({{name}, {name + " gustavson", {"gustavson"}}, {name + " hash", {"hash"}}}, argc, argv);
}
