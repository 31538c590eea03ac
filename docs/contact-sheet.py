#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Noise before and after the default run, one tile a seed, none left out.

  docs/contact-sheet.py WADI OUT.jpg

Rows: for ridged and for fBm noise seeds 1-10 before, 1-10 after, 11-20 after. 512 x 512 cells of
30 m, everything at its default, shaded relief from above. Needs python3-pil.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

TILE = 160  # pixels


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


def main(wadi, out):
    sheet = Image.new("RGB", (10 * TILE, 6 * TILE))
    with tempfile.TemporaryDirectory() as folder:
        for block, kind in enumerate(("ridged", "fbm")):
            for seed in range(1, 21):
                before, after = seed_tiles(wadi, kind, seed, Path(folder))
                x = (seed - 1) % 10 * TILE
                y = 3 * block * TILE
                if seed <= 10:
                    sheet.paste(before, (x, y))
                sheet.paste(after, (x, y + (TILE if seed <= 10 else 2 * TILE)))
    sheet.save(out, quality=88)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
