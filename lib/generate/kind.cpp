#include "lib/generate/kind.hpp"

#include <algorithm>

#include <rowan/error.hpp>

namespace rowan::gen {

Values::Values(std::span<const GeneratorParameter> parameters) : parameters_(parameters) {
  for (const GeneratorParameter& p : parameters) values_.push_back(p.fallback);
}

std::size_t Values::place(std::string_view name) const {
  const auto found =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const auto& p) { return p.name == name; });
  return static_cast<std::size_t>(found - parameters_.begin());
}

std::int64_t Values::operator[](std::string_view name) const {
  return values_.at(place(name));
}

void Values::set(std::string_view name, std::int64_t value) {
  values_.at(place(name)) = value;
}

std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t all = 1;
  if (std::find(factors.begin(), factors.end(), 0) != factors.end()) return 0;
  for (const std::int64_t f : factors)
    if (__builtin_mul_overflow(all, f, &all)) return std::numeric_limits<std::int64_t>::max();
  return all;
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t all = 0;
  return __builtin_add_overflow(a, b, &all) ? std::numeric_limits<std::int64_t>::max() : all;
}

void require(bool holds, const char* message) {
  if (!holds) throw Error(ErrorCode::invalid_argument, message);
}

}  // namespace rowan::gen
