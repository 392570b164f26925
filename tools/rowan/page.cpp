#include "tools/rowan/page.hpp"

#include <fmt/format.h>

namespace rowan::tool {
namespace {

constexpr const char* kStyle = R"(
:root { --ink: #1c2430; --soft: #5f6b7a; --line: #dfe4ea; --paper: #ffffff; --wash: #f5f7f9; --rowan: #c2410c;
  --good: #15803d; --bad: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #98a4b3; --line: #2d3642; --paper: #12161c;
  --wash: #1a2029; --rowan: #fb923c; --good: #4ade80; --bad: #f87171; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1080px; padding: 32px 24px 64px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 26px; margin: 0; } h2 { font-size: 18px; margin: 40px 0 8px; }
p { margin: 4px 0 12px; color: var(--soft); }
.figures { display: flex; flex-wrap: wrap; gap: 16px; margin: 24px 0; }
.figure { background: var(--wash); border-radius: 8px; padding: 14px 18px; min-width: 150px; }
.figure b { display: block; font-size: 26px; line-height: 1.2; } .figure span { color: var(--soft); font-size: 13px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 10px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child, .word { text-align: left; } th { color: var(--soft); font-weight: 600; }
.best { font-weight: 700; } .good { color: var(--good); } .bad { color: var(--bad); }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
svg .name { fill: var(--ink); } .grid { stroke: var(--line); } .curve { fill: none; stroke-width: 1.8; }
)";

}  // namespace

std::string page_head(const std::string& title, const std::string& heading) {
  return fmt::format(
      "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\n"
      "<title>{}</title>\n<style>{}</style>\n<h1>{}</h1>\n",
      escaped(title), kStyle, escaped(heading));
}

std::string escaped(const std::string& text) {
  std::string s;
  for (const char c : text) switch (c) {
      case '<':
        s += "&lt;";
        break;
      case '>':
        s += "&gt;";
        break;
      case '&':
        s += "&amp;";
        break;
      case '"':
        s += "&quot;";
        break;
      case '\'':
        s += "&#39;";
        break;
      default:
        s += c;
    }
  return s;
}

std::string figure(const std::string& number, const std::string& what) {
  return fmt::format("<div class=figure><b>{}</b><span>{}</span></div>\n", number, what);
}

}  // namespace rowan::tool
