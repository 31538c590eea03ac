// SPDX-License-Identifier: MIT
// Rims of failures below the cell: volume, depth within the soil, no soil of other failures.
#include "support/fixture.h"

#include "processes/landslide/landslide_internal.h"

enum
{
    SIDE = 32,
    CELLS = SIDE * SIDE,
    METRE = 1 << 16
};

typedef struct rim
{
    fixture f;
    wadi_terrain* terrain;
    slide_list list;
    int32_t soil[CELLS];
    int32_t taken[CELLS];
} rim;

static void rim_open(rim* r)
{
    *r = (rim){0};
    fixture_open(&r->f, 1);
    r->terrain = fixture_plain(&r->f, SIDE, SIDE, 10.0, WADI_EDGE_OPEN);
    for (int32_t c = 0; c < CELLS; ++c)
    {
        r->soil[c] = METRE;
    }
}

// All cells within `radius` of a place have failed to the base of their soil.
static void rim_fail(rim* r, double x, double y, double radius)
{
    CHECK_OK(r->f.context, wadi_slide_list_begin(r->f.context, &r->list, 60.0));
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const double dx = c % SIDE - x;
        const double dy = c / SIDE - y;
        if (dx * dx + dy * dy <= radius * radius)
        {
            const slide_cell s = {c, r->soil[c], METRE / 2};
            CHECK_OK(r->f.context, wadi_slide_list_add(r->f.context, &r->list, s));
        }
    }
}

static void rim_close(rim* r)
{
    wadi_slide_list_destroy(r->f.context, &r->list);
    wadi_terrain_destroy(r->terrain);
    fixture_close(&r->f);
}

// Shape the rims and sum what failures take from each cell.
static void rim_shape(rim* r)
{
    CHECK_OK(r->f.context, wadi_slide_rim(r->f.context, wadi_terrain_ground_const(r->terrain),
                                          r->soil, &r->list));
    for (int64_t k = 0; k < r->list.cell_count; ++k)
    {
        const slide_cell* s = &r->list.cells[k];
        assert_true(s->depth >= 0 && s->water >= 0 && s->water <= s->depth);
        r->taken[s->cell] += s->depth;
        assert_true(r->taken[s->cell] <= r->soil[s->cell]);
    }
}

// Share of the gradient of the depth within 10 degrees of the axes; 0.22 of a cone.
static double along_axes(const rim* r)
{
    double sum = 0.0;
    double along = 0.0;
    for (int32_t c = SIDE; c < CELLS - SIDE; ++c)
    {
        const double gx = r->taken[c + 1] - r->taken[c - 1];
        const double gy = r->taken[c + SIDE] - r->taken[c - SIDE];
        const double low = fmin(fabs(gx), fabs(gy));
        const double high = fmax(fabs(gx), fabs(gy));
        sum += sqrt(gx * gx + gy * gy);
        along += low <= 0.1763 * high ? sqrt(gx * gx + gy * gy) : 0.0;
    }
    return along / sum;
}

static void rims_rise_and_keep_the_volume(void** state)
{
    (void)state;
    rim r;
    rim_open(&r);
    rim_fail(&r, 15.0, 16.0, 6.3);
    const slide_failure before = r.list.failures[0];
    rim_shape(&r);
    const slide_failure* f = &r.list.failures[0];
    assert_int_equal(f->count, before.count);
    assert_true(f->rim > 20 && f->first == 0 && f->time == before.time);
    assert_int_equal(f->count + f->rim, r.list.cell_count);
    CHECK_NEAR((double)f->units / (double)before.units, 1.0, 0.002);
    assert_int_equal(r.taken[16 * SIDE + 15], METRE); // all soil in the middle
    const int32_t inner = r.taken[16 * SIDE + 15 + 5];
    const int32_t edge = r.taken[16 * SIDE + 15 + 6];
    const int32_t beyond = r.taken[16 * SIDE + 15 + 7];
    assert_true(inner > edge && edge > beyond && beyond > 0 && edge < 3 * METRE / 4);
    assert_int_equal(r.taken[16 * SIDE + 15 + 10], 0);
    const double share = along_axes(&r);
    print_message("%.3f of the rim within 10 degrees of the axes\n", share);
    assert_true(share < 0.32);
    rim_close(&r);
}

// Two failures beside each other, on soil of two depths; a third is too small for a rim.
static void failures_keep_to_their_soil(void** state)
{
    (void)state;
    rim r;
    rim_open(&r);
    for (int32_t c = 0; c < CELLS; ++c)
    {
        r.soil[c] = c % SIDE < 16 ? METRE : METRE / 3;
    }
    r.soil[3 * SIDE + 10] = 0;
    rim_fail(&r, 10.0, 8.0, 5.2);
    rim_fail(&r, 20.0, 8.0, 4.1);
    rim_fail(&r, 28.0, 28.0, 0.5);
    const int64_t second = r.list.failures[1].first;
    slide_cell own[64];
    const int64_t count = r.list.failures[1].count;
    const double units[2] = {(double)r.list.failures[0].units, (double)r.list.failures[1].units};
    for (int64_t k = 0; k < count; ++k)
    {
        own[k] = r.list.cells[second + k];
    }
    rim_shape(&r);
    const slide_failure* first = &r.list.failures[0];
    for (int64_t k = 0; k < first->count + first->rim; ++k)
    {
        for (int64_t i = 0; i < count; ++i)
        {
            assert_true(r.list.cells[first->first + k].cell != own[i].cell);
        }
    }
    for (int k = 0; k < 2; ++k)
    {
        CHECK_NEAR((double)r.list.failures[k].units / units[k], 1.0, 0.0015);
    }
    assert_int_equal(r.list.failures[2].rim, 0);
    assert_int_equal(r.taken[28 * SIDE + 28], r.soil[28 * SIDE + 28]);
    rim_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rims_rise_and_keep_the_volume),
        cmocka_unit_test(failures_keep_to_their_soil),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
