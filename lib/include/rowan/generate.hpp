#pragma once
/// \file
/// Generated matrices: stencils, meshes, graphs, lattices. A specification gives the same matrix on every machine and
/// for every number of threads. Columns rise within a row, without duplicates, and values lie in [0.5, 1.5), so nothing
/// cancels in a product.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <rowan/csr.hpp>
#include <rowan/export.hpp>

namespace rowan {

/// A parameter of a kind of matrix: a whole number.
struct GeneratorParameter {
  std::string_view name;
  std::string_view meaning;
  std::int64_t fallback = 0;         ///< its value where a specification does not name it
  std::int64_t least = 0, most = 0;  ///< its range
};

/// A kind of matrix.
struct Generator {
  std::string_view name;
  std::string_view about;
  bool symmetric = false;  ///< pattern and values
  std::span<const GeneratorParameter> parameters;
};

/// What a specification would make.
struct GeneratedSize {
  std::int64_t rows = 0, cols = 0;
  std::int64_t entries = 0;  ///< at most; `geometric`: expected
  std::int64_t bytes = 0;    ///< of memory at the peak, about
};

/// All kinds.
[[nodiscard]] ROWAN_API std::vector<Generator> generators();

/// Makes "KIND" or "KIND:name=value,name=value", for example "rmat:scale=16,edge_factor=8,seed=3". Parallel.
/// Throws Error{invalid_argument} for an unknown kind, parameter or value, Error{overflow} for more than
/// 2^31-1 rows or columns, Error{out_of_memory} for a matrix that this machine's memory cannot hold; all before it
/// allocates.
[[nodiscard]] ROWAN_API Csr<double> generate(std::string_view spec);

/// Checks a specification as `generate` does, without making the matrix.
[[nodiscard]] ROWAN_API GeneratedSize generated_size(std::string_view spec);

}  // namespace rowan
