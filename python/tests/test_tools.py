# SPDX-License-Identifier: MIT
"""Maps, measures, pictures, files, sweeps, the Basic Model Interface and xarray."""
import json
import os
import pathlib
import struct
import tempfile
import unittest
import zlib

import numpy as np

import wadi
from support import SOURCE, command, mountains, needs_command

try:
    import xarray
except ImportError:
    xarray = None


def plane(shape=(32, 40), cell=10.0):
    """Ground that falls to the west with a slope of 1 in 2."""
    return np.arange(shape[1]) * cell / 2 * np.ones((shape[0], 1))


class Measures(unittest.TestCase):
    def test_slope_of_a_plane(self):
        slope = wadi.derive(plane(), "slope", cell=10.0)
        np.testing.assert_allclose(slope, np.degrees(np.arctan(0.5)), rtol=1e-5)
        aspect = wadi.derive(wadi.Terrain.from_array(plane(), 10.0), "aspect")
        np.testing.assert_allclose(aspect, 270.0, atol=1e-3)

    def test_all_maps_and_their_names(self):
        land = mountains(size=24)
        for name in wadi.DERIVED:
            self.assertEqual(wadi.derive(land, name).shape, land.shape, name)
        with self.assertRaisesRegex(wadi.UnknownError, "no derived map 'slop'; there are slope, aspect"):
            wadi.derive(land, "slop")
        with self.assertRaisesRegex(TypeError, "cell=30"):
            wadi.derive(plane(), "slope")

    def test_measures_of_change(self):
        land = mountains(size=96)
        before = land["surface"]
        land.erode("hydraulic", years=20_000)
        forms = wadi.measure_land(land, before=before, years=20_000)
        fallen = before.astype(float) - land["surface"]
        self.assertAlmostEqual(forms["denudation"], fallen.mean() / 20_000 * 1000, delta=1e-3 * forms["denudation"])
        self.assertTrue(np.isnan(wadi.measure_land(land)["wear"]))
        with self.assertRaisesRegex(ValueError, "before has the shape"):
            wadi.measure_land(land, before=before[1:])

    @needs_command
    def test_measures_are_those_of_the_command(self):
        source = pathlib.Path(SOURCE) / "test/data/washington-2021-pre-dem-10m.asc"
        told = json.loads(command("judge", "land", source, "--json"))
        known = told["measures"]
        measured = wadi.measure_land(wadi.read_terrain(source))
        self.assertGreater(len(set(measured) & set(known)), 15)
        for name in set(measured) & set(known):
            if known[name] is not None:
                self.assertAlmostEqual(measured[name], known[name], delta=1e-6 * abs(known[name]), msg=name)

    def test_sand_drift(self):
        drift = wadi.sand_drift([[210.0, 9.0, 0.5], [330.0, 9.0, 0.5]])
        self.assertAlmostEqual(drift["ratio"], 0.5)
        self.assertAlmostEqual(drift["direction"], 90.0)
        self.assertAlmostEqual(drift["crests"], 0.0)
        self.assertAlmostEqual(drift["sectors"].sum(), drift["potential"])
        with self.assertRaises(wadi.RangeError):
            wadi.sand_drift([[210.0, 3.0, 1.0]])

    def test_dunes(self):
        land = wadi.Terrain((64, 64), cell=10, edges="periodic")
        land["sediment"] = 5 + 4 * np.sin(land.x / 160 * 2 * np.pi) * np.ones((64, 1))
        forms = wadi.measure_dunes(land, drift=90.0)
        self.assertAlmostEqual(forms["spacing"], 160.0, delta=16.0)
        self.assertAlmostEqual(forms["crests"], 4 * 640.0, delta=0.2 * 4 * 640.0)
        self.assertEqual(forms["stars"], 0)
        self.assertAlmostEqual(forms["normal"] % 180, 90.0, delta=2.0)


class Pictures(unittest.TestCase):
    def test_a_picture_is_a_png(self):
        land = mountains()
        rgb = wadi.picture(land, view="map", width=64, height=48, overlay=land["surface"])
        self.assertEqual(rgb.shape, (48, 64, 3))
        self.assertGreater(rgb.std(), 5.0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            wadi.write_png(path, rgb)
            data = pathlib.Path(path).read_bytes()
            self.assertEqual(os.listdir(folder), ["a.png"])
        self.assertEqual(struct.unpack(">II", data[16:24]), (64, 48))
        at = data.index(b"IDAT")
        length = struct.unpack(">I", data[at - 4: at])[0]
        lines = np.frombuffer(zlib.decompress(data[at + 4: at + 4 + length]), np.uint8).reshape(48, 1 + 3 * 64)
        np.testing.assert_array_equal(lines[:, 1:].reshape(48, 64, 3), rgb)

    def test_wrong_parameters_are_refused(self):
        with self.assertRaises(wadi.UnknownError):
            wadi.picture(mountains(size=16), widht=64)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.heights = mountains(size=20)["surface"]
        self.heights[3, 4] = np.nan

    def test_what_is_written_is_read_to_the_bit(self):
        for name in ("a.asc", "a.npy"):
            wadi.write(self.path / name, self.heights, 12.5)
            values, cell = wadi.read(self.path / name, 12.5 if name == "a.npy" else None)
            np.testing.assert_array_equal(values, self.heights)
            self.assertEqual(cell, 12.5)
        with self.assertRaisesRegex(TypeError, "cell=30"):
            wadi.read(self.path / "a.npy")

    @needs_command
    def test_other_formats_go_through_the_command(self):
        wadi.write(self.path / "a.tif", self.heights, 12.5)
        values, cell = wadi.read(self.path / "a.tif")
        np.testing.assert_array_equal(values, self.heights)
        self.assertEqual(cell, 12.5)
        with self.assertRaisesRegex(wadi.FileError, "none.tif"):
            wadi.read(self.path / "none.tif")

    def test_damaged_grids_are_refused(self):
        for text in ("", "ncols 2\nnrows 2\ncellsize 1\n1 2 3\n", "1 2\n3 4\n"):
            (self.path / "b.asc").write_text(text)
            with self.assertRaisesRegex(wadi.FormatError, "no ESRI ASCII grid"):
                wadi.read(self.path / "b.asc")

    @needs_command
    def test_a_scene_as_a_dict_runs(self):
        report = wadi.run_scene({
            "wadi": 1, "seed": 4,
            "terrain": {"size": [48, 32], "cell": "20 m", "noise": {"relief": "300 m", "wavelength": "400 m"}},
            "steps": [{"talus": {"for": "100 yr", "repose": "30 deg"}}],
        }, self.path)
        self.assertIn("talus", report["processes"])
        with self.assertRaisesRegex(wadi.FileError, "unknown key 'sede'"):
            wadi.run_scene({"wadi": 1, "sede": 4}, self.path)


class Sweeps(unittest.TestCase):
    def test_rows_are_the_runs_one_by_one(self):
        land = mountains(size=32)
        before = land.state_hash
        table = wadi.sweep(land, "talus", 100, {"repose": [25.0, 35.0], "weathering": [0.1, 1.0]}, jobs=2,
                           measures={"top": lambda ground, _: float(ground["surface"].max())}, hysteresis=0.5)
        self.assertEqual(land.state_hash, before)
        self.assertEqual([(row["repose"], row["weathering"]) for row in table],
                         [(25.0, 0.1), (25.0, 1.0), (35.0, 0.1), (35.0, 1.0)])
        for row in table:
            alone = land.copy()
            done = alone.erode("talus", 100, repose=row["repose"], weathering=row["weathering"], hysteresis=0.5)
            self.assertEqual(row["state_hash"], f"{(alone.hash + done.hash) % 2**64:016x}")
            self.assertEqual(row["top"], alone["surface"].max())
        self.assertEqual(table.columns, ["repose", "weathering", "top", "state_hash"])
        self.assertEqual(table.column("repose").tolist(), [25, 25, 35, 35])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "table.csv"
            table.save(path)
            self.assertEqual(len(path.read_text().splitlines()), 5)
        self.assertEqual(len(str(table).splitlines()), 5)

    def test_wrong_values_fail_before_the_work(self):
        with self.assertRaises(wadi.RangeError):
            wadi.sweep(mountains(size=16), "talus", 10, {"repose": [30.0, 1000.0]})
        with self.assertRaises(wadi.UnknownError):
            wadi.sweep(mountains(size=16), "talus", 10, {"repsoe": [30.0]})


class BasicModelInterface(unittest.TestCase):
    CONFIG = {"terrain": {"shape": [12, 20], "cell": 25, "noise": {"relief": 300, "wavelength": 200}, "seed": 5},
              "layers": {"sediment": 1.0},
              "processes": {"hydraulic": {}, "talus": {}},
              "time": {"step": 100, "end": 1000}}

    def setUp(self):
        self.model = wadi.Bmi()
        self.model.initialize(self.CONFIG)

    def test_time(self):
        self.model.update()
        self.model.update_until(350.0)
        self.assertAlmostEqual(self.model.get_current_time(), 350.0)
        self.assertEqual((self.model.get_start_time(), self.model.get_end_time(), self.model.get_time_step(),
                          self.model.get_time_units()), (0.0, 1000.0, 100.0, "yr"))
        with self.assertRaisesRegex(ValueError, "cannot go back"):
            self.model.update_until(10.0)
        self.model.finalize()

    def test_variables(self):
        names = self.model.get_output_var_names()
        self.assertEqual(len(names), self.model.get_output_item_count())
        self.assertIn("hydraulic__discharge", names)
        self.assertEqual(self.model.get_input_item_count(), len(self.model.get_input_var_names()))
        self.model.update()
        for name in names:
            values = np.empty(self.model.get_grid_size(self.model.get_var_grid(name)), self.model.get_var_type(name))
            self.model.get_value(name, values)
            self.assertEqual(values.nbytes, self.model.get_var_nbytes(name))
            self.assertEqual(values.itemsize, self.model.get_var_itemsize(name))
            self.assertEqual(self.model.get_var_location(name), "node")
        self.assertEqual(self.model.get_var_units("hydraulic__discharge"), "m3/s")
        self.assertEqual(self.model.get_var_units("land_surface__elevation"), "m")
        with self.assertRaisesRegex(KeyError, "no variable 'land'"):
            self.model.get_var_units("land")
        with self.assertRaisesRegex(KeyError, "cannot be set"):
            self.model.set_value("hydraulic__discharge", 1)

    def test_values_run_from_south_to_north(self):
        name = "land_surface__elevation"
        values = self.model.get_value(name, np.empty(240, np.float32))
        np.testing.assert_array_equal(values.reshape(12, 20), self.model.land["surface"][::-1])
        values[0] += 7.0
        self.model.set_value(name, values)
        self.assertEqual(self.model.land["surface"][-1, 0], values[0])
        self.model.set_value_at_indices(name, [1, 2], [50.0, 60.0])
        self.assertEqual(self.model.get_value_at_indices(name, np.empty(2), [1, 2]).tolist(), [50.0, 60.0])

    def test_grid(self):
        self.assertEqual(self.model.get_grid_type(0), "uniform_rectilinear")
        self.assertEqual(self.model.get_grid_rank(0), 2)
        self.assertEqual(self.model.get_grid_shape(0, np.empty(2, int)).tolist(), [12, 20])
        self.assertEqual(self.model.get_grid_spacing(0, np.empty(2)).tolist(), [25, 25])
        self.assertEqual(self.model.get_grid_origin(0, np.empty(2)).tolist(), [12.5, 12.5])
        self.assertEqual(self.model.get_grid_x(0, np.empty(20))[1], 37.5)
        self.assertEqual(self.model.get_grid_y(0, np.empty(12))[1], 37.5)
        with self.assertRaises(NotImplementedError):
            self.model.get_grid_edge_count(0)

    def test_a_file_is_a_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            wadi.write(folder / "land.asc", self.model.land["surface"], 25.0)
            (folder / "model.json").write_text(json.dumps(
                {"terrain": {"heights": "land.asc", "seed": 2}, "processes": {"talus": {"repose": 30}}}))
            other = wadi.Bmi()
            other.initialize(str(folder / "model.json"))
        np.testing.assert_array_equal(other.land["surface"], self.model.land["surface"])
        self.assertEqual((other.land.cell, other.processes[0].repose), (25.0, 30.0))


@unittest.skipIf(xarray is None, "xarray is not installed")
class Xarray(unittest.TestCase):
    def test_dataset_has_coordinates_units_and_maps(self):
        land = mountains(size=32)
        rivers = land.erode("hydraulic", years=2000)
        found = wadi.dataset(land, rivers)
        self.assertEqual(found.surface.attrs["units"], "m")
        self.assertEqual(found.hydraulic_discharge.attrs["units"], "m3/s")
        self.assertEqual(float(found.y[0] - found.y[1]), 30.0)
        self.assertEqual(found.attrs["state_hash"], f"{land.state_hash:016x}")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "land.nc")
            found.to_netcdf(path)
            with xarray.open_dataset(path) as again:
                np.testing.assert_array_equal(again.surface, land["surface"])

    def test_accessor_erodes_on_the_coordinates_of_the_heights(self):
        heights = mountains(size=32)["surface"]
        results = []
        for rows in (slice(None), slice(None, None, -1)):
            north = 5000.0 - 30.0 * np.arange(32)
            dem = xarray.DataArray(heights[rows], dims=("north", "east"),
                                   coords={"north": north[rows], "east": 700.0 + 30.0 * np.arange(32)})
            done = dem.wadi.erode("talus", 50, repose=25)
            self.assertEqual(done.surface.dims, ("north", "east"))
            np.testing.assert_array_equal(done.north, dem.north)
            results.append(done.surface.sortby("north"))
        np.testing.assert_array_equal(results[0], results[1])

    def test_grids_that_do_not_fit_are_refused(self):
        def grid(y, x, **about):
            return xarray.DataArray(np.zeros((3, 3)), dims=("y", "x"), coords={"y": y, "x": ("x", x, about)})

        for wrong, text in ((grid([0, 1, 2], [0, 1, 2], units="degrees_east"), "in degrees"),
                            (grid([0, 1, 5], [0, 1, 2]), "not evenly spaced"),
                            (grid([0, 2, 4], [0, 1, 2]), "not square")):
            with self.assertRaisesRegex(ValueError, text):
                wrong.wadi.terrain()


if __name__ == "__main__":
    unittest.main()
