// SPDX-License-Identifier: MIT
// Bed taken up by a slide is removed from below it: following grains run on lower ground.
#include "support/slope.h"

#include "processes/landslide/landslide_internal.h"

static const slope_shape hill = {
    .side = 40,
    .cell = 5.0,
    .tangent = 0.6,
    .azimuth = 37.0,
    .soil = 1.5,
    .block = 2.0,
    .half = 20.0,
    .ahead = -40.0,
};

// The released region: the block only.
static void cut_block(wadi_terrain* terrain, slide_source* source)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const int32_t bed = 3 * WADI_UNITS_PER_METRE / 2;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        source->soil[c] = ground->loose[0][c] > bed ? ground->loose[0][c] - bed : 0;
    }
    source->wetness = 1.0;
    wadi_slide_source_sum(ground, source);
}

// Sum of cells x metres of grains below the original ground.
static double deepest(const slide* s, const wadi_facets* before)
{
    double most = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double* at = s->now[i].position;
        double slope[2];
        const double sunk = wadi_facets_height(before, at[0], at[1], slope) - at[2];
        most = sunk > most ? sunk : most;
    }
    return most;
}

static void bed_is_gone_from_under_the_slide(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_landslide_params params = wadi_landslide_params_default();
    params.most = 300;
    params.entrainment = 0.02;
    slide_source source = {0};
    const int64_t cells = wadi_terrain_ground_const(terrain)->cells;
    source.soil = test_calloc((size_t)cells, sizeof *source.soil);
    source.rock = test_calloc((size_t)cells, sizeof *source.rock);
    cut_block(terrain, &source);
    float* speed = test_calloc((size_t)cells, sizeof *speed);
    slide s = {.terrain = terrain, .params = &params, .source = &source, .speed = speed};
    CHECK_OK(f.context, wadi_slide_prepare(&s));
    const size_t land = (size_t)s.land.width * (size_t)s.land.height;
    float* floor = test_calloc(land, sizeof *floor);
    memcpy(floor, s.land.floor, land * sizeof *floor);
    bool stopped;
    CHECK_OK(f.context, wadi_slide_begin(&s));
    CHECK_OK(f.context, wadi_slide_move(&s, 12.0, &stopped));

    const wadi_facets before = wadi_slide_land_facets(&s.land, floor);
    double lower = 0.0;
    int64_t worn = 0;
    for (size_t i = 0; i < land; ++i)
    {
        assert_true(s.land.floor[i] <= floor[i]);
        const double here = (double)floor[i] - (double)s.land.floor[i];
        lower = here > lower ? here : lower;
    }
    for (int64_t c = 0; c < cells; ++c)
    {
        worn += s.worn[c];
    }
    int64_t riding = 0;
    for (int32_t i = 0; i < s.count; ++i)
    {
        riding += s.taken_up[i]; // there is one layer
    }
    print_message("floor lower by up to %.2f m, grains below the old one by up to %.2f m\n", lower,
                  deepest(&s, &before));
    assert_true(worn > 0 && worn == riding);
    assert_true(lower > 1.0);
    // a grain's centre is lower than the ground that it started on
    assert_true(deepest(&s, &before) > 0.2);
    wadi_slide_destroy(&s);
    test_free(floor);
    test_free(speed);
    test_free(source.soil);
    test_free(source.rock);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bed_is_gone_from_under_the_slide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
