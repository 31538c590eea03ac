#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Table of the measures of files named 'KIND SEED.tif', each with its .json, for bench/looks.sh."""
import json
import sys
from pathlib import Path

import numpy
from osgeo import gdal

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


def aspect_harmonic_45(path):
    """Length of the mean of exp(8 i aspect): 0 if flanks face every way alike, 1 if all face one
    of eight. Gradient after Horn, of cells steeper than 5 degrees; flats have no aspect."""
    raster = gdal.Open(str(path))
    cell = raster.GetGeoTransform()[1]
    h = raster.ReadAsArray().astype(float)
    across = h[:, 2:] - h[:, :-2]
    down = h[2:] - h[:-2]
    gx = (across[:-2] + 2 * across[1:-1] + across[2:]) / (8 * cell)
    gy = (down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]) / (8 * cell)
    steep = numpy.hypot(gx, gy) > numpy.tan(numpy.radians(5))
    return float(abs(numpy.exp(8j * numpy.arctan2(gy, gx))[steep].mean()))


def target(least, most):
    return f">= {least:g}" if most in (1.0, 90.0, float("inf")) else f"{least:g}-{most:g}"


def entry(value, least, most):
    if value is None:
        return "**none**"
    text = f"{value:.3g}"
    return text if least - 1e-9 <= value <= most + 1e-9 else f"**{text}**"


def main(paths):
    print("| run |", " | ".join(name for name, _, _ in TARGETS), "|")
    print("| --- " * (len(TARGETS) + 1) + "|")
    print("| target |", " | ".join(target(least, most) for _, least, most in TARGETS), "|")
    passed = 0
    for path in sorted(map(Path, paths), key=lambda p: (p.stem.split()[0], int(p.stem.split()[1]))):
        measures = json.loads(path.with_suffix(".json").read_text())
        measures["aspect_harmonic_45"] = aspect_harmonic_45(path)
        row = [entry(measures[name], least, most) for name, least, most in TARGETS]
        passed += not any(cell.startswith("**") for cell in row)
        print(f"| {path.stem} |", " | ".join(row), "|")
    print(f"\n{passed} of {len(paths)} runs meet every target.")
    return 0 if passed == len(paths) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
