#include "mpi/communicator.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <string>

#include <rowan/error.hpp>

namespace rowan::mpi {
namespace {

constexpr int kTag = 0x526f;                  // any: the communicator is ours alone
constexpr std::int64_t kLargest = 1LL << 30;  // elements in a message, whose number MPI has in an int

int free_duplicate(MPI_Comm, int, void* value, void*) {
  MPI_Comm comm = MPI_Comm_f2c(static_cast<MPI_Fint>(reinterpret_cast<std::intptr_t>(value)));
  return MPI_Comm_free(&comm);
}

/// The key under which communicators keep their duplicates.
int duplicate_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate, &made, nullptr);
    return made;
  }();
  return key;
}

/// What one process says to the others. Made without memory, which may be what ran out.
struct Failure {
  ErrorCode code = ErrorCode::invalid_argument;
  char text[1020] = {};

  Failure() = default;
  Failure(ErrorCode of, const char* message) noexcept : code(of) { std::strncpy(text, message, sizeof text - 1); }
};

Failure describe(const std::exception_ptr& failure) noexcept {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& e) {
    return {e.code(), e.what()};
  } catch (const std::bad_alloc&) {
    return {ErrorCode::out_of_memory, "out of memory"};
  } catch (const std::exception& e) {
    return {ErrorCode::invalid_argument, e.what()};
  } catch (...) {
    return {ErrorCode::invalid_argument, "an unknown error"};
  }
}

/// Made before memory can run out: an error owns its words, its copies share them.
const Error& no_memory() {
  static const Error error(ErrorCode::out_of_memory, "out of memory");
  return error;
}
[[maybe_unused]] const Error& g_made_at_start = no_memory();

}  // namespace

Communicator::Communicator(MPI_Comm of_caller) {
  MPI_Comm_size(of_caller, &size_);
  MPI_Comm_rank(of_caller, &rank_);
  if (size_ == 1) return;  // sends no message
  void* kept = nullptr;
  int found = 0;
  MPI_Comm_get_attr(of_caller, duplicate_key(), static_cast<void*>(&kept), &found);
  if (found != 0) {
    comm_ = MPI_Comm_f2c(static_cast<MPI_Fint>(reinterpret_cast<std::intptr_t>(kept)));
    return;
  }
  MPI_Comm_dup(of_caller, &comm_);
  MPI_Comm_set_attr(of_caller, duplicate_key(),
                    // NOLINTNEXTLINE(performance-no-int-to-ptr): an attribute is a pointer, the handle a number
                    reinterpret_cast<void*>(static_cast<std::intptr_t>(MPI_Comm_c2f(comm_))));
}

void Communicator::agree(const std::exception_ptr& failure) const {
  int mine = failure ? rank_ : size_, lowest = size_;
  MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, comm_);
  if (lowest == size_) return;
  Failure said;
  if (rank_ == lowest) said = describe(failure);
  MPI_Bcast(&said, static_cast<int>(sizeof said), MPI_BYTE, lowest, comm_);
  try {
    if (failure) std::rethrow_exception(failure);
    throw Error(said.code, "rank " + std::to_string(lowest) + ": " + said.text);
  } catch (const std::bad_alloc&) {
    throw Error(no_memory());
  }
}

std::size_t Messages::messages(const Peers& peers) noexcept {
  std::int64_t n = 0;
  for (std::size_t k = 0; k < peers.count(); k++) n += (peers.begin[k + 1] - peers.begin[k] + kLargest - 1) / kLargest;
  return static_cast<std::size_t>(n);
}

void Messages::receive_bytes(int rank, void* to, std::int64_t n, MPI_Datatype type, std::size_t size) {
  for (std::int64_t at = 0; at < n; at += kLargest) {
    under_way_.emplace_back();
    MPI_Irecv(static_cast<char*>(to) + static_cast<std::size_t>(at) * size,
              static_cast<int>(std::min(kLargest, n - at)), type, rank, kTag, comm_->get(), &under_way_.back());
  }
  received_ += n * static_cast<std::int64_t>(size);
}

void Messages::send_bytes(int rank, const void* from, std::int64_t n, MPI_Datatype type, std::size_t size) {
  for (std::int64_t at = 0; at < n; at += kLargest) {
    under_way_.emplace_back();
    MPI_Isend(static_cast<const char*>(from) + static_cast<std::size_t>(at) * size,
              static_cast<int>(std::min(kLargest, n - at)), type, rank, kTag, comm_->get(), &under_way_.back());
  }
  sent_ += n * static_cast<std::int64_t>(size);
}

void Messages::wait() noexcept {
  MPI_Waitall(static_cast<int>(under_way_.size()), under_way_.data(), MPI_STATUSES_IGNORE);
  under_way_.clear();
}

}  // namespace rowan::mpi
