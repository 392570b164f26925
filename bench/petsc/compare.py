#!/usr/bin/env python3
"""PETSc's products with and without librowan_petsc.so, in turns; the least of all rounds, one thread a process.

  bench/petsc/compare.py [-n PROCESSES] [--points 30] [--rounds 3] [--library build/release/librowan_petsc.so]
                         [--petsc-source DIR] [--elements 23]

First bench/petsc/products.c: new products, and values again. With PETSC_SOURCE, a copy of PETSc's sources of the installed version
(apt-get source petsc), also the set-up of algebraic multigrid in its tutorials ex56 (elasticity) and ex45 (Poisson): what -log_view
says of products and of the set-up, and whether the residuals of all iterations are the same.

Every process takes new memory, and a virtual machine's host may have to find that first (1.8 ms a MB where it is 0.07
afterwards): so a GB of huge pages is touched and given back before each.
"""
import argparse
import mmap
import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GAMG = "-ksp_type cg -pc_type gamg -mg_levels_ksp_type chebyshev -mg_levels_pc_type jacobi -ksp_monitor"
PRODUCTS = ("MatMatMultSym", "MatMatMultNum", "MatTrnMatMultSym", "MatTrnMatMultNum", "MatPtAPSymbolic", "MatPtAPNumeric")


def compiled(source, folder):
    program = Path(folder) / source.stem
    flags = shlex.split(subprocess.check_output(["pkg-config", "--cflags", "--libs", "PETSc"], text=True))
    subprocess.run(["mpicc", "-O2", "-w", str(source), "-o", str(program), *flags, "-lm"], check=True)
    return str(program)


def touch_memory(size=1 << 30, step=2 << 20):
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory.madvise(mmap.MADV_HUGEPAGE)
        for at in range(0, size, step):
            memory[at] = 1


def run(command, processes, options):
    touch_memory()
    environment = dict(os.environ, PETSC_OPTIONS=options, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")
    if processes > 1:
        command = ["mpirun", "--oversubscribe", "-n", str(processes), *command]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def least(rounds):
    return {key: min(r[key] for r in rounds) for key in rounds[0]}


def products(text):
    times = {}
    for name, values in re.findall(r"^time (\w+) ([\d. ]+)$", text, re.M):
        new, *again = map(float, values.split())
        times[f"{name} new"], times[f"{name} again"] = new, min(again[1:])  # the first one plans
        times[f"{name} first again"] = again[0]
    return times


def set_up(text):
    times = dict.fromkeys(("products", "PCSetUp"), 0.0)
    for line in text.splitlines():
        words = line.split()
        if len(words) > 8 and words[0] in (*PRODUCTS, "PCSetUp"):
            times["PCSetUp" if words[0] == "PCSetUp" else "products"] += float(words[3])
    return times


def residuals(text):
    return [float(r) for r in re.findall(r"KSP Residual norm (\S+)", text)]


def show(title, plain, rowan):
    print(f"\n{title}\n{'':18}{'PETSc, ms':>12}{'rowan, ms':>12}{'times':>8}")
    for key in plain:
        print(f"{key:18}{1e3 * plain[key]:12.3f}{1e3 * rowan[key]:12.3f}{plain[key] / rowan[key]:8.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--processes", type=int, default=1)
    parser.add_argument("--points", type=int, default=30)
    parser.add_argument("--elements", type=int, default=23)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--library", type=Path, default=Path("build/release/librowan_petsc.so"))
    parser.add_argument("--petsc-source", type=Path)
    chosen = parser.parse_args()
    with_rowan = f"-dll_append {chosen.library.resolve(strict=True)} -rowan_threads 1"
    ways = {"plain": "", "rap": "-matptap_via rap", "rowan": with_rowan}
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(HERE / "products.c", folder)
        found = {"plain": [], "rowan": []}
        for _ in range(chosen.rounds):
            for way, rounds in found.items():
                rounds.append(products(run([program, "-n", str(chosen.points), "-reps", "5"], chosen.processes, ways[way])))
        show(f"products, {chosen.points}^3 points, {chosen.processes} processes", least(found["plain"]), least(found["rowan"]))
        if chosen.petsc_source is None:
            return
        tutorials = chosen.petsc_source / "src/ksp/ksp/tutorials"
        elements, grid = chosen.elements, 2 * chosen.elements + 1
        for name, args in (("ex56", f"-ne {elements} -alpha 1.e-3 -two_solves -use_mat_nearnullspace -pc_gamg_coarse_eq_limit 200"),
                           ("ex45", f"-da_grid_x {grid} -da_grid_y {grid} -da_grid_z {grid}")):
            program = compiled(tutorials / f"{name}.c", folder)
            found = {"plain": [], "rap": [], "rowan": []}
            history = {}
            if chosen.processes > 1:
                del found["rap"]  # an algorithm of one process
            for _ in range(chosen.rounds):
                for way, rounds in found.items():
                    text = run([program, *shlex.split(args), *shlex.split(GAMG), "-log_view"], chosen.processes, ways[way])
                    rounds.append(set_up(text))
                    history[way] = residuals(text)
            for way in list(found)[:-1]:
                show(f"{name}, {args}, {chosen.processes} processes{' -matptap_via rap' if way == 'rap' else ''}",
                     least(found[way]), least(found["rowan"]))
            plain, ours = history["plain"], history["rowan"]
            differ = sum(a != b for a, b in zip(plain, ours))
            print(f"iterations {len(plain)} and {len(ours)}; residuals that differ in the digits printed: {differ}")


if __name__ == "__main__":
    main()
