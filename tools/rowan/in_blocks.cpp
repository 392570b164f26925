#include "tools/rowan/in_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "lib/core/parallel.hpp"
#include "lib/io/available_memory.hpp"
#include "lib/io/ending.hpp"
#include "lib/io/native_blocks.hpp"
#include "lib/io/native_layout.hpp"
#include "lib/io/target.hpp"
#include "tools/rowan/interrupt.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/progress.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/error.hpp>

namespace rowan::tool {
namespace {

/// Entries of each row of a view as it is multiplied.
std::vector<std::int64_t> row_lengths(const CsrView<double>& m) {
  std::vector<std::int64_t> n(static_cast<std::size_t>(rows_of(m)));
  if (m.transposed)
    for (const Column j : m.col) n[static_cast<std::size_t>(j)]++;
  else
    for (std::int64_t i = 0; i < m.rows; i++) n[static_cast<std::size_t>(i)] = m.row_ptr[i + 1] - m.row_ptr[i];
  return n;
}

/// Of what a matrix is made: another one has other words, but for a chance of one in 2^32 for each of its arrays.
std::string identity(const char* name, const CsrView<double>& m) {
  const auto crc = [](const auto& array) {
    return std::to_string(io::crc_behind(0, {reinterpret_cast<const char*>(array.data()), array.size_bytes()}));
  };
  const std::span<const std::int64_t> row_ptr(m.row_ptr.wide(), m.row_ptr.size());
  return std::string(name) + (m.transposed ? " is the transpose of " : " is ") + std::to_string(m.rows) + " x " +
         std::to_string(m.cols) + ", " + std::to_string(m.nnz()) + " entries, checksums " + crc(row_ptr) + " " +
         crc(m.col) + " " + crc(m.val) + "\n";
}

/// All that C's bits depend on.
std::string origin_of(const Common& common, const Operands& in) {
  const Backend backend = backend_named(common.backend);
  const bool in_order = common.deterministic || backend == Backend::host || backend == Backend::automatic;
  std::string text = "rowan " + std::string(version()) + ", form " + std::to_string(io::kNativeVersion) + "\n";
  with_threads(common.threads, [&] { text += identity("A", in.a) + identity("B", in.b); });
  return text + "sums " + (in_order ? "in the order of A's entries" : "in the order of " + common.backend) + "\n";
}

}  // namespace

std::int64_t products_of(const CsrView<double>& a, const CsrView<double>& b) {
  const std::vector<std::int64_t> of_a = row_lengths(transposed(a)), of_b = row_lengths(b);
  return std::inner_product(of_a.begin(), of_a.end(), of_b.begin(), std::int64_t{0});
}

bool may_exceed_memory(const Operands& in, std::int64_t nprod, std::int64_t memory_limit) {
  constexpr std::int64_t kRowOfA = 33, kRowOfB = 13, kEntry = 12;  // bytes; docs/architecture.md, Memory
  const auto rows = static_cast<double>(rows_of(in.a));
  const double entries = std::min(static_cast<double>(nprod), rows * static_cast<double>(cols_of(in.b)));
  const double bytes = entries * kEntry + rows * kRowOfA + static_cast<double>(rows_of(in.b)) * kRowOfB;
  return bytes > static_cast<double>(memory_limit != 0 ? memory_limit : io::available_memory());
}

bool can_be_in_blocks(const MatrixOutput& output, std::string& why_not) {
  why_not = "only a file of rowan's own form can be written in blocks: -o with a name that ends in .rowan";
  if (output.path.empty() || output.path == "-") return false;
  if (output.format == "automatic") {
    const io::Form form = io::form_of_name(output.path);
    if (form.format != Format::rowan || form.gzip) return false;
  } else if (output.format != "rowan") {
    return false;
  }
  const io::FileKind kind = io::target_of(output.path).kind;
  why_not = output.path + ": only a regular file of one name can be written in blocks";
  return kind == io::FileKind::fresh || kind == io::FileKind::single;
}

void refuse_left_unfinished(const std::string& path) {
  if (const std::string left = io::left_unfinished(path); !left.empty())
    throw Error(ErrorCode::io, left + ": was left by an interrupted program; --resume continues it, or remove it");
}

void note_left_unfinished(const std::string& path) {
  if (const std::string left = io::left_unfinished(path); !left.empty() && !quiet())
    say_error("rowan: " + left + " was left by an interrupted program; --resume would continue it\n");
}

WrittenBlocks multiply_in_blocks(const Context& context, const Common& common, const Operands& in,
                                 const std::string& path, bool resume, std::function<void(double)>& progress,
                                 Stats& stats) {
  WrittenBlocks done;
  io::NativeBlocks file(path);
  const std::string origin = origin_of(common, in);
  Symbolic sizes;
  if (std::optional<Array<std::int64_t>> left = resume ? file.resume(origin) : std::nullopt) {
    sizes.row_ptr = *std::move(left);
    done.first_row = file.rows_done();
  } else {
    done.counting = timed([&] {
      Progress counting("counting");
      progress = counting.callback();
      sizes = context.symbolic(in.a, in.b);
      progress = {};
    });
    file.begin(origin, cols_of(in.b), sizes.row_ptr.span());
  }
  sizes.nnz = done.nnz = sizes.row_ptr[rows_of(in.a)];
  const std::string advice = file.unfinished() + " is kept: the same command with --resume continues it";
  say_when_interrupted(std::string(on_terminal() ? "\n" : "") + "rowan: interrupted; " + advice + "\n");
  try {
    Progress writing("writing " + path);
    progress = writing.callback();
    context.multiply_in_blocks(
        in.a, in.b, sizes, done.first_row,
        [&](std::int64_t, const CsrView<double>& block) {
          done.writing += timed([&] { file.write(block); });
          done.bytes += block.nnz() * static_cast<std::int64_t>(sizeof(Column) + sizeof(double));
        },
        &stats);
    progress = {};
    const HeldInterrupts held;
    done.writing += timed([&] { file.commit(); });
    done.blocks = stats.blocks;
    say_when_interrupted("");
  } catch (const Error& e) {
    throw Error(e.code(), std::string(e.what()) + "; " + advice);
  }
  return done;
}

}  // namespace rowan::tool
