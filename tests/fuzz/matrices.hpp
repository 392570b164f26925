#pragma once
// What the readers' targets share.
#include <cstring>
#include <string>

#include "lib/io/buffer.hpp"
#include "lib/io/matrix_market.hpp"
#include "tests/fuzz/targets.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan::fuzz {

/// How the targets call the file they read: every refusal has to begin with it.
inline const std::string kName = "fuzzed";

[[nodiscard]] inline io::TextBuffer buffer_of(std::string_view bytes) {
  io::TextBuffer buffer(bytes.size());
  if (!bytes.empty()) std::memcpy(buffer.room().data(), bytes.data(), bytes.size());
  buffer.advance(bytes.size());
  return buffer;
}

[[nodiscard]] inline std::string_view text_of(Bytes file) {
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

inline void require(bool kept, const std::string& what) {
  if (!kept) throw Broken(what);
}

/// Whether a refusal is one that a file's content can deserve, with the file's name in front.
inline void require_refusal(const Error& e) {
  require(e.code() == ErrorCode::parse || e.code() == ErrorCode::overflow || e.code() == ErrorCode::unsupported,
          "a refusal of another kind: " + std::string(e.what()));
  require(std::string_view(e.what()).starts_with(kName + ":"), "a refusal without a name: " + std::string(e.what()));
}

/// Parses Matrix Market text and checks what came of it. Text that asks for very many rows is left alone: a matrix of
/// 2^31 rows is allowed, and 16 GiB.
void check_text(std::string_view text);

}  // namespace rowan::fuzz
