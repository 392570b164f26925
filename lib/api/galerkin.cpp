// R·A·P, and plans of it.
#include "lib/host/galerkin/galerkin.hpp"

#include <utility>

#include "lib/api/state.hpp"
#include "lib/core/border.hpp"
#include "lib/host/timer.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {

/// Two multiplications, one after the other: of known patterns they are faster than the fused way, which would look for
/// columns again (1.9 against 0.95 times two new ones, smoothed aggregation).
struct GalerkinPlan::State {
  Plan ap, rap;
};

namespace {

template <class T>
Csr<T> on_device_twice(const Context& context, const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p,
                       GalerkinStats& stats) {
  const Timer timer(stats.total);
  const Csr<T> ap = named_galerkin(kProductAp, [&] { return context.multiply(a, p, &stats.ap); });
  Csr<T> c = named_galerkin(kProductRap, [&] { return context.multiply(r, ap.view(), &stats.rap); });
  stats.reason = "on a device it is two multiplications";
  stats.nprod_ap = stats.ap.nprod, stats.nprod_rap = stats.rap.nprod, stats.nnz = c.nnz();
  stats.bytes_c = stats.rap.bytes_c, stats.bytes_temporary = stats.ap.bytes_c + stats.rap.bytes_temporary;
  return c;
}

template <class T>
Csr<T> galerkin_with(const Context& context, const Context::State& state, const CsrView<T>& r, const CsrView<T>& a,
                     const CsrView<T>& p, GalerkinStats* stats, GalerkinWay way) {
  GalerkinStats mine;
  const auto multiply = [&] {
    if (!state.device) return rowan::galerkin(r, a, p, way, state.settings(), mine);
    check_galerkin(r, a, p, state.options.validate, Team(state.options.threads));
    if (way == GalerkinWay::fused)
      throw Error(ErrorCode::unsupported, "a device has no fused way for R A P; ask for automatic or two_products");
    return on_device_twice(context, r, a, p, mine);
  };
  Csr<T> c = multiply();
  if (stats != nullptr) *stats = std::move(mine);
  return c;
}

template <class T>
std::shared_ptr<const GalerkinPlan::State> make_plan(const Context& context, const Context::State& state,
                                                     const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p,
                                                     Csr<T>* c) {
  check_galerkin(r, a, p, state.options.validate, Team(state.options.threads));
  Csr<T> ap, rap;
  Plan first = named_galerkin(kProductAp, [&] { return context.plan(a, p, ap); });
  Plan second = named_galerkin(kProductRap, [&] { return context.plan(r, ap.view(), rap); });
  if (c != nullptr) *c = std::move(rap);
  return std::make_shared<GalerkinPlan::State>(GalerkinPlan::State{std::move(first), std::move(second)});
}

/// A·P's values, then those of C.
template <class T, class C>
void execute_both(const GalerkinPlan::State& plan, const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p,
                  C&& c) {
  Array<T> val(plan.ap.nnz());
  named_galerkin(kProductAp, [&] { plan.ap.execute(a, p, val.span()); });
  const CsrView<T> ap{.rows = plan.ap.rows(),
                      .cols = plan.ap.cols(),
                      .row_ptr = plan.ap.row_ptr(),
                      .col = plan.ap.col(),
                      .val = std::span<const T>(val.span())};
  named_galerkin(kProductRap, [&] { plan.rap.execute(r, ap, std::forward<C>(c)); });
}

}  // namespace

#define ROWAN_DEFINE(T)                                                                                             \
  Csr<T> Context::galerkin(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, GalerkinStats* stats,     \
                           GalerkinWay way) const try {                                                             \
    return galerkin_with(*this, *state(), r, a, p, stats, way);                                                     \
  } catch (...) {                                                                                                   \
    rethrow_as_error();                                                                                             \
  }                                                                                                                 \
  Csr<T> Context::galerkin(const CsrView<T>& a, const CsrView<T>& p, GalerkinStats* stats, GalerkinWay way) const { \
    return galerkin(transposed(p), a, p, stats, way);                                                               \
  }                                                                                                                 \
  GalerkinPlan Context::plan_galerkin(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, Csr<T>* c)     \
      const try {                                                                                                   \
    return GalerkinPlan(make_plan(*this, *state(), r, a, p, c));                                                    \
  } catch (...) {                                                                                                   \
    rethrow_as_error();                                                                                             \
  }                                                                                                                 \
  GalerkinPlan Context::plan_galerkin(const CsrView<T>& a, const CsrView<T>& p, Csr<T>* c) const {                  \
    return plan_galerkin(transposed(p), a, p, c);                                                                   \
  }                                                                                                                 \
  void GalerkinPlan::execute(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, Csr<T>& c) const try {  \
    execute_both(state(), r, a, p, c);                                                                              \
  } catch (...) {                                                                                                   \
    rethrow_as_error();                                                                                             \
  }                                                                                                                 \
  void GalerkinPlan::execute(const CsrView<T>& a, const CsrView<T>& p, Csr<T>& c) const {                           \
    execute(transposed(p), a, p, c);                                                                                \
  }                                                                                                                 \
  void GalerkinPlan::execute(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, std::span<T> val)       \
      const try {                                                                                                   \
    execute_both(state(), r, a, p, val);                                                                            \
  } catch (...) {                                                                                                   \
    rethrow_as_error();                                                                                             \
  }                                                                                                                 \
  void GalerkinPlan::execute(const CsrView<T>& a, const CsrView<T>& p, std::span<T> val) const {                    \
    execute(transposed(p), a, p, val);                                                                              \
  }                                                                                                                 \
  Csr<T> galerkin(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, const Options& options) {          \
    return Context(options).galerkin(r, a, p);                                                                      \
  }                                                                                                                 \
  Csr<T> galerkin(const CsrView<T>& a, const CsrView<T>& p, const Options& options) {                               \
    return Context(options).galerkin(a, p);                                                                         \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

const GalerkinPlan::State& GalerkinPlan::state() const {
  if (!state_) throw Error(ErrorCode::invalid_argument, "the plan was moved from: it is empty, make another");
  return *state_;
}
std::span<const std::int64_t> GalerkinPlan::row_ptr() const noexcept {
  return !state_ ? std::span<const std::int64_t>() : state_->rap.row_ptr();
}
std::span<const Column> GalerkinPlan::col() const noexcept {
  return !state_ ? std::span<const Column>() : state_->rap.col();
}
std::int64_t GalerkinPlan::rows() const noexcept {
  return !state_ ? 0 : state_->rap.rows();
}
std::int64_t GalerkinPlan::cols() const noexcept {
  return !state_ ? 0 : state_->rap.cols();
}
std::int64_t GalerkinPlan::nnz() const noexcept {
  return !state_ ? 0 : state_->rap.nnz();
}
std::int64_t GalerkinPlan::bytes() const noexcept {
  return !state_ ? 0 : state_->ap.bytes() + state_->rap.bytes();
}

}  // namespace rowan
