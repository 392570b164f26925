// rowan model: policies shown, checked, compared and written as C++.
#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "models/print.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/common.hpp"
#include "tools/rowan/inspect/trees.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/missing_file.hpp"
#include "tools/rowan/model_diff.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/width.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/error.hpp>

namespace rowan::tool {
namespace {

using Json = nlohmann::ordered_json;

struct ModelSettings {
  std::string shown;
  std::vector<std::string> files;
  DiffSettings diff;
  bool json = false;
};

Json policy_json(const Policy& policy) {
  Json out{{"name", policy.name}, {"kind", policy.kind}, {"about", policy.about}, {"source", policy.source}};
  for (std::size_t d = 0; d < kDecisions; d++)
    out["decisions"][kDecisionNames[d]] = json_of(policy.trees[d], static_cast<Decision>(d));
  return out;
}

/// A name that is compiled in goes before a file that is called the same; ./NAME is always the file.
int show(const std::string& which, bool as_json) {
  const auto print = [&](const Policy& policy) {
    say(as_json ? json_text(policy_json(policy), 1) : fitted(print_policy(policy), 2));
  };
  if (const Policy* compiled_in = embedded_policy(which); compiled_in != nullptr) {
    print(*compiled_in);
    return kOk;
  }
  if (!std::filesystem::exists(which))
    throw Error(ErrorCode::io, which + " is not a file, and " + unknown("policy", which, policy_names()));
  print(LoadedPolicy::from_file(which).view());
  return kOk;
}

/// All files are looked at, whatever the first ones say.
int check(const std::vector<std::string>& files, bool as_json) {
  int code = kOk;
  Json list = Json::array();
  for (const std::string& file : files) try {
      const LoadedPolicy policy = LoadedPolicy::from_file(file);
      list.push_back({{"file", file}, {"ok", true}, {"name", policy.name}, {"kind", policy.kind}});
      if (!quiet() && !as_json) say(file + ": ok, " + policy.name + " (" + policy.kind + ")\n");
    } catch (const Error& e) {
      list.push_back({{"file", file}, {"ok", false}, {"error", e.what()}});
      say_fault(e.what() + missing_file_hint(e.what(), file));
      code = kFailed;
    }
  if (as_json) say(json_text(list));
  return code;
}

/// Names become C++ identifiers, so they must be able to, and differ.
void check_name(const LoadedPolicy& policy, const std::string& file, const std::deque<LoadedPolicy>& others) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  const std::string& name = policy.name;
  if (name.empty() || !std::all_of(name.begin(), name.end(), good) || (name[0] >= '0' && name[0] <= '9') ||
      name[0] == '-')
    throw Error(ErrorCode::parse,
                file + ": the name \"" + name +
                    "\" cannot be embedded; it may have letters, digits and -, and must begin with a letter");
  for (const LoadedPolicy& other : others)
    if (other.name == name)
      throw Error(ErrorCode::parse, fmt::format("{}: another file has the name \"{}\", too", file, name));
}

int embed(const std::vector<std::string>& files, bool as_json) {
  std::deque<LoadedPolicy> policies;  // never moved: the views point into them
  std::vector<NamedPolicy> named;
  for (const std::string& file : files) {
    LoadedPolicy policy = LoadedPolicy::from_file(file);
    check_name(policy, file, policies);
    policies.push_back(std::move(policy));
    named.push_back({file, policies.back().view()});
  }
  const std::string header = embed_header(named);
  if (!as_json) {
    say(header);
    return kOk;
  }
  Json out{{"policies", Json::array()}, {"header", header}};
  for (const NamedPolicy& p : named) out["policies"].push_back({{"file", p.file}, {"name", p.policy.name}});
  say(json_text(out));
  return kOk;
}

}  // namespace

Command add_model(CLI::App& app) {
  auto s = std::make_shared<ModelSettings>();
  CLI::App* command = app.add_subcommand("model", "show, check, compare and embed policies");
  command->require_subcommand(1);
  CLI::App* shows = command->add_subcommand("show", "a policy as readable rules");
  shows->add_option("POLICY", s->shown, "a policy file, or the name of one that is compiled in")
      ->required()
      ->type_name("");
  shows->footer("Example:\n  rowan model show host-rules");
  CLI::App* checks = command->add_subcommand("check", "whether files are policies; exit code 1 if one is not");
  CLI::App* embeds = command->add_subcommand("embed", "policies as a C++ header, on standard output");
  for (CLI::App* sub : {checks, embeds}) sub->add_option("FILE", s->files, "policy files")->required()->type_name("");
  checks->footer("Example:\n  rowan model check models/policies/*.json");
  embeds->footer("Example:\n  rowan model embed mine.json > policies.hpp");
  CLI::App* diffs = command->add_subcommand("diff", "where two policies choose differently");
  diffs->add_option("BEFORE", s->diff.before, "a policy file, or the name of one that is compiled in")
      ->required()
      ->check(file_name())
      ->type_name("");
  diffs->add_option("AFTER", s->diff.after, "the same")->required()->check(file_name())->type_name("");
  diffs->add_option("PRODUCT", s->diff.products, "matrix files (A*A), folders of them, generated:SPEC, \"A * B'\"")
      ->type_name("");
  diffs->add_option("--set", s->diff.sets, "a file with a product a line")->type_name("FILE")->allow_extra_args(false);
  diffs->add_option("--in", s->diff.folder, "where matrices of sets are")->type_name("DIR");
  diffs->add_option("--backend", s->diff.backend, "where they choose: host, cuda, hip or emulated")
      ->check(one_of("backend", backend_names()))
      ->type_name("NAME");
  diffs->add_flag("--json", s->diff.json, "print JSON instead of a table");
  for (CLI::App* sub : {shows, checks, embeds}) sub->add_flag("--json", s->json, "print JSON");
  diffs->footer("Example:\n  rowan model diff host-rules mine.json A.mtx");
  command->footer("Examples:\n  rowan model show host-rules\n  rowan model check mine.json");
  return {command, [=] {
            if (shows->parsed()) return show(s->shown, s->json);
            if (diffs->parsed()) return diff_models(s->diff);
            return checks->parsed() ? check(s->files, s->json) : embed(s->files, s->json);
          }};
}

}  // namespace rowan::tool
