# SPDX-License-Identifier: MIT
"""Scenes: the construction of a terrain and the steps, or the timeline, that follow; the same bits as `wadi run`."""
from __future__ import annotations

import ctypes
import os
import weakref
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _c, state
from ._library import Context, Progress, lib
from .errors import UnknownError
from .process import Process, named, prepare
from .tables import Params, text
from .terrain import EDGES, Edge, Terrain, address
from .units import Years, in_years

COMBINE = tuple(text(lib.wadi_combine_name(i)) for i in range(_c.WADI_COMBINE_COUNT))
LAYER_IDS = {"surface": 0, "bedrock": 1, "water": 2, "hardness": 3, "vegetation": 4, "moisture": 5, "sediment": 16}


@dataclass
class Track:
    """A process of a timeline, from one year until another; None: until its end."""

    process: str
    begin: float = 0.0
    until: float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Event:
    """An edit, or a process whose parameters change, in a year of a timeline."""

    at: float
    name: str  #: of an edit, such as "add_sand", or of a process
    parameters: Mapping[str, Any] = field(default_factory=dict)


def _find(kind: str, name: str) -> Any:
    """A kind of source, shape or edit."""
    found = getattr(lib, f"wadi_{kind}_kind_find")(name.encode())
    if not found:
        count = getattr(lib, f"wadi_{kind}_kind_count")()
        names = [text(getattr(lib, f"wadi_{kind}_kind_at")(i).contents.name) for i in range(count)]
        raise UnknownError(f"unknown {kind} '{name}'; there are {', '.join(names)}")
    return found


def _host(shape: tuple[int, int], cell: float, arrays: list[Any]) -> _c.wadi_host:
    """The hooks by which the library reads arrays: "array 3" is the fourth."""

    def frame(_user: Any, _source: Any, out: Any) -> int:
        out.contents.width, out.contents.height, out.contents.cell_size = shape[1], shape[0], cell
        return _c.WADI_OK

    def read(_user: Any, source: Any, _frame: Any, out: Any) -> int:
        values = arrays[int(source.contents.file.decode().split()[1])]
        ctypes.memmove(out, address(values), values.nbytes)
        return _c.WADI_OK

    kinds: dict[str, Any] = dict(_c.wadi_host._fields_)
    return _c.wadi_host(frame=kinds["frame"](frame), read=kinds["read"](read))


class Scene:
    """Build it, then `run()` it.

        scene = wadi.Scene((256, 256), cell=20, seed=7)
        scene.ground("noise", relief=300)
        scene.layer("sediment", 1.0)
        scene.timeline(tick=1, end=50, tracks=[wadi.Track("dunes"), wadi.Track("talus", parameters={"repose": 30})],
                       events=[wadi.Event(20, "add_sand", {"depth": 2, "circle": {"x": 900, "y": 900, "radius": 200}})])
        run = scene.run()
        run.finish()
        run.terrain["surface"]
    """

    def __init__(self, shape: Sequence[int], cell: float = 30.0, *, edges: Union[Edge, Sequence[Edge]] = "open",
                 seed: int = 0, threads: int = 0, progress: Progress | None = None) -> None:
        self.context = Context(threads, progress)
        self.handle = ctypes.c_void_p()
        self.context.check(lib.wadi_scene_create(self.context.handle, ctypes.byref(self.handle)))
        weakref.finalize(self, Scene._destroy, self.context, self.handle)
        self.shape, self.cell = (int(shape[0]), int(shape[1])), cell
        self.sides = [edges] * 4 if isinstance(edges, str) else list(edges)
        self._is_bare = True
        self._set_grid(cell)
        lib.wadi_scene_set_seed(self.handle, seed)
        self._arrays: list[Any] = []  # sources that are arrays; the scene knows them by number
        self._kept: list[Any] = []  # what pointers of a call point to
        self.host = _host(self.shape, cell, self._arrays)

    @staticmethod
    def _destroy(_context: Context, handle: ctypes.c_void_p) -> None:
        lib.wadi_scene_destroy(handle)

    def _set_grid(self, cell: float) -> None:
        grid = _c.wadi_scene_grid(self.shape[1], self.shape[0], cell, 0.0)
        grid.edges[:] = [EDGES.index(side) for side in self.sides]
        self.context.check(lib.wadi_scene_set_grid(self.handle, ctypes.byref(grid)))

    # ---- parts of structs -------------------------------------------------------------------------

    def _add(self, function: Any, struct: Any) -> None:
        """Give the scene a struct; the library copies all that it points to."""
        try:
            self.context.check(function(self.handle, ctypes.byref(struct)))
        finally:
            self._kept.clear()

    def _keep(self, value: Any) -> Any:
        self._kept.append(value)
        return value

    def _params(self, table: Any, values: Mapping[str, Any]) -> int:
        params = Params(self.context, table.contents)
        params.update(dict(values))
        return ctypes.addressof(self._keep(params.buffer))

    def _array(self, values: ArrayLike) -> bytes:
        grid = np.array(values, np.float32, order="C")
        if grid.shape != self.shape:
            raise ValueError(f"the array has the shape {grid.shape}; the scene has {self.shape}")
        self._arrays.append(grid)
        return f"array {len(self._arrays) - 1}".encode()

    def _source(self, what: Union[str, float, ArrayLike], values: Mapping[str, Any]) -> Any:
        """A kind of source with its fields, one number, or an array."""
        if isinstance(what, str):
            kind = _find("source", what)
            return _c.wadi_source(kind=kind, params=self._params(kind.contents.fields, values))
        if np.ndim(what) == 0:
            return self._source("constant", {"value": what})
        kind = _find("source", "import")
        return _c.wadi_source(kind=kind, params=self._params(kind.contents.fields, {}), file=self._array(what))

    def _region(self, values: dict[str, Any]) -> Any:
        """A circle, rectangle or polygon with a soft rim, taken out of the keywords."""
        region = _c.wadi_region(soft=values.pop("soft", 0.0))
        for name in [name for name in ("circle", "rectangle", "polygon") if name in values]:
            region.shape = _find("shape", name)
            given = values.pop(name)
            if name == "polygon":
                points = self._keep((_c.wadi_point * len(given))(*(_c.wadi_point(x, y) for x, y in given)))
                region.points, region.point_count = points, len(given)
            else:
                region.params = self._params(region.shape.contents.fields, given)
        return region

    def _mask(self, given: Union[float, ArrayLike, Mapping[str, Any]]) -> Any:
        """A strength, weights, or a mapping as in scene files: strength, invert, source, a region, bands."""
        mask = lib.wadi_mask_default()
        if not isinstance(given, Mapping):
            given = {"strength" if np.ndim(given) == 0 else "source": given}
        values = dict(given)
        mask.region = self._region(values)
        mask.strength, mask.inverted = values.pop("strength", 1.0), values.pop("invert", False)
        if "source" in values:
            mask.source = self._source(values.pop("source"), values.pop("fields", {}))
        bands = (_c.wadi_mask_band * len(values))()
        for band, (name, limits) in zip(bands, values.items()):
            self.context.check(lib.wadi_quantity_parse(self.context.handle, name.encode(),
                                                       ctypes.byref(band.quantity)))
            unknown = set(limits) - {"from", "to", "fade"}
            if unknown:
                raise TypeError(f"unknown keys of mask '{name}': {', '.join(sorted(unknown))}")
            setattr(band, "from", limits.get("from", -np.inf))
            band.to, band.fade = limits.get("to", np.inf), limits.get("fade", 0.0)
        mask.bands, mask.band_count = self._keep(bands), len(bands)
        return self._keep(mask)

    # ---- the terrain ------------------------------------------------------------------------------

    def ground(self, source: Union[str, float, ArrayLike], *, combine: str = "mix", weight: float = 1.0,
               mask: ArrayLike | None = None, **values: Any) -> None:
        """A source of the ground's height: an array, or "noise", "ramp" ... with its fields as keywords.

        The first one sets the ground. Later ones are combined with it ("mix", "add", "max", "min", "multiply"),
        with a weight, a mask of shares, and a region: circle={"x":, "y":, "radius":}, rectangle=, polygon=, soft=.
        """
        if combine not in COMBINE:
            raise ValueError(f"unknown way to combine '{combine}'; expected one of {', '.join(COMBINE)}")
        region = self._region(values)
        if np.ndim(source) == 0 and not isinstance(source, str):
            source, values = "flat", {"elevation": source}
        ground = _c.wadi_scene_ground(source=self._source(source, values), combine=COMBINE.index(combine),
                                      weight=weight, region=region)
        if mask is not None:
            ground.mask = self._array(mask)
        if self._is_bare and ground.source.file:
            self._set_grid(0.0)  # the array has the size of its cells: see _host()
        self._add(lib.wadi_scene_add_ground, ground)
        self._is_bare = False

    def layer(self, name: str, source: Union[str, float, ArrayLike], **values: Any) -> None:
        """Values of a layer: a number, an array, or a source. A loose layer replaces rock: the surface stays."""
        self._add(lib.wadi_scene_add_layer, self._layer(name, source, values))

    def _layer(self, name: str, source: Any, values: Mapping[str, Any]) -> Any:
        if name not in LAYER_IDS:
            raise UnknownError(f"no layer '{name}'; there are {', '.join(LAYER_IDS)}")
        return _c.wadi_scene_layer(LAYER_IDS[name], self._source(source, values))

    def set_sea(self, level: Union[float, Sequence[Sequence[float]]]) -> None:
        """Level of the sea [m]: a number, or rows of (year, level)."""
        rows = np.atleast_2d([[0.0, level]] if np.ndim(level) == 0 else level).astype(np.float64)
        years, levels = ((ctypes.c_double * len(rows))(*column) for column in rows.T)
        self._add(lib.wadi_scene_set_sea, _c.wadi_scene_sea(years=years, levels=levels, count=len(rows)))

    # ---- steps ------------------------------------------------------------------------------------

    def _process(self, name: str, years: float | None, given: Mapping[str, Any]) -> Any:
        values = dict(given)
        kind, preset = named(name), values.pop("preset", None)
        interval, mature = values.pop("interval", 0.0), values.pop("mature", 0.0)
        mask = values.pop("mask", None)
        goal = lib.wadi_goal_default()
        for key in [key for key in ("denude", "until") if key in values and key not in kind.description.fields]:
            setattr(goal, key, values.pop(key))
        process, params, inputs = prepare(self.context, kind, preset, values)
        years = lib.wadi_process_years(process, params.buffer) if years is None else years
        step = _c.wadi_scene_process(process=process, params=ctypes.addressof(self._keep(params.buffer)), years=years,
                                     interval=interval, mature=mature)
        if lib.wadi_goal_is_set(ctypes.byref(goal)):
            step.goal = ctypes.pointer(self._keep(goal))
        tables, maps = [], []
        for key, value in inputs.items():
            if key in kind.description.tables:
                rows = np.ascontiguousarray(np.atleast_2d(np.asarray(value, np.float64)))
                numbers = self._keep((ctypes.c_double * rows.size)(*rows.ravel()))
                tables.append(_c.wadi_scene_table(table=key.encode(), values=numbers, rows=len(rows)))
            else:
                maps.append(_c.wadi_scene_input(key.encode(), self._source(value, {})))
        if mask is not None:
            step.mask = ctypes.pointer(self._mask(mask))
        step.tables, step.table_count = self._keep((_c.wadi_scene_table * len(tables))(*tables)), len(tables)
        step.inputs, step.input_count = self._keep((_c.wadi_scene_input * len(maps))(*maps)), len(maps)
        return step

    def _edit(self, name: str, given: Mapping[str, Any]) -> Any:
        values = dict(given)
        mask = values.pop("mask", None)
        edit = _c.wadi_edit(kind=_find("edit", name), region=self._region(values))
        if mask is not None:
            edit.mask = ctypes.pointer(self._mask(mask))
        if edit.kind.contents.verb == _c.WADI_EDIT_SET:
            edit.assigned = self._layer(values.pop("layer"), values.pop("source"), values)
        else:
            edit.params = self._params(edit.kind.contents.fields, values)
        return edit

    def _step(self, name: str, years: float | None, given: Mapping[str, Any]) -> Any:
        if lib.wadi_process_find(None, name.encode()):
            return _c.wadi_step(kind=_c.WADI_STEP_PROCESS, process=self._process(name, years, given))
        return _c.wadi_step(kind=_c.WADI_STEP_EDIT, edit=self._edit(name, given))

    def process(self, name: str, years: Years | None = None, **parameters: Any) -> None:
        """A step that runs a process for some years, with its parameters, input maps and tables.

        Also `preset`, a goal `denude` [m] or `until` (erosion index), `interval` [yr], `mature` [yr], and `mask`:
        a strength, an array of weights, or a mapping such as {"slope": {"from": 20, "fade": 5}, "strength": 0.5}.
        """
        years = None if years is None else in_years(years)
        step = _c.wadi_step(kind=_c.WADI_STEP_PROCESS, process=self._process(name, years, parameters))
        self._add(lib.wadi_scene_add_step, step)

    def edit(self, name: str, **values: Any) -> None:
        """A step that edits: "add_sand", "remove_sand", "raise", "lower", "add_water", "plant", "uproot".

        With the field of the edit (depth, height or cover), a region: circle=, rectangle=, polygon=, soft=, and
        a `mask` as that of a process.
        "set_layer" takes layer= and source= (a number, an array, or a kind with its fields).
        """
        self._add(lib.wadi_scene_add_step, self._step(name, 0.0, values))

    def timeline(self, tick: float, end: float, tracks: Sequence[Track], events: Sequence[Event] = ()) -> None:
        """Processes side by side in ticks [yr] until `end`, with dated events."""
        rows = []
        for track in tracks:
            row = _c.wadi_track(process=self._process(track.process, end, track.parameters),
                                until=end if track.until is None else track.until)
            setattr(row, "from", track.begin)
            rows.append(row)
        dated = [_c.wadi_event(event.at, self._step(event.name, end, event.parameters))
                 for event in sorted(events, key=lambda event: event.at)]
        line = _c.wadi_timeline(tick=tick, end=end, track_count=len(rows), event_count=len(dated),
                                tracks=self._keep((_c.wadi_track * len(rows))(*rows)),
                                events=self._keep((_c.wadi_event * len(dated))(*dated)))
        self._add(lib.wadi_scene_add_timeline, line)

    # ---- runs -------------------------------------------------------------------------------------

    def run(self) -> "Run":
        """Build the terrain; the run stands before its first step."""
        handle = ctypes.c_void_p()
        self.context.run(lib.wadi_run_create, self.handle, ctypes.byref(self.host), ctypes.byref(handle))
        return Run(self, handle)

    def load(self, path: Union[str, "os.PathLike[str]"]) -> "Run":
        """A run that goes on where Run.save() wrote it. Only later steps of the scene may have changed."""
        with open(path, "rb") as file:
            read = state.reader(file)
            handle = ctypes.c_void_p()
            self.context.run(lib.wadi_run_load, self.handle, ctypes.byref(self.host), read, None, ctypes.byref(handle))
        return Run(self, handle)


class Run:
    """A scene on its way. `for _ in run:` stops after each step."""

    def __init__(self, scene: Scene, handle: ctypes.c_void_p) -> None:
        self.scene, self.handle = scene, handle
        weakref.finalize(self, Run._destroy, scene, handle)

    @staticmethod
    def _destroy(_scene: Scene, handle: ctypes.c_void_p) -> None:
        lib.wadi_run_destroy(handle)

    @property
    def done(self) -> bool:
        """Are all steps done?"""
        return lib.wadi_run_is_done(self.handle)

    @property
    def position(self) -> int:
        """Number of the next step."""
        return lib.wadi_run_position(self.handle)

    def next(self) -> None:
        """Run the next step. After Ctrl-C or Cancelled the next call goes on where the process stopped."""
        lib.wadi_run_resume(self.handle)
        self.scene.context.run(lib.wadi_run_next, self.handle)

    def __iter__(self) -> Iterator["Run"]:
        while not self.done:
            self.next()
            yield self

    def finish(self) -> None:
        """Run all steps that are left."""
        for _ in self:
            pass

    @property
    def terrain(self) -> Terrain:
        """The terrain as it is now. Change it by edits of the scene only."""
        terrain = Terrain.__new__(Terrain)
        terrain.borrow(self.scene.context, ctypes.c_void_p(lib.wadi_run_terrain(self.handle)), self)
        return terrain

    def process(self, name: str) -> Process:
        """The latest solver of a process, for its maps and figures, until the process starts anew."""
        handle = lib.wadi_run_solver(self.handle, lib.wadi_process_find(None, name.encode()))
        if not handle:
            raise UnknownError(f"process '{name}' has not run yet")
        return Process.borrow(self.terrain, ctypes.c_void_p(handle))

    @property
    def state_hash(self) -> int:
        """The `state_hash` of the command's report."""
        return lib.wadi_run_hash(self.handle)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the state of the run; Scene.load() goes on from it with the same bits."""
        data = state.collect(self.scene.context, lib.wadi_run_save, self.handle)
        temporary = f"{os.fspath(path)}.new"
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
