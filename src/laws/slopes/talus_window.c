// SPDX-License-Identifier: MIT
#include "laws/slopes/talus_window.h"

#include "laws/slopes/talus_patch.h"

#include <string.h>

enum
{
    WINDOW_RUN = 64 // cells that are compared at once
};

// Cells of the halo.
static int64_t window_ghosts(const wadi_partition* part)
{
    return (int64_t)wadi_partition_local_width(part) * wadi_partition_local_height(part) -
           (int64_t)part->owned_width * part->owned_height;
}

wadi_result wadi_talus_ghosts_create(wadi_context* context, talus_ghosts* ghosts)
{
    const wadi_partition* part = wadi_partition_of(context);
    if (part != NULL)
    {
        WADI_ALLOC(context, ghosts->rock, window_ghosts(part) + 1, "halos of talus");
        WADI_ALLOC(context, ghosts->loose, window_ghosts(part) + 1, "halos of talus");
    }
    return WADI_OK;
}

void wadi_talus_ghosts_destroy(wadi_context* context, talus_ghosts* ghosts)
{
    wadi_free(context, ghosts->rock);
    wadi_free(context, ghosts->loose);
}

int32_t wadi_talus_ghosts_sweeps(const wadi_partition* part)
{
    int32_t least = TALUS_MOST_SWEEPS * TALUS_HALO;
    for (int side = 0; side < 4; ++side)
    {
        const int32_t halo = part->halo[side];
        least = halo > 0 && halo < least ? halo : least;
    }
    return least / TALUS_HALO > 1 ? least / TALUS_HALO : 1;
}

// A run of ghosts in a row, and where they are kept.
typedef void window_run_fn(wadi_talus* talus, const talus_ghosts* ghosts, const wadi_ground* ground,
                           int32_t x, int32_t y, int32_t count, int64_t at);

// Loose matter of a run of cells, layer by layer.
static void window_sum_loose(const wadi_ground* ground, int64_t first, int32_t count, int32_t* out)
{
    memcpy(out, ground->loose[0] + first, (size_t)count * sizeof *out);
    for (int32_t layer = 1; layer < ground->loose_count; ++layer)
    {
        const int32_t* more = ground->loose[layer] + first;
        for (int32_t i = 0; i < count; ++i)
        {
            out[i] += more[i];
        }
    }
}

static void window_keep_run(wadi_talus* talus, const talus_ghosts* ghosts,
                            const wadi_ground* ground, int32_t x, int32_t y, int32_t count,
                            int64_t at)
{
    (void)talus;
    const int64_t first = (int64_t)y * ground->width + x;
    memcpy(ghosts->rock + at, ground->bedrock + first, (size_t)count * sizeof *ghosts->rock);
    window_sum_loose(ground, first, count, ghosts->loose + at);
}

// Touch the cells of a run of up to WINDOW_RUN that differ from those before.
static void window_touch_part(wadi_talus* talus, const talus_ghosts* ghosts,
                              const wadi_ground* ground, int32_t x, int32_t y, int32_t count,
                              int64_t at)
{
    int32_t loose[WINDOW_RUN];
    const int64_t first = (int64_t)y * ground->width + x;
    const int32_t* rock = ground->bedrock + first;
    const size_t bytes = (size_t)count * sizeof *rock;
    window_sum_loose(ground, first, count, loose);
    if (memcmp(rock, ghosts->rock + at, bytes) == 0 &&
        memcmp(loose, ghosts->loose + at, bytes) == 0)
    {
        return;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        if (rock[i] != ghosts->rock[at + i] || loose[i] != ghosts->loose[at + i])
        {
            const int32_t column = (x + i) / WADI_TALUS_TILE_WIDTH;
            const int32_t stretch = (x + i) % WADI_TALUS_TILE_WIDTH / WADI_TALUS_STRETCH;
            wadi_talus_touch_row(talus, y, column, (uint8_t)(1u << stretch));
        }
    }
}

static void window_touch_run(wadi_talus* talus, const talus_ghosts* ghosts,
                             const wadi_ground* ground, int32_t x, int32_t y, int32_t count,
                             int64_t at)
{
    for (int32_t i = 0; i < count; i += WINDOW_RUN)
    {
        const int32_t left = count - i;
        window_touch_part(talus, ghosts, ground, x + i, y, left < WINDOW_RUN ? left : WINDOW_RUN,
                          at + i);
    }
}

static void window_each_run(wadi_talus* talus, const talus_ghosts* ghosts,
                            const wadi_ground* ground, window_run_fn* fn)
{
    const wadi_owned owned = wadi_ground_owned(ground);
    int64_t at = 0;
    for (int32_t y = 0; y < ground->height; ++y)
    {
        const bool inside = y >= owned.y && y < owned.end_y;
        const int32_t west = inside ? owned.x : ground->width;
        const int32_t east = inside ? ground->width - owned.end_x : 0;
        fn(talus, ghosts, ground, 0, y, west, at);
        fn(talus, ghosts, ground, ground->width - east, y, east, at + west);
        at += west + east;
    }
}

bool wadi_talus_ghosts_exchange(wadi_talus* talus, talus_ghosts* ghosts, const wadi_ground* ground)
{
    window_each_run(talus, ghosts, ground, window_keep_run);
    if (!wadi_ground_refresh(ground))
    {
        return false;
    }
    if (ground->strata != NULL)
    {
        wadi_strata_update_hardness(ground, 0, ground->cells);
    }
    window_each_run(talus, ghosts, ground, window_touch_run);
    return true;
}
