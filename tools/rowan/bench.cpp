// rowan bench: rowan beside every peer found on this machine.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "tools/rowan/bench/child.hpp"
#include "tools/rowan/bench/contest.hpp"
#include "tools/rowan/bench/peers.hpp"
#include "tools/rowan/bench/report.hpp"
#include "tools/rowan/bench/suites.hpp"
#include "tools/rowan/bench/summary.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/common.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/printable.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/version.hpp>

namespace rowan::tool {
namespace {

using Json = nlohmann::ordered_json;

struct BenchSettings {
  std::vector<std::string> products, sets, outputs, peer_folders, peers, only, policies, models, forced;
  std::string folder, suite, memory_limit, from, backend = "host";
  int threads = 0, rounds = 5;
  double seconds = 1, timeout = 120;
  std::int64_t most_products = 500'000'000;  // beyond, rowan runs alone
  bool no_peers = false, reuse = false, single = false, deterministic = false, unsorted = false, one_by_one = false,
       stages = false, json = false;
};

/// A product to be run; what a paper published of it.
struct Item {
  std::string text;
  const bench::SuiteMatrix* published = nullptr;
};

/// What is running now, on a terminal.
class StatusLine {
 public:
  StatusLine() = default;
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { say(""); }
  void say(const std::string& words) const {
    constexpr std::size_t kLongest = 100;  // one line
    if (terminal_) draw("\r\x1b[K" + printable(words.substr(0, kLongest)));
  }

 private:
  bool terminal_ = on_terminal() && !quiet();
};

std::vector<Item> items(const BenchSettings& s) {
  std::vector<Item> all;
  for (const std::string& p : s.products) all.push_back({p});
  for (const std::string& set : s.sets)
    for (const std::string& line : bench::read_set(set)) all.push_back({line});
  if (!s.suite.empty())
    for (const bench::SuiteMatrix& m : bench::suite(s.suite))
      all.push_back({.text = bench::find_matrix(s.folder, m.name), .published = &m});
  if (all.empty()) throw UsageError("nothing to multiply: give products, --set or --suite");
  return all;
}

/// The contestants, and the peers that were not found: {"name", "why"} each.
struct Field {
  std::vector<bench::Contestant> contestants = {};
  Json not_found = Json::array();
};

/// rowan with its defaults first; then with the policies, models and options of the command line.
std::vector<bench::Contestant> rowans(const BenchSettings& s, const std::string& own) {
  std::vector<bench::Contestant> all;
  const auto found = bench::ask_program(own + "/rowan");
  const auto add = [&](const std::string& suffix, const std::vector<std::string>& args, bool reuse) {
    for (const bench::Contestant& r : found) {
      if (r.reuse != reuse || r.backend != s.backend) continue;
      bench::Contestant c = r;
      if (!suffix.empty()) c.name += " " + suffix;
      c.single = suffix == "float";
      c.sorted = suffix != "unsorted";
      c.command.insert(c.command.end(), args.begin(), args.end());
      if (!s.memory_limit.empty()) c.command.push_back("memory_limit=" + std::to_string(parse_size(s.memory_limit)));
      all.push_back(std::move(c));
    }
  };
  add("", {}, false);
  if (all.empty())
    throw Error(ErrorCode::device, "backend is \"" + s.backend +
                                       "\", but this build or this machine does not have it: rowan info lists " +
                                       "backends and devices");
  for (const std::string& p : s.policies) add("policy " + p, {"policy=" + p}, false);
  for (const std::string& m : s.models) add("model " + m, {"model=" + m}, false);
  for (const std::string& f : s.forced) add("force " + f, {"force=" + f}, false);
  if (s.single) add("float", {"float"}, false);
  if (s.deterministic) add("deterministic", {"deterministic"}, false);
  if (s.unsorted) add("unsorted", {"unsorted"}, false);
  if (s.reuse) add("", {}, true);
  return all;
}

/// What a program offers on the backend of this run.
std::vector<bench::Contestant> offers(const std::string& program, const BenchSettings& s) {
  std::vector<bench::Contestant> all = bench::ask_program(program);
  std::erase_if(all, [&](const bench::Contestant& c) { return c.backend != s.backend; });
  return all;
}

/// The peers that come with rowan.
Field own_peers(const BenchSettings& s, const std::string& own) {
  Field field;
  for (const std::string& p : bench::programs_in(own))
    if (p != own + "/rowan") std::ranges::move(offers(p, s), std::back_inserter(field.contestants));
  for (const bench::Peer& peer : bench::kPeers) {
    const std::string program = own + "/" + std::string(peer.program);
    const bool found = std::ranges::any_of(field.contestants, [&](const auto& c) { return c.command[0] == program; });
    if (found || peer.backend != s.backend) continue;
    field.not_found.push_back(
        {{"name", peer.program},
         {"why",
          std::filesystem::exists(program) ? "it cannot run here" : "its library was not found when rowan was built"}});
  }
  return field;
}

/// "A, B; not found: C", for messages.
std::string peers_there(const Field& field) {
  std::string text;
  for (const bench::Contestant& c : field.contestants) text += (text.empty() ? "" : ", ") + c.name;
  if (text.empty()) text = "none";
  const std::string missing = bench::not_found({{"not_found", field.not_found}});
  return text + (missing.empty() ? "" : "; not found: " + missing);
}

/// The peers named, then those in folders named, then those that come with rowan.
Field peers(const BenchSettings& s, const std::string& own) {
  Field field;
  const auto add = [&](std::vector<bench::Contestant> some) {
    std::ranges::move(some, std::back_inserter(field.contestants));
    return !some.empty();
  };
  const std::string there = " has no contestant for backend " + s.backend + " (bench/peers/PROTOCOL.md)";
  for (const std::string& p : s.peers)
    if (!std::filesystem::exists(p))
      throw UsageError(
          fmt::format("--peer {}: there is no such program; peers that come with rowan need no --peer "
                      "(--only WORD chooses among them), they are {}",
                      p, peers_there(own_peers(s, own))));
    else if (!add(offers(p, s)))
      throw UsageError(fmt::format("--peer {}{}", p, there));
  for (const std::string& folder : s.peer_folders) {
    bool any = false;
    for (const std::string& p : bench::programs_in(folder)) any = add(offers(p, s)) || any;
    if (!any) throw UsageError(fmt::format("--peers {}{}", folder, there));
  }
  if (s.no_peers) return field;
  Field others = own_peers(s, own);
  add(std::move(others.contestants));
  field.not_found = std::move(others.not_found);
  return field;
}

/// Leaves only peers with one of the words in their name. Throws UsageError for a word that no name contains.
void choose(Field& field, const std::vector<std::string>& words) {
  if (words.empty()) return;
  const auto has = [](const std::string& name, const std::string& word) {
    return name.find(word) != std::string::npos;
  };
  for (const std::string& word : words)
    if (std::ranges::none_of(field.contestants, [&](const auto& c) { return has(c.name, word); }))
      throw UsageError("--only " + word + ": no peer has this in its name; the peers are " + peers_there(field));
  std::erase_if(field.contestants, [&](const auto& c) {
    return std::ranges::none_of(words, [&](const std::string& word) { return has(c.name, word); });
  });
  field.not_found = Json::array();  // the others were not looked for
}

Field contestants(const BenchSettings& s) {
  const std::string own = bench::own_folder();
  Field field{.contestants = rowans(s, own)};
  Field others = peers(s, own);
  if (!s.reuse) std::erase_if(others.contestants, [](const bench::Contestant& c) { return c.reuse; });
  choose(others, s.only);
  for (bench::Contestant& c : others.contestants) field.contestants.push_back(std::move(c));
  field.not_found = others.not_found;
  return field;
}

Json head(const BenchSettings& s, const bench::Rules& rules, const Field& field) {
  Json names = Json::array();
  for (const bench::Contestant& c : field.contestants)
    names.push_back({{"name", c.name}, {"kind", c.reuse ? "reuse" : "full"}, {"rowan", c.rowan}, {"sorted", c.sorted}});
  const bench::Machine& m = rules.machine;
  return {{"version", std::string(version())},
          {"date", today()},
          {"machine",
           {{"processor", m.processor},
            {"cores", m.cores},
            {"bytes_memory", m.bytes_memory},
            {"copy_rate", m.copy_rate},
            {"first_touch_rate", m.first_touch_rate}}},
          {"settings",
           {{"backend", s.backend},
            {"threads", rules.threads},
            {"rounds", s.rounds},
            {"seconds", s.seconds},
            {"timeout", s.timeout}}},
          {"contestants", names},
          {"not_found", field.not_found},
          {"products", Json::array()},
          {"failed", Json::array()}};
}

void save(const Json& report, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    Writer out(file);
    out.print("{}", bench::render(report, file));
    out.finish();
  }
}

/// One product's record.
Json run_product(const BenchSettings& s, const Item& item, bench::Rules rules,
                 const std::vector<bench::Contestant>& all) {
  if (item.text.empty()) throw Error(ErrorCode::io, "there is no such matrix in " + s.folder);
  rules.status("reading " + item.text);
  const bench::Product product = bench::load_product(item.text, s.folder);
  rules.large = bench::count_products(product.a, product.view_b()) > s.most_products;
  Json record = bench::contest(product, all, rules);
  bench::judge(record);
  if (item.published != nullptr) {
    const std::string differs =
        bench::difference(*item.published, record["rows"], record["nnz_a"], record["nprod"], record["nnz_c"]);
    record["published"] = differs.empty() ? "as published" : differs;
  }
  return record;
}

/// Throws Error{io} with what each product failed with, where none was measured.
void check_measured(const Json& report) {
  if (!report["products"].empty()) return;
  const Json& failed = report["failed"];
  std::string words = fmt::format("none of {} products could be measured", failed.size());
  for (const Json& f : failed)
    words += fmt::format("; {}: {}", f["product"].get<std::string>(), f["error"].get<std::string>());
  throw Error(ErrorCode::io, words);
}

Json run_all(const BenchSettings& s) {
  const std::vector<Item> todo = items(s);
  const Field field = contestants(s);
  bench::Rules rules{
      .rounds = s.rounds, .seconds = s.seconds, .timeout = s.timeout, .stages = s.stages, .one_by_one = s.one_by_one};
  rules.on_device = s.backend != "host";
  const StatusLine line;
  line.say("measuring the machine");
  rules.machine = bench::measure_machine(s.threads);
  rules.threads = s.threads != 0 ? s.threads : rules.machine.cores;
  Json report = head(s, rules, field);
  for (std::size_t i = 0; i < todo.size(); i++) {
    const std::string name = todo[i].published != nullptr ? todo[i].published->name : todo[i].text;
    rules.status = [&](const std::string& words) { line.say(fmt::format("[{}/{}] {}", i + 1, todo.size(), words)); };
    try {
      report["products"].push_back(run_product(s, todo[i], rules, field.contestants));
    } catch (const std::exception& e) {
      if (todo.size() == 1) throw;
      report["failed"].push_back({{"product", name}, {"error", e.what()}});
    }
    if (report["products"].empty()) continue;
    report["summary"] = bench::summarize(report["products"]);
    save(report, s.outputs);  // so that finished products are not lost
  }
  check_measured(report);
  return report;
}

Json read_report(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Error(ErrorCode::io, path + ": cannot be read");
  Json report = Json::parse(in, nullptr, false);
  if (!report.is_object() || !report.contains("products") || !report.contains("summary"))
    throw Error(ErrorCode::parse, path + ": not a report of rowan bench");
  return report;
}

/// Whether everything could be read, and rowan got everything right.
bool all_well(const Json& report) {
  for (const Json& p : report.at("products"))
    for (const Json& r : p.at("results"))
      if (r.at("rowan") && r.contains("error")) return false;
  return report.at("failed").empty();
}

/// What a report shows. Throws Error{parse} where it is an old file without the parts that it should have.
std::string shown(const BenchSettings& s, const Json& report) {
  try {
    save(report, s.outputs);
    return s.json ? json_text(report) : bench::text(report);
  } catch (const Json::exception&) {
    throw Error(ErrorCode::parse, (s.from.empty() ? "the report" : s.from) + ": not a report of rowan bench");
  }
}

int run(const BenchSettings& s) {
  for (const std::string& f : s.forced) check_force(f, backend_named(s.backend));
  for (const std::string& file : s.outputs) {  // before hours of work, not after
    bench::check_report_name(file);
    check_writable(file);
  }
  const Json report = s.from.empty() ? run_all(s) : read_report(s.from);
  say(shown(s, report));
  return all_well(report) ? kOk : kFailed;
}

/// Backends by the names that contestants give.
std::vector<std::string> bench_backends() {
  std::vector<std::string> names = backend_names();
  std::erase(names, "automatic");
  return names;
}

}  // namespace

Command add_bench(CLI::App& app) {
  auto s = std::make_shared<BenchSettings>();
  CLI::App* command = app.add_subcommand("bench", "compare rowan with the peers found on this machine");
  command->add_option("PRODUCT", s->products, "matrix files (A*A, or A*A' and A'*A, whichever is less), \"A * B'\"")
      ->type_name("");
  const auto words = [&](const char* name, std::vector<std::string>& to, const char* what, const char* type,
                         const char* group) {
    return command->add_option(name, to, what)->type_name(type)->group(group)->allow_extra_args(false);
  };
  words("--set", s->sets, "a file with a product a line", "FILE", "Products");
  command->add_option("--in", s->folder, "where matrices of sets and suites are")->type_name("DIR")->group("Products");
  command
      ->add_option("--suite", s->suite,
                   "the matrices of a paper, compared with its published counts: opsparse or nsparse")
      ->check(one_of("suite", bench::suite_names()))
      ->type_name("NAME")
      ->group("Products");
  command->add_option("--alone", s->most_products, "above N products rowan runs without peers (500000000)")
      ->check(at_least_zero())
      ->type_name("N")
      ->group("Products");
  words("--peer", s->peers, "one more program to measure (bench/peers/PROTOCOL.md)", "PROGRAM", "Contestants");
  words("--peers", s->peer_folders, "a folder of such programs", "DIR", "Contestants");
  command->add_flag("--no-peers", s->no_peers, "without the peers that come with rowan")->group("Contestants");
  words("--only", s->only, "only peers with this in their name", "WORD", "Contestants");
  words("--policy", s->policies, "rowan with this policy, too", "NAME", "Contestants")
      ->check(one_of("policy", policy_names()));
  words("--model", s->models, "rowan with this policy file, too", "FILE", "Contestants")->check(file_name());
  words("--force", s->forced, "rowan with one accumulator, too", "NAME", "Contestants")->check(accumulator());
  command->add_flag("--float", s->single, "rowan in single precision, too")->group("Contestants");
  command->add_flag("--deterministic", s->deterministic, "rowan with additions in the host's order on a device, too")
      ->group("Contestants");
  command->add_flag("--unsorted", s->unsorted, "rowan with columns of a row in any order, too; sorted to be compared")
      ->group("Contestants");
  command->add_flag("--reuse", s->reuse, "numeric re-execution, too: values again, C's pattern known")
      ->group("Contestants");
  command
      ->add_option("--backend", s->backend,
                   "where contestants multiply, with matrices in its memory: host, cuda, hip, emulated")
      ->check(one_of("backend", bench_backends()))
      ->type_name("NAME")
      ->group("Contestants");
  command->add_option("--threads", s->threads, "of each contestant; 0: all cores")
      ->check(whole(0, 4096))
      ->type_name("N")
      ->group("How");
  command->add_option("--seconds", s->seconds, "of work for each contestant and product (1)")
      ->check(above_zero())
      ->type_name("S")
      ->group("How");
  command->add_option("--rounds", s->rounds, "interleaved rounds that the seconds are divided into (5)")
      ->check(whole(1, 1000))
      ->type_name("N")
      ->group("How");
  command->add_option("--timeout", s->timeout, "seconds after which a contestant is stopped (120)")
      ->check(above_zero())
      ->type_name("S")
      ->group("How");
  command
      ->add_flag("--one-by-one", s->one_by_one,
                 "one contestant after another, not interleaved; the default where memory does not hold all of them")
      ->group("How");
  command->add_option("--memory-limit", s->memory_limit, "of rowan: 500M, 8G")
      ->check(parsed_by(parse_size))
      ->type_name("SIZE")
      ->group("How");
  command->add_flag("--stages", s->stages, "rowan's stage timers and the cost of choosing")->group("Results");
  words("-o,--output", s->outputs, "the report as .json, .csv, .html, .md or .txt; may be repeated", "FILE", "Results");
  command->add_flag("--json", s->json, "print JSON instead of tables")->group("Results");
  command->add_option("--from", s->from, "measure nothing, show the JSON report of an earlier run")
      ->type_name("FILE")
      ->group("Results");
  command->footer(
      "Examples:\n  rowan bench A.mtx --threads 1 --stages\n"
      "  rowan bench --set bench/sets/host10.txt -o report.json -o report.html\n"
      "  rowan bench \"P.mtx' * A.mtx\" --no-peers --force hash --force dense\n"
      "  rowan bench --suite opsparse --in ~/suitesparse\n"
      "  rowan bench A.mtx --backend cuda --stages     (and cuSPARSE, A and C on the GPU)");
  return {command, [s] { return run(*s); }};
}

}  // namespace rowan::tool
