// SPDX-License-Identifier: MIT
// A round: every droplet takes the same number of steps on frozen ground, in lanes. Results are
// sums of integers, so the order of blocks, lanes and workers does not matter.
#include "processes/articles/droplets/droplet_state.h"

#include <string.h>

enum
{
    RUN_BLOCK = 4 * DROPLET_LANES // droplets a block
};

typedef struct run_job
{
    const wadi_droplets* droplets;
    int32_t steps;
    bool demands;
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

static void run_load_grant(const wadi_droplets* droplets, const droplet* d, int32_t l,
                           droplet_lanes* lanes)
{
    if (droplets->limited)
    {
        lanes->grant[l] = particle_bed_grants(droplets->bed)[d->cell];
    }
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

// Process the lanes that the kernel stopped, which ended or reached an edge, and end droplets at
// rest. A droplet rests if in a whole stride no step moved half a cell or exchanged matter.
// Around a pit it would step until it dries up, which in closed worlds is most of all steps.
// `useful` holds the count of useful steps at the last call. Other droplets wait at most a stride,
// which on frozen ground changes nothing. Returns the number of active droplets.
static int32_t run_finish_lanes(const wadi_droplets* droplets, particle_worker* worker,
                                droplet* first, int32_t count, droplet_lanes* lanes,
                                int32_t* useful)
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
            wadi_droplet_edge_cross(droplets, worker, d);
        }
        else
        {
            wadi_droplet_edge_expire(droplets, worker, d);
        }
        run_load(worker->cells, d, l, lanes);
        run_load_grant(droplets, d, l, lanes);
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
        run_load_grant(droplets, &first[l], l, &lanes);
    }
    const droplet_mode mode = droplets->limited ? DROPLET_GRANTED : DROPLET_FREE;
    int32_t useful[DROPLET_LANES] = {0};
    int32_t under_way = count;
    for (int32_t done = 0; done < steps && under_way > 0; done += DROPLET_STRIDE)
    {
        droplets->kernel(&droplets->law, worker->cells, particle_bed_grants(droplets->bed), mode,
                         &lanes, DROPLET_STRIDE);
        under_way = run_finish_lanes(droplets, worker, first, count, &lanes, useful);
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

// Move the lanes at an edge across it. Ended lanes have no further demand.
static int32_t run_cross_edges(const wadi_droplets* droplets, const particle_cell* cells,
                               int32_t count, droplet_lanes* lanes)
{
    int32_t under_way = 0;
    for (int32_t l = 0; l < count; ++l)
    {
        if (lanes->crossing[l] != 0)
        {
            droplet d = {0};
            run_store(lanes, l, &d);
            wadi_droplet_edge_move(droplets, &d);
            run_load(cells, &d, l, lanes);
        }
        under_way += lanes->active[l];
    }
    return under_way;
}

static void run_group_demands(const run_job* job, particle_worker* worker, const droplet* first,
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
        job->droplets->kernel(&job->droplets->law, worker->cells, NULL, DROPLET_DEMAND, &lanes,
                              DROPLET_STRIDE);
        under_way = run_cross_edges(job->droplets, worker->cells, count, &lanes);
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
        if (job->demands)
        {
            run_group_demands(job, own, &droplets->pool[i], count);
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

void wadi_droplet_run(wadi_droplets* droplets, int32_t count)
{
    run_all(droplets, (run_job){droplets, count, false});
}

void wadi_droplet_run_demands(wadi_droplets* droplets, int32_t count)
{
    run_all(droplets, (run_job){droplets, count, true});
}

void wadi_droplet_run_stop(wadi_droplets* droplets)
{
    for (int32_t i = 0; i < droplets->live; ++i)
    {
        wadi_droplet_edge_expire(droplets, &droplets->bed->workers[0], &droplets->pool[i]);
    }
    droplets->live = 0;
}
