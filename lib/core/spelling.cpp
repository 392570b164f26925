#include "lib/core/spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rowan {
namespace {

/// Letters to insert, drop or replace to get from one word to the other (Levenshtein), a row of the table at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); i++) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); j++) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// A third of the letters may be wrong, two swapped ones count as two.
bool close(std::string_view name, std::string_view candidate) {
  return distance(name, candidate) <= std::max<std::size_t>(2, candidate.size() / 3) &&
         distance(name, candidate) < candidate.size();
}

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& all) {
  const auto found = std::min_element(all.begin(), all.end(), [&](const std::string& x, const std::string& y) {
    return distance(name, x) < distance(name, y);
  });
  return found != all.end() && close(name, *found) ? *found : "";
}

std::string unknown(std::string_view what, std::string_view name, const std::vector<std::string>& all) {
  std::string text = "there is no " + std::string(what) + " " + in_quotes(name);
  if (const std::string meant = nearest(name, all); !meant.empty()) text += ", did you mean " + in_quotes(meant) + "?";
  std::string list;
  for (const std::string& one : all) list += (list.empty() ? "" : ", ") + one;
  return text + (text.back() == '?' ? " There are " : "; there are ") + list;
}

}  // namespace rowan
