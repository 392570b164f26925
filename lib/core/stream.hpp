#pragma once
// Copies into memory that is not read soon.
#include <cstdint>

#include "lib/core/values.hpp"
#include <rowan/types.hpp>

namespace rowan {

/// Copies n entries around the caches; they are there for other threads when it returns.
#define ROWAN_DECLARE_COPY(V) void copy_around(const V* from, std::int64_t n, V* to);
ROWAN_DECLARE_COPY(Column)
ROWAN_FOR_EACH_VALUE(ROWAN_DECLARE_COPY)
#undef ROWAN_DECLARE_COPY

}  // namespace rowan
