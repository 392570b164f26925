#pragma once
// What is to be said of a fit, as one JSON document; tools/rowan/train turns it into text and a page.
#include <nlohmann/json.hpp>

#include "training/verdict.hpp"

namespace rowan::training {

struct Judged {
  const TrainingSet& set;
  std::size_t families = 1;  // with one there was nothing to hold out
  const Validation& validation;
  const FitRules& rules;
  const FittedPolicy& fitted;
  const std::vector<LearningPoint>& curve;
  const InForce& in_force;
};

[[nodiscard]] nlohmann::ordered_json report_of(const Judged& judged);

}  // namespace rowan::training
