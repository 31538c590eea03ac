// SPDX-License-Identifier: MIT
// A batch: every grain takes the same number of steps on frozen ground, lanes abreast. What they do
// ends in sums of integers, so the order of blocks, lanes and workers is of no account.
#include "processes/articles/wind_grains/grain_state.h"

#include <string.h>

enum
{
    RUN_BLOCK = 4 * GRAIN_LANES, // grains a block
    RUN_LIFE = 1 << 20           // steps: no grain circles in a hollow for ever
};

typedef struct run_job
{
    const wadi_grains* grains;
    int32_t steps;
    bool granted;
} run_job;

static void run_load(const grain_cell* cells, const grain* g, int32_t l, grain_lanes* lanes)
{
    const grain_cell* cell = &cells[g->cell];
    lanes->x[l] = g->x;
    lanes->y[l] = g->y;
    lanes->z[l] = g->z;
    lanes->u[l] = g->u;
    lanes->v[l] = g->v;
    lanes->w[l] = g->w;
    lanes->rest[l] = g->rest;
    lanes->fallen[l] = g->fallen;
    lanes->dust[l] = g->dust;
    lanes->level[l] = cell->level;
    lanes->lean_x[l] = cell->lean_x;
    lanes->lean_y[l] = cell->lean_y;
    lanes->sand[l] = cell->sand;
    lanes->load[l] = g->load;
    lanes->cell[l] = g->cell;
    lanes->laid[l] = 0;
    lanes->stirs[l] = 0;
    lanes->crossing[l] = 0;
    lanes->active[l] = g->state == GRAIN_FLIES ? 1 : 0;
}

// Hand over what waits for the cell where the grain stands, and bring the grain up to date.
static void run_store(const grain_lanes* lanes, int32_t l, const grain_sums* sums, grain* g)
{
    g->x = lanes->x[l];
    g->y = lanes->y[l];
    g->z = lanes->z[l];
    g->u = lanes->u[l];
    g->v = lanes->v[l];
    g->w = lanes->w[l];
    g->rest = lanes->rest[l];
    g->fallen = lanes->fallen[l];
    g->dust = lanes->dust[l];
    g->load = lanes->load[l];
    g->cell = lanes->cell[l];
    sums->cells[g->cell].moved += particle_entry(-lanes->laid[l], lanes->stirs[l]);
    sums->flags[g->cell >> GRAIN_CHUNK_BITS] = 1;
}

// Process the lanes that the kernel stopped: at an edge, or at rest. They have waited for at most a
// stride, which on frozen ground changes nothing.
static void run_finish_lanes(const run_job* job, grain_worker* worker, grain* first, int32_t count,
                             grain_lanes* lanes)
{
    const wadi_grains* grains = job->grains;
    for (int32_t l = 0; l < count; ++l)
    {
        grain* g = &first[l];
        if (lanes->active[l] != 0 || g->state != GRAIN_FLIES)
        {
            continue;
        }
        run_store(lanes, l, &worker->sums, g);
        if (lanes->crossing[l] != 0)
        {
            wadi_grain_edge_cross(grains, worker, g);
        }
        else
        {
            wadi_grain_edge_expire(grains, worker, g);
        }
        run_load(grains->land.frozen, g, l, lanes);
    }
}

static void run_group(const run_job* job, grain_worker* worker, const grain* from, grain* to,
                      int32_t count)
{
    const wadi_grains* grains = job->grains;
    const int32_t steps = job->steps;
    grain_lanes lanes;
    // lanes without a grain stand on cell 0, which is of the rim: nothing happens there
    memset(&lanes, 0, sizeof lanes);
    memcpy(to, from, (size_t)count * sizeof *to);
    for (int32_t l = 0; l < count; ++l)
    {
        run_load(grains->land.frozen, &from[l], l, &lanes);
    }
    for (int32_t done = 0; done < steps; done += GRAIN_STRIDE)
    {
        grains->kernel(&grains->law, grains->land.frozen, &worker->sums, job->granted, &lanes,
                       GRAIN_STRIDE);
        run_finish_lanes(job, worker, to, count, &lanes);
    }
    for (int32_t l = 0; l < count; ++l)
    {
        worker->steps += lanes.steps[l];
        worker->contacts += lanes.contacts[l];
        worker->lifted += lanes.lifted[l];
        if (lanes.active[l] != 0)
        {
            run_store(&lanes, l, &worker->sums, &to[l]);
            to[l].age += steps;
            if (to[l].age > RUN_LIFE)
            {
                wadi_grain_edge_expire(grains, worker, &to[l]);
            }
        }
    }
}

static void run_block(int64_t block, int32_t worker, void* user)
{
    const run_job* job = user;
    const wadi_grains* grains = job->grains;
    const int32_t begin = (int32_t)(block * RUN_BLOCK);
    const int32_t end = begin + RUN_BLOCK < grains->live ? begin + RUN_BLOCK : grains->live;
    for (int32_t i = begin; i < end; i += GRAIN_LANES)
    {
        const int32_t count = end - i < GRAIN_LANES ? end - i : GRAIN_LANES;
        run_group(job, &grains->workers[worker], &grains->pool[i], &grains->spare[i], count);
    }
}

void wadi_grain_run(wadi_grains* grains, int32_t count, bool granted)
{
    run_job job = {grains, count, granted};
    wadi_parallel_blocks(grains->context, (grains->live + RUN_BLOCK - 1) / RUN_BLOCK, run_block,
                         &job);
}
