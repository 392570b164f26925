#pragma once
// The types of matrices' values, listed once: what is made for each of them is made from this list.
#include <type_traits>

namespace rowan {

/// M(T, more ...) for each type T of values. Names are made of a type's: one of several words needs an alias.
#define ROWAN_FOR_EACH_VALUE(M, ...) M(float __VA_OPT__(, ) __VA_ARGS__) M(double __VA_OPT__(, ) __VA_ARGS__)

/// A type of the list.
#define ROWAN_OR_SAME(T) || std::is_same_v<V, T>
template <class V>
concept ValueType = false ROWAN_FOR_EACH_VALUE(ROWAN_OR_SAME);
#undef ROWAN_OR_SAME

/// One Of<T> for each type T of values, found by the type alone: of<T>() does not compile for another type, however
/// many bytes it has. An aggregate in the list's order; ROWAN_PER_VALUE fills it.
template <template <class> class Of>
struct PerValue {
#define ROWAN_MEMBER(T)                                                               \
  Of<T> of_##T = {};                                                                  \
  [[nodiscard]] constexpr Of<T>& member(std::type_identity<T>) noexcept {             \
    return of_##T;                                                                    \
  }                                                                                   \
  [[nodiscard]] constexpr const Of<T>& member(std::type_identity<T>) const noexcept { \
    return of_##T;                                                                    \
  }
  ROWAN_FOR_EACH_VALUE(ROWAN_MEMBER)
#undef ROWAN_MEMBER

  template <ValueType T>
  [[nodiscard]] constexpr Of<T>& of() noexcept {
    return member(std::type_identity<T>());
  }
  template <ValueType T>
  [[nodiscard]] constexpr const Of<T>& of() const noexcept {
    return member(std::type_identity<T>());
  }
  /// f(each of them).
  template <class F>
  constexpr void for_each(const F& f) const {
#define ROWAN_CALL(T) f(of_##T);
    ROWAN_FOR_EACH_VALUE(ROWAN_CALL)
#undef ROWAN_CALL
  }
};

/// A PerValue of functions: `name` is overloaded for the types of values, or a template.
#define ROWAN_PER_VALUE(name) \
  { ROWAN_FOR_EACH_VALUE(ROWAN_PER_VALUE_MEMBER, name) }
#define ROWAN_PER_VALUE_MEMBER(T, name) name,

}  // namespace rowan
