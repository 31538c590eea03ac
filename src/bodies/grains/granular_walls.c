// SPDX-License-Identifier: MIT
// Planes and ground that grains lean on. A wall is flat and endless; the ground is a height field
// of two triangles a cell, and a grain meets the plane of the one under its centre.
#include "bodies/grains/granular.h"

// ---- making ------------------------------------------------------------------------------

static wadi_result wall_reserve(wadi_grains* grains, granular_wall* wall)
{
    wadi_context* context = grains->context;
    if (wall->slips == NULL)
    {
        WADI_ALLOC(context, wall->slips, grains->room, "contacts with a wall");
    }
    if (grains->rolls && wall->rolls == NULL)
    {
        WADI_ALLOC(context, wall->rolls, grains->room, "contacts with a wall");
    }
    return WADI_OK;
}

static wadi_result wall_check_material(const wadi_grains* grains, int32_t material)
{
    WADI_CHECK(grains->context, material >= 0 && material < grains->material_count,
               WADI_ERROR_ARGUMENT, "a wall names material %d but there are %d, counted from 0",
               material, grains->material_count);
    return WADI_OK;
}

wadi_result wadi_grains_add_wall(wadi_grains* grains, const wadi_grain_wall* wall, int32_t* out)
{
    *out = -1;
    wadi_wall plane;
    int32_t slot;
    WADI_TRY(wadi_wall_create(grains->context, wall->point, wall->normal, wall->velocity, &plane));
    WADI_TRY(wall_check_material(grains, wall->material));
    WADI_TRY(wadi_wall_slot(grains->context, grains->present, WADI_GRAIN_MAX_WALLS, &slot));
    granular_wall* to = &grains->walls[slot];
    WADI_TRY(wall_reserve(grains, to));
    to->plane = plane;
    memset(to->pressed, 0, sizeof to->pressed);
    to->kind = wall->material;
    to->steep = 1.0;
    grains->present |= 1u << slot;
    grains->stale = true; // who is near it is found with the next list
    wadi_granular_invalidate_forces(grains);
    *out = slot;
    return WADI_OK;
}

static void wall_clear_contacts(wadi_grains* grains, int32_t slot)
{
    for (int32_t i = 0; i < grains->count; ++i)
    {
        grains->leaning[i] &= ~(1u << slot);
    }
    wadi_granular_invalidate_forces(grains);
}

wadi_result wadi_grains_remove_wall(wadi_grains* grains, int32_t wall)
{
    WADI_TRY(wadi_wall_check(grains->context, grains->present, WADI_GRAIN_MAX_WALLS, wall));
    grains->present &= ~(1u << wall);
    wall_clear_contacts(grains, wall);
    return WADI_OK;
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
    granular_wall* wall = &grains->walls[GRANULAR_GROUND];
    const wadi_facets shape = {NULL,         ground->width, ground->height, ground->cell_size,
                               ground->west, ground->south};
    WADI_TRY(wall_check_material(grains, ground->material));
    WADI_TRY(wadi_facets_check(grains->context, &shape, ground->heights));
    WADI_TRY(wall_reserve(grains, wall));
    WADI_TRY(wadi_facets_set(grains->context, &grains->ground, &shape, ground->heights));
    wall->kind = ground->material;
    wall->steep = wall_steepest(&grains->ground);
    grains->present |= 1u << GRANULAR_GROUND;
    grains->stale = true;
    wall_clear_contacts(grains, GRANULAR_GROUND);
    return WADI_OK;
}

wadi_result wadi_grains_wear_ground(wadi_grains* grains, const float* heights)
{
    wadi_facets* ground = &grains->ground;
    WADI_CHECK(grains->context, (grains->present >> GRANULAR_GROUND & 1) != 0, WADI_ERROR_STATE,
               "there is no ground whose heights could change: set it first");
    WADI_TRY(wadi_facets_check(grains->context, ground, heights));
    memcpy(ground->heights, heights,
           (size_t)ground->width * (size_t)ground->height * sizeof *heights);
    grains->walls[GRANULAR_GROUND].steep = wall_steepest(ground);
    grains->stale = true; // who is near it is found with the next list
    wadi_granular_invalidate_forces(grains);
    return WADI_OK;
}

// ---- touching ----------------------------------------------------------------------------

// Vector from a wall to the centre of a grain in contact with it. For a centre behind the wall the
// depth is not known; the force is that of a centre on the wall.
static bool wall_overlaps(const wadi_grains* grains, int32_t w, const granular_body* body,
                          double d[3])
{
    double n[3];
    const double along = w == GRANULAR_GROUND
                             ? wadi_facets_distance(&grains->ground, body->x, n)
                             : wadi_wall_distance(&grains->walls[w].plane, body->x, n);
    const double least = 1e-3 * body->radius;
    const double held = along > least ? along : least;
    for (int c = 0; c < 3; ++c)
    {
        d[c] = held * n[c];
    }
    return along < body->radius;
}

bool wadi_granular_walls_leave_room(const wadi_grains* grains, const double x[3], double radius)
{
    granular_body body = {.radius = radius};
    double d[3];
    bool room = wadi_granular_meshes_leave_room(grains, x, radius);
    memcpy(body.x, x, sizeof body.x);
    for (uint32_t left = grains->present; left != 0 && room; left &= left - 1)
    {
        room = !wall_overlaps(grains, __builtin_ctz(left), &body, d);
    }
    return room;
}

static bool wall_moves(const granular_wall* wall)
{
    const double* v = wall->plane.velocity;
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
}

static granular_touch wall_touch(wadi_grains* grains, int32_t w, int32_t place, int32_t local)
{
    granular_wall* wall = &grains->walls[w];
    const granular_body* body = &grains->bodies[place];
    const int32_t law = body->kind * grains->kinds + wall->kind;
    granular_touch touch = {.grain = local,
                            .contact = law,
                            .slip = &wall->slips[place],
                            .moves = wall_moves(wall),
                            .roll = grains->rolls ? &wall->rolls[place] : NULL};
    memcpy(touch.v, wall->plane.velocity, sizeof touch.v);
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

// Whether a grain may touch a wall before it has moved by `margin`. The vertical distance to the
// ground is at most `steep` times the shortest one. In a periodic world every grain may touch it.
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
    const double along = wadi_wall_distance(&wall->plane, body->x, n);
    return (repeats[0] && n[0] != 0.0) || (repeats[1] && n[1] != 0.0) || along < reach;
}

static void walls_find_near_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    const granular_chunk* chunk = granular_chunk_at(grains, block);
    const double margin = granular_margin(grains);
    for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
    {
        uint32_t near = 0;
        for (uint32_t left = grains->present; left != 0; left &= left - 1)
        {
            const int32_t w = __builtin_ctz(left);
            near |= (uint32_t)wall_may_touch(grains, w, &grains->bodies[i], margin) << w;
        }
        grains->walled[i] = near;
    }
}

void wadi_granular_walls_find_near(wadi_grains* grains)
{
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        grains->walls[w].shifted = 0.0;
    }
    wadi_parallel_blocks(grains->context, grains->list.chunk_count, walls_find_near_chunk, grains);
}

int32_t wadi_granular_wall_find(wadi_grains* grains, int32_t w, const granular_chunk* chunk,
                                granular_touch* touches)
{
    const uint32_t bit = 1u << w;
    const double margin = granular_margin(grains);
    const double left = margin - grains->walls[w].shifted;
    const uint32_t all = left > 0.0 && grains->wandered2 < left * left ? 0 : bit;
    int32_t found = 0;
    for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
    {
        if (((grains->walled[i] | grains->leaning[i] | all) & bit) == 0)
        {
            continue;
        }
        double d[3];
        const bool near = wall_overlaps(grains, w, &grains->bodies[i], d);
        if (near)
        {
            touches[found] = wall_touch(grains, w, i, i - chunk->base.begin);
            memcpy(touches[found].d, d, sizeof d);
            ++found;
        }
        grains->leaning[i] = near ? grains->leaning[i] | bit : grains->leaning[i] & ~bit;
    }
    return found;
}

void wadi_granular_walls_sort(wadi_grains* grains)
{
    for (uint32_t left = grains->present; left != 0; left &= left - 1)
    {
        granular_wall* wall = &grains->walls[__builtin_ctz(left)];
        for (int32_t i = 0; i < grains->count; ++i)
        {
            grains->sorted_slips[i] = wall->slips[grains->list.order[i]];
            if (grains->rolls)
            {
                grains->sorted_rolls[i] = wall->rolls[grains->list.order[i]];
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
