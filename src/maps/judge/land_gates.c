// SPDX-License-Identifier: MIT
// The table of measures of land and their gates.
#include "maps/judge/land_forms_internal.h"

#include <stddef.h>
#include <string.h>

static const char* const gates_names[WADI_LAND_GATES_COUNT] = {"noise", "range"};

#define GATES_AT(member) .name = #member, .offset = offsetof(wadi_land_forms, member)
#define GATES_FREE                                                                                 \
    {                                                                                              \
        -HUGE_VAL, HUGE_VAL                                                                        \
    }
#define GATES_BOTH(low, high) .gates = {{low, high}, {low, high}}
#define GATES_NONE .source = "", .gates = {GATES_FREE, GATES_FREE}

static const wadi_land_measure gates_table[] = {
    {GATES_AT(judged), .unit = "1", .doc = "share of the map that is measured", GATES_NONE},
    {GATES_AT(relief), .unit = "m", .doc = "highest less lowest ground", GATES_NONE},
    {GATES_AT(erosion_index), .unit = "1",
     .doc = "0 for noise, 1 for land that drains as mountains do",
     .source = "surveys of mountains 0.91-1, noise 0", GATES_BOTH(0.95, HUGE_VAL)},
    {GATES_AT(closed), .unit = "1", .doc = "share in closed depressions", GATES_NONE},
    {GATES_AT(channels_closed), .unit = "1", .doc = "the same of channels", GATES_NONE},
    {GATES_AT(pit_cap_volume), .unit = "1",
     .doc = "log10 of the volume that fills pits over that of caps", GATES_NONE},
    {GATES_AT(prominent), .unit = "1", .doc = "log10 of prominent peaks over prominent pits",
     GATES_NONE},
    {GATES_AT(theta_chi), .unit = "1", .doc = "concavity of the rivers",
     .source = "Gailleton et al. 2021: quartiles 0.225-0.575", GATES_BOTH(0.3, 0.6)},
    {GATES_AT(chi_r2), .unit = "1", .doc = "straightness of the chi profiles",
     .source = "Perron & Royden 2013", .gates = {{0.72, HUGE_VAL}, {0.82, HUGE_VAL}}},
    {GATES_AT(channel_threshold), .unit = "m2", .doc = "where channels begin", GATES_NONE},
    {GATES_AT(slope), .unit = "degree", .doc = "mean slope", .source = "surveys of mountains 20-29",
     GATES_BOTH(15.0, HUGE_VAL)},
    {GATES_AT(steep), .unit = "1", .doc = "share above 45 degrees",
     .source = "threshold hillslopes, Burbank et al. 1996", GATES_BOTH(-HUGE_VAL, 0.10)},
    {GATES_AT(flat), .unit = "1", .doc = "share below a tenth of the median slope",
     .source = "noise with filled pits has 0.2", GATES_BOTH(-HUGE_VAL, 0.13)},
    {GATES_AT(curvature_skew), .unit = "1",
     .doc = "skewness of the curvature; columns of deposits make it negative",
     .source = "surveys of mountains -0.8 to -0.2", GATES_BOTH(-1.0, HUGE_VAL)},
    {GATES_AT(ridge_valley), .unit = "1", .doc = "ridges over valleys",
     .source = "surveys of mountains 0.56-1.5", GATES_BOTH(0.5, 1.3)},
    {GATES_AT(aspect_harmonic), .unit = "1", .doc = "slopes towards the eight ways of the grid",
     .source = "surveys of mountains 0.002-0.02", GATES_BOTH(-HUGE_VAL, 0.02)},
    {GATES_AT(dimples), .unit = "1", .doc = "small depressions in 10 000 cells", .source = "",
     GATES_BOTH(-HUGE_VAL, 1.0)},
    {GATES_AT(spikes), .unit = "1", .doc = "columns of one cell in 10 000 cells",
     .source = "surveys of mountains 0-0.07", GATES_BOTH(-HUGE_VAL, 0.1)},
    {GATES_AT(corner), .unit = "1", .doc = "diagonal steps of channels between higher corners",
     .source = "surveys of mountains 0.18-0.33", .gates = {{-HUGE_VAL, 0.15}, {-HUGE_VAL, 0.10}}},
    {GATES_AT(straight8), .unit = "1", .doc = "channel cells with eight steps one way",
     .source = "surveys of mountains 0.04-0.15", .gates = {GATES_FREE, {-HUGE_VAL, 0.08}}},
    {GATES_AT(octal), .unit = "1", .doc = "reaches within 4 degrees of the eight ways",
     .source = "surveys of mountains 0.166-0.197", .gates = {GATES_FREE, {-HUGE_VAL, 0.18}}},
    {GATES_AT(trunk_run), .unit = "cells", .doc = "longest run of a trunk along an axis",
     .source = "", .gates = {GATES_FREE, {-HUGE_VAL, 19.0}}},
    {GATES_AT(ridge_straight8), .unit = "1", .doc = "straight8 of ridges",
     .source = "surveys of mountains 0.02-0.14", GATES_BOTH(-HUGE_VAL, 0.1)},
    {GATES_AT(ridge_octal), .unit = "1", .doc = "octal of ridges", GATES_NONE},
    {GATES_AT(relief_kept), .unit = "1", .doc = "relief over that before", .source = "",
     .gates = {{0.5, HUGE_VAL}, GATES_FREE}},
    {GATES_AT(wear), .unit = "m", .doc = "mean lowering", GATES_NONE},
    {GATES_AT(deposit), .unit = "m", .doc = "mean raising", GATES_NONE},
    {GATES_AT(facets), .unit = "1", .doc = "deposits that face eight ways", .source = "",
     GATES_BOTH(-HUGE_VAL, 0.05)},
    {GATES_AT(denudation), .unit = "mm/yr", .doc = "mean lowering less raising", GATES_NONE},
};

const char* wadi_land_gates_name(wadi_land_gates gates)
{
    return (int)gates >= 0 && gates < WADI_LAND_GATES_COUNT ? gates_names[gates] : NULL;
}

const wadi_land_measure* wadi_land_measures(int32_t* count)
{
    *count = WADI_COUNT(gates_table);
    return gates_table;
}

double wadi_land_measure_value(const wadi_land_measure* measure, const wadi_land_forms* forms)
{
    double value;
    memcpy(&value, (const char*)forms + measure->offset, sizeof value);
    return value;
}

bool wadi_land_measure_is_gated(const wadi_land_measure* measure, wadi_land_gates gates)
{
    const wadi_land_gate* gate = &measure->gates[gates];
    return gate->low > -(double)HUGE_VAL || gate->high < (double)HUGE_VAL;
}

bool wadi_land_measure_passes(const wadi_land_measure* measure, wadi_land_gates gates, double value)
{
    const wadi_land_gate* gate = &measure->gates[gates];
    const bool is_change = measure->offset >= offsetof(wadi_land_forms, relief_kept);
    return !wadi_land_measure_is_gated(measure, gates) || (is_change && isnan(value)) ||
           (value >= gate->low && value <= gate->high);
}

int32_t wadi_land_forms_failed(const wadi_land_forms* forms, wadi_land_gates gates)
{
    int32_t failed = 0;
    for (int32_t i = 0; i < WADI_COUNT(gates_table); ++i)
    {
        const double value = wadi_land_measure_value(&gates_table[i], forms);
        failed += wadi_land_measure_passes(&gates_table[i], gates, value) ? 0 : 1;
    }
    return failed;
}
