#pragma once
// What reports as pages have in common: a page needs nothing but itself.
#include <array>
#include <string>

namespace rowan::tool {

/// Colours of curves and points; readable on light and dark.
inline constexpr std::array kColours{"#2563eb", "#0d9488", "#7c3aed", "#ca8a04", "#db2777",
                                     "#64748b", "#65a30d", "#0891b2", "#9333ea", "#a16207"};

/// The beginning, up to the heading.
[[nodiscard]] std::string page_head(const std::string& title, const std::string& heading);

/// Text that says what it says inside a page, also between the quotes of an attribute.
[[nodiscard]] std::string escaped(const std::string& text);

/// A number that is seen first, and what it is.
[[nodiscard]] std::string figure(const std::string& number, const std::string& what);

}  // namespace rowan::tool
