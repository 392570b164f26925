#pragma once
// Products so small that measuring, deciding and reserving would take longer than multiplying. Nothing is allocated
// but C; sums are in a window over all of C's columns on the stack, with a bit for each column that was met.
#include <optional>

#include "lib/host/settings.hpp"
#include <rowan/csr.hpp>

namespace rowan {

/// Up to here this was faster than the stages of multiply(), on every family of bench/sets/small.txt.
inline constexpr std::int64_t kSmallProducts = 16384;
/// Of C: a word has a bit for each word of bits.
inline constexpr std::int64_t kSmallColumns = 4096;

/// C, where A and B have at most kSmallProducts products and C at most kSmallColumns columns; empty where they have
/// more, or where rows and entries without products are many, or an operand is to be transposed. Throws what validate()
/// throws.
template <class T>
[[nodiscard]] std::optional<Csr<T>> multiply_small(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings,
                                                   Stats& stats);

/// Whether multiply_small() multiplies A and B, which have `nprod` products.
template <class T>
[[nodiscard]] bool is_small(const CsrView<T>& a, const CsrView<T>& b, std::int64_t nprod) noexcept;

}  // namespace rowan
