#pragma once
/// \file
/// What rowan throws. Every message names the argument, file, line or row and the value that was wrong.

#include <stdexcept>
#include <string>
#include <string_view>

#include <rowan/export.hpp>

namespace rowan {

enum class ErrorCode {
  invalid_argument,  ///< a matrix, option or name that breaks its contract
  overflow,          ///< a size that does not fit the type that has to hold it
  out_of_memory,     ///< the system has no more memory; no call throws std::bad_alloc or std::length_error
  memory_limit,      ///< more memory than Options::memory_limit allows
  parse,             ///< a file whose content breaks its format
  io,                ///< a file that cannot be opened, read or written
  unsupported,       ///< something valid that this build or version cannot do
  cancelled,         ///< the caller asked to stop
  device,            ///< a device or its runtime failed
};

/// The code's name as printed by the command line and by tests, "invalid_argument" and so on.
[[nodiscard]] ROWAN_API std::string_view name(ErrorCode code) noexcept;

class ROWAN_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace rowan
