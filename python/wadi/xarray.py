# SPDX-License-Identifier: MIT
"""Terrains as datasets of xarray, and the accessor `wadi` of its arrays. Loaded where xarray is installed."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from .terrain import Terrain
from .units import Years

if TYPE_CHECKING:
    from .process import Process

STANDARD = {"surface": "surface_altitude", "bedrock": "bedrock_altitude"}  # of the tables of CF


def dataset(land: Terrain, *processes: "Process") -> xr.Dataset:
    """Layers of a terrain and output maps of processes, with coordinates and units after CF."""
    coords = {name: (name, values, {"units": "m", "axis": name.upper(), "standard_name": f"projection_{name}_coordinate"})
              for name, values in (("y", land.y), ("x", land.x))}
    found = {}
    for name in land.layers:
        told = {"units": land.unit(name), "long_name": name}
        if name in STANDARD:
            told["standard_name"] = STANDARD[name]
        found[name] = (("y", "x"), land[name], told)
    for process in processes:
        for name in process.maps:
            info = process.description.maps[name]
            found[f"{process.process_name}_{name}"] = (("y", "x"), process.map(name),
                                                       {"units": info.unit, "long_name": info.doc})
    about: dict[str, Any] = {"Conventions": "CF-1.8", "cell_size": land.cell, "years": land.clock, "seed": str(land.seed),
             "state_hash": f"{land.state_hash:016x}", "source": f"wadi {_version()}"}
    return xr.Dataset(found, coords, about)


def _version() -> str:
    from ._library import version

    return version


def _cell(heights: xr.DataArray) -> float:
    """Size of the cells of evenly spaced coordinates in metres."""
    steps = []
    for name in heights.dims:
        values = np.asarray(heights[name], float)
        if heights[name].attrs.get("units", "m").startswith("degree"):
            raise ValueError(f"coordinate '{name}' is in degrees; project the heights to metres first")
        gaps = np.abs(np.diff(values))
        if len(gaps) == 0 or not np.allclose(gaps, gaps[0], rtol=1e-3):
            raise ValueError(f"coordinate '{name}' is not evenly spaced; give the size of a cell: cell=30")
        steps.append(float(gaps.mean()))
    if not np.isclose(steps[0], steps[1], rtol=1e-3):
        raise ValueError(f"cells of {steps[1]:g} x {steps[0]:g} m are not square; resample the heights first")
    return steps[0]


@xr.register_dataarray_accessor("wadi")
class Accessor:
    """`heights.wadi.terrain()` and `heights.wadi.erode("hydraulic", years)` of a two-dimensional array."""

    def __init__(self, heights: xr.DataArray) -> None:
        self.heights = heights

    def _is_southern_first(self) -> bool:
        rows = np.asarray(self.heights[self.heights.dims[0]], float)
        return len(rows) > 1 and rows[0] < rows[-1]

    def terrain(self, cell: float | None = None, **options: Any) -> Terrain:
        """A terrain with these heights [m]. Rows are turned so that the first is in the north."""
        if self.heights.ndim != 2:
            raise ValueError(f"the array has the dimensions {self.heights.dims}; expected rows and columns")
        values = np.asarray(self.heights, np.float32)
        return Terrain.from_array(values[::-1] if self._is_southern_first() else values,
                                  cell or _cell(self.heights), **options)

    def erode(self, process: str, years: Years | None = None, cell: float | None = None, **parameters: Any) -> xr.Dataset:
        """Layers and maps after a process has run, on the coordinates of the heights."""
        land = self.terrain(cell)
        found = dataset(land, land.erode(process, years, **parameters))
        if self._is_southern_first():
            found = found.isel(y=slice(None, None, -1))
        rows, columns = self.heights.dims
        names = {old: new for old, new in (("y", rows), ("x", columns)) if old != new}
        return found.rename(names).assign_coords({name: self.heights[name] for name in self.heights.dims})
