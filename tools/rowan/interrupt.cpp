#include "tools/rowan/interrupt.hpp"

#include <array>
#include <csignal>
#include <cstring>

#include <unistd.h>

#include "lib/io/output.hpp"

namespace rowan::tool {
namespace {

// A signal's handler may look at nothing that allocates, so the name lies in an array; empty: nothing to remove.
constexpr std::size_t kLongest = 4096;   // PATH_MAX
std::array<char, kLongest> temporary{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

extern "C" void remove_and_die(int signal) {
  if (temporary[0] != '\0') unlink(temporary.data());
  raise(signal);  // the handler is gone by now (SA_RESETHAND): this is the end
}

}  // namespace

void clean_up_when_interrupted(const std::string& path) {
  const std::string name = io::temporary_name(io::real_path(path), getpid());
  if (name.size() >= temporary.size()) return;  // no file can be called so
  std::memcpy(temporary.data(), name.c_str(), name.size() + 1);
  struct sigaction action {};
  action.sa_handler = remove_and_die;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
}

}  // namespace rowan::tool
