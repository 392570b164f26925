// How evenly chunks of rows share out among workers that this machine does not have: each chunk of C = A*A is run and
// timed alone, here, and the times are replayed on 1 to 64 workers as assemble_by_look_back would run them: a free
// worker takes the next chunk, with two buffers a worker, and copies as soon as all chunks before are counted. It does
// not show the limits of memory that all workers share.
//   schedule [--seconds S] MATRIX...     files or generated:...; a line of JSON each
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <queue>
#include <string>
#include <vector>

#include "lib/host/decided.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/phases.hpp"
#include "lib/host/settings.hpp"
#include "models/embedded.hpp"
#include <rowan/rowan.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds that a chunk takes to be multiplied into a buffer, and to be copied to C.
struct Piece {
  double multiply = 1e300, copy = 1e300;
};

/// Seconds until `workers` workers are done.
double replay(const std::vector<Piece>& pieces, int workers) {
  struct Worker {
    double now = 0;
    std::deque<std::size_t> pending;  // buffers that wait for their chunk offset, as chunks
  };
  std::vector<Worker> team(static_cast<std::size_t>(workers));
  const auto later = [&](std::size_t x, std::size_t y) { return team[x].now > team[y].now; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> free(later);
  for (std::size_t w = 0; w < team.size(); w++) free.push(w);
  std::vector<double> known(pieces.size() + 1, 0);  // when the place of a chunk is: all before it are multiplied
  const auto copy_first = [&](Worker& w) {
    w.now = std::max(w.now, known[w.pending.front()]) + pieces[w.pending.front()].copy;
    w.pending.pop_front();
  };
  for (std::size_t n = 0; n < pieces.size(); n++) {
    const std::size_t id = free.top();
    free.pop();
    Worker& w = team[id];
    if (w.pending.size() == static_cast<std::size_t>(rowan::kBuffers)) copy_first(w);
    w.now += pieces[n].multiply;
    known[n + 1] = std::max(known[n], w.now);
    w.pending.push_back(n);
    while (!w.pending.empty() && known[w.pending.front()] <= w.now) copy_first(w);
    free.push(id);
  }
  double last = 0;
  for (Worker& w : team) {
    while (!w.pending.empty()) copy_first(w);
    last = std::max(last, w.now);
  }
  return last;
}

/// Times of every chunk of A*A, minimum over the rounds that fit into `seconds`; `cutting`: the time to cut them.
std::vector<Piece> time_chunks(const rowan::Csr<double>& matrix, double seconds, double& cutting) {
  const rowan::Options options{.threads = 1};
  const rowan::Team team(1);
  const rowan::Inputs<double> in(matrix, matrix, true, team);
  const rowan::Settings settings{options, rowan::embedded_policies().front()};
  rowan::Stats stats;
  const rowan::Decided decided = rowan::decide(in.a(), in.b(), settings, team, stats);
  const auto start = Clock::now();
  const rowan::PhasePlan<double> work(in.a(), in.b(), decided, rowan::Phase::numeric, team, std::int64_t{1} << 40);
  cutting = since(start);
  std::vector<Piece> pieces(work.chunks.size());
  rowan::ChunkBuffer<double> buffer(rowan::largest(work.chunks)), c(rowan::largest(work.chunks));
  rowan::Array<rowan::Offset> nnz(in.a().rows);
  rowan::Workspace workspace;
  const auto begin = Clock::now();
  do {
    for (std::size_t n = 0; n < pieces.size(); n++) {
      const rowan::Chunk& chunk = work.chunks[n];
      auto from = Clock::now();
      const auto count = static_cast<std::size_t>(
          work.runner.numeric(workspace, chunk.first, chunk.last, nnz.data(), buffer.col.data(), buffer.val.data()));
      pieces[n].multiply = std::min(pieces[n].multiply, since(from));
      from = Clock::now();
      std::memcpy(c.col.data(), buffer.col.data(), count * sizeof(std::int32_t));
      std::memcpy(c.val.data(), buffer.val.data(), count * sizeof(double));
      pieces[n].copy = std::min(pieces[n].copy, since(from));
    }
  } while (since(begin) < seconds);
  return pieces;
}

void report(const std::string& name, double seconds) {
  double cutting = 0, all = 0, longest = 0;
  const std::vector<Piece> pieces = time_chunks(rowan::load_matrix(name), seconds, cutting);
  for (const Piece& p : pieces) all += p.multiply + p.copy, longest = std::max(longest, p.multiply);
  std::printf(
      "{\"matrix\": \"%s\", \"chunks\": %zu, \"ms\": %.3f, \"longest_ms\": %.3f, \"cutting_ms\": %.3f, "
      "\"times_faster\": {",
      name.c_str(), pieces.size(), all * 1e3, longest * 1e3, cutting * 1e3);
  for (int workers = 1; workers <= 64; workers *= 2)
    std::printf("%s\"%d\": %.2f", workers == 1 ? "" : ", ", workers, all / replay(pieces, workers));
  std::printf("}}\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  double seconds = 1;
  int at = 1;
  if (argc > 2 && std::strcmp(argv[1], "--seconds") == 0) seconds = std::atof(argv[2]), at = 3;
  if (at >= argc) throw std::runtime_error("usage: schedule [--seconds S] MATRIX...");
  for (; at < argc; at++) report(argv[at], seconds);
} catch (const std::exception& e) {
  std::fprintf(stderr, "schedule: %s\n", e.what());
  return 1;
}
