// Products that just fit the offsets, and products that just do not. Compiled with offsets of 8 and of 16 bits.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <string>

#include <doctest/doctest.h>

#include "lib/host/multiply.hpp"
#include "models/embedded.hpp"
#include "tests/lib/host/least_limit.hpp"
#include "tests/lib/io/errors.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

static_assert(kMaxOffset == 127 || kMaxOffset == 32767);

/// A matrix of ones, in vectors.
struct Ones {
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int64_t> ptr{0};
  std::vector<Column> col;
  std::vector<double> val;

  /// `n` rows with an entry in each of the columns first, first + 1 ... first + length - 1; `step` moves from row to
  /// row.
  void add(std::int64_t n, std::int64_t length, std::int64_t step) {
    for (std::int64_t i = 0; i < n; i++) {
      for (std::int64_t k = 0; k < length; k++) col.push_back(static_cast<std::int32_t>(i * step + k));
      ptr.push_back(static_cast<std::int64_t>(col.size()));
    }
    rows += n, val.resize(col.size(), 1.0);
  }
  [[nodiscard]] CsrView<double> view() const {
    return {.rows = rows, .cols = cols, .row_ptr = std::span<const std::int64_t>(ptr), .col = col, .val = val};
  }
};

const std::string kTooMany = "overflow: A and B have more than " + std::to_string(kMaxOffset) + " products";

/// The multiply by every way there is to go; each must give the product, or refuse it.
void check(const Ones& a, const Ones& b, std::int64_t nprod) {
  const bool fits = nprod <= kMaxOffset;
  const Product<double> expected = fits ? textbook(a.view(), b.view()) : Product<double>{};
  for (const char* policy : {"host-rules", "nsparse"})  // one phase, two phases
    for (const std::int64_t block_rows : {65536, 3}) {  // all rows at once, and in blocks
      Options options;
      options.threads = 2;
      if (block_rows == 3) {
        if (fits && a.rows > 1000) continue;  // thousands of blocks show no more
        // too little for the features of all rows, enough for C and a block's
        options.memory_limit = 1;
        Stats none;
        for (std::string message;; options.memory_limit = needed_bytes(message)) {
          message = error_of([&] {
            static_cast<void>(multiply(a.view(), b.view(), {options, *embedded_policy(policy), 3}, none));
          });
          if (!message.starts_with("memory_limit: ")) break;
        }
      }
      Stats stats;
      Csr<double> c;
      const std::string error = error_of([&] {
        c = multiply(a.view(), b.view(), {options, *embedded_policy(policy), block_rows}, stats);
      });
      if (fits && (error != "no error" || !difference(c, expected).empty() || stats.nprod != nprod))
        FAIL(nprod << " products: " << error << ", " << difference(c, expected));
      if (!fits && error != kTooMany) FAIL(nprod << " products: " << error);
    }
}

/// A of r rows with p entries each, B of p rows with q entries each, all in the same columns (p products an entry of C)
/// or in columns that move on (few or none meet).
void check(std::int64_t r, std::int64_t p, std::int64_t q) {
  for (const std::int64_t step : {std::int64_t{0}, std::int64_t{1}, q}) {
    Ones a, b;
    a.add(r, p, 0), a.cols = p;
    b.add(p, q, step), b.cols = p * step + q;
    check(a, b, r * p * q);
  }
}

}  // namespace

TEST_CASE("every product of like rows that fits is right, and every other is refused") {
  std::int64_t shapes = 0, refused = 0;
  for (std::int64_t p = 1; p <= kMaxOffset; p++)
    for (std::int64_t r = 1; r * p <= kMaxOffset; r++)
      for (std::int64_t q = 1; q * p <= kMaxOffset; q++) {
        const std::int64_t nprod = r * p * q, distance = std::abs(nprod - kMaxOffset);
        // with 8 bits all there are, with 16 those at the border and at the next one around, thinned
        const bool wanted = kMaxOffset == 127 ? true
                                              : distance <= 1 || (distance <= 300 && (r * 7 + q) % 1009 == 0) ||
                                                    (nprod > 65000 && nprod < 66000 && (r * 5 + q) % 4001 == 0);
        if (!wanted) continue;
        check(r, p, q);
        shapes++, refused += nprod > kMaxOffset ? 1 : 0;
      }
  MESSAGE(shapes << " shapes, " << refused << " of them beyond " << kMaxOffset);
  CHECK_GT(shapes, 100);
  CHECK_GT(refused, 50);
  CHECK_LT(refused, shapes);
}

TEST_CASE("one row too many among short ones is refused whatever its place") {
  for (const std::int64_t more : {0, 1, 2})
    for (const bool first : {false, true}) {
      // B's only long row is met once; the rest of A meets rows of one entry: A x longest says nothing about the sum
      const std::int64_t longest = kMaxOffset / 2, singles = kMaxOffset - longest - 1 + more;
      Ones a, b;
      b.add(1, longest, 0), b.add(1, 1, 0), b.cols = longest;
      a.cols = 2;
      for (std::int64_t i = 0; i <= singles; i++) {
        const bool heavy = i == (first ? 0 : singles);
        a.col.push_back(heavy ? 0 : 1), a.val.push_back(1.0);
        a.ptr.push_back(static_cast<std::int64_t>(a.col.size())), a.rows++;
      }
      check(a, b, longest + singles);
    }
}

TEST_CASE("inputs with more entries than offsets count are refused by name") {
  const Options options;
  for (const std::int64_t n : {kMaxOffset - 1, kMaxOffset, kMaxOffset + 1, 2 * kMaxOffset + 2}) {
    Ones row, column;
    row.add(1, n, 0), row.cols = n;
    column.add(n, 1, 0), column.cols = 1;
    Stats stats;
    const auto error = [&](const CsrView<double>& a, const CsrView<double>& b) {
      return error_of([&] { static_cast<void>(multiply(a, b, {options, embedded_policies().front()}, stats)); });
    };
    const std::string what =
        " has " + std::to_string(n) + " entries, more than row pointers up to " + std::to_string(kMaxOffset);
    const bool fits = n <= kMaxOffset;
    CHECK_EQ(error(row.view(), column.view()), fits ? "no error" : "overflow: A" + what);
    Ones one;
    one.add(1, 1, 0), one.cols = 1;
    CHECK_EQ(error(one.view(), row.view()), fits ? "no error" : "overflow: B" + what);
    CHECK_EQ(error(transposed(row.view()), one.view()), fits ? "no error" : "overflow: A" + what);
  }
}

}  // namespace rowan::test
