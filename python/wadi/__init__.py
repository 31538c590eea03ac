# SPDX-License-Identifier: MIT
"""Wadi: terrain erosion by water, wind, slides, dunes and waves, in real units and with the same bits everywhere.

    import wadi

    land = wadi.Terrain.from_array(wadi.noise((256, 256), cell=30, relief=1500), cell=30)
    rivers = land.erode("hydraulic", years=200_000, rain=0.8)
    heights, flow = land["surface"], rivers.map("flow")
"""
from ._library import version as __version__
from .bmi import Bmi
from .errors import (ArgumentError, BorrowedError, Cancelled, Error, FileError, FormatError, OutOfMemory, RangeError,
                     StateError, UnknownError)
from .files import command, read, read_terrain, run_scene, write
from .generators import *  # noqa: F401,F403
from .measure import DERIVED, derive, measure_dunes, measure_land, picture, sand_drift, write_png
from .process import Process, named
from .processes import *  # noqa: F401,F403
from .scene import Event, Run, Scene, Track
from .sweep import Table, sweep
from .terrain import Terrain

try:
    from .xarray import dataset  # also gives arrays of xarray their accessor `wadi`
except ImportError:
    pass  # xarray is not installed
