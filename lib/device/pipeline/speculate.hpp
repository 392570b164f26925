#pragma once
// Speculation. What the host decides follows from sums of rows by bin, for which it waits twice. Where the last two
// products of the same sizes had the same sums, the host assumes that the next one has them, too: it puts everything
// into the stream and waits once, at the end. Kernels that look at rows compare a checksum of their numbers; where it
// is another one, they cancel all that follows, and the product is made again without assumptions.
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "lib/binning/device/assumed.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

class Engine;
struct DeviceRecord;
template <class T>
struct Resident;
template <class T>
struct CountedProduct;

/// What a product's two phases summed up to.
struct PastSums {
  std::unique_ptr<const ToldSums> symbolic, numeric;
  std::string method_reason = {};  // MethodChoice::reason
  std::int64_t heavy = 0;          // Rules::heavy
  /// What was decided by them, where the product before had the same. (To decide again takes the host 10 us.) Products
  /// share it, and none writes to it.
  std::shared_ptr<DeviceRecord> record = {};
  AssumedRows rows[2] = {};  // by phase
};

/// PastSums by the products' sizes: of the last kPlaces of them, about. Any number of threads may use it.
class PastProducts {
 public:
  /// Of the last product with these sizes, where the one before it had the same; else null.
  [[nodiscard]] std::shared_ptr<const PastSums> repeated(std::uint64_t sizes) const;
  /// A product had these sums, from which `record` follows.
  void note(std::uint64_t sizes, const ToldSums& symbolic, const ToldSums& numeric, const std::string& method_reason,
            std::int64_t heavy, const DeviceRecord& record);
  /// A product with these sizes had others.
  void forget(std::uint64_t sizes);

 private:
  static constexpr std::size_t kPlaces = 64;
  struct SumsOfSizes {
    std::uint64_t sizes = 0;
    std::shared_ptr<const PastSums> sums;
  };
  mutable std::mutex mutex_;
  std::array<SumsOfSizes, kPlaces> places_ = {};
};

/// The sums of a product's phases as the host is told them, and what it assumes they are (null: nothing, it waits).
struct Sums {
  HostMailbox<ToldSums> symbolic, numeric;  // where nothing is assumed
  const PastSums* assumed;
  HostWord as_assumed;  // an Assumption

  Sums(Pool& pool, hipStream_t stream, const PastSums* past)
      : symbolic(pool, stream), numeric(pool, stream), assumed(past), as_assumed(pool, stream) {}
};

/// C = A B in two phases, complete but for what `stream` still has to do, as the last product of these sizes was made;
/// nothing where the last two had different sums, this one has others, or the device has not the memory.
template <class T>
[[nodiscard]] std::optional<CountedProduct<T>> speculative_product(Engine& engine, const Resident<T>& a,
                                                                   const Resident<T>& b, std::int64_t memory_limit,
                                                                   hipStream_t stream, Stats* stats);

/// `product` was made in two phases with these sums, which have been told. `heavy`: as in Rules.
template <class T>
void note_product(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                  const CountedProduct<T>& product, std::int64_t heavy, Sums& sums);

}  // namespace rowan::device::inline ROWAN_BACKEND
