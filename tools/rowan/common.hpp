#pragma once
// What commands that multiply have in common: their operands and the options of a Context.
#include <chrono>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include <rowan/rowan.hpp>

namespace rowan::tool {

struct Common {
  std::string a, b;  // files or "generated:SPEC"; no b: A again
  bool transpose_a = false, transpose_b = false;
  std::string policy, model, force, backend = "automatic", devices;
  bool deterministic = false, unsorted = false;
  int threads = 0;

  /// Throws UsageError for what only parsing all options shows.
  [[nodiscard]] Options options() const;
};

/// Adds A, B, --transpose-a, --transpose-b, --unsorted and what add_how() adds.
void add_common(CLI::App& command, Common& common);

/// Adds --policy, --model, --force, --backend, --devices, --deterministic and --threads.
void add_how(CLI::App& command, Common& common);

/// Adds --memory-limit.
void add_memory_limit(CLI::App& command, std::string& memory_limit);

/// Seconds that `work` takes.
template <class F>
[[nodiscard]] double timed(const F& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Adds --threads.
void add_threads(CLI::App& command, int& threads);

/// Refuses an empty file name, which is most often a shell variable that is not set.
[[nodiscard]] CLI::Validator file_name();

/// Refuses the same, and a wrong SPEC in "generated:SPEC".
[[nodiscard]] CLI::Validator matrix_source();

/// Where a matrix goes, and in what form. Writing shows progress.
struct MatrixOutput {
  std::string path, format = "automatic";

  /// Throws UsageError for a name that asks for what is not written, the Error{io} of check_writable.
  void check() const;
  void write(const CsrView<double>& matrix) const;
  /// Words to standard output, unless the matrix goes there.
  void tell(const std::string& words) const;
};

/// Adds -o and --format; returns the first.
CLI::Option* add_output(CLI::App& command, MatrixOutput& output, const std::string& about);

/// A file or what is generated, with progress.
[[nodiscard]] Csr<double> read_file(const std::string& path);

/// A and B as they are to be multiplied, and the memory behind them.
struct Operands {
  Csr<double> stored_a, stored_b;
  CsrView<double> a, b;
};

/// Reads both, in `common.threads` threads. Throws UsageError where standard input is asked for twice.
[[nodiscard]] Operands read_operands(const Common& common);

/// Sizes as seen from outside, after a transposition.
[[nodiscard]] std::int64_t rows_of(const CsrView<double>& m);
[[nodiscard]] std::int64_t cols_of(const CsrView<double>& m);

/// Runs `work` in an arena of `threads` threads; 0: in the caller's. Reading and writing know no number of their own.
void with_threads(int threads, const std::function<void()>& work);

}  // namespace rowan::tool
