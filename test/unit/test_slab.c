// SPDX-License-Identifier: MIT
// Slabs of sand: exact ledger, no negative sand, same bits at any number of threads and vector
// width, a flux independent of cells and steps, sand across edges, abrasion of rock, plants, water,
// piles and shelter.
#include "processes/articles/slabs/slab_cliff.h"
#include "processes/articles/slabs/slab_creep_kernels.h"
#include "processes/articles/slabs/slab_flock.h"
#include "processes/dunes/dunes_internal.h"
#include "support/fixture.h"

enum
{
    SIZE = 64,
    CELLS = SIZE * SIZE
};

typedef struct slab_case
{
    int32_t size;
    double cell;
    wadi_edge edges;
    double sand;
    int32_t threads;
    double years;
    wadi_dunes_params params;
} slab_case;

typedef struct slab_land
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* dunes;
} slab_land;

static slab_case slab_case_default(void)
{
    slab_case c = {SIZE, 1.0, WADI_EDGE_PERIODIC, 4.0, 1, 1.0, wadi_dunes_params_default()};
    c.params.model = WADI_DUNES_SLAB;
    c.params.flux = 50.0;
    c.params.blowing = 1.0;
    c.params.slab_law = WADI_DUNES_SLAB_ARTICLE;
    return c;
}

// Sand with waves of half a metre per cell, on flat rock.
static void slab_open(slab_land* land, const slab_case* c)
{
    fixture_open(&land->f, c->threads);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = c->size;
    def.height = c->size;
    def.cell_size = c->cell;
    def.seed = 11;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = c->edges;
    }
    CHECK_OK(land->f.context, wadi_terrain_create(land->f.context, &def, &land->terrain));
    if (c->sand > 0.0)
    {
        const double wave = c->sand < 0.5 ? c->sand : 0.5;
        fixture_noise(land->terrain, WADI_LAYER_SEDIMENT, c->sand - wave, c->sand + wave, 6);
    }
    CHECK_OK(land->f.context,
             wadi_solver_create(land->terrain, &wadi_dunes_process, &c->params, 0, &land->dunes));
}

static void slab_blow(slab_land* land, double years)
{
    CHECK_OK(land->f.context, wadi_solver_advance(land->dunes, years));
    CHECK_OK(land->f.context, wadi_solver_finish(land->dunes));
    fixture_check_ledger(land->terrain);
    const wadi_ground* ground = wadi_terrain_ground(land->terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        assert_true(ground->loose[0][i] >= 0);
    }
}

static void slab_close(slab_land* land)
{
    wadi_solver_destroy(land->dunes);
    wadi_terrain_destroy(land->terrain);
    fixture_close(&land->f);
}

static double slab_map_mean(const slab_land* land, const char* name)
{
    const int32_t cells = (int32_t)wadi_terrain_ground(land->terrain)->cells;
    float* values = test_malloc((size_t)cells * sizeof *values);
    CHECK_OK(land->f.context, wadi_solver_map(land->dunes, name, values));
    double sum = 0.0;
    for (int32_t i = 0; i < cells; ++i)
    {
        sum += (double)values[i];
    }
    test_free(values);
    return sum / cells;
}

static wadi_ledger_row slab_ledger(const slab_land* land, int32_t material)
{
    return fixture_ledger_row(land->terrain, material);
}

// ---- exactness ----------------------------------------------------------------------------------

static void sand_on_a_torus_stays_to_the_last_unit(void** state)
{
    (void)state;
    slab_case c = slab_case_default();
    slab_land land;
    slab_open(&land, &c);
    const wadi_ground* ground = wadi_terrain_ground(land.terrain);
    int64_t before = 0;
    int64_t after = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        before += ground->loose[0][i];
    }
    slab_blow(&land, 3.0);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        after += ground->loose[0][i];
    }
    assert_int_equal(before + (int64_t)(slab_map_mean(&land, "wear") * CELLS * 65536.0 + 0.5),
                     after);
    slab_close(&land);
}

static uint64_t slab_hash_with(int32_t threads)
{
    slab_case c = slab_case_default();
    c.edges = WADI_EDGE_OPEN;
    c.params.inflow = 0.7;
    c.params.direction = 213.0;
    c.sand = 0.4;
    c.params.slab_turns = 2;
    c.threads = threads;
    slab_land land;
    slab_open(&land, &c);
    fixture_holes(land.terrain);
    fixture_noise(land.terrain, WADI_LAYER_VEGETATION, 0.0, 0.9, 4);
    slab_blow(&land, 0.7);
    const uint64_t hash = wadi_terrain_hash(land.terrain);
    slab_close(&land);
    return hash;
}

static void threads_change_no_bit(void** state)
{
    (void)state;
    const uint64_t one = slab_hash_with(1);
    for (int32_t threads = 2; threads <= 4; ++threads)
    {
        assert_true(slab_hash_with(threads) == one);
    }
}

static void fill_random(int32_t* values, int32_t count, int32_t limit, uint32_t seed)
{
    for (int32_t i = 0; i < count; ++i)
    {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (int32_t)((seed >> 8) % (uint32_t)limit);
    }
}

enum
{
    ROW = 67,
    STRIDE = ROW + 2
};

// Emission of one row by one build of the kernels.
static void creep_gifts_of(const slab_creep_kernels* kernels, int32_t out[4][STRIDE])
{
    int32_t level[3][STRIDE];
    int32_t sand[STRIDE];
    int32_t struck[STRIDE];
    for (int32_t r = 0; r < 3; ++r)
    {
        fill_random(level[r], STRIDE, 60000, 5u + (uint32_t)r);
    }
    fill_random(sand, STRIDE, 9000, 9u);
    fill_random(struck, STRIDE, 20000, 12u);
    kernels->plan(&(creep_plan_row){.north = level[0] + 1,
                                    .here = level[1] + 1,
                                    .south = level[2] + 1,
                                    .sand = sand + 1,
                                    .struck = struck + 1,
                                    .rate = 1e-5f,
                                    .count = ROW,
                                    .gifts = {{out[0] + 1, out[1] + 1}, {out[2] + 1, out[3] + 1}}});
    for (int32_t x = 1; x <= ROW; ++x)
    {
        assert_true(out[2][x] >= 0 && out[3][x] >= 0 && out[2][x] + out[3][x] <= sand[x]);
    }
}

static void widths_of_vectors_change_no_bit(void** state)
{
    (void)state;
    int32_t base[4][STRIDE] = {{0}};
    creep_gifts_of(slab_creep_kernels_of(WADI_ISA_BASE), base);
    for (int isa = 1; isa < WADI_ISA_COUNT; ++isa)
    {
        int32_t wide[4][STRIDE] = {{0}};
        if (wadi_isa_runs((wadi_isa)isa))
        {
            creep_gifts_of(slab_creep_kernels_of((wadi_isa)isa), wide);
            assert_memory_equal(wide, base, sizeof base);
        }
    }
}

// Slabs after one hop and one landing in uneven winds; some leave the grid.
static void flock_of(const slab_flock_kernels* kernels, const slab_site* sites, slab_flock* flock)
{
    const slab_flock_key key = {7, 9, 1, 3};
    for (int32_t i = 0; i < flock->count; ++i)
    {
        flock->cell[i] = i * 16 + 5;
        flock->start[i] = (uint32_t)flock->cell[i];
        flock->amount[i] = 6554;
    }
    kernels->draw(flock, &key);
    const slab_field field = {.width = SIZE, .east = (float)SIZE, .south = (float)SIZE};
    kernels->depart(flock, &field);
    const int32_t leaving = kernels->hop(flock, sites, 0.5f, &field);
    assert_in_range(leaving, 5, 100);
    kernels->strike(flock, sites);
}

static void every_width_of_vectors_flies_slabs_alike(void** state)
{
    (void)state;
    slab_site sites[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sites[i] =
            (slab_site){(float)(i % 11) - 3.0f, (float)(i % 7) - 3.0f, (float)(i % 13) / 13.0f, 0};
    }
    slab_flock base = {.count = 251};
    flock_of(slab_flock_kernels_of(WADI_ISA_BASE), sites, &base);
    for (int isa = 1; isa < WADI_ISA_COUNT; ++isa)
    {
        slab_flock wide = {.count = 251};
        const slab_flock_kernels* kernels = slab_flock_kernels_of((wadi_isa)isa);
        if (kernels != NULL && wadi_isa_runs((wadi_isa)isa))
        {
            flock_of(kernels, sites, &wide);
            assert_memory_equal(&wide, &base, sizeof base);
        }
    }
}

// ---- flux ---------------------------------------------------------------------------------------

// Flux of a wind by a law over that of 10 m/s.
static double flux_of_wind(int32_t law, double speed)
{
    const double threshold = 7.07 * 7.07;
    return law == WADI_DUNES_SLAB_COMMON ? (speed * speed - threshold) / 50.0 : speed / 10.0;
}

// Mean flux over nearly level sand relative to the parameter.
static double flux_share(int32_t law, double cell, double thickness, double speed, int32_t turns)
{
    slab_case c = slab_case_default();
    c.cell = cell;
    c.params.slab_thickness = thickness;
    c.params.speed = speed;
    c.params.slab_turns = turns;
    c.params.slab_law = law;
    c.params.slab_reptation = 2.0; // keeps the sand level
    slab_land land;
    slab_open(&land, &c);
    CHECK_OK(land.f.context, wadi_terrain_fill_layer(land.terrain, WADI_LAYER_SEDIMENT, 4.0));
    slab_blow(&land, 0.5);
    const double share = slab_map_mean(&land, "flux_x") / (50.0 * flux_of_wind(law, speed));
    slab_close(&land);
    return share;
}

// Cells of 2 to 20 m, slabs (and steps) of 2 to 10 cm, winds of 8 and 12 m/s, cells at once and in
// four turns.
static void flux_does_not_depend_on_cells_or_steps(void** state)
{
    (void)state;
    static const double cases[][4] = {
        {2.0, 0.05, 10.0, 1}, {5.0, 0.1, 10.0, 1}, {20.0, 0.1, 10.0, 1}, {5.0, 0.02, 10.0, 1},
        {5.0, 0.1, 8.0, 1},   {5.0, 0.1, 12.0, 1}, {5.0, 0.1, 10.0, 4},
    };
    const size_t count = sizeof cases / sizeof cases[0];
    for (size_t k = 0; k < WADI_DUNES_SLAB_LAW_COUNT * count; ++k)
    {
        const double* c = cases[k % count];
        const int32_t law = (int32_t)(k / count);
        const double share = flux_share(law, c[0], c[1], c[2], (int32_t)c[3]);
        print_message("law %d, cell %4.1f m, slab %.2f m, wind %4.1f m/s, turns %.0f: flux x "
                      "%.3f\n",
                      law, c[0], c[1], c[2], c[3], share);
        assert_true(fabs(share - 1.0) < 0.03);
    }
}

// A saturated wind over level sand deposits as much as it erodes, at any azimuth.
static void inflow_keeps_a_sheet_of_sand(void** state)
{
    (void)state;
    static const double azimuths[] = {270.0, 37.0, 135.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        slab_case c = slab_case_default();
        c.cell = 5.0;
        c.edges = WADI_EDGE_OPEN;
        c.params.inflow = 1.0;
        c.params.slab_reptation = 10.0; // keeps the sand level
        c.params.direction = azimuths[i];
        slab_land land;
        slab_open(&land, &c);
        CHECK_OK(land.f.context, wadi_terrain_fill_layer(land.terrain, WADI_LAYER_SEDIMENT, 4.0));
        slab_blow(&land, 2.0);
        const wadi_ledger_row row = slab_ledger(&land, WADI_MATERIAL_SEDIMENT);
        double out = 0.0;
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            out += row.out[side];
        }
        print_message("wind from %3.0f: in %.0f, out %.0f m3\n", azimuths[i], row.in, out);
        assert_true(row.in > 10000.0 && fabs(row.in / out - 1.0) < 0.04);
        slab_close(&land);
    }
}

static double sand_left(wadi_edge edges)
{
    slab_case c = slab_case_default();
    c.edges = edges;
    c.sand = 1.0;
    slab_land land;
    slab_open(&land, &c);
    const double before = wadi_terrain_volume(land.terrain, WADI_LAYER_SEDIMENT);
    slab_blow(&land, 1.0);
    const double after = wadi_terrain_volume(land.terrain, WADI_LAYER_SEDIMENT);
    slab_close(&land);
    return after / before;
}

static void edges_let_sand_out_or_keep_it(void** state)
{
    (void)state;
    assert_true(sand_left(WADI_EDGE_OPEN) < 0.6);
    assert_true(fabs(sand_left(WADI_EDGE_CLOSED) - 1.0) < 1e-3); // abrasion adds a little
}

// ---- rock, plants, water ------------------------------------------------------------------------

// Mean lowering [mm] of rock of a given hardness in a year under little sand.
static double worn_in_a_year(double hardness, double gain, int32_t turns)
{
    slab_case c = slab_case_default();
    c.sand = 0.05;
    c.params.speed = 15.0;
    c.params.slab_wear_gain = gain;
    c.params.slab_turns = turns;
    slab_land land;
    slab_open(&land, &c);
    CHECK_OK(land.f.context, wadi_terrain_fill_layer(land.terrain, WADI_LAYER_HARDNESS, hardness));
    slab_blow(&land, 1.0);
    const double worn = 1000.0 * slab_map_mean(&land, "wear");
    slab_close(&land);
    return worn;
}

static void rock_wears_four_millimetres_a_year_at_most(void** state)
{
    (void)state;
    const double soft = worn_in_a_year(0.0, 1.0, 1);
    const double half = worn_in_a_year(0.5, 1.0, 1);
    const double fast = worn_in_a_year(0.0, 12.5, 1);
    const double turns = worn_in_a_year(0.0, 12.5, 4);
    print_message("worn in a year: soft %.3f mm, half as soft %.3f mm, faster %.2f mm, "
                  "in turns %.2f mm\n",
                  soft, half, fast, turns);
    assert_true(soft > 0.4 && soft <= 4.0);
    assert_true(fabs(half / soft - 0.5) < 0.05);
    assert_true(fast > 5.0 * soft && fast <= 50.0);
    // impacts of one turn on a cell are limited together
    assert_true(turns > fast && turns < 1.3 * fast);
    assert_true(worn_in_a_year(1.0, 1.0, 1) == 0.0);
}

// Sand passed per metre in half a year [m2/yr], with plants and water.
static double flux_under(double cover, double water)
{
    slab_case c = slab_case_default();
    slab_land land;
    slab_open(&land, &c);
    CHECK_OK(land.f.context, wadi_terrain_fill_layer(land.terrain, WADI_LAYER_VEGETATION, cover));
    CHECK_OK(land.f.context, wadi_terrain_fill_layer(land.terrain, WADI_LAYER_WATER, water));
    slab_blow(&land, 0.5);
    const double flux = slab_map_mean(&land, "flux_x");
    slab_close(&land);
    return flux;
}

static void plants_and_water_hold_sand(void** state)
{
    (void)state;
    const double bare = flux_under(0.0, 0.0);
    const double half = flux_under(0.5, 0.0);
    print_message("flux: bare %.1f, half covered %.1f m2/yr\n", bare, half);
    assert_true(bare > 30.0);
    assert_true(half > 0.1 * bare && half < 0.5 * bare);
    assert_true(flux_under(1.0, 0.0) == 0.0);
    assert_true(flux_under(0.0, 0.1) == 0.0);
}

// ---- piles and shelter --------------------------------------------------------------------------

// Slope of a pile between 6 and 14 m from its middle, in a direction on the grid [degree].
static double pile_slope(const wadi_terrain* terrain, int32_t dx, int32_t dy, double length)
{
    const int32_t inner = (int32_t)(6.0 / length + 0.5);
    const int32_t outer = (int32_t)(14.0 / length + 0.5);
    const int32_t fall =
        wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, 32 + inner * dx, 32 + inner * dy) -
        wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, 32 + outer * dx, 32 + outer * dy);
    return atan(fall / 65536.0 / ((outer - inner) * length)) * 57.29577951308232;
}

// A column of sand in a wind below the threshold becomes a cone.
static void piles_are_round(void** state)
{
    (void)state;
    slab_case c = slab_case_default();
    c.params.threshold = 30.0;
    slab_land land;
    slab_open(&land, &c);
    float* sand = test_calloc(CELLS, sizeof *sand);
    for (int32_t i = 0; i < 9; ++i)
    {
        sand[(31 + i / 3) * SIZE + 31 + i % 3] = 900.0f;
    }
    CHECK_OK(land.f.context, wadi_terrain_set_layer(land.terrain, WADI_LAYER_SEDIMENT, sand, SIZE));
    slab_blow(&land, 0.1);
    const double axis = pile_slope(land.terrain, 1, 0, 1.0);
    const double diagonal = pile_slope(land.terrain, 1, 1, sqrt(2.0));
    print_message("pile: %.2f degrees along the axis, %.2f along the diagonal\n", axis, diagonal);
    assert_true(fabs(axis - diagonal) < 1.5);
    assert_true(axis > 31.0 && axis < 34.0);
    test_free(sand);
    slab_close(&land);
}

// Behind a block of 10 m the centre of the shelter is downwind within 2 degrees.
static void shelter_points_downwind(void** state)
{
    (void)state;
    static const double turns[] = {0.0, 1.0, 10.0, 20.0, 45.0, 80.0};
    enum
    {
        WIDE = 160
    };
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; ++i)
    {
        slab_case c = slab_case_default();
        c.size = WIDE;
        c.sand = 0.0;
        c.params.warp = 0.0;
        c.params.direction = 270.0 + turns[i];
        slab_land land;
        slab_open(&land, &c);
        float* rock = test_calloc((size_t)WIDE * WIDE, sizeof *rock);
        for (int32_t k = 0; k < 9; ++k)
        {
            rock[(79 + k / 3) * WIDE + 79 + k % 3] = 10.0f;
        }
        CHECK_OK(land.f.context,
                 wadi_terrain_set_layer(land.terrain, WADI_LAYER_BEDROCK, rock, WIDE));
        slab_blow(&land, 0.1);
        CHECK_OK(land.f.context, wadi_solver_map(land.dunes, "shelter", rock));
        double east = 0.0;
        double south = 0.0;
        for (int32_t k = 0; k < WIDE * WIDE; ++k)
        {
            east += (double)rock[k] * (k % WIDE - 80);
            south += (double)rock[k] * (k / WIDE - 80);
        }
        const double azimuth = atan2(south, east) * 57.29577951308232;
        print_message("wind turned by %2.0f: shelter towards %6.2f\n", turns[i], azimuth);
        assert_true(fabs(azimuth - turns[i]) <= 2.0);
        test_free(rock);
        slab_close(&land);
    }
}

// Whether eddies are computed on a terrain of `width` x `height` cells, with a step of 20 m at the
// last column or none.
static bool cliff_is_seen(int32_t width, int32_t height, wadi_edge edges, bool hole)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, width, height, 1.0, edges);
    wadi_ground* ground = wadi_terrain_ground(terrain);
    const int64_t last = ground->cells - 1;
    ground->bedrock[last] = 20 * WADI_UNITS_PER_METRE;
    ground->valid[last] = hole ? 0 : 1;
    ground->all_valid = !hole;
    slab_bed bed = {.context = f.context, .ground = ground};
    CHECK_OK(f.context, wadi_slab_cliff_look(&bed, terrain));
    const bool seen = bed.has_cliffs;
    assert_true(seen == (bed.behind != NULL));
    wadi_airflow_destroy(bed.behind);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return seen;
}

static void cliffs_are_seen_in_every_row_and_voids_are_none(void** state)
{
    (void)state;
    assert_true(cliff_is_seen(16, 1, WADI_EDGE_OPEN, false));
    assert_true(cliff_is_seen(1, 16, WADI_EDGE_OPEN, false));
    assert_true(cliff_is_seen(16, 16, WADI_EDGE_PERIODIC, false));
    assert_false(cliff_is_seen(16, 16, WADI_EDGE_OPEN, true));
}

// ---- winds with a time of their own ------------------------------------------------------------

// Winds last as long as given, for any length of advance: half a year from the west, half a year
// from the south, with an easterly gust that cancels the first of them.
static void winds_of_places_and_gusts_keep_their_time(void** state)
{
    (void)state;
    static const double local[] = {0, 0, 0, 0, 270, 10, 0.5, 0, 0, 0, 0, 180, 10, 0.5};
    static const double gust[] = {0, 0, 0, 0.25, 0.5, 90, 10};
    slab_case c = slab_case_default();
    c.params.direction = 0.0;
    slab_land land;
    slab_open(&land, &c);
    CHECK_OK(land.f.context, wadi_solver_set_table(land.dunes, "local_winds", local, 2));
    CHECK_OK(land.f.context, wadi_solver_set_table(land.dunes, "gusts", gust, 1));
    slab_blow(&land, 1.0);
    const double east = slab_map_mean(&land, "flux_x");
    const double north = slab_map_mean(&land, "flux_y");
    print_message("sand: %.1f m2/yr to the east, %.1f to the north\n", east, north);
    assert_true(north > 0.25 * c.params.flux); // waves shelter a part
    CHECK_NEAR(east, 0.5 * north, 0.06 * north);
    slab_close(&land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sand_on_a_torus_stays_to_the_last_unit),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(widths_of_vectors_change_no_bit),
        cmocka_unit_test(every_width_of_vectors_flies_slabs_alike),
        cmocka_unit_test(flux_does_not_depend_on_cells_or_steps),
        cmocka_unit_test(inflow_keeps_a_sheet_of_sand),
        cmocka_unit_test(edges_let_sand_out_or_keep_it),
        cmocka_unit_test(rock_wears_four_millimetres_a_year_at_most),
        cmocka_unit_test(plants_and_water_hold_sand),
        cmocka_unit_test(piles_are_round),
        cmocka_unit_test(shelter_points_downwind),
        cmocka_unit_test(winds_of_places_and_gusts_keep_their_time),
        cmocka_unit_test(cliffs_are_seen_in_every_row_and_voids_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
