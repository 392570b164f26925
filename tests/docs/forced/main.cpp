// Multiplies with the accumulator that is named, in one phase and in two, and compares with hash, bit by bit; `inspect`
// must show that it had rows.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include <rowan/rowan.hpp>

namespace {

template <class V>
bool same(std::span<const V> x, std::span<const V> y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
}

bool same(const rowan::Csr<double>& x, const rowan::Csr<double>& y) {
  return same(x.row_ptr(), y.row_ptr()) && same(x.col(), y.col()) && same(x.val(), y.val());
}

}  // namespace

int main(int, char** argv) {
  const auto a = rowan::generate("rmat:scale=10,edge_factor=4");
  rowan::Options options;
  options.force = "hash";
  const auto expected = rowan::Context(options).multiply(a, a);
  options.force = argv[1];
  const rowan::Context context(options);
  const bool equal = same(context.multiply(a, a), expected);
  const bool counted = same<std::int64_t>(context.symbolic(a, a).row_ptr.span(), expected.row_ptr());
  const auto bins = context.inspect(a, a).bins;
  const bool used = std::any_of(bins.begin(), bins.end(), [&](const auto& bin) { return bin.candidate == argv[1]; });
  std::printf("%s: %s, %s, %s\n", argv[1], equal ? "same bits" : "OTHER BITS", counted ? "same counts" : "OTHER COUNTS",
              used ? "used" : "NOT USED");
  return equal && counted && used ? 0 : 1;
}
