#include "lib/host/sized_product.hpp"

#include "lib/core/values.hpp"
#include "lib/host/phases.hpp"
#include "lib/host/timer.hpp"

namespace rowan {

template <class T>
SizedProduct<T>::SizedProduct(const CsrView<T>& view_a, const CsrView<T>& view_b, const Settings& settings,
                              const Team& team, EmptyRows empty_rows, std::int64_t row_report)
    : budget(settings.options), in(view_a, view_b, settings.options.validate, team, &budget, empty_rows) {
  const Operand<T>&a = in.a(), &b = in.b();
  const std::string_view force = settings.options.force;
  const std::int64_t rows = fact_bytes(b) + feature_bytes(a, b) + in.rows() * row_report;
  budget.require(rows, "the features of the rows");
  budget.held += rows;
  decided = decide(a, b, settings, team, stats);
  Monitor monitor(settings.options);
  monitor.begin(a.rows);
  row_ptr = Array<Offset>(a.rows + 1);
  row_ptr[0] = 0;
  decide_symbolic(force, decided.record);
  const Timer timer(stats.symbolic);
  const PhasePlan<T> symbolic = phase_plan_that_fits<T>(a, b, decided, Phase::symbolic, team, budget, force);
  if (!budget.fits(symbolic.least)) budget.refuse();
  count_rows(symbolic, row_ptr.data(), monitor);
  const std::int64_t counting = budget.held + budget.c + symbolic.bytes;
  stats.nnz = row_ptr[a.rows];
  budget.c = c_bytes<T>(in.rows(), stats.nnz);
  const PhasePlan<T> numeric = phase_plan_that_fits<T>(a, b, decided, Phase::numeric, team, budget, force);
  stats.bytes_temporary = std::max(counting, budget.held + budget.c + numeric.bytes) - bytes_c();
}

template <class T>
std::int64_t SizedProduct<T>::bytes_c() const {
  return (in.rows() + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)) +
         stats.nnz * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
}

#define ROWAN_INSTANTIATE(T) template struct SizedProduct<T>;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
