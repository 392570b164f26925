#pragma once
// The peers that come with rowan: bench/CMakeLists.txt builds those whose library it finds.
#include <array>
#include <string_view>

namespace rowan::tool::bench {

struct Peer {
  std::string_view program, backend;
};

inline constexpr std::array kPeers{Peer{"cusparse", "cuda"},  Peer{"cxsparse", "host"}, Peer{"eigen", "host"},
                                   Peer{"graphblas", "host"}, Peer{"kokkos", "host"},   Peer{"mkl", "host"},
                                   Peer{"petsc", "host"},     Peer{"rocsparse", "hip"}, Peer{"scipy", "host"},
                                   Peer{"spa", "host"}};

}  // namespace rowan::tool::bench
