#include "lib/host/galerkin/sizes.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {

TEST_CASE("sizes of R A P: bounds hold, chunks cover all rows in order, the span is the widest row's") {
  const Team team(2);
  for (const char* kind : {"aggregation:nx=17,ny=16,nz=15", "classical:nx=12,ny=12,nz=12", "aggregation:nx=3,ny=1,nz=1",
                           "aggregation:nx=20,ny=20,nz=1,corners=1,diagonal=1"}) {
    CAPTURE(kind);
    const std::string name = kind;
    const Csr<double> a = generate(name + ",part=0"), p = generate(name + ",part=1"), r = transpose(p.view());
    const Prepared<double> a_in(a, "A", true, team), p_in(p, "P", true, team), r_in(r, "R", true, team);
    const Csr<double> ap = multiply(a, p), c = multiply(r, ap);
    for (const std::int64_t pieces : {1, 3, 1000}) {
      const fused::GalerkinSizes s =
          fused::galerkin_sizes(r_in.operand(), a_in.operand(), p_in.operand(), pieces, team);
      CHECK_EQ(s.nprod_ap, Context().symbolic(a, p).nprod);
      std::int64_t longest_middle = 0, longest = 0, window = 0, next = 0, bound = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(ap.rows()); i++)
        longest_middle = std::max(longest_middle, ap.row_ptr()[i + 1] - ap.row_ptr()[i]);
      for (std::size_t i = 0; i < static_cast<std::size_t>(c.rows()); i++) {
        longest = std::max(longest, c.row_ptr()[i + 1] - c.row_ptr()[i]);
        const auto from = static_cast<std::size_t>(r.row_ptr()[i]), to = static_cast<std::size_t>(r.row_ptr()[i + 1]);
        if (from == to) continue;
        window = std::max<std::int64_t>(window, r.col()[to - 1] - r.col()[from] + std::int64_t{1});
      }
      CHECK_GE(s.longest_middle, longest_middle);
      CHECK_GE(s.longest, longest);
      CHECK_EQ(s.window, window);
      CHECK_GE(s.bound, c.nnz());
      for (const Chunk& chunk : s.chunks) {
        CHECK_EQ(chunk.first, next);
        CHECK_GT(chunk.last, chunk.first);
        CHECK_GE(chunk.bound, c.row_ptr()[static_cast<std::size_t>(chunk.last)] -
                                  c.row_ptr()[static_cast<std::size_t>(chunk.first)]);
        next = chunk.last, bound += chunk.bound;
      }
      CHECK_EQ(next, r.rows());
      CHECK_EQ(bound, s.bound);
      CHECK_LE(s.chunks.size(), static_cast<std::size_t>(pieces) + 1);
    }
  }
}

}  // namespace rowan::test
