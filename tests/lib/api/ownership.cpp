// C changes hands without a copy: bytes that are at another address afterwards are counted, by the way it goes.
#include <cstdlib>
#include <vector>

#include <doctest/doctest.h>

#include <rowan/context.hpp>
#include <rowan/eigen.hpp>
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>
#include <rowan/rowan.h>

namespace rowan::test {
namespace {

/// Addresses and bytes of a matrix's arrays, at one moment.
struct Arrays {
  const void* at[3];
  std::size_t bytes[3];
};

template <class P, class I, class T>
Arrays arrays(const P* row_ptr, std::size_t pointers, const I* col, const T* val, std::size_t nnz) {
  return {{row_ptr, col, val}, {pointers * sizeof(P), nnz * sizeof(I), nnz * sizeof(T)}};
}
Arrays arrays(const Csr<double>& c) {
  return arrays(c.row_ptr().data(), c.row_ptr().size(), c.col().data(), c.val().data(), c.col().size());
}

/// Bytes of arrays that are elsewhere.
std::size_t copied(const Arrays& before, const Arrays& after) {
  std::size_t bytes = 0;
  for (int k = 0; k < 3; k++)
    if (before.at[k] != after.at[k]) bytes += after.bytes[k];
  return bytes;
}

std::vector<void*> taken;  // by the allocator below, in its order

}  // namespace

TEST_CASE("C goes from a Csr to arrays, to plain memory and back without a byte copied") {
  const Csr<double> a = generate("stencil2d:nx=60,ny=60");
  Csr<double> c = Context().multiply(a, a);
  const Arrays made = arrays(c);
  CsrArrays<double> out = c.release();
  CHECK_EQ(copied(made, arrays(out.row_ptr.data(), out.row_ptr.size(), out.col.data(), out.val.data(), out.col.size())),
           0);
  const OwnedMemory row_ptr = out.row_ptr.release(), col = out.col.release(), val = out.val.release();
  CHECK_EQ(copied(made, {{row_ptr.data, col.data, val.data}, {row_ptr.bytes, col.bytes, val.bytes}}), 0);
  const Csr<double> back(a.rows(), a.cols(), Array<std::int64_t>::adopt(row_ptr), Array<Column>::adopt(col),
                         Array<double>::adopt(val));
  CHECK_EQ(copied(made, arrays(back)), 0);
  // what is counted when there is a copy
  CHECK_EQ(copied(made, arrays(copy(back))), row_ptr.bytes + col.bytes + val.bytes);
}

TEST_CASE("C in malloc'ed memory is where the caller's allocator said") {
  taken.clear();
  const Csr<double> a = generate("stencil2d:nx=60,ny=60");
  const rowan_view view{.rows = a.rows(),
                        .cols = a.cols(),
                        .nnz = a.nnz(),
                        .row_ptr32 = nullptr,
                        .row_ptr64 = a.row_ptr().data(),
                        .col32 = a.col().data(),
                        .col64 = nullptr,
                        .val = a.val().data(),
                        .type = ROWAN_FLOAT64,
                        .transposed = 0};
  const rowan_allocator allocator{.allocate =
                                      [](std::size_t bytes, void*) {
                                        taken.push_back(std::malloc(bytes));  // NOLINT(*-no-malloc): C's
                                        return taken.back();
                                      },
                                  .free = nullptr,
                                  .user = nullptr};
  rowan_context* context = nullptr;
  rowan_arrays c{};
  REQUIRE_EQ(rowan_context_create(nullptr, &context), ROWAN_OK);
  REQUIRE_EQ(rowan_multiply_with(context, &view, &view, &allocator, 64, &c, nullptr), ROWAN_OK);
  REQUIRE_EQ(taken.size(), 3U);
  const auto nnz = static_cast<std::size_t>(c.nnz);
  const Arrays result = arrays(static_cast<const std::int64_t*>(c.row_ptr), static_cast<std::size_t>(c.rows) + 1, c.col,
                               static_cast<const double*>(c.val), nnz);
  CHECK_EQ(copied({{taken[0], taken[1], taken[2]}, {}}, result), 0);
  for (void* memory : taken) std::free(memory);  // NOLINT(*-no-malloc): C's
  rowan_context_free(context);
}

TEST_CASE("an Eigen matrix is swapped, and its view is its memory") {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> e = to_eigen(generate("stencil2d:nx=60,ny=60"));
  Eigen::SparseMatrix<double, Eigen::RowMajor> c = multiply(e, e);
  const auto of_eigen = [](const auto& m) {
    return arrays(m.outerIndexPtr(), static_cast<std::size_t>(m.outerSize()) + 1, m.innerIndexPtr(), m.valuePtr(),
                  static_cast<std::size_t>(m.nonZeros()));
  };
  const Arrays made = of_eigen(c);
  const CsrView<double> seen = view(c);
  CHECK_EQ(static_cast<const void*>(seen.col.data()), made.at[1]);
  CHECK_EQ(static_cast<const void*>(seen.val.data()), made.at[2]);
  Eigen::SparseMatrix<double, Eigen::RowMajor> kept;
  kept.swap(c);  // Eigen 3.4 copies where one is moved
  CHECK_EQ(copied(made, of_eigen(kept)), 0);
}

}  // namespace rowan::test
