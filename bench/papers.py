#!/usr/bin/env python3
"""Tables of docs/papers.md from what bench/papers.sh has run: papers.py LINES.jsonl...

Each experiment is a table of ratios between its ways, geometric mean, least and most over the matrices, beside what the
paper published. Lines that a GPU run wrote have seconds, those of the emulator what it counted."""
import json
import math
import os
import sys


def load(files):
    """{(experiment, way): {matrix: line}}, matrices in the order of the files."""
    found = {}
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for text in lines:
                line = json.loads(text)
                name = line["matrix"]
                short = name.removeprefix("generated:") if name.startswith("generated:") else os.path.basename(name)
                line["matrix"] = short.removesuffix(".bin").removesuffix(".mtx.gz")
                found.setdefault((line["experiment"], line["way"]), {})[line["matrix"]] = line
    return found


def spread(values):
    """Geometric mean, least and most."""
    if not values:
        return "not run"
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return f"{mean:.2f} ({min(values):.2f}-{max(values):.2f})"


def total(line):
    return sum(line[s] for s in ("features", "binning", "deciding", "symbolic", "numeric"))


MEASURES = {
    "whole": lambda l: l["whole"],
    "symbolic": lambda l: l["symbolic"],
    "numeric": lambda l: l["numeric"],
    "both phases": lambda l: l["symbolic"] + l["numeric"],
    "symbolic probes": lambda l: l["whole_swaps"] - l["numeric_swaps"],
    "numeric probes": lambda l: l["numeric_swaps"],
    "symbolic shared accesses": lambda l: l["whole_shared_accesses"] - l["numeric_shared_accesses"],
    "shared accesses": lambda l: l["numeric_shared_accesses"],
    "shared atomics": lambda l: l["numeric_shared_atomics"],
    "global atomics": lambda l: l["numeric_global_atomics"],
    "global bytes": lambda l: l["numeric_global_bytes"],
    "all accesses": lambda l: l["whole_accesses"],
}


def ratios(found, experiment, over, way, measure):
    """Measure of `over` by that of `way`, matrix by matrix: how many times less `way` takes."""
    of = MEASURES[measure]
    a, b = found.get((experiment, over), {}), found.get((experiment, way), {})
    values = []
    for matrix, line in a.items():
        try:
            if matrix in b and of(line) > 0 and of(b[matrix]) > 0:
                values.append(of(line) / of(b[matrix]))
        except KeyError:  # a line of the other kind
            pass
    return values


# what is compared: title, experiment, way before, way after, measure on a GPU, published
COMPARED = [
    ("nsparse's choices / dcu-nsparse's, symbolic", "dcu", "nsparse", "dcu-nsparse", "symbolic", "2.23 (DCU fig. 12)"),
    ("nsparse's choices / dcu-nsparse's, numeric", "dcu", "nsparse", "dcu-nsparse", "numeric", "2.52 (DCU fig. 13)"),
    ("multi access / single access, symbolic", "variants", "multi_access opsparse", "none opsparse", "symbolic",
     "1.09 (OpSparse fig. 9)"),
    ("multi access / single access, numeric", "variants", "multi_access opsparse", "none opsparse", "numeric",
     "1.10 (OpSparse fig. 9)"),
    ("1 slot / 1.2 slots a product, symbolic", "symbolic-room", "1", "1.2", "symbolic", "1.02 (OpSparse fig. 10)"),
    ("1 / 1.5, symbolic", "symbolic-room", "1", "1.5", "symbolic", "0.99 (OpSparse fig. 10)"),
    ("1 slot / 1.5 slots an entry, numeric", "numeric-room", "1", "1.5", "numeric", "1.14 (OpSparse fig. 11)"),
    ("1 / 2, numeric", "numeric-room", "1", "2", "numeric", "1.23 (OpSparse fig. 11)"),
    ("1 / 3, numeric", "numeric-room", "1", "3", "numeric", "1.20 (OpSparse fig. 11)"),
    ("small rows first / large rows first, opsparse", "variants", "small_first opsparse", "none opsparse",
     "both phases", "27.6 ms -> 21.5 ms on webbase-1M (OpSparse 6.3.4)"),
    ("small rows first / large rows first, device-rules", "variants", "small_first device-rules", "none device-rules",
     "both phases", "-"),
    ("one stream / several, opsparse", "variants", "one_stream opsparse", "none opsparse", "both phases", "-"),
    ("one stream / several, device-rules", "variants", "one_stream device-rules", "none device-rules", "both phases",
     "-"),
    ("lanes by B's longest row / by its average", "lanes", "by longest", "by average", "both phases",
     "longest is better (DCU 5.1, no figure)"),
    ("bitonic for all / counting to 64 entries, opsparse", "variants", "no_counting opsparse", "none opsparse",
     "numeric", "count below a threshold, radix above (DeltaSPARSE III.A, no figure)"),
    ("counting to 128 / to 64 entries, opsparse", "variants", "counting_128 opsparse", "none opsparse", "numeric", "-"),
    ("bitonic for all / counting to 64 entries, then radix", "variants", "no_counting opsparse", "none radix",
     "numeric", "-"),
    ("radix for all / counting to 64 entries, then radix", "variants", "no_counting radix", "none radix", "numeric",
     "count below a threshold, radix above (DeltaSPARSE III.A, no figure)"),
    ("counting to 128 / to 64 entries, then radix", "variants", "counting_128 radix", "none radix", "numeric", "-"),
    ("whole tables sorted / entries packed, then bitonic", "table-sort", "whole", "bitonic", "numeric",
     "less shared memory and fewer branches (DCU 5.3, no figure)"),
    ("rows beyond shared memory: sorted in place / by the library", "long-rows", "in place", "library", "numeric",
     "the library where rows are few (DCU 5.4.2, no figure)"),
    ("rows never abandoned / abandoned to dense-rank, deltasparse", "collisions", "none", "deltasparse", "symbolic",
     "collisions detected (DeltaSPARSE III.A, no figure)"),
    ("no bins / bins, device-rules", "bins", "unbinned device-rules", "binned device-rules", "whole",
     "not always better (DeltaSPARSE III.B, no figure)"),
    ("no bins / bins, opsparse", "bins", "unbinned opsparse", "binned opsparse", "whole", "-"),
    ("textbook's order / any order, device-rules", "order", "textbook device-rules", "any device-rules", "numeric", "-"),
    ("textbook's order / any order, hash", "order", "textbook hash", "any hash", "numeric", "-"),
    ("textbook's order / any order, dense-rank", "order", "textbook dense-rank", "any dense-rank", "numeric", "-"),
]

# register kernels and what they replace, register-aware's figures 9 to 11
REGISTERS = [
    ("sorted in shared memory / in registers", "shared_sort sort", "none sort", "numeric", "2.0 (fig. 9b)"),
    ("merged by a lane a row of B / by registers of several", "lane_a_row_of_b sort-merge", "none sort-merge", "numeric",
     "2.6 (fig. 10b)"),
    ("counted by hash / by hash from registers", "hash", "hash-registers", "symbolic", "1.7 (fig. 11b)"),
    ("sorted in registers / merged, numeric", "none sort", "none sort-merge", "numeric", "-"),
    ("sorted / merged, symbolic", "none sort", "none sort-merge", "symbolic", "-"),
    ("sorted / hashed from registers, symbolic", "none sort", "hash-registers", "symbolic", "-"),
]

# what the emulator counts of the same
COUNTED = [
    ("multi / single access, symbolic: accesses to shared memory", "variants", "multi_access opsparse",
     "none opsparse", "symbolic shared accesses"),
    ("multi / single access, symbolic: compare-and-swap", "variants", "multi_access opsparse", "none opsparse",
     "symbolic probes"),
    ("multi / single access, numeric: accesses to shared memory", "variants", "multi_access opsparse",
     "none opsparse", "shared accesses"),
    ("multi / single access, numeric: compare-and-swap", "variants", "multi_access opsparse", "none opsparse",
     "numeric probes"),
    ("1 / 1.2 slots, symbolic: probes", "symbolic-room", "1", "1.2", "symbolic probes"),
    ("1 / 1.5 slots, symbolic: probes", "symbolic-room", "1", "1.5", "symbolic probes"),
    ("1 / 1.5 slots, numeric: probes", "numeric-room", "1", "1.5", "numeric probes"),
    ("1 / 2 slots, numeric: probes", "numeric-room", "1", "2", "numeric probes"),
    ("1 / 3 slots, numeric: probes", "numeric-room", "1", "3", "numeric probes"),
    ("1 / 2 slots, numeric: accesses to shared memory", "numeric-room", "1", "2", "shared accesses"),
    ("hash / sort, numeric: accesses to shared memory", "accumulator", "hash", "sort", "shared accesses"),
    ("hash / sort, numeric: bytes of global memory", "accumulator", "hash", "sort", "global bytes"),
    ("hash / dense-rank, numeric: accesses to shared memory", "accumulator", "hash", "dense-rank", "shared accesses"),
    ("sorted in shared memory / in registers: accesses to shared memory", "registers", "shared_sort sort", "none sort",
     "shared accesses"),
    ("merged by a lane a row of B / by several: all accesses", "registers", "lane_a_row_of_b sort-merge",
     "none sort-merge", "all accesses"),
    ("sorted in registers / merged: accesses to shared memory", "registers", "none sort", "none sort-merge",
     "shared accesses"),
    ("counted by hash / by hash from registers: accesses to shared memory", "registers", "hash", "hash-registers",
     "symbolic shared accesses"),
    ("sorted / hashed from registers, symbolic: accesses to shared memory", "registers", "none sort", "hash-registers",
     "symbolic shared accesses"),
    ("bitonic / counting to 64, numeric: accesses to shared memory", "variants", "no_counting opsparse",
     "none opsparse", "shared accesses"),
    ("counting to 128 / to 64, numeric: accesses to shared memory", "variants", "counting_128 opsparse",
     "none opsparse", "shared accesses"),
    ("bitonic / radix, numeric: accesses to shared memory", "table-sort", "bitonic", "radix", "shared accesses"),
    ("whole tables / packed, then bitonic, numeric: accesses to shared memory", "table-sort", "whole", "bitonic",
     "shared accesses"),
    ("textbook's / any order, hash: shared atomics", "order", "textbook hash", "any hash", "shared atomics"),
    ("textbook's / any order, hash: all accesses", "order", "textbook hash", "any hash", "all accesses"),
    ("textbook's / any order, dense-rank: all accesses", "order", "textbook dense-rank", "any dense-rank",
     "all accesses"),
    ("textbook's / any order, device-rules: all accesses", "order", "textbook device-rules", "any device-rules",
     "all accesses"),
]


def collisions(found):
    """Probes beyond the first of a product, of 100 products, by slots per entry."""
    print("\n| collisions of 100 products, every matrix together | |\n|---|--:|")
    for phase, experiment, measure in (("symbolic", "symbolic-room", "symbolic probes"),
                                       ("numeric", "numeric-room", "numeric probes")):
        for room in ("1", "1.2", "1.5", "2", "3"):
            lines = found.get((experiment, room), {}).values()
            if lines:
                probes, products = sum(map(MEASURES[measure], lines)), sum(line["nprod"] for line in lines)
                print(f"| {phase}, {room} slots | {100 * (probes / products - 1):.1f} |")


def by_rows(found):
    """Numeric phases, row by row's size: what the thresholds between sorts are read off; and by the number of long rows."""
    def numeric(experiment, way, matrix):
        line = found.get((experiment, way), {}).get(matrix)
        return line["numeric"] * 1e6 if line else float("nan")

    sorts = found.get(("table-sort", "bitonic"), {})
    if sorts:
        ways = [("table-sort", way) for way in ("bitonic", "whole", "radix")]
        ways += [("variants", way) for way in ("none opsparse", "no_counting opsparse", "no_counting radix",
                                               "counting_128 opsparse")]
        print("\n| us, numeric | entries a row | " + " | ".join(way for _, way in ways) + " |\n|---|--:|" +
              "--:|" * len(ways))
        for matrix, line in sorts.items():
            print(f"| {matrix} | {line['nnz'] / line['rows']:.0f} | " +
                  " | ".join(f"{numeric(e, w, matrix):.0f}" for e, w in ways) + " |")
    long = found.get(("long-rows", "in place"), {})
    if long:
        print("\n| us, numeric | in place | library |\n|---|--:|--:|")
        for matrix in long:
            print(f"| {matrix} | {numeric('long-rows', 'in place', matrix):.0f} | "
                  f"{numeric('long-rows', 'library', matrix):.0f} |")


def seconds_tables(found):
    print("\n| share of the whole | mean | most | published: mean, most |\n|---|--:|--:|---|")
    for way, published in (("device-rules", "-"), ("opsparse", "1.5 %, 4.7 % (OpSparse fig. 7)"),
                           ("nsparse", "10.1 %, 29.2 % (OpSparse fig. 7, nsparse's own); 4.9 %, 10.15 % (DCU fig. 11, "
                            "DCU-nsparse's)")):
        lines = found.get(("binning", way), {}).values()
        shares = [100 * line["binning"] / total(line) for line in lines]
        if shares:
            print(f"| bins, {way} | {sum(shares) / len(shares):.1f} % | {max(shares):.1f} % | {published} |")
    print("\n| ratio of times | geomean (least-most) | published |\n|---|--:|---|")
    for title, experiment, over, way, measure, published in COMPARED:
        print(f"| {title} | {spread(ratios(found, experiment, over, way, measure))} | {published} |")
    for title, over, way, measure, published in REGISTERS:
        print(f"| {title} | {spread(ratios(found, 'registers', over, way, measure))} | {published} |")
    registers_table(found)

    by_rows(found)

    def forced(matrix, way):
        line = found.get(("accumulator", way), {}).get(matrix)
        return line and line["symbolic"] + line["numeric"]

    matrices = {m: l for (e, _), lines in found.items() if e == "accumulator" for m, l in lines.items()}
    print("\n| matrix | products / entries | density of C | hash / sort | hash / dense-rank |\n|---|--:|--:|--:|--:|")
    for matrix, line in matrices.items():
        hashed, sort, dense = (forced(matrix, way) for way in ("hash", "sort", "dense-rank"))
        if hashed and sort and dense:
            print(f"| {matrix} | {line['nprod'] / line['nnz']:.2f} | "
                  f"{100 * line['nnz'] / (line['rows'] * line['cols']):.2f} % | {hashed / sort:.2f} | "
                  f"{hashed / dense:.2f} |")


def registers_table(found):
    """The same by matrix, by what share of products falls together: the papers' compression ratio."""
    lines = found.get(("registers", "none sort"), {})
    print("\n| matrix | products / entries | " + " | ".join(title for title, *_ in REGISTERS) + " |")
    print("|---|--:|" + "--:|" * len(REGISTERS))
    for matrix, line in sorted(lines.items(), key=lambda item: item[1]["nprod"] / item[1]["nnz"]):
        one = {key: {m: l for m, l in by.items() if m == matrix} for key, by in found.items() if key[0] == "registers"}
        cells = [ratios(one, "registers", over, way, measure) for _, over, way, measure, _ in REGISTERS]
        print(f"| {matrix} | {line['nprod'] / line['nnz']:.2f} | " +
              " | ".join(f"{c[0]:.2f}" if c else "-" for c in cells) + " |")


def counted_tables(found):
    print("\n| ratio of what is counted | geomean (least-most) |\n|---|--:|")
    for title, experiment, over, way, measure in COUNTED:
        print(f"| {title} | {spread(ratios(found, experiment, over, way, measure))} |")
    collisions(found)


def main():
    found = load(sys.argv[1:])
    lines = [line for by_matrix in found.values() for line in by_matrix.values()]
    if not lines:
        sys.exit("papers.py: no lines to read")
    if any("symbolic" in line for line in lines):
        seconds_tables(found)
    if any("whole_swaps" in line for line in lines):
        counted_tables(found)


if __name__ == "__main__":
    main()
