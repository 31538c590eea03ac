// SPDX-License-Identifier: MIT
// Ground between cells and low-passes of maps: polynomials come back as they are, and no axis and
// no edge of a torus is special.
#include "maps/amplify/amplify_internal.h"
#include "maps/synthesis/blur.h"
#include "support/fixture.h"

enum
{
    WIDTH = 24,
    HEIGHT = 16
};

// A surface of the second degree and sand that is bilinear, over cells of 10 m; metres from the
// south-western corner.
static double surface_at(double x, double y)
{
    return 100.0 + 0.004 * x * x - 0.006 * y * y + 0.3 * x + 0.002 * x * y;
}

static double sand_at(double x, double y)
{
    return 2.0 + 0.01 * x + 0.03 * y;
}

static void ground_between_cells_is_smooth(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, WIDTH, HEIGHT);
    static float rock[WIDTH * HEIGHT];
    static float sand[WIDTH * HEIGHT];
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double x = 10.0 * (i % WIDTH + 0.5);
        const double y = 10.0 * (HEIGHT - i / WIDTH - 0.5);
        sand[i] = (float)sand_at(x, y);
        rock[i] = (float)(surface_at(x, y) - (double)sand[i]);
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, WIDTH));
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, WIDTH));
    amplify_job job = {
        .context = f.context, .terrain = terrain, .ground = wadi_terrain_ground(terrain)};
    CHECK_OK(f.context, wadi_amplify_level_create(&job));
    for (double y = 33.0; y < 120.0; y += 6.1)
    {
        for (double x = 31.0; x < 200.0; x += 7.3)
        {
            const amplify_place at = {x, y};
            CHECK_NEAR(wadi_amplify_ground(&job, at), surface_at(x, y), 1e-3);
            CHECK_NEAR(wadi_amplify_sand(&job, at), sand_at(x, y), 1e-3);
        }
    }
    wadi_free(f.context, job.level);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A spike spreads alike to all sides, and on a torus wherever it stands.
static void low_passes_are_isotropic(void** state)
{
    (void)state;
    enum
    {
        SIZE = 32
    };
    fixture f;
    fixture_open(&f, 1);
    static float middle[SIZE * SIZE];
    static float corner[SIZE * SIZE];
    memset(middle, 0, sizeof middle);
    memset(corner, 0, sizeof corner);
    middle[16 * SIZE + 16] = 1.0f;
    corner[0] = 1.0f;
    synthesis_grid grid = {.context = f.context, .width = SIZE, .height = SIZE, .out = middle};
    CHECK_OK(f.context, wadi_synthesis_blur(&grid, 2.0, true));
    grid.out = corner;
    CHECK_OK(f.context, wadi_synthesis_blur(&grid, 2.0, true));
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const int32_t x = i % SIZE;
        const int32_t y = i / SIZE;
        const float here = middle[(y + 16) % SIZE * SIZE + (x + 16) % SIZE];
        CHECK_NEAR((double)corner[i], (double)here, 1e-7);
        CHECK_NEAR((double)middle[i], (double)middle[x * SIZE + y], 1e-7);
    }
    assert_true(middle[16 * SIZE + 16] < 0.2f && middle[18 * SIZE + 16] > 0.01f);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ground_between_cells_is_smooth),
        cmocka_unit_test(low_passes_are_isotropic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
