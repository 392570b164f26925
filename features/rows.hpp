#pragma once
// Rows measured each by itself, several side by side.
#include "features/pattern_facts.hpp"
#include "lib/binning/lane_tally.hpp"

namespace rowan {

/// Products, column range and longest row of B of row i of A; it is in no run. Work O(entries).
[[nodiscard]] CRow measure_row(const Pattern& a, const Pattern& b, const PatternFacts& b_facts, std::int64_t i);

/// Where rows that were measured go.
struct MeasuredRows {
  CRow* rows;
  std::uint8_t* key_of_row;  // see BinTallies
  BinTallies& tallies;
  LaneTallies& lanes;
};

/// The same of rows [first, last), each with its bin.
void measure_rows(const Pattern& a, const Pattern& b, const PatternFacts& b_facts, std::int64_t first,
                  std::int64_t last, const MeasuredRows& out);

}  // namespace rowan
