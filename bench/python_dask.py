#!/usr/bin/env python3
"""pyrowan.dask.multiply(A, A) beside Dask's own product of sparse chunks, da.tensordot.

    PYTHONPATH=build/release/python bench/python_dask.py [--chunks 8] [--workers 2] [--rounds 5] [MATRIX...]

Files, or generated:SPEC. Both on Dask's threads, and rowan's on a LocalCluster of one-thread processes, where A's chunks are
already: C stays where it is made. Interleaved, the minimum over rounds; the same entries are checked. Bytes are those that
workers received from one another for one product, beside those of A.
"""

import argparse
import sys
import time

import dask
import dask.array as da
import distributed
import numpy as np

import pyrowan
import pyrowan.dask

DEFAULT = ["generated:stencil3d:nx=60,ny=60,nz=60", "generated:delaunay:nx=300,ny=300", "generated:rmat:scale=14"]


def load(name):
    return pyrowan.generate(name[10:]) if name.startswith("generated:") else pyrowan.read(name)


def timed(least, name, work):
    start = time.perf_counter()
    result = work()
    least[name] = min(least.get(name, np.inf), time.perf_counter() - start)
    return result


def received(client):
    """Bytes that workers have received from workers."""
    log = lambda dask_worker: sum(t["total"] for t in dask_worker.transfer_incoming_log)
    return sum(client.run(log).values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="*", metavar="MATRIX", default=DEFAULT)
    for name, default in (("chunks", 8), ("workers", 2), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    print("| matrix | chunks | scipy in one process ms | tensordot, threads | rowan, threads | rowan, cluster | "
          "received, all pairs | pruned | A |\n|---|" + "--:|" * 8)
    with distributed.LocalCluster(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        for name in arguments.matrices:
            a = load(name)
            here = pyrowan.dask.from_scipy(a, -(-a.shape[0] // arguments.chunks))
            there = client.persist(here)
            distributed.wait(there)
            tiles = here.rechunk((here.chunks[0], here.chunks[0]))
            tiles = tiles.persist(scheduler="threads")
            least, moved = {}, {}
            with dask.config.set(scheduler="threads", num_workers=arguments.workers):
                for _ in range(arguments.rounds):
                    timed(least, "scipy", lambda: a @ a)
                    theirs = timed(least, "tensordot", lambda: da.tensordot(tiles, tiles, axes=(1, 0)).compute())
                    ours = timed(least, "threads", lambda: pyrowan.dask.multiply(here, here, prune=True).compute())
                    assert theirs.nnz == ours.nnz
            for prune in (False, True):
                for _ in range(arguments.rounds):
                    before = received(client)

                    def product():
                        c = client.persist(pyrowan.dask.multiply(there, there, prune=prune))
                        distributed.wait(c)
                        return c

                    c = timed(least, f"cluster {prune}", product)
                    moved[prune] = min(moved.get(prune, np.inf), received(client) - before)
                    del c
            ms = lambda what: f"{1e3 * least['scipy']:.0f}" if what == "scipy" else f"{least['scipy'] / least[what]:.2f}×"
            print(f"| {name} | {arguments.chunks} | {ms('scipy')} | {ms('tensordot')} | {ms('threads')} | {ms('cluster True')} | "
                  f"{moved[False] / 1e6:.2f} MB | {moved[True] / 1e6:.2f} MB | "
                  f"{(a.data.nbytes + a.indices.nbytes + a.indptr.nbytes) / 1e6:.1f} MB |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
