// SPDX-License-Identifier: MIT
// Rough plates of a shear test: the lowest and the highest grains, which keep their distances.
#include "bodies/grains/specimen.h"

double wadi_specimen_plates_thickness(const wadi_grain_test* test)
{
    return 1.5 * test->params.diameter;
}

// -1: of the lower plate, 1: of the upper plate, 0: free.
static int plates_side(const wadi_grain_test* test, const granular_body* body)
{
    const double* place = test->state.place;
    const double middle = 0.5 * (place[4] + place[SPECIMEN_TOP]);
    return body->inverse_mass > 0.0 ? 0 : (body->x[2] > middle ? 1 : -1);
}

static void plates_fix(granular_body* body)
{
    body->inverse_mass = 0.0;
    body->kind = SPECIMEN_EDGE;
    body->calm = 0;
    memset(body->v, 0, sizeof body->v);
    memset(body->w, 0, sizeof body->w);
}

// A clump is part of a plate if one of its spheres is.
static void plates_fix_clump(wadi_grains* grains, granular_clump* clump)
{
    const int32_t count = granular_shape_of(grains, clump)->count;
    for (int32_t k = 0; k < count && !clump->fixed; ++k)
    {
        clump->fixed = grains->bodies[grains->places[clump->first + k]].inverse_mass == 0.0;
    }
    for (int32_t k = 0; k < count && clump->fixed; ++k)
    {
        plates_fix(&grains->bodies[grains->places[clump->first + k]]);
    }
}

wadi_result wadi_specimen_plates_make(wadi_grain_test* test)
{
    const double thick = wadi_specimen_plates_thickness(test);
    const double* place = test->state.place;
    for (int32_t i = 0; i < test->grains->count; ++i)
    {
        granular_body* body = &test->grains->bodies[i];
        if (body->x[2] < place[4] + thick || body->x[2] > place[SPECIMEN_TOP] - thick)
        {
            plates_fix(body);
        }
    }
    for (int32_t n = 0; n < wadi_grains_clump_count(test->grains); ++n)
    {
        plates_fix_clump(test->grains, &test->grains->clumps->list[n]);
    }
    WADI_TRY(wadi_specimen_walls_remove(test));
    memset(test->state.speed, 0, sizeof test->state.speed);
    return WADI_OK;
}

void wadi_specimen_plates_move(wadi_grain_test* test, double along)
{
    test->grains->keeps_rows = true; // they are measured after the step
    for (int32_t i = 0; i < test->grains->count; ++i)
    {
        granular_body* body = &test->grains->bodies[i];
        if (plates_side(test, body) > 0)
        {
            body->v[0] = along;
            body->v[2] = test->state.speed[SPECIMEN_TOP];
        }
    }
    test->state.slide += along * test->grains->step;
}

// Whole units of force on a grain in the last step.
static void plates_add_force(const wadi_grains* grains, int32_t place, int64_t sum[3])
{
    const granular_row* own = &grains->kept[place];
    const granular_row* halo = grains->list.halo_rows;
    for (int c = 0; c < 3; ++c)
    {
        sum[c] = wadi_exact_plus(sum[c], own->force[c]);
        for (int32_t k = grains->list.halo_start[place]; k < grains->list.halo_start[place + 1];
             ++k)
        {
            sum[c] = wadi_exact_plus(sum[c], halo[grains->list.halo_slots[k]].force[c]);
        }
    }
}

// Forces between grains of a plate cancel to the unit.
void wadi_specimen_plates_measure(wadi_grain_test* test)
{
    int64_t sums[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int32_t i = 0; i < test->grains->count; ++i)
    {
        const int side = plates_side(test, &test->grains->bodies[i]);
        if (side != 0)
        {
            plates_add_force(test->grains, i, sums[side > 0]);
        }
    }
    const double unit = 1.0 / test->grains->scale;
    test->state.force[4] = -(double)sums[0][2] * unit;
    test->state.force[SPECIMEN_TOP] = (double)sums[1][2] * unit;
    test->state.drag = 0.5 * (double)(sums[0][0] - sums[1][0]) * unit;
}
