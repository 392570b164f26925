// Every refusal of the reader, and models that mean harm.
#include <doctest/doctest.h>

#include "models/loaded.hpp"
#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/policies.hpp"
#include "tests/support/random.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

struct Case {
  std::string text, message;
};

std::string refusal(const std::string& text) {
  return error_of([&] { static_cast<void>(LoadedPolicy::from_text(text, "F")); });
}

Case numeric(const std::string& tree, const std::string& message) {
  return {policy_text({.numeric = tree}), "parse: F: numeric" + message};
}

/// A policy with one text in it replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string text = policy_text();
  return text.replace(text.find(from), from.size(), to);
}

LoadedPolicy loaded(const std::string& text) {
  return LoadedPolicy::from_text(text, "F");
}

std::string with_tables(const std::string& members) {
  return policy_text({.more = R"("tables": {)" + members + "}, "});
}

std::string node(const std::string& changes) {
  return R"({"nodes": [{"feature": "nprod", )" + changes + R"(}, {"then": "hash"}, {"then": "sort"}]})";
}

}  // namespace

TEST_CASE("lanes to a row of B may be left out") {
  const auto lanes = [](const std::string& text, float b_row_max) {
    FeatureVector f{};
    f[index(Feature::b_row_max)] = b_row_max;
    return group_of(evaluate(LoadedPolicy::from_text(text, "F").view().tree(Decision::group), f)[0]);
  };
  CHECK_EQ(lanes(policy_text(), 1), 0);
  const std::string rules = R"("group": [{"when": ["b_row_max < 9"], "then": "1"}, {"then": "64"}], "numeric":)";
  CHECK_EQ(lanes(with(R"("numeric":)", rules), 8), 1);
  CHECK_EQ(lanes(with(R"("numeric":)", rules), 9), 64);
}

TEST_CASE("how full hash tables may be is read, or OpSparse's") {
  const auto with_slots = [](const std::string& slots) { return with_tables(R"("slots_per_entry": )" + slots); };
  const auto slots = [&](const std::string& text) { return loaded(text).view().tables.slots_per_entry; };
  CHECK_EQ(slots(policy_text()), SlotsPerEntry{120, 200});
  CHECK_EQ(slots(with_tables("")), SlotsPerEntry{120, 200});
  CHECK_EQ(slots(with_slots("{}")), SlotsPerEntry{120, 200});
  CHECK_EQ(slots(with_slots(R"({"symbolic": 1, "numeric": 1.5})")), SlotsPerEntry{100, 150});
  CHECK_EQ(slots(with_slots(R"({"numeric": 8})")), SlotsPerEntry{120, 800});
  const std::string wrong = "parse: F: tables, slots_per_entry, ";
  CHECK_EQ(refusal(with_slots(R"({"numeric": 0.9})")),
           wrong + "numeric: slots for an entry must be a number from 1 to 8, not 0.9");
  CHECK_EQ(refusal(with_slots(R"({"symbolic": 9})")),
           wrong + "symbolic: slots for an entry must be a number from 1 to 8, not 9");
  CHECK_EQ(refusal(with_slots(R"({"symbolic": "much"})")),
           wrong + "symbolic: slots for an entry must be a number from 1 to 8, not \"much\"");
  CHECK_EQ(refusal(with_slots("2")), "parse: F: tables, slots_per_entry: it must be an object, not 2");
  CHECK_EQ(refusal(policy_text({.more = R"("tables": [], )"})), "parse: F: tables: it must be an object, not a list");
}

TEST_CASE("how hash tables are sorted is read, or left to their size") {
  const auto with_sort = [](const std::string& sort) { return with_tables(R"("sort": )" + sort); };
  const auto sort = [&](const std::string& text) { return loaded(text).view().tables.sort; };
  CHECK_EQ(sort(policy_text()), TableSort::by_size);
  CHECK_EQ(sort(with_sort(R"("by_size")")), TableSort::by_size);
  CHECK_EQ(sort(with_sort(R"("bitonic")")), TableSort::bitonic);
  CHECK_EQ(sort(with_sort(R"("whole")")), TableSort::whole);
  CHECK_EQ(sort(with_sort(R"("radix")")), TableSort::radix);
  CHECK_EQ(refusal(with_sort(R"("quick")")),
           R"(parse: F: tables, sort: it must be "by_size", "bitonic", "whole" or "radix", not "quick")");
  CHECK_EQ(refusal(with_sort("3")), "parse: F: tables, sort: it must be a string, not 3");
}

TEST_CASE("rows that the library sorts and collisions that are too many are counts, 0 if left out") {
  const auto tables = [&](const std::string& members) { return loaded(with_tables(members)).view().tables; };
  CHECK_EQ(tables(""), TableRules{});
  CHECK_EQ(tables(R"("library_rows": 7)").library_rows, 7);
  CHECK_EQ(tables(R"("collisions": 9)").collisions, 9);
  for (const std::string wrong : {"-1", "1.5", "1000001", "\"many\"", "18446744073709551616"})
    CHECK(refusal(with_tables(R"("collisions": )" + wrong))
              .starts_with("parse: F: tables, collisions: it must be a whole number from 0 to 1000000, not "));
  CHECK(refusal(with_tables(R"("library_rows": [])"))
            .starts_with("parse: F: tables, library_rows: it must be a whole number"));
}

TEST_CASE("bins whose rows alternate are merged only where a policy asks for it") {
  CHECK_FALSE(loaded(policy_text()).view().alternating.has_value());
  const auto rule = [](const std::string& value) { return policy_text({.more = R"("alternating": )" + value + ", "}); };
  CHECK_EQ(loaded(rule(R"({"from": "sort", "to": "dense-window", "words_per_step": 2.5})")).view().alternating,
           Alternating{*candidate_named("sort"), *candidate_named("dense-window"), 2.5F});
  CHECK_EQ(refusal(rule("true")), "parse: F: alternating: it must be an object, not true");
  CHECK_EQ(refusal(rule("{}")), "parse: F: alternating: \"from\" is missing");
  CHECK_EQ(refusal(rule(R"({"from": "hash", "to": "dense-window", "words_per_step": 4})")),
           R"(parse: F: alternating, from: it must be "sort", not "hash")");
  CHECK_EQ(refusal(rule(R"({"from": "sort", "to": "dense", "words_per_step": 4})")),
           R"(parse: F: alternating, to: it must be "dense-window", not "dense")");
  CHECK_EQ(refusal(rule(R"({"from": "sort", "to": "window", "words_per_step": 4})")),
           R"(parse: F: alternating, to: unknown accumulator "window")");
  CHECK_EQ(refusal(rule(R"({"from": "sort", "to": "dense-window"})")),
           "parse: F: alternating: \"words_per_step\" is missing");
  for (const std::string wrong : {"0", "-4", "\"4\""})
    CHECK_EQ(refusal(rule(R"({"from": "sort", "to": "dense-window", "words_per_step": )" + wrong + "}")),
             "parse: F: alternating, words_per_step: it must be a number above 0, not " + wrong);
  CHECK_EQ(refusal(rule(R"({"from": "sort", "to": "dense-window", "words_per_step": 1e39})")),
           "parse: F: alternating, words_per_step: it must be a finite number");
}

TEST_CASE("files of version 1 mean what they meant: alternating bins are merged, tables' members have other names") {
  const auto old = [](const std::string& more) {
    std::string text = policy_text({.more = more});
    return text.replace(text.find("2"), 1, "1");
  };
  const Policy plain = LoadedPolicy::from_text(old(""), "F").view();
  CHECK(plain.alternating == kSortInWindows);
  CHECK(plain.tables == TableRules{});
  const std::string members = R"("room": {"symbolic": 1, "numeric": 1.5}, "table_sort": "radix", )"
                              R"("library_rows": 7, "collisions": 9, )";
  CHECK(LoadedPolicy::from_text(old(members), "F").view().tables ==
        TableRules{.slots_per_entry = {100, 150}, .sort = TableSort::radix, .library_rows = 7, .collisions = 9});
  CHECK_EQ(refusal(old(R"("room": {"numeric": 9}, )")),
           "parse: F: room, numeric: slots for an entry must be a number from 1 to 8, not 9");
  CHECK_EQ(refusal(policy_text({.more = R"("room": {}, )"})),
           R"(parse: F: "room" is of version 1; since version 2 it is "slots_per_entry" in "tables")");
  CHECK_EQ(refusal(policy_text({.more = R"("table_sort": "radix", )"})),
           R"(parse: F: "table_sort" is of version 1; since version 2 it is "sort" in "tables")");
  CHECK_EQ(refusal(policy_text({.more = R"("collisions": 4, )"})),
           R"(parse: F: "collisions" is of version 1; since version 2 it is "collisions" in "tables")");
}

TEST_CASE("predicted times are read, added up and asked for by name") {
  const std::string costs =
      R"(, "costs": {"numeric": {"relative_to": "dense-window", "trees": [{"of": "sort", "nodes": [)"
      R"({"feature": "nprod_max", "threshold": 33, "less": 1, "other": 2}, {"value": -0.5}, {"value": 1}]},)"
      R"({"of": "sort", "nodes": [{"value": 0.25}]}]}}})";
  std::string text = policy_text();
  text.replace(text.rfind('}'), 1, costs);
  const LoadedPolicy loaded = LoadedPolicy::from_text(text, "F");
  const Policy policy = loaded.view();
  FeatureVector f{};
  const CandidateId sort = *candidate_named("sort"), window = *candidate_named("dense-window");
  CHECK_EQ(predict(policy.costs[1], sort, f), -0.25F);
  f[index(Feature::nprod_max)] = 33;
  CHECK_EQ(predict(policy.costs[1], sort, f), 1.25F);
  CHECK_EQ(predict(policy.costs[1], window, f), 0.0F);
  CHECK_FALSE(predict(policy.costs[1], *candidate_named("hash"), f));
  CHECK_FALSE(predict(policy.costs[0], window, f));
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string t = text;
    return refusal(t.replace(t.find(from), from.size(), to));
  };
  CHECK_EQ(broken(R"("relative_to")", R"("relativ")"), "parse: F: costs, numeric: \"relative_to\" is missing");
  CHECK_EQ(broken(R"("of": "sort")", R"("of": "magic")"),
           "parse: F: costs, numeric, tree 0: unknown accumulator \"magic\"");
  CHECK_EQ(broken(R"({"value": -0.5})", R"({"value": 1e300})"),
           "parse: F: costs, numeric, tree 0, node 1: \"value\" must be a finite number");
  CHECK_EQ(broken(R"({"value": -0.5})", R"({"then": "sort"})"),
           "parse: F: costs, numeric, tree 0, node 1: \"threshold\" is missing");
  CHECK_EQ(broken(R"("other": 2)", R"("other": 3)"),
           "parse: F: costs, numeric, tree 0, node 0: \"other\" is 3, it must name a later node, up to 2");
}

TEST_CASE("scores: the least is chosen, of equal ones what the others are relative to") {
  const auto numeric = [](const std::string& hash) {
    return policy_text({.numeric = R"({"relative_to": "dense-window", "trees": [{"of": "sort", "nodes": [)"
                                   R"({"feature": "nprod_max", "threshold": 33, "less": 1, "other": 2},)"
                                   R"( {"value": -0.5}, {"value": 0}]}, {"of": "hash", "nodes": [{"value": )" +
                                   hash + "}]}]}"});
  };
  const auto ranked = [&](const std::string& hash, float nprod_max) {
    const LoadedPolicy p = LoadedPolicy::from_text(numeric(hash), "F");
    FeatureVector f{};
    f[index(Feature::nprod_max)] = nprod_max;
    std::string names;
    for (const std::uint8_t id : evaluate(p.view().tree(Decision::numeric), f))
      names += (names.empty() ? "" : " ") + std::string(kCandidates[id].name);
    return names;
  };
  CHECK_EQ(ranked("2", 20), "sort dense-window hash");
  CHECK_EQ(ranked("2", 33), "dense-window sort hash");
  CHECK_EQ(ranked("-2", 20), "hash sort dense-window");
  CHECK_EQ(ranked("-0.25", 20), "sort hash dense-window");
  CHECK_EQ(refusal(numeric("\"2\"")), "parse: F: numeric, tree 1, node 0: \"value\" must be a finite number");
  CHECK_EQ(refusal(policy_text({.numeric = R"({"relative_to": "magic", "trees": []})"})),
           "parse: F: numeric: unknown accumulator \"magic\"");
  CHECK_EQ(refusal(policy_text({.numeric = R"({"relative_to": "hash", "trees": []})"})),
           "parse: F: numeric: \"trees\" must be a list of at least one tree");
}

TEST_CASE("a ranking longer than any that is needed is refused") {
  std::string names = R"("hash")";
  for (std::size_t i = 0; i < Ranking::kMost; i++) names += R"(, "hash")";
  CHECK_EQ(refusal(policy_text({.numeric = R"([{"then": [)" + names + "]}]"})),
           "parse: F: numeric, rule 1: \"then\" ranks more than 16");
}

TEST_CASE("what is not a policy is refused with what and where") {
  const Case cases[] = {
      {"[]", "parse: F: \"rowan_policy\" is missing"},
      {"{}", "parse: F: \"rowan_policy\" is missing"},
      {R"({"rowan_policy": 3})", "parse: F: version 3 is neither 2 nor 1"},
      {R"({"rowan_policy": 0})", "parse: F: version 0 is neither 2 nor 1"},
      {R"({"rowan_policy": "1"})", "parse: F: version \"1\" is neither 2 nor 1"},
      {R"({"rowan_policy": 2})", "parse: F: \"name\" is missing"},
      {with(R"("name": "made-up")", R"("name": 7)"), "parse: F: \"name\" must be a string, not 7"},
      {with(R"("kind": "rules", )", ""), "parse: F: \"kind\" is missing"},
      {with(R"("kind": "rules")", R"("kind": "magic")"),
       "parse: F: \"kind\" is \"magic\", it must be \"rules\" or \"trees\""},
      {with(R"("about": "for a test", )", ""), "parse: F: \"about\" is missing"},
      {with(R"("source": "none", )", ""), "parse: F: \"source\" is missing"},
      {with(R"("method":)", R"("methods":)"), "parse: F: \"method\" is missing"},
      {policy_text({.use_binning = always("perhaps")}), "parse: F: use_binning, rule 1: unknown outcome \"perhaps\""},
      {policy_text({.method = always("three_phase")}), "parse: F: method, rule 1: unknown outcome \"three_phase\""},
      {with(R"("numeric":)", R"("group": [{"then": "3"}], "numeric":)"),
       "parse: F: group, rule 1: unknown outcome \"3\""},
      {policy_text({.symbolic = always("magic")}), "parse: F: symbolic, rule 1: unknown accumulator \"magic\""},
      numeric("7", ": \"nodes\" is missing"),
      numeric("{}", ": \"nodes\" is missing"),
      numeric("[]", ": there are no rules"),
      numeric("[{}]", ", rule 1: \"then\" is missing"),
      numeric("[7]", ", rule 1: \"then\" is missing"),
      numeric(R"([{"then": 7}])", ", rule 1: \"then\" must be a string, not 7"),
      numeric(R"([{"then": []}])", ", rule 1: \"then\" ranks nothing"),
      numeric(R"([{"then": ["hash", 7]}])", ", rule 1: \"then\" must be a string, not 7"),
      numeric(R"([{"then": ["hash", ""]}])", ", rule 1: unknown accumulator \"\""),
      numeric(R"([{"when": ["nprod < 1"], "then": "hash"}])",
              ", rule 1: the last rule must hold always: it may have no \"when\""),
      numeric(R"([{"then": "hash"}, {"then": "hash"}])", ", rule 1: only the last rule may have no \"when\""),
      numeric(R"([{"when": "nprod < 1", "then": "hash"}, {"then": "hash"}])",
              ", rule 1: \"when\" must be a list of conditions"),
      numeric(R"([{"when": [7], "then": "hash"}, {"then": "hash"}])", ", rule 1: a condition must be a string, not 7"),
      numeric(R"([{"when": ["nprod <"], "then": "hash"}, {"then": "hash"}])",
              ", rule 1: \"nprod <\" is not of the form \"feature < number\" or \"feature >= number\""),
      numeric(R"([{"when": ["nprod > 1"], "then": "hash"}, {"then": "hash"}])",
              ", rule 1: \"nprod > 1\" is not of the form \"feature < number\" or \"feature >= number\""),
      numeric(R"([{"when": ["nprod < 1 2"], "then": "hash"}, {"then": "hash"}])",
              ", rule 1: \"nprod < 1 2\" is not of the form \"feature < number\" or \"feature >= number\""),
      numeric(R"([{"when": ["nprod < 1x"], "then": "hash"}, {"then": "hash"}])", ", rule 1: \"1x\" is not a number"),
      numeric(R"([{"when": ["nprod < nan"], "then": "hash"}, {"then": "hash"}])",
              ", rule 1: the threshold must be a finite number"),
      numeric(R"([{"when": ["nprod < 1e39"], "then": "hash"}, {"then": "hash"}])",
              ", rule 1: the threshold must be a finite number"),
      numeric(R"([{"when": ["nprod < 1e999"], "then": "hash"}, {"then": "hash"}])",
              ", rule 1: \"1e999\" is not a number"),
      numeric(R"([{"when": ["luck < 1"], "then": "hash"}, {"then": "hash"}])", ", rule 1: unknown feature \"luck\""),
      numeric(R"({"nodes": []})", ": \"nodes\" must be a list of at least one node"),
      numeric(R"({"nodes": 7})", ": \"nodes\" must be a list of at least one node"),
      numeric(R"({"nodes": [7]})", ", node 0: \"threshold\" is missing"),
      numeric(R"({"nodes": [{"then": "magic"}]})", ", node 0: unknown accumulator \"magic\""),
      numeric(node(R"("less": 1, "other": 2)"), ", node 0: \"threshold\" is missing"),
      numeric(node(R"("threshold": "5", "less": 1, "other": 2)"), ", node 0: the threshold must be a finite number"),
      numeric(node(R"("threshold": 1e300, "less": 1, "other": 2)"), ", node 0: the threshold must be a finite number"),
      numeric(node(R"("threshold": 5, "other": 2)"), ", node 0: \"less\" is missing"),
      numeric(node(R"("threshold": 5, "less": 1)"), ", node 0: \"other\" is missing"),
      numeric(node(R"("threshold": 5, "less": 0, "other": 2)"),
              ", node 0: \"less\" is 0, it must name a later node, up to 2"),
      numeric(node(R"("threshold": 5, "less": 1, "other": 3)"),
              ", node 0: \"other\" is 3, it must name a later node, up to 2"),
      numeric(node(R"("threshold": 5, "less": -1, "other": 2)"),
              ", node 0: \"less\" is -1, it must name a later node, up to 2"),
      numeric(node(R"("threshold": 5, "less": 1.0, "other": 2)"),
              ", node 0: \"less\" is 1.0, it must name a later node, up to 2"),
      numeric(node(R"("threshold": 5, "less": 18446744073709551615, "other": 2)"),
              ", node 0: \"less\" is 18446744073709551615, it must name a later node, up to 2"),
      numeric(node(R"("threshold": 5, "less": 1, "other": 2, "nan": 7)"), ", node 0: \"nan\" must be a string, not 7"),
      numeric(R"({"nodes": [{"then": "hash"}, {"feature": "nprod", "threshold": 1, "less": 0, "other": 0}]})",
              ", node 1: \"less\" is 0, it must name a later node, up to 1"),
      numeric(R"({"nodes": [{"feature": 7, "threshold": 1, "less": 1, "other": 1}, {"then": "hash"}]})",
              ", node 0: \"feature\" must be a string, not 7"),
      numeric(R"({"nodes": [{"feature": "luck", "threshold": 1, "less": 1, "other": 1}, {"then": "hash"}]})",
              ", node 0: unknown feature \"luck\""),
  };
  for (const Case& c : cases) CHECK_EQ(refusal(c.text), c.message);
}

TEST_CASE("what is not JSON is refused as such") {
  for (const std::string text : {"", "{", "rules", "{\"rowan_policy\": NaN}", "\xff\xfe", "1e339"}) {
    CAPTURE(text);
    CHECK(refusal(text).starts_with("parse: F: not JSON: "));
  }
  CHECK_EQ(refusal("{\n\n\"rowan_policy\": 1,}"), "parse: F: not JSON: line 3, column 19: unexpected");
  CHECK_EQ(refusal("1e339"), "parse: F: not JSON: line 1, column 5: a number that is too large");
}

TEST_CASE("values that nest deeper than the stack are refused, not walked") {
  const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  CHECK_EQ(refusal(with("2,", deep + ",")), "parse: F: version a list is neither 2 nor 1");
  CHECK_EQ(refusal(with(R"("made-up")", deep)), "parse: F: \"name\" must be a string, not a list");
  CHECK_EQ(refusal(policy_text({.numeric = R"([{"when": )" + deep + R"(, "then": "hash"}])"})),
           "parse: F: numeric, rule 1: the last rule must hold always: it may have no \"when\"");
  CHECK_EQ(refusal(policy_text({.numeric = node(R"("threshold": 1, "less": {}, "other": 2)")})),
           "parse: F: numeric, node 0: \"less\" is an object, it must name a later node, up to 2");
}

TEST_CASE("a refused value is repeated in part where it is long") {
  CHECK_EQ(refusal(with(": 2,", ": \"" + std::string(1000, 'x') + "\",")),
           "parse: F: version \"" + std::string(39, 'x') + "... is neither 2 nor 1");
}

TEST_CASE("a file that cannot be read is refused") {
  CHECK_EQ(error_of([] { static_cast<void>(LoadedPolicy::from_file("no/such.json")); }),
           "io: no/such.json: cannot be read");
  const Folder folder;
  CHECK_EQ(error_of([&] { static_cast<void>(LoadedPolicy::from_file(folder.path())); }),
           "io: " + folder.path() + ": cannot be read");
}

TEST_CASE("more nodes than can be named are refused") {
  std::string nodes = R"({"nodes": [{"then": "hash"})";
  for (int i = 0; i < 65535; i++) nodes += R"(,{"then": "hash"})";
  CHECK_EQ(refusal(policy_text({.numeric = nodes + "]}"})), "parse: F: numeric: more than 65535 nodes or outcomes");
}

TEST_CASE("the longest chain of nodes is walked to its end") {
  std::string nodes = R"({"nodes": [)";
  for (int i = 0; i < 60000; i++) {
    const std::string next = std::to_string(i + 1);
    nodes += R"({"feature": "nprod", "threshold": 0, "less": )" + next + R"(, "other": )" + next + "},";
  }
  const LoadedPolicy p = LoadedPolicy::from_text(policy_text({.numeric = nodes + R"({"then": "dense-rank"}]})"}), "F");
  CHECK_EQ(outcome_name(Decision::numeric, evaluate(p.view().tree(Decision::numeric), {})[0]), "dense-rank");
}

TEST_CASE("any graph of choices gives the right product") {
  Random random(11);
  const auto tree = [&](const std::vector<std::string>& outcomes) {
    const std::int64_t n = random.between(1, 12);
    std::string nodes;
    for (std::int64_t i = 0; i < n; i++) {
      nodes += i == 0 ? "" : ", ";
      const auto pick = [&] {
        return "\"" + outcomes[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(outcomes.size())))] +
               "\"";
      };
      if (i + 1 == n || random.below(3) == 0) {
        nodes += R"({"then": [)" + pick() + ", " + pick() + "]}";
        continue;
      }
      const std::string feature(kFeatures[static_cast<std::size_t>(random.below(std::ssize(kFeatures)))].name);
      nodes += R"({"feature": ")" + feature + R"(", "threshold": )" + std::to_string(random.below(300)) +
               R"(, "less": )" + std::to_string(random.between(i + 1, n - 1)) + R"(, "other": )" +
               std::to_string(random.between(i + 1, n - 1)) + R"(, "nan": "less"})";
    }
    return R"({"nodes": [)" + nodes + "]}";
  };
  std::vector<std::string> names;
  for (const Candidate& c : kCandidates) names.emplace_back(c.name);
  const Folder folder;
  for (int trial = 0; trial < 60; trial++) {
    Options options;
    const std::string text = policy_text({.use_binning = tree({"no", "yes"}),
                                          .method = tree({"one_phase", "two_phase"}),
                                          .symbolic = tree(names),
                                          .numeric = tree(names)});
    CAPTURE(text);
    options.model = folder.file("model.json", text);
    const Context context(options);
    for (const char* name : {"power law with a hub", "unsorted runs with duplicates", "rows of B picked",
                             "runs of 1 to 6 equal rows", "empty rows and columns"}) {
      const Factors<double> f(shape(name), Values::reals);
      CHECK_EQ(difference(context.multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
    }
  }
}

}  // namespace rowan::test
