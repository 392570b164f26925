#pragma once
// JSON as a policy's reader sees it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rowan {

class Json;

/// A JSON text that was parsed. Values lie one behind the other, each before those inside it: to let go of them takes
/// no recursion and no memory, however deep they nest. (nlohmann's own tree allocates in its destructor, which ends the
/// program where there is no memory.)
class JsonText {
 public:
  /// Throws Error{parse} "WHERE: not JSON: line L, column C: ...".
  JsonText(std::string_view text, const std::string& where);
  [[nodiscard]] Json root() const noexcept;

 private:
  friend class Json;
  friend struct JsonBuilder;
  enum class JsonKind : std::uint8_t { null, boolean, whole, real, string, array, object };
  struct Value {
    JsonKind kind = JsonKind::null;
    std::string key = {};     // in the object that it is a member of
    std::string text = {};    // of a string its content, of a number its digits
    std::int64_t whole = 0;   // where kind is whole
    double real = 0;          // of any number
    std::size_t behind = 0;   // the next value that does not lie inside this one
    std::size_t members = 0;  // right inside this one
  };
  std::vector<Value> values_;
};

/// One value of a text, which must outlive it.
class Json {
 public:
  [[nodiscard]] bool is_object() const noexcept { return value().kind == JsonText::JsonKind::object; }
  [[nodiscard]] bool is_array() const noexcept { return value().kind == JsonText::JsonKind::array; }
  [[nodiscard]] bool is_string() const noexcept { return value().kind == JsonText::JsonKind::string; }
  [[nodiscard]] bool is_whole() const noexcept {
    return value().kind == JsonText::JsonKind::whole;
  }  ///< and fits int64
  [[nodiscard]] bool is_number() const noexcept { return is_whole() || value().kind == JsonText::JsonKind::real; }

  [[nodiscard]] const std::string& text() const noexcept { return value().text; }  ///< of a string
  [[nodiscard]] std::int64_t whole() const noexcept { return value().whole; }      ///< where is_whole()
  [[nodiscard]] double number() const noexcept { return value().real; }            ///< where is_number()

  /// Values of a list, members of an object.
  [[nodiscard]] std::size_t size() const noexcept { return value().members; }
  /// The member of an object, the last of that name.
  [[nodiscard]] std::optional<Json> find(std::string_view key) const noexcept;

  class Iterator {
   public:
    Iterator(const JsonText& text, std::size_t at) noexcept : text_(&text), at_(at) {}
    Json operator*() const noexcept { return {*text_, at_}; }
    Iterator& operator++() noexcept {
      at_ = text_->values_[at_].behind;
      return *this;
    }
    bool operator==(const Iterator& other) const noexcept { return at_ == other.at_; }

   private:
    const JsonText* text_;
    std::size_t at_;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {*text_, at_ + 1}; }
  [[nodiscard]] Iterator end() const noexcept { return {*text_, value().behind}; }

  /// As messages repeat it: a string in quotes, without control characters; lists and objects are not walked.
  [[nodiscard]] std::string shown() const;

 private:
  friend class JsonText;
  Json(const JsonText& text, std::size_t at) noexcept : text_(&text), at_(at) {}
  [[nodiscard]] const JsonText::Value& value() const noexcept { return text_->values_[at_]; }

  const JsonText* text_;
  std::size_t at_;
};

}  // namespace rowan
