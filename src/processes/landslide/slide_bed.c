// SPDX-License-Identifier: MIT
// Entrainment: per metre of path a slide takes up a share E of its mass from the bed (McDougall &
// Hungr 2005), so dM/ds = E M. The bed is at rest before, so the momentum M v is conserved by a
// drag of E v^2 per kilogram. The ground is lowered by the entrained bed.
#include "processes/landslide/landslide_internal.h"

#include <math.h>

void wadi_slide_bed_fill(slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        int32_t cut = s->source->soil[c];
        s->worn[c] = 0;
        for (int32_t l = ground->loose_count - 1; l >= 0; --l)
        {
            const int64_t at = l * ground->cells + c;
            const int32_t have = ground->loose[l][c];
            const int32_t gives = have < cut ? have : cut;
            const int32_t left = have - gives - s->entrained[at];
            s->left[at] = left > 0 ? left : 0;
            s->worn[c] += s->entrained[at];
            cut -= gives;
        }
    }
}

// Sum the parcels attached to each grain.
static void bed_weigh(slide* s)
{
    for (int64_t i = 0; i < s->parcel_count; ++i)
    {
        s->load[s->parcels[i].grain] += (double)s->parcels[i].units;
    }
}

wadi_result wadi_slide_bed_allocate(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    WADI_ALLOC(context, s->left, ground->loose_count * ground->cells, "bed of a slide");
    WADI_ALLOC(context, s->entrained, ground->loose_count * ground->cells, "bed of a slide");
    WADI_ALLOC(context, s->worn, ground->cells, "bed of a slide");
    WADI_ALLOC(context, s->taken_up, (int64_t)ground->loose_count * s->count, "bed on grains");
    WADI_ALLOC(context, s->load, s->count, "load of grains");
    WADI_ALLOC(context, s->fraction, s->count, "load of grains");
    return WADI_OK;
}

wadi_result wadi_slide_bed_create(slide* s)
{
    WADI_TRY(wadi_slide_bed_allocate(s));
    wadi_slide_bed_fill(s);
    bed_weigh(s);
    return WADI_OK;
}

// Take whole units, the top layer first; returns how many there were.
static int32_t bed_take_cell(slide* s, int32_t grain, int64_t cell, int32_t wanted)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    int32_t taken = 0;
    for (int32_t l = ground->loose_count - 1; l >= 0 && taken < wanted; --l)
    {
        int32_t* left = &s->left[l * ground->cells + cell];
        const int32_t part = *left < wanted - taken ? *left : wanted - taken;
        *left -= part;
        s->entrained[l * ground->cells + cell] += part;
        s->taken_up[(int64_t)grain * ground->loose_count + l] += part;
        taken += part;
    }
    s->worn[cell] += taken;
    return taken;
}

// Set the drag that conserves momentum while a grain entrains bed.
static wadi_result bed_drag(slide* s, int32_t grain, bool takes)
{
    const wadi_grain* g = &s->now[grain];
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double density =
        wadi_terrain_material(s->terrain, ground->material[g->material])->density;
    const double mass = density * 4.18879020478639 * g->radius * g->radius * g->radius;
    const double* v = g->velocity;
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    const double drag = takes ? -mass * s->params->entrainment * speed : 0.0;
    const double force[3] = {drag * v[0], drag * v[1], 0.0};
    return wadi_grains_set_force(s->world, grain, force);
}

// Entrain bed for the path of a grain since the last call; returns the units taken.
static int32_t bed_take_grain(slide* s, const wadi_grains_params* params, int32_t i)
{
    const double* at = s->now[i].position;
    const double dx = wadi_slide_apart(at[0], s->last[i][0], params->period_x);
    const double dy = wadi_slide_apart(at[1], s->last[i][1], params->period_y);
    const int64_t cell = wadi_slide_cell_under(wadi_terrain_ground_const(s->terrain), at);
    if (cell < 0)
    {
        return 0;
    }
    s->fraction[i] += s->params->entrainment * sqrt(dx * dx + dy * dy) * s->load[i];
    const int32_t whole = s->fraction[i] < 1e9 ? (int32_t)s->fraction[i] : 1000000000;
    const int32_t taken = bed_take_cell(s, i, cell, whole);
    s->load[i] += taken;
    s->fraction[i] -= whole; // entrainment over bare rock is not made up for later
    return taken;
}

wadi_result wadi_slide_bed_take(slide* s)
{
    const wadi_grains_params params = wadi_slide_world_params(s);
    bool worn = false;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const bool takes = bed_take_grain(s, &params, i) > 0;
        worn = worn || takes;
        WADI_TRY(bed_drag(s, i, takes));
    }
    if (!worn)
    {
        return WADI_OK;
    }
    (void)wadi_slide_land_wear(s);
    return wadi_grains_wear_ground(s->world, s->land.floor);
}
