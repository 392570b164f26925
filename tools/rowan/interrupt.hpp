#pragma once
// Ctrl-C leaves nothing behind.
#include <string>

namespace rowan::tool {

/// From now on a signal that ends the program (SIGINT, SIGTERM, SIGHUP, SIGPIPE, and those of limits: SIGXFSZ, SIGXCPU)
/// takes the temporary file of the target (io::FileTarget::path) away first. The program still dies of the signal, as
/// shells expect. One target at a time.
void clean_up_when_interrupted(const std::string& target);

/// While one lives such a signal waits: a file of several names is being written over, and half of it would be useless.
class HeldInterrupts {
 public:
  HeldInterrupts();
  HeldInterrupts(const HeldInterrupts&) = delete;
  HeldInterrupts& operator=(const HeldInterrupts&) = delete;
  ~HeldInterrupts();
};

}  // namespace rowan::tool
