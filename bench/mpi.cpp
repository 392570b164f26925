// Products over processes: what each step takes, and what travels (docs/distributed-scaling.md).
//   mpirun -n R mpi [--rounds N] [--json FILE] A [B]
//   mpirun -n 3 mpi --as R,R,... [--sampled K] [--rounds N] [--json FILE] A [B]
// The second way measures single processes of R: one process is it, the other two hold the rows of B below and above,
// and ask for as many of its rows as the others of R would (each once). Times are of one thread, of its work and not of
// its waiting where a process computes: several processes may share a core.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>

#include "mpi_trace.hpp"
#include <rowan/io.hpp>
#include <rowan/mpi.hpp>

namespace {

using Matrix = rowan::Csr<double>;
constexpr double kLong = 1e300;

int rank_here() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}
int ranks_here() {
  int n = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

struct Arguments {
  int rounds = 9, sampled = 3;
  std::vector<int> as = {};
  std::string json = {};
  std::vector<std::string> matrices = {};
};

int number(const std::string& word, const std::string& of) {
  char* end = nullptr;
  const long n = std::strtol(word.c_str(), &end, 10);
  if (word.empty() || *end != '\0' || n < 1 || n > 1'000'000)
    throw std::runtime_error(of + ": \"" + word + "\" is not a number from 1 to 1000000");
  return static_cast<int>(n);
}

Arguments parse(int argc, char** argv) {
  Arguments all;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      all.matrices.push_back(word);
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(word + " needs a value");
    const std::string value = argv[++i];
    if (word == "--rounds") {
      all.rounds = number(value, word);
    } else if (word == "--sampled") {
      all.sampled = number(value, word);
    } else if (word == "--json") {
      all.json = value;
    } else if (word == "--as") {
      std::istringstream list(value);
      for (std::string n; std::getline(list, n, ',');) all.as.push_back(number(n, word));
    } else {
      throw std::runtime_error("there is no option " + word);
    }
  }
  if (all.matrices.empty() || all.matrices.size() > 2) throw std::runtime_error("it takes A, or A and B");
  if (!all.as.empty() && ranks_here() != 3) throw std::runtime_error("--as needs mpirun -n 3");
  return all;
}

std::int64_t cut(std::int64_t n, int rank, int ranks) {
  return n * rank / ranks;
}

rowan::mpi::Layout even(std::int64_t n) {
  std::vector<std::int64_t> begins;
  for (int r = 0; r <= ranks_here(); r++) begins.push_back(cut(n, r, ranks_here()));
  return rowan::mpi::Layout(begins);
}
/// That of process `rank` of `ranks` in the middle.
rowan::mpi::Layout around(std::int64_t n, int rank, int ranks) {
  return rowan::mpi::Layout({0, cut(n, rank, ranks), cut(n, rank + 1, ranks), n});
}

struct Problem {
  Matrix a, b;
  [[nodiscard]] std::int64_t row(std::int64_t r) const { return a.row_ptr()[static_cast<std::size_t>(r)]; }
  [[nodiscard]] std::int64_t row_of_b(std::int64_t r) const { return b.row_ptr()[static_cast<std::size_t>(r)]; }
};

/// Rows [first, last) of a matrix, for a process.
rowan::mpi::Rows<double> part(const Matrix& m, const rowan::mpi::Layout& rows, const rowan::mpi::Layout& cols) {
  const std::int64_t first = rows.begin(rank_here()), last = rows.end(rank_here());
  const auto from = m.row_ptr()[static_cast<std::size_t>(first)], to = m.row_ptr()[static_cast<std::size_t>(last)];
  std::vector<std::int64_t> ptr;
  for (std::int64_t r = first; r <= last; r++) ptr.push_back(m.row_ptr()[static_cast<std::size_t>(r)] - from);
  const std::vector<std::int64_t> col(m.col().begin() + from, m.col().begin() + to);
  const std::vector<double> val(m.val().begin() + from, m.val().begin() + to);
  return rowan::mpi::split<double>({.rows = last - first, .cols = m.cols(), .row_ptr = ptr, .col = col, .val = val},
                                   rows, cols, rank_here());
}

/// One row that names those rows of B in [first, last) that rows [from, to) of A name; the rest is empty.
rowan::mpi::Rows<double> asking(const Problem& p, const rowan::mpi::Layout& rows, const rowan::mpi::Layout& cols,
                                std::int64_t first, std::int64_t last) {
  const std::int64_t from = rows.begin(rank_here()), to = rows.end(rank_here());
  std::vector<std::int64_t> col(p.a.col().begin() + p.row(from), p.a.col().begin() + p.row(to));
  std::erase_if(col, [&](std::int64_t c) { return c < first || c >= last; });
  std::ranges::sort(col);
  col.erase(std::unique(col.begin(), col.end()), col.end());
  std::vector<std::int64_t> ptr(static_cast<std::size_t>(to - from) + 1, static_cast<std::int64_t>(col.size()));
  ptr[0] = 0;
  if (ptr.size() == 1) col.clear();
  const std::vector<double> val(col.size(), 1.0);
  return rowan::mpi::split<double>({.rows = to - from, .cols = p.a.cols(), .row_ptr = ptr, .col = col, .val = val},
                                   rows, cols, rank_here());
}

/// The work of a process between calls of MPI, by step, and what it is proportional to.
struct Local {
  double prepare = kLong, assemble = kLong, multiply = kLong;
  std::int64_t rows = 0, nnz_a = 0, nnz_b = 0, nnz_c = 0, products = 0, rows_received = 0;
  std::array<trace::Volume, trace::kWaits> volume = {};
};

void keep_least(Local& local, const trace::Round& round) {
  if (round.waits.size() < trace::kWaits) {  // one process
    local.prepare = local.assemble = 0;
    local.multiply = std::min(local.multiply, round.work_ended - round.work_began);
    return;
  }
  const std::size_t payload = round.waits.at(trace::kWaits - 1);
  double prepare = 0, assemble = 0, multiply = 0, before = round.work_began;
  for (std::size_t k = 0; k < round.meetings.size(); k++) {
    const trace::Meeting& m = round.meetings[k];
    const double work = m.work_arrived - before - m.posting;
    (k < payload ? prepare : k <= payload + 1 ? assemble : multiply) += work;
    before = m.work_left;
  }
  multiply += round.work_ended - before;
  local.prepare = std::min(local.prepare, prepare), local.assemble = std::min(local.assemble, assemble);
  local.multiply = std::min(local.multiply, multiply);
  local.volume = round.volume;
}

void describe(Local& local, const rowan::mpi::Rows<double>& a, const rowan::mpi::Rows<double>& b,
              const rowan::mpi::Rows<double>& c, const rowan::mpi::ProductStats& stats) {
  local.rows = a.own.rows(), local.nnz_a = a.nnz(), local.nnz_b = b.nnz(), local.nnz_c = c.nnz();
  local.products = stats.local.nprod, local.rows_received = stats.rows_received;
}

/// What meetings take, each the least over rounds: from the last process that comes to the last one that leaves, and
/// the work of the last one that comes, which waits least. Posting messages is added.
struct Traffic {
  std::vector<double> elapsed = {}, work = {};
  std::vector<std::size_t> waits = {};
  double wall = kLong;

  void add(const trace::Round& round) {
    const std::size_t n = round.meetings.size();
    struct Arrival {
      double time;
      int rank;
    };
    std::vector<Arrival> last(n);
    std::vector<double> left(n), work_of_last(n);
    for (std::size_t k = 0; k < n; k++)
      last[k] = {round.meetings[k].arrived, rank_here()}, left[k] = round.meetings[k].left;
    const int count = static_cast<int>(n);
    PMPI_Allreduce(MPI_IN_PLACE, last.data(), count, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    latest(left);
    for (std::size_t k = 0; k < n; k++) {
      const trace::Meeting& m = round.meetings[k];
      if (last[k].rank == rank_here()) work_of_last[k] = m.work_left - m.work_arrived + m.posting;
    }
    latest(work_of_last);
    std::vector<double> ends{-round.began, round.ended};
    latest(ends);
    wall = std::min(wall, ends[0] + ends[1]);
    if (elapsed.empty()) elapsed.assign(n, kLong), work.assign(n, kLong);
    for (std::size_t k = 0; k < n; k++) {
      elapsed[k] = std::min(elapsed[k], left[k] - last[k].time);
      work[k] = std::min(work[k], work_of_last[k]);
    }
    waits = round.waits;
  }

 private:
  static void latest(std::vector<double>& times) {
    PMPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
};

template <class F>
Traffic repeat(int rounds, Local& local, const F& product) {
  Traffic traffic;
  for (int round = 0; round < rounds; round++) {
    PMPI_Barrier(MPI_COMM_WORLD);
    trace::begin();
    product();
    const trace::Round done = trace::end();
    keep_least(local, done);
    traffic.add(done);
  }
  return traffic;
}

/// Exchanges of all processes with all, by bytes a message; and a meeting without messages.
struct Link {
  std::vector<int> bytes = {};
  Traffic exchanges = {}, allreduce = {};
};

void exchange(int bytes) {
  const int n = ranks_here();
  std::vector<char> from(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(n)), to(from.size());
  std::vector<MPI_Request> requests;
  for (const bool sends : {false, true})
    for (int r = 0; r < n; r++) {
      if (r == rank_here()) continue;
      char* at = (sends ? from : to).data() + static_cast<std::ptrdiff_t>(bytes) * r;
      requests.emplace_back();
      if (sends)
        MPI_Isend(at, bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD, &requests.back());
      else
        MPI_Irecv(at, bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD, &requests.back());
    }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

Link measure_link() {
  Link link;
  if (ranks_here() == 1) return link;
  for (int bytes = 8; bytes <= 1 << 22; bytes *= 4) {
    Traffic traffic;
    for (int round = 0; round < 25; round++) {
      PMPI_Barrier(MPI_COMM_WORLD);
      trace::begin();
      exchange(bytes);
      traffic.add(trace::end());
    }
    link.bytes.push_back(bytes);
    link.exchanges.elapsed.push_back(traffic.elapsed[0]), link.exchanges.work.push_back(traffic.work[0]);
  }
  for (int round = 0; round < 50; round++) {
    int mine = 0, all = 0;
    trace::begin();
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    link.allreduce.add(trace::end());
  }
  return link;
}

std::string json(const Local& l, int rank, int ranks) {
  std::ostringstream out;
  out << "{\"rank\": " << rank << ", \"of\": " << ranks << ", \"rows\": " << l.rows << ", \"nnz_a\": " << l.nnz_a
      << ", \"nnz_b\": " << l.nnz_b << ", \"nnz_c\": " << l.nnz_c << ", \"products\": " << l.products
      << ", \"rows_received\": " << l.rows_received << ", \"prepare\": " << l.prepare
      << ", \"assemble\": " << l.assemble << ", \"multiply\": " << l.multiply;
  const auto list = [&](const char* name, std::int64_t trace::Volume::*what) {
    out << ", \"" << name << "\": [";
    for (std::size_t k = 0; k < trace::kWaits; k++) out << (k == 0 ? "" : ", ") << l.volume[k].*what;
    out << ']';
  };
  list("messages_sent", &trace::Volume::messages_sent), list("messages_received", &trace::Volume::messages_received);
  list("bytes_sent", &trace::Volume::bytes_sent), list("bytes_received", &trace::Volume::bytes_received);
  out << '}';
  return out.str();
}

template <class T>
std::string json(const std::vector<T>& all) {
  std::ostringstream out;
  out << '[';
  for (std::size_t k = 0; k < all.size(); k++) out << (k == 0 ? "" : ", ") << all[k];
  out << ']';
  return out.str();
}

std::string json(const Traffic& t) {
  return "{\"elapsed\": " + json(t.elapsed) + ", \"work\": " + json(t.work) + '}';
}

/// Every process's line, at process 0.
std::vector<std::string> gathered(const std::string& mine) {
  constexpr int kLine = 2048;
  std::vector<char> line(kLine, '\0'), all(static_cast<std::size_t>(kLine) * static_cast<std::size_t>(ranks_here()));
  if (mine.size() >= line.size()) throw std::runtime_error("a line is too long");
  std::ranges::copy(mine, line.begin());
  MPI_Gather(line.data(), kLine, MPI_CHAR, all.data(), kLine, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> lines;
  lines.reserve(static_cast<std::size_t>(ranks_here()));
  for (int r = 0; r < ranks_here(); r++) lines.emplace_back(all.data() + static_cast<std::ptrdiff_t>(kLine) * r);
  return lines;
}

std::vector<std::string> run(const Problem& p, const rowan::Context& context, int rounds, Traffic& traffic) {
  const auto rows = even(p.a.rows()), inner = even(p.a.cols()), cols = even(p.b.cols());
  const auto a = part(p.a, rows, inner), b = part(p.b, inner, cols);
  Local local;
  traffic = repeat(rounds, local, [&] {
    auto product = rowan::mpi::Product<double>::multiply(context, MPI_COMM_WORLD, a, b, false);
    describe(local, a, b, product.take(), product.stats());
  });
  return gathered(json(local, rank_here(), ranks_here()));
}

/// Processes of R to look at: that with the most products, that with the fewest, and some between.
std::vector<int> sample(const Problem& p, int ranks, int sampled) {
  std::vector<std::pair<std::int64_t, int>> by_products;
  for (int r = 0; r < ranks; r++) {
    std::int64_t products = 0;
    for (std::int64_t k = p.row(cut(p.a.rows(), r, ranks)); k < p.row(cut(p.a.rows(), r + 1, ranks)); k++) {
      const std::int64_t c = p.a.col()[static_cast<std::size_t>(k)];
      products += p.row_of_b(c + 1) - p.row_of_b(c);
    }
    by_products.emplace_back(products, r);
  }
  std::ranges::sort(by_products, std::greater<>());
  std::vector<int> some;
  some.reserve(static_cast<std::size_t>(sampled));
  for (int k = 0; k < sampled; k++)
    some.push_back(by_products[static_cast<std::size_t>((ranks - 1) * k / std::max(1, sampled - 1))].second);
  std::ranges::sort(some);
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

std::string run_as(const Problem& p, const rowan::Context& context, int rounds, int rank, int ranks) {
  const auto rows = around(p.a.rows(), rank, ranks), inner = around(p.a.cols(), rank, ranks),
             cols = around(p.b.cols(), rank, ranks);
  const auto a = rank_here() == 1 ? part(p.a, rows, inner) : asking(p, rows, inner, inner.begin(1), inner.end(1));
  const auto b = part(p.b, inner, cols);
  Local local;
  (void)repeat(rounds, local, [&] {
    auto product = rowan::mpi::Product<double>::multiply(context, MPI_COMM_WORLD, a, b, false);
    describe(local, a, b, product.take(), product.stats());
  });
  return gathered(json(local, rank, ranks)).at(1);
}

void write(const Arguments& all, const std::string& text) {
  if (rank_here() != 0) return;
  if (all.json.empty()) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::ofstream out(all.json);
  out << text;
  if (!out.flush()) throw std::runtime_error(all.json + ": cannot be written");
}

void measure(const Arguments& all) {
  const std::string &left = all.matrices.front(), &right = all.matrices.back();
  const Problem p{rowan::load_matrix(left), rowan::load_matrix(right)};
  const rowan::Context context({.threads = 1});
  std::ostringstream out;
  out << "{\"a\": \"" << left << "\", \"b\": \"" << right << "\", \"ranks\": " << ranks_here()
      << ", \"rounds\": " << all.rounds;
  std::vector<std::string> lines;
  if (all.as.empty()) {
    const Link link = measure_link();
    Traffic traffic;
    lines = run(p, context, all.rounds, traffic);
    out << ",\n \"link\": {\"bytes\": " << json(link.bytes) << ", \"exchange\": " << json(link.exchanges)
        << ", \"allreduce\": " << json(link.allreduce) << "},\n \"wall\": " << traffic.wall
        << ", \"meetings\": " << json(traffic) << ", \"waits\": " << json(traffic.waits);
  } else {
    for (const int ranks : all.as)
      for (const int rank : sample(p, ranks, all.sampled)) lines.push_back(run_as(p, context, all.rounds, rank, ranks));
  }
  out << ",\n \"processes\": [\n";
  for (std::size_t k = 0; k < lines.size(); k++) out << "  " << lines[k] << (k + 1 < lines.size() ? ",\n" : "\n");
  out << " ]}\n";
  write(all, out.str());
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    measure(parse(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mpi: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
