#pragma once
// Calls of the system and of zlib that fail on request. The linker sends the library's calls through here (--wrap in
// tests/CMakeLists.txt).

namespace rowan::test {

enum class Call { pread, read, fstat, inflate_init, inflate, deflate_init, deflate };

/// While it lives, the call fails once with `code` (an errno, or zlib's result), then works again.
class Failing {
 public:
  Failing(Call call, int code);
  Failing(const Failing&) = delete;
  Failing& operator=(const Failing&) = delete;
  ~Failing();
};

}  // namespace rowan::test
