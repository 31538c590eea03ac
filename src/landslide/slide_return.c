// SPDX-License-Identifier: MIT
// Soil comes back to the layers: each parcel is a square as large as a cell that has gone the way
// of its grain, and lies on the four cells below it by area. What has not moved falls on its own
// cell and is left alone; a block that has moved keeps its thickness, however few grains it has.
#include "landslide/landslide_internal.h"

#include <math.h>

typedef struct return_job
{
    const slide* s;
    const wadi_ground* ground;
    wadi_tally* tally;
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
    const int32_t far = INT32_MAX / 4; // grains may have flown off by any distance
    const int64_t cell = slide_land_cell(ground,
                                         (int32_t)(column < -far  ? -far
                                                   : column > far ? far
                                                                  : column),
                                         (int32_t)(row < -far  ? -far
                                                   : row > far ? far
                                                               : row));
    if (ground->valid[cell] == 0)
    {
        job->tally->out[material][WADI_SIDE_VOID] += units;
        return;
    }
    wadi_ground_lay(ground, cell, layer, units, job->tally);
}

// A square of cell size with its middle at (column, row), counted in cells between cell centres.
// Shares are rounded as sums, so that nothing is lost and no cell is off by more than a unit.
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

// ---- parcels -----------------------------------------------------------------------------

// Has the soil moved at all? What only stirs has not come loose: rock, and soil that nothing has
// set free but water that soaks in.
static bool return_has_moved(const slide* s, const slide_parcel* parcel)
{
    const double* way = s->way[parcel->grain];
    const double far2 = way[0] * way[0] + way[1] * way[1];
    const bool holds = parcel->layer == SLIDE_ROCK || s->wet != NULL;
    const double least = holds ? 0.5 * s->diameter : 0.0;
    return far2 > least * least;
}

static void return_lift(const return_job* job)
{
    const slide* s = job->s;
    for (int64_t i = 0; i < s->parcel_count; ++i)
    {
        const slide_parcel* parcel = &s->parcels[i];
        if (!return_has_moved(s, parcel))
        {
            continue;
        }
        if (parcel->layer == SLIDE_ROCK)
        {
            wadi_ground_take_promised_rock(job->ground, parcel->cell, parcel->units, job->tally);
        }
        else
        {
            wadi_ground_lift(job->ground, parcel->cell, parcel->layer, parcel->units, job->tally);
        }
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

// What is not left of a layer, beside what was cut out of it, has been taken up.
static void return_lift_bed(const return_job* job)
{
    const slide* s = job->s;
    for (int64_t c = 0; c < job->ground->cells; ++c)
    {
        int32_t cut = s->source->soil[c];
        for (int32_t l = job->ground->loose_count - 1; l >= 0; --l)
        {
            const int32_t have = job->ground->loose[l][c];
            const int32_t gives = have < cut ? have : cut;
            const int32_t taken = have - gives - s->left[l * job->ground->cells + c];
            wadi_ground_lift(job->ground, c, l, taken, job->tally);
            cut -= gives;
        }
    }
}

static void return_lay_bed(const return_job* job)
{
    const slide* s = job->s;
    const int32_t layers = job->ground->loose_count;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double* at = s->now[i].position;
        for (int32_t l = 0; l < layers; ++l)
        {
            return_spread(job, l, at[0] / job->ground->cell_size - 0.5,
                          (double)job->ground->height - at[1] / job->ground->cell_size - 0.5,
                          s->taken_up[(int64_t)i * layers + l]);
        }
    }
}

void slide_return(const slide* s, wadi_tally* tally)
{
    const return_job job = {s, wadi_terrain_ground(s->terrain), tally};
    // the bed is told from what was cut out by what lies there, so it comes first
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
