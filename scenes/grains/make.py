#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Meshes of the worlds of grains beside this script, as a modeller would export them.

  scenes/grains/make.py [FOLDER]     writes the .obj files there; by default beside this script

Each is turned about an axis from an outline of (way along it, radius). Metres, z up.
"""
import math
import sys
from pathlib import Path


def turned(outline, axis, sides):
    """Vertices and triangles of an outline turned about y (axis 1) or z (axis 2)."""
    vertices = []
    for along, radius in outline:
        for k in range(sides):
            angle = 2 * math.pi * k / sides
            a, b = radius * math.cos(angle), radius * math.sin(angle)
            vertices.append((a, b, along) if axis == 2 else (b, along, a))
    triangles = []
    for ring in range(len(outline) - 1):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            for triangle in ((a, b, b + sides), (a, b + sides, a + sides)):
                if len({vertices[v] for v in triangle}) == 3:
                    triangles.append(triangle)
    return vertices, triangles


def write(path, form):
    lines = ['v %.6g %.6g %.6g' % v for v in form[0]]
    lines += ['f %d %d %d' % tuple(v + 1 for v in t) for t in form[1]]
    path.write_text('\n'.join(lines) + '\n')


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    write(folder / 'hopper.obj', turned([(0, 0.1), (0.25, 0.35), (1.5, 0.35)], 2, 24))
    write(folder / 'gate.obj', turned([(0, 0), (0, 0.1)], 2, 24))
    write(folder / 'drum.obj', turned([(0, 0), (0, 0.25), (0.2, 0.25), (0.2, 0)], 1, 48))


main()
