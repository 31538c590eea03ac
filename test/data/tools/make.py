#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes one small terrain as terrain programs export it; see README.md. Needs numpy and Pillow."""
import json
import pathlib
import struct

import numpy
from PIL import Image

here = pathlib.Path(__file__).parent
SIDE, CELL, RELIEF = 17, 8.0, 1800.0
y, x = numpy.mgrid[0:SIDE, 0:SIDE]
share = (0.1 + 0.8 * numpy.exp(-((x - 5) ** 2 + (y - 11) ** 2) / 30.0) + 0.005 * x + 0.001 * y).clip(0, 1)
heights = (share * RELIEF).astype("<f4")
words = numpy.round(share * 65535).astype("<u2")

# World Machine: 16-bit PNG and TIFF without a scale; BT and Terragen with one
machine = here / "world-machine"
Image.fromarray(words).save(machine / "height.png")
Image.fromarray(words).save(machine / "height.tif")
Image.fromarray((words >> 8).astype("u1")).save(machine / "height8.png")
words.tofile(machine / "height.r16")
head = struct.pack("<10siihhhhhddddhf", b"binterr1.3", SIDE, SIDE, 4, 1, 1, 0, 0,
                   0.0, SIDE * CELL, 0.0, SIDE * CELL, 0, 1.0)
(machine / "height.bt").write_bytes(head.ljust(256, b"\0") + heights[::-1].T.astype("<f4").tobytes())
scale = 15000  # of Terragen: altitude = value x scale / 65536, in units of a cell
steps = numpy.round(heights.astype("f8") / CELL * 65536 / scale).astype("<i2")
(machine / "height.ter").write_bytes(
    b"TERRAGENTERRAIN SIZE" + struct.pack("<hh", SIDE - 1, 0) + b"SCAL" + struct.pack("<fff", CELL, CELL, CELL) +
    b"ALTW" + struct.pack("<hh", scale, 0) + steps[::-1].tobytes() + b"EOF ")

# Gaea: the project beside a PNG, a float TIFF of 0..1, and a mask; the definition for Unreal beside an R16
gaea = here / "gaea"
Image.fromarray(words).save(gaea / "Erosion2_Out.png")
Image.fromarray(share.astype("f4")).save(gaea / "Erosion2_Out.tif")
Image.fromarray(words).save(gaea / "Flow_Mask.png")
(gaea / "ridge.terrain").write_text(json.dumps({"$id": "1", "Assets": {"$id": "2", "$values": [{
    "$id": "3",
    "Terrain": {"$id": "4", "Nodes": {"$id": "6"}, "Width": SIDE * CELL, "Height": RELIEF, "Ratio": RELIEF / (SIDE * CELL)},
    "BuildDefinition": {"$id": "56", "Resolution": SIDE, "NumberOfTiles": 1, "TilePattern": "_y%Y%_x%X%"}}]}}) + "\n")
unreal = here / "gaea-unreal"
words.tofile(unreal / "ridge.r16")
(unreal / "ridge_definition.json").write_text(json.dumps({
    "ID": "ridge", "Resolution": SIDE, "ScaleX": SIDE * CELL, "ScaleY": SIDE * CELL, "ScaleZ": RELIEF,
    "Height": RELIEF, "Unit": "Meters"}) + "\n")

# Unreal: a landscape as .raw with its size beside it; 32768 is the height of the actor
words[:, :13].tofile(here / "unreal" / "landscape.raw")
(here / "unreal" / "landscape.json").write_text('{"width": 13, "height": 17, "bpp": 16}\n')

# Houdini: metres as floats, without a cell size
Image.fromarray(heights).save(here / "houdini" / "height.tif")
heights.tofile(here / "houdini" / "height.r32")
