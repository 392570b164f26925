#include <utility>

#include "lib/api/state.hpp"
#include "lib/api/without_values.hpp"
#include "lib/core/border.hpp"
#include "lib/host/multiply.hpp"
#include "lib/host/replay/thin_product.hpp"
#include "lib/host/sampled.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

void remember_inputs(Plan::State& plan, const Pattern& a, const Pattern& b, const Team& team) {
  plan.a = PatternDigest(a, a.nnz(), plan.key, team), plan.b = PatternDigest(b, b.nnz(), plan.key, team);
  plan.alike = plan.a == plan.b, plan.c.cols = b.cols;
}

template <class T>
std::shared_ptr<const Plan::State> make_plan_there(std::shared_ptr<const Context::State> context, const CsrView<T>& a,
                                                   const CsrView<T>& b) {
  const Team team(context->options.threads);
  const Inputs<T> in(a, b, context->options.validate, team);
  auto plan = std::make_shared<Plan::State>();
  remember_inputs(*plan, in.a(), in.b(), team);
  auto there = context->device->on.of<T>().plan(in.a(), in.b(), context->options);
  plan->c.copy_of(there->row_ptr.span(), there->col.span());
  plan->nprod = there->nprod;
  plan->on_device = std::make_shared<PlanOnDevice>();
  plan->on_device->plans.of<T>() = std::move(there);
  plan->context = std::move(context);
  return plan;
}

template <class T>
void execute_there(const Plan::State& plan, const Inputs<T>& in, T* val) {
  const std::lock_guard lock(plan.on_device->lock);
  auto& there = plan.on_device->plans.of<T>();
  const Context::State& context = *plan.context;
  if (!there) there = context.device->on.of<T>().plan(in.a(), in.b(), context.options);
  there->execute(in.a().val, in.b().val, val);
}

/// What a plan knows of C where rows are not measured. `c`: null, or gets the product, which is then computed at once.
template <class T>
bool plan_unmeasured(Plan::State& plan, const Inputs<T>& in, const Settings& settings, const Team& team,
                     const Budget& given, Csr<T>* c) {
  Budget budget = given;
  if (c == nullptr) {
    std::optional<ThinPattern> thin = thin_pattern_of(in.a(), in.b(), settings, team, budget);
    if (!thin) return false;
    plan.c.row_ptr = std::move(thin->row_ptr), plan.c.col = std::move(thin->col);
    plan.thin.emplace(thin->chunks), plan.nprod = thin->nprod;
    return true;
  }
  Stats stats;
  std::optional<Decided> decided = decide_sampled(in.a(), in.b(), settings, team, stats);
  if (!decided) return false;
  Monitor monitor(settings.options);
  std::optional<Csr<T>> product = multiply_decided(in, *decided, settings, team, budget, monitor, stats);
  if (!product) return false;
  plan.c.copy_of(product->row_ptr(), std::as_const(*product).col());
  plan.thin.emplace(decided->chunks), plan.nprod = stats.nprod;
  *c = *std::move(product);
  return true;
}

template <class T>
std::shared_ptr<const Plan::State> make_plan(std::shared_ptr<const Context::State> context, const CsrView<T>& a,
                                             const CsrView<T>& b, Csr<T>* c = nullptr) {
  if (context->device) return make_plan_there(std::move(context), a, b);
  Settings settings = context->settings();
  settings.block_rows = INT64_MAX;  // a plan keeps the features of all rows
  const Team team(settings.options.threads);
  auto plan = std::make_shared<Plan::State>();
  Stats stats;
  Budget budget(settings.options);
  const Inputs<T> in(a, b, settings.options.validate, team, &budget);
  remember_inputs(*plan, in.a(), in.b(), team);
  budget.held += plan->a.bytes() + plan->b.bytes();
  if (plan_unmeasured(*plan, in, settings, team, budget, c)) {
    plan->context = std::move(context);
    return plan;
  }
  const std::int64_t features = fact_bytes(in.b()) + feature_bytes(in.a(), in.b());
  budget.require(features, "the features of A's, B's and C's rows");
  plan->decided = decide(in.a(), in.b(), settings, team, stats);
  budget.held += features;
  // the product itself gives the pattern, in one phase where that can be
  Monitor monitor(settings.options);
  std::optional<Csr<T>> product = multiply_decided(in, plan->decided, settings, team, budget, monitor, stats);
  if (!product) budget.refuse();
  plan->c.copy_of(product->row_ptr(), std::as_const(*product).col());
  budget.c = c_bytes<T>(in.a().rows, product->nnz());
  plan->replay =
      Replay::make(in.a(), in.b(), plan->decided.measured, plan->c.row_ptr.data(), plan->c.col.data(), team, budget);
  plan->nprod = plan->decided.measured.all.nprod;
  plan->context = std::move(context);
  if (c != nullptr) *c = *std::move(product);
  return plan;
}

[[noreturn]] void refuse_inputs() {
  throw Error(ErrorCode::invalid_argument, "the patterns of A and B are not those that were planned");
}

template <class T>
void check_inputs(const Plan::State& plan, const Inputs<T>& in, const Team& team) {
  const bool one = static_cast<const Pattern&>(in.a()) == in.b() && plan.alike;
  if (!plan.a.matches(in.a(), plan.key, team) || (!one && !plan.b.matches(in.b(), plan.key, team))) refuse_inputs();
}

/// `values_of_c()` gives the memory for C's values, after A and B were checked.
template <class T, class F>
void execute_plan(const Plan::State& plan, const CsrView<T>& a, const CsrView<T>& b, const F& values_of_c) {
  const Settings settings = plan.context->settings();
  const Team team(settings.options.threads);
  if (!sized_as(a, plan.a) || !sized_as(b, plan.b)) refuse_inputs();
  // a pattern that was planned was checked then; a copy is turned only of what was checked now
  const Inputs<T> in(a, b, settings.options.validate && (a.transposed || b.transposed), team);
  check_inputs(plan, in, team);
  T* const val = values_of_c(team);
  if (plan.on_device)
    execute_there(plan, in, val);
  else if (plan.thin)
    plan.thin->run(in, plan.c.row_ptr.data(), plan.c.col.data(), val, settings, team);
  else if (plan.replay)
    plan.replay->run(in, plan.decided.measured, plan.c.row_ptr.data(), val, settings, team);
  else
    multiply_again<T>(in, plan.decided, plan.c.row_ptr.span(), val, settings, team);
}

template <class T>
void execute_to(const Plan::State& plan, const CsrView<T>& a, const CsrView<T>& b, std::span<T> val) {
  plan.c.require_values(val.size());
  execute_plan(plan, a, b, [&](const Team&) { return val.data(); });
}

template <class T>
void execute_in(const Plan::State& plan, const CsrView<T>& a, const CsrView<T>& b, Csr<T>& c) {
  execute_plan(plan, a, b, [&](const Team& team) {
    plan.c.give_to(c, team);
    return c.val().data();
  });
}

/// A plan and its first product.
template <class T>
std::shared_ptr<const Plan::State> plan_and_multiply(const std::shared_ptr<const Context::State>& context,
                                                     const CsrView<T>& a, const CsrView<T>& b, Csr<T>& c) {
  Csr<T> made;
  std::shared_ptr<const Plan::State> plan = make_plan(context, a, b, &made);
  if (plan->on_device)
    execute_in(*plan, a, b, made);
  else
    plan->c.mark(made);
  c = std::move(made);
  return plan;
}

/// execute_in() that makes a C whole or not at all.
template <class T>
void execute_whole(const Plan::State& plan, const CsrView<T>& a, const CsrView<T>& b, Csr<T>& c) {
  whole_or_not(c, [&](Csr<T>& made) { execute_in(plan, a, b, made); });
}

}  // namespace

Plan Context::plan(const CsrView<float>& a, const CsrView<float>& b) const try {
  return Plan(make_plan(state(), a, b));
} catch (...) {
  rethrow_as_error();
}
Plan Context::plan(const CsrView<double>& a, const CsrView<double>& b) const try {
  return Plan(make_plan(state(), a, b));
} catch (...) {
  rethrow_as_error();
}

Plan Context::plan(const CsrView<float>& a, const CsrView<float>& b, Csr<float>& c) const try {
  return Plan(plan_and_multiply(state(), a, b, c));
} catch (...) {
  rethrow_as_error();
}
Plan Context::plan(const CsrView<double>& a, const CsrView<double>& b, Csr<double>& c) const try {
  return Plan(plan_and_multiply(state(), a, b, c));
} catch (...) {
  rethrow_as_error();
}
Plan Context::plan(const PatternView& a, const PatternView& b) const try {
  const WithoutValues views(a, b);
  return Plan(make_plan(state(), views.a, views.b));
} catch (...) {
  rethrow_as_error();
}

void Plan::execute(const CsrView<float>& a, const CsrView<float>& b, std::span<float> val) const try {
  execute_to(state(), a, b, val);
} catch (...) {
  rethrow_as_error();
}
void Plan::execute(const CsrView<double>& a, const CsrView<double>& b, std::span<double> val) const try {
  execute_to(state(), a, b, val);
} catch (...) {
  rethrow_as_error();
}
void Plan::execute(const CsrView<float>& a, const CsrView<float>& b, Csr<float>& c) const try {
  execute_whole(state(), a, b, c);
} catch (...) {
  rethrow_as_error();
}
void Plan::execute(const CsrView<double>& a, const CsrView<double>& b, Csr<double>& c) const try {
  execute_whole(state(), a, b, c);
} catch (...) {
  rethrow_as_error();
}

const Plan::State& Plan::state() const {
  if (!state_) throw Error(ErrorCode::invalid_argument, "the plan was moved from: it is empty, make another");
  return *state_;
}

std::span<const std::int64_t> Plan::row_ptr() const noexcept {
  return !state_ ? std::span<const std::int64_t>() : state_->c.row_ptr.span();
}
std::span<const Column> Plan::col() const noexcept {
  return !state_ ? std::span<const Column>() : state_->c.col.span();
}
std::int64_t Plan::rows() const noexcept {
  return !state_ ? 0 : state_->c.rows();
}
std::int64_t Plan::cols() const noexcept {
  return !state_ ? 0 : state_->c.cols;
}
std::int64_t Plan::nnz() const noexcept {
  return !state_ ? 0 : state_->c.nnz();
}
std::int64_t Plan::bytes() const noexcept {
  if (!state_) return 0;
  const State& s = *state_;
  const std::int64_t pattern = s.c.bytes() + s.a.bytes() + s.b.bytes();
  if (s.on_device) {
    const std::lock_guard lock(s.on_device->lock);
    std::int64_t on_device = 0;
    s.on_device->plans.for_each([&](const auto& plan) { on_device += plan ? plan->bytes : 0; });
    return pattern + on_device;
  }
  const auto rows = static_cast<std::int64_t>(s.decided.measured.rows.size());
  return pattern + rows * static_cast<std::int64_t>(sizeof(CRow) + sizeof(std::uint8_t)) +
         (s.replay ? s.replay->bytes() : 0) + (s.thin ? s.thin->bytes() : 0);
}
std::int64_t Plan::nprod() const noexcept {
  return !state_ ? 0 : state_->nprod;
}

}  // namespace rowan
