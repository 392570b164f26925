// A·A of files in the memory of a GPU, through the public interface and CUDA's runtime alone.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include <rowan/rowan.hpp>

int main(int argc, char** argv) try {
  const rowan::DeviceContext device({.backend = rowan::Backend::cuda, .validate = false});
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaStreamCreate(&stream), cudaEventCreate(&begin), cudaEventCreate(&end);
  std::printf("%-40s %12s %12s %10s %8s\n", "matrix", "products", "entries of C", "us", "GFLOPS");
  for (int f = 1; f < argc; f++) {
    const auto a = device.to_device(rowan::load_matrix(argv[f]).view(), {.stream = stream});
    const rowan::Symbolic sizes = device.symbolic(a, a, {.stream = stream});
    std::vector<float> ms(31);
    for (float& t : ms) {
      cudaEventRecord(begin, stream);
      const auto c = device.multiply(a, a, {.stream = stream});
      cudaEventRecord(end, stream), cudaEventSynchronize(end), cudaEventElapsedTime(&t, begin, end);
    }
    std::nth_element(ms.begin() + 1, ms.begin() + 16, ms.end());  // the first takes memory
    const double median{ms[16]};
    std::printf("%-40s %12lld %12lld %10.1f %8.1f\n", argv[f], static_cast<long long>(sizes.nprod),
                static_cast<long long>(sizes.nnz), 1e3 * median, 2e-6 * static_cast<double>(sizes.nprod) / median);
  }
  return 0;
} catch (const rowan::Error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
