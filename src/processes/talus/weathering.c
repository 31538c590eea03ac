// SPDX-License-Identifier: MIT
// Rock under cover H turns to sediment at the rate W = W0 exp(-H / H0) (Heimsath et al. 1997). One
// volume of rock makes one of sediment, so H grows by the amount produced. Over a time t this is
//     produced = H0 ln(1 + (W0 t / H0) exp(-H / H0))
// exactly, for any step. W0 is normal to the face. The vertical rate is W0 sqrt(1 + S^2), so a
// cliff of any height retreats by W0 a year.
#include "processes/talus/weathering.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "core/random.h"
#include "laws/slopes/soil_law.h"

#include <math.h>

enum
{
    WEATHERING_GRAIN = 16 // rows a block
};

typedef struct weathering_job
{
    const weathering* w;
    float gain; // W0 t / H0
    uint32_t step;
} weathering_job;

// Surface of a neighbour, or of the cell itself if there is no neighbour.
static int32_t weathering_neighbour(const wadi_ground* ground, int32_t x, int32_t y, int32_t dx,
                                    int32_t dy)
{
    const bool wraps_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    int32_t nx = x + dx;
    int32_t ny = y + dy;
    nx = wraps_x ? (nx + ground->width) % ground->width : nx;
    ny = wraps_y ? (ny + ground->height) % ground->height : ny;
    const bool inside = nx >= 0 && ny >= 0 && nx < ground->width && ny < ground->height;
    const int64_t cell = (int64_t)y * ground->width + x;
    const int64_t there = (int64_t)ny * ground->width + nx;
    return wadi_ground_surface(ground, inside && ground->valid[there] != 0 ? there : cell);
}

// The steepest descent from a cell.
typedef struct weathering_face
{
    float slope; // [m/m]
    float drop;  // [units] to the lowest neighbour along the axes
} weathering_face;

static weathering_face weathering_face_of(const wadi_ground* ground, int32_t x, int32_t y)
{
    const float here = (float)weathering_neighbour(ground, x, y, 0, 0);
    const float west = here - (float)weathering_neighbour(ground, x, y, -1, 0);
    const float east = here - (float)weathering_neighbour(ground, x, y, 1, 0);
    const float north = here - (float)weathering_neighbour(ground, x, y, 0, -1);
    const float south = here - (float)weathering_neighbour(ground, x, y, 0, 1);
    const float along = fmaxf(fmaxf(west, east), 0.0f);
    const float across = fmaxf(fmaxf(north, south), 0.0f);
    const float scale = (float)(1.0 / (ground->cell_size * WADI_UNITS_PER_METRE));
    return (weathering_face){scale * sqrtf(along * along + across * across), fmaxf(along, across)};
}

// Sediment produced in a cell [units]. On a face too steep for debris it falls at once and leaves
// no cover. A face retreats by at most one cell.
static float weathering_produced(const weathering_job* job, int64_t cell, weathering_face face)
{
    const wadi_ground* ground = job->w->ground;
    const float scale = (float)(job->w->cover * WADI_UNITS_PER_METRE);
    const float cover = (float)(wadi_ground_surface(ground, cell) - ground->bedrock[cell]);
    const float z = job->gain * sqrtf(1.0f + face.slope * face.slope) * wadi_expf(-cover / scale);
    return face.slope > job->w->steep ? fminf(scale * z, face.drop) : scale * soil_log1p(z);
}

// Rounded up or down at random, so that small amounts add up correctly.
static int32_t weathering_amount(const weathering_job* job, int32_t x, int32_t y)
{
    const weathering* w = job->w;
    const int64_t cell = (int64_t)y * w->ground->width + x;
    const uint64_t number = (uint64_t)wadi_ground_number(w->ground, x, y);
    const wadi_philox dice = wadi_random(w->seed, w->stream, number, job->step);
    const float produced = weathering_produced(job, cell, weathering_face_of(w->ground, x, y));
    const int32_t amount = (int32_t)fminf(produced + wadi_unit_float(dice.v[0]), 0x1p30f);

    // keep the bedrock above its lower limit
    const int64_t room =
        w->ground->bedrock[cell] + (int64_t)WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;
    return amount < room ? amount : (int32_t)(room > 0 ? room : 0);
}

static void weathering_plan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const weathering_job* job = user;
    const wadi_ground* ground = job->w->ground;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            job->w->amount[cell] = ground->valid[cell] != 0 ? weathering_amount(job, x, y) : 0;
        }
    }
}

// Slopes depend on neighbours, so rock changes only after all amounts are known.
static void weathering_apply_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const weathering_job* job = user;
    const weathering* w = job->w;
    const wadi_owned owned = wadi_ground_owned(w->ground);
    for (int32_t y = begin > owned.y ? begin : owned.y; y < end && y < owned.end_y; ++y)
    {
        const int64_t row = (int64_t)y * w->ground->width;
        for (int64_t cell = row + owned.x; cell < row + owned.end_x; ++cell)
        {
            const int32_t amount = w->amount[cell];
            if (amount > 0)
            {
                const int32_t produced =
                    wadi_ground_take_rock(w->ground, cell, amount, &w->tallies[worker]);
                wadi_ground_put(w->ground, cell, produced, &w->tallies[worker]);
                w->sum[cell] += produced;
            }
        }
    }
}

bool wadi_weathering_advance(wadi_context* context, const weathering* w, double years,
                             uint32_t step)
{
    weathering_job job = {w, (float)(w->rate * years / w->cover), step};
    const int32_t rows = w->ground->height;
    wadi_parallel_rows(context, rows, WEATHERING_GRAIN, weathering_plan_rows, &job);
    wadi_parallel_rows(context, rows, WEATHERING_GRAIN, weathering_apply_rows, &job);
    return wadi_ground_refresh(w->ground);
}
