# SPDX-License-Identifier: MIT
"""A process at work on a terrain. processes.py has a class for each, generated from the library's tables."""
from __future__ import annotations

import ctypes
import inspect
import weakref
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _c
from ._library import Context, lib
from .errors import UnknownError
from .tables import Description, Params, describe, text
from .terrain import Array, Terrain, address
from .units import Years, in_years


class Parameter:
    """A parameter of a process as an attribute: reading gives its value, writing changes the process."""

    def __init__(self, name: str, doc: str) -> None:
        self.name, self.__doc__ = name, doc

    def __get__(self, process: "Process | None", kind: type | None = None) -> Any:
        return self if process is None else process.params[self.name]

    def __set__(self, process: "Process", value: Any) -> None:
        process.change(**{self.name: value})


def prepare(context: Context, kind: "type[Process]", preset: str | None,
            parameters: dict[str, Any]) -> tuple[Any, Params, dict[str, Any]]:
    """The library's descriptor of a process, its parameters, and the input maps and tables among the keywords."""
    process = lib.wadi_process_find(None, kind.process_name.encode())
    params = Params(context, process.contents.fields.contents)
    context.check(lib.wadi_process_apply_preset(context.handle, process, preset.encode() if preset else None,
                                                params.buffer))
    inputs = {name: value for name, value in kind.take_inputs(parameters).items() if value is not None}
    params.update(parameters)
    return process, params, inputs


class Process:
    """One process on one terrain.

    Parameters, input maps and tables are keyword arguments, with the names that `wadi describe` lists.
    """

    process_name = ""
    description: Description

    def __init_subclass__(cls) -> None:
        about = describe(lib.wadi_process_find(None, cls.process_name.encode()).contents)
        cls.description = about
        for field in about.fields.values():
            # a method keeps its name; such a parameter is in `parameters` and in change()
            if not hasattr(Process, field.name):
                setattr(cls, field.name, Parameter(field.name, f"{field.doc} ({field.range})"))
        known = inspect.Parameter
        given = [known("terrain", known.POSITIONAL_OR_KEYWORD), known("preset", known.KEYWORD_ONLY, default=None)]
        given += [known(field.name, known.KEYWORD_ONLY, default=field.default) for field in about.fields.values()]
        given += [known(name, known.KEYWORD_ONLY, default=None) for name in cls._inputs() if name not in about.fields]
        given += [known("mask", known.KEYWORD_ONLY, default=None)]
        cls.__signature__ = inspect.Signature(given)  # type: ignore[attr-defined]

    @classmethod
    def _inputs(cls) -> list[str]:
        about = cls.description
        return [name for name, map_ in about.maps.items() if map_.input] + list(about.tables)

    def __init__(self, terrain: Terrain, *, preset: str | None = None, **parameters: Any) -> None:
        mask = parameters.pop("mask", None)
        process, params, inputs = prepare(terrain.context, type(self), preset, parameters)
        instance = terrain.started.get(self.process_name, 0)
        handle = ctypes.c_void_p()
        terrain.context.check(lib.wadi_solver_create(terrain.handle, process, params.buffer, instance,
                                                     ctypes.byref(handle)))
        terrain.started[self.process_name] = instance + 1
        self._adopt(terrain, handle, params)
        self._give_inputs(inputs)
        if mask is not None:
            self.set_mask(mask)

    def _adopt(self, terrain: Terrain, handle: ctypes.c_void_p, params: Params) -> None:
        self.terrain, self.handle, self.params = terrain, handle, params
        self.years = terrain.clock  #: up to which run_one_step() has run it
        terrain.attach(self)
        weakref.finalize(self, Process._destroy, terrain, handle)

    @staticmethod
    def _destroy(_terrain: Terrain, handle: ctypes.c_void_p) -> None:
        lib.wadi_solver_destroy(handle)

    @staticmethod
    def borrow(terrain: Terrain, handle: ctypes.c_void_p) -> "Process":
        """A process that another owns, with the parameters it has."""
        kind = named(text(lib.wadi_solver_process(handle).contents.name))
        process = kind.__new__(kind)
        table = lib.wadi_solver_process(handle).contents.fields.contents
        params = Params(terrain.context, table)
        ctypes.memmove(params.buffer, lib.wadi_solver_params(handle), table.params_size)
        process.terrain, process.handle, process.params, process.years = terrain, handle, params, terrain.clock
        return process

    @staticmethod
    def restore(terrain: Terrain, handle: ctypes.c_void_p) -> "Process":
        """A process of a restored terrain, which owns it."""
        process = Process.borrow(terrain, handle)
        process._adopt(terrain, handle, process.params)
        return process

    def __repr__(self) -> str:
        return f"<wadi.{type(self).__name__} model {self.model_name} on {self.terrain!r}>"

    # ---- parameters, maps and tables ------------------------------------------------------------

    @classmethod
    def take_inputs(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        """Input maps and tables among keyword arguments, which are taken out."""
        about = cls.description
        return {name: parameters.pop(name) for name in cls._inputs()
                if name in parameters and (name not in about.fields or np.ndim(parameters[name]) > 0)}

    def _give_inputs(self, inputs: Mapping[str, Any]) -> None:
        for name, values in inputs.items():
            if name in self.description.tables:
                self.set_table(name, values)
            else:
                self.set_map(name, values)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters and their values."""
        return {name: self.params[name] for name in self.description.fields}

    def change(self, **parameters: Any) -> None:
        """Give the living process other parameters, input maps or tables: its state goes on."""
        inputs = self.take_inputs(parameters)
        params = self.params.copy()
        params.update(parameters)
        for name in parameters:
            self.terrain.context.check(lib.wadi_process_check_field(
                self.terrain.context.handle, lib.wadi_solver_process(self.handle), params.buffer, name.encode()))
        if parameters:
            self.terrain.context.check(lib.wadi_solver_change(self.handle, params.buffer))
            self.params = params
        self._give_inputs(inputs)

    def set_map(self, name: str, values: ArrayLike) -> None:
        """Set an input map from one value per cell."""
        values = np.broadcast_to(np.asarray(values, np.float32), self.terrain.shape)
        grid = self.terrain.grid(values, name)
        self.terrain.context.check(lib.wadi_solver_set_map(self.handle, name.encode(), address(grid)))

    def set_mask(self, weights: ArrayLike | None) -> None:
        """Limit what the process changes to a share of each cell, 0 to 1; None: no limit.

        What the mask undoes is in the account "mask" of the ledger.
        """
        if weights is None:
            self.terrain.context.check(lib.wadi_solver_set_mask(self.handle, None))
            return
        values = np.broadcast_to(np.asarray(weights, np.float32), self.terrain.shape)
        grid = self.terrain.grid(values, "mask")
        self.terrain.context.check(lib.wadi_solver_set_mask(self.handle, address(grid)))

    def set_table(self, name: str, rows: ArrayLike) -> None:
        """Set a table: rows of numbers in the order and units of its columns."""
        table = self.description.tables.get(name)
        if table is None:
            raise UnknownError(f"{self.process_name} has no table '{name}'; it has "
                               f"{', '.join(self.description.tables) or 'none'}")
        values = np.ascontiguousarray(np.atleast_2d(np.asarray(rows, np.float64)))
        if values.ndim != 2 or values.shape[1] != len(table.columns):
            columns = ", ".join(f"{column} [{unit}]" for column, unit in table.columns)
            raise ValueError(f"{name} has the shape {values.shape}; expected rows of {columns}")
        self.terrain.context.check(lib.wadi_solver_set_table(self.handle, name.encode(), address(values),
                                                             len(values)))

    def map(self, name: str) -> Array:
        """An output map, one value per cell; cells without data are NaN."""
        values = np.empty(self.terrain.shape, np.float32)
        self.terrain.context.check(lib.wadi_solver_map(self.handle, name.encode(), address(values)))
        return values

    @property
    def maps(self) -> tuple[str, ...]:
        """Names of the output maps of this model."""
        process = lib.wadi_solver_process(self.handle)
        model = lib.wadi_solver_model(self.handle)
        rows = process.contents.maps[: process.contents.map_count] if process.contents.map_count else []
        return tuple(text(row.name) for row in rows
                     if not row.input and lib.wadi_model_is_in(process, model, row.models))

    # ---- time -----------------------------------------------------------------------------------

    @property
    def model_name(self) -> str:
        """The chosen model."""
        return text(lib.wadi_solver_model(self.handle).contents.name)

    @property
    def default_years(self) -> float:
        """Duration of `run()` without years [yr]."""
        return lib.wadi_process_years(lib.wadi_solver_process(self.handle), self.params.buffer)

    @property
    def time_step(self) -> float:
        """Length of the model's fixed step [yr]; 0: each call is one step."""
        return lib.wadi_solver_step(self.handle)

    def advance(self, years: Years) -> None:
        """Run all whole steps that fit into the time given so far; the terrain's clock stays."""
        self.terrain.context.run(lib.wadi_solver_advance, self.handle, in_years(years))

    def finish(self) -> None:
        """Run the time that waits, as a shorter step: before edits and at the end."""
        self.terrain.context.run(lib.wadi_solver_finish, self.handle)

    def settle(self) -> None:
        """Lay down the matter that is still on its way: at the end of a run."""
        self.terrain.context.run(lib.wadi_solver_settle, self.handle)

    def fit(self, years: Years) -> None:
        """Shorten the step so that a whole number of them fits into a duration."""
        self.terrain.context.check(lib.wadi_solver_fit(self.handle, in_years(years)))

    def couple(self, tick: Years) -> None:
        """As `fit`, for ticks of several processes: long steps that matter keep their length."""
        self.terrain.context.check(lib.wadi_solver_couple(self.handle, in_years(tick)))

    def run(self, years: Years | None = None) -> None:
        """Run for some years and bring all to rest, as `wadi erode` does; the clock moves on.

        Without years: the default duration of the chosen model.
        """
        years = self.default_years if years is None else in_years(years)
        self.fit(years)
        self.advance(years)
        self.finish()
        self.settle()
        self.terrain.advance_clock(years)
        self.years = self.terrain.clock

    def pursue(self, longest: Years, *, denude: float = 0.0, until: float = 0.0) -> dict[str, Any]:
        """Run until the land is lowered by `denude` [m], or its erosion index is `until`, for `longest` years at most.

        Returns the years that it took, what was reached, and whether the goal was met. The clock moves on.
        """
        goal, course = lib.wadi_goal_default(), _c.wadi_goal_course()
        goal.denude, goal.until = denude, until
        self.terrain.context.run(lib.wadi_solver_pursue, self.handle, ctypes.byref(goal), in_years(longest),
                                 ctypes.byref(course))
        self.finish()
        self.settle()
        self.terrain.advance_clock(course.years)
        self.years = self.terrain.clock
        return {"years": course.years, "reached": course.reached, "met": course.met}

    def run_one_step(self, dt: Years) -> None:
        """Run for dt years, as the components of Landlab do.

        Processes on one terrain take turns: each runs over the same years, and the clock moves on when
        all have. A process that is not run at all does not hold the others up.
        """
        terrain, years = self.terrain, in_years(dt)
        if self.years > terrain.clock:
            terrain.advance_clock(self.years - terrain.clock)
        self.advance(years)
        self.years = max(self.years, terrain.clock) + years
        reached = min(process.years for process in terrain.processes)
        if reached > terrain.clock:
            terrain.advance_clock(reached - terrain.clock)

    # ---- books ----------------------------------------------------------------------------------

    def _rows(self, function: Any, kind: Any) -> list[Any]:
        count = function(self.handle, None, 0)
        rows = (kind * count)()
        function(self.handle, rows, count)
        return list(rows)

    @property
    def figures(self) -> dict[str, float]:
        """Numbers that the process reports, such as denudation."""
        return {text(row.name): row.value for row in self._rows(lib.wadi_solver_figures, _c.wadi_figure)}

    @property
    def work(self) -> dict[str, float]:
        """Counters of work since creation."""
        return {text(row.name): row.count for row in self._rows(lib.wadi_solver_work, _c.wadi_work)}

    @property
    def ledger(self) -> dict[str, dict[str, Any]]:
        """This process's rows of the terrain's ledger [m3]."""
        return self.terrain.ledger(self.process_name)

    @property
    def hash(self) -> int:
        """64-bit hash of the process's whole state."""
        return lib.wadi_solver_hash(self.handle)


def named(name: str) -> type[Process]:
    """The class of a process by the library's name of it, such as "hydraulic"."""
    known = {kind.process_name: kind for kind in Process.__subclasses__()}
    if name not in known:
        raise UnknownError(f"unknown process '{name}'; the library has {', '.join(known)}")
    return known[name]
