#!/usr/bin/env python3
"""pyrowan.multiply(A, A) beside scipy's A @ A, and what a call costs by itself.

    PYTHONPATH=build/release/python bench/python.py [MATRIX...]      files, or generated:SPEC; else those of bench/sets/host10.txt

Each matrix: both in turn for a second at least, the median of each; the same numbers of entries are checked. scipy does not
sort C's indices; its time with sort_indices() stands beside, because pyrowan's are sorted.
"""

import statistics
import sys
import time
from pathlib import Path

import numpy as np
import scipy
import scipy.sparse as sp

import pyrowan

TEN = Path(__file__).parent / "sets/host10.txt"


def median_of(calls, seconds=1.0):
    """The median time of each call, one after another."""
    times = [[] for _ in calls]
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds or len(times[0]) < 3:
        for call, of_call in zip(calls, times):
            start = time.perf_counter()
            call()
            of_call.append(time.perf_counter() - start)
    return [statistics.median(t) for t in times]


def load(source):
    return pyrowan.generate(source.removeprefix("generated:")) if source.startswith("generated:") else pyrowan.read(source)


def main():
    sources = sys.argv[1:] or [line for line in TEN.read_text().split() if line.startswith("generated:")]
    print(f"pyrowan {pyrowan.__version__}, scipy {scipy.__version__}, numpy {np.__version__}; times in ms")
    print(f"{'matrix':48} {'scipy':>9} {'sorted':>9} {'1 thread':>9} {'2 threads':>9} {'times as fast':>14} {'2':>7}")
    ratios = []
    for source in sources:
        a = load(source)
        c = pyrowan.multiply(a, a)
        assert c.nnz == (a @ a).nnz, source
        theirs, theirs_sorted, one, two = median_of([
            lambda: a @ a,
            lambda: (a @ a).sort_indices(),
            lambda: pyrowan.multiply(a, a, threads=1),
            lambda: pyrowan.multiply(a, a, threads=2),
        ])
        ratios.append((theirs / one, theirs / two, theirs_sorted / one))
        print(f"{source[-48:]:48} {1e3 * theirs:9.2f} {1e3 * theirs_sorted:9.2f} {1e3 * one:9.2f} {1e3 * two:9.2f} "
              f"{theirs / one:13.2f}x {theirs / two:6.2f}x")
    means = np.exp(np.mean(np.log(ratios), axis=0))
    print(f"geomean of {len(ratios)}: {means[0]:.2f} (least {min(r[0] for r in ratios):.2f}), two threads {means[1]:.2f} "
          f"(least {min(r[1] for r in ratios):.2f}); beside scipy with sorted indices {means[2]:.2f}")
    small = sp.random(10, 10, density=0.3, format="csr", random_state=1)
    theirs, ours = median_of([lambda: small @ small, lambda: pyrowan.multiply(small, small)])
    print(f"a call on a 10 x 10 matrix: pyrowan {1e6 * ours:.0f} us, scipy {1e6 * theirs:.0f} us")


if __name__ == "__main__":
    main()
