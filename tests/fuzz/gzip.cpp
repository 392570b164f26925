#include "lib/io/gzip.hpp"

#include <optional>

#include "tests/fuzz/matrices.hpp"

namespace rowan::fuzz {

void gzip(Bytes file) {
  const std::string_view bytes = text_of(file);
  const std::size_t cut = bytes.empty() ? 0 : file[0] % bytes.size();
  std::string members;
  for (const std::string_view part : {bytes.substr(0, cut), bytes.substr(cut)}) members += io::gzip_member(part).view();
  require(io::inflate_gzip(members, kName).view() == bytes, "other bytes after compressing and inflating");

  if (!io::is_gzip(bytes)) return;
  std::optional<io::TextBuffer> inflated;
  try {
    inflated = io::inflate_gzip(bytes, kName);
  } catch (const Error& e) {
    return require_refusal(e);
  }
  check_text(inflated->view());
}

}  // namespace rowan::fuzz
