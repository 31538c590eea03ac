# SPDX-License-Identifier: MIT
"""The examples run as they stand, print what they should, and leave the files that they name."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


class Examples(unittest.TestCase):
    RESULTS = {
        "first_mountains": (r"rivers carried off \d+ million", ["height.asc", "map.png", "mountains.png"]),
        "dunes_from_wind_record": (r"year 80: \w+, 2\d\.\d m high.*\n.*residual 0 units", ["dunes.png"]),
        "erode_and_measure_dem": (r"denudation +nan +[\d.]+", ["eroded.asc", "eroded.nc", "slope.npy"]),
        "sweep": (r"rain 3.0 m/yr: slope", ["sweep.csv"]),
        "couple_with_own_code": (r"restored: year 1000, \['hydraulic', 'talus'\]\nWadi: 1000 yr", []),
    }

    def test_all_are_named_here(self):
        self.assertEqual({path.stem for path in EXAMPLES.glob("*.py")}, set(self.RESULTS))

    def test_each_runs(self):
        for name, (expected, files) in self.RESULTS.items():
            with self.subTest(example=name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], cwd=folder, text=True,
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(re.search(expected, done.stdout), done.stdout)
                self.assertEqual(sorted(os.listdir(folder)), files)


if __name__ == "__main__":
    unittest.main()
