#include "tools/rowan/bench/product.hpp"

#include <filesystem>
#include <fstream>

#include "tools/rowan/command.hpp"
#include <rowan/rowan.hpp>

namespace rowan::tool::bench {
namespace {

namespace fs = std::filesystem;

struct Operand {
  std::string name;
  bool transposed = false;
};

Operand parse(std::string text) {
  Operand o{.name = std::move(text)};
  if (o.name.ends_with('\'')) o.transposed = true, o.name.pop_back();
  if (o.name.empty()) throw UsageError("a matrix without a name");
  return o;
}

Csr<double> read(const Operand& o, const std::string& folder) {
  std::string path = o.name;
  if (!folder.empty() && !generator_spec(path) && !fs::exists(path)) path = (fs::path(folder) / path).string();
  Csr<double> m = load_matrix(path);
  m = canonical(m.view());
  return o.transposed ? transpose(m.view()) : std::move(m);
}

/// "cage12.mtx.gz" -> "cage12"; what is generated keeps its parameters.
std::string short_name(const std::string& name) {
  if (const auto spec = generator_spec(name)) return std::string(*spec);
  const std::string file = fs::path(name).filename().string();
  return file.substr(0, file.find('.', 1));
}

}  // namespace

std::int64_t count_products(const CsrView<double>& a, const CsrView<double>& b) {
  std::int64_t n = 0;
  for (const Column j : a.col) n += b.row_ptr[j + 1] - b.row_ptr[j];
  return n;
}

Product load_product(const std::string& text, const std::string& folder) {
  constexpr std::string_view kTimes = " * ";
  const std::size_t times = text.find(kTimes);
  const Operand left = parse(text.substr(0, times));
  Product p{.name = short_name(left.name), .a = read(left, folder), .b = {}};
  if (times == std::string::npos) {
    if (p.a.rows() == p.a.cols()) {
      p.square = true;
      return p;
    }
    p.b = transpose(p.a.view());
    if (count_products(p.b, p.a) < count_products(p.a, p.b)) std::swap(p.a, p.b);
    return p;
  }
  const Operand right = parse(text.substr(times + kTimes.size()));
  p.square = right.name == left.name && right.transposed == left.transposed;
  if (!p.square) p.b = read(right, folder);
  if (right.name != left.name) p.name += "*" + short_name(right.name);
  if (p.a.cols() != p.view_b().rows)
    throw UsageError("\"" + text + "\": the left matrix has " + std::to_string(p.a.cols()) +
                     " columns, the right one " + std::to_string(p.view_b().rows) + " rows");
  return p;
}

std::vector<std::string> read_set(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Error(ErrorCode::io, path + ": cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace rowan::tool::bench
