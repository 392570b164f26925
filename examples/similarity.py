"""Which rows of a matrix are most alike: with rows of length 1, the entries of A·Aᵀ are the cosines between them. Here rows
are members of an institute, columns those that they wrote to.

    similarity.py MATRIX [HOW_MANY]
"""
import sys

import numpy as np
import pyrowan
import scipy.sparse as sp


def main(path, how_many=5):
    A = pyrowan.read(path)
    A.sort_indices()
    entries = np.diff(A.indptr)
    lengths = np.sqrt(np.add.reduceat(np.append(A.data**2, 0), A.indptr[:-1]) * (entries > 0))
    A.data /= np.repeat(lengths, entries)
    C = pyrowan.multiply(A, A.T)  # A.T is CSC, the same arrays: nothing is copied
    pairs = sp.tril(C, -1).tocoo()
    # only rows with five entries or more say much
    known = np.flatnonzero((entries[pairs.row] >= 5) & (entries[pairs.col] >= 5))
    best = known[np.lexsort((pairs.col[known], pairs.row[known], -pairs.data[known]))][:int(how_many)]
    print(f"{len(known)} pairs of rows have something in common; most alike:")
    for k in best:
        print(f"{pairs.row[k]:6} {pairs.col[k]:6}   {pairs.data[k]:.6f}")
    return 0 if abs(C - A @ A.T).max() < 1e-12 else 1


sys.exit(main(*sys.argv[1:]))
