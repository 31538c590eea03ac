// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 60
// Barchan fields that grow: from a thin sheet, and on bare rock from sand that the wind brings in;
// and mega-dunes, into which the dunes of a thick sheet join.
// Streamers start the dunes, and the judge counts dunes, horns, collisions and calvings.
#include "support/fixture.h"

#include <wadi/dune_shapes.h>

#include <stdlib.h>

enum
{
    MOST_BODIES = 1024,
    SEEDS = 3
};

static const double cell = 2.0; // [m]

// A field and its surface, now and when it was read before.
typedef struct dune_sea
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
    wadi_edge edge;
    double drift; // azimuth
    float* levels[2];
    float* sand[2];
} dune_sea;

typedef struct dune_counts
{
    int32_t free;      // free bodies
    int32_t crescents; // of them with two horns
    int32_t high;      // free bodies over 3 m high
    int32_t horned;    // of them with two horns
} dune_counts;

static void sea_open(dune_sea* sea, int32_t width, int32_t height, wadi_edge edge, uint64_t seed,
                     const wadi_dunes_params* params)
{
    fixture_open(&sea->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = width;
    def.height = height;
    def.cell_size = cell;
    def.seed = seed;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = edge;
    sea->edge = edge;
    sea->drift = fmod(params->direction + 180.0, 360.0);
    CHECK_OK(sea->f.context, wadi_terrain_create(sea->f.context, &def, &sea->terrain));
    CHECK_OK(sea->f.context,
             wadi_solver_create(sea->terrain, &wadi_dunes_process, params, 0, &sea->solver));
    const size_t cells = (size_t)width * (size_t)height;
    for (int k = 0; k < 2; ++k)
    {
        sea->levels[k] = test_calloc(cells, sizeof *sea->levels[k]);
        sea->sand[k] = test_calloc(cells, sizeof *sea->sand[k]);
    }
}

static void sea_close(dune_sea* sea)
{
    for (int k = 0; k < 2; ++k)
    {
        test_free(sea->levels[k]);
        test_free(sea->sand[k]);
    }
    wadi_solver_destroy(sea->solver);
    wadi_terrain_destroy(sea->terrain);
    fixture_close(&sea->f);
}

static wadi_dune_field sea_field(const dune_sea* sea, int k)
{
    const int32_t width = wadi_terrain_width(sea->terrain);
    const int32_t height = wadi_terrain_height(sea->terrain);
    const wadi_edge e = sea->edge;
    return (wadi_dune_field){
        .surface = {sea->levels[k], width, height, width, cell, cell, NULL, {e, e, e, e}},
        .sand = sea->sand[k]};
}

// Let the wind blow and read the surface; the former one is kept.
static void sea_blow(dune_sea* sea, double years)
{
    CHECK_OK(sea->f.context, wadi_solver_advance(sea->solver, years));
    fixture_check_ledger(sea->terrain);
    const int32_t width = wadi_terrain_width(sea->terrain);
    const int32_t cells = width * wadi_terrain_height(sea->terrain);
    for (int32_t i = 0; i < cells; ++i)
    {
        sea->levels[0][i] = sea->levels[1][i];
        sea->sand[0][i] = sea->sand[1][i];
        const double sand = fixture_metres(sea->terrain, WADI_LAYER_SEDIMENT, i % width, i / width);
        const double rock = fixture_metres(sea->terrain, WADI_LAYER_BEDROCK, i % width, i / width);
        sea->sand[1][i] = (float)sand;
        sea->levels[1][i] = (float)(rock + sand);
    }
}

static dune_counts sea_count(const dune_sea* sea)
{
    static wadi_dune_body bodies[MOST_BODIES];
    const wadi_dune_field field = sea_field(sea, 1);
    int32_t count;
    CHECK_OK(sea->f.context, wadi_dune_bodies_list(sea->f.context, &field, sea->drift, bodies,
                                                   MOST_BODIES, &count));
    assert_true(count <= MOST_BODIES);
    dune_counts out = {0};
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t free = bodies[i].free ? 1 : 0;
        const int32_t two = bodies[i].free && bodies[i].horned == 2 ? 1 : 0;
        out.free += free;
        out.crescents += two;
        out.high += bodies[i].height > 3.0 ? free : 0;
        out.horned += bodies[i].height > 3.0 ? two : 0;
    }
    return out;
}

// ---- a thin sheet ------------------------------------------------------------------------------

// Share of the free dunes over 3 m high that have two horns, 16 years after a sheet of 0.5 m.
static double sheet_share(uint64_t seed, double direction)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.direction = direction;
    params.streamers = 0.4;
    params.hard_bed = 1.2;
    params.creep = 0.6;
    dune_sea sea = {0};
    sea_open(&sea, 256, 256, WADI_EDGE_PERIODIC, seed, &params);
    fixture_noise(sea.terrain, WADI_LAYER_SEDIMENT, 0.45, 0.55, seed);
    sea_blow(&sea, 16.0);
    const dune_counts n = sea_count(&sea);
    sea_close(&sea);
    const double share = (double)n.horned / (n.high > 0 ? n.high : 1);
    print_message("sheet, seed %d, wind from %.0f: %d free dunes, %d of %d over 3 m with two "
                  "horns: %.0f %%\n",
                  (int)seed, direction, n.free, n.horned, n.high, 100.0 * share);
    assert_true(n.high >= 6);
    return share;
}

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

static void slow_thin_sheets_become_barchans(void** state)
{
    (void)state;
    double shares[2 * SEEDS];
    for (int i = 0; i < SEEDS; ++i)
    {
        shares[2 * i] = sheet_share((uint64_t)i + 1, 270.0);
        shares[2 * i + 1] = sheet_share((uint64_t)i + 1, 307.0);
    }
    qsort(shares, (size_t)(2 * SEEDS), sizeof *shares, compare);
    assert_true(shares[0] >= 0.4);
    assert_true(0.5 * (shares[SEEDS - 1] + shares[SEEDS]) >= 0.6);
}

// ---- bare rock ---------------------------------------------------------------------------------

static void slow_dunes_grow_on_bare_rock_from_inflow(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; ++seed)
    {
        wadi_dunes_params params = wadi_dunes_params_default();
        params.streamers = 0.3;
        params.hard_bed = 1.2;
        params.inflow = 1.0;
        dune_sea sea = {0};
        sea_open(&sea, 400, 200, WADI_EDGE_OPEN, seed, &params);
        wadi_dune_encounters met = {0};
        sea_blow(&sea, 6.0);
        for (double years = 6.0; years < 18.0; years += 2.0)
        {
            sea_blow(&sea, 2.0);
            const wadi_dune_field before = sea_field(&sea, 0);
            const wadi_dune_field after = sea_field(&sea, 1);
            wadi_dune_encounters now;
            CHECK_OK(sea.f.context,
                     wadi_dune_encounters_count(sea.f.context, &before, &after, &now));
            met.collisions += now.collisions;
            met.calvings += now.calvings;
        }
        const dune_counts n = sea_count(&sea);
        const double passed = fixture_figure(sea.solver, "sand_passed");
        sea_close(&sea);
        print_message("bare rock, seed %d, %.0f m2 of sand passed: %d free dunes, %d with two "
                      "horns; %d collisions, %d calvings\n",
                      (int)seed, passed, n.free, n.crescents, met.collisions, met.calvings);
        assert_true(passed <= 1000.0);
        assert_true(n.free >= 6 && n.crescents >= 3);
        assert_true(met.collisions >= 5 && met.calvings >= 5);
    }
}

// ---- a square kilometre ------------------------------------------------------------------------

static void slow_a_square_kilometre_keeps_its_barchans(void** state)
{
    (void)state;
    wadi_dunes_params params = wadi_dunes_params_default();
    params.streamers = 0.4;
    params.hard_bed = 1.2;
    params.creep = 0.6;
    dune_sea sea = {0};
    sea_open(&sea, 500, 500, WADI_EDGE_PERIODIC, 1, &params);
    fixture_noise(sea.terrain, WADI_LAYER_SEDIMENT, 0.45, 0.55, 1);
    sea_blow(&sea, 30.0);
    const dune_counts n = sea_count(&sea);
    sea_close(&sea);
    print_message("1 km2 after 30 years: %d free dunes, %d with two horns; %d of %d over 3 m\n",
                  n.free, n.crescents, n.horned, n.high);
    assert_true(n.crescents >= 10);
}

// ---- mega-dunes --------------------------------------------------------------------------------

static wadi_dune_forms sea_forms(const dune_sea* sea)
{
    const wadi_dune_field field = sea_field(sea, 1);
    wadi_dune_forms forms;
    CHECK_OK(sea->f.context, wadi_dune_forms_measure(sea->f.context, &field, &forms));
    return forms;
}

// Dunes of a thick sheet run into each other and join, until few large ones are left.
static void slow_dunes_coarsen_to_mega_dunes(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        wadi_dunes_params params = wadi_dunes_params_default();
        params.direction = 270.0 + 37.0 * k;
        params.blowing = 0.5;
        dune_sea sea = {0};
        sea_open(&sea, 256, k == 0 ? 96 : 160, WADI_EDGE_PERIODIC, 1, &params);
        fixture_noise(sea.terrain, WADI_LAYER_SEDIMENT, 7.9, 8.1, 1);
        sea_blow(&sea, 4.0);
        const wadi_dune_forms first = sea_forms(&sea);
        sea_blow(&sea, 36.0);
        const wadi_dune_forms last = sea_forms(&sea);
        sea_close(&sea);
        print_message("sheet of 8 m, wind from %.0f: dunes of %.1f m, %.0f m apart; after 40 years "
                      "of %.1f m, faces of %.1f degrees\n",
                      params.direction, first.height, first.spacing, last.height, last.face);
        assert_true(last.height >= 3.0 * first.height && last.height >= 12.0);
        assert_true(last.face >= 30.0 && last.face <= 34.0);
    }
}

// ---- linear dunes ------------------------------------------------------------------------------

typedef struct dune_lines
{
    double order;
    int32_t junctions;
    wadi_dune_type kind;
} dune_lines;

// A sheet of 4 m under two winds 120 degrees apart, after 12 years.
static dune_lines lines_of(double direction, double streamers)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.direction = direction;
    params.regime = WADI_WIND_OBTUSE;
    params.streamers = streamers;
    dune_sea sea = {0};
    sea_open(&sea, 200, 200, WADI_EDGE_PERIODIC, 1, &params);
    fixture_noise(sea.terrain, WADI_LAYER_SEDIMENT, 3.8, 4.2, 1);
    sea_blow(&sea, 12.0);
    const wadi_dune_field field = sea_field(&sea, 1);
    const wadi_dune_forms forms = sea_forms(&sea);
    wadi_dune_shapes shapes;
    CHECK_OK(sea.f.context,
             wadi_dune_shapes_measure(sea.f.context, &field, sea.drift, &shapes, NULL));
    const wadi_dune_type kind = wadi_dune_forms_classify(&forms, sea.drift);
    sea_close(&sea);
    print_message("two winds about %.0f, streamers %.1f: order %.2f, %d junctions, kind %s\n",
                  direction, streamers, forms.order, shapes.junctions, wadi_dune_type_name(kind));
    return (dune_lines){forms.order, shapes.junctions, kind};
}

static void slow_gusts_join_linear_dunes(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        const double direction = 270.0 + 37.0 * k;
        const dune_lines steady = lines_of(direction, 0.0);
        const dune_lines gusty = lines_of(direction, 0.4);
        assert_true(steady.kind == WADI_DUNE_LINEAR && gusty.kind == WADI_DUNE_LINEAR);
        assert_true(gusty.junctions >= 5 && gusty.junctions > steady.junctions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_thin_sheets_become_barchans),
        cmocka_unit_test(slow_dunes_grow_on_bare_rock_from_inflow),
        cmocka_unit_test(slow_a_square_kilometre_keeps_its_barchans),
        cmocka_unit_test(slow_dunes_coarsen_to_mega_dunes),
        cmocka_unit_test(slow_gusts_join_linear_dunes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
