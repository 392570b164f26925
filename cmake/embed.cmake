# Writes a C++ source with the text of files: cmake -DOUT=FILE -DHEADER=H -DFUNCTION=F "-DFILES=A;B" -P embed.cmake.
# F(name) is the text of the file with that name, without its folder; F is declared by H.
set(cases "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(APPEND cases "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE "${OUT}" "// Made by cmake/embed.cmake.
#include \"${HEADER}\"

#include <array>
#include <utility>

namespace rowan::tool {
namespace {

constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
${cases}};

}  // namespace

std::string_view ${FUNCTION}(std::string_view name) {
  for (const auto& [known, text] : kFiles)
    if (known == name) return text;
  return {};
}

}  // namespace rowan::tool
")
