#!/usr/bin/env python3
"""Runs PETSc's own tests of matrix products with and without librowan_petsc.so and compares what they print.

  tests/petsc/petsc_own.py PETSC_SOURCE [--library build/release/librowan_petsc.so] [--only ex93 ex96]

PETSC_SOURCE is a copy of PETSc's sources of the installed version (apt-get source petsc). Tests are those of src/mat/tests and
src/ksp/ksp/tutorials whose sources name a product, with the processes and arguments of their TEST blocks; options that
name an algorithm are also left out, as rowan leaves such products to PETSc. Numbers count as equal within 1e-6 of the larger one,
or where both are below 1e-9; what views say of memory and of the algorithm behind a matrix is not looked at. A test
that fails without rowan, or prints something else without it when run again, is not counted. Exit code 1 where any
test differs.
"""
import argparse
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PRODUCT = re.compile(r"Mat(MatMult|PtAP|Product|RARt|TransposeMatMult|MatTransposeMult|MatMatMult)\w*\(|gamg|PCMG")
NAMES_ALGORITHM = re.compile(r"-\S*(?:_via|mat_product_algorithm)\s+\S+")
OF_HOW_MADE = re.compile(r", allocated nonzeros=\d+|^\s*using \w+ Mat\w+\(\) implementation$")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def blocks(source):
    """Tests of a TEST block: dictionaries of nsize and args, testsets applied and loops {{a b}} unrolled."""
    found = re.search(r"/\*TEST(.*?)TEST\*/", source, re.S)
    stack = [(-1, {})]
    tests = []
    for line in found.group(1).splitlines() if found else ():
        if not line.strip() or line.strip().startswith("#"):
            continue
        depth = len(line) - len(line.lstrip())
        key, _, value = line.strip().partition(":")
        while stack[-1][0] >= depth:
            stack.pop()
        if key in ("test", "testset"):
            inherited = {k: v for k, v in stack[-1][1].items() if k in ("nsize", "args", "requires")}
            stack.append((depth, inherited))
            if key == "test":
                tests.append(inherited)
        elif key == "args" and "args" in stack[-1][1]:
            stack[-1][1]["args"] += " " + value.strip()
        elif key in ("nsize", "args", "requires"):
            stack[-1][1][key] = value.strip()
    for test in tests or [{}]:
        if "datafilespath" in test.get("requires", ""):
            continue
        args, nsize = test.get("args", ""), test.get("nsize", "1")
        loops = re.findall(r"\{\{(.*?)\}(?:[^}]*)\}", args)
        sizes = re.findall(r"\{\{(.*?)\}(?:[^}]*)\}", nsize)
        for values in itertools.product(*(shlex.split(loop) for loop in loops)):
            unrolled = args
            for value in values:
                unrolled = re.sub(r"\{\{.*?\}[^}]*\}", lambda _, v=value: v, unrolled, count=1)
            for n in sizes[0].split() if sizes else [nsize]:
                yield int(n), unrolled


def run(program, processes, args, options):
    command = [program, *shlex.split(args)]
    if processes > 1:
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(processes), *command]
    environment = dict(os.environ, PETSC_OPTIONS=options, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    with tempfile.TemporaryDirectory() as folder:  # tests write files
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, cwd=folder,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return "timed out", [], []
    lines = [OF_HOW_MADE.sub("", line) for line in done.stdout.splitlines()]
    lines = [line for line in lines if line]
    ours = [line for line in lines if line.startswith("rowan: ")]
    return done.returncode, sorted(line for line in lines if not line.startswith("rowan: ")), ours


def same(a, b):
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    for x, y in zip(map(float, NUMBER.findall(a)), map(float, NUMBER.findall(b))):
        if abs(x - y) > 1e-6 * max(abs(x), abs(y)) and max(abs(x), abs(y)) > 1e-9:
            return False
    return True


def alike(a, b):
    return len(a) == len(b) and all(map(same, a, b))


def compare(job, library):
    name, program, processes, args = job
    code, plain, _ = run(program, processes, args, "")
    if code != 0:
        return name, processes, args, "fails without rowan", 0
    code, with_rowan, ours = run(program, processes, args, f"-dll_append {library} -rowan_view")
    taken = sum(int(n) for line in ours for n in re.findall(r": (\d+) new", line))
    if code != 0:
        return name, processes, args, f"exit code {code}", taken
    if not alike(plain, with_rowan):
        if not alike(plain, run(program, processes, args, "")[1]):
            return name, processes, args, "not the same without rowan", taken
        return name, processes, args, "prints something else", taken
    return name, processes, args, "equal", taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--library", type=Path, default=Path("build/release/librowan_petsc.so"))
    parser.add_argument("--package", default="PETSc", help="of pkg-config, as PETSc64")
    parser.add_argument("--only", nargs="+", help="programs, as ex93")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    library = chosen.library.resolve(strict=True)
    flags = shlex.split(subprocess.check_output(["pkg-config", "--cflags", "--libs", chosen.package], text=True))
    sources = [s for folder in ("src/mat/tests", "src/ksp/ksp/tutorials")
               for s in sorted((chosen.source / folder).glob("*.c"))
               if (not chosen.only or s.stem in chosen.only) and PRODUCT.search(s.read_text(errors="replace"))]
    if not sources:
        sys.exit(f"{chosen.source}: no tests of products; is it a copy of PETSc's sources?")
    counts = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.jobs) as pool:
        def compiled(source):
            program = Path(folder) / f"{source.parent.parent.name}-{source.stem}"
            built = subprocess.run(["mpicc", "-O1", "-w", str(source), "-o", str(program), *flags, "-lm"], capture_output=True)
            return program if built.returncode == 0 else None
        jobs = []
        for source, program in zip(sources, pool.map(compiled, sources)):
            if program is None:
                continue
            for processes, args in blocks(source.read_text(errors="replace")):
                jobs.append((program.name, str(program), processes, args))
                if NAMES_ALGORITHM.search(args):
                    jobs.append((program.name, str(program), processes, NAMES_ALGORITHM.sub("", args)))
        jobs = list(dict.fromkeys(jobs))
        for name, processes, args, result, taken in pool.map(lambda job: compare(job, library), jobs):
            key = result if result in ("equal", "fails without rowan", "not the same without rowan") else "differs"
            if key == "equal" and taken == 0:
                key = "equal, no product was rowan's"
            counts[key] = counts.get(key, 0) + 1
            if key == "differs":
                print(f"{name} -n {processes} {args}: {result} ({taken} products were rowan's)", flush=True)
    for key, n in sorted(counts.items()):
        print(f"{n:4} {key}")
    sys.exit(1 if counts.get("differs") else 0)


if __name__ == "__main__":
    main()
