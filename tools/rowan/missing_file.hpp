#pragma once

#include <string>
#include <string_view>

namespace rowan::tool {

/// "; did you mean ...?" for a message about `path` that says it cannot be read, if there is no such file but one with
/// a near name in the same folder.
[[nodiscard]] std::string missing_file_hint(std::string_view message, const std::string& path);

}  // namespace rowan::tool
