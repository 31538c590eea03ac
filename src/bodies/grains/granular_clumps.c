// SPDX-License-Identifier: MIT
// Clumps: making and reading them, and the spheres that follow from them.
#include "bodies/grains/granular.h"

// ---- memory ----------------------------------------------------------------------------------

wadi_result wadi_granular_clumps_create(wadi_grains* grains, const wadi_grain_clumps* from)
{
    wadi_context* context = grains->context;
    WADI_CHECK(context, from->shape_count >= 1 && from->shape_count <= WADI_GRAIN_MAX_SHAPES,
               WADI_ERROR_ARGUMENT, "there are %d shapes of clumps; there must be 1 to %d",
               from->shape_count, (int)WADI_GRAIN_MAX_SHAPES);
    WADI_ALLOC(context, grains->clumps, 1, "clumps");
    for (int32_t k = 0; k < from->shape_count; ++k)
    {
        WADI_TRY(wadi_clump_shape_make(context, &from->shapes[k], &grains->clumps->shapes[k]));
    }
    grains->clumps->shape_count = from->shape_count;
    return wadi_granular_clumps_reserve(grains, from->count);
}

wadi_result wadi_granular_clumps_reserve(wadi_grains* grains, int32_t count)
{
    granular_clumps* clumps = grains->clumps;
    granular_clump* list;
    granular_clump_box* boxes;
    if (clumps == NULL || (count <= clumps->room && clumps->list != NULL))
    {
        return WADI_OK;
    }
    const int32_t room = wadi_arrays_spare(count, 16);
    WADI_ALLOC(grains->context, list, room, "clumps");
    boxes = wadi_alloc(grains->context, (size_t)(room / GRANULAR_CLUMP_BLOCK + 1), sizeof *boxes);
    if (boxes == NULL)
    {
        wadi_free(grains->context, list);
        return wadi_fail_memory(grains->context, sizeof *boxes, "clumps");
    }
    if (clumps->count > 0)
    {
        memcpy(list, clumps->list, (size_t)clumps->count * sizeof *list);
    }
    wadi_free(grains->context, clumps->list);
    wadi_free(grains->context, clumps->boxes);
    clumps->list = list;
    clumps->boxes = boxes;
    clumps->room = room;
    return WADI_OK;
}

void wadi_granular_clumps_free(wadi_grains* grains)
{
    if (grains->clumps != NULL)
    {
        wadi_free(grains->context, grains->clumps->list);
        wadi_free(grains->context, grains->clumps->boxes);
        wadi_free(grains->context, grains->clumps);
    }
}

wadi_result wadi_granular_clumps_refuse(const wadi_grains* grains, const char* what)
{
    WADI_CHECK(grains->context, grains->clumps == NULL, WADI_ERROR_STATE,
               "%s: this world has clumps, which are dry, bear no bonds, and have no stress "
               "inside; make it of single spheres",
               what);
    return WADI_OK;
}

wadi_result wadi_granular_clumps_check_whole(const wadi_grains* grains, const bool* gone)
{
    for (int32_t n = 0; n < wadi_grains_clump_count(grains); ++n)
    {
        const granular_clump* clump = &grains->clumps->list[n];
        for (int32_t k = 1; k < granular_shape_of(grains, clump)->count; ++k)
        {
            WADI_CHECK(grains->context, gone[clump->first + k] == gone[clump->first],
                       WADI_ERROR_ARGUMENT,
                       "grains %d and %d are spheres of clump %d: take out both or none",
                       clump->first, clump->first + k, n);
        }
    }
    return WADI_OK;
}

// ---- what follows from a clump ---------------------------------------------------------------

double wadi_granular_clump_mass(const wadi_grains* grains, const granular_clump* clump)
{
    const granular_body* body = &grains->bodies[grains->places[clump->first]];
    const double density = grains->materials[body->kind % grains->material_count].density;
    const double r = clump->radius;
    return density * (4.0 / 3.0 * 3.14159265358979323846 * r * r * r);
}

void wadi_granular_clump_spin(const wadi_grains* grains, const granular_clump* clump,
                              const double rows[3][3], double out[3])
{
    const double* moments = granular_shape_of(grains, clump)->moments;
    const double scale = wadi_granular_clump_mass(grains, clump) * clump->radius * clump->radius;
    double body[3];
    for (int k = 0; k < 3; ++k)
    {
        const double along = rows[0][k] * clump->whirl[0] + rows[1][k] * clump->whirl[1] +
                             rows[2][k] * clump->whirl[2];
        body[k] = along / (scale * moments[k]);
    }
    for (int c = 0; c < 3; ++c)
    {
        out[c] = rows[c][0] * body[0] + rows[c][1] * body[1] + rows[c][2] * body[2];
    }
}

static double clump_wrap(double x, double period)
{
    const double up = period > 0.0 && x < 0.0 ? x + period : x;
    return period > 0.0 && up >= period ? up - period : up;
}

// Centre of sphere k seen from the centre of mass.
static void clump_arm(const granular_shape* shape, double radius, const double rows[3][3],
                      int32_t k, double out[3])
{
    const double* s = shape->spheres[k];
    for (int c = 0; c < 3; ++c)
    {
        out[c] = radius * (rows[c][0] * s[0] + rows[c][1] * s[1] + rows[c][2] * s[2]);
    }
}

void wadi_granular_clump_spheres(const wadi_grains* grains, const granular_clump* clump,
                                 double (*out)[4])
{
    const granular_shape* shape = granular_shape_of(grains, clump);
    double rows[3][3];
    clump_rotation(clump->turn, rows);
    for (int32_t k = 0; k < shape->count; ++k)
    {
        clump_arm(shape, clump->radius, (const double(*)[3])rows, k, out[k]);
        for (int c = 0; c < 3; ++c)
        {
            const double period =
                c == 0 ? grains->params.period_x : (c == 1 ? grains->params.period_y : 0.0);
            out[k][c] = clump_wrap(clump->x[c] + out[k][c], period);
        }
        out[k][3] = clump->radius * shape->spheres[k][3];
    }
}

void wadi_granular_clump_pose(wadi_grains* grains, const granular_clump* clump)
{
    const granular_shape* shape = granular_shape_of(grains, clump);
    double spheres[WADI_GRAIN_SHAPE_SPHERES][4];
    double rows[3][3];
    double w[3];
    wadi_granular_clump_spheres(grains, clump, spheres);
    clump_rotation(clump->turn, rows);
    wadi_granular_clump_spin(grains, clump, (const double(*)[3])rows, w);
    for (int32_t k = 0; k < shape->count; ++k)
    {
        granular_body* body = &grains->bodies[grains->places[clump->first + k]];
        double arm[3];
        clump_arm(shape, clump->radius, (const double(*)[3])rows, k, arm);
        memcpy(body->x, spheres[k], sizeof body->x);
        memcpy(body->w, w, sizeof w);
        body->radius = spheres[k][3];
        body->v[0] = clump->v[0] + (w[1] * arm[2] - w[2] * arm[1]);
        body->v[1] = clump->v[1] + (w[2] * arm[0] - w[0] * arm[2]);
        body->v[2] = clump->v[2] + (w[0] * arm[1] - w[1] * arm[0]);
    }
}

void wadi_granular_clumps_bind(wadi_grains* grains)
{
    const granular_clumps* clumps = grains->clumps;
    for (int32_t id = 0; id < grains->count; ++id)
    {
        grains->clump_of[id] = -1;
    }
    for (int32_t n = 0; n < clumps->count; ++n)
    {
        const granular_clump* clump = &clumps->list[n];
        const granular_body first = grains->bodies[grains->places[clump->first]];
        const double mass = wadi_granular_clump_mass(grains, clump);
        for (int32_t k = 0; k < granular_shape_of(grains, clump)->count; ++k)
        {
            granular_body* body = &grains->bodies[grains->places[clump->first + k]];
            grains->clump_of[clump->first + k] = n;
            body->inverse_mass = clump->fixed ? 0.0 : 1.0 / mass;
            body->kind = first.kind;
            body->calm = first.calm;
        }
    }
}

void wadi_granular_clumps_stop(wadi_grains* grains)
{
    for (int32_t n = 0; grains->clumps != NULL && n < grains->clumps->count; ++n)
    {
        granular_clump* clump = &grains->clumps->list[n];
        memset(clump->v, 0, sizeof clump->v);
        memset(clump->whirl, 0, sizeof clump->whirl);
    }
}

// ---- making ----------------------------------------------------------------------------------

// Positions and velocities as those of a grain, and such that steps stay finite.
static wadi_result clump_check_motion(const wadi_grains* grains, const wadi_grain_clump* clump,
                                      int32_t number)
{
    const double reach = clump->radius * grains->clumps->shapes[clump->shape].reach;
    wadi_grain grain = {.radius = clump->radius, .material = clump->material};
    memcpy(grain.position, clump->position, sizeof grain.position);
    memcpy(grain.velocity, clump->velocity, sizeof grain.velocity);
    memcpy(grain.spin, clump->spin, sizeof grain.spin);
    WADI_TRY(wadi_granular_check_grain(grains, &grain, number));
    for (int c = 0; c < 3; ++c)
    {
        WADI_CHECK(grains->context,
                   fabs(clump->position[c]) <= 1e9 && fabs(clump->velocity[c]) <= 1e6 &&
                       fabs(clump->spin[c]) * reach <= 5e5,
                   WADI_ERROR_RANGE,
                   "clump %d must lie within 1e9 m, and be slower than 1e6 m/s, its surface than "
                   "5e5 m/s",
                   number);
    }
    return wadi_granular_check_reach(grains, reach);
}

static wadi_result clump_check(const wadi_grains* grains, const wadi_grain_clump* clump,
                               int32_t number)
{
    wadi_context* context = grains->context;
    const double* q = clump->turn;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    WADI_CHECK(context, clump->shape >= 0 && clump->shape < grains->clumps->shape_count,
               WADI_ERROR_RANGE, "clump %d is of shape %d but there are %d, counted from 0", number,
               clump->shape, grains->clumps->shape_count);
    WADI_CHECK(context, fabs(length - 1.0) < 1e-6, WADI_ERROR_RANGE,
               "the quaternion that turns clump %d has a squared length of %g but must have 1; "
               "1, 0, 0, 0 does not turn it",
               number, length);
    return clump_check_motion(grains, clump, number);
}

granular_clump wadi_granular_clump_of(const wadi_grains* grains, const wadi_grain_clump* from,
                                      int32_t first)
{
    const granular_shape* shape = &grains->clumps->shapes[from->shape];
    const double density = grains->materials[from->material].density;
    const double r = from->radius;
    const double scale = density * (4.0 / 3.0 * 3.14159265358979323846 * r * r * r) * r * r;
    granular_clump clump = {.radius = r, .shape = from->shape, .first = first};
    double rows[3][3];
    memcpy(clump.x, from->position, sizeof clump.x);
    memcpy(clump.v, from->velocity, sizeof clump.v);
    clump_multiply(from->turn, shape->axes, clump.turn);
    clump_rotation(clump.turn, rows);
    for (int k = 0; k < 3; ++k)
    {
        const double along =
            rows[0][k] * from->spin[0] + rows[1][k] * from->spin[1] + rows[2][k] * from->spin[2];
        for (int c = 0; c < 3; ++c)
        {
            clump.whirl[c] += rows[c][k] * along * scale * shape->moments[k];
        }
    }
    return clump;
}

wadi_result wadi_granular_clumps_lay(const wadi_grains* grains, const wadi_grain_clumps* from,
                                     wadi_grain* out)
{
    for (int32_t n = 0; n < from->count; ++n)
    {
        double spheres[WADI_GRAIN_SHAPE_SPHERES][4];
        WADI_TRY(clump_check(grains, &from->list[n], n));
        const granular_clump clump = wadi_granular_clump_of(grains, &from->list[n], 0);
        wadi_granular_clump_spheres(grains, &clump, spheres);
        for (int32_t k = 0; k < granular_shape_of(grains, &clump)->count; ++k)
        {
            *out = (wadi_grain){.radius = spheres[k][3], .material = from->list[n].material};
            memcpy(out->position, spheres[k], sizeof out->position);
            ++out;
        }
    }
    return WADI_OK;
}

wadi_result wadi_granular_clumps_fill(wadi_grains* grains, const wadi_grain_clumps* from,
                                      int32_t first)
{
    granular_clumps* clumps = grains->clumps;
    for (int32_t n = 0; n < from->count; ++n)
    {
        clumps->list[n] = wadi_granular_clump_of(grains, &from->list[n], first);
        first += clumps->shapes[from->list[n].shape].count;
    }
    clumps->count = from->count;
    wadi_granular_clumps_bind(grains);
    for (int32_t n = 0; n < clumps->count; ++n)
    {
        wadi_granular_clump_pose(grains, &clumps->list[n]);
    }
    return WADI_OK;
}

// ---- reading ---------------------------------------------------------------------------------

int32_t wadi_grains_clump_count(const wadi_grains* grains)
{
    return grains->clumps != NULL ? grains->clumps->count : 0;
}

void wadi_grains_read_clumps(const wadi_grains* grains, wadi_grain_clump* out)
{
    for (int32_t n = 0; n < wadi_grains_clump_count(grains); ++n)
    {
        const granular_clump* clump = &grains->clumps->list[n];
        const granular_body* body = &grains->bodies[grains->places[clump->first]];
        const double* axes = granular_shape_of(grains, clump)->axes;
        const double back[4] = {axes[0], -axes[1], -axes[2], -axes[3]};
        out[n] = (wadi_grain_clump){.radius = clump->radius,
                                    .shape = clump->shape,
                                    .material = body->kind % grains->material_count,
                                    .first = clump->first};
        memcpy(out[n].position, clump->x, sizeof clump->x);
        memcpy(out[n].velocity, clump->v, sizeof clump->v);
        memcpy(out[n].spin, body->w, sizeof body->w);
        clump_multiply(clump->turn, back, out[n].turn);
    }
}

wadi_result wadi_grains_clump_motion(const wadi_grains* grains, int32_t number,
                                     wadi_grain_clump_motion* out)
{
    WADI_CHECK(grains->context, number >= 0 && number < wadi_grains_clump_count(grains),
               WADI_ERROR_ARGUMENT, "there is no clump %d; there are %d, counted from 0", number,
               wadi_grains_clump_count(grains));
    const granular_clump* clump = &grains->clumps->list[number];
    double rows[3][3];
    double w[3];
    clump_rotation(clump->turn, rows);
    wadi_granular_clump_spin(grains, clump, (const double(*)[3])rows, w);
    *out = (wadi_grain_clump_motion){.mass = wadi_granular_clump_mass(grains, clump)};
    for (int c = 0; c < 3; ++c)
    {
        out->momentum[c] = out->mass * clump->v[c];
        out->angular[c] = clump->whirl[c];
        out->energy += 0.5 * (out->momentum[c] * clump->v[c] + clump->whirl[c] * w[c]);
    }
    return WADI_OK;
}
