// SPDX-License-Identifier: MIT
// The parameter table of the process "landslide". There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/landslide.h>

#define LANDSLIDE_NUMBER(...) FIELD_NUMBER(wadi_landslide_params, __VA_ARGS__)
#define LANDSLIDE_WHOLE(...) FIELD_WHOLE(wadi_landslide_params, __VA_ARGS__)
#define LANDSLIDE_CHOICE(...) FIELD_CHOICE(wadi_landslide_params, __VA_ARGS__)

static const char* const landslide_starts[] = {"failing", "region", "soaking", NULL};
static const char* const landslide_shapes[] = {"everywhere", "circle", "rectangle", NULL};
static const char* const landslide_bases[] = {"closed", "free", NULL};

// clang-format off
static const wadi_field landslide_field_list[] = {
    LANDSLIDE_CHOICE(start, WADI_LANDSLIDE_FAILING, WADI_LANDSLIDE_START_COUNT, "what sets soil free: failing, where the factor of safety is below 1; region, all soil of the region; soaking, nothing but water that soaks into soil of the region, which stands as grains until it no longer can", "", landslide_starts),

    LANDSLIDE_CHOICE(shape, WADI_LANDSLIDE_EVERYWHERE, WADI_LANDSLIDE_SHAPE_COUNT, "of the region; the table `outline` stands in place of it, the map `depth` narrows it", "", landslide_shapes),
    LANDSLIDE_NUMBER(x, 0.0, -1e9, 1e9, "m", "middle of the region, east of the western edge", ""),
    LANDSLIDE_NUMBER(y, 0.0, -1e9, 1e9, "m", "middle of the region, north of the southern edge", ""),
    LANDSLIDE_NUMBER(radius, 100.0, 0.0, 1e9, "m", "of a circle", ""),
    LANDSLIDE_NUMBER(width, 100.0, 0.0, 1e9, "m", "of a rectangle from west to east, before it is turned", ""),
    LANDSLIDE_NUMBER(height, 100.0, 0.0, 1e9, "m", "of a rectangle from south to north, before it is turned", ""),
    LANDSLIDE_NUMBER(azimuth, 0.0, -360.0, 360.0, "degree", "by which a rectangle is turned, clockwise", ""),
    LANDSLIDE_NUMBER(depth, 0.0, 0.0, 1e3, "m", "most soil that is cut out; 0: all that lies on the rock", ""),
    LANDSLIDE_NUMBER(rock_depth, 0.0, 0.0, 100.0, "m", "weathered rock that goes with the soil where hardness is 0", ""),

    LANDSLIDE_NUMBER(cohesion, 10000.0, 0.0, 1e6, "Pa", "of roots, beside that of the soil's material", "forests 7e3-2.5e4, cut over 2e3-7e3: Schmidt et al. 2001"),
    LANDSLIDE_NUMBER(wetness, 0.0, 0.0, 1.0, "1", "share of the soil below the water table, where the layer of moisture is not more", ""),
    LANDSLIDE_NUMBER(rain, 0.0, 0.0, 1e3, "mm/h", "that drains through the soil for long and raises the water table by the land above; soaking: that falls on the soil, grain by grain", "Montgomery & Dietrich 1994"),
    LANDSLIDE_NUMBER(min_area, 1000.0, 0.0, 1e12, "m2", "failing areas that are smaller stay where they are", "shallow slides 1e2-1e4"),

    LANDSLIDE_NUMBER(damp, 0.3, 0.0, 1.0, "1", "soaking: saturation of the soil above its water table when it is cut out", "field capacity of loam 0.3-0.6"),
    LANDSLIDE_NUMBER(evaporation, 0.0, 0.0, 1e6, "mm/d", "soaking: from wet ground under the sky", "2-8 in summer"),
    LANDSLIDE_CHOICE(base, WADI_SEEPAGE_BASE_CLOSED, WADI_SEEPAGE_BASE_COUNT, "soaking: closed, rock below takes no water; free, water falls out of the lowest soil by its weight", "", landslide_bases),
    LANDSLIDE_NUMBER(water_step, 60.0, 1e-3, 1e6, "s", "soaking: longest step of water while all grains sleep", ""),
    LANDSLIDE_NUMBER(exchange, 0.02, 1e-6, 10.0, "s", "soaking: how long grains move before water does", "water moves by a grain in minutes"),
    LANDSLIDE_NUMBER(acceleration, 1.0, 1.0, 1e6, "1", "soaking: seconds of water for a second of moving grains", "halving it shifts the time of failure by less than 10 %"),

    LANDSLIDE_NUMBER(pressure, 1.0, 0.0, 2.0, "1", "of water in soil that slides, over that of standing water: 0 where it drains at once, 1 where it cannot, up to 2 where soil that gives way presses on it", "liquefied debris: Iverson 1997"),
    LANDSLIDE_NUMBER(entrainment, 0.0, 0.0, 0.1, "1/m", "bed taken up for each metre of way, as a share of what slides over it", "McDougall & Hungr 2005: 1e-4 to 1e-2"),
    LANDSLIDE_NUMBER(rolling, 1.0, 0.0, 2.0, "1", "lever of rolling resistance as a share of the grain's radius, times friction: at 1 grains slide before they roll", "Ai et al. 2011, model C"),
    LANDSLIDE_NUMBER(restitution, 0.3, 0.01, 1.0, "1", "rebound of grains", "soil 0.2-0.5"),
    LANDSLIDE_NUMBER(longest, 600.0, 0.1, 1e6, "s", "time that a slide may take; what still moves then is laid down where it is", ""),

    LANDSLIDE_WHOLE(most, 200000, 10, 10000000, "grains that there may be", "two processors do 1e7 grain steps a second"),
    LANDSLIDE_NUMBER(diameter, 0.0, 0.0, 1e3, "m", "of the largest grain; 0: as small as `most` lets it be, but a fifth of a cell at least", "finer than cells is lost when layers come back"),
    LANDSLIDE_NUMBER(spread, 0.15, 0.0, 0.7, "1", "radii lie between 1 - spread and 1 of the largest", "equal grains slide on lattice planes"),
    LANDSLIDE_NUMBER(overlap, 0.02, 1e-3, 0.1, "1", "of grains under the weight of the deepest soil, as a share of a diameter; sets stiffness and step", "k = rho g H d / overlap"),
    LANDSLIDE_NUMBER(step, 0.0, 0.0, 1.0, "s", "of time; 0: half of what is stable", "0.1 sqrt(m / k)"),
};
// clang-format on

const wadi_field_table wadi_landslide_fields =
    FIELD_TABLE("landslide", landslide_field_list, wadi_landslide_params);

wadi_landslide_params wadi_landslide_params_default(void)
{
    wadi_landslide_params params;
    wadi_fields_init(&wadi_landslide_fields, &params);
    return params;
}
