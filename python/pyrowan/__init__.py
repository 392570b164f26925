"""Sparse matrix-matrix products of scipy's matrices that choose an accumulator for every row.

>>> import pyrowan
>>> A = pyrowan.generate("rmat:scale=10")
>>> C = pyrowan.multiply(A, A)
>>> C.shape, C.nnz == (A @ A).nnz
((1024, 1024), True)

Matrices are scipy.sparse's, CSR or CSC (others are converted to CSR), with values of 32 or 64 bits and indices of
either width. They are not copied, and neither are results. Python's lock is released; Ctrl-C ends a call. PyTorch's
sparse_csr and sparse_csc tensors are taken, too; these, CuPy's sparse matrices and DeviceMatrix in a GPU's memory are
multiplied there, by multiply, symbolic, inspect and Plan. Options are keyword arguments of every call::

    backend        "automatic", "host", "cuda", "hip" or "emulated", as far as they were built
    devices        of the backend, that share a product of matrices in the host's memory: (0, 1); the first if empty
    threads        at most; 0: what the machine offers
    policy, model  a compiled-in policy by name; a policy file, or its text ("{...")
    force          one accumulator for all rows that it can take
    deterministic  on devices, too, add in the order of A's columns
    unsorted       multiply() on a host may leave indices of a row in any order, which is faster where rows are short
    memory_limit   bytes for C and all temporaries; 0: the machine's memory
    validate       check A and B first; without it a broken matrix is undefined behaviour
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple, Union

import numpy as np
import scipy.sparse

from . import _core
from . import device as _device
from .device import DeviceMatrix
from .errors import (Cancelled, DeviceError, Error, FileError, InvalidArgument, MemoryLimit, OutOfMemory, Overflow,
                     ParseError, Unsupported)

__all__ = [
    "multiply", "multiply_add", "galerkin", "symbolic", "pattern", "Plan", "inspect", "Inspection", "Sizes", "read",
    "write", "generate", "train", "release_memory", "DeviceMatrix", "to_device", "to_host", "Error", "InvalidArgument", "Overflow", "OutOfMemory",
    "MemoryLimit", "ParseError", "FileError", "Unsupported", "Cancelled", "DeviceError",
]
__version__ = _core.version()

Matrix = Any  # a sparse matrix or array of scipy's
_OPTIONS = {"backend": "automatic", "threads": 0, "policy": "", "model": "", "force": "", "deterministic": False,
            "unsorted": False, "memory_limit": 0, "validate": True, "devices": ()}


@functools.lru_cache(maxsize=64)
def _settings_of(*items: tuple[str, Any]) -> _core.Settings:
    return _core.Settings(**{**_OPTIONS, **dict(items)})


def _settings(options: dict[str, Any]) -> _core.Settings:
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"there is no option {name!r}; there are {', '.join(_OPTIONS)}")
    if "devices" in options:
        options = {**options, "devices": tuple(options["devices"])}
    if options.get("model"):  # the file may have changed since
        return _core.Settings(**{**_OPTIONS, **options, "model": os.fspath(options["model"])})
    return _settings_of(*sorted(options.items()))


def _compressed(m: Matrix, name: str) -> Matrix:
    """CSR or CSC, of scipy's; others become CSR."""
    if not scipy.sparse.issparse(m):
        raise TypeError(f"{name} is a {type(m).__name__}, not a sparse matrix of scipy's")
    return m if m.format in ("csr", "csc") else m.tocsr()


def _value_type(matrices: dict[str, Matrix], dtype: Any = None) -> np.dtype:
    """The type of all values: the widest there is, unless one is asked for."""
    found = np.dtype(dtype) if dtype is not None else np.result_type(*(m.dtype for m in matrices.values()))
    if found not in (np.float32, np.float64):
        if dtype is not None:
            raise TypeError(f"dtype is {found}; products have values of float32 or float64")
        wrong = next(name for name, m in matrices.items() if m.dtype not in (np.float32, np.float64))
        raise TypeError(f"{wrong} has values of {matrices[wrong].dtype}, which are not multiplied: convert them, for "
                        f"example with {wrong}.astype(float), or say dtype=float")
    return found


def _operand(m: Matrix, dtype: np.dtype, transposed: bool = False) -> _core.Operand:
    """The matrix, or its transpose, where it lies."""
    by_rows = m.format == "csr"
    rows, cols = m.shape if by_rows else m.shape[::-1]
    return _core.Operand(rows, cols, np.ascontiguousarray(m.indptr), np.ascontiguousarray(m.indices),
                         np.ascontiguousarray(m.data, dtype=dtype), by_rows == transposed)


def _with_indices(m: Matrix, width: Any) -> Matrix:
    """With indices of that width; its indptr stays as it is."""
    if m.indices.dtype == width:
        return m
    other = type(m)(m.shape, dtype=m.dtype)
    other.data, other.indices, other.indptr = m.data, m.indices.astype(width), m.indptr
    return other


def _fits(m: Matrix) -> bool:
    return max(m.shape) <= np.iinfo(np.int32).max


def _narrow(m: Matrix) -> Matrix:
    """With 32-bit indices."""
    if not _fits(m):
        raise Overflow(f"a matrix of shape {m.shape} needs 64-bit indices, which multiply() alone takes")
    return _with_indices(m, np.int32)


def _is_array(m: Matrix) -> bool:
    return isinstance(m, getattr(scipy.sparse, "sparray", ())) or type(m).__name__.endswith("_array")


def _sparse(parts: tuple, like: Matrix = None, form: str = "csr", canonical: bool = True) -> Matrix:
    """A matrix of scipy's over (indptr, indices, data, shape), an array where `like` is one."""
    indptr, indices, data, shape = parts[:4]
    kind = getattr(scipy.sparse, f"{form}_array" if like is not None and _is_array(like) else f"{form}_matrix")
    m = kind((data, indices, indptr), shape=shape if form == "csr" else shape[::-1], copy=False)
    if canonical:  # else scipy looks when it needs to know
        m.has_canonical_format = True
    return m


def _is_there(*matrices: Matrix) -> bool:
    return any(map(_device.is_there, matrices))


def multiply(A: Matrix, B: Matrix, *, dtype: Any = None, stats: dict | None = None, stream: Any = None,
             **options: Any) -> Matrix:
    """C = A @ B: CSC where both are CSC, else CSR, with sorted indices unless `unsorted`; structural zeros are kept.

    Every entry is the sum of its products in the order of A's entries, each rounded first: the same bits for every
    choice and number of threads. Mixed types of values become the wider one; `dtype` converts. `stats`, a dict, gets
    the time of each stage and what was done.

    Where A and B are in a GPU's memory C is, too, and of A's library. It is made in `stream` (a number, or an object of
    CuPy's or PyTorch's; else the one in use), which the call does not wait for, unless `stats` is wanted. Sums are in any
    order, unless `deterministic`.

    >>> import scipy.sparse as sp
    >>> A = sp.csr_matrix([[0., 2, 0], [1, 0, 3]])
    >>> multiply(A, A.T.tocsr()).toarray()
    array([[ 4.,  0.],
           [ 0., 10.]])
    >>> multiply(A, A)
    Traceback (most recent call last):
     ...
    pyrowan.errors.InvalidArgument: A has 3 columns, but B has 2 rows
    """
    if _is_there(A, B):
        return _device.multiply(A, B, _settings(options), dtype, stats, stream)
    if _device.is_torch_on_host(A) or _device.is_torch_on_host(B):
        return _device.torch_on_host(A, B, functools.partial(multiply, dtype=dtype, stats=stats, **options))
    left, right = _compressed(A, "A"), _compressed(B, "B")
    if left.shape[1] != right.shape[0]:
        raise InvalidArgument(f"A has {left.shape[1]} columns, but B has {right.shape[0]} rows")
    kind = _value_type({"A": left, "B": right}, dtype)
    by_columns = left.format == "csc" and right.format == "csc"
    width = np.int32 if _fits(left) and _fits(right) else np.int64
    left, right = _with_indices(left, width), _with_indices(right, width)
    first = _operand(right if by_columns else left, kind, by_columns)
    second = _operand(left if by_columns else right, kind, by_columns)
    parts = _core.multiply(_settings(options), first, second)
    if stats is not None:
        stats.update(parts[4])
    return _sparse(parts, A, "csc" if by_columns else "csr", not options.get("unsorted"))


def multiply_add(alpha: float, A: Matrix, B: Matrix, beta: float, E: Matrix, **options: Any) -> Matrix:
    """alpha * A @ B + beta * E in one multiplication, CSR.

    >>> import scipy.sparse as sp
    >>> A = sp.identity(2, format="csr")
    >>> multiply_add(2, A, A, -1, A).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    all_ = {name: _narrow(_compressed(m, name)) for name, m in {"A": A, "B": B, "E": E}.items()}
    kind = _value_type(all_)
    a, b, e = (_operand(m, kind) for m in all_.values())
    return _sparse(_core.multiply_add(_settings(options), alpha, a, b, beta, e), A)


def galerkin(R: Matrix | None, A: Matrix, P: Matrix, **options: Any) -> Matrix:
    """R @ A @ P in one operation, CSR, the coarse matrix of multigrid; P.T @ A @ P where R is None.

    >>> A = generate("stencil2d:nx=8,ny=8")
    >>> P = generate("aggregation:nx=8,ny=8,nz=1,part=1")
    >>> C = galerkin(None, A, P)
    >>> abs(C - P.T @ A @ P).max() < 1e-12
    True
    """
    given = {"A": A, "P": P} if R is None else {"R": R, "A": A, "P": P}
    all_ = {name: _narrow(_compressed(m, name)) for name, m in given.items()}
    kind = _value_type(all_)
    left = _operand(all_["P"], kind, True) if R is None else _operand(all_["R"], kind)
    return _sparse(_core.galerkin(_settings(options), left, _operand(all_["A"], kind), _operand(all_["P"], kind)), A)


class Sizes(NamedTuple):
    """How large a product is."""

    indptr: np.ndarray  #: of C, int64
    nnz: int
    nprod: int  #: products
    bytes_c: int  #: that C takes
    bytes_temporary: int  #: that a multiplication takes beside it, at most


def _pair(A: Matrix, B: Matrix) -> tuple[_core.Operand, _core.Operand]:
    both = {"A": _narrow(_compressed(A, "A")), "B": _narrow(_compressed(B, "B"))}
    kind = _value_type(both)
    return _operand(both["A"], kind), _operand(both["B"], kind)


def symbolic(A: Matrix, B: Matrix, **options: Any) -> Sizes:
    """The exact size of A @ B and of each of its rows, without its values.

    >>> A = generate("stencil2d:nx=4,ny=4")
    >>> symbolic(A, A).nnz == multiply(A, A).nnz
    True
    """
    settings = _settings(options)
    if _is_there(A, B):
        pair = _device.Pair(A, B, settings)
        found = _core.device_symbolic(settings, pair.where(), *pair.operands)
    else:
        found = _core.symbolic(settings, *_pair(A, B))
    indptr, nprod, bytes_c, bytes_temporary = found
    return Sizes(indptr, int(indptr[-1]), nprod, bytes_c, bytes_temporary)


def pattern(A: Matrix, B: Matrix, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """(indptr, indices) of A @ B, CSR with sorted indices; no value is read.

    >>> A = generate("stencil2d:nx=4,ny=4")
    >>> indptr, indices = pattern(A, A)
    >>> bool((indices == multiply(A, A).indices).all())
    True
    """
    return _core.pattern(_settings(options), *_pair(A, B))[:2]


class Plan:
    """What does not depend on values, to multiply matrices of the same patterns again.

    >>> A = generate("stencil2d:nx=4,ny=4")
    >>> plan = Plan(A, A)
    >>> B = A.copy(); B.data *= 2
    >>> abs(plan.execute(A, B) - 2 * (A @ A)).max() < 1e-12
    True
    """

    def __init__(self, A: Matrix, B: Matrix, **options: Any) -> None:
        self._there = _device.DevicePlan(A, B, _settings(options)) if _is_there(A, B) else None
        if self._there:
            return
        self._plan = _core.Plan(_settings(options), *_pair(A, B))
        self._indptr, self._indices, self._shape = self._plan.pattern()
        self._indices.flags.writeable = self._indptr.flags.writeable = False  # all products share them
        self._like = A

    def execute(self, A: Matrix, B: Matrix, *, stream: Any = None) -> Matrix:
        """C = A @ B for matrices of the planned patterns, where the planned ones are. Its indptr and indices are the
        plan's, and cannot be written (on a device: must not be). `stream` is multiply()'s."""
        if self._there:
            return self._there.execute(A, B, stream)
        return _sparse((self._indptr, self._indices, self._plan.execute(*_pair(A, B)), self._shape), self._like)

    @property
    def nnz(self) -> int:
        """Entries of C."""
        return self._there.nnz if self._there else int(self._indptr[-1])

    @property
    def nprod(self) -> int:
        """Products."""
        return self._there.nprod if self._there else self._plan.nprod

    @property
    def nbytes(self) -> int:
        """That the plan keeps, now."""
        return self._there.nbytes if self._there else self._plan.bytes


class Inspection(dict):
    """Which accumulator every row of a product gets, and why: a dict with "bins", a list of dicts, and "rows", a dict of
    arrays. bins_frame() and rows_frame() are the same for pandas."""

    def bins_frame(self):
        """One line a bin."""
        import pandas
        return pandas.DataFrame([{k: v for k, v in b.items() if k not in ("features", "candidates")} for b in self["bins"]])

    def rows_frame(self):
        """One line a row of C, with its accumulator."""
        import pandas
        frame = pandas.DataFrame(self["rows"])
        frame["candidate"] = [self["bins"][b]["candidate"] for b in self["rows"]["bin"]]
        return frame


def inspect(A: Matrix, B: Matrix | None = None, *, measure: bool = False, **options: Any) -> Inspection:
    """What multiply(A, B) would choose for every row, and why; B is A where it is not given. `measure` times every
    accumulator that can take a bin's rows.

    >>> why = inspect(generate("rmat:scale=9"))
    >>> sum(b["rows"] for b in why["bins"]), len(why["rows"]["nnz"])
    (512, 512)
    """
    settings, right = _settings(options), A if B is None else B
    if _is_there(A, right):
        if measure:
            raise Unsupported("measure: accumulators are timed one by one on the host only")
        pair = _device.Pair(A, right, settings)
        return Inspection(_core.device_inspect(settings, pair.where(), *pair.operands))
    return Inspection(_core.inspect(settings, *_pair(A, right), measure))


def to_device(A: Matrix, device: int = 0, *, stream: Any = None, **options: Any) -> DeviceMatrix:
    """A copy of one of scipy's matrices in the memory of a GPU, CSR; waits."""
    by_rows = _narrow(_compressed(A, "A").tocsr())
    return _device.sent(_operand(by_rows, _value_type({"A": by_rows})), device, _settings(options), stream)


def to_host(A: Matrix, *, stream: Any = None, **options: Any) -> Matrix:
    """A copy of a matrix in the memory of a GPU as one of scipy's; waits."""
    parts, by_columns = _device.fetched(A, _settings(options), stream)
    indptr, indices, data, shape = parts
    kind = scipy.sparse.csc_matrix if by_columns else scipy.sparse.csr_matrix
    return kind((data, indices, indptr), shape=shape[::-1] if by_columns else shape, copy=False)


def read(path: Union[str, os.PathLike]) -> scipy.sparse.csr_matrix:
    """A matrix from a file: Matrix Market, binary CSR or rowan's own form, plain or gzip."""
    return _from_rowan(_core.read(os.fspath(path)))


def _from_rowan(parts: tuple) -> scipy.sparse.csr_matrix:
    """A matrix whose rows need not be sorted."""
    indptr, indices, data, shape = parts
    return scipy.sparse.csr_matrix((data, indices, indptr), shape=shape, copy=False)


def write(path: Union[str, os.PathLike], A: Matrix) -> None:
    """Writes a matrix; the name's end tells the form (.mtx, .mtx.gz, .bin, .rowan). Whole or not at all.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "a.mtx.gz")
    ...     A = generate("stencil2d:nx=4,ny=4")
    ...     write(file, A)
    ...     (read(file) != A).nnz
    0
    """
    _core.write(os.fspath(path), _operand(_narrow(_compressed(A, "A")), np.dtype(np.float64)))


def generate(spec: str) -> scipy.sparse.csr_matrix:
    """A made-up matrix, the same on every machine: "KIND" or "KIND:name=value,...", as `rowan generate --list` tells.

    >>> generate("stencil2d:nx=3,ny=3").shape
    (9, 9)
    """
    return _from_rowan(_core.generate(spec))


def train(matrices: Any, model: Union[str, os.PathLike], *, arguments: Any = ()) -> str:
    """Fits a policy to matrices and this machine, and writes it to the file `model`, for multiply(model=...). Matrices
    are scipy's, file names or "generated:SPEC". It runs `rowan train` (found in the environment variable
    ROWAN_EXECUTABLE, else in PATH) with `arguments` besides, and returns what that prints."""
    program = os.environ.get("ROWAN_EXECUTABLE") or shutil.which("rowan")
    if program is None:
        raise Unsupported("there is no program `rowan` in PATH, and ROWAN_EXECUTABLE is not set: it does the training")
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for k, m in enumerate(matrices):
            if scipy.sparse.issparse(m):
                names.append(str(Path(folder) / f"{k}.rowan"))
                write(names[-1], m)
            else:
                names.append(os.fspath(m))
        done = subprocess.run([program, "train", *names, "-o", os.fspath(model), *arguments], capture_output=True,
                              text=True, check=False)
    if done.returncode != 0:
        raise Error(done.stderr.strip() or f"rowan train ended with {done.returncode}")
    return done.stdout


def release_memory() -> None:
    """Gives memory that is kept for later results back to the system, a device's too."""
    _settings_of.cache_clear()
    _core.release_memory()
