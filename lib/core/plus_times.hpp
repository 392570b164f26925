#pragma once
// The sum and the product of C = A B. Kernels and the tests' textbook know them by these names alone.

namespace rowan {

/// A product over another semiring is another struct of this form: add(zero(), x) is x, and add is done in the order of
/// A's entries. Vectors: lib/core/plus_times-inl.hpp. What kernels rely on besides:
///   scratch     dense-window, dense-run and replay find zero() in scratch that is handed over as bytes of zero;
///               sort's emit makes zero() by clearing a sum's bits.
///   other lanes direct-shift, dense-run and replay multiply zeros in lanes without a row; the results are not read.
///   IEEE        dense-window's rows without marks: -0 stands for "no product" (dense/window.cpp), since x + y is -0
///               only for x = y = -0, and adding +0 makes +0 of it.
template <class T>
struct PlusTimes {
  [[nodiscard]] static constexpr T zero() noexcept { return T{0}; }
  [[nodiscard]] static constexpr T multiply(T x, T y) noexcept { return x * y; }
  [[nodiscard]] static constexpr T add(T x, T y) noexcept { return x + y; }
};

/// sum = sum + x y. (The product first, as in `sum += x * y`: g++ makes other code of the other order.)
template <class Ring, class T>
constexpr void add_product(T& sum, T x, T y) noexcept {
  const T product = Ring::multiply(x, y);
  sum = Ring::add(sum, product);
}

}  // namespace rowan
