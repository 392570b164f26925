#include "mpi_trace.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include <mpi.h>

namespace trace {
namespace {

Round current;
bool on = false;
double posting = 0;

double now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double machine() {
  return now(CLOCK_MONOTONIC);
}
double work() {
  return now(CLOCK_THREAD_CPUTIME_ID);
}

template <class F>
int meet(const F& call) {
  if (!on) return call();
  Meeting m{.arrived = machine(), .work_arrived = work(), .posting = std::exchange(posting, 0)};
  const int result = call();
  m.left = machine(), m.work_left = work();
  current.meetings.push_back(m);
  return result;
}

template <class F>
int post(int count, MPI_Datatype type, std::int64_t Volume::*messages, std::int64_t Volume::*bytes, const F& call) {
  if (!on) return call();
  int size = 0;
  MPI_Type_size(type, &size);
  Volume& v = current.volume[std::min(current.waits.size(), kWaits - 1)];
  v.*messages += 1, v.*bytes += static_cast<std::int64_t>(count) * size;
  const double before = work();
  const int result = call();
  posting += work() - before;
  return result;
}

}  // namespace

void begin() {
  current = {}, posting = 0, on = true;
  current.began = machine(), current.work_began = work();
}
Round end() {
  current.ended = machine(), current.work_ended = work(), on = false;
  return std::move(current);
}

}  // namespace trace

extern "C" {
int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return trace::meet([&] { return PMPI_Allreduce(from, to, n, type, op, comm); });
}
int MPI_Alltoall(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype as, MPI_Comm comm) {
  return trace::meet([&] { return PMPI_Alltoall(from, n, type, to, m, as, comm); });
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  if (trace::on) trace::current.waits.push_back(trace::current.meetings.size());
  return trace::meet([&] { return PMPI_Waitall(n, requests, statuses); });
}
int MPI_Isend(const void* from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return trace::post(n, type, &trace::Volume::messages_sent, &trace::Volume::bytes_sent,
                     [&] { return PMPI_Isend(from, n, type, to, tag, comm, request); });
}
int MPI_Irecv(void* to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  return trace::post(n, type, &trace::Volume::messages_received, &trace::Volume::bytes_received,
                     [&] { return PMPI_Irecv(to, n, type, from, tag, comm, request); });
}
}
