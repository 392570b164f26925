"""Matrices in the memory of a GPU: cupyx.scipy.sparse's, PyTorch's sparse_csr and sparse_csc tensors, and DeviceMatrix
over arrays of anybody's. pyrowan.multiply, symbolic, inspect and Plan take them; nothing leaves the device."""

from __future__ import annotations

import sys
from typing import Any, Callable, NamedTuple

import numpy as np

from . import _core
from .errors import InvalidArgument, Overflow

__all__ = ["DeviceMatrix"]


class DeviceMatrix:
    """A CSR matrix whose three arrays are in device memory: of int32 or int64, of either, and of float32 or float64.
    They are whatever speaks DLPack or __cuda_array_interface__, and those of results speak both. Not copied.

    `device` counts the GPUs from 0; None: where the arrays say they are, else 0."""

    def __init__(self, shape: tuple[int, int], indptr: Any, indices: Any, data: Any, device: int | None = None) -> None:
        self.shape = (int(shape[0]), int(shape[1]))
        self.indptr, self.indices, self.data, self.device = indptr, indices, data, device

    @property
    def nnz(self) -> int:
        """Entries that are stored."""
        return len(self.data)

    def __repr__(self) -> str:
        return f"<DeviceMatrix of shape {self.shape} with {self.nnz} entries>"


class There(NamedTuple):
    """A matrix as rowan takes it."""

    rows: int  #: that are stored
    cols: int
    arrays: tuple  #: indptr, indices, data: _core.DeviceArrays
    device: int
    by_columns: bool
    build: Callable  #: a matrix like it of (indptr, indices, data, shape) and whether that is by columns


class Stream(NamedTuple):
    """Where work is put."""

    address: int
    owner: Any


def _module(m: Any) -> str:
    return type(m).__module__.split(".")[0]


def is_there(m: Any) -> bool:
    """Whether it is a matrix in device memory."""
    if isinstance(m, DeviceMatrix) or _module(m) == "cupyx":
        return True
    return _is_torch(m) and m.device.type == "cuda"


def _is_torch(m: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(m, torch.Tensor)


def is_torch_on_host(m: Any) -> bool:
    """Whether it is a sparse tensor of PyTorch's in the host's memory."""
    return _is_torch(m) and m.device.type == "cpu"


def _float(dtype: Any, name: str) -> None:
    if np.dtype(dtype) not in (np.float32, np.float64):
        raise TypeError(f"{name} has values of {dtype}, which are not multiplied: convert them to float32 or float64")


def _from_cupy(m: Any, name: str) -> There:
    import cupy
    import cupyx.scipy.sparse as sparse

    if not sparse.issparse(m):
        raise TypeError(f"{name} is a {type(m).__name__}, not a sparse matrix")
    if m.format not in ("csr", "csc"):
        m = m.tocsr()
    _float(m.dtype, name)

    def array(a: Any) -> _core.DeviceArray:
        return _core.DeviceArray(a.data.ptr, a.size, a.dtype.str, a)

    def back(a: _core.DeviceArray, device: int) -> Any:
        if len(a) == 0:
            return cupy.empty(0, dtype=a.typestr)
        dtype = np.dtype(a.typestr)
        memory = cupy.cuda.UnownedMemory(a.address, len(a) * dtype.itemsize, a, device)
        return cupy.ndarray((len(a),), dtype, cupy.cuda.MemoryPointer(memory, 0))

    def build(parts: tuple, by_columns: bool) -> Any:
        indptr, indices, data, shape = parts[:4]
        kind = sparse.csc_matrix if by_columns else sparse.csr_matrix
        c = kind(shape[::-1] if by_columns else shape, dtype=data.typestr)  # of three arrays it would wait for them
        c.data, c.indices, c.indptr = (back(array, device) for array in (data, indices, indptr))
        c.has_canonical_format = True
        return c

    device = m.data.device.id
    by_columns = m.format == "csc"
    rows, cols = m.shape[::-1] if by_columns else m.shape
    return There(rows, cols, tuple(map(array, (m.indptr, m.indices, m.data))), device, by_columns, build)


def _torch_arrays(m: Any, name: str) -> tuple:
    """Compressed and plain indices, values, and whether it is by columns."""
    import torch

    if m.layout not in (torch.sparse_csr, torch.sparse_csc):
        raise TypeError(f"{name} is a tensor of layout {m.layout}; its layout must be torch.sparse_csr or sparse_csc")
    if m.dim() != 2:
        raise TypeError(f"{name} has {m.dim()} dimensions, not 2")
    if m.requires_grad:
        raise TypeError(f"{name} requires grad, but products are not differentiated: give {name}.detach()")
    if m.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"{name} has values of {m.dtype}, which are not multiplied: convert them to float32 or float64")
    if m.layout == torch.sparse_csc:
        return m.ccol_indices(), m.row_indices(), m.values(), True
    return m.crow_indices(), m.col_indices(), m.values(), False


def _torch_tensor(indptr: Any, indices: Any, data: Any, shape: tuple, by_columns: bool) -> Any:
    import torch

    if by_columns:
        return torch.sparse_csc_tensor(indptr, indices, data, shape[::-1], check_invariants=False)
    return torch.sparse_csr_tensor(indptr, indices, data, shape, check_invariants=False)


def _from_torch(m: Any, name: str) -> There:
    import torch

    indptr, indices, values, by_columns = _torch_arrays(m, name)
    types = {torch.int32: "<i4", torch.int64: "<i8", torch.float32: "<f4", torch.float64: "<f8"}

    def array(t: Any) -> _core.DeviceArray:
        t = t.contiguous()
        return _core.DeviceArray(t.data_ptr(), t.numel(), types[t.dtype], t)

    def build(parts: tuple, as_columns: bool) -> Any:
        return _torch_tensor(*map(torch.from_dlpack, parts[:3]), parts[3], as_columns)

    rows, cols = reversed(m.shape) if by_columns else m.shape
    device = m.device.index if m.device.index is not None else torch.cuda.current_device()
    return There(rows, cols, tuple(map(array, (indptr, indices, values))), device, by_columns, build)


def _array(a: Any, name: str, stream: int) -> tuple[_core.DeviceArray, int | None, int | None]:
    """Its memory, its device and the stream that it is made in, where it tells them."""
    if isinstance(a, _core.DeviceArray):
        return a, a.__dlpack_device__()[1], a.stream
    interface = getattr(a, "__cuda_array_interface__", None)
    if interface is not None:
        strides = interface.get("strides")
        size = int(interface["typestr"][2:])
        if len(interface["shape"]) != 1 or (strides is not None and tuple(strides) != (size,)):
            raise InvalidArgument(f"{name} is not a contiguous array of one dimension")
        made_in = interface.get("stream")
        return (_core.DeviceArray(interface["data"][0], interface["shape"][0], interface["typestr"], a), None,
                0 if made_in == 1 else made_in)
    if hasattr(a, "__dlpack__"):
        kind, device = a.__dlpack_device__()
        capsule = a.__dlpack__() if kind == 1 else a.__dlpack__(stream=(stream or 1) if kind == 2 else stream)
        return _core.DeviceArray.from_dlpack(capsule), device, stream
    raise TypeError(f"{name} is a {type(a).__name__}, which has neither __cuda_array_interface__ nor __dlpack__")


def _from_arrays(m: DeviceMatrix, name: str, settings: _core.Settings, stream: int) -> There:
    arrays, device = [], m.device
    for part in ("indptr", "indices", "data"):
        array, its_device, made_in = _array(getattr(m, part), f"{name}.{part}", stream)
        arrays.append(array)
        device = its_device if device is None else device
        if made_in is not None and made_in != stream:
            _core.device_wait(settings, device or 0, made_in)

    def build(parts: tuple, by_columns: bool) -> DeviceMatrix:
        return DeviceMatrix(parts[3], *parts[:3])

    return There(*m.shape, tuple(arrays), device or 0, False, build)


def _brought(m: Any, name: str, settings: _core.Settings, stream: int) -> There:
    if not is_there(m):
        raise TypeError(f"{name} is a {type(m).__name__}, but the other matrix is in device memory: "
                        f"send it there first, for example with pyrowan.to_device({name})")
    if isinstance(m, DeviceMatrix):
        return _from_arrays(m, name, settings, stream)
    return _from_torch(m, name) if _is_torch(m) else _from_cupy(m, name)


def stream_of(m: Any, given: Any) -> Stream:
    """The stream that was given (a number, or an object of CuPy's or PyTorch's), else the one in use for matrices like
    this."""
    if given is not None:
        for attribute in ("ptr", "cuda_stream"):
            if hasattr(given, attribute):
                return Stream(getattr(given, attribute), given)
        return Stream(int(given), None)
    if isinstance(m, DeviceMatrix):
        return Stream(0, None)
    if _is_torch(m):
        import torch
        current = torch.cuda.current_stream(m.device)
        return Stream(current.cuda_stream, current)
    import cupy
    current = cupy.cuda.get_current_stream()
    return Stream(current.ptr, current)


class Pair:
    """A and B as one call takes them."""

    def __init__(self, A: Any, B: Any, settings: _core.Settings, stream: Any = None) -> None:
        self.settings = settings
        self.stream = stream_of(A if is_there(A) else B, stream)
        left, right = (_brought(m, name, settings, self.stream.address) for m, name in ((A, "A"), (B, "B")))
        if left.device != right.device:
            raise InvalidArgument(f"A is on device {left.device}, but B on device {right.device}")
        if left.by_columns != right.by_columns:
            raise TypeError("one of A and B is by rows and the other by columns: convert one of them")
        # by columns, Cᵀ = Bᵀ Aᵀ by rows
        self.by_columns, self.build, self.device = left.by_columns, left.build, left.device
        self.wide = left.arrays[1].typestr == "<i8"
        self.values = left.arrays[2].typestr
        first, second = (right, left) if self.by_columns else (left, right)
        self.operands = tuple(_core.DeviceOperand(m.rows, m.cols, *m.arrays) for m in (first, second))

    def where(self, wide: bool | None = None) -> _core.Where:
        """The call's place; both of C's index arrays have the width of A's indices."""
        wide = self.wide if wide is None else wide
        return _core.Where(self.device, self.stream.address, self.stream.owner, not wide, wide)

    def widest_that_fits(self, call: Callable) -> Any:
        """call(where), again with 64-bit indices where C has more entries than fit 32 bits."""
        try:
            return call(self.where())
        except Overflow:
            if self.wide:
                raise
            return call(self.where(wide=True))


def multiply(A: Any, B: Any, settings: _core.Settings, dtype: Any, stats: dict | None, stream: Any) -> Any:
    pair = Pair(A, B, settings, stream)
    if dtype is not None and np.dtype(dtype) != np.dtype(pair.values):
        raise TypeError(f"dtype is {np.dtype(dtype)}, but the values in device memory are of "
                        f"{np.dtype(pair.values)}: convert them first")
    parts = pair.widest_that_fits(
        lambda where: _core.device_multiply(settings, where, *pair.operands, stats is not None))
    if stats is not None:
        stats.update(parts[4])
    return pair.build(parts, pair.by_columns)


class DevicePlan:
    """pyrowan.Plan of matrices in device memory."""

    def __init__(self, A: Any, B: Any, settings: _core.Settings) -> None:
        self._settings = settings
        pair = Pair(A, B, settings)
        self._plan = pair.widest_that_fits(lambda where: _core.DevicePlan(settings, where, *pair.operands))

    def execute(self, A: Any, B: Any, stream: Any = None) -> Any:
        pair = Pair(A, B, self._settings, stream)
        return pair.build(self._plan.execute(pair.where(), *pair.operands), pair.by_columns)

    nnz = property(lambda self: self._plan.nnz)
    nprod = property(lambda self: self._plan.nprod)
    nbytes = property(lambda self: self._plan.bytes)


def fetched(A: Any, settings: _core.Settings, stream: Any) -> tuple:
    """(indptr, indices, data, shape) of numpy's, and whether it is by columns."""
    at = stream_of(A, stream)
    m = _brought(A, "A", settings, at.address)
    where = _core.Where(m.device, at.address, at.owner, False, False)
    return _core.device_fetch(settings, where, _core.DeviceOperand(m.rows, m.cols, *m.arrays)), m.by_columns


def sent(operand: _core.Operand, device: int, settings: _core.Settings, stream: Any) -> DeviceMatrix:
    """A copy in device memory of what the host has by rows."""
    at = stream_of(DeviceMatrix((0, 0), None, None, None), stream)
    indptr, indices, data, shape = _core.device_send(settings, _core.Where(device, at.address, at.owner, True, False),
                                                     operand)
    return DeviceMatrix(shape, indptr, indices, data)


def torch_on_host(A: Any, B: Any, multiply_on_host: Callable) -> Any:
    """C = A B of PyTorch's tensors in the host's memory, whose arrays are scipy's meanwhile."""
    import scipy.sparse
    import torch

    def as_scipy(m: Any, name: str) -> tuple:
        if not _is_torch(m) or m.device.type != "cpu":
            raise TypeError(f"{name} is not a tensor in the host's memory, but the other matrix is one")
        indptr, indices, values, by_columns = _torch_arrays(m, name)
        kind = scipy.sparse.csc_matrix if by_columns else scipy.sparse.csr_matrix
        return kind((values.numpy(), indices.numpy(), indptr.numpy()), shape=tuple(m.shape), copy=False), indices.dtype

    (left, width), (right, _) = as_scipy(A, "A"), as_scipy(B, "B")
    c = multiply_on_host(left, right)
    by_columns = c.format == "csc"
    indptr, indices = (torch.from_numpy(a).to(width) for a in (c.indptr, c.indices))
    shape = c.shape[::-1] if by_columns else c.shape
    return _torch_tensor(indptr, indices, torch.from_numpy(c.data), shape, by_columns)
