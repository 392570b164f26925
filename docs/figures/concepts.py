#!/usr/bin/env python3
"""Draws the figures of docs/concepts.md with what rowan itself prints.

    docs/figures/concepts.py ROWAN [FOLDER]              all four, into docs/figures or FOLDER
    docs/figures/concepts.py ROWAN FOLDER --choices      only those of choices, which are the same on every machine

costs.svg and stages.svg have times of the machine that draws them: draw them on a quiet one.
"""
import json
import math
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "tests" / "data"
PRODUCTS = [
    ("grid, 5-point stencil", "generated:stencil2d:nx=400,ny=400"),
    ("finite elements, 3 unknowns", "generated:fem:nx=8,ny=8,nz=60"),
    ("structure (nasa4704)", str(DATA / "nasa4704.mtx.gz")),
    ("web graph (indochina)", str(DATA / "web-indochina-2004.mtx.gz")),
    ("e-mails (email-Eu-core)", str(DATA / "email-Eu-core.mtx.gz")),
    ("road network", "generated:roads:nx=150,ny=150"),
    ("very sparse, wide", "generated:hypersparse:rows=3000000,cols=3000000,entries=300000,together=8,used=60000"),
]
COLOURS = {"direct": "#7c3aed", "direct-shift": "#a78bfa", "direct-repeat": "#c4b5fd", "sort": "#2563eb", "sort-vector": "#60a5fa",
           "dense-window": "#ea580c", "dense-run": "#f59e0b", "dense-rank": "#b45309", "dense-spa": "#fcd34d",
           "dense-narrow": "#fef3c7", "dense-b": "#92400e",
           "hash": "#16a34a"}
STAGES = {"prepare": "#94a3b8", "features": "#2563eb", "binning": "#60a5fa", "deciding": "#16a34a",
          "symbolic": "#7c3aed", "numeric": "#ea580c"}
STYLE = ("text{font:13px sans-serif;fill:#24292f}.dim{fill:#59636e;font-size:11px}.grid{stroke:#8c959f;stroke-opacity:.35}"
         "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#9198a1}}")
WIDTH = 760


class Drawing:
    def __init__(self, height, label):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
                      f'aria-label="{label}">', f"<style>{STYLE}</style>"]

    def text(self, x, y, text, dim=False, anchor="start"):
        style = ' class="dim"' if dim else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{text}</text>')

    def box(self, x, y, width, height, colour, title):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height}" fill="{colour}">'
                          f"<title>{title}</title></rect>")

    def line(self, x1, y1, x2, y2):
        self.parts.append(f'<line class="grid" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def legend(self, colours, y):
        """Returns the y below it."""
        x = 10
        for name, colour in colours.items():
            width = 26 + 7.2 * len(name)
            if x + width > WIDTH:
                x, y = 10, y + 20
            self.box(x, y - 10, 12, 12, colour, name)
            self.text(x + 17, y, name)
            x += width + 8
        return y + 14

    def write(self, file):
        file.write_text("\n".join([*self.parts, "</svg>"]) + "\n")
        print(file)


def rowan(program, *arguments):
    done = subprocess.run([program, *arguments, "--json", "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"rowan {' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout)


def shares_of(why):
    shares = {}
    for b in why["bins"]:
        if b["nprod"]:
            shares[b["candidate"]] = shares.get(b["candidate"], 0) + b["nprod"] / why["nprod"]
    return shares


def stacked(file, label, rows, colours, note):
    used = {name: c for name, c in colours.items() if any(shares.get(name) for _, _, shares in rows)}
    drawing = Drawing(len(rows) * 34 + 80, label)
    top = drawing.legend(used, 18) + 10
    left, right = 200, WIDTH - 110
    for name, figure, shares in rows:
        x = left
        drawing.text(left - 10, top + 15, name, anchor="end")
        for part, colour in used.items():
            width = shares.get(part, 0) * (right - left)
            if width:
                drawing.box(x, top, width, 22, colour, f"{part}: {100 * shares[part]:.1f} %")
            x += width
        drawing.text(right + 8, top + 15, figure, dim=True)
        top += 34
    drawing.text(left, top + 6, note, dim=True)
    drawing.write(file)


def choices(program, folder):
    rows = []
    for name, source in PRODUCTS:
        why = rowan(program, "inspect", source, "--rows", ":0")
        rows.append((name, f"{why['nprod'] / 1e6:.2f} M products", shares_of(why)))
    stacked(folder / "choices.svg", "Share of the products that each accumulator computes, in seven products", rows, COLOURS,
            "share of the products of A·A that each accumulator computes, as the built-in model chooses")


def rows_of_a_graph(program, folder):
    """A point a row: its products, coloured by its accumulator."""
    why = rowan(program, "inspect", str(DATA / "web-indochina-2004.mtx.gz"))
    height, left, top, bottom = 320, 60, 40, 280
    drawing = Drawing(height, "Rows of a web graph: products of each, coloured by accumulator")
    used = {name: c for name, c in COLOURS.items() if any(r["candidate"] == name for r in why["rows"])}
    drawing.legend(used, 18)
    most = math.log10(max(r["nprod"] for r in why["rows"]))
    for power in range(int(most) + 1):
        y = bottom - (bottom - top) * power / most
        drawing.line(left, y, WIDTH - 10, y)
        drawing.text(left - 6, y + 4, f"{10**power:,}", dim=True, anchor="end")
    for r in why["rows"][::6]:
        if r["nprod"]:
            x = left + (WIDTH - 10 - left) * r["row"] / why["rows_total"]
            y = bottom - (bottom - top) * math.log10(r["nprod"]) / most
            drawing.parts.append(f'<circle cx="{x:.0f}" cy="{y:.1f}" r="1.8" fill="{COLOURS[r["candidate"]]}"/>')
    drawing.text(left, bottom + 24, "row of C, from the first to the last (every sixth); up: its products", dim=True)
    drawing.write(folder / "rows.svg")


def costs(program, folder):
    """Time of each accumulator for all rows, by the length of rows."""
    lengths, lines = [2, 4, 6, 8, 12, 16, 24, 32, 48, 64], {}
    for length in lengths:
        n = max(2000, min(200000, 3000000 // length**2))
        why = rowan(program, "inspect", f"generated:random:n={n},row_length={length}", "--measure", "--threads", "1", "--rows", ":0")
        for c in why.get("forced", []):
            if c["name"] in ("sort", "dense-window", "dense-rank", "hash"):
                lines.setdefault(c["name"], []).append((length**2, 1e9 * c["seconds"] / why["nprod"]))
    height, left, right, top, bottom = 360, 60, WIDTH - 20, 40, 310
    drawing = Drawing(height, "Nanoseconds a product of four accumulators, by products of a row")
    drawing.legend({name: COLOURS[name] for name in lines}, 18)
    low, high = 0.5, max(y for line in lines.values() for _, y in line) * 1.1
    px = lambda x: left + (right - left) * math.log2(x / 4) / math.log2(lengths[-1]**2 / 4)
    py = lambda y: bottom - (bottom - top) * math.log2(y / low) / math.log2(high / low)
    for y in (0.5, 1, 2, 4, 8, 16, 32, 64):
        if y <= high:
            drawing.line(left, py(y), right, py(y))
            drawing.text(left - 6, py(y) + 4, f"{y:g} ns", dim=True, anchor="end")
    for length in lengths[::2] + lengths[-1:]:
        drawing.text(px(length**2), bottom + 16, f"{length**2:,}", dim=True, anchor="middle")
    for name, line in lines.items():
        points = " ".join(f"{px(x):.1f},{py(max(y, low)):.1f}" for x, y in line)
        drawing.parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2.5"/>')
    drawing.text(left, bottom + 38, "products a row, random columns; one accumulator for all rows, one thread, time a product", dim=True)
    drawing.write(folder / "costs.svg")


def stages(program, folder):
    rows = []
    for name, source in PRODUCTS[:6]:
        best = min((rowan(program, "multiply", source, "--stats", "--threads", "1")["seconds"] for _ in range(5)),
                   key=lambda s: s["total"])
        rows.append((name, f"{1e3 * best['total']:.1f} ms", {s: best[s] / best["total"] for s in STAGES}))
    stacked(folder / "stages.svg", "Share of the time that each stage takes, in six products", rows, STAGES,
            "share of the time of a multiplication, one thread; the rightmost stage computes C")


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    program, folder = arguments[0], Path(arguments[1]) if len(arguments) > 1 else HERE
    choices(program, folder)
    rows_of_a_graph(program, folder)
    if "--choices" not in sys.argv:
        costs(program, folder)
        stages(program, folder)


main()
