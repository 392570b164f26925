#include "lib/core/border.hpp"
#include <rowan/generate.hpp>
#include <rowan/io.hpp>

namespace rowan {

Csr<double> load_matrix(const std::string& source, const Progress& progress) try {
  const auto spec = generator_spec(source);
  return spec ? generate(*spec) : read_matrix(source, progress);
} catch (...) {
  rethrow_as_error();
}

std::optional<std::string_view> generator_spec(std::string_view source) noexcept {
  constexpr std::string_view kPrefix = "generated:";
  if (!source.starts_with(kPrefix)) return std::nullopt;
  return source.substr(kPrefix.size());
}

}  // namespace rowan
