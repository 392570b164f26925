#pragma once
// What a program does between calls of MPI, and what it sends: MPI's profiling interface, so nothing measured is
// changed.
#include <array>
#include <cstdint>
#include <vector>

namespace trace {

/// A call in which all processes meet. Times in seconds: of the machine's clock, which all its processes share, and of
/// this process's work.
struct Meeting {
  double arrived = 0, left = 0;
  double work_arrived = 0, work_left = 0;
  double posting = 0;  // work of sends and receives posted since the meeting before
};

struct Volume {
  std::int64_t messages_sent = 0, messages_received = 0, bytes_sent = 0, bytes_received = 0;
};

/// rowan::mpi waits for messages three times: lists of rows, lengths of rows, rows.
constexpr std::size_t kWaits = 3;

struct Round {
  std::vector<Meeting> meetings = {};
  std::vector<std::size_t> waits = {};  // which meetings wait for messages
  std::array<Volume, kWaits> volume = {};
  double began = 0, ended = 0, work_began = 0, work_ended = 0;
};

void begin();
Round end();

}  // namespace trace
