#!/usr/bin/env python3
"""Runs what the documentation shows: blocks fenced with sh, console, python, c and json.

    blocks.py SOURCE WORK ROWAN CC [PYROWAN]

PYROWAN is the folder of the package, without it blocks of Python are only parsed.

A page's blocks run one after another in a folder of its own, where tests, examples, bench, models and docs are the tree's, and
A.mtx, B.mtx and my-matrices are small matrices. rowan is the program, scripts of the tree are not there.
- sh: each block is one script, bash -eu.
- console: each line that begins with "$ " is a command, which must end well; the lines below are its output. In these "..." stands
  for any lines, and numbers with a point or a unit of time or memory are not compared.
- python: the page's blocks are one program, in which A, B and S are matrices; without those of pyrowan.dask where Dask is not.
- c: the body of a function that has n, row_ptr, col and val; it is compiled as C99.
- json: parses; one with "rowan_policy" is a policy.
A block that cannot run here has the comment <!-- not run: REASON --> above it; it is parsed.
Besides, each option of a command of rowan's that stands in code, anywhere, is one that its --help has.
"""
import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE, WORK, ROWAN, CC = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]).resolve(), sys.argv[4]
PYROWAN = sys.argv[5] if len(sys.argv) > 5 else None
PYTHON = sys.executable
LANGUAGES = ("sh", "console", "python", "c", "json")
C_BEFORE = """#include <stdio.h>
#include <rowan/rowan.h>
void block(int32_t n, const int32_t* row_ptr, const int32_t* col, const double* val);
void block(int32_t n, const int32_t* row_ptr, const int32_t* col, const double* val) {
"""
PYTHON_BEFORE = """import pyrowan
A = pyrowan.read("A.mtx")
B = pyrowan.read("B.mtx")
S = A
"""


HAS_DASK = importlib.util.find_spec("dask") is not None


class Block:
    def __init__(self, page, line, language, text, reason):
        self.page, self.line, self.language, self.text, self.reason = page, line, language, text, reason

    def runs(self):
        if self.language == "python":
            return not self.reason and PYROWAN and (HAS_DASK or "pyrowan.dask" not in self.text)
        return not self.reason

    def fault(self, what):
        return f"{self.page.relative_to(SOURCE)}:{self.line}: {what}"


def pages():
    return sorted([*SOURCE.glob("*.md"), *SOURCE.glob("docs/*.md"), *SOURCE.glob("docs/*/*.md"), *SOURCE.glob("models/*.md")])


def blocks_of(page):
    found, inside, above = [], None, ""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if fence := re.match(r" *```(.*)$", line):
            if inside:
                found.append(inside)
                inside = None
            else:
                reason = re.fullmatch(r" *<!-- not run: (.+) -->", above)
                inside = Block(page, number, fence[1].strip(), "", reason and reason[1])
        elif inside:
            inside.text += line + "\n"
        above = line
    return [b for b in found if b.language in LANGUAGES]


def run(command, folder, **more):
    environment = {**os.environ, "PATH": f"{WORK / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": PYROWAN or "", "NO_COLOR": "1",
                   "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300, **more)


def loosely(line):
    """What must be alike in a line of output."""
    line = re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", line)
    line = re.sub(r"\b[0-9]+\.[0-9]+(e[-+]?[0-9]+)?", "#", line)
    line = re.sub(r"(?:#|\b[0-9]+) ?(?:ms|us|s|ns|[KMG]iB|bytes|%)(?![a-z])", "#", line)
    return " ".join(line.split())


def output_matches(expected, actual):
    pattern = ""
    for line in expected:
        pattern += r"(?:.*\n)*?" if line.strip() == "..." else re.escape(loosely(line)) + "\n"
    text = "".join(loosely(line) + "\n" for line in actual.splitlines())
    return re.fullmatch(pattern, text) is not None


def commands(text):
    """Pairs of a command and the lines of its output."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def console(block, folder):
    for command, expected in commands(block.text):
        done = run(["bash", "-euc", f"{{ {command}\n}} 2>/dev/null"], folder)
        if done.returncode:
            again = run(["bash", "-euc", command], folder)
            yield block.fault(f"`{command}` ended with {done.returncode}: {again.stderr.strip()[-500:]}")
        elif expected and not output_matches(expected, done.stdout):
            yield block.fault(f"`{command}` prints\n{done.stdout[:1500]}")


def sh(block, folder):
    done = run(["bash", "-eu"], folder, input=block.text)
    if done.returncode:
        yield block.fault(f"ended with {done.returncode}: {done.stderr.strip()[-500:]}")


def c(block, folder):
    unit = folder / f"block-{block.line}.c"
    unit.write_text(C_BEFORE + block.text + "}\n")
    done = run([CC, "-x", "c", "-std=c99", "-Wall", "-Wno-unused", "-fsyntax-only", f"-I{SOURCE / 'lib/include'}", str(unit)], folder)
    if done.returncode:
        yield block.fault(done.stderr)


def json_(block, folder):
    try:
        value = json.loads(block.text)
    except ValueError as e:
        yield block.fault(f"is no JSON: {e}")
        return
    if "rowan_policy" in value:
        file = folder / f"policy-{block.line}.json"
        file.write_text(block.text)
        done = run(["rowan", "model", "check", str(file)], folder)
        if done.returncode:
            yield block.fault(done.stdout + done.stderr)


def parse(block, folder):
    """A block that does not run."""
    if block.language == "python":
        try:
            ast.parse(block.text)
        except SyntaxError as e:
            yield block.fault(str(e))
    elif block.language in ("sh", "console"):
        text = block.text if block.language == "sh" else "\n".join(command for command, _ in commands(block.text))
        done = run(["bash", "-n"], folder, input=text)
        if done.returncode:
            yield block.fault(done.stderr)


RUNNERS = {"sh": sh, "console": console, "c": c, "json": json_}


def page_faults(page, counts):
    blocks = blocks_of(page)
    if not blocks:
        return
    folder = WORK / str(page.relative_to(SOURCE)).replace("/", "_").removesuffix(".md")
    shutil.copytree(WORK / "prepared", folder, symlinks=True)
    for block in blocks:
        how = "run" if block.runs() else "parsed"
        counts[block.language, how] = counts.get((block.language, how), 0) + 1
        if block.reason or block.language == "python":
            yield from parse(block, folder)
        else:
            yield from RUNNERS[block.language](block, folder)
    programs = [b for b in blocks if b.language == "python" and b.runs()]
    if programs:
        done = run([PYTHON, "-"], folder, input=PYTHON_BEFORE + "".join(b.text for b in programs))
        if done.returncode:
            yield programs[0].fault(f"and the page's other blocks of Python: {done.stderr.strip()[-600:]}")


def option_faults():
    """Options that stand in code and are none."""
    helps = {}

    def help_of(words):
        if words not in helps:
            done = run([str(ROWAN), *words, "--help"], WORK)
            helps[words] = done.stdout if done.returncode == 0 else ""
        return helps[words]

    top = set(re.findall(r"^  ([a-z]+)  ", help_of(()), re.M))
    for page in pages():
        if page.name == "CHANGELOG.md":
            continue
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for command, rest in re.findall(r"\browan ([a-z]+)\b([^`|;&)#]*)", line):
                words = (command,) if command in top else ()
                sub = re.match(r" (show|check|diff|embed)\b", rest) if command == "model" else None
                text = help_of((*words, sub[1]) if sub else words) + help_of(())
                for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest)) if words else ():
                    if not re.search(rf"{re.escape(option)}(?![a-z-])", text):
                        yield f"{page.relative_to(SOURCE)}:{number}: `rowan {command}` has no {option}"


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "bin").mkdir(parents=True)
    (WORK / "bin/rowan").symlink_to(ROWAN)
    prepared = WORK / "prepared"
    prepared.mkdir()
    for name in ("tests", "examples", "bench", "models"):
        (prepared / name).symlink_to(SOURCE / name)
    for spec in ("rmat scale=7 -o A.mtx", "random n=128 row_length=5 -o B.mtx"):
        done = run(["rowan", "generate", *spec.split()], prepared)
        if done.returncode:
            sys.exit(done.stderr)
    (prepared / "my-matrices").mkdir()
    shutil.copy(prepared / "A.mtx", prepared / "my-matrices")


def self_test():
    """A comparison that is always content would find nothing."""
    printed = "C  10 x 10, 7 entries\nspeed 1.5 GFLOPS\ntotal 3.2 ms\n"
    assert output_matches(["C 10 x 10, 7 entries", "..."], printed)
    assert output_matches(["C 10 x 10, 7 entries", "speed 9.25 GFLOPS", "total 17 ms"], printed)
    assert output_matches(["...", "total 1.0 ms"], printed)
    assert not output_matches(["C 10 x 10, 8 entries", "..."], printed)
    assert not output_matches(["C 10 x 10, 7 entries"], printed)


def main():
    self_test()
    prepare()
    counts, faults = {}, []
    for page in pages():
        faults += page_faults(page, counts)
    faults += option_faults()
    for fault in faults:
        print(fault)
    print(", ".join(f"{n} of {language} {how}" for (language, how), n in sorted(counts.items())))
    return 1 if faults or not counts else 0


sys.exit(main())
