#include <cstring>

#include "lib/api/state.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;

template <class V>
std::uint64_t mix(std::uint64_t hash, const V* values, std::int64_t n) {
  for (std::int64_t i = 0; i < n; i++) hash = (hash ^ static_cast<std::uint64_t>(values[i])) * kPrime;
  return hash ^ (hash >> 29);
}

template <class V>
Array<V> copied(std::span<const V> values) {
  Array<V> copy(values.size());
  std::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

/// Tells patterns apart: a plan for one pattern gives nonsense for another. O(rows + nnz).
std::uint64_t fingerprint(const Pattern& a, const Pattern& b) {
  std::uint64_t hash = kPrime;
  for (const Pattern* m : {&a, &b}) {
    const std::int64_t size[] = {m->rows, m->cols};
    hash = mix(hash, size, 2);
    hash = mix(hash, m->ptr, m->rows + 1);
    hash = mix(hash, m->col, m->nnz());
  }
  return hash;
}

template <class T>
std::shared_ptr<const Plan::State> make_plan(std::shared_ptr<const Context::State> context, const CsrView<T>& a,
                                             const CsrView<T>& b) {
  Environment env = context->environment();
  env.block_rows = INT64_MAX;  // a plan keeps the features of all rows
  const Team team(env.options.threads);
  auto plan = std::make_shared<Plan::State>();
  Stats stats;
  const Inputs<T> in(a, b, env.options.validate, team);
  plan->decided = decide(in.a(), in.b(), env, team, stats);
  plan->fingerprint = fingerprint(in.a(), in.b());
  plan->cols = in.b().cols;
  // the product itself gives the pattern, in one phase where that can be
  Budget budget(env.options, in.bytes() + fact_bytes(in.b()) + feature_bytes(in.a(), in.b()));
  Monitor monitor(env.options);
  const std::optional<Csr<T>> c = multiply_decided(in, plan->decided, env, team, budget, monitor, stats);
  if (!c) budget.refuse(stats.nnz);
  plan->row_ptr = copied(c->row_ptr()), plan->col = copied(c->col());
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
  const Inputs<T> in(a, b, env.options.validate, team);
  if (fingerprint(in.a(), in.b()) != plan.fingerprint)
    throw Error(ErrorCode::invalid_argument, "the patterns of A and B are not those that were planned");
  const auto rows = static_cast<std::int64_t>(plan.row_ptr.size()) - 1;
  if (c.rows() == 0 && c.nnz() == 0 && (rows != 0 || c.cols() != plan.cols))
    c = pattern_of<T>(plan);
  else if (c.rows() != rows || c.cols() != plan.cols || c.nnz() != static_cast<std::int64_t>(plan.col.size()) ||
           !std::equal(c.row_ptr().begin(), c.row_ptr().end(), plan.row_ptr.begin()))
    throw Error(ErrorCode::invalid_argument, "C has " + std::to_string(c.rows()) + " x " + std::to_string(c.cols()) +
                                                 " with " + std::to_string(c.nnz()) +
                                                 " entries in other rows than planned; give an empty C");
  multiply_again(in, plan.decided, plan.row_ptr.data(), c.val().data(), env, team);
}

}  // namespace

Plan Context::plan(const CsrView<float>& a, const CsrView<float>& b) const {
  return Plan(make_plan(state_, a, b));
}
Plan Context::plan(const CsrView<double>& a, const CsrView<double>& b) const {
  return Plan(make_plan(state_, a, b));
}

void Plan::execute(const CsrView<float>& a, const CsrView<float>& b, Csr<float>& c) const {
  execute_plan(*state_, a, b, c);
}
void Plan::execute(const CsrView<double>& a, const CsrView<double>& b, Csr<double>& c) const {
  execute_plan(*state_, a, b, c);
}

std::int64_t Plan::rows() const noexcept {
  return static_cast<std::int64_t>(state_->row_ptr.size()) - 1;
}
std::int64_t Plan::cols() const noexcept {
  return state_->cols;
}
std::int64_t Plan::nnz() const noexcept {
  return static_cast<std::int64_t>(state_->col.size());
}
std::int64_t Plan::nprod() const noexcept {
  return state_->decided.measured.all.nprod;
}

}  // namespace rowan
