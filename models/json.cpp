#include "models/json.hpp"

#include <algorithm>

#include <rowan/error.hpp>

#ifdef ROWAN_HAVE_JSON
#include <nlohmann/json.hpp>

namespace rowan {

/// Takes what the parser finds, in the text's order.
struct JsonBuilder : nlohmann::json_sax<nlohmann::json> {
  using JsonKind = JsonText::JsonKind;

  JsonBuilder(std::vector<JsonText::Value>& all, std::string_view source, const std::string& name)
      : values(all), text(source), where(name) {}

  bool null() override { return add({.kind = JsonKind::null, .text = "null"}); }
  bool boolean(bool value) override { return add({.kind = JsonKind::boolean, .text = value ? "true" : "false"}); }
  bool number_integer(number_integer_t value) override {
    return add(
        {.kind = JsonKind::whole, .text = std::to_string(value), .whole = value, .real = static_cast<double>(value)});
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= INT64_MAX) return number_integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t& digits) override {
    return add({.kind = JsonKind::real, .text = digits, .real = value});
  }
  bool string(string_t& value) override { return add({.kind = JsonKind::string, .text = std::move(value)}); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*members*/) override { return open(JsonKind::object); }
  bool key(string_t& name) override {
    next_key = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*members*/) override { return open(JsonKind::array); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& why) override {
    constexpr int kOutOfRange = 406;
    const std::string_view before = text.substr(0, position == 0 ? 0 : position - 1);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    const char* const what = why.id == kOutOfRange          ? "a number that is too large"
                             : before.size() >= text.size() ? "it breaks off"
                                                            : "unexpected";
    throw Error(ErrorCode::parse, where + ": not JSON: line " + std::to_string(line) + ", column " +
                                      std::to_string(column) + ": " + what);
  }

  bool add(JsonText::Value value) {
    if (!open_values.empty()) values[open_values.back()].members++;
    value.key = std::exchange(next_key, {});
    value.behind = values.size() + 1;
    values.push_back(std::move(value));
    return true;
  }
  bool open(JsonKind kind) {
    add({.kind = kind, .text = kind == JsonKind::array ? "a list" : "an object"});
    open_values.push_back(values.size() - 1);
    return true;
  }
  bool close() {
    values[open_values.back()].behind = values.size();
    open_values.pop_back();
    return true;
  }

  std::vector<JsonText::Value>& values;
  std::string_view text;
  const std::string& where;
  std::string next_key;
  std::vector<std::size_t> open_values;
};

JsonText::JsonText(std::string_view text, const std::string& where) {
  JsonBuilder builder(values_, text, where);
  nlohmann::json::sax_parse(text, &builder);
}

}  // namespace rowan
#else
namespace rowan {

JsonText::JsonText(std::string_view /*text*/, const std::string& where) {
  throw Error(ErrorCode::unsupported, where + ": this build reads no JSON (nlohmann-json was not found)");
}

}  // namespace rowan
#endif

namespace rowan {

Json JsonText::root() const noexcept {
  return {*this, 0};
}

std::optional<Json> Json::find(std::string_view key) const noexcept {
  std::optional<Json> found;
  if (is_object())
    for (const Json member : *this)
      if (member.value().key == key) found = member;
  return found;
}

std::string Json::shown() const {
  if (!is_string()) return text();
  std::string quoted = "\"";
  for (const char c : text()) quoted += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return quoted + '"';
}

}  // namespace rowan
