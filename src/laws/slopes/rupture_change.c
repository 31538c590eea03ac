// SPDX-License-Identifier: MIT
#include "laws/slopes/rupture_change.h"

#include <string.h>

// Parts of a range of cells on the map, which wraps or ends.
typedef struct change_range
{
    int32_t from[2];
    int32_t to[2]; // below from: none
} change_range;

wadi_result wadi_rupture_change_create(wadi_context* context, const rupture_land* land,
                                       rupture_change* out)
{
    out->land = land;
    WADI_ALLOC(context, out->sums, ((int64_t)land->width + 1) * (land->height + 1),
               "changes of a search for slides");
    return WADI_OK;
}

void wadi_rupture_change_destroy(wadi_context* context, rupture_change* change)
{
    wadi_free(context, change->sums);
}

static int32_t change_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static change_range change_wrap(int32_t from, int32_t to, int32_t size, bool wraps)
{
    if (!wraps)
    {
        return (change_range){{from > 0 ? from : 0, 0}, {change_least(to, size - 1), -1}};
    }
    if (to - from + 1 >= size)
    {
        return (change_range){{0, 0}, {size - 1, -1}};
    }
    const int32_t first = (from % size + size) % size;
    const int32_t last = first + (to - from);
    return (change_range){{first, 0}, {change_least(last, size - 1), last - size}};
}

static void change_count(rupture_change* change, const uint8_t* changed)
{
    const int32_t width = change->land->width;
    const int64_t line = (int64_t)width + 1;
    for (int32_t row = 0; row < change->land->height; ++row)
    {
        int32_t sum = 0;
        int32_t* above = &change->sums[row * line];
        for (int32_t column = 0; column < width; ++column)
        {
            sum += changed[(int64_t)row * width + column] != 0 ? 1 : 0;
            above[line + column + 1] = above[column + 1] + sum;
        }
    }
}

// All cells of a box: sums without a map of them.
static void change_fill(rupture_change* change, const int32_t box[4])
{
    const rupture_land* land = change->land;
    const int64_t line = (int64_t)land->width + 1;
    const change_range x = change_wrap(box[0], box[2], land->width, land->wraps[0]);
    const change_range y = change_wrap(box[1], box[3], land->height, land->wraps[1]);
    for (int32_t row = 0; row < land->height; ++row)
    {
        const bool in = (row >= y.from[0] && row <= y.to[0]) || row <= y.to[1];
        int32_t sum = 0;
        for (int32_t c = 0; c < land->width; ++c)
        {
            sum += in && ((c >= x.from[0] && c <= x.to[0]) || c <= x.to[1]) ? 1 : 0;
            change->sums[(row + 1) * line + c + 1] = change->sums[row * line + c + 1] + sum;
        }
    }
}

void wadi_rupture_change_set(rupture_change* change, const int32_t box[4], const uint8_t* changed)
{
    if (changed == NULL)
    {
        change_fill(change, box);
    }
    else
    {
        change_count(change, changed);
    }
}

bool wadi_rupture_changed(const rupture_change* change, const int32_t box[4])
{
    const rupture_land* land = change->land;
    const int64_t line = (int64_t)land->width + 1;
    const change_range x = change_wrap(box[0], box[2], land->width, land->wraps[0]);
    const change_range y = change_wrap(box[1], box[3], land->height, land->wraps[1]);
    int64_t count = 0;
    for (int k = 0; k < 4; ++k)
    {
        const int i = k % 2;
        const int j = k / 2;
        if (x.to[i] >= x.from[i] && y.to[j] >= y.from[j])
        {
            const int32_t* south = &change->sums[(y.to[j] + 1) * line];
            const int32_t* north = &change->sums[y.from[j] * line];
            count += (int64_t)south[x.to[i] + 1] - south[x.from[i]] - north[x.to[i] + 1] +
                     north[x.from[i]];
        }
    }
    return count > 0;
}
