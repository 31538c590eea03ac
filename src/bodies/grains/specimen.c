// SPDX-License-Identifier: MIT
// A test: making it, and its stages.
#include "bodies/grains/specimen.h"

enum
{
    SPECIMEN_LOOK = 200,         // steps between looks at a packing
    SPECIMEN_LOOKS = 5,          // in a row at which it rests
    SPECIMEN_PATIENCE = 20000000 // steps of a stage
};

#define SPECIMEN_EVEN 0.01   // difference of stresses at rest, share of what is wanted
#define SPECIMEN_STEADY 0.05 // the same of one step: the specimen does not ring
#define SPECIMEN_CALM 1e-4   // inertial number of a wall at rest

#define SPECIMEN_SMOOTH 2e-3 // share of a step in the mean stress

// ---- making ------------------------------------------------------------------------------

wadi_result wadi_grain_test_create(wadi_context* context, wadi_grain_test_kind kind,
                                   const wadi_grain_test_params* params,
                                   const wadi_grain_material* material, uint64_t seed,
                                   wadi_grain_test** out)
{
    *out = NULL;
    WADI_CHECK(context, (int)kind >= 0 && kind < WADI_GRAIN_TEST_COUNT, WADI_ERROR_ARGUMENT,
               "there is no test of kind %d", (int)kind);
    WADI_TRY(wadi_fields_check(context, &wadi_grain_test_fields, params));
    WADI_TRY(wadi_fields_check(context, &wadi_grain_material_fields, material));
    WADI_CHECK(context, !params->bonded || params->shape == WADI_GRAIN_FORM_SPHERE,
               WADI_ERROR_ARGUMENT, "clumps bear no bonds: set bonded to false or shape to sphere");
    wadi_grain_test* test;
    WADI_ALLOC(context, test, 1, "a test of grains");
    test->context = context;
    test->kind = kind;
    test->params = *params;
    test->material = *material;
    test->seed = seed;
    const wadi_result result = wadi_specimen_make(test);
    if (result != WADI_OK)
    {
        wadi_grain_test_destroy(test);
        return result;
    }
    *out = test;
    return WADI_OK;
}

void wadi_grain_test_destroy(wadi_grain_test* test)
{
    if (test != NULL)
    {
        wadi_grains_destroy(test->grains);
        wadi_free(test->context, test);
    }
}

// ---- reading -----------------------------------------------------------------------------

bool wadi_grain_test_is_done(const wadi_grain_test* test)
{
    return test->state.stage == SPECIMEN_DONE;
}

const wadi_grain_test_point* wadi_grain_test_points(const wadi_grain_test* test, int32_t* count)
{
    *count = test->state.points;
    return test->points;
}

wadi_grains* wadi_grain_test_grains(const wadi_grain_test* test)
{
    return test->grains;
}

void wadi_grain_test_box(const wadi_grain_test* test, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] = test->state.place[2 * axis];
        high[axis] = test->state.place[2 * axis + 1];
    }
}

// ---- consolidation -----------------------------------------------------------------------

static int specimen_first_axis(const wadi_grain_test* test)
{
    return specimen_is_shear(test) ? 2 : 0;
}

// Stress as wanted, and walls that hardly move. Kinetic energy does not tell: grains without
// contacts float for ever, as there is no gravity.
static bool specimen_axis_rests(const wadi_grain_test* test, int axis)
{
    const double stress = specimen_consolidation(test);
    const double most = SPECIMEN_CALM * specimen_length(test, axis) / specimen_time(test);
    return fabs(test->state.mean[axis] - stress) <= SPECIMEN_EVEN * stress &&
           fabs(wadi_specimen_walls_stress(test, axis) - stress) <= SPECIMEN_STEADY * stress &&
           fabs(test->state.drift[axis]) <= most;
}

static bool specimen_rests(wadi_grain_test* test)
{
    bool rests = true;
    for (int axis = specimen_first_axis(test); axis < 3; ++axis)
    {
        rests = rests && specimen_axis_rests(test, axis);
    }
    test->state.calm = rests ? test->state.calm + 1 : 0;
    return test->state.calm >= SPECIMEN_LOOKS;
}

static void specimen_stop_grains(wadi_grains* grains)
{
    for (int32_t i = 0; i < grains->count; ++i)
    {
        memset(grains->bodies[i].v, 0, sizeof grains->bodies[i].v);
        memset(grains->bodies[i].w, 0, sizeof grains->bodies[i].w);
    }
    wadi_granular_clumps_stop(grains);
}

// After packing friction acts, and bonds or plates are made.
static wadi_result specimen_finish_packing(wadi_grain_test* test)
{
    wadi_specimen_set_friction(test, false);
    specimen_stop_grains(test->grains);
    if (specimen_is_shear(test))
    {
        WADI_TRY(wadi_specimen_plates_make(test));
    }
    return test->params.bonded ? wadi_grains_bond(test->grains, test->params.bond_reach, NULL)
                               : WADI_OK;
}

static wadi_result specimen_next_stage(wadi_grain_test* test)
{
    test->state.staged = 0;
    test->state.calm = 0;
    test->state.stage += 1;
    if (test->state.stage == SPECIMEN_SETTLE)
    {
        return specimen_finish_packing(test);
    }
    wadi_specimen_load_begin(test);
    return WADI_OK;
}

// A wall feels each grain that floats against it: stress is a mean over some hundred steps.
static void specimen_smooth_stress(wadi_grain_test* test)
{
    for (int axis = specimen_first_axis(test); axis < 3; ++axis)
    {
        double* mean = &test->state.mean[axis];
        *mean += SPECIMEN_SMOOTH * (wadi_specimen_walls_stress(test, axis) - *mean);
    }
}

static wadi_result specimen_consolidate(wadi_grain_test* test)
{
    specimen_smooth_stress(test);
    for (int axis = specimen_first_axis(test); axis < 3; ++axis)
    {
        wadi_specimen_walls_servo(test, axis, specimen_consolidation(test));
    }
    if (specimen_is_shear(test))
    {
        test->state.speed[4] = 0.0; // the lower plate rests
    }
    const bool looks = test->state.staged % SPECIMEN_LOOK == 0;
    return looks && specimen_rests(test) ? specimen_next_stage(test) : WADI_OK;
}

// ---- steps -------------------------------------------------------------------------------

static bool specimen_has_plates(const wadi_grain_test* test)
{
    return specimen_is_shear(test) && test->state.stage > SPECIMEN_PACK;
}

static wadi_result specimen_step(wadi_grain_test* test)
{
    WADI_TRY(wadi_specimen_walls_move(test));
    if (specimen_has_plates(test))
    {
        wadi_specimen_plates_move(test, wadi_specimen_load_slide(test));
    }
    WADI_TRY(wadi_granular_step(test->grains));
    WADI_TRY(wadi_specimen_walls_measure(test));
    if (specimen_has_plates(test))
    {
        wadi_specimen_plates_measure(test);
    }
    test->state.steps += 1;
    test->state.staged += 1;
    WADI_CHECK(test->context, test->state.staged < SPECIMEN_PATIENCE, WADI_ERROR_STATE,
               "a stage of the test has taken %d steps without an end: choose a larger inertia or "
               "softer grains",
               (int)SPECIMEN_PATIENCE);
    if (test->state.stage < SPECIMEN_LOAD)
    {
        return specimen_consolidate(test);
    }
    wadi_specimen_load_control(test);
    return WADI_OK;
}

// Share of the test that is done, about.
static double specimen_share(const wadi_grain_test* test)
{
    const double stages[] = {0.0, 0.1, 0.2, 0.6, 1.0};
    const double part = (double)test->state.points / (double)SPECIMEN_POINTS;
    return test->state.stage == SPECIMEN_LOAD ? 0.2 + 0.8 * part * part : stages[test->state.stage];
}

wadi_result wadi_grain_test_advance(wadi_grain_test* test, int64_t steps)
{
    enum
    {
        BETWEEN_REPORTS = 64
    };
    WADI_CHECK(test->context, steps >= 0, WADI_ERROR_ARGUMENT,
               "%lld steps were asked for; there must be 0 or more", (long long)steps);
    WADI_CHECK(test->context, !test->failed, WADI_ERROR_STATE,
               "a step of this test has failed: restore a saved state first");
    for (int64_t i = 0; i < steps && !wadi_grain_test_is_done(test); ++i)
    {
        const wadi_result result = specimen_step(test);
        test->failed = result != WADI_OK;
        WADI_TRY(result);
        WADI_CHECK(test->context,
                   i % BETWEEN_REPORTS != 0 ||
                       wadi_progress(test->context, specimen_share(test), "test"),
                   WADI_ERROR_CANCELLED, "the test was stopped after %lld steps",
                   (long long)test->state.steps);
    }
    return WADI_OK;
}
