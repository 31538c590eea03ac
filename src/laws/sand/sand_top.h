// SPDX-License-Identifier: MIT
// The uppermost centimetres of sand, for all models of wind but those of articles: a crust, coarse
// grains that the wind leaves behind, and dry sand above moist sand. Each of them is a number by
// cell that changes with time, with the sand that passes, and with erosion and deposits.
// docs/theory/sand.md has the equations and their sources.
#pragma once

#include "terrain/ground.h"
#include <wadi/archive.h>

typedef struct sand_top_law
{
    double crust_gain;     // relative rise of the threshold speed by a full crust; 0: no crusts
    double crust_start;    // strength at the start
    double crust_growth;   // [1/yr]
    double crust_rain;     // share of its water that rain brings
    double crust_abrasion; // [1/m2]
    double crust_depth;    // [m]
    double coarse_share;   // of the sand at the start
    double coarse_depth;   // of the layer at the surface that ripples mix [m]; 0: none
    double coarse_drag;    // drag coefficient of a coarse grain over that of the sand
    double dry_rate;       // [m2/yr] at which moist sand dries; 0: the surface is as moist
    double dry_depth;      // of the skin that the wind lifts [m]
    double dry_rain;       // rains that wet the surface [1/yr]
} sand_top_law;

// The law of parameters that have members of these names.
#define SAND_TOP_LAW_OF(p)                                                                         \
    {                                                                                              \
        (p)->crust_gain, (p)->crust_start, (p)->crust_growth, (p)->crust_rain,                     \
            (p)->crust_abrasion, (p)->crust_depth, (p)->coarse_share, (p)->coarse_depth,           \
            (p)->coarse_drag, (p)->dry_rate, (p)->dry_depth, (p)->dry_rain                         \
    }

typedef struct sand_top sand_top;

// Maps of the top; those from SAND_TOP_CRUST_START on are inputs.
typedef enum sand_top_map
{
    SAND_TOP_CRUST,  // strength [1]
    SAND_TOP_COARSE, // share of the surface that coarse grains cover [1]
    SAND_TOP_DRY,    // thickness of dry sand above moist sand [m]
    SAND_TOP_CRUST_START,
    SAND_TOP_COARSE_SHARE,
    SAND_TOP_MAP_COUNT
} sand_top_map;

// Rows of map tables for the maps above, in their order; `models`: the set of models that have
// them.
#define SAND_TOP_MAPS(models)                                                                      \
    {"crust", "1", "strength of the crust of the sand", false, models},                            \
        {"coarse", "1", "share of the surface that coarse grains cover", false, models},           \
        {"dry", "m", "thickness of dry sand above moist sand", false, models},                     \
        {"crust_start", "1", "strength of the crust at the start, in place of crust_start", true,  \
         models},                                                                                  \
    {                                                                                              \
        "coarse_share", "1", "share of coarse grains at the start, in place of coarse_share",      \
            true, models                                                                           \
    }

// Crusts, coarse grains and moist sand below: how a cell holds its sand against lifting. Sand in
// the air settles as over loose sand.
typedef struct sand_grip
{
    float threshold; // stress at which sand is lifted, over that of loose sand
    float share;     // of the saturated flux that the fine grains at the surface can supply
    float most;      // to lift before the surface must be looked at again [units]
} sand_grip;

#define SAND_GRIP_FREE 1e9f // `most` of loose sand: any amount

// *out is NULL if the law has no crusts, no coarse grains and no drying.
wadi_result wadi_sand_top_create(wadi_terrain* terrain, const sand_top_law* law, sand_top** out);
void wadi_sand_top_destroy(sand_top* top); // NULL is allowed

// Replace the state at the start by values of a cell, shares from 0 to 1; others are refused. A map
// of what is not switched on, or for NULL, has no effect, which is told.
wadi_result wadi_sand_top_set(wadi_context* context, sand_top* top, sand_top_map map,
                              const float* values);
// Value of a map; 0 without what it shows.
float wadi_sand_top_value(const sand_top* top, sand_top_map map, int64_t cell);

// Does it change moisture? NULL does not.
bool wadi_sand_top_dries(const sand_top* top);

sand_grip wadi_sand_top_grip(const sand_top* top, int64_t cell);
// Share of the grains at the surface that roll down a slope: neither crusted nor coarse.
float wadi_sand_top_loose(const sand_top* top, int64_t cell);
// Moisture at the surface over that below it.
double wadi_sand_top_moist(const sand_top* top, int64_t cell);

// Read the level of row y, from which the next erosion or deposit counts.
void wadi_sand_top_note_row(const sand_top* top, int32_t y);

// Time, and what has happened to a row meanwhile. Rows may age at the same time.
typedef struct sand_top_span
{
    float years;         // of the calendar
    float scale;         // [m2] of a unit of `passed`
    const float* passed; // sand that has crossed each cell; NULL: none has
} sand_top_span;

void wadi_sand_top_age_row(const sand_top* top, int32_t y, const sand_top_span* span);
// After all rows have aged: coarse grains whose sand has slid away move to the lowest neighbour.
// The ground of the halo is that of its owners. False: another window has failed.
bool wadi_sand_top_slide(const sand_top* top);

wadi_result wadi_sand_top_archive(sand_top* top, wadi_archive* archive, const wadi_ground* ground);
