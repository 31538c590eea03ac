#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Noise before and after the default run of process hydraulic, one tile for each seed.

  docs/contact-sheet.py WADI FOLDER     writes contact-fbm.jpg and contact-ridged.jpg there

Rows: seeds 1-10 before, 1-10 after, 11-20 after. 512 x 512 cells of 30 m, everything at its
default, shaded relief from above. Needs python3-pil.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

TILE = 160  # pixels
GAP = 4


def tile(wadi, land, work):
    picture = work / "tile.png"
    subprocess.run([wadi, "render", land, "-o", picture, "--view", "map", "--width", str(TILE),
                    "--height", str(TILE)], check=True, stdout=subprocess.DEVNULL)
    return Image.open(picture).convert("RGB")


def seed_tiles(wadi, kind, seed, work):
    before, after = work / "before.tif", work / "after.tif"
    subprocess.run([wadi, "synth", "--kind", kind, "--seed", str(seed), "-o", before], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([wadi, "erode", "hydraulic", before, "-o", after, "--seed", str(seed)],
                   check=True, stdout=subprocess.DEVNULL)
    return tile(wadi, before, work), tile(wadi, after, work)


def sheet(wadi, kind, work):
    pitch = TILE + GAP
    picture = Image.new("RGB", (10 * pitch - GAP, 3 * pitch - GAP), "white")
    for seed in range(1, 21):
        before, after = seed_tiles(wadi, kind, seed, work)
        x = (seed - 1) % 10 * pitch
        if seed <= 10:
            picture.paste(before, (x, 0))
        picture.paste(after, (x, pitch if seed <= 10 else 2 * pitch))
    return picture


def main(wadi, folder):
    with tempfile.TemporaryDirectory() as work:
        for kind in ("fbm", "ridged"):
            sheet(wadi, kind, Path(work)).save(Path(folder) / f"contact-{kind}.jpg", quality=88)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
