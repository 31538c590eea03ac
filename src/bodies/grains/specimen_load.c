// SPDX-License-Identifier: MIT
// Loading, and the curve. Points lie at strains that grow with the square of their number, as the
// first rise is steep; those of an oedometer, at equal steps of stress.
#include "bodies/grains/specimen.h"

#define LOAD_OEDOMETER 4.0 // highest stress over the lowest
#define LOAD_RAMP 0.005    // strain at which the whole rate is reached
#define LOAD_FIRST 0.02    // first rate over the whole

static double load_strain(const wadi_grain_test* test)
{
    const specimen_state* state = &test->state;
    return specimen_is_shear(test) ? state->slide / state->size[2]
                                   : 1.0 - specimen_length(test, 2) / state->size[2];
}

// Strain rate [1/s]. It grows with the strain since loading or unloading began, so that no wave
// hides the first stiffness.
static double load_rate(const wadi_grain_test* test)
{
    const bool unloads = test->state.stage == SPECIMEN_UNLOAD;
    const double from = unloads ? test->points[SPECIMEN_POINTS - 1].strain : 0.0;
    const double share = fabs(load_strain(test) - from) / LOAD_RAMP;
    const double part = share < LOAD_FIRST ? LOAD_FIRST : (share > 1.0 ? 1.0 : share);
    return part * test->params.inertia / specimen_time(test);
}

static double load_volume_strain(const wadi_grain_test* test)
{
    const specimen_state* state = &test->state;
    double share = 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        share *= specimen_length(test, axis) / state->size[axis];
    }
    const double plates = 2.0 * wadi_specimen_plates_thickness(test);
    return specimen_is_shear(test) ? 1.0 - (specimen_length(test, 2) - plates) / state->size[2]
                                   : 1.0 - share;
}

// ---- the curve ---------------------------------------------------------------------------

static int64_t load_bonds(const wadi_grains* grains)
{
    int64_t bonds = 0;
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        bonds += grains->bonds[b].state < BOND_BROKEN;
    }
    return bonds;
}

static void load_note_unbalanced(wadi_grain_test* test)
{
    const double* force = &test->state.force[4];
    const double stress = fabs(force[1] - force[0]) / specimen_area(test, 2);
    const double share = stress / wadi_specimen_walls_stress(test, 2);
    test->state.unbalanced = share > test->state.unbalanced ? share : test->state.unbalanced;
}

// Write the means of the steps since the last point.
static void load_write_point(wadi_grain_test* test)
{
    specimen_state* state = &test->state;
    const double share = 1.0 / (double)state->summed;
    const double volume =
        specimen_length(test, 0) * specimen_length(test, 1) * specimen_length(test, 2);
    const int64_t bonds = load_bonds(test->grains);
    test->points[state->points++] = (wadi_grain_test_point){
        .strain = load_strain(test),
        .volume = load_volume_strain(test),
        .axial = share * state->sums[0],
        .lateral = share * state->sums[1],
        .shear = specimen_is_shear(test) ? share * state->sums[2]
                                         : 0.5 * share * (state->sums[0] - state->sums[1]),
        .porosity = 1.0 - test->solid / volume,
        .coordination = 2.0 * (double)(test->grains->touches + bonds) / specimen_grains(test),
        .bonds = bonds};
    load_note_unbalanced(test);
    memset(state->sums, 0, sizeof state->sums);
    state->summed = 0;
}

static void load_sum(wadi_grain_test* test)
{
    specimen_state* state = &test->state;
    state->sums[0] += wadi_specimen_walls_stress(test, 2);
    if (specimen_is_shear(test))
    {
        state->sums[2] += state->drag / specimen_area(test, 2);
    }
    else
    {
        state->sums[1] +=
            0.5 * (wadi_specimen_walls_stress(test, 0) + wadi_specimen_walls_stress(test, 1));
    }
    state->summed += 1;
}

// Whether the next point is reached; `number` counts from 0 in this stage.
static bool load_is_at(const wadi_grain_test* test, int32_t number)
{
    const double part = (double)number / (SPECIMEN_POINTS - 1);
    const double low = test->params.stress;
    const double high = LOAD_OEDOMETER * low;
    const double first = specimen_consolidation(test);
    if (test->kind != WADI_GRAIN_TEST_OEDOMETER)
    {
        return load_strain(test) >= test->params.strain * part * part;
    }
    const double stress = wadi_specimen_walls_stress(test, 2);
    return test->state.stage == SPECIMEN_LOAD ? stress >= first + (high - first) * part
                                              : stress <= high - (high - low) * part;
}

// ---- speeds ------------------------------------------------------------------------------

void wadi_specimen_load_begin(wadi_grain_test* test)
{
    specimen_state* state = &test->state;
    for (int axis = 0; axis < 3; ++axis)
    {
        state->size[axis] = specimen_length(test, axis);
    }
    state->size[2] -= specimen_is_shear(test) ? 2.0 * wadi_specimen_plates_thickness(test) : 0.0;
    memset(state->speed, 0, sizeof state->speed);
    memset(state->sums, 0, sizeof state->sums);
    state->slide = 0.0;
    state->summed = 0;
    state->unbalanced = 0.0;
    load_sum(test);
    load_write_point(test);
}

static void load_set_speeds(wadi_grain_test* test)
{
    specimen_state* state = &test->state;
    if (specimen_is_shear(test))
    {
        wadi_specimen_walls_servo(test, 2, test->params.stress);
        state->speed[4] = 0.0;
        return;
    }
    const double sign = state->stage == SPECIMEN_LOAD ? 0.5 : -0.5;
    state->speed[4] = sign * load_rate(test) * state->size[2];
    state->speed[SPECIMEN_TOP] = -state->speed[4];
    if (test->kind == WADI_GRAIN_TEST_TRIAXIAL)
    {
        wadi_specimen_walls_servo(test, 0, test->params.stress);
        wadi_specimen_walls_servo(test, 1, test->params.stress);
    }
}

double wadi_specimen_load_slide(const wadi_grain_test* test)
{
    return test->state.stage == SPECIMEN_LOAD ? load_rate(test) * test->state.size[2] : 0.0;
}

void wadi_specimen_load_control(wadi_grain_test* test)
{
    specimen_state* state = &test->state;
    const bool unloads = state->stage == SPECIMEN_UNLOAD;
    load_sum(test);
    const int32_t number = state->points - (unloads ? SPECIMEN_POINTS : 0);
    if (load_is_at(test, number))
    {
        load_write_point(test);
        if (number == SPECIMEN_POINTS - 1)
        {
            const bool more = test->kind == WADI_GRAIN_TEST_OEDOMETER && !unloads;
            state->stage = more ? SPECIMEN_UNLOAD : SPECIMEN_DONE;
            state->staged = 0;
        }
    }
    load_set_speeds(test);
}
