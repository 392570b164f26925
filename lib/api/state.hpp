#pragma once
// What contexts and plans own.
#include <optional>

#include "lib/pipeline/multiply.hpp"
#include "models/loaded.hpp"
#include <rowan/context.hpp>

namespace rowan {

struct Context::State {
  Options options;
  std::optional<LoadedPolicy> loaded;
  Policy policy;

  [[nodiscard]] Environment environment() const { return {options, policy}; }
};

struct Plan::State {
  std::shared_ptr<const Context::State> context;
  Decided decided;
  Array<std::int64_t> row_ptr;  // of C
  Array<std::int32_t> col;      // of C
  std::int64_t cols = 0;
  std::uint64_t fingerprint = 0;  // of the inputs' patterns
};

/// Stages of one matrix pair that inspection, plans and symbolic() share: inputs inside, decided, counted.
template <class T>
struct Counted {
  Inputs<T> in;
  Stats stats;
  Decided decided;
  Array<std::int64_t> row_ptr;

  Counted(const CsrView<T>& a, const CsrView<T>& b, const Environment& env, const Team& team)
      : in(a, b, env.options.validate, team), decided(decide(in.a(), in.b(), env, team, stats)) {
    Monitor monitor(env.options, in.a().rows);
    row_ptr = count_rows(in, decided, team, monitor, stats);
    stats.bytes_temporary += in.bytes();
    stats.nnz = row_ptr[in.a().rows];
  }
  [[nodiscard]] std::int64_t bytes_c() const {
    return static_cast<std::int64_t>(row_ptr.size() * 8) +
           stats.nnz * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(T));
  }
};

}  // namespace rowan
