// Products in blocks of rows: the host's in lib/host/in_blocks.cpp, a device's as multiplications of rows of A.
#include "lib/host/in_blocks.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "lib/api/on_device.hpp"
#include "lib/core/border.hpp"
#include "lib/host/some_rows.hpp"
#include "lib/host/timer.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// Of C, at least where there is memory for it: B is sent again with each block.
constexpr std::int64_t kDeviceBlockBytes = std::int64_t{256} << 20, kTimesB = 4;

template <class T>
void in_blocks_there(const Context::State& state, const CsrView<T>& view_a, const CsrView<T>& view_b,
                     const Symbolic* given, std::int64_t first, SinkThread<T>& sink, Stats& stats) {
  constexpr auto kEntry = static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  constexpr auto kRow = static_cast<std::int64_t>(2 * sizeof(std::int64_t));
  on_device(
      state, view_a, view_b, [&](const DeviceCalls<T>& calls, const Operand<T>& a, const Operand<T>& b, bool same) {
        Symbolic counted;
        if (given == nullptr) {
          const Timer timer(stats.symbolic);
          counted = calls.symbolic(a, b, same, state.options);
          given = &counted;
        }
        const std::span<const std::int64_t> row_ptr(given->row_ptr.span());
        check_sizes(row_ptr, a.rows, first);
        const Budget budget(state.options, static_cast<std::int64_t>(row_ptr.size_bytes()));
        const std::int64_t most = std::min(std::max(kDeviceBlockBytes, kTimesB * b.nnz() * kEntry), budget.spare() / 3);
        const std::int64_t begin = first;
        while (first < a.rows) {
          const std::int64_t end = end_of_block(row_ptr, first, most, kRow, kEntry);
          Options options = state.options;
          if (state.options.progress)
            options.progress = [&, first](double share) {
              state.options.progress((static_cast<double>(first - begin) + share * static_cast<double>(end - first)) /
                                     static_cast<double>(a.rows - begin));
            };
          options.stop = sink.stop();
          const SomeRows<T> rows(a, first, end);
          Stats mine;
          Csr<T> c = calls.multiply(rows.operand, b, false, {}, options, mine);
          for (std::int64_t i = 0; i <= c.rows(); i++)
            if (c.row_ptr()[static_cast<std::size_t>(i)] !=
                row_ptr[static_cast<std::size_t>(first + i)] - row_ptr[static_cast<std::size_t>(first)])
              throw Error(ErrorCode::invalid_argument,
                          "the sizes are of another product: see row " + std::to_string(first + i - 1) + " of C");
          add_block(stats, mine);
          const Timer timer(stats.sink);
          sink.give(first, std::move(c));
          first = end;
        }
        const Timer timer(stats.sink);
        sink.wait();
      });
}

/// What the sink throws goes through as it is, and only that.
template <class T>
void in_blocks(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, const Symbolic* sizes,
               std::int64_t first, const RowSink<T>& sink, Stats* stats) {
  std::optional<SinkThread<T>> out;
  Stats mine;
  try {
    out.emplace(sink, state.options.stop);
    if (state.device) {
      const Timer total(mine.total);
      in_blocks_there(state, a, b, sizes, first, *out, mine);
    } else if (sizes != nullptr) {
      multiply_in_blocks(a, b, sizes->row_ptr.span(), first, state.settings(), *out, mine);
    } else {
      multiply_in_blocks(a, b, state.settings(), *out, mine);
    }
  } catch (...) {
    if (const std::exception_ptr of_sink = out ? out->end() : nullptr) std::rethrow_exception(of_sink);
    rethrow_as_error();
  }
  if (stats != nullptr) *stats = std::move(mine);
}

}  // namespace

#define ROWAN_DEFINE(T)                                                                                            \
  void Context::multiply_in_blocks(const CsrView<T>& a, const CsrView<T>& b, const RowSink<T>& sink, Stats* stats) \
      const {                                                                                                      \
    in_blocks(*state(), a, b, nullptr, 0, sink, stats);                                                            \
  }                                                                                                                \
  void Context::multiply_in_blocks(const CsrView<T>& a, const CsrView<T>& b, const Symbolic& sizes,                \
                                   std::int64_t first, const RowSink<T>& sink, Stats* stats) const {               \
    in_blocks(*state(), a, b, &sizes, first, sink, stats);                                                         \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

}  // namespace rowan
