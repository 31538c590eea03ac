# SPDX-License-Identifier: MIT
"""Maps derived from heights, measures of land and dunes, and pictures."""
from __future__ import annotations

import ctypes
import os
import struct
import zlib
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _c
from ._library import Context, lib
from .errors import UnknownError
from .tables import Params, constant, text
from .terrain import Array, Terrain, address

DERIVED = tuple(text(lib.wadi_derived_name(i)) for i in range(_c.WADI_DERIVED_COUNT))


def _field(heights: Array, cell: float) -> _c.wadi_field2d:
    rows, columns = heights.shape
    pointer = heights.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    return _c.wadi_field2d(heights=pointer, width=columns, height=rows, stride=columns, dx=cell, dy=cell)


def _heights(ground: Union[Terrain, ArrayLike], cell: float | None) -> tuple[Array, float]:
    if isinstance(ground, Terrain):
        return ground["surface"], ground.cell
    if cell is None:
        raise TypeError("heights without a terrain need the size of a cell: cell=30")
    return np.ascontiguousarray(ground, np.float32), cell


def derive(ground: Union[Terrain, ArrayLike], name: str, cell: float | None = None) -> Array:
    """A map of a terrain or of heights: slope, aspect, hillshade, d8_area ... (DERIVED lists them)."""
    if name not in DERIVED:
        raise UnknownError(f"no derived map '{name}'; there are {', '.join(DERIVED)}")
    heights, cell = _heights(ground, cell)
    context, out = Context(), np.empty(heights.shape, np.float32)
    context.run(lib.wadi_derive, context.handle, ctypes.byref(_field(heights, cell)), DERIVED.index(name), None,
                address(out))
    return out


def measure_land(ground: Union[Terrain, ArrayLike], cell: float | None = None, *, before: ArrayLike | None = None,
                 years: float = 0.0) -> dict[str, float]:
    """Measures of `wadi judge land`: drainage, rivers, slopes; with `before` also wear and deposit."""
    heights, cell = _heights(ground, cell)
    land = _c.wadi_land(surface=_field(heights, cell), years=years)
    if before is not None:
        earlier = np.ascontiguousarray(before, np.float32)
        if earlier.shape != heights.shape:
            raise ValueError(f"before has the shape {earlier.shape}; the land has {heights.shape}")
        land.before = earlier.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    context, forms, count = Context(), _c.wadi_land_forms(), ctypes.c_int32()
    context.run(lib.wadi_land_forms_measure, context.handle, ctypes.byref(land), ctypes.byref(forms))
    rows = lib.wadi_land_measures(ctypes.byref(count))
    return {text(row.name): lib.wadi_land_measure_value(ctypes.byref(row), ctypes.byref(forms))
            for row in rows[: count.value]}


def measure_dunes(land: Terrain, drift: float = float("nan")) -> dict[str, Any]:
    """Measures of `wadi judge dunes`: height, spacing, crests, horns; `drift`: azimuth to which sand moves."""
    heights, sand = land["surface"], land["sediment"]
    dunes = _c.wadi_dune_field(surface=_field(heights, land.cell),
                               sand=sand.ctypes.data_as(ctypes.POINTER(ctypes.c_float)))
    forms = _c.wadi_dune_forms()
    land.context.run(lib.wadi_dune_forms_measure, land.context.handle, ctypes.byref(dunes), ctypes.byref(forms))
    measures: dict[str, Any] = {name: getattr(forms, name) for name, *_ in forms._fields_}
    shapes = _c.wadi_dune_shapes()
    land.context.run(lib.wadi_dune_shapes_measure, land.context.handle, ctypes.byref(dunes), drift,
                     ctypes.byref(shapes), None)
    measures.update({name: getattr(shapes, name) for name, *_ in shapes._fields_ if name not in measures})
    measures["type"] = text(lib.wadi_dune_type_name(lib.wadi_dune_forms_classify(ctypes.byref(forms), drift)))
    return measures


def sand_drift(winds: ArrayLike, table: str = "rose", *, year: float = 0.0, threshold: float = 6.17) -> dict[str, Any]:
    """Drift potential of winds, by rows of a table of winds (rose: from which direction, speed, share of the time)."""
    rows = np.ascontiguousarray(winds, np.float64)
    history = _c.wadi_wind_history(table=table.encode(), values=rows.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
                                   rows=len(rows), year=year, threshold=threshold)
    context, drift = Context(), _c.wadi_sand_drift()
    context.run(lib.wadi_sand_drift_measure, context.handle, ctypes.byref(history), ctypes.byref(drift))
    measures: dict[str, Any] = {name: getattr(drift, name) for name, *_ in drift._fields_}
    measures["sectors"] = np.array(drift.sectors)
    return measures


def picture(land: Terrain, *, overlay: ArrayLike | None = None, **parameters: Any) -> NDArray[np.uint8]:
    """A picture, rows x columns x RGB: `view="map"` from above, or a perspective. Parameters as in `wadi render`."""
    params = Params(land.context, constant("wadi_render_fields"))
    params.update(parameters)
    values = None if overlay is None else land.grid(overlay, "overlay")
    rgb = np.empty((params["height"], params["width"], 3), np.uint8)
    land.context.run(lib.wadi_render_terrain, land.handle, None if values is None else address(values),
                     ctypes.cast(params.buffer, ctypes.POINTER(_c.wadi_render_params)), address(rgb))
    return rgb


def write_png(path: Union[str, "os.PathLike[str]"], rgb: ArrayLike) -> None:
    """Write a picture as a PNG file."""
    pixels = np.ascontiguousarray(rgb, np.uint8)
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, columns * 3 + 1), np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = pixels.reshape(rows, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    temporary = f"{os.fspath(path)}.new"
    with open(temporary, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 6))
                   + chunk(b"IEND", b""))
    os.replace(temporary, path)
