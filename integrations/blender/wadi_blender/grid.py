# SPDX-License-Identifier: MIT
"""Meshes as grids of heights: which vertex is which cell, and back.

Row 0 is in the north (largest y), column 0 in the west, as everywhere in Wadi. Lengths are metres: object coordinates
times the object's scale times the scene's unit scale.
"""
import json

import bmesh
import bpy
import mathutils
import mathutils.bvhtree
import numpy as np

LAYERS = "sediment", "water", "hardness", "vegetation", "moisture"
SLACK = 0.01  # of a cell: float32 coordinates of a large mesh are that exact


class NotAGrid(ValueError):
    """The mesh is not a regular grid of vertices."""


def coordinates(mesh):
    """Vertices x 3."""
    values = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", values)
    return values.reshape(-1, 3).astype(np.float64)


def _lines(values):
    """Distinct positions along one axis, and the position of each vertex among them."""
    extent = np.ptp(values)
    lines = np.sort(values)
    # positions that differ by less than a part of the mean distance are one
    fresh = np.concatenate([[True], np.diff(lines) > 0.1 * extent / max(np.sqrt(len(values)), 1) ** 1.5])
    lines = lines[fresh]
    nearest = np.clip(np.searchsorted(lines, values), 1, len(lines) - 1) if len(lines) > 1 else np.zeros(len(values), int)
    if len(lines) > 1:
        nearest -= values - lines[nearest - 1] < lines[nearest] - values
    return lines, nearest


class Grid:
    """The vertices of an object's mesh as rows and columns."""

    def __init__(self, thing):
        if thing is None or thing.type != "MESH":
            raise NotAGrid("select a mesh object, such as Add > Mesh > Grid")
        self.thing, self.mesh = thing, thing.data
        co = coordinates(self.mesh)
        if len(co) < 9:
            raise NotAGrid(f"{thing.name} has {len(co)} vertices; a grid of at least 3 x 3 is needed")
        xs, columns = _lines(co[:, 0])
        ys, rows = _lines(co[:, 1])
        rows = len(ys) - 1 - rows
        self.shape = len(ys), len(xs)
        order = np.full(self.shape, -1)
        order[rows, columns] = np.arange(len(co))
        if len(co) != len(xs) * len(ys) or order.min() < 0:
            raise NotAGrid(f"the vertices of {thing.name} form no grid of rows and columns; "
                           "'Resample as grid' makes one of any mesh")
        self.order = order
        scale = np.abs(thing.matrix_world.to_scale()) * bpy.context.scene.unit_settings.scale_length
        steps = np.diff(xs).mean() * scale[0], np.diff(ys).mean() * scale[1]
        if abs(steps[0] - steps[1]) > SLACK * steps[0]:
            raise NotAGrid(f"the cells of {thing.name} are {steps[0]:.6g} x {steps[1]:.6g} m; square cells are needed")
        for lines, step in ((xs * scale[0], steps[0]), (ys * scale[1], steps[1])):
            if np.abs(np.diff(lines) - step).max() > SLACK * step:
                raise NotAGrid(f"the rows or columns of {thing.name} are not evenly spaced")
        # a rounded size gives the same bits as one that was typed
        self.cell = float(f"{steps[0]:.6g}")
        self.vertical = scale[2]

    @property
    def heights(self):
        """Heights [m], rows from the north."""
        return (coordinates(self.mesh)[:, 2] * self.vertical)[self.order].astype(np.float32)

    def positions(self, heights):
        """Object coordinates of all vertices at these heights, as foreach_set() wants them."""
        co = coordinates(self.mesh)
        co[self.order.ravel(), 2] = np.asarray(heights, np.float64).ravel() / self.vertical
        return co.astype(np.float32).ravel()

    def set_heights(self, heights):
        self.mesh.vertices.foreach_set("co", self.positions(heights))
        self.mesh.update()

    def attribute(self, name):
        """An attribute of the vertices as rows and columns, or None."""
        found = self.mesh.attributes.get(name)
        if found is None or found.domain != "POINT" or found.data_type != "FLOAT":
            return None
        values = np.empty(len(self.mesh.vertices), np.float32)
        found.data.foreach_get("value", values)
        return values[self.order]

    def set_attribute(self, name, values):
        old = self.mesh.attributes.get(name)
        if old is not None:
            self.mesh.attributes.remove(old)
        flat = np.empty(len(self.mesh.vertices), np.float32)
        flat[self.order.ravel()] = np.nan_to_num(np.asarray(values, np.float32)).ravel()
        self.mesh.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", flat)

    def note(self, **facts):
        """What was done, as a custom property of the object."""
        self.thing["wadi"] = json.dumps(facts, default=str)


def new_object(name, heights, cell):
    """A grid mesh with these heights [m], its south-western corner in the origin."""
    rows, columns = heights.shape
    y, x = np.mgrid[rows - 1:-1:-1, 0:columns].astype(np.float32) * cell
    points = np.stack([x, y, heights], -1).reshape(-1, 3) / bpy.context.scene.unit_settings.scale_length
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.stack([first, first + columns, first + columns + 1, first + 1], -1)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    return thing


def resample(thing, cell):
    """A new grid object: the highest surface of any mesh under vertical rays, one for each cell [m]."""
    work = bmesh.new()
    try:
        work.from_object(thing, bpy.context.evaluated_depsgraph_get())
        work.transform(thing.matrix_world)
        tree = mathutils.bvhtree.BVHTree.FromBMesh(work)
        co = np.array([vertex.co for vertex in work.verts])
    finally:
        work.free()
    unit = bpy.context.scene.unit_settings.scale_length
    low, high = co.min(0), co.max(0)
    step = cell / unit
    columns, rows = (int(n) + 1 for n in (high[:2] - low[:2]) / step * (1 + 1e-6))
    if columns < 3 or rows < 3:
        raise NotAGrid(f"cells of {cell:g} m leave {columns} x {rows} points of {thing.name}; choose smaller cells")
    heights = np.full((rows, columns), low[2])
    down, above = mathutils.Vector((0, 0, -1)), high[2] + 1 + np.ptp(co[:, 2])
    for row in range(rows):
        for column in range(columns):
            hit = tree.ray_cast((low[0] + column * step, low[1] + (rows - 1 - row) * step, above), down)[0]
            if hit is not None:
                heights[row, column] = hit.z
    made = new_object(f"{thing.name} grid", heights * unit, cell)
    made.location = low[0], low[1], 0
    return made
