// Callbacks that do parallel work of their own, wherever one can be called.
#include "lib/core/notifier.hpp"

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/lib/io/threads.hpp"
#include <rowan/rowan.hpp>

namespace rowan::test {
namespace {

constexpr int kThreads = 8;  // more than the machine has, maybe: workers then wait for some that do not run
constexpr int kRounds = 8;

/// Notes whether a callback keeps what it was promised: rising shares up to `last`, never from within itself.
class Listener {
 public:
  explicit Listener(std::function<void()> work) : work_(std::move(work)) {}
  void operator()(double share) {
    CHECK_EQ(running_++, 0);
    CHECK_GT(share, last_);
    last_ = share;
    work_();
    running_--;
  }
  [[nodiscard]] double last() const { return last_; }

 private:
  std::function<void()> work_;
  std::atomic<int> running_ = 0;
  double last_ = 0;
};

/// Calls f(a callback) again and again with threads that wait for each other, for callbacks that multiply, that enter
/// the arena around them anew, and whose own work has a callback that multiplies.
template <class F>
void for_callbacks(const F& f) {
  const Csr<double> small = generate("rmat:scale=8");
  const auto multiplies = [&] { static_cast<void>(multiply(small, small)); };
  const auto tells = [&] {
    Listener inner(multiplies);
    static_cast<void>(multiply(small, small, {.threads = 3, .memory_limit = 1_GiB, .progress = std::ref(inner)}));
  };
#ifndef ROWAN_SCHEDULER_THREADS
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, kThreads);
#endif
  scheduler::Arena arena(kThreads);
  const auto enters = [&] { arena.execute(multiplies); };
  for (const std::function<void()>& work : std::vector<std::function<void()>>{multiplies, tells, enters})
    for (int round = 0; round < kRounds; round++) {
      Listener listener(work);
      arena.execute([&] { f(std::function<void(double)>(std::ref(listener))); });
      CHECK_GT(listener.last(), 0);
    }
}

}  // namespace

TEST_CASE("callbacks: what is told rises to the last share, one call at a time") {
  for (const int threads : {1, kThreads}) {
    std::atomic<int> done = 0;
    Listener listener([] {});
    const std::function<void(double)> callback = std::ref(listener);
    Notifier notifier(callback);
    with_threads(threads, [&] {
      Team(threads).for_blocks(1000, 1, [&](auto, auto) {
        done++;
        notifier.notify([&] { return done.load(); });
      });
    });
    CHECK_EQ(listener.last(), 1000);
  }
}

TEST_CASE("callbacks: none, and one that throws, which is told nothing more") {
  const std::function<void(double)> none;
  Notifier(none).notify([] { return 1; });
  int calls = 0;
  const std::function<void(double)> throws = [&](double) { calls++, throw 7; };
  Notifier notifier(throws);
  CHECK_THROWS_AS(notifier.notify([] { return 1; }), int);
  notifier.notify([] { return 2; });
  CHECK_EQ(calls, 1);
}

TEST_CASE("callbacks may do parallel work while a file is read or written") {
  const Folder folder;
  const Csr<double> a = generate("rmat:scale=14");
  for (const char* name : {"a.mtx", "a.mtx.gz"}) {
    const std::string file = folder.path(name);
    write_matrix(file, a);
    for_callbacks([&](const auto& callback) { CHECK_EQ(read_matrix(file, callback).nnz(), a.nnz()); });
    for_callbacks([&](const auto& callback) { write_matrix(file, a, Format::automatic, callback); });
    CHECK_EQ(read_matrix(file).nnz(), a.nnz());
  }
}

TEST_CASE("callbacks may do parallel work while a multiply, a plan or its values are made") {
  const Csr<double> a = generate("rmat:scale=11");
  const std::int64_t nnz = multiply(a, a).nnz();
  for (const int threads : {0, 3}) {
    for_callbacks([&](const auto& callback) {
      CHECK_EQ(Context({.threads = threads, .progress = callback}).multiply(a, a).nnz(), nnz);
    });
    for_callbacks([&](const auto& callback) {
      CHECK_EQ(Context({.threads = threads, .policy = "nsparse", .progress = callback}).multiply(a, a).nnz(), nnz);
    });
    for_callbacks([&](const auto& callback) {
      CHECK_EQ(Context({.threads = threads, .progress = callback}).plan(a, a).nnz(), nnz);
    });
    for_callbacks([&](const auto& callback) {
      bool executing = false;
      const Plan plan =
          Context({.threads = threads, .progress = [&](double s) { executing ? callback(s) : void(); }}).plan(a, a);
      executing = true;
      Csr<double> c;
      plan.execute(a, a, c);
      CHECK_EQ(c.nnz(), nnz);
    });
  }
}

}  // namespace rowan::test
