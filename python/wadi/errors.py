# SPDX-License-Identifier: MIT
"""Failures of the library as exceptions, with the library's own words."""
from __future__ import annotations

from . import _c


class Error(Exception):
    """Any failure that the library reports. The text says what was wrong and what to do."""


class OutOfMemory(Error, MemoryError):
    """The library got no memory."""


class ArgumentError(Error, ValueError):
    """An argument is not valid: an empty grid, say, or a parameter that the model does not read."""


class RangeError(Error, ValueError):
    """A value is outside of its range, or not a number."""


class UnknownError(Error, LookupError):
    """No process, parameter, layer, map or preset has that name."""


class BorrowedError(Error, BufferError):
    """The terrain cannot change while a view of one of its layers is alive."""


class StateError(Error, RuntimeError):
    """The call is not possible in the present state of the object."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class FormatError(Error, ValueError):
    """Bytes or a text have another format than the library reads."""


class Cancelled(Error):
    """The progress function returned False. The terrain is valid and holds the work done so far."""


KINDS: dict[int, type[Error]] = {
    _c.WADI_ERROR_MEMORY: OutOfMemory,
    _c.WADI_ERROR_ARGUMENT: ArgumentError,
    _c.WADI_ERROR_PARAMS: ArgumentError,
    _c.WADI_ERROR_RANGE: RangeError,
    _c.WADI_ERROR_UNKNOWN: UnknownError,
    _c.WADI_ERROR_BORROWED: BorrowedError,
    _c.WADI_ERROR_STATE: StateError,
    _c.WADI_ERROR_IO: FileError,
    _c.WADI_ERROR_FORMAT: FormatError,
    _c.WADI_ERROR_CANCELLED: Cancelled,
}
