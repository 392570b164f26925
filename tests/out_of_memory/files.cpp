// Every allocation of write_matrix fails once: no descriptor stays open and no temporary file stays behind, whether the
// file is new, is replaced, or has several names.
#include "tests/lib/io/files.hpp"

#include <filesystem>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "tests/out_of_memory/failing_memory.hpp"
#include <rowan/rowan.hpp>

namespace rowan::test {
namespace {

namespace fs = std::filesystem;

auto entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

void check_nothing_left(const fs::path& file, const Csr<double>& matrix) {
  CAPTURE(file);
  const std::string path = file.string();
  bool reached = true;
  for (std::int64_t nth = 0; reached; nth++) {
    const auto files = entries(file.parent_path()), open = entries("/proc/self/fd");
    bool failed = false;
    {
      const FailingMemory failing(FailingMemory::Which::one, nth);
      try {
        write_matrix(path, matrix);
      } catch (const Error&) {
        failed = true;
      }
      reached = failing.asked() > nth;
    }
    CAPTURE(nth);
    if (failed) CHECK_EQ(entries(file.parent_path()), files);
    CHECK_EQ(entries("/proc/self/fd"), open);
  }
}

}  // namespace

TEST_CASE("without memory: a file that is not written leaves nothing behind") {
  const Folder folder;
  const Csr<double> matrix = generate("rmat:scale=6");
  for (const char* name : {"m.mtx", "m.mtx.gz", "m.rowan", "m.bin"}) {
    const fs::path file = folder.path(name);
    check_nothing_left(file, matrix);
    check_nothing_left(file, matrix);
    fs::create_hard_link(file, file.string() + "-other");
    check_nothing_left(file, matrix);
  }
}

}  // namespace rowan::test
