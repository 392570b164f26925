// --backend: what this build has multiplies, what it has not is refused.
#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

/// Whether `info --json` lists it.
bool has(const nlohmann::json& info, const char* list, const std::string& backend) {
  return std::any_of(info[list].begin(), info[list].end(), [&](const nlohmann::json& entry) {
    return entry.is_string() ? entry == backend : entry["backend"] == backend;
  });
}

}  // namespace

TEST_CASE("rowan multiply --backend: a device multiplies, or is said not to be there") {
  Shell shell;
  const auto info = shell.rowan("info --json").json();
  for (const std::string backend : {"cuda", "hip", "emulated"}) {
    CAPTURE(backend);
    const Ran ran = shell.rowan("multiply a.mtx b.mtx -o " + backend + ".mtx --backend " + backend + " --stats");
    const std::string option = backend == "cuda" ? "CUDA" : backend == "hip" ? "HIP" : "EMULATED";
    const std::string asked = "backend is \"" + backend + "\", ";
    if (!has(info, "backends", backend)) {
      check_refused(
          ran, 1, asked + "which this build does not have; configure with -DROWAN_" + option + "=ON, or take the host");
      check_refused(shell.rowan("bench a.mtx --backend " + backend), 1,
                    asked + "but this build or this machine does not have it: rowan info lists backends and devices");
    } else if (!has(info, "devices", backend)) {
      check_refused(ran, 1, asked + "but there is no such device here; rowan info lists those that are");
    } else {
      CHECK_MESSAGE(ran.code == 0, ran.err);
      CHECK(contains(ran.out, "device-rules"));
      CHECK(shell.read(backend + ".mtx") == kAB);
    }
  }
  check_refused(shell.rowan("multiply a.mtx --backend gpu"), 2,
                "--backend: there is no backend \"gpu\"; there are automatic, host, cuda, hip, emulated (see rowan "
                "multiply --help)");
}

#if defined(ROWAN_EMULATED_TOOL_PATH)

namespace {
constexpr const char* kEmulated = ROWAN_EMULATED_TOOL_PATH;
}  // namespace

TEST_CASE("rowan info: devices") {
  Shell shell;
  const auto info = shell.run(std::string(kEmulated) + " info --json").json();
  CHECK(has(info, "backends", "emulated"));
  CHECK(has(info, "devices", "emulated"));
  CHECK(contains(shell.run(std::string(kEmulated) + " info").out, "emulated 0: emulated, waves of 32"));
}

TEST_CASE("rowan multiply --devices: those that share the rows, by number or all") {
  Shell shell;
  const auto rowan = [&](const std::string& arguments) {
    return shell.run("ROWAN_EMULATED_DEVICES=3 " + (kEmulated + (" " + arguments)));
  };
  CHECK(contains(rowan("info").out, "emulated 2: emulated, waves of 32"));
  for (const std::string list : {"2", "0,1", "all"}) {
    CAPTURE(list);
    const Ran ran = rowan("multiply a.mtx b.mtx -o c.mtx --backend emulated --devices " + list + " --stats --json");
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    CHECK(shell.read("c.mtx") == kAB);
    const auto shares = ran.json()["devices"];
    REQUIRE(shares.size() == 1);  // a small product is one device's
    CHECK(shares[0]["device"] == (list == "2" ? 2 : 0));
    CHECK(shares[0]["rows"] == ran.json()["rows"]);
  }
  const std::string multiply = "multiply a.mtx b.mtx --backend emulated --devices ";
  check_refused(rowan(multiply + "0,3"), 1, "backend is \"emulated\", of which there is no device 3; there are 3");
  check_refused(rowan(multiply + "1,1"), 1, "device 1 was named twice");
  for (const std::string list : {"0,", "x", "0.1", "-1"})
    check_refused(rowan(multiply + list), 2, "--devices " + list + " is not a list of numbers like 0,1, nor all");
  check_refused(rowan("multiply a.mtx b.mtx --devices 0"), 2,
                "--devices 0 needs the --backend that has them; rowan info lists both");
}

TEST_CASE("rowan inspect --devices: what each of several devices does, as text, JSON and a page") {
  Shell shell;
  const auto rowan = [&](const std::string& arguments) {
    return shell.run("ROWAN_EMULATED_DEVICES=3 " + (kEmulated + (" " + arguments)));
  };
  // a transposed factor is taken for large; else the first device has all rows
  const std::string inspect =
      "inspect generated:banded:n=300 --transpose-b --backend emulated --devices 0,1 --rows 0:3 ";
  const Ran ran = rowan(inspect + "--json");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const auto told = ran.json(), shares = told["shares"];
  REQUIRE(shares.size() == 2);
  CHECK(shares[1]["device"] == 1);
  CHECK(shares[1]["first_row"] == shares[0]["rows"]);
  for (const char* sum : {"nprod", "nnz"})
    CHECK(shares[0][sum].get<int>() + shares[1][sum].get<int>() == told[sum].get<int>());
  for (const auto& share : shares) {
    CHECK(share["bytes_from_others"] > 0);
    CHECK(share["predicted"] > 0);
    CHECK(share["seconds"] > 0);
  }
  const Ran text = rowan(inspect);
  CHECK(contains(text.out, "device  rows"));
  CHECK(contains(text.out, "B from others"));
  CHECK(rowan(inspect + "-o why.html").code == 0);
  CHECK(contains(shell.read("why.html"), R"("shares":[{"device":0)"));
  CHECK(!rowan("inspect a.mtx --backend emulated --json").json().contains("shares"));
}

TEST_CASE("rowan multiply --backend emulated: the host's product, its stages and its sizes") {
  Shell shell;
  const auto rowan = [&](const std::string& arguments) { return shell.run(kEmulated + (" " + arguments)); };
  for (const std::string how : {"", " --force hash", " --force dense", " --force sort-merge", " --force hash-registers",
                                " --policy nsparse", " --policy register-aware"}) {
    CAPTURE(how);
    const Ran ran = rowan("multiply a.mtx b.mtx --backend emulated -o -" + how);
    CHECK_MESSAGE(ran.code == 0, ran.err);
    CHECK(ran.out == kAB);
  }
  const auto small = rowan("multiply a.mtx b.mtx --backend emulated --json").json();
  CHECK(small["small_product"] == true);
  CHECK(small["nnz"] == 4);
  CHECK(small["nprod"] == 5);
  CHECK(small["policy"] == "device-rules");
  CHECK(rowan("inspect a.mtx b.mtx --backend emulated --json").json()["small_product"] == true);
  const auto stats = rowan("multiply a.mtx b.mtx --backend emulated --policy device-rules --json").json();
  CHECK(stats["small_product"] == false);
  CHECK(stats["nnz"] == 4);
  CHECK(stats["nprod"] == 5);
  CHECK(stats["policy"] == "device-rules");
  CHECK(stats["device"] == "emulated, waves of 32");
  CHECK(stats["method"] == "one_phase");
  for (const char* stage : {"prepare", "features", "binning", "deciding", "symbolic", "numeric", "transfer"})
    CHECK_MESSAGE(stats["seconds"][stage] > 0, stage);
  const Ran text = rowan("multiply a.mtx b.mtx --backend emulated --stats");
  CHECK(contains(text.out, "device    emulated, waves of 32"));
  CHECK(contains(text.out, "C to the host"));
  const auto sizes = rowan("multiply a.mtx b.mtx --backend emulated --dry-run --json").json();
  CHECK(sizes["nnz"] == 4);
  const Ran refused = rowan("multiply a.mtx --backend emulated --force dense-window");
  CHECK(refused.code == 1);
  CHECK(refused.err.starts_with("rowan: force is \"dense-window\", which devices do not have; they have direct, "));
}

TEST_CASE("rowan multiply --backend emulated: waves of 64 have rules of their own") {
  Shell shell;
  const auto rowan = [&](const std::string& arguments) {
    return shell.run("ROWAN_EMULATED_WAVE=64 " + (kEmulated + (" " + arguments)));
  };
  CHECK(contains(rowan("info").out, "emulated 0: emulated, waves of 64"));
  const auto stats = rowan("multiply a.mtx b.mtx --backend emulated --json").json();
  CHECK(stats["policy"] == "wave64-rules");
  CHECK(rowan("multiply a.mtx b.mtx --backend emulated -o -").out == kAB);
  CHECK(rowan("multiply a.mtx b.mtx --backend emulated --policy device-rules --json").json()["policy"] ==
        "device-rules");
}

TEST_CASE("rowan inspect --backend emulated: bin, accumulator and lanes of every row, and why") {
  Shell shell;
  const auto rowan = [&](const std::string& arguments) {
    return shell.run(kEmulated + (" inspect --backend emulated " + arguments));
  };
  const auto json = rowan("generated:random:n=60,row_length=20 --format json").json();
  CHECK(json["policy"] == "device-rules");
  CHECK(json["rows"].size() == 60);
  for (const auto& row : json["rows"]) {
    const auto& bin = json["bins"][row["bin"].get<std::size_t>()];
    CHECK(row["accumulator"] == bin["accumulator"]);
    CHECK(row["group_size"] == bin["group_size"]);
    CHECK(row["group_size"] > 1);
    CHECK_FALSE(bin["why"].empty());
  }
  const Ran table = rowan("generated:random:n=60,row_length=20");
  CHECK(contains(table.out, "G: lanes that walk one row of B"));
  CHECK(contains(table.out, "nnz "));
  check_refused(rowan("a.mtx --measure"), 1, "measure: accumulators are timed one by one on the host only");
}

TEST_CASE("rowan bench --backend emulated: rowan on the device, and who else multiplies there") {
  Shell shell;
  const Ran ran = shell.run(std::string(kEmulated) +
                            " bench a.mtx --backend emulated --threads 1 --seconds 0.01 --rounds 1 --force hash "
                            "--reuse --stages --json");
  REQUIRE_MESSAGE(ran.code == 0, ran.err);
  const auto report = ran.json();
  CHECK(report["settings"]["backend"] == "emulated");
  const auto& product = report["products"][0];
  REQUIRE(product["results"].size() == 3);  // no peer of the host's
  for (const auto& r : product["results"]) {
    CHECK_MESSAGE(!r.contains("error"), r.dump());
    CHECK(r["min"] > 0);
    // A and B once, C and what is taken beside it; numeric re-execution takes nothing
    if (r["kind"] == "full") CHECK(r["peak_bytes"] > product["bytes"]);
  }
  CHECK(product["memory"] > 1);
  CHECK(product["results"][2].contains("peak_bytes") == false);
  CHECK(report["summary"]["slower_than_rowan"]["rowan force hash"]["memory"] > 0);
  CHECK(product["results"][0]["name"] == "rowan");
  CHECK(product["results"][0]["stages"]["numeric"] > 0);
  CHECK(product["results"][2]["kind"] == "reuse");
  CHECK_FALSE(product.contains("ratio_to_floor"));
}

#endif

}  // namespace rowan::test
