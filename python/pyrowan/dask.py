"""Products of matrices in chunks of rows, with Dask: on threads, in processes or on a cluster.

>>> import pyrowan, pyrowan.dask
>>> A = pyrowan.generate("rmat:scale=10")
>>> C = pyrowan.dask.multiply(A, A, chunks=256)      # nothing is computed yet
>>> C
dask.array<rowan-multiply, shape=(1024, 1024), dtype=float64, chunksize=(256, 1024), chunktype=scipy.csr_matrix>
>>> (C.compute() != pyrowan.multiply(A, A)).nnz
0

A chunk of C is one product of rowan's: a chunk of A by those rows of B that its columns name. They are selected by tasks
of their own, which Dask runs where B's chunks are, unless other workers have less to do. The bits are those of the product
in one process, however the rows are cut.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np
import scipy.sparse

try:
    import dask
    import dask.array as da
    from dask.base import compute_as_if_collection, tokenize
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph
except ImportError as missing:
    raise ImportError(f"pyrowan.dask needs dask (Debian: python3-dask, and python3-distributed for clusters): {missing}"
                      ) from missing

import pyrowan

from .errors import InvalidArgument

__all__ = ["multiply", "from_scipy"]

Block = Any  # a sparse matrix or array of scipy's
Key = Any


def from_scipy(matrix: Block, chunks: Any = "auto", name: str = "matrix") -> da.Array:
    """One of scipy's sparse matrices as a Dask array of CSR blocks in chunks of rows, over its memory.

    `chunks`: rows of a chunk, or the rows of each chunk; "auto": as many as take Dask's array.chunk-size.

    >>> from_scipy(scipy.sparse.identity(10, format="csr"), 4).chunks
    ((4, 4, 2), (10,))
    """
    rows = pyrowan._compressed(matrix, name).tocsr()
    if isinstance(chunks, str) and chunks == "auto":
        entry = rows.dtype.itemsize + rows.indices.itemsize
        largest = dask.utils.parse_bytes(dask.config.get("array.chunk-size"))
        chunks = max(1, int(largest / max(1, entry * rows.nnz) * rows.shape[0]))
    sizes = _sizes(chunks, rows.shape[0], name)
    ends = np.cumsum(sizes)
    label = "scipy-" + tokenize(matrix, sizes)
    graph = {(label, i, 0): _slice(rows, int(end - size), int(end)) for i, (size, end) in enumerate(zip(sizes, ends))}
    return da.Array(HighLevelGraph.from_collections(label, graph), label, chunks=(sizes, (rows.shape[1],)),
                    meta=_meta(rows.dtype))


def multiply(A: Any, B: Any, *, chunks: Any = "auto", dtype: Any = None, prune: bool | None = None,
             **options: Any) -> da.Array:
    """C = A @ B as a Dask array of CSR blocks, in A's chunks of rows. Its compute() is a matrix of scipy's.

    A and B are Dask arrays whose blocks are scipy's sparse matrices, lists of such blocks or of Delayed ones, one above
    the other, or whole matrices of scipy's, which are cut as `chunks` says (see from_scipy). Chunks of columns are joined.

    A task for each pair of chunks selects rows of B. `prune` finds out first which chunks of A name rows of which chunks of
    B, and makes tasks for these pairs alone. That computes A at once: persist it before. By default it is done where A is
    a whole matrix.

    `dtype` is that of the values, of A's and B's the wider one where it is not given; lists of Delayed have float64. Options
    are pyrowan.multiply's; `threads` is 1 unless given, since chunks are multiplied side by side.
    """
    for name in ("stats", "stream"):
        if name in options:
            raise TypeError(f"{name} is not an option of products in chunks")
    options = {"threads": 1, **options}
    pyrowan._settings(options)  # refuses what it does not know
    a, b = _operand(A, "A", chunks), _operand(B, "B", chunks)
    if a.cols == a.cols and b.known and a.cols != sum(b.rows):
        raise InvalidArgument(f"A has {a.cols} columns, but B has {sum(b.rows)} rows")
    kind = pyrowan._value_type({"A": a, "B": b}, dtype)
    name = "rowan-multiply-" + tokenize(a.keys, b.keys, str(kind), options)
    steps = _Tasks(name, [m.array for m in (a, b)])

    if b.known:
        bounds: Any = _bounds(b.rows)
    else:
        counts = steps.add("count", {j: (_count, key, j) for j, key in enumerate(b.keys)})
        bounds, = steps.add("bounds", {0: (_bounds, counts)})
    needs = steps.add("needs", {i: (_needs, key, bounds, i) for i, key in enumerate(a.keys)})
    if prune if prune is not None else scipy.sparse.issparse(A):
        named = steps.add("named", {i: (_named, key) for i, key in enumerate(needs)})
        pairs = steps.compute(named, None if prune else "sync")
    else:
        pairs = [range(len(b.keys))] * len(a.keys)
    numbered = steps.add("numbered", {i: (_numbered, key, bounds, needs[i]) for i, key in enumerate(a.keys)})
    names = [(i, j) for i, some in enumerate(pairs) for j in some]
    selected = dict(zip(names, steps.add("selected", {
        (i, j): (_selected, b.keys[j], needs[i], j, b.rows[j], b.cols) for i, j in names})))
    graph = {(name, i, 0): (_product, numbered[i], [selected[i, j] for j in some], a.rows[i], str(kind), options)
             for i, some in enumerate(pairs)}
    return da.Array(steps.graph(graph), name, chunks=(a.rows, (b.cols,)), meta=_meta(kind))


class _Operand(NamedTuple):
    """A matrix in chunks of rows; what is not known yet is nan."""

    array: da.Array
    dtype: np.dtype

    @property
    def keys(self) -> list[Key]:
        return [(self.array.name, i, 0) for i in range(len(self.rows))]

    @property
    def rows(self) -> tuple:
        return self.array.chunks[0]

    @property
    def cols(self) -> Any:
        return self.array.chunks[1][0]

    @property
    def known(self) -> bool:
        return not np.isnan(self.rows).any()


class _Tasks:
    """The graph of one product, made step by step."""

    def __init__(self, name: str, operands: list[da.Array]) -> None:
        self.name, self.operands = name, operands
        self.tasks: dict[Key, Any] = {}

    def add(self, step: str, tasks: dict) -> list[Key]:
        keys = [(f"{step}-{self.name}", *(key if isinstance(key, tuple) else (key,))) for key in tasks]
        self.tasks.update(zip(keys, tasks.values()))
        return keys

    def graph(self, last: dict) -> HighLevelGraph:
        return HighLevelGraph.from_collections(self.name, {**self.tasks, **last}, dependencies=self.operands)

    def compute(self, keys: list[Key], scheduler: str | None) -> list:
        return list(compute_as_if_collection(da.Array, self.graph({}), keys, scheduler=scheduler))


def _meta(dtype: Any) -> Block:
    return scipy.sparse.csr_matrix((0, 0), dtype=dtype)


def _sizes(chunks: Any, rows: int, name: str) -> tuple[int, ...]:
    """The rows of each chunk; at least one chunk."""
    whole = isinstance(chunks, (int, np.integer)) and not isinstance(chunks, bool)
    if whole and chunks > 0:
        return tuple(min(int(chunks), rows - at) for at in range(0, rows, int(chunks))) or (0,)
    sizes = () if whole or isinstance(chunks, str) else tuple(chunks)
    if not sizes or any(not isinstance(n, (int, np.integer)) or n < 0 for n in sizes):
        raise InvalidArgument(f"chunks is {chunks!r}: it is a number of rows, the rows of each chunk, or 'auto'")
    if sum(sizes) != rows:
        raise InvalidArgument(f"chunks of {sum(sizes)} rows in all, but {name} has {rows}")
    return tuple(map(int, sizes))


def _operand(m: Any, name: str, chunks: Any) -> _Operand:
    if scipy.sparse.issparse(m):
        array = from_scipy(m, chunks, name)
    elif isinstance(m, da.Array):
        if m.ndim != 2:
            raise InvalidArgument(f"{name} has {m.ndim} dimensions, not 2")
        array = m if m.numblocks[1] == 1 else _joined(m, name)
    elif isinstance(m, (list, tuple)):
        array = _stacked_list(m, name)
    else:
        raise TypeError(f"{name} is a {type(m).__name__}, not a Dask array, a list of chunks or a sparse matrix of scipy's")
    return _Operand(array, array.dtype)


def _joined(m: da.Array, name: str) -> da.Array:
    """With one chunk of columns."""
    label = "rowan-joined-" + tokenize(m.name)
    graph = {(label, i, 0): (_beside, [(m.name, i, k) for k in range(m.numblocks[1])], name, i)
             for i in range(m.numblocks[0])}
    return da.Array(HighLevelGraph.from_collections(label, graph, dependencies=[m]), label,
                    chunks=(m.chunks[0], (sum(m.chunks[1]),)), meta=_meta(m.dtype))


def _stacked_list(blocks: Sequence, name: str) -> da.Array:
    if not blocks:
        raise InvalidArgument(f"{name} is a list of no chunks")
    for i, block in enumerate(blocks):
        if not isinstance(block, Delayed):
            _checked(block, name, i)
    given = [None if isinstance(block, Delayed) else block for block in blocks]
    there = [block for block in given if block is not None]
    label = "rowan-chunks-" + tokenize(*blocks)
    graph = {(label, i, 0): block.key if isinstance(block, Delayed) else block for i, block in enumerate(blocks)}
    rows = tuple(np.nan if block is None else block.shape[0] for block in given)
    cols = there[0].shape[1] if there else np.nan
    kind = np.result_type(*(block.dtype for block in there)) if len(there) == len(blocks) else np.dtype(float)
    return da.Array(HighLevelGraph.from_collections(label, graph, [b for b in blocks if isinstance(b, Delayed)]), label,
                    chunks=(rows, (cols,)), meta=_meta(kind))


# What tasks do, each with chunks that are there.


def _checked(block: Block, name: str, i: int) -> Block:
    if not scipy.sparse.issparse(block):
        raise TypeError(f"chunk {i} of {name} is a {type(block).__name__}, not a sparse matrix of scipy's")
    return block.tocsr()


def _like(block: Block, parts: tuple, shape: tuple[int, int]) -> Block:
    return type(block)(parts, shape=shape, copy=False)


def _beside(blocks: list[Block], name: str, i: int) -> Block:
    return scipy.sparse.hstack([_checked(block, name, i) for block in blocks], format="csr")


def _slice(m: Block, first: int, last: int) -> Block:
    """Rows [first, last), in place."""
    at, end = m.indptr[first], m.indptr[last]
    return _like(m, (m.data[at:end], m.indices[at:end], m.indptr[first:last + 1] - at), (last - first, m.shape[1]))


def _count(block: Block, j: int) -> int:
    return _checked(block, "B", j).shape[0]


def _bounds(counts: Sequence[int]) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _named_rows(indices: np.ndarray, rows: int) -> np.ndarray:
    """Which there are, rising: by a mark for each row, unless they are far more than entries."""
    if rows > 16 * len(indices):
        return np.unique(indices)
    marks = np.zeros(rows, bool)
    marks[indices] = True
    return np.flatnonzero(marks)


def _needs(block: Block, bounds: np.ndarray, i: int) -> list[np.ndarray]:
    """Of each chunk of B, the rows that this chunk of A names, rising."""
    block = _checked(block, "A", i)
    rows = int(bounds[-1])
    if block.shape[1] != rows:
        raise InvalidArgument(f"chunk {i} of A has {block.shape[1]} columns, but B has {rows} rows")
    outside = np.flatnonzero((block.indices < 0) | (block.indices >= rows))
    if len(outside):
        raise InvalidArgument(f"column {block.indices[outside[0]]} in row "
                              f"{np.searchsorted(block.indptr, outside[0], 'right') - 1} of chunk {i} of A, which has {rows}")
    named = _named_rows(block.indices, rows)
    cuts = np.searchsorted(named, bounds)
    return [(named[cuts[j]:cuts[j + 1]] - bounds[j]).astype(np.int32 if bounds[j + 1] - bounds[j] < 2**31 else np.int64)
            for j in range(len(bounds) - 1)]


def _named(needs: list[np.ndarray]) -> list[int]:
    """The chunks of B of which there are rows; the first where there are none, for its columns."""
    return [j for j, rows in enumerate(needs) if len(rows)] or [0]


def _numbered(block: Block, bounds: np.ndarray, needs: list[np.ndarray]) -> Block:
    """With columns numbered among the rows needed, in their order: entries stay in A's order, and so do sums."""
    block = block.tocsr()
    named = np.concatenate([rows + first for rows, first in zip(needs, bounds)])
    if len(named) == block.shape[1]:
        return block
    if block.shape[1] > 16 * block.nnz:
        columns = np.searchsorted(named, block.indices)
    else:
        numbers = np.empty(block.shape[1], block.indices.dtype)
        numbers[named] = np.arange(len(named))
        columns = numbers[block.indices]
    return _like(block, (block.data, columns.astype(block.indices.dtype), block.indptr), (block.shape[0], len(named)))


def _selected(block: Block, needs: list[np.ndarray], j: int, rows: Any, cols: Any) -> Block:
    """The rows of B that are needed, in their order, where its chunk is."""
    block = _checked(block, "B", j)
    if block.shape[0] != rows == rows or block.shape[1] != cols == cols:
        raise InvalidArgument(f"chunk {j} of B has shape {block.shape}, where {(rows, cols)} was announced")
    some = needs[j]
    if len(some) == block.shape[0]:
        return block
    if len(some) == 0 or int(some[-1]) - int(some[0]) + 1 == len(some):
        first = int(some[0]) if len(some) else 0
        return _slice(block, first, first + len(some))
    return block[some]


def _above(blocks: list[Block]) -> Block:
    """One above the other, entries in their order."""
    if len(blocks) == 1:
        return blocks[0]
    cols = blocks[0].shape[1]
    for block in blocks:
        if block.shape[1] != cols:
            raise InvalidArgument(f"chunks of B have {cols} and {block.shape[1]} columns")
    starts = np.cumsum([0] + [block.nnz for block in blocks])
    wide = np.int64 if starts[-1] >= 2**31 or any(b.indptr.dtype == np.int64 for b in blocks) else np.int32
    indptr = np.concatenate([[0]] + [b.indptr[1:].astype(wide) + wide(at) for b, at in zip(blocks, starts)])
    return _like(blocks[0], (np.concatenate([b.data for b in blocks]), np.concatenate([b.indices for b in blocks]),
                             indptr.astype(wide)), (len(indptr) - 1, cols))


def _product(a: Block, selected: list[Block], rows: Any, dtype: str, options: dict) -> Block:
    if a.shape[0] != rows == rows:
        raise InvalidArgument(f"a chunk of A has {a.shape[0]} rows, where {rows} were announced")
    b = _above(selected)
    for name, m in (("A", a), ("B", b)):
        if not np.can_cast(m.dtype, dtype, "same_kind"):
            raise TypeError(f"a chunk of {name} has values of {m.dtype}, where {dtype} was announced")
    return pyrowan.multiply(a, b, dtype=dtype, **options)
