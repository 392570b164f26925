#include "lib/host/report.hpp"

#include "models/print.hpp"

namespace rowan {

std::vector<std::pair<std::string, float>> named(const FeatureVector& features) {
  std::vector<std::pair<std::string, float>> list;
  for (std::size_t f = 0; f < features.size(); f++) list.emplace_back(kFeatures[f].name, features[f]);
  return list;
}

BinReport report(const DecidedBin& bin, const Policy& policy, const std::string& force) {
  const Candidate &chosen = kCandidates[bin.choice.chosen], &requested = kCandidates[bin.choice.requested];
  BinReport out{.label = bin.label,
                .features = named(bin.features),
                .accumulator = std::string(chosen.family),
                .candidate = std::string(chosen.name),
                .symbolic_candidate = std::string(chosen.name),
                .group_size = bin.group_size,
                .requested = std::string(requested.name),
                .why = {},
                .candidates = {}};
  if (bin.empty)
    out.why = {"no products"};
  else if (!force.empty())
    out.why = {"forced: " + force};
  else
    out.why = print_path(policy.tree(bin.decision), bin.decision, bin.features);
  if (bin.choice.requested != bin.choice.chosen)
    out.why.push_back(out.requested + " " + std::string(reason(bin.choice.instead)));
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    out.candidates.push_back({.name = std::string(kCandidates[id].name), .feasible = bin.feasible[id]});
  return out;
}

}  // namespace rowan
