// SPDX-License-Identifier: MIT
// A stream in a bend erodes its outer bank and builds a bar along the inner bank, so its width
// stays constant (Parker et al. 2011). Without bars a river of 1 m3/s is six cells of 2 m wide
// after 200 years, its water splits, and sinuosity is 1.12 after 400 years instead of 1.53.
//
// A stream erodes several banks, and a bank supplies several streams. A first pass computes a
// factor per cell that limits its erosion, a second one a factor that limits its deposition. Both
// cells of a transfer compute the same product and truncate it alike. So each cell writes only
// itself, and matter is conserved.
#include "processes/hydraulic/parcel_momentum.h"

// Slightly less than 1, so that truncated parts do not add up to more than the whole.
#define BANKS_MARGIN (1.0f - 1e-5f)

typedef struct banks_job banks_job;
typedef void banks_pass(const banks_job* job, int64_t cell, int64_t padded);
struct banks_job
{
    parcel_level* level;
    ptrdiff_t step[8];
    banks_pass* pass;
};

static const float banks_x[8] = {1.0f,  0.70710678f,  0.0f, -0.70710678f,
                                 -1.0f, -0.70710678f, 0.0f, 0.70710678f};
static const float banks_y[8] = {0.0f, 0.70710678f,  1.0f,  0.70710678f,
                                 0.0f, -0.70710678f, -1.0f, -0.70710678f};

// ---- transfers ---------------------------------------------------------------------------

// Share of a stream's erosion that goes towards one of its eight neighbours: the squared cosine.
// Its sum over the neighbours on one side is 2 for any direction.
static float banks_share(const parcel_stream* stream, int32_t direction)
{
    const float towards = stream->out_x * banks_x[direction] + stream->out_y * banks_y[direction];
    return towards > 0.0f ? 0.5f * towards * towards : 0.0f;
}

// Erosion of a neighbour that stands `height` above the bed [units]. The bank fails over its whole
// height; below the bed the stream scours to its own depth.
static float banks_erosion(const parcel_stream* stream, int32_t direction, int32_t height)
{
    const float wall = (float)height + stream->depth;
    return wall > 0.0f ? banks_share(stream, direction) * stream->retreat * wall : 0.0f;
}

static int32_t banks_eroded(const parcel_stream* stream, int32_t direction, int32_t height,
                            float give)
{
    return (int32_t)(banks_erosion(stream, direction, height) * give);
}

// Deposition on a neighbour on the inner side: it grows where the neighbour carries little water.
static float banks_deposition(const parcel_stream* stream, int32_t taken, int32_t direction,
                              const parcel_stream* neighbour)
{
    const float still = 1.0f - neighbour->water / stream->water;
    const float share = banks_share(stream, (direction + 4) & 7);
    return still > 0.0f ? share * still * (float)taken * BANKS_MARGIN : 0.0f;
}

static int32_t banks_deposited(const parcel_stream* stream, int32_t taken, int32_t direction,
                               const parcel_stream* neighbour, float accept)
{
    return (int32_t)(banks_deposition(stream, taken, direction, neighbour) * accept);
}

// ---- passes ------------------------------------------------------------------------------

static bool banks_takes_part(const parcel_level* level, int64_t cell)
{
    return (level->route[cell] & 15) < 8 && level->wet[cell] == 0;
}

// Factor that limits the erosion of this cell to a share of its drop and to the yield of its rock.
static void banks_limit_erosion(const banks_job* job, int64_t cell, int64_t padded)
{
    const parcel_level* level = job->level;
    const parcel_stream* here = level->momentum->streams + padded;
    const int32_t* h = level->surface + padded;
    parcel_bank* bank = &level->momentum->banks[padded];
    *bank = (parcel_bank){.near = here->retreat > 0.0f};
    float erosion = 0.0f;
    int32_t lowest = h[0];
    for (int32_t d = 0; d < 8; ++d)
    {
        const ptrdiff_t from = -job->step[d];
        lowest = h[from] < lowest ? h[from] : lowest;
        if (here[from].retreat > 0.0f)
        {
            bank->near = true;
            erosion += banks_erosion(&here[from], d, h[0] - h[from]);
        }
    }
    if (!(erosion > 0.0f) || !banks_takes_part(level, cell))
    {
        return;
    }
    const float drop = (float)level->params->incision_limit * (float)(h[0] - lowest);
    const int32_t asked = (int32_t)(erosion < drop ? erosion : drop);
    const int32_t yield = wadi_ground_yield(level->ground, cell, asked);
    bank->give = (float)yield / erosion * BANKS_MARGIN;
}

static void banks_sum_erosion(const banks_job* job, int64_t cell, int64_t padded)
{
    (void)cell;
    const parcel_level* level = job->level;
    const parcel_stream* stream = level->momentum->streams + padded;
    const int32_t* h = level->surface + padded;
    parcel_bank* bank = &level->momentum->banks[padded];
    if (!(stream->retreat > 0.0f))
    {
        return;
    }
    float weighted = 0.0f;
    float sum = 0.0f;
    for (int32_t d = 0; d < 8; ++d)
    {
        const ptrdiff_t to = job->step[d];
        if (bank[to].give > 0.0f)
        {
            const int32_t height = h[to] - h[0];
            const float share = banks_share(stream, d);
            bank->taken += banks_eroded(stream, d, height, bank[to].give);
            weighted += share * (float)height;
            sum += share;
        }
    }
    bank->height = sum > 0.0f ? weighted / sum : 0.0f;
}

// Factor that limits the deposition on this cell: half of the amount that would raise it to the
// opposite bank or to the water level.
static void banks_limit_deposition(const banks_job* job, int64_t cell, int64_t padded)
{
    const parcel_level* level = job->level;
    const parcel_stream* here = level->momentum->streams + padded;
    const int32_t* h = level->surface + padded;
    parcel_bank* bank = &level->momentum->banks[padded];
    if (!bank->near || !banks_takes_part(level, cell))
    {
        return;
    }
    float deposition = 0.0f;
    float room = 0.0f;
    for (int32_t d = 0; d < 8; ++d)
    {
        const ptrdiff_t from = -job->step[d];
        const float offer = here[from].retreat > 0.0f
                                ? banks_deposition(&here[from], bank[from].taken, d, here)
                                : 0.0f;
        if (offer > 0.0f)
        {
            const float depth = here[from].depth;
            const float top = bank[from].height > depth ? bank[from].height : depth;
            const float below = (float)(h[from] - h[0]) + top;
            room = below > room ? below : room;
            deposition += offer;
        }
    }
    bank->accept = 0.5f * room < deposition ? 0.5f * room / deposition : 1.0f;
}

// Apply the gains and losses of the cell as a bank. Matter that a stream cannot deposit is load.
static void banks_exchange(const banks_job* job, int64_t cell, int64_t padded)
{
    parcel_level* level = job->level;
    const parcel_stream* here = level->momentum->streams + padded;
    const int32_t* h = level->surface + padded;
    parcel_bank* bank = &level->momentum->banks[padded];
    int32_t rest = bank->taken;
    for (int32_t d = 0; d < 8 && bank->near; ++d)
    {
        const ptrdiff_t from = -job->step[d];
        const ptrdiff_t to = job->step[d];
        if (here[from].retreat > 0.0f)
        {
            bank->change -= banks_eroded(&here[from], d, h[0] - h[from], bank->give);
            bank->change += banks_deposited(&here[from], bank[from].taken, d, here, bank->accept);
        }
        if (here->retreat > 0.0f)
        {
            rest -= banks_deposited(here, bank->taken, d, &here[to], bank[to].accept);
        }
    }
    if (rest > 0)
    {
        wadi_parcel_walk_wait(level, cell, 0, rest);
    }
}

static void banks_apply_row(const banks_job* job, int32_t y, wadi_tally* tally)
{
    parcel_level* level = job->level;
    const parcel_bank* bank = level->momentum->banks + parcel_padded_index(level, 0, y);
    int32_t* h = level->surface + parcel_padded_index(level, 0, y);
    for (int32_t x = 0; x < level->width; ++x)
    {
        const int32_t change = bank[x].change;
        const int64_t cell = (int64_t)y * level->width + x;
        if (change == 0)
        {
            continue;
        }
        h[x] += change;
        wadi_ground_change_row(level->ground, cell, 1, &change, tally);
        if (level->wear != NULL)
        {
            level->wear[cell] += change < 0 ? -change : 0;
            level->deposit[cell] += change > 0 ? change : 0;
        }
    }
}

// ---- all together ------------------------------------------------------------------------

// Does a row have banks: is there a stream in a bend in it or in the rows beside it?
static bool banks_row_counts(const parcel_level* level, int32_t y)
{
    const uint8_t* turns = level->momentum->turns;
    const int32_t before = (y + level->height - 1) % level->height;
    const int32_t after = (y + 1) % level->height;
    return (turns[before] | turns[y] | turns[after]) != 0;
}

static void banks_pass_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const banks_job* job = user;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < job->level->width && banks_row_counts(job->level, y); ++x)
        {
            job->pass(job, (int64_t)y * job->level->width + x,
                      parcel_padded_index(job->level, x, y));
        }
    }
}

static void banks_apply_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const banks_job* job = user;
    for (int32_t y = begin; y < end; ++y)
    {
        if (banks_row_counts(job->level, y))
        {
            banks_apply_row(job, y, &job->level->worker_tallies[worker]);
        }
    }
}

void wadi_parcel_banks(parcel_level* level)
{
    if (level->momentum == NULL)
    {
        return;
    }
    const ptrdiff_t s = level->stride;
    banks_job job = {
        .level = level,
        .step = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1},
    };
    banks_pass* const passes[] = {banks_limit_erosion, banks_sum_erosion, banks_limit_deposition,
                                  banks_exchange};
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; ++i)
    {
        job.pass = passes[i];
        wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, banks_pass_rows, &job);
        wadi_parcel_level_wrap(level, level->momentum->banks, sizeof *level->momentum->banks);
    }
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, banks_apply_rows, &job);
    wadi_parcel_level_refresh_ghosts(level, level->surface);
    for (int32_t worker = 0; worker < wadi_context_workers(level->context); ++worker)
    {
        wadi_tally_add(&level->tally, &level->worker_tallies[worker]);
        level->worker_tallies[worker] = (wadi_tally){0};
    }
}
