# Each block of a Markdown file that is fenced with `word`, as a file DIR/NAME-LINE.END of its own.
#   awk -v word=cpp -v stem=DIR/NAME -v end=.cpp -f fenced.awk FILE
/^ *```/ {
  if (inside) { inside = 0; if (out) close(out); out = "" }
  else { inside = 1; if ($1 == "```" word) { out = stem "-" NR end; printf "" > out } }
  next
}
out { print > out }
