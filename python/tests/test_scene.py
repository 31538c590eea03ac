# SPDX-License-Identifier: MIT
"""Scenes from Python: the state hash of the command for steps and timelines, and runs that are stopped and saved."""
import os
import signal
import tempfile
import threading
import unittest

import numpy as np

import wadi
from support import needs_command


def story(**options):
    """A timeline with two processes, an edit, and a change of the wind."""
    scene = wadi.Scene((48, 64), cell=10, seed=9, **options)
    scene.ground("noise", relief=60, wavelength=300)
    scene.layer("sediment", 2.0)
    scene.timeline(tick=2, end=12, tracks=[wadi.Track("dunes", parameters={"direction": 250}),
                                           wadi.Track("talus", begin=4, parameters={"repose": 28})],
                   events=[wadi.Event(8, "dunes", {"direction": 180}),
                           wadi.Event(6, "add_sand", {"depth": 3, "circle": {"x": 300, "y": 200, "radius": 100},
                                                      "soft": 40})])
    return scene


class SameAsTheCommand(unittest.TestCase):
    def check(self, scene, told):
        run = scene.run()
        run.finish()
        with tempfile.TemporaryDirectory() as folder:
            report = wadi.run_scene(told, folder)
        self.assertEqual(f"{run.state_hash:016x}", report["state_hash"].removeprefix("0x"))
        return run

    @needs_command
    def test_steps(self):
        scene = wadi.Scene((40, 56), cell=20, seed=3, edges=["open", "closed", "open", "closed"])
        scene.ground("noise", relief=200, wavelength=400)
        scene.ground("ramp", combine="add", weight=0.5, slope=0.1, azimuth=90,
                     rectangle={"x": 500, "y": 400, "width": 600, "height": 500}, soft=50)
        scene.layer("sediment", 1.5)
        scene.layer("hardness", "poisson_faults", low=0.1, high=0.7, classes=4)
        scene.set_sea([(0, -20), (1000, 5)])
        scene.process("hydraulic", 3000, rain=0.7, climate=[[0, 1.0], [2000, 1.5]])
        scene.edit("raise", height=15, polygon=[(200, 200), (600, 250), (400, 700)])
        scene.process("talus", 100, repose=30)
        told = {
            "wadi": 1, "seed": 3,
            "terrain": {"size": [56, 40], "cell": "20 m", "sea_level": {"0 yr": "-20 m", "1000 yr": "5 m"},
                        "edges": {"north": "open", "east": "closed", "south": "open", "west": "closed"},
                        "sources": [{"noise": {"relief": 200, "wavelength": 400}},
                                    {"ramp": {"slope": 0.1, "azimuth": 90}, "combine": "add", "weight": 0.5,
                                     "rectangle": {"x": 500, "y": 400, "width": 600, "height": 500}, "soft": 50}]},
            "layers": {"sediment": 1.5, "hardness": {"poisson_faults": {"low": 0.1, "high": 0.7, "classes": 4}}},
            "steps": [{"hydraulic": {"for": "3000 yr", "rain": 0.7,
                                     "climate": [{"year": 0, "factor": 1.0}, {"year": 2000, "factor": 1.5}]}},
                      {"raise": {"height": 15, "polygon": [[200, 200], [600, 250], [400, 700]]}},
                      {"talus": {"for": "100 yr", "repose": 30}}],
        }
        run = self.check(scene, told)
        self.assertEqual(run.terrain.clock, 3100.0)
        self.assertEqual(run.process("hydraulic").map("discharge").shape, (40, 56))

    @needs_command
    def test_timeline(self):
        told = {
            "wadi": 1, "seed": 9,
            "terrain": {"size": [64, 48], "cell": "10 m", "noise": {"relief": 60, "wavelength": 300}},
            "layers": {"sediment": 2.0},
            "timeline": {"tick": "2 yr", "end": "12 yr",
                         "run": [{"dunes": {"direction": 250}}, {"talus": {"from": "4 yr", "repose": 28}}],
                         "events": [{"at": "6 yr", "add_sand": {"depth": 3, "circle": {"x": 300, "y": 200, "radius": 100},
                                                               "soft": 40}},
                                    {"at": "8 yr", "dunes": {"direction": 180}}]},
        }
        run = self.check(story(), told)
        self.assertEqual(run.process("dunes").direction, 180.0)


class Scenes(unittest.TestCase):
    def test_arrays_are_sources(self):
        heights = np.arange(20.0 * 30).reshape(20, 30)
        scene = wadi.Scene((20, 30), cell=5)
        scene.ground(heights)
        scene.ground(100.0, combine="max", mask=heights < 60)
        scene.layer("sediment", np.where(heights > 500, 1.0, 0.0))
        land = scene.run().terrain
        np.testing.assert_array_equal(land["surface"], np.where(heights < 60, 100, heights))
        self.assertEqual(land.volume("sediment"), 99 * 25)
        with self.assertRaisesRegex(ValueError, r"the array has the shape \(3, 3\)"):
            scene.ground(np.zeros((3, 3)))

    def test_mistakes_are_refused_with_names(self):
        scene = wadi.Scene((8, 8))
        for expected, call in (
                ("unknown source 'nose'; there are import", lambda: scene.ground("nose")),
                ("unknown way to combine 'plus'", lambda: scene.ground(0, combine="plus")),
                ("noise has no field 'relif'; did you mean 'relief'", lambda: scene.ground("noise", relif=1)),
                ("no layer 'sand'", lambda: scene.layer("sand", 1)),
                ("unknown edit 'ad_sand'; there are add_sand", lambda: scene.edit("ad_sand")),
                ("unknown process 'dune'", lambda: scene.process("dune", 1)),
                ("did you mean 'direction'", lambda: scene.process("dunes", 1, drection=3)),
                ("radius", lambda: scene.edit("add_sand", circle={"x": 1, "y": 1, "radius": -5}))):
            with self.subTest(expected), self.assertRaisesRegex(Exception, expected):
                call()

    def test_a_goal_ends_a_step(self):
        scene = wadi.Scene((32, 32), cell=30, seed=2)
        scene.ground("noise", relief=500, wavelength=900)
        scene.process("hydraulic", 1e6, denude=5.0)
        run = scene.run()
        run.finish()
        self.assertLess(run.terrain.clock, 1e6)
        alone = wadi.Terrain((32, 32), 30.0, seed=2)
        alone["surface"] = wadi.noise((32, 32), 30.0, seed=2, relief=500, wavelength=900)
        course = wadi.Hydraulic(alone).pursue(1e6, denude=5.0)
        self.assertTrue(course["met"] and course["reached"] >= 5.0)


class Runs(unittest.TestCase):
    def setUp(self):
        run = story().run()
        run.finish()
        self.expected = run.state_hash

    def test_saved_run_goes_on_with_the_same_bits(self):
        run = story().run()
        for _ in run:
            if run.terrain.clock >= 6:
                break
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.wadi")
            run.save(path)
            again = story().load(path)
            self.assertEqual(again.position, run.position)
            again.finish()
            self.assertEqual(again.state_hash, self.expected)
            with open(path, "r+b") as file:
                file.truncate(500)
            with self.assertRaises(wadi.FormatError):
                story().load(path)

    def test_stopped_run_goes_on_with_the_same_bits(self):
        scene = story(progress=lambda share, what: next(answers))
        answers = iter([True, False] + [True] * 1000)
        run = scene.run()
        stops = 0
        while not run.done:
            try:
                run.finish()
            except wadi.Cancelled:
                stops += 1
        self.assertEqual((stops, run.state_hash), (1, self.expected))

    def test_ctrl_c_and_on(self):
        # a job in the background of a shell ignores the signal
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        def stop(share, what):
            if not pressed.is_set():
                pressed.set()
                os.kill(os.getpid(), signal.SIGINT)

        pressed = threading.Event()
        run = story(progress=stop).run()
        with self.assertRaises(KeyboardInterrupt):
            run.finish()
        run.finish()
        self.assertEqual(run.state_hash, self.expected)

    def test_each_step_can_be_looked_at(self):
        years = [run.terrain.clock for run in story().run()]
        self.assertEqual(years, sorted(years))
        self.assertEqual(years[-1], 12.0)
        with self.assertRaisesRegex(wadi.UnknownError, "process 'talus' has not run yet"):
            story().run().process("talus")


if __name__ == "__main__":
    unittest.main()
