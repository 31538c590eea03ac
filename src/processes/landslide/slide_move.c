// SPDX-License-Identifier: MIT
// Motion of a slide: the grains advance in intervals of move_stretch, and displacements, speeds and
// entrainment are updated in between.
#include "processes/landslide/landslide_internal.h"

#include <math.h>

static const double move_stretch = 0.25;    // [s]
static const double move_rest_speed = 0.02; // faster grains count as moving, over sqrt(g d)
static const double move_rest_share = 2e-3; // at rest, at most this share of grains moves

// ---- looking -----------------------------------------------------------------------------

double wadi_slide_apart(double to, double from, double period)
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

int64_t wadi_slide_cell_under(const wadi_ground* ground, const double at[3])
{
    const double column = at[0] / ground->cell_size;
    const double row = (double)ground->height - at[1] / ground->cell_size;
    const bool inside =
        column >= 0.0 && row >= 0.0 && column < ground->width && row < ground->height;
    const int64_t cell = inside ? (int64_t)row * ground->width + (int64_t)column : -1;
    return cell >= 0 && ground->valid[cell] != 0 ? cell : -1;
}

void wadi_slide_update_motion(slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const wadi_grains_params params = wadi_slide_world_params(s);
    const double slow = move_rest_speed * sqrt(slide_gravity * s->diameter);
    s->moving = 0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const wadi_grain* new = &s->now[i];
        double* last = s->last[i];
        s->way[i][0] += wadi_slide_apart(new->position[0], last[0], params.period_x);
        s->way[i][1] += wadi_slide_apart(new->position[1], last[1], params.period_y);
        last[0] = new->position[0];
        last[1] = new->position[1];
        const int64_t cell = wadi_slide_cell_under(ground, new->position);
        const double speed = move_speed(new);
        if (cell >= 0)
        {
            s->speed[cell] = (float)speed > s->speed[cell] ? (float)speed : s->speed[cell];
            s->moving += speed > slow ? 1 : 0;
        }
    }
}

wadi_result wadi_slide_show(slide* s, double seconds)
{
    const double now = s->origin + seconds; // slides of a storm may begin before others rest
    s->shown = now > s->shown ? now : s->shown;
    return s->watch != NULL ? s->watch(s->watcher, s->shown) : WADI_OK;
}

// ---- moving ------------------------------------------------------------------------------

// Entrain bed, and update displacements and speeds.
static wadi_result move_update(slide* s)
{
    const wadi_grains_summary now = wadi_grains_summarize(s->world);
    s->overlap = now.overlap > s->overlap ? now.overlap : s->overlap;
    if (s->left != NULL)
    {
        WADI_TRY(wadi_slide_bed_take(s));
    }
    wadi_slide_update_motion(s);
    return WADI_OK;
}

// Does the slide rest? In its first second it counts as moving.
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
    WADI_TRY(move_update(s));
    return wadi_slide_show(s, s->time);
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
        *stopped = !wadi_progress_stop(context, (double)s->done / (double)total, "landslide");
    }
    s->still_moving = (double)s->moving / (double)s->count;
    s->summary = wadi_grains_summarize(s->world);
    return WADI_OK;
}

wadi_result wadi_slide_run(slide* s, bool* stopped)
{
    return move_run(s, s->params->longest, stopped);
}

bool wadi_slide_is_over(const slide* s)
{
    return (s->wet == NULL && move_rests(s)) || s->time >= s->params->longest;
}

wadi_result wadi_slide_begin(slide* s)
{
    s->moving = s->count;
    s->soaks = s->params->start == WADI_LANDSLIDE_SOAKING;
    WADI_TRY(wadi_slide_settle(s));
    if (s->soaks)
    {
        return wadi_slide_soak_create(s);
    }
    WADI_TRY(wadi_slide_world_create(s, &wadi_slide_soil));
    return s->params->entrainment > 0.0 ? wadi_slide_bed_create(s) : WADI_OK;
}

wadi_result wadi_slide_follow_ground(slide* s)
{
    if (s->left != NULL)
    {
        wadi_slide_bed_fill(s);
    }
    return wadi_slide_land_wear(s) ? wadi_grains_wear_ground(s->world, s->land.floor) : WADI_OK;
}

wadi_result wadi_slide_move(slide* s, double seconds, bool* stopped)
{
    *stopped = false;
    const bool begins = s->time <= 0.0 && s->soak.time <= 0.0;
    WADI_TRY(begins ? wadi_slide_show(s, 0.0) : WADI_OK);
    WADI_TRY(s->wet != NULL ? wadi_slide_soak_move(s, seconds, stopped)
                            : move_run(s, seconds, stopped));
    // frames may be due after the slide has come to rest, or within its last interval
    const bool is_due = !*stopped && s->shown < s->origin + seconds;
    return is_due ? wadi_slide_show(s, seconds) : WADI_OK;
}
