#include "tools/rowan/bench/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>

#include <sched.h>

#include "lib/core/instructions.hpp"
#include "lib/core/machine.hpp"
#include "lib/core/parallel.hpp"
#include "tools/rowan/common.hpp"
#include <rowan/memory.hpp>

namespace rowan::tool::bench {
namespace {

constexpr std::size_t kBytes = std::size_t{256} << 20;  // far beyond any cache
constexpr std::size_t kPiece = std::size_t{2} << 20;
constexpr int kRepeats = 3;

int cores() {
  cpu_set_t all;
  return sched_getaffinity(0, sizeof all, &all) == 0 ? CPU_COUNT(&all) : 1;
}

template <class F>
void for_pieces(const F& work) {
  scheduler::for_each(kBytes / kPiece, [&](std::int64_t i) { work(static_cast<std::size_t>(i) * kPiece); });
}

/// Bytes a second of the fastest of several rounds; `prepare` is not timed.
template <class Prepare, class Work>
double rate(double bytes, const Prepare& prepare, const Work& work) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int i = 0; i < kRepeats; i++) {
    prepare();
    const auto start = Clock::now();
    work();
    best = std::max(best, bytes / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace

std::string processor() {
  std::string name = "unknown";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; name == "unknown" && std::getline(info, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) name = line.substr(line.find(": ") + 2);
  return name + ", " + instruction_sets().front();
}

Machine measure_machine(int threads) {
  Machine m{.processor = processor(), .cores = cores()};
  m.bytes_memory = static_cast<double>(machine_memory());
  with_threads(threads, [&] {
    Array<char> from(kBytes), to;
    for_pieces([&](std::size_t at) { std::memset(from.data() + at, 1, kPiece); });
    m.first_touch_rate = rate(
        static_cast<double>(kBytes), [&] { to = Array<char>(), to = Array<char>(kBytes); },
        [&] { for_pieces([&](std::size_t at) { std::memset(to.data() + at, 1, kPiece); }); });
    m.copy_rate = rate(
        2.0 * static_cast<double>(kBytes), [] {},
        [&] { for_pieces([&](std::size_t at) { std::memcpy(to.data() + at, from.data() + at, kPiece); }); });
  });
  return m;
}

}  // namespace rowan::tool::bench
