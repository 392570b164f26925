// rowan train: measures every feasible accumulator on the user's matrices and machine, and fits a model to the times.
#include "training/train.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "lib/io/ending.hpp"
#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include "tools/rowan/bench/machine.hpp"
#include "tools/rowan/bench/product.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/common.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/progress.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/train/report.hpp"
#include "tools/rowan/train/sources.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/writer.hpp"
#include "training/measure_device.hpp"
#include "training/provenance.hpp"
#include "training/sample_file.hpp"
#include <rowan/error.hpp>
#include <rowan/version.hpp>

namespace rowan::tool {
namespace {

using Clock = std::chrono::steady_clock;
using training::ProductSample;

struct TrainSettings {
  std::vector<std::string> sources, sets, measurements, reports;
  std::string folder, output, name, backend = "host";
  double budget = 0;  // seconds; 0: none
  int repeats = 5;
  bool json = false;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<train::Source> all_sources(const TrainSettings& s) {
  std::vector<train::Source> all;
  const auto add = [&](std::vector<train::Source> some) { all.insert(all.end(), some.begin(), some.end()); };
  for (const std::string& source : s.sources) add(train::sources_of(source));
  for (const std::string& set : s.sets) add(train::sources_of_set(set, s.folder));
  return all;
}

/// The key by which a product that was measured before is found.
std::pair<std::string, std::string> key(const ProductSample& sample) {
  return {sample.hash, sample.machine};
}

/// Seconds for the next of `left` products: an equal share of what is left of the budget.
training::MeasureRules rules_for(const TrainSettings& s, double used, std::size_t left) {
  constexpr double kHopeless = 1.5;  // in a hurry; the usual value is training::RaceRules'
  training::MeasureRules rules;
  rules.race.repeats = s.repeats;
  if (s.budget == 0) return rules;
  rules.race.hopeless = kHopeless;
  rules.seconds = std::min(rules.seconds, std::max(0.0, s.budget - used) / static_cast<double>(left));
  return rules;
}

/// The machine that is measured: the host, or the first device of a backend.
struct TrainingMachine {
  std::string backend = {}, machine = bench::processor();  // the device's, where it is one
  int wave = 0;
  std::shared_ptr<const LoadedPolicy> loaded = {};
  std::shared_ptr<const Policy> policy = {};  // the engine looks at it
  std::shared_ptr<const DeviceEngine> device = {};

  explicit TrainingMachine(const std::string& name) {
    const Backend wanted = backend_named(name);
    if (wanted == Backend::host || wanted == Backend::automatic) return;
    loaded = std::make_shared<LoadedPolicy>(training::every_candidate());
    policy = std::make_shared<Policy>(loaded->view());
    device = open_devices(*policy, {.backend = wanted});
    for (const DeviceReport& report : devices())
      if (report.backend == name && report.ordinal == 0) machine = report.name, wave = report.wave;
    backend = name;
  }
  void measure(const bench::Product& product, const training::MeasureRules& rules, ProductSample& sample) const {
    if (device)
      training::measure_on_device(*device, product.a.view(), product.view_b(), rules, sample);
    else
      training::measure_product(product.a.view(), product.view_b(), rules, sample);
  }
};

/// Products one after another. Where `ahead`, the next is read while this one is at work: on a host it would disturb.
class Loader {
 public:
  Loader(const std::vector<train::Source>& sources, const std::string& folder, bool ahead)
      : sources_(sources), folder_(folder), ahead_(ahead) {}

  /// The product of source `i`; sources are asked for in their order.
  [[nodiscard]] bench::Product load(std::size_t i) {
    bench::Product product = next_.valid() ? next_.get() : bench::load_product(sources_[i].product, folder_);
    if (ahead_ && i + 1 < sources_.size())
      next_ =
          std::async(std::launch::async, [this, i] { return bench::load_product(sources_[i + 1].product, folder_); });
    return product;
  }

 private:
  const std::vector<train::Source>& sources_;
  const std::string& folder_;
  bool ahead_;
  std::future<bench::Product> next_ = {};
};

struct Counts {
  std::size_t measured = 0, known = 0, empty = 0, left_out = 0, too_large = 0;
  int dropped = 0;
};

std::string summary(const Counts& c) {
  std::string text = fmt::format("measured {} products", c.measured);
  if (c.known != 0) text += fmt::format(", {} were measured before", c.known);
  if (c.empty != 0) text += fmt::format(", {} have no products to multiply", c.empty);
  if (c.too_large != 0) text += fmt::format(", {} do not fit the device", c.too_large);
  if (c.dropped != 0) text += fmt::format("; {} times an accumulator was dropped after its first run", c.dropped);
  if (c.left_out != 0) text += fmt::format("; {} were left out: the budget was used up", c.left_out);
  return text + "\n";
}

/// Measures what is not in `samples` yet; each is in the file before the next is begun.
Counts measure_all(const TrainSettings& s, const std::vector<train::Source>& sources,
                   std::vector<ProductSample>& samples) {
  std::set<std::pair<std::string, std::string>> known;
  for (const ProductSample& sample : samples) known.insert(key(sample));
  const TrainingMachine on(s.backend);
  Loader loader(sources, s.folder, on.device != nullptr);
  const auto start = Clock::now();
  Progress progress("measuring");
  const auto report_share = progress.callback();
  Counts counts;
  for (std::size_t i = 0; i < sources.size(); i++) {
    if (report_share) report_share(static_cast<double>(i) / static_cast<double>(sources.size()));
    if (s.budget != 0 && seconds_since(start) >= s.budget) {
      counts.left_out = sources.size() - i;
      break;
    }
    const bench::Product product = loader.load(i);
    ProductSample sample{.name = product.name,
                         .family = sources[i].family,
                         .backend = on.backend,
                         .wave = on.wave,
                         .machine = on.machine,
                         .date = today()};
    sample.hash = training::hash_of(product.a.view(), product.view_b());
    if (!known.insert(key(sample)).second) {
      counts.known++;
      continue;
    }
    const training::MeasureRules rules = rules_for(s, seconds_since(start), sources.size() - i);
    try {
      on.measure(product, rules, sample);
    } catch (const Error& e) {
      if (on.device == nullptr || e.code() != ErrorCode::out_of_memory) throw;
      counts.too_large++;
      continue;
    }
    if (sample.nprod == 0) {
      counts.empty++;
      continue;
    }
    training::append_sample(s.measurements.front(), sample);
    counts.measured++, counts.dropped += sample.dropped;
    samples.push_back(std::move(sample));
  }
  return counts;
}

/// The file beside the model that measurements go to where none was named.
std::string measurements_file(const std::string& output) {
  std::filesystem::path path(output);
  return path.replace_extension(".measurements.jsonl").string();
}

void write(const std::string& path, const std::string& text) {
  Writer out(path);
  out.print("{}", text);
  out.finish();
}

/// Everything that can be refused before hours of measuring.
void check(const TrainSettings& s) {
  const std::string ending = io::ending_of(s.output);
  if (ending != ".json" && io::names_a_form(ending))
    throw UsageError(s.output + ": a model is JSON, not " + ending + "; its name must end with .json");
  if (s.output.empty() && s.measurements.empty())
    throw UsageError("nowhere to write to: give -o for a model, --measurements for times only");
  if (s.output.empty() && !s.reports.empty()) throw UsageError("a report is about a model: give -o");
  for (const std::string& report : s.reports) {
    train::check_report_name(report);
    check_writable(report);
  }
  if (s.output.empty()) return;
  check_writable(s.output);
  if (!training::have_xgboost())
    throw Error(ErrorCode::unsupported,
                "this build fits no models: XGBoost (libxgboost-dev) was not found when rowan was built; without -o "
                "times are measured and kept");
}

std::vector<ProductSample> read_measurements(const TrainSettings& s, bool first_may_be_new) {
  std::vector<ProductSample> samples;
  std::set<std::pair<std::string, std::string>> known;
  for (const std::string& file : s.measurements) {
    if (&file == &s.measurements.front() && first_may_be_new && !std::filesystem::exists(file)) continue;
    for (ProductSample& sample : training::read_samples(file))
      if (known.insert(key(sample)).second) samples.push_back(std::move(sample));
  }
  return samples;
}

/// The policy that ROWAN_MODEL names, else the one compiled in for the machine that was measured; its memory besides.
struct PolicyInForce {
  std::optional<LoadedPolicy> loaded = {};
  Policy policy = {};
  std::string from = "compiled in";
  std::set<std::string> fitted_to = {};

  explicit PolicyInForce(const std::vector<ProductSample>& samples) {
    const char* const file = std::getenv("ROWAN_MODEL");  // NOLINT(concurrency-mt-unsafe): only read
    if (file != nullptr && *file != '\0') {
      loaded = LoadedPolicy::from_file(file);
      const std::string backend = samples.empty() || samples.front().backend.empty() ? "host" : samples.front().backend;
      loaded->resolve([&](CandidateId id) {
        return backend == "host" ? kCandidates[id].on_host : has_candidate(backend_named(backend), id);
      });
      policy = loaded->view(), from = file;
      read_provenance(file);
      return;
    }
    const bool on_device = !samples.empty() && !samples.front().backend.empty();
    policy = on_device ? default_policy(backend_named(samples.front().backend)) : embedded_policies().front();
    if (const auto* known = training::provenance_of(policy.name)) fitted_to = known->fitted_to;
  }

 private:
  /// A file without it says nothing of its products.
  void read_provenance(const std::string& file) {
    std::ifstream in(file);
    const auto json = nlohmann::json::parse(in, nullptr, false);
    const auto products = json.is_object() ? json.value("/provenance/products"_json_pointer, nlohmann::json::array())
                                           : nlohmann::json::array();
    for (const auto& product : products)
      if (product.is_object() && product.contains("hash") && product["hash"].is_string())
        fitted_to.insert(product["hash"].get<std::string>());
  }
};

void fit(const TrainSettings& s, std::vector<ProductSample> samples) {
  const PolicyInForce in_force(samples);
  training::TrainRules rules{.version = std::string(version()), .date = today()};
  rules.name = !s.name.empty() ? s.name : std::filesystem::path(s.output).stem().string();
  rules.in_force = {.policy = &in_force.policy, .from = in_force.from, .fitted_to = in_force.fitted_to};
  const training::Trained trained = [&] {
    Progress progress("fitting");
    return training::train_model(std::move(samples), rules, progress.callback());
  }();
  static_cast<void>(LoadedPolicy::from_text(trained.model, s.output));  // what is written can be read
  for (const std::string& report : s.reports) write(report, train::render(trained.report, report));
  write(s.output, trained.model);
  if (s.json)
    say(json_text(trained.report, 1));
  else if (!quiet())
    say(train::text(trained.report) + "the model is in " + s.output + "\n");
}

int run(TrainSettings s) {
  check(s);
  const std::vector<train::Source> sources = all_sources(s);
  if (s.measurements.empty()) {
    if (sources.empty())
      throw UsageError("nothing to measure: give matrices, --set, or --measurements of an earlier run");
    s.measurements.push_back(measurements_file(s.output));
  }
  std::vector<ProductSample> samples = read_measurements(s, !sources.empty());
  if (!sources.empty()) {
    check_writable(s.measurements.front());
    const Counts counts = measure_all(s, sources, samples);
    if (!quiet() && !s.json) say(summary(counts) + "times are in " + s.measurements.front() + "\n");
  }
  if (!s.output.empty()) fit(s, std::move(samples));
  return kOk;
}

}  // namespace

Command add_train(CLI::App& app) {
  auto s = std::make_shared<TrainSettings>();
  CLI::App* command =
      app.add_subcommand("train", "measure every accumulator on this machine, and fit a model to the times");
  command->add_option("SOURCE", s->sources, "matrix files (A*A), folders of them, generated:SPEC, \"A * B'\"")
      ->type_name("");
  const auto words = [&](const char* name, std::vector<std::string>& to, const char* what, const char* group) {
    return command->add_option(name, to, what)->type_name("FILE")->group(group)->allow_extra_args(false);
  };
  words("--set", s->sets, "a file with a product a line; [NAME] begins a family", "Products");
  command->add_option("--in", s->folder, "where matrices of sets are")->type_name("DIR")->group("Products");
  words("--measurements", s->measurements,
        "file for the times; a product that is in it is not measured again. Further files are only read", "How")
      ->check(file_name());
  command->add_option("--backend", s->backend, "the backend to measure: host, cuda, hip, emulated")
      ->check(one_of("backend", backend_names()))
      ->type_name("NAME")
      ->group("How");
  command
      ->add_option("--budget", s->budget,
                   "seconds for measuring; accumulators that cannot be the fastest are dropped early")
      ->check(above_zero())
      ->type_name("S")
      ->group("How");
  command->add_option("--repeats", s->repeats, "interleaved rounds (5)")
      ->check(whole(1, 1000))
      ->type_name("N")
      ->group("How");
  command->add_option("-o,--output", s->output, "the model, for --model and ROWAN_MODEL")
      ->check(file_name())
      ->type_name("FILE")
      ->group("Results");
  command->add_option("--name", s->name, "of the model (the output's name)")
      ->check(file_name())
      ->type_name("NAME")
      ->group("Results");
  words("--report", s->reports, "about the model, as .txt, .json or .html; may be repeated", "Results");
  command->add_flag("--json", s->json, "print the report as JSON")->group("Results");
  command->footer(
      "Examples:\n  rowan train my-matrices/ -o mine.json && rowan multiply A.mtx --model mine.json\n"
      "  rowan train --set models/host-set.txt --in matrices --measurements times.jsonl\n"
      "  rowan train --measurements times.jsonl -o mine.json\n"
      "  rowan train --backend cuda --budget 90 my-matrices/ -o gpu.json");
  return {command, [s] { return run(*s); }};
}

}  // namespace rowan::tool
