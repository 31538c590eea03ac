// SPDX-License-Identifier: MIT
// The parameter table of the process "landslide", the only list of its parameters.
#include "core/field_rows.h"

#include <wadi/landslide.h>

#define LANDSLIDE_NUMBER(...) FIELD_NUMBER(wadi_landslide_params, __VA_ARGS__)
#define LANDSLIDE_WHOLE(...) FIELD_WHOLE(wadi_landslide_params, __VA_ARGS__)
#define LANDSLIDE_CHOICE(...) FIELD_CHOICE(wadi_landslide_params, __VA_ARGS__)

static const char* const landslide_starts[] = {"failing", "region", "soaking", "storm",
                                               "inflow",  "deep",   NULL};
#define SLUMP_NUMBER(...)                                                                          \
    FIELD_NUMBER_OF(wadi_landslide_params, FIELD_MODEL(WADI_LANDSLIDE_SLUMP), __VA_ARGS__)
#define SLUMP_WHOLE(...)                                                                           \
    FIELD_WHOLE_OF(wadi_landslide_params, FIELD_MODEL(WADI_LANDSLIDE_SLUMP), __VA_ARGS__)
#define RUNNER_MODELS FIELD_MODEL(WADI_LANDSLIDE_RUNNER) | FIELD_MODEL(WADI_LANDSLIDE_AUTO)
#define RUNNER_NUMBER(...) FIELD_NUMBER_OF(wadi_landslide_params, RUNNER_MODELS, __VA_ARGS__)
#define RUNNER_WHOLE(...) FIELD_WHOLE_OF(wadi_landslide_params, RUNNER_MODELS, __VA_ARGS__)
#define RUNNER_CHOICE(...) FIELD_CHOICE_OF(wadi_landslide_params, RUNNER_MODELS, __VA_ARGS__)

static const char* const landslide_models[] = {"grains", "runner", "auto", "slump", NULL};
static const char* const landslide_kinds[] = {"debris_flow", "channelised", "rock_avalanche", NULL};
static const char* const landslide_volume_laws[] = {"none", "lucas", "corominas", NULL};
static const char* const landslide_shapes[] = {"everywhere", "circle", "rectangle", NULL};
static const char* const landslide_bases[] = {"closed", "free", NULL};

// clang-format off
static const wadi_field landslide_field_list[] = {
    LANDSLIDE_CHOICE(model, WADI_LANDSLIDE_AUTO, WADI_LANDSLIDE_MODEL_COUNT, "grains: spheres in three dimensions; runner: a depth-averaged flow on the cells of the map; auto: grains where five or more lie across the depth of the soil, else runner; slump: blocks that turn on the rupture surfaces of start deep", "", landslide_models),
    LANDSLIDE_CHOICE(start, WADI_LANDSLIDE_FAILING, WADI_LANDSLIDE_START_COUNT, "cause of the slide: failing, a factor of safety below 1; region, all soil of the region slides; soaking, soil of the region becomes grains that stand until soaking water makes them fail; storm, rain soaks into the soil and flows downslope, and the ground that cannot stand fails, slide by slide; inflow, debris enters in the region by the table `inflow`, as a flow; deep, soil and rock slide on the curved rupture surfaces that are weakest", "", landslide_starts),

    LANDSLIDE_CHOICE(shape, WADI_LANDSLIDE_EVERYWHERE, WADI_LANDSLIDE_SHAPE_COUNT, "shape of the region; the table `outline` replaces it, the map `depth` restricts it", "", landslide_shapes),
    LANDSLIDE_NUMBER(x, 0.0, -1e9, 1e9, "m", "middle of the region, east of the western edge", ""),
    LANDSLIDE_NUMBER(y, 0.0, -1e9, 1e9, "m", "middle of the region, north of the southern edge", ""),
    LANDSLIDE_NUMBER(radius, 100.0, 0.0, 1e9, "m", "radius of a circle", ""),
    LANDSLIDE_NUMBER(width, 100.0, 0.0, 1e9, "m", "width of a rectangle from west to east, before rotation", ""),
    LANDSLIDE_NUMBER(height, 100.0, 0.0, 1e9, "m", "height of a rectangle from south to north, before rotation", ""),
    LANDSLIDE_NUMBER(azimuth, 0.0, -360.0, 360.0, "degree", "clockwise rotation of a rectangle", ""),
    LANDSLIDE_NUMBER(depth, 0.0, 0.0, 1e3, "m", "largest depth of soil cut out, or of deep rupture surfaces; 0: all soil above the rock, or any depth", ""),
    LANDSLIDE_NUMBER(rock_depth, 0.0, 0.0, 100.0, "m", "depth of weathered rock that slides with the soil where hardness is 0", ""),

    LANDSLIDE_NUMBER(cohesion, 10000.0, 0.0, 1e6, "Pa", "cohesion of roots, added to that of the soil's material", "forests 7e3-2.5e4, cut over 2e3-7e3: Schmidt et al. 2001"),
    LANDSLIDE_NUMBER(wetness, 0.0, 0.0, 1.0, "1", "share of the soil below the water table; the layer moisture is used where it is larger", ""),
    LANDSLIDE_NUMBER(rain, 0.0, 0.0, 1e3, "mm/h", "steady rain, which raises the water table by the drainage area upslope; soaking and storm: rain that falls on the soil", "Montgomery & Dietrich 1994"),
    LANDSLIDE_NUMBER(min_area, 1000.0, 0.0, 1e12, "m2", "smallest connected failing area that slides", "shallow slides 1e2-1e4"),

    LANDSLIDE_NUMBER(duration, 24.0, 0.1, 1e3, "h", "storm: duration of the rain, once in each step", ""),
    LANDSLIDE_NUMBER(soil_cohesion, 1000.0, 0.0, 1e6, "Pa", "storm: mean cohesion of the soil without roots", ""),
    LANDSLIDE_NUMBER(soil_friction, 35.0, 5.0, 60.0, "degree", "storm: mean angle of friction of the soil", "loam 25-33, sand 30-38: Selby 1993"),
    LANDSLIDE_NUMBER(conductivity, 1e-4, 1e-9, 1.0, "m/s", "storm: mean hydraulic conductivity of saturated soil", ""),

    LANDSLIDE_NUMBER(rock_cohesion, 150000.0, 0.0, 1e9, "Pa", "deep: cohesion of rock of hardness 0; that of hardness h has 1 / (1 - h) times as much, so that no surface cuts rock of hardness 1", "of slopes in sandstone and phyllite 120e3-150e3: Schmidt & Montgomery 1995"),
    LANDSLIDE_NUMBER(rock_friction, 25.0, 0.0, 60.0, "degree", "deep: angle of friction of the rock", "of the same slopes 17-21; jointed rock masses 25-40"),
    LANDSLIDE_NUMBER(breadth, 1.0, 0.1, 10.0, "1", "deep: breadth of rupture surfaces over their length", "rotational slides 0.5-2"),
    LANDSLIDE_NUMBER(length, 0.0, 0.0, 1e6, "m", "deep: longest chord of a rupture surface from toe to head, in plan; 0: a third of the shorter side of the map, which is the most", ""),
    LANDSLIDE_NUMBER(shaking, 0.0, 0.0, 2.0, "1", "deep: horizontal acceleration of an earthquake, over that of gravity, while ground fails", "half of the peak: Hynes-Griffin & Franklin 1984"),
    SLUMP_NUMBER(residual, 0.7, 0.0, 1.0, "1", "share of the strength that is left on a surface that moves", "clays 0.4-0.8: Skempton 1964"),
    SLUMP_NUMBER(rotation, 40.0, 0.0, 90.0, "degree", "largest angle by which a block turns", ""),
    SLUMP_WHOLE(secondary, 0, 0, 8, "how often ground of a block may fail again in the same step, on secondary surfaces, with `residual` of the rock's strength", ""),

    LANDSLIDE_NUMBER(damp, 0.3, 0.0, 1.0, "1", "soaking: initial saturation of the soil above its water table", "field capacity of loam 0.3-0.6"),
    LANDSLIDE_NUMBER(evaporation, 0.0, 0.0, 1e6, "mm/d", "soaking: evaporation from wet ground open to the sky", "2-8 in summer"),
    LANDSLIDE_CHOICE(base, WADI_SEEPAGE_BASE_CLOSED, WADI_SEEPAGE_BASE_COUNT, "soaking: closed, no water drains into the rock; free, water drains from the lowest soil by gravity", "", landslide_bases),
    LANDSLIDE_NUMBER(water_step, 60.0, 1e-3, 1e6, "s", "soaking: longest time step of the water while all grains sleep", ""),
    LANDSLIDE_NUMBER(exchange, 0.02, 1e-6, 10.0, "s", "soaking: time of grain motion between two updates of the water", "water moves by a grain in minutes"),
    LANDSLIDE_NUMBER(acceleration, 1.0, 1.0, 1e6, "1", "soaking: seconds of water per second of grain motion", "1 instead of 2 shifted the time of failure by 11 and 24 % in two packings"),

    LANDSLIDE_NUMBER(pressure, 1.0, 0.0, 2.0, "1", "pore pressure in sliding soil, over the hydrostatic pressure: 0 drained, 1 undrained, up to 2 in contracting soil", "liquefied debris: Iverson 1997"),
    LANDSLIDE_NUMBER(entrainment, 0.0, 0.0, 0.1, "1/m", "entrainment of the bed per metre of run-out, as a share of the mass that slides over it", "McDougall & Hungr 2005: 1e-4 to 1e-2"),
    LANDSLIDE_NUMBER(rolling, 1.0, 0.0, 2.0, "1", "lever of rolling resistance as a share of the grain's radius, times friction: at 1 grains slide before they roll", "Ai et al. 2011, model C"),
    LANDSLIDE_NUMBER(restitution, 0.3, 0.01, 1.0, "1", "coefficient of restitution of grains", "soil 0.2-0.5"),
    LANDSLIDE_NUMBER(longest, 600.0, 0.1, 1e6, "s", "longest duration of a slide; grains that still move then are laid down in place", ""),

    RUNNER_CHOICE(kind, WADI_LANDSLIDE_DEBRIS_FLOW, WADI_LANDSLIDE_KIND_COUNT, "class of the flow, for friction and turbulence that are 0: debris_flow 0.20 and 200 m/s2; channelised 0.19 and 500 m/s2; rock_avalanche 0.10 and 500 m/s2", "docs/runner.md", landslide_kinds),
    RUNNER_CHOICE(volume_law, WADI_LANDSLIDE_ANY_VOLUME, WADI_LANDSLIDE_VOLUME_LAW_COUNT, "friction by the volume V of a slide in m3, where friction is 0: none, that of the kind; lucas, V^-0.0774; corominas, by kind, 10^-0.012 V^-0.105 of debris flows and 10^0.210 V^-0.109 of rock avalanches. Turbulence that is 0 is then none", "Lucas et al. 2014; Corominas 1996", landslide_volume_laws),
    RUNNER_NUMBER(friction, 0.0, 0.0, 2.0, "1", "Coulomb's part of Voellmy's friction, pore pressure included; 0: of the kind", "Voellmy 1955; 0.05-0.4"),
    RUNNER_NUMBER(turbulence, 0.0, 0.0, 1e6, "m/s2", "part of the friction that grows with the speed squared: the larger, the faster the flow; 0: of the kind", "Voellmy 1955; 100-1000"),
    RUNNER_NUMBER(density, 1900.0, 500.0, 4000.0, "kg/m3", "density of the flow, water included", "debris flows 1600-2300: Iverson 1997"),
    RUNNER_NUMBER(drainage, 0.0, 0.0, 10.0, "m2/s", "coefficient of consolidation: pore pressure drains out of thin flows, whose friction rises to that of the material; 0: it stays", "Iverson 1997: 1e-6 to 1e-2"),
    RUNNER_NUMBER(bed_depth, 0.1, 0.0, 10.0, "m/kPa", "loose bed that a flow may entrain for each kPa of shear stress above bed_stress", "Frank et al. 2015"),
    RUNNER_NUMBER(bed_rate, 0.025, 0.0, 1.0, "m/s", "fastest entrainment; 0: none", "Frank et al. 2015"),
    RUNNER_NUMBER(bed_stress, 1.0, 0.0, 1e3, "kPa", "shear stress below which a flow entrains no bed", "Frank et al. 2015"),
    RUNNER_NUMBER(lake, 1.0, 0.0, 1e3, "m", "a flow stops in standing water deeper than this, until it reaches above the water", ""),
    RUNNER_WHOLE(ensemble, 1, 1, 1000, "runs of each slide with scattered friction and turbulence, for the map `reach`; the first has the values as given and alone changes the land", "20 for a map of probability"),
    RUNNER_NUMBER(scatter, 0.25, 0.0, 0.9, "1", "friction and turbulence of the other runs lie within this share of their values", ""),
    RUNNER_NUMBER(hummocks, 0.0, 0.0, 0.5, "1", "height over width of the mounds of blocks in the deposits of large flows; 0: none", "Mount St. Helens 1980: up to 200 m on 1 km (USGS)"),
    RUNNER_NUMBER(hummock_width, 0.0, 0.0, 1e4, "m", "width of the largest of them at the source; 0: a tenth of the cube root of the volume. Those of less than three cells are left out", ""),

    LANDSLIDE_WHOLE(most, 200000, 10, 10000000, "largest number of grains", "two processors do 1e7 grain steps a second"),
    LANDSLIDE_NUMBER(diameter, 0.0, 0.0, 1e3, "m", "diameter of the largest grain; 0: the smallest that `most` allows, at least a fifth of a cell", "detail finer than cells is lost in the layers"),
    LANDSLIDE_NUMBER(spread, 0.15, 0.0, 0.7, "1", "radii lie between 1 - spread and 1 of the largest", "equal grains slide on lattice planes"),
    LANDSLIDE_NUMBER(overlap, 0.02, 1e-3, 0.1, "1", "overlap of grains under the weight of the deepest soil, as a share of a diameter; sets the contact stiffness and the time step", "k = rho g H d / overlap"),
    LANDSLIDE_NUMBER(step, 0.0, 0.0, 1.0, "s", "time step of grains; 0: half of the stable one", "0.1 sqrt(m / k)"),
    LANDSLIDE_NUMBER(interval, 10.0, 1e-9, 1e6, "yr", "time step of the process; soil is released at its begin, and a slide may last into the next steps", "storms, or the tick of a timeline, which bounds it"),
};

static const wadi_field_group landslide_groups[] = {
    {"model", "model"},
    {"shape", "region"},
    {"cohesion", "failure"},
    {"duration", "storm"},
    {"rock_cohesion", "deep"},
    {"damp", "soaking"},
    {"pressure", "motion"},
    {"kind", "flow"},
    {"most", "grains"},
    {"interval", "steps"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_landslide_fields =
    FIELD_TABLE_IN("landslide", landslide_field_list, wadi_landslide_params, landslide_groups);

wadi_landslide_params wadi_landslide_params_default(void)
{
    wadi_landslide_params params;
    wadi_fields_init(&wadi_landslide_fields, &params);
    return params;
}
