# SPDX-License-Identifier: MIT
"""Terrains and processes as bytes: what a checkpoint, a pickle and a copy are made of."""
from __future__ import annotations

import ctypes
import io
import json
from typing import TYPE_CHECKING, Any, BinaryIO, Callable

from . import _c
from ._library import Context, lib
from .errors import FormatError

if TYPE_CHECKING:
    from .process import Process
    from .terrain import Terrain

MAGIC = b"wadi-python 1\n"


def collect(context: Context, function: Callable[..., int], handle: Any) -> bytes:
    """The bytes that one of the library's functions writes."""
    out = io.BytesIO()

    def write(_user: Any, data: int, size: int) -> int:
        out.write(ctypes.string_at(data, size))
        return _c.WADI_OK

    hook = _c.wadi_write_fn(write)
    context.check(function(handle, hook, None))
    return out.getvalue()


def reader(file: BinaryIO) -> Any:
    """A hook by which the library reads a file."""
    def read(_user: Any, data: int, size: int) -> int:
        block = file.read(size)
        ctypes.memmove(data, block, len(block))
        return _c.WADI_OK if len(block) == size else _c.WADI_ERROR_FORMAT

    return _c.wadi_read_fn(read)


def write(terrain: "Terrain", with_processes: bool = True) -> bytes:
    """A line of JSON about what follows, then the terrain, then its processes."""
    processes = terrain.processes if with_processes else []
    parts = [collect(terrain.context, lib.wadi_terrain_save, terrain.handle)]
    parts += [collect(terrain.context, lib.wadi_solver_save, process.handle) for process in processes]
    head = {"sizes": [len(part) for part in parts], "started": terrain.started,
            "years": [process.years for process in processes]}
    return b"".join([MAGIC, json.dumps(head).encode(), b"\n", *parts])


def _head(file: io.BytesIO) -> dict[str, Any]:
    if file.readline() != MAGIC:
        raise FormatError("this is no state of a terrain: it does not begin with 'wadi-python 1'")
    try:
        return json.loads(file.readline())
    except ValueError as error:
        raise FormatError("the state of the terrain is damaged: its second line is no JSON") from error


def read(data: bytes, context: Context, adopt: Callable[..., None],
         terrain: Callable[[], "Terrain"]) -> list["Process"]:
    """Give `adopt` the terrain's handle, and return the processes."""
    from .process import Process

    file = io.BytesIO(data)
    head = _head(file)
    handle = ctypes.c_void_p()
    context.check(lib.wadi_terrain_load(context.handle, reader(file), None, ctypes.byref(handle)))
    adopt(context, handle)
    terrain().started = head["started"]
    processes = []
    for years in head["years"]:
        handle = ctypes.c_void_p()
        context.check(lib.wadi_solver_load(terrain().handle, reader(file), None, ctypes.byref(handle)))
        processes.append(Process.restore(terrain(), handle))
        processes[-1].years = years
    return processes
