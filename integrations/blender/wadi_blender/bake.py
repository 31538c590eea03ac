# SPDX-License-Identifier: MIT
"""Bake the years as an animation: shape keys of the mesh, or a sequence of displacement images.

The processes take turns over each frame's years, as a timeline does whose tick is a frame.
"""
import os

import bpy
import numpy as np

from . import erode, grid, images, settings


def frames(heights, cell, layers, chosen, count, progress):
    """Heights after each frame, and facts of the whole."""
    land = erode.terrain(heights, cell, layers, chosen, None)
    things = [settings.KINDS[name](land, preset=preset, **parameters)
              for name, (preset, parameters) in chosen["processes"].items()]
    years = chosen["years"] or things[0].default_years
    surfaces = []
    for frame in range(count):
        land.progress = lambda share, what, done=frame: progress((done + share) / count, what)
        for thing in things:
            thing.run_one_step(years / count)
        surfaces.append(land["surface"])
    for thing in things:
        thing.finish()
        thing.settle()
    surfaces[-1] = land["surface"]
    facts = {"processes": chosen["processes"], "years": years, "frames": count, "seed": land.seed,
             "state_hash": f"{land.state_hash:016x}"}
    return surfaces, erode.results(land, None, False), facts


def clear_keys(thing):
    if thing.data.shape_keys is not None:
        thing.shape_key_clear()


def key_frames(field, surfaces, first):
    """One shape key a frame; each is full in its frame and gone in its neighbours'."""
    thing = field.thing
    clear_keys(thing)
    thing.shape_key_add(name="Basis", from_mix=False)
    for number, heights in enumerate(surfaces):
        key = thing.shape_key_add(name=f"frame {first + number + 1}", from_mix=False)
        key.data.foreach_set("co", field.positions(heights))
        last = number == len(surfaces) - 1
        for frame, value in ((0, 0.0), (1, 1.0)) + (() if last else ((2, 0.0),)):
            key.value = value
            key.keyframe_insert("value", frame=first + number + frame)
    for curve in thing.data.shape_keys.animation_data.action.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


class Bake(erode.Worker):
    """What both kinds of bake share."""

    def begin(self, context):
        field, chosen = grid.Grid(context.active_object), erode.choice(context)
        self._field, self._first = field, context.scene.frame_start
        clear_keys(field.thing)
        heights, layers, count = field.heights, erode.layers_of(field), settings.of(context).frames
        return lambda job: frames(heights, field.cell, layers, chosen, count, job.progress)

    def close(self, layers, facts):
        for name, values in layers.items():
            self._field.set_attribute(name, values)
        self._field.note(**facts)
        self.report({"INFO"}, f"{facts['frames']} frames, {facts['years']:g} yr, state {facts['state_hash']}")


class WADI_OT_bake_keys(Bake, bpy.types.Operator):
    """Run the processes frame by frame and keep each state as a shape key"""

    bl_idname, bl_label, bl_options = "wadi.bake_keys", "Bake shape keys", {"REGISTER", "UNDO"}

    def end(self, context, value):
        surfaces, layers, facts = value
        key_frames(self._field, surfaces, self._first)
        context.scene.frame_end = max(context.scene.frame_end, self._first + len(surfaces))
        self.close(layers, facts)


class WADI_OT_bake_images(Bake, bpy.types.Operator):
    """Run the processes frame by frame and write each state as an EXR image of heights in metres"""

    bl_idname, bl_label, bl_options = "wadi.bake_images", "Bake displacement", {"REGISTER"}

    def end(self, context, value):
        surfaces, layers, facts = value
        folder = bpy.path.abspath(settings.of(context).folder)
        os.makedirs(folder, exist_ok=True)
        for number, heights in enumerate([self._field.heights] + surfaces):
            save(os.path.join(folder, f"height_{self._first + number:04d}.exr"), heights)
        self.close(layers, facts)


def save(path, heights):
    """Write under a temporary name and rename, so that no frame is ever half written."""
    image = images.new_image("wadi frame", heights)
    settings_of = bpy.context.scene.render.image_settings
    before = settings_of.file_format, settings_of.color_depth, settings_of.color_mode
    try:
        settings_of.file_format, settings_of.color_depth, settings_of.color_mode = "OPEN_EXR", "32", "RGB"
        image.save_render(f"{path}.new")
        os.replace(f"{path}.new", path)
    finally:
        settings_of.file_format, settings_of.color_depth, settings_of.color_mode = before
        bpy.data.images.remove(image)


CLASSES = WADI_OT_bake_keys, WADI_OT_bake_images


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)


def unregister():
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
