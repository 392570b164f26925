#pragma once
// Ctrl-C leaves nothing behind, or says what.
#include <string>
#include <string_view>

namespace rowan::tool {

/// From now on a signal that ends the program (SIGINT, SIGTERM, SIGHUP, SIGPIPE, and those of limits: SIGXFSZ, SIGXCPU)
/// takes the temporary file of the target (io::FileTarget::path) away first. The program still dies of the signal, as
/// shells expect. One target at a time.
void clean_up_when_interrupted(const std::string& target);

/// From now on such a signal first prints this text to standard error; none where it is empty.
void say_when_interrupted(std::string_view text);

/// While one lives such a signal waits: a file of several names is being written over, and half of it would be useless.
class HeldInterrupts {
 public:
  HeldInterrupts();
  HeldInterrupts(const HeldInterrupts&) = delete;
  HeldInterrupts& operator=(const HeldInterrupts&) = delete;
  ~HeldInterrupts();
};

}  // namespace rowan::tool
