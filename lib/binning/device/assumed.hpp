#pragma once
// Binning's passes where the host has assumed what rows sum up to (lib/device/pipeline/speculate.hpp): then it is known
// where each key's rows begin in the list, and one pass lists rows as it looks at them. It sums up no numbers but a
// checksum of them, which the kernels compare that take rows from the list.
#include "lib/binning/device/cancelled.hpp"
#include "lib/binning/device/lists.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// What was assumed of all rows of a phase.
struct AssumedRows {
  std::uint64_t checksum = 0;  // as ToldSums has it, and of what AssumedList has beside rows
  std::int32_t first_of_key[kKeys] = {}, behind_key[kKeys] = {};  // in a list by key
};

/// Whether all was as assumed, for the host.
enum class Assumption : std::uint32_t { untold, right, wrong };

/// What the pass makes of rows, if they are as assumed; if they are not, `list` has undefined values.
struct AssumedList {
  std::uint8_t* key;  // of every row
  bool heavy_apart = false;
  std::int32_t* listed;  // of every key, were zero: its rows that are listed
  std::int32_t* list;
  SavedRange* saved = nullptr;  // of every row, becomes zero; null: not wanted
  std::uint64_t* checksum;      // was zero; by entries it becomes the assumed one, or another
  // what is in the checksum, too; null: nothing is
  const std::int32_t* flag = nullptr;
  const std::uint64_t* earlier = nullptr;  // checksum of an earlier pass
  // By entries: those before every row, and one number more; not where the entries are, which others still read
  std::int64_t* row_ptr = nullptr;
  // were zero
  unsigned long long* chunk_state = nullptr;  // of every chunk of rows (lib/device/simt/look_back.hpp)
  std::uint64_t* chunk_checksum = nullptr;
  std::uint32_t* next_chunk = nullptr;
  std::uint32_t* answer = nullptr;  // becomes an Assumption
};

/// Every row's key and place in the list; bundles of runs and of shifted rows, and row pointers, on the way. O(rows).
void list_assumed(const RowSource& rows, const Borders& borders, const AssumedRows& assumed, const AssumedList& out,
                  hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
