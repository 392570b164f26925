#pragma once
// Copies into memory that is not read soon.
#include <cstdint>

namespace rowan {

/// Copies n entries around the caches; they are there for other threads when it returns.
void copy_around(const std::int32_t* from, std::int64_t n, std::int32_t* to);
void copy_around(const float* from, std::int64_t n, float* to);
void copy_around(const double* from, std::int64_t n, double* to);

}  // namespace rowan
