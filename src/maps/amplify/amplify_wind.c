// SPDX-License-Identifier: MIT
// The wind at the ground: the stress of the dunes' law over the relief, and the direction that
// ripples face. On slopes grains that creep are pulled downslope, and the crests of ripples turn
// with them (Howard 1977).
#include "maps/amplify/amplify_internal.h"

#include "processes/dunes/flux_stress.h"

#include <math.h>

static const double wind_friction = 0.65;  // tangent of the sand's angle of friction, 33 degrees
static const double wind_most_share = 0.5; // ripples of a weaker wind are old: they stay

double wadi_amplify_threshold(const amplify_job* job)
{
    const double ratio = wadi_dunes_params_default().threshold / job->params.speed;
    return fmin(ratio * ratio, wind_most_share);
}

// Slope at a cell, towards the east or the north.
static double wind_slope(const amplify_job* job, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    const double before = job->level[wadi_amplify_cell(job->ground, x - dx, y - dy)];
    const double after = job->level[wadi_amplify_cell(job->ground, x + dx, y + dy)];
    return (after - before) / (2.0 * job->ground->cell_size);
}

// Turn the direction of a cell down the slope, and scale it to length 1.
static void wind_turn(const amplify_job* job, int32_t x, int32_t y, double stress, double pull)
{
    const int64_t cell = (int64_t)y * job->ground->width + x;
    const double held = fmax(stress, wind_most_share);
    const double east = held * (double)job->wind.east[cell] - pull * wind_slope(job, x, y, 1, 0);
    const double north = held * (double)job->wind.north[cell] - pull * wind_slope(job, x, y, 0, -1);
    const double length = sqrt(east * east + north * north);
    const bool known = length > 1e-9;
    job->wind.east[cell] = (float)(known ? east / length : job->ex);
    job->wind.north[cell] = (float)(known ? north / length : job->ey);
}

static void wind_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const amplify_job* job = user;
    const double pull = wadi_amplify_threshold(job) / wind_friction;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < job->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * job->ground->width + x;
            const double stress = fmax((double)job->wind.speed[cell], 0.0);
            job->wind.north[cell] = -job->wind.north[cell]; // it was south
            wind_turn(job, x, y, stress, pull);
            job->wind.speed[cell] = (float)sqrt(stress);
        }
    }
}

wadi_result wadi_amplify_wind_create(amplify_job* job)
{
    const int64_t cells = job->ground->cells;
    WADI_ALLOC(job->context, job->wind.memory, 3 * cells, "wind of the window");
    job->wind.speed = job->wind.memory;
    job->wind.east = job->wind.memory + cells;
    job->wind.north = job->wind.memory + 2 * cells;
    wadi_dunes_params dunes = wadi_dunes_params_default();
    dunes.direction = job->params.direction;
    dunes.speed = job->params.speed;
    const dunes_stress out = {job->wind.speed, job->wind.east, job->wind.north};
    WADI_TRY(wadi_dunes_stress(job->terrain, &dunes, &out));
    wadi_parallel_rows(job->context, job->ground->height, 16, wind_rows, job);
    return WADI_OK;
}

void wadi_amplify_wind_destroy(amplify_job* job)
{
    wadi_free(job->context, job->wind.memory);
}

double wadi_amplify_wind_at(const amplify_job* job, amplify_place at, amplify_place* along)
{
    const amplify_corners c = wadi_amplify_corners(job, at);
    double speed = 0.0;
    double east = 0.0;
    double north = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        speed += c.weights[k] * (double)job->wind.speed[c.cells[k]];
        east += c.weights[k] * (double)job->wind.east[c.cells[k]];
        north += c.weights[k] * (double)job->wind.north[c.cells[k]];
    }
    const double length = sqrt(east * east + north * north);
    const bool known = length > 1e-6;
    *along = (amplify_place){known ? east / length : job->ex, known ? north / length : job->ey};
    return speed;
}
