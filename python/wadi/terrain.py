# SPDX-License-Identifier: MIT
"""A terrain: layers of rock, loose matter and water on a grid, with a clock and a ledger."""
from __future__ import annotations

import ctypes
import os
import weakref
from typing import TYPE_CHECKING, Any, Iterable, Literal, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _c, state
from ._library import Context, Progress, lib
from .errors import UnknownError
from .tables import text
from .units import Years

if TYPE_CHECKING:
    from .process import Process

Array = NDArray[np.float32]
Edge = Literal["open", "closed", "periodic"]
Georef = Tuple[Tuple[float, ...], str]
EDGES: tuple[Edge, ...] = ("open", "closed", "periodic")
SIDES = ("north", "east", "south", "west", "void")
LAYERS = ("surface", "bedrock", "water", "hardness", "vegetation", "moisture")
VERBS = {"add": _c.WADI_EDIT_ADD, "take": _c.WADI_EDIT_TAKE, "at_least": _c.WADI_EDIT_AT_LEAST,
         "set": _c.WADI_EDIT_SET, "smooth": _c.WADI_EDIT_SMOOTH}
UNITS = {"surface": "m", "bedrock": "m", "water": "m", "hardness": "1", "vegetation": "1", "moisture": "1"}


def address(array: NDArray[Any]) -> int:
    """Where the numbers of an array are."""
    return array.ctypes.data


class View:
    """A borrowed layer. Numpy reads it in place; it is given back when nothing reads it any more."""

    def __init__(self, terrain: "Terrain", layer: int) -> None:
        view = _c.wadi_view()
        terrain.context.check(lib.wadi_terrain_borrow(terrain.handle, layer, ctypes.byref(view)))
        self.__array_interface__ = {
            "version": 3, "typestr": "<f4", "shape": (view.height, view.width),
            "strides": (4 * view.stride, 4), "data": (ctypes.cast(view.data, ctypes.c_void_p).value, True)}
        # the terrain must live as long as its view
        self.close = weakref.finalize(self, View._release, terrain, layer)
        self.close.atexit = False

    @staticmethod
    def _release(terrain: "Terrain", layer: int) -> None:
        lib.wadi_terrain_release(terrain.handle, layer)


class Terrain:
    """A grid of square cells: row 0 in the north, column 0 in the west, heights in metres.

    Parameters
    ----------
    shape : (rows, columns)
    cell : float
        Size of a cell [m].
    edges : "open", "closed", "periodic", or four of them
        North, east, south, west. Matter leaves over open edges, and the ledger counts it by side.
    seed : int
        Of all random numbers on this terrain. The same seed gives the same bits on any machine.
    threads : int
        0: one per core. The number changes no bit of the result.
    progress : function of (share, what), optional
        Called about ten times a second while processes run; when it returns False they stop.
    """

    def __init__(self, shape: Sequence[int], cell: float = 30.0, *, edges: Union[Edge, Sequence[Edge]] = "open",
                 seed: int = 0, threads: int = 0, progress: Progress | None = None) -> None:
        definition = lib.wadi_terrain_def_default()
        definition.height, definition.width = (int(n) for n in shape)
        definition.cell_size, definition.seed = cell, seed
        sides = [edges] * 4 if isinstance(edges, str) else list(edges)
        definition.edges[:] = [EDGES.index(side) for side in sides]
        context = Context(threads, progress)
        handle = ctypes.c_void_p()
        context.check(lib.wadi_terrain_create(context.handle, ctypes.byref(definition), ctypes.byref(handle)))
        self._adopt(context, handle)

    def borrow(self, context: Context, handle: ctypes.c_void_p, owner: Any = None) -> None:
        """Stand for a terrain that another object owns, and keep that alive."""
        self.context, self.handle, self._owner = context, handle, owner
        self._processes: list[weakref.ref[Process]] = []
        self.started: dict[str, int] = {}  #: processes begun so far, by name

    def _adopt(self, context: Context, handle: ctypes.c_void_p) -> None:
        self.borrow(context, handle)
        # the context outlives the terrain: the finalizer holds it
        weakref.finalize(self, Terrain._destroy, context, handle)

    @staticmethod
    def _destroy(_context: Context, handle: ctypes.c_void_p) -> None:
        lib.wadi_terrain_destroy(handle)

    @classmethod
    def from_array(cls, heights: ArrayLike, cell: float = 30.0, **options: Any) -> "Terrain":
        """A terrain of bare rock with these heights [m]. NaN marks cells without data."""
        heights = np.asarray(heights, dtype=np.float32)
        if heights.ndim != 2:
            raise ValueError(f"heights have {heights.ndim} dimensions; expected rows and columns")
        terrain = cls(heights.shape, cell, **options)
        terrain["surface"] = heights
        return terrain

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<wadi.Terrain {columns} x {rows} cells of {self.cell:g} m, year {self.clock:g}>"

    # ---- the grid -------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return lib.wadi_terrain_height(self.handle), lib.wadi_terrain_width(self.handle)

    @property
    def cell(self) -> float:
        """Size of a cell [m]."""
        return lib.wadi_terrain_cell_size(self.handle)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """North, east, south, west."""
        return tuple(EDGES[lib.wadi_terrain_edge(self.handle, side)] for side in range(4))

    @property
    def seed(self) -> int:
        """Of all random numbers."""
        return lib.wadi_terrain_seed(self.handle)

    @property
    def clock(self) -> float:
        """Years since the start."""
        return lib.wadi_terrain_clock(self.handle)

    @property
    def x(self) -> NDArray[np.float64]:
        """Centres of the columns [m], from the western edge."""
        return (np.arange(self.shape[1]) + 0.5) * self.cell

    @property
    def y(self) -> NDArray[np.float64]:
        """Centres of the rows [m], from the southern edge: the first row is the highest."""
        return (np.arange(self.shape[0])[::-1] + 0.5) * self.cell

    @property
    def progress(self) -> Progress | None:
        """Function of (share, what) that is called while processes run."""
        return self.context.progress

    @progress.setter
    def progress(self, function: Progress | None) -> None:
        self.context.progress = function

    # ---- layers ---------------------------------------------------------------------------------

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of all layers."""
        loose = [lib.wadi_terrain_layer_name(self.handle, _c.WADI_LAYER_LOOSE + i).decode()
                 for i in range(lib.wadi_terrain_loose_count(self.handle))]
        return (*LAYERS, *loose)

    def layer_id(self, name: str) -> int:
        """Number of a layer in the library."""
        layer = lib.wadi_terrain_layer(self.handle, name.encode())
        if layer < 0:
            raise UnknownError(f"this terrain has no layer '{name}'; it has {', '.join(self.layers)}")
        return layer

    def view(self, name: str) -> Array:
        """A layer without a copy, read-only: [m], or a share 0 to 1; cells without data are NaN or 0.

        While it is alive, calls that would change the terrain raise BorrowedError: `del` it first.
        """
        return np.asarray(View(self, self.layer_id(name)))

    def __getitem__(self, name: str) -> Array:
        """An array of its own with the values of a layer: it does not change with the terrain."""
        rows, columns = self.shape
        values = np.empty(self.shape, np.float32)
        whole = _c.wadi_rectangle(0, 0, columns, rows)
        self.context.check(lib.wadi_terrain_read_rectangle(self.handle, self.layer_id(name), whole,
                                                           address(values), columns))
        return values

    def __setitem__(self, name: str, values: ArrayLike) -> None:
        """Write a layer from an array or one number. The ledger books the difference as an edit."""
        layer = self.layer_id(name)
        if np.ndim(values) == 0:
            self.context.check(lib.wadi_terrain_fill_layer(self.handle, layer, float(values)))  # type: ignore[arg-type]
            return
        grid = self.grid(values, name)
        self.context.check(lib.wadi_terrain_set_layer(self.handle, layer, address(grid), self.shape[1]))

    def grid(self, values: ArrayLike, name: str) -> Array:
        """Values as a grid of this terrain's shape, in the order of the library."""
        array = np.ascontiguousarray(values, dtype=np.float32)
        if array.shape != self.shape:
            raise ValueError(f"{name} has the shape {array.shape}; this terrain has {self.shape}")
        return array

    @property
    def valid(self) -> NDArray[np.bool_]:
        """False for cells without data."""
        return np.isfinite(self["surface"])

    @valid.setter
    def valid(self, mask: ArrayLike) -> None:
        cells = np.ascontiguousarray(np.asarray(mask, dtype=bool), dtype=np.uint8)
        if cells.shape != self.shape:
            raise ValueError(f"valid has the shape {cells.shape}; this terrain has {self.shape}")
        self.context.check(lib.wadi_terrain_set_valid(self.handle, address(cells), self.shape[1]))

    def volume(self, name: str) -> float:
        """Volume of a layer [m3]; of the bedrock above elevation 0."""
        return lib.wadi_terrain_volume(self.handle, self.layer_id(name))

    def unit(self, name: str) -> str:
        """Unit of a layer."""
        return UNITS.get(name, "m")

    # ---- edits ----------------------------------------------------------------------------------

    def brush(self, layer: str, verb: str, x: float, y: float, radius: float, amount: float,
              soft: float = 0.5) -> None:
        """Touch the ground with a round brush.

        Parameters
        ----------
        layer : str
            "bedrock" raises and lowers the ground, "sediment" and "water" lie on it, "surface" levels.
        verb : "add", "take", "at_least", "set" or "smooth"
        x, y : float
            Centre [m] from the south-western corner of the grid.
        radius : float
            [m]
        amount : float
            [m], or a share 0 to 1 for shares and for "smooth".
        soft : float
            Share of the radius over which the effect fades, 0 to 1.
        """
        if verb not in VERBS:
            raise ValueError(f"unknown verb '{verb}'; expected one of {', '.join(VERBS)}")
        brush = lib.wadi_brush_default()
        brush.layer, brush.verb = self.layer_id(layer), VERBS[verb]
        brush.x, brush.y, brush.radius, brush.soft, brush.amount = x, y, radius, soft, amount
        self.context.check(lib.wadi_terrain_brush(self.handle, ctypes.byref(brush)))

    @property
    def georef(self) -> Georef | None:
        """Place of the grid on Earth: six numbers of an affine map in GDAL's order, and the coordinate system as WKT
        ("" when it is not known); None without a place. It is a part of the state hash, and files keep it."""
        place = lib.wadi_terrain_georef(self.handle)
        return (tuple(place.affine), (place.wkt or b"").decode()) if place.valid else None

    @georef.setter
    def georef(self, place: Georef | None) -> None:
        affine, wkt = place or ((0.0,) * 6, "")
        if len(affine) != 6:
            raise TypeError(f"a place has six numbers x0, dx/dcolumn, dx/drow, y0, dy/dcolumn, dy/drow, got {len(affine)}")
        given = _c.wadi_georef(place is not None, (ctypes.c_double * 6)(*affine), wkt.encode())
        self.context.check(lib.wadi_terrain_set_georef(self.handle, ctypes.byref(given)))

    def set_sea(self, level: Union[float, Sequence[Sequence[float]]]) -> None:
        """Level of the sea [m]: a number, or rows of (year, level)."""
        rows = np.atleast_2d([[0.0, level]] if np.ndim(level) == 0 else level).astype(np.float64)
        years, levels = np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, 1])
        self.context.check(lib.wadi_terrain_set_sea_level(self.handle, address(years), address(levels), len(rows)))

    @property
    def sea(self) -> float | None:
        """Level of the sea now [m]; None without a sea."""
        level = ctypes.c_double()
        has = lib.wadi_terrain_sea_level(self.handle, self.clock, ctypes.byref(level))
        return level.value if has else None

    def set_rivers(self, rivers: Iterable[tuple[float, float, float, float]]) -> None:
        """Rivers that enter: (x [m], y [m], bankfull discharge [m3/s], reach [m]) each."""
        rows = [_c.wadi_river(*river) for river in rivers]
        array = (_c.wadi_river * len(rows))(*rows)
        self.context.check(lib.wadi_terrain_set_rivers(self.handle, array, len(rows)))

    @property
    def rivers(self) -> list[tuple[float, float, float, float]]:
        """Rivers that enter, as `riverbed` lists them: (x, y, bankfull discharge, reach) each."""
        count = lib.wadi_terrain_rivers(self.handle, None, 0)
        rows = (_c.wadi_river * count)()
        lib.wadi_terrain_rivers(self.handle, rows, count)
        return [(r.x, r.y, r.discharge, r.reach) for r in rows]

    def set_strata(self, beds: Iterable[tuple[float, float]]) -> None:
        """Rock in beds from the present ground down: (thickness [m], hardness 0 to 1)."""
        rows = [_c.wadi_stratum(thickness, hardness) for thickness, hardness in beds]
        array = (_c.wadi_stratum * len(rows))(*rows)
        self.context.check(lib.wadi_terrain_set_strata(self.handle, array, len(rows), None, 0))

    # ---- time -----------------------------------------------------------------------------------

    @property
    def processes(self) -> list["Process"]:
        """Processes at work on this terrain, in the order in which they were begun."""
        alive = [(ref, ref()) for ref in self._processes]
        self._processes = [ref for ref, process in alive if process is not None]
        return [process for _, process in alive if process is not None]

    def attach(self, process: "Process") -> None:
        """Called by a new process."""
        self._processes.append(weakref.ref(process))

    def advance_clock(self, years: float) -> None:
        """Move the clock on. run(), run_one_step() and erode() do so by themselves."""
        self.context.check(lib.wadi_terrain_advance_clock(self.handle, years))

    def erode(self, process: str, years: Years | None = None, **parameters: Any) -> "Process":
        """Run one process as `wadi erode` does, and return it with its maps and figures."""
        from .process import named

        done = named(process)(self, **parameters)
        done.run(years)
        return done

    # ---- books ----------------------------------------------------------------------------------

    def ledger(self, process: str | None = None) -> dict[str, dict[str, Any]]:
        """Volumes [m3] by material: before, edited, in, out by side, lost, converted, transit, after, residual.

        after = before + edited + in - sum(out) - lost + converted - transit; the residual is exactly 0.
        With a process: the rows of that process alone.
        """
        count = lib.wadi_terrain_material_count(self.handle)
        rows = (_c.wadi_ledger_row * count)()
        if process is None:
            lib.wadi_terrain_ledger(self.handle, rows, count)
        else:
            lib.wadi_terrain_ledger_of(self.handle, process.encode(), rows, count)
        books = {}
        for row in rows:
            entry = {name: getattr(row, name) for name, _ in row._fields_[1:]}
            entry["out"] = dict(zip(SIDES, row.out))
            books[text(row.material)] = entry
        return books

    @property
    def hash(self) -> int:
        """64-bit hash of the terrain's whole state."""
        return lib.wadi_terrain_hash(self.handle)

    @property
    def state_hash(self) -> int:
        """Hash of the terrain and of the processes at work on it: the `state_hash` of the command's reports."""
        return (self.hash + sum(process.hash for process in self.processes)) % 2**64

    # ---- state ----------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """The whole state, with the processes at work on it."""
        return state.write(self)

    @classmethod
    def from_bytes(cls, data: bytes, *, threads: int = 0, progress: Progress | None = None) -> "Terrain":
        """A terrain from to_bytes(). Its processes, restored too, are kept in `restored`."""
        terrain = cls.__new__(cls)
        context = Context(threads, progress)
        restored = state.read(data, context, terrain._adopt, lambda: terrain)
        terrain.restored = restored
        return terrain

    #: Processes that came with a restored terrain; they go on as if nothing had happened.
    restored: list["Process"] = []

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the whole state to a file."""
        temporary = f"{os.fspath(path)}.new"
        with open(temporary, "wb") as file:
            file.write(self.to_bytes())
        os.replace(temporary, path)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], **options: Any) -> "Terrain":
        """Read what save() wrote."""
        with open(path, "rb") as file:
            return cls.from_bytes(file.read(), **options)

    def copy(self) -> "Terrain":
        """A terrain of its own with the same state, without processes."""
        return type(self).from_bytes(state.write(self, with_processes=False), progress=self.progress)

    def __reduce__(self) -> Any:
        return type(self).from_bytes, (self.to_bytes(),)
