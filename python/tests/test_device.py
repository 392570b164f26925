"""pyrowan on matrices in device memory. On the emulated device, whose memory is the host's, arrays are numpy's by DLPack;
with CuPy or PyTorch and a GPU (PYROWAN_TEST_BACKEND=cuda) theirs."""

import ctypes
import gc
import os

import numpy as np
import pytest
import scipy.sparse as sp

import pyrowan
from pyrowan import _core

BACKEND = os.environ.get("PYROWAN_TEST_BACKEND", "emulated")
HERE = {"backend": BACKEND}
ON_GPU = BACKEND != "emulated"
emulated = pytest.mark.skipif(ON_GPU, reason="reads device memory as the host's")


def matrix(rows, cols, seed, dtype=np.float64, density=0.05):
    m = sp.random(rows, cols, density=density, format="csr", random_state=seed, dtype=np.float64)
    m.data = 1 + np.round(4 * m.data)  # sums are exact, and no value is 0
    return m.astype(dtype)


def writable(array):
    """numpy's array over it, which numpy hands on."""
    kind = {"<i4": ctypes.c_int32, "<f8": ctypes.c_double}[array.typestr]
    return np.ctypeslib.as_array((kind * len(array)).from_address(array.address))


def same(c, expected):
    assert c.shape == expected.shape
    assert abs(c - expected).max() == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products(dtype):
    a, b = matrix(60, 90, 1, dtype), matrix(90, 40, 2, dtype)
    there_a, there_b = pyrowan.to_device(a, **HERE), pyrowan.to_device(b, **HERE)
    c = pyrowan.multiply(there_a, there_b, **HERE)
    assert isinstance(c, pyrowan.DeviceMatrix)
    home = pyrowan.to_host(c, **HERE)
    assert home.dtype == dtype
    same(home, a @ b)
    assert c.nnz == (a @ b).nnz and "entries" in repr(c)
    # a product of a product
    same(pyrowan.to_host(pyrowan.multiply(c, pyrowan.to_device((a @ b).T.tocsr(), **HERE), **HERE), **HERE),
         (a @ b) @ (a @ b).T)


def test_sizes_plan_inspect_statistics():
    a = matrix(80, 80, 3)
    there = pyrowan.to_device(a, **HERE)
    sizes = pyrowan.symbolic(there, there, **HERE)
    assert sizes.nnz == (a @ a).nnz and sizes.indptr[-1] == sizes.nnz
    plan = pyrowan.Plan(there, there, **HERE)
    assert plan.nnz == sizes.nnz and plan.nprod == sizes.nprod and plan.nbytes > 0
    twice = a.copy()
    twice.data *= 2
    there_twice = pyrowan.to_device(twice, **HERE)
    first, second = plan.execute(there, there), plan.execute(there_twice, there)
    same(pyrowan.to_host(first, **HERE), a @ a)
    same(pyrowan.to_host(second, **HERE), 2 * (a @ a))
    why = pyrowan.inspect(there, **HERE)
    assert len(why["rows"]["nnz"]) == 80 and why["device"] and why["bins"]
    stats = {}
    pyrowan.multiply(there, there, stats=stats, **HERE)
    assert stats["nnz"] == sizes.nnz and stats["device"]


@emulated
def test_arrays_of_others_come_in_and_results_go_out():
    a = matrix(50, 50, 4)
    sent = pyrowan.to_device(a, **HERE)
    indptr, indices, data = (writable(x) for x in (sent.indptr, sent.indices, sent.data))
    np.testing.assert_array_equal(indices, a.indices)
    c = pyrowan.multiply(pyrowan.DeviceMatrix(a.shape, indptr, indices, data), sent, **HERE)
    values = np.from_dlpack(c.data)
    assert values.ctypes.data == c.data.address  # the same memory
    expected = sp.csr_matrix((values.copy(), np.from_dlpack(c.indices).copy(), np.from_dlpack(c.indptr).copy()), c.shape)
    same(expected, a @ a)
    del c
    gc.collect()
    assert values.sum() == expected.data.sum()  # numpy's view keeps the memory

    class Foreign:
        """An array with CUDA's interface."""

        def __init__(self, array):
            self.array = array
            self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "strides": None,
                                             "data": (array.ctypes.data, False), "version": 3, "stream": 1}

        def __len__(self):
            return len(self.array)

    m = pyrowan.DeviceMatrix(a.shape, Foreign(indptr), Foreign(indices), Foreign(data))
    same(pyrowan.to_host(pyrowan.multiply(m, m, **HERE), **HERE), a @ a)


@emulated
def test_index_widths():
    a = matrix(40, 40, 5)
    sent = pyrowan.to_device(a, **HERE)
    c = pyrowan.multiply(sent, sent, **HERE)
    assert (c.indptr.typestr, c.indices.typestr) == ("<i4", "<i4")
    wide = _core.device_multiply(pyrowan._settings(HERE), _core.Where(0, 0, None, False, True),
                                 *(_core.DeviceOperand(40, 40, sent.indptr, sent.indices, sent.data),) * 2, False)
    assert (wide[0].typestr, wide[1].typestr) == ("<i8", "<i8")
    m = pyrowan.DeviceMatrix(wide[3], *wide[:3])
    d = pyrowan.multiply(m, m, **HERE)
    assert (d.indptr.typestr, d.indices.typestr) == ("<i8", "<i8")
    same(pyrowan.to_host(d, **HERE), (a @ a) @ (a @ a))


@emulated
def test_the_interface_of_results():
    sent = pyrowan.to_device(matrix(10, 10, 6), **HERE)
    assert sent.data.__dlpack_device__() == (1, 0)
    with pytest.raises(AttributeError):
        sent.data.__cuda_array_interface__
    capsule = sent.data.__dlpack__(stream=None, max_version=(1, 0))
    taken = _core.DeviceArray.from_dlpack(capsule)
    assert taken.address == sent.data.address
    with pytest.raises(pyrowan.InvalidArgument, match="used before"):
        _core.DeviceArray.from_dlpack(capsule)
    del sent, capsule
    gc.collect()
    assert ctypes.c_double.from_address(taken.address).value != 0


def test_bad_input():
    a = matrix(10, 12, 7)
    there = pyrowan.to_device(a, **HERE)
    with pytest.raises(pyrowan.InvalidArgument, match="A has 12 columns, but B has 10 rows"):
        pyrowan.multiply(there, there, **HERE)
    with pytest.raises(TypeError, match="B is a csr_matrix, but the other matrix is in device memory"):
        pyrowan.multiply(there, a, **HERE)
    with pytest.raises(pyrowan.InvalidArgument, match="in a device's memory"):
        pyrowan.multiply(there, there, backend="host")
    with pytest.raises(TypeError, match="dtype is float32"):
        pyrowan.multiply(there, there, dtype=np.float32, **HERE)
    with pytest.raises(pyrowan.Unsupported, match="measure"):
        pyrowan.inspect(there, measure=True, **HERE)
    with pytest.raises(TypeError, match="neither"):
        pyrowan.multiply(pyrowan.DeviceMatrix((10, 12), None, None, None), there, **HERE)
    with pytest.raises(pyrowan.InvalidArgument, match=r"indptr has 11 elements, not rows \+ 1"):
        pyrowan.multiply(pyrowan.DeviceMatrix((11, 12), there.indptr, there.indices, there.data), there, **HERE)
    with pytest.raises(pyrowan.InvalidArgument, match="data must be of float32 or float64"):
        pyrowan.multiply(pyrowan.DeviceMatrix((10, 12), there.indptr, there.indices, there.indices), there, **HERE)
    other = pyrowan.to_device(matrix(12, 12, 8, np.float32), **HERE)
    with pytest.raises(pyrowan.InvalidArgument, match="different types"):
        pyrowan.multiply(there, other, **HERE)
    plan = pyrowan.Plan(other, other, **HERE)
    with pytest.raises(pyrowan.InvalidArgument, match="not those that were planned"):
        plan.execute(pyrowan.to_device(matrix(12, 12, 9, np.float32), **HERE), other)


def test_cupy():
    cupy = pytest.importorskip("cupy")
    sparse = pytest.importorskip("cupyx.scipy.sparse")
    for dtype in (np.float32, np.float64):
        a, b = matrix(300, 200, 10, dtype), matrix(200, 250, 11, dtype)
        for kind in (sparse.csr_matrix, sparse.csc_matrix):
            c = pyrowan.multiply(kind(a), kind(b))
            assert type(c) is kind and c.dtype == dtype
            same(c.get().tocsr(), a @ b)
    a = matrix(200, 200, 12)
    there = sparse.csr_matrix(a)
    with cupy.cuda.Stream(non_blocking=True):
        c = pyrowan.multiply(there, there)
        same((c + c).get(), 2 * (a @ a))
    del c
    plan = pyrowan.Plan(there, there)
    twice = there.copy()
    twice.data *= 2
    same(plan.execute(twice, there).get(), 2 * (a @ a))
    assert pyrowan.symbolic(there, there).nnz == (a @ a).nnz
    assert pyrowan.inspect(there)["device"]
    same(pyrowan.to_host(there), a)
    empty = pyrowan.multiply(sparse.csr_matrix((5, 4)), sparse.csr_matrix((4, 3)))
    assert empty.shape == (5, 3) and empty.nnz == 0
    with pytest.raises(TypeError, match="are not multiplied"):
        pyrowan.multiply(there.astype(np.complex128), there)


def torch_csr(torch, m, device, index=np.int64):
    return torch.sparse_csr_tensor(torch.from_numpy(m.indptr.astype(index)), torch.from_numpy(m.indices.astype(index)),
                                   torch.from_numpy(m.data), m.shape, device=device)


def as_scipy(t):
    t = t.cpu()
    return sp.csr_matrix((t.values().numpy(), t.col_indices().numpy(), t.crow_indices().numpy()), tuple(t.shape))


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_torch(device):
    torch = pytest.importorskip("torch")
    if device == "cuda" and not (ON_GPU and torch.cuda.is_available()):
        pytest.skip("there is no GPU")
    for dtype in (np.float32, np.float64):
        for index in (np.int32, np.int64):
            a, b = matrix(300, 200, 13, dtype), matrix(200, 250, 14, dtype)
            c = pyrowan.multiply(torch_csr(torch, a, device, index), torch_csr(torch, b, device, index))
            assert c.layout == torch.sparse_csr and c.device.type == device and c.values().numel() == (a @ b).nnz
            assert c.col_indices().dtype == c.crow_indices().dtype == torch.from_numpy(np.zeros(1, index)).dtype
            same(as_scipy(c), a @ b)
    a = matrix(200, 200, 15)
    t = torch_csr(torch, a, device)
    by_columns = t.to_sparse_csc()
    c = pyrowan.multiply(by_columns, by_columns)
    assert c.layout == torch.sparse_csc
    same(as_scipy(c.to_sparse_csr()), a @ a)
    if device == "cuda":
        plan = pyrowan.Plan(t, t)
        same(as_scipy(plan.execute(t, t)), a @ a)
        with torch.cuda.stream(torch.cuda.Stream()):
            c = pyrowan.multiply(t, t)
            torch.cuda.current_stream().synchronize()
        same(as_scipy(c), a @ a)
        with pytest.raises(TypeError, match="by rows and the other by columns"):
            pyrowan.multiply(t, by_columns)
    with pytest.raises(TypeError, match="layout"):
        pyrowan.multiply(t.to_dense(), t)
    with pytest.raises(TypeError, match="are not multiplied"):
        pyrowan.multiply(t.to(torch.complex128), t)
    with pytest.raises(TypeError, match="requires grad"):
        pyrowan.multiply(torch_csr(torch, a, device).requires_grad_(True), t)


def test_several_devices_share_the_host_s_matrices():
    a = matrix(70, 70, 11)
    stats = {}
    same(pyrowan.multiply(a, a, devices=[0], stats=stats, **HERE), a @ a)
    assert [share["device"] for share in stats["devices"]] == [0]
    assert stats["devices"][0]["rows"] == 70 and stats["devices"][0]["nnz"] == (a @ a).nnz
    with pytest.raises(pyrowan.InvalidArgument, match="device 0 was named twice"):
        pyrowan.multiply(a, a, devices=(0, 0), **HERE)
    with pytest.raises(pyrowan.DeviceError, match="there is no device 99"):
        pyrowan.multiply(a, a, devices=(99,), **HERE)
    with pytest.raises(pyrowan.InvalidArgument, match="devices were named, but backend is the host"):
        pyrowan.multiply(a, a, devices=(0,), backend="host")
