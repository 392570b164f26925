#include "tools/rowan/names.hpp"

#include <algorithm>
#include <charconv>

#include "accumulators/candidates.hpp"
#include "lib/backends/devices.hpp"
#include "models/embedded.hpp"
#include "tools/rowan/command.hpp"

namespace rowan::tool {
namespace {

constexpr std::pair<const char*, Backend> kBackends[] = {{"automatic", Backend::automatic},
                                                         {"host", Backend::host},
                                                         {"cuda", Backend::cuda},
                                                         {"hip", Backend::hip},
                                                         {"emulated", Backend::emulated}};

}  // namespace

CLI::Validator offers(const std::vector<std::string>& all) {
  // CLI11 keeps a description with every validator and shows it behind the option's type: shown_type() takes it away
  return {[](std::string&) { return std::string(); }, CLI::detail::join(all, "|")};
}

CLI::Validator one_of(const std::string& what, std::vector<std::string> all) {
  CLI::Validator validator = offers(all);
  validator.operation([what, all = std::move(all)](std::string& given) -> std::string {
    if (std::find(all.begin(), all.end(), given) != all.end()) return "";
    return unknown(what, given, all);
  });
  return validator;
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto colon = type.find(':');
  return colon == std::string::npos ? std::vector<std::string>() : CLI::detail::split(type.substr(colon + 1), '|');
}

std::string shown_type(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

CLI::Validator accumulator() {
  CLI::Validator validator = offers(accumulator_names());
  validator.operation([all = accumulator_names()](std::string& given) -> std::string {
    const std::string name = given.substr(0, given.find(':'));
    return std::find(all.begin(), all.end(), name) != all.end() ? "" : unknown("accumulator", given, all);
  });
  return validator;
}

void check_force(const std::string& force, Backend backend) {
  if (force.find(':') == std::string::npos || (backend != Backend::automatic && backend != Backend::host)) return;
  throw UsageError("--force " + force + ": lanes for a row of B exist on devices only; give --force " +
                   force.substr(0, force.find(':')) + ", or the --backend of a device");
}

std::vector<std::string> accumulator_names() {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < kAccumulatorOutcomes; i++)
    list.emplace_back(accumulator_name(static_cast<std::uint8_t>(i)));
  return list;
}

std::vector<std::string> backend_names() {
  std::vector<std::string> list;
  for (const auto& [name, backend] : kBackends) list.emplace_back(name);
  return list;
}

std::vector<int> devices_named(const std::string& list, Backend backend) {
  std::vector<int> devices;
  if (list.empty()) return devices;
  if (backend == Backend::automatic || backend == Backend::host)
    throw UsageError("--devices " + list + " needs the --backend that has them; rowan info lists both");
  if (list == "all") return all_devices(backend);
  for (const char *at = list.data(), *const end = at + list.size();; at++) {
    int number = 0;
    const auto [behind, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0 || (behind != end && *behind != ','))
      throw UsageError("--devices " + list + " is not a list of numbers like 0,1, nor all");
    devices.push_back(number);
    if ((at = behind) == end) return devices;
  }
}

Backend backend_named(const std::string& name) {
  for (const auto& [known, backend] : kBackends)
    if (known == name) return backend;
  return Backend::automatic;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> list;
  for (const Policy& p : embedded_policies()) list.emplace_back(p.name);
  return list;
}

}  // namespace rowan::tool
