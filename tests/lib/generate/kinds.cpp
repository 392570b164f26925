// What every kind promises.
#include <algorithm>
#include <cstring>

#include <doctest/doctest.h>

#include "tests/lib/generate/made.hpp"
#include "tests/lib/io/threads.hpp"
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

struct Case {
  std::string spec;
  std::uint64_t hash;  // of what was made when the kind was written: what users made before must stay
};

// several blocks of rows each, so that threads have something to share
const Case kCases[] = {
    {"stencil2d:nx=70,ny=65", 0x2709D444C273C0C9U},
    {"stencil3d:nx=20,ny=15,nz=15", 0x9F91D77B022BF37FU},
    {"stencil3d:nx=20,ny=15,nz=15,points=27", 0x2AA8A8C4246D7211U},
    {"fem:nx=9,ny=9,nz=20", 0xF1F0AA1C80259B82U},
    {"lattice4d:nx=4,ny=4,nz=4,nt=6", 0xC12297A060326368U},
    {"lattice4d:nx=6,ny=6,nz=6,nt=6,spins=1", 0xFF750B69644BB439U},
    {"aggregation:nx=20,ny=20,nz=20", 0x8316916DFDA3C32CU},
    {"aggregation:nx=12,ny=12,nz=11,corners=1,unknowns=3,modes=6,part=2", 0xC7B912FE1F9F2F9DU},
    {"aggregation:nx=40,ny=40,nz=40,level=2,part=3", 0xDB76ECFFA3D91C72U},
    {"classical:nx=20,ny=20,nz=19", 0x5312B0851745BE6EU},
    {"classical:nx=20,ny=19,nz=19,part=3", 0xA52DFE8A111CE00FU},
    {"classical:nx=35,ny=35,nz=35,corners=1,level=2,part=2", 0x6DF3A385951B0527U},
    {"delaunay:nx=70,ny=65", 0x382294E1F851CDCFU},
    {"delaunay:nx=70,ny=65,shuffle=5000", 0x024BBF0F4757C25BU},
    {"geometric:n=5000", 0xEE4CED3D965C6802U},
    {"random:n=5000", 0xB68B448B835F02E1U},
    {"rectangular:rows=5000,cols=2000", 0x19084AC9987DC5A5U},
    {"hypersparse:rows=200000,cols=100000,entries=6000", 0x53B8DAA87C57B559U},
    {"hypersparse:rows=200000,cols=3000000,entries=6000,together=20,used=5000", 0x4836DDC3137A675AU},
    {"banded:n=5000", 0x48873F207B835039U},
    {"diagonals:n=5000,reach=1500", 0xF61676968BDF80D5U},
    {"blocks:n=5000", 0x17188793344A794CU},
    {"rmat:scale=13", 0x208B803954B85483U},
    {"powerlaw:n=5000,dense_length=3000", 0x41E8F82F4493DFABU},
    {"hubs:n=5000", 0xE3752F686D865E7EU},
    {"roads:nx=40,ny=35", 0xD270A5587D5B97B9U},
    {"peers:n=5000", 0xCD1086CE5DD2F09AU},
    {"aggregation:nx=90,ny=80,nz=1,corners=1,diagonal=1", 0x3C9A9E99663A35F4U},
    {"aggregation:nx=90,ny=80,nz=1,corners=1,diagonal=1,part=3", 0x426DB9963A85AA8CU},
};

std::string kind_of(const std::string& spec) {
  return spec.substr(0, spec.find(':'));
}

const Generator& generator_of(const std::string& spec) {
  static const std::vector<Generator> all = generators();
  return *std::find_if(all.begin(), all.end(), [&](const Generator& g) { return g.name == kind_of(spec); });
}

bool same(const Csr<double>& x, const Csr<double>& y) {
  return x.rows() == y.rows() && x.cols() == y.cols() && std::ranges::equal(x.row_ptr(), y.row_ptr()) &&
         std::ranges::equal(x.col(), y.col()) && std::ranges::equal(x.val(), y.val());
}

/// FNV-1a over sizes, row pointers, columns and the values' bits.
std::uint64_t hash_of(const Csr<double>& m) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  const auto take = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001B3U; };
  take(static_cast<std::uint64_t>(m.rows())), take(static_cast<std::uint64_t>(m.cols()));
  for (const std::int64_t p : m.row_ptr()) take(static_cast<std::uint64_t>(p));
  for (const std::int32_t c : m.col()) take(static_cast<std::uint64_t>(c));
  for (const double v : m.val()) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof bits);
    take(bits);
  }
  return hash;
}

}  // namespace

TEST_CASE("generate: every kind is tested") {
  for (const Generator& kind : generators()) {
    const auto tested = [&](const Case& c) { return kind_of(c.spec) == kind.name; };
    CHECK_MESSAGE(std::any_of(std::begin(kCases), std::end(kCases), tested), kind.name);
  }
}

TEST_CASE("generate: rows rise without duplicates, values are around 1, sizes are as foretold") {
  for (const Case& c : kCases) {
    CAPTURE(c.spec);
    const Csr<double> m = generate(c.spec);
    const GeneratedSize size = generated_size(c.spec);
    validate(m.view());
    CHECK(is_canonical(m.view()));
    CHECK(m.nnz() > 4000);
    CHECK(m.rows() == size.rows);
    CHECK(m.cols() == size.cols);
    CHECK(m.nnz() <= size.entries);
    CHECK(size.entries <= 3 * m.nnz());
    const auto [least, most] = std::ranges::minmax(m.val());
    CHECK(least >= 0.5);
    CHECK(least < 0.51);
    CHECK(most < 1.5);
    CHECK(most > 1.49);
  }
}

TEST_CASE("generate: symmetric kinds are, pattern and values, and the others are not") {
  for (const Case& c : kCases) {
    CAPTURE(c.spec);
    const Csr<double> m = generate(c.spec);
    CHECK(same(m, transpose(m.view())) == generator_of(c.spec).symmetric);
  }
}

TEST_CASE("generate: the same for every number of threads") {
  for (const Case& c : kCases) {
    const auto make = [&] { return generate(c.spec); };
    CHECK_MESSAGE(same(with_threads(1, make), with_threads(2, make)), c.spec);
  }
}

TEST_CASE("generate: another seed is another matrix of the same size") {
  for (const Case& c : kCases) {
    CAPTURE(c.spec);
    const Csr<double> one = generate(c.spec), other = generate(c.spec + ",seed=2");
    CHECK(one.rows() == other.rows());
    CHECK_FALSE(std::ranges::equal(one.val(), other.val()));
  }
}

TEST_CASE("generate: a specification makes what it always made") {
  for (const Case& c : kCases) CHECK_MESSAGE(hash_of(generate(c.spec)) == c.hash, c.spec);
}

}  // namespace rowan::test
