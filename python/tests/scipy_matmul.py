"""scipy's own tests of products of sparse matrices, with pyrowan in place of scipy's multiplication.

Products of float32 and float64 go to pyrowan, all others (integers, complex) to scipy as before. A test that fails with
pyrowan and not without fails this program. Prints how many tests ran and how many products pyrowan made.
"""

import io
import sys
from contextlib import redirect_stdout

import numpy as np
import pytest
import scipy
from scipy.sparse import _compressed

import pyrowan

NAMES = "mul or matmul or power or dot"
made = {"pyrowan": 0, "scipy": 0}


class Outcomes:
    """What became of each test."""

    def __init__(self):
        self.of = {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.failed:
            self.of[report.nodeid] = report.outcome


def run():
    outcomes = Outcomes()
    with redirect_stdout(io.StringIO()):
        pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:warnings", "--pyargs", "scipy.sparse.tests.test_base",
                     "-k", NAMES], plugins=[outcomes])
    return outcomes.of


def replaced(self, other):
    other = self.__class__(other)  # as scipy does
    kind = np.result_type(self.dtype, other.dtype)
    if kind in (np.float32, np.float64):
        made["pyrowan"] += 1
        return self.__class__(pyrowan.multiply(self, other, dtype=kind))
    made["scipy"] += 1
    return ORIGINAL(self, other)


METHOD = "_matmul_sparse" if hasattr(_compressed._cs_matrix, "_matmul_sparse") else "_mul_sparse_matrix"
ORIGINAL = getattr(_compressed._cs_matrix, METHOD)


def main():
    before = run()
    setattr(_compressed._cs_matrix, METHOD, replaced)
    after = run()
    failed = sorted(t for t, outcome in after.items() if outcome == "failed" and before.get(t) != "failed")
    passed = sum(outcome == "passed" for outcome in after.values())
    print(f"scipy {scipy.__version__}: {len(after)} tests ({NAMES}), {passed} passed, "
          f"{sum(o == 'skipped' for o in after.values())} skipped, "
          f"{sum(o == 'failed' for o in before.values())} fail without pyrowan, {len(failed)} only with it; "
          f"{made['pyrowan']} products by pyrowan, {made['scipy']} of other types by scipy")
    for test in failed:
        print("fails:", test)
    return 1 if failed or made["pyrowan"] == 0 or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
