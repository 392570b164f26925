"""A program of hypre's with and without the library: interpose.py SOLVER LIBRARY MPIRUN"""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
from outside import check, finish, mpirun, run as run_program  # noqa: E402

SOLVER, LIBRARY, MPIRUN = sys.argv[1:4]


def run(processes, with_rowan, **more):
    if with_rowan:
        more = {"LD_PRELOAD": LIBRARY, "ROWAN_HYPRE_VIEW": 1, **more}
    settings = [part for name, value in more.items() for part in ("-x", f"{name}={value}")]
    code, out, errors = run_program([*mpirun(MPIRUN, processes, *settings), SOLVER, "11"], os.environ)
    return code, out + errors


def residuals(text):
    return [float(r) for r in re.findall(r"^\d+ residual (\S+)$", text, re.M)]


def counts(text):
    return [tuple(map(int, found)) for found in
            re.findall(r"^rowan: hypre: (\d+) products, (\d+) of three, (\d+) left", text, re.M)]


for processes in (1, 2, 4):
    code, plain = run(processes, False)
    check(code == 0 and len(residuals(plain)) == 6, f"the solver runs without rowan on {processes}: {plain}")
    code, text = run(processes, True)
    check(code == 0, f"the solver runs with rowan on {processes}: {text}")
    pairs = list(zip(residuals(plain), residuals(text)))
    check(len(pairs) == 6 and all(abs(a - b) <= 1e-6 * a for a, b in pairs), f"residuals on {processes}: {pairs}")
    check(len(counts(text)) == processes and all(triple > 0 and left == 0 for _, triple, left in counts(text)),
          f"coarse matrices are rowan's on {processes}: {counts(text)}")

# where rowan fails, hypre's own functions go on
code, text = run(2, True, ROWAN_MODEL="/nonexistent.json")
check(code == 0 and len(residuals(text)) == 6, f"a failure is left to hypre: {text}")
check(all(triple == 0 and left > 0 for _, triple, left in counts(text)), f"what is left is counted: {counts(text)}")

finish()
