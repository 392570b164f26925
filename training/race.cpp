#include "training/race.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace rowan::training {
namespace {

/// Seconds of one of `n` runs in a row.
double time_of(const std::function<void()>& run, int n, const std::function<double()>& clock) {
  const double start = clock();
  for (int i = 0; i < n; i++) run();
  return (clock() - start) / n;
}

Timing timing_of(std::vector<double>& seconds) {
  std::sort(seconds.begin(), seconds.end());
  const double least = seconds.front(), median = seconds[seconds.size() / 2];
  return {.seconds = least, .noise = least > 0 ? median / least - 1 : 0, .runs = static_cast<int>(seconds.size())};
}

}  // namespace

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<Timing> race(const std::vector<std::function<void()>>& runners, const RaceRules& rules,
                         const std::function<double()>& clock) {
  constexpr int kMostInARow = 1000;
  const double start = clock();
  std::vector<Timing> result(runners.size());
  if (runners.empty()) return result;
  runners.front()();  // the first pays for cold caches
  double fastest = std::numeric_limits<double>::infinity();
  std::vector<double> first;
  for (const auto& run : runners) first.push_back(time_of(run, 1, clock)), fastest = std::min(fastest, first.back());
  const auto hopeless = [&](std::size_t i) { return first[i] > rules.hopeless * fastest; };
  for (std::size_t i = 0; i < runners.size(); i++)  // it may have been a bad moment, but those are short
    if (hopeless(i) && first[i] < rules.long_run) first[i] = std::min(first[i], time_of(runners[i], 1, clock));
  std::vector<std::vector<double>> seconds(runners.size());
  std::vector<int> in_a_row;
  in_a_row.reserve(first.size());
  for (const double f : first)
    in_a_row.push_back(static_cast<int>(std::clamp(std::ceil(rules.least / f), 1.0, double{kMostInARow})));
  for (int r = 0; r < rules.repeats && (r == 0 || clock() - start < rules.seconds); r++)
    for (std::size_t i = 0; i < runners.size(); i++)
      if (!hopeless(i) && (r != 0 || in_a_row[i] > 1 || clock() - start < rules.seconds))
        seconds[i].push_back(time_of(runners[i], in_a_row[i], clock));
  for (std::size_t i = 0; i < runners.size(); i++) {
    if (seconds[i].empty()) seconds[i].push_back(first[i]);
    result[i] = timing_of(seconds[i]);
  }
  return result;
}

}  // namespace rowan::training
