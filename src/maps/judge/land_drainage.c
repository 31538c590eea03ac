// SPDX-License-Identifier: MIT
// Drainage by a priority flood in the order of raw heights (Metz, Mitasova & Harmon 2011; Barnes,
// Lehman & Mulla 2014). Water leaves a depression along the path by which the flood reached it, as
// if the outlet were carved; elsewhere it takes the steepest descent.
#include "maps/judge/land_forms_internal.h"

#include "core/radix_heap.h"

// ---- a binary heap of keys and the order of arrival ---------------------------------------------

static void drainage_push(land_drainage* d, int64_t cell)
{
    const uint64_t key = wadi_radix_key(d->sign * d->grid->z[cell]);
    const uint64_t entry = key << 32 | (uint64_t)d->born_count;
    d->born[d->born_count++] = (int32_t)cell;
    int64_t i = d->heap_count++;
    for (; i > 0 && entry < d->heap[(i - 1) / 2]; i = (i - 1) / 2)
    {
        d->heap[i] = d->heap[(i - 1) / 2];
    }
    d->heap[i] = entry;
}

static int32_t drainage_pop(land_drainage* d)
{
    const uint64_t top = d->heap[0];
    const uint64_t last = d->heap[--d->heap_count];
    int64_t i = 0;
    for (int64_t child = 1; child < d->heap_count; child = 2 * i + 1)
    {
        child += child + 1 < d->heap_count && d->heap[child + 1] < d->heap[child] ? 1 : 0;
        if (d->heap[child] >= last)
        {
            break;
        }
        d->heap[i] = d->heap[child];
        i = child;
    }
    d->heap[i] = last;
    return d->born[top & 0xFFFFFFFFu];
}

// ---- the flood ----------------------------------------------------------------------------------

enum
{
    DRAINAGE_FAR,     // not reached
    DRAINAGE_REACHED, // in the heap
    DRAINAGE_DONE
};

// While the flood runs, `area` holds the state of each cell.
static void drainage_start(land_drainage* d)
{
    const land_grid* grid = d->grid;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        d->towards[i] = LAND_NOWHERE;
        d->area[i] = DRAINAGE_FAR;
        d->level[i] = d->sign * grid->z[i];
        bool rim = false;
        for (int k = 0; k < 8 && !isnan(grid->z[i]); ++k)
        {
            rim = rim || land_neighbour(grid, i, k) < 0;
        }
        if (rim)
        {
            d->area[i] = DRAINAGE_REACHED;
            drainage_push(d, i);
        }
    }
}

// Steepest descent to a lower neighbour that is done; without one the receiver stays.
static void drainage_descend(land_drainage* d, int32_t cell)
{
    const land_grid* grid = d->grid;
    double steepest = 0.0;
    for (int k = 0; k < 8; ++k)
    {
        const int64_t n = cell + (int64_t)land_south[k] * grid->width + land_east[k];
        const double drop = (double)d->sign * ((double)grid->z[cell] - (double)grid->z[n]);
        const double slope = drop / land_step(grid, k);
        if (d->area[n] == DRAINAGE_DONE && slope > steepest)
        {
            steepest = slope;
            d->towards[cell] = (uint8_t)k;
        }
    }
}

static void drainage_spread(land_drainage* d, int32_t cell)
{
    for (int k = 0; k < 8; ++k)
    {
        const int64_t n = land_neighbour(d->grid, cell, k);
        if (n < 0 || d->area[n] != DRAINAGE_FAR)
        {
            continue;
        }
        d->area[n] = DRAINAGE_REACHED;
        d->towards[n] = (uint8_t)((k + 4) % 8);
        d->level[n] = fmaxf(d->level[n], d->level[cell]);
        drainage_push(d, n);
    }
}

static void drainage_accumulate(land_drainage* d)
{
    for (int64_t q = 0; q < d->count; ++q)
    {
        d->area[d->order[q]] = 1;
    }
    for (int64_t q = d->count - 1; q >= 0; --q)
    {
        const int64_t receiver = land_receiver(d, d->order[q]);
        if (receiver >= 0)
        {
            d->area[receiver] += d->area[d->order[q]];
        }
    }
}

void wadi_land_drainage_run(land_drainage* d)
{
    drainage_start(d);
    while (d->heap_count > 0)
    {
        const int32_t cell = drainage_pop(d);
        d->order[d->count++] = cell;
        if (d->towards[cell] != LAND_NOWHERE)
        {
            drainage_descend(d, cell);
        }
        d->area[cell] = DRAINAGE_DONE;
        drainage_spread(d, cell);
    }
    drainage_accumulate(d);
}

static wadi_result drainage_allocate(land_drainage* d)
{
    wadi_context* context = d->grid->context;
    WADI_ALLOC(context, d->level, d->grid->cells, "the drainage");
    WADI_ALLOC(context, d->towards, d->grid->cells, "the drainage");
    WADI_ALLOC(context, d->order, d->grid->cells, "the drainage");
    WADI_ALLOC(context, d->area, d->grid->cells, "the drainage");
    WADI_ALLOC(context, d->heap, d->grid->cells, "the drainage");
    WADI_ALLOC(context, d->born, d->grid->cells, "the drainage");
    return WADI_OK;
}

wadi_result wadi_land_drainage_create(const land_grid* grid, float sign, land_drainage* out)
{
    *out = (land_drainage){.grid = grid, .sign = sign};
    return drainage_allocate(out); // on failure the caller frees what there is
}

void wadi_land_drainage_free(land_drainage* d)
{
    if (d->grid == NULL)
    {
        return;
    }
    wadi_context* context = d->grid->context;
    wadi_free(context, d->level);
    wadi_free(context, d->towards);
    wadi_free(context, d->order);
    wadi_free(context, d->area);
    wadi_free(context, d->heap);
    wadi_free(context, d->born);
    *d = (land_drainage){0};
}

// ---- where channels begin -----------------------------------------------------------------------

enum
{
    CHANNEL_BINS = 17, // of drained cells, five a decade, from 1 to 2000
    CHANNEL_REACH = 5  // steps over which a slope is taken
};

// Slope of the filled ground over the next steps downstream; negative at outlets.
static double channel_slope(const land_drainage* d, int64_t cell)
{
    int64_t at = cell;
    double way = 0.0;
    for (int k = 0; k < CHANNEL_REACH && d->towards[at] != LAND_NOWHERE; ++k)
    {
        way += land_step(d->grid, d->towards[at]);
        at = land_receiver(d, at);
    }
    return way > 0.0 ? ((double)d->level[cell] - (double)d->level[at]) / way : -1.0;
}

// Four times the drained area at which the mean slope is largest, beyond the rollover from slopes
// to channels; at least 100 cells and at most 1/500 of the land.
int32_t wadi_land_channel_cells(const land_drainage* d)
{
    const double octaves = wadi_log(2000.0) / CHANNEL_BINS;
    double sum[CHANNEL_BINS] = {0};
    double count[CHANNEL_BINS] = {0};
    for (int64_t q = 0; q < d->count; ++q)
    {
        const int64_t cell = d->order[q];
        const double slope = channel_slope(d, cell);
        const int bin = (int)(wadi_log((double)d->area[cell]) / octaves + 1e-9);
        if (slope >= 0.0 && bin < CHANNEL_BINS)
        {
            sum[bin] += slope;
            count[bin] += 1.0;
        }
    }
    int best = 0;
    double steepest = 0.0;
    for (int bin = 0; bin < CHANNEL_BINS; ++bin)
    {
        const double mean = count[bin] > 50.0 ? sum[bin] / count[bin] : 0.0;
        best = mean > steepest ? bin : best;
        steepest = fmax(steepest, mean);
    }
    const double cells =
        fmin(fmax(100.0, 4.0 * wadi_exp(best * octaves)), fmax(100.0, (double)d->count / 500.0));
    return (int32_t)cells;
}
