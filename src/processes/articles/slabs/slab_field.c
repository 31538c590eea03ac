// SPDX-License-Identifier: MIT
// Which cells the arrays hold, and which of them the bed owns.
#include "processes/articles/slabs/slab_state.h"

// Columns or rows from `first` on, as far as the grid reaches.
static void field_span(int32_t first, int32_t count, int32_t whole, float* low, float* high)
{
    const int32_t end = first + count;
    *low = first > 0 ? (float)first : 0.0f;
    *high = end < whole ? (float)end : (float)whole;
}

slab_field wadi_slab_field(const wadi_ground* ground)
{
    const wadi_partition* part = ground->part;
    slab_field field = {.width = ground->width};
    if (part != NULL)
    {
        field.x = part->x - part->halo[WADI_SIDE_WEST];
        field.y = part->y - part->halo[WADI_SIDE_NORTH];
    }
    field_span(field.x, ground->width, wadi_ground_whole_width(ground), &field.west, &field.east);
    field_span(field.y, ground->height, wadi_ground_whole_height(ground), &field.north,
               &field.south);
    return field;
}

void wadi_slab_runs(const slab_bed* bed, int32_t begin, int32_t end, int32_t worker,
                    slab_run_fn* fn)
{
    const wadi_ground* ground = bed->ground;
    const int64_t width = ground->width;
    if (ground->part == NULL)
    {
        fn(bed, begin * width, (end - begin) * width, &bed->tallies[worker]);
        return;
    }
    const wadi_owned owned = wadi_ground_owned(ground);
    for (int32_t y = begin > owned.y ? begin : owned.y; y < end && y < owned.end_y; ++y)
    {
        fn(bed, y * width + owned.x, owned.end_x - owned.x, &bed->tallies[worker]);
    }
}
