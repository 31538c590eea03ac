// SPDX-License-Identifier: MIT
// Water in soil: closed balance, equilibrium, the same bits at any number of threads, conductivity
// independent of the packing, rain and drying, refusals.
#include "support/fixture.h"

#include <stdlib.h>

#include <wadi/seepage.h>
#include <wadi/solid.h>

enum
{
    SIDE = 8,
    BOX = SIDE * SIDE * SIDE
};

static wadi_seepage_node box[BOX];

// A cube of smaller cubes, 0.1 m each.
static void box_make(double saturation)
{
    for (int32_t i = 0; i < BOX; ++i)
    {
        box[i] = (wadi_seepage_node){.position = {0.1 * (i % SIDE) + 0.05,
                                                  0.1 * (i / SIDE % SIDE) + 0.05,
                                                  0.1 * (i / SIDE / SIDE) + 0.05},
                                     .room = 1e-3,
                                     .saturation = saturation};
    }
}

static wadi_seepage* open_soil(fixture* f, const wadi_seepage_params* params,
                               const wadi_seepage_node* nodes, int32_t count)
{
    wadi_soil soils[2] = {wadi_soil_default(), wadi_soil_default()};
    soils[1].suction = 2.0; // higher than the box, so that water reaches all of it
    wadi_seepage* seepage = NULL;
    CHECK_OK(f->context, wadi_seepage_create(f->context, params, soils, 2, nodes, count, &seepage));
    return seepage;
}

static void advance(fixture* f, wadi_seepage* seepage, double seconds)
{
    CHECK_OK(f->context, wadi_seepage_advance(seepage, seconds));
}

// Random wetness relaxes to hydrostatic equilibrium, and the balance closes to the unit.
static void a_closed_box_comes_to_rest(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    box_make(0.0);
    for (int32_t i = 0; i < BOX; ++i)
    {
        box[i].saturation = 0.2 + 0.6 * ((i * 7919 % 512) / 512.0);
        box[i].soil = 1;
    }
    const wadi_seepage_params params = wadi_seepage_params_default();
    wadi_seepage* seepage = open_soil(&f, &params, box, BOX);
    const wadi_seepage_books before = wadi_seepage_account(seepage);
    advance(&f, seepage, 1e7);
    const wadi_seepage_books after = wadi_seepage_account(seepage);
    assert_int_equal(after.residual, 0);
    assert_true(after.now == before.now);
    double pressure[BOX];
    wadi_seepage_pressure(seepage, pressure);
    for (int32_t i = 0; i < BOX; ++i)
    {
        const double head = pressure[i] + box[i].position[2];
        CHECK_NEAR(head, pressure[0] + box[0].position[2], 1e-3);
    }
    wadi_seepage_destroy(seepage);
    fixture_close(&f);
}

// Nodes far apart in a row: the map of the sky is about as large as its nodes are many. Its pixels
// are wider than nodes, so few of them take rain; the balance closes.
static void a_long_row_takes_little_memory(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    box_make(0.3);
    for (int32_t i = 0; i < BOX; ++i)
    {
        box[i].position[0] = 9e8 * i / BOX;
        box[i].position[1] = 0.0;
        box[i].position[2] = 0.0;
    }
    wadi_seepage_params params = wadi_seepage_params_default();
    params.rain = 1e-6;
    wadi_seepage* seepage = open_soil(&f, &params, box, BOX);
    assert_true(wadi_memory_peak(f.context) < (size_t)48 << 20);
    advance(&f, seepage, 10.0);
    assert_int_equal(wadi_seepage_account(seepage).residual, 0);
    wadi_seepage_destroy(seepage);
    fixture_close(&f);
}

// Rain, a drain, a pond and evaporation together: the balance closes at any number of threads.
static void the_balance_closes_at_any_threads(void** state)
{
    (void)state;
    static const int32_t threads[] = {1, 2, 3, 8};
    uint64_t hash = 0;
    for (int k = 0; k < 4; ++k)
    {
        fixture f;
        fixture_open(&f, threads[k]);
        box_make(0.1);
        wadi_seepage_params params = wadi_seepage_params_default();
        params.rain = 4e-6;
        params.base = WADI_SEEPAGE_BASE_FREE;
        wadi_seepage* seepage = open_soil(&f, &params, box, BOX);
        CHECK_OK(f.context, wadi_seepage_hold(seepage, 77, 0.1));
        advance(&f, seepage, 4e5);
        CHECK_OK(f.context, wadi_seepage_hold(seepage, 77, (double)NAN));
        CHECK_OK(f.context, wadi_seepage_set_weather(seepage, 0.0, 1e-7));
        advance(&f, seepage, 1e6);
        const wadi_seepage_books books = wadi_seepage_account(seepage);
        assert_int_equal(books.residual, 0);
        CHECK_NEAR(books.rain, 4e-6 * 0.64 * 4e5, 1e-9);
        // more rain than the soil's conductivity: the rest runs off
        assert_true(books.runoff > 0.1 * books.rain && books.drained > 0.3 * books.rain);
        assert_true(books.held > 0.0 && books.evaporated > 0.0);
        CHECK_NEAR(books.before + books.rain + books.held,
                   books.now + books.runoff + books.evaporated + books.drained, 1e-12);
        hash = k == 0 ? wadi_seepage_hash(seepage) : hash;
        assert_true(wadi_seepage_hash(seepage) == hash);
        wadi_seepage_destroy(seepage);
        fixture_close(&f);
    }
}

static void cuboid(double positions[8][3], double x, double y, double z)
{
    for (int v = 0; v < 8; ++v)
    {
        positions[v][0] = (v & 1) != 0 ? x : 0.0;
        positions[v][1] = (v & 2) != 0 ? y : 0.0;
        positions[v][2] = (v & 4) != 0 ? z : 0.0;
    }
}

// A block of 3 m along an axis, packed with grains whose soil is full of water.
typedef struct packed
{
    fixture f;
    wadi_filling* filling;
    wadi_seepage* seepage;
    wadi_seepage_node* nodes;
    int32_t count;
    int axis;
} packed;

static void packed_fill(packed* k, int32_t packing)
{
    static const int32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                             {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                             {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double positions[8][3];
    cuboid(positions, k->axis == 0 ? 3.0 : 1.0, k->axis == 1 ? 3.0 : 1.0, k->axis == 2 ? 3.0 : 1.0);
    const wadi_mesh mesh = {(const double(*)[3])positions, 8, triangles, 12};
    wadi_filling_params how = wadi_filling_params_default();
    how.diameter = 0.125 / 1.2; // eight jittered cubes a metre
    how.packing = packing;
    CHECK_OK(k->f.context, wadi_filling_create(k->f.context, &how, 5, &mesh, 1, &k->filling));
    const wadi_grain* grains = wadi_filling_grains(k->filling, &k->count);
    k->nodes = calloc((size_t)k->count, sizeof *k->nodes);
    assert_non_null(k->nodes);
    for (int32_t i = 0; i < k->count; ++i)
    {
        memcpy(k->nodes[i].position, grains[i].position, sizeof k->nodes[i].position);
        k->nodes[i].room = wadi_filling_layer_at(k->filling, 0).room;
        k->nodes[i].saturation = 1.0;
    }
}

static void packed_open(packed* k, int32_t packing, int axis)
{
    *k = (packed){.axis = axis};
    fixture_open(&k->f, 2);
    packed_fill(k, packing);
    wadi_seepage_params params = wadi_seepage_params_default();
    params.gravity = 0.0;
    params.step = 1e5;
    wadi_soil soil = wadi_soil_default();
    soil.exponent = 0.0;
    soil.shape = 1.0;
    CHECK_OK(k->f.context,
             wadi_seepage_create(k->f.context, &params, &soil, 1, k->nodes, k->count, &k->seepage));
}

static void packed_close(packed* k)
{
    wadi_seepage_destroy(k->seepage);
    wadi_filling_destroy(k->filling);
    free(k->nodes);
    fixture_close(&k->f);
}

// Water beyond the middle [m3].
static double packed_water(const packed* k)
{
    double saturation[8000];
    double sum = 0.0;
    wadi_seepage_saturation(k->seepage, saturation);
    for (int32_t i = 0; i < k->count; ++i)
    {
        sum += k->nodes[i].position[k->axis] > 1.5 ? saturation[i] * k->nodes[i].room * 0.4 : 0.0;
    }
    return sum;
}

// Flux through a packed block between a wet and a drier end, relative to that of homogeneous soil.
static double conduct(int32_t packing, int axis)
{
    packed k;
    packed_open(&k, packing, axis);
    // heads that fall evenly except within 0.5 m of the ends make the flux that of 2 m
    for (int32_t i = 0; i < k.count; ++i)
    {
        const double x = k.nodes[i].position[axis];
        if (x < 0.5 || x > 2.5)
        {
            CHECK_OK(k.f.context, wadi_seepage_hold(k.seepage, i, -0.05 * x));
        }
    }
    advance(&k.f, k.seepage, 3e6);
    assert_int_equal(wadi_seepage_account(k.seepage).residual, 0);
    const double before = packed_water(&k);
    // release the dry end for a moment: it fills at the rate of the flux
    for (int32_t i = 0; i < k.count; ++i)
    {
        if (k.nodes[i].position[axis] > 2.5)
        {
            CHECK_OK(k.f.context, wadi_seepage_hold(k.seepage, i, (double)NAN));
        }
    }
    advance(&k.f, k.seepage, 300.0);
    const double after = packed_water(&k);
    packed_close(&k);
    return (after - before) / 300.0 / (3e-6 * 0.05);
}

static void every_packing_conducts_as_its_soil(void** state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis += 2)
    {
        CHECK_NEAR(conduct(WADI_PACKING_DENSE, axis), 1.0, 0.08);
        CHECK_NEAR(conduct(WADI_PACKING_JITTERED, axis), 1.0, 0.08);
    }
}

// Two cubes of 0.1 m side by side, held at two heads: the second lies to the east at a distance of
// 0.1 m, or across the periodic edge to the west. The flow through both halves of the way is the
// same, so the head on the face between them is (Ka p + Kb q) / (Ka + Kb), and pushes each cube
// with its difference from the cube's own head times the face of 0.01 m2.
static void check_push(int axis, double first, double second)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_seepage_params params = wadi_seepage_params_default();
    params.period_x = 1.0;
    params.period_y = 1.0;
    wadi_seepage_node nodes[2] = {{.room = 1e-3, .saturation = 1.0},
                                  {.room = 1e-3, .saturation = 1.0, .soil = 1}};
    nodes[0].position[axis] = first;
    nodes[1].position[axis] = second;
    wadi_soil soils[2] = {wadi_soil_default(), wadi_soil_default()};
    soils[1].conductivity = 3.0 * soils[0].conductivity;
    wadi_seepage* seepage = NULL;
    CHECK_OK(f.context, wadi_seepage_create(f.context, &params, soils, 2, nodes, 2, &seepage));
    CHECK_OK(f.context, wadi_seepage_hold(seepage, 0, 0.5));
    CHECK_OK(f.context, wadi_seepage_hold(seepage, 1, 0.1));
    advance(&f, seepage, 1.0);
    double head[2];
    double push[2][3];
    wadi_seepage_pressure(seepage, head);
    wadi_seepage_push(seepage, push);
    CHECK_NEAR(head[0], 0.5, 1e-6);
    CHECK_NEAR(head[1], 0.1, 1e-6);
    const double face = (head[0] + 3.0 * head[1]) / 4.0;
    const double sign = second - first < 0.5 ? 1.0 : -1.0; // towards the second
    CHECK_NEAR(push[0][axis], sign * 0.01 * (head[0] - face), 1e-9);
    CHECK_NEAR(push[1][axis], sign * 0.01 * (face - head[1]), 1e-9);
    CHECK_NEAR(push[0][1 - axis], 0.0, 0.0);
    wadi_seepage_destroy(seepage);
    fixture_close(&f);
}

static void pressure_on_a_face_follows_the_conductivities(void** state)
{
    (void)state;
    for (int axis = 0; axis < 2; ++axis)
    {
        check_push(axis, 0.45, 0.55);
        check_push(axis, 0.05, 0.95); // across the edge
    }
}

// Rain reaches the grains visible from above; the set is recomputed after motion.
static void rain_finds_the_top(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_seepage_node nodes[3] = {{.position = {0.0, 0.0, 0.0}, .room = 1.0},
                                  {.position = {0.0, 0.0, 5.0}, .room = 1.0},
                                  {.position = {9.0, 0.0, 1.0}, .room = 8.0}};
    wadi_seepage_params params = wadi_seepage_params_default();
    params.rain = 1e-7;
    wadi_seepage* seepage = open_soil(&f, &params, nodes, 3);
    advance(&f, seepage, 1e5);
    double saturation[3];
    wadi_seepage_saturation(seepage, saturation);
    CHECK_NEAR(saturation[0], 0.0, 0.0);
    CHECK_NEAR(saturation[1], 0.01 / 0.4, 1e-6);
    CHECK_NEAR(saturation[2], 0.04 / 3.2, 1e-6);
    const double moved[3][3] = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, {9.0, 0.0, 1.0}};
    CHECK_OK(f.context, wadi_seepage_move(seepage, moved));
    advance(&f, seepage, 1e5);
    wadi_seepage_saturation(seepage, saturation);
    CHECK_NEAR(saturation[0], 0.01 / 0.4, 1e-6);
    CHECK_NEAR(saturation[1], 0.02 / 0.4, 1e-6);
    wadi_seepage_destroy(seepage);
    fixture_close(&f);
}

static void invalid_arguments_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_seepage_params params = wadi_seepage_params_default();
    wadi_soil soil = wadi_soil_default();
    wadi_seepage_node node = {.room = 1.0};
    wadi_seepage* seepage = NULL;
    struct
    {
        wadi_seepage_node node;
        const char* said;
    } cases[] = {{{.room = 0.0}, "stands for 0 m3"},
                 {{.room = (double)NAN}, "stands for"},
                 {{.room = 1.0, .saturation = 1.5}, "saturation 1.5"},
                 {{.room = 1.0, .soil = 1}, "is of soil 1"},
                 {{.room = 1.0, .position = {(double)NAN, 0.0, 0.0}}, "node 0 is at"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, cases[i].said,
                    wadi_seepage_create(f.context, &params, &soil, 1, &cases[i].node, 1, &seepage));
        assert_null(seepage);
    }
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "no soil",
                wadi_seepage_create(f.context, &params, &soil, 1, &node, 0, &seepage));
    soil.conductivity = -1.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "conductivity",
                wadi_seepage_create(f.context, &params, &soil, 1, &node, 1, &seepage));
    soil = wadi_soil_default();
    CHECK_OK(f.context, wadi_seepage_create(f.context, &params, &soil, 1, &node, 1, &seepage));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "rain", wadi_seepage_set_weather(seepage, -1.0, 0.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "no node 1", wadi_seepage_hold(seepage, 1, 0.0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "cannot pass", wadi_seepage_advance(seepage, -1.0));
    const double away[1][3] = {{0.0, (double)NAN, 0.0}};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "would be at", wadi_seepage_move(seepage, away));
    wadi_seepage_destroy(seepage);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_box_comes_to_rest),
        cmocka_unit_test(a_long_row_takes_little_memory),
        cmocka_unit_test(the_balance_closes_at_any_threads),
        cmocka_unit_test(every_packing_conducts_as_its_soil),
        cmocka_unit_test(pressure_on_a_face_follows_the_conductivities),
        cmocka_unit_test(rain_finds_the_top),
        cmocka_unit_test(invalid_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
