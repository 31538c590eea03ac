// SPDX-License-Identifier: MIT
// Traces of the grid in channels and ridges. Directions are those of the grid, in cells, so that
// they are the same for oblong cells.
#include "maps/judge/land_forms_internal.h"

enum
{
    TRACE_STRAIGHT = 8, // steps in one direction
    TRACE_REACH = 10,   // steps of a reach
    TRACE_CELLS = 100,  // least drainage
    TRACE_TRUNK = 10    // times as much drains a trunk
};

static const double trace_drainage = 3e5;   // least drainage [m2]
static const double trace_tangent = 0.0699; // of 4 degrees

// Counts along channels.
typedef struct trace_counts
{
    double cells;     // with eight steps downstream
    double straight;  // of them in one direction
    double reaches;   // of ten steps
    double octal;     // of them along the grid
    double diagonals; // steps
    double cornered;  // of them between two higher corner cells
    double longest;   // run of a trunk along an axis [steps]
} trace_counts;

// Steps in the direction of the first one, up to `most`; 0 if the way ends before `most` steps.
static int32_t trace_run(const land_drainage* d, int64_t cell, int32_t most)
{
    int32_t run = 0;
    bool straight = true;
    int64_t at = cell;
    for (int32_t k = 0; k < most; ++k)
    {
        if (d->towards[at] == LAND_NOWHERE)
        {
            return 0;
        }
        straight = straight && d->towards[at] == d->towards[cell];
        run += straight ? 1 : 0;
        at = land_receiver(d, at);
    }
    return run;
}

// Whether the end of a reach lies within 4 degrees of one of the eight ways: then the tangent of
// the angle to the nearest axis or diagonal is small. False for a reach that returns.
static bool trace_is_octal(int32_t east, int32_t south)
{
    const double x = fmax(fabs((double)east), fabs((double)south));
    const double y = fmin(fabs((double)east), fabs((double)south));
    const bool axis = y <= trace_tangent * x;
    const bool diagonal = x - y <= trace_tangent * (x + y);
    return x > 0.0 && (axis || diagonal);
}

static void trace_count_reach(const land_drainage* d, int64_t cell, trace_counts* counts)
{
    const int32_t width = d->grid->width;
    int64_t at = cell;
    for (int32_t k = 0; k < TRACE_REACH; ++k)
    {
        if (d->towards[at] == LAND_NOWHERE)
        {
            return;
        }
        at = land_receiver(d, at);
    }
    counts->reaches += 1.0;
    counts->octal +=
        trace_is_octal((int32_t)(at % width - cell % width), (int32_t)(at / width - cell / width))
            ? 1.0
            : 0.0;
}

// The two cells beside a diagonal step, against the higher of the two ends.
static void trace_count_corners(const land_drainage* d, int64_t cell, trace_counts* counts)
{
    const int direction = d->towards[cell];
    if (direction == LAND_NOWHERE || (direction & 1) == 0)
    {
        return;
    }
    const float* z = d->grid->z;
    const int64_t beside = cell + land_east[direction];
    const int64_t below = cell + (int64_t)land_south[direction] * d->grid->width;
    const double channel =
        fmax((double)(d->sign * z[cell]), (double)(d->sign * z[land_receiver(d, cell)])) +
        d->grid->least;
    counts->diagonals += 1.0;
    counts->cornered +=
        (double)(d->sign * z[beside]) > channel && (double)(d->sign * z[below]) > channel ? 1.0
                                                                                          : 0.0;
}

static void trace_count_run(const land_drainage* d, int64_t cell, trace_counts* counts)
{
    const int direction = d->towards[cell];
    if (direction == LAND_NOWHERE || (direction & 1) != 0)
    {
        return;
    }
    double run = 0.0;
    for (int64_t at = cell; d->towards[at] == direction; at = land_receiver(d, at))
    {
        run += 1.0;
    }
    counts->longest = fmax(counts->longest, run);
}

static trace_counts trace_count(const land_drainage* d)
{
    const double area = d->grid->dx * d->grid->dy;
    const double channel = fmax(trace_drainage / area, (double)TRACE_CELLS);
    trace_counts counts = {0};
    for (int64_t q = 0; q < d->count; ++q)
    {
        const int64_t cell = d->order[q];
        if ((double)d->area[cell] < channel)
        {
            continue;
        }
        const int32_t run = trace_run(d, cell, TRACE_STRAIGHT);
        counts.cells += run > 0 ? 1.0 : 0.0;
        counts.straight += run == TRACE_STRAIGHT ? 1.0 : 0.0;
        trace_count_reach(d, cell, &counts);
        trace_count_corners(d, cell, &counts);
        if ((double)d->area[cell] >= TRACE_TRUNK * channel)
        {
            trace_count_run(d, cell, &counts);
        }
    }
    return counts;
}

static double trace_share(double part, double whole)
{
    return whole > 0.0 ? part / whole : (double)NAN;
}

void wadi_land_trace(const land_drainage* down, const land_drainage* up, wadi_land_forms* out)
{
    const trace_counts channels = trace_count(down);
    out->corner = trace_share(channels.cornered, channels.diagonals);
    out->straight8 = trace_share(channels.straight, channels.cells);
    out->octal = trace_share(channels.octal, channels.reaches);
    out->trunk_run = channels.cells > 0.0 ? channels.longest : (double)NAN;
    const trace_counts ridges = trace_count(up);
    out->ridge_straight8 = trace_share(ridges.straight, ridges.cells);
    out->ridge_octal = trace_share(ridges.octal, ridges.reaches);
}
