// The experiments of the papers that rowan grew out of, on a device: C = A*A by every way that an experiment compares.
//   papers [--backend cuda] [--seconds S] [--only EXPERIMENT,...] MATRIX...    files or generated:...
//   papers --make FILE MATRIX                                                  writes it, for several runs
// A line of JSON for each matrix and way: seconds of the stages by the device's clock and of the whole multiply without
// it, minimum over the rounds that fit into S; under the emulator its counts instead. docs/papers.md has the tables,
// bench/papers.py makes them. Programs papers_VARIANT run the library with other numbers in the table of
// kernel shapes (bench/CMakeLists.txt).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "lib/backends/devices.hpp"
#include "lib/host/multiply.hpp"
#include "models/embedded.hpp"
#include "models/loaded.hpp"
#include <rowan/rowan.hpp>
#if defined(PAPERS_COUNT)
#include "lib/device/emulated/options.hpp"
#endif

extern const char* const papers_variant;  // papers_variant.cpp

namespace {

using rowan::Policy;
using rowan::SlotsPerEntry;
using Clock = std::chrono::steady_clock;

/// One way to multiply.
struct Way {
  std::string experiment, name;
  Policy policy;
  std::string force = {};
  bool deterministic = false;
};

Policy named(const char* name) {
  return *rowan::embedded_policy(name);
}
Policy with_room(Policy policy, SlotsPerEntry room) {
  policy.tables.slots_per_entry = room;
  return policy;
}
Policy with_sort(Policy policy, rowan::TableSort sort) {
  policy.tables.sort = sort;
  return policy;
}
Policy with_library(Policy policy, std::int32_t rows) {
  policy.tables.library_rows = rows;
  return policy;
}
Policy with_collisions(Policy policy, std::int32_t collisions) {
  policy.tables.collisions = collisions;
  return policy;
}
/// With another policy's decision in place of its own.
Policy with(Policy policy, rowan::Decision decision, const Policy& from) {
  policy.trees[static_cast<std::size_t>(decision)] = from.tree(decision);
  return policy;
}

/// Without bins: all rows are decided for together.
Policy without_bins(Policy policy) {
  static const rowan::LoadedPolicy kUnbinned = rowan::LoadedPolicy::from_text(
      R"({"rowan_policy": 2, "name": "unbinned", "kind": "rules", "about": "", "source": "",
          "use_binning": [{"then": "no"}], "method": [{"then": "two_phase"}],
          "symbolic": [{"then": "hash"}], "numeric": [{"then": "hash"}]})",
      "unbinned");
  return with(policy, rowan::Decision::use_binning, kUnbinned.view());
}

/// The ways of the library as it is. OpSparse's experiments run under its policy, hash for every row.
std::vector<Way> ways() {
  const Policy rules = named("device-rules"), opsparse = named("opsparse"), dcu = named("dcu-nsparse"),
               nsparse = named("nsparse"), dense = named("deltasparse");
  return {
      {"binning", "device-rules", rules},
      {"binning", "opsparse", opsparse},
      {"binning", "nsparse", nsparse},
      {"symbolic-room", "1", with_room(opsparse, {100, 200})},
      {"symbolic-room", "1.2", with_room(opsparse, {120, 200})},
      {"symbolic-room", "1.5", with_room(opsparse, {150, 200})},
      {"numeric-room", "1", with_room(opsparse, {120, 100})},
      {"numeric-room", "1.5", with_room(opsparse, {120, 150})},
      {"numeric-room", "2", with_room(opsparse, {120, 200})},
      {"numeric-room", "3", with_room(opsparse, {120, 300})},
      {"table-sort", "bitonic", with_sort(opsparse, rowan::TableSort::bitonic)},
      {"table-sort", "whole", with_sort(opsparse, rowan::TableSort::whole)},
      {"table-sort", "radix", with_sort(opsparse, rowan::TableSort::radix)},
      {"long-rows", "in place", with_library(dcu, 0)},
      {"long-rows", "library", with_library(dcu, 1 << 20)},
      {"collisions", "none", with_collisions(dense, 0)},
      {"collisions", "deltasparse", dense},
      {"dcu", "nsparse", nsparse},
      {"dcu", "dcu-nsparse", dcu},
      {"lanes", "by longest", with(opsparse, rowan::Decision::group, dcu)},
      {"lanes", "by average", with(opsparse, rowan::Decision::group, rules)},
      {"accumulator", "sort", rules, "sort"},
      {"accumulator", "hash", rules, "hash"},
      {"accumulator", "dense-rank", rules, "dense-rank"},
      {"registers", "hash", rules, "hash"},
      {"registers", "hash-registers", rules, "hash-registers"},
      {"bins", "binned device-rules", rules},
      {"bins", "unbinned device-rules", without_bins(rules)},
      {"bins", "binned opsparse", opsparse},
      {"bins", "unbinned opsparse", without_bins(opsparse)},
      {"order", "any device-rules", rules},
      {"order", "textbook device-rules", rules, "", true},
      {"order", "any hash", rules, "hash"},
      {"order", "textbook hash", rules, "hash", true},
      {"order", "any dense-rank", rules, "dense-rank"},
      {"order", "textbook dense-rank", rules, "dense-rank", true},
      {"policies", "deltasparse", dense},
      {"policies", "register-aware", named("register-aware")},
  };
}

/// The ways of a variant; of the library, for them to be compared with, too.
std::vector<Way> ways_of_variants() {
  const Policy rules = named("device-rules"), opsparse = named("opsparse");
  const std::string variant = papers_variant;
  return {{"variants", variant + " opsparse", opsparse},
          {"variants", variant + " radix", with_sort(opsparse, rowan::TableSort::radix)},
          {"variants", variant + " device-rules", rules},
          {"registers", variant + " sort", rules, "sort"},
          {"registers", variant + " sort-merge", rules, "sort-merge"}};
}

/// A matrix in the device's memory, multiplied by itself there.
struct Square {
  Square(const rowan::DeviceEngine& of, const rowan::Operand<double>& host, const rowan::Options& given)
      : engine(of), calls(engine.on.of<double>()), options(given), a(calls.to_device(host, options, {})) {
    options.validate = false;  // no kernel but those of the product
  }
  void multiply(rowan::Stats* stats) {
    c = calls.multiply_there(a, a, options, {.stats = stats});
    engine.wait(nullptr);
  }
  void release() { c = {}; }
  [[nodiscard]] rowan::DevicePlan<double> plan() const { return calls.plan_there(a, a, options, {}); }

  const rowan::DeviceEngine& engine;
  const rowan::DeviceCalls<double>& calls;
  rowan::Options options;
  rowan::DeviceMatrix<double> a, c = {};
};

#if defined(PAPERS_COUNT)

namespace emulator = rowan::device::ROWAN_BACKEND::emulator;

/// As an H200's multiprocessor: its shared memory decides which tables there are.
void set_up() {
  emulator::EmulatorOptions options;
  options.shared_limit = std::size_t{227} << 10;
  emulator::set(options);
}

/// What `work` does, counted, as JSON's members.
template <class F>
std::string counted(const char* phase, const F& work) {
  const emulator::Counters before = emulator::counters();
  work();
  const emulator::Counters after = emulator::counters();
  std::string out;
  const auto add = [&](const char* name, std::uint64_t from, std::uint64_t to) {
    out += std::string(", \"") + phase + "_" + name + "\": " + std::to_string(to - from);
  };
  add("accesses", before.accesses, after.accesses);
  add("shared_accesses", before.shared_accesses, after.shared_accesses);
  add("shared_atomics", before.shared_atomics, after.shared_atomics);
  add("global_bytes", before.global_bytes, after.global_bytes);
  add("global_atomics", before.global_atomics, after.global_atomics);
  add("swaps", before.swaps, after.swaps);
  return out;
}

/// The whole multiply and its numeric phase alone.
std::string measured(Square& work, double, rowan::Stats& size) {
  std::string out = counted("whole", [&] { work.multiply(&size); });
  work.release();
  const rowan::DevicePlan<double> plan = work.plan();
  out += counted("numeric", [&] { static_cast<void>(plan.execute(work.a, work.a)); });
  return out;
}

#else

void set_up() {}

/// Least seconds of the stages, and of the whole without the clock between them, as JSON's members.
std::string measured(Square& work, double seconds, rowan::Stats& size) {
  rowan::Stats least;
  double whole = 1e300;
  work.multiply(&size), work.release();  // memory is taken, kernels are loaded
  const auto begin = Clock::now();
  const auto since = [](Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); };
  for (int round = 0; round == 0 || since(begin) < seconds; round++) {
    const auto start = Clock::now();
    work.multiply(nullptr);
    whole = std::min(whole, since(start));
    work.release();
    rowan::Stats stats;
    work.multiply(&stats);
    work.release();
    const auto keep = [&](double rowan::Stats::*stage) {
      least.*stage = round == 0 ? stats.*stage : std::min(least.*stage, stats.*stage);
    };
    keep(&rowan::Stats::features), keep(&rowan::Stats::binning), keep(&rowan::Stats::deciding);
    keep(&rowan::Stats::symbolic), keep(&rowan::Stats::numeric);
  }
  char text[256];
  std::snprintf(text, sizeof text,
                ", \"features\": %.3e, \"binning\": %.3e, \"deciding\": %.3e, \"symbolic\": %.3e, \"numeric\": %.3e, "
                "\"whole\": %.3e",
                least.features, least.binning, least.deciding, least.symbolic, least.numeric, whole);
  return text;
}

#endif

struct Settings {
  rowan::Options options;
  double seconds = 0.02;
  std::string only;
};

void run(const Settings& s, const std::string& name) {
  const rowan::Csr<double> matrix = rowan::load_matrix(name);
  const rowan::Inputs<double> in(matrix, matrix, true, rowan::Team(1));
  std::vector<Way> all = ways_of_variants();
  if (std::strcmp(papers_variant, "none") == 0)
    for (Way& way : ways()) all.push_back(std::move(way));
  for (const Way& way : all) {
    if (!s.only.empty() && ("," + s.only + ",").find("," + way.experiment + ",") == std::string::npos) continue;
    rowan::Options options = s.options;
    options.force = way.force, options.deterministic = way.deterministic;
    options.policy = way.policy.name;  // asked for: or products in one launch would know no policy
    const auto engine = rowan::open_devices(way.policy, options);
    Square work(*engine, in.a(), options);
    rowan::Stats size;
    const std::string found = measured(work, s.seconds, size);
    std::printf(
        "{\"matrix\": \"%s\", \"rows\": %lld, \"cols\": %lld, \"nprod\": %lld, \"nnz\": %lld, "
        "\"experiment\": \"%s\", \"way\": \"%s\"%s}\n",
        name.c_str(), static_cast<long long>(matrix.rows()), static_cast<long long>(matrix.cols()),
        static_cast<long long>(size.nprod), static_cast<long long>(size.nnz), way.experiment.c_str(), way.name.c_str(),
        found.c_str());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  Settings s;
  s.options.backend = rowan::Backend::emulated;
  std::vector<std::string> matrices;
  std::string make;
  for (int at = 1; at < argc; at++) {
    const auto option = [&](const char* name) { return std::strcmp(argv[at], name) == 0 && at + 1 < argc; };
    if (option("--seconds"))
      s.seconds = std::atof(argv[++at]);
    else if (option("--make"))
      make = argv[++at];
    else if (option("--only"))
      s.only = argv[++at];
    else if (option("--backend"))
      s.options.backend = std::strcmp(argv[++at], "cuda") == 0 ? rowan::Backend::cuda
                          : std::strcmp(argv[at], "hip") == 0  ? rowan::Backend::hip
                                                               : rowan::Backend::emulated;
    else
      matrices.emplace_back(argv[at]);
  }
  if (matrices.size() == 1 && !make.empty()) {
    rowan::write_matrix(make, rowan::load_matrix(matrices.front()).view());
    return 0;
  }
  if (matrices.empty()) throw std::runtime_error("usage: papers [--backend B] [--seconds S] [--only E,...] MATRIX...");
  set_up();
  for (const std::string& matrix : matrices) try {
      run(s, matrix);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "papers: %s: %s\n", matrix.c_str(), e.what());
    }
} catch (const std::exception& e) {
  std::fprintf(stderr, "papers: %s\n", e.what());
  return 1;
}
