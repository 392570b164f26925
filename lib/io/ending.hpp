#pragma once

#include <string>
#include <string_view>

#include <rowan/io.hpp>

namespace rowan::io {

/// The ending of a file's name in small letters, ".mtx" of "A.MTX"; empty where it has none.
[[nodiscard]] std::string ending_of(std::string_view path);

/// Whether an ending, in small letters, says what a file contains: letters, or letters and digits, and not ".txt",
/// which any text may have. ".1" and ".2026-11-23" are parts of a name.
[[nodiscard]] bool names_a_form(std::string_view ending);

/// Whether a file is called as matrices are: .mtx, .bin or .rowan, each also with .gz, or .npz.
[[nodiscard]] bool is_matrix_name(std::string_view path);

struct Form {
  Format format;  ///< but for gzip
  bool gzip;
};

/// The form that a name asks for; Matrix Market where it asks for none. Throws Error{invalid_argument} for a name that
/// asks for what is not written here.
[[nodiscard]] Form form_of_name(std::string_view path);

}  // namespace rowan::io
