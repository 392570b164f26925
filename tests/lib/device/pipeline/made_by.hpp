#pragma once
// Products of matrices that lie on the device, brought to the host.
#include <memory>
#include <optional>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {

/// C by `multiply`(engine, A, B, stream), which may give nothing; nothing is left on the device.
template <class T, class Multiply>
std::optional<Csr<T>> made_by(const std::shared_ptr<device::Engine>& engine, const Factors<T>& f,
                              const Multiply& multiply) {
  const Team team(1);
  const Prepared<T> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
  std::optional<Csr<T>> c;
  {
    const device::Pair<T> pair(engine, left.operand(), right.operand(), false);
    const auto made = multiply(*engine, pair.a(), pair.b(), pair.stream());
    if (made)
      c.emplace(made->rows, made->cols, device::fetched(made->row_ptr.data(), made->rows + 1, pair.stream()),
                device::fetched(made->col.data(), made->nnz, pair.stream()),
                device::fetched(made->val.data(), made->nnz, pair.stream()));
  }
  CHECK_EQ(engine->pool().in_use(), 0);
  return c;
}

}  // namespace rowan::test
