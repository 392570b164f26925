#pragma once
// Times of calls beside each other, for programs that compare them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

namespace rowan::bench {

using Clock = std::chrono::steady_clock;

inline double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Median milliseconds of each, taken one after another.
inline std::vector<double> medians(const std::vector<std::function<void()>>& calls, double seconds) {
  std::vector<std::vector<double>> times(calls.size());
  const auto begin = Clock::now();
  while (times[0].size() < 3 || since(begin) < seconds)
    for (std::size_t k = 0; k < calls.size(); k++) {
      const auto start = Clock::now();
      calls[k]();
      times[k].push_back(1e3 * since(start));
    }
  std::vector<double> out;
  for (auto& of : times) {
    std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
    out.push_back(of[of.size() / 2]);
  }
  return out;
}

inline void print_ratios(const char* what, const std::vector<double>& all) {
  double logs = 0;
  for (const double r : all) logs += std::log(r);
  std::printf("%-60s %.2f (%.2f to %.2f)\n", what, std::exp(logs / static_cast<double>(all.size())),
              *std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end()));
}

}  // namespace rowan::bench
