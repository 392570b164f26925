#!/usr/bin/env python3
"""Draws docs/figures/ratios.svg from the tables of docs/benchmarks.md: a dot is one matrix, its time over rowan's.

    docs/figures/ratios.py            writes ratios.svg
    docs/figures/ratios.py --check    exit code 1 if ratios.svg is not what the tables give

Each table is found by its section and its first words of heading; the geometric mean of its dots must be the one that the
text below the table gives.
"""
import math
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# label, section, which of its tables (from 0), the column, the geometric mean that the text gives
ROWS = [
    ("1 thread, 10 generated matrices", "compared with Eigen, PETSc", "## Ten generated", 0, "ratio", 5.67),
    ("1 thread, 55 real matrices", "compared with Eigen, PETSc", "## Real matrices", 0, "ratio", 4.27),
    ("2 threads, 10 generated matrices", "compared with Eigen, GraphBLAS, PETSc", "## Ten generated", 1, "ratio", 9.22),
    ("2 threads, 55 real matrices", "compared with Eigen, GraphBLAS, PETSc", "## Real matrices", 1, "ratio", 5.26),
    ("1 thread, known pattern, 10 matrices", "compared with PETSc, values only", "## Numeric re-execution", 0, "ratio to PETSc", 2.82),
    ("1 thread, 32 small multiplications", "compared with Eigen", "## Products of one", 0, "ratio", 1.97),
    ("H200, 22 matrices", "compared with cuSPARSE, best of four ways", "## On a GPU", 0, "ratio", 6.82),
    ("H200, 24 matrices", "compared with the best of eight programs", "## On a GPU", 0, "best peer", 4.15),
]
LEFT, RIGHT, TOP, STEP, MOST = 300, 60, 34, 38, 128.0
WIDTH, HEIGHT = 900, TOP + STEP * len(ROWS) + 30


def tables(text):
    """The tables of a section: lists of rows, the first is the head."""
    found, table = [], []
    for line in text.splitlines() + [""]:
        if line.startswith("|"):
            table.append([cell.strip() for cell in line.strip("|").split("|")])
        elif table:
            found.append(table)
            table = []
    return found


def ratios(text, section, number, column, mean):
    begin = text.index("\n" + section)
    end = re.compile(r"\n## ").search(text, begin + 5)
    head, _, *rows = tables(text[begin : end.start() if end else len(text)])[number]
    values = [row[head.index(column)] for row in rows]
    values = [float(v) for v in values if v not in ("–", "-")]
    found = math.exp(sum(map(math.log, values)) / len(values))
    if abs(found / mean - 1) > 0.01:
        sys.exit(f"{section}, {column}: the geometric mean is {found:.3f}, the text gives {mean}")
    return values


def draw(text):
    def x(ratio):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(ratio) / math.log(MOST)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="How many times faster rowan is than the best peer, for each matrix">',
        "<style>text{font:13px sans-serif;fill:#24292f}.dim{fill:#59636e;font-size:11px}.mean{font-weight:bold}"
        ".grid{stroke:#8c959f;stroke-opacity:.35}.one{stroke:#8c959f}.dot{fill:#0969da;fill-opacity:.45}"
        ".bar{stroke:#bc4c00;stroke-width:3}"
        "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#9198a1}.dot{fill:#58a6ff}.bar{stroke:#ffa657}}"
        "</style>",
        f'<text x="{LEFT}" y="14" class="dim">time of the best peer over rowan\'s; a dot is one matrix, the bar is the '
        "geometric mean</text>",
    ]
    bottom = TOP + STEP * len(ROWS)
    for k in range(8):
        at = x(2**k)
        out.append(f'<line class="{"one" if k == 0 else "grid"}" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 10}" y2="{bottom}"/>')
        out.append(f'<text class="dim" x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{2**k}×</text>')
    for i, (label, peers, section, number, column, mean) in enumerate(ROWS):
        y = TOP + STEP * i + STEP / 2
        out.append(f'<text x="{LEFT - 14}" y="{y - 2:.0f}" text-anchor="end">{label}</text>')
        out.append(f'<text x="{LEFT - 14}" y="{y + 12:.0f}" text-anchor="end" class="dim">{peers}</text>')
        for value in ratios(text, section, number, column, mean):
            out.append(f'<circle class="dot" cx="{x(value):.1f}" cy="{y:.0f}" r="4"/>')
        out.append(f'<line class="bar" x1="{x(mean):.1f}" x2="{x(mean):.1f}" y1="{y - 12:.0f}" y2="{y + 12:.0f}"/>')
        out.append(f'<text class="mean" x="{WIDTH - 6}" y="{y + 4:.0f}" text-anchor="end">{mean:.2f}×</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    picture = draw((FOLDER.parent / "benchmarks.md").read_text(encoding="utf-8"))
    path = FOLDER / "ratios.svg"
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if path.read_text(encoding="utf-8") == picture else "ratios.svg is old: run docs/figures/ratios.py")
    path.write_text(picture, encoding="utf-8")


main()
