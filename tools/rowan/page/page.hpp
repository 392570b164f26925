#pragma once
// Reports as pages: a page needs nothing but itself.
#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace rowan::tool {

/// The frame that all pages share, around `data` and the scripts (files of this folder, in this order) that draw it.
[[nodiscard]] std::string page(std::string_view title, std::initializer_list<std::string_view> scripts,
                               const nlohmann::ordered_json& data);

}  // namespace rowan::tool
