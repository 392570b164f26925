#pragma once
// Policy files as text.
#include <string>

namespace rowan::test {

struct Decisions {
  std::string use_binning = R"([{"then": "yes"}])";
  std::string method = R"([{"then": "one_phase"}])";
  std::string symbolic = R"([{"then": "hash"}])";
  std::string numeric = R"([{"then": "hash"}])";
  std::string more = "";  // members, each with a comma behind it
};

inline constexpr const char* kAlternating =
    R"("alternating": {"from": "sort", "to": "dense-window", "words_per_step": 4}, )";

[[nodiscard]] inline std::string policy_text(const Decisions& d = {}) {
  return R"({"rowan_policy": 2, "name": "made-up", "kind": "rules", "about": "for a test", "source": "none", )" +
         d.more + R"("use_binning": )" + d.use_binning + R"(, "method": )" + d.method + R"(, "symbolic": )" +
         d.symbolic + R"(, "numeric": )" + d.numeric + "}";
}

/// The outcome `name` whatever the features.
[[nodiscard]] inline std::string always(const std::string& name) {
  return R"([{"then": ")" + name + R"("}])";
}

}  // namespace rowan::test
