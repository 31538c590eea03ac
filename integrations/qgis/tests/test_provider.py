# SPDX-License-Identifier: MIT
"""Tests of the provider in QGIS without a display; WADI_COMMAND names the command, WADI_SOURCE the sources."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, "/usr/share/qgis/python/plugins")
from qgis.core import QgsApplication, QgsProcessingException, QgsProcessingFeedback, QgsRasterLayer  # noqa: E402

APP = QgsApplication([], False)
APP.initQgis()
import processing  # noqa: E402
from processing.core.Processing import Processing  # noqa: E402

Processing.initialize()
import wadi_qgis  # noqa: E402

PLUGIN = wadi_qgis.classFactory(None)
PLUGIN.initProcessing()
COMMAND, SOURCE = os.environ["WADI_COMMAND"], os.environ["WADI_SOURCE"]


def command(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, check=True)
    return done.stdout


class Base(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name
        self.dem = os.path.join(self.folder, "dem.tif")
        command("synth", "-o", self.dem, "--size", "64x64", "--cell", "30m", "--set", "relief=800m")

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_erode(self, process="hydraulic", **parameters):
        return processing.run(f"wadi:{process}", {"INPUT": self.dem, "OUTPUT": self.path("out.tif"), **parameters})


class Erosion(Base):
    def by_command(self, *arguments):
        command("erode", *arguments, "-o", self.path("beside.tif"), "--report", self.path("beside.json"))
        with open(self.path("beside.json"), encoding="utf-8") as file:
            return json.load(file)["state_hash"]

    def test_has_the_state_of_the_command(self):
        done = self.run_erode(YEARS=20000, rain=0.8, SEED=3)
        self.assertEqual(done["STATE_HASH"], self.by_command("hydraulic", self.dem, "--for", "20kyr", "--seed", 3, "--set",
                                                             "rain=800mm/yr"))
        layer = QgsRasterLayer(done["OUTPUT"])
        self.assertTrue(layer.isValid())
        self.assertEqual((layer.width(), layer.height()), (64, 64))

    def test_presets_enums_and_layers(self):
        sand = self.path("sand.tif")
        command("synth", "-o", sand, "--size", "64x64", "--cell", "30m", "--set", "relief=3m")
        done = self.run_erode("talus", YEARS=500, LAYER_sediment=sand)
        self.assertEqual(done["STATE_HASH"], self.by_command("talus", self.dem, "--for", "500yr", "--layer",
                                                             f"sediment={sand}"))
        done = self.run_erode(PRESET="paper", YEARS=1000)
        self.assertEqual(done["STATE_HASH"], self.by_command("hydraulic", self.dem, "--for", "1kyr", "--preset",
                                                             "paper"))
        done = self.run_erode(model="parcels", YEARS=1000)
        self.assertEqual(done["STATE_HASH"], self.by_command("hydraulic", self.dem, "--for", "1kyr", "--set",
                                                             "model=parcels"))

    def test_a_wind_table(self):
        with open(self.path("rose.csv"), "w", encoding="ascii") as file:
            file.write("direction,speed,share\n270,12,0.7\n330,9,0.3\n")
        done = self.run_erode("dunes", YEARS=1, SEDIMENT=2, TABLE_rose=self.path("rose.csv"))
        self.assertEqual(done["STATE_HASH"], self.by_command(
            "dunes", self.dem, "--for", "1yr", "--layer", "sediment=2m", "--layer", f"rose={self.path('rose.csv')}"))

    def test_maps(self):
        done = self.run_erode(YEARS=4000, MAPS=self.path("maps"))
        self.assertIn("flow.tif", os.listdir(done["MAPS"]))
        self.assertTrue(QgsRasterLayer(os.path.join(done["MAPS"], "flow.tif")).isValid())

    def test_the_commands_own_words_on_failure(self):
        with self.assertRaisesRegex(QgsProcessingException, "rain"):
            self.run_erode(YEARS=100, LAYER_rain=self.dem)  # a map of 800 m/yr

    def test_every_process_is_there(self):
        provider = QgsApplication.processingRegistry().providerById("wadi")
        names = {algorithm.name() for algorithm in provider.algorithms()}
        processes = {p["name"] for p in json.loads(command("describe", "--json"))["processes"]}
        self.assertEqual(names, processes | {"derive", "judgeland", "judgedunes", "runscene"})
        for algorithm in provider.algorithms():
            fields = {p.name() for p in algorithm.parameterDefinitions()}
            self.assertIn("OUTPUT", fields)

    def test_progress_and_stop(self):
        class Stop(QgsProcessingFeedback):
            def setProgress(self, progress):
                self.cancel()

        feedback = Stop()
        done = processing.run("wadi:hydraulic", {"INPUT": self.dem, "OUTPUT": self.path("out.tif"), "YEARS": 5e6,
                                                 "REPORT": self.path("report.json")}, feedback=feedback)
        self.assertTrue(feedback.isCanceled())
        with open(done["REPORT"], encoding="utf-8") as file:
            self.assertTrue(json.load(file)["interrupted"])


class Measures(Base):
    def test_derived_maps_are_the_commands(self):
        for name in ("slope", "d8_area", "stability"):
            done = processing.run("wadi:derive", {"INPUT": self.dem, "MAP": name, "OUTPUT": self.path(f"{name}.tif")})
            command("derive", name, self.dem, "-o", self.path("beside.tif"))
            with open(done["OUTPUT"], "rb") as one, open(self.path("beside.tif"), "rb") as other:
                self.assertEqual(one.read(), other.read(), name)

    def test_judge_of_land(self):
        self.run_erode(YEARS=40000)
        done = processing.run("wadi:judgeland", {"INPUT": self.path("out.tif"), "BEFORE": self.dem, "YEARS": 40000,
                                                 "OUTPUT": self.path("land.json")})
        told = command("judge", "land", self.path("out.tif"), "--before", self.dem, "--years", "40kyr", "--json")
        with open(done["OUTPUT"], encoding="utf-8") as file:
            self.assertEqual(json.load(file), json.loads(told))

    def test_judge_of_dunes(self):
        done = processing.run("wadi:judgedunes", {"INPUT": self.dem, "DRIFT": "90", "PICTURE": self.path("dunes.png"),
                                                  "OUTPUT": self.path("dunes.json")})
        told = command("judge", "dunes", self.dem, "--drift", "90", "--json")
        with open(done["OUTPUT"], encoding="utf-8") as file:
            self.assertEqual(json.load(file), json.loads(told))
        self.assertTrue(os.path.exists(self.path("dunes.png")))

    def test_a_scene(self):
        scene = self.path("first.yaml")
        with open(scene, "w", encoding="utf-8") as file:
            file.write("wadi: 1\nterrain: {size: [48, 48], cell: 30 m, noise: {relief: 500 m}}\n"
                       "steps:\n  - hydraulic: {for: 8 kyr}\n  - {write: height.tif}\n")
        checked = processing.run("wadi:runscene", {"SCENE": scene, "CHECK": True, "OUTPUT": self.path("out")})
        self.assertEqual(checked["STATE_HASH"], "")
        done = processing.run("wadi:runscene", {"SCENE": scene, "OUTPUT": self.path("out")})
        self.assertTrue(QgsRasterLayer(os.path.join(self.path("out"), "height.tif")).isValid())
        self.assertRegex(done["STATE_HASH"], "^[0-9a-f]{16}$")


if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1], exit=False).result
    sys.stdout.flush()
    os._exit(0 if done.wasSuccessful() else 1)  # QGIS 3.22 may crash when Python takes it down
