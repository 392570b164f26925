// The pages of inspect, bench and train in a browser: they draw without an error, and what is pressed does what it
// says.
#include <cstdlib>

#include "tests/tools/rowan/run.hpp"

namespace rowan::test {
namespace {

/// The browser's command, "" where there is none (Debian: chromium).
std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (std::system((std::string("command -v ") + name + " >/dev/null 2>&1").c_str()) == 0) return name;  // NOLINT
  MESSAGE("no chromium here: pages are not looked at in a browser");
  return "";
}

/// Runs `steps`, the body of an async function, in a page once it has drawn itself. They call is(what, got, wanted).
/// Returns what was not as wanted, and the browser's errors; "" if all is well.
std::string faults(Shell& shell, const std::string& page, const std::string& steps) {
  const std::string command = browser();
  if (command.empty()) return "";
  const std::string begin = R"(<script>window.faults = [];
    window.addEventListener("error", (e) => faults.push(e.message + " at " + e.lineno));
    window.addEventListener("unhandledrejection", (e) => faults.push(String(e.reason)));
    console.error = console.warn = (...words) => faults.push(words.join(" "));</script>)";
  const std::string end = R"(<script>(async () => {
    const is = (what, got, wanted) => { if (got !== wanted) faults.push(`${what}: ${got}, not ${wanted}`); };
    const later = (ms) => new Promise((done) => setTimeout(done, ms));
    for (let i = 0; i < 100 && root.dataset.ready !== "yes"; i++) await later(50);
    is("ready", root.dataset.ready, "yes");
    await (async () => {)" +
                          steps + R"(})();
    document.title = "faults:" + faults.join("; ") + ":end";
  })().catch((e) => (document.title = "faults:" + e + ":end"));</script>)";
  std::string text = shell.read(page);
  text.insert(text.find("<meta charset"), begin);
  shell.write("tested.html", text + end);
  const Ran ran = shell.run("HOME='" + shell.path("") + "' timeout 100 " + command +
                            " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --window-size=1280,900 "
                            "--virtual-time-budget=20000 --dump-dom 'file://" +
                            shell.path("tested.html") + "'");
  const auto at = ran.out.find("faults:"), until = ran.out.find(":end");
  if (ran.code != 0 || until == std::string::npos)
    return "the browser ended with " + std::to_string(ran.code) + ran.err;
  return ran.out.substr(at + 7, until - at - 7);
}

TEST_CASE("rowan inspect's page: pictures, sorting, searching, a row's tree, light and dark") {
  Shell shell;
  REQUIRE(shell.rowan("inspect generated:rmat:scale=11 --measure --policy host-trained -o why.html").code == 0);
  CHECK(faults(shell, "why.html", R"(
    const column = (k) => [...document.querySelectorAll(".rows .line")].filter((l) => !l.hidden).map((l) => l.children[k].textContent);
    const number = (text) => parseInt(text.replaceAll(",", ""), 10);
    const input = document.querySelector("input[type=search]");
    const search = async (text) => { input.value = text; input.dispatchEvent(new Event("input")); await later(300); };
    is("pictures", document.querySelectorAll(".spy canvas").length, 2);
    const sides = document.querySelector(".spy canvas").getBoundingClientRect();
    is("a square", Math.abs(sides.width / sides.height - 1) < 0.02, true);
    is("charts", document.querySelectorAll(".uplot").length >= 5, true);
    const heads = document.querySelectorAll(".rows .head button");
    heads[6].click();
    is("rising from", number(column(6)[0]), Math.min(...columns.nnz));
    heads[6].click();
    is("falling from", number(column(6)[0]), Math.max(...columns.nnz));
    is("falling", column(6).map(number).every((x, i, all) => i === 0 || x <= all[i - 1]), true);
    await search("nnz > 500");
    is("found", number(document.querySelector(".tools .status").textContent), columns.nnz.filter((x) => x > 500).length);
    is("above", column(6).map(number).every((x) => x > 500), true);
    await search("hash row=7");
    await search("1234");
    is("one row", column(0).join(), "1,234");
    document.querySelector(".rows .line").click();
    is("its reasons", document.body.textContent.includes("Row 1,234, in bin"), true);
    is("a path", document.querySelectorAll(".tree li.taken").length >= 1, true);
    await search("no such word");
    is("nothing", column(0).length, 0);
    await search("");
    is("all again", column(0).length > 10, true);
    const before = getComputedStyle(document.body).backgroundColor;
    document.getElementById("theme").click();
    is("another theme", getComputedStyle(document.body).backgroundColor !== before, true);
    const key = document.querySelector(".keys button");
    key.click();
    is("alone", key.getAttribute("aria-pressed"), "true");
    key.click();
    document.querySelector(".spy canvas").click();
    document.querySelectorAll("table.data tbody tr")[0].click();
    is("a bin", document.body.textContent.includes("Bin 0, "), true);
    const feature = [...document.querySelectorAll("table.data tr")].filter((r) => r.children[0].textContent === "nprod").pop();
    is("a whole number in full", feature.children[1].textContent, why.nprod.toLocaleString("en-US"));
    is("what a feature means", feature.children[2].textContent, "products");
    is("a few times", data.times >= 1 && data.times <= 5, true);
    is("the fastest", document.body.textContent.includes(`The fastest of ${data.times} multiplications`), data.times > 1);
    is("nothing wider than the window", document.documentElement.scrollWidth <= innerWidth, true);)") == "");
}

TEST_CASE("rowan inspect's page: a million rows stay smooth and small, and the last one can be reached") {
  Shell shell;
  REQUIRE(shell.rowan("inspect generated:stencil2d:nx=1000,ny=1000 -o why.html").code == 0);
  CHECK(shell.read("why.html").size() < 10'000'000);
  CHECK(faults(shell, "why.html", R"(
    const lines = () => [...document.querySelectorAll(".rows .line")].filter((l) => !l.hidden);
    is("lines", lines().length < 30, true);
    const box = document.querySelector(".rows");
    box.scrollTop = box.scrollHeight;
    box.dispatchEvent(new Event("scroll"));
    is("the last", lines().pop().children[0].textContent, "999,999");
    box.dispatchEvent(new WheelEvent("wheel", {deltaY: -26 * 50}));
    is("fifty up", ["999,949", "999,950"].includes(lines().pop().children[0].textContent), true);
    const start = performance.now();
    document.querySelectorAll(".rows .head button")[6].click();
    is("sorted soon", performance.now() - start < 5000, true);)") == "");
}

TEST_CASE("rowan inspect's page: matrices without rows, one row of C, forced accumulators, a range of rows") {
  Shell shell;
  shell.write("none.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  for (const char* arguments : {"none.mtx", "a.mtx b.mtx --force hash", "a.mtx --rows 1:2 --policy nsparse"}) {
    CAPTURE(arguments);
    REQUIRE(shell.rowan(std::string("inspect -o why.html ") + arguments).code == 0);
    CHECK(faults(shell, "why.html",
                 "is('one accumulator or some', page.textContent.includes('accumulators in'), used !== 1);") == "");
  }
}

TEST_CASE("rowan inspect's page: scores and comparisons are told apart, and a sample's features are named so") {
  Shell shell;
  REQUIRE(shell.rowan("generate rmat scale=11 -o r.mtx").code == 0);
  for (const char* policy : {"host-trained", "host-rules"}) {
    CAPTURE(policy);
    REQUIRE(shell.rowan(std::string("inspect r.mtx -o why.html --policy ") + policy).code == 0);
    CHECK(faults(shell, "why.html", R"(
      const bin = bins.findIndex((b) => b.why.some((w) => w.includes(" < ")));
      showBin(bin);
      is("comparisons", facts.textContent.includes("The features that led there: "), true);
      is("scores", facts.textContent.includes("The best scores"), Boolean(data.decision.scored));
      is("no long fractions", /\d\.\d{7}/.test(facts.textContent), false);
      is("a sample", facts.textContent.includes("of a sample of rows"), why.sampled);)") == "");
  }
}

TEST_CASE("rowan bench's page: draws what was compared, and what failed") {
  Shell shell;
  REQUIRE(
      shell
          .rowan(
              "bench a.mtx generated:random:n=500,row_length=9 --only spa --stages --reuse --threads 1 --seconds 0.01 "
              "--rounds 2 -o r.html")
          .code == 0);
  CHECK(faults(shell, "r.html", R"(
    for (const title of ["Performance profile", "Times", "Stages of rowan", "Contestants", "Times as fast as the best peer"])
      is(title, [...document.querySelectorAll("h2")].filter((h) => h.textContent === title).length, 1);
    is("charts", document.querySelectorAll(".uplot").length >= 4, true);
    is("a verdict", document.querySelector(".verdict").textContent.includes("the best peer of each product"), true);
    document.getElementById("theme").click();
    // logarithmic axes end, wherever they begin
    for (const least of [0.0976, 0.1, 0.13, 1e-7, 9.99e-8, 2.5, 99.9, 1000])
      byLabel(page, {label: "axis", labels: ["a", "b"], log: true, title: "", format: short,
        series: [{name: "s", colour: "--ink", values: [least * 1.3, least * 5000]}]});
    await later(100);)") == "");
}

}  // namespace
}  // namespace rowan::test
