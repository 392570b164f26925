"""A nonlinear equation by Newton's method, each linear one by multigrid. The patterns of all coarse matrices stay the
same: the first step plans A·P and Pᵀ·(A·P), later ones compute their values again.

-div grad u + u³ = f on the unit square, 0 on its border; f is such that u = sin(pi x) sin(pi y).
"""
import sys

import numpy as np
import pyrowan
import scipy.sparse as sp


def interpolation(n):
    """Bilinear, to n x n points from every second one in both directions."""
    m = n // 2
    line = sp.lil_matrix((n, m))
    for j in range(m):
        line[2 * j, j], line[2 * j + 1, j], line[2 * j + 2, j] = 0.5, 1, 0.5
    return sp.kron(line, line, format="csr")


class Level:
    """A grid, and the products that lead to the next one."""

    def __init__(self, n):
        self.P = interpolation(n) if n > 1 else None
        self.R = self.P.T.tocsr() if n > 1 else None
        self.A = self.plans = None

    def coarse_matrix(self):
        if self.plans is None:
            AP = pyrowan.multiply(self.A, self.P)
            self.plans = pyrowan.Plan(self.A, self.P), pyrowan.Plan(self.R, AP)
        return self.plans[1].execute(self.R, self.plans[0].execute(self.A, self.P))

    def smooth(self, x, b):
        for _ in range(2):  # damped Jacobi
            x = x + 0.8 * (b - self.A @ x) / self.A.diagonal()
        return x


def v_cycle(levels, x, b):
    fine = levels[0]
    if fine.P is None:
        return b / fine.A.diagonal()  # one point
    x = fine.smooth(x, b)
    x = x + fine.P @ v_cycle(levels[1:], np.zeros(fine.P.shape[1]), fine.R @ (b - fine.A @ x))
    return fine.smooth(x, b)


def main():
    n = 63
    h = 1 / (n + 1)
    line = np.sin(np.pi * h * np.arange(1, n + 1))
    exact = np.outer(line, line).ravel()
    f = 2 * np.pi**2 * exact + exact**3
    step = sp.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))
    laplace = (sp.kron(step, sp.identity(n)) + sp.kron(sp.identity(n), step)).tocsr()
    on_diagonal = np.flatnonzero(laplace.indices == np.repeat(np.arange(n * n), np.diff(laplace.indptr)))
    levels = [Level(2**k - 1) for k in range(6, 0, -1)]
    levels[0].A = laplace.copy()
    u = np.zeros(n * n)
    start = None
    for iteration in range(9):
        residual = h * h * (f - u**3) - laplace @ u
        start = start or np.linalg.norm(residual)
        relative = np.linalg.norm(residual) / start
        print(f"step {iteration}: residual {relative:.1e}")
        if relative < 1e-11:
            break
        levels[0].A.data[on_diagonal] = laplace.data[on_diagonal] + 3 * h * h * u**2
        for fine, coarse in zip(levels, levels[1:]):
            coarse.A = fine.coarse_matrix()
        x = np.zeros(n * n)
        for _ in range(10):
            x = v_cycle(levels, x, residual)
        u += x
    error = abs(u - exact).max()
    print(f"{len(levels)} levels; largest error {error:.1e}; h² is {h * h:.1e}")
    return 0 if relative < 1e-11 and error < h * h else 1


sys.exit(main())
