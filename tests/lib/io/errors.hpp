#pragma once

#include <string>

#include <rowan/error.hpp>

namespace rowan::test {

/// The error that f() throws as "code: message", or "no error".
template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(name(error.code())) + ": " + error.what();
  }
  return "no error";
}

}  // namespace rowan::test
