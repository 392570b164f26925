#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

constexpr const char* kQuick = " --threads 1 --seconds 0.01 --rounds 2 ";

/// A shell script that speaks the protocol as far as it wants to.
void script(const Shell& shell, const std::string& name, const std::string& body) {
  shell.write(name,
              "#!/bin/sh\nif [ \"$1\" = --contestants ]; then echo '{\"name\": \"" + name + "\"}'; exit; fi\n" + body);
  std::filesystem::permissions(shell.path(name), std::filesystem::perms::owner_all);
}

/// What one contestant did on the first product.
nlohmann::json result(const nlohmann::json& report, const std::string& name) {
  for (const auto& r : report["products"][0]["results"])
    if (r["name"] == name) return r;
  FAIL(name << " is not in " << report.dump());
  return {};
}

TEST_CASE("rowan bench: alone, it tells rowan's time") {
  Shell shell;
  const Ran ran = shell.rowan(std::string("bench a.mtx --no-peers --stages --json") + kQuick);
  REQUIRE(ran.code == 0);
  const auto report = ran.json();
  const auto& product = report["products"][0];
  CHECK(product["name"] == "a");
  CHECK(product["nprod"] == 9);
  CHECK(product["nnz_c"] == 8);
  CHECK_FALSE(product.contains("ratio_to_best_peer"));
  const auto rowan = result(report, "rowan");
  CHECK_FALSE(rowan.contains("error"));
  CHECK(rowan["min"] > 0);
  CHECK(rowan["median"] >= rowan["min"]);
  CHECK(rowan["runs"] >= 2);
  CHECK(rowan["stages"].contains("features"));
  CHECK(report["machine"]["copy_rate"] > 0);
}

TEST_CASE("rowan bench: peers are compared, rowan's forced ways are not peers") {
  Shell shell;
  const Ran ran = shell.rowan(std::string("bench a.mtx --only Eigen --force hash --float --json") + kQuick);
  REQUIRE(ran.code == 0);
  const auto report = ran.json();
  const auto& product = report["products"][0];
  REQUIRE(product["best_peer"].get<std::string>().starts_with("Eigen"));
  CHECK(product["ratio_to_best_peer"].get<double>() ==
        doctest::Approx(result(report, product["best_peer"])["min"].get<double>() /
                        result(report, "rowan")["min"].get<double>()));
  CHECK_FALSE(result(report, "rowan force hash").contains("error"));
  CHECK_FALSE(result(report, "rowan float").contains("error"));
  CHECK(report["summary"]["compared"] == 1);
}

TEST_CASE(
    "rowan bench: a plain accumulator is a peer, its unsorted way is compared after sorting, and never the best") {
  Shell shell;
  for (const char* product : {"generated:random:n=300,row_length=9", "a.mtx * b.mtx"})
    for (const char* threads : {"1", "2"}) {
      shell.write("set.txt", product);
      const Ran ran = shell.rowan(
          std::string("bench --set set.txt --only spa --json --seconds 0.01 --rounds 2 --threads ") + threads);
      REQUIRE(ran.code == 0);
      const auto report = ran.json();
      CHECK_FALSE(result(report, "spa").contains("error"));
      CHECK_FALSE(result(report, "spa-unsorted").contains("error"));
      CHECK(result(report, "spa-unsorted")["sorted"] == false);
      CHECK(report["products"][0]["best_peer"] == "spa");
      CHECK(report["summary"]["slower_than_rowan"].contains("spa-unsorted"));
    }
}

TEST_CASE("rowan bench --unsorted: rowan's columns in any order are compared after sorting, and are not its own best") {
  Shell shell;
  const Ran ran = shell.rowan(
      "bench 'generated:classical:nx=60,ny=60,nz=1,part=0 * generated:classical:nx=60,ny=60,nz=1,part=1' --unsorted "
      "--no-peers --json --seconds 0.01 --rounds 2");
  REQUIRE(ran.code == 0);
  const auto report = ran.json();
  CHECK_FALSE(result(report, "rowan unsorted").contains("error"));
  CHECK(result(report, "rowan unsorted")["sorted"] == false);
  CHECK_FALSE(result(report, "rowan").contains("sorted"));
}

TEST_CASE("rowan bench: rows that are wrong are wrong in any order of columns") {
  Shell shell;
  shell.write(
      "wrong",
      "#!/bin/sh\nif [ \"$1\" = --contestants ]; then echo '{\"name\": \"wrong\", \"sorted\": false}'; exit; fi\n"
      "cp $1 $1.kept\necho '{\"ready\": true}'\n"
      "while read w f; do [ $w = write ] && cp $1.kept $f; echo '{\"written\": true, \"seconds\": [1]}'; done\n");
  std::filesystem::permissions(shell.path("wrong"), std::filesystem::perms::owner_all);
  const auto report = shell.rowan(std::string("bench a.mtx --no-peers --peer wrong --json") + kQuick).json();
  CHECK(result(report, "wrong")["error"].get<std::string>().starts_with("wrong: row 0 "));
}

TEST_CASE("rowan bench --float: numbers below the smallest normal one have fewer digits, and are not wrong") {
  Shell shell;
  shell.write("tiny.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1.1e-21\n2 1 1.3e-21\n");
  const auto report = shell.rowan(std::string("bench tiny.mtx --no-peers --float --json") + kQuick).json();
  CHECK_FALSE(result(report, "rowan float").contains("error"));
}

TEST_CASE("rowan bench: contestants that know the pattern take part when asked, among themselves") {
  Shell shell;
  const auto without = shell.rowan(std::string("bench a.mtx --no-peers --json") + kQuick).json();
  CHECK(without["contestants"].size() == 1);
  const auto with = shell.rowan(std::string("bench a.mtx --no-peers --reuse --json") + kQuick).json();
  CHECK(result(with, "rowan numeric only")["kind"] == "reuse");
  CHECK(with["products"][0]["reuse"]["ratio_to_full"] > 0);
}

TEST_CASE("rowan bench: whatever a peer does, rowan is measured and the fault is told") {
  Shell shell;
  const std::string ready = "echo '{\"ready\": true}'\n";
  // the arguments of a program without any of its own: A.bin B.bin THREADS
  const std::string writes_a =
      "while read w f; do [ $w = write ] && cp $1.kept $f; echo '{\"written\": true, \"seconds\": [1]}'; done\n";
  script(shell, "dies", "echo no such library >&2; exit 3\n");
  script(shell, "garbage", "echo hello\n");
  script(shell, "hangs", ready + "sleep 100\n");
  script(shell, "killed", ready + "read x; kill -9 $$\n");
  script(shell, "says", ready + "while read x; do echo '{\"error\": \"out of paper\"}'; done\n");
  script(shell, "wrong", "cp $1 $1.kept\n" + ready + writes_a);
  script(shell, "short", "head -c 40 $1 >$1.kept\n" + ready + writes_a);
  script(shell, "expendable", "echo \"{\\\"error\\\": \\\"`cat /proc/self/oom_score_adj`\\\"}\"\n");
  script(shell, "timeless", ready + "read w f; echo '{\"written\": true}'; read x; echo '{\"ok\": 1}'\n");
  const Ran ran = shell.rowan(
      std::string("bench a.mtx --no-peers --timeout 1 --json --peer dies --peer garbage --peer hangs"
                  " --peer killed --peer says --peer wrong --peer short --peer expendable --peer timeless") +
      kQuick);
  REQUIRE(ran.code == 0);
  const auto report = ran.json();
  const auto fault = [&](const char* name) { return result(report, name).value("error", std::string("none")); };
  CHECK(fault("rowan") == "none");
  CHECK(fault("dies") == "ended with exit code 3: no such library");
  CHECK(fault("garbage") == "answered \"hello\", which is no JSON object");
  CHECK(fault("hangs") == "took too long");
  CHECK(fault("killed") == "died of signal 9 (Killed)");
  CHECK(fault("says") == "out of paper");
  CHECK(fault("wrong").starts_with("wrong: row 0 "));
  CHECK(fault("short") == "wrong: C's file ends early");
  CHECK(fault("expendable") == "1000");  // what the system ends first when memory runs out
  CHECK(fault("timeless") == "answered without times");
  CHECK_FALSE(report["products"][0].contains("best_peer"));
}

TEST_CASE("rowan bench: a set names products, transposed ones too, what cannot be read is told and ends in 1") {
  Shell shell;
  std::filesystem::create_directory(shell.path("more"));
  shell.write("more/c.mtx", kB);
  shell.write("set.txt",
              "# comment\n\na.mtx   # A*A\nb.mtx * b.mtx'\nb.mtx' * b.mtx\nc.mtx\na.mtx * b.mtx\nnone.mtx\n");
  const Ran ran = shell.rowan(std::string("bench --set set.txt --in more --no-peers --json") + kQuick);
  CHECK(ran.code == 1);
  const auto report = ran.json();
  REQUIRE(report["products"].size() == 5);
  const auto shape = [&](std::size_t i) {
    const auto& p = report["products"][i];
    return std::vector<int>{p["rows"], p["cols"], p["nprod"]};
  };
  CHECK(shape(0) == std::vector{3, 3, 9});
  CHECK(shape(1) == std::vector{3, 3, 5});
  CHECK(shape(2) == std::vector{2, 2, 3});
  CHECK(shape(3) == std::vector{2, 2, 3});  // the one with fewer products
  CHECK(shape(4) == std::vector{3, 2, 5});
  REQUIRE(report["failed"].size() == 1);
  CHECK(report["failed"][0]["product"] == "none.mtx");
}

TEST_CASE("rowan bench: where nothing can be measured there is no report, but why") {
  Shell shell;
  shell.write("set.txt", "none.mtx\nno_a * no_b\n");
  const Ran ran = shell.rowan(std::string("bench --set set.txt --no-peers -o report.json") + kQuick);
  CHECK(ran.code == 1);
  CHECK(ran.out.empty());
  CHECK(contains(ran.err, "rowan: none of 2 products could be measured; none.mtx: none.mtx: cannot be opened"));
  CHECK(contains(ran.err, "; no_a * no_b: no_a: cannot be opened"));
  CHECK_FALSE(std::filesystem::exists(shell.path("report.json")));
}

TEST_CASE("rowan bench: a suite is checked against what its paper published") {
  Shell shell;
  std::filesystem::create_directory(shell.path("cant"));
  shell.write("cant/cant.mtx", kA);
  const Ran ran = shell.rowan(std::string("bench --suite opsparse --in . --no-peers --json") + kQuick);
  CHECK(ran.code == 1);
  const auto report = ran.json();
  REQUIRE(report["products"].size() == 1);
  CHECK(
      report["products"][0]["published"] ==
      "rows 3, published 62451; nnz 5, published 4007383; nprod 9, published 269486473; nnz(C) 8, published 17440029");
  CHECK(report["failed"].size() == 25);
}

TEST_CASE("rowan bench: beyond --alone only rowan runs") {
  Shell shell;
  const auto report =
      shell.rowan(std::string("bench a.mtx --only Eigen --alone 8 --memory-limit 100M --json") + kQuick).json();
  CHECK(report["products"][0]["results"].size() == 1);
  CHECK(report["products"][0]["nnz_c"] == 8);
}

TEST_CASE("rowan bench: times that spread by more than 20 % are warned of") {
  Shell shell;
  script(shell, "shaky",
         "cp $1 $1.kept\necho '{\"ready\": true}'\nwhile read w f; do [ $w = write ] && cp $1.kept $f; "
         "echo '{\"written\": true, \"seconds\": [1, 2, 3, 4]}'; done\n");
  const Ran ran = shell.rowan(std::string("bench a.mtx --no-peers --peer ./shaky -o r.json") + kQuick);
  const auto shaky = result(nlohmann::json::parse(shell.read("r.json")), "shaky");
  CHECK(shaky["quartiles"].size() == 2);
  CHECK(shaky["spread"] > 0.2);
  CHECK(contains(ran.out, " measurements spread by more than 20 %, "));
}

TEST_CASE("rowan bench: one contestant after another, and the report says so") {
  Shell shell;
  const Ran ran = shell.rowan(std::string("bench a.mtx --only Eigen --one-by-one -o r.json") + kQuick);
  REQUIRE(ran.code == 0);
  CHECK(ran.out.find("one contestant after another, not interleaved: a\n") != std::string::npos);
  const auto report = nlohmann::json::parse(shell.read("r.json"));
  CHECK(report["products"][0]["interleaved"] == false);
  CHECK(report["summary"]["compared"] == 1);
  CHECK(shell.rowan(std::string("bench a.mtx --only Eigen") + kQuick).out.find("one contestant after") ==
        std::string::npos);
}

TEST_CASE("rowan bench: a report is kept in every form, and shown again without measuring") {
  Shell shell;
  const Ran ran = shell.rowan(
      std::string("bench a.mtx 'b.mtx * b.mtx'\\''' --only Eigen -o r.json -o r.csv -o r.html -o r.md -o r.txt") +
      kQuick);
  REQUIRE(ran.code == 0);
  const std::string table = shell.read("r.txt"), page = shell.read("r.html"), lines = shell.read("r.csv");
  CHECK(ran.out == table);
  CHECK(table.find("the best peer of each product (geomean of 2)") != std::string::npos);
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(page.find("\"ratio_to_best_peer\"") != std::string::npos);
  CHECK(shell.read("r.md").find("\nGeometric mean ") != std::string::npos);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 5);
  const Ran again = shell.rowan("bench --from r.json -o again.html");
  CHECK(again.code == 0);
  CHECK(again.out == table);
  CHECK(shell.read("again.html") == page);
}

TEST_CASE("rowan bench: every report names the peers that were looked for and not found") {
  Shell shell;
  const Ran ran = shell.rowan(std::string("bench a.mtx -o r.json -o r.html -o r.MD") + kQuick);
  REQUIRE(ran.code == 0);
  const auto report = nlohmann::json::parse(shell.read("r.json"));
  std::vector<std::string> known, there;
  for (const auto& entry : std::filesystem::directory_iterator(ROWAN_SOURCE_DIR "/bench/peers"))
    if (const auto ending = entry.path().extension(); ending == ".cpp" || ending == ".py")
      if (const std::string name = entry.path().stem().string(); name != "rowan" && !name.ends_with("sparse"))
        known.push_back(name);
  known.emplace_back("cxsparse");  // on a host, unlike the other two
  for (const auto& c : report["contestants"]) {
    std::string name = c["name"];
    for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    there.push_back(name);
  }
  for (const std::string& name : known) {
    CAPTURE(name);
    bool missing = false;
    for (const auto& n : report["not_found"]) missing = missing || n["name"] == name;
    const bool takes_part =
        std::any_of(there.begin(), there.end(), [&](const std::string& n) { return contains(n, name); });
    CHECK((missing || takes_part));
    if (!missing) continue;
    CHECK(contains(ran.out, name));
    CHECK(contains(shell.read("r.html"), name));
    CHECK(contains(shell.read("r.MD"), name));
  }
}

TEST_CASE("rowan bench: answers that are JSON of another form are the contestant's fault") {
  Shell shell;
  script(shell, "odd", "echo '{\"ready\": true}'; while read line; do echo '{\"seconds\": [\"soon\"]}'; done\n");
  shell.write("number", "#!/bin/sh\necho '{\"name\": 7}'\n");
  std::filesystem::permissions(shell.path("number"), std::filesystem::perms::owner_all);
  const Ran ran = shell.rowan(std::string("bench a.mtx --no-peers --json --peer ./odd") + kQuick);
  REQUIRE(ran.code == 0);
  CHECK_FALSE(contains(ran.out, "json.exception"));
  CHECK(result(ran.json(), "odd").contains("error"));
  const Ran number = shell.rowan("bench a.mtx --no-peers --peer ./number --threads 1");
  CHECK(contains(number.err, "which names no contestant"));
}

TEST_CASE("rowan bench: what is wrong with the command is told before anything runs") {
  Shell shell;
  shell.write("other.json", "{}");
  shell.write("half.json", R"({"products": [{}], "summary": {}, "failed": []})");
  shell.write("text", "");
  struct Case {
    const char *arguments, *message;
    int code;
  };
  for (const Case& c : {
           Case{"", "rowan: nothing to multiply: give products, --set or --suite\n", 2},
           Case{"a.mtx -o report.pdf", "rowan: report.pdf: a report's name ends with .json, .csv, .html, .md or .txt\n",
                2},
           Case{"a.mtx --seconds 0", "rowan: --seconds: 0 is not above 0 (see rowan bench --help)\n", 2},
           Case{"a.mtx --timeout -3", "rowan: --timeout: -3 is not above 0 (see rowan bench --help)\n", 2},
           Case{"a.mtx --alone -1", "rowan: --alone: -1 is below 0 (see rowan bench --help)\n", 2},
           Case{"--suite opsprase", "did you mean \"opsparse\"?", 2},
           Case{"a.mtx --force hush", "did you mean \"hash\"?", 2},
           Case{"a.mtx --peers nowhere", "rowan: nowhere: No such file or directory\n", 2},
           Case{"a.mtx --rounds 0", "--rounds", 2},
           Case{"a.mtx --force hash:8", "--force hash:8: lanes for a row of B exist on devices only", 2},
           Case{"a.mtx --only nobody", "rowan: --only nobody: no peer has this in its name; the peers are ", 2},
           Case{"a.mtx --only Eigen --only nobody", "rowan: --only nobody: no peer has this", 2},
           Case{"a.mtx --no-peers --only Eigen",
                "rowan: --only Eigen: no peer has this in its name; the peers are none", 2},
           Case{"a.mtx --no-peers --peer ./none", "rowan: --peer ./none: there is no such program; ", 2},
           Case{"a.mtx --peer nothing-of-that-name", "--only WORD chooses among them), they are ", 2},
           Case{"a.mtx --peer nothing-of-that-name", "spa", 2},
           Case{"a.mtx --no-peers --peer /bin/true", "rowan: --peer /bin/true has no contestant for backend host", 2},
           Case{"a.mtx --no-peers --peers .", "rowan: --peers . has no contestant for backend host", 2},
           Case{"--from half.json", "rowan: half.json: not a report of rowan bench\n", 1},
           Case{"'b.mtx * b.mtx' --no-peers", "the left matrix has 2 columns, the right one 3 rows", 2},
           Case{"none.mtx --no-peers", "none.mtx", 1},
           Case{"--set none.txt", "rowan: none.txt: cannot be read\n", 1},
           Case{"--from other.json", "rowan: other.json: not a report of rowan bench\n", 1},
           Case{"--from none.json", "rowan: none.json: cannot be read\n", 1},
       }) {
    CAPTURE(c.arguments);
    const Ran ran = shell.rowan(std::string("bench ") + c.arguments + " --threads 1");
    CHECK(ran.code == c.code);
    CHECK(ran.out == "");
    CAPTURE(ran.err);
    CHECK(ran.err.find(c.message) != std::string::npos);
  }
}

}  // namespace
}  // namespace rowan::test
