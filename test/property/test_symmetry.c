// SPDX-License-Identifier: MIT
// labels: slow
// No process prefers a direction of the grid: a mirrored or transposed terrain, under a wind turned
// with it, gives the mirrored result, up to the scatter between seeds. Where only gravity acts,
// flat, closed ground stays at rest. Riverbeds are left out because their emitters lie on a side.
#include "support/fixture.h"
#include "support/registered.h"

enum
{
    SIZE = 64,
    BLOCK = 8, // side of the averaging blocks [cells]
    BLOCKS = SIZE / BLOCK,
    SEEDS = 12
};

// Holds the registry: the library's processes and those registered with each context.
static const wadi_context* registry;

typedef enum turn
{
    AS_IT_IS,
    MIRRORED_EAST_WEST,
    MIRRORED_NORTH_SOUTH,
    TRANSPOSED,
    TURN_COUNT
} turn;

static int32_t turned(turn t, int32_t x, int32_t y)
{
    const int32_t last = SIZE - 1;
    return t == MIRRORED_EAST_WEST     ? y * SIZE + last - x
           : t == MIRRORED_NORTH_SOUTH ? (last - y) * SIZE + x
           : t == TRANSPOSED           ? x * SIZE + y
                                       : y * SIZE + x;
}

// An oblique valley, 300 m deep, with bumps from sines of odd wavelengths.
static float hill(int32_t x, int32_t y)
{
    const double u = (double)x / SIZE;
    const double v = (double)y / SIZE;
    return (float)(300.0 * u + 120.0 * v + 60.0 * sin(9.0 * u + 5.0 * v) +
                   40.0 * sin(17.0 * v - 6.0 * u) + 15.0 * sin(41.0 * u) * cos(37.0 * v));
}

static void set_heights(wadi_terrain* terrain, turn t)
{
    static float heights[SIZE * SIZE];
    for (int32_t y = 0; y < SIZE; ++y)
    {
        for (int32_t x = 0; x < SIZE; ++x)
        {
            heights[turned(t, x, y)] = hill(x, y);
        }
    }
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIZE));
}

// Rivers enter at a fixed side and cannot be turned.
static bool is_river(const wadi_process* process)
{
    return process == &wadi_riverbed_process || process == &wadi_flood_process ||
           process == &wadi_regulate_process;
}

// Soil is thicker than the rock it is made of, so level ground rises as it weathers.
static bool is_driven_by_gravity(const wadi_process* process)
{
    return process != &wadi_wind_process && process != &wadi_dunes_process &&
           process != &wadi_uplift_process && process != &wadi_soil_cover_process &&
           !is_river(process);
}

// Wind direction in the turned land, clockwise from north.
static void turn_wind(turn t, double* direction)
{
    const double from = *direction;
    const double there = t == MIRRORED_EAST_WEST     ? 360.0 - from
                         : t == MIRRORED_NORTH_SOUTH ? 540.0 - from
                         : t == TRANSPOSED           ? 630.0 - from
                                                     : from;
    *direction = fmod(there, 360.0);
}

// Change of the surface per block [m], turned back.
static void block_changes(const wadi_process* process, const char* preset, turn t, uint32_t seed,
                          double changes[BLOCKS * BLOCKS])
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, SIZE, SIZE);
    set_heights(terrain, t);
    _Alignas(double) char params[4096];
    wadi_fields_init(process->fields, params);
    CHECK_OK(f.context, wadi_process_apply_preset(f.context, process, preset, params));
    double sand = 0.0; // [m]
    if (process == &wadi_wind_process || process == &wadi_dunes_process)
    {
        const wadi_field* direction = wadi_field_find(process->fields, "direction");
        sand = 2.0;
        turn_wind(t, (double*)(void*)(params + direction->offset));
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, sand));
    }
    if (process == &wadi_coast_process)
    {
        static const double level = 180.0;
        const wadi_field* direction = wadi_field_find(process->fields, "direction");
        turn_wind(t, (double*)(void*)(params + direction->offset));
        CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
        // nothing is random in it but the rock
        fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, 0.6, seed);
    }
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, process, params, seed, &solver));
    const double years = wadi_process_years(process, params);
    CHECK_OK(f.context, wadi_solver_advance(solver, fmin(0.3 * years, 120e3)));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    memset(changes, 0, sizeof(double) * BLOCKS * BLOCKS);
    wadi_view view;
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    for (int32_t y = 0; y < SIZE; ++y)
    {
        for (int32_t x = 0; x < SIZE; ++x)
        {
            changes[y / BLOCK * BLOCKS + x / BLOCK] +=
                ((double)view.data[turned(t, x, y)] - (double)hill(x, y) - sand) / (BLOCK * BLOCK);
        }
    }
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

typedef struct statistics
{
    double mean[BLOCKS * BLOCKS];
    double variance[BLOCKS * BLOCKS]; // of the mean
} statistics;

static void gather(const wadi_process* process, const char* preset, turn t, uint32_t first_seed,
                   statistics* s)
{
    static double changes[SEEDS][BLOCKS * BLOCKS];
    for (uint32_t seed = 0; seed < SEEDS; ++seed)
    {
        // two seeds with one result: nothing is random in this process
        const bool same = seed >= 2 && memcmp(changes[0], changes[1], sizeof changes[0]) == 0;
        if (same)
        {
            memcpy(changes[seed], changes[0], sizeof changes[0]);
        }
        else
        {
            block_changes(process, preset, t, first_seed + seed, changes[seed]);
        }
    }
    for (int b = 0; b < BLOCKS * BLOCKS; ++b)
    {
        double sum = 0.0;
        double squares = 0.0;
        for (int seed = 0; seed < SEEDS; ++seed)
        {
            sum += changes[seed][b];
            squares += changes[seed][b] * changes[seed][b];
        }
        s->mean[b] = sum / SEEDS;
        s->variance[b] = (squares / SEEDS - s->mean[b] * s->mean[b]) / (SEEDS - 1);
    }
}

// Mean over the blocks of difference^2 / variance: 1 for pure chance (1.1 with twelve seeds a
// side). Differences below 1 % of the mean change are ignored.
static double mean_square_deviation(const statistics* a, const statistics* b)
{
    double scale = 0.0;
    for (int i = 0; i < BLOCKS * BLOCKS; ++i)
    {
        scale += fabs(a->mean[i]) / (BLOCKS * BLOCKS);
    }
    assert_true(scale > 0.0); // something was eroded
    double sum = 0.0;
    for (int i = 0; i < BLOCKS * BLOCKS; ++i)
    {
        const double difference = a->mean[i] - b->mean[i];
        const double chance = fmax(a->variance[i] + b->variance[i], 1e-4 * scale * scale);
        sum += difference * difference / chance;
    }
    return sum / (BLOCKS * BLOCKS);
}

static void mirrored_ground_gives_the_mirrored_result(void** state)
{
    (void)state;
    static statistics straight;
    static statistics other;
    for (int32_t i = 0; i < wadi_process_count(registry); ++i)
    {
        const wadi_process* process = wadi_process_at(registry, i);
        for (int32_t p = 0; p < process->preset_count && !is_river(process); ++p)
        {
            const char* preset = process->presets[p].name;
            gather(process, preset, AS_IT_IS, 0, &straight);
            for (int t = MIRRORED_EAST_WEST; t < TURN_COUNT; ++t)
            {
                gather(process, preset, (turn)t, 100 * (uint32_t)t, &other);
                const double deviation = mean_square_deviation(&straight, &other);
                print_message("%s %s, turn %d: %.2f\n", process->name, preset, t, deviation);
                assert_true(deviation < 2.0);
            }
        }
    }
}

static void flat_closed_ground_is_at_rest(void** state)
{
    (void)state;
    for (int32_t i = 0; i < wadi_process_count(registry); ++i)
    {
        if (!is_driven_by_gravity(wadi_process_at(registry, i)))
        {
            continue;
        }
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = SIZE;
        def.height = SIZE;
        def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = WADI_EDGE_CLOSED;
        wadi_terrain* terrain = NULL;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 100.0));
        wadi_solver* solver = NULL;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, wadi_process_at(registry, i), NULL, 0, &solver));
        CHECK_OK(f.context,
                 wadi_solver_advance(solver, wadi_process_at(registry, i)->default_years));
        CHECK_OK(f.context, wadi_solver_finish(solver));
        for (int32_t y = 0; y < SIZE; ++y)
        {
            for (int32_t x = 0; x < SIZE; ++x)
            {
                assert_int_equal(wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, y),
                                 100 * WADI_UNITS_PER_METRE);
            }
        }
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mirrored_ground_gives_the_mirrored_result),
        cmocka_unit_test(flat_closed_ground_is_at_rest),
    };
    registry = registered_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    registered_close();
    return failed;
}
