// SPDX-License-Identifier: MIT
// The mask of plains: ranges are where the local relief is large.
#include "maps/judge/land_forms_internal.h"

#include "core/radix_heap.h"
#include "terrain/field2d.h"

enum
{
    PLAINS_WINDOW = 16, // of the shorter side in one of the window
    PLAINS_LEAST = 7,   // cells of a window
    PLAINS_SMALL = 20   // of the largest range in one of a small range
};

static const double plains_share = 0.25;      // of the high relief
static const double plains_percentile = 0.95; // that the high relief is

typedef struct plains_run
{
    wadi_context* context;
    const wadi_field2d* field;
    int32_t width;
    int32_t height;
    int64_t cells;
    int32_t radius; // of the window [cells]
    float* low;     // of the window; first along the row
    float* high;
    float* spare;
    float* line; // two lines with the radius at both ends
    uint64_t* sorted;
    uint64_t* scratch;
    int32_t* stack;
    uint8_t* masked;
} plains_run;

// ---- relief of windows --------------------------------------------------------------------------

static float plains_height(const plains_run* run, int64_t cell)
{
    const ptrdiff_t row = (ptrdiff_t)(cell / run->width);
    return run->field->heights[row * run->field->stride + (ptrdiff_t)(cell % run->width)];
}

static float plains_higher(float a, float b)
{
    return a > b ? a : b;
}

// Highest value (of `sign` times the values) within the radius along a line of `count` cells,
// `step` apart, in time that does not depend on the radius (van Herk 1992): the maximum of a window
// is that of a maximum back to the end of a block, and one from its begin on. Voids are infinite,
// so that they never count.
static void plains_sweep(const plains_run* run, const float* from, float* to, int64_t count,
                         int64_t step, float sign)
{
    const int64_t window = 2 * (int64_t)run->radius + 1;
    const int64_t padded = count + window - 1;
    float* back = run->line;
    float* ahead = run->line + padded;
    for (int64_t i = 0; i < padded; ++i)
    {
        const int64_t k = i - run->radius;
        back[i] = k >= 0 && k < count ? sign * from[k * step] : -INFINITY;
        ahead[i] = i % window == 0 ? back[i] : plains_higher(ahead[i - 1], back[i]);
    }
    for (int64_t i = padded - 2; i >= 0; --i)
    {
        back[i] = (i + 1) % window == 0 ? back[i] : plains_higher(back[i], back[i + 1]);
    }
    for (int64_t i = 0; i < count; ++i)
    {
        to[i * step] = sign * plains_higher(back[i], ahead[i + window - 1]);
    }
}

static void plains_extreme(plains_run* run, float* out, float sign)
{
    for (int64_t i = 0; i < run->cells; ++i)
    {
        const float z = plains_height(run, i);
        out[i] = isnan(z) ? -sign * INFINITY : z;
    }
    for (int32_t y = 0; y < run->height; ++y)
    {
        const int64_t row = (int64_t)y * run->width;
        plains_sweep(run, out + row, run->spare + row, run->width, 1, sign);
    }
    for (int32_t x = 0; x < run->width; ++x)
    {
        plains_sweep(run, run->spare + x, out + x, run->height, run->width, sign);
    }
}

// Relief above which a cell is part of a range.
static double plains_threshold(plains_run* run)
{
    int64_t count = 0;
    for (int64_t i = 0; i < run->cells; ++i)
    {
        if (!isnan(plains_height(run, i)))
        {
            run->sorted[count++] = (uint64_t)wadi_radix_key(run->high[i] - run->low[i]) << 32;
        }
    }
    if (count == 0)
    {
        return 0.0;
    }
    wadi_land_sort(run->sorted, run->scratch, count);
    const int64_t at = (int64_t)(plains_percentile * (double)(count - 1));
    const uint32_t key = (uint32_t)(run->sorted[at] >> 32);
    return plains_share * (double)wadi_float_of_bits(key & 0x7FFFFFFFu);
}

// ---- connected parts ----------------------------------------------------------------------------

// Give all cells of the part at `start` another value; returns their number. `touches` is set if
// the part reaches the border or a void.
static int64_t plains_paint(plains_run* run, int64_t start, uint8_t value, bool* touches)
{
    const uint8_t old = run->masked[start];
    int64_t depth = 0;
    int64_t count = 0;
    run->stack[depth++] = (int32_t)start;
    run->masked[start] = value;
    while (depth > 0)
    {
        const int32_t cell = run->stack[--depth];
        ++count;
        for (int k = 0; k < 8; k += 2)
        {
            const int32_t x = cell % run->width + land_east[k];
            const int32_t y = cell / run->width + land_south[k];
            const bool outside = x < 0 || y < 0 || x >= run->width || y >= run->height;
            const int64_t n = (int64_t)y * run->width + x;
            *touches = *touches || outside || isnan(plains_height(run, n));
            if (!outside && run->masked[n] == old && !isnan(plains_height(run, n)))
            {
                run->masked[n] = value;
                run->stack[depth++] = (int32_t)n;
            }
        }
    }
    return count;
}

enum
{
    PLAINS_RANGE = 0,
    PLAINS_PLAIN = 1,
    PLAINS_SEEN_RANGE = 2,
    PLAINS_SEEN_PLAIN = 3
};

static int64_t plains_largest_range(plains_run* run)
{
    int64_t most = 0;
    for (int64_t i = 0; i < run->cells; ++i)
    {
        if (run->masked[i] == PLAINS_RANGE)
        {
            bool touches = false;
            const int64_t count = plains_paint(run, i, PLAINS_SEEN_RANGE, &touches);
            most = count > most ? count : most;
        }
    }
    return most;
}

// Mask small ranges, then open plains that a range encloses.
static void plains_clean(plains_run* run)
{
    const int64_t most = plains_largest_range(run);
    for (int64_t i = 0; i < run->cells; ++i)
    {
        bool touches = false;
        if (run->masked[i] == PLAINS_SEEN_RANGE &&
            plains_paint(run, i, PLAINS_RANGE, &touches) < most / PLAINS_SMALL)
        {
            (void)plains_paint(run, i, PLAINS_PLAIN, &touches);
        }
    }
    for (int64_t i = 0; i < run->cells; ++i)
    {
        bool touches = false;
        if (run->masked[i] != PLAINS_PLAIN || isnan(plains_height(run, i)))
        {
            continue;
        }
        (void)plains_paint(run, i, PLAINS_SEEN_PLAIN, &touches);
        if (!touches)
        {
            (void)plains_paint(run, i, PLAINS_RANGE, &touches);
        }
    }
    for (int64_t i = 0; i < run->cells; ++i)
    {
        run->masked[i] = run->masked[i] == PLAINS_RANGE ? 0 : 1;
    }
}

static wadi_result plains_allocate(plains_run* run)
{
    WADI_ALLOC(run->context, run->low, run->cells, "the relief");
    WADI_ALLOC(run->context, run->high, run->cells, "the relief");
    WADI_ALLOC(run->context, run->spare, run->cells, "the relief");
    const int64_t side = run->width > run->height ? run->width : run->height;
    WADI_ALLOC(run->context, run->line, 2 * (side + 2 * run->radius), "the relief");
    WADI_ALLOC(run->context, run->sorted, run->cells, "the relief");
    WADI_ALLOC(run->context, run->scratch, run->cells, "the relief");
    WADI_ALLOC(run->context, run->stack, run->cells, "the mask of plains");
    return WADI_OK;
}

static void plains_mask(plains_run* run)
{
    plains_extreme(run, run->high, 1.0f);
    plains_extreme(run, run->low, -1.0f);
    const double least = plains_threshold(run);
    for (int64_t i = 0; i < run->cells; ++i)
    {
        const bool is_void = isnan(plains_height(run, i));
        const double relief = (double)run->high[i] - (double)run->low[i];
        run->masked[i] = is_void || !(relief > least) ? PLAINS_PLAIN : PLAINS_RANGE;
    }
    plains_clean(run);
}

wadi_result wadi_land_mask_plains(wadi_context* context, const wadi_field2d* field, uint8_t* masked)
{
    WADI_TRY(wadi_field2d_check(context, field, masked));
    plains_run run = {.context = context,
                      .field = field,
                      .width = field->width,
                      .height = field->height,
                      .cells = (int64_t)field->width * field->height,
                      .masked = masked};
    const int32_t side = run.width < run.height ? run.width : run.height;
    const int32_t window =
        side / PLAINS_WINDOW > PLAINS_LEAST ? side / PLAINS_WINDOW : PLAINS_LEAST;
    run.radius = window / 2;
    const wadi_result result = plains_allocate(&run);
    if (result == WADI_OK)
    {
        plains_mask(&run);
    }
    wadi_free(context, run.low);
    wadi_free(context, run.high);
    wadi_free(context, run.spare);
    wadi_free(context, run.line);
    wadi_free(context, run.sorted);
    wadi_free(context, run.scratch);
    wadi_free(context, run.stack);
    return result;
}
