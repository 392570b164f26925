#pragma once
// The processes of a product: a communicator of its own, messages between neighbours, errors that all hear of.
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <span>
#include <vector>

#include <mpi.h>

namespace rowan::mpi {

template <class T>
MPI_Datatype mpi_type() {
  if constexpr (std::is_same_v<T, float>)
    return MPI_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return MPI_DOUBLE;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return MPI_INT32_T;
  else {
    static_assert(std::is_same_v<T, std::int64_t>);
    return MPI_INT64_T;
  }
}

/// A duplicate of the caller's communicator, so that no message of his is taken for one of ours. It is made once for
/// each communicator and kept as an attribute of it.
class Communicator {
 public:
  explicit Communicator(MPI_Comm of_caller);

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] MPI_Comm get() const noexcept { return comm_; }

  /// Calls f(). Where it throws in any process, all throw: those in which it did the same exception, the others an
  /// Error of its code that names the lowest such rank. What is not in an f() must not throw: the others would wait for
  /// this process for ever.
  template <class F>
  void together(const F& f) const {
    std::exception_ptr failure;
    try {
      f();
    } catch (...) {
      failure = std::current_exception();
    }
    if (size_ > 1)
      agree(failure);
    else if (failure)
      std::rethrow_exception(failure);
  }

 private:
  void agree(const std::exception_ptr& failure) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

/// Whom this process sends to and receives from, ranks rising, and how many elements: [begin[k], begin[k + 1]) of one
/// array go to or come from rank[k]. An empty one has no memory.
struct Peers {
  std::vector<int> rank = {};
  std::vector<std::int64_t> begin = {};
  void add(int r, std::int64_t n) {
    if (begin.empty()) begin.push_back(0);
    rank.push_back(r), begin.push_back(begin.back() + n);
  }
  [[nodiscard]] std::size_t count() const noexcept { return rank.size(); }
  [[nodiscard]] std::int64_t all() const noexcept { return begin.empty() ? 0 : begin.back(); }
};

/// Messages under way; it waits for those left when it goes, since their memory is in use until then.
class Messages {
 public:
  explicit Messages(const Communicator& comm) : comm_(&comm) {}
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages() {
    if (!under_way_.empty()) wait();
  }

  /// Memory for so many messages to and from each; those beyond it may throw, and then others wait for them for ever.
  void reserve(std::initializer_list<const Peers*> all) {
    std::size_t n = 0;
    for (const Peers* peers : all) n += messages(*peers);
    under_way_.reserve(n);
  }
  template <class T>
  void receive(const Peers& from, T* to) {
    for (std::size_t k = 0; k < from.count(); k++)
      receive_bytes(from.rank[k], to + from.begin[k], from.begin[k + 1] - from.begin[k], mpi_type<T>(), sizeof(T));
  }
  template <class T>
  void send(const Peers& to, const T* from) {
    for (std::size_t k = 0; k < to.count(); k++)
      send_bytes(to.rank[k], from + to.begin[k], to.begin[k + 1] - to.begin[k], mpi_type<T>(), sizeof(T));
  }
  void wait() noexcept;

  [[nodiscard]] std::int64_t bytes_received() const noexcept { return received_; }
  [[nodiscard]] std::int64_t bytes_sent() const noexcept { return sent_; }

 private:
  static std::size_t messages(const Peers& peers) noexcept;
  void receive_bytes(int rank, void* to, std::int64_t n, MPI_Datatype type, std::size_t size);
  void send_bytes(int rank, const void* from, std::int64_t n, MPI_Datatype type, std::size_t size);

  const Communicator* comm_;
  std::vector<MPI_Request> under_way_;
  std::int64_t received_ = 0, sent_ = 0;
};

}  // namespace rowan::mpi
