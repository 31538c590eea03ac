# SPDX-License-Identifier: MIT
"""Heights from and to files, and the command `wadi`, which reads the formats that numpy does not."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike

from .errors import FileError, FormatError
from .terrain import Array, Georef, Terrain

Path = Union[str, "os.PathLike[str]"]
KEYS = ("ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "dx", "dy", "nodata_value")


def command(*arguments: Any) -> str:
    """Run the command `wadi`, which WADI_COMMAND or PATH names, and return what it prints."""
    program = os.environ.get("WADI_COMMAND") or shutil.which("wadi")
    if not program:
        raise FileError("the command 'wadi' was not found: install it, or name it in WADI_COMMAND")
    done = subprocess.run([program, *map(os.fspath, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise FileError(done.stderr.strip().removeprefix("wadi: "))
    return done.stdout


def _read_ascii(path: pathlib.Path) -> tuple[Array, float, Georef | None]:
    head: dict[str, float] = {}
    with open(path) as file:
        while True:
            place = file.tell()
            words = file.readline().split()
            if len(words) != 2 or words[0].lower() not in KEYS:
                break
            head[words[0].lower()] = float(words[1])
        file.seek(place)
        numbers = np.array(file.read().split(), dtype=np.float64)
    shape = int(head.get("nrows", 0)), int(head.get("ncols", 0))
    if "cellsize" not in head or numbers.size != shape[0] * shape[1] or not numbers.size:
        raise FormatError(f"{path} is no ESRI ASCII grid: it has {numbers.size} numbers for {shape[0]} rows of "
                          f"{shape[1]}, and {'a' if 'cellsize' in head else 'no'} cellsize")
    heights = numbers.reshape(shape)
    heights[heights == head.get("nodata_value", -9999.0)] = np.nan
    return heights.astype(np.float32), head["cellsize"], _ascii_place(head, shape[0])


def _ascii_place(head: dict[str, float], rows: int) -> Georef | None:
    """The place of an ESRI grid, whose lower left corner, or the middle of whose lower left cell, is given."""
    size = head["cellsize"]
    west = head.get("xllcorner", head.get("xllcenter", 0.0) - 0.5 * size)
    south = head.get("yllcorner", head.get("yllcenter", 0.0) - 0.5 * size)
    return (west, size, 0.0, south + rows * size, 0.0, -size), ""


def _read_plain(plain: pathlib.Path) -> tuple[Array, float, Georef | None]:
    """An .r32 file of the command, with its sidecar."""
    about = json.loads(plain.with_name(plain.name + ".json").read_text())
    heights = np.fromfile(plain, "<f4").reshape(about["height"], about["width"])
    if about.get("nodata") is not None:
        heights[heights == np.float32(about["nodata"])] = np.nan
    affine = tuple(about.get("affine") or (0.0,) * 6)
    metric = affine[1] == about["cell_size_m"] == -affine[5]  # not in degrees, and not turned
    return heights, about["cell_size_m"], (affine, about.get("crs") or "") if metric else None


def _read_converted(path: pathlib.Path) -> tuple[Array, float, Georef | None]:
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "heights.r32"
        command("convert", path, plain)
        return _read_plain(plain)


def _read_imported(path: pathlib.Path, cell: float | None) -> tuple[Array, float, Georef | None]:
    """The ground of a scene made of a file: square cells in metres, and heights in metres."""
    source: dict[str, Any] = {"file": str(path.resolve())}
    if cell is not None:
        source["cell"] = cell
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.yaml"
        scene.write_text(json.dumps({"wadi": 1, "terrain": {"import": source}, "steps": [{"write": "heights.r32"}]}))
        command("run", scene, "-o", folder)
        return _read_plain(pathlib.Path(folder) / "heights.r32")


def _read_place(path: Path, cell: float | None) -> tuple[Array, float, Georef | None]:
    """Heights, the size of a cell and the place on Earth."""
    path = pathlib.Path(path)
    if path.suffix == ".npy":
        if cell is None:
            raise TypeError(f"{path} does not hold the size of a cell: give it, as in read(path, cell=30)")
        return np.load(path).astype(np.float32), cell, None
    heights, size, place = (_read_ascii if path.suffix == ".asc" else _read_converted)(path)
    return (heights, size, place) if cell is None or cell == size else (heights, cell, None)


def read(path: Path, cell: float | None = None) -> tuple[Array, float]:
    """Heights [m] and the size of a cell [m] of .asc and .npy; other formats by the command's `convert`."""
    heights, size, _ = _read_place(path, cell)
    return heights, size


def read_terrain(path: Path, cell: float | None = None, **options: Any) -> Terrain:
    """A terrain with the heights of a file and its place on Earth, as the command makes it: files in degrees are projected to a
    grid in metres, and feet become metres. Its state hash is that of the command for files in metres."""
    path = pathlib.Path(path)
    read_here = path.suffix in (".asc", ".npy")
    heights, size, place = _read_place(path, cell) if read_here else _read_imported(path, cell)
    terrain = Terrain.from_array(heights, size, **options)
    terrain.georef = place
    return terrain


def _write_ascii(path: Path, values: Array, cell: float) -> None:
    rows, columns = values.shape
    filled = np.where(np.isnan(values), -9999.0, values)
    with open(path, "w") as file:
        file.write(f"ncols {columns}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize {cell:.17g}\n"
                   "NODATA_value -9999\n")
        # nine digits give a float back to the bit
        np.savetxt(file, filled, fmt="%.9g")


def write(path: Path, values: ArrayLike, cell: float) -> None:
    """Write values as .asc or .npy; other formats by the command's `convert`."""
    path, grid = pathlib.Path(path), np.ascontiguousarray(values, np.float32)
    if path.suffix not in (".asc", ".npy"):
        with tempfile.TemporaryDirectory() as folder:
            plain = pathlib.Path(folder) / "values.asc"
            _write_ascii(plain, grid, cell)
            command("convert", plain, path)
        return
    temporary = path.with_name(f"{path.stem}.new{path.suffix}")
    if path.suffix == ".npy":
        np.save(temporary, grid)
    else:
        _write_ascii(temporary, grid, cell)
    os.replace(temporary, path)


def run_scene(scene: Union[Path, dict[str, Any]], out: Path, *, seed: int | None = None,
              settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run a scene by the command `wadi run`: a YAML file, or a dict with the same keys. Returns its report."""
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(scene, dict):
            path = pathlib.Path(folder) / "scene.yaml"
            path.write_text(json.dumps(scene, indent=1))  # JSON is YAML
        else:
            path = pathlib.Path(scene)
        report = pathlib.Path(folder) / "report.json"
        options = [f"--set={name}={value}" for name, value in (settings or {}).items()]
        options += [] if seed is None else [f"--seed={seed}"]
        command("run", path, "-o", out, "--report", report, *options)
        return json.loads(report.read_text())
