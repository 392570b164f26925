#pragma once
// Rowan's own form, written in blocks of rows: for a matrix larger than memory, and so that an interrupted process
// loses little. The sizes of all rows are known first, so every block has its place. Beside FILE, until it is finished:
//
//   FILE.unfinished   the file with all its sections where they belong, and zeros for a header
//   FILE.journal      of what it is made, and how many rows are on the disk (journal.hpp)
//
// FILE itself, if there is one, stays as it was until the end.
#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "lib/io/journal.hpp"
#include "lib/io/native_layout.hpp"
#include "lib/io/placed_writer.hpp"
#include "lib/io/target.hpp"
#include <rowan/csr.hpp>

namespace rowan::io {

/// Names of the two files.
[[nodiscard]] std::string unfinished_name(const std::string& target);
[[nodiscard]] std::string journal_name(const std::string& target);
/// FILE.unfinished, where an interrupted process left it; else empty.
[[nodiscard]] std::string left_unfinished(const std::string& path);

class NativeBlocks {
 public:
  /// Of FILE. Throws Error{unsupported} where it is a stream or has several names, and what target_of() throws.
  explicit NativeBlocks(const std::string& path);

  /// Goes on with what an interrupted process left: the matrix's row pointers, which the caller keeps as long as this;
  /// empty where nothing of use was left. All rows are done where only the journal was left beside a finished FILE.
  /// Throws Error{invalid_argument} where what was left was made of something else, with the first line of `origin`
  /// that differs; Error{parse} where it is damaged; Error{io} where another process is writing it.
  [[nodiscard]] std::optional<Array<std::int64_t>> resume(const std::string& origin);
  /// Or begins, with the matrix's row pointers, which the caller keeps as long as this. Throws Error{io}, with both
  /// sizes where the disk has too little free.
  void begin(const std::string& origin, std::int64_t cols, std::span<const std::int64_t> row_ptr);

  [[nodiscard]] std::int64_t rows() const noexcept { return static_cast<std::int64_t>(row_ptr_.size()) - 1; }
  [[nodiscard]] std::int64_t rows_done() const noexcept { return done_.rows; }
  [[nodiscard]] const std::string& unfinished() const noexcept { return unfinished_; }

  /// Rows from rows_done() on. Now and then waits for the disk and notes in the journal how far it is.
  void write(const CsrView<double>& block);
  /// Once all rows are written: the header, and the name.
  void commit();
  /// Of the whole file, but that of a matrix whose values are all 1 has none in the end.
  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  /// FILE.unfinished, for this process alone; false where it does not exist and is not made.
  bool open(int how);
  [[nodiscard]] NativeHeader header() const noexcept;
  /// That of the finished file, with its checksum; all rows are done.
  [[nodiscard]] NativeHeader finished_header() const noexcept;
  [[nodiscard]] std::string whole(const std::string& origin) const;
  /// What a journal says is done, and the row pointers in the file; empty where they are not those of the journal.
  [[nodiscard]] std::optional<Array<std::int64_t>> take(const Descriptor& file, const NativeHeader& sizes,
                                                        const FoundJournal& found, const std::string& origin);
  /// The same where FILE is what the journal is about, and finished.
  [[nodiscard]] std::optional<Array<std::int64_t>> take_finished(const FoundJournal& found, const std::string& origin);
  void note();

  std::string name_;  // for messages
  FileTarget target_;
  std::string unfinished_, journal_path_;
  Descriptor file_;
  std::optional<PlacedWriter> writer_;
  std::optional<Journal> journal_;  // empty where FILE is finished
  std::int64_t cols_ = 0;
  std::span<const std::int64_t> row_ptr_ = {};
  std::uint32_t row_ptr_crc_ = 0;
  FileMark done_;
  Clock::time_point noted_ = {};  // the end of the last note()
  Clock::duration noting_ = {};   // that it took
};

}  // namespace rowan::io
