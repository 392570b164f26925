// rowan generate: a made-up matrix into a file.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tools/rowan/command.hpp"
#include "tools/rowan/common.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/table.hpp"
#include "tools/rowan/width.hpp"
#include "tools/rowan/writer.hpp"

namespace rowan::tool {
namespace {

struct GenerateSettings {
  std::string kind;
  std::vector<std::string> parameters;
  MatrixOutput output;
  int threads = 0;
  bool list = false, json = false;

  [[nodiscard]] std::string spec() const {
    if (parameters.empty()) return kind;
    return fmt::format("{}{}{}", kind, kind.find(':') == std::string::npos ? ':' : ',', fmt::join(parameters, ","));
  }
};

std::string list_as_text() {
  std::string text;
  for (const Generator& kind : generators()) {
    text += fitted(fmt::format("{}{}: {}{}\n", text.empty() ? "" : "\n", kind.name, kind.about,
                               kind.symmetric ? "; symmetric" : ""));
    Table table({{}, {}, {}});
    for (const GeneratorParameter& p : kind.parameters)
      table.add({fmt::format("  {}={}", p.name, p.fallback), std::string(p.meaning),
                 fmt::format("({} to {})", p.least, p.most)});
    text += table.text();
  }
  return text;
}

std::string list_as_json() {
  auto out = nlohmann::ordered_json::array();
  for (const Generator& kind : generators()) {
    nlohmann::ordered_json one{
        {"name", kind.name}, {"about", kind.about}, {"symmetric", kind.symmetric}, {"parameters", nullptr}};
    for (const GeneratorParameter& p : kind.parameters)
      one["parameters"].push_back(
          {{"name", p.name}, {"meaning", p.meaning}, {"default", p.fallback}, {"least", p.least}, {"most", p.most}});
    out.push_back(one);
  }
  return json_text(out);
}

/// Whatever a specification lacks is wrong usage, also that its matrix would be too large.
void check(const std::string& spec) {
  try {
    static_cast<void>(generated_size(spec));
  } catch (const Error& e) {
    throw UsageError(std::string(e.what()) + " (see rowan generate --list)");
  }
}

void make(const GenerateSettings& s) {
  if (s.kind.empty()) throw UsageError("which kind of matrix? rowan generate --list shows all kinds");
  const std::string spec = s.spec();
  check(spec);
  if (s.output.path.empty()) throw UsageError("where does the matrix go? Give -o FILE; -o - is standard output");
  s.output.check();
  Csr<double> matrix;
  with_threads(s.threads, [&] {
    matrix = generate(spec);
    s.output.write(matrix);
  });
  if (s.json)
    s.output.tell(json_text({{"spec", spec},
                             {"output", s.output.path},
                             {"rows", matrix.rows()},
                             {"cols", matrix.cols()},
                             {"nnz", matrix.nnz()}}));
}

int run(const GenerateSettings& s) {
  if (!s.list)
    make(s);
  else
    say(s.json ? list_as_json() : list_as_text());
  return kOk;
}

}  // namespace

Command add_generate(CLI::App& app) {
  auto s = std::make_shared<GenerateSettings>();
  CLI::App* command =
      app.add_subcommand("generate", "make a stencil, mesh, graph or other matrix, the same on every machine");
  std::vector<std::string> names;
  for (const Generator& kind : generators()) names.emplace_back(kind.name);
  command->add_option("KIND", s->kind, "what to make")->check(offers(names))->type_name("");
  // CLI11 2.4 has no = in a name
  command->add_option("PARAMETER", s->parameters, "NAME=VALUE: what its size and kind are, whole numbers")
      ->type_name("");
  add_output(*command, s->output, "where the matrix goes; - is standard output");
  add_threads(*command, s->threads);
  command->add_flag("--list", s->list, "list all kinds, their parameters and defaults")->group("Results");
  command->add_flag("--json", s->json, "print the matrix' size, or --list, as JSON")->group("Results");
  Table kinds({{}, {}});
  for (const Generator& kind : generators()) kinds.add({"  " + std::string(kind.name), std::string(kind.about)});
  command->footer("Kinds:\n" + kinds.text() +
                  "\nEvery command takes generated:KIND:NAME=VALUE,NAME=VALUE instead of a matrix file.\n"
                  "\nExamples:\n  rowan generate rmat scale=14 seed=3 -o graph.mtx.gz\n"
                  "  rowan multiply generated:stencil2d:nx=500,ny=500 --stats");
  return {command, [s] { return run(*s); }};
}

}  // namespace rowan::tool
