// The thread of a sink (lib/host/sink_thread.hpp): the next block is computed meanwhile, and faults come back at once.
#include "lib/host/sink_thread.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/io/errors.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);  // a test that waits so long has failed

Csr<double> row() {
  return generate("stencil2d:nx=1,ny=1");
}

}  // namespace

TEST_CASE("a sink takes blocks in order, and never two at once, while the caller goes on") {
  std::promise<void> caller_went_on;
  std::vector<std::int64_t> taken;
  const double* memory = nullptr;
  std::atomic<int> inside = 0;
  const RowSink<double> sink = [&](std::int64_t first, const CsrView<double>& block) {
    CHECK_EQ(++inside, 1);
    if (first == 0) {
      CHECK_EQ(block.val.data(), memory);
      CHECK(caller_went_on.get_future().wait_for(kPatience) == std::future_status::ready);
    }
    taken.push_back(first);
    inside--;
  };
  SinkThread<double> thread(sink, {});
  Csr<double> block = row();
  memory = block.val().data();
  thread.give(0, std::move(block));
  caller_went_on.set_value();
  for (std::int64_t i = 1; i < 20; i++) thread.give(i, row());
  thread.wait();
  CHECK_EQ(taken.size(), 20);
  CHECK(std::ranges::is_sorted(taken));
  CHECK_FALSE(thread.end());
}

TEST_CASE("a sink that throws asks what is computed to stop, and is not called again") {
  int calls = 0;
  const RowSink<double> sink = [&](std::int64_t, const CsrView<double>&) {
    calls++;
    throw std::out_of_range("mine");
  };
  SinkThread<double> thread(sink, {});
  thread.give(0, row());
  for (const auto until = std::chrono::steady_clock::now() + kPatience;
       !thread.stop().stop_requested() && std::chrono::steady_clock::now() < until;)
    std::this_thread::yield();
  CHECK(thread.stop().stop_requested());
  CHECK_THROWS_WITH_AS(thread.give(1, row()), "mine", std::out_of_range);
  CHECK_THROWS_WITH_AS(thread.wait(), "mine", std::out_of_range);
  CHECK(thread.end());
  CHECK_EQ(calls, 1);
}

TEST_CASE("who asks the multiplication to stop is heard before the next block is given") {
  std::stop_source caller;
  int calls = 0;
  const RowSink<double> sink = [&](std::int64_t, const CsrView<double>&) { calls++; };
  SinkThread<double> thread(sink, caller.get_token());
  thread.give(0, row());
  caller.request_stop();
  CHECK(thread.stop().stop_requested());
  CHECK_EQ(error_of([&] { thread.give(1, row()); }), "cancelled: the multiplication was cancelled");
  CHECK_FALSE(thread.end());
  CHECK_EQ(calls, 1);
}

TEST_CASE("a block is computed while the sink has the one before, and both keep the limit") {
  const Csr<double> a = generate("random:n=50000,row_length=4");
  std::atomic<double> share = 0;
  std::atomic<std::int64_t> computed_meanwhile = 0;
  Options options{.threads = 1, .memory_limit = 4_MiB};
  options.progress = [&](double done) { share = done; };
  std::int64_t largest = 0, blocks = 0;
  Stats stats;
  Context(options).multiply_in_blocks(
      a, a,
      [&](std::int64_t first, const CsrView<double>& block) {
        largest = std::max(largest, block.nnz() * 12);
        blocks++;
        const std::int64_t end = first + block.rows;
        if (end == a.rows()) return;
        const double until_here = static_cast<double>(end) / static_cast<double>(a.rows());
        for (const auto until = std::chrono::steady_clock::now() + kPatience;
             share <= until_here && std::chrono::steady_clock::now() < until;)
          std::this_thread::yield();
        if (share > until_here) computed_meanwhile++;
      },
      &stats);
  CHECK_GT(blocks, 3);
  CHECK_EQ(computed_meanwhile, blocks - 1);
  CHECK_GT(stats.bytes_c + stats.bytes_temporary, 2 * largest);
  CHECK_LE(stats.bytes_c + stats.bytes_temporary, options.memory_limit);
}

}  // namespace rowan::test
