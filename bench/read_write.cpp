// Reads a matrix, or reads and writes it, and prints what that took as one line of JSON. bench/io.py runs it.
//   read_write THREADS REPEAT FILE [OUTPUT]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <rowan/rowan.hpp>

namespace {

/// The least time of f() in seconds.
template <class F>
double least(int repeat, const F& f) {
  double best = 1e300;
  for (int i = 0; i != repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// Of this program alone: ru_maxrss would count what stood in the process that started it.
long long peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long long kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

void measure(int repeat, const std::string& file, const char* output) {
  rowan::Csr<double> matrix;
  const double read = least(repeat, [&] {
    matrix = {};  // the matrix before is gone when the next one is read: the peak is that of one reading
    matrix = rowan::read_matrix(file);
  });
  const long long peak = peak_bytes();
  const long long bytes = 8 * (matrix.rows() + 1) + 12 * matrix.nnz();
  const double write =
      output == nullptr ? 0 : least(repeat, [&] { rowan::write_matrix(output, matrix, rowan::Format::matrix_market); });
  std::printf("{\"rows\": %lld, \"nnz\": %lld, \"bytes\": %lld, \"peak\": %lld, \"read\": %.6f, \"write\": %.6f}\n",
              static_cast<long long>(matrix.rows()), static_cast<long long>(matrix.nnz()), bytes, peak, read, write);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: read_write THREADS REPEAT FILE [OUTPUT]\n");
    return 2;
  }
  try {
    const int threads = std::max(1, std::atoi(argv[1]));
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    tbb::task_arena(threads).execute([&] { measure(std::atoi(argv[2]), argv[3], argc > 4 ? argv[4] : nullptr); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "read_write: %s\n", error.what());
    return 1;
  }
}
