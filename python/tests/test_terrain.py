# SPDX-License-Identifier: MIT
"""Terrains: layers in and out, views, edits, books and state."""
import copy
import gc
import os
import pickle
import tempfile
import unittest

import numpy as np

import wadi
from support import mountains


class Layers(unittest.TestCase):
    def test_new_terrain_is_flat_and_empty(self):
        land = wadi.Terrain((3, 5), cell=2.5, edges=["open", "closed", "open", "closed"], seed=9)
        self.assertEqual((land.shape, land.cell, land.seed, land.clock), ((3, 5), 2.5, 9, 0.0))
        self.assertEqual(land.edges, ("open", "closed", "open", "closed"))
        for name in land.layers:
            self.assertEqual(float(np.abs(land[name]).max()), 0.0, name)

    def test_what_is_written_is_read(self):
        land = wadi.Terrain((4, 6), cell=10)
        heights = np.arange(24.0).reshape(4, 6)
        land["surface"] = heights
        land["sediment"] = 2.0
        np.testing.assert_array_equal(land["bedrock"], heights)
        np.testing.assert_array_equal(land["surface"], heights + 2.0)
        self.assertEqual(land.volume("sediment"), 4 * 6 * 100 * 2.0)

    def test_arrays_of_any_order_and_type_are_taken(self):
        land = wadi.Terrain((4, 6))
        for values in (np.arange(24, dtype=np.int16).reshape(4, 6), np.arange(24.0).reshape(6, 4).T,
                       np.arange(96.0).reshape(8, 12)[::2, ::2], np.arange(24.0).reshape(4, 6).tolist()):
            land["surface"] = values
            np.testing.assert_array_equal(land["surface"], np.asarray(values, np.float32))

    def test_own_array_does_not_change_with_the_terrain(self):
        land = mountains()
        before = land["surface"]
        kept = before.copy()
        before[0, 0] += 1.0
        land["surface"] = 7.0
        self.assertEqual(before[0, 0], kept[0, 0] + 1.0)
        self.assertEqual(land["surface"][0, 0], 7.0)

    def test_nan_is_a_cell_without_data(self):
        heights = np.ones((4, 4))
        heights[1, 2] = np.nan
        land = wadi.Terrain.from_array(heights)
        self.assertFalse(land.valid[1, 2])
        self.assertEqual(int(land.valid.sum()), 15)
        land.valid = np.ones((4, 4))
        self.assertEqual(land["surface"][1, 2], 0.0)

    def test_wrong_names_shapes_and_values_are_refused(self):
        land = wadi.Terrain((4, 4))
        with self.assertRaisesRegex(wadi.UnknownError, "no layer 'sedimnt'; it has surface, bedrock"):
            land["sedimnt"]
        with self.assertRaisesRegex(ValueError, r"water has the shape \(2, 2\); this terrain has \(4, 4\)"):
            land["water"] = np.zeros((2, 2))
        with self.assertRaises(wadi.RangeError):
            land["water"] = -1.0
        with self.assertRaises(wadi.RangeError):
            land["surface"] = np.full((4, 4), np.inf)
        with self.assertRaisesRegex(wadi.Error, "grid of 0 x 4 cells"):
            wadi.Terrain((4, 0))


class Views(unittest.TestCase):
    def test_a_view_is_no_copy_and_read_only(self):
        land = mountains()
        one, two = land.view("surface"), land.view("surface")
        self.assertEqual(one.ctypes.data, two.ctypes.data)
        np.testing.assert_array_equal(one, land["surface"])
        with self.assertRaises(ValueError):
            one[0, 0] = 1.0

    def test_terrain_cannot_change_while_a_view_is_alive(self):
        land = mountains()
        part = land.view("surface")[3:7, ::2]
        with self.assertRaises(wadi.BorrowedError):
            land["sediment"] = 1.0
        with self.assertRaises(wadi.BorrowedError):
            land.erode("talus", years=10)
        del part
        land["sediment"] = 1.0

    def test_a_view_keeps_its_terrain_alive(self):
        view = mountains().view("surface")
        gc.collect()
        self.assertGreater(float(view.max()), 0.0)

    def test_a_progress_function_may_look(self):
        land = mountains()
        seen = []
        land.progress = lambda share, what: seen.append((what, float(land.view("surface").max()))) or True
        land.erode("hydraulic", years=2000)
        self.assertEqual(seen[0][0], "hydraulic")


class Edits(unittest.TestCase):
    def test_brush_raises_what_the_ledger_books(self):
        land = wadi.Terrain((64, 64), cell=10)
        land.brush("sediment", "add", x=320, y=320, radius=100, amount=3.0)
        sand = land["sediment"]
        self.assertEqual(sand.max(), 3.0)
        self.assertEqual(sand[0, 0], 0.0)
        row = land.ledger()["sediment"]
        self.assertAlmostEqual(row["edited"], land.volume("sediment"), delta=1e-6)
        self.assertEqual(row["residual_units"], 0)
        with self.assertRaisesRegex(ValueError, "unknown verb 'lift'; expected one of add, take"):
            land.brush("sediment", "lift", 0, 0, 10, 1)

    def test_rivers(self):
        land = mountains()
        self.assertEqual(land.rivers, [])
        land.set_rivers([(0.0, 100.0, 60.0, 40.0)])
        self.assertEqual(land.rivers, [(0.0, 100.0, 60.0, 40.0)])
        land.set_rivers([])
        self.assertEqual(land.rivers, [])

    def test_sea_and_strata(self):
        land = mountains()
        self.assertIsNone(land.sea)
        land.set_sea([(0.0, 10.0), (100.0, 20.0)])
        self.assertEqual(land.sea, 10.0)
        land.set_sea(5.0)
        self.assertEqual(land.sea, 5.0)
        land.set_strata([(50.0, 0.25), (10.0, 0.75)])
        self.assertAlmostEqual(float(land["hardness"].max()), 0.25, places=4)


class State(unittest.TestCase):
    def test_files_pickles_and_copies_have_the_same_hash(self):
        land = mountains(seed=3)
        land.erode("hydraulic", years=1000)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "land.wadi")
            land.save(path)
            self.assertEqual(os.listdir(folder), ["land.wadi"])
            self.assertEqual(wadi.Terrain.load(path).hash, land.hash)
        self.assertEqual(pickle.loads(pickle.dumps(land)).hash, land.hash)
        other = copy.copy(land)
        self.assertEqual(other.hash, land.hash)
        other["water"] = 1.0
        self.assertNotEqual(other.hash, land.hash)

    def test_a_restored_process_goes_on_as_if_nothing_had_happened(self):
        def begin():
            land = mountains(seed=5)
            land["sediment"] = 2.0
            return land, wadi.Wind(land, speed=12.0)

        land, wind = begin()
        wind.advance(0.5)
        data = land.to_bytes()
        wind.advance(0.5)
        again = wadi.Terrain.from_bytes(data)
        (restored,) = again.restored
        self.assertIsInstance(restored, wadi.Wind)
        self.assertEqual(restored.speed, 12.0)
        restored.advance(0.5)
        self.assertEqual(again.state_hash, land.state_hash)

    def test_damaged_state_is_refused(self):
        data = bytearray(mountains().to_bytes())
        for wrong in (b"", b"PK", bytes(data[:200]), bytes(data[:-40])):
            with self.assertRaises(wadi.FormatError):
                wadi.Terrain.from_bytes(wrong)
        data[-100] ^= 4
        with self.assertRaises(wadi.FormatError):
            wadi.Terrain.from_bytes(bytes(data))

    def test_memory_is_given_back(self):
        def one():
            land = mountains(size=256)
            land.erode("talus", years=10)
            return land.view("surface").sum()

        import resource
        for _ in range(3):
            one()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(30):
            one()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 8192, "KiB after 30 terrains of 256 x 256 cells")


if __name__ == "__main__":
    unittest.main()
