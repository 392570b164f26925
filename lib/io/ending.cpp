#include "lib/io/ending.hpp"

#include <algorithm>

#include <rowan/error.hpp>

namespace rowan::io {
namespace {

constexpr std::string_view kGzip = ".gz", kMatrixMarket = ".mtx", kBinary = ".bin", kOwn = ".rowan", kNpz = ".npz",
                           kText = ".txt";

/// The path without the ending .gz, if it has it.
std::string_view inflated(std::string_view path) {
  if (ending_of(path) == kGzip) path.remove_suffix(kGzip.size());
  return path;
}

}  // namespace

std::string ending_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  std::string ending(dot == std::string_view::npos ? "" : name.substr(dot));
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return ending;
}

bool names_a_form(std::string_view ending) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto letter_or_digit = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  if (ending.empty() || ending == kText) return false;
  ending.remove_prefix(1);  // the dot
  return std::all_of(ending.begin(), ending.end(), letter_or_digit) &&
         std::any_of(ending.begin(), ending.end(), letter);
}

bool is_matrix_name(std::string_view path) {
  const std::string ending = ending_of(inflated(path));
  return ending == kMatrixMarket || ending == kBinary || ending == kOwn || (ending == kNpz && ending_of(path) == kNpz);
}

Form form_of_name(std::string_view path) {
  const std::string_view plain = inflated(path);
  const std::string ending = ending_of(plain);
  const bool gzip = plain.size() != path.size();
  if (ending == kBinary) return {Format::binary, gzip};
  if (ending == kOwn) return {Format::rowan, gzip};
  if (ending == kNpz && !gzip) return {Format::npz, false};
  if (ending != kMatrixMarket && names_a_form(ending))
    throw Error(ErrorCode::invalid_argument,
                std::string(path) + ": rowan does not write " + ending + std::string(gzip ? kGzip : "") +
                    "; endings that it knows are .mtx, .bin and .rowan, each also with .gz, and .npz");
  return {Format::matrix_market, gzip};
}

}  // namespace rowan::io
