// SPDX-License-Identifier: MIT
// Brushes against a plain reference that visits each cell of the grid and each image of the brush,
// and their laws: a soft edge that only falls, a closed ledger, the same bits on any threads.
#include "support/fixture.h"

#include "core/random.h"

#include <stdlib.h>

enum
{
    WIDTH = 41,
    HEIGHT = 29,
    CELLS = WIDTH * HEIGHT
};
#define CELL 3.0

static double random_in(uint32_t* counter, double low, double high)
{
    return low + (high - low) * (double)wadi_unit_float(wadi_random(9, 0, (*counter)++, 0).v[0]);
}

static wadi_terrain* ground(fixture* f, bool periodic_x, bool periodic_y)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = CELL;
    def.edges[WADI_SIDE_NORTH] = periodic_y ? WADI_EDGE_PERIODIC : WADI_EDGE_OPEN;
    def.edges[WADI_SIDE_SOUTH] = def.edges[WADI_SIDE_NORTH];
    def.edges[WADI_SIDE_EAST] = periodic_x ? WADI_EDGE_PERIODIC : WADI_EDGE_CLOSED;
    def.edges[WADI_SIDE_WEST] = def.edges[WADI_SIDE_EAST];
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 3000.0, 4000.0, 1);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 5.0, 2);
    fixture_noise(terrain, WADI_LAYER_WATER, 0.0, 3.0, 3);
    fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, 1.0, 4);
    fixture_noise(terrain, WADI_LAYER_VEGETATION, 0.0, 1.0, 5);
    fixture_holes(terrain);
    return terrain;
}

static const wadi_layer layers[] = {WADI_LAYER_SURFACE,  WADI_LAYER_BEDROCK,  WADI_LAYER_WATER,
                                    WADI_LAYER_HARDNESS, WADI_LAYER_SEDIMENT, WADI_LAYER_VEGETATION,
                                    WADI_LAYER_MOISTURE};
enum
{
    LAYERS = sizeof layers / sizeof layers[0]
};

static bool is_share(wadi_layer layer)
{
    return layer == WADI_LAYER_HARDNESS || layer == WADI_LAYER_VEGETATION ||
           layer == WADI_LAYER_MOISTURE;
}

static bool is_elevation(wadi_layer layer)
{
    return layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK;
}

static wadi_brush random_brush(uint32_t* counter, int k)
{
    wadi_brush brush = wadi_brush_default();
    brush.layer = layers[k % LAYERS];
    brush.verb = k / LAYERS % WADI_EDIT_VERB_COUNT;
    brush.x = random_in(counter, -40.0, WIDTH * CELL + 40.0);
    brush.y = random_in(counter, -40.0, HEIGHT * CELL + 40.0);
    brush.radius = random_in(counter, 0.5, k % 5 == 0 ? 150.0 : 30.0);
    brush.soft = k % 4 == 0 ? 0.0 : random_in(counter, 0.0, 1.0);
    const bool part = is_share(brush.layer) || brush.verb == WADI_EDIT_SMOOTH;
    const bool assigns = brush.verb == WADI_EDIT_SET || brush.verb == WADI_EDIT_AT_LEAST;
    brush.amount = part                                   ? random_in(counter, 0.0, 1.0)
                   : assigns && is_elevation(brush.layer) ? random_in(counter, 2900.0, 4100.0)
                                                          : random_in(counter, 0.0, 9.0);
    return brush;
}

// ---- the reference -------------------------------------------------------------------------

// Distance from the nearest image of the brush's centre.
static double plain_distance(const wadi_terrain* terrain, const wadi_brush* brush, int32_t x,
                             int32_t y)
{
    const wadi_point at = wadi_terrain_cell_centre(terrain, x, y);
    const bool periodic_x = wadi_terrain_edge(terrain, WADI_SIDE_WEST) == WADI_EDGE_PERIODIC;
    const bool periodic_y = wadi_terrain_edge(terrain, WADI_SIDE_NORTH) == WADI_EDGE_PERIODIC;
    double nearest = HUGE_VAL;
    for (int i = -3; i <= 3; ++i)
    {
        for (int j = -3; j <= 3; ++j)
        {
            if ((i == 0 || periodic_x) && (j == 0 || periodic_y))
            {
                const double dx = at.x - brush->x - i * WIDTH * CELL;
                const double dy = at.y - brush->y - j * HEIGHT * CELL;
                nearest = fmin(nearest, sqrt(dx * dx + dy * dy));
            }
        }
    }
    return nearest;
}

static double plain_weight(const wadi_brush* brush, double distance)
{
    const double rim = brush->soft * brush->radius;
    const double depth = brush->radius - distance;
    if (depth <= 0.0 || depth >= rim)
    {
        return depth <= 0.0 ? 0.0 : 1.0;
    }
    const double t = depth / rim;
    return t * t * (3.0 - 2.0 * t);
}

// Mean of the valid cells around one, over periodic edges.
static double plain_mean(const wadi_terrain* terrain, wadi_layer layer, int32_t x, int32_t y)
{
    const bool periodic_x = wadi_terrain_edge(terrain, WADI_SIDE_WEST) == WADI_EDGE_PERIODIC;
    const bool periodic_y = wadi_terrain_edge(terrain, WADI_SIDE_NORTH) == WADI_EDGE_PERIODIC;
    double sum = 0.0;
    int count = 0;
    for (int32_t j = y - 1; j <= y + 1; ++j)
    {
        for (int32_t i = x - 1; i <= x + 1; ++i)
        {
            const int32_t column = periodic_x ? (i + WIDTH) % WIDTH : i;
            const int32_t row = periodic_y ? (j + HEIGHT) % HEIGHT : j;
            if ((i != x || j != y) && wadi_terrain_is_valid(terrain, column, row))
            {
                sum += wadi_terrain_units(terrain, layer, column, row);
                count += 1;
            }
        }
    }
    return count > 0 ? sum / count : wadi_terrain_units(terrain, layer, x, y);
}

// Units of the layer of a cell after the brush.
static double plain_touch(const wadi_terrain* terrain, const wadi_brush* brush, int32_t x,
                          int32_t y)
{
    const double scale = is_share(brush->layer) ? 65535.0 : WADI_UNITS_PER_METRE;
    const double now = wadi_terrain_units(terrain, brush->layer, x, y);
    const double weight = plain_weight(brush, plain_distance(terrain, brush, x, y));
    const double amount = brush->amount * scale;
    double next = now;
    switch ((wadi_edit_verb)brush->verb)
    {
    case WADI_EDIT_ADD:
        next = now + weight * amount;
        break;
    case WADI_EDIT_TAKE:
        next = now - weight * amount;
        break;
    case WADI_EDIT_AT_LEAST:
        next = now < amount ? now + weight * (amount - now) : now;
        break;
    case WADI_EDIT_SET:
        next = now + weight * (amount - now);
        break;
    case WADI_EDIT_SMOOTH:
        next = now + weight * brush->amount * (plain_mean(terrain, brush->layer, x, y) - now);
        break;
    case WADI_EDIT_VERB_COUNT:
        break;
    }
    next = is_share(brush->layer) ? fmin(next, 65535.0) : next;
    return is_elevation(brush->layer) ? next : fmax(next, 0.0);
}

static bool holds(wadi_rectangle r, int32_t x, int32_t y)
{
    return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}

// Touch, and compare each cell. Returns the number of cells that changed.
static int32_t check_touch(fixture* f, wadi_terrain* terrain, const wadi_brush* brush)
{
    static double expected[CELLS];
    static int32_t before[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        before[i] = wadi_terrain_units(terrain, brush->layer, i % WIDTH, i / WIDTH);
        expected[i] = plain_touch(terrain, brush, i % WIDTH, i / WIDTH);
    }
    CHECK_OK(f->context, wadi_terrain_brush(terrain, brush));
    const wadi_rectangle reach = wadi_terrain_brush_reach(terrain, brush);
    int32_t changed = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t now = wadi_terrain_units(terrain, brush->layer, i % WIDTH, i / WIDTH);
        const bool valid = wadi_terrain_is_valid(terrain, i % WIDTH, i / WIDTH);
        CHECK_NEAR((double)now, valid ? expected[i] : before[i], 0.51);
        assert_true(now == before[i] || holds(reach, i % WIDTH, i / WIDTH));
        changed += now != before[i] ? 1 : 0;
    }
    fixture_check_ledger(terrain);
    return changed;
}

static void brushes_do_what_a_plain_loop_does(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    uint32_t counter = 0;
    int32_t touched = 0;
    for (int edges = 0; edges < 4; ++edges)
    {
        wadi_terrain* terrain = ground(&f, (edges & 1) != 0, (edges & 2) != 0);
        for (int k = 0; k < 2 * LAYERS * WADI_EDIT_VERB_COUNT; ++k)
        {
            const wadi_brush brush = random_brush(&counter, k);
            touched += check_touch(&f, terrain, &brush) > 0 ? 1 : 0;
        }
        wadi_terrain_destroy(terrain);
    }
    assert_true(touched > 150);
    fixture_close(&f);
}

static uint64_t hash_after_a_stroke(int32_t threads)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain* terrain = ground(&f, true, false);
    uint32_t counter = 0;
    for (int k = 0; k < 3 * LAYERS * WADI_EDIT_VERB_COUNT; ++k)
    {
        wadi_brush brush = random_brush(&counter, k);
        brush.radius += 60.0;
        CHECK_OK(f.context, wadi_terrain_brush(terrain, &brush));
    }
    const uint64_t hash = wadi_terrain_hash(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

static void threads_change_no_bit(void** state)
{
    (void)state;
    const uint64_t one = hash_after_a_stroke(1);
    assert_true(hash_after_a_stroke(3) == one);
    assert_true(hash_after_a_stroke(8) == one);
}

// Along a line from the centre the effect never rises; it is whole inside the rim, half in its
// middle and nothing outside.
static void a_soft_edge_only_falls(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 201, 3);
    double widths[5];
    for (int k = 0; k < 5; ++k)
    {
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.0));
        wadi_brush brush = wadi_brush_default();
        const wadi_point centre = wadi_terrain_cell_centre(terrain, 0, 1);
        brush.layer = WADI_LAYER_SEDIMENT;
        brush.x = centre.x;
        brush.y = centre.y;
        brush.radius = 1000.0;
        brush.soft = k / 4.0;
        brush.amount = 8.0;
        CHECK_OK(f.context, wadi_terrain_brush(terrain, &brush));
        int32_t last = 8 * WADI_UNITS_PER_METRE;
        widths[k] = 0.0;
        for (int32_t x = 0; x <= 200; ++x)
        {
            const int32_t now = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, x, 1);
            assert_true(now <= last && now >= 0);
            assert_true(10 * x > 1000 * (1.0 - brush.soft) || x == 100 || now == 524288);
            assert_true(x < 100 || now == 0);
            last = now;
            widths[k] += now / 524288.0;
        }
        const int32_t middle = (int32_t)(100.0 * (1.0 - 0.5 * brush.soft));
        const int32_t half = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, middle, 1);
        assert_true(k == 0 || abs(half - 262144) < 20000);
        assert_true(k == 0 || widths[k] < widths[k - 1] - 10.0);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void expect_refused(fixture* f, wadi_terrain* terrain, wadi_brush brush, wadi_result code,
                           const char* text)
{
    const uint64_t before = wadi_terrain_hash(terrain);
    CHECK_FAILS(f->context, code, text, wadi_terrain_brush(terrain, &brush));
    assert_true(wadi_terrain_hash(terrain) == before);
}

static void nonsense_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = ground(&f, false, false);
    const wadi_brush plain = wadi_brush_default();
    wadi_brush b = plain;
    b.cookie = 0;
    expect_refused(&f, terrain, b, WADI_ERROR_PARAMS, "brush");
    b = plain, b.radius = (double)NAN;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "radius");
    b = plain, b.soft = 1.5;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "soft");
    b = plain, b.verb = WADI_EDIT_VERB_COUNT;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "verb");
    b = plain, b.layer = WADI_LAYER_LOOSE + 1;
    expect_refused(&f, terrain, b, WADI_ERROR_UNKNOWN, "17");
    b = plain, b.amount = -1.0;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "'add' to surface is -1");
    b = plain, b.layer = WADI_LAYER_HARDNESS, b.amount = 1.5;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "[0, 1]");
    b = plain, b.amount = 32000.0;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "surface at column");
    // each layer is in range, but not their sum
    b = plain, b.layer = WADI_LAYER_SEDIMENT, b.amount = 30000.0;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "top of the layers");
    b.layer = WADI_LAYER_WATER;
    expect_refused(&f, terrain, b, WADI_ERROR_RANGE, "top of the layers");

    // a brush beside the grid is no mistake
    b = plain, b.x = -1e9;
    assert_int_equal(wadi_terrain_brush_reach(terrain, &b).width, 0);
    const uint64_t before = wadi_terrain_hash(terrain);
    CHECK_OK(f.context, wadi_terrain_brush(terrain, &b));
    assert_true(wadi_terrain_hash(terrain) == before);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Memory and cells touched depend on the brush: on a large grid it needs no array of the grid.
static void a_small_brush_is_cheap_on_a_large_grid(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 1500, 1000);
    const size_t before = wadi_memory_used(f.context);
    assert_int_equal(wadi_memory_peak(f.context), before);
    wadi_brush brush = wadi_brush_default();
    brush.x = 7000.0;
    brush.y = 3000.0;
    CHECK_OK(f.context, wadi_terrain_brush(terrain, &brush));
    assert_int_equal(wadi_memory_used(f.context), before);
    assert_true(wadi_memory_peak(f.context) - before < 26 * 26 * sizeof(double));
    const wadi_rectangle reach = wadi_terrain_brush_reach(terrain, &brush);
    assert_true(reach.width <= 24 && reach.height <= 24);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brushes_do_what_a_plain_loop_does),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(a_soft_edge_only_falls),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(a_small_brush_is_cheap_on_a_large_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
