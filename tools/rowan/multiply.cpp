// rowan multiply: C = A*B into a file, with what it took.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "tools/rowan/command.hpp"
#include "tools/rowan/common.hpp"
#include "tools/rowan/forced.hpp"
#include "tools/rowan/in_blocks.hpp"
#include "tools/rowan/json_text.hpp"
#include "tools/rowan/measured.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/progress.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/error.hpp>

namespace rowan::tool {
namespace {

struct MultiplySettings {
  Common common;
  MatrixOutput output;
  std::string memory_limit;
  bool in_blocks = false, resume = false, stats = false, dry_run = false, json = false;
};

/// Seconds that it takes to count the products of each row and nothing else: what a multiplication without choices
/// would have to do, too. 0 where it cannot be compared with what several threads or a device did, or of transposed
/// views.
double count_products(const CsrView<double>& a, const CsrView<double>& b, const Stats& stats) {
  const std::int64_t *const of_a = a.row_ptr.wide(), *const of_b = b.row_ptr.wide();
  if (of_a == nullptr || of_b == nullptr || a.transposed || b.transposed) return 0;
  if (stats.threads != 1 || !stats.device.empty()) return 0;
  std::vector<std::int64_t> products(static_cast<std::size_t>(a.rows));
  const auto count = [&] {
    for (std::int64_t i = 0; i < a.rows; i++) {
      std::int64_t n = 0;
      for (std::int64_t k = of_a[i]; k < of_a[i + 1]; k++) {
        const auto j = static_cast<std::size_t>(a.col[static_cast<std::size_t>(k)]);
        n += of_b[j + 1] - of_b[j];
      }
      products[static_cast<std::size_t>(i)] = n;
    }
  };
  return std::min(timed(count), timed(count));
}

void foresee(const MultiplySettings& s, Options options) {
  const std::int64_t limit = std::exchange(options.memory_limit, 0);  // the result says whether it would be enough
  const Context context(options);
  const Operands in = read_operands(s.common);
  const Symbolic symbolic = context.symbolic(in.a, in.b);
  const Foreseen foreseen{
      .size = {.rows = rows_of(in.a), .cols = cols_of(in.b), .nnz = symbolic.nnz, .nprod = symbolic.nprod},
      .bytes_c = symbolic.bytes_c,
      .bytes_temporary = symbolic.bytes_temporary,
      .limit = limit};
  say(s.json ? json_text(json(foreseen)) : text(foreseen));
}

/// C in memory, and then in a file if one is wanted.
void multiply_in_memory(const MultiplySettings& s, const Context& context, const Operands& in,
                        std::function<void(double)>& reported, Done& done) {
  const Csr<double> c = [&] {
    Progress progress("multiplying");
    reported = progress.callback();
    try {
      return context.multiply(in.a, in.b, &done.stats);
    } catch (const Error& e) {
      const bool memory = e.code() == ErrorCode::memory_limit || e.code() == ErrorCode::out_of_memory;
      if (!memory || s.output.path.empty()) throw;
      throw Error(e.code(),
                  std::string(e.what()) + "; a file of rowan's own form (-o NAME.rowan) needs no C in memory");
    }
  }();
  done.size = {.rows = c.rows(), .cols = c.cols(), .nnz = c.nnz(), .nprod = done.stats.nprod};
  tell_unused_force(context, in, s.common.force);
  if (!s.output.path.empty()) done.write = timed([&] { with_threads(s.common.threads, [&] { s.output.write(c); }); });
  if (s.json || s.stats) done.counting = count_products(in.a, in.b, done.stats);
}

/// C in blocks of rows into the file.
void multiply_to_file(const MultiplySettings& s, const Context& context, const Operands& in, std::int64_t nprod,
                      std::function<void(double)>& reported, Done& done) {
  done.blocks = multiply_in_blocks(context, s.common, in, s.output.path, s.resume, reported, done.stats);
  done.size = {.rows = rows_of(in.a), .cols = cols_of(in.b), .nnz = done.blocks->nnz, .nprod = nprod};
  done.write = done.blocks->writing;
  tell_unused_force(context, in, s.common.force);
}

void multiply_files(const MultiplySettings& s, Options options) {
  const bool wanted = s.in_blocks || s.resume;
  std::string why_not;
  if (!s.output.path.empty()) s.output.check();
  const bool possible = can_be_in_blocks(s.output, why_not);
  if (wanted && !possible) throw UsageError(why_not);
  if (wanted && !s.resume) refuse_left_unfinished(s.output.path);
  std::function<void(double)> reported;
  options.progress = [&reported](double share) {
    if (reported) reported(share);
  };
  const std::int64_t limit = options.memory_limit;
  const Context context(std::move(options));  // before reading: a bad model shows immediately
  Done done;
  Operands in;
  done.read = timed([&] { in = read_operands(s.common); });
  const std::int64_t nprod = possible ? products_of(in.a, in.b) : 0;
  if (wanted || (possible && may_exceed_memory(in, nprod, limit))) {
    if (!s.resume) refuse_left_unfinished(s.output.path);
    multiply_to_file(s, context, in, nprod, reported, done);
  } else {
    if (possible) note_left_unfinished(s.output.path);
    multiply_in_memory(s, context, in, reported, done);
  }
  if (s.json)
    s.output.tell(json_text(json(done)));
  else if (s.stats)
    s.output.tell(text(done));
  else if (s.output.path.empty() && !quiet())
    s.output.tell(summary(done));
}

int run(const MultiplySettings& s) {
  Options options = s.common.options();
  if (!s.memory_limit.empty()) options.memory_limit = parse_size(s.memory_limit);
  if (s.dry_run)
    foresee(s, std::move(options));
  else
    multiply_files(s, std::move(options));
  return kOk;
}

}  // namespace

Command add_multiply(CLI::App& app) {
  auto s = std::make_shared<MultiplySettings>();
  CLI::App* command = app.add_subcommand("multiply", "C = A*B; A*A without B");
  add_common(*command, s->common);
  add_memory_limit(*command, s->memory_limit);
  auto* output =
      add_output(*command, s->output, "where C goes; - is standard output, messages then go to standard error");
  command
      ->add_flag("--in-blocks", s->in_blocks,
                 "write C (.rowan) in blocks of rows, never all of it in memory; without it rowan does so where C may "
                 "exceed the memory limit or the free memory")
      ->group("Results")
      ->needs(output);
  command
      ->add_flag("--resume", s->resume,
                 "--in-blocks, and continue what an interrupted program left of the same product; begin where there is "
                 "nothing left")
      ->group("Results")
      ->needs(output);
  auto* stats = command->add_flag("--stats", s->stats, "print the time of each stage, the memory and the speed");
  stats->group("Results");
  command->add_flag("--dry-run", s->dry_run, "only print the size of C and the memory that it needs")
      ->group("Results")
      ->excludes(output)
      ->excludes(stats);
  command->add_flag("--json", s->json, "--stats or --dry-run as JSON")->group("Results");
  command->footer(
      "Examples:\n  rowan multiply A.mtx B.mtx -o C.mtx.gz --stats\n"
      "  rowan multiply A.mtx --transpose-b --dry-run     (how large is A*At?)\n"
      "  rowan multiply A.rowan -o C.rowan --resume       (larger than memory)");
  return {command, [s] { return run(*s); }};
}

}  // namespace rowan::tool
