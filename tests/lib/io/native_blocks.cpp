// Files written in blocks (lib/io/native_blocks.cpp): the bytes of write_matrix, also after an interruption.
#include "lib/io/native_blocks.hpp"

#include <doctest/doctest.h>

#include "lib/io/disk.hpp"
#include "tests/lib/io/failing.hpp"
#include "tests/lib/io/files.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

/// Rows [first, end) of a matrix, with row pointers of their own.
struct Rows {
  std::vector<std::int64_t> ptr;
  CsrView<double> view;

  Rows(const Csr<double>& m, std::int64_t first, std::int64_t end) {
    const auto begin = static_cast<std::size_t>(m.row_ptr()[static_cast<std::size_t>(first)]);
    for (std::int64_t i = first; i <= end; i++)
      ptr.push_back(m.row_ptr()[static_cast<std::size_t>(i)] - static_cast<std::int64_t>(begin));
    const auto n = static_cast<std::size_t>(ptr.back());
    view = {.rows = end - first,
            .cols = m.cols(),
            .row_ptr = ptr,
            .col = m.col().subspan(begin, n),
            .val = m.val().subspan(begin, n)};
  }
};

void write_rows(io::NativeBlocks& file, const Csr<double>& m, std::int64_t end, std::int64_t step) {
  while (file.rows_done() < end) {
    const Rows rows(m, file.rows_done(), std::min(end, file.rows_done() + step));
    file.write(rows.view);
  }
}

/// The file as write_matrix writes it.
std::string whole(const Folder& folder, const Csr<double>& m) {
  const std::string path = folder.path("whole.rowan");
  write_matrix(path, m);
  return content(path);
}

Csr<double> ones(std::int64_t n) {
  Csr<double> m = generate("random:n=" + std::to_string(n) + ",row_length=3");
  std::fill(m.val().begin(), m.val().end(), 1.0);
  return m;
}

/// Stops after `rows` rows, without an end.
void interrupted(const std::string& path, const Csr<double>& m, std::int64_t rows, std::int64_t step) {
  io::NativeBlocks file(path);
  file.begin("of a test\n", m.cols(), m.row_ptr());
  write_rows(file, m, rows, step);
}

}  // namespace

TEST_CASE("blocks of any size make the file that write_matrix makes") {
  const Folder folder;
  const Csr<double> none(3, 4, Array<std::int64_t>::zeroed(4), {}, {}),
      no_rows(0, 4, Array<std::int64_t>::zeroed(1), {}, {});
  const Csr<double> some = generate("rmat:scale=10"), pattern = ones(777);
  for (const Csr<double>* m : {&some, &pattern, &none, &no_rows})
    for (const std::int64_t step : {1, 100, 100000}) {
      CAPTURE(m->rows());
      CAPTURE(step);
      if (step == 1 && m->rows() > 10) continue;
      const std::string path = folder.path("c.rowan");
      io::NativeBlocks file(path);
      file.begin("of a test\n", m->cols(), m->row_ptr());
      write_rows(file, *m, m->rows(), step);
      CHECK_FALSE(std::filesystem::exists(path));
      file.commit();
      CHECK(content(path) == whole(folder, *m));
      CHECK_EQ(folder.count(), 2);
      std::filesystem::remove(path);
    }
}

TEST_CASE("what was interrupted anywhere is continued to the same bytes") {
  const Folder folder;
  const Csr<double> some = generate("rmat:scale=10"), pattern = ones(1024);
  for (const Csr<double>* m : {&some, &pattern})
    for (const std::int64_t rows : {0, 1, 500, 1024}) {
      CAPTURE(rows);
      const std::string path = folder.path("c.rowan");
      interrupted(path, *m, rows, 100);
      CHECK_EQ(io::left_unfinished(path), path + ".unfinished");
      {
        io::NativeBlocks file(path);
        const auto row_ptr = file.resume("of a test\n");
        REQUIRE(row_ptr);
        CHECK(std::ranges::equal(row_ptr->span(), m->row_ptr()));
        CHECK_LE(file.rows_done(), rows);
        CHECK_GE(file.rows_done(), std::min<std::int64_t>(rows, 1));  // the first block is on the disk
        write_rows(file, *m, m->rows(), 300);
        file.commit();
      }
      CHECK(content(path) == whole(folder, *m));
      CHECK_EQ(io::left_unfinished(path), "");
      CHECK_EQ(folder.count(), 2);
      std::filesystem::remove(path);
    }
}

TEST_CASE("interrupted between its last steps, a file is finished again") {
  const Folder folder;
  const Csr<double> m = ones(300);
  const std::string path = folder.path("c.rowan"), kept = folder.path("kept");
  interrupted(path, m, 300, 300);
  std::filesystem::copy(path + ".journal", kept);
  {
    io::NativeBlocks file(path);
    const auto row_ptr = file.resume("of a test\n");
    REQUIRE(row_ptr);
    write_rows(file, m, 300, 300);
    file.commit();
  }
  const std::string expected = content(path);
  // the name was not there yet, the file was cut: its values are all 1
  std::filesystem::rename(path, path + ".unfinished");
  std::filesystem::copy(kept, path + ".journal");
  {
    io::NativeBlocks file(path);
    const auto row_ptr = file.resume("of a test\n");
    REQUIRE(row_ptr);
    CHECK_EQ(file.rows_done(), 300);
    file.commit();
  }
  CHECK(content(path) == expected);
}

TEST_CASE("of a finished file only the journal is removed, where it was not any more") {
  const Folder folder;
  const Csr<double> some = generate("rmat:scale=8"), pattern = ones(300);
  const std::string path = folder.path("c.rowan"), kept = folder.path("kept"), journal = path + ".journal";
  for (const Csr<double>* m : {&some, &pattern}) {
    interrupted(path, *m, m->rows(), 100);
    {
      io::NativeBlocks file(path);
      const auto row_ptr = file.resume("of a test\n");
      REQUIRE(row_ptr);
      write_rows(file, *m, m->rows(), 100);
      // what commit() notes last
      const auto of = [](const auto& array) {
        return io::crc_behind(0, {reinterpret_cast<const char*>(array.data()), array.size_bytes()});
      };
      io::Journal::go_on(journal, *io::read_journal(journal))
          .add({.rows = m->rows(), .col = of(m->col()), .val = of(m->val()), .ones = m == &pattern});
      std::filesystem::copy_file(journal, kept, std::filesystem::copy_options::overwrite_existing);
      file.commit();
    }
    const std::string expected = content(path);
    const auto resumed = [&](const std::string& origin) {  // the rows that are done; -1: nothing was left
      std::filesystem::copy_file(kept, journal, std::filesystem::copy_options::overwrite_existing);
      io::NativeBlocks file(path);
      const auto row_ptr = file.resume(origin);
      if (!row_ptr) return std::int64_t{-1};
      CHECK(std::ranges::equal(row_ptr->span(), m->row_ptr()));
      file.commit();
      return file.rows_done();
    };
    CHECK_EQ(resumed("of a test\n"), m->rows());
    CHECK(content(path) == expected);
    CHECK_FALSE(std::filesystem::exists(journal));
    CHECK_EQ(resumed("of another\n"), -1);
    for (const std::size_t at : {std::size_t{17}, std::size_t{41}, std::size_t{4096 + 9}}) {
      std::string changed = expected;
      changed[at] ^= 1;  // a size, the checksum, a row pointer
      static_cast<void>(folder.file("c.rowan", changed));
      CHECK_EQ(resumed("of a test\n"), -1);
    }
    static_cast<void>(folder.file("c.rowan", expected.substr(0, expected.size() - 1)));
    CHECK_EQ(resumed("of a test\n"), -1);
    // begun again beside that journal, and interrupted at once
    static_cast<void>(folder.file("c.rowan.unfinished", ""));
    CHECK_EQ(resumed("of a test\n"), -1);
    io::NativeBlocks file(path);
    file.begin("of a test\n", m->cols(), m->row_ptr());
    CHECK_EQ(io::read_journal(journal)->last, io::FileMark{});
    write_rows(file, *m, m->rows(), 100);
    file.commit();
    CHECK(content(path) == expected);
  }
}

TEST_CASE("something else is not continued") {
  const Folder folder;
  const Csr<double> m = generate("rmat:scale=8");
  const std::string path = folder.path("c.rowan"), left = path + ".unfinished";
  const auto error = [&](const std::string& origin) {
    return error_of([&] { static_cast<void>(io::NativeBlocks(path).resume(origin)); });
  };
  interrupted(path, m, 100, 50);
  CHECK_EQ(error("of another\n"),
           "invalid_argument: " + left + ": was made of something else: \"of a test\", now it is \"of another\"");
  CHECK(error("of a test\nand more\n").ends_with(", now it is \"and more\""));
  const std::string text = content(left);
  static_cast<void>(folder.file("c.rowan.unfinished", text.substr(0, text.size() - 1)));
  CHECK_EQ(error("of a test\n"),
           "parse: " + left + ": is damaged, or not what " + path + ".journal is about; remove both");
  std::string changed = text;
  changed[4096 + 100] ^= 1;  // a row pointer
  static_cast<void>(folder.file("c.rowan.unfinished", changed));
  CHECK(error("of a test\n").starts_with("parse: " + left + ": is damaged"));
  static_cast<void>(folder.file("c.rowan.journal", "nonsense"));
  CHECK_FALSE(io::NativeBlocks(path).resume("of a test\n"));
  io::NativeBlocks holder(path);
  holder.begin("of a test\n", m.cols(), m.row_ptr());
  CHECK_EQ(error("of a test\n"), "io: " + left + ": is being written by another process");
}

TEST_CASE("a disk that is too small is found before anything is written, one that fails later leaves what is there") {
  const Folder folder;
  const Csr<double> m = generate("rmat:scale=8");
  const std::string path = folder.path("c.rowan");
  {
    io::NativeBlocks file(path);
    const std::vector<std::int64_t> huge{0, std::int64_t{1} << 46};
    const std::string error = error_of([&] { file.begin("of a test\n", 1, huge); });
    CHECK(error.starts_with("io: " + path + ".unfinished: 844424930140160 bytes are needed, the disk has "));
    CHECK(error.ends_with(" free"));
  }
  CHECK_EQ(folder.count(), 0);
  {
    io::NativeBlocks file(path);
    file.begin("of a test\n", m.cols(), m.row_ptr());
    write_rows(file, m, 50, 50);
    const Failing full(Call::pwrite, ENOSPC);
    CHECK_EQ(error_of([&] { write_rows(file, m, 100, 50); }),
             "io: " + path + ".unfinished: cannot be written: No space left on device");
    CHECK_EQ(file.rows_done(), 50);
  }
  io::NativeBlocks file(path);
  const auto row_ptr = file.resume("of a test\n");
  REQUIRE(row_ptr);
  CHECK_EQ(file.rows_done(), 50);
  write_rows(file, m, m.rows(), 100);
  file.commit();
  CHECK(content(path) == whole(folder, m));
}

TEST_CASE("a file is replaced with its mode, streams and files of several names are refused") {
  const Folder folder;
  const Csr<double> m = generate("rmat:scale=5");
  const std::string path = folder.file("c.rowan", "before");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  {
    io::NativeBlocks file(path);
    file.begin("of a test\n", m.cols(), m.row_ptr());
    CHECK_EQ(content(path), "before");
    write_rows(file, m, m.rows(), 10);
    file.commit();
  }
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
  CHECK(content(path) == whole(folder, m));
  std::filesystem::create_hard_link(path, folder.path("second"));
  CHECK_EQ(error_of([&] { io::NativeBlocks refused(path); }),
           "unsupported: " + path +
               ": is a file of several names; only a regular file of one name can be written in blocks");
  CHECK_EQ(error_of([&] { io::NativeBlocks refused("/dev/null"); }),
           "unsupported: /dev/null: is no regular file; only a regular file of one name can be written in blocks");
}

}  // namespace rowan::test
