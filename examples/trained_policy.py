"""Trains a policy on a folder of matrices, and multiplies with it: from its file, or from its text, which a package may
contain. A policy changes the time of a product, never its bits.

    trained_policy.py FOLDER POLICY.json
"""
import sys
from pathlib import Path

import pyrowan


def main(folder, policy):
    pyrowan.train([folder], policy, arguments=["--budget", "3"])
    text = Path(policy).read_text()
    for file in sorted(Path(folder).glob("*.mtx.gz")):
        A = pyrowan.read(file)
        B = A if A.shape[0] == A.shape[1] else A.T
        stats = {}
        C = pyrowan.multiply(A, B, model=policy, stats=stats)
        D = pyrowan.multiply(A, B, model=text)
        E = pyrowan.multiply(A, B)
        print(f"{file.name}: {stats['policy']}, {C.nnz} entries")
        for other in (D, E):
            if (C.indices != other.indices).any() or (C.data != other.data).any():
                return 1
    return 0


sys.exit(main(*sys.argv[1:]))
