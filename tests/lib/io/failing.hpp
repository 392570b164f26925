#pragma once
// Calls of the system and of zlib that fail on request. The linker sends the library's calls through here (--wrap in
// tests/CMakeLists.txt).

namespace rowan::test {

enum class Call { pread, read, pwrite, fstat, inflate_init, inflate, deflate_init, deflate };

/// While it lives, the call works so many times, fails `times` times with `code` (an errno, or zlib's result), then
/// works again.
class Failing {
 public:
  Failing(Call call, int code, int working = 0, int times = 1);
  Failing(const Failing&) = delete;
  Failing& operator=(const Failing&) = delete;
  ~Failing();
};

}  // namespace rowan::test
