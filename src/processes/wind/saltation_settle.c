// SPDX-License-Identifier: MIT
// Update of the ground after a flight: sand lifted and laid down, creep down slopes in proportion
// to the flux that passed, rock wear, and slip faces.
#include "processes/wind/saltation_state.h"

#include <string.h>

enum
{
    SETTLE_PERIOD = 4, // batches from slides to slides; with 1 dunes are 1 % lower
    SETTLE_SWEEPS = 8  // talus sweeps then; unfinished slides continue at the next ones
};

// Largest stable rate of the explicit exchange with four neighbours.
static const double settle_max_rate = 0.22;

// Slopes above this share of repose may start to slide in a batch: 30 degrees for a repose of 33.
static const double settle_steep = 0.89;

// Row y in [-1, height] or, beyond an edge, the row that stands for it.
static int32_t settle_beside(const saltation* s, int32_t y)
{
    const int32_t height = s->ground->height;
    const bool wraps = s->law.wrap_y > 0.0f;
    return y < 0 ? (wraps ? height - 1 : 0) : y < height ? y : (wraps ? 0 : height - 1);
}

static saltation_row settle_row(const saltation* s, int32_t y)
{
    const int32_t width = s->ground->width;
    const int64_t first = (int64_t)y * width;
    const double units = WADI_UNITS_PER_METRE * s->ground->cell_size; // [units / cell]
    return (saltation_row){
        .count = width,
        .stride = s->law.stride,
        .level = s->level + saltation_rim(s, y),
        .sums = s->sums,
        .first = saltation_rim(s, y),
        .workers = s->worker_count,
        .sand = (s->stack != NULL ? s->stack : s->ground->loose[0]) + first,
        .passed = s->passing + first,
        .change = s->change + first,
        .due = s->due + first,
        .due_north = s->due + (int64_t)settle_beside(s, y - 1) * width,
        .due_south = s->due + (int64_t)settle_beside(s, y + 1) * width,
        .wraps = s->law.wrap_x > 0.0f,
        .rate = s->rate + saltation_rim(s, y),
        .later = s->later + first,
        .deposit = s->deposit + first,
        .creep = (float)(s->params.creep * SALTATION_LOAD_PART),
        .max_rate = (float)(settle_max_rate * units),
    };
}

// No sand creeps out of void cells; sand that creeps into a void leaves the grid.
static void settle_void_rates(const saltation* s, const saltation_row* row, int32_t y)
{
    const int64_t first = (int64_t)y * row->count;
    const uint8_t* valid = s->ground->valid + first;
    for (int32_t x = 0; s->fill != NULL && x < row->count; ++x)
    {
        row->rate[x] = valid[x] != 0 ? row->rate[x] : 0.0f;
    }
}

static void settle_void_changes(const saltation* s, const saltation_row* row, int32_t y,
                                wadi_tally* tally)
{
    const int64_t first = (int64_t)y * row->count;
    const uint8_t* valid = s->ground->valid + first;
    for (int32_t x = 0; s->fill != NULL && x < row->count; ++x)
    {
        if (valid[x] == 0)
        {
            // the row of the neighbour books this sand as eroded
            const wadi_side side = wadi_ground_void_side(s->ground, first + x);
            tally->out[WADI_MATERIAL_SEDIMENT][side] += row->change[x];
            row->change[x] = 0;
        }
    }
}

static void settle_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        const saltation_row row = settle_row(s, y);
        s->workers[worker].excess += s->kernels->settle(&row);
    }
}

static void settle_limit_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        saltation_row row = settle_row(s, y);
        const int32_t last = row.count - 1;
        row.mean = s->workers[worker].far; // free between two batches
        s->kernels->even(&row);
        wadi_saltation_top_hold(s, y, row.rate);
        s->kernels->limit(&row);
        settle_void_rates(s, &row, y);
        row.rate[-1] = s->law.wrap_x > 0.0f ? row.rate[last] : 0.0f;
        row.rate[last + 1] = s->law.wrap_x > 0.0f ? row.rate[0] : 0.0f;
    }
}

// Fill the ghost rows of the rates beyond the northern and southern edges.
static void settle_rim(const saltation* s)
{
    const int32_t height = s->ground->height;
    const size_t bytes = (size_t)s->law.stride * sizeof *s->rate;
    float* north = s->rate + saltation_rim(s, -1) - 1;
    float* south = s->rate + saltation_rim(s, height) - 1;
    if (s->law.wrap_y > 0.0f)
    {
        memcpy(north, s->rate + saltation_rim(s, height - 1) - 1, bytes);
        memcpy(south, s->rate + saltation_rim(s, 0) - 1, bytes);
    }
    else
    {
        memset(north, 0, bytes);
        memset(south, 0, bytes);
    }
}

// Sum and clear the rock wear of a cell over all workers.
static int32_t settle_struck(const saltation* s, ptrdiff_t cell)
{
    int32_t sum = 0;
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        sum += s->workers[w].sums.wear[cell];
        s->workers[w].sums.wear[cell] = 0;
    }
    return sum;
}

static bool settle_is_struck(const saltation* s, int32_t y)
{
    bool struck = false;
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        struck = struck || s->workers[w].sums.worn_rows[y] != 0;
        s->workers[w].sums.worn_rows[y] = 0;
    }
    return struck;
}

// Turn worn rock into sand of the same cell. wadi_ground_take_rock() applies the hardness.
static void settle_wear_row(const saltation* s, int32_t y, wadi_tally* tally)
{
    const int64_t first = (int64_t)y * s->ground->width;
    for (int32_t x = 0; x < s->ground->width; ++x)
    {
        const int32_t struck = settle_struck(s, saltation_rim(s, y) + x);
        if (struck != 0)
        {
            const int32_t rock = wadi_ground_take_rock(s->ground, first + x, struck, tally);
            wadi_ground_put(s->ground, first + x, rock, tally);
            s->wear[first + x] += (float)rock;
        }
    }
}

static bool settle_slides(const saltation* s)
{
    return s->batches % SETTLE_PERIOD == SETTLE_PERIOD - 1;
}

// Mark the stretches of a row that were steep before the flight for the talus sweeps. Stretches
// that became steep in this flight are marked before the next slides, unless a slide reaches them.
static void settle_touch_row(const saltation* s, int32_t y, float least)
{
    const int32_t width = s->ground->width;
    const float* level = s->level + saltation_rim(s, y);
    for (int32_t begin = 0; begin < width; begin += WADI_TALUS_TILE_WIDTH)
    {
        const int32_t left = width - begin;
        const saltation_steep_row row = {
            .level = level + begin,
            .stride = s->law.stride,
            .count = left < WADI_TALUS_TILE_WIDTH ? left : WADI_TALUS_TILE_WIDTH,
            .least = least,
        };
        wadi_talus_touch_row(s->talus, y, begin / WADI_TALUS_TILE_WIDTH, s->kernels->steep(&row));
    }
}

static void settle_change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    const int32_t width = s->ground->width;
    wadi_tally* tally = &s->workers[worker].tally;
    const bool slides = settle_slides(s);
    const float least = (float)(settle_steep * wadi_talus_tangent(s->params.repose));
    for (int32_t y = begin; y < end; ++y)
    {
        const saltation_row row = settle_row(s, y);
        const int64_t first = (int64_t)y * width;
        if (slides)
        {
            settle_touch_row(s, y, least);
        }
        s->kernels->creep(&row);
        settle_void_changes(s, &row, y, tally);
        wadi_ground_change_row(s->ground, first, width, row.change, tally);
        if (settle_is_struck(s, y))
        {
            settle_wear_row(s, y, tally);
        }
    }
}

static wadi_talus_law settle_talus(const saltation* s)
{
    wadi_talus_law law = wadi_talus_law_default();
    law.repose = s->params.repose;
    law.tangents = s->planted;
    law.share = 0.5; // slopes are always close to repose
    return law;
}

// Remove up to `excess` from the deposits of this batch, from each cell in proportion.
static int64_t settle_take_back(const saltation* s, int64_t excess)
{
    int64_t laid = 0;
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        laid += s->change[cell] > 0 ? s->change[cell] : 0;
    }
    const double share = laid > 0 ? (double)excess / (double)laid : 0.0;
    int64_t sum = 0;
    for (int64_t cell = 0; cell < s->ground->cells && sum < excess; ++cell)
    {
        const int32_t part = saltation_share(s->change[cell], share, excess - sum);
        s->change[cell] -= part;
        sum += part;
    }
    return sum;
}

// Take up to `excess` back from what has left over edges and into voids since the last books.
static int64_t settle_call_back(saltation* s, int64_t excess)
{
    int64_t sum = 0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        for (int32_t w = 0; w < s->worker_count; ++w)
        {
            int64_t* out = &s->workers[w].tally.out[WADI_MATERIAL_SEDIMENT][side];
            const int64_t part = *out < excess - sum ? *out : excess - sum;
            *out -= part;
            sum += part;
        }
    }
    return sum;
}

// More than ten visits in a batch can lift more sand than a thin cover has. The excess is removed
// from the loads of all parcels in proportion, then from the deposits of the batch, then from what
// has left the ground. Together they always suffice, since all lifted sand is in one of them.
static void settle_remove_excess(saltation* s)
{
    int64_t excess = 0;
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        excess += s->workers[w].excess;
        s->workers[w].excess = 0;
    }
    if (excess > 0)
    {
        const int64_t left = excess - wadi_saltation_fleet_take_back(s, excess);
        const int64_t laid = left > 0 ? settle_take_back(s, left) : 0;
        const int64_t gone = settle_call_back(s, left - laid);
        WADI_ASSERT(laid + gone == left);
        (void)gone;
    }
}

void wadi_saltation_settle(saltation* s)
{
    const int32_t height = s->ground->height;
    wadi_parallel_rows(s->context, height, SALTATION_GRAIN, settle_rows, s);
    settle_remove_excess(s);
    wadi_saltation_spread(s);
    wadi_parallel_rows(s->context, height, SALTATION_GRAIN, settle_limit_rows, s);
    settle_rim(s);
    wadi_parallel_rows(s->context, height, SALTATION_GRAIN, settle_change_rows, s);
    if (settle_slides(s))
    {
        const wadi_talus_law law = settle_talus(s);
        (void)wadi_talus_relax(s->talus, s->ground, &law, SETTLE_SWEEPS, &s->workers[0].tally);
    }
}

void wadi_saltation_settle_finally(saltation* s)
{
    const wadi_talus_law law = settle_talus(s);
    wadi_talus_touch_all(s->talus);
    (void)wadi_talus_relax(s->talus, s->ground, &law, WADI_TALUS_FIXPOINT, &s->workers[0].tally);
}
