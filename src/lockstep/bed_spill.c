// SPDX-License-Identifier: MIT
// Distributes matter beyond the limits of bed_plan.c. Excess of a cell that has been filled above
// all its neighbours goes to their sums, for the next round. A deficit is taken from the
// neighbours, which stand higher. Both are rare (1 cell in 100) and sums of integers, so their
// order does not matter.
#include "lockstep/bed_internal.h"

typedef struct spill_ring
{
    int64_t cells[8];
    int32_t count;
} spill_ring;

static spill_ring spill_neighbours(const particle_bed* bed, int32_t x, int32_t y)
{
    spill_ring ring = {.count = 0};
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t cell = wadi_bed_neighbour(bed, x, y, k);
        if (cell >= 0)
        {
            ring.cells[ring.count++] = cell;
        }
    }
    return ring;
}

static void spill_cell(const particle_bed* bed, particle_worker* worker, int32_t x, int32_t y)
{
    const int64_t cell = (int64_t)y * bed->ground->width + x;
    const int32_t spill = bed->spills[cell];
    const spill_ring ring = spill_neighbours(bed, x, y);
    const int32_t share = ring.count > 0 ? spill / ring.count : 0;
    const int32_t remainder = spill - share * ring.count; // of the integer division; stays here
    if (spill > 0)
    {
        for (int32_t i = 0; i < ring.count; ++i)
        {
            bed->workers[0].cells[ring.cells[i]].sum += share;
        }
        bed->changes[cell] += remainder;
        return;
    }
    for (int32_t i = 0; i < ring.count; ++i)
    {
        bed->changes[ring.cells[i]] += share;
    }
    bed->changes[cell] += remainder - spill;
    worker->deficit -= spill;
}

static void spill_row(const particle_bed* bed, particle_worker* worker, int32_t y)
{
    const int32_t width = bed->ground->width;
    const uint8_t* flags = bed_spill_flags(bed, y);
    for (int32_t x = 0; x < width; ++x)
    {
        if (flags[x / BED_CHUNK] == 0)
        {
            x += BED_CHUNK - 1;
        }
        else if (bed->spills[(int64_t)y * width + x] != 0)
        {
            spill_cell(bed, worker, x, y);
        }
    }
}

typedef struct spill_job
{
    const particle_bed* bed;
    int32_t first; // block of rows
    int32_t every;
} spill_job;

static void spill_block(int64_t block, int32_t worker, void* user)
{
    const spill_job* job = user;
    const int32_t begin = (job->first + (int32_t)block * job->every) * BED_GRAIN;
    const int32_t height = job->bed->ground->height;
    const int32_t end = begin + BED_GRAIN < height ? begin + BED_GRAIN : height;
    for (int32_t y = begin; y < end; ++y)
    {
        spill_row(job->bed, &job->bed->workers[worker], y);
    }
}

// A spill writes to the next row, so blocks that run at the same time are a block apart. The last
// block runs alone: across a periodic edge it touches the first.
void wadi_bed_spill(particle_bed* bed)
{
    const int32_t blocks = (bed->ground->height - 1) / BED_GRAIN + 1;
    const int32_t paired = blocks - 1;
    spill_job even = {bed, 0, 2};
    spill_job odd = {bed, 1, 2};
    spill_job last = {bed, paired, 1};
    wadi_parallel_blocks(bed->context, (paired + 1) / 2, spill_block, &even);
    wadi_parallel_blocks(bed->context, paired / 2, spill_block, &odd);
    wadi_parallel_blocks(bed->context, 1, spill_block, &last);
}
