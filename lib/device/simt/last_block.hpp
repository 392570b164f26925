#pragma once
// Which block of a grid is the last to be done: it puts together what all have found, without a launch of its own.
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// By all threads of a block, once, behind all that they write to global memory: whether all others of `blocks` have
/// been here. `blocks_done` was zero.
__device__ inline bool is_last_block(std::uint32_t* blocks_done, unsigned blocks) {
  ROWAN_SHARED(int, last, 1);
  simt::fence_device();  // what this thread wrote is there before the block counts as done
  __syncthreads();
  if (threadIdx.x == 0) last[0] = simt::atomic_add(blocks_done, 1) + 1 == blocks ? 1 : 0;
  __syncthreads();
  return last[0] != 0;
}
/// Of all blocks of the grid.
__device__ inline bool is_last_block(std::uint32_t* blocks_done) {
  return is_last_block(blocks_done, gridDim.x);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
