#pragma once
// What the options say, what was done, and the context that all products share.
#include <array>
#include <cstdint>
#include <string>

#include <petscmat.h>

#include <rowan/context.hpp>

namespace rowan::petsc {

/// Times in seconds, of this process.
struct Done {
  int products = 0, again = 0, left = 0;  ///< left to PETSc
  double multiply = 0, plan = 0, values = 0;
  double exchange = 0, assemble = 0, divide = 0;  ///< of `multiply`, between processes
  std::int64_t bytes_received = 0;
};

struct Settings {
  int threads = 1;                                                ///< -rowan_threads
  std::int64_t least_products = 0;                                ///< -rowan_min_products
  bool sequential = true;                                         ///< -rowan_seq
  bool parallel = true;                                           ///< -rowan_mpi
  bool view = false;                                              ///< -rowan_view
  std::array<std::array<Done, MATPRODUCT_ABC + 1>, 2> done = {};  ///< [between processes][MatProductType]
  PetscLogEvent multiply = 0, plan = 0, values = 0;
};

[[nodiscard]] Settings& settings();
[[nodiscard]] const Context& context();

/// Reads options, collectively over PETSC_COMM_WORLD.
void read_settings();
/// Shows what was done under -rowan_view, collectively, and frees the context.
void close_settings();
/// A line of -rowan_view about a product, from the first process of `comm`.
void say(MPI_Comm comm, const std::string& line);
/// What inspect would say of a product, in a line.
[[nodiscard]] std::string described(const CsrView<PetscScalar>& a, const CsrView<PetscScalar>& b);

/// Seconds of a piece of work, added up, and a log event around it.
class Timed {
 public:
  Timed(PetscLogEvent event, double& to);
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed();

 private:
  PetscLogEvent event_;
  double& to_;
  double from_;
};

}  // namespace rowan::petsc
