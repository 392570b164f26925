#pragma once
// What the host's pipeline works with.
#include "models/policy.hpp"
#include <rowan/options.hpp>

namespace rowan {

struct Settings {
  const Options& options;
  const Policy& policy;
  std::int64_t block_rows = 65536;  // where the features of all rows do not fit; 2.4 MB of them, and work for several
  bool any_order = false;   // columns of a row of C may stand in any order: C is only multiplied by, and dropped
  bool small_path = false;  // small products go straight (small.hpp): nobody named a policy, an accumulator or a limit
};

}  // namespace rowan
