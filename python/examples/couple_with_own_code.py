# SPDX-License-Identifier: MIT
# %% Couple Wadi with code of your own
# A forest of ours grows where slopes are gentle and dies where they are steep or buried; rivers and
# slides of Wadi shape the ground, and loose ground under trees holds steeper slopes.
import numpy as np

import wadi


class Forest:
    """Cover grows by the logistic law, up to what the slope allows."""

    def __init__(self, land, rate):
        self.land, self.rate = land, rate

    def run_one_step(self, dt):
        limit = np.clip(1.2 - wadi.derive(self.land, "slope") / 40, 0, 1)
        cover = np.maximum(self.land["vegetation"], 0.01)
        cover += dt * self.rate * cover * (limit - cover)
        self.land["vegetation"] = np.clip(cover, 0, 1)


# %% Components take turns, as in Landlab
land = wadi.Terrain.from_array(wadi.noise((96, 96), cell=25, seed=5, relief=700, wavelength=1200), cell=25, seed=5)
land["sediment"] = 1.0
rivers = wadi.Hydraulic(land, rain=1.2)
slopes = wadi.Talus(land, repose=32, plant_repose=42)
forest = Forest(land, rate=0.05)
for _ in range(20):
    for component in (rivers, slopes, forest):
        component.run_one_step(50)
print(land, f"mean cover {land['vegetation'].mean():.2f}")

# %% A checkpoint in the middle, and an edit by hand
data = land.to_bytes()
for process in (rivers, slopes):
    process.finish()
land.brush("bedrock", "take", x=1200, y=1200, radius=300, amount=40)  # a quarry
rivers.run_one_step(50)
again = wadi.Terrain.from_bytes(data)
print(f"restored: year {again.clock:.0f}, {[p.process_name for p in again.restored]}")

# %% The same through the Basic Model Interface, for frameworks that know no more than that
model = wadi.Bmi()
model.initialize({
    "terrain": {"shape": [48, 48], "cell": 25, "noise": {"relief": 300, "wavelength": 600}, "seed": 5},
    "processes": {"hydraulic": {}},
    "time": {"step": 100, "end": 1000},
})
heights = np.empty(model.get_grid_size(0), np.float32)
while model.get_current_time() < model.get_end_time():
    model.update()
    model.get_value("land_surface__elevation", heights)
    heights += 0.05  # our uplift: 0.5 mm/yr
    model.set_value("land_surface__elevation", heights)
model.finalize()
print(f"{model.get_component_name()}: {model.get_current_time():.0f} {model.get_time_units()}, "
      f"highest {heights.max():.1f} {model.get_var_units('land_surface__elevation')}")
