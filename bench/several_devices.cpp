// C = A·A on one device and on several: from and to the host's memory, beside the host itself, and with A, B and C
// staying in the devices' memory.
//   several_devices [--seconds 0.5] [--backend cuda] [--deterministic] [--stages] [--link 397] [--cuts [--blocks 8]]
//                   MATRIX...
// It needs a GPU; a matrix is a file or generated:SPEC.
// Times are medians in milliseconds: "host" is rowan on the host's cores; "through N" from and to the host's memory by
// N devices; "on N" with rows of A, B and C distributed over N devices, "whole B" with all of B on each, "gathered"
// with C brought to the first device, as DeltaSPARSE has it (ICPP 2025).
// --cuts compares where rows are cut instead (device_cuts.hpp): imbalance is the greatest time of a device over the
// mean. "on N" is measured on the devices there are, rows of B exchanged; for --blocks, each block's product with all
// of B is measured on one device, stages apart. "two cuts" is DeltaSPARSE's: the longest symbolic phase of the cut by
// products, with all that comes before, and the longest numeric phase of the cut by entries of C.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "device_cuts.hpp"
#include <rowan/rowan.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Milliseconds of f(), the median.
template <class F>
double median(double seconds, const F& f) {
  f();  // takes memory, opens devices
  std::vector<double> times;
  for (const auto begin = Clock::now(); times.size() < 3 || since(begin) < seconds;) {
    const auto start = Clock::now();
    f();
    times.push_back(1e3 * since(start));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

double imbalance(const std::vector<rowan::DeviceShare>& shares) {
  std::vector<double> seconds;
  for (const rowan::DeviceShare& s : shares) seconds.push_back(s.seconds);
  return device_cuts::imbalance(seconds);
}

/// Bytes of the rows that a block asks for and does not have.
double foreign_bytes(const rowan::Csr<double>& a, std::int64_t first, std::int64_t last) {
  const auto ptr = a.row_ptr();
  std::vector<bool> seen(static_cast<std::size_t>(a.rows()));
  double bytes = 0;
  for (std::int64_t e = ptr[static_cast<std::size_t>(first)]; e < ptr[static_cast<std::size_t>(last)]; e++) {
    const std::int64_t j = a.col()[static_cast<std::size_t>(e)];
    const auto at = static_cast<std::size_t>(j);
    if ((j >= first && j < last) || seen[at]) continue;
    seen[at] = true;
    bytes += 16 + 12 * static_cast<double>(ptr[at + 1] - ptr[at]);
  }
  return bytes;
}

/// Milliseconds that `devices` would take, with A, B and C distributed.
double simulated(const rowan::Options& options, const rowan::Csr<double>& a, int devices, double link, double seconds) {
  rowan::Options one = options;
  one.devices.assign(1, 0);
  const rowan::DeviceGroup group(one);
  const auto whole = group.replicate(a);
  const std::vector<std::int64_t> first = device_cuts::even(device_cuts::weights(a, a.row_ptr())[device_cuts::kTime],
                                                            devices);  // entries of C do not matter here
  double longest = 0;
  for (std::size_t k = 0; k + 1 < first.size(); k++) {
    const auto block =
        group.distribute_rows(device_cuts::block_of(a, first[k], first[k + 1]), {0, first[k + 1] - first[k]});
    const double mine = median(seconds / devices, [&] { (void)group.multiply(block, whole); });
    longest = std::max(longest, mine + 1e3 * foreign_bytes(a, first[k], first[k + 1]) / (link * 1e9));
  }
  return longest;
}

/// Times of blocks, in milliseconds: up to the symbolic phase, and the numeric one.
struct BlockTimes {
  std::vector<double> front = {}, numeric = {}, both = {};
};

/// Of rows cut so, each with all of B on one device: each stage's least time.
BlockTimes block_times(const rowan::DeviceGroup& one, const rowan::Csr<double>& a,
                       const rowan::DistributedMatrix<double>& whole, const std::vector<std::int64_t>& first,
                       double seconds) {
  BlockTimes all;
  for (std::size_t k = 0; k + 1 < first.size(); k++) {
    const auto block =
        one.distribute_rows(device_cuts::block_of(a, first[k], first[k + 1]), {0, first[k + 1] - first[k]});
    double front = 1e30, numeric = 1e30;
    (void)median(seconds / static_cast<double>(first.size()), [&] {
      rowan::Stats s;
      (void)one.multiply(block, whole, &s);
      front = std::min(front, 1e3 * (s.features + s.binning + s.deciding + s.symbolic));
      numeric = std::min(numeric, 1e3 * s.numeric);
    });
    all.front.push_back(front), all.numeric.push_back(numeric), all.both.push_back(front + numeric);
  }
  return all;
}

double greatest(const std::vector<double>& times) {
  return *std::ranges::max_element(times);
}

/// A table of one matrix; adds logarithms of what the last line tells.
void compare_cuts(const rowan::Options& options, const rowan::Csr<double>& a, int blocks, double seconds,
                  std::vector<std::array<double, 3>>& logs) {
  using namespace device_cuts;
  const rowan::DeviceGroup group(options);
  rowan::Options single = options;
  single.devices.assign(1, 0);
  single.policy = rowan::Context(options).inspect(a, a).policy;  // named, it measures the rows of small blocks, too
  const rowan::DeviceGroup one(single);
  const auto whole = one.replicate(a);
  const auto sizes = rowan::Context({.backend = rowan::Backend::host}).symbolic(a, a);
  const auto by = weights(a, sizes.row_ptr.span());
  std::vector<BlockTimes> times;
  for (std::size_t cut = 0; cut < by.size(); cut++) {
    const auto rows = group.distribute_rows(a, even(by[cut], group.size()));
    rowan::Stats stats;
    const double on = median(seconds, [&] { (void)group.multiply(rows, rows, &stats); });
    double ghosts = 0;
    for (const rowan::DeviceShare& share : stats.devices) ghosts += 1e-6 * static_cast<double>(share.bytes_from_others);
    times.push_back(block_times(one, a, whole, even(by[cut], blocks), seconds));
    const BlockTimes& t = times.back();
    std::printf("  %-10s %9.3f %9.2f %9.1f | %9.3f %9.2f %9.2f %9.2f\n", kNames[cut], on, imbalance(stats.devices),
                ghosts, greatest(t.both), device_cuts::imbalance(t.both), device_cuts::imbalance(t.front),
                device_cuts::imbalance(t.numeric));
    logs[cut][0] += std::log(imbalance(stats.devices)), logs[cut][1] += std::log(device_cuts::imbalance(t.both));
    logs[cut][2] += std::log(greatest(t.both) / greatest(times[kTime].both));
  }
  const double twice = greatest(times[kProducts].front) + greatest(times[kEntries].numeric);
  std::printf("  %-10s %9s %9s %9s | %9.3f\n", "two cuts", "", "", "", twice);
  logs.back()[2] += std::log(twice / greatest(times[kTime].both));
  std::fflush(stdout);
}

int compare_all_cuts(rowan::Options options, const std::vector<std::string>& matrices, int blocks, double seconds) {
  for (int k = 0; k < rowan::device_count(options.backend); k++) options.devices.push_back(k);
  std::printf("%-12s %9s %9s %9s | %d blocks  imbalance  to symbolic  numeric\n", "cut by",
              ("on " + std::to_string(options.devices.size())).c_str(), "imbalance", "ghost MB", blocks);
  std::vector<std::array<double, 3>> logs(device_cuts::kNames.size() + 1);
  for (const std::string& name : matrices) {
    std::printf("%s\n", name.substr(name.rfind('/') + 1).c_str());
    compare_cuts(options, rowan::load_matrix(name), blocks, seconds, logs);
  }
  const auto mean = [&](double log) { return std::exp(log / static_cast<double>(matrices.size())); };
  if (matrices.empty()) return 0;
  std::printf("geomean of %zu: imbalance on devices, of blocks, longest block over that of the cut by time\n",
              matrices.size());
  for (std::size_t cut = 0; cut + 1 < logs.size(); cut++)
    std::printf("  %-10s %9.3f %9.3f %9.3f\n", device_cuts::kNames[cut], mean(logs[cut][0]), mean(logs[cut][1]),
                mean(logs[cut][2]));
  std::printf("  %-10s %9s %9s %9.3f\n", "two cuts", "", "", mean(logs.back()[2]));
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  double seconds = 0.5, link = 397;
  bool deterministic = false, stages = false, cuts = false;
  int blocks = 8;
  std::string backend = "cuda";
  std::vector<std::string> matrices;
  for (int k = 1; k < argc; k++)
    if (std::strcmp(argv[k], "--seconds") == 0 && k + 1 < argc)
      seconds = std::atof(argv[++k]);
    else if (std::strcmp(argv[k], "--link") == 0 && k + 1 < argc)
      link = std::atof(argv[++k]);
    else if (std::strcmp(argv[k], "--stages") == 0)
      stages = true;
    else if (std::strcmp(argv[k], "--cuts") == 0)
      cuts = true;
    else if (std::strcmp(argv[k], "--blocks") == 0 && k + 1 < argc)
      blocks = std::atoi(argv[++k]);
    else if (std::strcmp(argv[k], "--deterministic") == 0)
      deterministic = true;
    else if (std::strcmp(argv[k], "--backend") == 0 && k + 1 < argc)
      backend = argv[++k];
    else
      matrices.emplace_back(argv[k]);
  rowan::Options options;
  options.backend = backend == "emulated" ? rowan::Backend::emulated
                    : backend == "hip"    ? rowan::Backend::hip
                                          : rowan::Backend::cuda;
  options.deterministic = deterministic;
  if (cuts) return compare_all_cuts(options, matrices, std::max(blocks, 1), seconds);
  const int devices = rowan::device_count(options.backend);
  const rowan::Context host({.backend = rowan::Backend::host});
  std::printf("%d devices\n%-34s %9s %9s %9s", devices, "matrix", "Mproducts", "Mentries", "host");
  for (int d = 1; d <= devices; d *= 2) std::printf("  through %d", d);
  for (int d = 1; d <= devices; d *= 2) std::printf("      on %d", d);
  std::printf("   whole B  gathered | through    on whole B imbalance   ghost MB     4 sim     8 sim\n");
  std::vector<double> logs(3);
  for (const std::string& name : matrices) {
    const rowan::Csr<double> a = rowan::load_matrix(name);
    rowan::Stats stats;
    const double on_host = median(seconds, [&] { (void)host.multiply(a, a, &stats); });
    std::printf("%-34s %9.1f %9.1f %9.3f", name.substr(name.rfind('/') + 1).substr(0, 34).c_str(),
                1e-6 * static_cast<double>(stats.nprod), 1e-6 * static_cast<double>(stats.nnz), on_host);
    std::vector<double> through, on;
    double whole_b = 0, gathered = 0;
    for (int d = 1; d <= devices; d *= 2) {
      options.devices.clear();
      for (int k = 0; k < d; k++) options.devices.push_back(k);
      const rowan::Context context(options);
      through.push_back(median(seconds, [&] { (void)context.multiply(a, a, &stats); }));
      std::printf(" %10.3f", through.back());
      if (stages)
        std::printf(" [A, B up %.3f, choosing %.3f, symbolic %.3f, numeric %.3f, C down %.3f]", 1e3 * stats.prepare,
                    1e3 * (stats.features + stats.binning + stats.deciding), 1e3 * stats.symbolic, 1e3 * stats.numeric,
                    1e3 * stats.transfer);
    }
    for (int d = 1; d <= devices; d *= 2) {
      options.devices.resize(static_cast<std::size_t>(d));
      for (int k = 0; k < d; k++) options.devices[static_cast<std::size_t>(k)] = k;
      const rowan::DeviceGroup group(options);
      const auto there = group.distribute(a, a);
      on.push_back(median(seconds, [&] { (void)group.multiply(there, there); }));
      std::printf(" %9.3f", on.back());
      (void)group.multiply(there, there, &stats);
      if (2 * d <= devices) continue;
      gathered = median(seconds, [&] { (void)group.gather(group.multiply(there, there)); });
      const auto everywhere = group.replicate(a);
      whole_b = median(seconds, [&] { (void)group.multiply(there, everywhere); });
    }
    double ghosts = 0;
    for (const rowan::DeviceShare& share : stats.devices) ghosts += 1e-6 * static_cast<double>(share.bytes_from_others);
    const double ratios[] = {through.front() / through.back(), on.front() / on.back(), on.front() / whole_b};
    for (std::size_t k = 0; k < logs.size(); k++) logs[k] += std::log(ratios[k]);
    std::printf(" %9.3f %9.3f | %7.2f %5.2f %7.2f %9.2f %10.1f %9.3f %9.3f\n", whole_b, gathered, ratios[0], ratios[1],
                ratios[2], imbalance(stats.devices), ghosts, simulated(options, a, 4, link, seconds),
                simulated(options, a, 8, link, seconds));
    std::fflush(stdout);
  }
  const auto geomean = [&](std::size_t k) { return std::exp(logs[k] / static_cast<double>(matrices.size())); };
  if (!matrices.empty())
    std::printf("geomean of %zu: through %.2f, on %.2f, whole B %.2f\n", matrices.size(), geomean(0), geomean(1),
                geomean(2));
  return 0;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
