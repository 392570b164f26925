#include "training/booster.hpp"

#include <rowan/error.hpp>

#ifdef ROWAN_HAVE_XGBOOST
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>
#include <xgboost/c_api.h>
#endif

namespace rowan::training {

#ifndef ROWAN_HAVE_XGBOOST

namespace {
[[noreturn]] void refuse() {
  throw Error(ErrorCode::unsupported, "this build fits no models: XGBoost was not found when it was made");
}
}  // namespace

struct Booster::Handle {};
bool have_xgboost() noexcept {
  return false;
}
std::string xgboost_version() {
  return "";
}
Booster Booster::regression(const FeatureTable&, std::span<const float>, std::span<const float>, const BoostRules&) {
  refuse();
}
Booster Booster::softprob(const FeatureTable&, std::span<const float>, std::span<const float>, int, const BoostRules&) {
  refuse();
}
Booster Booster::custom(const FeatureTable&, int, const Gradient&, const BoostRules&) {
  refuse();
}
std::vector<std::vector<ScoreTree>> Booster::trees() const {
  refuse();
}
FeatureVector Booster::gains() const {
  refuse();
}
std::vector<float> Booster::outputs(const FeatureTable&) const {
  refuse();
}

#else

namespace {

void require(int status) {
  if (status != 0) throw Error(ErrorCode::unsupported, std::string("XGBoost: ") + XGBGetLastError());
}

class Matrix {
 public:
  explicit Matrix(const FeatureTable& t) {
    // one thread: for tables this small others only wait for each other
    require(XGDMatrixCreateFromMat_omp(t.values.data(), t.rows, t.features.size(),
                                       std::numeric_limits<float>::quiet_NaN(), &handle_, 1));
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { XGDMatrixFree(handle_); }
  void set(const char* what, std::span<const float> values) const {
    require(XGDMatrixSetFloatInfo(handle_, what, values.data(), values.size()));
  }
  [[nodiscard]] DMatrixHandle get() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

std::vector<float> outputs_of(BoosterHandle booster, const Matrix& matrix) {
  constexpr const char* kMargins =
      R"({"type": 1, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true})";
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* values = nullptr;
  require(XGBoosterPredictFromDMatrix(booster, matrix.get(), kMargins, &shape, &dimensions, &values));
  std::size_t n = 1;
  for (bst_ulong d = 0; d < dimensions; d++) n *= shape[d];
  return {values, values + n};
}

}  // namespace

struct Booster::Handle {
  BoosterHandle booster = nullptr;
  std::vector<std::size_t> features;
  int classes = 1;

  Handle(const Matrix& matrix, const FeatureTable& table, int outputs, const char* objective, const BoostRules& rules)
      : features(table.features), classes(outputs) {
    const DMatrixHandle data = matrix.get();
    require(XGBoosterCreate(&data, 1, &booster));
    const auto set = [&](const char* name, const std::string& value) {
      require(XGBoosterSetParam(booster, name, value.c_str()));
    };
    set("objective", objective);
    if (classes > 1) set("num_class", std::to_string(classes));
    set("base_score", "0"), set("tree_method", "exact"), set("nthread", "1"), set("seed", "0"), set("verbosity", "0");
    set("max_depth", std::to_string(rules.depth));
    set("eta", std::to_string(rules.rate));
    set("lambda", std::to_string(rules.lambda));
    set("min_child_weight", std::to_string(rules.least_weight));
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { XGBoosterFree(booster); }

  /// Each tree as XGBoost prints it, with gains.
  [[nodiscard]] std::vector<nlohmann::json> dump() const {
    bst_ulong n = 0;
    const char** texts = nullptr;
    require(XGBoosterDumpModelEx(booster, "", 1, "json", &n, &texts));
    std::vector<nlohmann::json> trees;
    for (bst_ulong i = 0; i < n; i++) trees.push_back(nlohmann::json::parse(texts[i]));
    return trees;
  }
  [[nodiscard]] std::size_t feature(const nlohmann::json& node) const {
    const std::string name = node.at("split");  // "f3"
    return features.at(std::stoul(name.substr(1)));
  }
};

namespace {

/// A parent stands before its children.
template <class FeatureOf>
std::uint16_t add_node(const nlohmann::json& node, const FeatureOf& feature_of, ScoreTree& tree) {
  const auto at = static_cast<std::uint16_t>(tree.size());
  tree.emplace_back();
  if (node.contains("leaf")) {
    tree[at].threshold = static_cast<float>(node.at("leaf").get<double>());
    return at;
  }
  const int yes = node.at("yes");
  const auto child = [&](bool less) {
    for (const nlohmann::json& c : node.at("children"))
      if ((c.at("nodeid") == yes) == less) return add_node(c, feature_of, tree);
    throw Error(ErrorCode::unsupported, "XGBoost: a tree without a child");
  };
  const std::uint16_t less = child(true), other = child(false);
  tree[at] = {.feature = static_cast<std::uint8_t>(feature_of(node)),
              .nan_less = node.at("missing") == yes,
              .threshold = static_cast<float>(node.at("split_condition").get<double>()),
              .less = less,
              .other = other};
  return at;
}

template <class FeatureOf>
void add_gains(const nlohmann::json& node, const FeatureOf& feature_of, FeatureVector& gains) {
  if (node.contains("leaf")) return;
  gains[feature_of(node)] += static_cast<float>(node.at("gain").get<double>());
  for (const nlohmann::json& c : node.at("children")) add_gains(c, feature_of, gains);
}

}  // namespace

bool have_xgboost() noexcept {
  return true;
}

std::string xgboost_version() {
  int major = 0, minor = 0, patch = 0;
  XGBoostVersion(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

Booster Booster::regression(const FeatureTable& table, std::span<const float> targets, std::span<const float> weights,
                            const BoostRules& rules) {
  const Matrix matrix(table);
  matrix.set("label", targets), matrix.set("weight", weights);
  auto handle = std::make_shared<Handle>(matrix, table, 1, "reg:squarederror", rules);
  for (int i = 0; i < rules.rounds; i++) require(XGBoosterUpdateOneIter(handle->booster, i, matrix.get()));
  return Booster(std::move(handle));
}

Booster Booster::softprob(const FeatureTable& table, std::span<const float> labels, std::span<const float> weights,
                          int classes, const BoostRules& rules) {
  const Matrix matrix(table);
  matrix.set("label", labels), matrix.set("weight", weights);
  auto handle = std::make_shared<Handle>(matrix, table, classes, "multi:softprob", rules);
  for (int i = 0; i < rules.rounds; i++) require(XGBoosterUpdateOneIter(handle->booster, i, matrix.get()));
  return Booster(std::move(handle));
}

Booster Booster::custom(const FeatureTable& table, int classes, const Gradient& gradient, const BoostRules& rules) {
  const Matrix matrix(table);
  auto handle = std::make_shared<Handle>(matrix, table, classes, "multi:softprob", rules);
  const std::size_t n = table.rows * static_cast<std::size_t>(classes);
  std::vector<float> first(n), second(n), outputs(n);
  for (int i = 0; i < rules.rounds; i++) {
    if (i != 0) outputs = outputs_of(handle->booster, matrix);
    gradient(outputs, first, second);
    require(XGBoosterBoostOneIter(handle->booster, matrix.get(), first.data(), second.data(), n));
  }
  return Booster(std::move(handle));
}

std::vector<std::vector<ScoreTree>> Booster::trees() const {
  const std::vector<nlohmann::json> all = handle_->dump();
  std::vector<std::vector<ScoreTree>> by_output(static_cast<std::size_t>(handle_->classes));
  for (std::size_t t = 0; t < all.size(); t++) {
    ScoreTree tree;
    add_node(
        all[t], [&](const nlohmann::json& node) { return handle_->feature(node); }, tree);
    by_output[t % by_output.size()].push_back(std::move(tree));
  }
  return by_output;
}

FeatureVector Booster::gains() const {
  FeatureVector gains{};
  for (const nlohmann::json& tree : handle_->dump())
    add_gains(
        tree, [&](const nlohmann::json& node) { return handle_->feature(node); }, gains);
  return gains;
}

std::vector<float> Booster::outputs(const FeatureTable& table) const {
  return outputs_of(handle_->booster, Matrix(table));
}

#endif

}  // namespace rowan::training
