#!/bin/sh
# Doxygen's input filter: what a header declares is a group by the header's name, which reference/cpp.md shows.
name=$(basename "$1")
sed "s|^namespace rowan {\$|&\n/** \\\\addtogroup ${name%.*}\n    @{ */|; s|^}  // namespace rowan\$|/** @} */\n&|" "$1"
