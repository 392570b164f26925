#pragma once
// C = R·A·P on the host, in the way that suits it.
#include <string>

#include "lib/core/parallel.hpp"
#include "lib/host/settings.hpp"
#include <rowan/csr.hpp>
#include <rowan/error.hpp>
#include <rowan/galerkin.hpp>

namespace rowan {

/// Throws what Context::galerkin() says.
template <class T>
[[nodiscard]] Csr<T> galerkin(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, GalerkinWay way,
                              const Settings& settings, GalerkinStats& stats);

/// Throws Error{invalid_argument} where the matrices do not fit together or, if `check`, one is broken.
template <class T>
void check_galerkin(const CsrView<T>& r, const CsrView<T>& a, const CsrView<T>& p, bool check, const Team& team);

/// The two products, by the names that they give their operands.
inline constexpr const char *kProductAp = "A P, whose B is P",
                            *kProductRap = "R (A P), whose A is R and whose B is A P";

/// Where it stopped, in front of what a multiplication says of its own A and B.
template <class F>
auto named_galerkin(const char* product, const F& multiply) {
  try {
    return multiply();
  } catch (const Error& e) {
    throw Error(e.code(), std::string(product) + ": " + e.what());
  }
}

}  // namespace rowan
