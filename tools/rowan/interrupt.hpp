#pragma once
// Ctrl-C leaves nothing behind.
#include <string>

namespace rowan::tool {

/// From now on a signal that ends the program (SIGINT, SIGTERM, SIGHUP, SIGPIPE) takes the temporary file of `path`
/// away first. The program still dies of the signal, as shells expect. One path at a time.
void clean_up_when_interrupted(const std::string& path);

}  // namespace rowan::tool
