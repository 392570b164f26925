#include <algorithm>
#include <cstring>
#include <new>

#include "lib/c/inside.hpp"

namespace rowan::c {
namespace {

/// Of a fixed size: to tell that memory ran out takes none.
thread_local char last_error[1024] = "";

rowan_status status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
      return ROWAN_INVALID_ARGUMENT;
    case ErrorCode::overflow:
      return ROWAN_OVERFLOW;
    case ErrorCode::out_of_memory:
      return ROWAN_OUT_OF_MEMORY;
    case ErrorCode::memory_limit:
      return ROWAN_MEMORY_LIMIT;
    case ErrorCode::parse:
      return ROWAN_PARSE;
    case ErrorCode::io:
      return ROWAN_IO;
    case ErrorCode::unsupported:
      return ROWAN_UNSUPPORTED;
    case ErrorCode::cancelled:
      return ROWAN_CANCELLED;
    case ErrorCode::device:
      return ROWAN_DEVICE;
  }
  return ROWAN_OTHER;
}

}  // namespace

rowan_status failed(rowan_status status, const char* message) noexcept {
  const std::size_t n = std::min(std::strlen(message), sizeof last_error - 1);
  std::memcpy(last_error, message, n);
  last_error[n] = '\0';
  return status;
}

rowan_status handled() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return failed(status_of(e.code()), e.what());
  } catch (const std::bad_alloc&) {
    return failed(ROWAN_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return failed(ROWAN_OTHER, e.what());
  } catch (...) {
    return failed(ROWAN_OTHER, "an unknown exception");
  }
}

}  // namespace rowan::c

const char* rowan_status_name(rowan_status status) {
  static constexpr const char* kNames[] = {
      "ok", "invalid_argument", "overflow",  "out_of_memory", "memory_limit", "parse",
      "io", "unsupported",      "cancelled", "device",        "other"};
  const auto n = static_cast<unsigned>(status);
  return n < std::size(kNames) ? kNames[n] : "unknown";
}

const char* rowan_last_error(void) {
  return rowan::c::last_error;
}

const char* rowan_version(void) {
  return rowan::version().data();
}

void rowan_release_memory(void) {
  rowan::release_memory();
}
