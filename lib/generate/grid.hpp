#pragma once
// A box of nodes, numbered x first, then y, then z, and the nodes around one of them in rising order.
#include <algorithm>
#include <cstdint>

namespace rowan::gen {

struct Grid {
  std::int64_t nx = 1, ny = 1, nz = 1;

  [[nodiscard]] std::int64_t nodes() const { return nx * ny * nz; }

  /// Calls f(node) for the node and those a step along one axis away.
  template <class F>
  void for_cross(std::int64_t node, const F& f) const {
    const std::int64_t x = node % nx, y = node / nx % ny, z = node / nx / ny;
    if (z > 0) f(node - nx * ny);
    if (y > 0) f(node - nx);
    if (x > 0) f(node - 1);
    f(node);
    if (x + 1 < nx) f(node + 1);
    if (y + 1 < ny) f(node + nx);
    if (z + 1 < nz) f(node + nx * ny);
  }

  /// Calls f(node) for the node and those at most a step away along every axis.
  template <class F>
  void for_box(std::int64_t node, const F& f) const {
    const std::int64_t x = node % nx, y = node / nx % ny, z = node / nx / ny;
    const auto around = [](std::int64_t at, std::int64_t n, const auto& g) {
      for (std::int64_t i = std::max<std::int64_t>(0, at - 1); i <= std::min(n - 1, at + 1); i++) g(i);
    };
    around(z, nz, [&](std::int64_t w) {
      around(y, ny, [&](std::int64_t v) { around(x, nx, [&](std::int64_t u) { f((w * ny + v) * nx + u); }); });
    });
  }
};

}  // namespace rowan::gen
