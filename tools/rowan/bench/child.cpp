#include "tools/rowan/bench/child.hpp"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rowan::tool::bench {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The last `cores` of those that this process may use: the first ones serve interrupts.
cpu_set_t last_cores(int cores) {
  cpu_set_t all, chosen;
  CPU_ZERO(&chosen);
  if (sched_getaffinity(0, sizeof all, &all) != 0) return chosen;
  for (std::size_t cpu = CPU_SETSIZE; cpu-- > 0 && cores > 0;)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &chosen), cores--;
  return chosen;
}

/// When memory runs out, it is this process that the system ends, and not the one that keeps the records.
void first_to_go() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
  close(file);
}

/// The environment with the number of threads of OpenMP programs.
std::vector<std::string> environment(int threads) {
  std::vector<std::string> all;
  for (char** e = environ; *e != nullptr; e++)
    if (!std::string_view(*e).starts_with("OMP_")) all.emplace_back(*e);
  all.push_back("OMP_NUM_THREADS=" + std::to_string(threads));
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> p;
  p.reserve(words.size() + 1);
  for (const std::string& w : words) p.push_back(const_cast<char*>(w.c_str()));  // as exec wants them
  p.push_back(nullptr);
  return p;
}

std::string last_line(int file) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(lseek(file, 0, SEEK_END), 0)), '\0');
  const ssize_t n = pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  text.erase(text.find_last_not_of('\n') + 1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Child::Child(const std::vector<std::string>& command, int cores) : name_(command.front()) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw Fault("cannot make a pipe");
  errors_ = memfd_create("stderr", MFD_CLOEXEC);
  std::signal(SIGPIPE, SIG_IGN);  // a contestant that is gone shows in its missing answer
  // all that allocates happens before the fork
  const std::vector<std::string> env = environment(cores);
  const std::vector<char*> argv = pointers(command), envp = pointers(env);
  const cpu_set_t cpus = last_cores(cores);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    dup2(in[0], STDIN_FILENO), dup2(out[1], STDOUT_FILENO), dup2(errors_, STDERR_FILENO);
    sched_setaffinity(0, sizeof cpus, &cpus);
    first_to_go();
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(in[0]), close(out[1]);
  in_ = in[1], out_ = out[0];
  if (pid_ < 0) {
    end();
    throw Fault("cannot start " + name_);
  }
}

Child::~Child() {
  end();
}

void Child::end() noexcept {
  if (in_ >= 0) close(in_);
  if (out_ >= 0) close(out_);
  if (errors_ >= 0) close(errors_);
  in_ = out_ = errors_ = -1;
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void Child::died() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  std::string why = "ended";
  if (WIFSIGNALED(status)) why = fmt::format("died of signal {} ({})", WTERMSIG(status), sigdescr_np(WTERMSIG(status)));
  if (WIFEXITED(status)) why = fmt::format("ended with exit code {}", WEXITSTATUS(status));
  const std::string line = last_line(errors_);
  end();
  throw Fault(line.empty() ? why : why + ": " + line);
}

bool Child::read_some(double deadline) {
  for (;;) {
    const double left = deadline - now();
    pollfd p{.fd = out_, .events = POLLIN, .revents = 0};
    const int ready = left <= 0 ? 0 : poll(&p, 1, static_cast<int>(std::min(left * 1000 + 1, 1e9)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      end();
      throw Fault("took too long");
    }
    char bytes[4096];
    const ssize_t n = read(out_, bytes, sizeof bytes);
    if (n <= 0) return false;
    text_.append(bytes, static_cast<std::size_t>(n));
    return true;
  }
}

std::string Child::read_all(double timeout) {
  const double deadline = now() + timeout;
  while (read_some(deadline)) continue;
  return text_;
}

nlohmann::json Child::ask(const std::string& line, double timeout) {
  if (pid_ <= 0) throw Fault("is gone");
  if (!line.empty()) {
    const std::string sent = line + "\n";
    if (write(in_, sent.data(), sent.size()) != static_cast<ssize_t>(sent.size())) died();
  }
  const double deadline = now() + timeout;
  std::size_t end_of_line;
  while ((end_of_line = text_.find('\n')) == std::string::npos)
    if (!read_some(deadline)) died();
  const std::string answer = text_.substr(0, end_of_line);
  text_.erase(0, end_of_line + 1);
  nlohmann::json json = nlohmann::json::parse(answer, nullptr, false);
  if (!json.is_object()) throw Fault("answered \"" + answer.substr(0, 60) + "\", which is no JSON object");
  if (json.contains("error")) throw Fault(json["error"].is_string() ? json["error"].get<std::string>() : "failed");
  return json;
}

std::int64_t Child::status(const char* key) const {
  std::ifstream file(fmt::format("/proc/{}/status", pid_));
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::stoll(line.substr(std::strlen(key))) * 1024;
  return 0;
}

void Child::reset_peak() const {
  std::ofstream(fmt::format("/proc/{}/clear_refs", pid_)) << "5";
}

}  // namespace rowan::tool::bench
