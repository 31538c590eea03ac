# SPDX-License-Identifier: MIT
"""Many runs of a process with other parameters, spread over processor cores, and a table of their results."""
from __future__ import annotations

import csv
import itertools
import multiprocessing
import os
from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np

from .measure import measure_land
from .process import Process, named
from .terrain import Terrain
from .units import Years

Measure = Callable[[Terrain, Process], float]


class Table(list):  # type: ignore[type-arg]
    """Rows of a sweep, each a dict: parameters, then measures."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self[0]) if self else []

    def column(self, name: str) -> np.ndarray[Any, Any]:
        """All values of a column."""
        return np.array([row[name] for row in self])

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the table as CSV."""
        temporary = f"{os.fspath(path)}.new"
        with open(temporary, "w", newline="") as file:
            writer = csv.DictWriter(file, self.columns)
            writer.writeheader()
            writer.writerows(self)
        os.replace(temporary, path)

    def __str__(self) -> str:
        cells = [self.columns] + [[f"{value:.5g}" if isinstance(value, float) else str(value)
                                   for value in row.values()] for row in self]
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells)


def default_measure(land: Terrain, process: Process) -> dict[str, float]:
    """Relief, erosion index, mean slope, and the process's figures."""
    forms = measure_land(land)
    return {name: forms[name] for name in ("relief", "erosion_index", "slope")} | process.figures


_work: tuple[Any, ...] = ()


def _begin(*work: Any) -> None:
    global _work
    _work = work


def _run(row: dict[str, Any]) -> dict[str, Any]:
    state, process, years, constant, measures = _work
    land = Terrain.from_bytes(state, threads=1)
    done = named(process)(land, **constant, **row)
    done.run(years)
    if measures is None:
        results: Mapping[str, Any] = default_measure(land, done)
    else:
        results = {name: measure(land, done) for name, measure in measures.items()}
    return {**row, **results, "state_hash": f"{land.state_hash:016x}"}


def sweep(land: Terrain, process: str, years: Years, parameters: Mapping[str, Sequence[Any]], *,
          measures: Mapping[str, Measure] | None = None, jobs: int | None = None, **constant: Any) -> Table:
    """Run a process on copies of a terrain with all combinations of parameters.

    Parameters
    ----------
    land : Terrain
        Stays as it is.
    process : str
        Such as "hydraulic".
    years : float
        Of each run.
    parameters : dict of lists
        The values of each parameter: {"rain": [0.5, 1, 2], "creep": [0.01, 0.03]} makes six runs.
    measures : dict of functions, optional
        Each is given the terrain and the process after a run, and returns a number. Without: default_measure.
    jobs : int, optional
        Processes at a time; one per core. Where the system cannot fork, measures must be functions of a module.
    **constant
        Parameters, input maps, tables and the preset of all runs.
    """
    kind = named(process)
    for name, values in parameters.items():
        for value in values:
            kind(land.copy(), **constant, **{name: value})  # a wrong value fails here, before the work
    rows = [dict(zip(parameters, values)) for values in itertools.product(*parameters.values())]
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    work = (land.copy().to_bytes(), process, years, constant, measures)
    with multiprocessing.get_context(method).Pool(min(jobs or os.cpu_count() or 1, max(1, len(rows))),
                                                  _begin, work) as pool:
        return Table(pool.map(_run, rows, chunksize=1))
