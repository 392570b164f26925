#pragma once
// Products before which nothing is measured or decided: those that one launch makes, and those of a B of few columns.
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Products, if rows of B are met equally often.
template <class T>
[[nodiscard]] double expected_products(const Resident<T>& a, const Resident<T>& b) {
  return static_cast<double>(a.nnz) * static_cast<double>(b.nnz) /
         static_cast<double>(std::max<std::int64_t>(b.m.rows, 1));
}

enum class OneLaunch : std::uint8_t { small, repeated, few_columns, none, any };

/// Names A's and B's sizes, for what launches of that kind told (past_launches.hpp), several (speculate.hpp), or how
/// long products took (races.hpp).
template <class T>
[[nodiscard]] std::uint64_t sizes_of(OneLaunch kind, const Resident<T>& a, const Resident<T>& b) {
  return PastLaunches::name(kind, sizeof(T), a.m.rows, b.m.rows, b.m.cols, a.nnz, b.nnz);
}

/// C = A B, where it is small (small.hpp), repeated (repeated.hpp) or B has few columns (few_columns.hpp); else
/// nothing.
template <class T>
[[nodiscard]] std::optional<Product<T>> one_launch(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                   std::int64_t memory_limit, hipStream_t stream, Stats* stats);

/// What such a product is reported as; its products are counted for that. `temporary`: bytes beside C.
template <class T>
void report_one_launch(Engine& engine, const Resident<T>& a, const Resident<T>& b, const Product<T>& c,
                       std::int64_t temporary, hipStream_t stream, Stats& stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
