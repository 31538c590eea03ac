// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 6
// Heaps of sand on bare rock become barchans, flux model: horns downwind, a tenth as high as wide,
// speed proportional to 1 / height, and no barchan of a metre. Winds from 270 and 307.
#include "support/dune_land.h"

enum
{
    HEAPS = 3
};

typedef struct heap
{
    double height; // [m]
    double radius; // [m]
    double cell;   // [m]
    int32_t size;  // of its torus [cells]
    double years;  // time to reach its shape, proportional to height squared
} heap;

static const heap heaps[HEAPS] = {
    {9.0, 45.0, 2.0, 108, 3.0}, {13.0, 65.0, 2.0, 156, 6.0}, {19.0, 95.0, 2.0, 228, 12.0}};
static const heap fine = {8.0, 40.0, 1.0, 192, 5.0};

static double heap_sand(sand_place p, const void* user)
{
    const heap* own = user;
    return sand_heap(p, own->height, own->radius);
}

typedef struct barchan
{
    double height;
    double width;
    double horns; // distance of the outer fronts ahead of the middle one [m]
    double speed; // [m/yr]
} barchan;

static void barchan_shape(const sand_land* land, sand_place top, double reach, barchan* out)
{
    double right = reach;
    double left = -reach;
    for (double across = -reach; across <= reach; across += land->cell)
    {
        if (sand_front(land, top, across, reach, land->cell) > -reach)
        {
            right = fmin(right, across);
            left = fmax(left, across);
        }
    }
    const double axis = 0.5 * (right + left);
    out->width = left - right;
    double horn[2] = {-reach, -reach};
    for (double across = right; across <= left; across += land->cell)
    {
        // the outer 40 % of the width
        if (fabs(across - axis) >= 0.3 * out->width)
        {
            const int side = across < axis ? 0 : 1;
            horn[side] = fmax(horn[side], sand_front(land, top, across, reach, land->cell));
        }
    }
    out->horns = fmin(horn[0], horn[1]) - sand_front(land, top, axis, reach, land->cell);
}

static barchan barchan_with(const heap* own, double direction, double across)
{
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.size = own->size;
    def.cell = own->cell;
    def.params.direction = direction;
    def.params.shear_across = across;
    def.sand = heap_sand;
    def.user = own;
    barchan out = {0};
    dune_land_open(&land, &def);
    dune_land_blow(&land, own->years);
    const double reach = 0.45 * own->size * own->cell;
    for (int k = 0; k < 4; ++k)
    {
        double* levels = dunes_levels(land.terrain);
        dune_land_blow(&land, 0.25);
        out.speed += dunes_shift(levels, land.terrain, land.x, land.y, 0.25 * reach);
        test_free(levels);
    }
    sand_place top;
    out.height = dune_summit(&land, &top);
    barchan_shape(&land, top, reach, &out);
    sand_land_close(&land);
    print_message("wind from %3.0f: barchan %.1f m high, %.0f m wide, horns %.1f m ahead, %.1f "
                  "m/yr, c H %.0f m2/yr\n",
                  direction, out.height, out.width, out.horns, out.speed, out.speed * out.height);
    return out;
}

static barchan barchan_of(const heap* own, double direction)
{
    return barchan_with(own, direction, 0.0);
}

static double celerity_exponent(const barchan* b)
{
    double height[HEAPS];
    double speed[HEAPS];
    for (int i = 0; i < HEAPS; ++i)
    {
        height[i] = b[i].height;
        speed[i] = b[i].speed;
    }
    return sand_exponent(height, speed, HEAPS);
}

static void barchans_wander(double direction)
{
    barchan b[HEAPS];
    for (int i = 0; i < HEAPS; ++i)
    {
        b[i] = barchan_of(&heaps[i], direction);
        const double slender = b[i].height / b[i].width;
        assert_true(slender >= 1.0 / 14.0 && slender <= 1.0 / 7.0);
    }
    const barchan horned = barchan_of(&fine, direction);
    assert_true(horned.horns > 2.0 * horned.height);
    const double exponent = celerity_exponent(b);
    print_message("speed goes as height to the %.2f\n", exponent);
    assert_true(exponent >= -1.25 && exponent <= -0.75);
}

static void barchans_from_the_west(void** state)
{
    (void)state;
    barchans_wander(270.0);
}

static void slow_barchans_from_the_north_west(void** state)
{
    (void)state;
    barchans_wander(307.0);
}

static void small_heaps_disperse(void** state)
{
    (void)state;
    static const heap small = {1.0, 5.0, 1.0, 96, 2.0};
    assert_true(barchan_of(&small, 307.0).height < 0.2);
    assert_true(barchan_of(&fine, 307.0).height > 7.0);
}

// Wind that meets oblique ridges like ridges square to it leaves horns.
static void oblique_ridges_leave_horns(void** state)
{
    (void)state;
    const barchan horned = barchan_with(&fine, 270.0, 0.7);
    assert_true(horned.horns > 2.0 * horned.height);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barchans_from_the_west),
        cmocka_unit_test(slow_barchans_from_the_north_west),
        cmocka_unit_test(small_heaps_disperse),
        cmocka_unit_test(oblique_ridges_leave_horns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
