#include "petsc/settings.hpp"

#include <cstdio>
#include <optional>

#include <petsctime.h>

#include "petsc/matrix.hpp"

namespace rowan::petsc {
namespace {

std::optional<Context> shared_context;

std::string milliseconds(double seconds) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.3f ms", 1e3 * seconds);
  return text.data();
}

void print_done() {
  const Settings& s = settings();
  bool any = false;
  for (const bool parallel : {false, true})
    for (std::size_t type = 0; type < s.done[0].size(); type++) {
      const Done& d = s.done[parallel ? 1 : 0][type];
      if (d.products + d.again + d.left == 0) continue;
      std::string line = std::string(parallel ? "mpiaij " : "seqaij ") + MatProductTypes[type] + ": " +
                         std::to_string(d.products) + " new, " + std::to_string(d.again) + " again, " +
                         std::to_string(d.left) + " left to PETSc; multiply " + milliseconds(d.multiply) + ", plan " +
                         milliseconds(d.plan) + ", values " + milliseconds(d.values);
      if (parallel)
        line += ", of these exchange " + milliseconds(d.exchange) + ", assemble " + milliseconds(d.assemble) +
                ", divide " + milliseconds(d.divide) + "; " + std::to_string(d.bytes_received) + " bytes received";
      say(PETSC_COMM_WORLD, line);
      any = true;
    }
  if (!any) say(PETSC_COMM_WORLD, "no product was rowan's");
}

}  // namespace

Settings& settings() {
  static Settings all;
  return all;
}

const Context& context() {
  return *shared_context;
}

void read_settings() {
  Settings& s = settings();
  PetscInt threads = 0, products = 0;
  PetscBool of_one = PETSC_TRUE, of_several = PETSC_TRUE, view = PETSC_FALSE;
  check(PetscOptionsGetInt(nullptr, nullptr, "-rowan_threads", &threads, nullptr));
  check(PetscOptionsGetInt(nullptr, nullptr, "-rowan_min_products", &products, nullptr));
  check(PetscOptionsGetBool(nullptr, nullptr, "-rowan_seq", &of_one, nullptr));
  check(PetscOptionsGetBool(nullptr, nullptr, "-rowan_mpi", &of_several, nullptr));
  check(PetscOptionsGetBool(nullptr, nullptr, "-rowan_view", &view, nullptr));
  if (threads < 0 || products < 0)
    throw std::invalid_argument(std::string(threads < 0 ? "-rowan_threads " : "-rowan_min_products ") +
                                std::to_string(threads < 0 ? threads : products) + " is less than 0");
  s.least_products = products;
  s.sequential = of_one == PETSC_TRUE, s.parallel = of_several == PETSC_TRUE, s.view = view == PETSC_TRUE;
  const int share = mpi::share_of_cpus(PETSC_COMM_WORLD);  // collective
  s.threads = threads > 0 ? static_cast<int>(threads) : share;
  // PETSc's matrices are well formed: it made them
  shared_context.emplace(Options{.backend = Backend::host, .threads = s.threads, .validate = false});
  check(MatInitializePackage());
  check(PetscLogEventRegister("RowanMultiply", MAT_CLASSID, &s.multiply));
  check(PetscLogEventRegister("RowanPlan", MAT_CLASSID, &s.plan));
  check(PetscLogEventRegister("RowanValues", MAT_CLASSID, &s.values));
}

void close_settings() {
  if (settings().view) print_done();
  shared_context.reset();
}

void say(MPI_Comm comm, const std::string& line) {
  check(PetscPrintf(comm, "rowan: %s\n", line.c_str()));
}

std::string described(const CsrView<PetscScalar>& a, const CsrView<PetscScalar>& b) {
  const Inspection found = context().inspect(a, b);
  std::string line = std::to_string(found.rows) + " x " + std::to_string(found.cols) + ", " +
                     std::to_string(found.nprod) + " products, " + std::to_string(found.nnz) + " entries";
  if (found.small_product) return line + ", small: nothing chosen";
  line += ", policy " + found.policy;
  for (const BinReport& bin : found.bins)
    line += "; " + bin.label + ": " + std::to_string(bin.rows) + " rows by " + bin.candidate;
  return line;
}

Timed::Timed(PetscLogEvent event, double& to) : event_(event), to_(to) {
  check(PetscLogEventBegin(event_, nullptr, nullptr, nullptr, nullptr));
  from_ = MPI_Wtime();
}
Timed::~Timed() {
  to_ += MPI_Wtime() - from_;
  (void)PetscLogEventEnd(event_, nullptr, nullptr, nullptr, nullptr);
}

}  // namespace rowan::petsc
