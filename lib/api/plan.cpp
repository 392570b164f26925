#include <cstring>

#include "lib/api/fingerprint.hpp"
#include "lib/api/state.hpp"
#include "lib/core/border.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

template <class V>
Array<V> copied(std::span<const V> values) {
  Array<V> copy(values.size());
  std::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

Plan::State::Input input_of(const Pattern& m, const Team& team) {
  return {m.rows, m.cols, m.nnz(), fingerprint(m, m.nnz(), team)};
}

/// Whether the view's arrays have the planned sizes. Then they can be read, whatever they hold.
template <class T>
bool sized_as(const CsrView<T>& view, const Plan::State::Input& planned) {
  const bool turned = view.transposed;
  return (turned ? view.cols : view.rows) == planned.rows && (turned ? view.rows : view.cols) == planned.cols &&
         view.nnz() == planned.nnz && view.val.size() == view.col.size() &&
         static_cast<std::int64_t>(view.row_ptr.size()) == view.rows + 1;
}

template <class T>
std::shared_ptr<const Plan::State> make_plan_there(std::shared_ptr<const Context::State> context, const CsrView<T>& a,
                                                   const CsrView<T>& b) {
  const Team team(context->options.threads);
  const Inputs<T> in(a, b, context->options.validate, team);
  auto plan = std::make_shared<Plan::State>();
  plan->a = input_of(in.a(), team), plan->b = input_of(in.b(), team);
  plan->cols = in.b().cols;
  auto there = context->device->on<T>().plan(in.a(), in.b(), context->options);
  plan->row_ptr = copied<std::int64_t>(there->row_ptr.span()), plan->col = copied<std::int32_t>(there->col.span());
  plan->nprod = there->nprod;
  plan->on_device = std::make_shared<PlanOnDevice>();
  plan->on_device->of<T>() = std::move(there);
  plan->context = std::move(context);
  return plan;
}

template <class T>
void execute_there(const Plan::State& plan, const Inputs<T>& in, T* val) {
  const std::lock_guard lock(plan.on_device->lock);
  auto& there = plan.on_device->of<T>();
  const Context::State& context = *plan.context;
  if (!there) there = context.device->on<T>().plan(in.a(), in.b(), context.options);
  there->execute(in.a().val, in.b().val, val);
}

template <class T>
std::shared_ptr<const Plan::State> make_plan(std::shared_ptr<const Context::State> context, const CsrView<T>& a,
                                             const CsrView<T>& b) {
  if (context->device) return make_plan_there(std::move(context), a, b);
  Environment env = context->environment();
  env.block_rows = INT64_MAX;  // a plan keeps the features of all rows
  const Team team(env.options.threads);
  auto plan = std::make_shared<Plan::State>();
  Stats stats;
  const Inputs<T> in(a, b, env.options.validate, team);
  plan->decided = decide(in.a(), in.b(), env, team, stats);
  plan->a = input_of(in.a(), team), plan->b = input_of(in.b(), team);
  plan->cols = in.b().cols;
  // the product itself gives the pattern, in one phase where that can be
  Budget budget(env.options, in.bytes() + fact_bytes(in.b()) + feature_bytes(in.a(), in.b()));
  Monitor monitor(env.options);
  const std::optional<Csr<T>> c = multiply_decided(in, plan->decided, env, team, budget, monitor, stats);
  if (!c) budget.refuse();
  plan->row_ptr = copied(c->row_ptr()), plan->col = copied(c->col());
  budget.c = c_bytes<T>(in.a().rows, c->nnz());
  plan->replay =
      Replay::make(in.a(), in.b(), plan->decided.measured, plan->row_ptr.data(), plan->col.data(), team, budget);
  plan->nprod = plan->decided.measured.all.nprod;
  plan->context = std::move(context);
  return plan;
}

template <class T>
Csr<T> pattern_of(const Plan::State& plan) {
  const auto rows = static_cast<std::int64_t>(plan.row_ptr.size()) - 1;
  return {rows, plan.cols, copied<std::int64_t>(plan.row_ptr.span()), copied<std::int32_t>(plan.col.span()),
          Array<T>(plan.col.size())};
}

template <class T>
void execute_plan(const Plan::State& plan, const CsrView<T>& a, const CsrView<T>& b, Csr<T>& c) {
  const Environment env = plan.context->environment();
  const Team team(env.options.threads);
  const auto refuse = [] {
    throw Error(ErrorCode::invalid_argument, "the patterns of A and B are not those that were planned");
  };
  if (!sized_as(a, plan.a) || !sized_as(b, plan.b)) refuse();
  // a pattern that was planned was checked then; a copy is turned only of what was checked now
  const Inputs<T> in(a, b, env.options.validate && (a.transposed || b.transposed), team);
  const auto differs = [&](const Pattern& m, const Plan::State::Input& planned) {
    return fingerprint(m, planned.nnz, team) != planned.fingerprint;
  };
  const bool one = static_cast<const Pattern&>(in.a()) == in.b() && plan.a.fingerprint == plan.b.fingerprint;
  if (differs(in.a(), plan.a) || (!one && differs(in.b(), plan.b))) refuse();
  const auto rows = static_cast<std::int64_t>(plan.row_ptr.size()) - 1;
  if (c.rows() == 0 && c.nnz() == 0 && (rows != 0 || c.cols() != plan.cols))
    c = pattern_of<T>(plan);
  else if (c.rows() != rows || c.cols() != plan.cols || c.nnz() != static_cast<std::int64_t>(plan.col.size()) ||
           !std::equal(c.row_ptr().begin(), c.row_ptr().end(), plan.row_ptr.begin()))
    throw Error(ErrorCode::invalid_argument, "C has " + std::to_string(c.rows()) + " x " + std::to_string(c.cols()) +
                                                 " with " + std::to_string(c.nnz()) +
                                                 " entries in other rows than planned; give an empty C");
  if (plan.on_device)
    execute_there(plan, in, c.val().data());
  else if (plan.replay)
    plan.replay->run(in, plan.decided.measured, plan.row_ptr.data(), c.val().data(), env, team);
  else
    multiply_again(in, plan.decided, plan.row_ptr.data(), c.val().data(), env, team);
}

/// execute_plan() that makes a C whole or not at all.
template <class T>
void execute_whole(const Plan::State& plan, const CsrView<T>& a, const CsrView<T>& b, Csr<T>& c) {
  if (c.rows() != 0 || c.nnz() != 0) return execute_plan(plan, a, b, c);
  Csr<T> made(0, c.cols(), {}, {}, {});
  execute_plan(plan, a, b, made);
  c = std::move(made);
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

std::int64_t Plan::rows() const noexcept {
  return !state_ ? 0 : static_cast<std::int64_t>(state_->row_ptr.size()) - 1;
}
std::int64_t Plan::cols() const noexcept {
  return !state_ ? 0 : state_->cols;
}
std::int64_t Plan::nnz() const noexcept {
  return !state_ ? 0 : static_cast<std::int64_t>(state_->col.size());
}
std::int64_t Plan::bytes() const noexcept {
  if (!state_) return 0;
  const State& s = *state_;
  const auto pattern =
      static_cast<std::int64_t>(s.row_ptr.size() * sizeof(std::int64_t) + s.col.size() * sizeof(std::int32_t));
  if (s.on_device) {
    const std::lock_guard lock(s.on_device->lock);
    const PlanOnDevice& there = *s.on_device;
    return pattern + (there.floats ? there.floats->bytes : 0) + (there.doubles ? there.doubles->bytes : 0);
  }
  const auto rows = static_cast<std::int64_t>(s.decided.measured.rows.size());
  return pattern + rows * static_cast<std::int64_t>(sizeof(RowWork) + sizeof(std::uint8_t)) +
         (s.replay ? s.replay->bytes() : 0);
}
std::int64_t Plan::nprod() const noexcept {
  return !state_ ? 0 : state_->nprod;
}

}  // namespace rowan
