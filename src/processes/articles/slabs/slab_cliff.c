// SPDX-License-Identifier: MIT
// Eddies in front of cliffs. Where wind meets a wall, it turns back along the ground, up to about
// the height of the wall away from it (Tsoar 1983). The eddy carries sand away from the wall,
// against the arriving sand. So a dune forms with a bare strip between it and the wall: an echo
// dune. Only the wind is computed here; the dune follows from it.
//
// The eddy covers the ground that the wall would shelter from a wind of the opposite direction with
// a shelter angle of 55 degrees, which is 0.7 of the wall's height wide. Gentler slopes have no
// eddy, and sand climbs them.
#include "processes/articles/slabs/slab_cliff.h"

#include "laws/wind/airflow_local.h"

#include <math.h>
#include <string.h>

enum
{
    CLIFF_GRAIN = 16 // rows of a block
};

// The eddy grows from none to full strength between these slopes of the rock [degree].
#define CLIFF_BEGIN 53.0
#define CLIFF_FULL 55.0

// Difference of the rock between a cell and its neighbour to the east or the south, across periodic
// edges too [units]; 0 where one of them does not exist.
static float cliff_step(const wadi_ground* ground, int32_t x, int32_t y, wadi_side side)
{
    const bool east = side == WADI_SIDE_EAST;
    const bool wraps = ground->edges[side] == WADI_EDGE_PERIODIC;
    const int32_t to_x = east && x + 1 == ground->width && wraps ? 0 : x + east;
    const int32_t to_y = !east && y + 1 == ground->height && wraps ? 0 : y + !east;
    const int64_t here = (int64_t)y * ground->width + x;
    const int64_t there = (int64_t)to_y * ground->width + to_x;
    if (to_x == ground->width || to_y == ground->height || ground->valid[here] == 0 ||
        ground->valid[there] == 0)
    {
        return 0.0f;
    }
    return fabsf((float)ground->bedrock[here] - (float)ground->bedrock[there]);
}

typedef struct cliff_job
{
    const wadi_ground* ground;
    atomic_bool found;
} cliff_job;

static void cliff_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    cliff_job* job = user;
    const wadi_ground* ground = job->ground;
    const float wall = 1.33f * (float)(ground->cell_size * WADI_UNITS_PER_METRE); // 53 degrees
    float steepest = 0.0f;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const float east = cliff_step(ground, x, y, WADI_SIDE_EAST);
            const float south = cliff_step(ground, x, y, WADI_SIDE_SOUTH);
            const float steeper = east > south ? east : south;
            steepest = steeper > steepest ? steeper : steepest;
        }
    }
    if (steepest > wall)
    {
        atomic_store_explicit(&job->found, true, memory_order_relaxed);
    }
}

// Is there a step of rock that is as steep as a cliff, in any window?
static bool cliff_stands(const slab_bed* bed)
{
    cliff_job job = {.ground = bed->ground};
    wadi_parallel_rows(bed->context, bed->ground->height, CLIFF_GRAIN, cliff_rows, &job);
    return wadi_partition_any(bed->ground->part,
                              atomic_load_explicit(&job.found, memory_order_relaxed));
}

static wadi_result cliff_set_places(const slab_bed* bed)
{
    return bed->behind != NULL && bed->back != NULL
               ? wadi_airflow_set_table(bed->behind, AIRFLOW_TABLE_LOCAL_WINDS, bed->back,
                                        bed->back_count)
               : WADI_OK;
}

wadi_result wadi_slab_cliff_look(slab_bed* bed, wadi_terrain* terrain)
{
    bed->has_cliffs = cliff_stands(bed);
    if (!bed->has_cliffs || bed->behind != NULL)
    {
        return WADI_OK;
    }
    const airflow_law law = {.speedup_limit = 1.0,
                             .warp_wide_share = 1.0,
                             .lee_begin = CLIFF_BEGIN,
                             .lee_full = CLIFF_FULL};
    WADI_TRY(wadi_airflow_create(terrain, &law, bed->stream, &bed->behind));
    return cliff_set_places(bed);
}

wadi_result wadi_slab_cliff_place(slab_bed* bed, const double* rows, int32_t count)
{
    if (rows == NULL || count < 1)
    {
        return WADI_OK;
    }
    double* back;
    WADI_ALLOC(bed->context, back, (int64_t)count * AIRFLOW_LOCAL_COLUMNS, "winds of places");
    memcpy(back, rows, (size_t)count * AIRFLOW_LOCAL_COLUMNS * sizeof *back);
    for (int32_t i = 0; i < count; ++i)
    {
        double* direction = &back[i * AIRFLOW_LOCAL_COLUMNS + AIRFLOW_LOCAL_DIRECTION];
        *direction += *direction < 180.0 ? 180.0 : -180.0;
    }
    wadi_free(bed->context, bed->back);
    bed->back = back;
    bed->back_count = count;
    return cliff_set_places(bed);
}

wadi_result wadi_slab_cliff_blow(slab_bed* bed, const airflow_wind* wind)
{
    bed->eddy = NULL;
    if (bed->has_cliffs)
    {
        const double back = wind->direction < 180.0 ? 180.0 : -180.0;
        const airflow_wind against = {wind->direction + back, wind->speed, wind->years};
        WADI_TRY(wadi_airflow_blow(bed->behind, &against));
        bed->eddy = wadi_airflow_view(bed->behind).shelter;
    }
    return WADI_OK;
}
