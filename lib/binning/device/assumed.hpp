#pragma once
// Binning's passes where the host has assumed what rows sum up to (lib/device/pipeline/speculate.hpp): then it is known
// where each key's rows begin in the list, and one pass lists rows as it looks at them. It sums up no numbers but a
// checksum of them, which the kernels compare that take rows from the list; so no block waits for others.
#include "lib/binning/device/cancelled.hpp"
#include "lib/binning/device/lists.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// What was assumed of all rows of a phase.
struct AssumedRows {
  std::uint64_t checksum = 0;  // as ToldSums has it, and of what AssumedList has beside rows
  std::int32_t first_of_key[kKeys] = {}, behind_key[kKeys] = {};  // in a list by key
};

/// What the pass makes of rows, if they are as assumed; if they are not, `list` has undefined values.
struct AssumedList {
  std::uint8_t* key;  // of every row
  bool heavy_apart = false;
  std::int32_t* listed;  // of every key, were zero: its rows that are listed
  std::int32_t* list;
  SavedRange* saved = nullptr;       // of every row, becomes zero; null: not wanted
  std::int64_t* of_chunk = nullptr;  // by entries: of every chunk of rows
  std::uint64_t* checksum;           // was zero
  // what is in the checksum, too; null: nothing is
  const std::int32_t* flag = nullptr;
  const std::uint64_t* earlier = nullptr;  // checksum of an earlier pass
};

/// Every row's key and place in the list; bundles of runs and of shifted rows on the way. O(rows).
void list_assumed(const RowSource& rows, const Borders& borders, const AssumedRows& assumed, const AssumedList& out,
                  hipStream_t stream);

/// Whether all was as assumed, for the host.
enum class Assumption : std::uint32_t { untold, right, wrong };

/// row_ptr[i], which is the entries of row i, becomes the entries before it, and there is one number more. `of_chunk`:
/// as list_assumed() makes it. `answer` becomes an Assumption, by `cancelled`. For at most kMostAssumedRows, as every
/// block adds up the chunks before its own.
void make_row_pointers(std::int64_t rows, std::int64_t* row_ptr, const std::int64_t* of_chunk,
                       const Cancelled& cancelled, std::uint32_t* answer, hipStream_t stream);
inline constexpr std::int64_t kMostAssumedRows = 1 << 22;

}  // namespace rowan::device::inline ROWAN_BACKEND
