"""bench/mpi_replay.py: counts are exact, rates are found again, the network does what its numbers say."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import mpi_replay as replay  # noqa: E402

import pyrowan  # noqa: E402


def patterns(a, b):
    pattern = lambda m: replay.Pattern(m.shape, m.indptr.astype(np.int64), m.indices)
    return replay.Product(pattern(a), pattern(b), pyrowan.symbolic(a, b).indptr)


def by_hand(a, b, ranks):
    """Rows and entries that every process gets from every other."""
    rows, inner = ([n * r // ranks for r in range(ranks + 1)] for n in a.shape)
    needed = np.zeros((ranks, ranks), int)  # from, to
    entries = np.zeros((ranks, ranks), int)
    for to in range(ranks):
        for row in {int(c) for r in range(rows[to], rows[to + 1]) for c in a.indices[a.indptr[r]:a.indptr[r + 1]]}:
            owner = next(o for o in range(ranks) if inner[o] <= row < inner[o + 1])
            if owner != to:
                needed[owner, to] += 1
                entries[owner, to] += b.indptr[row + 1] - b.indptr[row]
    return needed, entries


@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("shape", [(30, 30, 30), (31, 17, 9), (5, 60, 20), (1, 1, 1)])
@pytest.mark.parametrize("together", [2**24, 20])
def test_counts_are_exact(shape, ranks, together, monkeypatch):
    monkeypatch.setattr(replay, "ENTRIES_TOGETHER", together)
    a = sp.random(shape[0], shape[1], density=0.1, format="csr", random_state=1)
    b = sp.random(shape[1], shape[2], density=0.1, format="csr", random_state=2)
    found = replay.counted(patterns(a, b), ranks)
    needed, entries = by_hand(a, b, ranks)
    assert (found["rows_received"] == needed.sum(0)).all()
    assert (found["entries_received"] == entries.sum(0)).all() and (found["entries_sent"] == entries.sum(1)).all()
    assert (found["bytes_received"] == np.stack([4 * needed.sum(1), 8 * needed.sum(0), 12 * entries.sum(0)], 1)).all()
    assert (found["bytes_sent"] == np.stack([4 * needed.sum(0), 8 * needed.sum(1), 12 * entries.sum(1)], 1)).all()
    pairs, with_entries = needed > 0, entries > 0
    assert (found["messages_sent"] == np.stack([pairs.sum(0), pairs.sum(1), 2 * with_entries.sum(1)], 1)).all()
    for name, whole in (("rows", shape[0]), ("nnz_a", a.nnz), ("nnz_b", b.nnz), ("nnz_c", (a @ b).nnz)):
        assert len(found[name]) == ranks and found[name].sum() == whole
    assert len(found["products"]) == ranks and found["products"].sum() == np.diff(b.indptr)[a.indices].sum()


def test_wide_columns_take_eight_bytes():
    a = sp.csr_matrix(np.ones((2, 2)))
    b = replay.Pattern((2, 2**31), np.array([0, 1, 2]), np.array([0, 1]))
    found = replay.counted(replay.Product(replay.Pattern(a.shape, a.indptr.astype(np.int64), a.indices), b, a.indptr), 2)
    assert list(found["bytes_received"][:, 2]) == [16, 16]


def process(rank, of, rates, rng):
    p = {"rank": rank, "of": of, **{name: int(rng.integers(1, 10**6)) for name in ("rows", "nnz_a", "nnz_b", "nnz_c", "products")},
         "rows_received": int(rng.integers(1, 1000)), "bytes_received": [0, 0, 12 * int(rng.integers(1, 10**5))],
         "bytes_sent": [0, 0, 12 * int(rng.integers(1, 10**5))]}
    return {**p, **{step: float(replay.computed(rates, replay.of_sample(p), step)) for step in replay.STEPS}}


def test_rates_are_found_again():
    rng = np.random.default_rng(3)
    rates = {step: {name: (k + 1) * 1e-9 for k, name in enumerate(names)} for step, names in replay.COUNTS.items()}
    rates["multiply"].pop("nnz_c_divided")  # the same as nnz_c here
    samples = [process(k, 20, rates, rng) for k in range(20)]
    found = replay.fit(samples)
    for s in samples:
        for step in replay.STEPS:
            assert replay.computed(found, replay.of_sample(s), step) == pytest.approx(s[step], rel=1e-4)
    slower = [{**s, **{step: 2 * s[step] for step in replay.STEPS}} for s in samples]
    assert replay.least(samples + slower) == samples


def test_the_network():
    network = replay.Network(latency=1e-3, overhead=1e-4, bandwidth=1e6, node=2, contention=2, inside_latency=1e-5, copies=1e7)
    one = lambda sender, receiver, size: (np.array([sender]), np.array([receiver]), np.array([1]), np.array([size]))
    assert network.exchange(4, one(0, 2, 10**6)) == pytest.approx(1e-3 + 1e-4 + 2)  # between nodes
    assert network.exchange(4, one(0, 1, 10**6)) == pytest.approx(1e-5 + 1e-4 + 0.1)  # in one
    # both processes of a node send: they share its link
    both = (np.array([0, 1]), np.array([2, 3]), np.array([1, 1]), np.array([10**6, 10**6]))
    assert network.exchange(4, both) == pytest.approx(1e-3 + 1e-4 + 4)
    assert network.exchange(4, (np.array([], int),) * 4) == 0
    assert network.meeting(1) == 0 and network.meeting(8) == pytest.approx(3 * 1.1e-3)


def test_one_dimension_ends():
    """A band stays in one dimension; where every process needs all of B, two take less."""
    rates = {step: dict.fromkeys(names, 1e-9) for step, names in replay.COUNTS.items()}
    network = replay.Network(node=1)
    n = 4096
    band = sp.diags([1.0, 1, 1], [-1, 0, 1], (n, n), format="csr")
    wide = sp.random(n, n, density=0.02, format="csr", random_state=4)
    for m, ends in ((band, False), (wide, True)):
        line = replay.scaling(patterns(m, m), 256, rates, network)
        assert (min(line["two"], line["three"]) < line["seconds"]) == ends
        assert line["ghost_share"] == pytest.approx(255 * 2 * 3 / m.nnz if m is band else line["ghost_share"], rel=0.01)
        assert ("may be faster" in replay.ends([replay.scaling(patterns(m, m), 1, rates, network), line])) == ends


def replay_program(*words):
    return subprocess.run([sys.executable, ROOT / "bench/mpi_replay.py", *map(str, words)], capture_output=True, text=True)


def test_bad_input(tmp_path):
    (tmp_path / "s.json").write_text("{")
    (tmp_path / "none.json").write_text('{"processes": []}')
    for words, message in (((), "--samples"), (("--samples", "x"), "it takes A"), (("A", "--samples", tmp_path / "no"), "No such file"),
                           (("A", "--samples", tmp_path / "s.json"), "s.json: Expecting"),
                           (("A", "--samples", tmp_path / "none.json"), "measure more processes"),
                           (("A", "--samples", "x", "--bandwidth", "-1"), "'-1' is not a number above 0"),
                           (("A", "--samples", "x", "--ranks", "2,x"), "'x' is not a number of processes")):
        done = replay_program(*words)
        assert done.returncode != 0 and message in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(not os.environ.get("ROWAN_BENCH_MPI") or not shutil.which("mpirun"), reason="bench/mpi is not built (-DROWAN_MPI=ON)")
def test_beside_real_runs(tmp_path):
    settings = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
                "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}

    def run(n, *words):
        done = subprocess.run(["mpirun", "-n", str(n), "--oversubscribe", "--bind-to", "none", os.environ["ROWAN_BENCH_MPI"],
                               *map(str, words)], env={**os.environ, **settings}, capture_output=True, text=True, timeout=120)
        return done

    a = "generated:rmat:scale=10"
    p = "generated:aggregation:nx=8,ny=8,nz=8,part={}"
    assert run(3, "--rounds", 2, "--as", "1,2,5,16", "--json", tmp_path / "s.json", a).returncode == 0
    for names, all_of in (((a,), (1, 2)), ((p.format(0), p.format(1)), (3,))):
        for n in all_of:
            assert run(n, "--rounds", 2, "--json", tmp_path / f"{n}.json", *names).returncode == 0
        done = replay_program(*names, "--samples", tmp_path / "s.json", "--json", tmp_path / "out.json", "--check",
                              *(tmp_path / f"{n}.json" for n in all_of))
        assert done.returncode == 0, done.stderr
        for line in json.loads((tmp_path / "out.json").read_text())["check"]:
            assert line["exact"] and line["bytes"] == line["bytes_measured"]
            assert line["seconds"] > 0 and line["seconds_measured"] > 0
    done = replay_program("--samples", tmp_path / "s.json", "--weak", "1=generated:rmat:scale=9", "2=generated:rmat:scale=10")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 6, done.stdout
    assert "100%" in replay_program(a, "--samples", tmp_path / "s.json", "--ranks", "1,4,1024").stdout
    wrong = run(1, "--as", 4, a)
    assert wrong.returncode != 0 and "--as needs mpirun -n 3" in wrong.stderr
    assert "there is no option --nothing" in run(1, "--nothing", 1, a).stderr
