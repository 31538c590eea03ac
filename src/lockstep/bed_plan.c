// SPDX-License-Identifier: MIT
// Plan a round's changes. The new level of a cell is limited by its frozen neighbours: at most
// `slack` below the lowest and above the highest. bed_spill.c distributes the rest.
//
// Without the limits, 2 000 droplets on frozen 256 x 256 noise pile up 27 times its relief.
#include "lockstep/bed_internal.h"

#include <string.h>

// Most that a cell may rise above its highest neighbour or fall below its lowest in a round
// [cells]. With 0 plains take no sediment; 0.1 keeps the mean change within 1 % of the serial one.
static const double plan_slack = 0.1;

// Add one row of the sums of all workers to worker 0; freezing clears the others.
static void plan_gather(const particle_bed* bed, int64_t first)
{
    particle_cell* cells = bed->workers[0].cells + first;
    for (int32_t w = 1; w < bed->worker_count; ++w)
    {
        particle_cell* part = bed->workers[w].cells + first;
        for (int32_t x = 0; x < bed->ground->width; ++x)
        {
            cells[x].sum += part[x].sum;
        }
    }
}

static void plan_row(const particle_bed* bed, int32_t y, int32_t slack)
{
    const int32_t width = bed->ground->width;
    const int64_t first = (int64_t)y * width;
    const bed_plan_rows rows = {
        .north = particle_bed_levels(bed, y - 1),
        .own = particle_bed_levels(bed, y),
        .south = particle_bed_levels(bed, y + 1),
        .cells = bed->workers[0].cells + first,
        .visits = bed->visits + first,
        .changes = bed->changes + first,
        .spills = bed->spills + first,
    };
    uint8_t* flags = bed_spill_flags(bed, y);
    for (int32_t chunk = 0; chunk < bed_chunks(bed); ++chunk)
    {
        const int32_t begin = chunk * BED_CHUNK;
        const int32_t count = width - begin < BED_CHUNK ? width - begin : BED_CHUNK;
        flags[chunk] = (uint8_t)bed->kernels->plan(&rows, begin, count, slack);
    }
}

static void plan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const particle_bed* bed = user;
    const double half_units = plan_slack * bed->ground->cell_size * WADI_UNITS_PER_METRE / 2.0;
    const int32_t slack = half_units < 1e8 ? (int32_t)half_units : 100000000;
    for (int32_t y = begin; y < end; ++y)
    {
        plan_gather(bed, (int64_t)y * bed->ground->width);
        plan_row(bed, y, slack);
    }
}

void wadi_bed_plan(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, plan_rows, bed);
}
