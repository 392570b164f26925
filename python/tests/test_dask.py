"""pyrowan.dask: products in chunks have the bits of one product, and fetch no row of B that they do not need."""

import numpy as np
import pytest
import scipy.sparse as sp

da = pytest.importorskip("dask.array", reason="dask is not installed (Debian: python3-dask)")
dask = pytest.importorskip("dask")

import pyrowan
import pyrowan.dask as rd


def random(rows, cols, seed=1, density=0.1):
    return sp.random(rows, cols, density=density, format="csr", random_state=seed)


def same_bits(ours, theirs):
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    return True


def steps(array, name, optimized=True):
    """The tasks of one step, by the end of their keys."""
    graph = dict((dask.optimize(array)[0] if optimized else array).__dask_graph__())
    return {key[1:]: task for key, task in graph.items() if isinstance(key, tuple) and key[0].startswith(name)}


@pytest.mark.parametrize("scheduler", ["sync", "threads"])
@pytest.mark.parametrize("chunks", [1, 7, 64, 1000, (0, 100, 0, 28, 0)])
@pytest.mark.parametrize("spec", ["rmat:scale=7", "stencil2d:nx=16,ny=8"])
def test_same_bits_for_all_chunks(spec, chunks, scheduler):
    a = pyrowan.generate(spec)
    c = rd.multiply(a, a, chunks=chunks)
    assert isinstance(c, da.Array) and c.shape == (128, 128) and c.dtype == np.float64
    assert same_bits(c.compute(scheduler=scheduler), pyrowan.multiply(a, a))


def test_processes():
    a = pyrowan.generate("rmat:scale=9")
    assert same_bits(rd.multiply(a, a, chunks=200).compute(scheduler="processes", num_workers=2), pyrowan.multiply(a, a))


def test_entries_keep_their_order():
    """Sums of 1e16, 1 and -1e16 show the order: unsorted rows, and an entry given twice."""
    a = sp.csr_matrix((np.array([1e16, 1, -1e16, 1, 1e16, -1e16, 3]), np.array([5, 0, 3, 2, 5, 0, 5]), np.array([0, 3, 7])),
                      shape=(2, 6))
    b = sp.csr_matrix(np.ones((6, 2)))
    expected = pyrowan.multiply(a, b)
    for chunks in (1, 2, 4):
        assert same_bits(rd.multiply(rd.from_scipy(a, 1), rd.from_scipy(b, chunks)).compute(), expected)


@pytest.mark.parametrize("shape", [(30, 50, 20), (3, 200, 5), (200, 3, 40), (1, 1, 1), (0, 4, 3), (4, 0, 3), (4, 3, 0)])
def test_rectangular_and_fewer_rows_than_chunks(shape):
    rows, inner, cols = shape
    a, b = random(rows, inner), random(inner, cols, 2)
    c = rd.multiply(rd.from_scipy(a, 2), rd.from_scipy(b, (0,) * 9 + (inner,) + (0,)))
    assert same_bits(c.compute(), pyrowan.multiply(a, b))
    assert same_bits(rd.multiply(a, b, chunks=1000).compute(), pyrowan.multiply(a, b))


def test_operands():
    """Dask arrays with chunks of columns, lists of blocks, Delayed ones of unknown shape, arrays and CSC."""
    a, b = random(40, 60), random(60, 30, 2)
    expected = pyrowan.multiply(a, b)
    blocks = [[a[:25, :10], a[:25, 10:]], [a[25:, :10], a[25:, 10:]]]
    tiles = da.concatenate([da.concatenate([da.from_delayed(dask.delayed(x), x.shape, meta=sp.csr_matrix((0, 0)))
                                            for x in row], axis=1) for row in blocks])
    lists = [b[:1], b[1:59], b[59:]]
    unknown = [dask.delayed(x) for x in lists]
    for left in (a, a.tocsc(), a.tocoo(), tiles, [a], [a[:3], dask.delayed(a[3:])], [dask.delayed(a)]):
        for right in (b, lists, unknown, tuple(unknown), b.tocsc(), rd.from_scipy(b, 9)):
            for prune in (False, True):
                assert same_bits(rd.multiply(left, right, chunks=11, prune=prune).compute(), expected)
    c = rd.multiply(unknown, b.T.tocsr())
    assert np.isnan(c.shape[0]) and c.shape[1] == 60
    assert same_bits(c.compute(), pyrowan.multiply(b, b.T.tocsr()))
    assert isinstance(rd.multiply(sp.csr_array(a), b, chunks=9).blocks[1].compute(), sp.csr_array)
    from_numpy = da.from_array(a.toarray(), chunks=(8, 60)).map_blocks(sp.csr_matrix)
    assert same_bits(rd.multiply(from_numpy, b).compute(), expected)


def test_products_of_products():
    a = pyrowan.generate("stencil2d:nx=12,ny=12")
    b = rd.from_scipy(a, 40)
    twice = rd.multiply(rd.multiply(b, b), b)
    assert twice.chunks == ((40, 40, 40, 24), (144,))
    assert same_bits(twice.compute(), pyrowan.multiply(pyrowan.multiply(a, a), a))


def test_types():
    a, b = random(30, 30), random(30, 30, 2).astype(np.float32)
    assert same_bits(rd.multiply(a, b, chunks=8).compute(), pyrowan.multiply(a, b))
    c = rd.multiply(b, b, chunks=8)
    assert c.dtype == np.float32 and same_bits(c.compute(), pyrowan.multiply(b, b))
    assert same_bits(rd.multiply(a, a, chunks=8, dtype=np.float32).compute(), pyrowan.multiply(a, a, dtype=np.float32))
    assert rd.multiply([dask.delayed(b)], b).compute().dtype == np.float64
    assert rd.multiply([dask.delayed(b)], b, dtype=np.float32).compute().dtype == np.float32
    whole = a.astype(np.int64)
    with pytest.raises(TypeError, match="A has values of int64"):
        rd.multiply(whole, whole)
    assert same_bits(rd.multiply(whole, whole, dtype=float).compute(), pyrowan.multiply(whole, whole, dtype=float))
    with pytest.raises(TypeError, match="values of complex128, where float64 was announced"):
        rd.multiply([dask.delayed(a.astype(complex))], b).compute()


def test_wide_indices():
    a = random(50, 40)
    a.indices, a.indptr = a.indices.astype(np.int64), a.indptr.astype(np.int64)
    b = random(40, 30, 2)
    assert same_bits(rd.multiply(a, b, chunks=7).compute(), pyrowan.multiply(a, b))
    far = 5 * 2**31
    b = sp.csr_matrix((np.array([3.0, 4.0]), np.array([7, far], dtype=np.int64), np.array([0, 0, 2], dtype=np.int64)),
                      shape=(2, far + 1))
    a = sp.csr_matrix(np.array([[0, 2.0], [1, 0]]))
    c = rd.multiply(a, b, chunks=1).compute()
    assert c.shape == (2, far + 1) and list(c.indices) == [7, far] and list(c.data) == [6, 8]


def test_only_needed_rows_are_fetched():
    """A product's task has rows of B selected by tasks of their own, which Dask's optimization leaves apart."""
    a = pyrowan.generate("stencil2d:nx=32,ny=32")  # rows name columns up to 32 away
    chunks = rd.from_scipy(a, 128)
    for prune, pairs in ((False, 64), (True, 8 + 2 * 7)):
        c = rd.multiply(chunks, chunks, prune=prune)
        selected = steps(c, "selected")
        assert len(selected) == pairs
        products = steps(c, c.name)
        assert len(products) == 8
        b_keys = {str(key) for key in chunks.__dask_keys__()}
        keys = list(dask.optimize(c)[0].__dask_graph__())
        rows = dask.get(dict(c.__dask_graph__()), [k for k in keys if isinstance(k, tuple) and k[0].startswith("selected")])
        assert sum(m.shape[0] for m in rows) == 8 * 128 + 2 * 7 * 32
        for task in products.values():
            assert not any(key in str(task) for key in b_keys)
    # a whole matrix is known: pairs without rows are not in the graph
    assert len(steps(rd.multiply(a, a, chunks=128), "selected", optimized=False)) == 8 + 2 * 7
    # one chunk of B for all chunks of A: its rows are selected, too
    assert len(steps(rd.multiply(chunks, rd.from_scipy(a, 1024)), "selected")) == 8


def test_bad_input():
    a = random(20, 30)
    with pytest.raises(pyrowan.InvalidArgument, match="A has 30 columns, but B has 20 rows"):
        rd.multiply(a, a)
    with pytest.raises(pyrowan.InvalidArgument, match="chunk 0 of A has 30 columns, but B has 20 rows"):
        rd.multiply([dask.delayed(a)], a).compute()
    with pytest.raises(TypeError, match="there is no option 'thread'"):
        rd.multiply(a, a.T, thread=3)
    with pytest.raises(pyrowan.InvalidArgument, match="threads is -1"):
        rd.multiply(a, a.T, threads=-1)
    with pytest.raises(TypeError, match="stats is not an option"):
        rd.multiply(a, a.T, stats={})
    for wrong in (0, -3, "some", (), (5, -1), (2.5,)):
        with pytest.raises(pyrowan.InvalidArgument, match="chunks is"):
            rd.multiply(a, a.T, chunks=wrong)
    with pytest.raises(pyrowan.InvalidArgument, match="chunks of 19 rows in all, but A has 20"):
        rd.multiply(a, rd.from_scipy(a.T), chunks=(10, 9))
    with pytest.raises(TypeError, match="B is a ndarray, not a Dask array"):
        rd.multiply(a, a.T.toarray())
    with pytest.raises(TypeError, match="chunk 1 of B is a ndarray, not a sparse matrix"):
        rd.multiply(a, [a.T.tocsr(), a.toarray()])
    with pytest.raises(TypeError, match="chunk 0 of A is a ndarray, not a sparse matrix"):
        rd.multiply(da.from_array(a.toarray()), a.T).compute()
    with pytest.raises(pyrowan.InvalidArgument, match="A is a list of no chunks"):
        rd.multiply([], a)
    with pytest.raises(pyrowan.InvalidArgument, match="A has 1 dimensions"):
        rd.multiply(da.ones(4), a)
    with pytest.raises(pyrowan.InvalidArgument, match="chunks of B have 20 and 3 columns"):
        rd.multiply(a, [dask.delayed(a.T.tocsr()[:20]), dask.delayed(random(10, 3, density=1))]).compute()
    lies = da.from_delayed(dask.delayed(a), (10, 30), meta=sp.csr_matrix((0, 0)))
    with pytest.raises(pyrowan.InvalidArgument, match="a chunk of A has 20 rows, where 10 were announced"):
        rd.multiply(lies, a.T).compute()
    with pytest.raises(pyrowan.InvalidArgument, match=r"chunk 0 of B has shape \(20, 30\)"):
        rd.multiply(random(5, 10), lies).compute()
    broken = a.copy()
    broken.indices[5] = 77
    row = np.searchsorted(a.indptr, 5, "right") - 1
    with pytest.raises(pyrowan.InvalidArgument, match=f"column 77 in row {row} of chunk 0 of A, which has 30"):
        rd.multiply(broken, a.T).compute()
    with pytest.raises(pyrowan.InvalidArgument, match="column 77 in row"):
        rd.multiply(a.T, broken).compute()
    with pytest.raises(pyrowan.MemoryLimit):
        rd.multiply(a, a.T, memory_limit=10).compute(scheduler="processes", num_workers=1)


def test_a_cluster_of_four_workers():
    distributed = pytest.importorskip("distributed", reason="distributed is not installed (Debian: python3-distributed)")
    settings = {"distributed.comm.timeouts.connect": "60s", "distributed.worker.memory.terminate": False}
    with dask.config.set(settings), distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=None) as cluster, \
            distributed.Client(cluster) as client:
        assert len(client.scheduler_info()["workers"]) == 4
        for spec in ("stencil2d:nx=64,ny=64", "rmat:scale=10"):
            a = pyrowan.generate(spec)
            chunks = rd.from_scipy(a, a.shape[0] // 8).persist()
            for prune in (False, True):
                c = rd.multiply(chunks, chunks, prune=prune).persist()
                assert same_bits(c.compute(), pyrowan.multiply(a, a))
            homes = {worker for workers in client.who_has(c).values() for worker in workers}
            assert len(homes) > 1  # chunks of C are where they were made
        with pytest.raises(pyrowan.InvalidArgument, match="chunk 0 of A has 4 columns"):
            rd.multiply([dask.delayed(random(4, 4, density=1))], random(5, 5)).compute()
