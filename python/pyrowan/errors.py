"""What pyrowan raises. Each is an Error, and the Python exception that it is most like."""

from __future__ import annotations

__all__ = [
    "Error", "InvalidArgument", "Overflow", "OutOfMemory", "MemoryLimit", "ParseError", "FileError", "Unsupported",
    "Cancelled", "DeviceError",
]


class Error(Exception):
    """Something that rowan refuses or that failed; `code` is its name in rowan's other languages."""

    code = "error"


class InvalidArgument(Error, ValueError):
    """A matrix, option or name that breaks its contract."""

    code = "invalid_argument"


class Overflow(Error, OverflowError):
    """A size that does not fit the type that has to hold it."""

    code = "overflow"


class OutOfMemory(Error, MemoryError):
    """The system has no more memory."""

    code = "out_of_memory"


class MemoryLimit(Error, MemoryError):
    """More memory than `memory_limit` allows."""

    code = "memory_limit"


class ParseError(Error, ValueError):
    """A file whose content breaks its format."""

    code = "parse"


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""

    code = "io"


class Unsupported(Error, NotImplementedError):
    """Something valid that this build or version cannot do."""

    code = "unsupported"


class Cancelled(Error):
    """The caller asked to stop."""

    code = "cancelled"


class DeviceError(Error, RuntimeError):
    """A device or its runtime failed."""

    code = "device"


BY_CODE = {e.code: e for e in (InvalidArgument, Overflow, OutOfMemory, MemoryLimit, ParseError, FileError, Unsupported,
                               Cancelled, DeviceError)}
