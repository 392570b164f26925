#pragma once
// Arrays and matrices of a test in a device's memory, in the default stream's order.
#include <vector>

#include "lib/device/pipeline/pair.hpp"
#include <rowan/csr.hpp>

namespace rowan::test {

template <class V>
device::Buffer<V> on_device(device::Pool& pool, const V* from, std::size_t n) {
  device::Buffer<V> to(pool, static_cast<std::int64_t>(n), nullptr);
  device::copy_up(to.data(), from, to.size(), nullptr);
  return to;
}
template <class V>
device::Buffer<V> on_device(device::Pool& pool, const std::vector<V>& from) {
  return on_device(pool, from.data(), from.size());
}
/// Waits.
template <class V>
std::vector<V> on_host(const device::Buffer<V>& from) {
  const Array<V> there = device::fetched(from.data(), from.size(), nullptr);
  return {there.begin(), there.end()};
}

/// A matrix and its copy on the device.
template <class T>
struct Copied {
  device::Buffer<std::int64_t> ptr;
  device::Buffer<Column> col;
  device::Buffer<T> val;
  Operand<T> operand;

  Copied(device::Pool& pool, const CsrView<T>& m)
      : ptr(on_device(pool, m.row_ptr.wide(), static_cast<std::size_t>(m.rows) + 1)),
        col(on_device(pool, m.col.data(), m.col.size())),
        val(on_device(pool, m.val.data(), m.val.size())),
        operand{{.rows = m.rows, .cols = m.cols, .ptr = ptr.data(), .col = col.data()}, val.data()} {}
};

}  // namespace rowan::test
