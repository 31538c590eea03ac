// SPDX-License-Identifier: MIT
// The specimen before it is packed: grains of random radii around the sites of a loose grid, at
// random velocities that destroy its order.
#include "bodies/grains/specimen.h"

#include "core/dmath.h"
#include "core/random.h"

#define MAKE_PITCH 1.1   // of the grid over the largest diameter
#define MAKE_JITTER 0.04 // largest displacement from a site, share of the diameter
#define MAKE_SHAKE 0.1   // velocities over sqrt(stress / density)
#define MAKE_RIGID 1e12  // strength of bonds with plates [Pa]

static double make_unit(uint64_t seed, uint32_t stream, int32_t grain)
{
    const wadi_philox p = wadi_random(seed, stream, (uint64_t)grain, 0);
    return wadi_unit_double(p.v[0], p.v[1]);
}

// Sites along each axis. A shear test is packed along z alone, to about half of its height; clumps,
// which need more room between sites, are stacked higher for it.
static void make_count(const wadi_grain_test* test, double reach, int32_t count[3])
{
    const double tall = specimen_is_shear(test) ? 2.0 * reach * reach * reach : 1.0;
    const double side = wadi_pow((double)test->params.grains / tall, 1.0 / 3.0);
    count[0] = (int32_t)floor(side + 0.5);
    count[1] = count[0];
    count[2] = (int32_t)floor((double)test->params.grains / ((double)count[0] * count[1]) + 0.5);
}

static wadi_grain make_grain(const wadi_grain_test* test, int32_t id, double reach,
                             const int32_t count[3])
{
    const wadi_grain_test_params* p = &test->params;
    const int32_t at[3] = {id % count[0], id / count[0] % count[1], id / count[0] / count[1]};
    const double shake = MAKE_SHAKE * sqrt(p->stress / test->material.density);
    wadi_grain grain = {.radius =
                            0.5 * p->diameter * (1.0 - p->spread * make_unit(test->seed, 0, id))};
    for (uint32_t c = 0; c < 3; ++c)
    {
        const double jitter = MAKE_JITTER * (2.0 * make_unit(test->seed, 1 + c, id) - 1.0);
        grain.position[c] = p->diameter * reach * (MAKE_PITCH * (at[c] + 0.5) + jitter);
        grain.velocity[c] = shake * (2.0 * make_unit(test->seed, 4 + c, id) - 1.0);
    }
    return grain;
}

static void make_measure(wadi_grain_test* test, const wadi_grain* grains, int32_t count)
{
    test->solid = 0.0;
    test->mean_diameter = 0.0;
    for (int32_t id = 0; id < count; ++id)
    {
        const double r = grains[id].radius;
        test->solid += 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
        test->mean_diameter += 2.0 * r / (double)count;
    }
}

static wadi_grains_params make_params(const wadi_grain_test* test, double reach,
                                      const int32_t count[3])
{
    enum
    {
        SMALL = 512, // grains of a chunk, so that several threads have work
        LARGE = 4096
    };
    const double pitch = MAKE_PITCH * reach * test->params.diameter;
    const int32_t share = count[0] * count[1] * count[2] / 16;
    wadi_grains_params params = wadi_grains_params_default();
    params.law = test->params.law;
    params.gravity_z = 0.0;
    params.period_x = specimen_is_shear(test) ? pitch * count[0] : 0.0;
    params.period_y = specimen_is_shear(test) ? pitch * count[1] : 0.0;
    params.chunk = share < SMALL ? SMALL : (share > LARGE ? LARGE : share);
    return params;
}

// Walls have no friction. In a shear test they become rough plates whose bonds do not break.
static wadi_grain_material make_edge(const wadi_grain_test* test)
{
    wadi_grain_material edge = test->material;
    if (!specimen_is_shear(test))
    {
        edge.friction = 0.0;
        edge.rolling_friction = 0.0;
    }
    edge.bond_tension = MAKE_RIGID;
    edge.bond_cohesion = MAKE_RIGID;
    return edge;
}

void wadi_specimen_set_friction(wadi_grain_test* test, bool packing)
{
    const double friction = test->material.friction;
    wadi_granular_law_set_friction(test->grains, SPECIMEN_SOIL,
                                   packing ? test->params.pack_friction * friction : friction);
    const bool rough = specimen_is_shear(test) && !packing;
    wadi_granular_law_set_friction(test->grains, SPECIMEN_EDGE, rough ? friction : 0.0);
}

// Clumps in place of grains, of the same volumes, turned at random.
static void make_clumps(const wadi_grain_test* test, const wadi_grain* grains, int32_t count,
                        wadi_grain_clump* out)
{
    for (int32_t id = 0; id < count; ++id)
    {
        const double u[3] = {make_unit(test->seed, 7, id), make_unit(test->seed, 8, id),
                             make_unit(test->seed, 9, id)};
        out[id] = (wadi_grain_clump){.radius = grains[id].radius};
        memcpy(out[id].position, grains[id].position, sizeof out[id].position);
        memcpy(out[id].velocity, grains[id].velocity, sizeof out[id].velocity);
        wadi_clump_turn_at_random(u, out[id].turn);
    }
}

static wadi_result make_grains(wadi_grain_test* test, const wadi_grains_params* params,
                               const wadi_grain* grains, int32_t count)
{
    const wadi_grain_material materials[2] = {test->material, make_edge(test)};
    if (test->params.shape == WADI_GRAIN_FORM_SPHERE)
    {
        return wadi_grains_create(test->context, params, materials, 2, grains, count,
                                  &test->grains);
    }
    const wadi_grain_shape shape = wadi_grain_shape_of((wadi_grain_form)test->params.shape);
    wadi_grain_clump* list;
    WADI_ALLOC(test->context, list, count, "clumps of a specimen");
    make_clumps(test, grains, count, list);
    const wadi_grain_clumps clumps = {&shape, 1, list, count};
    const wadi_result result = wadi_grains_create_clumped(test->context, params, materials, 2, NULL,
                                                          0, &clumps, &test->grains);
    wadi_free(test->context, list);
    return result;
}

static wadi_result make_world(wadi_grain_test* test, double reach, const int32_t count[3],
                              const wadi_grain* grains)
{
    const wadi_grains_params params = make_params(test, reach, count);
    WADI_TRY(make_grains(test, &params, grains, count[0] * count[1] * count[2]));
    for (int k = 0; k < SPECIMEN_WALLS; ++k)
    {
        const double length = MAKE_PITCH * reach * test->params.diameter * count[k / 2];
        test->state.place[k] = k % 2 == 0 ? 0.0 : length;
        test->walls[k] = -1;
    }
    wadi_specimen_set_friction(test, true);
    return wadi_specimen_walls_add(test);
}

// How far a grain reaches from its centre, in radii of the sphere of its volume.
static wadi_result make_reach(const wadi_grain_test* test, double* out)
{
    *out = 1.0;
    if (test->params.shape != WADI_GRAIN_FORM_SPHERE)
    {
        granular_shape made;
        const wadi_grain_shape shape = wadi_grain_shape_of((wadi_grain_form)test->params.shape);
        WADI_TRY(wadi_clump_shape_make(test->context, &shape, &made));
        *out = made.reach;
    }
    return WADI_OK;
}

wadi_result wadi_specimen_make(wadi_grain_test* test)
{
    int32_t count[3];
    double reach;
    WADI_TRY(make_reach(test, &reach));
    make_count(test, reach, count);
    const int32_t total = count[0] * count[1] * count[2];
    wadi_grain* grains;
    WADI_ALLOC(test->context, grains, total, "grains of a specimen");
    for (int32_t id = 0; id < total; ++id)
    {
        grains[id] = make_grain(test, id, reach, count);
    }
    make_measure(test, grains, total);
    const wadi_result result = make_world(test, reach, count, grains);
    wadi_free(test->context, grains);
    return result;
}
