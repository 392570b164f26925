#pragma once
// What the fuzzers feed and the tests replay: each takes any bytes, as a hostile file would hold them, and throws
// Broken where rowan did not keep its word. A refusal (rowan::Error) is its word kept.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

namespace rowan::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

/// A Matrix Market file: refused with name and line, or a valid matrix that survives being written and read.
void matrix_market(Bytes file);
/// A gzip file around a matrix; and the bytes themselves, compressed in two members and inflated.
void gzip(Bytes file);
/// A binary CSR file: refused by name, or a valid matrix that is written as the same bytes.
void binary(Bytes file);
/// A policy file: refused by name, or one whose choices give the right product whatever they are.
void policy(Bytes file);

struct Target {
  std::string_view name;  // of its folder in tests/fuzz/corpus
  void (*run)(Bytes);
};
inline constexpr Target kTargets[] = {
    {"matrix_market", matrix_market}, {"gzip", gzip}, {"binary", binary}, {"policy", policy}};

}  // namespace rowan::fuzz
