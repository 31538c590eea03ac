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

void slide_look(slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const wadi_grains_params params = slide_world_params(s);
    const double slow = move_rest_speed * sqrt(slide_gravity * s->diameter);
    s->moving = 0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const wadi_grain* new = &s->now[i];
        double* last = s->last[i];
        s->way[i][0] += slide_apart(new->position[0], last[0], params.period_x);
        s->way[i][1] += slide_apart(new->position[1], last[1], params.period_y);
        last[0] = new->position[0];
        last[1] = new->position[1];
        const int64_t cell = slide_cell_under(ground, new->position);
        const double speed = move_speed(new);
        if (cell >= 0)
        {
            s->speed[cell] = (float)speed > s->speed[cell] ? (float)speed : s->speed[cell];
            s->moving += speed > slow ? 1 : 0;
        }
    }
}

wadi_result slide_show(slide* s, double seconds)
{
    s->shown = seconds;
    return s->watch != NULL ? s->watch(s->watcher, seconds) : WADI_OK;
}

// ---- moving ------------------------------------------------------------------------------

// Bed for the way that grains have come, and where they are.
static wadi_result move_look(slide* s)
{
    const wadi_grains_summary now = wadi_grains_summarize(s->world);
    s->overlap = now.overlap > s->overlap ? now.overlap : s->overlap;
    if (s->left != NULL)
    {
        WADI_TRY(slide_bed_take(s));
    }
    slide_look(s);
    return WADI_OK;
}

// A slide has a second to get going.
static bool move_rests(const slide* s)
{
    return s->time > 1.0 && (double)s->moving <= move_rest_share * (double)s->count;
}

// One stretch of steps.
static wadi_result move_on(slide* s, int64_t steps)
{
    WADI_TRY(wadi_grains_advance(s->world, steps));
    wadi_grains_read(s->world, s->now);
    s->done += steps;
    s->time = (double)s->done * wadi_grains_step(s->world);
    WADI_TRY(move_look(s));
    return slide_show(s, s->time);
}

static wadi_result move_run(slide* s, double seconds, bool* stopped)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    const double step = wadi_grains_step(s->world);
    const double longest = s->params->longest;
    const int64_t total = (int64_t)ceil((seconds < longest ? seconds : longest) / step);
    const int64_t stretch = (int64_t)ceil(move_stretch / step);
    while (s->done < total && !move_rests(s) && !*stopped)
    {
        WADI_TRY(move_on(s, total - s->done < stretch ? total - s->done : stretch));
        *stopped = !wadi_progress(context, (double)s->done / (double)total, "landslide");
    }
    s->still_moving = (double)s->moving / (double)s->count;
    s->summary = wadi_grains_summarize(s->world);
    return WADI_OK;
}

wadi_result slide_begin(slide* s)
{
    s->moving = s->count;
    WADI_TRY(slide_settle(s));
    if (s->params->start == WADI_LANDSLIDE_SOAKING)
    {
        return slide_soak_create(s);
    }
    WADI_TRY(slide_world_create(s, &slide_soil));
    return s->params->entrainment > 0.0 ? slide_bed_create(s) : WADI_OK;
}

wadi_result slide_move(slide* s, double seconds, bool* stopped)
{
    *stopped = false;
    WADI_TRY(slide_show(s, 0.0));
    WADI_TRY(s->wet != NULL ? slide_soak_move(s, seconds, stopped) : move_run(s, seconds, stopped));
    // at rest there is no more to see, but frames may be due; whole steps may have gone past them
    return !*stopped && s->shown < seconds ? slide_show(s, seconds) : WADI_OK;
}
