"""Markov clustering (van Dongen 2000) of a graph: random walks are taken two steps further at a time (M·M), then likely
ones are made likelier (squares), until nothing changes. Walks that end together are a cluster.

    markov_clustering.py GRAPH.mtx.gz
"""
import sys

import numpy as np
import pyrowan
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components


def scaled_rows(m):
    """With rows whose sum is 1."""
    rows = np.repeat(np.arange(m.shape[0]), np.diff(m.indptr))
    m.data /= np.bincount(rows, weights=m.data)[rows]
    return m


def one_step(graph):
    """One step along an edge, or none (first in its row: rows need not be sorted), each as likely as the others."""
    n = graph.shape[0]
    indices = np.insert(graph.indices, graph.indptr[:-1], np.arange(n))
    return scaled_rows(sp.csr_matrix((np.ones(len(indices)), indices, graph.indptr + np.arange(n + 1)), shape=(n, n)))


def inflated(m):
    """The squares of the probabilities, without those below 1/10,000."""
    rows = np.repeat(np.arange(m.shape[0]), np.diff(m.indptr))
    squares = m.data**2
    m.data = np.where(squares >= 1e-4 * np.bincount(rows, weights=squares)[rows], squares, 0)
    m.eliminate_zeros()
    return scaled_rows(m)


def same(a, b):
    return a.nnz == b.nnz and (a.indices == b.indices).all() and (a.data == b.data).all()


def modularity(graph, of):
    """The share of edges within clusters, less what it would be if edges fell at random (Newman 2006)."""
    edges = graph.tocoo()
    ends = np.bincount(of[edges.row]) / graph.nnz
    return np.mean(of[edges.row] == of[edges.col]) - np.sum(ends**2)


def main(path):
    graph = pyrowan.read(path)
    walks = one_step(graph)
    for steps in range(1, 101):
        following = inflated(pyrowan.multiply(walks, walks))
        changed = not same(following, walks)
        walks = following
        if not changed:
            break
    count, of = connected_components(walks, directed=False)
    print(f"{graph.shape[0]} vertices, {count} clusters after {steps} steps, modularity {modularity(graph, of):.4f}")
    return 0 if not changed else 1


sys.exit(main(sys.argv[1]))
