#pragma once
// Measuring a product: every feasible candidate on every bin and on the whole, in both phases, on one thread.
#include "training/race.hpp"
#include "training/sample.hpp"
#include <rowan/csr.hpp>

namespace rowan::training {

struct MeasureRules {
  RaceRules race;       // its `seconds` are set from the ones below
  double seconds = 20;  // for one product, about
  double absurd = 10;   // a whole phase whose bins add up to this times the best is not run: their sum is used
};

/// How the seconds of a product are divided: bins and the whole of the symbolic phase, and of the numeric; and whole
/// products without measuring rows.
inline constexpr double kBinShare[kPhases] = {0.15, 0.3}, kWholeShare[kPhases] = {0.1, 0.25}, kSampledShare = 0.2;

/// Fills in everything except name, machine, date and hash. Without products there is nothing to measure, and
/// `nprod` stays 0. Throws what multiplying throws.
void measure_product(const CsrView<double>& a, const CsrView<double>& b, const MeasureRules& rules,
                     ProductSample& sample);

/// The identity of a product, in hexadecimal: a hash of the patterns of A and B.
[[nodiscard]] std::string hash_of(const CsrView<double>& a, const CsrView<double>& b);

}  // namespace rowan::training
