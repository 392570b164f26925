#include <algorithm>

#include "tests/tools/rowan/run.hpp"
#include "training/booster.hpp"

namespace rowan::test {
namespace {

constexpr const char* kThree =
    "generated:stencil2d:nx=20,ny=20 generated:random:n=200,row_length=5 generated:fem:nx=3,ny=3,nz=3,unknowns=2 ";
constexpr const char* kOneRepeat = "--repeats 1 ";

int lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

TEST_CASE("rowan train: measures, keeps the times, and does not measure again") {
  Shell shell;
  const std::string command = std::string("train --measurements t.jsonl ") + kOneRepeat;
  const Ran two = shell.rowan(command + "generated:random:n=100,row_length=3 a.mtx");
  CHECK(two.code == 0);
  CHECK(two.err == "");
  CHECK(two.out.starts_with("measured 2 products"));
  CHECK(contains(two.out, "times are in t.jsonl\n"));
  CHECK(lines(shell.read("t.jsonl")) == 2);
  const std::string before = shell.read("t.jsonl");
  CHECK(contains(shell.rowan(command + "a.mtx generated:random:n=100,row_length=3").out,
                 "measured 0 products, 2 were measured before"));
  CHECK(shell.read("t.jsonl") == before);
  CHECK(shell.rowan(command + kThree).code == 0);
  CHECK(shell.read("t.jsonl").starts_with(before));
  CHECK(lines(shell.read("t.jsonl")) == 5);
  const auto json = nlohmann::json::parse(before.substr(0, before.find('\n')));
  CHECK(json["product"] == "random:n=100,row_length=3");
  CHECK(json["family"] == "random");
}

TEST_CASE("rowan train: a folder's folders are families, a set's headings are") {
  Shell shell;
  std::filesystem::create_directories(shell.path("m/circuits"));
  shell.write("m/one.mtx", kA);
  shell.write("m/circuits/two.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
  shell.write("m/readme.txt", "no matrix");
  CHECK(shell.rowan(std::string("train m --measurements t.jsonl ") + kOneRepeat).code == 0);
  CHECK(contains(shell.read("t.jsonl"), R"("product":"two","family":"circuits")"));
  CHECK(contains(shell.read("t.jsonl"), R"("product":"one","family":"one")"));
  shell.write("s.txt", "# two\n[power]\none.mtx\n[webs]\ngenerated:random:n=20,row_length=2\none.mtx * one.mtx'\n");
  CHECK(shell.rowan(std::string("train --set s.txt --in m --measurements u.jsonl ") + kOneRepeat).code == 0);
  CHECK(contains(shell.read("u.jsonl"), R"("product":"one","family":"power")"));
  CHECK(contains(shell.read("u.jsonl"), R"("product":"random:n=20,row_length=2","family":"webs")"));
  CHECK(lines(shell.read("u.jsonl")) == 3);
}

TEST_CASE("rowan train: symbolic links count where they stand") {
  Shell shell;
  const std::string two = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n";
  std::filesystem::create_directories(shell.path("m/circuits"));
  std::filesystem::create_directories(shell.path("store/deep"));
  shell.write("store/deep/x.mtx", kA);
  shell.write("store/y.MTX", two);
  std::filesystem::create_symlink(shell.path("store/deep/x.mtx"), shell.path("m/one.mtx"));
  std::filesystem::create_symlink(shell.path("store/y.MTX"), shell.path("m/circuits/two.MTX"));
  for (const char* folder : {"m", "m/", "./m"}) {
    std::filesystem::remove(shell.path("t.jsonl"));
    CHECK(shell.rowan(std::string("train --measurements t.jsonl ") + kOneRepeat + folder).code == 0);
    CHECK(contains(shell.read("t.jsonl"), R"("product":"one","family":"one")"));
    CHECK(contains(shell.read("t.jsonl"), R"("product":"two","family":"circuits")"));
  }
}

TEST_CASE("rowan train: a model of one family is not said to be judged") {
  if (!training::have_xgboost()) return;
  Shell shell;
  const Ran ran =
      shell.rowan(std::string("train generated:random:n=200,row_length=5 generated:random:n=300,row_length=4 "
                              "-o m.json --report r.html --report r.TXT ") +
                  kOneRepeat);
  REQUIRE(ran.code == 0);
  for (const std::string& text : {ran.out, shell.read("r.html"), shell.read("r.TXT")}) {
    CHECK(contains(text, "The model could not be judged: all products are of one family. Keep host-trained"));
    CHECK(contains(text, "could not be judged on a held-out family"));
    CHECK_FALSE(contains(text, "0 splits"));
  }
}

TEST_CASE("rowan train: numbers and names that cannot be are refused") {
  Shell shell;
  check_refused(shell.rowan("train a.mtx -o m.json --budget 0"), 2,
                "--budget: 0 is not above 0 (see rowan train --help)");
  check_refused(shell.rowan("train a.mtx -o m.html"), 2,
                "m.html: a model is JSON, not .html; its name must end with .json");
  CHECK(shell.count() == 2);
}

TEST_CASE("rowan train: a model that multiply takes, with reports, from times alone the same one") {
  if (!training::have_xgboost()) return;
  Shell shell;
  const Ran ran = shell.rowan(std::string("train -o mine.json --report r.html --report r.json --report r.txt ") +
                              kThree + kOneRepeat);
  REQUIRE(ran.code == 0);
  CHECK(contains(ran.out, "mine: 3 products of 3 families, judged on families held out, in 3 splits"));
  CHECK(contains(ran.out, "the model is in mine.json\n"));
  CHECK(shell.rowan("model check mine.json").out == "mine.json: ok, mine (trees)\n");
  CHECK(contains(shell.rowan("multiply a.mtx --dry-run --model mine.json").out, "products"));
  CHECK(shell.rowan("multiply a.mtx b.mtx --model mine.json -o -").out == kAB);
  CHECK(contains(shell.rowan("inspect generated:random:n=200,row_length=5 --model mine.json").out, "Predicted time"));
  CHECK(shell.read("r.html").starts_with("<!doctype html>"));
  const auto verdict = nlohmann::json::parse(shell.read("r.json"))["verdict"];
  CHECK(verdict["in_force"] == "host-trained");
  CHECK(verdict["compared"].get<int>() + verdict["seen"].get<int>() == 3);
  CHECK((verdict["recommended"] == "model" || verdict["recommended"] == "in force"));
  CHECK(contains(ran.out, verdict["words"].get<std::string>()));
  CHECK_FALSE(contains(ran.out, "device-rules"));
  CHECK(nlohmann::json::parse(shell.read("mine.json"))["for"] == "hosts");
  CHECK(nlohmann::json::parse(shell.read("r.json"))["products"] == 3);
  CHECK(contains(shell.read("r.txt"), "way of fitting"));
  const std::string model = shell.read("mine.json");
  CHECK(shell.rowan("train --measurements mine.measurements.jsonl -o again.json --name mine -q").out == "");
  CHECK(shell.read("again.json") == model);
  const Ran again = shell.rowan("train --measurements mine.measurements.jsonl -o again.json", "", "mine.json");
  CHECK(contains(again.out, "The policy in force, mine (mine.json), was fitted to all of these products"));
  CHECK(contains(again.out, "mine, in force was fitted to 3 of these 3 products: not held out"));
}

TEST_CASE("rowan train: a budget is kept, and what was left out is told") {
  Shell shell;
  const Ran ran = shell.rowan(std::string("train --budget 0.001 --measurements t.jsonl ") + kThree);
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "were left out: the budget was used up"));
  CHECK(lines(shell.read("t.jsonl")) < 3);
}

TEST_CASE("rowan train: what cannot be done is refused before anything is measured or written") {
  Shell shell;
  check_refused(shell.rowan("train a.mtx"), 2,
                "nowhere to write to: give -o for a model, --measurements for times only");
  check_refused(shell.rowan("train none.mtx --measurements t.jsonl"), 2,
                "none.mtx is neither a matrix file nor a folder");
  CHECK(shell.rowan("train generated:magic --measurements t.jsonl")
            .err.starts_with("rowan: there is no kind of matrix \"magic\""));
  check_refused(shell.rowan("train a.mtx --measurements no/t.jsonl"), 1,
                "no/t.jsonl: cannot be created: No such file or directory");
  shell.write("bad.jsonl", "{}\n");
  check_refused(shell.rowan("train a.mtx --measurements bad.jsonl"), 1,
                "bad.jsonl: line 1: \"rowan_measurements\" is missing");
  CHECK(shell.read("bad.jsonl") == "{}\n");
  shell.write("set.txt", "none.mtx\n");
  check_refused(shell.rowan("train --set set.txt --measurements t.jsonl"), 2,
                "set.txt: \"none.mtx\" was not found; give its folder with --in");
  CHECK_FALSE(shell.has("t.jsonl"));
  shell.write("broken.mtx", "%%MatrixMarket matrix coordinate real general\n3 3\n");
  CHECK(shell.rowan("train broken.mtx --measurements t.jsonl").err.starts_with("rowan: broken.mtx:2: "));
  CHECK_FALSE(shell.has("t.jsonl"));
  if (!training::have_xgboost()) return;
  check_refused(shell.rowan("train -o m.json"), 2,
                "nothing to measure: give matrices, --set, or --measurements of an earlier run");
  check_refused(shell.rowan("train a.mtx -o no/m.json"), 1, "no/m.json: cannot be created: No such file or directory");
  check_refused(shell.rowan("train a.mtx -o m.json --report r.pdf"), 2,
                "r.pdf: a report's name ends with .json, .html or .txt");
  check_refused(shell.rowan("train --measurements none.jsonl -o m.json"), 1, "none.jsonl: cannot be read");
  CHECK_FALSE(shell.has("m.json"));
}

}  // namespace
}  // namespace rowan::test
