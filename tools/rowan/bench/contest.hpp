#pragma once
// One product, all contestants, interleaved.
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/rowan/bench/contestant.hpp"
#include "tools/rowan/bench/machine.hpp"
#include "tools/rowan/bench/product.hpp"

namespace rowan::tool::bench {

struct Rules {
  int threads = 1;
  int rounds = 5;           // turns of each contestant
  double seconds = 1;       // of each contestant's work, all turns together; one multiplication a turn at least
  double timeout = 120;     // for one answer
  bool stages = false;      // keep rowan's stage timers
  bool large = false;       // too large for all but rowan
  bool one_by_one = false;  // not interleaved, even where memory allows it
  bool on_device = false;   // the machine's floor and the processes' memory say nothing of it
  Machine machine = {};
  std::function<void(const std::string&)> status = [](const std::string&) {};
};

/// The record of one product: sizes, floors, and for each contestant its times or its fault.
[[nodiscard]] nlohmann::ordered_json contest(const Product& product, const std::vector<Contestant>& contestants,
                                             const Rules& rules);

}  // namespace rowan::tool::bench
