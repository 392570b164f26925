#include "tools/rowan/common.hpp"

#include <map>

#include "lib/core/parallel.hpp"
#include "lib/io/available_memory.hpp"
#include "lib/io/ending.hpp"
#include "lib/io/write.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/interrupt.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/progress.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/units.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/error.hpp>

namespace rowan::tool {

Options Common::options() const {
  check_force(force, backend_named(backend));
  Options o;
  o.backend = backend_named(backend);
  o.threads = threads;
  o.policy = policy;
  o.model = model;
  o.force = force;
  o.deterministic = deterministic;
  o.unsorted = unsorted;
  o.devices = devices_named(devices, o.backend);
  return o;
}

CLI::Validator file_name() {
  return {[](std::string& path) -> std::string { return path.empty() ? "the file's name is empty" : ""; }, ""};
}

CLI::Validator matrix_source() {
  return {[](std::string& source) -> std::string {
            if (source.empty()) return file_name()(source);
            try {
              if (const auto spec = generator_spec(source)) static_cast<void>(generated_size(*spec));
              return "";
            } catch (const Error& e) {
              return e.what();
            }
          },
          ""};
}

void MatrixOutput::check() const {
  if (format == "automatic") try {
      static_cast<void>(io::form_of_name(path));
    } catch (const Error& e) {
      throw UsageError(std::string(e.what()) + "; with --format any of these can be written under any name");
    }
  check_writable(path);
}

void MatrixOutput::write(const CsrView<double>& matrix) const {
  static const std::map<std::string, Format> kFormats{
      {"automatic", Format::automatic}, {"mtx", Format::matrix_market}, {"mtx.gz", Format::matrix_market_gzip},
      {"bin", Format::binary},          {"rowan", Format::rowan},       {"npz", Format::npz}};
  Progress progress("writing " + path);
  io::Output output = io::write_uncommitted(path, matrix, kFormats.at(format), progress.callback());
  const HeldInterrupts held;
  output.commit();
}

void MatrixOutput::tell(const std::string& words) const {
  if (path == "-")
    say_error(words);
  else
    say(words);
}

CLI::Option* add_output(CLI::App& command, MatrixOutput& output, const std::string& about) {
  const std::string group = "Results";
  auto* option = command.add_option("-o,--output", output.path, about);
  option->type_name("FILE")->group(group)->check(file_name());
  command.add_option("--format", output.format, "of the file: automatic (by the name), mtx, mtx.gz, bin, rowan or npz")
      ->check(one_of("format", {"automatic", "mtx", "mtx.gz", "bin", "rowan", "npz"}))
      ->type_name("NAME")
      ->group(group)
      ->needs(option);
  return option;
}

void add_threads(CLI::App& command, int& threads) {
  constexpr int kMostThreads = 4096;  // more is a slip of the finger
  command.add_option("--threads", threads, "at most; 0: all cores")
      ->check(whole(0, kMostThreads))
      ->type_name("N")
      ->group("How");
}

void add_memory_limit(CLI::App& command, std::string& memory_limit) {
  command.add_option("--memory-limit", memory_limit, "for C and all temporaries: 500M, 8G, 1.5GiB")
      ->check(parsed_by(parse_size))
      ->type_name("SIZE")
      ->group("How");
}

void add_common(CLI::App& command, Common& common) {
  command
      .add_option("A", common.a,
                  "matrix file, .mtx, .bin or .rowan, each plain or .gz, or scipy's .npz; - is standard input; "
                  "generated:SPEC is generated "
                  "(rowan generate --list)")
      ->required()
      ->check(matrix_source())
      ->type_name("");
  command.add_option("B", common.b, "the same; if not given, B is A")->check(matrix_source())->type_name("");
  command.add_flag("--transpose-a", common.transpose_a, "multiply the transpose of A")->group("Operands");
  command.add_flag("--transpose-b", common.transpose_b, "multiply by the transpose of B (of A without B: A*At)")
      ->group("Operands");
  add_how(command, common);
  command
      .add_flag("--unsorted", common.unsorted,
                "on a host, columns of a row of C may stand in any order: faster where rows are short")
      ->group("How");
}

void add_how(CLI::App& command, Common& common) {
  const std::string group = "How";
  auto* policy = command.add_option("--policy", common.policy, "a policy that is compiled in (rowan info lists them)");
  policy->check(one_of("policy", policy_names()))->type_name("NAME")->group(group);
  auto* model = command.add_option("--model", common.model, "a policy file (default: $ROWAN_MODEL, if set)");
  model->check(file_name())->type_name("FILE")->group(group)->excludes(policy);
  auto* force = command.add_option(
      "--force", common.force,
      "one accumulator for all rows that it can take; on a device hash:8 is hash with 8 lanes for each row of B");
  force->check(accumulator())->type_name("NAME")->group(group);
  auto* backend = command.add_option("--backend", common.backend, "automatic (the host), host, cuda, hip or emulated");
  backend->check(one_of("backend", backend_names()))->type_name("NAME")->group(group);
  command
      .add_option("--devices", common.devices,
                  "of the backend, that share the rows: 0,1 or all; the first if not given")
      ->type_name("LIST")
      ->group(group);
  command
      .add_flag("--deterministic", common.deterministic,
                "on a device, add in the host's order: the host's bits, slower")
      ->group(group);
  add_threads(command, common.threads);
}

Csr<double> read_file(const std::string& path) {
  Progress progress("reading " + path);
  return load_matrix(path, progress.callback());
}

namespace {

/// Refuses operands with too many rows: what a multiplication keeps of every row would not fit the memory. A file of a
/// few bytes can promise any number of them.
void check_room(const Operands& in, const Common& common) {
  constexpr std::int64_t kRowOfA = 33, kRowOfB = 12, kTransposed = 16;  // bytes; docs/architecture.md, Memory
  const auto bytes = [](const CsrView<double>& m, std::int64_t each) {
    return rows_of(m) * (each + (m.transposed ? kTransposed : 0));
  };
  const std::int64_t needed = bytes(in.a, kRowOfA) + bytes(in.b, kRowOfB);
  if (const std::int64_t room = io::available_memory(); needed > room)
    throw Error(ErrorCode::out_of_memory,
                common.a + (common.b.empty() ? "" : " and " + common.b) + ": " + std::to_string(rows_of(in.a)) +
                    " rows of A and " + std::to_string(rows_of(in.b)) + " of B take at least " + print_size(needed) +
                    ", " + print_size(room) + " are free; leave out empty rows or use a machine with more memory");
}

/// Where B was left out and A is not square, one of the two has to be transposed.
void check_square(const Operands& in, const Common& common) {
  if (!common.b.empty() || cols_of(in.a) == rows_of(in.b)) return;
  const char* const way = common.transpose_a ? "without --transpose-a, --transpose-b multiplies A by its transpose"
                                             : "--transpose-b multiplies A by its transpose";
  throw Error(ErrorCode::invalid_argument, "A has " + std::to_string(cols_of(in.a)) + " columns, but B has " +
                                               std::to_string(rows_of(in.b)) +
                                               " rows; B is A, because none was given: " + way);
}

}  // namespace

Operands read_operands(const Common& common) {
  if (common.a == "-" && common.b == "-") throw UsageError("A and B cannot both be standard input");
  Operands read;
  with_threads(common.threads, [&] {
    read.stored_a = read_file(common.a);
    if (!common.b.empty()) read.stored_b = read_file(common.b);
  });
  read.a = read.stored_a.view();
  read.b = common.b.empty() ? read.a : read.stored_b.view();
  read.a.transposed = common.transpose_a;
  read.b.transposed = common.transpose_b;
  check_square(read, common);
  check_room(read, common);
  return read;
}

std::int64_t rows_of(const CsrView<double>& m) {
  return m.transposed ? m.cols : m.rows;
}

std::int64_t cols_of(const CsrView<double>& m) {
  return m.transposed ? m.rows : m.cols;
}

void with_threads(int threads, const std::function<void()>& work) {
  if (threads == 0) return work();
  scheduler::Arena(threads).execute(work);
}

}  // namespace rowan::tool
