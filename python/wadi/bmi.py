# SPDX-License-Identifier: MIT
"""The Basic Model Interface 2.0 of CSDMS: a terrain and its processes for frameworks that couple models.

Grid 0 is uniform rectilinear. Its rows run from south to north, as is usual there; values are flat.
"""
from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np

from . import generators
from .files import read
from .process import Process, named
from .terrain import Terrain

LAYERS = {
    "land_surface__elevation": "surface",
    "bedrock_surface__elevation": "bedrock",
    "land_surface_sediment__thickness": "sediment",
    "land_surface_water__depth": "water",
    "bedrock__hardness": "hardness",
    "land_vegetation__cover_fraction": "vegetation",
    "soil_pore_water__saturation": "moisture",
}


class Bmi:
    """A terrain with its processes in turns.

    The configuration is a file in JSON, or a dict:

        {"terrain": {"heights": "land.asc", "seed": 1},           or {"noise": {...}, "shape": [64, 64], "cell": 30}
         "layers": {"sediment": 1.0},
         "processes": {"hydraulic": {"rain": 0.8}, "talus": {}},
         "time": {"step": 100, "end": 10000}}
    """

    def initialize(self, config_file: Any) -> None:
        """Build the terrain and its processes."""
        folder = pathlib.Path(".")
        if not isinstance(config_file, dict):
            folder = pathlib.Path(config_file).parent
            config_file = json.loads(pathlib.Path(config_file).read_text())
        time = config_file.get("time", {})
        self.step, self.end = float(time.get("step", 1.0)), float(time.get("end", 1000.0))
        self.land = self._terrain(dict(config_file.get("terrain", {})), folder)
        for name, value in config_file.get("layers", {}).items():
            self.land[name] = value
        self.processes: list[Process] = [named(name)(self.land, **parameters)
                                         for name, parameters in config_file.get("processes", {}).items()]

    @staticmethod
    def _terrain(about: dict[str, Any], folder: pathlib.Path) -> Terrain:
        heights, noise = about.pop("heights", None), about.pop("noise", None)
        if heights is not None:
            values, cell = read(folder / heights, about.pop("cell", None))
            return Terrain.from_array(values, cell, **about)
        shape, cell = about.pop("shape", (100, 100)), about.pop("cell", 30.0)
        land = Terrain(shape, cell, **about)
        if noise is not None:
            land["surface"] = generators.noise(shape, cell, land.seed, **noise)
        return land

    def update(self) -> None:
        """Run all processes for a time step."""
        self._run(self.step)

    def update_until(self, time: float) -> None:
        """Run until a time [yr]."""
        now = self.get_current_time()
        if time < now:
            raise ValueError(f"the model is at {now:g} yr and cannot go back to {time:g} yr")
        while time - self.get_current_time() > 1e-9 * max(1.0, time):
            self._run(min(self.step, time - self.get_current_time()))

    def _run(self, years: float) -> None:
        for process in self.processes:
            process.advance(years)
        self.land.advance_clock(years)

    def finalize(self) -> None:
        """Bring all matter to rest."""
        for process in self.processes:
            process.finish()
            process.settle()

    # ---- what there is --------------------------------------------------------------------------

    def get_component_name(self) -> str:
        """Name of the model."""
        return "Wadi"

    def get_input_var_names(self) -> tuple[str, ...]:
        """Layers that can be set."""
        return tuple(LAYERS)

    def get_output_var_names(self) -> tuple[str, ...]:
        """Layers, and maps of the processes as PROCESS__MAP."""
        return (*LAYERS, *(f"{p.process_name}__{name}" for p in self.processes for name in p.maps))

    def get_input_item_count(self) -> int:
        """Number of input variables."""
        return len(self.get_input_var_names())

    def get_output_item_count(self) -> int:
        """Number of output variables."""
        return len(self.get_output_var_names())

    def _process_map(self, name: str) -> tuple[Process, str]:
        for process in self.processes:
            kind, _, map_name = name.partition("__")
            if kind == process.process_name and map_name in process.maps:
                return process, map_name
        raise KeyError(f"no variable '{name}'; there are {', '.join(self.get_output_var_names())}")

    def get_var_units(self, name: str) -> str:
        """Unit in the notation of udunits."""
        if name in LAYERS:
            return self.land.unit(LAYERS[name])
        process, map_name = self._process_map(name)
        return process.description.maps[map_name].unit

    def get_var_type(self, name: str) -> str:
        """All variables are float32."""
        return "float32"

    def get_var_itemsize(self, name: str) -> int:
        """Bytes of a value."""
        return 4

    def get_var_nbytes(self, name: str) -> int:
        """Bytes of all values."""
        return 4 * self.get_grid_size(0)

    def get_var_location(self, name: str) -> str:
        """Cells are nodes."""
        return "node"

    def get_var_grid(self, name: str) -> int:
        """All variables are on grid 0."""
        return 0

    # ---- time -----------------------------------------------------------------------------------

    def get_start_time(self) -> float:
        """[yr]"""
        return 0.0

    def get_current_time(self) -> float:
        """[yr]"""
        return self.land.clock

    def get_end_time(self) -> float:
        """[yr]"""
        return self.end

    def get_time_step(self) -> float:
        """Years in which the processes take turns once."""
        return self.step

    def get_time_units(self) -> str:
        """Julian years."""
        return "yr"

    # ---- values ---------------------------------------------------------------------------------

    def _values(self, name: str) -> Any:
        if name in LAYERS:
            return self.land[LAYERS[name]][::-1].ravel()
        process, map_name = self._process_map(name)
        return process.map(map_name)[::-1].ravel()

    def get_value(self, name: str, dest: Any) -> Any:
        """Copy all values to `dest`."""
        dest[:] = self._values(name)
        return dest

    def get_value_ptr(self, name: str) -> Any:
        """There is none: the model keeps heights as integers, rows from the north."""
        raise NotImplementedError("Wadi keeps heights as integers: use get_value()")

    def get_value_at_indices(self, name: str, dest: Any, inds: Any) -> Any:
        """Copy some values to `dest`."""
        dest[:] = self._values(name)[inds]
        return dest

    def set_value(self, name: str, src: Any) -> None:
        """Set a layer. The processes finish the time that waits first; the ledger books an edit."""
        if name not in LAYERS:
            raise KeyError(f"'{name}' cannot be set; these can: {', '.join(LAYERS)}")
        for process in self.processes:
            process.finish()
        self.land[LAYERS[name]] = np.asarray(src, np.float32).reshape(self.land.shape)[::-1]

    def set_value_at_indices(self, name: str, inds: Any, src: Any) -> None:
        """Set some values of a layer."""
        values = self._values(name)
        values[inds] = src
        self.set_value(name, values)

    # ---- the grid -------------------------------------------------------------------------------

    def get_grid_type(self, grid: int) -> str:
        """Square cells."""
        return "uniform_rectilinear"

    def get_grid_rank(self, grid: int) -> int:
        """Rows and columns."""
        return 2

    def get_grid_size(self, grid: int) -> int:
        """Number of cells."""
        return self.land.shape[0] * self.land.shape[1]

    def get_grid_shape(self, grid: int, shape: Any) -> Any:
        """Rows, columns."""
        shape[:] = self.land.shape
        return shape

    def get_grid_spacing(self, grid: int, spacing: Any) -> Any:
        """[m]"""
        spacing[:] = self.land.cell
        return spacing

    def get_grid_origin(self, grid: int, origin: Any) -> Any:
        """Centre of the south-western cell: y, x [m]."""
        origin[:] = self.land.cell / 2
        return origin

    def get_grid_x(self, grid: int, x: Any) -> Any:
        """Columns [m]."""
        x[:] = self.land.x
        return x

    def get_grid_y(self, grid: int, y: Any) -> Any:
        """Rows [m], from the south."""
        y[:] = self.land.y[::-1]
        return y

    def get_grid_z(self, grid: int, z: Any) -> Any:
        """The grid has two dimensions."""
        raise NotImplementedError("grid 0 has two dimensions")

    def get_grid_node_count(self, grid: int) -> int:
        """Number of cells."""
        return self.get_grid_size(grid)

    def _unstructured(self, *_: Any) -> Any:
        raise NotImplementedError("grid 0 is uniform rectilinear and has no list of edges or faces")

    get_grid_edge_count = get_grid_face_count = _unstructured
    get_grid_edge_nodes = get_grid_face_edges = _unstructured
    get_grid_face_nodes = get_grid_nodes_per_face = _unstructured
