#include <sstream>

#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

const std::string kCsvHeader = "row,accumulator,candidate,bin,group_size,a_nnz,nprod,nnz,span,b_row_max,run,shift\n";

TEST_CASE("rowan inspect --json: every row, by hand") {
  Shell shell;
  const nlohmann::json in = shell.rowan("inspect a.mtx --json --policy host-rules --force hash").json();
  CHECK(in["rows_total"] == 3);
  CHECK(in["cols"] == 3);
  CHECK(in["nprod"] == 9);
  CHECK(in["nnz"] == 8);
  REQUIRE(in["rows"].size() == 3);
  const nlohmann::json first = {{"row", 0},
                                {"accumulator", "hash"},
                                {"candidate", "hash"},
                                {"bin", 0},
                                {"group_size", 1},
                                {"a_nnz", 2},
                                {"nprod", 3},
                                {"nnz", 3},
                                {"span", 3},
                                {"b_row_max", 2},
                                {"run", 1},
                                {"shift", 1}};
  CHECK(in["rows"][0] == first);
  const int a_nnz[] = {2, 1, 2}, nprod[] = {3, 2, 4}, nnz[] = {3, 2, 3};
  for (std::size_t i = 0; i < 3; i++) {
    CHECK(in["rows"][i]["row"] == i);
    CHECK(in["rows"][i]["a_nnz"] == a_nnz[i]);
    CHECK(in["rows"][i]["nprod"] == nprod[i]);
    CHECK(in["rows"][i]["nnz"] == nnz[i]);
  }
}

TEST_CASE("rowan inspect --json: the matrix, its features and its bins") {
  Shell shell;
  const nlohmann::json in = shell.rowan("inspect a.mtx --json --policy nsparse").json();
  CHECK(in["policy"] == "nsparse");
  CHECK(in["policy_kind"] == "rules");
  CHECK(in["binned"] == true);
  CHECK(in["method"] == "two_phase");
  CHECK(in["small_product"] == false);
  CHECK(in["features"]["nprod_max"] == 4);
  CHECK(in["features"]["nprod_avg"] == 3);
  CHECK(in["features"]["b_row_avg"] == 1.8);  // as few digits as tell it from its neighbours
  CHECK(in["features"]["rows"] == 3);
  std::int64_t rows = 0, nprod = 0, nnz = 0;
  for (std::size_t b = 0; b < in["bins"].size(); b++) {
    const nlohmann::json& bin = in["bins"][b];
    CHECK(bin["index"] == b);
    CHECK(bin["label"].is_string());
    CHECK(bin["accumulator"] == "hash");
    CHECK(bin["candidate"] == "hash");
    CHECK(bin["symbolic_candidate"] == "hash");
    CHECK(bin["requested"] == "hash");
    CHECK(bin["group_size"] == 1);
    CHECK(bin["why"].is_array());
    CHECK(bin["features"]["nprod_max"].is_number());
    CHECK(bin["candidates"].size() == 14);
    for (const nlohmann::json& c : bin["candidates"]) {
      CHECK(c["name"].is_string());
      CHECK(c["feasible"].is_boolean());
      CHECK(c["seconds"].is_null());  // not measured
    }
    rows += bin["rows"].get<std::int64_t>();
    nprod += bin["nprod"].get<std::int64_t>();
    nnz += bin["nnz"].get<std::int64_t>();
  }
  CHECK(rows == 3);
  CHECK(nprod == 9);
  CHECK(nnz == 8);
  for (const nlohmann::json& row : in["rows"]) CHECK(row["bin"].get<std::size_t>() < in["bins"].size());
}

TEST_CASE("rowan inspect --measure: feasible candidates have a time, others none") {
  Shell shell;
  const nlohmann::json in = shell.rowan("inspect a.mtx --json --measure").json();
  for (const nlohmann::json& c : in["bins"][0]["candidates"])
    CHECK(c["seconds"].is_number() == c["feasible"].get<bool>());
  REQUIRE(!in["forced"].empty());
  for (const nlohmann::json& c : in["forced"]) CHECK(c["seconds"] > 0);
  const Ran table = shell.rowan("inspect a.mtx --measure");
  CHECK(contains(table.out, "[chosen], fastest*"));
  CHECK(contains(table.out, "The whole product with one accumulator for all rows that it can take"));
  CHECK(!shell.rowan("inspect a.mtx --json").json().contains("forced"));
}

TEST_CASE("rowan inspect: a family's variant is the candidate, and what could not be had is shown") {
  Shell shell;
  const nlohmann::json rank = shell.rowan("inspect a.mtx --json --force dense-rank").json();
  CHECK(rank["rows"][2]["accumulator"] == "dense");
  CHECK(rank["rows"][2]["candidate"] == "dense-rank");
  const nlohmann::json direct =
      shell.rowan("inspect a.mtx --json --policy host-rules --force direct").json();  // rows of A have two entries
  CHECK(direct["bins"][0]["requested"] == "direct");
  CHECK(direct["bins"][0]["candidate"] == "sort");
  const Ran table = shell.rowan("inspect a.mtx --force direct");
  CHECK(contains(table.out, "requested"));
  CHECK(contains(table.out, "direct cannot take these rows"));
  CHECK_FALSE(contains(shell.rowan("inspect a.mtx").out, "requested"));
}

TEST_CASE("rowan inspect --format csv: a line a row") {
  Shell shell;
  const Ran ran = shell.rowan("inspect a.mtx --policy host-rules --format csv --force hash");
  CHECK(ran.code == 0);
  CHECK(ran.out == kCsvHeader + "0,hash,hash,0,1,2,3,3,3,2,1,1\n1,hash,hash,0,1,1,2,2,3,2,1,1\n" +
                       "2,hash,hash,0,1,2,4,3,3,2,1,1\n");
}

TEST_CASE("rowan inspect -o: the form is the one that the name says, what it does not write is refused") {
  Shell shell;
  CHECK(shell.rowan("inspect a.mtx -o why.json").code == 0);
  CHECK(nlohmann::json::parse(shell.read("why.json"))["rows"].size() == 3);
  CHECK(shell.rowan("inspect a.mtx -o why.CSV").code == 0);
  CHECK(shell.read("why.CSV").starts_with(kCsvHeader));
  for (const char* name : {"why", "why.txt"}) {
    CHECK(shell.rowan(std::string("inspect a.mtx -o ") + name).code == 0);
    CHECK(shell.read(name).starts_with("C is 3 x 3"));
  }
  CHECK(shell.rowan("inspect a.mtx -o table.json --format table").code == 0);
  CHECK(shell.read("table.json").starts_with("C is 3 x 3"));
  for (const std::string ending : {".png", ".mtx", ".gz", ".npz", ".htlm"})
    check_refused(
        shell.rowan("inspect none.mtx -o x" + ending), 2,
        "x" + ending + ": rowan inspect does not write " + ending +
            "; it knows .txt, .csv, .json, .html and .svg; with --format any of these can be written under any name");
}

TEST_CASE("rowan inspect: a page and a picture hold what they show, and names in them are text") {
  Shell shell;
  CHECK(shell.rowan("inspect a.mtx -o why.html").code == 0);
  const std::string page = shell.read("why.html");
  CHECK(page.starts_with("<!doctype html>"));
  for (const char* outside : {" src=", "<link", "@import", "url("}) CHECK_MESSAGE(!contains(page, outside), outside);
  CHECK(contains(page, "Permission is hereby granted"));  // the chart library's licence
  shell.write("<b>&.mtx", kA);
  CHECK(shell.rowan("inspect '<b>&.mtx' -o evil.html").code == 0);
  CHECK_FALSE(contains(shell.read("evil.html"), "<b>&"));
  CHECK(shell.rowan("inspect '<b>&.mtx' --format svg -o picture").code == 0);
  const std::string picture = shell.read("picture");
  CHECK(picture.starts_with("<svg "));
  CHECK(picture.ends_with("</svg>\n"));
  CHECK_FALSE(contains(picture, "<b>&"));
  CHECK(contains(picture, "data:image/png;base64,iVBORw0KGgo"));
}

TEST_CASE("rowan inspect --measure: what the choices cost over the best of each bin") {
  Shell shell;
  CHECK(shell.rowan("inspect a.mtx --measure --json").json()["regret"] >= 1);
  CHECK_FALSE(shell.rowan("inspect a.mtx --json").json().contains("regret"));
  CHECK(contains(shell.rowan("inspect a.mtx --measure").out, " times the time of the best of each bin (regret)\n"));
}

TEST_CASE("rowan inspect --rows: half-open, open-ended or one row") {
  Shell shell;
  const auto rows = [&](const std::string& range) {
    std::string seen;
    const nlohmann::json in = shell.rowan("inspect a.mtx --json --rows " + range).json();
    for (const nlohmann::json& row : in["rows"]) seen += std::to_string(row["row"].get<int>());
    return seen;
  };
  CHECK(rows("0:2") == "01");
  CHECK(rows("1:3") == "12");
  CHECK(rows("2") == "2");
  CHECK(rows("1:") == "12");
  CHECK(rows(":1") == "0");
  CHECK(rows(":") == "012");
  CHECK(rows("1:1").empty());
  CHECK(shell.rowan("inspect a.mtx --format csv --rows 3:3").out == kCsvHeader);
}

TEST_CASE("rowan inspect: the table has facts and bins, and rows only where asked for") {
  Shell shell;
  const Ran plain = shell.rowan("inspect a.mtx");
  CHECK(plain.code == 0);
  for (const char* part :
       {"C is 3 x 3 with 8 entries from 9 products", "policy host-trained (trees)", "nprod_max", "accumulator", "why"})
    CHECK_MESSAGE(contains(plain.out, part), part << " in\n" << plain.out);
  CHECK(contains(plain.out, "a small product is multiplied without choosing"));
  CHECK_FALSE(contains(shell.rowan("inspect a.mtx --policy host-trained").out, "without choosing"));
  CHECK_FALSE(contains(plain.out, "A's nnz"));
  CHECK(contains(shell.rowan("inspect a.mtx --rows 1").out, "A's nnz"));
}

TEST_CASE("rowan inspect: a row for every row of many") {
  Shell shell;
  constexpr int kRows = 20000;  // several buffers full
  std::ostringstream mtx;
  mtx << "%%MatrixMarket matrix coordinate pattern general\n" << kRows << ' ' << kRows << ' ' << kRows << '\n';
  for (int i = 1; i <= kRows; i++) mtx << i << ' ' << i << '\n';
  shell.write("eye.mtx", mtx.str());
  CHECK(shell.rowan("inspect eye.mtx --json -o why.json").code == 0);
  const nlohmann::json in = nlohmann::json::parse(shell.read("why.json"));
  REQUIRE(in["rows"].size() == kRows);
  bool good = true;
  for (int i = 0; i < kRows; i++) good = good && in["rows"][static_cast<std::size_t>(i)]["row"] == i;
  CHECK(good);
}

TEST_CASE("rowan inspect: a matrix without rows") {
  Shell shell;
  shell.write("none.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  CHECK(shell.rowan("inspect none.mtx --json").json()["rows"].empty());
  CHECK(shell.rowan("inspect none.mtx --measure").code == 0);
  CHECK(shell.rowan("inspect none.mtx --format csv").out == kCsvHeader);
}

TEST_CASE("rowan inspect: transposed operands and standard input") {
  Shell shell;
  const nlohmann::json in = shell.rowan("inspect - --transpose-a --json", kB).json();
  CHECK(in["rows_total"] == 2);
  CHECK(in["cols"] == 2);
  CHECK(in["nnz"] == 2);
}

TEST_CASE("rowan inspect: what it refuses, and that nothing is left behind") {
  Shell shell;
  const std::string hint = " (see rowan inspect --help)";
  for (const std::string range : {"x", "1:2:3", "+1", "1:x", "", "9223372036854775807", "99999999999999999999", "1.5"})
    check_refused(shell.rowan("inspect a.mtx -o why --rows '" + range + "'"), 2,
                  "--rows: \"" + range +
                      "\" is not a range of rows; give FIRST:LAST (LAST is not shown) or one row, from 0" + hint);
  check_refused(shell.rowan("inspect none.mtx --rows 2:1"), 2, "--rows: 2:1 ends before it begins" + hint);
  check_refused(shell.rowan("inspect a.mtx -o why --rows 4:"), 2, "--rows 4: is not within the 3 rows of C");
  check_refused(shell.rowan("inspect a.mtx -o why --rows 3"), 2, "--rows 3 is not within the 3 rows of C");
  check_refused(shell.rowan("inspect a.mtx -o why --rows 1:4"), 2, "--rows 1:4 is not within the 3 rows of C");
  check_refused(
      shell.rowan("inspect b.mtx -o why"), 1,
      "A has 2 columns, but B has 3 rows; B is A, because none was given: --transpose-b multiplies A by its transpose");
  check_refused(shell.rowan("inspect a.mtx -o none/why"), 1, "none/why: cannot be created: No such file or directory");
  check_refused(
      shell.rowan("inspect a.mtx --format htm"), 2,
      "--format: there is no format \"htm\", did you mean \"html\"? There are table, csv, json, html, svg" + hint);
  CHECK(shell.count() == 2);
}

}  // namespace
}  // namespace rowan::test
