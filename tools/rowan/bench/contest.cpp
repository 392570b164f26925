#include "tools/rowan/bench/contest.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "tools/rowan/bench/child.hpp"
#include "tools/rowan/bench/compare.hpp"
#include <rowan/rowan.hpp>

namespace rowan::tool::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kFileA = "A.bin", *kFileB = "B.bin";

/// A folder that goes away with what is in it.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "rowan-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error(ErrorCode::io, name + ": cannot be created");
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// A contestant at work on this product.
struct Entrant {
  const Contestant* who;
  std::unique_ptr<Child> child = {};
  std::vector<double> seconds = {};
  double spent = 0;
  Json stages = {};
  double fastest_staged = 0;
  double device_bytes = 0;    // at most; 0 where it does not say
  std::int64_t resident = 0;  // with A and B alone, in its own form
  std::string fault = {}, difference = {};

  /// Runs `step`; what goes wrong in it ends this contestant's part.
  template <class F>
  void guarded(const F& step) {
    if (!fault.empty()) return;
    try {
      step();
    } catch (const Fault& e) {
      fault = e.what();
      child.reset();
    } catch (const nlohmann::json::exception&) {
      fault = "did not answer as bench/peers/PROTOCOL.md says";
      child.reset();
    }
  }
};

void start(Entrant& e, const std::string& a, const std::string& b, const Rules& rules) {
  std::vector<std::string> command = e.who->command;
  command.insert(command.end(), {a, b, std::to_string(rules.threads)});
  e.child = std::make_unique<Child>(command, rules.threads);
  e.child->ask("", rules.timeout);
  e.resident = e.child->resident_bytes();
}

/// The first multiplication: not timed, compared.
void check(Entrant& e, const Expected& expected, const std::string& file, double timeout) {
  e.child->ask("write " + file, timeout);
  e.difference = expected.difference(file, {.single = e.who->single, .sorted = e.who->sorted});
  std::error_code ignored;
  fs::remove(file, ignored);
}

void take_turn(Entrant& e, const Rules& rules) {
  constexpr std::size_t kEnough = 3;  // multiplications, where one takes longer than the whole budget
  if (e.seconds.size() >= kEnough && e.spent > rules.seconds) return;
  if (!e.seconds.empty() && e.spent > 10 * rules.seconds) return;
  const auto answer = e.child->ask("run " + std::to_string(rules.seconds / rules.rounds), rules.timeout);
  if (!answer.contains("seconds") || !answer["seconds"].is_array() || answer["seconds"].empty())
    throw Fault("answered without times");
  for (const auto& s : answer["seconds"]) e.seconds.push_back(s.get<double>()), e.spent += e.seconds.back();
  e.device_bytes = std::max(e.device_bytes, answer.value("device_bytes", 0.0));
  if (!answer.contains("stages") || !rules.stages) return;
  const double total = answer["stages"].value("total", 0.0);
  if (e.stages.empty() || total < e.fastest_staged) e.stages = answer["stages"], e.fastest_staged = total;
}

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

/// A and B count as they are in CSR: their other forms, the program itself and its libraries are not what a
/// multiplication takes.
Json record(Entrant& e, std::int64_t nprod, double bytes_in, bool on_device) {
  Json r{{"name", e.who->name}, {"kind", e.who->reuse ? "reuse" : "full"}, {"rowan", e.who->rowan}};
  if (!e.who->sorted) r["sorted"] = false;
  if (!e.fault.empty()) {
    r["error"] = e.fault;
    return r;
  }
  if (!e.difference.empty()) r["error"] = "wrong: " + e.difference;
  std::sort(e.seconds.begin(), e.seconds.end());
  const double median = quantile(e.seconds, 0.5);
  r["min"] = e.seconds.front(), r["median"] = median;
  const double low = quantile(e.seconds, 0.25), high = quantile(e.seconds, 0.75);
  r["quartiles"] = {low, high};
  r["spread"] = (high - low) / median;
  r["runs"] = e.seconds.size();
  r["gflops"] = 2.0 * static_cast<double>(nprod) / e.seconds.front() * 1e-9;
  if (!on_device)
    r["peak_bytes"] = bytes_in + std::max(0.0, static_cast<double>(e.child->peak_bytes() - e.resident));
  else if (e.device_bytes > 0)
    r["peak_bytes"] = bytes_in + e.device_bytes;
  if (!e.stages.empty()) r["stages"] = e.stages;
  return r;
}

double bytes(std::int64_t rows, std::int64_t nnz) {
  return 12.0 * static_cast<double>(nnz) + 8.0 * static_cast<double>(rows + 1);
}

/// Brings a contestant to where it can be timed: started, its C compared (if it is known), its memory counted from
/// here.
void enter(Entrant& e, const Product& p, const Scratch& scratch, const Expected* expected, const Rules& rules) {
  rules.status(p.name + ": " + e.who->name + " starts");
  e.guarded([&] { start(e, scratch.file(kFileA), scratch.file(p.square ? kFileA : kFileB), rules); });
  if (expected != nullptr) e.guarded([&] { check(e, *expected, scratch.file("C.bin"), rules.timeout); });
  e.guarded([&] { e.child->reset_peak(); });  // conversions and the writing of C are not its memory
}

void play_round(Entrant& e, const Product& p, int round, const Rules& rules) {
  rules.status(fmt::format("{}: {}, round {} of {}", p.name, e.who->name, round + 1, rules.rounds));
  e.guarded([&] { take_turn(e, rules); });
}

/// What all contestants may hold together between their runs: their forms of A and B, and what their allocators keep of
/// C.
bool all_fit(const Rules& rules, std::size_t contestants, double bytes_all) {
  return static_cast<double>(contestants) * bytes_all <= 0.5 * rules.machine.bytes_memory;
}

}  // namespace

Json contest(const Product& p, const std::vector<Contestant>& contestants, const Rules& rules) {
  const std::int64_t nprod = count_products(p.a, p.view_b());
  std::vector<Entrant> entrants;
  for (const Contestant& c : contestants)
    if (c.rowan || !rules.large) entrants.push_back({.who = &c});
  const Scratch scratch;
  write_matrix(scratch.file(kFileA), p.a.view(), Format::binary);
  if (!p.square) write_matrix(scratch.file(kFileB), p.b.view(), Format::binary);
  const std::int64_t nnz_c = Context().symbolic(p.a, p.view_b()).nnz;
  const double bytes_in = bytes(p.a.rows(), p.a.nnz()) + (p.square ? 0 : bytes(p.b.rows(), p.b.nnz()));
  const double bytes_c = bytes(p.a.rows(), nnz_c);
  const bool interleaved = !rules.one_by_one && all_fit(rules, entrants.size(), bytes_in + bytes_c);
  std::unique_ptr<Expected> expected;  // null for large products: the memory has no space for two more C
  if (!rules.large) expected = std::make_unique<Expected>(p);
  Json results = Json::array();
  if (interleaved) {
    for (Entrant& e : entrants) enter(e, p, scratch, expected.get(), rules);
    expected.reset();
    release_memory();
    std::mt19937 random(1);
    std::vector<std::size_t> order(entrants.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int round = 0; round < rules.rounds; round++) {
      // another order each time: memory that one gives back may be what another gets
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) play_round(entrants[i], p, round, rules);
    }
    for (Entrant& e : entrants) results.push_back(record(e, nprod, bytes_in, rules.on_device));
  } else {
    release_memory();
    for (Entrant& e : entrants) {
      enter(e, p, scratch, expected.get(), rules);
      for (int round = 0; round < rules.rounds; round++) play_round(e, p, round, rules);
      results.push_back(record(e, nprod, bytes_in, rules.on_device));
      e.child.reset();  // the machine is the next one's
    }
  }
  const Machine& m = rules.machine;
  Json product{{"name", p.name},     {"rows", p.a.rows()},         {"cols", p.view_b().cols},
               {"nnz_a", p.a.nnz()}, {"nnz_b", p.view_b().nnz()},  {"nprod", nprod},
               {"nnz_c", nnz_c},     {"bytes", bytes_in + bytes_c}};
  if (!rules.on_device) {
    product["floor"] = seconds_at(m.copy_rate, bytes_in + bytes_c);
    product["touch_floor"] = seconds_at(m.copy_rate, bytes_in) + seconds_at(m.first_touch_rate, bytes_c);
  }
  product["interleaved"] = interleaved;
  product["results"] = results;
  return product;
}

}  // namespace rowan::tool::bench
