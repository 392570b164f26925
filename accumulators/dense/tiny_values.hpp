#pragma once
// Whether products may be zero though neither factor seems to be: where sums of -0 stand for columns that are not met,
// a product of -0 must be noticed. Of two values that are not tiny none is; to look at each product takes a fifth of an
// addition, so B is looked through once it has been met often enough.
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "accumulators/common/scratch.hpp"
#include "lib/core/pattern.hpp"

namespace rowan::dense {

template <class T>
class TinyValues {
 public:
  /// Of persistent scratch: what is known of B.
  static constexpr std::size_t kBytes = kScratchAlign;

  TinyValues(const Operand<T>& b, std::byte* persistent) : b_(b), known_(reinterpret_cast<KnownOfB*>(persistent)) {}

  /// Whether one of these n values of A, which have `nprod` products, has a product with B that may be zero.
  [[nodiscard]] bool may_vanish(const T* val, std::int64_t n, std::int64_t nprod) {
    constexpr std::int64_t kShare = 4;  // products for so many values of B are watched before it is looked through
    if (known_->state == kUnknown && (known_->watched += nprod) * kShare >= b_.nnz())
      known_->state = any(b_.val, b_.nnz()) ? kSome : kNone;
    return known_->state != kNone || any(val, n);
  }

 private:
  enum State : std::int64_t { kUnknown, kSome, kNone };
  struct KnownOfB {
    State state;
    std::int64_t watched;
  };
  static_assert(sizeof(KnownOfB) <= kBytes);

  /// Not a number is tiny, too.
  [[nodiscard]] static bool any(const T* val, std::int64_t n) {
    constexpr T kTiny = std::is_same_v<T, double> ? static_cast<T>(1e-150) : static_cast<T>(1e-18);
    bool tiny = false;
    for (std::int64_t e = 0; e < n; e++) tiny |= !(std::abs(val[e]) > kTiny);
    return tiny;
  }

  const Operand<T>& b_;
  KnownOfB* known_;
};

}  // namespace rowan::dense
