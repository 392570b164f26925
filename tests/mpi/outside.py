"""Programs looked at from outside: what both petsc/programs.py and hypre/interpose.py need."""
import subprocess
import sys

failures = 0


def check(holds, what):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {what[:600]}")


def mpirun(program, processes, *options):
    return [program, "-n", str(processes), "--oversubscribe", "--bind-to", "none", *options]


def run(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def finish():
    print(f"{failures} checks failed" if failures else "all checks hold")
    sys.exit(1 if failures else 0)
