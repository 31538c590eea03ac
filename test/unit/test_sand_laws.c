// SPDX-License-Identifier: MIT
// One law of wind, threshold and plants: the saturated flux and the skin of the ground in numbers,
// and the sand that the models dunes (flux and slab) and wind carry over flat ground.
#include "laws/sand/sand_flux.h"
#include "laws/sand/sand_skin.h"
#include "support/fixture.h"

#include <stdlib.h>

enum
{
    WIDTH = 160,
    HEIGHT = 120
};

static sand_skin skin_under(wadi_terrain* terrain, wadi_layer layer, double value)
{
    CHECK_OK(wadi_terrain_context(terrain), wadi_terrain_fill_layer(terrain, layer, value));
    const sand_skin_law law = {.plant_drag = 16.0, .wet_gain = 2.4};
    const sand_skin skin = wadi_sand_skin(&law, wadi_terrain_ground_const(terrain), 5);
    CHECK_OK(wadi_terrain_context(terrain), wadi_terrain_fill_layer(terrain, layer, 0.0));
    return skin;
}

// Raupach's stress under plants, and Fecan's threshold of moist sand that holds a quarter of its
// mass of water when it is saturated: sqrt(1 + 1.21 (25 m)^0.68), 2.4 + 1 at m = 1.
static void plants_take_stress_and_moisture_raises_the_threshold(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_flat(f, 4, 3);
    for (double share = 0.0; share <= 1.0; share += 0.125)
    {
        const sand_skin plants = skin_under(terrain, WADI_LAYER_VEGETATION, share);
        CHECK_NEAR((double)plants.stress, 1.0 / (1.0 + 16.0 * share), 1e-4);
        assert_true(plants.threshold == 1.0f);
        const sand_skin moist = skin_under(terrain, WADI_LAYER_MOISTURE, share);
        assert_true(moist.stress == 1.0f);
        const double fecan = 1.0 + 1.21 * pow(25.0 * 100.0 / 100.0 * share, 0.68);
        CHECK_NEAR((double)moist.threshold, fecan, 0.03 * fecan);
    }
    assert_true(skin_under(terrain, WADI_LAYER_WATER, 0.1).stress == 0.0f);
    wadi_terrain_destroy(terrain);
}

// The quadratic law: twice the wind over a threshold of 7.07 m/s carries seven times the sand.
static void flux_is_quadratic_above_the_threshold(void** state)
{
    (void)state;
    CHECK_NEAR(wadi_sand_saturated(400.0, 7.0710678, 10.0), 400.0, 1e-5);
    CHECK_NEAR(wadi_sand_saturated(400.0, 7.0710678, 20.0), 2800.0, 1e-4);
    CHECK_NEAR(wadi_sand_saturated(400.0, 0.0, 10.0), 800.0, 1e-9);
    CHECK_NEAR((double)wadi_sand_relative(400.0f, 50.0f), 7.0, 1e-6);
    assert_true(wadi_sand_relative(49.0f, 50.0f) == 0.0f);
    for (double speed = 5.0; speed < 40.0; speed += 2.5)
    {
        const double excess = speed * speed - 50.0;
        const double flux = wadi_sand_saturated(1.0, sqrt(50.0), speed);
        CHECK_NEAR(flux, excess > 0.1 * speed * speed ? excess / 50.0 : 0.1 * speed * speed / 50.0,
                   1e-9);
    }
}

typedef struct flat_case
{
    double speed;
    double cover;
    double moisture;
    double crust;  // gain of a full crust
    double coarse; // share of the surface that coarse grains cover
} flat_case;

typedef struct flat_model
{
    const char* process;
    const char* model;
} flat_model;

static const flat_model flat_models[] = {{"dunes", "flux"}, {"dunes", "slab"}, {"wind", NULL}};

// Flux over flat sand on a torus while the wind blows [m2/yr], by the law.
static double flat_law(const flat_case* c)
{
    const double saturated = 3.4;
    const double stress = c->speed * c->speed / (1.0 + 16.0 * c->cover);
    const double bond = 1.0 + (saturated * saturated - 1.0) * pow(c->moisture, 0.68);
    const double crust = (1.0 + c->crust) * (1.0 + c->crust);
    const double lag = (1.0 - 0.5 * c->coarse) * (1.0 + 22.5 * c->coarse);
    const double excess = (1.0 - c->coarse) * (stress - 7.07 * 7.07 * bond * crust * lag);
    return excess > 0.0 ? 400.0 * excess / 50.0 : 0.0;
}

static void* flat_params(wadi_context* context, const wadi_process* process,
                         const flat_model* model, const flat_case* c, double inflow)
{
    // crusts that neither wear nor break, and a layer so thick that it does not coarsen
    const struct
    {
        const char* name;
        double value;
    } values[] = {{"speed", c->speed},
                  {"blowing", 1.0},
                  {"inflow", inflow},
                  {"crust_gain", c->crust},
                  {"crust_start", 1.0},
                  {"crust_abrasion", 0.0},
                  {"crust_depth", 10.0},
                  {"coarse_share", c->coarse},
                  {"coarse_depth", c->coarse > 0.0 ? 1.0 : 0.0}};
    void* params = test_calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    if (model->model != NULL)
    {
        CHECK_OK(context,
                 wadi_field_set_text(context, process->fields, "model", model->model, params));
    }
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        CHECK_OK(context,
                 wadi_field_set(context, process->fields, values[i].name, values[i].value, params));
    }
    if (model->model != NULL && strcmp(model->model, "flux") == 0)
    {
        // short steps move little sand at once, so that it does not count as erosion
        const double step = c->crust + c->coarse > 0.0 ? 0.02 : 0.25;
        CHECK_OK(context, wadi_field_set(context, process->fields, "step_flux", step, params));
    }
    if (model->model != NULL && strcmp(model->model, "slab") == 0)
    {
        // thin slabs leave the ground flat, so that it does not shelter itself
        CHECK_OK(context, wadi_field_set(context, process->fields, "slab_thickness", 0.01, params));
    }
    return params;
}

static double flat_mean(wadi_solver* solver, const char* map)
{
    static float values[WIDTH * HEIGHT];
    double sum = 0.0;
    CHECK_OK(NULL, wadi_solver_map(solver, map, values));
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        sum += (double)values[i];
    }
    return sum / (WIDTH * HEIGHT);
}

// The same as a model carries it on a torus, over the time in which 8 m2 of sand pass.
static double flat_flux(fixture* f, const flat_model* model, const flat_case* c, double law)
{
    const flat_case dry = {.speed = c->speed};
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, 2.0, WADI_EDGE_PERIODIC);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_VEGETATION, c->cover));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_MOISTURE, c->moisture));
    const wadi_process* process = wadi_process_find(f->context, model->process);
    void* params = flat_params(f->context, process, model, c, law / flat_law(&dry));
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, process, params, 0, &solver));
    test_free(params);
    CHECK_OK(f->context, wadi_solver_advance(solver, law > 0.0 ? 8.0 / law : 0.02));
    CHECK_OK(f->context, wadi_solver_finish(solver));
    const double years = fixture_figure(solver, "years");
    const double blown = fixture_figure(solver, "wind_hours") / 8766.0;
    const double flux = blown > 0.0 ? flat_mean(solver, "flux_x") * years / blown : 0.0;
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    return flux;
}

// Every model carries the sand of the law at every wind, cover, moisture, crust and lag, and none
// where the law has none. Parcels of wind start empty and lay their load down at the end of their
// lives, which takes 2 %.
static void slow_all_models_carry_the_same_sand_over_flat_ground(void** state)
{
    fixture* f = *state;
    static const flat_case cases[] = {
        {8.0, 0.0, 0.0, 0.0, 0.0},   {10.0, 0.0, 0.0, 0.0, 0.0},   {15.0, 0.0, 0.0, 0.0, 0.0},
        {25.0, 0.0, 0.0, 0.0, 0.0},  {10.0, 0.02, 0.0, 0.0, 0.0},  {10.0, 0.3, 0.0, 0.0, 0.0},
        {15.0, 0.1, 0.0, 0.0, 0.0},  {25.0, 0.3, 0.0, 0.0, 0.0},   {12.0, 0.0, 0.01, 0.0, 0.0},
        {15.0, 0.0, 0.1, 0.0, 0.0},  {25.0, 0.0, 0.4, 0.0, 0.0},   {10.0, 0.0, 0.3, 0.0, 0.0},
        {18.0, 0.1, 0.03, 0.0, 0.0}, {15.0, 0.1, 0.1, 0.0, 0.0},   {15.0, 0.0, 0.0, 0.5, 0.0},
        {25.0, 0.0, 0.0, 1.0, 0.0},  {10.0, 0.0, 0.0, 1.0, 0.0},   {15.0, 0.0, 0.0, 0.0, 0.1},
        {25.0, 0.0, 0.0, 0.0, 0.3},  {25.0, 0.0, 0.01, 0.3, 0.05},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const flat_case* c = &cases[i];
        const double law = flat_law(c);
        print_message("%2.0f m/s, cover %.2f, moisture %.2f, crust %.1f, lag %.2f: %7.1f m2/yr,",
                      c->speed, c->cover, c->moisture, c->crust, c->coarse, law);
        for (size_t m = 0; m < sizeof flat_models / sizeof flat_models[0]; ++m)
        {
            const double flux = flat_flux(f, &flat_models[m], c, law);
            CHECK_NEAR(flux, law, 0.04 * law);
            print_message(" %s %.1f", m == 0 ? "flux" : m == 1 ? "slab" : "wind", flux);
        }
        print_message("\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants_take_stress_and_moisture_raises_the_threshold),
        cmocka_unit_test(flux_is_quadratic_above_the_threshold),
        cmocka_unit_test(slow_all_models_carry_the_same_sand_over_flat_ground),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
