#pragma once
// Where rows of C are cut for several devices that keep them.
#include <cstdint>
#include <vector>

#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include <rowan/csr.hpp>

namespace rowan {

/// What one device is predicted to take for so much of C, without an exchange.
[[nodiscard]] double device_seconds_of(double nprod, double c_nnz);
/// The same of A·B, by a sample; views that are not looked at are taken for large.
template <class T>
[[nodiscard]] double one_device_seconds(const CsrView<T>& a, const CsrView<T>& b);

/// devices + 1 rows of A, from 0 to all: cuts that give each device as much of A·B; the first device has all rows where
/// one alone takes little (`seconds`).
template <class T>
[[nodiscard]] std::vector<std::int64_t> row_cuts(const Operand<T>& a, const Operand<T>& b, int devices, double seconds,
                                                 const Team& team);

}  // namespace rowan
