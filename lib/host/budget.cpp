#include "lib/host/budget.hpp"

#include "lib/core/machine.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

[[noreturn]] void refuse_all(const Budget& budget, const std::string& what) {
  throw Error(budget.given ? ErrorCode::memory_limit : ErrorCode::out_of_memory,
              what + "; the limit is " + std::to_string(budget.limit));
}

}  // namespace

Budget::Budget(const Options& options, std::int64_t held_before)
    : given(options.memory_limit != 0), limit(given ? options.memory_limit : machine_memory()), held(held_before) {}

void Budget::require(std::int64_t bytes, const std::string& what) {
  if (fits(bytes)) return;
  const std::string beside = needed == bytes ? "" : ", which with all that is held needs " + std::to_string(needed);
  refuse_all(*this, what + " take " + std::to_string(bytes) + " bytes" + beside);
}

void Budget::refuse(const std::string& name) const {
  std::string what = name + " has " + std::string(entries_counted ? "" : "at least ") + std::to_string(entries) +
                     " entries and needs " + std::to_string(needed) + " bytes: ";
  what += std::to_string(c) + " for itself, " + std::to_string(held) + " for copies of A and B and the features of " +
          "their rows, " + std::to_string(work) + " to work in";
  refuse_all(*this, what);
}

}  // namespace rowan
