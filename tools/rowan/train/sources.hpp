#pragma once
// What to train on: files, folders of them, made-up matrices, and sets of products.
#include <string>
#include <vector>

namespace rowan::tool::train {

struct Source {
  std::string product;  // as bench/product.hpp reads it
  std::string family;   // what is held out together
};

/// A file, "generated:SPEC", or every matrix file in a folder and the folders in it, by name. The family of a generated
/// matrix is its kind, of a file in a folder's folder that folder's name, of any other file its own name; symbolic
/// links to files count where they stand. Throws UsageError for what is neither, and for a folder without matrices.
[[nodiscard]] std::vector<Source> sources_of(const std::string& argument);

/// The lines of a set file (bench/sets/README.md); a line "[NAME]" gives the family of those below it. `folder` is
/// where files are sought. Throws Error{io}, or UsageError naming the line whose file is not there.
[[nodiscard]] std::vector<Source> sources_of_set(const std::string& path, const std::string& folder);

}  // namespace rowan::tool::train
