# SPDX-License-Identifier: MIT
"""The panel in the sidebar of the 3D view, drawn from the tables of the library."""
import bpy

from . import settings

SHORT = 8  # parameters that are shown first; the tables name the most used ones first


def shown(group, kind, everything):
    """Names of the parameters that the chosen model reads."""
    fields = list(kind.description.fields.values())
    models = list(kind.description.models)
    model = models.index(group.model) if models and hasattr(group, "model") else 0
    names = [f.name for f in fields if f.models == 0 or f.models >> model & 1]
    return names if everything else names[:SHORT]


class WADI_PT_panel(bpy.types.Panel):
    bl_idname, bl_label, bl_category = "WADI_PT_panel", "Wadi", "Wadi"
    bl_space_type, bl_region_type = "VIEW_3D", "UI"

    def draw(self, context):
        chosen, layout = settings.of(context), self.layout
        layout.use_property_split = True
        for name in ("process", "years", "seed", "edges", "threads"):
            layout.prop(chosen, name)
        layout.operator("wadi.erode")
        self.draw_parameters(chosen, layout.box())
        self.draw_others(chosen, layout)

    @staticmethod
    def draw_parameters(chosen, box):
        group, kind = getattr(chosen, chosen.process), settings.KINDS[chosen.process]
        box.prop(group, "preset")
        for name in shown(group, kind, chosen.all_parameters):
            box.prop(group, name)
        box.prop(chosen, "all_parameters")

    @staticmethod
    def draw_others(chosen, layout):
        for title, names, operators in (
                ("Animation", ("frames", "partners", "folder"), ("wadi.bake_keys", "wadi.bake_images")),
                ("Texture", ("image", "relief", "cell"), ("wadi.erode_image", "wadi.images")),
                ("Mesh", ("cell", "maps"), ("wadi.resample",))):
            box = layout.box()
            box.label(text=title)
            for name in names:
                box.prop(chosen, name)
            for operator in operators:
                box.operator(operator)


def register():
    bpy.utils.register_class(WADI_PT_panel)


def unregister():
    bpy.utils.unregister_class(WADI_PT_panel)
