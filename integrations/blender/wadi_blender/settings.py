# SPDX-License-Identifier: MIT
"""Settings of a scene: the process, its years, and one group of properties for each process of the library.

The groups are made from the library's tables, so that names, ranges, defaults and documentation are the command's.
"""
import bpy
import numpy as np
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty)

from . import wadi
from .wadi.process import Process, prepare

KINDS = {kind.process_name: kind for kind in Process.__subclasses__()}
OUTSIDE = "earth", "landslide"  # grains are bodies of their own, which no mesh of heights can hold
NAMES = tuple(name for name in KINDS if name not in OUTSIDE)
EDGES = "open", "closed", "periodic"


def enum(names, docs=None):
    return [(name, name.replace("_", " ").capitalize(), (docs or {}).get(name, ""), i) for i, name in enumerate(names)]


def property_of(field):
    """The property of a parameter, with the table's range."""
    unit = "" if field.unit in ("", "1") else f" [{field.unit}]"
    about = {"name": field.name.replace("_", " ").capitalize() + unit,
             "description": field.doc + (f". Source: {field.source}" if field.source else "")}
    if field.kind == "enum":
        return EnumProperty(items=enum(field.names), default=field.default, **about)
    if field.kind == "bool":
        return BoolProperty(default=field.default, **about)
    if field.kind == "int":
        return IntProperty(default=field.default, min=int(field.min), max=int(field.max), **about)
    return FloatProperty(default=field.default, min=field.min, max=field.max, precision=4, **about)


def typed(value):
    """What was typed: properties are float32, and 0.8 must arrive as 0.8, for the bits of the command."""
    return float(str(np.float32(value))) if isinstance(value, float) else value


def initial(kind, preset):
    """Values of all parameters under a preset."""
    params = prepare(wadi.process.Context(1, None), kind, preset, {})[1]
    return {name: params[name] for name in kind.description.fields}


def apply_preset(group, _context=None):
    kind = KINDS[group.process_name]
    for name, value in initial(kind, group.preset).items():
        setattr(group, name, value)


def parameters(group):
    """Those that differ from the preset's values."""
    kind = KINDS[group.process_name]
    chosen = {name: typed(getattr(group, name)) for name in kind.description.fields}
    return {name: chosen[name] for name, value in initial(kind, group.preset).items()
            if chosen[name] != (typed(value) if isinstance(value, float) else value)}


def group_of(name, kind):
    about = kind.description
    presets = enum(list(about.presets) or ["default"], about.presets)
    body = {"process_name": name, "__doc__": about.doc,
            "__annotations__": {"preset": EnumProperty(name="Preset", items=presets, update=apply_preset),
                                **{f.name: property_of(f) for f in about.fields.values()}}}
    return type(f"WADI_PG_{name}", (bpy.types.PropertyGroup,), body)


GROUPS = {name: group_of(name, KINDS[name]) for name in NAMES}


class WADI_PG_settings(bpy.types.PropertyGroup):
    """What the panel and the operators share."""

    process: EnumProperty(name="Process", items=enum(NAMES, {n: KINDS[n].description.doc for n in NAMES}),
                          default="hydraulic")
    partners: EnumProperty(name="Beside it", options={"ENUM_FLAG"}, items=[
        (n, n.capitalize(), KINDS[n].description.doc, 1 << i) for i, n in enumerate(NAMES)],
        description="processes that take turns with it in a bake")
    years: FloatProperty(name="Years [yr]", min=0, soft_max=1e6, default=0,
                         description="simulated time; 0: the default duration of the process")
    seed: IntProperty(name="Seed", min=0, description="of all random numbers: the same seed gives the same bits")
    edges: EnumProperty(name="Edges", items=enum(EDGES), description="where matter leaves, stays, or enters opposite")
    threads: IntProperty(name="Threads", min=0, max=256, description="0: one per core; no result depends on it")
    all_parameters: BoolProperty(name="All parameters")
    maps: BoolProperty(name="Maps", default=True, description="also the maps of the process, such as flow")
    cell: FloatProperty(name="Cell [m]", min=0.01, default=10, description="of a texture, or of a mesh made anew")
    image: PointerProperty(name="Height texture", type=bpy.types.Image)
    relief: FloatProperty(name="Relief [m]", min=0.001, default=500, description="height of a texture's value 1")
    frames: IntProperty(name="Frames", min=1, default=24, description="of a bake, from the scene's first frame on")
    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//wadi",
                           description="of a baked displacement sequence")


def of(context):
    return context.scene.wadi


def register():
    for name, group in GROUPS.items():
        bpy.utils.register_class(group)
        WADI_PG_settings.__annotations__[name] = PointerProperty(type=group)
    bpy.utils.register_class(WADI_PG_settings)
    bpy.types.Scene.wadi = PointerProperty(type=WADI_PG_settings)


def unregister():
    del bpy.types.Scene.wadi
    bpy.utils.unregister_class(WADI_PG_settings)
    for group in GROUPS.values():
        bpy.utils.unregister_class(group)
