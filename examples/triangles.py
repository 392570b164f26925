"""Counts the triangles of a graph. Vertices are ordered by degree and L has each edge once, from the later to the earlier
vertex: (L·L)(i, j) counts the paths i -> k -> j, and those that an edge i -> j closes are the triangles.

    triangles.py GRAPH.mtx.gz
"""
import sys

import numpy as np
import pyrowan
import scipy.sparse as sp


def main(path):
    graph = pyrowan.read(path)
    if abs(graph - graph.T).nnz:
        sys.exit(f"{path}: an edge goes one way only")
    degree = np.diff(graph.indptr)
    order = np.argsort(degree, kind="stable")
    L = sp.tril(graph[order][:, order], -1, format="csr")
    L.data[:] = 1
    triangles = int(pyrowan.multiply(L, L).multiply(L).sum())
    wedges = (degree * (degree - 1) // 2).sum()  # pairs of neighbours
    print(f"{L.nnz} edges, {triangles} triangles, {3 * triangles / wedges:.4f} of all pairs of neighbours are neighbours")
    # the trace of the graph's cube has each triangle six times
    full = L + L.T
    return 0 if 6 * triangles == int((full @ full).multiply(full).sum()) else 1


sys.exit(main(sys.argv[1]))
