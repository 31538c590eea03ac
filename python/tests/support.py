# SPDX-License-Identifier: MIT
"""Ground that the tests share, and the command beside which results are held."""
import os
import subprocess
import unittest

import wadi

COMMAND = os.environ.get("WADI_COMMAND", "")
SOURCE = os.environ.get("WADI_SOURCE", "")

needs_command = unittest.skipUnless(COMMAND, "WADI_COMMAND names no wadi command")


def command(*arguments):
    """What the command prints."""
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def mountains(size=64, seed=1, **options):
    """A small terrain of noise."""
    heights = wadi.noise((size, size), cell=30.0, seed=seed, relief=900.0, wavelength=900.0)
    return wadi.Terrain.from_array(heights, cell=30.0, **options)
