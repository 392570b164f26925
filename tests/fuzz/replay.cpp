// The fuzzers' corpus, every file of it, at every run of the tests; findings are kept in it.
#include <filesystem>

#include <doctest/doctest.h>

#include "tests/fuzz/targets.hpp"
#include "tests/lib/io/files.hpp"

namespace rowan::test {

TEST_CASE("what the fuzzers found and keep is refused, or read as it should be") {
  for (const fuzz::Target& target : fuzz::kTargets) {
    int files = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(ROWAN_SOURCE_DIR "/tests/fuzz/corpus/" + std::string(target.name))) {
      const std::string bytes = content(file.path().string());
      CAPTURE(file.path().string());
      CHECK_NOTHROW(target.run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
      files++;
    }
    CAPTURE(target.name);
    CHECK_GT(files, 0);
  }
}

}  // namespace rowan::test
