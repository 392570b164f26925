#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/io/gzip.hpp"
#include "lib/io/output.hpp"
#include "tests/lib/io/failing.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"
#include "tests/lib/io/threads.hpp"

namespace rowan::test {
namespace {

constexpr const char* kSmallText = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n1 3 -2\n2 2 4\n";

/// Many entries, one row of them longer than a piece, and rows without any.
Plain large() {
  Plain matrix{5, 200'000, {0, 0}, {}, {}};
  for (const int length : {100, 150'000, 0, 77'777}) {
    for (int k = 0; k != length; ++k) matrix.col.push_back((k * 7) % 200'000), matrix.val.push_back(1.0 / (k + 1));
    matrix.row_ptr.push_back(static_cast<std::int64_t>(matrix.col.size()));
  }
  return matrix;
}

std::string write_error(const std::string& path, const Plain& matrix = kSmall) {
  return error_of([&] { write_matrix(path, matrix.view()); });
}

/// Lets files grow to so many bytes only, as a full disk does, and back.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_), std::signal(SIGXFSZ, handler_); }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

TEST_CASE("write: Matrix Market, letter by letter") {
  const Folder folder;
  write_matrix(folder.path("m.mtx"), kSmall.view());
  CHECK(content(folder.path("m.mtx")) == kSmallText);
  write_matrix(folder.path("m.bin"), kSmall.view(), Format::matrix_market);
  CHECK(content(folder.path("m.bin")) == kSmallText);
  const Plain empty{0, 7, {0}, {}, {}};
  write_matrix(folder.path("empty"), empty.view());
  CHECK(content(folder.path("empty")) == "%%MatrixMarket matrix coordinate real general\n0 7 0\n");
}

TEST_CASE("write: gzip by name or by format") {
  const Folder folder;
  write_matrix(folder.path("m.mtx.gz"), kSmall.view());
  CHECK(io::inflate_gzip(content(folder.path("m.mtx.gz")), "f").view() == kSmallText);
  write_matrix(folder.path("m.mtx"), kSmall.view(), Format::matrix_market_gzip);
  CHECK(io::inflate_gzip(content(folder.path("m.mtx")), "f").view() == kSmallText);
  write_matrix(folder.path("plain.gz"), kSmall.view(), Format::matrix_market);
  CHECK(content(folder.path("plain.gz")) == kSmallText);
}

TEST_CASE("write: a transposed view is written as what it stands for") {
  const Folder folder;
  write_matrix(folder.path("m.mtx"), transposed(kSmall.view()));
  CHECK(content(folder.path("m.mtx")) ==
        "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1.5\n2 2 4\n3 1 -2\n");
}

TEST_CASE("write: a matrix that breaks its contract leaves no file") {
  const Folder folder;
  Plain wrong = kSmall;
  wrong.col[1] = 3;
  CHECK(write_error(folder.path("m.mtx"), wrong).starts_with("invalid_argument: "));
  CHECK(folder.count() == 0);
}

TEST_CASE("write: the bytes do not depend on the threads") {
  const Folder folder;
  const Plain matrix = large();
  for (const char* ending : {".mtx", ".mtx.gz", ".bin", ".bin.gz", ".rowan", ".rowan.gz"}) {
    std::vector<std::string> files;
    for (const int threads : {1, 2, 6}) {
      const std::string path = folder.path(std::to_string(threads) + ending);
      with_threads(threads, [&] { write_matrix(path, matrix.view()); });
      files.push_back(content(path));
    }
    CAPTURE(ending);
    CHECK(files[0].size() > 100'000);
    CHECK((files[1] == files[0] && files[2] == files[0]));
  }
}

TEST_CASE("write: an existing file is replaced, its link kept") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", "old");
  std::filesystem::create_symlink(path, folder.path("link.mtx"));
  write_matrix(folder.path("link.mtx"), kSmall.view());
  CHECK(content(path) == kSmallText);
  CHECK(std::filesystem::is_symlink(folder.path("link.mtx")));
  CHECK(folder.count() == 2);
}

TEST_CASE("write: a file that is replaced keeps its mode, a new one has what the umask leaves") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", "old");
  const auto mode = [](const std::string& of) {
    struct stat status {};
    REQUIRE(stat(of.c_str(), &status) == 0);
    return status.st_mode & 07777;
  };
  for (const mode_t kept : {0600U, 0664U, 0755U}) {
    REQUIRE(chmod(path.c_str(), kept) == 0);
    write_matrix(path, kSmall.view());
    CHECK(mode(path) == kept);
  }
  const mode_t before = umask(027);
  write_matrix(folder.path("new.mtx"), kSmall.view());
  umask(before);
  CHECK(mode(folder.path("new.mtx")) == 0640);
}

TEST_CASE("write: a file of several names is replaced under all of them") {
  const Folder folder;
  for (const auto& [ending, old] : {std::pair{".mtx", std::string("old")}, {".bin", std::string(300'000, 'x')}}) {
    const std::string path = folder.file(std::string("m") + ending, old), other = folder.path("other");
    std::filesystem::remove(other);
    std::filesystem::create_hard_link(path, other);
    const auto files = folder.count();
    write_matrix(path, kSmall.view());
    CHECK(plain(read_matrix(other)) == kSmall);
    CHECK(std::filesystem::hard_link_count(path) == 2);
    CHECK(folder.count() == files);
  }
}

TEST_CASE("write: a file of several names that cannot be written is put back, or kept beside") {
  const Folder folder;
  const std::string old(200'000, 'x'), path = folder.file("m.mtx", old);  // four pieces to keep
  std::filesystem::create_hard_link(path, folder.path("other"));
  const Plain matrix = large();
  {
    const Failing keeping(Call::pwrite, ENOSPC);
    CHECK(write_error(path, matrix) ==
          "io: " + path + ": its content cannot be kept while it is replaced: No space left on device");
  }
  CHECK(content(path) == old);
  {
    const Failing writing(Call::pwrite, ENOSPC, 6);
    CHECK(write_error(path, matrix) == "io: " + path + ": cannot be written: No space left on device");
  }
  CHECK(content(path) == old);
  CHECK(folder.count() == 2);
  const Failing everything(Call::pwrite, EIO, 6, 1000);
  const std::string error = write_error(path, matrix);
  const std::string start = "io: " + path + ": is damaged, what was in it is in ";
  REQUIRE(error.starts_with(start));
  CHECK(content(error.substr(start.size(), error.find(';') - start.size())) == old);
  CHECK(folder.count() == 3);
}

TEST_CASE("write: symbolic links that lead nowhere or in a circle are refused with words") {
  const Folder folder;
  const std::string dangling = folder.path("dangling.mtx"), circle = folder.path("circle.mtx");
  std::filesystem::create_symlink("nothing.mtx", dangling);
  std::filesystem::create_symlink("circle.mtx", circle);
  CHECK(write_error(dangling) == "io: " + dangling + ": is a symbolic link to nothing.mtx: No such file or directory");
  CHECK(write_error(circle) ==
        "io: " + circle + ": its symbolic links lead in a circle: Too many levels of symbolic links");
  CHECK(folder.count() == 2);
  CHECK(std::filesystem::is_symlink(dangling));
}

TEST_CASE("write: names as long as the file system allows work, longer ones are refused at once") {
  const Folder folder;
  for (const std::size_t length : {240U, 250U, 254U, 255U}) {
    const std::string path = folder.path(std::string(length - 4, 'n') + ".mtx");
    for (int time = 0; time != 2; ++time) write_matrix(path, kSmall.view());
    CHECK(content(path) == kSmallText);
  }
  // a character of two bytes is not cut in two
  const std::string umlauts = folder.path(std::string(1, 'n') + [] {
    std::string many;
    for (int i = 0; i != 125; ++i) many += "\xc3\xbc";
    return many;
  }());
  for (const int process : {1, 12, 123}) {
    const std::string name = io::temporary_name(umlauts, process);
    CHECK(name.substr(name.rfind('/')).size() <= 255);
    CHECK((static_cast<unsigned char>(name[name.find(".tmp.") - 1]) & 0xC0U) == 0x80U);
  }
  const std::string path = folder.path(std::string(256, 'n'));
  CHECK(write_error(path) == "io: " + path + ": cannot be created: File name too long");
  CHECK(folder.count() == 4);
}

TEST_CASE("write: a file that must not be written is not replaced") {
  if (geteuid() == 0) return;  // may write everything
  const Folder folder;
  const std::string path = folder.file("m.mtx", "old");
  REQUIRE(chmod(path.c_str(), 0444) == 0);
  CHECK(write_error(path) == "io: " + path + ": cannot be written: Permission denied");
  CHECK(content(path) == "old");
}

TEST_CASE("write: the form is the one that the name says, in letters of any size, others are refused") {
  const Folder folder;
  for (const char* name : {"m.MTX.GZ", "m.mtx.Gz", "m.GZ"}) {
    write_matrix(folder.path(name), kSmall.view());
    CHECK(io::inflate_gzip(content(folder.path(name)), "f").view() == kSmallText);
  }
  write_matrix(folder.path("m.BIN"), kSmall.view());
  write_matrix(folder.path("m.bin"), kSmall.view());
  CHECK(content(folder.path("m.BIN")) == content(folder.path("m.bin")));
  for (const char* name : {"m", "m.txt", "m.2026-11-23", "m.1", "m.v-2", ".mtx"}) {
    write_matrix(folder.path(name), kSmall.view());
    CHECK(content(folder.path(name)) == kSmallText);
  }
  const auto files = folder.count();
  for (const auto& [name, said] : {std::pair{"C.mat", ".mat"},
                                   {"C.csv", ".csv"},
                                   {"C.mtx.bz2", ".bz2"},
                                   {"C.CSV", ".csv"},
                                   {"C.csv.gz", ".csv.gz"},
                                   {"C.mtx.gz.gz", ".gz.gz"},
                                   {"C.zip", ".zip"},
                                   {"C.7z", ".7z"},
                                   {"C.mxt", ".mxt"},  // misspelt
                                   {"C.rowna", ".rowna"},
                                   {"C.d", ".d"},
                                   {"C.html", ".html"}}) {
    const std::string path = folder.path(name);
    CHECK(write_error(path) == "invalid_argument: " + path + ": rowan does not write " + said +
                                   "; endings that it knows are .mtx, .bin and .rowan, each also with .gz, and .npz");
  }
  CHECK(folder.count() == files);
  write_matrix(folder.path("C.csv"), kSmall.view(), Format::matrix_market);  // whoever says so
  CHECK(content(folder.path("C.csv")) == kSmallText);
}

TEST_CASE("write: without room a file stays as it was and nothing is left beside it") {
  const Folder folder;
  const Plain matrix = large();
  for (const char* name : {"m.mtx", "m.mtx.gz", "m.bin", "m.bin.gz", "m.rowan", "m.rowan.gz"}) {
    const std::string path = folder.file(name, "old");
    const auto files = folder.count();
    for (const int threads : {1, 4}) {
      std::string error;
      {
        const FileLimit limit(100'000);
        error = with_threads(threads, [&] { return write_error(path, matrix); });
      }
      CHECK(error == "io: " + path + ": cannot be written: File too large");
      CHECK(content(path) == "old");
      CHECK(folder.count() == files);
    }
  }
}

TEST_CASE("write: until it is committed an output is another file, and goes away") {
  const Folder folder;
  const std::string path = folder.file("m.mtx", "old");
  {
    io::Output output(path);
    output.write("new");
    CHECK(content(path) == "old");
    CHECK(content(path + ".tmp." + std::to_string(getpid())) == "new");
  }
  CHECK(content(path) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("write: temporary names that are taken are left alone") {
  const Folder folder;
  const std::string taken = folder.file("m.mtx.tmp." + std::to_string(getpid()), "somebody's");
  write_matrix(folder.path("m.mtx"), kSmall.view());
  CHECK(content(taken) == "somebody's");
  CHECK(content(folder.path("m.mtx")) == kSmallText);
  CHECK(folder.count() == 2);
}

TEST_CASE("write: paths that cannot be written name the reason") {
  const Folder folder;
  const std::string nowhere = folder.path("missing") + "/m.mtx";
  CHECK(write_error(nowhere) == "io: " + nowhere + ": cannot be created: No such file or directory");
  CHECK(write_error(folder.path()) == "io: " + folder.path() + ": cannot be written: Is a directory");
  const std::string below = folder.file("file", "") + "/m.mtx";
  CHECK(write_error(below) == "io: " + below + ": cannot be created: Not a directory");
}

TEST_CASE("write and read: devices and pipes are neither replaced nor measured") {
  const Folder folder;
  const std::string pipe = folder.path("pipe.mtx");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int keeper = open(pipe.c_str(), O_RDWR | O_CLOEXEC);  // so that opening an end does not wait for the other
  write_matrix(pipe, kSmall.view());
  std::string bytes(200, '\0');
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(keeper, bytes.data(), bytes.size()))));
  close(keeper);
  CHECK(bytes == kSmallText);
  CHECK(std::filesystem::is_fifo(pipe));
}

}  // namespace rowan::test
