#include <rowan/error.hpp>

namespace rowan {

std::string_view name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::overflow:
      return "overflow";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::memory_limit:
      return "memory_limit";
    case ErrorCode::parse:
      return "parse";
    case ErrorCode::io:
      return "io";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::device:
      return "device";
  }
  return "unknown";
}

}  // namespace rowan
