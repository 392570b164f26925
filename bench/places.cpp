// Where Backend::automatic multiplies, and where it should: A·A of matrices in the host's memory, on the host, through
// the device, and where it is predicted to be sooner. "cores" are the products that the host's cores multiplied beside
// the device. Needs a GPU.
//   places [--seconds 0.5] MATRIX...
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <rowan/rowan.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The median time of A·A, and the last one's statistics.
double median(const rowan::Context& context, const rowan::Csr<double>& a, double seconds, rowan::Stats& stats) {
  static_cast<void>(context.multiply(a, a));  // takes memory, opens the device
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < 3 || since(begin) < seconds) {
    const auto start = Clock::now();
    const rowan::Csr<double> c = context.multiply(a, a, &stats);
    times.push_back(since(start));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) try {
  double seconds = 0.5, logs = 0;
  std::vector<std::string> matrices;
  for (int k = 1; k < argc; k++)
    if (std::strcmp(argv[k], "--seconds") == 0 && k + 1 < argc)
      seconds = std::atof(argv[++k]);
    else
      matrices.emplace_back(argv[k]);
  rowan::Options on_host, through_device;
  on_host.backend = rowan::Backend::host;
  through_device.backend = rowan::Backend::cuda, through_device.deterministic = true;
  const rowan::Context host(on_host), device(through_device), automatic;
  std::printf("%-36s %11s %10s %9s %9s %9s %6s %7s  %s\n", "matrix", "products", "entries", "host ms", "device ms",
              "automatic", "cores", "of best", "reason");
  for (const std::string& name : matrices) {
    const rowan::Csr<double> a = rowan::load_matrix(name);
    rowan::Stats stats;
    const double here = 1e3 * median(host, a, seconds, stats), there = 1e3 * median(device, a, seconds, stats),
                 either = 1e3 * median(automatic, a, seconds, stats);
    logs += std::log(either / std::min(here, there));
    double of_cores = 0;
    for (const rowan::DeviceShare& share : stats.devices)
      if (share.device == rowan::DeviceShare::kHost) of_cores = static_cast<double>(share.nprod);
    std::printf("%-36s %11lld %10lld %9.3f %9.3f %9.3f %5.0f%% %7.2f  %s\n", name.substr(name.rfind('/') + 1).c_str(),
                static_cast<long long>(stats.nprod), static_cast<long long>(stats.nnz), here, there, either,
                1e2 * of_cores / static_cast<double>(stats.nprod), either / std::min(here, there),
                stats.place_reason.c_str());
    std::fflush(stdout);
  }
  if (!matrices.empty())
    std::printf("automatic takes %.3f times the better one's time, geomean of %zu\n",
                std::exp(logs / static_cast<double>(matrices.size())), matrices.size());
  return 0;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
