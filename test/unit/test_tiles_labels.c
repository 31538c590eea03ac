// SPDX-License-Identifier: MIT
// Labels of connected cells by tiles against a search over the whole grid.
#include "support/fixture.h"

#include "core/random.h"

#include <wadi/tiles.h>

#include <stdlib.h>

enum
{
    MOST = 90 * 90
};

typedef struct cells
{
    int32_t width;
    int32_t height;
    wadi_edge edges[4];
    int8_t mask[MOST];
    int64_t known[MOST];
    int64_t labels[MOST];
} cells;

static cells all;

static uint32_t random_of(uint64_t seed, uint64_t number, uint32_t below)
{
    return wadi_random(seed, 3, number, 0).v[0] % below;
}

static int32_t neighbour_of(int32_t cell, int k)
{
    int32_t x = cell % all.width + k % 3 - 1;
    int32_t y = cell / all.width + k / 3 - 1;
    x = all.edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC ? (x + all.width) % all.width : x;
    y = all.edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC ? (y + all.height) % all.height : y;
    return x >= 0 && x < all.width && y >= 0 && y < all.height ? y * all.width + x : -1;
}

// Cells in rising order: the first that finds a piece has its smallest index.
static void search_whole_grid(void)
{
    static int32_t stack[MOST];
    const int32_t count = all.width * all.height;
    for (int32_t i = 0; i < count; ++i)
    {
        all.known[i] = -1;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        int32_t top = 0;
        if (all.mask[i] > 0 && all.known[i] < 0)
        {
            all.known[i] = i;
            stack[top++] = i;
        }
        while (top > 0)
        {
            const int32_t cell = stack[--top];
            for (int k = 0; k < 9; ++k)
            {
                const int32_t n = neighbour_of(cell, k);
                if (n >= 0 && all.mask[n] > 0 && all.known[n] < 0)
                {
                    all.known[n] = i;
                    stack[top++] = n;
                }
            }
        }
    }
}

static void check_tiles(wadi_context* context, int32_t tile)
{
    wadi_tiling tiling = {.width = all.width, .height = all.height, .tile = tile};
    memcpy(tiling.edges, all.edges, sizeof tiling.edges);
    wadi_tile_array mask = {all.mask, all.width, WADI_TILE_INT8};
    wadi_tile_array labels = {all.labels, all.width, WADI_TILE_INT64};
    wadi_tiles* tiles;
    CHECK_OK(context, wadi_tiles_create(context, &tiling, &tiles));
    CHECK_OK(context,
             wadi_tiles_label(tiles, &(wadi_tiles_label_job){wadi_tile_layer_of(&mask),
                                                             wadi_tile_layer_of(&labels)}));
    wadi_tiles_destroy(tiles);
    assert_memory_equal(all.known, all.labels,
                        (size_t)all.width * (size_t)all.height * sizeof(int64_t));
}

static void labels_do_not_depend_on_tiles(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (uint64_t seed = 1; seed <= 300; ++seed)
    {
        all.width = 1 + (int32_t)random_of(seed, 0, 90);
        all.height = 1 + (int32_t)random_of(seed, 1, 90);
        for (uint64_t side = 0; side < 2; ++side)
        {
            all.edges[side] =
                random_of(seed, 2 + side, 2) != 0 ? WADI_EDGE_PERIODIC : WADI_EDGE_OPEN;
            all.edges[side + 2] = all.edges[side];
        }
        const uint32_t share = 20 + random_of(seed, 4, 50); // around the threshold of percolation
        for (int32_t i = 0; i < all.width * all.height; ++i)
        {
            all.mask[i] =
                (int8_t)(random_of(seed, 100 + (uint64_t)i, 100) < share ? 1 + i % 3 : -(i % 2));
        }
        search_whole_grid();
        check_tiles(f.context, 8);
        check_tiles(f.context, 8 + (int32_t)random_of(seed, 5, 90));
    }
    fixture_close(&f);
}

static void labels_need_a_mask_of_bytes(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_tile_array labels = {all.labels, 9, WADI_TILE_INT64};
    wadi_tiles* tiles;
    CHECK_OK(f.context, wadi_tiles_create(
                            f.context, &(wadi_tiling){.width = 9, .height = 9, .tile = 8}, &tiles));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "INT8",
                wadi_tiles_label(tiles, &(wadi_tiles_label_job){wadi_tile_layer_of(&labels),
                                                                wadi_tile_layer_of(&labels)}));
    wadi_tiles_destroy(tiles);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_do_not_depend_on_tiles),
        cmocka_unit_test(labels_need_a_mask_of_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
