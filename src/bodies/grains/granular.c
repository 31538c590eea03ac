// SPDX-License-Identifier: MIT
// A world of grains: making it, and what can be read from it.
#include "bodies/grains/granular.h"

// ---- making ------------------------------------------------------------------------------

bool wadi_granular_is_moderate(const double x[3], const double v[3], const double w[3],
                               double radius)
{
    const double far = 1e12; // [m]
    const double fast = 1e9; // [m/s]
    return wadi_stream_is_within(x, 3, far) && wadi_stream_is_within(v, 3, fast) &&
           wadi_stream_is_within(w, 3, fast / radius);
}

wadi_result wadi_granular_check_grain(const wadi_grains* grains, const wadi_grain* grain,
                                      int32_t id)
{
    wadi_context* context = grains->context;
    const double periods[2] = {grains->params.period_x, grains->params.period_y};
    WADI_CHECK(context, grain->radius > 1e-6 && grain->radius < 1e4, WADI_ERROR_RANGE,
               "the radius of grain %d is %g m but must lie in 1e-6 to 1e4", id, grain->radius);
    WADI_CHECK(
        context,
        wadi_granular_is_moderate(grain->position, grain->velocity, grain->spin, grain->radius),
        WADI_ERROR_RANGE,
        "grain %d has a position, velocity or spin that is no number, or lies beyond 1e12 m "
        "or 1e9 m/s",
        id);
    WADI_CHECK(context, grain->material >= 0 && grain->material < grains->material_count,
               WADI_ERROR_RANGE, "grain %d is of material %d but there are %d, counted from 0", id,
               grain->material, grains->material_count);
    WADI_CHECK(context, grain->wetness >= 0.0 && grain->wetness <= 100.0, WADI_ERROR_RANGE,
               "the wetness of grain %d is %g but must be water over grain mass, 0 to 100", id,
               grain->wetness);
    for (int c = 0; c < 2; ++c)
    {
        WADI_CHECK(
            context,
            periods[c] == 0.0 || (grain->position[c] >= 0.0 && grain->position[c] < periods[c]),
            WADI_ERROR_RANGE, "grain %d lies at %g m, outside of the world's period, 0 to %g", id,
            grain->position[c], periods[c]);
    }
    return WADI_OK;
}

static wadi_result granular_check_period(const wadi_grains* grains, double least, const char* what)
{
    const double periods[2] = {grains->params.period_x, grains->params.period_y};
    for (int c = 0; c < 2; ++c)
    {
        WADI_CHECK(grains->context, periods[c] == 0.0 || periods[c] >= least, WADI_ERROR_RANGE,
                   "period_%c is %g m but must be at least %g m, %s and their skin, or 0", "xy"[c],
                   periods[c], least, what);
    }
    return WADI_OK;
}

wadi_result wadi_granular_check_period(const wadi_grains* grains)
{
    const double least = 6.0 * grains->list.largest * (1.0 + grains->params.skin);
    return granular_check_period(grains, least, "three of the largest grains");
}

wadi_result wadi_granular_check_reach(const wadi_grains* grains, double reach)
{
    const double least = 4.0 * reach * (1.0 + grains->params.skin);
    return granular_check_period(grains, least, "two of the longest clumps");
}

granular_body wadi_granular_body_of(const wadi_grains* grains, const wadi_grain* grain)
{
    const wadi_grain_material* material = &grains->materials[grain->material];
    const double pi = 3.14159265358979323846;
    const double volume = 4.0 / 3.0 * pi * grain->radius * grain->radius * grain->radius;
    granular_body body = {
        .radius = grain->radius,
        .inverse_mass = grain->fixed ? 0.0 : 1.0 / (material->density * volume),
        .kind = grain->material,
    };
    body.kind += grain->wetness >= material->liquid_limit ? grains->material_count : 0;
    memcpy(body.x, grain->position, sizeof body.x);
    memcpy(body.v, grain->velocity, sizeof body.v);
    memcpy(body.w, grain->spin, sizeof body.w);

    // fixed grains always sleep
    double motion = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        motion += fabs(body.v[c]) + fabs(body.w[c]);
    }
    body.calm = grain->fixed && motion == 0.0 ? INT32_MAX : 0;
    return body;
}

static wadi_result granular_fill(wadi_grains* grains, const wadi_grain* from)
{
    for (int32_t id = 0; id < grains->count; ++id)
    {
        WADI_TRY(wadi_granular_check_grain(grains, &from[id], id));
        grains->bodies[id] = wadi_granular_body_of(grains, &from[id]);
        grains->ids[id] = id;
        grains->places[id] = id;
        grains->names[id] = id;
        grains->wetness[id] = from[id].wetness;
        grains->list.largest =
            from[id].radius > grains->list.largest ? from[id].radius : grains->list.largest;
    }
    return wadi_granular_check_period(grains);
}

static wadi_result granular_check_materials(wadi_context* context,
                                            const wadi_grain_material* materials, int32_t count)
{
    WADI_CHECK(context, count >= 1 && count <= WADI_GRAIN_MAX_MATERIALS, WADI_ERROR_ARGUMENT,
               "there are %d materials; there must be 1 to %d", count,
               (int)WADI_GRAIN_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(wadi_fields_check(context, &wadi_grain_material_fields, &materials[i]));
        WADI_CHECK(context, materials[i].liquid_limit >= materials[i].plastic_limit,
                   WADI_ERROR_RANGE,
                   "material %d has a liquid_limit of %g below its plastic_limit of %g", i,
                   materials[i].liquid_limit, materials[i].plastic_limit);
    }
    return WADI_OK;
}

// What a world begins with.
typedef struct granular_begin
{
    const wadi_grain* grains;
    int32_t single;                  // of them are no part of a clump
    const wadi_grain_clumps* clumps; // NULL: none
} granular_begin;

// Spheres of clumps behind the single grains.
static wadi_result granular_fill_all(wadi_grains* grains, const granular_begin* begin)
{
    wadi_grain* all;
    if (begin->clumps == NULL)
    {
        return granular_fill(grains, begin->grains);
    }
    WADI_ALLOC(grains->context, all, grains->count, "grains");
    if (begin->single > 0)
    {
        memcpy(all, begin->grains, (size_t)begin->single * sizeof *all);
    }
    wadi_result result = wadi_granular_clumps_lay(grains, begin->clumps, all + begin->single);
    result = result == WADI_OK ? granular_fill(grains, all) : result;
    wadi_free(grains->context, all);
    return result == WADI_OK ? wadi_granular_clumps_fill(grains, begin->clumps, begin->single)
                             : result;
}

static wadi_result granular_build(wadi_grains* grains, const granular_begin* begin)
{
    WADI_TRY(wadi_granular_law_create(grains));
    WADI_TRY(wadi_granular_memory_create(grains));
    WADI_TRY(granular_fill_all(grains, begin));
    grains->next_name = grains->count;
    wadi_granular_books_open(grains);
    return wadi_granular_law_set_step(grains);
}

// A world without grains, with all that does not depend on them.
static wadi_result granular_open(wadi_context* context, const wadi_grains_params* params,
                                 const wadi_grain_material* materials, int32_t material_count,
                                 wadi_grains** out)
{
    WADI_TRY(wadi_fields_check(context, &wadi_grains_fields, params));
    WADI_TRY(granular_check_materials(context, materials, material_count));
    wadi_grains* grains;
    WADI_ALLOC(context, grains, 1, "grains");
    grains->context = context;
    grains->params = *params;
    grains->material_count = material_count;
    grains->list = (wadi_list){
        .context = context,
        .kind = &wadi_granular_list_kind,
        .owner = grains,
        .period = {params->period_x, params->period_y},
        .inverse_period = {params->period_x > 0.0 ? 1.0 / params->period_x : 0.0,
                           params->period_y > 0.0 ? 1.0 / params->period_y : 0.0},
        .chunk_length = params->chunk,
    };
    grains->kernels = granular_kernels_of(wadi_isa_best());
    grains->bridge_widen = 1.0 + 0.5 * params->bridge_angle * 3.14159265358979323846 / 180.0;
    grains->stale = true;
    memcpy(grains->materials, materials, (size_t)material_count * sizeof *materials);
    *out = grains;
    return WADI_OK;
}

// Number of all spheres; shapes are made on the way.
static wadi_result granular_count(wadi_grains* grains, const granular_begin* begin)
{
    int64_t count = begin->single;
    if (begin->clumps != NULL)
    {
        WADI_CHECK(grains->context, begin->single >= 0 && begin->clumps->count >= 0,
                   WADI_ERROR_ARGUMENT, "there are %d grains and %d clumps; expected 0 or more",
                   begin->single, begin->clumps->count);
        WADI_TRY(wadi_granular_clumps_create(grains, begin->clumps));
        for (int32_t n = 0; n < begin->clumps->count; ++n)
        {
            const int32_t shape = begin->clumps->list[n].shape;
            const bool is_there = shape >= 0 && shape < begin->clumps->shape_count;
            count += is_there ? grains->clumps->shapes[shape].count : 1;
        }
    }
    WADI_CHECK(grains->context, count >= 1 && count <= 100000000, WADI_ERROR_ARGUMENT,
               "there are %lld grains; there must be 1 to 1e8", (long long)count);
    grains->count = (int32_t)count;
    grains->room = grains->count;
    return WADI_OK;
}

static wadi_result granular_create(wadi_context* context, const wadi_grains_params* params,
                                   const wadi_grain_material* materials, int32_t material_count,
                                   const granular_begin* begin, wadi_grains** out)
{
    *out = NULL;
    wadi_grains* grains = NULL;
    WADI_TRY(granular_open(context, params, materials, material_count, &grains));
    wadi_result result = granular_count(grains, begin);
    result = result == WADI_OK ? granular_build(grains, begin) : result;
    if (result != WADI_OK)
    {
        wadi_grains_destroy(grains);
        return result;
    }
    *out = grains;
    return WADI_OK;
}

wadi_result wadi_grains_create(wadi_context* context, const wadi_grains_params* params,
                               const wadi_grain_material* materials, int32_t material_count,
                               const wadi_grain* from, int32_t count, wadi_grains** out)
{
    const granular_begin begin = {from, count, NULL};
    return granular_create(context, params, materials, material_count, &begin, out);
}

wadi_result wadi_grains_create_clumped(wadi_context* context, const wadi_grains_params* params,
                                       const wadi_grain_material* materials, int32_t material_count,
                                       const wadi_grain* list, int32_t count,
                                       const wadi_grain_clumps* clumps, wadi_grains** out)
{
    const granular_begin begin = {list, count, clumps};
    return granular_create(context, params, materials, material_count, &begin, out);
}

void wadi_grains_destroy(wadi_grains* grains)
{
    if (grains == NULL)
    {
        return;
    }
    wadi_context* context = grains->context;
    wadi_granular_memory_free(grains);
    wadi_free(context, grains);
}

// ---- reading -----------------------------------------------------------------------------

double wadi_grains_step_limit(const wadi_grains* grains)
{
    return grains->limit;
}

double wadi_grains_step(const wadi_grains* grains)
{
    return grains->step;
}

int32_t wadi_grains_count(const wadi_grains* grains)
{
    return grains->count;
}

bool wadi_grains_held(const wadi_grains* grains)
{
    bool held = grains->present != 0;
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        held = held || grains->meshes[m].state.present;
    }
    for (int32_t i = 0; i < grains->count && !held; ++i)
    {
        held = grains->bodies[i].inverse_mass == 0.0;
    }
    return held;
}

int32_t wadi_grains_asleep(const wadi_grains* grains)
{
    int32_t asleep = 0;
    for (int32_t i = 0; i < grains->count; ++i)
    {
        asleep += grains->bodies[i].calm >= grains->sleep_at;
    }
    return asleep;
}

void wadi_grains_read(const wadi_grains* grains, wadi_grain* out)
{
    for (int32_t id = 0; id < grains->count; ++id)
    {
        const granular_body* body = &grains->bodies[grains->places[id]];
        wadi_grain* grain = &out[id];
        memcpy(grain->position, body->x, sizeof body->x);
        memcpy(grain->velocity, body->v, sizeof body->v);
        memcpy(grain->spin, body->w, sizeof body->w);
        grain->radius = body->radius;
        grain->wetness = grains->wetness[id];
        grain->material = body->kind % grains->material_count;
        grain->fixed = body->inverse_mass == 0.0;
    }
}

wadi_result wadi_grains_set_force(wadi_grains* grains, int32_t id, const double force[3])
{
    WADI_CHECK(grains->context, id >= 0 && id < grains->count, WADI_ERROR_ARGUMENT,
               "there is no grain %d; ids run from 0 to %d", id, grains->count - 1);
    WADI_CHECK(grains->context, wadi_is_finite(force), WADI_ERROR_RANGE,
               "the force on grain %d is no number", id);
    if (grains->forces == NULL)
    {
        WADI_ALLOC(grains->context, grains->forces, grains->room, "forces from outside");
    }
    memcpy(grains->forces[id], force, sizeof grains->forces[id]);
    return WADI_OK;
}

// ---- summary -----------------------------------------------------------------------------

static void summary_add_body(wadi_grains_summary* sum, const granular_body* body)
{
    const double mass = body->inverse_mass > 0.0 ? 1.0 / body->inverse_mass : 0.0;
    double v2 = 0.0;
    double w2 = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        v2 += body->v[c] * body->v[c];
        w2 += body->w[c] * body->w[c];
    }
    sum->kinetic += 0.5 * mass * (v2 + 0.4 * body->radius * body->radius * w2);
}

static void summary_add_speed(wadi_grains_summary* sum, const granular_body* body)
{
    const double* v = body->v;
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    sum->speed = speed > sum->speed ? speed : sum->speed;
}

static void summary_add_clumps(wadi_grains_summary* sum, const wadi_grains* grains)
{
    for (int32_t n = 0; n < wadi_grains_clump_count(grains); ++n)
    {
        wadi_grain_clump_motion motion = {.mass = 0.0};
        if (grains->clumps->list[n].fixed == 0 &&
            wadi_grains_clump_motion(grains, n, &motion) == WADI_OK)
        {
            sum->kinetic += motion.energy;
        }
    }
}

// Overlap at the current positions; the list still contains all pairs in contact.
static void summary_add_pairs(wadi_grains_summary* sum, const wadi_grains* grains,
                              const granular_chunk* chunk)
{
    for (int32_t p = 0; p < chunk->base.pair_count; ++p)
    {
        const granular_body* a = &grains->bodies[chunk->base.begin + chunk->pairs[p].i];
        const granular_body* b = &grains->bodies[wadi_chunk_place(&chunk->base, chunk->pairs[p].j)];
        if (a->inverse_mass == 0.0 && b->inverse_mass == 0.0)
        {
            continue; // fixed grains may overlap
        }
        const double x = wadi_exact_nearest(a->x[0] - b->x[0], grains->params.period_x,
                                            grains->list.inverse_period[0]);
        const double y = wadi_exact_nearest(a->x[1] - b->x[1], grains->params.period_y,
                                            grains->list.inverse_period[1]);
        const double z = a->x[2] - b->x[2];
        const double smaller = a->radius < b->radius ? a->radius : b->radius;
        const double overlap = (a->radius + b->radius - sqrt(x * x + y * y + z * z)) / smaller;
        sum->overlap = overlap > sum->overlap ? overlap : sum->overlap;
    }
}

wadi_grains_summary wadi_grains_summarize(const wadi_grains* grains)
{
    wadi_grains_summary sum = {
        .time = (double)grains->steps * grains->step,
        .steps = grains->steps,
        .step = grains->step,
        .touches = grains->touches,
        .bridges = grains->bridges,
        .broken = grains->broken,
        .asleep = wadi_grains_asleep(grains),
        .rebuilds = grains->rebuilds,
    };
    for (int32_t id = 0; id < grains->count; ++id)
    {
        const granular_body* body = &grains->bodies[grains->places[id]];
        summary_add_speed(&sum, body);
        if (granular_clump_of_id(grains, id) < 0)
        {
            summary_add_body(&sum, body);
        }
    }
    summary_add_clumps(&sum, grains);
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        summary_add_pairs(&sum, grains, granular_chunk_at(grains, c));
    }
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        sum.bonds += grains->bonds[b].state < BOND_BROKEN;
    }
    return sum;
}
