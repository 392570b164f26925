#include <cstdint>

#include <rowan/rowan.hpp>

/// Entries of A A, of a made-up A.
extern "C" std::int64_t entries_of_product() {
  const auto a = rowan::generate("rmat:scale=8");
  return rowan::multiply(a, a, {.threads = 2}).nnz();
}
