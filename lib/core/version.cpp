#include <rowan/version.hpp>

#define ROWAN_TEXT_OF(x) #x
#define ROWAN_TEXT(x) ROWAN_TEXT_OF(x)

namespace rowan {

std::string_view version() noexcept {
  return ROWAN_TEXT(ROWAN_VERSION_MAJOR) "." ROWAN_TEXT(ROWAN_VERSION_MINOR) "." ROWAN_TEXT(ROWAN_VERSION_PATCH);
}

}  // namespace rowan
