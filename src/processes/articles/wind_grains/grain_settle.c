// SPDX-License-Identifier: MIT
// The ground after a batch, in passes over those chunks that need it; each pass reads what the one
// before wrote, and writes its own cells only.
//   plan     sand taken and laid down by cell, limited by the sand there
//   commit   levels after that
//   cascade  what then slides to neighbours
//   change   the ground itself
//   freeze   levels and gradients for the next batch
#include "processes/articles/wind_grains/grain_land.h"

#include <string.h>

enum
{
    SETTLE_BLOCK = 64 // chunks a block
};

typedef struct settle_job settle_job;
typedef void settle_fn(const settle_job* job, int32_t begin, int32_t count, int32_t worker);

struct settle_job
{
    grain_land* land;
    grain_worker* workers;
    int32_t worker_count;
    const uint8_t* flags; // of the chunks to look at; NULL: all
    settle_fn* pass;      // over padded cells between the first and the last of the grid
    bool granted;         // plan: after the second run of a batch
};

static void settle_block(int64_t block, int32_t worker, void* user)
{
    const settle_job* job = user;
    const grain_land* land = job->land;
    const int32_t first = land->stride + 1;
    const int32_t last = land->total - land->stride - 1;
    const int32_t begin = (int32_t)block * SETTLE_BLOCK;
    const int32_t end = begin + SETTLE_BLOCK < land->chunks ? begin + SETTLE_BLOCK : land->chunks;
    for (int32_t c = begin; c < end; ++c)
    {
        const int32_t from = c * GRAIN_CHUNK > first ? c * GRAIN_CHUNK : first;
        const int32_t to = (c + 1) * GRAIN_CHUNK < last ? (c + 1) * GRAIN_CHUNK : last;
        if ((job->flags == NULL || job->flags[c] != 0) && from < to)
        {
            job->pass(job, from, to - from, worker);
        }
    }
}

static void settle_run(settle_job* job)
{
    const int64_t blocks = (job->land->chunks - 1) / SETTLE_BLOCK + 1;
    wadi_parallel_blocks(job->land->context, blocks, settle_block, job);
}

// ---- plan ---------------------------------------------------------------------------------------

// What one worker's grains did; a cell's rate holds its cascades until the plan is accepted.
static void plan_worker(const grain_land* land, const grain_sums* sums, int32_t begin,
                        int32_t count, int64_t* restrict gains, int64_t* restrict demand)
{
    grain_sum* restrict cells = sums->cells + begin;
    int32_t* restrict rubbed = sums->rubs + begin;
    float* restrict rates = land->rates + begin;
    int32_t* restrict rubs = land->rubs + begin;
    for (int32_t i = 0; i < count; ++i)
    {
        gains[i] += particle_matter(cells[i].moved);
        demand[i] += cells[i].demand;
        rates[i] += (float)particle_visits(cells[i].moved);
        cells[i] = (grain_sum){0, 0};
        rubs[i] += rubbed[i];
        rubbed[i] = 0;
    }
}

// Grants of a chunk; true if one of its cells is short.
static bool plan_grants(const int32_t* restrict sand, const int64_t* restrict demand, int32_t count,
                        uint32_t* restrict grants)
{
    int64_t left = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        left |= sand[i] - demand[i];
        grants[i] = GRANT_ALL;
    }
    for (int32_t i = 0; left < 0 && i < count; ++i)
    {
        grants[i] = grant_of(demand[i], sand[i]);
    }
    return left < 0;
}

static void plan_chunk(const settle_job* job, int32_t begin, int32_t count, int32_t worker)
{
    const grain_land* land = job->land;
    int64_t gains[GRAIN_CHUNK] = {0};
    int64_t demand[GRAIN_CHUNK] = {0};
    memset(land->rubs + begin, 0, (size_t)count * sizeof *land->rubs);
    for (int32_t w = 0; w < job->worker_count; ++w)
    {
        plan_worker(land, &job->workers[w].sums, begin, count, gains, demand);
    }
    // after a run with grants the field of the demand held those
    const bool is_short = !job->granted && plan_grants(land->sand + begin, demand, count,
                                                       (uint32_t*)land->flows + begin);
    int32_t* restrict changes = land->changes + begin;
    for (int32_t i = 0; i < count; ++i)
    {
        changes[i] = (int32_t)gains[i];
        WADI_ASSERT(is_short || land->sand[begin + i] + gains[i] >= 0);
    }
    job->workers[worker].is_short |= is_short;
}

// Forget the cascades of a batch that runs again, and give all workers the grants.
static void plan_refuse(const settle_job* job, int32_t begin, int32_t count, int32_t worker)
{
    (void)worker;
    const grain_land* land = job->land;
    for (int32_t i = begin; i < begin + count; ++i)
    {
        land->rates[i] = land->rates[i] < 0.0f ? land->rates[i] : 0.0f;
    }
    for (int32_t w = 0; w < job->worker_count; ++w)
    {
        grain_sum* cells = job->workers[w].sums.cells;
        for (int32_t i = begin; i < begin + count; ++i)
        {
            cells[i].demand = land->flows[i];
        }
    }
}

static void plan_flags(grain_land* land, grain_worker* workers, int32_t worker_count)
{
    memset(land->visited, 0, (size_t)land->chunks);
    for (int32_t w = 0; w < worker_count; ++w)
    {
        for (int32_t c = 0; c < land->chunks; ++c)
        {
            land->visited[c] |= workers[w].sums.flags[c];
        }
        memset(workers[w].sums.flags, 0, (size_t)land->chunks);
        workers[w].is_short = false;
    }
}

bool wadi_grain_land_plan(grain_land* land, grain_worker* workers, int32_t worker_count,
                          bool granted)
{
    plan_flags(land, workers, worker_count);
    settle_job job = {land, workers, worker_count, land->visited, plan_chunk, granted};
    settle_run(&job);
    bool is_short = false;
    for (int32_t w = 0; w < worker_count; ++w)
    {
        is_short |= workers[w].is_short;
    }
    const bool refused = is_short && !granted;
    if (refused)
    {
        job.pass = plan_refuse;
        settle_run(&job);
    }
    return !refused;
}

// ---- the other passes ---------------------------------------------------------------------------

static void settle_commit(const settle_job* job, int32_t begin, int32_t count, int32_t worker)
{
    (void)worker;
    const grain_land* land = job->land;
    const int32_t* restrict changes = land->changes + begin;
    int32_t* restrict levels = land->levels + begin;
    int32_t* restrict sand = land->sand + begin;
    float* restrict rates = land->rates + begin;
    const float rate = land->rate;
    for (int32_t i = 0; i < count; ++i)
    {
        levels[i] += changes[i];
        sand[i] += changes[i];
        rates[i] *= rates[i] > 0.0f ? rate : 1.0f;
    }
}

static void settle_cascade(const settle_job* job, int32_t begin, int32_t count, int32_t worker)
{
    (void)worker;
    const grain_land* land = job->land;
    land->cascade(&land->slope, begin, count, land->flows + begin);
}

// Rock rubbed off stays as sand where it was.
static void change_rock(const grain_land* land, int32_t at, int64_t cell, wadi_tally* tally)
{
    const int32_t rubbed = wadi_ground_take_rock(land->ground, cell, land->rubs[at], tally);
    wadi_ground_put(land->ground, cell, rubbed, tally);
    land->sand[at] += rubbed;
    land->wear[cell] += (float)rubbed;
}

// Add what slides to the changes of a stretch; true if rock was rubbed off there.
static bool change_slides(const grain_land* land, int32_t at, int64_t cell, int32_t count)
{
    const int32_t* restrict flows = land->flows + at;
    const int32_t* restrict rubbed = land->rubs + at;
    int32_t* restrict changes = land->changes + at;
    int32_t* restrict levels = land->levels + at;
    int32_t* restrict sand = land->sand + at;
    float* restrict rates = land->rates + at;
    float* restrict deposit = land->deposit + cell;
    int32_t rubs = 0;
#pragma omp simd reduction(| : rubs)
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t change = changes[i] + flows[i];
        changes[i] = change;
        levels[i] += flows[i];
        sand[i] += flows[i];
        deposit[i] += (float)(change > 0 ? change : 0);
        rates[i] = rates[i] < 0.0f ? LAND_NOWHERE : 0.0f;
        rubs |= rubbed[i];
    }
    return rubs != 0;
}

// A stretch of one row: padded cells from `at`, cells of the ground from `cell`.
static void change_row(const grain_land* land, int32_t at, int64_t cell, int32_t count,
                       wadi_tally* tally)
{
    int32_t* const changes = land->changes + at;
    const bool rubbed = change_slides(land, at, cell, count);
    wadi_ground_change_row(land->ground, cell, count, changes, tally);
    memset(changes, 0, (size_t)count * sizeof *changes);
    for (int32_t i = 0; rubbed && i < count; ++i)
    {
        change_rock(land, at + i, cell + i, tally);
        land->rubs[at + i] = 0;
    }
}

// Row by row, without the rim: what a cascade says of it is of no account.
static void settle_change(const settle_job* job, int32_t begin, int32_t count, int32_t worker)
{
    const grain_land* land = job->land;
    const int32_t width = land->ground->width;
    const int32_t end = begin + count;
    for (int32_t row = begin / land->stride; row * land->stride < end; ++row)
    {
        const int32_t first = row * land->stride + 1;
        const int32_t from = first > begin ? first : begin;
        const int32_t to = first + width < end ? first + width : end;
        if (from < to)
        {
            change_row(land, from, (int64_t)(row - 1) * width + from - first, to - from,
                       &job->workers[worker].tally);
        }
    }
}

static void settle_freeze(const settle_job* job, int32_t begin, int32_t count, int32_t worker)
{
    (void)worker;
    const grain_land* land = job->land;
    land->freeze(&land->slope, begin, count, land->frozen + begin);
}

// Mark the chunks that hold a neighbour of a cell of a marked chunk.
static void settle_widen(const grain_land* land, const uint8_t* flags, uint8_t* wider)
{
    memset(wider, 0, (size_t)land->chunks);
    for (int32_t c = 0; c < land->chunks; ++c)
    {
        for (int32_t band = -1; band <= 1 && flags[c] != 0; ++band)
        {
            const int32_t middle = c * GRAIN_CHUNK + band * land->stride;
            const int32_t first = (middle - 1) >> GRAIN_CHUNK_BITS;
            const int32_t last = (middle + GRAIN_CHUNK) >> GRAIN_CHUNK_BITS;
            for (int32_t k = first > 0 ? first : 0; k <= last && k < land->chunks; ++k)
            {
                wider[k] = 1;
            }
        }
    }
}

// Base-2 radical inverse: every stretch of batches has an even spread of roundings.
static float settle_dither(uint32_t batch)
{
    uint32_t bits = batch;
    uint32_t reversed = 0;
    for (int i = 0; i < 16; ++i)
    {
        reversed = (reversed << 1) | (bits & 1u);
        bits >>= 1;
    }
    return (float)reversed * 0x1p-16f;
}

void wadi_grain_land_settle(grain_land* land, grain_worker* workers)
{
    land->slope.dither = settle_dither(++land->batch);
    settle_job job = {land, workers, 0, land->visited, settle_commit, false};
    settle_run(&job);
    wadi_grain_land_fill_rim(land, land->visited);
    settle_widen(land, land->visited, land->near);
    job.flags = land->near;
    job.pass = settle_cascade;
    settle_run(&job);
    job.pass = settle_change;
    settle_run(&job);
    wadi_grain_land_fill_rim(land, land->near);
    settle_widen(land, land->near, land->far);
    job.flags = land->far;
    job.pass = settle_freeze;
    settle_run(&job);
}

void wadi_grain_land_freeze_all(grain_land* land)
{
    settle_job job = {land, NULL, 0, NULL, settle_freeze, false};
    settle_run(&job);
}
