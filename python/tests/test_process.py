# SPDX-License-Identifier: MIT
"""Processes: parameters, maps, tables, time, stops; the same results as the command."""
import inspect
import json
import os
import signal
import tempfile
import threading
import unittest

import numpy as np

import wadi
from support import COMMAND, command, mountains, needs_command


class Masks(unittest.TestCase):
    """A mask limits what a process changes, in the library as in scenes."""

    def test_weights(self):
        heights = wadi.noise((48, 64), cell=20.0, seed=4, relief=300.0, wavelength=400.0)
        weights = np.zeros((48, 64))
        weights[:, 32:] = 0.5
        land = wadi.Terrain.from_array(heights, cell=20.0)
        talus = wadi.Talus(land, repose=20.0, mask=weights)
        before = land["surface"].copy()
        talus.advance(1000)
        change = land["surface"] - before
        self.assertTrue((change[:, :32] == 0.0).all() and (change[:, 32:] != 0.0).any())
        talus.set_mask(None)
        talus.advance(1000)
        self.assertTrue((land["surface"] - before)[:, :32].any())
        with self.assertRaises(wadi.RangeError):
            talus.set_mask(weights + 1.0)

    def test_scene(self):
        scene = wadi.Scene((32, 32), cell=10.0)
        scene.ground("ramp", slope=0.5)
        scene.edit("raise", height=8.0, mask={"height": {"from": 40.0}, "strength": 0.5})
        scene.process("talus", 10, mask=0.0)
        run = scene.run()
        run.finish()
        surface = run.terrain["surface"]
        ramp = (np.arange(32)[::-1, None] + 0.5) * 5.0 * np.ones((1, 32))
        np.testing.assert_allclose(surface - ramp, np.where(ramp >= 40.0, 4.0, 0.0), atol=1e-3)


class SameAsTheCommand(unittest.TestCase):
    """The command and Python give the same state hash from the same heights."""

    CASES = [
        ("hydraulic", 5000, {"rain": 0.8, "creep": 0.02}, {}),
        ("hydraulic", 5000, {"preset": "parcels"}, {}),
        ("talus", 200, {"repose": 30.0}, {"sediment": 1.5}),
        ("wind", 2, {"speed": 12.0, "direction": 45.0}, {"sediment": 2.0}),
        ("dunes", 5, {"inflow": 0.5}, {"sediment": 2.0}),
        ("dunes", 5, {"preset": "paper"}, {"sediment": 2.0}),
        ("hydraulic", 5000, {"rain": "800 mm/yr", "creep": "3 cm2/d", "lake_repose": "0.3 rad"}, {}),
        ("wind", 2, {"speed": "45 km/h", "direction": "45 deg", "feature_size": "0.3 km"}, {"sediment": 2.0}),
    ]

    @needs_command
    def test_state_hash(self):
        heights = wadi.noise((48, 64), cell=20.0, seed=4, relief=300.0, wavelength=400.0)
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "land_64x48.r32")
            heights.astype("<f4").tofile(source)
            for process, years, parameters, layers in self.CASES:
                with self.subTest(process=process, **parameters):
                    self.assertEqual(self.by_python(heights, process, years, parameters, layers),
                                     self.by_command(folder, source, process, years, parameters, layers))

    @needs_command
    def test_state_hash_of_files_with_a_place(self):
        rows = "\n".join(" ".join(str(100 + (7 * x + 3 * y * y) % 40) for x in range(24)) for y in range(20))
        head = "ncols 24\nnrows 20\n{}\ncellsize 12.5\nNODATA_value -9999\n"
        with tempfile.TemporaryDirectory() as folder:
            sources = [os.path.join(os.environ["WADI_SOURCE"], "test/data/st-helens-128.tif")]
            for i, corner in enumerate(("xllcorner 1000.25\nyllcorner 20000.5", "xllcenter 431.1\nyllcenter -77.7")):
                sources.append(os.path.join(folder, f"corner{i}.asc"))
                with open(sources[-1], "w") as file:
                    file.write(head.format(corner) + rows + "\n")
            for source in sources:
                with self.subTest(source=source):
                    land = wadi.read_terrain(source, seed=11)
                    talus = land.erode("talus", years=200)
                    report = os.path.join(folder, "report.json")
                    command("erode", "talus", source, "-o", os.path.join(folder, "out.r32"), "--for", "200yr", "--seed", 11,
                            "--report", report)
                    with open(report) as file:
                        self.assertEqual(f"{land.state_hash:016x}", json.load(file)["state_hash"].removeprefix("0x"))
                    self.assertEqual(land.processes, [talus])
                    self.assertEqual(len(land.georef[0]), 6)

    @needs_command
    def test_files_in_degrees_and_feet_become_metres(self):
        """As the command projects and scales them: the same heights after a run."""
        degrees = os.path.join(os.environ["WADI_SOURCE"], "scenes/data/bernese-alps-256.tif")
        with tempfile.TemporaryDirectory() as folder:
            feet = os.path.join(folder, "feet.r32")
            np.arange(4000, 4000 + 16 * 12, dtype="<f4").tofile(feet)
            with open(feet + ".json", "w") as file:
                json.dump({"width": 16, "height": 12, "cell_size_m": 10.0, "offset_m": 0.0, "scale_m": 1.0,
                           "unit": "ft"}, file)
            for source in (degrees, feet):
                with self.subTest(source=source):
                    land = wadi.read_terrain(source, seed=11)
                    land.erode("talus", years=100)
                    out = os.path.join(folder, "out.r32")
                    command("erode", "talus", source, "-o", out, "--grid", "working", "--for", "100yr", "--seed", 11)
                    np.testing.assert_array_equal(land["surface"], wadi.read(out)[0])
            self.assertAlmostEqual(float(wadi.read_terrain(feet)["surface"].min()), 4000 * 0.3048, places=2)

    @staticmethod
    def by_python(heights, process, years, parameters, layers):
        land = wadi.Terrain.from_array(heights, cell=20.0, seed=11, threads=1)
        for name, value in layers.items():
            land[name] = value
        land["surface"] = heights  # as the command: a layer lies in the ground, not on it
        done = land.erode(process, years=years, **parameters)
        return f"{land.state_hash:016x}", done.figures

    @staticmethod
    def by_command(folder, source, process, years, parameters, layers):
        report = os.path.join(folder, "report.json")
        options = [f"--layer={name}={value}m" for name, value in layers.items()]
        options += [f"--preset={value}" if name == "preset" else f"--set={name}={value}"
                    for name, value in parameters.items()]
        command("erode", process, source, "-o", os.path.join(folder, "out.r32"), "--for", f"{years}yr", "--seed", 11,
                "--report", report, "--cell", "20m", *options)
        with open(report) as file:
            told = json.load(file)
        return told["state_hash"].removeprefix("0x"), {name: figure["value"] for name, figure in told["processes"][process]["figures"].items()}


class Parameters(unittest.TestCase):
    def test_every_process_has_a_class_with_its_parameters(self):
        for kind in wadi.Process.__subclasses__():
            with self.subTest(kind=kind.process_name):
                self.assertIs(getattr(wadi, kind.__name__), kind)
                process = kind(mountains(size=16))
                keywords = inspect.signature(kind).parameters
                for name, field in kind.description.fields.items():
                    self.assertEqual(process.parameters[name], field.default)
                    self.assertEqual(keywords[name].default, field.default)
                    self.assertIn(f"{name} : ", kind.__doc__)

    def test_no_parameter_hides_a_method(self):
        for kind in wadi.Process.__subclasses__():
            for name in kind.description.fields:
                if hasattr(wadi.Process, name):
                    self.assertIs(getattr(kind, name), getattr(wadi.Process, name))
        soil = wadi.Earth(mountains(size=16), settle=0.5)
        self.assertEqual(soil.parameters["settle"], 0.5)

    def test_errors_have_the_words_of_the_library(self):
        land = mountains(size=16)
        for expected, text, parameters in (
                (wadi.UnknownError, "no field 'rian'; did you mean 'rain'", {"rian": 1.0}),
                (wadi.RangeError, r"rain is 99 but must lie in \[0, 20\] m/yr", {"rain": 99.0}),
                (wadi.RangeError, "rain", {"rain": float("nan")}),
                (wadi.UnknownError, "takes one of: streams, parcels, droplets", {"model": "rivers"}),
                (wadi.ArgumentError, "model 'streams' reads no droplet_step", {"droplet_step": 1.0}),
                (wadi.UnknownError, "no preset 'papr'|unknown preset 'papr'|papr", {"preset": "papr"})):
            with self.subTest(**parameters), self.assertRaisesRegex(expected, text):
                wadi.Hydraulic(land, **parameters)
        with self.assertRaisesRegex(wadi.UnknownError, "unknown process 'hydrualic'; the library has hydraulic, wind"):
            land.erode("hydrualic")

    def test_units(self):
        land = mountains(size=16)
        rivers = wadi.Hydraulic(land, rain="800 mm/yr", max_step="2 kyr", creep="1e2 cm²/yr", lake_evaporation="1e3 l/m2/a")
        self.assertEqual((rivers.rain, rivers.max_step, rivers.creep, rivers.lake_evaporation), (0.8, 2000.0, 0.01, 1.0))
        rivers.rain = "0.5"
        self.assertEqual(rivers.rain, 0.5)
        for text, expected in (("800 mm", "'800 mm' does not convert to m/yr"), ("3 parsecs", "unknown unit 'parsecs'"),
                               ("much", "rain")):
            with self.subTest(text), self.assertRaisesRegex(wadi.Error, expected):
                rivers.rain = text
        land.erode("talus", "2 kyr")
        self.assertEqual(land.clock, 2000.0)
        with self.assertRaisesRegex(wadi.FormatError, "'long' is no duration"):
            land.erode("talus", "long")

    def test_a_living_process_takes_other_parameters(self):
        land = mountains()
        rivers = wadi.Hydraulic(land, rain=0.5)
        rivers.advance(1000)
        rivers.rain = 2.0
        rivers.change(settling=1.0, creep=0.0)
        self.assertEqual((rivers.rain, rivers.settling, rivers.creep), (2.0, 1.0, 0.0))
        with self.assertRaises(wadi.RangeError):
            rivers.rain = -1.0
        with self.assertRaises(wadi.ArgumentError):
            rivers.droplet_step = 1.0
        self.assertEqual(rivers.rain, 2.0)
        rivers.advance(1000)

    def test_input_maps_and_tables(self):
        dry = mountains()
        wet_west = np.where(np.arange(64) < 32, 2.0, 0.0) * np.ones((64, 1))
        rivers = dry.erode("hydraulic", years=2000, rain=wet_west)
        flow = rivers.map("discharge")
        self.assertGreater(flow[:, :24].mean(), 5 * flow[:, 40:].mean())
        sand = mountains()
        sand["sediment"] = 3.0
        dunes = wadi.Dunes(sand, rose=[[270.0, 12.0, 0.5], [180.0, 9.0, 0.5]])
        dunes.run(1.0)
        with self.assertRaisesRegex(ValueError, "expected rows of direction"):
            wadi.Dunes(sand, rose=[[270.0, 12.0]])
        with self.assertRaisesRegex(wadi.UnknownError, "no map 'flwo'|flwo"):
            rivers.map("flwo")


class Time(unittest.TestCase):
    def test_time_adds_up(self):
        whole, cut = mountains(seed=2), mountains(seed=2)
        one, two = wadi.Hydraulic(whole), wadi.Hydraulic(cut)
        one.advance(20000)
        for _ in range(8):
            two.advance(2500)
        self.assertEqual(whole.state_hash, cut.state_hash)

    def test_threads_change_no_bit(self):
        hashes = set()
        for threads in (1, 2, 3):
            land = mountains(threads=threads)
            land.erode("hydraulic", years=3000)
            hashes.add(land.state_hash)
        self.assertEqual(len(hashes), 1)

    def test_processes_take_turns_over_the_same_years(self):
        land = mountains()
        rivers, slopes = wadi.Hydraulic(land), wadi.Talus(land)
        wadi.Wind(land)  # never run: it holds nobody up
        for _ in range(5):
            rivers.run_one_step(100.0)
            slopes.run_one_step(100.0)
        self.assertIn(land.clock, (400.0, 500.0))
        rivers.run_one_step(100.0)
        self.assertAlmostEqual(land.clock, 500.0)
        for row in land.ledger().values():
            self.assertEqual(row["residual_units"], 0)

    def test_default_years_and_clock(self):
        land = mountains(size=16)
        land.erode("talus")
        self.assertEqual(land.clock, wadi.Talus.description.default_years)
        for preset, years in (("default", 1e6), ("parcels", 4e5)):
            self.assertEqual(wadi.Hydraulic(land, preset=preset).default_years, years)


class Stops(unittest.TestCase):
    def setUp(self):
        # a job in the background of a shell ignores the signal
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def test_progress_can_stop_the_work(self):
        land = mountains(size=128)
        seen = []
        land.progress = lambda share, what: seen.append(share) or len(seen) < 2
        with self.assertRaises(wadi.Cancelled):
            land.erode("hydraulic", years=400_000, max_step=200)
        self.assertTrue(all(0.0 <= share <= 1.0 for share in seen))
        self.assertEqual(land.ledger()["rock"]["residual_units"], 0)

    def test_an_exception_in_the_progress_function_comes_out(self):
        land = mountains()
        land.progress = lambda share, what: 1 / 0
        with self.assertRaises(ZeroDivisionError):
            land.erode("hydraulic", years=1000)

    def test_ctrl_c_stops_the_work_and_leaves_a_valid_terrain(self):
        land = mountains(size=128)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            land.erode("hydraulic", years=400_000, max_step=5)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        for row in land.ledger().values():
            self.assertEqual(row["residual_units"], 0)
        land.erode("talus", years=1)


if __name__ == "__main__":
    unittest.main()
