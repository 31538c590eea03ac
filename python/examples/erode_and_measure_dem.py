# SPDX-License-Identifier: MIT
# %% Erode a surveyed elevation model and measure it before and after
# 80 x 122 cells of 10 m in the Cascades of Washington (Landlab's tutorial data, MIT).
import os
import pathlib

import numpy as np

import wadi

source = pathlib.Path(os.environ.get("WADI_SOURCE") or pathlib.Path(__file__).parents[2])
land = wadi.read_terrain(source / "test/data/washington-2021-pre-dem-10m.asc", seed=3)
before = land["surface"]
print(land, f"{land.valid.sum()} cells with data, relief {np.nanmax(before) - np.nanmin(before):.0f} m")

# %% Ten thousand years of rain on it, with more rain in the west
rain = np.linspace(2.0, 0.5, land.shape[1]) * np.ones((land.shape[0], 1))
years = 10_000
rivers = land.erode("hydraulic", years, rain=rain)

# %% The measures of `wadi judge land`
old = wadi.measure_land(before, land.cell)
new = wadi.measure_land(land, before=before, years=years)
for name in ("erosion_index", "closed", "slope", "steep", "wear", "deposit", "denudation"):
    print(f"{name:15} {old[name]:9.4g} {new[name]:9.4g}")

# %% As a dataset with coordinates and units, where xarray is installed
if hasattr(wadi, "dataset"):
    found = wadi.dataset(land, rivers)
    print(found.hydraulic_discharge.attrs, float(found.hydraulic_discharge.max()))
    found.to_netcdf("eroded.nc")
wadi.write("eroded.asc", land["surface"], land.cell)
wadi.write("slope.npy", wadi.derive(land, "slope"), land.cell)
