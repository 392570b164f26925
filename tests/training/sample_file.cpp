// Measurements written and read again; what is no measurement is refused with file, line and reason.
#include "training/sample_file.hpp"

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/training/made_up.hpp"

namespace rowan::test {
namespace {

using namespace training;

std::string refusal(const std::string& text) {
  const Folder folder;
  const std::string path = folder.file("m.jsonl", text);
  const std::string error = error_of([&] { static_cast<void>(read_samples(path)); });
  const std::size_t at = error.find(path);
  return at == std::string::npos ? error : error.substr(0, at) + error.substr(at + path.size() - 7);
}

/// A good line in which one text is another.
std::string with(const std::string& from, const std::string& to) {
  std::string line = line_of(made_up_samples(1).front());
  REQUIRE_NE(line.find(from), std::string::npos);
  return line.replace(line.find(from), from.size(), to) + "\n";
}

}  // namespace

TEST_CASE("measurements are what they were once written and read") {
  const Folder folder;
  const std::string path = folder.path("m.jsonl");
  const auto samples = made_up_samples(3);
  for (const ProductSample& s : samples) append_sample(path, s);
  const auto read = read_samples(path);
  REQUIRE_EQ(read.size(), samples.size());
  for (std::size_t i = 0; i < read.size(); i++) {
    CHECK_EQ(line_of(read[i]), line_of(samples[i]));
    CHECK_EQ(read[i].takes_all, samples[i].takes_all);
    CHECK_EQ(read[i].phases[1].bins[2].features, samples[i].phases[1].bins[2].features);
  }
}

TEST_CASE("a device's measurements keep the backend, the width of its waves, and times by lanes") {
  const Folder folder;
  const std::string path = folder.path("m.jsonl");
  const ProductSample sample = made_up_on_device(1).front();
  append_sample(path, sample);
  const ProductSample read = read_samples(path).front();
  CHECK_EQ(line_of(read), line_of(sample));
  CHECK_EQ(read.backend, "emulated");
  CHECK_EQ(read.wave, 64);
  const CandidateId rank = *candidate_named("dense-rank");
  CHECK_EQ(read.phases[1].bins[0].group_times[rank][4].seconds, sample.phases[1].bins[0].group_times[rank][4].seconds);
  CHECK_FALSE(read.phases[1].bins[0].group_times[rank][3].measured());
  std::string line = line_of(sample);
  line.replace(line.find("{\"8\":"), 5, "{\"9\":");
  CHECK_EQ(refusal(line + "\n"),
           "parse: m.jsonl: line 1, symbolic, bin 0: \"9\" is no number of lanes that walk a row");
}

TEST_CASE("whole products without measuring rows are kept, and must have the time with measuring them") {
  const Folder folder;
  const std::string path = folder.path("m.jsonl");
  ProductSample sample = made_up_samples(1).front();
  make_up_sampled(sample, 4);
  append_sample(path, sample);
  const ProductSample read = read_samples(path).front();
  CHECK_EQ(line_of(read), line_of(sample));
  CHECK_EQ(read.sampled.features[index(Feature::compression_ratio)], 4);
  CHECK_EQ(read.sampled.times[*candidate_named("dense-spa")].seconds, 1e-3);
  CHECK_EQ(read.sampled.times[kMeasure].seconds, 2e-3);
  CHECK_FALSE(read.sampled.times[*candidate_named("sort")].measured());
  sample.sampled.times[*candidate_named("sort")] = {.seconds = 1, .noise = 0, .runs = 1};
  std::string line = line_of(sample);
  line.replace(line.find("\"measure\":"), 10, "\"hash\":");
  CHECK_EQ(refusal(line + "\n"), "parse: m.jsonl: line 1, sampled: \"measure\" is missing");
}

TEST_CASE("files of measurements may be put together, with empty lines between") {
  const Folder folder;
  const auto samples = made_up_samples(2);
  const std::string path = folder.file("m.jsonl", line_of(samples[0]) + "\n\n \r\n" + line_of(samples[1]) + "\n");
  CHECK_EQ(read_samples(path).size(), 2U);
  CHECK(read_samples(folder.file("empty.jsonl", "")).empty());
}

TEST_CASE("what is no measurement is refused with file and line") {
  const std::string good = line_of(made_up_samples(1).front()) + "\n";
  CHECK_EQ(refusal(good + "{\"rowan_mea"),
           "parse: m.jsonl: line 2: not JSON, or broken off: take the line away and it is measured again");
  CHECK_EQ(refusal("[]\n"), "parse: m.jsonl: line 1: \"rowan_measurements\" is missing");
  CHECK_EQ(refusal(good + "\n{\"rowan_measurements\":2}\n"), "parse: m.jsonl: line 3: version is not 1");
  CHECK_EQ(refusal(with("\"product\":\"p0\"", "\"product\":7")),
           "parse: m.jsonl: line 1: \"product\" must be a string");
  CHECK_EQ(refusal(with("\"rows\":300", "\"rows\":-1")),
           "parse: m.jsonl: line 1: \"rows\" must be a whole number of at least 0");
  CHECK_EQ(refusal(with("\"takes_all\":[\"dense-window\"", "\"takes_all\":[\"magic\"")),
           "parse: m.jsonl: line 1: unknown accumulator \"magic\": measured by another version");
  CHECK_EQ(refusal(with("\"row_nnz_max\":", "\"row_most\":")),
           "parse: m.jsonl: line 1: feature \"row_nnz_max\" is missing: measured by another version");
  CHECK_EQ(refusal(with("\"features\":{", "\"features\":{\"charm\":1,")),
           "parse: m.jsonl: line 1: unknown feature \"charm\": measured by another version");
  CHECK_EQ(refusal(with("[0.001,0.01,5]", "[0,0.01,5]")),
           "parse: m.jsonl: line 1, symbolic, bin 0: \"sort\" must be above 0 seconds in at least one run");
  CHECK_EQ(refusal(with("[0.001,0.01,5]", "[0.001]")),
           "parse: m.jsonl: line 1, symbolic, bin 0: \"sort\" must be [seconds, noise, runs]");
  CHECK_EQ(refusal(with("\"symbolic\":", "\"shambolic\":")), "parse: m.jsonl: line 1: \"symbolic\" is missing");
  CHECK_EQ(error_of([] { static_cast<void>(read_samples("/nowhere/m.jsonl")); }),
           "io: /nowhere/m.jsonl: cannot be read");
  CHECK_EQ(error_of([] { append_sample("/nowhere/m.jsonl", made_up_samples(1).front()); }),
           "io: /nowhere/m.jsonl: cannot be written");
}

}  // namespace rowan::test
