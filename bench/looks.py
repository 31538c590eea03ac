#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Table of the measures of eroded ground, for bench/looks.sh.

  looks.py LIBRARY FILE...    LIBRARY is bench/looks.c, compiled; each FILE is named 'KIND SEED.tif'
"""
import ctypes
import math
import sys
from pathlib import Path

import numpy
from osgeo import gdal
from scipy import ndimage

gdal.UseExceptions()

TARGETS = (  # measure, least, most
    ("erosion_index", 0.95, 1.0),
    ("theta_chi", 0.3, 0.6),
    ("chi_r2", 0.72, 1.0),
    ("slope_gt_45_frac", 0.0, 0.10),
    ("geo_ridge_valley", 0.5, 1.3),
    ("flat_frac", 0.0, 0.13),
    ("curvature_skew_s1", -1.0, float("inf")),
    ("slope_mean", 15.0, 90.0),
    ("aspect_harmonic_45", 0.0, 0.02),
)


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


class Drainage:
    """Receivers, filled surface and drainage area of one surface."""

    def __init__(self, library, heights, cell):
        rows, columns = heights.shape
        n = heights.size
        self.library, self.cell = library, cell
        self.z = numpy.ascontiguousarray(heights).ravel()
        self.filled, self.distance, self.area = numpy.zeros(n), numpy.zeros(n), numpy.zeros(n)
        self.receiver, self.order = numpy.zeros(n, numpy.int32), numpy.zeros(n, numpy.int32)
        self.root = numpy.zeros(n, numpy.int32)
        library.looks_flood.restype = ctypes.c_long
        self.count = library.looks_flood(
            pointer(self.z), ctypes.c_int(rows), ctypes.c_int(columns), ctypes.c_double(cell),
            pointer(self.filled), pointer(self.receiver), pointer(self.order),
            pointer(self.distance))
        library.looks_accumulate(
            ctypes.c_long(self.count), pointer(self.order), pointer(self.receiver),
            ctypes.c_double(cell * cell), pointer(self.area), pointer(self.root))
        self.depth = self.filled - self.z

    def slope(self):
        """Over five steps downstream on the filled surface; -1 where there are none."""
        out = numpy.zeros(self.z.size)
        self.library.looks_slope(
            ctypes.c_long(self.count), pointer(self.order), pointer(self.receiver),
            pointer(self.distance), pointer(self.filled), ctypes.c_int(5), pointer(out))
        return out

    def chi(self, theta, reference):
        out = numpy.zeros(self.z.size)
        self.library.looks_chi(
            ctypes.c_long(self.count), pointer(self.order), pointer(self.receiver),
            pointer(self.distance), pointer(self.area), ctypes.c_double(theta),
            ctypes.c_double(reference), pointer(out))
        return out

    def channel_area(self):
        """Where channels begin: four times the area at which the mean slope is largest."""
        slope, cell_area = self.slope(), self.cell ** 2
        edges = numpy.logspace(math.log10(cell_area), math.log10(2000 * cell_area),
                               int(round(5 * math.log10(2000))) + 1)
        bins = numpy.digitize(self.area, edges) - 1
        means = []
        for i in range(len(edges) - 1):
            inside = (bins == i) & (slope >= 0)
            means.append(slope[inside].mean() if inside.sum() > 50 else 0)
        rollover = edges[int(numpy.argmax(means))] / cell_area
        return int(min(max(100, 4 * rollover), max(100, self.z.size / 500))) * cell_area


def prominent(library, heights, least):
    """Minima that are deeper than `least` below the pass that drains them."""
    z = numpy.ascontiguousarray(heights)
    rising = numpy.argsort(z.ravel(), kind="stable").astype(numpy.int32)
    out = numpy.zeros(z.size)
    library.looks_persist(pointer(z), ctypes.c_int(z.shape[0]), ctypes.c_int(z.shape[1]),
                          pointer(rising), pointer(out))
    return int((out > least).sum())


def r_squared(x, y):
    if len(x) < 3 or numpy.ptp(x) == 0 or numpy.ptp(y) == 0:
        return float("nan")
    return float(numpy.corrcoef(x, y)[0, 1] ** 2)


def chi_measures(flow, channels, reference, out):
    """Exponent that orders the chi profiles of the twelve largest basins best, and how well they
    collapse on one line at 0.45."""
    roots, counts = numpy.unique(flow.root[channels], return_counts=True)
    basins = []
    for which in numpy.argsort(-counts)[:12]:
        cells = numpy.flatnonzero(channels & (flow.root == roots[which]))
        if len(cells) >= 60 and numpy.ptp(flow.z[cells]) > 0:
            basins.append(cells[numpy.argsort(flow.filled[cells], kind="stable")])
    if not basins:
        return
    thetas = numpy.arange(0.0, 1.001, 0.05)
    disorder = numpy.zeros((len(thetas), len(basins)))
    straight = numpy.zeros((len(thetas), len(basins)))
    for a, theta in enumerate(thetas):
        chi = flow.chi(theta, reference)
        for b, cells in enumerate(basins):
            x = chi[cells]
            disorder[a, b] = ((numpy.abs(numpy.diff(x)).sum() + x[0] - x.max()) /
                              max(x.max(), 1e-30))
            straight[a, b] = r_squared(x, flow.z[cells])
    weights = numpy.array([len(cells) for cells in basins], float)
    total = (disorder / numpy.maximum(disorder.max(axis=0), 1e-30) * weights).sum(axis=1)
    out["theta_chi"] = float(thetas[int(numpy.argmin(total))])
    at = int(numpy.argmin(numpy.abs(thetas - 0.45)))
    out["chi_r2"] = float((straight[at] * weights).sum() / weights.sum())


def between(value, noise, nature):
    return min(1.0, max(0.0, (value - noise) / (nature - noise)))


def erosion_index(library, flow, heights, channels, flat):
    """0 for noise, 1 for ground that drains as real mountains do and differs as much from its
    inverse: peaks against pits, closed depressions, volume to fill pits over that to cut caps."""
    relief = numpy.ptp(heights)
    pits = prominent(library, heights, 0.01 * relief)
    peaks = prominent(library, -heights, 0.01 * relief)
    closed = flow.depth > 1e-9 * relief
    caps = Drainage(library, -heights, flow.cell).depth.sum()
    volume = math.log10((flow.depth.sum() + 1e-9 * caps + 1e-30) /
                        (caps + 1e-9 * flow.depth.sum() + 1e-30))
    up = between(math.log10((peaks + 1) / (pits + 1)), 0.1, 1.0)
    drained = (between(math.log10(closed.mean() + 1e-4), math.log10(0.15), math.log10(0.03)) +
               between(volume, -0.5, -1.5) + between(closed[channels].mean(), 0.45, 0.15)) / 3
    return math.sqrt(up * drained) * between(flat, 0.21, 0.13)


def ridge_valley(library, heights, cell):
    form = numpy.zeros(heights.shape, numpy.uint8)
    radius = max(3, min(20, min(heights.shape) // 12))
    library.looks_geomorphons(
        pointer(numpy.ascontiguousarray(heights)), ctypes.c_int(heights.shape[0]),
        ctypes.c_int(heights.shape[1]), ctypes.c_double(cell), ctypes.c_int(radius),
        ctypes.c_double(math.radians(1)), pointer(form))
    found = max(1, (form > 0).sum())
    return float(((form == 3).sum() / found + 1e-4) / ((form == 9).sum() / found + 1e-4))


def curvature_skew(heights, cell):
    """Skewness of the Laplacian after smoothing by a Gaussian of one cell."""
    smooth = ndimage.gaussian_filter(heights, 1)
    laplacian = sum(numpy.gradient(numpy.gradient(smooth, cell, axis=axis), cell, axis=axis)
                    for axis in (0, 1))[8:-8, 8:-8]
    return float((((laplacian - laplacian.mean()) / laplacian.std()) ** 3).mean())


def aspect_harmonic_45(heights, cell):
    """Length of the mean of exp(8 i aspect): 0 if flanks face every way alike, 1 if all face one
    of eight. Gradient after Horn, of cells steeper than 5 degrees; flats have no aspect."""
    across = heights[:, 2:] - heights[:, :-2]
    down = heights[2:] - heights[:-2]
    gx = (across[:-2] + 2 * across[1:-1] + across[2:]) / (8 * cell)
    gy = (down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]) / (8 * cell)
    steep = numpy.hypot(gx, gy) > numpy.tan(numpy.radians(5))
    return float(abs(numpy.exp(8j * numpy.arctan2(gy, gx))[steep].mean()))


def measure(library, path):
    raster = gdal.Open(str(path))
    cell = raster.GetGeoTransform()[1]
    heights = raster.ReadAsArray().astype(float)
    down, across = numpy.gradient(heights, cell)
    tangent = numpy.hypot(down, across)
    degrees = numpy.degrees(numpy.arctan(tangent))
    flow = Drainage(library, heights, cell)
    reference = flow.channel_area()
    channels = flow.area >= reference
    flat = float((tangent < 0.1 * max(numpy.median(tangent), 0.25 * tangent.mean())).mean())
    out = {
        "erosion_index": erosion_index(library, flow, heights, channels, flat),
        "slope_gt_45_frac": float((degrees > 45).mean()),
        "geo_ridge_valley": ridge_valley(library, heights, cell),
        "flat_frac": flat,
        "curvature_skew_s1": curvature_skew(heights, cell),
        "slope_mean": float(degrees.mean()),
        "aspect_harmonic_45": aspect_harmonic_45(heights, cell),
    }
    chi_measures(flow, channels, reference, out)
    return out


def target(least, most):
    return f">= {least:g}" if most in (1.0, 90.0, float("inf")) else f"{least:g}-{most:g}"


def entry(value, least, most):
    if value is None:
        return "**none**"
    text = f"{value:.3g}"
    return text if least - 1e-9 <= value <= most + 1e-9 else f"**{text}**"


def main(library, paths):
    print("| run |", " | ".join(name for name, _, _ in TARGETS), "|")
    print("| --- " * (len(TARGETS) + 1) + "|")
    print("| target |", " | ".join(target(least, most) for _, least, most in TARGETS), "|")
    passed = 0
    for path in sorted(map(Path, paths), key=lambda p: (p.stem.split()[0], int(p.stem.split()[1]))):
        measures = measure(library, path)
        row = [entry(measures.get(name), least, most) for name, least, most in TARGETS]
        passed += not any(cell.startswith("**") for cell in row)
        print(f"| {path.stem} |", " | ".join(row), "|")
    print(f"\n{passed} of {len(paths)} runs meet every target.")
    return 0 if passed == len(paths) else 1


if __name__ == "__main__":
    sys.exit(main(ctypes.CDLL(sys.argv[1]), sys.argv[2:]))
