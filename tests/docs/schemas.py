#!/usr/bin/env python3
"""What the program prints as JSON is what docs/schemas says, and policy files are.

    schemas.py SOURCE ROWAN

Keys that a schema does not describe are listed, and fail the test. A value of a wrong kind must be refused, so that a schema
that allows everything is found.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

SOURCE, ROWAN = Path(sys.argv[1]), sys.argv[2]
EMAIL, FEM = (str(SOURCE / "tests/data" / name) for name in ("email-Eu-core.mtx.gz", "nasa4704.mtx.gz"))
POLICY = SOURCE / "models/policies/nsparse.json"
GRID = "generated:aggregation:nx=10,ny=10,nz=10"
EMULATED = Path(ROWAN).parents[2] / "tests/emulated/tools/rowan/rowan"
PEERS = (Path(ROWAN).parents[2] / "bench/peers/rowan").exists()
# a schema, and commands that print what it describes
COMMANDS = [
    ("multiply-stats", f"multiply {EMAIL} --stats --json"),
    ("multiply-stats", "multiply generated:stencil2d:nx=20,ny=20 --stats --json"),
    ("multiply-stats", "multiply generated:stencil2d:nx=20,ny=20 -o c.rowan --in-blocks --json"),
    ("multiply-size", f"multiply {EMAIL} --transpose-b --dry-run --json"),
    ("galerkin-stats", f"galerkin {GRID},part=0 {GRID},part=1 --stats --json"),
    ("galerkin-stats", f"galerkin {GRID},part=0 {GRID},part=1 --way two-products --stats --json"),
    ("inspect", f"inspect {EMAIL} --json"),
    ("inspect", f"inspect {FEM} --measure --json --rows 0:9"),
    ("inspect", "inspect generated:roads:nx=60,ny=60 --json --rows 0:9"),
    ("inspect", "inspect generated:stencil2d:nx=9,ny=9 --json"),
    ("generate", "generate stencil2d nx=9 ny=9 -o g.mtx --json"),
    ("generate-list", "generate --list --json"),
    ("info", "info --json"),
    ("info-kernels", "info --kernels --json"),
    ("model-diff", f"model diff host-rules nsparse {EMAIL} {FEM} --json"),
    ("model-show", "model show host-rules --json"),
    ("model-show", "model show host-trained --json"),
    ("model-check", f"model check {POLICY} --json"),
    ("model-embed", f"model embed {POLICY} --json"),
    ("train-report", f"train {EMAIL} {FEM} generated:banded:n=3000 -o mine.json --budget 2 --json --quiet"),
    *([("inspect", "inspect generated:banded:n=300 --transpose-b --backend emulated --devices 0,1 --json --rows 0:9"),
       ("multiply-stats", "multiply generated:banded:n=300 --backend emulated --devices 0,1 --stats --json")]
      if EMULATED.exists() else []),
    *([("bench-report", f"bench {EMAIL} --only spa --force hash --seconds 0.02 --rounds 2 --stages --reuse --json --quiet"),
       ("bench-report", f"bench {EMAIL} --no-peers --seconds 0.02 --rounds 2 --json --quiet")] if PEERS else []),
]


def described(schema, name, root):
    """The schema of a member, or None."""
    for part in schema.get("anyOf", []):
        if found := described(part, name, root):
            return found
    if "$ref" in schema:
        return described(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], name, root)
    return schema.get("properties", {}).get(name) or schema.get("additionalProperties")


def unknown(value, schema, root, path=""):
    """Paths of members that no schema describes."""
    if isinstance(value, dict):
        for name, member in value.items():
            found = described(schema, name, root)
            if found is None and schema.get("properties"):
                yield f"{path}.{name}"
            elif isinstance(found, dict):
                yield from unknown(member, found, root, f"{path}.{name}")
    elif isinstance(value, list):
        for member in value:
            yield from unknown(member, schema.get("items", {}), root, f"{path}[]")


def check(name, text, what):
    schema = json.loads((SOURCE / "docs/schemas" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(text)
    faults = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}"
              for e in jsonschema.Draft202012Validator(schema).iter_errors(document)]
    faults += [f"{path} is not described" for path in sorted(set(unknown(document, schema, schema)))]
    for wrong in ({}, [{}], "text", 1):
        if jsonschema.Draft202012Validator(schema).is_valid(wrong) and wrong != document:
            faults.append(f"the schema allows {wrong!r}")
    for fault in faults[:20]:
        print(f"{name}.schema.json, {what}: {fault}")
    return len(faults)


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, command in COMMANDS:
            program = EMULATED if "emulated" in command else ROWAN
            done = subprocess.run([program, *command.split()], capture_output=True, text=True, check=False, cwd=folder,
                                  env={**os.environ, "ROWAN_EMULATED_DEVICES": "2"})
            if done.returncode != 0:
                sys.exit(f"rowan {command}: {done.stderr}")
            bad += check(name, done.stdout, f"rowan {command}")
        bad += check("policy", (Path(folder) / "mine.json").read_text(), "a trained policy")
    for file in sorted((SOURCE / "models/policies").glob("*.json")):
        bad += check("policy", file.read_text(), file.name)
    schemas = {file.name.removesuffix(".schema.json") for file in (SOURCE / "docs/schemas").glob("*.schema.json")}
    tested = {name for name, _ in COMMANDS} | {"policy"} | ({"bench-report"} if not PEERS else set())
    for name in schemas ^ tested:
        print(f"{name}: a schema without a test, or a test without a schema")
        bad += 1
    print(f"{len(COMMANDS)} outputs and the policies against {len(schemas)} schemas")
    return 1 if bad else 0


sys.exit(main())
