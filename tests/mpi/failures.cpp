// Processes that fail in every stage of every product: none hangs. A program of its own, it replaces operator new and
// looks at calls of MPI.
//   mpirun -n 3 rowan_mpi_failures            memory: each allocation of one process fails, all throw, all go on
//   mpirun -n 3 rowan_mpi_failures CALL K     one process kills itself as it comes to the K-th call in which all meet
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include "tests/mpi/support.hpp"
#include "tests/out_of_memory/failing_memory.hpp"
#include <rowan/error.hpp>
#include <rowan/generate.hpp>
#include <rowan/mpi.hpp>

namespace rowan::test {
namespace {

int meetings = 0, kill_at = -1;
std::string doing;

bool is_victim() {
  return rank() == 1 % ranks();
}

void meet() {
  if (meetings++ == kill_at && is_victim()) std::raise(SIGKILL);
}

/// A process that waits for ever for one that left.
constexpr unsigned kPatience = 20;
void hangs(int) {
  const char text[] = "failures: a process hangs: ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, doing.data(), doing.size());
  (void)!write(2, "\n", 1);
  _exit(3);
}

mpi::Layout even(std::int64_t n) {
  std::vector<std::int64_t> begins;
  for (int r = 0; r <= ranks(); r++) begins.push_back(n * r / ranks());
  return mpi::Layout(std::move(begins));
}

/// The collective calls, each of which says how many entries came of it.
struct Calls {
  Context context{{.threads = 1}};
  Csr<double> whole_a = generate("aggregation:nx=6,ny=6,nz=6,part=0"),
              whole_p = generate("aggregation:nx=6,ny=6,nz=6,part=1");
  mpi::Layout fine = even(whole_a.rows()), coarse = even(whole_p.cols());
  mpi::Rows<double> a = mine(whole_a, fine, fine), p = mine(whole_p, fine, coarse);

  using Product = mpi::Product<double>;
  struct Call {
    std::string name;
    std::function<std::int64_t()> run;
  };
  std::vector<Call> all() {
    auto product = std::make_shared<Product>(Product::multiply(context, MPI_COMM_WORLD, a, p));
    auto c = std::make_shared<mpi::Rows<double>>(product->take());
    const auto execute = [this](Product& planned, mpi::Rows<double>& to) {
      planned.execute(a, p, to.own.val(), to.others.val());
      return to.nnz();
    };
    const auto plan = [this, execute] {
      auto fresh = Product::multiply(context, MPI_COMM_WORLD, a, p);
      auto to = fresh.take();
      return execute(fresh, to);
    };
    return {{"layout", [this] { return mpi::Layout::of(MPI_COMM_WORLD, fine.own(rank())).all(); }},
            {"plan", plan},
            {"multiply", [this] { return mpi::multiply(context, MPI_COMM_WORLD, a, p).nnz(); }},
            {"transposed", [this] { return Product::transposed_multiply(context, MPI_COMM_WORLD, p, a).take().nnz(); }},
            {"galerkin", [this] { return mpi::GalerkinProduct<double>(context, MPI_COMM_WORLD, a, p).take().nnz(); }},
            {"execute", [product, c, execute] { return execute(*product, *c); }}};
  }
};

enum class Outcome : int { done, threw, wrong };

Outcome outcome(const Calls::Call& call, std::int64_t expected) {
  try {
    return call.run() == expected ? Outcome::done : Outcome::wrong;
  } catch (const Error& e) {
    return e.code() == ErrorCode::out_of_memory ? Outcome::threw : Outcome::wrong;
  } catch (...) {
    return Outcome::wrong;
  }
}

/// How many allocations of the victim were made to fail; -1 where not all processes were told, or told wrong.
std::int64_t without_memory(const Calls::Call& call) {
  using Which = FailingMemory::Which;
  const std::int64_t expected = call.run();
  (void)call.run();  // what is made once is there now
  std::int64_t asked = 0;
  {
    const FailingMemory none(Which::none);
    (void)call.run();
    asked = none.asked();
  }
  MPI_Bcast(&asked, 1, MPI_INT64_T, 1 % ranks(), MPI_COMM_WORLD);
  for (const Which which : {Which::one, Which::all_from})
    for (std::int64_t nth = 0; nth < asked; nth++) {
      release_memory();
      doing = call.name + ", allocation " + std::to_string(nth) + (which == Which::one ? "" : " and all behind it");
      alarm(kPatience);
      Outcome found = Outcome::done;
      {
        const FailingMemory failing(is_victim() ? which : Which::none, nth);
        found = outcome(call, expected);
      }
      int least = static_cast<int>(found), most = least;
      MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      if (least != most || found == Outcome::wrong) {
        std::fprintf(stderr, "failures: rank %d: %s: %s\n", rank(), doing.c_str(),
                     found == Outcome::done    ? "done"
                     : found == Outcome::threw ? "threw"
                                               : "wrong");
        return -1;
      }
      if (call.run() != expected) return -1;  // all go on
    }
  alarm(0);
  return 2 * asked;
}

int run(const std::string& only, int at) {
  Calls calls;
  for (const Calls::Call& call : calls.all()) {
    if (!only.empty()) {
      if (call.name != only) continue;
      meetings = 0, kill_at = at;
      alarm(kPatience);
      (void)call.run();
      std::printf("%d meetings\n", meetings);  // there is no K-th one
      return 0;
    }
    const std::int64_t failed = without_memory(call);
    if (failed < 0) return 1;
    if (rank() == 0)
      std::printf("%s: %lld allocations failed, all processes went on\n", call.name.c_str(),
                  static_cast<long long>(failed));
  }
  return 0;
}

}  // namespace
}  // namespace rowan::test

extern "C" {
int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  rowan::test::meet();
  return PMPI_Allreduce(from, to, n, type, op, comm);
}
int MPI_Alltoall(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype as, MPI_Comm comm) {
  rowan::test::meet();
  return PMPI_Alltoall(from, n, type, to, m, as, comm);
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  rowan::test::meet();
  return PMPI_Waitall(n, requests, statuses);
}
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::signal(SIGALRM, rowan::test::hangs);
  const int failed = argc == 3 ? rowan::test::run(argv[1], std::atoi(argv[2])) : rowan::test::run("", 0);
  MPI_Finalize();
  return failed;
}
