#include "lib/host/galerkin/galerkin.hpp"

#include <string>

#include "lib/core/prepared.hpp"
#include "lib/core/values.hpp"
#include "lib/core/view.hpp"
#include "lib/host/assemble.hpp"
#include "lib/host/budget.hpp"
#include "lib/host/galerkin/runner.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/multiply.hpp"
#include "lib/host/sampled.hpp"
#include "lib/host/timer.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

using fused::FusedRunner;
using fused::GalerkinSizes;

/// Whether R is P or its transpose.
template <class T>
bool shows_same_memory(const CsrView<T>& r, CsrView<T> p) {
  p.transposed = r.transposed;
  return same_matrix(r, p) && r.val.size() == p.val.size() && r.row_ptr.size() == p.row_ptr.size();
}

/// Chunks for so many workers. Neighbouring chunks make some rows of A·P twice, one window of them; with four chunks a
/// worker that was 1.5 to 1.9 times the rows.
std::int64_t pieces_for(int workers) {
  constexpr std::int64_t kOneWorker = 16;  // for progress and cancelling
  return workers == 1 ? kOneWorker : workers;
}

int worth(const GalerkinSizes& sizes, const Team& team) {
  return sizes.nprod_ap > kSampledAlone ? team.size() : 1;
}

/// As many workers as the work is worth and the budget has room for; none where there is no room for one.
template <class T>
int workers_for(const Pattern& a, const Pattern& p, const GalerkinSizes& sizes, const Team& team, Budget& budget) {
  const std::int64_t scratch = FusedRunner<T>::scratch_bytes(a, p, sizes);
  const std::int64_t each = scratch + kBuffers * ChunkBuffer<T>::bytes(largest(sizes.chunks));
  if (worth(sizes, team) > 1) {
    const std::int64_t room = budget.spare() / std::max<std::int64_t>(each, 1);
    if (room > 1) return static_cast<int>(std::min<std::int64_t>(room, team.size()));
  }
  return budget.fits(scratch) ? 1 : 0;
}

/// Empty where the memory limit has no room for it.
template <class T>
std::optional<Csr<T>> multiply_fused(const Operand<T>& r, const Operand<T>& a, const Operand<T>& p,
                                     const GalerkinSizes& sizes, const Settings& settings, const Team& whole_team,
                                     Budget budget, GalerkinStats& stats) {
  if (sizes.chunks.empty() || sizes.nprod_ap > kMaxOffset || sizes.nprod_ap > fused::MiddleRows<T>::kMostEntries ||
      sizes.longest_middle > fused::MiddleRows<T>::kLongest)
    return std::nullopt;
  const Timer timer(stats.numeric);
  budget.c = c_bytes<T>(r.rows, sizes.bound);
  const int workers = workers_for<T>(a, p, sizes, whole_team, budget);
  if (workers == 0) return std::nullopt;
  std::optional<CStorage<T>> storage = CStorage<T>::reserve(sizes.bound);
  if (!storage) return std::nullopt;
  Monitor monitor(settings.options);
  monitor.begin(r.rows);
  Array<Offset> row_ptr(r.rows + 1);
  row_ptr[0] = 0;
  const FusedRunner<T> runner(r, a, p, sizes);
  const CTarget<T> c{row_ptr.data(), storage->col.data(), storage->val.data()};
  const Team team = workers == whole_team.size() ? whole_team : Team(workers);
  const Offset nnz = workers == 1 ? assemble_in_place(runner, sizes.chunks, c, monitor)
                                  : assemble_by_look_back(runner, sizes.chunks, c, team, monitor);
  storage->col.shrink(nnz), storage->val.shrink(nnz);
  stats.threads = workers, stats.nprod_ap = sizes.nprod_ap;
  stats.rows_twice = std::max<std::int64_t>(0, runner.rows_made() - a.rows), stats.nprod_rap = runner.nprod();
  const std::int64_t buffers = workers == 1 ? 0 : kBuffers * workers * ChunkBuffer<T>::bytes(largest(sizes.chunks));
  stats.bytes_temporary = budget.held + buffers + workers * FusedRunner<T>::scratch_bytes(a, p, sizes);
  return Csr<T>(r.rows, p.cols, widened(std::move(row_ptr)), std::move(storage->col), std::move(storage->val));
}

template <class T>
Csr<T> multiply_twice(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, const Settings& settings,
                      GalerkinStats& stats) {
  Options options = settings.options;
  options.validate = false;
  double done = 0;  // of both
  if (settings.options.progress)
    options.progress = [&](double share) { settings.options.progress((done + share) / 2); };
  const Settings each{.options = options,
                      .policy = settings.policy,
                      .block_rows = settings.block_rows,
                      .small_path = settings.small_path};
  Settings of_ap = each;
  of_ap.any_order = cols_of(p) > dense::kNarrowColumns;  // up to here rows of A P that rise are worth more
  const Csr<T> ap = named_galerkin(kProductAp, [&] { return multiply(a, p, of_ap, stats.ap); });
  done = 1;
  if (options.memory_limit != 0)
    options.memory_limit = std::max<std::int64_t>(1, options.memory_limit - stats.ap.bytes_c);
  Csr<T> c = named_galerkin(kProductRap, [&] { return multiply(r, ap.view(), each, stats.rap); });
  stats.threads = std::max(stats.ap.threads, stats.rap.threads);
  stats.nprod_ap = stats.ap.nprod, stats.nprod_rap = stats.rap.nprod;
  stats.bytes_temporary = std::max(stats.ap.bytes_temporary, stats.ap.bytes_c + stats.rap.bytes_temporary);
  return c;
}

/// Of matrices that check_galerkin() let pass; empty where the memory limit has no room for it.
template <class T>
std::optional<Csr<T>> galerkin_fused(const CsrView<T>& r_view, const CsrView<T>& a_view, const CsrView<T>& p_view,
                                     const Settings& settings, GalerkinStats& stats) {
  const Team team(settings.options.threads);
  Budget budget(settings.options);
  const auto most = [&](const CsrView<T>& view) { return Prepared<T>::most_bytes(view, team); };
  if (!budget.fits(most(r_view) + most(a_view) + most(p_view))) return std::nullopt;
  const auto bring = [&](const CsrView<T>& view, const char* name) {
    const Timer timer(stats.prepare);
    Prepared<T> made(view, name, false, team);
    budget.held += made.bytes();
    return made;
  };
  const Prepared<T> a_in = bring(a_view, "A"), p_in = bring(p_view, "P"), r_in = bring(r_view, "R");
  const Operand<T>&a = a_in.operand(), &p = p_in.operand(), &r = r_in.operand();
  const GalerkinSizes sizes = [&] {
    const Timer timer(stats.choosing);
    return fused::galerkin_sizes(r, a, p, pieces_for(team.size()), team);
  }();
  return multiply_fused(r, a, p, sizes, settings, team, budget, stats);
}

}  // namespace

template <class T>
void check_galerkin(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, bool check, const Team& team) {
  const auto fit = [](const char* left, std::int64_t cols, const char* right, std::int64_t rows) {
    if (cols != rows)
      throw Error(ErrorCode::invalid_argument, std::string(left) + " has " + std::to_string(cols) + " columns, but " +
                                                   right + " has " + std::to_string(rows) + " rows");
  };
  if (check) {
    validate(p, "P", team);
    if (!shows_same_memory(r, p)) validate(r, "R", team);
    validate(a, "A", team);
  }
  fit("R", cols_of(r), "A", rows_of(a)), fit("A", cols_of(a), "P", rows_of(p));
}

template <class T>
Csr<T> galerkin(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, GalerkinWay way,
                const Settings& settings, GalerkinStats& stats) {
  const Timer total(stats.total);
  {
    const Timer timer(stats.prepare);
    check_galerkin(r, a, p, settings.options.validate, Team(settings.options.threads));
  }
  stats.reason = way == GalerkinWay::automatic ? "two products take no longer" : "asked for";
  std::optional<Csr<T>> c;
  if (way == GalerkinWay::fused) {
    c = galerkin_fused(r, a, p, settings, stats);
    stats.fused = c.has_value();
    if (!c) stats.reason = "the memory limit has no room for the fused way";
  }
  if (!c) c = multiply_twice(r, a, p, settings, stats);
  stats.nnz = c->nnz();
  stats.bytes_c = (c->rows() + 1) * std::int64_t{8} + c->nnz() * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  return *std::move(c);
}

#define ROWAN_INSTANTIATE(T)                                                                                      \
  template Csr<T> galerkin(const CsrView<T>&, const CsrView<T>&, const CsrView<T>&, GalerkinWay, const Settings&, \
                           GalerkinStats&);                                                                       \
  template void check_galerkin(const CsrView<T>&, const CsrView<T>&, const CsrView<T>&, bool, const Team&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
