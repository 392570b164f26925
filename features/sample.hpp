#pragma once
// The features of a product as a sample of its rows has them, before anything is measured of every row.
#include "features/feature.hpp"
#include "lib/core/pattern.hpp"

namespace rowan {

/// The features of all rows as the sample has them; rows, columns and the average row of A are exact. Entries of C, for
/// which the feature pass has bounds, are counted. Pairs of neighbouring rows at places spread over the matrix, about
/// one product of kSampleShare, at least kSampleLeast products where there are as many. Deterministic.
[[nodiscard]] FeatureVector sample_features(const Pattern& a, const Pattern& b);

/// Whether the products of row i of C are those of one of the four rows before, moved by any number of columns:
/// aggregates and coarse points of a regular grid repeat every few rows. O(products), but for most rows that are not
/// alike O(1).
[[nodiscard]] bool repeats(const Pattern& a, const Pattern& b, std::int64_t i);

/// Whether rows of B that a row of A meets lie mostly on cache lines that the row of A before met, or right behind
/// those of the entry before: by some pairs of neighbouring rows. There nothing needs to be fetched early.
[[nodiscard]] bool meets_same_lines(const Pattern& a, const Pattern& b);

inline constexpr std::int64_t kSampleShare = 96, kSampleLeast = 512;

}  // namespace rowan
