#pragma once

#include <string>
#include <string_view>

#include "lib/io/descriptor.hpp"
#include "lib/io/target.hpp"
#include "lib/io/temporary.hpp"

namespace rowan::io {

/// A file being written. A regular file, new or not, is written under a temporary name in its folder; commit()
/// renames it; without commit() it is removed and the old file stays. The new file has the mode of the old one
/// and, where the system allows it, its owner; a file of several names (hard links) stays that file: commit() copies
/// the new content into it, which takes a moment in which a reader sees neither. Devices, pipes and standard output
/// ("-") are written directly. Everything throws Error{io}.
class Output {
 public:
  explicit Output(const std::string& path);

  void write(std::string_view bytes);
  void commit();

 private:
  std::string name_;     // for messages
  FileTarget target_;    // where the file ends up
  Temporary temporary_;  // none where `open_` is written directly
  Descriptor open_;      // a stream, or the file of several names
};

}  // namespace rowan::io
