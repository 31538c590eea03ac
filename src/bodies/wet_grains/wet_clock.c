// SPDX-License-Identifier: MIT
// Two clocks. While all grains sleep, water takes long steps; after each, two steps of grains
// determine which grains are out of balance. While grains move, steps of grains and of water
// alternate.
#include "bodies/wet_grains/wet.h"

enum
{
    CLOCK_PROBE = 2, // steps: bonds that break in the first carry no force in the second
    CLOCK_FAILED =
        20 // a slide is when one grain in this many has moved on; fewer are single rolling stones
};

// ---- where grains are --------------------------------------------------------------------

// The shortest vector from a to b, through periodic edges.
static double clock_way(double from, double to, double period)
{
    const double d = to - from;
    return period > 0.0 ? d - period * floor(d / period + 0.5) : d;
}

static double clock_square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void wadi_wet_read_positions(wadi_wet_grains* world)
{
    const double period[3] = {world->solid.period_x, world->solid.period_y, 0.0};
    wadi_grains_read(world->grains, world->list);
    int32_t free = 0;
    int32_t gone = 0;
    for (int32_t id = 0; id < world->count; ++id)
    {
        const wadi_grain* grain = &world->list[id];
        for (int c = 0; c < 3; ++c)
        {
            world->way[id][c] += clock_way(world->last[id][c], grain->position[c], period[c]);
            world->last[id][c] = grain->position[c];
        }
        const double far = sqrt(clock_square(world->way[id]));
        world->farthest = far > world->farthest ? far : world->farthest;
        free += !grain->fixed;
        gone += !grain->fixed && far > 2.0 * grain->radius;
    }
    if (isnan(world->failed) && gone > free / CLOCK_FAILED)
    {
        world->failed = world->time;
    }
}

void wadi_wet_reset_distance(wadi_wet_grains* world)
{
    wadi_wet_read_positions(world);
    memset(world->way, 0, (size_t)world->count * sizeof *world->way);
    world->farthest = 0.0;
    world->failed = (double)NAN;
}

// ---- water -------------------------------------------------------------------------------

// Whether a grain has moved so far that its neighbours for seepage may have changed.
static bool clock_strayed(const wadi_wet_grains* world)
{
    const double period[3] = {world->solid.period_x, world->solid.period_y, 0.0};
    bool strayed = false;
    for (int32_t id = 0; id < world->count && !strayed; ++id)
    {
        double d[3];
        for (int c = 0; c < 3; ++c)
        {
            d[c] = clock_way(world->linked[id][c], world->list[id].position[c], period[c]);
        }
        const double most = world->params.relink * world->list[id].radius;
        strayed = clock_square(d) > most * most;
    }
    return strayed;
}

static wadi_result clock_relink(wadi_wet_grains* world)
{
    if (!clock_strayed(world))
    {
        return WADI_OK;
    }
    for (int32_t id = 0; id < world->count; ++id)
    {
        memcpy(world->motion[id], world->list[id].position, sizeof world->motion[id]);
    }
    WADI_TRY(wadi_seepage_move(world->seepage, (const double(*)[3])world->motion));
    memcpy(world->linked, world->motion, (size_t)world->count * sizeof *world->linked);
    return WADI_OK;
}

// Momentum brought by water. Water that moves between grains has the velocity of the grain that it
// leaves, and so has water that leaves the soil; rain brings no momentum.
static void clock_momentum(wadi_wet_grains* world)
{
    for (int32_t id = 0; id < world->count; ++id)
    {
        memcpy(world->motion[id], world->list[id].velocity, sizeof world->motion[id]);
    }
    const double(*velocity)[3] = (const double(*)[3])world->motion;
    wadi_seepage_carried(world->seepage, velocity, world->carried, world->net);
    wadi_seepage_saturation(world->seepage, world->saturation);
    for (int32_t id = 0; id < world->count; ++id)
    {
        const double now = wadi_wet_mass(world, id);
        const double outside = now - world->mass[id] - WET_DENSITY * world->net[id];
        for (int c = 0; c < 3; ++c)
        {
            world->carried[id][c] *= WET_DENSITY;
            world->carried[id][c] += outside < 0.0 ? outside * velocity[id][c] : 0.0;
        }
    }
}

// Advance water alone.
static wadi_result clock_seep(wadi_wet_grains* world, double seconds)
{
    WADI_TRY(clock_relink(world));
    WADI_TRY(wadi_seepage_advance(world->seepage, seconds));
    clock_momentum(world);
    WADI_TRY(wadi_wet_apply_water(world, (const double(*)[3])world->carried));
    world->time += seconds;
    return WADI_OK;
}

// ---- grains ------------------------------------------------------------------------------

static bool clock_rests(const wadi_wet_grains* world)
{
    return wadi_grains_asleep(world->grains) == world->count;
}

static wadi_result clock_run(wadi_wet_grains* world, int64_t steps)
{
    WADI_TRY(wadi_grains_advance(world->grains, steps));
    world->moved += (double)steps * wadi_grains_step(world->grains);
    wadi_wet_read_positions(world);
    return WADI_OK;
}

// Steps of grains in a stretch of motion, at least one; a rounding error does not add one.
static int64_t clock_steps(const wadi_wet_grains* world, double seconds)
{
    const double step = wadi_grains_step(world->grains);
    const double steps = ceil(seconds / step * (1.0 - 1e-12));
    return steps > 1.0 ? (int64_t)steps : 1;
}

static wadi_result clock_pass_asleep(wadi_wet_grains* world, double seconds)
{
    WADI_TRY(clock_seep(world, seconds));
    world->slept += seconds;
    WADI_TRY(clock_run(world, CLOCK_PROBE));
    if (!clock_rests(world))
    {
        world->woke = world->time;
        world->wakes += 1;
    }
    return WADI_OK;
}

static wadi_result clock_pass_awake(wadi_wet_grains* world, double seconds)
{
    WADI_TRY(clock_run(world, clock_steps(world, seconds / world->params.acceleration)));
    return clock_seep(world, seconds);
}

wadi_result wadi_wet_grains_settle(wadi_wet_grains* world, double seconds, bool* rests)
{
    *rests = false;
    WADI_CHECK(world->context, seconds >= 0.0 && seconds < 1e6, WADI_ERROR_RANGE,
               "grains cannot settle for %g s; give 0 to 1e6", seconds);
    const int64_t most = clock_steps(world, seconds);
    const int64_t stretch = clock_steps(world, world->params.exchange);
    for (int64_t done = 0; done < most && !clock_rests(world); done += stretch)
    {
        WADI_TRY(clock_run(world, most - done < stretch ? most - done : stretch));
    }
    wadi_wet_reset_distance(world);
    *rests = clock_rests(world);
    return WADI_OK;
}

wadi_result wadi_wet_grains_turn(wadi_wet_grains* world, double most, double* passed)
{
    *passed = 0.0;
    WADI_CHECK(world->context, most > 0.0 && most < 1e12, WADI_ERROR_RANGE,
               "%g s cannot pass; give more than 0 and less than 1e12", most);
    const bool rests = clock_rests(world);
    const double turn =
        rests ? world->params.water_step : world->params.exchange * world->params.acceleration;
    const double part = turn < most * (1.0 - 1e-12) ? turn : most;
    WADI_TRY(rests ? clock_pass_asleep(world, part) : clock_pass_awake(world, part));
    *passed = part;
    return WADI_OK;
}

wadi_result wadi_wet_grains_advance(wadi_wet_grains* world, double seconds)
{
    WADI_CHECK(world->context, seconds >= 0.0 && seconds < 1e12, WADI_ERROR_RANGE,
               "%g s cannot pass; give 0 to 1e12", seconds);
    double left = seconds;
    while (left > 0.0)
    {
        double passed;
        WADI_TRY(wadi_wet_grains_turn(world, left, &passed));
        left -= passed;
        WADI_CHECK(world->context,
                   wadi_progress(world->context, 1.0 - left / seconds, "wet grains"),
                   WADI_ERROR_CANCELLED, "stopped at %g s of %g", seconds - left, seconds);
    }
    return WADI_OK;
}
