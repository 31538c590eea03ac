// SPDX-License-Identifier: MIT
// labels: medium
// Mega-dunes, flux model: a heap of 45 m among heaps of 12 m becomes a barchan that is three times
// as high as the median dune, with the shape of small ones. Winds from 270 and 307.
#include "support/dune_land.h"

#include <stdlib.h>

enum
{
    SIZE = 256,
    HEAPS = 7,
    MOST_DUNES = 64
};

typedef struct heap
{
    double along;
    double across;
    double height; // [m]
} heap;

static const heap heaps[HEAPS] = {
    {-120.0, 0.0, 45.0},    {-250.0, 330.0, 12.0}, {20.0, 380.0, 12.0},  {260.0, 310.0, 12.0},
    {-250.0, -330.0, 12.0}, {20.0, -380.0, 12.0},  {260.0, -310.0, 12.0}};

static double heaps_sand(sand_place p, const void* user)
{
    (void)user;
    double sand = 0.0;
    for (int i = 0; i < HEAPS; ++i)
    {
        const double radius = 5.0 * heaps[i].height;
        const double far = hypot(p.along - heaps[i].along, p.across - heaps[i].across) / radius;
        sand += fmax(0.0, heaps[i].height * (1.0 - far * far));
    }
    return sand;
}

// A patch of sand over a metre.
typedef struct dune
{
    double height; // [m]
    double right;  // ends across the wind [m]
    double left;
} dune;

static double sand_of(const sand_land* land, int32_t cell)
{
    return wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT, cell % SIZE, cell / SIZE) /
           65536.0;
}

// The patch that contains `cell`; its cells are marked as seen.
static dune dune_of(const sand_land* land, bool* seen, int32_t* queue, int32_t cell)
{
    int32_t count = 1;
    dune out = {0.0, 1e9, -1e9};
    queue[0] = cell;
    seen[cell] = true;
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t x = queue[i] % SIZE;
        const int32_t y = queue[i] / SIZE;
        const int32_t beside[4] = {y * SIZE + (x + 1) % SIZE, y * SIZE + (x + SIZE - 1) % SIZE,
                                   (y + 1) % SIZE * SIZE + x, (y + SIZE - 1) % SIZE * SIZE + x};
        const sand_place p = sand_place_of(land, x, y);
        out.height = fmax(out.height, sand_of(land, queue[i]));
        out.right = fmin(out.right, p.across);
        out.left = fmax(out.left, p.across);
        for (int k = 0; k < 4; ++k)
        {
            if (!seen[beside[k]] && sand_of(land, beside[k]) > 1.0)
            {
                seen[beside[k]] = true;
                queue[count++] = beside[k];
            }
        }
    }
    return out;
}

static int dune_by_height(const void* a, const void* b)
{
    const dune* x = a;
    const dune* y = b;
    return (x->height > y->height) - (x->height < y->height);
}

// All patches at least 2 m high, in order of height.
static int32_t dunes_of(const sand_land* land, dune* dunes)
{
    static bool seen[SIZE * SIZE];
    static int32_t queue[SIZE * SIZE];
    int32_t count = 0;
    memset(seen, 0, sizeof seen);
    for (int32_t i = 0; i < SIZE * SIZE && count < MOST_DUNES; ++i)
    {
        if (!seen[i] && sand_of(land, i) > 1.0)
        {
            dunes[count] = dune_of(land, seen, queue, i);
            count += dunes[count].height >= 2.0 ? 1 : 0;
        }
    }
    qsort(dunes, (size_t)count, sizeof *dunes, dune_by_height);
    return count;
}

static void heaps_of_all_sizes_become_barchans(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        sand_land land;
        dune dunes[MOST_DUNES];
        dune_land_def def = dune_land_def_default();
        def.size = SIZE;
        def.cell = 4.0;
        def.sand = heaps_sand;
        def.params.step_flux = 0.1; // crests become ragged at 0.25, see docs/theory
        def.params.direction = 270.0 + 37.0 * k;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 16.0);
        const int32_t count = dunes_of(&land, dunes);
        const dune mega = dunes[count - 1];
        const double median = dunes[count / 2].height;
        const double slender = mega.height / (mega.left - mega.right);
        const double steepest = dunes_steepest(land.terrain);
        print_message("wind from %3.0f: %d dunes, median %.1f m; the highest %.1f m, 1/%.1f of its "
                      "width, slip face of %.1f degrees\n",
                      def.params.direction, (int)count, median, mega.height, 1.0 / slender,
                      steepest);
        assert_true(count >= 5 && mega.height >= 3.0 * median);
        assert_true(slender >= 1.0 / 14.0 && slender <= 1.0 / 7.0);
        assert_true(steepest >= 30.0 && steepest <= 34.0);
        sand_land_close(&land);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_of_all_sizes_become_barchans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
