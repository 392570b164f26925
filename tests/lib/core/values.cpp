#include "lib/core/values.hpp"

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

template <class T>
using Bytes = std::vector<T>;

struct FourBytes {
  float x;
};

template <class T>
constexpr bool has = requires(const PerValue<Bytes>& all) {
  all.of<T>();
};

static_assert(has<float> && has<double>);
static_assert(!has<std::int32_t> && !has<std::int64_t> && !has<FourBytes>, "told apart by type, not by size");

template <class T>
int size_of(T /*unused*/) {
  return static_cast<int>(sizeof(T));
}
template <class T>
using SizeFn = int (*)(T);

}  // namespace

TEST_CASE("a value's type finds what was made for it") {
  const PerValue<SizeFn> sizes = ROWAN_PER_VALUE(size_of);
  CHECK_EQ(sizes.of<float>()(0), 4);
  CHECK_EQ(sizes.of<double>()(0), 8);
  int all = 0;
  sizes.for_each([&](const auto& each) { all += each(0); });
  CHECK_EQ(all, 12);
  PerValue<Bytes> lists;
  lists.of<double>().push_back(1);
  CHECK(lists.of<float>().empty());
}

}  // namespace rowan::test
