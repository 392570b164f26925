#!/usr/bin/env python3
"""pyrowan on matrices in the memory of an NVIDIA GPU beside CuPy's A @ A (cuSPARSE) and PyTorch's, each from and to its
own kind of matrix, every product compared with scipy's.

    PYTHONPATH=... bench/python_device.py [--seconds 0.3] MATRIX...      files, or generated:SPEC

Needs cupy and torch with CUDA, and a pyrowan that was built with -DROWAN_CUDA=ON. Prints a line a matrix: microseconds
of the median call, with the wait for the device, and ratios above 1 where pyrowan is faster.
"""

import argparse
import math
import statistics
import time

import cupy
import cupyx.scipy.sparse
import numpy as np
import torch

import pyrowan


def median_us(call, seconds):
    """Of calls with a wait each, for about that long, after two that count for nothing."""
    for _ in range(2):
        call()
        cupy.cuda.runtime.deviceSynchronize()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        cupy.cuda.runtime.deviceSynchronize()
        times.append(1e6 * (time.perf_counter() - start))
    return statistics.median(times)


def wrong(c, expected):
    """The largest difference of C's entries, over the largest entry; infinite where a size differs."""
    if c.shape != expected.shape:
        return math.inf
    scale = abs(expected).max() or 1
    return abs(c - expected).max() / scale


def from_torch(t):
    import scipy.sparse
    t = t.cpu()
    return scipy.sparse.csr_matrix((t.values().numpy(), t.col_indices().numpy(), t.crow_indices().numpy()),
                                   tuple(t.shape))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--seconds", type=float, default=0.3, help="for each contestant of each matrix")
    arguments.add_argument("matrix", nargs="+")
    options = arguments.parse_args()
    ratios = {"CuPy": [], "PyTorch": []}
    print(f"{'matrix':28} {'products':>11} {'pyrowan':>9} {'plan':>8} {'CuPy':>9} {'ratio':>6}   "
          f"{'pyrowan':>9} {'PyTorch':>9} {'ratio':>6}  {'differs':>8}")
    for name in options.matrix:
        m = pyrowan.generate(name.removeprefix("generated:")) if name.startswith("generated:") else pyrowan.read(name)
        expected = m @ m
        nprod = int(np.diff(m.indptr)[m.indices].sum())
        a = cupyx.scipy.sparse.csr_matrix(m)
        t = torch.sparse_csr_tensor(torch.from_numpy(m.indptr), torch.from_numpy(m.indices), torch.from_numpy(m.data),
                                    m.shape, device="cuda")
        how = {"validate": False}  # as CuPy and PyTorch do
        plan = pyrowan.Plan(a, a, **how)
        differs = max(wrong(pyrowan.multiply(a, a, **how).get(), expected), wrong(plan.execute(a, a).get(), expected),
                      wrong(from_torch(pyrowan.multiply(t, t, **how)), expected))
        ours, again = median_us(lambda: pyrowan.multiply(a, a, **how), options.seconds), median_us(
            lambda: plan.execute(a, a), options.seconds)
        theirs = median_us(lambda: a @ a, options.seconds)
        ours_torch = median_us(lambda: pyrowan.multiply(t, t, **how), options.seconds)
        try:
            of_torch = median_us(lambda: t @ t, options.seconds)
        except RuntimeError as e:  # cuSPARSE may lack memory
            print(f"{name}: PyTorch: {str(e).splitlines()[0]}")
            of_torch = math.nan
        ratios["CuPy"].append(theirs / ours)
        if not math.isnan(of_torch):
            ratios["PyTorch"].append(of_torch / ours_torch)
        short = name.removeprefix("generated:").rsplit("/", 1)[-1].split(".")[0][:28]
        print(f"{short:28} {nprod:11} {ours:9.1f} {again:8.1f} {theirs:9.1f} {theirs / ours:6.2f}   {ours_torch:9.1f} "
              f"{of_torch:9.1f} {of_torch / ours_torch:6.2f}  {differs:8.1e}", flush=True)
        assert differs < 1e-12, name
    for who, all_ in ratios.items():
        print(f"pyrowan over {who}: geomean {statistics.geometric_mean(all_):.2f}, least {min(all_):.2f}, "
              f"of {len(all_)}")
    a = cupyx.scipy.sparse.csr_matrix(pyrowan.generate("stencil2d:nx=10,ny=1"))
    print(f"a 10 x 10 matrix: pyrowan {median_us(lambda: pyrowan.multiply(a, a), options.seconds):.1f} us, "
          f"CuPy {median_us(lambda: a @ a, options.seconds):.1f} us")


if __name__ == "__main__":
    main()
