#!/bin/sh
# Doxygen's input filter: what a header declares is a group by the header's name, which reference/cpp.md shows. A member
# called `local`, a keyword to Doxygen 1.9, is left out there and named in that page.
name=$(basename "$1")
sed "s|^namespace rowan[a-z:]* {\$|&\n/** \\\\addtogroup ${name%.*}\n    @{ */|; s|^}  // namespace rowan[a-z:]*\$|/** @} */\n&|; / local = {}/d" "$1"
