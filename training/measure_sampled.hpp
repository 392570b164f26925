#pragma once
// Whole products without measuring rows, and with it: what the decision `sampled` is fitted to.
#include "training/measure.hpp"

namespace rowan::training {

/// Fills in sample.sampled: multiply() as a user calls it, on one thread, for every candidate that takes the rows
/// without anything measured, and with every row measured, as the model in force decides then. Nothing is filled in
/// where no policy would be asked.
void measure_sampled(const CsrView<double>& a, const CsrView<double>& b, const RaceRules& rules, ProductSample& sample);

}  // namespace rowan::training
