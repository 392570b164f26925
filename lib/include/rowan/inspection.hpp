#pragma once
/// \file
/// Which accumulator every row got, and why.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rowan/memory.hpp>
#include <rowan/options.hpp>

namespace rowan {

/// One accumulator as seen from one bin.
struct CandidateReport {
  std::string name = {};
  bool feasible = false;
  double predicted = 0;  ///< time over that of the feasible one predicted fastest; 0 where the policy predicts none
  double seconds = 0;    ///< wall time of the bin's rows on one thread, of their share in the whole product; 0 unless
                         ///< measured
};

/// Rows that share a decision. A device's bins are the numeric phase's: by entries of C, or by products if few.
struct BinReport {
  std::string label = {};  ///< "nprod 33-64", "nprod 513-2048, wide, run"; on a device "nnz 33-64" ...
  std::int64_t rows = 0;
  std::int64_t nprod = 0;
  std::int64_t nnz = 0;  ///< of C's rows in it, exact
  std::vector<std::pair<std::string, float>> features = {};
  std::string accumulator = {};         ///< the family: hash, dense, direct or sort
  std::string candidate = {};           ///< its variant, as dense-window
  std::string symbolic_candidate = {};  ///< what counts (or, in one phase, would count) its rows; on a device, whose
                                        ///< symbolic phase has bins of its own, maybe several: "hash, dense-rank"
  int group_size = 1;                   ///< lanes that walk one row of B; 1 on a host
  std::string requested = {};           ///< of the policy or `force`; differs where that was not feasible
  std::vector<std::string> why = {};    ///< the comparisons that led there: "nprod_max 96 < 129"
  std::vector<std::string> how = {};    ///< "raced with sort on blocks of rows"; of a device's hash tables: "sorted by
                                        ///< radix", "2 of 50 rows abandoned to dense-rank when counted, above 4
                                        ///< collisions a product"
  std::vector<CandidateReport> candidates = {};
};

/// One row of C.
struct RowReport {
  std::int64_t row = 0;
  int bin = 0;
  std::int64_t a_nnz = 0;
  std::int64_t nprod = 0;
  std::int64_t nnz = 0;  ///< exact
  std::int64_t span = 0;
  std::int64_t b_row_max = 0;
  int run = 1;    ///< rows from here on with the same pattern in A (saturates at 255); 1 where a device's policy
                  ///< does not ask for runs
  int shift = 1;  ///< rows from here on, each the one before moved by one column (saturates at 255)
};

/// What one of several devices has to do where rows of A, B and C stay in the devices' memory, cut as
/// DeviceGroup::distribute() cuts them. Where one device alone takes little, the first has all rows.
struct ShareReport {
  int device = 0;                      ///< its number
  std::int64_t first = 0, rows = 0;    ///< of C
  std::int64_t nprod = 0, nnz = 0;     ///< exact
  std::int64_t bytes_from_others = 0;  ///< rows of B that it reads from other devices
  double predicted = 0;                ///< seconds, by products and entries of C; those rows of B apart
  double seconds = 0;                  ///< measured, reading them included; 0 where there was no memory for A, B and C
};

struct Inspection {
  std::string policy = {};
  std::string policy_kind = {};
  bool binned = false;
  Method method = Method::one_phase;
  std::string method_reason = {};
  std::string device = {};               ///< that multiply() takes; empty: the host
  std::vector<ShareReport> shares = {};  ///< of Options::devices, where they are several
  std::string place_reason = {};  ///< of Backend::automatic, where there is a device: the times predicted; else empty
  bool sampled = false;        ///< multiply() measures no row: one bin of all rows, decided by the features of a sample
  bool small_product = false;  ///< at most 16,384 products, on a device about 5 million: multiply() chooses nothing,
                               ///< bins show what it would choose
  std::int64_t rows = 0, cols = 0;
  std::int64_t nprod = 0, nnz = 0;
  std::vector<std::pair<std::string, float>> features = {};  ///< of the whole matrix
  std::vector<BinReport> bins = {};
  std::vector<CandidateReport> forced = {};  ///< where measured: all rows that each can take, its fallbacks for others
  Array<RowReport> row = {};                 ///< every row, in order
};

}  // namespace rowan
