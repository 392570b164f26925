#include <new>
#include <stdexcept>

#include "lib/core/border.hpp"
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

namespace {

/// Made before memory can run out: an error owns its words, its copies share them.
const Error& no_memory() {
  static const Error error(ErrorCode::out_of_memory, "the system gives no more memory");
  return error;
}
[[maybe_unused]] const Error& g_made_at_start = no_memory();

}  // namespace

void rethrow_as_error() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(no_memory());
  } catch (const std::length_error&) {
    throw Error(no_memory());
  }
}

}  // namespace rowan
