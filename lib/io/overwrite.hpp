#pragma once

#include <string>

#include "lib/io/descriptor.hpp"
#include "lib/io/target.hpp"
#include "lib/io/temporary.hpp"

namespace rowan::io {

/// Gives a file the content of another and keeps what the file is: its names (hard links), owner and mode. `file` is
/// the target, open for reading and writing. What was in it is copied beside it first and put back where writing
/// fails. `name` is for messages. Throws Error{io}, which names the copy where even that could not be put back.
void overwrite(const FileTarget& target, const Descriptor& file, const Descriptor& content, const std::string& name);

}  // namespace rowan::io
