// Every allocation of write_matrix fails once: no descriptor stays open and no temporary file stays behind, whether the
// file is new, replaced, or has several names. Exit code 1 where one does.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>

#include <rowan/rowan.hpp>

namespace {

std::atomic<long> g_allocations = 0, g_failing = -1;  // the one to fail; -1: none

}  // namespace

void* operator new(std::size_t bytes) {
  if (g_failing >= 0 && g_allocations++ == g_failing) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes); memory != nullptr) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

namespace fs = std::filesystem;

auto entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

int left_behind(const fs::path& folder, const std::string& file, const rowan::Csr<double>& matrix) {
  constexpr long kMost = 10'000;  // writing takes fewer
  int faults = 0;
  for (long n = 0; n != kMost; n++) {
    const auto files = entries(folder), open = entries("/proc/self/fd");
    bool failed = false;
    g_allocations = 0, g_failing = n;
    try {
      rowan::write_matrix(file, matrix);
    } catch (const std::exception&) {
      failed = true;
    }
    const bool reached = g_allocations > n;
    g_failing = -1;
    if (failed && (entries(folder) != files || entries("/proc/self/fd") != open)) {
      std::printf("%s: allocation %ld leaves %td files, %td descriptors\n", file.c_str(), n, entries(folder) - files,
                  entries("/proc/self/fd") - open);
      faults++;
    }
    if (!reached) return faults;
  }
  std::printf("%s: more than %ld allocations\n", file.c_str(), kMost);
  return 1;
}

}  // namespace

int main() {
  std::string folder = (fs::temp_directory_path() / "rowan-allocation-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  const rowan::Csr<double> matrix = rowan::generate("rmat:scale=6");
  int faults = 0;
  for (const char* name : {"m.mtx", "m.mtx.gz", "m.rowan", "m.bin"}) {
    const std::string path = folder + "/" + name;
    faults += left_behind(folder, path, matrix);
    faults += left_behind(folder, path, matrix);
    fs::create_hard_link(path, path + "-other");
    faults += left_behind(folder, path, matrix);
  }
  fs::remove_all(folder);
  return faults == 0 ? 0 : 1;
}
