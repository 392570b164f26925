#include "tools/rowan/page/page.hpp"

#include "tools/rowan/page/files.hpp"
#include <rowan/version.hpp>

namespace rowan::tool {
namespace {

/// JSON inside of a page: nothing in it ends the script that it stands in.
std::string inside(const nlohmann::ordered_json& data) {
  const std::string json = data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string_view without_line_end(std::string_view text) {
  return text.ends_with('\n') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace

std::string page(std::string_view title, std::initializer_list<std::string_view> scripts,
                 const nlohmann::ordered_json& data) {
  std::string script;
  for (const std::string_view name : scripts) script += page_file(name);
  std::string out;
  std::string_view rest = page_file("frame.html");
  for (std::size_t at = 0; (at = rest.find("{{")) != std::string_view::npos;) {
    out += rest.substr(0, at);
    const std::size_t end = rest.find("}}", at);
    const std::string_view name = rest.substr(at + 2, end - at - 2);
    if (name == "title")
      out += title;
    else if (name == "version")
      out += version();
    else if (name == "data")
      out += inside(data);
    else if (name == "script")
      out += script;
    else
      out += without_line_end(page_file(name));
    rest.remove_prefix(end + 2);
  }
  return out += rest;
}

}  // namespace rowan::tool
