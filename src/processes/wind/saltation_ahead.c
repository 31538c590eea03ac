// SPDX-License-Identifier: MIT
// Equation 4 for all cells: rising ground ahead slows the wind. The look-ahead offset is the same
// for every cell, so whole rows are processed. The result is stored beside the cell's sand: a
// parcel reads one place in memory instead of seven distant cells in four steps.
#include "processes/wind/saltation_state.h"

#include <math.h>

// Look-ahead offset from the centre of a cell: whole cells and the remaining fraction.
typedef struct ahead_shift
{
    int32_t whole;
    float part;
} ahead_shift;

static ahead_shift ahead_shift_of(float distance)
{
    const float whole = floorf(distance);
    return (ahead_shift){(int32_t)whole, distance - whole};
}

wadi_result wadi_saltation_ahead_create(saltation* s)
{
    const int64_t rim = saltation_rim_cells(s);
    WADI_ALLOC(s->context, s->bed, rim, "sand and look-ahead of the wind");
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        const int64_t cells = (int64_t)SALTATION_SCALES * (s->ground->width + 1);
        WADI_ALLOC(s->context, s->workers[w].far, cells, "ground ahead of the wind");
    }
    return WADI_OK;
}

// Index of a cell beyond the grid: wrapped at periodic edges, else that of the edge cell.
static int32_t ahead_place(int32_t place, int32_t size, bool wraps)
{
    if (wraps)
    {
        return (place % size + size) % size;
    }
    return place < 0 ? 0 : place < size ? place : size - 1;
}

// Levels of the row ahead of row y, columns 0 to `width`, interpolated between two rows. Each pass
// of the loop handles cells that are contiguous in memory.
static void ahead_gather(const saltation* s, int32_t y, int scale, float* far)
{
    const int32_t width = s->ground->width;
    const int32_t height = s->ground->height;
    const bool around_x = s->law.wrap_x > 0.0f;
    const bool around_y = s->law.wrap_y > 0.0f;
    const ahead_shift along = ahead_shift_of(s->law.ahead_x[scale]);
    const ahead_shift down = ahead_shift_of(s->law.ahead_y[scale]);
    const float* north = s->level + saltation_rim(s, ahead_place(y + down.whole, height, around_y));
    const float* south =
        s->level + saltation_rim(s, ahead_place(y + down.whole + 1, height, around_y));
    for (int32_t x = 0; x <= width;)
    {
        const int32_t from = ahead_place(x + along.whole, width, around_x);
        const bool beyond = !around_x && from != x + along.whole;
        const int32_t rest = width - from < width + 1 - x ? width - from : width + 1 - x;
        const int32_t count = beyond ? 1 : rest;
        s->kernels->blend(north + from, south + from, down.part, count, far + x);
        x += count;
    }
}

static void ahead_mark_voids(const saltation* s, int32_t y)
{
    const uint8_t* valid = s->ground->valid + (int64_t)y * s->ground->width;
    saltation_bed* bed = s->bed + saltation_rim(s, y);
    for (int32_t x = 0; s->fill != NULL && x < s->ground->width; ++x)
    {
        bed[x].sand = valid[x] != 0 ? bed[x].sand : SALTATION_VOID;
    }
}

static void ahead_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    const int32_t* sand = s->stack != NULL ? s->stack : s->ground->loose[0];
    saltation_ahead_row row = {.law = &s->law, .count = s->ground->width};
    for (int i = 0; i < SALTATION_SCALES; ++i)
    {
        row.far[i] = s->workers[worker].far + (ptrdiff_t)i * (row.count + 1);
        row.part[i] = s->aims != NULL ? 0.0f : ahead_shift_of(s->law.ahead_x[i]).part;
    }
    for (int32_t y = begin; y < end; ++y)
    {
        for (int i = 0; i < SALTATION_SCALES; ++i)
        {
            float* far = s->workers[worker].far + (ptrdiff_t)i * (row.count + 1);
            if (s->aims != NULL)
            {
                wadi_saltation_local_gather(s, y, i, far);
            }
            else
            {
                ahead_gather(s, y, i, far);
            }
        }
        row.level = s->level + saltation_rim(s, y);
        row.sand = sand + (int64_t)y * row.count;
        row.bed = s->bed + saltation_rim(s, y);
        s->kernels->ahead(&row);
        ahead_mark_voids(s, y);
    }
}

void wadi_saltation_ahead(saltation* s)
{
    wadi_parallel_rows(s->context, s->ground->height, SALTATION_GRAIN, ahead_rows, s);
}
