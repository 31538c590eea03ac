// SPDX-License-Identifier: MIT
#include "support/choice.h"

#include "terrain/ground.h"

const wadi_context* choice_registry;

// Presets of model alluvial do nothing without rivers, which a table gives: unit.alluvial and
// validation.alluvial_threads test them.
static bool choice_needs_rivers(const wadi_process* process, const char* preset)
{
    return process == &wadi_hydraulic_process &&
           (strcmp(preset, "braid") == 0 || strcmp(preset, "delta") == 0 ||
            strcmp(preset, "fan") == 0);
}

void choice_for_each(void (*fn)(const choice* c))
{
    assert_true(wadi_process_count(choice_registry) >= 1);
    for (int32_t i = 0; i < wadi_process_count(choice_registry); ++i)
    {
        const wadi_process* process = wadi_process_at(choice_registry, i);
        assert_true(process->preset_count >= 1);
        for (int32_t p = 0; p < process->preset_count; ++p)
        {
            const choice c = {process, process->presets[p].name};
            if (!choice_needs_rivers(c.process, c.preset))
            {
                fn(&c);
            }
        }
    }
}

// Reduce the cost of landslides: by default soil is held by roots, or takes minutes of sliding.
// Remove the roots and limit the time to two seconds with few grains; flows of soil that fails draw
// no random numbers. Limit floods in time to six minutes: a day has 100 000 steps. Shorten the step
// of droplets, 400 000 yr: doubles of a million years are exact to milliseconds only, so sevenths
// of them do not add up.
static void choice_tune(const choice* c, void* params)
{
    if (c->process == &wadi_landslide_process)
    {
        wadi_landslide_params* landslide = params;
        landslide->model = WADI_LANDSLIDE_GRAINS;
        landslide->cohesion = 0.0;
        landslide->most = 400;
        landslide->longest = 2.0;
    }
    if (c->process == &wadi_flood_process && strcmp(c->preset, "inertial") == 0)
    {
        wadi_flood_params* flood = params;
        flood->longest = 0.1;
    }
    if (c->process == &wadi_hydraulic_process && strcmp(c->preset, "paper") == 0)
    {
        wadi_hydraulic_params* hydraulic = params;
        hydraulic->droplet_span = 20000.0;
    }
}

// A number of the parameters, or NULL.
static double* choice_number(const choice* c, const char* name, void* params)
{
    const wadi_field* field = wadi_field_find(c->process->fields, name);
    return field != NULL ? (double*)(void*)((char*)params + field->offset) : NULL;
}

// Winds blow towards a side, and rivers come from the one beyond; -1: as they are.
static void choice_aim(const choice* c, int side, void* params)
{
    static const double from[4] = {180.0, 270.0, 0.0, 90.0};
    static const char* const names[4] = {"from_x", "from_y", "to_x", "to_y"};
    for (int i = 0; side >= 0 && i < 4; ++i)
    {
        const double size = 10.0 * (i % 2 == 0 ? CHOICE_WIDTH : CHOICE_HEIGHT);
        const bool along = (side % 2 == 1) == (i % 2 == 0);
        const bool high = side == WADI_SIDE_SOUTH || side == WADI_SIDE_WEST;
        double* at = choice_number(c, names[i], params);
        *(at != NULL ? at : &(double){0.0}) = !along ? 0.5 * size : high ? size - 25.0 : 25.0;
    }
    if (side >= 0 && c->process == &wadi_riverbed_process)
    {
        ((wadi_riverbed_params*)params)->side = (side + 2) % 4;
    }
    else if (side >= 0 && choice_number(c, "direction", params) != NULL)
    {
        *choice_number(c, "direction", params) = from[side];
    }
}

void choice_params(const choice* c, void* params)
{
    wadi_fields_init(c->process->fields, params);
    assert_int_equal(wadi_process_apply_preset(NULL, c->process, c->preset, params), WADI_OK);
    choice_tune(c, params);
}

wadi_solver* choice_solver_aimed(const choice* c, wadi_terrain* terrain, uint32_t instance,
                                 int side)
{
    wadi_context* context = wadi_terrain_context(terrain);
    void* params = test_calloc(1, c->process->fields->params_size);
    choice_params(c, params);
    choice_aim(c, side, params);
    if (c->process == &wadi_coast_process)
    {
        static const double level = 200.0; // a third of the land of fixture_rough()
        CHECK_OK(context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    }
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, c->process, params, instance, &solver));
    test_free(params);
    return solver;
}

wadi_solver* choice_solver(const choice* c, wadi_terrain* terrain, uint32_t instance)
{
    return choice_solver_aimed(c, terrain, instance, -1);
}

const wadi_model* choice_model(const choice* c)
{
    void* params = test_calloc(1, c->process->fields->params_size);
    choice_params(c, params);
    const wadi_model* model = wadi_process_model(c->process, params);
    test_free(params);
    return model;
}

bool choice_has(const choice* c, wadi_model_trait trait)
{
    return (choice_model(c)->traits & (uint32_t)trait) != 0;
}

void choice_run(const choice* c, wadi_terrain* terrain, double share)
{
    wadi_solver* solver = choice_solver(c, terrain, 0);
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_advance(solver, share * c->process->default_years));
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_finish(solver));
    wadi_solver_destroy(solver);
}

void choice_check_layers(wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        assert_true(ground->water[i] >= 0);
        for (int32_t l = 0; l < ground->loose_count; ++l)
        {
            assert_true(ground->loose[l][i] >= 0);
        }
    }
    fixture_check_ledger(terrain);
}
