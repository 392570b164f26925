// Products over processes give the bits of one process's product, whatever the number of processes.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/mpi/support.hpp"
#include <rowan/error.hpp>
#include <rowan/io.hpp>
#include <rowan/mpi.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// How many of `n` a process has: even shares, shares that double from rank to rank, or all with the last one.
enum class Share { even, skewed, last };
std::int64_t share(std::int64_t n, Share how) {
  const std::int64_t r = rank(), p = ranks();
  if (how == Share::last) return r == p - 1 ? n : 0;
  if (how == Share::even) return n * (r + 1) / p - n * r / p;
  const std::int64_t all = (std::int64_t{1} << p) - 1;
  return n * ((std::int64_t{2} << r) - 1) / all - n * ((std::int64_t{1} << r) - 1) / all;
}

/// The same bits as these rows of the whole.
bool same(const mpi::Rows<double>& part, const Csr<double>& whole) {
  if (part.rows.all() != whole.rows() || part.cols.all() != whole.cols()) return false;
  const WideCsr<double> rows = mpi::join<double>(part, rank());
  const std::int64_t first = part.rows.begin(rank());
  const std::int64_t from = whole.row_ptr()[static_cast<std::size_t>(first)];
  for (std::int64_t r = 0; r <= rows.rows; r++)
    if (rows.row_ptr.span()[static_cast<std::size_t>(r)] != whole.row_ptr()[static_cast<std::size_t>(first + r)] - from)
      return false;
  const auto at = static_cast<std::size_t>(from), n = static_cast<std::size_t>(rows.nnz());
  return std::ranges::equal(rows.col.span(), whole.col().subspan(at, n)) &&
         std::ranges::equal(rows.val.span(), std::as_const(whole).val().subspan(at, n));
}

Csr<double> scaled(const Csr<double>& m, double by) {
  Csr<double> out = copy(m);
  for (double& v : out.val()) v *= by;
  return out;
}

std::vector<double> of_size(std::int64_t n) {
  return std::vector<double>(static_cast<std::size_t>(n));
}

void try_products(const Csr<double>& a, const Csr<double>& b, Share how) {
  const Context context({.threads = 1});
  const auto rows = mpi::Layout::of(MPI_COMM_WORLD, share(a.rows(), how));
  const auto inner = mpi::Layout::of(MPI_COMM_WORLD, share(a.cols(), how));
  const auto cols = mpi::Layout::of(MPI_COMM_WORLD, share(b.cols(), how));
  const auto here_a = mine(a, rows, inner), here_b = mine(b, inner, cols);
  auto product = mpi::Product<double>::multiply(context, MPI_COMM_WORLD, here_a, here_b);
  auto c = product.take();
  CHECK(same(c, context.multiply(a, b)));
  // again, for other values
  const Csr<double> a2 = scaled(a, 1.1), b2 = scaled(b, 0.7);
  const Csr<double> c2 = context.multiply(a2, b2);
  for (int again = 0; again < 2; again++) {
    product.execute(mine(a2, rows, inner), mine(b2, inner, cols), c.own.val(), c.others.val());
    CHECK(same(c, c2));
  }
  // the transpose of A by a matrix with A's rows
  const Csr<double> at_a = context.multiply(transposed(a), a);
  auto squared = mpi::Product<double>::transposed_multiply(context, MPI_COMM_WORLD, here_a, here_a);
  auto s = squared.take();
  CHECK(same(s, at_a));
  const auto here_a2 = mine(a2, rows, inner);
  squared.execute(here_a2, here_a2, s.own.val(), s.others.val());
  CHECK(same(s, context.multiply(transposed(a2), a2)));
}

/// A and B of each line of the set, of which B may be left out for A and ' says the transpose.
std::vector<std::pair<std::string, std::string>> generated() {
  std::ifstream in(std::string(ROWAN_SOURCE_DIR) + "/bench/sets/small.txt");
  std::vector<std::pair<std::string, std::string>> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto star = line.find(" * ");
    all.emplace_back(line.substr(0, star), star == std::string::npos ? line : line.substr(star + 3));
  }
  return all;
}

Csr<double> operand(const std::string& said) {
  if (said.ends_with('\'')) return transpose(load_matrix(said.substr(0, said.size() - 1)));
  return load_matrix(said);
}

TEST_CASE("mpi: every kind of matrix, even shares") {
  const auto all = generated();
  REQUIRE_GT(all.size(), 20U);
  for (const auto& [left, right] : all) {
    CAPTURE(left);
    CAPTURE(right);
    try_products(operand(left), operand(right), Share::even);
  }
}

TEST_CASE("mpi: skewed shares, processes without rows, fewer rows than processes") {
  for (const Share how : {Share::even, Share::skewed, Share::last})
    for (const char* spec : {"generated:stencil3d:nx=6,ny=6,nz=6", "generated:rmat:scale=8,edge_factor=6",
                             "generated:random:n=3,row_length=2"}) {
      CAPTURE(spec);
      const Csr<double> a = load_matrix(spec);
      try_products(a, a, how);
    }
}

TEST_CASE("mpi: real matrices") {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ROWAN_SOURCE_DIR) + "/tests/data"))
    if (entry.path().extension() == ".gz") files.push_back(entry.path().string());
  if (const char* more = std::getenv("ROWAN_MPI_MATRICES")) {
    std::ifstream in(more);
    for (std::string line; std::getline(in, line);) files.push_back(line);
  }
  REQUIRE_GE(files.size(), 4U);
  for (const std::string& file : files) {
    CAPTURE(file);
    const Csr<double> a = read_matrix(file);
    try_products(a, a.rows() == a.cols() ? scaled(a, 1) : transpose(a), Share::even);
  }
}

TEST_CASE("mpi: the coarse matrix of multigrid, again and again") {
  const Context context({.threads = 1});
  const Csr<double> a = load_matrix("generated:aggregation:nx=8,ny=8,nz=8,part=0"),
                    p = load_matrix("generated:aggregation:nx=8,ny=8,nz=8,part=1");
  REQUIRE_EQ(a.cols(), p.rows());
  const auto fine = mpi::Layout::of(MPI_COMM_WORLD, share(a.rows(), Share::even));
  const auto coarse = mpi::Layout::of(MPI_COMM_WORLD, share(p.cols(), Share::even));
  mpi::GalerkinProduct<double> product(context, MPI_COMM_WORLD, mine(a, fine, fine), mine(p, fine, coarse));
  auto c = product.take();
  CHECK(same(c, context.galerkin(a, p)));
  const Csr<double> a2 = scaled(a, 1.1), p2 = scaled(p, 0.3);
  product.execute(mine(a2, fine, fine), mine(p2, fine, coarse), c.own.val(), c.others.val());
  CHECK(same(c, context.galerkin(a2, p2)));
  CHECK_GT(product.first().local.nprod, 0);
}

TEST_CASE("mpi: where one process fails, all throw") {
  const Context context({.threads = 1});
  const Csr<double> a = load_matrix("generated:stencil3d:nx=4,ny=4,nz=4");
  const auto rows = mpi::Layout::of(MPI_COMM_WORLD, share(a.rows(), Share::even));
  auto here = mine(a, rows, rows);
  mpi::RowsView<double> broken = here;
  if (rank() == ranks() - 1) broken.own.rows++;
  for (int times = 0; times < 2; times++) try {
      (void)mpi::multiply(context, MPI_COMM_WORLD, broken, here.view());
      FAIL("did not throw");
    } catch (const Error& e) {
      CHECK(e.code() == ErrorCode::invalid_argument);
      const std::string what = e.what();
      CHECK_EQ(what.starts_with("rank " + std::to_string(ranks() - 1) + ": A"), rank() != ranks() - 1);
    }
  // the communicator is as good as before
  CHECK(same(mpi::multiply(context, MPI_COMM_WORLD, here, here), context.multiply(a, a)));
  // a failure in the local multiplication
  std::stop_source stop;
  if (rank() == 0) stop.request_stop();
  const Context stopped({.threads = 1, .stop = stop.get_token()});
  CHECK_THROWS_AS((void)mpi::multiply(stopped, MPI_COMM_WORLD, here, here), Error);
  auto product = mpi::Product<double>::multiply(context, MPI_COMM_WORLD, here, here);
  auto c = product.take();
  auto few = of_size(rank() == 0 ? 0 : c.own.nnz());
  CHECK_THROWS_AS(product.execute(here, here, few, c.others.val()), Error);
  product.execute(here, here, c.own.val(), c.others.val());
  CHECK(same(c, context.multiply(a, a)));
}

TEST_CASE("mpi: columns beyond 2^31, of which a process has few") {
  const Context context({.threads = 1});
  const auto rows = mpi::Layout::of(MPI_COMM_WORLD, 4);
  const std::vector<std::int64_t> ptr{0, 1, 2, 3, 4};
  std::vector<std::int64_t> diagonal;
  for (int k = 0; k < 4; k++) diagonal.push_back(rows.begin(rank()) + k);
  const std::vector<double> val{1, 2, 3, 4};
  const auto a = mpi::split<double>({.rows = 4, .cols = rows.all(), .row_ptr = ptr, .col = diagonal, .val = val}, rows,
                                    rows, rank());
  // B's columns: 2^30 a process, all entries in the last one
  std::vector<std::int64_t> begins;
  for (int r = 0; r <= ranks(); r++) begins.push_back((std::int64_t{1} << 30) * r);
  const mpi::Layout cols(begins);
  const std::vector<std::int64_t> high(4, cols.all() - 1);
  const auto b =
      mpi::split<double>({.rows = 4, .cols = cols.all(), .row_ptr = ptr, .col = high, .val = val}, rows, cols, rank());
  const auto c = mpi::join<double>(mpi::multiply(context, MPI_COMM_WORLD, a, b), rank());
  CHECK_EQ(c.cols, cols.all());
  CHECK(std::ranges::equal(c.col.span(), high));
  CHECK(std::ranges::equal(c.val.span(), std::vector<double>{1, 4, 9, 16}));
}

TEST_CASE("mpi: float") {
  const Context context({.threads = 1});
  const Csr<double> wide = load_matrix("generated:stencil3d:nx=5,ny=5,nz=5");
  const auto rows = mpi::Layout::of(MPI_COMM_WORLD, share(wide.rows(), Share::even));
  const auto here = mine(wide, rows, rows);
  const auto narrow = [](const Csr<double>& m) {
    Array<std::int64_t> ptr(m.rows() + 1);
    Array<Column> col(m.nnz());
    Array<float> val(m.nnz());
    std::ranges::copy(m.row_ptr(), ptr.data());
    std::ranges::copy(m.col(), col.data());
    std::ranges::transform(std::as_const(m).val(), val.data(), [](double v) { return static_cast<float>(v); });
    return Csr<float>(m.rows(), m.cols(), std::move(ptr), std::move(col), std::move(val));
  };
  const mpi::Rows<float> f{
      .rows = rows, .cols = rows, .own = narrow(here.own), .others = narrow(here.others), .names = here.names};
  const Csr<float> expected = context.multiply(narrow(wide), narrow(wide));
  const auto c = mpi::join<float>(mpi::multiply(context, MPI_COMM_WORLD, f, f), rank());
  const auto from = static_cast<std::size_t>(expected.row_ptr()[static_cast<std::size_t>(rows.begin(rank()))]);
  CHECK(
      std::ranges::equal(c.val.span(), std::as_const(expected).val().subspan(from, static_cast<std::size_t>(c.nnz()))));
}

}  // namespace
}  // namespace rowan::test
