// rowan inspect: which accumulator every row would get, and why.
#include <charconv>
#include <filesystem>
#include <limits>
#include <memory>

#include "lib/io/ending.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/common.hpp"
#include "tools/rowan/forced.hpp"
#include "tools/rowan/inspect/inspected.hpp"
#include "tools/rowan/names.hpp"

namespace rowan::tool {
namespace {

struct InspectSettings {
  Common common;
  std::string output = "-", format, rows;  // no format: by the output's name
  bool measure = false, json = false;
};

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();  // of a matrix that is not known yet

[[noreturn]] void refuse_rows(const std::string& text) {
  throw UsageError("\"" + text + "\" is not a range of rows; give FIRST:LAST (LAST is not shown) or one row, from 0");
}

/// A row's number; `otherwise` for no text at all.
std::int64_t row_number(std::string_view digits, std::int64_t otherwise, const std::string& text) {
  if (digits.empty()) return otherwise;
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc() || end != digits.data() + digits.size() || n < 0 || n == kEnd) refuse_rows(text);
  return n;
}

/// "10:20", "10:" (to kEnd), ":20" or "7".
RowRange parse_rows(const std::string& text) {
  if (text.empty()) refuse_rows(text);
  const std::string_view view = text;
  const std::size_t colon = view.find(':');
  RowRange range{.first = row_number(view.substr(0, colon), 0, text), .last = kEnd};
  range.last = colon == std::string::npos ? range.first + 1 : row_number(view.substr(colon + 1), kEnd, text);
  if (range.first > range.last) throw UsageError(text + " ends before it begins");
  return range;
}

/// The rows to show, of `rows`.
RowRange chosen_rows(const std::string& text, std::int64_t rows) {
  if (text.empty()) return {0, rows};
  RowRange range = parse_rows(text);
  if (range.last == kEnd) range.last = rows;
  if (range.first > range.last || range.last > rows)
    throw UsageError("--rows " + text + " is not within the " + std::to_string(rows) + " rows of C");
  return range;
}

/// "table", "csv", "json", "html" or "svg": the one asked for, else by the output's name. Throws UsageError where that
/// asks for another.
std::string format_of(const InspectSettings& s) {
  if (s.json) return "json";
  if (!s.format.empty()) return s.format;
  const std::string ending = io::ending_of(s.output);
  for (const char* known : {".csv", ".json", ".html", ".svg"})
    if (ending == known) return ending.substr(1);
  if (io::names_a_form(ending))
    throw UsageError(
        s.output + ": rowan inspect does not write " + ending +
        "; it knows .txt, .csv, .json, .html and .svg; with --format any of these can be written under any "
        "name");
  return "table";
}

/// "cant squared", "P · cant": operands by their files' names, without folders and endings.
std::string product_name(const Common& c) {
  const auto bare = [](const std::string& source) {
    const std::string name = std::filesystem::path(source).filename().string();
    return source.starts_with("generated:") ? source.substr(source.find(':') + 1)
           : source == "-"                  ? std::string("standard input")
                                            : name.substr(0, name.find('.'));
  };
  const std::string a = bare(c.a), b = c.b.empty() ? a : bare(c.b);
  if (c.b.empty() && !c.transpose_a && !c.transpose_b) return a + " squared";
  return a + (c.transpose_a ? "ᵀ" : "") + " · " + b + (c.transpose_b ? "ᵀ" : "");
}

/// The product itself: where its entries are, and how long each stage takes, in the fastest of a few where they take
/// little (the first may take several times as long).
Pictured pictured(const InspectSettings& s, const Context& context, const Operands& in) {
  constexpr int kTimes = 5;
  constexpr double kEnough = 0.3;  // seconds
  Pictured p{.name = product_name(s.common), .common = s.common, .a = in.a};
  try {
    Done done;
    for (double spent = 0; p.times == 0 || (p.times < kTimes && spent < kEnough); p.times++) {
      Stats stats;
      p.c.reset();
      p.c = context.multiply(in.a, in.b, &stats);
      spent += stats.total;
      if (p.times == 0 || stats.total < done.stats.total) done.stats = stats;
    }
    done.size = {.rows = p.c->rows(), .cols = p.c->cols(), .nnz = p.c->nnz(), .nprod = done.stats.nprod};
    p.done = done;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
  }
  return p;
}

int run(const InspectSettings& s) {
  const std::string format = format_of(s);
  check_writable(s.output);
  const Context context(s.common.options());
  const Operands in = read_operands(s.common);
  const RowRange rows = chosen_rows(s.rows, rows_of(in.a));
  const Inspection inspection = context.inspect(in.a, in.b, s.measure);
  const Shown shown{inspection, rows, !s.rows.empty(), s.measure};
  Writer out(s.output);
  if (format == "json")
    print_json(out, shown);
  else if (format == "csv")
    print_csv(out, shown);
  else if (format == "html")
    print_page(out, shown, pictured(s, context, in));
  else if (format == "svg")
    print_svg(out, shown, pictured(s, context, in));
  else
    print_table(out, shown);
  out.finish();
  tell_unused_force(inspection, s.common.force);
  return kOk;
}

}  // namespace

Command add_inspect(CLI::App& app) {
  auto s = std::make_shared<InspectSettings>();
  CLI::App* command = app.add_subcommand("inspect", "which accumulator every row of A*B would get, and why");
  add_common(*command, s->common);
  command
      ->add_flag("--measure", s->measure,
                 "time every accumulator that can take a bin's rows, as part of the whole product")
      ->group("How");
  command->add_option("--rows", s->rows, "rows to show: 10:20 (20 is not shown), 10:, :20 or 7")
      ->check(parsed_by(parse_rows))
      ->type_name("RANGE")
      ->group("Results");
  command
      ->add_option("-o,--output", s->output,
                   "the file (default: standard output); .html, .svg, .csv and .json set the format")
      ->check(file_name())
      ->type_name("FILE")
      ->group("Results");
  auto* format =
      command->add_option("--format", s->format,
                          "table, csv (one line for each row), json, html (a page) or svg (a picture); default: by "
                          "the output's name");
  format->check(one_of("format", {"table", "csv", "json", "html", "svg"}))->type_name("NAME")->group("Results");
  command->add_flag("--json", s->json, "the same as --format json")->group("Results")->excludes(format);
  command->footer(
      "Examples:\n  rowan inspect A.mtx --rows 10:20\n"
      "  rowan inspect A.mtx --measure -o why.html     (a page: pictures, bins, rows, trees)\n"
      "  rowan inspect A.mtx --transpose-b --measure --json -o why.json");
  return {command, [s] { return run(*s); }};
}

}  // namespace rowan::tool
