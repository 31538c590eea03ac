// SPDX-License-Identifier: MIT
// Planes and ground that grains lean on. A wall is flat and endless; the ground is a height field
// of two triangles a cell, and a grain meets the plane of the one under its centre.
#include "granular/granular.h"

// ---- making ------------------------------------------------------------------------------

static wadi_result wall_reserve(wadi_grains* grains, granular_wall* wall)
{
    wadi_context* context = grains->context;
    if (wall->slips == NULL)
    {
        WADI_ALLOC(context, wall->slips, grains->count, "contacts with a wall");
    }
    if (grains->rolls && wall->rolls == NULL)
    {
        WADI_ALLOC(context, wall->rolls, grains->count, "contacts with a wall");
    }
    return WADI_OK;
}

static bool wall_is_finite(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static wadi_result wall_check_material(const wadi_grains* grains, int32_t material)
{
    WADI_CHECK(grains->context, material >= 0 && material < grains->material_count,
               WADI_ERROR_ARGUMENT, "a wall names material %d but there are %d, counted from 0",
               material, grains->material_count);
    return WADI_OK;
}

static int32_t wall_free_slot(const wadi_grains* grains)
{
    for (int32_t w = 0; w < GRANULAR_GROUND; ++w)
    {
        if (!grains->walls[w].present)
        {
            return w;
        }
    }
    return -1;
}

wadi_result wadi_grains_add_wall(wadi_grains* grains, const wadi_grain_wall* wall, int32_t* out)
{
    wadi_context* context = grains->context;
    *out = -1;
    const double size = sqrt(wall->normal[0] * wall->normal[0] + wall->normal[1] * wall->normal[1] +
                             wall->normal[2] * wall->normal[2]);
    WADI_CHECK(context, size > 0.0 && isfinite(size), WADI_ERROR_ARGUMENT,
               "the normal of a wall is (%g, %g, %g) but must have a length above 0",
               wall->normal[0], wall->normal[1], wall->normal[2]);
    WADI_CHECK(context, wall_is_finite(wall->point) && wall_is_finite(wall->velocity),
               WADI_ERROR_ARGUMENT, "the point and velocity of a wall must be finite numbers");
    WADI_TRY(wall_check_material(grains, wall->material));
    const int32_t slot = wall_free_slot(grains);
    WADI_CHECK(context, slot >= 0, WADI_ERROR_STATE,
               "there are %d walls already, the most there can be: remove one first",
               (int)WADI_GRAIN_MAX_WALLS);
    granular_wall* to = &grains->walls[slot];
    WADI_TRY(wall_reserve(grains, to));
    to->present = true;
    to->kind = wall->material;
    for (int c = 0; c < 3; ++c)
    {
        to->point[c] = wall->point[c];
        to->normal[c] = wall->normal[c] / size;
        to->velocity[c] = wall->velocity[c];
    }
    to->steep = 1.0;
    grains->stale = true; // who is near it is found with the next list
    granular_unsettle(grains);
    *out = slot;
    return WADI_OK;
}

static void wall_forget(wadi_grains* grains, int32_t slot)
{
    for (int32_t i = 0; i < grains->count; ++i)
    {
        grains->leaning[i] &= ~(1u << slot);
    }
    granular_unsettle(grains);
}

wadi_result wadi_grains_remove_wall(wadi_grains* grains, int32_t wall)
{
    WADI_CHECK(grains->context, wall >= 0 && wall < GRANULAR_GROUND && grains->walls[wall].present,
               WADI_ERROR_ARGUMENT, "there is no wall %d to remove", wall);
    grains->walls[wall].present = false;
    wall_forget(grains, wall);
    return WADI_OK;
}

static wadi_result wall_check_heights(wadi_context* context, const float* heights, int32_t width,
                                      int32_t height)
{
    const int64_t cells = (int64_t)width * height;
    for (int64_t i = 0; i < cells; ++i)
    {
        WADI_CHECK(context, isfinite(heights[i]), WADI_ERROR_RANGE,
                   "the ground at cell (%d, %d) has no finite height: fill voids first",
                   (int)(i % width), (int)(i / width));
    }
    return WADI_OK;
}

static wadi_result wall_check_ground(const wadi_grains* grains, const wadi_grain_ground* ground)
{
    wadi_context* context = grains->context;
    WADI_CHECK(context, ground->width >= 2 && ground->height >= 2 && ground->cell_size > 0.0,
               WADI_ERROR_ARGUMENT,
               "the ground has %d x %d cells of %g m; it must have at least 2 x 2, larger than 0",
               ground->width, ground->height, ground->cell_size);
    WADI_CHECK(context,
               isfinite(ground->cell_size) && isfinite(ground->west) && isfinite(ground->south),
               WADI_ERROR_ARGUMENT,
               "the ground has its west edge at %g m, its south edge at %g m and cells of %g m; "
               "all must be finite numbers",
               ground->west, ground->south, ground->cell_size);
    WADI_TRY(wall_check_material(grains, ground->material));
    return wall_check_heights(context, ground->heights, ground->width, ground->height);
}

// Distance straight up over distance from the steepest triangle of the ground.
static double wall_steepest(const wadi_facets* ground)
{
    double most = 0.0;
    for (int32_t row = 0; row + 1 < ground->height; ++row)
    {
        const float* north = ground->heights + (ptrdiff_t)row * ground->width;
        const float* south = north + ground->width;
        for (int32_t x = 0; x + 1 < ground->width; ++x)
        {
            const double north_east = (double)north[x + 1] - (double)north[x];
            const double south_east = (double)south[x + 1] - (double)south[x];
            const double west_down = (double)south[x] - (double)north[x];
            const double east_down = (double)south[x + 1] - (double)north[x + 1];
            const double upper = north_east * north_east + east_down * east_down;
            const double lower = south_east * south_east + west_down * west_down;
            const double here = upper > lower ? upper : lower;
            most = here > most ? here : most;
        }
    }
    return sqrt(1.0 + most / (ground->cell_size * ground->cell_size));
}

wadi_result wadi_grains_set_ground(wadi_grains* grains, const wadi_grain_ground* ground)
{
    WADI_TRY(wall_check_ground(grains, ground));
    granular_wall* wall = &grains->walls[GRANULAR_GROUND];
    const size_t cells = (size_t)ground->width * (size_t)ground->height;
    float* heights;
    WADI_ALLOC(grains->context, heights, cells, "ground under grains");
    const wadi_result result = wall_reserve(grains, wall);
    if (result != WADI_OK)
    {
        wadi_free(grains->context, heights);
        return result;
    }
    memcpy(heights, ground->heights, cells * sizeof *heights);
    wadi_free(grains->context, grains->ground.heights);
    grains->ground = (wadi_facets){heights,           ground->width, ground->height,
                                   ground->cell_size, ground->west,  ground->south};
    wall->present = true;
    wall->kind = ground->material;
    wall->steep = wall_steepest(&grains->ground);
    grains->stale = true;
    wall_forget(grains, GRANULAR_GROUND);
    return WADI_OK;
}

wadi_result wadi_grains_wear_ground(wadi_grains* grains, const float* heights)
{
    wadi_facets* ground = &grains->ground;
    WADI_CHECK(grains->context, grains->walls[GRANULAR_GROUND].present, WADI_ERROR_STATE,
               "there is no ground whose heights could change: set it first");
    WADI_TRY(wall_check_heights(grains->context, heights, ground->width, ground->height));
    memcpy(ground->heights, heights,
           (size_t)ground->width * (size_t)ground->height * sizeof *heights);
    grains->walls[GRANULAR_GROUND].steep = wall_steepest(ground);
    grains->stale = true; // who is near it is found with the next list
    granular_unsettle(grains);
    return WADI_OK;
}

// ---- touching ----------------------------------------------------------------------------

static double wall_above_plane(const granular_wall* wall, const double x[3], double n[3])
{
    double along = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        n[c] = wall->normal[c];
        along += (x[c] - wall->point[c]) * n[c];
    }
    return along;
}

// Vector from a wall to the centre of a grain that touches it. Behind the wall there is no way to
// tell how far a grain has come through: it is pushed as if it were just in it.
static bool wall_reach(const wadi_grains* grains, int32_t w, const granular_body* body, double d[3])
{
    double n[3];
    const double along = w == GRANULAR_GROUND ? wadi_facets_distance(&grains->ground, body->x, n)
                                              : wall_above_plane(&grains->walls[w], body->x, n);
    const double least = 1e-3 * body->radius;
    const double held = along > least ? along : least;
    for (int c = 0; c < 3; ++c)
    {
        d[c] = held * n[c];
    }
    return along < body->radius;
}

static granular_touch wall_touch(wadi_grains* grains, int32_t w, int32_t place, int32_t local)
{
    granular_wall* wall = &grains->walls[w];
    const granular_body* body = &grains->bodies[place];
    const int32_t law = body->kind * grains->kinds + wall->kind;
    granular_touch touch = {.grain = local,
                            .contact = law,
                            .slip = &wall->slips[place],
                            .roll = grains->rolls ? &wall->rolls[place] : NULL};
    memcpy(touch.v, wall->velocity, sizeof touch.v);
    if ((grains->leaning[place] >> w & 1) == 0)
    {
        const bool hertz = grains->params.law == WADI_GRAIN_LAW_HERTZ;
        *touch.slip = (granular_slip){
            {0.0, 0.0, 0.0}, granular_damping(&grains->contacts[law], hertz, body->inverse_mass)};
        if (touch.roll != NULL)
        {
            *touch.roll = (granular_roll){{0.0, 0.0, 0.0}, 0.0};
        }
    }
    return touch;
}

// ---- near --------------------------------------------------------------------------------

// Whether a grain may touch a wall before it has moved by `margin`. The ground is at most `steep`
// times as far below as it is away, and across the seam of a world that repeats nothing is known.
static bool wall_may_touch(const wadi_grains* grains, int32_t w, const granular_body* body,
                           double margin)
{
    const granular_wall* wall = &grains->walls[w];
    const bool repeats[2] = {grains->params.period_x > 0.0, grains->params.period_y > 0.0};
    const double reach = (body->radius + margin) * wall->steep * 1.000001;
    double n[3];
    if (w == GRANULAR_GROUND)
    {
        return repeats[0] || repeats[1] ||
               body->x[2] - wadi_facets_height(&grains->ground, body->x[0], body->x[1], n) < reach;
    }
    const double along = wall_above_plane(wall, body->x, n);
    return (repeats[0] && n[0] != 0.0) || (repeats[1] && n[1] != 0.0) || along < reach;
}

static void walls_meet_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    const granular_chunk* chunk = &grains->chunks[block];
    const double margin = granular_margin(grains);
    for (int32_t i = chunk->begin; i < chunk->end; ++i)
    {
        uint32_t near = 0;
        for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
        {
            if (grains->walls[w].present && wall_may_touch(grains, w, &grains->bodies[i], margin))
            {
                near |= 1u << w;
            }
        }
        grains->walled[i] = near;
    }
}

void granular_walls_meet(wadi_grains* grains)
{
    wadi_parallel_blocks(grains->context, grains->chunk_count, walls_meet_chunk, grains);
}

int32_t granular_wall_find(wadi_grains* grains, int32_t w, const granular_chunk* chunk,
                           granular_touch* touches)
{
    const uint32_t bit = 1u << w;
    const double margin = granular_margin(grains);
    const uint32_t all = grains->wandered2 < margin * margin ? 0 : bit;
    int32_t found = 0;
    for (int32_t i = chunk->begin; i < chunk->end; ++i)
    {
        if (((grains->walled[i] | grains->leaning[i] | all) & bit) == 0)
        {
            continue;
        }
        double d[3];
        const bool near = wall_reach(grains, w, &grains->bodies[i], d);
        if (near)
        {
            touches[found] = wall_touch(grains, w, i, i - chunk->begin);
            memcpy(touches[found].d, d, sizeof d);
            ++found;
        }
        grains->leaning[i] = near ? grains->leaning[i] | bit : grains->leaning[i] & ~bit;
    }
    return found;
}

void granular_walls_sort(wadi_grains* grains)
{
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        granular_wall* wall = &grains->walls[w];
        if (!wall->present)
        {
            continue;
        }
        for (int32_t i = 0; i < grains->count; ++i)
        {
            grains->sorted_slips[i] = wall->slips[grains->order[i]];
            if (grains->rolls)
            {
                grains->sorted_rolls[i] = wall->rolls[grains->order[i]];
            }
        }
        granular_slip* const slips = wall->slips;
        granular_roll* const rolls = wall->rolls;
        wall->slips = grains->sorted_slips;
        wall->rolls = grains->sorted_rolls;
        grains->sorted_slips = slips;
        grains->sorted_rolls = rolls;
    }
}
