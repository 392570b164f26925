#pragma once
// The stages before the first accumulator runs: features, bins, decisions.
#include "lib/host/chunks.hpp"
#include "lib/host/decide.hpp"
#include "lib/host/settings.hpp"

namespace rowan {

/// What they make. The bins are the record's.
struct Decided {
  Measured measured;
  Record record;
  std::vector<Chunk> chunks = {};  // of rows that were not measured (sampled.hpp); else cut where they are needed
};

/// All of them, timed into `stats`. `known`: of B's rows, and A's, what is known already.
[[nodiscard]] Decided decide(const Pattern& a, const Pattern& b, const Settings& settings, const Team& team,
                             Stats& stats, KnownFacts known = {});

}  // namespace rowan
