#pragma once
// A kind of matrix as data: what the user sees of it, and the two functions that make it.
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <rowan/generate.hpp>

namespace rowan::gen {

constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();

/// The parameters of one matrix, by name.
class Values {
 public:
  explicit Values(std::span<const GeneratorParameter> parameters);  // all with their defaults
  [[nodiscard]] std::int64_t operator[](std::string_view name) const;
  void set(std::string_view name, std::int64_t value);

 private:
  [[nodiscard]] std::size_t place(std::string_view name) const;

  std::span<const GeneratorParameter> parameters_;
  std::vector<std::int64_t> values_;
};

struct MatrixSize {
  std::int64_t rows = 0, cols = 0;
  std::int64_t entries = 0;  // at most, or expected
};

struct MatrixKind {
  Generator shown;
  MatrixSize (*size)(const Values&);   // refuses parameters that contradict each other; multiplies by `product`
  Csr<double> (*make)(const Values&);  // of a size that was found to fit
};

extern const MatrixKind kStencil2d, kStencil3d, kFem, kLattice4d;  // grids
extern const MatrixKind kAggregation, kClassical;                  // multigrid
extern const MatrixKind kDelaunay, kGeometric;                     // points
extern const MatrixKind kRandom, kRectangular, kHypersparse, kBanded, kDiagonals, kBlocks;
extern const MatrixKind kRmat, kPowerlaw, kHubs, kRoads, kPeers;  // graphs
inline constexpr const MatrixKind* kKinds[] = {&kStencil2d,   &kStencil3d, &kFem,       &kLattice4d, &kAggregation,
                                               &kClassical,   &kDelaunay,  &kGeometric, &kRandom,    &kRectangular,
                                               &kHypersparse, &kBanded,    &kDiagonals, &kBlocks,    &kRmat,
                                               &kPowerlaw,    &kHubs,      &kRoads,     &kPeers};

/// What every kind has.
inline constexpr GeneratorParameter kSeed{"seed", "another seed is another matrix of the kind", 1, 0,
                                          std::numeric_limits<std::int64_t>::max()};

/// The product of factors that are not negative; the largest int64 where it would exceed that.
[[nodiscard]] std::int64_t product(std::initializer_list<std::int64_t> factors);
/// The sum of two that are not negative; the largest int64 where it would exceed that.
[[nodiscard]] std::int64_t sum(std::int64_t a, std::int64_t b);

/// Throws Error{invalid_argument} with the message unless `holds`.
void require(bool holds, const char* message);

}  // namespace rowan::gen
