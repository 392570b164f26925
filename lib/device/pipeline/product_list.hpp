#pragma once
// Where each product of a known pattern comes from: values are then sums of products that are looked up, without keys,
// atomics or bins. Rows that share a pattern with their neighbours are faster summed together, and not listed where
// they have a good part of the products.
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A product's factors: the entry of A in the upper half, of B in the lower one; and whether it is its sum's last.
using ListedProduct = unsigned long long;

/// Where a chunk's entries begin. A chunk has the entries of C whose first products are in its share of all products.
struct ListedChunk {
  std::int32_t product, entry;
};

struct ProductList {
  std::int64_t products = 0, chunks = 0;
  Buffer<ListedProduct> product;  // by entry of C; in the textbook's order
  Buffer<ListedChunk> chunk;      // of every chunk, and behind the last
  Buffer<std::int32_t> where;     // the entry of C of every listed one; none: all are listed
  bool all = false;               // all rows are listed
  bool by_list[kMaxQueues] = {};  // the numeric phase's queues whose rows are listed, all of them
  [[nodiscard]] std::int64_t bytes() const noexcept {
    return static_cast<std::int64_t>(product.bytes() + chunk.bytes() + where.bytes());
  }
};

/// Which rows: those that do not share a pattern with their neighbours, or the heavy ones alone.
enum class Listed : std::uint8_t { alone, heavy };

/// The list for a product that is complete but for its values. Of rows that are alone nothing where it would not pay,
/// or take more than `room` bytes (0: half of what the device has left); heavy rows always have one.
template <class T>
[[nodiscard]] std::optional<ProductList> list_products(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                       const CountedProduct<T>& counted, Listed rows, std::int64_t room,
                                                       hipStream_t stream);

/// Values of the entries that are listed. Sums are in an order that is always the same; where the engine is
/// deterministic, in the textbook's.
template <class T>
void fill_listed(Engine& engine, const ProductList& list, const T* a_val, const T* b_val, T* val, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
