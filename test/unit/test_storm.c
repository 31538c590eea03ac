// SPDX-License-Identifier: MIT
// Storms on slopes: what stands, what fails, and the books of the water.
#include "support/fixture.h"

#include "core/random.h"
#include "laws/slopes/storm_internal.h"

#include <stdlib.h>

enum
{
    SIDE = 128
};

typedef struct hills
{
    fixture f;
    float* heights;
    wadi_field2d field;
    storm_law law;
    storm_land* land;
    slide_list list;
    storm_books books;
} hills;

// Ridges and hollows of noise, `relief` metres high, on cells of 10 m.
static void hills_open(hills* h, int32_t threads, double relief, wadi_edge edge)
{
    fixture_open(&h->f, threads);
    h->heights = malloc(sizeof *h->heights * SIDE * SIDE);
    wadi_noise_params noise = wadi_noise_params_default();
    noise.kind = WADI_NOISE_RIDGED;
    noise.relief = relief;
    noise.wavelength = 800.0;
    noise.octaves = 3;
    noise.tileable = edge == WADI_EDGE_PERIODIC;
    CHECK_OK(h->f.context, wadi_noise_fill(h->f.context, &noise, 5, SIDE, SIDE, 10.0, h->heights));
    h->heights[SIDE * 40 + 40] = NAN; // a void
    h->field = (wadi_field2d){.heights = h->heights,
                              .width = SIDE,
                              .height = SIDE,
                              .stride = SIDE,
                              .dx = 10.0,
                              .dy = 10.0,
                              .edges = {edge, edge, edge, edge}};
    h->law = wadi_storm_law_default();
    CHECK_OK(h->f.context, wadi_storm_create(h->f.context, &h->field, 7, &h->law, &h->land));
    const soil_law soil = wadi_soil_law_default();
    const storm_rain used = {5.0 / 3.6e6, 86400.0, 86400.0, 0};
    CHECK_OK(h->f.context, wadi_soil_grow(h->land, &soil, &used));
}

static void hills_close(hills* h)
{
    wadi_slide_list_destroy(h->f.context, &h->list);
    wadi_storm_destroy(h->land);
    free(h->heights);
    fixture_close(&h->f);
}

// Rain of `rate` mm/h for a day; the slides replace those of the last storm.
static void hills_rain(hills* h, double rate, uint32_t number)
{
    const storm_rain rain = {rate / 3.6e6, 86400.0, 86400.0, number};
    wadi_slide_list_destroy(h->f.context, &h->list);
    CHECK_OK(h->f.context, wadi_storm_run(h->land, &rain, &h->list, &h->books));
    const storm_books* b = &h->books;
    assert_true(b->rain == b->runoff + b->soaked + b->held + b->slid);
}

static int32_t* hills_copy(const hills* h)
{
    int32_t* copy = malloc(sizeof *copy * SIDE * SIDE);
    memcpy(copy, wadi_storm_soil(h->land), sizeof *copy * SIDE * SIDE);
    return copy;
}

static void only_more_rain_than_before_makes_ground_fail(void** state)
{
    (void)state;
    hills h = {0};
    hills_open(&h, 2, 420.0, WADI_EDGE_OPEN);
    int32_t* before = hills_copy(&h);
    for (int32_t mild = 0; mild < 2; ++mild)
    {
        hills_rain(&h, (double)mild, 1); // none, then drizzle
        assert_int_equal(h.list.count, 0);
        assert_memory_equal(before, wadi_storm_soil(h.land), sizeof *before * SIDE * SIDE);
    }
    hills_rain(&h, 5.0, 1);
    const int64_t usual = h.list.cell_count;
    assert_true(usual > 3 * SIDE * SIDE / 1000 && usual < 4 * SIDE * SIDE / 100);
    hills_rain(&h, 5.0, 1);
    assert_int_equal(h.list.count, 0); // the same storm finds nothing
    memcpy(wadi_storm_soil(h.land), before, sizeof *before * SIDE * SIDE);
    hills_rain(&h, 10.0, 1);
    assert_true(h.list.cell_count > 2 * usual);
    free(before);
    hills_close(&h);
}

// Each failure is one connected area, in the order of time; its figures are those of its cells.
static void failures_are_whole_and_in_order(void** state)
{
    (void)state;
    hills h = {0};
    hills_open(&h, 1, 420.0, WADI_EDGE_OPEN);
    int32_t* before = hills_copy(&h);
    hills_rain(&h, 10.0, 2);
    assert_true(h.list.count > 10);
    int64_t cells = 0;
    for (int32_t i = 0; i < h.list.count; ++i)
    {
        const slide_failure* f = &h.list.failures[i];
        assert_int_equal(f->number, i + 1);
        assert_int_equal(f->first, cells);
        assert_true(f->count > 0 && f->time > 0.0 && f->time <= 86400.0);
        assert_true(i == 0 || f->time >= h.list.failures[i - 1].time);
        assert_true(f->wetness > 0.0 && f->wetness <= 1.0 && f->pressure > 0.0);
        assert_true(f->slope > 0.3 && f->friction > 0.4 && f->friction < 1.2);
        int64_t units = 0;
        for (int64_t k = f->first; k < f->first + f->count; ++k)
        {
            const slide_cell* s = &h.list.cells[k];
            assert_int_equal(s->depth, before[s->cell]);
            assert_int_equal(wadi_storm_soil(h.land)[s->cell], 0);
            assert_true(s->water >= 0 && s->water <= s->depth);
            units += s->depth;
        }
        assert_int_equal(units, f->units);
        cells += f->count;
    }
    assert_int_equal(cells, h.list.cell_count);
    free(before);
    hills_close(&h);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; ++periodic)
    {
        hills a = {0};
        hills b = {0};
        const wadi_edge edge = periodic != 0 ? WADI_EDGE_PERIODIC : WADI_EDGE_CLOSED;
        hills_open(&a, 1, 420.0, edge);
        hills_open(&b, 3, 420.0, edge);
        hills_rain(&a, 8.0, 3);
        hills_rain(&b, 8.0, 3);
        assert_int_equal(a.list.count, b.list.count);
        assert_true(a.list.count > 0);
        assert_memory_equal(wadi_storm_soil(a.land), wadi_storm_soil(b.land),
                            sizeof(int32_t) * SIDE * SIDE);
        assert_memory_equal(&a.books, &b.books, sizeof a.books);
        hills_close(&a);
        hills_close(&b);
    }
}

static void low_hills_stand(void** state)
{
    (void)state;
    hills h = {0};
    hills_open(&h, 2, 60.0, WADI_EDGE_OPEN);
    hills_rain(&h, 10.0, 1);
    assert_int_equal(h.list.count, 0);
    const int32_t* soil = wadi_storm_soil(h.land);
    assert_int_equal(soil[SIDE * 40 + 40], 0); // the void
    assert_true(soil[SIDE * 80 + 80] > WADI_UNITS_PER_METRE / 4);
    hills_close(&h);
}

// On a plane without scatter, the depth is that of production alone: h0 ln(1 + P T / (h0 cos b)).
static void soil_on_a_plane_is_that_of_production(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float heights[32 * 32];
    for (int c = 0; c < 32 * 32; ++c)
    {
        heights[c] = 2.0f * (float)(c % 32); // 0.2 to the east
    }
    const wadi_field2d field = {
        .heights = heights, .width = 32, .height = 32, .stride = 32, .dx = 10.0, .dy = 10.0};
    storm_law law = wadi_storm_law_default();
    law.scatter = 0.0;
    storm_land* land;
    CHECK_OK(f.context, wadi_storm_create(f.context, &field, 1, &law, &land));
    const soil_law soil = wadi_soil_law_default();
    const storm_rain rain = {5.0 / 3.6e6, 86400.0, 86400.0, 0};
    CHECK_OK(f.context, wadi_soil_grow(land, &soil, &rain));
    const double want = 0.5 * log(1.0 + 2e-4 * 1e4 * sqrt(1.04) / 0.5);
    CHECK_NEAR((double)wadi_storm_soil(land)[32 * 16 + 16] / 65536.0, want, 1e-4);
    CHECK_NEAR((double)wadi_storm_soil(land)[0] / 65536.0, want, 1e-4);

    // a metre of soil, dry and full: the surplus of force of an infinite slope
    for (int wet = 0; wet < 2; ++wet)
    {
        const double weight = wet != 0 ? 19500.0 : 16000.0;
        const double strength = (weight - 9810.0 * wet) * law.friction / 1.04;
        const double cohesion = 1000.0 + 10000.0 * exp(-1.0 / 0.5);
        CHECK_NEAR(wadi_storm_drive(land, 32 * 16 + 16, 65536, (double)wet),
                   100.0 * sqrt(1.04) * (weight * 0.2 / 1.04 - strength - cohesion), 1.0);
    }
    wadi_storm_destroy(land);
    fixture_close(&f);
}

// Cells whose soil is deeper than that of both neighbours along x while the next is shallower than
// its own, or the other way round, by more than 0.1 m.
static int32_t soil_turns(const int32_t* depth)
{
    const int64_t least = 65536 / 10;
    int32_t turns = 0;
    for (int32_t i = 4; i < SIDE * SIDE - 4; ++i)
    {
        const bool inside = i % SIDE >= 4 && i % SIDE < SIDE - 4;
        const int64_t a = (int64_t)depth[i] - depth[i - 1];
        const int64_t b = (int64_t)depth[i] - depth[i + 1];
        const int64_t c = (int64_t)depth[i + 2] - depth[i + 1];
        turns += inside && ((a > least && b > least && c > least) ||
                            (a < -least && b < -least && c < -least));
    }
    return turns;
}

// Rough ground on small cells is smoothed by points several cells apart: no row of soil takes turns
// with the next, from an edge or a void on.
static void soil_on_small_cells_takes_no_turns(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static float heights[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double lot = wadi_unit_double(wadi_random(3, 0, (uint64_t)i, 0).v[0], 0);
        heights[i] = (float)(0.5 * (i % SIDE) + 4.0 * lot);
    }
    heights[SIDE * 40 + 40] = NAN;
    const double cells[] = {2.5, 2.0, 1.0, 0.5};
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; ++k)
    {
        const wadi_field2d field = {
            .heights = heights,
            .width = SIDE,
            .height = SIDE,
            .stride = SIDE,
            .dx = cells[k],
            .dy = cells[k],
            .edges = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_OPEN, WADI_EDGE_CLOSED}};
        storm_law law = wadi_storm_law_default();
        law.scatter = 0.0;
        storm_land* land;
        CHECK_OK(f.context, wadi_storm_create(f.context, &field, 7, &law, &land));
        soil_law soil = wadi_soil_law_default();
        soil.storms = 0;
        const storm_rain none = {0};
        CHECK_OK(f.context, wadi_soil_grow(land, &soil, &none));
        const int32_t turns = soil_turns(wadi_storm_soil(land));
        print_message("cells of %g m: %d of soil take turns\n", cells[k], (int)turns);
        assert_true(turns <= SIDE * SIDE / 1000);
        wadi_storm_destroy(land);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soil_on_small_cells_takes_no_turns),
        cmocka_unit_test(only_more_rain_than_before_makes_ground_fail),
        cmocka_unit_test(failures_are_whole_and_in_order),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(low_hills_stand),
        cmocka_unit_test(soil_on_a_plane_is_that_of_production),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
