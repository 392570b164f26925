#include "lib/api/state.hpp"
#include "lib/api/without_values.hpp"
#include "lib/core/border.hpp"
#include "lib/host/replay/thin_product.hpp"

namespace rowan {
namespace {

std::optional<CsrPattern> thin_pattern(const Context::State& context, const CsrView<float>& a,
                                       const CsrView<float>& b) {
  const Settings settings = context.settings();
  const Team team(settings.options.threads);
  Budget budget(settings.options);
  const Inputs<float> in(a, b, settings.options.validate, team, &budget);
  std::optional<ThinPattern> thin = thin_pattern_of(in.a(), in.b(), settings, team, budget);
  if (!thin) return std::nullopt;
  return CsrPattern{in.rows(), in.b().cols, std::move(thin->row_ptr), std::move(thin->col)};
}

}  // namespace

CsrPattern Context::pattern(const PatternView& a, const PatternView& b) const try {
  const WithoutValues views(a, b);
  if (!state()->device)
    if (std::optional<CsrPattern> thin = thin_pattern(*state(), views.a, views.b)) return *std::move(thin);
  CsrArrays<float> c = multiply(views.a, views.b).release();
  return {c.rows, c.cols, std::move(c.row_ptr), std::move(c.col)};
} catch (...) {
  rethrow_as_error();
}

CsrPattern pattern(const PatternView& a, const PatternView& b, const Options& options) try {
  return Context(options).pattern(a, b);
} catch (...) {
  rethrow_as_error();
}

}  // namespace rowan
