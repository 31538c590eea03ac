// SPDX-License-Identifier: MIT
// The parameter tables of generators.
#include "maps/synthesis/generator.h"

#include "core/field_rows.h"

#define GENERATOR_KIND(owner, names, doc, source)                                                  \
    FIELD_CHOICE(owner, kind, 0, sizeof(names) / sizeof((names)[0]) - 1, doc, source, names)
#define GENERATOR_TILEABLE(owner, doc) FIELD_SWITCH(owner, tileable, 0, doc, "")
#define GENERATOR_RELIEF(owner)                                                                    \
    FIELD_NUMBER(owner, relief, 2200.0, 0.0, 65534.0, "m",                                         \
                 "highest minus lowest elevation of the result", "")
#define GENERATOR_BASE(owner)                                                                      \
    FIELD_NUMBER(owner, base, 0.0, -32767.0, 32767.0, "m", "elevation of the lowest cell", "")

static const char* const subdivision_kinds[] = {"midpoint", "diamond_square", "square_square",
                                                "hexagon", NULL};
static const char* const faults_kinds[] = {"lines", "circles", NULL};
static const char* const deposition_kinds[] = {"roll", "stick", "hop", NULL};

// clang-format off
static const wadi_field subdivision_list[] = {
    GENERATOR_KIND(wadi_subdivision_params, subdivision_kinds, "arrangement of the points between which a new point is interpolated", "Fournier, Fussell & Carpenter 1982; Miller 1986; Musgrave 1988"),
    FIELD_NUMBER(wadi_subdivision_params, wavelength, 4500.0, 1e-3, 1e6, "m", "spacing of the points of the coarsest level", ""),
    FIELD_NUMBER(wadi_subdivision_params, hurst, 0.8, 0.0, 1.0, "1", "Hurst exponent: displacements are proportional to spacing^hurst", "real ground has 0.7-1"),
    GENERATOR_RELIEF(wadi_subdivision_params),
    GENERATOR_BASE(wadi_subdivision_params),
    GENERATOR_TILEABLE(wadi_subdivision_params, "repeats over the extent of the grid; not for hexagons"),
};
const wadi_field_table wadi_subdivision_fields = FIELD_TABLE("subdivision", subdivision_list, wadi_subdivision_params);

static const wadi_field faults_list[] = {
    GENERATOR_KIND(wadi_faults_params, faults_kinds, "straight faults or round ones", "Mandelbrot 1975; Warszawski, Nikiel & Mrugalski 2019"),
    FIELD_WHOLE(wadi_faults_params, count, 1000, 1, 100000, "number of faults", "with 200 or more no single fault is visible"),
    FIELD_NUMBER(wadi_faults_params, hurst, 0.5, 0.5, 1.0, "1", "lines: the throw is proportional to distance^(hurst - 1/2); 0.5: a step", "Voss 1985"),
    FIELD_NUMBER(wadi_faults_params, decay, 0.0, 0.0, 1.0, "1", "decrease of the throw from the first fault to the last, as a share of the first", "fault formation of games: 1"),
    FIELD_NUMBER(wadi_faults_params, radius_min, 500.0, 1e-3, 1e6, "m", "circles: smallest radius", ""),
    FIELD_NUMBER(wadi_faults_params, radius_max, 4000.0, 1e-3, 1e6, "m", "circles: largest radius", ""),
    FIELD_NUMBER(wadi_faults_params, smoothing, 0.0, 0.0, 1e5, "m", "standard deviation of the Gaussian low-pass applied at the end", "fault formation of games: about 2 cells"),
    GENERATOR_RELIEF(wadi_faults_params),
    GENERATOR_BASE(wadi_faults_params),
    GENERATOR_TILEABLE(wadi_faults_params, "repeats over the extent of the grid; circles only"),
};
const wadi_field_table wadi_faults_fields = FIELD_TABLE("faults", faults_list, wadi_faults_params);

static const wadi_field poisson_faults_list[] = {
    FIELD_WHOLE(wadi_poisson_faults_params, classes, 6, 1, 64, "number of classes, which cover equal areas", "Warszawski & Nikiel 2014, fig. 2"),
    GENERATOR_KIND(wadi_poisson_faults_params, faults_kinds, "straight faults or round ones", "Warszawski, Nikiel & Mrugalski 2019"),
    FIELD_WHOLE(wadi_poisson_faults_params, count, 200, 1, 100000, "number of faults", ""),
    FIELD_NUMBER(wadi_poisson_faults_params, radius_min, 500.0, 1e-3, 1e6, "m", "circles: smallest radius", ""),
    FIELD_NUMBER(wadi_poisson_faults_params, radius_max, 4000.0, 1e-3, 1e6, "m", "circles: largest radius", ""),
    FIELD_NUMBER(wadi_poisson_faults_params, low, 0.0, -1e9, 1e9, "", "value of the first class", ""),
    FIELD_NUMBER(wadi_poisson_faults_params, high, 0.8, -1e9, 1e9, "", "value of the last class", ""),
    GENERATOR_TILEABLE(wadi_poisson_faults_params, "repeats over the extent of the grid; circles only"),
};
const wadi_field_table wadi_poisson_faults_fields = FIELD_TABLE("poisson_faults", poisson_faults_list, wadi_poisson_faults_params);

static const wadi_field deposition_list[] = {
    GENERATOR_KIND(wadi_deposition_params, deposition_kinds, "motion of a particle after its fall: it rolls downhill, sticks, or hops once to the most concave cell", "Edwards & Wilkinson 1982; Kardar, Parisi & Zhang 1986; Wolf & Villain 1990"),
    FIELD_NUMBER(wadi_deposition_params, per_cell, 8.0, 0.01, 1000.0, "1", "particles per cell", "2-10"),
    FIELD_WHOLE(wadi_deposition_params, reach, 1, 1, 3, "radius of the neighbourhood in which a particle looks for lower ground, in cells", ""),
    FIELD_WHOLE(wadi_deposition_params, hold, 0, 0, 100, "rolling: slope up to which a particle rests, in particle heights per cell; piles need 1 or more", ""),
    FIELD_NUMBER(wadi_deposition_params, wander, 0.0, 0.0, 1e6, "m", "step of the emitter between two particles; 0: particles fall on the whole grid", "Warszawski & Nikiel 2009"),
    FIELD_NUMBER(wadi_deposition_params, scatter, 500.0, 0.0, 1e6, "m", "radius of the wandering emitter", ""),
    FIELD_NUMBER(wadi_deposition_params, caldera, 1.0, 0.0, 1.0, "1", "height above which the pile is mirrored downwards into a caldera, as a share of the highest pile; 1: no caldera", ""),
    GENERATOR_RELIEF(wadi_deposition_params),
    GENERATOR_BASE(wadi_deposition_params),
    GENERATOR_TILEABLE(wadi_deposition_params, "repeats over the extent of the grid"),
};
const wadi_field_table wadi_deposition_fields = FIELD_TABLE("deposition", deposition_list, wadi_deposition_params);
// clang-format on
