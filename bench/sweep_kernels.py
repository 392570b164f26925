#!/usr/bin/env python3
"""Table of a sweep: sweep_kernels.py NUMBER TABLE.jsonl VALUE=LINES.jsonl...

For each way to multiply and each measure the table's number over the value's, geometric mean, least and most over the
matrices: above 1 the value takes less. Bits are not compared; the tests do that."""
import sys

from papers import MEASURES, load, spread


def ways(found):
    """{way without its variant's name: {matrix: line}}."""
    return {way.split(" ", 1)[1]: lines for (_, way), lines in found.items()}


def main():
    number, table, *values = sys.argv[1:]
    base = ways(load([table]))
    rows = []
    for argument in values:
        value, file = argument.rsplit("=", 1)
        for way, lines in ways(load([file])).items():
            rows.append((value, way, lines))
    lines = [line for of_way in base.values() for line in of_way.values()]
    timed = any("symbolic" in line for line in lines)
    measures = ["symbolic", "numeric", "whole"] if timed else ["all accesses", "shared accesses", "global bytes"]
    print(f"{number}: the table's value over another, {'time' if timed else 'counts'}; above 1 the other takes less\n")
    print("| value | way | " + " | ".join(measures) + " |")
    print("|---|---|" + "--:|" * len(measures))
    for value, way, lines in rows:
        cells = []
        for measure in measures:
            of = MEASURES[measure]
            pairs = [(of(base[way][m]), of(line)) for m, line in lines.items() if m in base.get(way, {})]
            cells.append(spread([a / b for a, b in pairs if a > 0 and b > 0]))
        print(f"| {value} | {way} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
