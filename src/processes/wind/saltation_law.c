// SPDX-License-Identifier: MIT
// Constants of one wind. docs/theory/wind.md gives the source of each.
#include "core/dmath.h"
#include "laws/sand/sand_flux.h"
#include "processes/wind/saltation_state.h"

#include <math.h>

// Initial dune spacing that the constants below give, and default. The saturation length is 2 m and
// the drag length p v_f / g = 2.04 m. All lengths scale with feature_size over this.
static const double law_reference_feature = 56.0; // [m]
static const double law_gravity = 9.81;

// Lengths of the slope memories and the weight of each scale. Look-aheads are twice as long, so
// that the difference of two points does not ring. A hill of any size slows the wind upwind of it
// as much as it speeds it up, so look-aheads have similar weights (the 1/|k| of the linear law).
// Short memories weigh more, which moves the fastest wind upwind of crests.
static const double law_memories[SALTATION_SCALES] = {6.1, 18.3, 55.0}; // [m]
static const double law_memory_weights[SALTATION_SCALES] = {1.0, 0.5, 0.5};
static const double law_ahead_weights[SALTATION_SCALES] = {0.8, 1.0, 1.0};

static const double law_adjust = 2.0;    // [m] saturation length of the load
static const double law_layer = 0.2;     // [m] thickness of the saltation layer
static const double law_bare = 0.02;     // [m] sand below which a cell is rock
static const double law_life = 400.0;    // [m] path of a parcel where edges are periodic
static const double law_max_slope = 0.6; // cap of slopes in the speed-up
static const double law_take = 0.1;      // largest share of a cell's sand lifted in one visit
static const double law_fresh = 0.3;     // wear by an empty parcel, share of a saturated load

static const double law_lid = 1000.0; // [m] height of the boundary layer, the ceiling of dust

static const double law_finest_cells = 14.0; // smallest number of cells per feature
static const double law_coarse_cells = 28.0; // default where those are not reached

// Relaxation per cell with relaxation length `cells`.
static float law_share(double cells)
{
    return (float)(1.0 - wadi_exp(-1.0 / cells));
}

double wadi_saltation_law_flux(const saltation* s, double speed)
{
    return wadi_sand_saturated(s->params.flux, s->params.threshold, speed);
}

static void law_scales(saltation* s)
{
    saltation_law* law = &s->law;
    for (int i = 0; i < SALTATION_SCALES; ++i)
    {
        const double memory = law_memories[i] * s->scale;
        const double ahead = 2.0 * memory;
        law->remember[i] = law_share(memory);
        law->memory_gain[i] = (float)(s->params.memory_gain * law_memory_weights[i]);
        law->ahead_x[i] = (float)(ahead * (double)law->ex);
        law->ahead_y[i] = (float)(ahead * (double)law->ey);
        law->ahead_slope[i] = (float)(1.0 / ahead);
        law->ahead_gain[i] = (float)(s->params.ahead_gain * law_ahead_weights[i]);
    }
}

static void law_flight(saltation* s, double speed)
{
    saltation_law* law = &s->law;
    // drag length p v_f / g of the reference wind and grain is 2.04 m
    const double drag = speed * s->params.fall_speed / law_gravity * s->scale;
    const double back = 1.0 - wadi_exp(-1.0 / drag);
    const double sinks = s->params.fall_speed - s->params.updraught;
    law->fall = (float)(sinks / speed);
    law->settle = (float)(sinks > 0.0 ? sinks / s->params.fall_speed : 0.0);
    law->lid = (float)(law_lid / s->ground->cell_size);
    law->back = (float)back;
    // 104.5: standard deviation of the sum of two random bytes
    law->jitter = (float)(s->params.turbulence * sqrt(1.0 - (1.0 - back) * (1.0 - back)) / 104.5);
    law->layer = (float)(1.0 / (law_layer * s->scale));
    law->max_slope = (float)law_max_slope;
    law->max_speedup = (float)s->params.max_speedup;
}

static void law_exchange(saltation* s, double speed, double load)
{
    saltation_law* law = &s->law;
    const double units = load * WADI_UNITS_PER_METRE;
    law->threshold = (float)wadi_sand_threshold(s->params.threshold, speed);
    // the flux has the same lower bound of the excess, so the sand that passes in a year does not
    // depend on it
    law->capacity = (float)(units / wadi_sand_excess(s->params.threshold, speed));
    law->adjust = law_share(law_adjust * s->scale);
    law->take = (float)law_take;
    law->bare = (float)(law_bare * s->scale * s->ground->cell_size * WADI_UNITS_PER_METRE);
    law->hard_bed = (float)s->params.hard_bed;
    law->wear = (float)(s->params.abrasion * s->ground->cell_size);
    law->fresh = (float)(law_fresh * units);
    law->edge_wear = (float)s->params.edge_wear;
    law->inflow = (float)(s->params.inflow * units);
    law->finish = (int32_t)(3.0 * law_adjust * s->scale) + 1;
}

static void law_grid(saltation* s)
{
    const wadi_ground* ground = s->ground;
    const uint64_t seed = wadi_terrain_seed(s->terrain);
    saltation_law* law = &s->law;
    law->width = (float)ground->width;
    law->height = (float)ground->height;
    law->wrap_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC ? law->width : 0.0f;
    law->wrap_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC ? law->height : 0.0f;
    law->stride = ground->width + 2;
    law->stream = s->stream;
    law->seed_low = (uint32_t)seed;
    law->seed_high = (uint32_t)(seed >> 32);
}

// The lengths as they are, or enlarged to those that the cells resolve well.
static double law_default_feature(const saltation* s)
{
    const double cell = s->ground->cell_size;
    if (law_finest_cells * cell <= law_reference_feature)
    {
        return law_reference_feature;
    }
    const double feature = law_coarse_cells * cell;
    wadi_log_line(
        s->context,
        "cells of %g m are too coarse for dunes that begin %g m apart: wind takes "
        "feature_size %g m, and all its lengths %.3g times as long; take cells of at most "
        "%g m, or give feature_size",
        cell, law_reference_feature, feature, feature / law_reference_feature,
        law_reference_feature / law_finest_cells);
    return feature;
}

wadi_result wadi_saltation_law_create(saltation* s)
{
    const double cell = s->ground->cell_size;
    const double least = law_finest_cells * cell;
    const double given = s->params.feature_size;
    WADI_CHECK(s->context, given <= 0.0 || given >= least, WADI_ERROR_RANGE,
               "feature_size %g m is too fine for cells of %g m: give at least %g m, or 0", given,
               cell, least);
    const double feature = given > 0.0 ? given : law_default_feature(s);
    s->feature = feature / cell;
    s->scale = feature / law_reference_feature / cell;
    const double batches = floor(law_life * s->scale / SALTATION_STEPS + 0.5);
    s->life = (int32_t)(batches > 1.0 ? batches : 1.0) * SALTATION_STEPS;
    law_grid(s);
    return WADI_OK;
}

void wadi_saltation_law_set(saltation* s, const wind_spell* wind, double load)
{
    const wind_heading heading = wadi_wind_heading(wind->direction);
    s->law.ex = heading.x;
    s->law.ey = heading.y;
    law_scales(s);
    law_flight(s, wind->speed);
    law_exchange(s, wind->speed, load);
}
