// SPDX-License-Identifier: MIT
// Spreading of the changes of a batch. Few parcels pass a cell in a batch, so single cells gain and
// lose sand by chance. Before the changes are applied, each pass spreads them by 1 2 1 along both
// axes, in whole units, wherever the ground does not fall downwind. On a slip face sand is spread
// between cells of about the same level only: along the brink, which keeps it whole, but not up the
// face, which would carry the sand that has fallen over the brink back onto it.
//
// A block of rows is copied with as many rows beyond it as there are passes, and all passes run on
// the copy. Rows beyond the block are computed again by the block they belong to.
#include "processes/wind/saltation_state.h"

#include <string.h>

// [1] tangent of the downward slope at which no sand is spread.
static const double spread_fall = 0.1;

// [cells] difference in level of two cells of a slip face at which no sand is spread.
static const double spread_level = 0.2;

// Sand thinner than this many times the thickness of a bare cell is left alone: spread sand would
// cover rock with a film.
static const double spread_thin = 2.5;

enum
{
    SPREAD_MOST_ROWS = SALTATION_GRAIN + 2 * SALTATION_MOST_SPREAD
};

static int32_t spread_rows_of_block(const saltation* s)
{
    return SALTATION_GRAIN + 2 * s->params.spread;
}

wadi_result wadi_saltation_spread_create(saltation* s)
{
    const int64_t width = s->ground->width;
    const int64_t cells = spread_rows_of_block(s) * width;
    if (s->params.spread == 0)
    {
        return WADI_OK;
    }
    WADI_ALLOC(s->context, s->spread, s->ground->cells, "spreading of sand");
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        WADI_ALLOC(s->context, s->workers[w].spread.change, cells, "spreading of sand");
        WADI_ALLOC(s->context, s->workers[w].spread.weight, cells, "spreading of sand");
        WADI_ALLOC(s->context, s->workers[w].spread.west, cells + spread_rows_of_block(s),
                   "spreading of sand");
        WADI_ALLOC(s->context, s->workers[w].spread.south, cells, "spreading of sand");
        WADI_ALLOC(s->context, s->workers[w].spread.flux, 2 * (width + 1), "spreading of sand");
    }
    return WADI_OK;
}

// A copy of some rows of the grid, some of them beyond its edges.
typedef struct spread_block
{
    const saltation* s;
    const saltation_band* band;
    int32_t first; // row of the grid that the first row of the copy stands for
    int32_t count; // rows
    saltation_spread_cells rows[SPREAD_MOST_ROWS];
} spread_block;

static void spread_weigh(const spread_block* block, int32_t y, const saltation_spread_cells* row)
{
    const saltation* s = block->s;
    const int32_t width = s->ground->width;
    const saltation_weigh_row job = {
        .law = &s->law,
        .count = width,
        .stride = s->law.stride,
        .level = s->level + saltation_rim(s, y),
        .sand = row->sand,
        .steepness = (float)(1.0 / spread_fall),
        .thin = (float)spread_thin * s->law.bare,
        .aim = s->aims != NULL ? s->aims + saltation_rim(s, y) : NULL,
        .weight = row->weight,
    };
    s->kernels->weigh(&job);
    const uint8_t* valid = s->ground->valid + (int64_t)y * width;
    for (int32_t x = 0; s->fill != NULL && x < width; ++x)
    {
        row->weight[x] = valid[x] != 0 ? row->weight[x] : -1.0f;
    }
}

// Copy the rows around [begin, end). Beyond edges that are not periodic there are none.
static void spread_load(spread_block* block, int32_t begin, int32_t end)
{
    const saltation* s = block->s;
    const int32_t width = s->ground->width;
    const int32_t height = s->ground->height;
    const int32_t reach = s->params.spread;
    const int32_t* sand = s->stack != NULL ? s->stack : s->ground->loose[0];
    const bool wraps = s->law.wrap_y > 0.0f;
    block->first = wraps || begin > reach ? begin - reach : 0;
    block->count = (wraps || end + reach < height ? end + reach : height) - block->first;
    for (int32_t i = 0; i < block->count; ++i)
    {
        const int32_t y = ((block->first + i) % height + height) % height;
        const ptrdiff_t at = (ptrdiff_t)i * width;
        block->rows[i] = (saltation_spread_cells){
            .change = block->band->change + at,
            .sand = sand + (int64_t)y * width,
            .level = s->level + saltation_rim(s, y),
            .weight = block->band->weight + at,
            .west = block->band->west + at + i,
            .south = block->band->south + at,
            .levelness = (float)(1.0 / spread_level),
        };
        memcpy(block->rows[i].change, s->change + (int64_t)y * width,
               (size_t)width * sizeof *s->change);
        spread_weigh(block, y, &block->rows[i]);
    }
}

// The weights of all faces of the copy.
static void spread_weigh_faces(const spread_block* block)
{
    const saltation* s = block->s;
    const int32_t width = s->ground->width;
    for (int32_t i = 0; i < block->count; ++i)
    {
        s->kernels->spread_west(&block->rows[i], width, s->law.wrap_x > 0.0f);
        if (i + 1 < block->count)
        {
            s->kernels->spread_south(&block->rows[i], &block->rows[i + 1], width);
        }
    }
}

static void spread_pass(const spread_block* block)
{
    const saltation* s = block->s;
    const int32_t width = s->ground->width;
    int32_t* in = block->band->flux;
    int32_t* out = block->band->flux + width + 1;
    for (int32_t i = 0; i < block->count; ++i)
    {
        s->kernels->spread_along(&block->rows[i], width, in);
    }
    memset(in, 0, (size_t)width * sizeof *in);
    for (int32_t i = 0; i < block->count; ++i)
    {
        if (i + 1 < block->count)
        {
            s->kernels->spread_across(&block->rows[i], &block->rows[i + 1], width, out);
        }
        else
        {
            memset(out, 0, (size_t)width * sizeof *out);
        }
        s->kernels->spread_add(in, out, width, block->rows[i].change);
        int32_t* const swap = in;
        in = out;
        out = swap;
    }
}

static void spread_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    const int32_t width = s->ground->width;
    spread_block block = {.s = s, .band = &s->workers[worker].spread};
    spread_load(&block, begin, end);
    spread_weigh_faces(&block);
    for (int32_t pass = 0; pass < s->params.spread; ++pass)
    {
        spread_pass(&block);
    }
    for (int32_t y = begin; y < end; ++y)
    {
        memcpy(s->spread + (int64_t)y * width, block.rows[y - block.first].change,
               (size_t)width * sizeof *s->spread);
    }
}

void wadi_saltation_spread(saltation* s)
{
    if (s->params.spread == 0)
    {
        return;
    }
    wadi_parallel_rows(s->context, s->ground->height, SALTATION_GRAIN, spread_rows, s);
    int32_t* const spread = s->spread;
    s->spread = s->change;
    s->change = spread;
}
