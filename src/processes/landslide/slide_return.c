// SPDX-License-Identifier: MIT
// Soil is written back to the layers. Each parcel is a square of cell size, displaced as its grain,
// and is distributed over the four cells below it by area. Parcels that have not moved are left
// alone. A block that moves as a whole keeps its thickness, even if it has few grains.
#include "processes/landslide/landslide_internal.h"

#include <math.h>

typedef struct return_job
{
    slide* s;
    const wadi_ground* ground;
    wadi_tally* tally;
    int64_t short_of[WADI_MAX_LOOSE]; // bed that others took before it was lifted [units x cells]
} return_job;

// ---- where to ----------------------------------------------------------------------------

// Lay on a cell that may lie beyond an edge.
static void return_lay(const return_job* job, int32_t layer, int64_t column, int64_t row,
                       int32_t units)
{
    const wadi_ground* ground = job->ground;
    const wadi_side across = column < 0 ? WADI_SIDE_WEST : WADI_SIDE_EAST;
    const wadi_side along = row < 0 ? WADI_SIDE_NORTH : WADI_SIDE_SOUTH;
    const bool leaves_across =
        (column < 0 || column >= ground->width) && ground->edges[across] == WADI_EDGE_OPEN;
    const bool leaves_along =
        (row < 0 || row >= ground->height) && ground->edges[along] == WADI_EDGE_OPEN;
    const int32_t material = ground->material[layer];
    if (leaves_across || leaves_along)
    {
        job->tally->out[material][leaves_across ? across : along] += units;
        return;
    }
    const int32_t far = INT32_MAX / 4; // displacements are not limited
    const int64_t cell = wadi_slide_land_cell(ground,
                                              (int32_t)(column < -far  ? -far
                                                        : column > far ? far
                                                                       : column),
                                              (int32_t)(row < -far  ? -far
                                                        : row > far ? far
                                                                    : row));
    if (ground->valid[cell] == 0)
    {
        job->tally->out[material][wadi_ground_void_side(ground, cell)] += units;
        return;
    }
    wadi_ground_lay(ground, cell, layer, units, job->tally);
}

// Distribute a square of cell size around (column, row), in cells between cell centres. Cumulative
// shares are rounded, so the sum is exact and the error of a cell is below a unit.
static void return_spread(const return_job* job, int32_t layer, double column, double row,
                          int32_t units)
{
    const double west = floor(column);
    const double north = floor(row);
    const double u = column - west;
    const double v = row - north;
    const double shares[4] = {(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v};
    double sum = 0.0;
    int32_t laid = 0;
    for (int k = 0; k < 4; ++k)
    {
        sum += shares[k];
        const int32_t due = k == 3 ? units : (int32_t)(sum * units + 0.5);
        if (due > laid)
        {
            return_lay(job, layer, (int64_t)west + k % 2, (int64_t)north + k / 2, due - laid);
        }
        laid = due > laid ? due : laid;
    }
}

void wadi_slide_spread(const wadi_ground* ground, int32_t layer, double column, double row,
                       int32_t units, wadi_tally* tally)
{
    const return_job job = {.ground = ground, .tally = tally};
    return_spread(&job, layer == SLIDE_ROCK ? 0 : layer, column, row, units);
}

// ---- parcels -----------------------------------------------------------------------------

// Has the soil moved? Rock, and soil of start "soaking", counts as moved from half a diameter on.
static bool return_has_moved(const slide* s, const slide_parcel* parcel)
{
    const double* way = s->way[parcel->grain];
    const double far2 = way[0] * way[0] + way[1] * way[1];
    const bool holds = parcel->layer == SLIDE_ROCK || s->wet != NULL;
    const double least = holds ? 0.5 * s->diameter : 0.0;
    return far2 > least * least;
}

static int32_t return_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Lift the soil that has moved. Parcels hold what was lifted.
static void return_lift(const return_job* job)
{
    slide* s = job->s;
    for (int64_t i = 0; i < s->parcel_count; ++i)
    {
        slide_parcel* parcel = &s->parcels[i];
        if (!return_has_moved(s, parcel))
        {
            continue;
        }
        if (parcel->layer == SLIDE_ROCK)
        {
            wadi_ground_take_exact_rock(job->ground, parcel->cell, parcel->units, job->tally);
            continue;
        }
        const int32_t have = job->ground->loose[parcel->layer][parcel->cell];
        parcel->units = return_least(parcel->units, have);
        wadi_ground_lift(job->ground, parcel->cell, parcel->layer, parcel->units, job->tally);
    }
}

static void return_lay_parcels(const return_job* job)
{
    const slide* s = job->s;
    for (int64_t i = 0; i < s->parcel_count; ++i)
    {
        const slide_parcel* parcel = &s->parcels[i];
        const double* way = s->way[parcel->grain];
        if (return_has_moved(s, parcel))
        {
            const int32_t layer = parcel->layer == SLIDE_ROCK ? 0 : parcel->layer;
            const double column = (double)(parcel->cell % job->ground->width);
            const double row = (double)(parcel->cell / job->ground->width);
            return_spread(job, layer, column + way[0] / job->ground->cell_size,
                          row - way[1] / job->ground->cell_size, parcel->units);
        }
    }
}

// ---- bed ---------------------------------------------------------------------------------

static void return_lift_bed(return_job* job)
{
    const slide* s = job->s;
    for (int64_t c = 0; c < job->ground->cells; ++c)
    {
        for (int32_t l = 0; l < job->ground->loose_count; ++l)
        {
            const int32_t wanted = s->entrained[l * job->ground->cells + c];
            const int32_t taken = return_least(wanted, job->ground->loose[l][c]);
            wadi_ground_lift(job->ground, c, l, taken, job->tally);
            job->short_of[l] += wanted - taken;
        }
    }
}

static void return_lay_bed(return_job* job)
{
    const slide* s = job->s;
    const int32_t layers = job->ground->loose_count;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double* at = s->now[i].position;
        for (int32_t l = 0; l < layers; ++l)
        {
            const int32_t bed = s->taken_up[(int64_t)i * layers + l];
            const int32_t lacks = job->short_of[l] < bed ? (int32_t)job->short_of[l] : bed;
            job->short_of[l] -= lacks;
            return_spread(job, l, at[0] / job->ground->cell_size - 0.5,
                          (double)job->ground->height - at[1] / job->ground->cell_size - 0.5,
                          bed - lacks);
        }
    }
}

void wadi_slide_return(slide* s, wadi_tally* tally)
{
    return_job job = {.s = s, .ground = wadi_terrain_ground(s->terrain), .tally = tally};
    if (s->left != NULL)
    {
        return_lift_bed(&job);
    }
    return_lift(&job);
    return_lay_parcels(&job);
    if (s->left != NULL)
    {
        return_lay_bed(&job);
    }
}
