#include "tools/rowan/interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

#include <unistd.h>

#include "lib/io/temporary.hpp"

namespace rowan::tool {
namespace {

// A signal's handler may look at nothing that allocates, so the name lies in an array; empty: nothing to remove.
constexpr std::size_t kLongest = 4096;   // PATH_MAX
std::array<char, kLongest> temporary{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
// The same of words to say; `said` is how many bytes.
constexpr std::size_t kLongestWords = 2 * kLongest;
std::array<char, kLongestWords> words{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<std::size_t> said = 0;        // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> holding = 0, waiting = 0;  // how many hold; the signal that came meanwhile
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void remove_and_die(int signal) {
  // a limit's signal comes from the very write that it forbids, which fails once this returns
  if (holding != 0) {
    waiting = signal;
    return;
  }
  if (temporary[0] != '\0') unlink(temporary.data());
  if (said != 0 && write(STDERR_FILENO, words.data(), said) < 0) said = 0;  // that is all that can be done
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  raise(signal);
}

}  // namespace

void clean_up_when_interrupted(const std::string& target) {
  const std::string name = io::temporary_name(target, getpid());
  if (name.size() >= temporary.size()) return;  // no file can be called so
  std::memcpy(temporary.data(), name.c_str(), name.size() + 1);
  struct sigaction action {};
  action.sa_handler = remove_and_die;
  action.sa_flags = static_cast<int>(SA_NODEFER);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGXCPU}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
}

void say_when_interrupted(std::string_view text) {
  said = 0;
  text = text.substr(0, words.size());
  text.copy(words.data(), text.size());
  said = text.size();
}

HeldInterrupts::HeldInterrupts() {
  holding++;
}

HeldInterrupts::~HeldInterrupts() {
  if (--holding == 0 && waiting != 0) raise(waiting);
}

}  // namespace rowan::tool
