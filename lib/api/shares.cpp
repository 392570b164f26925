#include "lib/api/shares.hpp"

#include "lib/api/row_cuts.hpp"
#include "lib/core/too_large.hpp"
#include "lib/core/values.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// Cuts with as many entries each.
template <class T>
std::vector<std::int64_t> even_entries(const Operand<T>& m, std::size_t devices) {
  std::vector<std::int64_t> first{0};
  for (std::size_t k = 1; k < devices; k++) {
    const std::int64_t goal = m.nnz() / static_cast<std::int64_t>(devices) * static_cast<std::int64_t>(k);
    first.push_back(
        std::max(first.back(), static_cast<std::int64_t>(std::lower_bound(m.ptr, m.ptr + m.rows, goal) - m.ptr)));
  }
  first.push_back(m.rows);
  return first;
}

template <class T>
void measure(const Context::State& state, const Inputs<T>& in, const std::vector<std::int64_t>& first,
             std::vector<ShareReport>& shares) {
  const auto& calls = state.device->on.of<T>();
  const Options& options = state.options;
  const auto up = [&](const Operand<T>& m, const std::vector<std::int64_t>& cuts) {
    return calls.to_group(m, cuts, options);
  };
  const bool same = &in.a() == &in.b();
  const auto of_a = up(in.a(), first);
  const auto of_b = same ? of_a : up(in.b(), even_entries(in.b(), shares.size()));
  const std::vector<DeviceView<T>> a(of_a.begin(), of_a.end()), b(of_b.begin(), of_b.end());
  Stats stats;
  for (int round = 0; round < 2; round++) {  // the first takes memory
    stats = {};
    static_cast<void>(calls.multiply_group(a, b, false, options, &stats));
  }
  for (std::size_t k = 0; k < shares.size(); k++)
    shares[k].seconds = stats.devices[k].seconds, shares[k].bytes_from_others = stats.devices[k].bytes_from_others;
}

}  // namespace

template <class T>
std::vector<ShareReport> shares_of(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b,
                                   const Inspection& inspection) {
  const Team team(state.options.threads);
  const Inputs<T> in(a, b, false, team);  // inspected before
  const std::vector<std::int64_t> first =
      row_cuts(in.a(), in.b(), state.device->devices, one_device_seconds(a, b), team);
  std::vector<ShareReport> shares;
  for (std::size_t k = 0; k + 1 < first.size(); k++) {
    ShareReport share{.device = state.options.devices[k], .first = first[k], .rows = first[k + 1] - first[k]};
    for (std::int64_t i = first[k]; i < first[k + 1]; i++)
      share.nprod += inspection.row[i].nprod, share.nnz += inspection.row[i].nnz;
    share.predicted = device_seconds_of(static_cast<double>(share.nprod), static_cast<double>(share.nnz));
    shares.push_back(share);
  }
  try {
    measure(state, in, first, shares);
  } catch (const Error& e) {
    if (!too_large(e)) throw;
  }
  return shares;
}

#define ROWAN_INSTANTIATE(T)                                                                               \
  template std::vector<ShareReport> shares_of(const Context::State&, const CsrView<T>&, const CsrView<T>&, \
                                              const Inspection&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
