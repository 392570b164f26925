#include "lib/device/pipeline/group.hpp"

#include <optional>

#include "lib/core/rendezvous.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/brought.hpp"
#include "lib/device/pipeline/fastest.hpp"
#include "lib/device/pipeline/side_by_side.hpp"
#include "lib/device/pipeline/there.hpp"
#include "lib/host/timer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr hipStream_t kStream = nullptr;  // a device's default one, which outlives all matrices

/// f(engine, its number, the others) on a thread for each device, which is chosen there. Nothing is under way when it
/// returns or throws.
template <class F>
void on_each(const SharedEngines& engines, const F& f) {
  run_together(engines.front()->pool().threads(), static_cast<int>(engines.size()), [&](int k, Rendezvous& others) {
    const auto i = static_cast<std::size_t>(k);
    const CurrentDevice chosen(engines[i]->info().ordinal);
    struct SynchronizeAtEnd {
      ~SynchronizeAtEnd() { (void)hipStreamSynchronize(kStream); }
    } const at_end;
    f(engines[i], i, others);
  });
}

/// The blocks of a distributed matrix as kernels take them; their memory is freed on the devices that have it.
template <class T>
class BroughtBlocks {
 public:
  explicit BroughtBlocks(const SharedEngines& engines) : engines_(engines), blocks_(engines.size()) {}
  BroughtBlocks(const BroughtBlocks&) = delete;
  BroughtBlocks& operator=(const BroughtBlocks&) = delete;
  ~BroughtBlocks() {
    for (std::size_t k = 0; k < blocks_.size(); k++) try {
        const CurrentDevice here(engines_[k]->info().ordinal);
        blocks_[k].reset();
      } catch (const Error&) {
        (void)0;  // the runtime has ended, and the memory with it
      }
  }
  void bring(std::size_t k, const DeviceView<T>& view) {
    blocks_[k].emplace(engines_[k]->pool(), view, kStream);
    check(hipStreamSynchronize(kStream), "waiting for the device");  // other devices read it
  }
  [[nodiscard]] const Resident<T>& operator[](std::size_t k) const { return blocks_[k]->resident(); }
  [[nodiscard]] RowBlocks<T> all() const {
    RowBlocks<T> all;
    for (std::size_t k = 0; k < blocks_.size(); k++)
      all.blocks.push_back((*this)[k]), all.devices.push_back(engines_[k]->info().ordinal);
    return all;
  }

 private:
  const SharedEngines& engines_;
  std::vector<std::optional<Brought<T>>> blocks_;
};

/// Rows [first, last) of the host's; their row pointers do not begin at 0.
template <class T>
DeviceMatrix<T> block_up(const std::shared_ptr<Engine>& engine, const Operand<T>& host, std::int64_t first,
                         std::int64_t last, const rowan::Options& options) {
  Array<std::int64_t> ptr(last - first + 1);
  for (std::int64_t i = first; i <= last; i++) ptr[i - first] = host.ptr[i] - host.ptr[first];
  Operand<T> rows = host;
  rows.rows = last - first, rows.ptr = ptr.data(), rows.col += host.ptr[first], rows.val += host.ptr[first];
  return to_device(engine, rows, options, {});
}

/// The options of a device's share of the host's threads.
rowan::Options shared_by(const rowan::Options& options, std::size_t devices) {
  rowan::Options mine = options;
  mine.threads = threads_each(options, devices);
  return mine;
}

template <class T>
void check_blocks(const SharedEngines& engines, const std::vector<DeviceView<T>>& m, const char* name) {
  if (m.size() != engines.size())
    throw Error(ErrorCode::invalid_argument, std::string(name) + " is on " + std::to_string(m.size()) +
                                                 " devices, but the group has " + std::to_string(engines.size()));
  for (std::size_t k = 0; k < m.size(); k++) {
    check_view(m[k], (std::string(name) + " on device " + std::to_string(k)).c_str());
    if (m[k].cols != m[0].cols)
      throw Error(ErrorCode::invalid_argument, std::string(name) + " has blocks with " + std::to_string(m[0].cols) +
                                                   " and " + std::to_string(m[k].cols) + " columns");
  }
}

/// The device that has all rows of A and, where it needs others', of B: the first where there are no rows, none where
/// several have some.
template <class T>
std::optional<std::size_t> sole_holder(const std::vector<DeviceView<T>>& a, const std::vector<DeviceView<T>>& b,
                                       bool replicated) {
  std::optional<std::size_t> holder;
  for (std::size_t k = 0; k < a.size(); k++) {
    if (a[k].rows == 0 && (replicated || b[k].rows == 0)) continue;
    if (holder) return std::nullopt;
    holder = k;
  }
  return holder.value_or(0);
}

/// The others get no rows of C, and no work.
template <class T>
std::vector<DeviceMatrix<T>> multiply_on_one(const SharedEngines& engines, std::size_t k,
                                             const std::vector<DeviceView<T>>& a, const std::vector<DeviceView<T>>& b,
                                             const rowan::Options& options, Stats* stats) {
  rowan::Options checked = options;
  checked.validate = false;  // it was checked when it came to the devices
  std::vector<DeviceMatrix<T>> c(engines.size(), DeviceMatrix<T>({.cols = b[k].cols}, nullptr));
  c[k] = multiply_there(engines[k], a[k], b[k], checked, {.stats = stats});
  const CurrentDevice here(engines[k]->info().ordinal);
  check(hipStreamSynchronize(kStream), "multiplying");
  if (stats != nullptr) {
    for (std::size_t i = 0; i < engines.size(); i++) stats->devices.push_back({.device = engines[i]->info().ordinal});
    DeviceShare& mine = stats->devices[k];
    mine.rows = c[k].rows(), mine.nprod = stats->nprod, mine.nnz = c[k].nnz(), mine.seconds = stats->total;
  }
  return c;
}

/// All rows on each of the devices for which wants(its number).
template <class T, class F>
std::vector<DeviceMatrix<T>> put_on(const SharedEngines& engines, const std::vector<DeviceView<T>>& m, const F& wants) {
  check_blocks(engines, m, "the matrix");
  static_cast<void>(connect(plain(engines)));  // else copies go by way of the host
  BroughtBlocks<T> blocks(engines);
  std::vector<DeviceMatrix<T>> all(engines.size());
  on_each(engines, [&](const std::shared_ptr<Engine>& engine, std::size_t k, Rendezvous& others) {
    blocks.bring(k, m[k]);
    others.meet(static_cast<int>(engines.size()));
    if (wants(k)) all[k] = handed_over(engine, put_together(*engine, blocks.all(), kStream), {});
  });
  return all;
}

}  // namespace

template <class T>
std::vector<DeviceMatrix<T>> to_group(const SharedEngines& engines, const Operand<T>& host,
                                      std::span<const std::int64_t> first, const rowan::Options& options) {
  std::vector<DeviceMatrix<T>> blocks(engines.size());
  const rowan::Options mine = shared_by(options, engines.size());
  on_each(engines, [&](const std::shared_ptr<Engine>& engine, std::size_t k, Rendezvous&) {
    blocks[k] = block_up(engine, host, first[k], first[k + 1], mine);
  });
  return blocks;
}

template <class T>
std::vector<DeviceMatrix<T>> replicate(const SharedEngines& engines, const Operand<T>& host,
                                       const rowan::Options& options) {
  // the rows travel from the host once; devices put them together
  std::vector<std::int64_t> first(engines.size() + 1);
  for (std::size_t k = 0; k < first.size(); k++)
    first[k] = EqualPart{static_cast<int>(k), static_cast<int>(engines.size())}.begin(host.rows);
  const std::vector<DeviceMatrix<T>> blocks = to_group(engines, host, first, options);
  return put_on(engines, std::vector<DeviceView<T>>(blocks.begin(), blocks.end()), [](std::size_t) { return true; });
}

template <class T>
std::vector<DeviceMatrix<T>> multiply_group(const SharedEngines& engines, const std::vector<DeviceView<T>>& a,
                                            const std::vector<DeviceView<T>>& b, bool replicated,
                                            const rowan::Options& options, Stats* stats) {
  check_blocks(engines, a, "A"), check_blocks(engines, b, "B");
  std::int64_t b_rows = 0;
  for (const DeviceView<T>& block : b) b_rows = replicated ? block.rows : b_rows + block.rows;
  if (a[0].cols != b_rows)
    throw Error(ErrorCode::invalid_argument,
                "A has " + std::to_string(a[0].cols) + " columns, but B has " + std::to_string(b_rows) + " rows");
  if (const auto only = sole_holder(a, b, replicated)) return multiply_on_one(engines, *only, a, b, options, stats);
  const bool connected = replicated || connect(plain(engines));
  BroughtBlocks<T> left(engines), right(engines);
  std::vector<DeviceMatrix<T>> c(engines.size());
  std::vector<Stats> its(engines.size());
  std::vector<DeviceShare> shares(engines.size());
  double total = 0;
  {
    const Timer whole(total);
    on_each(engines, [&](const std::shared_ptr<Engine>& engine, std::size_t k, Rendezvous& others) {
      left.bring(k, a[k]), right.bring(k, b[k]);
      others.meet(static_cast<int>(engines.size()));  // then rows of B can be read by all
      const Timer timer(shares[k].seconds);
      GatheredRows<T> gathered;
      Product<T> put;
      const Resident<T>& rows = left[k];
      Resident<T> operand = right[k];
      std::int64_t limit = options.memory_limit;
      if (!replicated && connected) {
        gathered = gather_rows(*engine, left[k], right.all(), static_cast<int>(k), kStream);
        operand = gathered.b, shares[k].bytes_from_others = gathered.from_others;
      } else if (!replicated) {
        put = put_together(*engine, right.all(), kStream);
        operand = {
            {{.rows = put.rows, .cols = put.cols, .ptr = put.row_ptr.data(), .col = put.col.data()}, put.val.data()},
            put.nnz};
        shares[k].bytes_from_others = bytes_of(put) - bytes_of_c<T>(right[k].m.rows, right[k].nnz);
      }
      if (limit != 0) {
        const std::int64_t held =
            static_cast<std::int64_t>(gathered.col.bytes() + gathered.val.bytes() + gathered.ptr.bytes()) +
            (put.nnz != 0 ? bytes_of(put) : 0);
        check_sizes(held + 1, limit, 0);
        limit -= held;
      }
      Stats* const told = stats != nullptr ? &its[k] : nullptr;
      Product<T> made = fastest_product(*engine, rows, operand, limit, kStream, told);
      shares[k].device = engine->info().ordinal;
      shares[k].rows = made.rows, shares[k].nnz = made.nnz, shares[k].nprod = its[k].nprod;
      c[k] = handed_over(engine, std::move(made), {});
      check(hipStreamSynchronize(kStream), "multiplying");
    });
  }
  if (stats != nullptr) {
    Stats all;
    for (const Stats& one : its) add_side_by_side(one, all);
    all.total = total, all.devices = std::move(shares);
    *stats = std::move(all);
  }
  return c;
}

template <class T>
DeviceMatrix<T> gather(const SharedEngines& engines, const std::vector<DeviceView<T>>& m, std::size_t to) {
  return std::move(put_on(engines, m, [=](std::size_t k) { return k == to; })[to]);
}

template <class T>
Csr<T> group_to_host(const SharedEngines& engines, const std::vector<DeviceView<T>>& m, const rowan::Options& options) {
  check_blocks(engines, m, "the matrix");
  std::vector<std::int64_t> row{0}, entry{0};
  for (const DeviceView<T>& block : m)
    row.push_back(row.back() + block.rows), entry.push_back(entry.back() + block.nnz);
  Array<std::int64_t> row_ptr(row.back() + 1);
  Array<Column> col(entry.back());
  Array<T> val(entry.back());
  const rowan::Options mine = shared_by(options, engines.size());
  on_each(engines, [&](const std::shared_ptr<Engine>& engine, std::size_t k, Rendezvous&) {
    const Brought<T> brought(engine->pool(), m[k], kStream);
    const Operand<T>& block = brought.resident().m;
    Staging staging(engine->pool(), mine.threads);
    std::int64_t* const ptr = row_ptr.data() + row[k];
    staging.down(
        std::array{Staging::copy(ptr, block.ptr, block.rows), Staging::copy(col.data() + entry[k], block.col, m[k].nnz),
                   Staging::copy(val.data() + entry[k], block.val, m[k].nnz)},
        kStream);
    check(hipStreamSynchronize(kStream), "copying to the host");
    for (std::int64_t i = 0; i < block.rows; i++) ptr[i] += entry[k];
  });
  row_ptr[row.back()] = entry.back();
  return {row.back(), m[0].cols, std::move(row_ptr), std::move(col), std::move(val)};
}

#define ROWAN_INSTANTIATE(T)                                                                                           \
  template std::vector<DeviceMatrix<T>> to_group(const SharedEngines&, const Operand<T>&,                              \
                                                 std::span<const std::int64_t>, const rowan::Options&);                \
  template std::vector<DeviceMatrix<T>> replicate(const SharedEngines&, const Operand<T>&, const rowan::Options&);     \
  template std::vector<DeviceMatrix<T>> multiply_group(const SharedEngines&, const std::vector<DeviceView<T>>&,        \
                                                       const std::vector<DeviceView<T>>&, bool, const rowan::Options&, \
                                                       Stats*);                                                        \
  template DeviceMatrix<T> gather(const SharedEngines&, const std::vector<DeviceView<T>>&, std::size_t);               \
  template Csr<T> group_to_host(const SharedEngines&, const std::vector<DeviceView<T>>&, const rowan::Options&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
