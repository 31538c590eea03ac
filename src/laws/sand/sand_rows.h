// SPDX-License-Identifier: MIT
// Field table rows of the laws of sand, for processes whose parameters have members of the same
// names. `models` is the set of models that read them, 0: all.
#pragma once

#include "core/field_rows.h"

// clang-format off
#define SAND_SKIN_ROWS(params, models) \
    FIELD_NUMBER_OF(params, models, plant_drag, 16.0, 0.0, 100.0, "1", "plants reduce the shear stress on the ground to 1 / (1 + plant_drag x cover)", "Raupach 1992; Duran & Moore 2013: 16"), \
    FIELD_NUMBER_OF(params, models, wet_gain, 2.4, 0.0, 10.0, "1", "relative rise of the threshold speed from dry to saturated sand; it grows with moisture as Fecan's law does", "Fecan et al. 1999: 2.4 for sand that holds a quarter of its mass of water")
#define SAND_WATER_ROWS(params, models) \
    FIELD_NUMBER_OF(params, models, water_level, 0.0, -3e4, 3e4, "m", "elevation of the ground water, if water_fringe is above 0, and of the sea, if shore_supply is and the terrain has no sea", ""), \
    FIELD_NUMBER_OF(params, models, water_fringe, 0.0, 0.0, 100.0, "m", "height above the ground water up to which sand is moist, less the higher; wind cuts down to it and no deeper; 0: no ground water", "capillary rise in fine sand 0.3-0.6 m"), \
    FIELD_NUMBER_OF(params, models, shore_supply, 0.0, 0.0, 1e3, "m/yr", "sand that waves bring to the beach, as its rise at the level of the sea, less the higher; 0: none", "0.1-10: the supply of a coast"), \
    FIELD_NUMBER_OF(params, models, shore_runup, 1.5, 0.01, 50.0, "m", "run-up of waves above the sea, up to which they bring sand", "Stockdon et al. 2006: 1-3 on open coasts")
#define SAND_STORM_ROWS(params, models) \
    FIELD_NUMBER_OF(params, models, storm_speed, 0.0, 0.0, 60.0, "m/s", "wind speed from which a wind raises the sea, and its waves run up the beach and cut the foot of dunes; the sand goes to the shore; 0: none", "a gale: 17 and more"), \
    FIELD_NUMBER_OF(params, models, storm_bearing, 270.0, 0.0, 360.0, "degree", "direction from which waves meet the coast head-on; the stress of other winds counts by the cosine", ""), \
    FIELD_NUMBER_OF(params, models, storm_fetch, 2e5, 1.0, 1e7, "m", "length of open water over which storms blow", "JONSWAP (Hasselmann et al. 1973) holds for 1e4 to 1e6"), \
    FIELD_NUMBER_OF(params, models, storm_depth, 20.0, 0.1, 1e4, "m", "mean depth of that water: storms raise a shallow sea more", ""), \
    FIELD_NUMBER_OF(params, models, storm_slope, 0.05, 1e-3, 0.5, "1", "slope of the foreshore, which the run-up grows with; ground twice as steep is a dune, which waves cut", "Stockdon et al. 2006: 0.01-0.16"), \
    FIELD_NUMBER_OF(params, models, storm_erosion, 1e-3, 0.0, 0.1, "1", "coefficient of wave impact: sand cut from a dune is 4 storm_erosion x (height of the run-up above its foot)^2 for each wave; 0: none", "Larson et al. 2004: 1e-4 to 3e-3")
#define SAND_TOP_ROWS(params, models) \
    FIELD_NUMBER_OF(params, models, crust_gain, 0.0, 0.0, 100.0, "1", "relative rise of the threshold speed at which wind lifts sand, from loose sand to a full crust; sand in the air passes over crusts; 0: no crusts", "Belnap & Gillette 1998: 1-10 for crusts of algae and lichens"), \
    FIELD_NUMBER_OF(params, models, crust_start, 0.0, 0.0, 1.0, "1", "strength of the crust at the start; the input map of the same name replaces it", ""), \
    FIELD_NUMBER_OF(params, models, crust_growth, 0.0, 0.0, 1e3, "1/yr", "rate at which crusts form where there is water and no sand moves", "physical crusts form in one rain, those of algae in 1-10 years"), \
    FIELD_NUMBER_OF(params, models, crust_rain, 1.0, 0.0, 1.0, "1", "share of the water for crusts that rain brings; the layer moisture can bring the rest", ""), \
    FIELD_NUMBER_OF(params, models, crust_abrasion, 1.0, 0.0, 1e6, "1/m2", "strength that a crust loses to sand that passes over it, as a share of it for each m2 of sand", "Houser & Nickling 2001: in proportion to the flux"), \
    FIELD_NUMBER_OF(params, models, crust_depth, 0.01, 1e-4, 10.0, "m", "thickness of the crust: erosion or deposition of so much sand ends it", "1-20 mm"), \
    FIELD_NUMBER_OF(params, models, coarse_share, 0.1, 0.0, 1.0, "1", "share of coarse grains, which wind does not lift, in the sand at the start; the input map of the same name replaces it; sand that enters is fine; if coarse_depth is above 0", "gravelly sand 0.02-0.3"), \
    FIELD_NUMBER_OF(params, models, coarse_depth, 0.0, 0.0, 1.0, "m", "thickness of the layer at the surface in which coarse grains gather as the wind takes the fine ones; 0: all grains are fine", "one to a few coarse grains: 2-20 mm"), \
    FIELD_NUMBER_OF(params, models, coarse_drag, 90.0, 0.0, 1e3, "1", "drag coefficient of a coarse grain over that of the sand, by which they shelter the sand between them", "Raupach et al. 1993: 90"), \
    FIELD_NUMBER_OF(params, models, dry_rate, 0.0, 0.0, 10.0, "m2/yr", "rate at which the sand dries from above: the square of the thickness of dry sand grows by twice that; the layer moisture is then that of the sand below; 0: the surface is as moist", "2 cm in four days without rain: 0.02"), \
    FIELD_NUMBER_OF(params, models, dry_depth, 0.01, 1e-4, 1.0, "m", "thickness of dry sand above which the wind does not feel the moisture below, less the thinner", "the grains that it lifts lie in the uppermost 2-20 mm"), \
    FIELD_NUMBER_OF(params, models, dry_rain, 30.0, 0.0, 1e4, "1/yr", "rains that moisten the dry sand again", "deserts 1-10, coasts 50-150")
// clang-format on
