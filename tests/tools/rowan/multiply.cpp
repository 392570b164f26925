#include <algorithm>

#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

std::string mtx(std::string_view body) {
  return "%%MatrixMarket matrix coordinate real general\n" + std::string(body);
}

TEST_CASE("rowan multiply: writes A*B to a file and says nothing") {
  Shell shell;
  const Ran ran = shell.rowan("multiply a.mtx b.mtx -o c.mtx");
  CHECK(ran.code == 0);
  CHECK(ran.out == "");
  CHECK(ran.err == "");
  CHECK(shell.read("c.mtx") == kAB);
  CHECK(shell.count() == 3);
}

TEST_CASE("rowan multiply: without -o it tells C's size in a line") {
  Shell shell;
  const Ran ran = shell.rowan("multiply a.mtx");
  CHECK(ran.code == 0);
  CHECK(ran.out.starts_with("C is 3 x 3 with 8 entries from 9 products, "));
  CHECK(ran.out.ends_with(" GFLOPS\n"));
  CHECK(ran.err == "");
}

TEST_CASE("rowan multiply: without B it is A*A, and --transpose-a and --transpose-b turn their side") {
  Shell shell;
  const auto product = [&](const std::string& arguments) { return shell.rowan("multiply " + arguments + " -o -").out; };
  CHECK(product("a.mtx") == mtx("3 3 8\n1 1 1\n1 2 2\n1 3 6\n2 1 12\n2 3 15\n3 1 24\n3 2 8\n3 3 25\n"));
  CHECK(product("b.mtx --transpose-a") == mtx("2 2 2\n1 1 5\n2 2 1\n"));
  CHECK(product("b.mtx --transpose-b") == mtx("3 3 5\n1 1 1\n1 3 2\n2 2 1\n3 1 2\n3 3 4\n"));
  CHECK(product("a.mtx b.mtx --transpose-a") == mtx("3 2 4\n1 1 9\n2 1 2\n3 1 10\n3 2 3\n"));
  CHECK(product("a.mtx a.mtx --transpose-a --transpose-b") ==
        mtx("3 3 8\n1 1 1\n1 2 12\n1 3 24\n2 1 2\n2 3 8\n3 1 6\n3 2 15\n3 3 25\n"));  // (A*A) transposed
}

TEST_CASE("rowan multiply: - is standard input and standard output, messages then go to standard error") {
  Shell shell;
  CHECK(shell.rowan("multiply - b.mtx -o -", kA).out == kAB);
  CHECK(shell.rowan("multiply a.mtx - -o -", kB).out == kAB);
  const Ran stats = shell.rowan("multiply a.mtx b.mtx -o - --stats");
  CHECK(stats.code == 0);
  CHECK(stats.out == kAB);
  CHECK(contains(stats.err, "choosing"));
  const Ran json = shell.rowan("multiply a.mtx b.mtx -o - --json");
  CHECK(json.out == kAB);
  CHECK(nlohmann::json::parse(json.err)["nnz"] == 4);
}

TEST_CASE("rowan multiply: every way to choose gives the same bytes") {
  Shell shell;
  for (const char* how :
       {"--force direct", "--force sort", "--force dense", "--force dense-run", "--force dense-rank", "--force hash",
        "--policy nsparse", "--policy host-rules", "--backend host", "--backend automatic", "--threads 1",
        "--threads 3", "--threads 0", "--memory-limit 1G", "--model " ROWAN_SOURCE_DIR "/models/policies/nsparse.json"})
    CHECK_MESSAGE(shell.rowan("multiply a.mtx b.mtx -o - " + std::string(how)).out == kAB, how);
}

TEST_CASE("rowan multiply: --stats tells stages, cost of choosing, method, memory and speed") {
  Shell shell;
  const Ran ran = shell.rowan("multiply a.mtx --stats --policy nsparse --threads 1");
  CHECK(ran.code == 0);
  for (const char* part : {"3 x 3, 8 entries", "9, 1.12 an entry of C (compression ratio)", "nsparse, rows in bins",
                           "two_phase: the policy's choice", "threads   1", "GFLOPS", "prepare", "features", "binning",
                           "deciding", "symbolic", "numeric", "total", "features + binning + deciding",
                           "part of choosing: only counting", "for C, at most", "reading"})
    CHECK_MESSAGE(contains(ran.out, part), part << " in\n" << ran.out);
}

TEST_CASE("rowan multiply --stats: so few products that nothing is chosen") {
  Shell shell;
  const Ran ran = shell.rowan("multiply a.mtx --stats --threads 1");
  CHECK(contains(ran.out, "not used: a small product is multiplied without choosing"));
  CHECK_FALSE(contains(ran.out, "method"));
  CHECK(shell.rowan("multiply a.mtx --json").json()["small_product"] == true);
}

TEST_CASE("rowan multiply --json: figures add up") {
  Shell shell;
  const auto json = shell.rowan("multiply a.mtx --json --threads 1 --policy nsparse").json();
  CHECK(json["rows"] == 3);
  CHECK(json["cols"] == 3);
  CHECK(json["nnz"] == 8);
  CHECK(json["nprod"] == 9);
  CHECK(json["compression_ratio"] == 1.125);
  CHECK(json["policy"] == "nsparse");
  CHECK(json["binned"] == true);
  CHECK(json["small_product"] == false);
  CHECK(json["method"] == "two_phase");
  CHECK(json["method_reason"] == "");
  CHECK(json["threads"] == 1);
  CHECK(json["bytes_c"].get<std::int64_t>() >= 4 * 8 + 8 * 12);
  const auto& s = json["seconds"];
  const double total = s["total"], choosing = json["choosing"]["seconds"];
  CHECK(choosing ==
        doctest::Approx(s["features"].get<double>() + s["binning"].get<double>() + s["deciding"].get<double>()));
  CHECK(json["choosing"]["percent"] == doctest::Approx(100 * choosing / total));
  const double counting = json["choosing"]["seconds_counting"];
  CHECK(counting > 0);
  CHECK(json["choosing"]["percent_without_counting"] ==
        doctest::Approx(100 * std::max(0.0, choosing - counting) / total));
  CHECK(json["gflops"] == doctest::Approx(18e-9 / total));
  CHECK(s["read"].get<double>() > 0);
  CHECK(s["write"] == 0);
}

TEST_CASE("rowan multiply --dry-run: sizes and memory, nothing written") {
  Shell shell;
  const auto json = shell.rowan("multiply a.mtx b.mtx --dry-run --json").json();
  CHECK(json["rows"] == 3);
  CHECK(json["cols"] == 2);
  CHECK(json["nnz"] == 4);
  CHECK(json["nprod"] == 5);
  CHECK(json["bytes_c"].get<std::int64_t>() >= 4 * 12);
  CHECK(json["bytes_total"] == json["bytes_c"].get<std::int64_t>() + json["bytes_temporary"].get<std::int64_t>());
  CHECK_FALSE(json.contains("fits"));
  const Ran text = shell.rowan("multiply b.mtx --transpose-b --dry-run");
  CHECK(contains(text.out, "3 x 3, 5 entries"));
  CHECK(contains(text.out, " B for C, at most "));
  CHECK(shell.count() == 2);
}

TEST_CASE("rowan multiply --memory-limit: K and KiB are 1024, KB is 1000, fractions and small letters are fine") {
  Shell shell;
  const auto dry_run = [&](const std::string& size) {
    return shell.rowan("multiply a.mtx --dry-run --json --memory-limit " + size).json();
  };
  CHECK(dry_run("500M")["memory_limit"] == 500LL << 20);
  CHECK(dry_run("8G")["memory_limit"] == 8LL << 30);
  CHECK(dry_run("1GiB")["memory_limit"] == 1LL << 30);
  CHECK(dry_run("1.5k")["memory_limit"] == 1536);
  CHECK(dry_run("2MB")["memory_limit"] == 2000000);
  CHECK(dry_run("2T")["memory_limit"] == 2LL << 40);
  CHECK(dry_run("77")["memory_limit"] == 77);
  CHECK(dry_run("77B")["memory_limit"] == 77);
  CHECK(dry_run("1G")["fits"] == true);
  CHECK(dry_run("1")["fits"] == false);
}

TEST_CASE("rowan multiply: the format of C follows the name or --format") {
  Shell shell;
  CHECK(shell.rowan("multiply a.mtx b.mtx -o c.bin").code == 0);
  CHECK(shell.read("c.bin").starts_with("CRSR"));
  CHECK(shell.rowan("multiply a.mtx b.mtx -o c.mtx.gz").code == 0);
  CHECK(shell.read("c.mtx.gz").starts_with("\x1f\x8b"));
  CHECK(shell.rowan("multiply a.mtx b.mtx -o c --format bin").code == 0);
  CHECK(shell.read("c") == shell.read("c.bin"));
  CHECK(shell.rowan("multiply a.mtx b.mtx -o - --format bin").out == shell.read("c.bin"));
  CHECK(shell.rowan("multiply a.mtx b.mtx -o c.bin --format mtx").code == 0);
  CHECK(shell.read("c.bin") == kAB);
}

TEST_CASE("rowan multiply: C may replace A") {
  Shell shell;
  CHECK(shell.rowan("multiply a.mtx b.mtx -o a.mtx").code == 0);
  CHECK(shell.read("a.mtx") == kAB);
}

}  // namespace
}  // namespace rowan::test
