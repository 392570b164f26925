#pragma once
// From measurements to a model and a report about it.
#include <string>

#include <nlohmann/json.hpp>

#include "training/verdict.hpp"

namespace rowan::training {

struct TrainRules {
  std::string name = "trained";
  std::string version = {};  // of the program
  std::string date = {};
  std::size_t folds = 20;
  InForce in_force = {};  // what the model is to beat
};

struct Trained {                  // NOLINT(bugprone-exception-escape): ordered_json moves as a vector does
  std::string model;              // the policy file's text
  nlohmann::ordered_json report;  // training/report.hpp
};

/// Compares the ways of fitting on families held out, keeps the best, and fits it to everything. Throws
/// Error{unsupported} without XGBoost, Error{invalid_argument} where there is nothing to fit to.
[[nodiscard]] Trained train_model(std::vector<ProductSample> samples, const TrainRules& rules, const Tell& tell);

}  // namespace rowan::training
