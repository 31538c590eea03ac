# SPDX-License-Identifier: MIT
# %% Twelve lands: how rain and creep shape slopes
# Each combination is a run of its own on its own core; the table has a row for each.
import wadi

if __name__ == "__main__":
    land = wadi.Terrain.from_array(wadi.noise((96, 96), cell=30, seed=2, relief=800, wavelength=1500), cell=30, seed=2)
    table = wadi.sweep(
        land, "hydraulic", years=50_000,
        parameters={"rain": [0.3, 1.0, 3.0], "creep": [0.0, 0.01, 0.03, 0.1]},
        measures={
            "slope_deg": lambda ground, rivers: wadi.measure_land(ground)["slope"],
            "relief_m": lambda ground, rivers: float(ground["surface"].max() - ground["surface"].min()),
            "lowering_m": lambda ground, rivers: rivers.figures["mean_lowering"],
        })
    print(table)
    table.save("sweep.csv")

    # more creep, gentler slopes: at any rain
    for rain in (0.3, 1.0, 3.0):
        slopes = [row["slope_deg"] for row in table if row["rain"] == rain]
        print(f"rain {rain} m/yr: slope {slopes[0]:.1f}° without creep, {slopes[-1]:.1f}° with most")
