// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 6
// Streams and waves on real coasts over 50 000 years: the sea stays sea but for what lies at the
// mouths of rivers, and the books close. A crop of Luzon has sea at 0 m, which is of unknown depth,
// and the crop of New Zealand has no data there.
#include "support/fixture.h"

#include "io/raster/raster.h"

#include <stdlib.h>

static const double years = 50e3;
static const double tick = 2500.0;

typedef struct coast_land
{
    float* before; // NaN: no data
    wadi_terrain* terrain;
    int32_t width;
    int32_t height;
} coast_land;

static wadi_solver* solver_of(wadi_terrain* terrain, const wadi_process* process,
                              const char* preset, double step)
{
    double params[128];
    wadi_context* context = wadi_terrain_context(terrain);
    assert_true(process->fields->params_size <= sizeof params);
    wadi_fields_init(process->fields, params);
    CHECK_OK(context, wadi_process_apply_preset(context, process, preset, params));
    CHECK_OK(context, wadi_field_set(context, process->fields, "max_step", step, params));
    wadi_solver* solver;
    CHECK_OK(context, wadi_solver_create(terrain, process, params, 0, &solver));
    CHECK_OK(context, wadi_solver_fit(solver, tick));
    return solver;
}

// The file's ground with the sea at 0 m; `depth` is that of cells at 0 m.
static coast_land land_of(fixture* f, const char* file, double cell, float depth)
{
    wadi_io_raster raster = {0};
    CHECK_OK(f->context, wadi_io_raster_read(f->context, file, 0.0, true, &raster));
    coast_land land = {.width = raster.width, .height = raster.height};
    const size_t cells = (size_t)raster.width * (size_t)raster.height;
    land.before = malloc(cells * sizeof *land.before);
    for (size_t i = 0; i < cells; ++i)
    {
        land.before[i] = raster.values[i] == 0.0f ? -depth : raster.values[i];
    }
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = raster.width;
    def.height = raster.height;
    def.cell_size = cell;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &land.terrain));
    CHECK_OK(f->context,
             wadi_terrain_set_layer(land.terrain, WADI_LAYER_SURFACE, land.before, raster.width));
    static const double level = 0.0;
    CHECK_OK(f->context, wadi_terrain_set_sea_level(land.terrain, NULL, &level, 1));
    wadi_io_raster_free(&raster);
    return land;
}

static uint64_t live(const coast_land* land)
{
    wadi_terrain* terrain = land->terrain;
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* waves = solver_of(terrain, &wadi_coast_process, "default", 500.0);
    wadi_solver* water = solver_of(terrain, &wadi_hydraulic_process, "default", tick);
    for (double now = 0.0; now < years; now += tick)
    {
        CHECK_OK(context, wadi_solver_advance(waves, tick));
        CHECK_OK(context, wadi_solver_advance(water, tick));
        CHECK_OK(context, wadi_terrain_advance_clock(terrain, tick));
    }
    const uint64_t hash =
        wadi_terrain_hash(terrain) + wadi_solver_hash(waves) + wadi_solver_hash(water);
    wadi_solver_destroy(waves);
    wadi_solver_destroy(water);
    fixture_check_ledger(terrain);
    return hash;
}

static void land_free(coast_land* land)
{
    wadi_terrain_destroy(land->terrain);
    free(land->before);
}

static double height_at(const coast_land* land, int32_t i)
{
    return wadi_terrain_units(land->terrain, WADI_LAYER_SURFACE, i % land->width, i / land->width) /
           (double)WADI_UNITS_PER_METRE;
}

// Is there land of the beginning within so many cells?
static bool is_near_land(const coast_land* land, int32_t i, int32_t reach)
{
    for (int32_t dy = -reach; dy <= reach; ++dy)
    {
        for (int32_t dx = -reach; dx <= reach; ++dx)
        {
            const int32_t x = i % land->width + dx;
            const int32_t y = i / land->width + dy;
            if (x >= 0 && x < land->width && y >= 0 && y < land->height &&
                land->before[y * land->width + x] > 0.0f)
            {
                return true;
            }
        }
    }
    return false;
}

typedef struct coast_change
{
    int32_t sea;    // cells at the begin
    int32_t filled; // of them, land now
    int32_t far;    // of those, more than 16 cells from the land of the begin
    double highest; // ground where sea was [m]
    double lowered; // mean wear of land [m]
} coast_change;

static coast_change change_of(const coast_land* land)
{
    coast_change c = {.highest = -HUGE_VAL};
    int32_t dry = 0;
    for (int32_t i = 0; i < land->width * land->height; ++i)
    {
        const double before = (double)land->before[i];
        const double now = height_at(land, i);
        if (before <= 0.0)
        {
            c.sea += 1;
            c.filled += now > 0.0 ? 1 : 0;
            c.far += now > 0.0 && !is_near_land(land, i, 16) ? 1 : 0;
            c.highest = fmax(c.highest, now);
        }
        else if (!isnan(before))
        {
            dry += 1;
            c.lowered += before - now;
        }
    }
    c.lowered /= dry;
    print_message("%d of %d cells of the sea are land, up to %.2f m; land lost %.1f m\n", c.filled,
                  c.sea, c.highest, c.lowered);
    return c;
}

// Sea of unknown depth never fills, and what it takes is booked as gone.
static void a_sea_at_level_stays_sea(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int32_t threads = 1; threads <= 3; threads += 2)
    {
        fixture f;
        fixture_open(&f, threads);
        coast_land land = land_of(&f, WADI_SOURCE_DIR "/test/data/taal-coast-224.tif", 90.0, 0.0f);
        hash[threads / 2] = live(&land);
        const coast_change c = change_of(&land);
        assert_true(c.sea > 20000 && c.filled == 0 && c.highest == 0.0);
        assert_true(c.lowered > 0.5);
        wadi_ledger_row books[WADI_MAX_MATERIALS];
        (void)wadi_terrain_ledger_of(land.terrain, "hydraulic", books, WADI_MAX_MATERIALS);
        assert_true(books[WADI_MATERIAL_SEDIMENT].out[WADI_SIDE_VOID] > 1e6);
        land_free(&land);
        fixture_close(&f);
    }
    assert_true(hash[0] == hash[1]);
}

// A sea of 60 m fills at the mouths of rivers only.
static void a_deep_sea_fills_at_the_mouths_of_rivers(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    coast_land land = land_of(&f, WADI_SOURCE_DIR "/test/data/taal-coast-224.tif", 90.0, 60.0f);
    (void)live(&land);
    const coast_change c = change_of(&land);
    assert_true(c.filled > 0 && c.filled < c.sea / 20);
    assert_true(c.far == 0);
    assert_true(c.highest < 20.0);
    land_free(&land);
    fixture_close(&f);
}

// A hollow below the level of the sea, far from it, takes what it has room for; the river that ends
// there leaves no tower.
static void a_hollow_below_the_sea_makes_no_tower(void** state)
{
    (void)state;
    enum
    {
        WIDTH = 40,
        LENGTH = 200,
        HOLLOW = 190 * WIDTH + 20
    };
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = LENGTH;
    def.cell_size = 90.0;
    coast_land land = {.width = WIDTH, .height = LENGTH};
    land.before = malloc((size_t)WIDTH * LENGTH * sizeof *land.before);
    for (int32_t i = 0; i < WIDTH * LENGTH; ++i)
    {
        // a valley that falls to the south, and the hollow on its floor
        const float across = fabsf((float)(i % WIDTH) - 20.0f);
        land.before[i] = 10.0f + 5.0f * (float)(LENGTH - i / WIDTH) + 8.0f * across;
    }
    land.before[HOLLOW] = -5.0f;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &land.terrain));
    CHECK_OK(f.context,
             wadi_terrain_set_layer(land.terrain, WADI_LAYER_SURFACE, land.before, WIDTH));
    static const double level = 0.0;
    CHECK_OK(f.context, wadi_terrain_set_sea_level(land.terrain, NULL, &level, 1));
    wadi_solver* water = solver_of(land.terrain, &wadi_hydraulic_process, "default", tick);
    CHECK_OK(f.context, wadi_solver_advance(water, tick));
    wadi_solver_destroy(water);
    fixture_check_ledger(land.terrain);
    print_message("the hollow on a floor at 60 m stands at %.2f m\n", height_at(&land, HOLLOW));
    assert_true(height_at(&land, HOLLOW) > -5.0 && height_at(&land, HOLLOW) < 60.0);
    land_free(&land);
    fixture_close(&f);
}

// Where the sea has no data, land beside it wears and the books close.
static void a_sea_without_data_takes_all(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    coast_land land =
        land_of(&f, WADI_SOURCE_DIR "/scenes/data/new-zealand-192x160.tif", 1000.0, 0.0f);
    (void)live(&land);
    const coast_change c = change_of(&land);
    assert_true(c.filled == 0);
    assert_true(c.lowered > 0.5);
    land_free(&land);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sea_at_level_stays_sea),
        cmocka_unit_test(a_deep_sea_fills_at_the_mouths_of_rivers),
        cmocka_unit_test(a_hollow_below_the_sea_makes_no_tower),
        cmocka_unit_test(a_sea_without_data_takes_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
