// An inspection as a picture for documents: what a page has in its first two parts.
#include <algorithm>

#include "accumulators/candidates.hpp"
#include "tools/rowan/inspect/inspected.hpp"
#include "tools/rowan/inspect/png.hpp"
#include "tools/rowan/inspect/raster.hpp"
#include "tools/rowan/page/packed.hpp"
#include "tools/rowan/units.hpp"

namespace rowan::tool {
namespace {

constexpr double kWidth = 880, kMatrix = 420, kTop = 64, kBar = 13;

constexpr const char* kStyle =
    "text{font:13px "
    "system-ui,sans-serif;fill:#1c2430}.soft{fill:#566272}.small{font-size:11px}.frame{fill:none;stroke:#9aa5b1}"
    "image{image-rendering:pixelated}"
    "@media(prefers-color-scheme:dark){text{fill:#e6eaf0}.soft{fill:#a3aebc}}";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '<' || c == '>' || c == '&' || static_cast<unsigned char>(c) < ' ')
      out += fmt::format("&#{};", c < ' ' ? '?' : c);
    else
      out += c;
  return out;
}

std::string matrix(const std::string& name, const Raster& r, double left) {
  const double wide =
      std::clamp(static_cast<double>(r.cols) / static_cast<double>(std::max<std::int64_t>(1, r.rows)), 0.25, 4.0);
  const double width = kMatrix * std::min(1.0, wide), height = kMatrix * std::min(1.0, 1 / wide);
  return fmt::format(
      "<text class='soft' x='{0}' y='{1}'>{2}: {3} × {4}, {5} entries</text>\n"
      "<image x='{0}' y='{6}' width='{7:.1f}' height='{8:.1f}' preserveAspectRatio='none' "
      "href='data:image/png;base64,{9}'/>\n"
      "<rect class='frame' x='{0}' y='{6}' width='{7:.1f}' height='{8:.1f}'/>\n",
      left, kTop - 8, name, print_count(r.rows), print_count(r.cols), print_count(r.nnz), kTop, width, height,
      base64(png(r)));
}

/// The candidates that have rows, in their colours.
std::string legend(const Inspection& in, double y) {
  std::string out;
  double x = 0;
  for (std::size_t id = 0; id < kCandidates.size(); id++) {
    std::int64_t rows = 0;
    for (const BinReport& bin : in.bins)
      if (bin.candidate == kCandidates[id].name) rows += bin.rows;
    if (rows == 0) continue;
    const std::string text = fmt::format("{} {} rows", kCandidates[id].name, print_count(rows));
    const double width = 34 + 7.2 * static_cast<double>(text.size());  // of a digit, about
    if (x + width > kWidth) x = 0, y += 20;
    out += fmt::format("<rect x='{}' y='{}' width='11' height='11' rx='3' fill='{}'/><text x='{}' y='{}'>{}</text>\n",
                       x, y - 10, colour_of(id), x + 16, y, text);
    x += width;
  }
  return out;
}

/// A bin's shares of rows and of products.
std::string bins(const Inspection& in, double y) {
  constexpr double kLeft = 300, kLong = kWidth - kLeft - 60;
  const std::vector<std::uint8_t> ids = candidates_of_bins(in);
  const auto share = [](std::int64_t part, std::int64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0.0;
  };
  std::string out;
  for (std::size_t b = 0; b < in.bins.size(); b++, y += 2 * kBar + 10) {
    const BinReport& bin = in.bins[b];
    out += fmt::format("<text x='{}' y='{}' text-anchor='end'>{}, {}</text>\n", kLeft - 8, y + kBar + 4,
                       escaped(bin.label), escaped(bin.candidate));
    double top = y;
    for (const auto& [part, what] :
         {std::pair{share(bin.rows, in.rows), "rows"}, {share(bin.nprod, in.nprod), "products"}}) {
      out += fmt::format(
          "<rect x='{}' y='{}' width='{:.1f}' height='{}' fill='{}' opacity='{}'/>"
          "<text class='soft small' x='{:.1f}' y='{}'>{:.1f} % of {}</text>\n",
          kLeft, top, kLong * part * 0.8, kBar - 1, colour_of(ids[b]), top > y ? 1.0 : 0.55,
          kLeft + kLong * part * 0.8 + 6, top + kBar - 3, 100 * part, what);
      top += kBar;
    }
  }
  return out;
}

}  // namespace

void print_svg(Writer& out, const Shown& shown, const Pictured& pictured) {
  const Inspection& in = shown.inspection;
  const std::vector<std::uint8_t> by_bin = candidates_of_bins(in);
  const auto kind_of = [&](std::int64_t row) { return by_bin[static_cast<std::size_t>(in.row[row].bin)]; };
  constexpr double kBinsAt = kTop + kMatrix + 70;
  const double height = kBinsAt + (2 * kBar + 10) * static_cast<double>(in.bins.size()) + 8;
  out.print("<svg xmlns='http://www.w3.org/2000/svg' viewBox='-16 -8 {} {:.0f}' width='{}'>\n<style>{}</style>\n",
            kWidth + 32, height + 16, kWidth + 32, kStyle);
  out.print("<text x='0' y='14' style='font-size:17px;font-weight:600'>{}</text>\n", escaped(pictured.name));
  out.print("<text class='soft' x='0' y='34'>policy {}; {} products, {} entries of C</text>\n", escaped(in.policy),
            print_count(in.nprod), print_count(in.nnz));
  out.print("{}", matrix("A", raster_of(pictured.a, kCandidates.size(), kind_of), 0));
  if (pictured.c)
    out.print("{}", matrix("C", raster_of(pictured.c->view(), kCandidates.size(), kind_of), kWidth - kMatrix));
  out.print("{}{}</svg>\n", legend(in, kTop + kMatrix + 24), bins(in, kBinsAt));
}

}  // namespace rowan::tool
