// SPDX-License-Identifier: MIT
// Creep: the flux between two neighbours is the mean of their diffusivities times the slope between
// them, q = K S / (1 - (S / Sc)^2). Where the ground is too steep for soil, a share of it falls to
// the lower neighbours, by the difference in height. Fluxes are whole units, rounded at random. A
// cell gives at most the soil that it has.
#include "core/random.h"
#include "laws/slopes/soil_law.h"
#include "processes/soil/soil_state.h"

#include <math.h>

// Explicit steps are stable below a quarter of the squared cell over the greatest diffusivity. Near
// the critical slope the flux grows 200 K for each unit of slope, which shakes slopes in steps that
// long. A fifth of them is calm (test_soil).
static const double soil_calm = 0.2;

// Falls in a step move at most this share of a difference in height, so that they cannot turn it.
static const double soil_fall_most = 0.2;

static const int32_t creep_steps[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}}; // by wadi_side

typedef struct soil_creep_job
{
    soil_state* state;
    double share; // of a difference in height that moves for each diffusivity [yr/m2]
    double falls; // time over the time of falls
    uint32_t step;
    uint32_t part;
} soil_creep_job;

double wadi_soil_creep_step(const soil_state* state)
{
    const double cell = state->ground->cell_size;
    const double most = soil_diffusivity(state->params.creep, 1.0, 1.0);
    return most > 0.0 ? soil_calm * 0.25 * cell * cell / most : 1e9;
}

// Share of a difference in height to a lower neighbour that falls: in a time of falls, ground that
// is bare by the share b loses 1 - exp(-b / (1 - b)) of its soil.
static float creep_fall(const soil_creep_job* job, int32_t x, int32_t y)
{
    const soil_state* state = job->state;
    const int64_t c = (int64_t)y * state->ground->width + x;
    double sum;
    const double bare = soil_bare(wadi_soil_descent(state, x, y, &sum));
    if (bare <= 0.0)
    {
        return 0.0f;
    }
    const double share =
        bare < 1.0 ? 1.0 - wadi_exp(-fmin(700.0, job->falls * bare / (1.0 - bare))) : 1.0;
    const double have = (double)state->surface[c] - (double)state->ground->bedrock[c];
    return (float)fmin(soil_fall_most, have * share / sum);
}

static void creep_diffusivity_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const soil_creep_job* job = user;
    soil_state* state = job->state;
    const wadi_soil_cover_params* p = &state->params;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < state->ground->width; ++x)
        {
            const int64_t c = (int64_t)y * state->ground->width + x;
            const bool is_void = state->ground->valid[c] == 0;
            const double slope = is_void ? 0.0 : wadi_soil_slope(state, x, y);
            state->diffusivity[c] = (float)soil_diffusivity(p->creep, p->critical_slope, slope);
            state->fall[c] = is_void ? 0.0f : creep_fall(job, x, y);
        }
    }
}

// Creep from cell a to cell b [units], rounded by a number from 0 to 1.
static int32_t creep_between(const soil_creep_job* job, int64_t a, int64_t b, double lot)
{
    const soil_state* state = job->state;
    const double mean = 0.5 * ((double)state->diffusivity[a] + (double)state->diffusivity[b]);
    const double fall = (double)state->surface[a] - (double)state->surface[b];
    const double falls = (double)state->fall[fall > 0.0 ? a : b];
    const double units = (mean * job->share + falls) * fall;
    return units < 0.0 ? -(int32_t)(lot - units) : (int32_t)(lot + units);
}

// The side by which soil leaves a cell for a neighbour without ground, and comes from there; -1: a
// closed edge.
static int32_t creep_gate(const wadi_ground* ground, int32_t x, int32_t y, int32_t side)
{
    const int64_t there =
        wadi_ground_cell_at(ground, x + creep_steps[side][0], y + creep_steps[side][1]);
    if (there >= 0)
    {
        return (int32_t)wadi_ground_void_side(ground, there);
    }
    return ground->edges[side] == WADI_EDGE_OPEN ? side : -1;
}

// Creep outwards where the land is not known: it goes on as over the other side of the cell.
static int32_t creep_out(const soil_creep_job* job, int32_t x, int32_t y, int32_t side, double lot)
{
    const wadi_ground* ground = job->state->ground;
    const int64_t here = (int64_t)y * ground->width + x;
    const int64_t next =
        wadi_soil_neighbour(ground, x, y, -creep_steps[side][0], -creep_steps[side][1]);
    return next >= 0 && creep_gate(ground, x, y, side) >= 0 ? creep_between(job, next, here, lot)
                                                            : 0;
}

// Creep over the edge before a cell along an axis, in the direction of the axis: of a row of n
// cells there are n + 1 edges. On a torus the first cell lies behind the last one.
static int32_t creep_over(const soil_creep_job* job, int32_t x, int32_t y, int axis, double lot)
{
    const wadi_ground* ground = job->state->ground;
    const int32_t before_x = x - 1 + axis;
    const int32_t before_y = y - axis;
    const int64_t before = wadi_ground_cell_at(ground, before_x, before_y);
    const int64_t here = wadi_ground_cell_at(ground, x, y);
    const bool has_before = before >= 0 && ground->valid[before] != 0;
    const bool has_here = here >= 0 && ground->valid[here] != 0;
    if (has_before && has_here)
    {
        return creep_between(job, before, here, lot);
    }
    if (has_before)
    {
        return creep_out(job, (int32_t)(before % ground->width), (int32_t)(before / ground->width),
                         axis == 0 ? WADI_SIDE_EAST : WADI_SIDE_SOUTH, lot);
    }
    return has_here
               ? -creep_out(job, (int32_t)(here % ground->width), (int32_t)(here / ground->width),
                            axis == 0 ? WADI_SIDE_WEST : WADI_SIDE_NORTH, lot)
               : 0;
}

// Column and row of an edge in the whole grid. The edge behind the last cell of the grid has a
// number of its own; over periodic edges it is the one before the first cell.
static int64_t creep_column(const wadi_ground* ground, int32_t x)
{
    const bool behind =
        x > 0 && wadi_ground_column(ground, x - 1) + 1 == wadi_ground_whole_width(ground);
    const bool wraps = wadi_ground_whole_edge(ground, WADI_SIDE_EAST) == WADI_EDGE_PERIODIC;
    return behind && !wraps ? wadi_ground_whole_width(ground) : wadi_ground_column(ground, x);
}

static int64_t creep_row(const wadi_ground* ground, int32_t y)
{
    const bool behind =
        y > 0 && wadi_ground_row(ground, y - 1) + 1 == wadi_ground_whole_height(ground);
    const bool wraps = wadi_ground_whole_edge(ground, WADI_SIDE_SOUTH) == WADI_EDGE_PERIODIC;
    return behind && !wraps ? wadi_ground_whole_height(ground) : wadi_ground_row(ground, y);
}

// A number from 0 to 1 for the edge before a cell along an axis; the same on both sides of a torus.
static double creep_lot(const soil_creep_job* job, int32_t x, int32_t y, int axis)
{
    const wadi_ground* ground = job->state->ground;
    const bool wraps =
        ground->edges[axis == 0 ? WADI_SIDE_WEST : WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const int64_t column = creep_column(ground, axis == 0 && wraps ? x % ground->width : x);
    const int64_t row = creep_row(ground, axis == 1 && wraps ? y % ground->height : y);
    const int64_t width = wadi_ground_whole_width(ground);
    const uint64_t place = (uint64_t)(row * (width + 1) + column);
    const wadi_philox dice = wadi_random(wadi_terrain_seed(job->state->terrain), job->state->stream,
                                         place | (uint64_t)(job->part + 1) << 40, job->step);
    return wadi_unit_double(dice.v[2 * axis], dice.v[2 * axis + 1]);
}

static void creep_edge_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const soil_creep_job* job = user;
    soil_state* state = job->state;
    const int32_t width = state->ground->width;
    const int32_t height = state->ground->height;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x <= width && y < height; ++x)
        {
            state->east[(int64_t)y * (width + 1) + x] =
                creep_over(job, x, y, 0, creep_lot(job, x, y, 0));
        }
        for (int32_t x = 0; x < width; ++x)
        {
            state->south[(int64_t)y * width + x] =
                creep_over(job, x, y, 1, creep_lot(job, x, y, 1));
        }
    }
}

// Creep over the four edges of a cell, outwards above 0: north, east, south, west.
static void creep_sides(const soil_state* state, int32_t x, int32_t y, int32_t out[4])
{
    const int64_t width = state->ground->width;
    const int64_t c = y * width + x;
    const int64_t e = y * (width + 1) + x;
    out[WADI_SIDE_NORTH] = -state->south[c];
    out[WADI_SIDE_SOUTH] = state->south[c + width];
    out[WADI_SIDE_WEST] = -state->east[e];
    out[WADI_SIDE_EAST] = state->east[e + 1];
}

static void creep_wanted_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const soil_creep_job* job = user;
    soil_state* state = job->state;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < state->ground->width; ++x)
        {
            int32_t out[4];
            creep_sides(state, x, y, out);
            int64_t sum = 0;
            for (int side = 0; side < 4; ++side)
            {
                sum += out[side] > 0 ? out[side] : 0;
            }
            state->wanted[(int64_t)y * state->ground->width + x] = sum;
        }
    }
}

// What a cell gives of the creep that it would like to give.
static int32_t creep_given(const soil_state* state, int64_t cell, int32_t units)
{
    const int64_t have = (int64_t)state->surface[cell] - state->ground->bedrock[cell];
    const int64_t wanted = state->wanted[cell];
    return wanted <= have ? units : (int32_t)((int64_t)units * have / wanted);
}

// Over a side behind which the land is not known: what goes out leaves, and in comes as much as
// the cell gives over its other side. So a slope that goes on beyond the map has no trench there.
static void creep_take_beyond(soil_state* state, int32_t x, int32_t y, int32_t side,
                              const int32_t out[4])
{
    const int64_t c = (int64_t)y * state->ground->width + x;
    if (out[side] > 0)
    {
        const int32_t given = creep_given(state, c, out[side]);
        state->taken[c] += given;
        state->out[y][creep_gate(state->ground, x, y, side)] += given;
    }
    else if (out[side] < 0)
    {
        const int32_t other = out[(side + 2) % 4];
        const int32_t come = other > 0 ? creep_given(state, c, other) : 0;
        state->laid[c] += come;
        state->in[y] += come;
    }
}

static void creep_take_cell(soil_state* state, int32_t x, int32_t y)
{
    const int64_t c = (int64_t)y * state->ground->width + x;
    int32_t out[4];
    creep_sides(state, x, y, out);
    for (int32_t side = 0; side < 4; ++side)
    {
        const int64_t to =
            wadi_soil_neighbour(state->ground, x, y, creep_steps[side][0], creep_steps[side][1]);
        if (to < 0)
        {
            creep_take_beyond(state, x, y, side, out);
            continue;
        }
        state->taken[c] += out[side] > 0 ? creep_given(state, c, out[side]) : 0;
        state->laid[c] += out[side] < 0 ? creep_given(state, to, -out[side]) : 0;
    }
}

static void creep_take_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const soil_creep_job* job = user;
    soil_state* state = job->state;
    const wadi_owned owned = wadi_ground_owned(state->ground);
    for (int32_t y = begin; y < end; ++y)
    {
        const bool owns_row = y >= owned.y && y < owned.end_y;
        for (int32_t x = 0; x < state->ground->width; ++x)
        {
            const int64_t c = (int64_t)y * state->ground->width + x;
            const bool owns = owns_row && x >= owned.x && x < owned.end_x;
            state->taken[c] = 0;
            state->laid[c] = 0;
            if (owns && state->ground->valid[c] != 0)
            {
                creep_take_cell(state, x, y);
            }
        }
    }
}

void wadi_soil_creep(soil_state* state, double years, uint32_t step, uint32_t part)
{
    const wadi_ground* ground = state->ground;
    wadi_context* context = wadi_terrain_context(state->terrain);
    soil_creep_job job = {state, years / (ground->cell_size * ground->cell_size),
                          years / state->params.fall_time, step, part};
    wadi_soil_survey(state);
    wadi_parallel_rows(context, ground->height, SOIL_GRAIN, creep_diffusivity_rows, &job);
    wadi_parallel_rows(context, ground->height + 1, SOIL_GRAIN, creep_edge_rows, &job);
    wadi_parallel_rows(context, ground->height, SOIL_GRAIN, creep_wanted_rows, &job);
    wadi_parallel_rows(context, ground->height, SOIL_GRAIN, creep_take_rows, &job);
    wadi_soil_apply(state);
    state->cells += (int64_t)wadi_ground_whole_width(ground) * wadi_ground_whole_height(ground);
    ++state->parts;
}
