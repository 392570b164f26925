#!/usr/bin/env bash
# Runs the tests in a build that counts lines, and prints line coverage: of everything, at least 90 %, and of what reads
# and checks what comes from outside (readers, validation, policy loading), 100 %. Fails below.
#   scripts/coverage.sh [--html]    --html also writes build/coverage/html/index.html
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-packages.sh gcovr
cmake --preset coverage >/dev/null
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -j "$(nproc)" --quiet
everything=(lib/ features/ accumulators/ models/ training/ tools/)
border=('lib/io/(assemble|binary_checks|binary_read|bytes|chunk|entries|fault|gzip|header|lines|load|memory_room|native_crc|native_read|parse|read|source)\.cpp'
        'lib/io/(buffer|bytes|entry_line|lines|native_layout|scan)\.hpp' 'lib/core/validate\.cpp' 'models/load\.cpp')
# the narrow and the installed builds count apart from the library
report() { # PERCENT NAME FILTER...
  local least=$1 name=$2 filters=()
  shift 2
  for f in "$@"; do filters+=(--filter "$f"); done
  gcovr --root . --object-directory build/coverage --exclude-directories '.*/offsets.*' \
    --exclude-directories '.*/installed.*' "${filters[@]}" "${html[@]}" --txt build/coverage/"$name".txt \
    --json-summary build/coverage/"$name".json build/coverage 2>build/coverage/"$name".log
  local percent
  percent=$(sed -n 's/.*"line_percent": \([0-9.]*\).*/\1/p' build/coverage/"$name".json | tail -1)
  echo "$name: $percent % of lines, at least $least %"
  if awk "BEGIN { exit !($percent < $least) }"; then
    awk '$NF ~ /[0-9]/ && $(NF-1) != "100%"' build/coverage/"$name".txt
    return 1
  fi
}
html=()
[ "${1:-}" = --html ] && mkdir -p build/coverage/html && html=(--html-details build/coverage/html/index.html)
failed=0
report 90 everything "${everything[@]}" || failed=1
html=()
report 100 border "${border[@]}" || failed=1
exit $failed
