#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Closed meshes for the scenes of landslides, as a modeller would export them.

  scenes/meshes/make.py [FOLDER]     writes the .obj files there; by default beside this script

Every mesh is a prism: an outline in the plane of east and up, drawn along north, or one in the
plane of east and north, drawn upwards. Metres, y up, x east, z south, faces outwards.
"""
import math
import sys
from pathlib import Path


def triangulate(outline):
    """Cut a simple outline, counter-clockwise, into triangles by clipping its ears."""

    def area(a, b, c):
        (ax, ay), (bx, by), (cx, cy) = outline[a], outline[b], outline[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    left = list(range(len(outline)))
    triangles = []
    while len(left) > 3:
        for i in range(len(left)):
            a, b, c = left[i - 1], left[i], left[(i + 1) % len(left)]
            others = (p for p in left if p not in (a, b, c))
            if area(a, b, c) > 0 and not any(
                    min(area(a, b, p), area(b, c, p), area(c, a, p)) >= 0 for p in others):
                triangles.append((a, b, c))
                del left[i]
                break
        else:
            raise ValueError("the outline crosses itself or is clockwise")
    return triangles + [tuple(left)]


def prism(outline, low, high, place):
    """Vertices and faces of an outline between two parallel planes; place(u, v, w) is OBJ's x y z."""
    count = len(outline)
    vertices = [place(u, v, w) for w in (low, high) for u, v in outline]
    caps = triangulate(outline)
    faces = [(a, c, b) for a, b, c in caps] + [tuple(count + i for i in t) for t in caps]
    for i in range(count):
        j = (i + 1) % count
        faces += [(i, j, count + j), (i, count + j, count + i)]
    return vertices, faces


def across(outline, south, north):
    """An outline of (east, up), counter-clockwise seen from the south."""
    vertices, faces = prism(outline, south, north, lambda u, v, w: (u, v, -w))
    return vertices, [face[::-1] for face in faces]


def upright(outline, bottom, top):
    """An outline of (east, north), counter-clockwise seen from above."""
    return prism(outline, bottom, top, lambda u, v, w: (u, w, -v))


def box(west, east, south, north, bottom, top):
    return upright([(west, south), (east, south), (east, north), (west, north)], bottom, top)


def circle(east, north, radius, corners=48):
    return [(east + radius * math.cos(2 * math.pi * i / corners),
             north + radius * math.sin(2 * math.pi * i / corners)) for i in range(corners)]


def under(line, bottom):
    """The outline between a line of (east, up), west to east, and a level below it."""
    return [(line[0][0], bottom), (line[-1][0], bottom)] + line[::-1]


def hill(base, rise, span):
    """Foot, smooth slope and crest: points of a hill's surface from (0, base) over `span`."""
    points = []
    for i in range(33):
        share = i / 32
        smooth = share * share * (3 - 2 * share)
        points.append((span * share, base + rise * smooth))
    return points


def slab(line, west, east, depth):
    """The outline between a line of (east, up) and the same line `depth` below, from west to east."""
    cut = [(x, level(line, x)) for x in [west] + [x for x, _ in line if west < x < east] + [east]]
    return [(x, z - depth) for x, z in cut] + cut[::-1]


def level(line, x):
    """Height of a line of (east, up) at x."""
    for (x0, z0), (x1, z1) in zip(line, line[1:]):
        if x0 <= x <= x1:
            return z0 + (z1 - z0) * (x - x0) / (x1 - x0)
    raise ValueError("the line does not go there")


def together(parts):
    """Several closed meshes as one."""
    vertices, faces = [], []
    for more, around in parts:
        faces += [tuple(len(vertices) + i for i in face) for face in around]
        vertices += more
    return vertices, faces


def meshes():
    # a drum of sand, or of soil
    yield "drum", upright(circle(2, 2, 0.6), 0, 0.6)
    # three soils side by side
    for i, name in enumerate(("west", "middle", "east")):
        yield f"plot-{name}", box(0.2 + i * 0.6, 0.8 + i * 0.6, 0.2, 0.8, 0, 0.8)
    # a cavity between two walls, and a roof that closes it
    yield "roof", box(1.6, 3.4, 1, 1.8, 0.9, 1.5)
    yield "wall-west", box(1.2, 1.6, 1, 1.8, 0, 1.5)
    yield "wall-east", box(3.4, 3.8, 1, 1.8, 0, 1.5)
    # soil, and sand that falls towards it
    yield "soil", box(1, 2.2, 1, 2, 0, 1)
    yield "sand", box(2.6, 3.4, 1, 2, 0, 1.6)
    # six beds, from the top down
    for i in range(6):
        yield f"bed-{i + 1}", box(0.2, 1, 0.2, 1, 1 - 0.2 * i, 1.2 - 0.2 * i)
    # a hill of three layers, 12 m long, in a world that repeats after 0.9 m: give soil first, then marks in it,
    # clay and rock last. Marks are soil of another colour, from the surface down, 1 m apart.
    top = [(0, 1.4)] + [(1.5 + x, z) for x, z in hill(1.4, 3.2, 8)] + [(12, 4.6)]
    for name, low, high in (("soil", 1.5, 0), ("clay", 1.3, 1.0), ("rock", 1.6, 1.3)):
        outline = [(x, z - low) for x, z in top] + [(x, z - high) for x, z in top[::-1]]
        yield f"hill-{name}", across(outline, 0.02, 0.88)
    yield "hill-marks", together(across(slab(top, x, x + 0.4, 1.0), 0.02, 0.88) for x in range(1, 12))
    # a terrain of four layers, the most conductive on top
    for i in range(4):
        line = [(x, z - 0.5 * i) for x, z in hill(2, 2.4, 8)]
        yield f"terrain-{i + 1}", across(under(line, 0), 0, 5)
    # columns to collapse: half-width 0.3 m, settled height over half-width 0.5, 1.42; slices of a world that
    # repeats after 0.1 m, less the room that grains on both sides of the seam need
    yield "column-low", box(1.2, 1.8, 0.01, 0.09, 0, 0.185)
    yield "column-tall", box(1.2, 1.8, 0.01, 0.09, 0, 0.555)
    # a berm of gravel across a channel that repeats after 0.2 m
    yield "berm", across([(0.9, 0), (1.3, 0), (1.22, 0.15), (0.98, 0.15)], 0, 0.2)


def write(path, vertices, faces):
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write("# metres, y up, x east, z south; written by make.py\n")
        for x, y, z in vertices:
            file.write(f"v {x + 0.0:.6g} {y + 0.0:.6g} {z + 0.0:.6g}\n")
        for face in faces:
            file.write("f " + " ".join(str(i + 1) for i in face) + "\n")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, (vertices, faces) in meshes():
        write(folder / f"{name}.obj", vertices, faces)


if __name__ == "__main__":
    main()
