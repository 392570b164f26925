#include "training/sample_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>

#include <nlohmann/json.hpp>

#include <rowan/error.hpp>

namespace rowan::training {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 1;

// ---- writing

Json json_of(const Timing& t) {
  return Json::array({t.seconds, t.noise, t.runs});
}

Json json_of(const Timings& times) {
  Json out = Json::object();
  for (std::size_t id = 0; id < times.size(); id++)
    if (times[id].measured()) out[std::string(kCandidates[id].name)] = json_of(times[id]);
  return out;
}

Json json_of(const std::array<GroupTimings, kCandidates.size()>& groups) {
  Json out = Json::object();
  for (std::size_t id = 0; id < groups.size(); id++)
    for (std::size_t g = 1; g < kGroupNames.size(); g++)
      if (groups[id][g].measured())
        out[std::string(kCandidates[id].name)][std::string(kGroupNames[g])] = json_of(groups[id][g]);
  return out;
}

Json json_of(const FeatureVector& features) {
  Json out = Json::object();
  for (std::size_t f = 0; f < features.size(); f++) out[std::string(kFeatures[f].name)] = features[f];
  return out;
}

Json json_of(const SampledTimes& sampled) {
  Json times = Json::object();
  for (std::size_t outcome = 0; outcome < sampled.times.size(); outcome++)
    if (const Timing& t = sampled.times[outcome]; t.measured())
      times[std::string(sampled_name(static_cast<std::uint8_t>(outcome)))] = json_of(t);
  return {{"features", json_of(sampled.features)}, {"times", times}};
}

Json json_of(const PhaseSample& phase) {
  Json bins = Json::array();
  for (const BinSample& b : phase.bins) {
    bins.push_back({{"label", b.label},
                    {"rows", b.rows},
                    {"nprod", b.nprod},
                    {"features", json_of(b.features)},
                    {"times", json_of(b.times)}});
    if (Json lanes = json_of(b.group_times); !lanes.empty()) bins.back()["group_times"] = std::move(lanes);
  }
  return {{"bins", bins}, {"forced", json_of(phase.forced)}, {"mixed", json_of(phase.mixed)}};
}

// ---- reading: every refusal says where

struct Place {
  std::string at;
  [[noreturn]] void refuse(const std::string& what) const { throw Error(ErrorCode::parse, at + ": " + what); }
};

/// The key goes by value: g++ 13 and later take what a function with a reference to a temporary returns for a part of
/// it.
const Json& member(const Json& object, std::string_view name, const Place& place) {
  const std::string key(name);
  if (!object.is_object() || !object.contains(key)) place.refuse("\"" + key + "\" is missing");
  return object.at(key);
}

std::string text(const Json& object, const std::string& key, const Place& place) {
  const Json& value = member(object, key, place);
  if (!value.is_string()) place.refuse("\"" + key + "\" must be a string");
  return value.get<std::string>();
}

double number(const Json& value, const std::string& what, const Place& place) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    place.refuse("\"" + what + "\" must be a finite number");
  return value.get<double>();
}

double not_negative(const Json& value, const std::string& what, const Place& place) {
  const double n = number(value, what, place);
  if (n < 0) place.refuse("\"" + what + "\" is below 0");
  return n;
}

std::int64_t count(const Json& object, const std::string& key, const Place& place) {
  const Json& value = member(object, key, place);
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
    place.refuse("\"" + key + "\" must be a whole number of at least 0");
  return value.get<std::int64_t>();
}

CandidateId candidate(const std::string& name, const Place& place) {
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    if (kCandidates[id].name == name) return static_cast<CandidateId>(id);
  place.refuse("unknown accumulator \"" + name + "\": measured by another version");
}

Timing timing(const Json& value, const std::string& what, const Place& place) {
  constexpr double kMostRuns = 1e6;
  if (!value.is_array() || value.size() != 3) place.refuse("\"" + what + "\" must be [seconds, noise, runs]");
  const double runs = not_negative(value[2], what, place);
  Timing t{.seconds = number(value[0], what, place),
           .noise = not_negative(value[1], what, place),
           .runs = static_cast<int>(std::min(runs, kMostRuns))};
  if (t.seconds <= 0 || t.runs < 1) place.refuse("\"" + what + "\" must be above 0 seconds in at least one run");
  return t;
}

Timings timings(const Json& object, const Place& place) {
  if (!object.is_object() || object.empty()) place.refuse("there are no times");
  Timings times;
  for (const auto& [name, value] : object.items()) times[candidate(name, place)] = timing(value, name, place);
  return times;
}

std::array<GroupTimings, kCandidates.size()> group_times(const Json& object, const Place& place) {
  std::array<GroupTimings, kCandidates.size()> times;
  if (!object.is_object()) place.refuse("\"group_times\" must be an object");
  for (const auto& [name, by_lanes] : object.items()) {
    const CandidateId id = candidate(name, place);
    if (!by_lanes.is_object()) place.refuse("\"" + name + "\" must be an object");
    for (const auto& [lanes, value] : by_lanes.items()) {
      const auto* const at = std::find(kGroupNames.begin() + 1, kGroupNames.end(), lanes);
      if (at == kGroupNames.end()) place.refuse("\"" + lanes + "\" is no number of lanes that walk a row");
      times[id][static_cast<std::size_t>(at - kGroupNames.begin())] = timing(value, lanes, place);
    }
  }
  return times;
}

FeatureVector features(const Json& object, const Place& place) {
  FeatureVector f{};
  for (std::size_t i = 0; i < f.size(); i++) {
    const std::string name(kFeatures[i].name);
    if (object.is_object() && !object.contains(name))
      place.refuse("feature \"" + name + "\" is missing: measured by another version");
    f[i] = static_cast<float>(number(member(object, name, place), name, place));
  }
  for (const auto& [name, value] : object.items())
    if (!feature_named(name)) place.refuse("unknown feature \"" + name + "\": measured by another version");
  return f;
}

PhaseSample phase(const Json& object, const Place& place) {
  PhaseSample p;
  const Json& bins = member(object, "bins", place);
  if (!bins.is_array()) place.refuse("\"bins\" must be a list");
  for (std::size_t b = 0; b < bins.size(); b++) {
    const Place here{place.at + ", bin " + std::to_string(b)};
    BinSample bin{.label = text(bins[b], "label", here),
                  .rows = count(bins[b], "rows", here),
                  .nprod = count(bins[b], "nprod", here),
                  .features = features(member(bins[b], "features", here), here),
                  .times = timings(member(bins[b], "times", here), here)};
    if (bins[b].contains("group_times")) bin.group_times = group_times(bins[b].at("group_times"), here);
    bool takes_anything = false;  // fallbacks end at one without limits
    for (std::size_t id = 0; id < kCandidates.size(); id++)
      takes_anything = takes_anything || (kCandidates[id].fallback.empty() && bin.times[id].measured());
    if (!takes_anything) here.refuse("no accumulator without limits was measured");
    p.bins.push_back(std::move(bin));
  }
  if (p.bins.empty()) return p;
  p.forced = timings(member(object, "forced", place), place);
  p.mixed = timing(member(object, "mixed", place), "mixed", place);
  return p;
}

SampledTimes sampled_times(const Json& object, const Place& place) {
  SampledTimes s{.features = features(member(object, "features", place), place)};
  const Json& times = member(object, "times", place);
  if (!times.is_object()) place.refuse("\"times\" must be an object");
  for (const auto& [name, value] : times.items())
    s.times[name == kMeasureName ? kMeasure : candidate(name, place)] = timing(value, name, place);
  if (!s.times[kMeasure].measured()) place.refuse("\"" + std::string(kMeasureName) + "\" is missing");
  return s;
}

ProductSample sample_of(const Json& object, const Place& place) {
  const Json& version = member(object, "rowan_measurements", place);
  if (version != kVersion) place.refuse("version is not " + std::to_string(kVersion));
  ProductSample s{.name = text(object, "product", place),
                  .family = text(object, "family", place),
                  .machine = text(object, "machine", place),
                  .date = text(object, "date", place),
                  .hash = text(object, "hash", place),
                  .rows = count(object, "rows", place),
                  .nprod = count(object, "nprod", place),
                  .features = features(member(object, "features", place), place)};
  if (object.contains("backend")) {
    s.backend = text(object, "backend", place);
    s.wave = static_cast<int>(std::min<std::int64_t>(count(object, "wave", place), INT32_MAX));
  }
  const Json &all = member(object, "takes_all", place), &deciding = member(object, "deciding", place);
  if (!all.is_array()) place.refuse("\"takes_all\" must be a list");
  for (const Json& name : all) {
    if (!name.is_string()) place.refuse("\"takes_all\" must be a list of names");
    s.takes_all[candidate(name.get<std::string>(), place)] = true;
  }
  if (!deciding.is_array() || deciding.size() != 2) place.refuse("\"deciding\" must be a list of two");
  for (std::size_t i = 0; i < 2; i++) s.deciding[i] = not_negative(deciding[i], "deciding", place);
  for (std::size_t p = 0; p < kPhases; p++) {
    const std::string name(kPhaseNames[p]);
    s.phases[p] = phase(member(object, name, place), {place.at + ", " + name});
  }
  if (object.contains("sampled")) s.sampled = sampled_times(object.at("sampled"), {place.at + ", sampled"});
  s.dropped = static_cast<int>(std::min<std::int64_t>(count(object, "dropped", place), INT32_MAX));
  return s;
}

}  // namespace

std::string line_of(const ProductSample& s) {
  Json all = Json::array();
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    if (s.takes_all[id]) all.push_back(kCandidates[id].name);
  Json out{{"rowan_measurements", kVersion}, {"product", s.name}, {"family", s.family}};
  if (!s.backend.empty()) out["backend"] = s.backend, out["wave"] = s.wave;
  out.update({{"machine", s.machine},
              {"date", s.date},
              {"hash", s.hash},
              {"rows", s.rows},
              {"nprod", s.nprod},
              {"features", json_of(s.features)},
              {"takes_all", all},
              {"deciding", s.deciding}});
  for (std::size_t p = 0; p < kPhases; p++) out[std::string(kPhaseNames[p])] = json_of(s.phases[p]);
  if (s.sampled.times[kMeasure].measured()) out["sampled"] = json_of(s.sampled);
  out["dropped"] = s.dropped;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);  // a file's name may be any bytes
}

std::vector<ProductSample> read_samples(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw Error(ErrorCode::io, file.string() + ": cannot be read");
  std::vector<ProductSample> samples;
  std::string line;
  for (int n = 1; std::getline(in, line); n++) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Place place{file.string() + ": line " + std::to_string(n)};
    Json object;
    try {
      object = Json::parse(line);
    } catch (const Json::exception&) {
      place.refuse("not JSON, or broken off: take the line away and it is measured again");
    }
    samples.push_back(sample_of(object, place));
  }
  if (in.bad()) throw Error(ErrorCode::io, file.string() + ": cannot be read");
  return samples;
}

void append_sample(const std::filesystem::path& file, const ProductSample& sample) {
  const std::string line = line_of(sample) + "\n";
  std::ofstream out(file, std::ios::app);
  out.write(line.data(), static_cast<std::streamsize>(line.size()));
  out.flush();
  if (!out) throw Error(ErrorCode::io, file.string() + ": cannot be written");
}

}  // namespace rowan::training
