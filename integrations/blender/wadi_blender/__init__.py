# SPDX-License-Identifier: MIT
"""Wadi in Blender: erode grid meshes and height textures, and bake the years as an animation.

The package `wadi` with its library lies beside this file, as it is in the wheel: nothing else is needed.
"""
from . import bake, erode, images, panel, settings

bl_info = {
    "name": "Wadi",
    "description": "Terrain erosion: water, wind, dunes, slides and waves, in metres and years",
    "author": "The Wadi developers",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Wadi",
    "category": "Mesh",
}

MODULES = settings, erode, images, bake, panel


def register():
    for module in MODULES:
        module.register()


def unregister():
    for module in reversed(MODULES):
        module.unregister()
