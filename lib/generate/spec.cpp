// From a specification's text to a matrix: names and values are checked, then the size, then it is made.
#include <algorithm>
#include <charconv>
#include <set>

#include "lib/core/border.hpp"
#include "lib/core/machine.hpp"
#include "lib/core/spelling.hpp"
#include "lib/generate/kind.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

// while a matrix is made: its columns twice, the second time with space to grow; values; edges, points, row pointers
constexpr std::int64_t kBytesPerEntry = 24, kBytesPerRow = 64;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

/// A specification that was read.
struct Spec {
  const gen::MatrixKind* kind;
  gen::Values values;

  [[nodiscard]] std::string name() const { return std::string(kind->shown.name); }
};

template <class List>
std::vector<std::string> names(const List& list) {
  std::vector<std::string> all;
  all.reserve(std::size(list));
  for (const auto& one : list) all.emplace_back(one.name);
  return all;
}

const gen::MatrixKind& kind_of(std::string_view name) {
  for (const gen::MatrixKind* kind : gen::kKinds)
    if (kind->shown.name == name) return *kind;
  refuse(unknown("kind of matrix", name, names(generators())));
}

/// One "name=value".
void assign(Spec& spec, std::string_view text) {
  const auto equals = text.find('=');
  const std::string name(text.substr(0, equals));
  const auto parameters = spec.kind->shown.parameters;
  const auto p = std::find_if(parameters.begin(), parameters.end(), [&](const auto& q) { return q.name == name; });
  if (p == parameters.end()) refuse(spec.name() + ": " + unknown("parameter", name, names(parameters)));
  if (equals == std::string_view::npos)
    refuse(spec.name() + ": " + name + " has no value; give one like " + name + "=" + std::to_string(p->fallback));
  const std::string_view digits = text.substr(equals + 1);
  const std::string given = name + "=" + std::string(digits);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    refuse(spec.name() + ": " + given + " is not a whole number");
  if (error == std::errc::result_out_of_range || value < p->least || value > p->most)
    refuse(spec.name() + ": " + given + " is not within " + std::to_string(p->least) + " and " +
           std::to_string(p->most));
  spec.values.set(name, value);
}

Spec parse(std::string_view text) {
  const auto colon = text.find(':');
  const gen::MatrixKind& kind = kind_of(text.substr(0, colon));
  Spec spec{&kind, gen::Values(kind.shown.parameters)};
  std::set<std::string_view> seen;
  for (auto end = colon; end != std::string_view::npos;) {
    text.remove_prefix(end + 1);
    end = text.find(',');
    const std::string_view one = text.substr(0, end), name = one.substr(0, one.find('='));
    assign(spec, one);
    if (!seen.insert(name).second) refuse(spec.name() + ": " + std::string(name) + " is given twice");
  }
  return spec;
}

GeneratedSize checked_size(const Spec& spec) {
  const auto [rows, cols, entries] = spec.kind->size(spec.values);
  if (std::max(rows, cols) > gen::kMostRows)
    throw Error(ErrorCode::overflow, spec.name() + ": there would be more than " + std::to_string(gen::kMostRows) +
                                         (rows > gen::kMostRows ? " rows" : " columns"));
  const std::int64_t bytes = gen::sum(gen::product({kBytesPerEntry, entries}), kBytesPerRow * rows);
  const std::int64_t memory = machine_memory();
  if (bytes > memory)
    throw Error(ErrorCode::out_of_memory, spec.name() + ": " + std::to_string(rows) + " rows and up to " +
                                              std::to_string(entries) + " entries would take about " +
                                              std::to_string(bytes >> 20) + " MiB, this machine has " +
                                              std::to_string(memory >> 20));
  return {rows, cols, entries, bytes};
}

}  // namespace

std::vector<Generator> generators() try {
  std::vector<Generator> all;
  for (const gen::MatrixKind* kind : gen::kKinds) all.push_back(kind->shown);
  return all;
} catch (...) {
  rethrow_as_error();
}

GeneratedSize generated_size(std::string_view spec) try { return checked_size(parse(spec)); } catch (...) {
  rethrow_as_error();
}

Csr<double> generate(std::string_view spec) try {
  const Spec parsed = parse(spec);
  static_cast<void>(checked_size(parsed));
  return parsed.kind->make(parsed.values);
} catch (...) {
  rethrow_as_error();
}

}  // namespace rowan
