// SPDX-License-Identifier: MIT
// Slides take up the bed they run over: per metre of way a share E of what slides (McDougall &
// Hungr 2005), so that a mass M grows as dM/ds = E M. What it takes up stands still until then, so
// M v is kept by a drag of E v^2 on each kilogram. The ground is lower by what was taken up, for
// all that follows.
#include "landslide/landslide_internal.h"

#include <math.h>

// Loose matter that is left below what is cut out.
static void bed_fill(slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        int32_t cut = s->source->soil[c];
        for (int32_t l = ground->loose_count - 1; l >= 0; --l)
        {
            const int32_t have = ground->loose[l][c];
            const int32_t gives = have < cut ? have : cut;
            s->left[l * ground->cells + c] = have - gives;
            cut -= gives;
        }
    }
}

// What rides on each grain.
static void bed_weigh(slide* s)
{
    for (int64_t i = 0; i < s->parcel_count; ++i)
    {
        s->load[s->parcels[i].grain] += (double)s->parcels[i].units;
    }
}

wadi_result slide_bed_create(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    WADI_ALLOC(context, s->left, ground->loose_count * ground->cells, "bed of a slide");
    WADI_ALLOC(context, s->worn, ground->cells, "bed of a slide");
    WADI_ALLOC(context, s->taken_up, (int64_t)ground->loose_count * s->count, "bed on grains");
    WADI_ALLOC(context, s->load, s->count, "load of grains");
    WADI_ALLOC(context, s->owed, s->count, "load of grains");
    bed_fill(s);
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
        s->taken_up[(int64_t)grain * ground->loose_count + l] += part;
        taken += part;
    }
    s->worn[cell] += taken;
    return taken;
}

// Drag that keeps M v while the bed is there to be taken.
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

// Bed for the way that a grain has come since the last look; returns how many units.
static int32_t bed_take_grain(slide* s, const wadi_grains_params* params, int32_t i)
{
    const double* at = s->now[i].position;
    const double dx = slide_apart(at[0], s->last[i][0], params->period_x);
    const double dy = slide_apart(at[1], s->last[i][1], params->period_y);
    const int64_t cell = slide_cell_under(wadi_terrain_ground_const(s->terrain), at);
    if (cell < 0)
    {
        return 0;
    }
    s->owed[i] += s->params->entrainment * sqrt(dx * dx + dy * dy) * s->load[i];
    const int32_t wanted = s->owed[i] < 1e9 ? (int32_t)s->owed[i] : 1000000000;
    const int32_t taken = bed_take_cell(s, i, cell, wanted);
    s->load[i] += taken;
    s->owed[i] -= wanted; // bare rock gives nothing, also later
    return taken;
}

wadi_result slide_bed_take(slide* s)
{
    const wadi_grains_params params = slide_world_params(s);
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
    slide_land_wear(s);
    return wadi_grains_wear_ground(s->world, s->land.floor);
}
