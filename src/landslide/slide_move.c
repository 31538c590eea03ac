// SPDX-License-Identifier: MIT
// A slide on its way: grains over the ground that is left, a stretch of time after the other, with
// a look at where they are in between.
#include "landslide/landslide_internal.h"

#include <math.h>

static const double move_stretch = 0.25;    // [s]
static const double move_rest_speed = 0.02; // of a grain that counts as moving, over sqrt(g d)
static const double move_rest_share = 2e-3; // of grains that may still move: stray rollers

// ---- looking -----------------------------------------------------------------------------

double slide_apart(double to, double from, double period)
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
    const double slow = move_rest_speed * sqrt(slide_gravity * s->diameter);
    int32_t moving = 0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const wadi_grain* new = &s->now[i];
        double* last = s->last[i];
        s->way[i][0] += slide_apart(new->position[0], last[0], params->period_x);
        s->way[i][1] += slide_apart(new->position[1], last[1], params->period_y);
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
    const wadi_grains_params params = slide_world_params(s);
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
    WADI_TRY(slide_settle(s));
    WADI_TRY(slide_world_create(s, &slide_soil));
    if (s->params->entrainment > 0.0)
    {
        WADI_TRY(slide_bed_create(s));
    }
    return move_run(s, seconds, stopped);
}
