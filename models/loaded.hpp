#pragma once
// A policy read at run time: owns what a compiled-in one has as constants. JSON in, JSON's meaning out.
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/policy.hpp"

namespace rowan {

class LoadedPolicy {
 public:
  /// Reads a policy file. Throws Error{io}, or Error{parse} for anything that is not a policy: wrong version, unknown
  /// names, children out of range or before their parent, thresholds that are not numbers, empty rankings.
  [[nodiscard]] static LoadedPolicy from_file(const std::filesystem::path& file);
  /// The same from text; `origin` is how messages call it.
  [[nodiscard]] static LoadedPolicy from_text(const std::string& text, const std::string& origin);

  /// In place of every family the candidate that its name means on a backend (candidate_named), which has those that
  /// `has` tells. Only then the policy may be in force.
  void resolve(const std::function<bool(CandidateId)>& has);

  [[nodiscard]] Policy view() const noexcept;

  struct OwnedTree {
    std::vector<Node> nodes = {};
    std::vector<std::uint8_t> ranked = {};
    std::vector<Root> roots = {};

    [[nodiscard]] Tree view() const noexcept { return {nodes, ranked, roots}; }
  };
  std::string name, kind, about, source;
  std::array<OwnedTree, kDecisions> trees;
  std::array<OwnedTree, 2> costs;
  std::optional<Alternating> alternating;
  TableRules tables;
};

}  // namespace rowan
