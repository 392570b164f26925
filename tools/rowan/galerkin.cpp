// rowan galerkin: C = R*A*P into a file, with what it took.
#include <memory>

#include "tools/rowan/command.hpp"
#include "tools/rowan/common.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/measured.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/progress.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/writer.hpp"

namespace rowan::tool {
namespace {

struct GalerkinSettings {
  Common common;
  std::string p, r, way = "automatic", memory_limit;
  MatrixOutput output;
  bool stats = false, json = false;
};

GalerkinWay way_named(const std::string& name) {
  if (name == "fused") return GalerkinWay::fused;
  return name == "two-products" ? GalerkinWay::two_products : GalerkinWay::automatic;
}

int run(const GalerkinSettings& s) {
  if ((s.common.a == "-") + (s.p == "-") + (s.r == "-") > 1)
    throw UsageError("only one of the matrices can be standard input");
  Options options = s.common.options();
  if (!s.memory_limit.empty()) options.memory_limit = parse_size(s.memory_limit);
  if (!s.output.path.empty()) s.output.check();
  std::function<void(double)> told;
  options.progress = [&told](double share) {
    if (told) told(share);
  };
  const Context context(std::move(options));  // before reading: a bad model shows immediately
  GalerkinDone done;
  Csr<double> a, p, r;
  done.read = timed([&] {
    with_threads(s.common.threads, [&] {
      a = read_file(s.common.a), p = read_file(s.p);
      if (!s.r.empty()) r = read_file(s.r);
    });
  });
  const Csr<double> c = [&] {
    Progress progress("multiplying");
    told = progress.callback();
    const CsrView<double> left = s.r.empty() ? transposed(p.view()) : r.view();
    return context.galerkin(left, a, p, &done.stats, way_named(s.way));
  }();
  done.size = {.rows = c.rows(), .cols = c.cols(), .nnz = c.nnz(), .nprod = done.stats.nprod_ap + done.stats.nprod_rap};
  if (!s.output.path.empty()) done.write = timed([&] { with_threads(s.common.threads, [&] { s.output.write(c); }); });
  if (s.json)
    s.output.tell(json_text(json(done)));
  else if (s.stats)
    s.output.tell(text(done));
  else if (s.output.path.empty() && !quiet())
    s.output.tell(summary(done));
  return kOk;
}

}  // namespace

Command add_galerkin(CLI::App& app) {
  auto s = std::make_shared<GalerkinSettings>();
  CLI::App* command = app.add_subcommand("galerkin", "C = R*A*P, a coarse matrix of multigrid; R is P's transpose");
  command->add_option("A", s->common.a, "matrix file, as multiply takes")
      ->required()
      ->check(matrix_source())
      ->type_name("");
  command->add_option("P", s->p, "the prolongation")->required()->check(matrix_source())->type_name("");
  command->add_option("--restriction", s->r, "R, if it is not the transpose of P")
      ->check(matrix_source())
      ->type_name("FILE")
      ->group("Operands");
  add_how(*command, s->common);
  command->add_option("--way", s->way, "automatic, fused (A*P is never stored) or two-products; the same bits")
      ->check(one_of("way", {"automatic", "fused", "two-products"}))
      ->type_name("NAME")
      ->group("How");
  add_memory_limit(*command, s->memory_limit);
  add_output(*command, s->output, "where C goes; - is standard output, messages then go to standard error");
  command->add_flag("--stats", s->stats, "print the way, why, and the time of each stage")->group("Results");
  command->add_flag("--json", s->json, "--stats as JSON")->group("Results");
  command->footer(
      "Example:\n  rowan galerkin generated:aggregation:nx=60,ny=60,nz=60,part=0 "
      "generated:aggregation:nx=60,ny=60,nz=60,part=1 --stats");
  return {command, [s] { return run(*s); }};
}

}  // namespace rowan::tool
