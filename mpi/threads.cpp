#include <algorithm>
#include <new>
#include <vector>

#include <sched.h>

#include <rowan/mpi.hpp>

namespace rowan::mpi {

int share_of_cpus(MPI_Comm comm) {
  cpu_set_t own;
  CPU_ZERO(&own);
  if (sched_getaffinity(0, sizeof own, &own) != 0) CPU_SET(0, &own);  // more CPUs than the set has: one thread
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int processes = 1;
  MPI_Comm_size(machine, &processes);
  std::vector<cpu_set_t> all;
  int room = 1;
  try {
    all.resize(static_cast<std::size_t>(processes));
  } catch (const std::bad_alloc&) {
    room = 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT, MPI_MIN, machine);
  if (room == 0) {  // in one of the processes
    MPI_Comm_free(&machine);
    return 1;
  }
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, machine);
  MPI_Comm_free(&machine);
  const auto sharing = std::ranges::count_if(all, [&](const cpu_set_t& other) {
    cpu_set_t both;
    CPU_AND(&both, &own, &other);
    return CPU_COUNT(&both) > 0;
  });
  return std::max(1, CPU_COUNT(&own) / static_cast<int>(sharing));
}

}  // namespace rowan::mpi
