#pragma once
// The structures of DLPack (its specification, version 0.8), by which array libraries hand memory to each other.
#include <cstdint>

namespace pyrowan::dlpack {

enum DeviceType : std::int32_t { kCpu = 1, kCuda = 2, kRocm = 10, kCudaManaged = 13 };
enum TypeCode : std::uint8_t { kInt = 0, kUnsigned = 1, kFloat = 2 };

struct Device {
  std::int32_t type;
  std::int32_t ordinal;
};

struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t dimensions;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: contiguous
  std::uint64_t byte_offset;
};

struct ManagedTensor {
  Tensor tensor;
  void* context;
  void (*deleter)(ManagedTensor* self);
};

inline constexpr const char *kName = "dltensor", *kUsedName = "used_dltensor";

}  // namespace pyrowan::dlpack
