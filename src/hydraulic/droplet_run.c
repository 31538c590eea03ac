// SPDX-License-Identifier: MIT
// A round: every droplet takes the same number of steps on frozen ground, lanes abreast. What they
// do ends in sums of integers, so the order of blocks, lanes and workers is of no account.
#include "hydraulic/droplet_state.h"

#include <string.h>

enum
{
    RUN_BLOCK = 4 * DROPLET_LANES // droplets a block
};

typedef struct run_job
{
    const wadi_droplets* droplets;
    const droplet_law* law; // of a round in which droplets only ask
    int32_t steps;
} run_job;

static void run_load(const particle_cell* cells, const droplet* d, int32_t l, droplet_lanes* lanes)
{
    lanes->x[l] = d->x;
    lanes->y[l] = d->y;
    lanes->u[l] = d->u;
    lanes->v[l] = d->v;
    lanes->volume[l] = d->volume;
    lanes->pull[l] = d->pull;
    lanes->rest[l] = d->rest;
    lanes->load[l] = d->load;
    lanes->cell[l] = d->cell;
    lanes->crossing[l] = 0;
    lanes->level[l] = cells[d->cell].level;
    lanes->before[l] = -1;
    lanes->normal[l] = cells[d->cell].normal;
    lanes->active[l] = droplet_has_ended(d) ? 0 : 1;
}

static void run_store(const droplet_lanes* lanes, int32_t l, droplet* d)
{
    d->x = lanes->x[l];
    d->y = lanes->y[l];
    d->u = lanes->u[l];
    d->v = lanes->v[l];
    d->volume = lanes->volume[l];
    d->pull = lanes->pull[l];
    d->rest = lanes->rest[l];
    d->load = lanes->load[l];
    d->cell = lanes->cell[l];
}

// See to the lanes that the kernel stopped, used up or at an edge, and to droplets that rest: in a
// whole stride none of their steps moved half a cell or exchanged matter, and on ground that others
// hardly change around a pit none ever will. As released they go on until they have dried up:
// in closed worlds that is most of all steps. `useful` counts steps up to the last look.
// Those that go on wait here for at most a stride; on frozen ground that changes nothing. Returns
// how many are under way.
static int32_t run_attend(const wadi_droplets* droplets, particle_worker* worker, droplet* first,
                          int32_t count, droplet_lanes* lanes, int32_t* useful)
{
    int32_t under_way = 0;
    for (int32_t l = 0; l < count; ++l)
    {
        droplet* d = &first[l];
        const bool rests = lanes->useful[l] == useful[l];
        useful[l] = lanes->useful[l];
        if ((lanes->active[l] != 0 && !rests) || droplet_has_ended(d))
        {
            under_way += lanes->active[l];
            continue;
        }
        run_store(lanes, l, d);
        if (lanes->crossing[l] != 0)
        {
            droplet_edge_cross(droplets, worker, d);
        }
        else
        {
            droplet_edge_expire(droplets, worker, d);
        }
        run_load(worker->cells, d, l, lanes);
        under_way += lanes->active[l];
    }
    return under_way;
}

static void run_group(const wadi_droplets* droplets, particle_worker* worker, droplet* first,
                      int32_t count, int32_t steps)
{
    droplet_lanes lanes;
    memset(&lanes, 0, sizeof lanes);
    for (int32_t l = 0; l < count; ++l)
    {
        run_load(worker->cells, &first[l], l, &lanes);
    }
    const float* shares = droplets->asks ? droplets->bed->shares : NULL;
    int32_t useful[DROPLET_LANES] = {0};
    int32_t under_way = count;
    for (int32_t done = 0; done < steps && under_way > 0; done += DROPLET_STRIDE)
    {
        droplets->kernel(&droplets->law, worker->cells, shares, NULL, &lanes, DROPLET_STRIDE);
        under_way = run_attend(droplets, worker, first, count, &lanes, useful);
    }
    for (int32_t l = 0; l < count; ++l)
    {
        worker->steps += lanes.steps[l];
        worker->useful += lanes.useful[l];
        if (lanes.active[l] != 0)
        {
            run_store(&lanes, l, &first[l]);
        }
    }
}

// Lanes that ended ask no more; those at an edge go on behind it.
static int32_t run_follow(const wadi_droplets* droplets, const particle_cell* cells, int32_t count,
                          droplet_lanes* lanes)
{
    int32_t under_way = 0;
    for (int32_t l = 0; l < count; ++l)
    {
        if (lanes->crossing[l] != 0)
        {
            droplet d = {0};
            run_store(lanes, l, &d);
            droplet_edge_follow(droplets, &d);
            run_load(cells, &d, l, lanes);
        }
        under_way += lanes->active[l];
    }
    return under_way;
}

static void run_group_ask(const run_job* job, particle_worker* worker, const droplet* first,
                          int32_t count)
{
    droplet_lanes lanes;
    memset(&lanes, 0, sizeof lanes);
    for (int32_t l = 0; l < count; ++l)
    {
        run_load(worker->cells, &first[l], l, &lanes);
        lanes.load[l] = 0;
    }
    int32_t under_way = count;
    for (int32_t done = 0; done < job->steps && under_way > 0; done += DROPLET_STRIDE)
    {
        job->droplets->kernel(job->law, worker->cells, NULL, worker->demands, &lanes,
                              DROPLET_STRIDE);
        under_way = run_follow(job->droplets, worker->cells, count, &lanes);
    }
}

static void run_block(int64_t block, int32_t worker, void* user)
{
    const run_job* job = user;
    const wadi_droplets* droplets = job->droplets;
    particle_worker* own = &droplets->bed->workers[worker];
    const int32_t begin = (int32_t)(block * RUN_BLOCK);
    const int32_t end = begin + RUN_BLOCK < droplets->live ? begin + RUN_BLOCK : droplets->live;
    for (int32_t i = begin; i < end; i += DROPLET_LANES)
    {
        const int32_t count = end - i < DROPLET_LANES ? end - i : DROPLET_LANES;
        if (job->law != NULL)
        {
            run_group_ask(job, own, &droplets->pool[i], count);
        }
        else
        {
            run_group(droplets, own, &droplets->pool[i], count, job->steps);
        }
    }
}

static void run_all(wadi_droplets* droplets, run_job job)
{
    wadi_parallel_blocks(droplets->context, (droplets->live + RUN_BLOCK - 1) / RUN_BLOCK, run_block,
                         &job);
}

void droplet_run(wadi_droplets* droplets, int32_t count)
{
    run_all(droplets, (run_job){droplets, NULL, count});
}

void droplet_run_ask(wadi_droplets* droplets, int32_t count)
{
    droplet_law asking = droplets->law;
    asking.burden = 0.0f;
    asking.rounding = 1.0f; // a demand is never less than what is then wanted
    run_all(droplets, (run_job){droplets, &asking, count});
}

void droplet_run_abandon(wadi_droplets* droplets)
{
    for (int32_t i = 0; i < droplets->live; ++i)
    {
        droplet_edge_expire(droplets, &droplets->bed->workers[0], &droplets->pool[i]);
    }
    droplets->live = 0;
}
