#pragma once
// Products with a B of few columns: neither measured nor decided, two passes over A (dense/device/few_columns.hpp).
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Why such a product is one, for reports.
inline constexpr const char* kFewColumnsReason = "B has few columns: a lane has the sums of each";

/// C = A B, complete but for what `stream` still has to do. Nothing where B has too many columns, or too few entries
/// for them, or rows of it do not rise, or the limit (0: none) or the device has not the memory.
template <class T>
[[nodiscard]] std::optional<Product<T>> few_columns_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                            std::int64_t memory_limit, hipStream_t stream,
                                                            Stats* stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
