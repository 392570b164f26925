"""pyrowan against scipy: every form, type and index width; what is refused; what is not copied."""

import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

import pyrowan


def integers(rows, cols, form="csr", dtype=np.float64, seed=1):
    """Small whole numbers: every sum is exact in any order."""
    m = sp.random(rows, cols, density=0.1, format="csr", random_state=seed)
    m.data = np.random.default_rng(seed).integers(-4, 5, m.nnz).astype(dtype)
    return m.asformat(form)


def same(ours, theirs):
    theirs = sp.csr_matrix(theirs)
    return ours.shape == theirs.shape and (sp.csr_matrix(ours) != theirs).nnz == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("right", ["csr", "csc"])
@pytest.mark.parametrize("left", ["csr", "csc"])
def test_csr_and_csc(left, right, dtype):
    a, b = integers(40, 30, left, dtype), integers(30, 50, right, dtype, 2)
    c = pyrowan.multiply(a, b)
    assert same(c, a @ b)
    assert c.dtype == dtype
    assert c.format == ("csc" if left == right == "csc" else "csr")
    assert c.has_sorted_indices and c.has_canonical_format
    c.check_format(full_check=True)


@pytest.mark.parametrize("form", ["coo", "bsr", "lil", "dok", "dia"])
def test_other_forms_become_csr(form):
    a = integers(30, 30, form)
    assert same(pyrowan.multiply(a, a), a.tocsr() @ a.tocsr())


def test_index_widths():
    a, b = integers(400, 300), integers(300, 500, seed=2)
    for wide in (a, b):
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    c = pyrowan.multiply(a, b)
    assert same(c, a @ b)
    assert same(pyrowan.multiply(integers(400, 300), b), a @ b)
    assert same(pyrowan.multiply(a.tocsc(), b.tocsc()), a @ b)
    assert same(pyrowan.galerkin(None, a @ a.T, a), a.T @ (a @ a.T) @ a)


def test_columns_beyond_32_bits():
    a = sp.csr_matrix((np.array([2.0]), (np.array([0]), np.array([1]))), shape=(1, 2))
    far = 5 * 2**31
    b = sp.csr_matrix((np.array([3.0, 4.0]), np.array([7, far], dtype=np.int64), np.array([0, 0, 2], dtype=np.int64)),
                      shape=(2, far + 1))
    c = pyrowan.multiply(a, b)
    assert c.shape == (1, far + 1) and list(c.indices) == [7, far] and list(c.data) == [6, 8]


def test_arrays_stay_arrays():
    a = sp.csr_array(integers(20, 20))
    assert isinstance(pyrowan.multiply(a, a), sp.csr_array)
    assert isinstance(pyrowan.multiply(sp.csc_array(a), sp.csc_array(a)), sp.csc_array)
    assert isinstance(pyrowan.multiply(sp.csr_matrix(a), a), sp.csr_matrix)


def test_unsorted_result():
    A = pyrowan.generate("classical:nx=60,ny=60,nz=1,part=0")
    P = pyrowan.generate("classical:nx=60,ny=60,nz=1,part=1")
    expected = pyrowan.multiply(A, P)
    C = pyrowan.multiply(A, P, unsorted=True)
    assert not C.has_sorted_indices and expected.has_sorted_indices
    C.sort_indices()
    for part in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(C, part), getattr(expected, part))


def test_unsorted_duplicates_and_empty():
    a = sp.csr_matrix((np.array([1.0, 2, 3]), np.array([2, 0, 2]), np.array([0, 3, 3])), shape=(2, 3))
    assert same(pyrowan.multiply(a, a.T), a @ a.T)
    for shape in [(0, 0), (0, 4), (4, 0), (3, 3)]:
        none = sp.csr_matrix(shape)
        assert pyrowan.multiply(none, none.T).shape == (shape[0], shape[0])


def test_views_that_are_not_contiguous():
    a = integers(30, 30)
    apart = np.empty(2 * a.nnz)
    apart[::2] = a.data
    a.data = apart[::2]
    assert same(pyrowan.multiply(a, a), a @ a)


def test_types():
    a, b = integers(20, 20), integers(20, 20, dtype=np.float32, seed=3)
    assert pyrowan.multiply(a, b).dtype == np.float64
    assert pyrowan.multiply(a, a, dtype=np.float32).dtype == np.float32
    whole = a.astype(np.int64)
    with pytest.raises(TypeError, match=r"A has values of int64, .* A.astype\(float\)"):
        pyrowan.multiply(whole, whole)
    assert same(pyrowan.multiply(whole, whole, dtype=float), a @ a)
    for wrong in (np.complex128, np.bool_):
        with pytest.raises(TypeError, match="which are not multiplied"):
            pyrowan.multiply(a.astype(wrong), a.astype(wrong))
    with pytest.raises(TypeError, match="dtype is int32"):
        pyrowan.multiply(a, a, dtype=np.int32)


def test_bad_input():
    a = integers(20, 30)
    with pytest.raises(TypeError, match="B is a ndarray, not a sparse matrix"):
        pyrowan.multiply(a, a.toarray())
    with pytest.raises(ValueError, match="A has 30 columns, but B has 20 rows") as info:
        pyrowan.multiply(a, a)
    assert isinstance(info.value, pyrowan.InvalidArgument) and info.value.code == "invalid_argument"
    with pytest.raises(TypeError, match="there is no option 'thread'"):
        pyrowan.multiply(a, a.T, thread=3)
    with pytest.raises(pyrowan.InvalidArgument, match="threads is -1"):
        pyrowan.multiply(a, a.T, threads=-1)
    with pytest.raises(pyrowan.InvalidArgument, match='there is no accumulator "nothing"'):
        pyrowan.multiply(a, a.T, force="nothing")
    with pytest.raises(MemoryError):
        pyrowan.multiply(a, a.T, memory_limit=10)
    broken = a.copy()
    broken.indices[5] = 77
    with pytest.raises(pyrowan.InvalidArgument, match="column 77 in row"):
        pyrowan.multiply(broken, a.T)
    with pytest.raises(OSError):
        pyrowan.read("no such file")
    with pytest.raises(pyrowan.InvalidArgument):
        pyrowan.generate("nothing")


def test_options_and_statistics():
    a = pyrowan.generate("rmat:scale=10")
    stats = {}
    c = pyrowan.multiply(a, a, threads=1, force="hash", stats=stats)
    assert stats["nnz"] == c.nnz and stats["threads"] == 1 and stats["total"] > 0
    assert (c != pyrowan.multiply(a, a)).nnz == 0


def test_nothing_is_copied():
    a = pyrowan.generate("rmat:scale=10")
    c = pyrowan.multiply(a, a)
    for array in (c.data, c.indices):
        assert not array.flags.owndata and array.base is not None and array.flags.writeable
    kept = c.data
    del c
    assert kept.sum() > 0  # the memory lives as long as an array of it
    # inputs are seen where they are: what changes there changes the product
    a.data[:] = 1
    before = pyrowan.multiply(a, a)
    a.data[:] = 2
    assert (pyrowan.multiply(a, a) != 4 * before).nnz == 0


def test_plan():
    a, b = integers(60, 50), integers(50, 70, seed=2)
    plan = pyrowan.Plan(a, b)
    assert plan.nnz == pyrowan.multiply(a, b).nnz and plan.nprod > 0 and plan.nbytes > 0
    a.data *= 3
    first = plan.execute(a, b)
    assert same(first, a @ b)
    b.data *= -2
    assert same(plan.execute(a, b), a @ b) and same(first, a @ b * -0.5)
    with pytest.raises(pyrowan.InvalidArgument):
        plan.execute(b.T.tocsr(), a.T.tocsr())


def test_symbolic_pattern_and_sum():
    a, b = integers(60, 50), integers(50, 70, seed=2)
    c = pyrowan.multiply(a, b)
    sizes = pyrowan.symbolic(a, b)
    assert sizes.nnz == c.nnz and (sizes.indptr == c.indptr).all() and sizes.bytes_c > 0
    indptr, indices = pyrowan.pattern(a, b)
    assert (indptr == c.indptr).all() and (indices == c.indices).all()
    e = integers(60, 70, seed=3)
    assert same(pyrowan.multiply_add(2, a, b, -1, e), 2 * (a @ b) - e)
    assert same(pyrowan.galerkin(a.T, a @ a.T, a), a.T @ (a @ a.T) @ a)


def test_inspect():
    a = pyrowan.generate("rmat:scale=9")
    why = pyrowan.inspect(a)
    assert sum(b["nnz"] for b in why["bins"]) == why["nnz"] == pyrowan.multiply(a, a).nnz
    assert all(b["why"] for b in why["bins"])
    pandas = pytest.importorskip("pandas")
    assert isinstance(why.bins_frame(), pandas.DataFrame) and len(why.rows_frame()) == 512


def test_files(tmp_path):
    a = integers(30, 40)
    for name in ("a.mtx", "a.mtx.gz", "a.bin", "a.rowan"):
        pyrowan.write(tmp_path / name, a)
        assert same(pyrowan.read(tmp_path / name), a)


@pytest.mark.skipif(not os.environ.get("ROWAN_EXECUTABLE"), reason="the program is not built")
def test_train(tmp_path):
    model = tmp_path / "mine.json"
    pyrowan.train([pyrowan.generate("rmat:scale=9"), "generated:stencil2d:nx=60,ny=60"], model,
                  arguments=["--budget", "5", "--repeats", "1"])
    a = pyrowan.generate("rmat:scale=9")
    assert same(pyrowan.multiply(a, a, model=model), pyrowan.multiply(a, a))
    with pytest.raises(pyrowan.Error):
        pyrowan.train(["generated:nothing"], model)


def test_the_lock_is_released():
    a = pyrowan.generate("rmat:scale=14")
    counted = 0
    done = threading.Event()

    def multiply():
        pyrowan.multiply(a, a, threads=1)
        done.set()

    thread = threading.Thread(target=multiply)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 5


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c():
    a = pyrowan.generate("rmat:scale=17")
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(50):
            pyrowan.multiply(a, a)
    assert time.monotonic() - begin < 20
    small = integers(30, 30)
    assert same(pyrowan.multiply(small, small), small @ small)
