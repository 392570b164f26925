// rowan info: what this build can do, and what is in force.
#include <cstdlib>
#include <memory>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "accumulators/candidates.hpp"
#include "accumulators/tuning/compiled.hpp"
#include "lib/backends/devices.hpp"
#include "lib/core/instructions.hpp"
#include "lib/core/parallel.hpp"
#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/table.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/writer.hpp"
#include "training/booster.hpp"
#include "training/provenance.hpp"
#include <rowan/error.hpp>
#include <rowan/version.hpp>

namespace rowan::tool {
namespace {

using Json = nlohmann::ordered_json;

#ifdef ROWAN_HAVE_JSON
constexpr bool kReadsPolicies = true;
#else
constexpr bool kReadsPolicies = false;
#endif

std::vector<std::string> backends() {
  std::vector<std::string> list{"host"};
  for (std::string& name : device_backends()) list.push_back(std::move(name));
  return list;
}

/// The policy that a multiply without options would follow; `error` says why there is none.
struct InForce {
  std::string name, kind, from, error;
};

InForce policy_in_force() {
  const char* file = std::getenv("ROWAN_MODEL");  // NOLINT(concurrency-mt-unsafe): only read
  if (file == nullptr || *file == '\0') {
    const Policy& p = embedded_policies().front();
    return {std::string(p.name), std::string(p.kind), "compiled in", ""};
  }
  try {
    const LoadedPolicy p = LoadedPolicy::from_file(file);
    return {p.name, p.kind, std::string(file) + " (ROWAN_MODEL)", ""};
  } catch (const Error& e) {
    return {"", "", std::string(file) + " (ROWAN_MODEL)", std::string("ROWAN_MODEL: ") + e.what()};
  }
}

std::string limits(const Candidate& c) {
  std::vector<std::string> list;
  const auto at_most = [&](std::int64_t limit, const char* what) {
    if (limit != kNoLimit) list.push_back(fmt::format("{} <= {}", what, limit));
  };
  at_most(c.max_nprod, "nprod");
  at_most(c.max_span, "span");
  at_most(c.max_a_nnz, "A's nnz");
  at_most(c.max_columns, "B's columns");
  at_most(c.max_b_area, "B's rows times columns");
  if (c.min_b_uses > 0) list.push_back(fmt::format("entries of A for each row of B >= {}", c.min_b_uses));
  at_most(c.max_span_per_product, "span per product");
  at_most(c.max_widest_per_product, "widest span per product of all");
  if (c.needs_sorted_b) list.emplace_back("sorted B");
  if (c.needs_runs) list.emplace_back("runs");
  if (c.needs_shifts) list.emplace_back("shift runs");
  if (!c.on_host) list.emplace_back("devices only");
  if (c.counts_only) list.emplace_back("counts only");
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, ", "));
}

Json json_of(const Candidate& c) {
  const auto limit = [](std::int64_t n) { return n == kNoLimit ? Json() : Json(n); };
  return {{"name", c.name},
          {"family", c.family},
          {"max_nprod", limit(c.max_nprod)},
          {"max_span", limit(c.max_span)},
          {"max_a_nnz", limit(c.max_a_nnz)},
          {"max_columns", limit(c.max_columns)},
          {"max_b_area", limit(c.max_b_area)},
          {"min_b_uses", c.min_b_uses},
          {"max_span_per_product", limit(c.max_span_per_product)},
          {"max_widest_per_product", limit(c.max_widest_per_product)},
          {"needs_sorted_b", c.needs_sorted_b},
          {"needs_runs", c.needs_runs},
          {"needs_shifts", c.needs_shifts},
          {"on_host", c.on_host},
          {"counts_only", c.counts_only},
          {"fallback", c.fallback},
          {"shines", c.shines}};
}

std::string as_json(const InForce& policy) {
  const std::string xgboost = training::xgboost_version();
  Json out{{"version", std::string(version())},
           {"backends", backends()},
           {"devices", Json::array()},
           {"instruction_sets", instruction_sets()},
           {"threads", scheduler::width()},
           {"policy", {{"name", policy.name}, {"kind", policy.kind}, {"from", policy.from}, {"error", policy.error}}},
           {"policies", Json::array()},
           {"accumulators", Json::array()},
           {"build",
            {{"compiler", ROWAN_COMPILER},
             {"type", ROWAN_BUILD_TYPE},
             {"policy_files", kReadsPolicies},
             {"xgboost", xgboost.empty() ? Json() : Json(xgboost)}}}};
  for (const DeviceReport& d : devices())
    out["devices"].push_back({{"backend", d.backend},
                              {"name", d.name},
                              {"ordinal", d.ordinal},
                              {"wave", d.wave},
                              {"multiprocessors", d.multiprocessors},
                              {"memory", d.memory}});
  for (const Policy& p : embedded_policies())
    out["policies"].push_back({{"name", p.name}, {"kind", p.kind}, {"about", p.about}});
  for (const Candidate& c : kCandidates) out["accumulators"].push_back(json_of(c));
  return json_text(out);
}

std::string as_text(const InForce& policy) {
  Table facts({{}, {}}), policies({{"policies compiled in"}, {"kind"}, {"for"}, {}}),
      accumulators({{"accumulator"}, {"family"}, {"limits"}, {"fallback"}, {"for"}});
  facts.add({"version", std::string(version())});
  facts.add({"backends", fmt::format("{}", fmt::join(backends(), ", "))});
  for (const DeviceReport& d : devices())
    facts.add({"device", fmt::format("{} {}: {}, {} multiprocessors, {}", d.backend, d.ordinal, d.name,
                                     d.multiprocessors, print_size(d.memory))});
  facts.add({"instructions", fmt::format("{}; the first one is used", fmt::join(instruction_sets(), ", "))});
  facts.add({"threads", std::to_string(scheduler::width())});
  facts.add({"policy", policy.error.empty() ? fmt::format("{} ({}), {}", policy.name, policy.kind, policy.from)
                                            : "none: " + policy.from + " is not a policy"});
  facts.add({"compiler", ROWAN_COMPILER ", " ROWAN_BUILD_TYPE});
  facts.add({"policy files", kReadsPolicies ? "yes" : "no: built without nlohmann-json"});
  facts.add({"training", training::have_xgboost() ? "fits with XGBoost " + training::xgboost_version()
                                                  : "measures, but fits nothing: built without XGBoost"});
  for (const Policy& p : embedded_policies()) {
    const auto* known = training::provenance_of(p.name);
    policies.add({std::string(p.name), std::string(p.kind),
                  known == nullptr || known->machines.empty() ? "any" : known->machines, std::string(p.about)});
  }
  for (const Candidate& c : kCandidates)
    accumulators.add(
        {std::string(c.name), std::string(c.family), limits(c), std::string(c.fallback), std::string(c.shines)});
  return facts.text() + "\n" + policies.text() + "\n" + accumulators.text();
}

/// A number of the table of kernel shapes: one, or a list of numbers or pairs.
template <class V>
Json json_of_number(const V& value) {
  if constexpr (std::is_arithmetic_v<V>) {
    return value;
  } else if constexpr (std::is_same_v<V, tuning::TableSize>) {
    return {value.threads, value.table};
  } else if constexpr (std::is_same_v<V, tuning::NetworkSize>) {
    return {value.lanes, value.keys};
  } else if constexpr (std::is_same_v<V, tuning::BlockShape>) {
    return {value.threads, value.window};
  } else {
    Json list = Json::array();
    for (const auto& one : value) list.push_back(json_of_number(one));
    return list;
  }
}

/// The tables of kernel shapes of this build's backends; where it has none, the table that they would begin with.
std::string kernels_as_json() {
  Json out = Json::array();
  for (const tuning::Compiled& table : tuning::compiled_tables(device_backends())) {
    Json numbers = Json::array();
    tuning::for_each_number(table.shapes, [&](const char* kernel, const char* name, const auto& number) {
      numbers.push_back({{"name", fmt::format("{}.{}", kernel, name)},
                         {"value", json_of_number(number.value)},
                         {"source", number.source}});
    });
    out.push_back({{"backend", table.backend.empty() ? Json() : Json(table.backend)},
                   {"architecture", tuning::name_of(table.architecture)},
                   {"numbers", numbers}});
  }
  return json_text(out);
}

/// Lists that can be broken.
std::string with_blanks(const std::string& json) {
  std::string out;
  for (const char c : json) out += c == ',' ? ", " : std::string(1, c);
  return out;
}

std::string kernels_as_text() {
  std::string text;
  for (const tuning::Compiled& table : tuning::compiled_tables(device_backends())) {
    Table numbers({{"kernel shape"}, {"value"}, {"source"}});
    tuning::for_each_number(table.shapes, [&](const char* kernel, const char* name, const auto& number) {
      numbers.add(
          {fmt::format("{}.{}", kernel, name), with_blanks(json_of_number(number.value).dump()), number.source});
    });
    text += fmt::format("{}{}, {}\n\n", text.empty() ? "" : "\n",
                        table.backend.empty() ? "no device backend in this build" : "backend " + table.backend,
                        tuning::name_of(table.architecture)) +
            numbers.text();
  }
  return text;
}

}  // namespace

Command add_info(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("info", "version, machine, policies, accumulators, build options");
  command->add_flag("--json", *json, "as JSON");
  auto kernels = std::make_shared<bool>(false);
  command->add_flag("--kernels", *kernels, "the numbers that shape the device kernels, and where they come from");
  command->footer(
      "Examples:\n  ROWAN_MODEL=mine.json rowan info        (is my policy in force?)\n"
      "  ROWAN_INSTRUCTIONS=AVX2 rowan info      (limits the vector instructions of every command)");
  return {command, [json, kernels] {
            if (*kernels) {
              say(*json ? kernels_as_json() : kernels_as_text());
              return kOk;
            }
            const InForce policy = policy_in_force();
            say(*json ? as_json(policy) : as_text(policy));
            if (!policy.error.empty()) throw Error(ErrorCode::parse, policy.error);
            return kOk;
          }};
}

}  // namespace rowan::tool
