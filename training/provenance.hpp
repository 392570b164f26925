#pragma once
// Where the policies compiled in come from, which the library does not need to know: cmake/provenance.cmake makes it
// from their files.
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rowan::training {

struct Provenance {
  std::string policy;
  std::string machines;             // "hosts", "devices", or empty: a paper's rules, which any machine can follow
  std::set<std::string> fitted_to;  // hashes of the products of its fit (training::hash_of)
};

/// Of a policy that is compiled in, by name, or null.
[[nodiscard]] const Provenance* provenance_of(std::string_view policy);

}  // namespace rowan::training
