// SPDX-License-Identifier: MIT
// Plan a round's changes: a cell's change is its sum, held between its frozen neighbours, not lower
// than the lowest of them, nor higher than the highest, by more than the slack. What does not fit
// is left to droplet_spill.c.
//
// Without the limits, 2 000 droplets on frozen 256 x 256 noise pile up 27 times its relief.
#include "hydraulic/droplet_settle.h"

#include <string.h>

// What a cell may rise above its highest, and fall below its lowest neighbour in a round [cells].
// 0 makes plains that take no sediment; 0.1 keeps the mean change within 1 % of the serial one.
static const double plan_slack = 0.1;

// Merge one row of all workers' sums into that of the first.
static void plan_gather(const wadi_droplets* droplets, int64_t first)
{
    int64_t* sums = droplets->workers[0].sums + first;
    for (int32_t w = 1; w < droplets->worker_count; ++w)
    {
        int64_t* part = droplets->workers[w].sums + first;
        for (int32_t x = 0; x < droplets->ground->width; ++x)
        {
            sums[x] += part[x];
            part[x] = 0;
        }
    }
}

static void plan_row(const wadi_droplets* droplets, int32_t y, int32_t slack)
{
    const int32_t width = droplets->ground->width;
    const int64_t first = (int64_t)y * width;
    const droplet_plan_rows rows = {
        .north = droplet_levels_row(droplets, y - 1),
        .own = droplet_levels_row(droplets, y),
        .south = droplet_levels_row(droplets, y + 1),
        .sums = droplets->workers[0].sums + first,
        .flow = droplets->flow + first,
        .changes = droplets->changes + first,
        .spills = droplets->spills + first,
    };
    uint8_t* flags = droplet_spill_flags(droplets, y);
    for (int32_t chunk = 0; chunk < droplet_chunks(droplets); ++chunk)
    {
        const int32_t begin = chunk * DROPLET_CHUNK;
        const int32_t count = width - begin < DROPLET_CHUNK ? width - begin : DROPLET_CHUNK;
        flags[chunk] = (uint8_t)droplets->isa->plan(&rows, begin, count, slack);
    }
}

static void plan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const wadi_droplets* droplets = user;
    const double half_units = plan_slack * droplets->ground->cell_size * WADI_UNITS_PER_METRE / 2.0;
    const int32_t slack = half_units < 1e8 ? (int32_t)half_units : 100000000;
    for (int32_t y = begin; y < end; ++y)
    {
        plan_gather(droplets, (int64_t)y * droplets->ground->width);
        plan_row(droplets, y, slack);
    }
}

void droplet_plan(wadi_droplets* droplets)
{
    wadi_parallel_rows(droplets->context, droplets->ground->height, DROPLET_GRAIN, plan_rows,
                       droplets);
}
