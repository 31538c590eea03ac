#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One shaded relief of every method of `wadi synth`, for docs/synthesis.md.

  docs/synthesis-sheet.py WADI FOLDER     writes synthesis.jpg there

512 x 512 cells of 30 m, 2200 m of relief, seed 1. Needs python3-pil.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

TILE = 200  # pixels
GAP = 4
ROWS = [
    ["subdivision --kind midpoint", "subdivision --kind diamond_square",
     "subdivision --kind square_square", "subdivision --kind hexagon"],
    ["faults --kind lines", "faults --kind circles --set count=2000",
     "faults --set hurst=0.9", "faults --set count=200 --set decay=1 --set smoothing=60m"],
    ["deposition --kind hop --set per_cell=64", "deposition --kind roll --set per_cell=64",
     "deposition --kind hop --set per_cell=32 --set wander=60m --set scatter=2km",
     "deposition --set wander=20m --set scatter=1km --set hold=1 --set caldera=0.8"],
]


def tile(wadi, method, work):
    land, picture = work / "land.tif", work / "tile.png"
    subprocess.run([wadi, "synth", *method.split(), "--seed", "1", "-o", land], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([wadi, "render", land, "-o", picture, "--view", "map", "--width", str(TILE),
                    "--height", str(TILE)], check=True, stdout=subprocess.DEVNULL)
    return Image.open(picture).convert("RGB")


def main(wadi, folder):
    columns = max(len(row) for row in ROWS)
    step = TILE + GAP
    sheet = Image.new("RGB", (columns * step - GAP, len(ROWS) * step - GAP), "white")
    with tempfile.TemporaryDirectory() as work:
        for y, row in enumerate(ROWS):
            for x, method in enumerate(row):
                sheet.paste(tile(wadi, method, Path(work)), (x * step, y * step))
    sheet.save(Path(folder) / "synthesis.jpg", quality=80)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
