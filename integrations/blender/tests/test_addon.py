# SPDX-License-Identifier: MIT
"""Tests of the add-on inside Blender: blender --background --factory-startup --python-exit-code 1 --python test_addon.py"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import addon_utils
import bpy
import numpy as np

ZIP = os.environ["WADI_ADDON"]
COMMAND = os.environ.get("WADI_COMMAND", "")
bpy.ops.preferences.addon_install(filepath=ZIP)
bpy.ops.preferences.addon_enable(module="wadi_blender")
import wadi_blender  # noqa: E402
from wadi_blender import grid, settings, wadi  # noqa: E402

CELL = 30.0


def mountains(size=48, seed=1):
    return wadi.noise((size, size), cell=CELL, seed=seed, relief=600.0, wavelength=900.0).astype(np.float32)


def chosen(**values):
    """The settings of the scene, fresh but for these."""
    scene = bpy.context.scene
    for name in list(scene.wadi.keys()):
        scene.wadi.property_unset(name)
    for name, value in values.items():
        setattr(scene.wadi, name, value)
    return scene.wadi


def land(heights=None):
    thing = grid.new_object("land", mountains() if heights is None else heights, CELL)
    bpy.context.view_layer.objects.active = thing
    return thing


class Meshes(unittest.TestCase):
    def test_heights_come_back(self):
        heights = mountains()
        field = grid.Grid(land(heights))
        self.assertEqual(field.cell, CELL)
        np.testing.assert_array_equal(field.heights, heights)

    def test_blenders_own_grid(self):
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=10, size=1)
        thing = bpy.context.active_object
        thing.scale = 400, 200, 1
        bpy.context.view_layer.update()
        field = grid.Grid(thing)
        self.assertEqual(field.shape, (11, 21))
        self.assertEqual(field.cell, 20.0)

    def test_rows_are_found_in_any_order(self):
        heights = mountains(16)
        thing = land(heights)
        co = grid.coordinates(thing.data)
        order = np.random.default_rng(1).permutation(len(co))
        mesh = bpy.data.meshes.new("shuffled")
        mesh.from_pydata(co[order].tolist(), [], [])
        thing.data = mesh
        np.testing.assert_array_equal(grid.Grid(thing).heights, heights)

    def test_other_meshes_are_refused_and_resampled(self):
        bpy.ops.mesh.primitive_uv_sphere_add(radius=100)
        chosen(cell=10)
        sphere = bpy.context.active_object
        with self.assertRaisesRegex(grid.NotAGrid, "Resample as grid"):
            grid.Grid(sphere)
        with self.assertRaisesRegex(RuntimeError, "form no grid"):
            bpy.ops.wadi.erode()
        self.assertEqual(bpy.ops.wadi.resample(), {"FINISHED"})
        field = grid.Grid(bpy.context.active_object)
        self.assertEqual(field.shape, (21, 21))
        self.assertAlmostEqual(field.heights.max(), 100, delta=1)

    def test_cells_that_are_not_square_are_refused(self):
        thing = land()
        thing.scale = 1, 2, 1
        bpy.context.view_layer.update()
        with self.assertRaisesRegex(grid.NotAGrid, "square cells"):
            grid.Grid(thing)


class Erosion(unittest.TestCase):
    def test_has_the_state_of_the_package(self):
        heights = mountains()
        thing = land(heights)
        group = chosen(process="hydraulic", years=20000, seed=7).hydraulic
        group.rain = 0.8
        self.assertEqual(settings.parameters(group), {"rain": 0.8})
        bpy.ops.wadi.erode()
        beside = wadi.Terrain.from_array(heights, CELL, seed=7)
        rivers = beside.erode("hydraulic", 20000, rain=0.8)
        facts = json.loads(thing["wadi"])
        self.assertEqual(facts["state_hash"], f"{beside.state_hash:016x}")
        field = grid.Grid(thing)
        np.testing.assert_array_equal(field.heights, beside["surface"])
        np.testing.assert_array_equal(field.attribute("hydraulic.flow"), rivers.map("flow"))
        np.testing.assert_array_equal(field.attribute("sediment"), beside["sediment"])

    @unittest.skipUnless(COMMAND, "WADI_COMMAND names no wadi command")
    def test_has_the_state_of_the_command(self):
        heights = mountains()
        thing = land(heights)
        chosen(process="hydraulic", years=20000)
        bpy.ops.wadi.erode()
        with tempfile.TemporaryDirectory() as folder:
            heights.astype("<f4").tofile(f"{folder}/land_48x48.r32")
            subprocess.run([COMMAND, "erode", "hydraulic", f"{folder}/land_48x48.r32", "--cell", f"{CELL:g}m",
                            "--for", "20kyr", "--report", f"{folder}/report.json", "-o", f"{folder}/out.tif"],
                           check=True, capture_output=True)
            with open(f"{folder}/report.json", encoding="utf-8") as file:
                report = file.read()
        self.assertIn(json.loads(thing["wadi"])["state_hash"], report)

    def test_goes_on_from_its_layers(self):
        heights = mountains()
        thing = land(heights)
        field = grid.Grid(thing)
        field.set_attribute("sediment", np.full(field.shape, 2, np.float32))
        chosen(process="talus", years=100)
        bpy.ops.wadi.erode()
        beside = wadi.Terrain.from_array(heights, CELL)
        beside["sediment"] = 2.0
        beside["surface"] = heights
        _talus = beside.erode("talus", 100)  # the hash is that of the land and its living processes
        self.assertEqual(json.loads(thing["wadi"])["state_hash"], f"{beside.state_hash:016x}")

    def test_presets_fill_the_panel(self):
        group = chosen(process="hydraulic").hydraulic
        group.preset = "paper"
        self.assertEqual(group.model, "droplets")
        self.assertEqual(settings.parameters(group), {})

    def test_every_process_has_its_fields(self):
        for name, kind in settings.KINDS.items():
            if name not in settings.OUTSIDE:
                group = getattr(chosen(), name)
                for field in kind.description.fields.values():
                    self.assertEqual(settings.typed(getattr(group, field.name)),
                                     settings.typed(field.default) if field.kind == "float" else field.default,
                                     f"{name}.{field.name}")

    def test_failures_change_nothing(self):
        thing = land(np.full((8, 8), 1e30, np.float32))
        before = grid.Grid(thing).heights
        chosen(process="hydraulic", years=100)
        with self.assertRaises(RuntimeError):
            bpy.ops.wadi.erode()
        np.testing.assert_array_equal(grid.Grid(thing).heights, before)


class Bakes(unittest.TestCase):
    def test_shape_keys_follow_the_years(self):
        heights = mountains()
        thing = land(heights)
        chosen(process="hydraulic", years=20000, frames=4, partners={"talus"})
        scene = bpy.context.scene
        scene.frame_start = 1
        bpy.ops.wadi.bake_keys()
        keys = thing.data.shape_keys.key_blocks
        self.assertEqual(len(keys), 5)
        means = []
        for frame in range(1, 6):
            scene.frame_set(frame)
            shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
            means.append(grid.coordinates(shown)[:, 2].mean())
        self.assertAlmostEqual(means[0], heights.mean(), places=2)
        self.assertEqual(means, sorted(means, reverse=True))
        last = np.empty(3 * len(thing.data.vertices), np.float32)
        keys[4].data.foreach_get("co", last)
        self.assertAlmostEqual(last.reshape(-1, 3)[:, 2].mean(), means[4], places=2)

    def test_displacement_sequence_reads_back(self):
        heights = mountains(32)
        land(heights)
        with tempfile.TemporaryDirectory() as folder:
            chosen(process="talus", years=300, frames=3, folder=folder)
            bpy.context.scene.frame_start = 1
            bpy.ops.wadi.bake_images()
            self.assertEqual(sorted(os.listdir(folder)), [f"height_{n:04d}.exr" for n in range(1, 5)])
            image = bpy.data.images.load(os.path.join(folder, "height_0001.exr"))
            image.colorspace_settings.name = "Non-Color"
            from wadi_blender import images
            np.testing.assert_allclose(images.pixels(image)[..., 0], heights, rtol=1e-6)


class Textures(unittest.TestCase):
    def test_texture_and_mesh_erode_alike(self):
        from wadi_blender import images
        heights = mountains()
        relief = 1024.0  # a power of two keeps all bits of the heights
        image = images.new_image("dem", heights / relief)
        chosen(process="hydraulic", years=20000, image=image, relief=relief, cell=CELL)
        bpy.ops.wadi.erode_image()
        beside = wadi.Terrain.from_array(heights, CELL)
        beside.erode("hydraulic", 20000)
        made = bpy.data.images["dem eroded"]
        np.testing.assert_array_equal(images.pixels(made)[..., 0] * relief, beside["surface"])
        self.assertIn("dem hydraulic.flow", bpy.data.images)

    def test_layers_become_images(self):
        thing = land()
        chosen(process="hydraulic", years=8000)
        bpy.ops.wadi.erode()
        bpy.ops.wadi.images()
        from wadi_blender import images
        field = grid.Grid(thing)
        np.testing.assert_array_equal(images.pixels(bpy.data.images[f"{thing.name} height"])[..., 0], field.heights)
        np.testing.assert_array_equal(images.pixels(bpy.data.images[f"{thing.name} hydraulic.flow"])[..., 0],
                                      field.attribute("hydraulic.flow"))


class Panel(unittest.TestCase):
    def test_shows_what_the_model_reads(self):
        from wadi_blender import panel
        group = chosen().hydraulic
        kind = settings.KINDS["hydraulic"]
        streams = panel.shown(group, kind, True)
        group.model = "droplets"
        self.assertNotEqual(streams, panel.shown(group, kind, True))
        self.assertEqual(len(panel.shown(group, kind, False)), panel.SHORT)

    def test_registers_twice(self):
        wadi_blender.unregister()
        wadi_blender.register()
        self.assertTrue(addon_utils.check("wadi_blender")[1])


if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1], exit=False, verbosity=1).result
    sys.exit(0 if done.wasSuccessful() else 1)
