#pragma once
/// \file
/// The version of these headers, and of the library that runs.

#include <string_view>

#include <rowan/export.hpp>

// CMakeLists.txt takes the project's version from these three.
#define ROWAN_VERSION_MAJOR 0
#define ROWAN_VERSION_MINOR 2
#define ROWAN_VERSION_PATCH 0
/// To compare: 102 is 0.1.2, 10203 is 1.2.3.
#define ROWAN_VERSION (ROWAN_VERSION_MAJOR * 10000 + ROWAN_VERSION_MINOR * 100 + ROWAN_VERSION_PATCH)

namespace rowan {

/// "0.2.0": of the library in this process, which a shared one may differ in from the headers.
[[nodiscard]] ROWAN_API std::string_view version() noexcept;

}  // namespace rowan
