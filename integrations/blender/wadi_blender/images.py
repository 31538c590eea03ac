# SPDX-License-Identifier: MIT
"""Height textures: erode an image, and write layers of a mesh as images."""
import bpy
import numpy as np

from . import erode, grid, settings


def pixels(image):
    """Rows from the north x columns x 4. Blender keeps images from the bottom up."""
    width, height = image.size
    if width < 3 or height < 3:
        raise ValueError(f"{image.name} has {width} x {height} pixels; at least 3 x 3 are needed")
    values = np.empty(4 * width * height, np.float32)
    image.pixels.foreach_get(values)
    return values.reshape(height, width, 4)[::-1]


def new_image(name, values):
    """A float image without colour management: all three channels hold the values."""
    height, width = values.shape
    old = bpy.data.images.get(name)
    if old is not None:
        bpy.data.images.remove(old)
    image = bpy.data.images.new(name, width, height, float_buffer=True, is_data=True)
    image.colorspace_settings.name = "Non-Color"
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = np.nan_to_num(values)[::-1, :, None]
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


class WADI_OT_erode_image(erode.Worker, bpy.types.Operator):
    """Run the chosen process on the height texture: value 1 is the relief. Results are new float images"""

    bl_idname, bl_label, bl_options = "wadi.erode_image", "Erode texture", {"REGISTER", "UNDO"}

    def begin(self, context):
        chosen = settings.of(context)
        if chosen.image is None:
            raise ValueError("choose a height texture")
        self._name, self._relief = chosen.image.name, settings.typed(chosen.relief)
        heights = np.ascontiguousarray(pixels(chosen.image)[..., 0]) * np.float32(self._relief)
        cell, choice = settings.typed(chosen.cell), erode.choice(context)
        return lambda job: erode.run(heights, cell, {}, choice, job.progress)

    def end(self, context, value):
        heights, layers, facts = value
        made = new_image(f"{self._name} eroded", heights / self._relief)
        made["wadi"] = str(facts)
        for name, values in layers.items():
            new_image(f"{self._name} {name}", values)
        settings.of(context).image = made
        self.report({"INFO"}, f"{facts['process']}: {facts['years']:g} yr, state {facts['state_hash']}")


class WADI_OT_images(bpy.types.Operator):
    """Write height and all layers and maps of the active grid mesh as float images, in their units"""

    bl_idname, bl_label, bl_options = "wadi.images", "Layers to images", {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            field = grid.Grid(context.active_object)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        name = field.thing.name
        new_image(f"{name} height", field.heights)
        for attribute in list(field.mesh.attributes):
            values = field.attribute(attribute.name)
            if values is not None:
                new_image(f"{name} {attribute.name}", values)
        return {"FINISHED"}


CLASSES = WADI_OT_erode_image, WADI_OT_images


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)


def unregister():
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
