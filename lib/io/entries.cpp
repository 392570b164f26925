// Chunks of lines are read one behind the other, parsed side by side, and accepted in order: only then is it known how
// many entries stood before a chunk, and whether it holds the file's first fault. A chunk's text lives until it was
// accepted, so no more of the file is in memory than a chunk for each thread.
#include "lib/io/entries.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "lib/core/parallel.hpp"
#include "lib/io/chunk.hpp"
#include "lib/io/scan.hpp"

namespace rowan::io {
namespace {

/// A chunk under way.
struct Slot {
  TextBuffer text;
  const char* begin = nullptr;  // of the entries in it
  Parsed parsed;
  std::exception_ptr broken;  // what reading the text threw, behind whatever chunks came before
  bool endless = false;
};

std::string promise(const Header& header) {
  return " the " + std::to_string(header.entries) + " entries that line " + std::to_string(header.line) + " promises";
}

class EntryReader {
 public:
  EntryReader(TextBuffer head, Lines& lines, const Header& header, const std::string& name)
      : lines_(lines), header_(header), name_(name), missing_(static_cast<std::size_t>(header.entries)) {
    accepted_lines_ = header.line;
    head_ = std::move(head);
  }

  /// The next chunk's text; false at the end. Never throws: what goes wrong here comes behind what is under way.
  bool fill(Slot& slot) {
    if (stopped_) return false;
    slot.parsed = {};
    if (head_) {
      slot.text = *std::move(head_), slot.begin = header_.body;
      head_.reset();
      return true;
    }
    slot.text.clear();
    try {
      const bool more = lines_.append_next(slot.text);
      slot.begin = slot.text.view().data();
      return more;
    } catch (const EndlessLine&) {
      slot.endless = true;
    } catch (...) {
      slot.broken = std::current_exception();
    }
    slot.text.clear();
    slot.begin = slot.text.view().data();
    stopped_ = true;
    return true;
  }

  void parse(Slot& slot) const { slot.parsed = parse_chunk(slot.begin, end_of(slot), header_); }

  void accept(Slot& slot) {
    Parsed& parsed = slot.parsed;
    const std::size_t n = parsed.entries.row.size();
    // what follows the last entry promised is one too many, whether it could be parsed or not
    if (n > missing_ || (parsed.fault && n == missing_)) throw located(slot, surplus(slot));
    if (parsed.fault) throw located(slot, *parsed.fault);
    if (slot.broken) std::rethrow_exception(slot.broken);
    if (slot.endless)
      throw Error(ErrorCode::parse, name_ + ":" + std::to_string(accepted_lines_ + 1) +
                                        ": the line does not end within " + std::to_string(Lines::kLongest) +
                                        " bytes; this is no Matrix Market file");
    missing_ -= n;
    accepted_lines_ += parsed.lines;
    pieces_.push_back(std::move(parsed.entries));
  }

  EntryPieces finish() {
    if (missing_ != 0)
      throw Error(ErrorCode::parse, name_ + ":" + std::to_string(accepted_lines_) + ": the file ends after " +
                                        std::to_string(static_cast<std::size_t>(header_.entries) - missing_) + " of" +
                                        promise(header_));
    return std::move(pieces_);
  }

 private:
  static const char* end_of(const Slot& slot) { return slot.text.view().data() + slot.text.size(); }

  [[nodiscard]] Error located(const Slot& slot, const TextFault& fault) const {
    const std::string_view text(slot.begin, static_cast<std::size_t>(end_of(slot) - slot.begin));
    return text_error(name_, text, fault, accepted_lines_);
  }

  /// The fault of a chunk that holds more entries than were still to come.
  [[nodiscard]] TextFault surplus(const Slot& slot) const {
    const char* p = skip_empty_lines(slot.begin, end_of(slot));
    for (std::size_t expected = missing_; expected != 0; --expected) p = skip_empty_lines(next_line(p), end_of(slot));
    return {p, show_token(p) + " follows" + promise(header_)};
  }

  Lines& lines_;
  const Header& header_;
  const std::string& name_;
  std::optional<TextBuffer> head_;
  bool stopped_ = false;
  std::size_t missing_;       // entries still to come
  long long accepted_lines_;  // of the file
  EntryPieces pieces_;
};

/// Workers take chunks in order, and each waits until all chunks before its own are accepted: the worker that it waits
/// for has its chunk already.
class Queue {
 public:
  /// Calls `tick` after each accepted chunk, when it was passed on: no worker waits for the one that calls it.
  template <class Tick>
  void work(EntryReader& reader, const Tick& tick) {
    Slot slot;
    std::int64_t turn = 0;
    try {
      while (take(reader, slot, turn)) {
        reader.parse(slot);
        if (!wait_for(turn)) return;
        reader.accept(slot);
        pass_on(turn);
        tick();
      }
    } catch (...) {
      fail();
      throw;
    }
  }

 private:
  /// The next chunk, if there is one and no worker failed.
  bool take(EntryReader& reader, Slot& slot, std::int64_t& turn) {
    const std::lock_guard lock(filling_);
    if (failed_ || ended_) return false;
    ended_ = !reader.fill(slot);
    turn = next_++;
    return !ended_;
  }
  /// False where a worker before failed.
  bool wait_for(std::int64_t turn) {
    std::unique_lock lock(accepting_);
    moved_.wait(lock, [&] { return failed_ || accepted_ == turn; });
    return !failed_;
  }
  void pass_on(std::int64_t turn) {
    const std::lock_guard lock(accepting_);
    accepted_ = turn + 1;
    moved_.notify_all();
  }
  void fail() {
    const std::lock_guard lock(accepting_);
    failed_ = true;
    moved_.notify_all();
  }

  std::mutex filling_, accepting_;
  std::condition_variable moved_;
  std::atomic<bool> failed_ = false;
  bool ended_ = false;         // under filling_
  std::int64_t next_ = 0;      // to be filled, under filling_
  std::int64_t accepted_ = 0;  // chunks, under accepting_
};

/// Gives the values of an array, which stand column by column, their positions.
void place_array(EntryPieces& pieces, const Header& header) {
  const auto first_row = [&](std::int64_t col) {
    if (header.symmetry == Symmetry::general) return std::int64_t{0};
    return col + (header.symmetry == Symmetry::skew_symmetric ? 1 : 0);
  };
  std::int64_t col = 0;
  std::int64_t row = first_row(0);
  for (EntryPiece& piece : pieces) {
    for (std::size_t i = 0; i != piece.row.size(); ++i) {
      piece.row[i] = static_cast<std::int32_t>(row);
      piece.col[i] = static_cast<std::int32_t>(col);
      if (++row == header.rows) ++col, row = first_row(col);
    }
  }
}

}  // namespace

EntryPieces parse_entries(TextBuffer head, Lines& lines, const Header& header, const std::string& name,
                          const std::function<void()>& tick) {
  EntryReader reader(std::move(head), lines, header, name);
  const Team team;
  if (team.size() == 1) {
    for (Slot slot; reader.fill(slot); tick()) reader.parse(slot), reader.accept(slot);
  } else {
    Queue queue;
    team.run([&](int) { queue.work(reader, tick); });
  }
  EntryPieces pieces = reader.finish();
  if (header.layout == TextLayout::array) place_array(pieces, header);
  return pieces;
}

}  // namespace rowan::io
