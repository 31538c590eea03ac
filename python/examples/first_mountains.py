# SPDX-License-Identifier: MIT
# %% Mountains from nothing, in ten lines
# Noise, a hundred thousand years of rain, a picture, and masks for a game engine.
import wadi

land = wadi.Terrain.from_array(wadi.noise((256, 256), cell=30, seed=7, relief=1800), cell=30, seed=7)
rivers = land.erode("hydraulic", years=100_000)
land.erode("talus", years=2_000, repose=35)

wadi.write_png("mountains.png", wadi.picture(land, width=640, height=360, camera_azimuth=200))
flow = rivers.map("flow")
wadi.write_png("map.png", wadi.picture(land, view="map", width=384, height=384, overlay=flow, overlay_log=True))
wadi.write("height.asc", land["surface"], land.cell)
print(land, f"rivers carried off {sum(rivers.ledger['sediment']['out'].values()) / 1e6:.0f} million m³")
