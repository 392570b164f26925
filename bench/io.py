#!/usr/bin/env python3
"""Reading and writing Matrix Market files: rowan beside scipy, the same files in the same run.

  bench/io.py [--megabytes 200] [--repeat 3] [--json FILE] [FILE.mtx ...]

Without files it makes three of the given size, from fixed seeds: doubles of full precision in rows, a pattern in rows, and
short integers column by column, the order of most collections. Needs python3-scipy; prints a table of ratios. Memory is
the peak of a process that only reads (VmHWM), against the matrix as CSR (12 bytes an entry, 8 a row).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import numpy
    import scipy
    import scipy.io
except ImportError:  # another python may come first in PATH than the one that Debian's python3-scipy is for
    debian = "/usr/bin/python3"
    if os.path.realpath(sys.executable) == os.path.realpath(debian) or not os.path.exists(debian):
        sys.exit("bench/io.py needs scipy: apt-get install python3-scipy")
    os.execv(debian, [debian, *sys.argv])

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/release/bench/read_write"


def make(path, kind, megabytes):
    """A square matrix of ten entries a row, as text of about this number of megabytes."""
    line = {"real": 33, "pattern": 14, "by-column": 20}[kind]
    rows = max(1, megabytes * 1000000 // (10 * line))
    random = numpy.random.default_rng(4)
    major = numpy.repeat(numpy.arange(1, rows + 1), 10)
    minor = random.integers(1, rows + 1, 10 * rows)
    with open(path, "w") as file:
        field = {"real": "real", "pattern": "pattern", "by-column": "integer"}[kind]
        file.write(f"%%MatrixMarket matrix coordinate {field} general\n{rows} {rows} {10 * rows}\n")
        for at in range(0, 10 * rows, 1000000):
            i, j = (a[at : at + 1000000].tolist() for a in (major, minor))
            if kind == "pattern":
                file.writelines(f"{a} {b}\n" for a, b in zip(i, j))
            elif kind == "real":
                values = random.standard_normal(len(i)).tolist()
                file.writelines(f"{a} {b} {v!r}\n" for a, b, v in zip(i, j, values))
            else:
                values = random.integers(-9999, 9999, len(i)).tolist()
                file.writelines(f"{b} {a} {v}\n" for a, b, v in zip(i, j, values))


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def rowan(threads, repeat, *files):
    done = subprocess.run([PROGRAM, str(threads), str(repeat), *map(str, files)], check=True, capture_output=True)
    return json.loads(done.stdout)


def measure(path, folder, repeat):
    """scipy and rowan interleaved; the minimum over rounds of each."""
    best = {}

    def keep(name, seconds):
        best[name] = min(seconds, best.get(name, seconds))

    for _ in range(repeat):
        seconds, matrix = timed(lambda: scipy.io.mmread(path))
        keep("scipy read", seconds)
        matrix = matrix.tocsr()
        # scipy writes 17 digits by default, too; its format is coordinate as ours
        seconds, _ = timed(lambda: scipy.io.mmwrite(folder / "scipy.mtx", matrix))
        keep("scipy write", seconds)
        del matrix
        for threads in (1, 2):
            result = rowan(threads, repeat, path, folder / "rowan.mtx")
            keep(f"rowan read {threads}", result["read"])
            keep(f"rowan write {threads}", result["write"])
            best[f"memory {threads}"] = max(result["peak"] / result["bytes"], best.get(f"memory {threads}", 0))
    best["file"] = path.name
    best["megabytes"] = path.stat().st_size / 1e6
    best["entries"] = result["nnz"]
    for threads in (1, 2):
        for what in ("read", "write"):
            best[f"{what} ratio {threads}"] = best[f"scipy {what}"] / best[f"rowan {what} {threads}"]
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE.mtx")
    parser.add_argument("--megabytes", type=int, default=200, help="of the files made (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds (%(default)s)")
    parser.add_argument("--json", type=pathlib.Path, help="also as JSON")
    arguments = parser.parse_args()
    subprocess.run(["cmake", "--preset", "release", "-S", ROOT], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    subprocess.run(["cmake", "--build", ROOT / "build/release", "--target", "read_write"], check=True,
                   stdout=subprocess.DEVNULL)
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = arguments.files
        if not files:
            files = [folder / f"{kind}.mtx" for kind in ("real", "pattern", "by-column")]
        print(f"scipy {scipy.__version__}; seconds, least of {arguments.repeat}; ratio to scipy; memory / CSR")
        print("| file | MB | entries | scipy read | rowan, 1 thread | 2 threads | memory, 1 / 2 threads "
              "| scipy write | rowan, 1 thread | 2 threads |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        for path in files:
            if not arguments.files:
                make(path, path.stem, arguments.megabytes)
            r = measure(path, folder, arguments.repeat)
            results.append(r)
            cell = lambda what, n: f"{r[f'rowan {what} {n}']:.2f} ({r[f'{what} ratio {n}']:.1f}×)"
            print(f"| {r['file']} | {r['megabytes']:.0f} | {r['entries']} | {r['scipy read']:.2f} | {cell('read', 1)} "
                  f"| {cell('read', 2)} | {r['memory 1']:.2f} / {r['memory 2']:.2f} | {r['scipy write']:.2f} "
                  f"| {cell('write', 1)} | {cell('write', 2)} |", flush=True)
            if not arguments.files:
                path.unlink()
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
