// Text that comes in chunks: headers and lines longer than one, pipes, and errors that wait their turn.
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/io/gzip.hpp"
#include "lib/io/lines.hpp"
#include "lib/io/matrix_market.hpp"
#include "lib/io/source.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"
#include "tests/lib/io/threads.hpp"

namespace rowan::test {
namespace {

const std::string kBanner = "%%MatrixMarket matrix coordinate real general\n";

/// More lines than one chunk holds, all of them the same entry.
std::string many(int lines, const std::string& line = "1 1 1\n") {
  std::string text;
  for (int i = 0; i != lines; ++i) text += line;
  return text;
}

/// Bytes without end, always the same.
io::Bytes endless(char byte) {
  return io::Bytes([byte](std::span<char> room) {
    std::fill(room.begin(), room.end(), byte);
    return room.size();
  });
}

std::string parse_error(io::Bytes bytes) {
  return error_of([&] { static_cast<void>(io::parse_matrix_market(std::move(bytes), "f")); });
}

/// The first stream, then the second.
io::Bytes joined(std::string first, io::Bytes second) {
  return io::Bytes([first = std::move(first), second = std::make_shared<io::Bytes>(std::move(second)),
                    at = std::size_t{0}](std::span<char> room) mutable {
    const std::string_view part = std::string_view(first).substr(at, room.size());
    if (part.empty()) return second->read(room);
    std::copy(part.begin(), part.end(), room.begin());
    at += part.size();
    return part.size();
  });
}

}  // namespace

TEST_CASE("stream: chunks are whole lines, and all of them are the text") {
  std::string text = many(300'000, "some words\n") + "no newline";
  io::Lines lines(io::bytes_of_memory(text));
  std::string together;
  int chunks = 0;
  for (io::TextBuffer chunk; chunk.clear(), lines.append_next(chunk); ++chunks) {
    CHECK(chunk.view().back() == '\n');
    together += chunk.view();
  }
  CHECK(chunks > 2);
  CHECK(together == text + "\n");
}

TEST_CASE("stream: a header that goes on for several chunks, with faults before and behind its sizes") {
  const Folder folder;
  const std::string comments = many(300'000, "% comment\n");
  CHECK(plain(read_matrix(folder.file("m.mtx", kBanner + comments + "1 1 1\n% c\n1 1 2\n"))) ==
        Plain{1, 1, {0, 1}, {0}, {2}});
  const std::string sizes = folder.file("sizes.mtx", kBanner + comments + "1 x 1\n");
  CHECK(read_error(sizes) == "parse: " + sizes + ":300002: expected the number of columns, found 'x'");
  const std::string entry = folder.file("entry.mtx", kBanner + comments + "1 1 1\n2 1 1\n");
  CHECK(read_error(entry) == "parse: " + entry + ":300003: row '2' lies outside 1..1");
  const std::string none = folder.file("none.mtx", kBanner + comments);
  CHECK(read_error(none) ==
        "parse: " + none + ":300001: the file ends before its sizes, expected rows, columns and entries");
}

TEST_CASE("stream: a line without end is an error, not the end of memory") {
  CHECK(parse_error(endless('\0')) ==
        "parse: f: a line does not end within 67108864 bytes; this is no Matrix Market file");
  for (const int threads : {1, 4})
    CHECK(with_threads(threads, [] {
            return parse_error(joined(kBanner + "1 1 3\n1 1 1\n" + many(200'000, "%\n"), endless(' ')));
          }) == "parse: f:200004: the line does not end within 67108864 bytes; this is no Matrix Market file");
}

TEST_CASE("stream: entries without end are one too many") {
  for (const int threads : {1, 4}) {
    std::size_t at = 0;
    const auto repeat = [&](std::span<char> room) {
      for (char& c : room) c = "1 1 1\n"[at++ % 6];
      return room.size();
    };
    CHECK(with_threads(threads, [&] {
            at = 0;
            return parse_error(joined(kBanner + "1 1 5\n", io::Bytes(repeat)));
          }) == "parse: f:8: '1' follows the 5 entries that line 2 promises");
  }
}

TEST_CASE("stream: a fault in the text comes before one of the file that follows it") {
  const Folder folder;
  const std::string good = kBanner + "1 1 600000\n" + many(600'000);
  const std::string member(io::gzip_member(good).view());
  const std::string cut = folder.file("cut.mtx.gz", member.substr(0, member.size() - 9));
  const std::string trailing = folder.file("trailing.mtx.gz", member + "x");
  std::string bad = good;
  bad.replace(bad.find('\n', bad.size() / 2) + 1, 30, many(5, "bad !\n"));
  const std::string member_of_bad(io::gzip_member(bad).view());
  const std::string both = folder.file("both.mtx.gz", member_of_bad.substr(0, member_of_bad.size() - 9));
  for (const int threads : {1, 2, 7})
    with_threads(threads, [&] {
      CHECK(read_error(cut) ==
            "parse: " + cut + ": gzip data is truncated after " + std::to_string(member.size() - 9) + " bytes");
      CHECK(read_error(trailing) == "parse: " + trailing + ": gzip data is followed by something else after " +
                                        std::to_string(member.size()) + " bytes");
      CHECK_MESSAGE(read_error(both).find(": expected a row, found ") != std::string::npos, read_error(both));
      return 0;
    });
}

TEST_CASE("stream: pipes are read to their end, text and binary") {
  const Folder folder;
  const Plain matrix{2, 3, {0, 2, 3}, {0, 2, 1}, {1.5, -2, 4}};
  for (const char* name : {"m.mtx", "m.mtx.gz", "m.bin", "m.bin.gz", "m.rowan", "m.rowan.gz"}) {
    CAPTURE(name);
    write_matrix(folder.path(name), matrix.view());
    const std::string pipe = folder.path(std::string(name) + ".pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::thread writer([&] {
      const int fd = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
      for (const char c : content(folder.path(name))) static_cast<void>(!write(fd, &c, 1));
      close(fd);
    });
    const Plain got = plain(read_matrix(pipe));
    writer.join();
    CHECK(got == matrix);
  }
}

TEST_CASE("stream: a file that shrinks while it is read is an error") {
  const Folder folder;
  const std::string path = folder.file("m.bin", "CRSR and some more");
  const io::Source source = io::open_source(path);
  CHECK(source.size == 18);
  std::filesystem::resize_file(path, 10);
  std::string room(8, ' ');
  CHECK(error_of([&] { source.read_at(6, room); }) == "io: " + path + ": shrank to 10 bytes while being read");
  CHECK(room.starts_with("nd s"));
}

TEST_CASE("stream: a read that the system refuses names the reason") {
  CHECK(read_error("/proc/self/mem") == "io: /proc/self/mem: cannot be read: Input/output error");
}

TEST_CASE("stream: progress rises to the end of the file, and is not told of pipes") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", kBanner + "1 1 600000\n" + many(600'000));
  for (const int threads : {1, 3}) {
    double before = 0;
    int calls = 0;
    with_threads(threads, [&] {
      return read_matrix(path,
                         [&](double share) {
                           CHECK(share > before);
                           before = share, ++calls;
                         })
          .nnz();
    });
    CHECK(calls >= (threads == 1 ? 3 : 1));  // threads read ahead: the first told may be the last
    CHECK(before > 0.5);
    CHECK(before <= 1);
  }
  const Csr<double> matrix = read_matrix(path);
  double last = 0;
  write_matrix(folder.path("copy.mtx"), matrix, Format::automatic, [&](double share) {
    CHECK(share > last);
    last = share;
  });
  CHECK(last == 1);
}

}  // namespace rowan::test
