#include "lib/host/multiply.hpp"

#include <string>

#include "lib/core/values.hpp"
#include "lib/host/met_rows.hpp"
#include "lib/host/phases.hpp"
#include "lib/host/rows_in_place.hpp"
#include "lib/host/sampled.hpp"
#include "lib/host/small.hpp"
#include "lib/host/timer.hpp"
#include <rowan/error.hpp>

namespace rowan {

template <class T>
Csr<T> finished(const Inputs<T>& in, Array<Offset> row_ptr, CStorage<T> storage, std::int64_t most_held, Stats& stats) {
  const std::int64_t nnz = row_ptr[in.a().rows];
  storage.col.shrink(nnz), storage.val.shrink(nnz);
  stats.nnz = nnz;
  stats.bytes_c = (in.rows() + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)) +
                  nnz * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  stats.bytes_temporary = most_held - stats.bytes_c;
  return {in.rows(), in.b().cols, in.row_pointers(std::move(row_ptr)), std::move(storage.col), std::move(storage.val)};
}

template <class T>
std::optional<Csr<T>> multiply_decided(const Inputs<T>& in, Decided& decided, const Settings& settings,
                                       const Team& team, Budget& budget, Monitor& monitor, Stats& stats,
                                       const Finish<T>& finish) {
  const std::int64_t added = finish.addition == nullptr ? 0 : finish.addition->e.entries();
  const std::int64_t rows = in.a().rows, bound = decided.measured.all.bound + added;
  const std::string_view force = settings.options.force;
  std::int64_t most_held = 0;
  std::optional<CStorage<T>> storage;
  std::optional<PhasePlan<T>> numeric;
  if (decided.record.requested_method == Method::one_phase) {
    const Timer timer(stats.numeric);
    budget.c = c_bytes<T>(in.rows(), bound);
    numeric.emplace(phase_plan_that_fits<T>(in.a(), in.b(), decided, Phase::numeric, team, budget, force));
    if (!budget.fits(numeric->least))
      stats.method_reason = "C's upper bound of " + std::to_string(bound) + " entries does not fit the memory limit";
    else if (!(storage = CStorage<T>::reserve(bound)))
      stats.method_reason = "C's upper bound of " + std::to_string(bound) + " entries could not be reserved";
  }
  if (decided.record.sampled && !storage) return std::nullopt;  // rows must be counted first, and so measured
  stats.method = storage ? Method::one_phase : Method::two_phase;
  monitor.begin(storage ? rows : 2 * rows);
  Array<Offset> row_ptr(rows + 1);
  row_ptr[0] = 0;
  if (!storage) {
    budget.entries = least_entries(in.a(), in.b(), *decided.measured.b, team), budget.entries_counted = false;
    budget.c = c_bytes<T>(in.rows(), budget.entries);
    if (!budget.fits(0)) return std::nullopt;  // before anything is counted, which takes as long as multiplying
    {
      const Timer timer(stats.symbolic);
      decided.record.scratch = {};  // one phase had less to spare: C's upper bound stood beside it
      if (decided.record.requested_method == Method::one_phase) decide_symbolic(force, decided.record);
      budget.c = c_bytes<T>(in.rows(), 0);
      const PhasePlan<T> symbolic =
          phase_plan_that_fits<T>(in.a(), in.b(), decided, Phase::symbolic, team, budget, force);
      if (!budget.fits(symbolic.least)) return std::nullopt;
      count_rows(symbolic, row_ptr.data(), monitor);
      most_held = budget.held + budget.c + symbolic.bytes;
    }
    {
      const Timer timer(stats.deciding);
      decided.record.scratch = {};
      decide_again(decided.measured, row_ptr.data(), force, decided.record);
    }
    const Timer timer(stats.numeric);
    budget.entries = row_ptr[rows] + added, budget.entries_counted = true;
    budget.c = c_bytes<T>(in.rows(), budget.entries);
    numeric.emplace(phase_plan_that_fits<T>(in.a(), in.b(), decided, Phase::numeric, team, budget, force));
    if (!budget.fits(numeric->least)) return std::nullopt;
    if (!(storage = CStorage<T>::reserve(budget.entries)))
      throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(budget.c) + " bytes for C");
  }
  const Timer timer(stats.numeric);
  const bool streamed = static_cast<std::int64_t>(storage->val.size() * sizeof(T)) >= kStreamFrom;
  std::optional<Divider<T>> divider;
  if (finish.division != nullptr) divider.emplace(finish.division->inside, rows, numeric->chunks.size());
  row_ptr[rows] = fill_rows<T>(*numeric,
                               {.row_ptr = row_ptr.data(),
                                .col = storage->col.data(),
                                .val = storage->val.data(),
                                .streamed = streamed,
                                .divider = divider ? &*divider : nullptr,
                                .adder = finish.addition == nullptr ? nullptr : &finish.addition->e},
                               monitor);
  if (finish.addition != nullptr) finish.addition->done = true;
  stats.threads = numeric->team.size();
  most_held = std::max(most_held, budget.held + c_bytes<T>(in.rows(), row_ptr[rows]) + numeric->bytes);
  Csr<T> c = finished(in, std::move(row_ptr), std::move(*storage), most_held, stats);
  if (divider) {
    const std::int64_t width = finish.division->inside.last - finish.division->inside.first;
    typename Divider<T>::Outside outside = divider->outside();
    finish.division->outside.emplace(in.rows(), c.cols() - width, in.row_pointers(std::move(outside.row_ptr)),
                                     std::move(outside.col), std::move(outside.val));
    CsrArrays<T> inside = c.release();
    c = Csr<T>(in.rows(), width, std::move(inside.row_ptr), std::move(inside.col), std::move(inside.val));
  }
  return c;
}

namespace {

/// multiply() of the rows of B that A meets, which were checked when they were copied.
template <class T>
Csr<T> multiply_met(const MetRows<T>& met, const Settings& settings, Stats& stats, const Finish<T>& finish) {
  Options options = settings.options;
  options.validate = false;
  const Settings of_copies{.options = options,
                           .policy = settings.policy,
                           .block_rows = settings.block_rows,
                           .any_order = settings.any_order,
                           .small_path = settings.small_path};
  Csr<T> c = multiply(met.a(), met.b(), of_copies, stats, finish);
  stats.bytes_temporary += met.bytes();
  return c;
}

}  // namespace

template <class T>
Csr<T> multiply(const CsrView<T>& view_a, const CsrView<T>& view_b, const Settings& settings, Stats& stats,
                const Finish<T>& finish) {
  if (settings.small_path)
    if (std::optional<Csr<T>> c = multiply_small(view_a, view_b, settings, stats)) return *std::move(c);
  const Team team(settings.options.threads);
  const std::optional<MetRows<T>> met = [&]() -> std::optional<MetRows<T>> {
    if (settings.options.memory_limit != 0) return std::nullopt;  // a refusal says what all takes
    const Timer total(stats.total), prepare(stats.prepare);
    return MetRows<T>::copied(view_a, view_b, settings.options.validate, team);
  }();
  if (met) return multiply_met(*met, settings, stats, finish);
  const Timer total(stats.total);
  Budget budget(settings.options);
  const Inputs<T> in = [&] {
    const Timer timer(stats.prepare);
    return Inputs<T>(view_a, view_b, settings.options.validate, team, &budget,
                     finish.addition == nullptr ? EmptyRows::drop_many : EmptyRows::keep);  // E may have entries there
  }();
  const Operand<T>&a = in.a(), &b = in.b();
  Monitor monitor(settings.options);
  if (std::optional<Decided> decided = decide_sampled(a, b, settings, team, stats)) {
    Budget spare = budget;
    if (std::optional<Csr<T>> c = multiply_decided(in, *decided, settings, team, spare, monitor, stats, finish))
      return *std::move(c);
    stats.sampled = false, stats.method_reason.clear();
  }
  budget.require(fact_bytes(b), "the features of B's rows");
  budget.held += fact_bytes(b);
  const auto b_facts = [&] {
    const Timer timer(stats.features);
    return std::make_shared<const PatternFacts>(pattern_facts(b, team));
  }();
  check_products(a, b, b_facts->longest);
  const std::int64_t features = feature_bytes(a, b);
  const bool one_block = a.rows <= settings.block_rows;
  if (one_block) budget.require(features, "the features of C's rows");
  if (budget.fits(features)) {
    Decided decided = decide(a, b, settings, team, stats, {.b = b_facts});
    budget.held += features;
    std::optional<Csr<T>> c = multiply_decided(in, decided, settings, team, budget, monitor, stats, finish);
    if (c) return *std::move(c);
    if (one_block) budget.refuse();
    budget.held -= features;
  }
  return multiply_by_blocks(in, b_facts, settings, team, budget, monitor, stats);
}

template <class T>
void multiply_again(const Inputs<T>& in, const Decided& decided, std::span<const std::int64_t> row_ptr, T* val,
                    const Settings& settings, const Team& whole_team) {
  const Budget budget(settings.options, in.bytes());
  const PhasePlan<T> work(in.a(), in.b(), decided, Phase::numeric, whole_team, budget.spare());
  Monitor monitor(settings.options);
  monitor.begin(in.a().rows);
  fill_counted(work, decided, {row_ptr, nullptr, val}, monitor);
}

template <class T>
void multiply_into(const CsrView<T>& view_a, const CsrView<T>& view_b, const CountedTarget<T>& c,
                   const Settings& settings, Stats& stats) {
  const Timer total(stats.total);
  const Team team(settings.options.threads);
  Budget budget(settings.options);
  const Inputs<T> in = [&] {
    const Timer timer(stats.prepare);
    return Inputs<T>(view_a, view_b, settings.options.validate, team, &budget);
  }();
  const Operand<T>&a = in.a(), &b = in.b();
  const auto rows = static_cast<std::size_t>(in.rows());
  if (c.row_ptr.size() != rows + 1 || c.row_ptr[0] != 0)
    throw Error(ErrorCode::invalid_argument, "the sizes are of " + std::to_string(c.row_ptr.size()) +
                                                 " row pointers; C has " + std::to_string(rows) + " rows");
  std::shared_ptr<const PatternFacts> b_facts;
  multiply_counted(a, b, c, settings, team, budget, b_facts, stats);
}

#define ROWAN_INSTANTIATE(T)                                                                                         \
  template Csr<T> finished(const Inputs<T>&, Array<Offset>, CStorage<T>, std::int64_t, Stats&);                      \
  template std::optional<Csr<T>> multiply_decided(const Inputs<T>&, Decided&, const Settings&, const Team&, Budget&, \
                                                  Monitor&, Stats&, const Finish<T>&);                               \
  template Csr<T> multiply(const CsrView<T>&, const CsrView<T>&, const Settings&, Stats&, const Finish<T>&);         \
  template void multiply_again(const Inputs<T>&, const Decided&, std::span<const std::int64_t>, T*, const Settings&, \
                               const Team&);                                                                         \
  template void multiply_into(const CsrView<T>&, const CsrView<T>&, const CountedTarget<T>&, const Settings&, Stats&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
