#include "lib/pipeline/budget.hpp"

#include <string>

#include "lib/core/machine.hpp"
#include <rowan/error.hpp>

namespace rowan {

Budget::Budget(const Options& options, std::int64_t held_before)
    : given(options.memory_limit != 0), limit(given ? options.memory_limit : machine_memory()), held(held_before) {}

void Budget::refuse(std::int64_t nnz) const {
  throw Error(given ? ErrorCode::memory_limit : ErrorCode::out_of_memory,
              "C has " + std::to_string(nnz) + " entries and needs " + std::to_string(needed) +
                  " bytes with its temporaries; the limit is " + std::to_string(limit));
}

}  // namespace rowan
