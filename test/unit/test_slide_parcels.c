// SPDX-License-Identifier: MIT
// Soil that is cut out is returned to the last unit: without motion every layer of every cell is
// unchanged, a shifted block keeps its thickness, and outflow is counted per side.
#include "support/fixture.h"

#include "processes/landslide/landslide_internal.h"

#include <stdlib.h>

enum
{
    SIDE = 40,
    CELLS = SIDE * SIDE,
    LAYERS = 3
};

// Three layers of soil of uneven thickness on rough rock, some cells bare, with holes.
static wadi_terrain* layered(fixture* f, const wadi_edge edges[4])
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SIDE;
    def.cell_size = 5.0;
    def.loose_count = LAYERS;
    def.seed = 9;
    memcpy(def.edges, edges, sizeof def.edges);
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 4.0, 1);
    fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, 1.0, 2);
    fixture_noise(terrain, WADI_LAYER_LOOSE, 0.0, 2.0, 3);
    fixture_noise(terrain, WADI_LAYER_LOOSE + 1, 0.0, 0.002, 4); // films of two millimetres
    fixture_noise(terrain, WADI_LAYER_LOOSE + 2, 0.5, 6.0, 5);
    fixture_holes(terrain);
    return terrain;
}

// A slide of the region before its motion.
typedef struct cut
{
    wadi_landslide_params params;
    slide_source source;
    slide slide;
} cut;

static void cut_open(fixture* f, wadi_terrain* terrain, cut* c)
{
    const slide_region region = {.params = &c->params};
    c->source = (slide_source){0};
    CHECK_OK(f->context, wadi_slide_source_create(terrain, &region, &c->source));
    wadi_slide_source_sum(wadi_terrain_ground_const(terrain), &c->source);
    c->slide = (slide){.terrain = terrain, .params = &c->params, .stream = 1, .source = &c->source};
    CHECK_OK(f->context, wadi_slide_prepare(&c->slide));
    assert_true(c->slide.count > 0 && c->slide.count <= c->params.most);
}

static void cut_close(fixture* f, cut* c)
{
    wadi_slide_destroy(&c->slide);
    wadi_slide_source_destroy(f->context, &c->source);
}

static void cut_return(wadi_terrain* terrain, cut* c)
{
    wadi_tally tally = {0};
    wadi_slide_return(&c->slide, &tally);
    wadi_terrain_book(terrain, "landslide", &tally);
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
}

static const wadi_edge all_open[4] = {WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN,
                                      WADI_EDGE_OPEN};

// ---- parcels ------------------------------------------------------------------------------------

static void check_sums(const cut* c, wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    int64_t* sums = test_calloc((size_t)CELLS * (LAYERS + 1), sizeof *sums);
    for (int64_t i = 0; i < c->slide.parcel_count; ++i)
    {
        const slide_parcel* p = &c->slide.parcels[i];
        assert_true(p->units > 0 && p->grain >= 0 && p->grain < c->slide.count);
        sums[(p->layer + 1) * CELLS + p->cell] += p->units;
    }
    for (int64_t cell = 0; cell < CELLS; ++cell)
    {
        int64_t all = 0;
        for (int32_t l = 0; l < LAYERS; ++l)
        {
            assert_true(sums[(l + 1) * CELLS + cell] <= ground->loose[l][cell]);
            all += sums[(l + 1) * CELLS + cell];
        }
        assert_true(all == c->source.soil[cell]);
        assert_true(sums[cell] == c->source.rock[cell]);
    }
    test_free(sums);
}

// Every unit of every layer is carried by one grain; grains carry about their own volume.
static void soil_is_tied_to_grains(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = layered(&f, all_open);
    cut c = {.params = wadi_landslide_params_default()};
    c.params.most = 3000;
    c.params.rock_depth = 1.0;
    c.params.depth = 5.0;
    cut_open(&f, terrain, &c);
    check_sums(&c, terrain);
    const double room = 0.8660254 * c.slide.diameter * c.slide.diameter * c.slide.diameter;
    const double volume = (double)c.source.units / WADI_UNITS_PER_METRE * 25.0;
    CHECK_NEAR(c.slide.count * room / volume, 1.0, 0.05);
    cut_close(&f, &c);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Soil carried by grains [units x cells].
static int64_t tied(fixture* f, const wadi_edge edges[4], int64_t* cut_out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SIDE;
    def.cell_size = 10.0;
    memcpy(def.edges, edges, sizeof def.edges);
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float soil[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIDE;
        soil[i] = x < 4 ? 60.0f : x >= SIDE - 12 ? 0.01f : 0.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, soil, SIDE));
    cut c = {.params = wadi_landslide_params_default()};
    c.params.diameter = 40.0;
    cut_open(f, terrain, &c);
    int64_t sum = 0;
    for (int64_t i = 0; i < c.slide.parcel_count; ++i)
    {
        sum += c.slide.parcels[i].units;
    }
    *cut_out = c.source.units;
    cut_close(f, &c);
    wadi_terrain_destroy(terrain);
    return sum;
}

// A film too thin for grains is carried by grains across a periodic edge; at an open edge it stays.
static void thin_soil_rides_with_its_neighbour_round_a_torus(void** state)
{
    (void)state;
    static const wadi_edge round[4] = {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC,
                                       WADI_EDGE_PERIODIC};
    fixture f;
    fixture_open(&f, 1);
    int64_t cut_out;
    assert_true(tied(&f, round, &cut_out) == cut_out);
    assert_true(tied(&f, all_open, &cut_out) < cut_out);
    fixture_close(&f);
}

// ---- back ---------------------------------------------------------------------------------------

static void soil_at_rest_comes_back_equal(void** state)
{
    (void)state;
    static const wadi_edge periodic[4] = {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC,
                                          WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC};
    static const double sizes[] = {1.2, 3.7, 14.0}; // finer and coarser than cells
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < 6; ++i)
    {
        wadi_terrain* terrain = layered(&f, i % 2 == 0 ? all_open : periodic);
        const wadi_layer layers[] = {WADI_LAYER_BEDROCK, WADI_LAYER_LOOSE, WADI_LAYER_LOOSE + 1,
                                     WADI_LAYER_LOOSE + 2};
        int32_t before[LAYERS + 1][CELLS];
        for (int k = 0; k <= LAYERS; ++k)
        {
            wadi_terrain_read_units(terrain, layers[k], before[k]);
        }
        cut c = {.params = wadi_landslide_params_default()};
        c.params.diameter = sizes[i / 2];
        c.params.rock_depth = 0.7;
        cut_open(&f, terrain, &c);
        cut_return(terrain, &c);
        for (int k = 0; k <= LAYERS; ++k)
        {
            int32_t after[CELLS];
            wadi_terrain_read_units(terrain, layers[k], after);
            assert_memory_equal(after, before[k], sizeof after);
        }
        cut_close(&f, &c);
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

// Expected thickness at (x, y) after a shift by (dx, dy) cells: mean of the thickness before over
// the four source cells.
static double shifted(const int32_t* before, int32_t x, int32_t y, double dx, double dy)
{
    double sum = 0.0;
    for (int k = 0; k < 4; ++k)
    {
        const double u = x - dx;
        const double v = y - dy;
        const int32_t cx = (int32_t)floor(u) + k % 2;
        const int32_t cy = (int32_t)floor(v) + k / 2;
        const double wx = k % 2 == 0 ? 1.0 - (u - floor(u)) : u - floor(u);
        const double wy = k / 2 == 0 ? 1.0 - (v - floor(v)) : v - floor(v);
        const bool inside = cx >= 0 && cx < SIDE && cy >= 0 && cy < SIDE;
        sum += inside ? wx * wy * before[cy * SIDE + cx] : 0.0;
    }
    return sum;
}

// A whole block moves 7.3 cells east and 4.6 south: the thickness is that of the shifted block
// within the rounding of the parcels, at most a thousandth of a cell.
static void a_shifted_block_keeps_its_thickness(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, SIDE, SIDE);
    float soil[CELLS] = {0.0f};
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        const bool inside = x >= 8 && x < 24 && y >= 10 && y < 22;
        soil[i] = inside ? 2.0f + 0.1f * (float)x + 0.05f * (float)(y * x % 17) : 0.0f;
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, soil, SIDE));
    int32_t before[CELLS];
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    memcpy(before, ground->loose[0], sizeof before);
    cut c = {.params = wadi_landslide_params_default()};
    c.params.diameter = 3.0;
    cut_open(&f, terrain, &c);
    for (int32_t g = 0; g < c.slide.count; ++g)
    {
        c.slide.way[g][0] = 73.0;
        c.slide.way[g][1] = -46.0;
    }
    cut_return(terrain, &c);
    double worst = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double expected = shifted(before, i % SIDE, i / SIDE, 7.3, 4.6);
        const double off = fabs(ground->loose[0][i] - expected);
        worst = off > worst ? off : worst;
        assert_true(off <= 0.001 * expected || off <= 2.0);
    }
    print_message("a shifted block is off by %.3g units at most\n", worst);
    cut_close(&f, &c);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- edges --------------------------------------------------------------------------------------

static double sent(fixture* f, const wadi_edge edges[4], double east, double north, int side)
{
    wadi_terrain* terrain = layered(f, edges);
    cut c = {.params = wadi_landslide_params_default()};
    c.params.diameter = 3.0;
    cut_open(f, terrain, &c);
    for (int32_t g = 0; g < c.slide.count; ++g)
    {
        c.slide.way[g][0] = east;
        c.slide.way[g][1] = north;
    }
    cut_return(terrain, &c);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    const wadi_ledger_row* soil = &rows[WADI_MATERIAL_SEDIMENT];
    const double out = soil->out[side] / (soil->eroded > 0.0 ? soil->eroded : 1.0);
    cut_close(f, &c);
    wadi_terrain_destroy(terrain);
    return out;
}

static void outflow_is_counted_by_side(void** state)
{
    (void)state;
    static const wadi_edge closed[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED,
                                        WADI_EDGE_CLOSED};
    static const wadi_edge round[4] = {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC,
                                       WADI_EDGE_PERIODIC};
    fixture f;
    fixture_open(&f, 1);
    assert_true(sent(&f, all_open, 1e4, 0.0, WADI_SIDE_EAST) == 1.0);
    assert_true(sent(&f, all_open, -1e4, 0.0, WADI_SIDE_WEST) == 1.0);
    assert_true(sent(&f, all_open, 0.0, 1e4, WADI_SIDE_NORTH) == 1.0);
    assert_true(sent(&f, all_open, 0.0, -1e4, WADI_SIDE_SOUTH) == 1.0);
    const double half = sent(&f, all_open, 100.0, 0.0, WADI_SIDE_EAST);
    assert_true(half > 0.4 && half < 0.6);
    assert_true(sent(&f, closed, 1e4, 1e4, WADI_SIDE_EAST) == 0.0);
    assert_true(sent(&f, round, 1e4, 1e4, WADI_SIDE_NORTH) == 0.0);
    // matter that stops in a void is removed
    assert_true(sent(&f, round, 60.0, 0.0, WADI_SIDE_VOID) > 0.01);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soil_is_tied_to_grains),
        cmocka_unit_test(thin_soil_rides_with_its_neighbour_round_a_torus),
        cmocka_unit_test(soil_at_rest_comes_back_equal),
        cmocka_unit_test(a_shifted_block_keeps_its_thickness),
        cmocka_unit_test(outflow_is_counted_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
