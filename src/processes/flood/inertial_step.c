// SPDX-License-Identifier: MIT
// Steps of inertial shallow water: three passes over tiles with motion, edges of the terrain.
#include "processes/flood/inertial.h"

#include <math.h>
#include <string.h>

static const double inertial_ticks = 65536.0; // steps are multiples of 1 / 65536 s
static const double inertial_fall = 9.81;     // [m/s2]

enum
{
    INERTIAL_KEEP = 4,  // steps between two choices of tiles
    INERTIAL_PASSES = 3 // and one more where steps differ
};

// ---- passes ------------------------------------------------------------------------------

typedef struct step_pass
{
    inertial* w;
    inertial_step steps[INERTIAL_LEVELS + 1]; // by level
    int32_t turn;                             // of the shortest steps of a cycle
    int32_t pass;
} step_pass;

// Does a step of tiles of this level begin now?
static bool step_is_due(const step_pass* job, int32_t level)
{
    return (job->turn & ((1 << level) - 1)) == 0;
}

static bool step_is_active(const inertial* w, int32_t column, int32_t row)
{
    return column < w->columns && row < w->rows && w->active[row * w->columns + column] != 0;
}

// Nothing crosses into tiles that are not computed.
static void step_close_tile(const inertial* w, int32_t tile, ptrdiff_t first)
{
    const inertial_planes* p = &w->planes;
    const int32_t column = tile % w->columns;
    const int32_t row = tile / w->columns;
    if (!step_is_active(w, column + 1, row))
    {
        for (int32_t y = 0; y < INERTIAL_TILE_HEIGHT; ++y)
        {
            const ptrdiff_t i = first + y * p->stride + INERTIAL_TILE_WIDTH - 1;
            p->nx[i] = p->ux[i] = 0.0f;
        }
    }
    if (!step_is_active(w, column, row + 1))
    {
        const ptrdiff_t i = first + (INERTIAL_TILE_HEIGHT - 1) * p->stride;
        memset(&p->ny[i], 0, INERTIAL_TILE_WIDTH * sizeof *p->ny);
        memset(&p->uy[i], 0, INERTIAL_TILE_WIDTH * sizeof *p->uy);
    }
}

static void step_push_run(const step_pass* job, int32_t tile, int32_t tiles)
{
    const inertial* w = job->w;
    float fastest[INERTIAL_RUN_WIDTH] = {0.0f};
    w->kernels->push(&w->planes, &job->steps[w->level[tile]], wadi_inertial_first(w, tile),
                     tiles * INERTIAL_TILE_WIDTH, fastest);
    for (int32_t k = 0; k < tiles; ++k)
    {
        float most = 0.0f;
        for (int32_t x = k * INERTIAL_TILE_WIDTH; x < (k + 1) * INERTIAL_TILE_WIDTH; ++x)
        {
            most = fastest[x] > most ? fastest[x] : most;
        }
        w->fastest[tile + k] = most;
        step_close_tile(w, tile + k, wadi_inertial_first(w, tile + k));
    }
}

static void step_settle_run(const step_pass* job, int32_t tile, int32_t tiles)
{
    const inertial* w = job->w;
    int32_t deepest[INERTIAL_RUN_WIDTH] = {0};
    w->kernels->settle(&w->planes, &job->steps[w->level[tile]], wadi_inertial_first(w, tile),
                       tiles * INERTIAL_TILE_WIDTH, deepest);
    for (int32_t k = 0; k < tiles; ++k)
    {
        int32_t most = 0;
        for (int32_t x = k * INERTIAL_TILE_WIDTH; x < (k + 1) * INERTIAL_TILE_WIDTH; ++x)
        {
            most = deepest[x] > most ? deepest[x] : most;
        }
        w->deepest[tile + k] = most;
    }
}

// Water that comes to a cell between two steps of its tile, in the shortest step.
static void step_receive(const inertial_planes* p, const inertial_step* s, ptrdiff_t i,
                         int32_t units)
{
    const int32_t mass = p->mass[i] + units;
    const float high = (float)mass;
    p->mass[i] = mass;
    p->depth[i] = fmaxf(p->depth[i], high);
    if (high >= s->arrival && isinf(p->dawn[i]))
    {
        p->dawn[i] = s->time;
        p->duration[i] += s->step;
    }
}

// A tile between two steps of its own takes at once what tiles with shorter steps give it over its
// northern and western border. What flows over the others is its own.
static void step_receive_tile(const step_pass* job, int32_t tile)
{
    const inertial* w = job->w;
    const inertial_planes* p = &w->planes;
    const ptrdiff_t first = wadi_inertial_first(w, tile);
    int32_t most = w->deepest[tile];
    for (int32_t row = 0; row < INERTIAL_TILE_HEIGHT && tile % w->columns != 0; ++row)
    {
        const ptrdiff_t i = first + row * p->stride;
        step_receive(p, &job->steps[0], i, p->fx[i - 1]);
        most = p->mass[i] > most ? p->mass[i] : most;
    }
    for (ptrdiff_t i = first; i < first + INERTIAL_TILE_WIDTH && tile >= w->columns; ++i)
    {
        step_receive(p, &job->steps[0], i, p->fy[i - p->stride]);
        most = p->mass[i] > most ? p->mass[i] : most;
    }
    w->deepest[tile] = most;
}

// What has flowed over the eastern and southern border has been taken; neighbours that have a step
// before this tile must not take it twice.
static void step_clear_border(const inertial* w, int32_t tile)
{
    const inertial_planes* p = &w->planes;
    const ptrdiff_t first = wadi_inertial_first(w, tile);
    for (int32_t row = 0; row < INERTIAL_TILE_HEIGHT; ++row)
    {
        p->fx[first + row * p->stride + INERTIAL_TILE_WIDTH - 1] = 0;
    }
    memset(&p->fy[first + (INERTIAL_TILE_HEIGHT - 1) * p->stride], 0,
           INERTIAL_TILE_WIDTH * sizeof *p->fy);
}

static void step_wait_run(const step_pass* job, int32_t tile, int32_t tiles)
{
    for (int32_t k = 0; k < tiles && job->pass == INERTIAL_PASSES - 1; ++k)
    {
        step_receive_tile(job, tile + k);
    }
}

static void step_due_run(const step_pass* job, int32_t tile, int32_t tiles)
{
    const inertial* w = job->w;
    switch (job->pass)
    {
    case 0:
        step_push_run(job, tile, tiles);
        break;
    case 1:
        w->kernels->flow(&w->planes, &job->steps[w->level[tile]], wadi_inertial_first(w, tile),
                         tiles * INERTIAL_TILE_WIDTH);
        break;
    case 2:
        step_settle_run(job, tile, tiles);
        break;
    default:
        for (int32_t k = 0; k < tiles; ++k)
        {
            step_clear_border(w, tile + k);
        }
    }
}

static void step_run_task(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const step_pass* job = user;
    const int32_t tile = job->w->list[block];
    const int32_t tiles = job->w->lengths[block];
    if (step_is_due(job, job->w->level[tile]))
    {
        step_due_run(job, tile, tiles);
    }
    else
    {
        step_wait_run(job, tile, tiles);
    }
}

// ---- edges of the terrain ----------------------------------------------------------------

void wadi_inertial_wrap(const inertial* w, void* plane, int32_t ring)
{
    int32_t* first = (int32_t*)plane + w->origin; // floats are copied as they are
    const ptrdiff_t n = w->planes.stride;
    for (int32_t row = -ring; w->wraps_x && row < w->height + ring; ++row)
    {
        int32_t* line = first + row * n; // outlets beyond the other edges, too
        for (int32_t k = 0; k < ring; ++k)
        {
            line[-1 - k] = line[w->width - 1 - k % w->width];
            line[w->width + k] = line[k % w->width];
        }
    }
    for (int32_t k = 0; w->wraps_y && k < ring; ++k)
    {
        int32_t* line = first - ring;
        const size_t length = (size_t)(w->width + 2 * ring) * sizeof *line;
        memcpy(line - (k + 1) * n, line + (w->height - 1 - k % w->height) * n, length);
        memcpy(line + (w->height + k) * n, line + k % w->height * n, length);
    }
}

static void step_wrap_pass(const inertial* w, int32_t pass)
{
    const inertial_planes* p = &w->planes;
    void* const planes[INERTIAL_PASSES][5] = {
        {p->nx, p->ny, p->ux, p->uy, NULL},
        {p->qx, p->qy, p->fx, p->fy, NULL},
        {p->mass, NULL},
    };
    for (int32_t k = 0; planes[pass][k] != NULL; ++k)
    {
        wadi_inertial_wrap(w, planes[pass][k], INERTIAL_RING);
    }
}

// Water in outlets has left. Beyond an open edge the water is as deep as inside, so that it flows
// out by the slope of the ground, as in uniform flow; in a void there is none.
static void step_drain(inertial* w)
{
    const inertial_planes* p = &w->planes;
    for (int32_t k = 0; k < w->outlet_count; ++k)
    {
        inertial_outlet* o = &w->outlets[k];
        w->left[o->side] += p->mass[o->at] - o->held;
        o->held = o->inner >= 0 ? p->mass[o->inner] : 0;
        p->mass[o->at] = o->held;
    }
}

// ---- a step ------------------------------------------------------------------------------

// The longest step that is stable for all tiles, in whole ticks.
static double step_length(const inertial* w)
{
    const int32_t tiles = w->columns * w->rows;
    int32_t deepest = 0;
    float fastest = 0.0f;
    for (int32_t tile = 0; tile < tiles; ++tile)
    {
        const bool counts = w->active[tile] != 0 || w->fresh[tile] != 0;
        deepest = counts && w->deepest[tile] > deepest ? w->deepest[tile] : deepest;
        fastest = w->fastest[tile] > fastest ? w->fastest[tile] : fastest;
    }
    const double ticks = floor(wadi_inertial_stable_step(w, deepest, fastest) * inertial_ticks);
    return fmax(ticks, 1.0) / inertial_ticks;
}

// Multiples of the golden section, of which any few that follow each other are spread over 0 to 1.
static double step_dither(int64_t steps)
{
    const double all = 0.6180339887498949 * (double)(steps & 0xffff);
    return (all - floor(all)) * 0.999;
}

static inertial_step step_constants(const inertial* w, double step, int64_t steps)
{
    const inertial_law* law = &w->law;
    const double metre = 1.0 / WADI_UNITS_PER_METRE;
    return (inertial_step){
        .metre = (float)metre,
        .slope = (float)(metre / w->cell),
        .step = (float)step,
        .time = (float)(w->time + step),
        .push = (float)(inertial_fall * step),
        .share = (float)(step / w->cell * WADI_UNITS_PER_METRE),
        .dither = (float)step_dither(steps),
        .damping = (float)(0.125 * (1.0 - law->theta)),
        .froude = (float)law->froude,
        .film = (float)law->film,
        .arrival = (float)(law->arrival * WADI_UNITS_PER_METRE),
        .rain = wadi_inertial_rain(w, step),
    };
}

// Water rests when it moves nowhere and none is to come.
static void step_look_for_rest(inertial* w)
{
    bool moves = wadi_inertial_awaits(w);
    for (int32_t tile = 0; tile < w->columns * w->rows && !moves; ++tile)
    {
        moves = w->fastest[tile] > 0.0f || w->fresh[tile] != 0;
    }
    w->rests = !moves;
}

// The shortest step of a cycle, for the tiles whose turn it is.
static void step_take_turn(step_pass* job, double step, bool differ)
{
    inertial* w = job->w;
    for (int32_t level = 0; level <= w->law.levels; ++level)
    {
        job->steps[level] = step_constants(w, ldexp(step, level), w->steps >> level);
    }
    step_wrap_pass(w, INERTIAL_PASSES - 1); // what was poured
    for (job->pass = 0; job->pass < INERTIAL_PASSES; ++job->pass)
    {
        wadi_parallel_blocks(w->context, w->count, step_run_task, job);
        step_wrap_pass(w, job->pass);
    }
    if (differ)
    {
        wadi_parallel_blocks(w->context, w->count, step_run_task, job);
    }
    step_drain(w);
    w->time += step;
    ++w->steps;
    for (int32_t run = 0; run < w->count; ++run)
    {
        const int32_t tiles = step_is_due(job, w->level[w->list[run]]) ? w->lengths[run] : 0;
        w->cell_steps += (int64_t)tiles * INERTIAL_TILE_WIDTH * INERTIAL_TILE_HEIGHT;
    }
}

void wadi_inertial_step(inertial* w)
{
    const double step = step_length(w);
    wadi_inertial_bring(w, step);
    const bool rains = wadi_inertial_rain(w, ldexp(step, w->law.levels)) > 0;
    if (w->since % INERTIAL_KEEP == 0 || rains)
    {
        wadi_inertial_choose_tiles(w, rains);
    }
    const int32_t levels = wadi_inertial_choose_levels(w, step);
    w->in += wadi_inertial_rain(w, ldexp(step, levels)) * w->valid;
    w->since = levels == 0 ? w->since + 1 : 0;
    step_pass job = {.w = w};
    for (job.turn = 0; job.turn < 1 << levels; ++job.turn)
    {
        if (job.turn > 0)
        {
            wadi_inertial_bring(w, step);
        }
        step_take_turn(&job, step, levels > 0);
    }
    step_look_for_rest(w);
}

// ---- pouring -----------------------------------------------------------------------------

ptrdiff_t wadi_inertial_at(const inertial* w, int64_t cell)
{
    return w->origin + (ptrdiff_t)(cell / w->width) * w->planes.stride +
           (ptrdiff_t)(cell % w->width);
}

void wadi_inertial_pour(inertial* w, int64_t cell, int32_t units)
{
    const ptrdiff_t i = wadi_inertial_at(w, cell);
    const int32_t tile = wadi_inertial_tile_of(w, i);
    w->planes.mass[i] += units;
    w->in += units;
    w->deepest[tile] = w->planes.mass[i] > w->deepest[tile] ? w->planes.mass[i] : w->deepest[tile];
    w->fresh[tile] = 1;
    w->since = w->active[tile] != 0 ? w->since : 0; // choose tiles anew
    w->rests = false;
}
