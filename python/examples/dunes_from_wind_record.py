# SPDX-License-Identifier: MIT
# %% Dunes from a wind record
# Two years of hourly winds from the Taklamakan (Copernicus, ERA5-Land) blow over a sheet of sand for eighty years.
import os
import pathlib

import numpy as np

import wadi

data = pathlib.Path(os.environ.get("WADI_SOURCE") or pathlib.Path(__file__).parents[2]) / "test/data"
record = np.genfromtxt(data / "taklamakan-era5land-2020-2021.csv", delimiter=",", names=True, dtype=None,
                       encoding="ascii")

# A reanalysis averages over an hour and 9 km and misses gusts. That these make up for 1.6 is our assumption.
speed = 1.6 * record["speed_m_s"]
sector = np.round(record["from_deg"] / 22.5).astype(int) % 16

# %% A rose of 16 directions and classes of 2 m/s; calms are a row of speed 0
rose = []
for direction in range(16):
    for low in np.arange(5, speed.max(), 2):
        here = (sector == direction) & (speed >= low) & (speed < low + 2)
        if here.any():
            rose.append([22.5 * direction, np.cbrt((speed[here] ** 3).mean()), here.mean()])
rose.append([0, 0, 1 - sum(share for _, _, share in rose)])

# where the sand goes: drift potential after Fryberger, u² (u - 6 m/s)
winds = np.array(rose)
power = winds[:, 2] * winds[:, 1] ** 2 * np.maximum(winds[:, 1] - 6, 0)
toward = np.radians(winds[:, 0] + 180)
east, north = power @ np.sin(toward), power @ np.cos(toward)
drift = np.degrees(np.arctan2(east, north)) % 360
print(f"{len(record)} hours in {len(rose)} winds; sand drifts to {drift:.0f}°, RDP/DP {np.hypot(east, north) / power.sum():.2f}")

# %% Eighty years of these winds on ten metres of sand, on ground without edges
land = wadi.Terrain((96, 96), cell=10, edges="periodic", seed=1)
land["sediment"] = 10 + wadi.noise(land.shape, 10, seed=1, relief=2, wavelength=120, tileable=True)
dunes = wadi.Dunes(land, rose=rose)
for _ in range(4):
    dunes.run_one_step(20)
    forms = wadi.measure_dunes(land, drift)
    print(f"year {land.clock:.0f}: {forms['type']}, {forms['height']:.1f} m high, {forms['spacing']:.0f} m apart, "
          f"crests across {forms['normal']:.0f}°")
dunes.finish()
dunes.settle()

# %% The ledger closes to the last unit
sand = land.ledger()["sediment"]
print(f"{sand['after']:.0f} m³ of sand, residual {sand['residual_units']} units")
wadi.write_png("dunes.png", wadi.picture(land, palette="desert", width=640, height=360, exaggeration=3))
