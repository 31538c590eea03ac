// SPDX-License-Identifier: MIT
// Internals of slab transport (Paris et al. 2019, after Werner 1995). A step is synchronous: slabs
// fly over the ground as it was at the start of the step, and the sand that they lift and lay down
// is summed in integers, so the order of cells and the number of threads do not change a bit.
//
// One step, in order:
//     air      wind and shelter of every cell            (src/laws/wind)
//     survey   hop, probability of rest, lift by cell    slab_survey.c
//     flight   lift, hop, bounce, come to rest           slab_flight.c, slab_inflow.c, slab_flock.c
//     settle   sand changes place, rock is worn          slab_settle.c
//     creep    grains struck roll to lower neighbours    slab_creep.c
//     slides   slopes above repose slide                 src/laws/slopes
//
// With slab_turns above 1, each turn does all of this for the cells drawn for it at random.
#pragma once

#include "core/internal.h"
#include "core/random.h"
#include "laws/sand/sand_skin.h"
#include "laws/slopes/talus.h"
#include "laws/wind/airflow.h"

#include <stdatomic.h>

// Survey of a cell.
typedef struct slab_site
{
    float hop_x;  // to the next landing, eastwards [cells]
    float hop_y;  // southwards
    float settle; // probability of coming to rest here
    int32_t lift; // [units] that leaves in this step
} slab_site;

// Numbers of one step. Heights in units, lengths in cells.
typedef struct slab_law
{
    float hop;       // [cells per m/s]
    float spread;    // of hops about their mean, as a share of it
    float threshold; // [m/s] that lifts dry sand
    sand_skin_law skin;
    bool common;       // slabs are as thick as the common law of flux asks for
    float gain;        // of the thickness of slabs by that law [m/s]
    int32_t slab;      // [units] lifted where sand is enough
    int32_t inflow;    // [units] that land in a cell behind an open edge, above the threshold
    float speed;       // [m/s] of the wind of the map
    float inflow_gain; // by the common law: of what lands there [units m/s]
    float settle_sand; // probabilities of coming to rest on bare ground
    float settle_rock;
    float creep;      // grains set rolling per grain that lands, slope and cell^-1
    float wear;       // [1] rock worn of full wear per unit bounced and m/s
    float wear_limit; // [units] in a step
    // Rock is taken in pieces this many times as thick, in as many fewer steps: 4 mm/yr are only 7
    // units in a step, and hardness rounds each piece down by 0.5 units on average.
    uint32_t wear_seldom;
    int32_t bare_depth; // [units] of sand that still lets grains strike rock
    uint32_t index;     // of the step
    uint32_t turns;     // parts of a step, each with other cells that give slabs
    uint32_t turn;      // the current one
} slab_law;

// The part of the grid that the arrays hold: all of it, but in windows.
typedef struct slab_field
{
    int32_t x; // column and row of the whole grid of the first cell; below 0 beyond periodic edges
    int32_t y;
    int32_t width; // of a row of the arrays
    float west;    // slabs within these bounds are over cells of the arrays
    float east;
    float north;
    float south;
} slab_field;

typedef struct slab_creep slab_creep;
typedef struct slab_riders slab_riders;
typedef struct slab_flock_kernels slab_flock_kernels;

typedef struct slab_bed
{
    wadi_context* context;
    wadi_ground* ground;
    uint64_t seed;
    uint32_t stream;
    slab_law law;
    slab_field field;
    slab_riders* riders; // slabs that leave a window; NULL: the whole grid
    airflow_view air;
    wadi_airflow* behind; // for eddies before cliffs; NULL before the first cliff
    double* back;         // local winds turned round, for `behind`; NULL: none
    int32_t back_count;   // rows
    bool has_cliffs;      // at the begin of this step
    const float* eddy;    // [1] 1: the wind blows back; NULL: nowhere
    slab_site* sites;
    // sand that came to a cell in this step: at rest (low half), and bounced (high half) [units]
    _Atomic uint64_t* landings;
    int32_t* struck; // [units] that struck the cell and may set grains rolling
    float* flow_x;   // sum over steps of sand set in motion x hop [units x cells], eastwards
    float* flow_y;   // southwards
    int64_t* worn;   // [units] of rock since the start
    sand_top* top;   // crust, coarse grains, dry sand; NULL: there are none
    float* passed;   // sand set in motion x hop since the top aged [units x cells]; NULL: no top
    slab_creep* creep;
    const slab_flock_kernels* flock;
    wadi_tally* tallies; // by worker
} slab_bed;

// Independent random words: a purpose, a cell, a step.
enum slab_purpose
{
    SLAB_FLIGHT,
    SLAB_INFLOW,
    SLAB_WEAR,
    SLAB_TURN
};

// Number of a cell in the whole grid.
static inline int64_t slab_number(const slab_bed* bed, int64_t cell)
{
    const wadi_ground* ground = bed->ground;
    return ground->part != NULL ? wadi_ground_number(ground, (int32_t)(cell % ground->width),
                                                     (int32_t)(cell / ground->width))
                                : cell;
}

static inline wadi_philox slab_random(const slab_bed* bed, enum slab_purpose purpose, int64_t cell,
                                      uint32_t round)
{
    const uint64_t number = (uint64_t)slab_number(bed, cell);
    const uint64_t entity = number | (uint64_t)purpose << 40 | (uint64_t)round << 44;
    return wadi_random(bed->seed, bed->stream, entity, bed->law.index);
}

// All loose matter of a cell counts as sand [units].
static inline int32_t slab_sand(const wadi_ground* ground, int64_t cell)
{
    int32_t sand = ground->loose[0][cell];
    for (int32_t i = 1; i < ground->loose_count; ++i)
    {
        sand += ground->loose[i][cell];
    }
    return sand;
}

// Cells that follow each other in the arrays and in the whole grid.
typedef void slab_run_fn(const slab_bed* bed, int64_t first, int64_t count, wadi_tally* tally);

// Call `fn` for all cells of some rows that the bed owns.
void wadi_slab_runs(const slab_bed* bed, int32_t begin, int32_t end, int32_t worker,
                    slab_run_fn* fn);

// The field of a ground.
slab_field wadi_slab_field(const wadi_ground* ground);

// All of these but flights leave ghosts as they are.
void wadi_slab_survey(slab_bed* bed);
void wadi_slab_settle(slab_bed* bed);
// Flights may fail: memory runs out, or another window has failed.
wadi_result wadi_slab_fly(slab_bed* bed);
wadi_result wadi_slab_flow_in(slab_bed* bed);

wadi_result wadi_slab_top_create(slab_bed* bed, wadi_terrain* terrain, const sand_top_law* law);
void wadi_slab_top_note(const slab_bed* bed);
wadi_result wadi_slab_top_age(const slab_bed* bed, double years);
