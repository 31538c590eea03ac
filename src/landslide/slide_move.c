// SPDX-License-Identifier: MIT
// A slide on its way: grains over the ground that is left, a stretch of time after the other, with
// a look at where they are in between.
#include "core/dmath.h"
#include "landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static const double move_gravity = 9.81;
static const double move_water = 1000.0;    // [kg/m3]
static const double move_stretch = 0.25;    // [s]
static const double move_rest_speed = 0.02; // of a grain that counts as moving, over sqrt(g d)
static const double move_rest_share = 2e-3; // of grains that may still move: stray rollers

// ---- making ------------------------------------------------------------------------------

// Coulomb's coefficient of soil with water under pressure in it: effective stress (Terzaghi 1925).
static double move_friction(const slide* s, const wadi_material* soil)
{
    const double angle = soil->friction_angle * 0.017453292519943295;
    const double wet = s->source->wetness;
    const double weight =
        (1.0 - soil->porosity) * soil->density + soil->porosity * wet * move_water;
    const double borne = s->params->pressure * wet * move_water / weight;
    return wadi_sin(angle) / wadi_cos(angle) * (borne < 1.0 ? 1.0 - borne : 0.0);
}

static void move_fill_materials(const slide* s, wadi_grain_material* out)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double depth = (double)s->source->deepest / WADI_UNITS_PER_METRE;
    for (int32_t l = 0; l < ground->loose_count; ++l)
    {
        const wadi_material* soil = wadi_terrain_material(s->terrain, ground->material[l]);
        const double weight = move_gravity * (1.0 - soil->porosity) * soil->density;
        const double high = depth > s->diameter ? depth : s->diameter;
        out[l] = wadi_grain_material_default();
        out[l].density = soil->density;
        out[l].stiffness = weight * high * s->diameter / s->params->overlap;
        out[l].restitution = s->params->restitution;
        out[l].friction = move_friction(s, soil);
        out[l].rolling_friction = s->params->rolling * out[l].friction;
    }

    // the ground rubs as the soil does that there is most of
    int64_t best = -1;
    for (int32_t l = 0; l < ground->loose_count; ++l)
    {
        int64_t grains = 0;
        for (int32_t i = 0; i < s->count; ++i)
        {
            grains += s->grains[i].material == l ? 1 : 0;
        }
        if (grains > best)
        {
            best = grains;
            out[ground->loose_count] = out[l];
        }
    }
}

static wadi_grains_params move_params(const slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    wadi_grains_params params = wadi_grains_params_default();
    params.step = s->params->step;
    if (ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC)
    {
        params.period_x = ground->cell_size * ground->width;
    }
    if (ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)
    {
        params.period_y = ground->cell_size * ground->height;
    }
    params.sleep_speed = 0.5 * move_rest_speed * sqrt(move_gravity * s->diameter);
    params.sleep_time = sqrt(s->diameter / move_gravity);
    return params;
}

static wadi_result move_close_edges(slide* s)
{
    static const double inward[4][3] = {{0, -1, 0}, {-1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double east = ground->cell_size * ground->width;
    const double north = ground->cell_size * ground->height;
    for (int side = 0; side < 4; ++side)
    {
        wadi_grain_wall wall = {.point = {side == WADI_SIDE_EAST ? east : 0.0,
                                          side == WADI_SIDE_NORTH ? north : 0.0, 0.0},
                                .material = ground->loose_count};
        memcpy(wall.normal, inward[side], sizeof wall.normal);
        int32_t number;
        if (ground->edges[side] == WADI_EDGE_CLOSED)
        {
            WADI_TRY(wadi_grains_add_wall(s->world, &wall, &number));
        }
    }
    return WADI_OK;
}

static wadi_result move_create(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const wadi_grains_params params = move_params(s);
    wadi_grain_material materials[WADI_MAX_LOOSE + 1];
    move_fill_materials(s, materials);
    WADI_TRY(wadi_grains_create(context, &params, materials, ground->loose_count + 1, s->grains,
                                s->count, &s->world));
    const wadi_grain_ground floor = {.heights = s->land.floor,
                                     .width = s->land.width,
                                     .height = s->land.height,
                                     .cell_size = s->land.cell,
                                     .west = -s->land.cell,
                                     .south = -s->land.cell,
                                     .material = ground->loose_count};
    WADI_TRY(wadi_grains_set_ground(s->world, &floor));
    WADI_TRY(move_close_edges(s));
    return s->params->entrainment > 0.0 ? slide_bed_create(s) : WADI_OK;
}

// ---- looking -----------------------------------------------------------------------------

// The shorter way round, where there is one.
static double move_apart(double to, double from, double period)
{
    const double d = to - from;
    return period > 0.0 && d > 0.5 * period    ? d - period
           : period > 0.0 && d < -0.5 * period ? d + period
                                               : d;
}

static double move_speed(const wadi_grain* grain)
{
    const double* v = grain->velocity;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

int64_t slide_cell_under(const wadi_ground* ground, const double at[3])
{
    const double column = at[0] / ground->cell_size;
    const double row = (double)ground->height - at[1] / ground->cell_size;
    const bool inside =
        column >= 0.0 && row >= 0.0 && column < ground->width && row < ground->height;
    const int64_t cell = inside ? (int64_t)row * ground->width + (int64_t)column : -1;
    return cell >= 0 && ground->valid[cell] != 0 ? cell : -1;
}

// Where grains have come to; returns how many move on the map.
static int32_t move_look(slide* s, const wadi_grains_params* params)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double slow = move_rest_speed * sqrt(move_gravity * s->diameter);
    int32_t moving = 0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const wadi_grain* new = &s->now[i];
        double* last = s->last[i];
        s->way[i][0] += move_apart(new->position[0], last[0], params->period_x);
        s->way[i][1] += move_apart(new->position[1], last[1], params->period_y);
        last[0] = new->position[0];
        last[1] = new->position[1];
        const int64_t cell = slide_cell_under(ground, new->position);
        const double speed = move_speed(new);
        if (cell >= 0)
        {
            s->speed[cell] = (float)speed > s->speed[cell] ? (float)speed : s->speed[cell];
            moving += speed > slow ? 1 : 0;
        }
    }
    return moving;
}

// ---- moving ------------------------------------------------------------------------------

// One stretch of steps; returns how many grains still move.
static wadi_result move_on(slide* s, const wadi_grains_params* params, int64_t steps,
                           int32_t* moving)
{
    WADI_TRY(wadi_grains_advance(s->world, steps));
    wadi_grains_read(s->world, s->now);
    const wadi_grains_summary now = wadi_grains_summarize(s->world);
    s->overlap = now.overlap > s->overlap ? now.overlap : s->overlap;
    if (s->left != NULL)
    {
        WADI_TRY(slide_bed_take(s));
    }
    *moving = move_look(s, params);
    return WADI_OK;
}

// A slide has a second to get going.
static bool move_rests(const slide* s, int32_t moving)
{
    return s->time > 1.0 && (double)moving <= move_rest_share * (double)s->count;
}

static wadi_result move_run(slide* s, double seconds, bool* stopped)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    const wadi_grains_params params = move_params(s);
    const double step = wadi_grains_summarize(s->world).step;
    const int64_t total = (int64_t)ceil(seconds / step);
    const int64_t stretch = (int64_t)ceil(move_stretch / step);
    int32_t moving = s->count;
    for (int64_t done = 0; done < total && !move_rests(s, moving) && !*stopped;)
    {
        const int64_t steps = total - done < stretch ? total - done : stretch;
        WADI_TRY(move_on(s, &params, steps, &moving));
        done += steps;
        s->time = (double)done * step;
        *stopped = !wadi_progress(context, (double)done / (double)total, "landslide");
    }
    s->still_moving = (double)moving / (double)s->count;
    s->summary = wadi_grains_summarize(s->world);
    return WADI_OK;
}

wadi_result slide_move(slide* s, double seconds, bool* stopped)
{
    *stopped = false;
    WADI_TRY(move_create(s));
    return move_run(s, seconds, stopped);
}
