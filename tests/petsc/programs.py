"""Whole programs with the plug-in, looked at from outside: programs.py SOLVER LIBRARY MPIRUN"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
from outside import check, finish, mpirun, run as run_program  # noqa: E402

SOLVER, LIBRARY, MPIRUN = sys.argv[1:4]


def run(command, options=None, processes=1, **environment):
    if processes > 1:
        command = [*mpirun(MPIRUN, processes), *command]
    if options is not None:
        environment["PETSC_OPTIONS"] = f"-dll_append {LIBRARY} {options}"
    return run_program(command, dict(os.environ, **environment))


def residuals(text):
    return [(int(k), float(r)) for k, r in re.findall(r"^ *(\d+) residual (\S+)$", text, re.M)]


def close(a, b):
    return len(a) == len(b) and all(x[0] == y[0] and abs(x[1] - y[1]) <= 1e-6 * abs(x[1]) for x, y in zip(a, b))


def products(text, kind):
    return [tuple(map(int, counts)) for counts in
            re.findall(rf"^rowan: {kind} \w+: (\d+) new, (\d+) again, (\d+) left", text, re.M)]


# a solver's history is the same with and without, and its products are rowan's
for processes in (1, 2, 4):
    kind = "seqaij" if processes == 1 else "mpiaij"
    code, plain, _ = run([SOLVER], processes=processes)
    check(code == 0 and len(residuals(plain)) > 9, f"the solver runs without rowan on {processes}")
    code, with_rowan, errors = run([SOLVER], "-rowan_view -rowan_threads 1", processes)
    check(code == 0, f"the solver runs with rowan on {processes}: {errors}")
    check(close(residuals(plain), residuals(with_rowan)), f"residuals are the same on {processes}")
    counts = products(with_rowan, kind)
    check(sum(new for new, _, _ in counts) > 0, f"new products are rowan's on {processes}: {counts}")
    check(sum(again for _, again, _ in counts) > 0, f"repeated products are rowan's on {processes}: {counts}")

# what -rowan_view says, and the log's stages
code, text, _ = run([SOLVER], "-rowan_view -log_view -rowan_threads 2")
check(code == 0 and re.search(r"^rowan: AB: \d+ x \d+, \d+ products, \d+ entries", text, re.M), "-rowan_view describes a product")
check(all(name in text for name in ("RowanMultiply", "RowanPlan", "RowanValues")), "-log_view has rowan's events")

# what is left to PETSc
code, text, _ = run([SOLVER], "-rowan_view -rowan_min_products 1000000000")
check(code == 0 and sum(new for new, _, _ in products(text, "seqaij")) == 0, "-rowan_min_products leaves small products")
check(sum(left for _, _, left in products(text, "seqaij")) > 0, "products left are counted")
code, text, _ = run([SOLVER], "-rowan_view -rowan_min_products 1000000000", 2)
check(code == 0 and sum(new for new, _, _ in products(text, "mpiaij")) == 0, "-rowan_min_products over processes")
code, text, _ = run([SOLVER], "-rowan_view -rowan_seq 0")
check(code == 0 and "no product was rowan's" in text, "-rowan_seq 0")
code, text, _ = run([SOLVER], "-rowan_view -rowan_seq 0 -rowan_mpi 0", 2)
check(code == 0 and "no product was rowan's" in text, "-rowan_mpi 0")

# errors are PETSc's, and name what was wrong
code, text, errors = run([SOLVER], "-rowan_threads -1")
check(code != 0 and "rowan: -rowan_threads -1 is less than 0" in text + errors, "a bad option is refused")
code, text, errors = run([SOLVER], "", ROWAN_MODEL="/nonexistent.json")
check(code != 0 and "rowan: " in text + errors and "/nonexistent.json" in text + errors, "a missing model is an error")

# nothing of PETSc's is left allocated
for processes in (1, 2):
    code, text, errors = run([SOLVER], "-malloc_dump", processes)
    check(code == 0 and "bytes" not in text, f"nothing is leaked on {processes}: {text[-300:]}")

# Python loads PETSc where only those that name it see its symbols
script = """
import petsc4py; petsc4py.init()
from petsc4py import PETSc
A = PETSc.Mat().createAIJ([200, 200], nnz=3)
for i in range(200):
    for j in (i - 1, i, i + 1):
        if 0 <= j < 200: A[i, j] = i + j + 1
A.assemble()
C = A.matMult(A)
x, y, z = C.createVecs()[0], C.createVecs()[1], C.createVecs()[1]
x.setRandom(); A.mult(x, y); A.mult(y, z); C.mult(x, y); y.axpy(-1, z)
assert y.norm() <= 1e-9 * z.norm(), (y.norm(), z.norm())
"""
python = "/usr/bin/python3"
if subprocess.run([python, "-c", "import petsc4py"], capture_output=True).returncode == 0:
    code, text, errors = run([python, "-c", script], "-rowan_view")
    check(code == 0 and products(text, "seqaij"), f"petsc4py: {text}{errors}")
else:
    print("petsc4py is not there: not tried")

finish()
