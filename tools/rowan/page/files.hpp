#pragma once
// The files that pages are made of, compiled in (cmake/embed.cmake).
#include <string_view>

namespace rowan::tool {

/// The text of a file of tools/rowan/page or third_party/uplot, by its name without a folder; empty for other names.
[[nodiscard]] std::string_view page_file(std::string_view name);

}  // namespace rowan::tool
