#pragma once
/// \file
/// The options of a Context, and the statistics of a multiplication.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace rowan {

/// Where a multiplication of matrices in the host's memory runs. `cuda`, `hip` and `emulated` (kernels on the CPU,
/// slow, for tests) take the first such device, where the build has them; an entry of C is then the sum of its products
/// in any order, unless `deterministic` is set. The default policy is `device-rules`, with waves of 64 lanes
/// `wave64-rules`. `automatic` is the host, but for products that a GPU of this build's is predicted to give back
/// sooner, copies of A, B and C counted (multiply() alone; with the host's bits, as `deterministic` is in force there;
/// not where a policy, a model or an accumulator was named).
enum class Backend : std::uint8_t { automatic, host, cuda, hip, emulated };

/// one_phase: rows are computed once, into memory reserved at C's upper bound; on a device this holds for rows of few
/// products, and a sample of them gives the size. two_phase: a symbolic phase counts first.
enum class Method : std::uint8_t { one_phase, two_phase };

struct Options {
  Backend backend = Backend::automatic;
  std::vector<int> devices = {};  ///< those of `backend` that share a product of the host's matrices, counted from 0;
                                  ///< empty: the first; with Backend::automatic all
  int threads = 0;                ///< at most; 0: what the caller's oneTBB arena offers
  std::string policy = {};        ///< a compiled-in policy by name; empty: `model`, else the default one
  std::string model = {};         ///< a policy file, or its text ("{..."); empty: the file named by ROWAN_MODEL
  std::string force = {};         ///< one accumulator (or family) for all rows it can take; empty: the policy chooses.
                                  ///< On devices "hash:8" is hash with 8 lanes to a row of B
  bool deterministic = false;     ///< on devices, too, add an entry's products in the order of A's columns: the host's
                                  ///< bits, slower; no effect on a host
  bool unsorted = false;  ///< columns of a row of C may stand in any order, which is faster where rows are short
                          ///< and sums are many; values stay the same. multiply() on a host; all else gives
                          ///< rows that rise
  std::int64_t memory_limit = 0;  ///< bytes for C and all temporaries; 0: the machine's memory
  bool validate = true;       ///< check A and B first (O(nnz); of a large B of which a host's A meets few rows, those
                              ///< rows alone); without it a broken matrix is undefined behaviour
  std::stop_token stop = {};  ///< checked between pieces of work; a stopped call throws Error{cancelled}
  std::function<void(double)> progress = {};  ///< called with the share of rows done; see Progress (io.hpp)
};

inline namespace literals {
constexpr std::int64_t operator""_MiB(unsigned long long n) {
  return static_cast<std::int64_t>(n) << 20;
}
constexpr std::int64_t operator""_GiB(unsigned long long n) {
  return static_cast<std::int64_t>(n) << 30;
}
}  // namespace literals

/// What one of several devices did in a multiplication.
struct DeviceShare {
  static constexpr int kHost = -1;
  int device = 0;  ///< its number; kHost: the host's cores, which shared the rows with the devices
  std::int64_t rows = 0, nprod = 0, nnz = 0;
  double seconds = 0;                  ///< at work on rows, copies to the host apart
  std::int64_t bytes_from_others = 0;  ///< rows of B that came from other devices
};

/// Wall time of each stage in seconds, and what was done. `features`, `binning` and `deciding` are the cost of
/// choosing.
struct Stats {
  double prepare = 0;   ///< checks, transposes, widened row pointers, A and B sent to a device
  double features = 0;  ///< products, spans and runs of every row
  double binning = 0;
  double deciding = 0;
  double symbolic = 0;  ///< 0 where no symbolic phase ran
  double numeric = 0;   ///< with the allocation of C
  double transfer = 0;  ///< C sent back from a device
  double sink = 0;      ///< waiting for the sink that takes C in blocks of rows
  double total = 0;
  std::string policy = {};
  std::string device = {};                ///< its name; empty: the host
  std::vector<DeviceShare> devices = {};  ///< that shared the rows; the stages are then the longest of a device's,
                                          ///< which run beside the copies of other rows. Empty: the host, or matrices
                                          ///< in device memory
  std::string place_reason = {};  ///< of Backend::automatic, where there is a device: the times predicted; else empty
  Method method = Method::one_phase;
  std::string method_reason = {};  ///< why it is another than the policy asked for, or the policy was not asked
  bool binned = false;
  bool sampled = false;        ///< no row was measured: one accumulator multiplied all, chosen from a sample, or all
                               ///< rows are copies
  bool small_product = false;  ///< at most 16,384 products, on a device about 5 million: nothing was measured or
                               ///< chosen
  int threads = 1;             ///< workers of the host that the numeric phase could use
  std::int64_t nprod = 0;
  std::int64_t nnz = 0;              ///< of C
  std::int64_t blocks = 0;           ///< of rows, in which a sink took C; 0: C is one matrix
  std::int64_t bytes_c = 0;          ///< of C, or of its largest block
  std::int64_t bytes_temporary = 0;  ///< features, copies of inputs, scratch and buffers of all workers; the sum with
                                     ///< bytes_c is the peak
};

}  // namespace rowan
