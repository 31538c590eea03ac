// SPDX-License-Identifier: MIT
// Path free of graded rivers: growth of bends, cut-offs, oxbow lakes, levees, threads and parts.
#include "support/river.h"

#include "processes/riverbed/graded_free.h"

#include <stdlib.h>

static river_land even(double azimuth)
{
    return (river_land){.size = 160, .cell = 4.0, .slope = 0.004, .azimuth = azimuth, .seed = 2};
}

static wadi_riverbed_params wanderer(double migration)
{
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.path = WADI_RIVERBED_FREE;
    params.discharge = 4.0; // 8 m wide
    params.batches = 120;
    params.incision = 0.0;
    params.migration = migration;
    return params;
}

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_graded* graded;
} world;

static void world_run(world* w, const river_land* land, const wadi_riverbed_params* params,
                      int32_t threads)
{
    *w = (world){.terrain = NULL};
    fixture_open(&w->f, threads);
    w->terrain = river_terrain(&w->f, land);
    const riverbed_emitter emitter = river_emitter(land, params->discharge);
    w->graded = river_run(w->terrain, params, &emitter, 1);
}

static void world_close(world* w)
{
    wadi_graded_destroy(w->graded);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static double sinuosity_of(const world* w)
{
    return river_measure(w->graded).sinuosity;
}

// ---- growth -------------------------------------------------------------------------------------

enum
{
    WAVE_POINTS = 300
};

// A chain along the axis of an even land that deviates by a sine; amplitude in widths.
static void lay_wave(graded_river* river, double width, double length, double amplitude)
{
    for (int32_t i = 0; i < WAVE_POINTS; ++i)
    {
        const double x = 0.6 * i;
        const double y = amplitude * sin(2.0 * M_PI * x / length);
        river->chain[i] = (graded_point){
            .at = {river->axis[0].at.x + x * width, river->axis[0].at.y + y * width}};
    }
    river->chain_count = WAVE_POINTS;
}

// Amplitude of the wave between 40 and 130 widths down the chain, whatever its phase.
static double wave_of(const graded_river* river, double width, double length)
{
    double sine = 0.0;
    double cosine = 0.0;
    double sum = 0.0;
    const double last = 40.0 + floor(90.0 / length) * length;
    for (int32_t i = 1; i < river->chain_count; ++i)
    {
        const double x = (river->chain[i].at.x - river->axis[0].at.x) / width;
        const double y = (river->chain[i].at.y - river->axis[0].at.y) / width;
        const double step = (river->chain[i].at.x - river->chain[i - 1].at.x) / width;
        if (x > 40.0 && x < last)
        {
            sine += step * y * sin(2.0 * M_PI * x / length);
            cosine += step * y * cos(2.0 * M_PI * x / length);
            sum += step;
        }
    }
    return 2.0 * hypot(sine, cosine) / sum;
}

// Growth of a small wave in a unit of time, over what the law of Howard & Knutson gives.
static double growth_against_law(double length, double* rate)
{
    world w;
    const river_land land = even(0.0);
    wadi_riverbed_params params = wanderer(0.6 * 2.0 * 4.0); // two units in a batch
    params.batches = 4;
    params.irregularity = 0.0;
    world_run(&w, &land, &params, 1);
    graded_river* river = &w.graded->rivers[0];
    const double width = 2.0; // [cells]
    assert_true(river->chain_capacity > 2 * WAVE_POINTS);
    lay_wave(river, width, length, 0.05);
    const double before = wave_of(river, width, length);
    w.graded->batch = 1;
    CHECK_OK(w.f.context, wadi_graded_migrate(w.graded, river));
    const double decay = 8.26 / 12.0; // of the response [1/width]
    const double k = 2.0 * M_PI / length;
    const double law = k * k * (2.5 / (1.0 + k * k / (decay * decay)) - 1.0);
    *rate = log(wave_of(river, width, length) / before) / 2.0;
    print_message("double bends of %.0f widths: growth %.4f, law %.4f\n", length, *rate, law);
    world_close(&w);
    return *rate - law;
}

static void bends_of_twelve_widths_grow_fastest(void** state)
{
    (void)state;
    double rates[3];
    assert_true(fabs(growth_against_law(7.0, &rates[0])) < 0.02);
    assert_true(fabs(growth_against_law(12.0, &rates[1])) < 0.02);
    assert_true(fabs(growth_against_law(24.0, &rates[2])) < 0.02);
    assert_true(rates[0] < 0.0);
    assert_true(rates[1] > 1.2 * rates[2]);
}

static void bends_need_migration_and_no_direction(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned)
    {
        const river_land land = even(turned != 0 ? 37.0 : 0.0);
        double bends[2];
        for (int moves = 0; moves < 2; ++moves)
        {
            world w;
            const wadi_riverbed_params params = wanderer(moves != 0 ? 30.0 : 0.0);
            world_run(&w, &land, &params, 2);
            bends[moves] = sinuosity_of(&w);
            assert_int_equal(w.graded->dead, 0);
            world_close(&w);
        }
        print_message("%s: sinuosity %.3f, %.2f with migration\n", turned != 0 ? "37" : "0",
                      bends[0], bends[1]);
        assert_true(bends[0] < 1.05);
        assert_true(bends[1] > 1.3 && bends[1] < 3.2);
    }
}

// Twice the batches: the chain moves in the same small steps.
static void batches_do_not_matter_to_the_course(void** state)
{
    (void)state;
    double bends[2];
    for (int i = 0; i < 2; ++i)
    {
        world w;
        const river_land land = even(0.0);
        wadi_riverbed_params params = wanderer(24.0);
        params.batches = 100 << i;
        params.chute = 0.0; // chutes depend on the ground
        world_run(&w, &land, &params, 2);
        bends[i] = sinuosity_of(&w);
        world_close(&w);
    }
    print_message("sinuosity %.3f, with twice the batches %.3f\n", bends[0], bends[1]);
    assert_true(fabs(bends[1] / bends[0] - 1.0) < 0.05);
}

// ---- cut-offs -----------------------------------------------------------------------------------

static void necks_are_cut_off_and_leave_lakes(void** state)
{
    (void)state;
    world w;
    const river_land land = even(0.0);
    wadi_riverbed_params params = wanderer(45.0);
    params.silting = 200.0;
    world_run(&w, &land, &params, 2);
    const wadi_graded* graded = w.graded;
    const wadi_ground* ground = graded->ground;
    print_message("%d cut-offs, %d cells of lakes\n", (int)graded->cutoffs,
                  (int)graded->lake_count);
    assert_true(graded->cutoffs >= 2);
    assert_true(graded->lake_count > 10);
    int32_t wet = 0;
    for (int64_t i = 0; i < graded->lake_count; ++i)
    {
        const int32_t cell = graded->lakes[i];
        const int32_t level = graded->lake[cell];
        const int32_t surface = wadi_ground_surface(ground, cell);
        const bool river = graded->corridor.slot[cell] != 0;
        assert_true(level != GRADED_DRY);
        assert_true(river || surface >= level || ground->water[cell] == level - surface);
        wet += surface < level;
    }
    assert_true(wet > 0);
    world_close(&w);
}

static double lake_volume(double silting)
{
    world w;
    const river_land land = even(0.0);
    wadi_riverbed_params params = wanderer(45.0);
    params.silting = silting;
    world_run(&w, &land, &params, 2);
    double sum = 0.0;
    for (int64_t i = 0; i < w.graded->lake_count; ++i)
    {
        const int32_t cell = w.graded->lakes[i];
        const int32_t depth = w.graded->lake[cell] - wadi_ground_surface(w.graded->ground, cell);
        sum += depth > 0 ? graded_metres(depth) : 0.0;
    }
    world_close(&w);
    return sum;
}

static void lakes_silt_up_with_age(void** state)
{
    (void)state;
    const double slow = lake_volume(400.0);
    const double fast = lake_volume(4.0);
    print_message("water in lakes: %.1f m, silted %.1f m\n", slow, fast);
    assert_true(fast < 0.4 * slow);
}

// Mean height over bankfull on the banks outside of bends, from one to two half widths of the
// course.
static double bank_height(double levee)
{
    world w;
    const river_land land = even(0.0);
    wadi_riverbed_params params = wanderer(10.0);
    params.levee = levee;
    world_run(&w, &land, &params, 2);
    double sum = 0.0;
    int32_t count = 0;
    for (int64_t i = 0; i < w.graded->corridor.count; ++i)
    {
        const graded_cell* cell = &w.graded->corridor.cells[i];
        const float eta = fabsf(cell->eta);
        if (eta > 1.1f && eta < 2.0f && w.graded->laid[cell->cell] == 0)
        {
            sum += graded_metres(wadi_ground_surface(w.graded->ground, cell->cell) - cell->level);
            ++count;
        }
    }
    world_close(&w);
    return sum / count;
}

static void floods_raise_levees(void** state)
{
    (void)state;
    const double without = bank_height(0.0);
    const double with = bank_height(0.6);
    print_message("banks %.3f m over bankfull, with levees %.3f m\n", without, with);
    assert_true(with > without + 0.02);
}

// ---- determinism --------------------------------------------------------------------------------

static uint64_t hash_of(int32_t threads, int32_t parts)
{
    world w = {.terrain = NULL};
    const river_land land = even(20.0);
    wadi_riverbed_params params = wanderer(40.0);
    params.batches = 40;
    fixture_open(&w.f, threads);
    w.terrain = river_terrain(&w.f, &land);
    const riverbed_emitter emitter = river_emitter(&land, params.discharge);
    CHECK_OK(w.f.context, wadi_graded_create(w.terrain, &params, 0, &w.graded));
    CHECK_OK(w.f.context, wadi_graded_set_emitters(w.graded, &emitter, 1));
    for (int32_t i = 0; i < parts; ++i)
    {
        CHECK_OK(w.f.context,
                 wadi_graded_advance(w.graded, &(wadi_span){.years = params.growth / parts}));
    }
    wadi_terrain_changed(w.terrain);
    fixture_check_ledger(w.terrain);
    const uint64_t hash = wadi_terrain_hash(w.terrain);
    world_close(&w);
    return hash;
}

static void threads_change_no_byte(void** state)
{
    (void)state;
    assert_true(hash_of(1, 1) == hash_of(2, 1));
    assert_true(hash_of(1, 4) == hash_of(2, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_of_twelve_widths_grow_fastest),
        cmocka_unit_test(bends_need_migration_and_no_direction),
        cmocka_unit_test(batches_do_not_matter_to_the_course),
        cmocka_unit_test(necks_are_cut_off_and_leave_lakes),
        cmocka_unit_test(lakes_silt_up_with_age),
        cmocka_unit_test(floods_raise_levees),
        cmocka_unit_test(threads_change_no_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
