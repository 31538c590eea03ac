// SPDX-License-Identifier: MIT
// What does not fit where it is. A cell with excess has been filled above all its neighbours: the
// rest goes off to them and waits there for the next round. A debt is shared by the neighbours,
// which stand higher. Both are rare (1 cell in 100), exact, and sums of integers: their order is of
// no account.
#include "hydraulic/droplet_settle.h"

typedef struct spill_ring
{
    int64_t cells[8];
    int32_t count;
} spill_ring;

static spill_ring spill_look(const wadi_droplets* droplets, int32_t x, int32_t y)
{
    spill_ring ring = {.count = 0};
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t cell = droplet_neighbour(droplets, x, y, k);
        if (cell >= 0)
        {
            ring.cells[ring.count++] = cell;
        }
    }
    return ring;
}

static void spill_cell(const wadi_droplets* droplets, droplet_worker* worker, int32_t x, int32_t y)
{
    const int64_t cell = (int64_t)y * droplets->ground->width + x;
    const int32_t spill = droplets->spills[cell];
    const spill_ring ring = spill_look(droplets, x, y);
    const int32_t share = ring.count > 0 ? spill / ring.count : 0;
    const int32_t remainder = spill - share * ring.count; // whole units: it stays here
    if (spill > 0)
    {
        for (int32_t i = 0; i < ring.count; ++i)
        {
            droplets->workers[0].sums[ring.cells[i]] += share;
        }
        droplets->changes[cell] += remainder;
        return;
    }
    for (int32_t i = 0; i < ring.count; ++i)
    {
        droplets->changes[ring.cells[i]] += share;
    }
    droplets->changes[cell] += remainder - spill;
    worker->owed -= spill;
}

static void spill_row(const wadi_droplets* droplets, droplet_worker* worker, int32_t y)
{
    const int32_t width = droplets->ground->width;
    const uint8_t* flags = droplet_spill_flags(droplets, y);
    for (int32_t x = 0; x < width; ++x)
    {
        if (flags[x / DROPLET_CHUNK] == 0)
        {
            x += DROPLET_CHUNK - 1;
        }
        else if (droplets->spills[(int64_t)y * width + x] != 0)
        {
            spill_cell(droplets, worker, x, y);
        }
    }
}

typedef struct spill_job
{
    const wadi_droplets* droplets;
    int32_t first; // block of rows
    int32_t every;
} spill_job;

static void spill_block(int64_t block, int32_t worker, void* user)
{
    const spill_job* job = user;
    const int32_t begin = (job->first + (int32_t)block * job->every) * DROPLET_GRAIN;
    const int32_t height = job->droplets->ground->height;
    const int32_t end = begin + DROPLET_GRAIN < height ? begin + DROPLET_GRAIN : height;
    for (int32_t y = begin; y < end; ++y)
    {
        spill_row(job->droplets, &job->droplets->workers[worker], y);
    }
}

// A spill reaches into the next row: blocks that run at once are a block apart. The last one, which
// touches the first across a periodic edge, runs alone.
void droplet_spill(wadi_droplets* droplets)
{
    const int32_t blocks = (droplets->ground->height - 1) / DROPLET_GRAIN + 1;
    const int32_t paired = blocks - 1;
    spill_job even = {droplets, 0, 2};
    spill_job odd = {droplets, 1, 2};
    spill_job last = {droplets, paired, 1};
    wadi_parallel_blocks(droplets->context, (paired + 1) / 2, spill_block, &even);
    wadi_parallel_blocks(droplets->context, paired / 2, spill_block, &odd);
    wadi_parallel_blocks(droplets->context, 1, spill_block, &last);
}
