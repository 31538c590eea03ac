// SPDX-License-Identifier: MIT
// Steps of the runner: tiles with motion and their neighbours, four passes over them, edges of the
// terrain.
#include "processes/landslide/runner.h"

#include <math.h>
#include <string.h>

static const double runner_courant = 0.4;
static const double runner_calm = 0.1;      // most of a step over cell width, at 1 m/s
static const double runner_ticks = 65536.0; // steps are multiples of 1 / 65536 s
static const double runner_fall = 9.81;     // [m/s2]

enum
{
    RUNNER_KEEP = 4, // steps between two choices of tiles
    RUNNER_PASSES = 4
};

// ---- tiles -------------------------------------------------------------------------------

static ptrdiff_t runner_first(const runner* r, int32_t tile)
{
    return (1 + (ptrdiff_t)(tile / r->columns) * RUNNER_TILE_HEIGHT) * r->planes.stride +
           RUNNER_MARGIN + (ptrdiff_t)(tile % r->columns) * RUNNER_TILE_WIDTH;
}

static int32_t runner_tile_of(const runner* r, ptrdiff_t at)
{
    const ptrdiff_t row = at / r->planes.stride - 1;
    const ptrdiff_t column = at % r->planes.stride - RUNNER_MARGIN;
    return (int32_t)(row / RUNNER_TILE_HEIGHT * r->columns + column / RUNNER_TILE_WIDTH);
}

// A tile loses its motion: its planes hold what neighbours may read.
static void runner_put_to_rest(const runner* r, int32_t tile)
{
    const ptrdiff_t first = runner_first(r, tile);
    const runner_planes* p = &r->planes;
    for (int32_t row = 0; row < RUNNER_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t i = first + row * p->stride;
        memset(&p->us[i], 0, RUNNER_TILE_WIDTH * sizeof *p->us);
        memset(&p->vs[i], 0, RUNNER_TILE_WIDTH * sizeof *p->vs);
        memcpy(&p->rub[i], &p->mixed[i], RUNNER_TILE_WIDTH * sizeof *p->rub);
    }
}

// Column or row of a neighbouring tile; beyond the end of a periodic terrain it is that on the
// other side. The last but one counts as the last there, because the last may hold the margin
// alone.
static bool runner_moves(const runner* r, int32_t column, int32_t row)
{
    if (column < 0 || column >= r->columns || row < 0 || row >= r->rows)
    {
        return false;
    }
    const int32_t tile = row * r->columns + column;
    return r->fresh[tile] != 0 || r->moving[tile] > 0.0f;
}

static bool runner_is_near_motion(const runner* r, int32_t column, int32_t row)
{
    for (int32_t k = 0; k < 9; ++k)
    {
        if (runner_moves(r, column + k % 3 - 1, row + k / 3 - 1))
        {
            return true;
        }
    }
    return false;
}

// Tiles at the ends of a periodic axis are active together.
static void runner_wrap_tiles(const runner* r)
{
    for (int32_t row = 0; r->wraps_x && row < r->rows; ++row)
    {
        uint8_t* line = &r->active[row * r->columns];
        const int32_t last = r->columns - 1;
        const int32_t inner = last > 0 ? last - 1 : 0;
        line[0] = line[last] = line[inner] = line[0] | line[last] | line[inner];
    }
    for (int32_t column = 0; r->wraps_y && column < r->columns; ++column)
    {
        const int32_t last = r->rows - 1;
        uint8_t* top = &r->active[column];
        uint8_t* end = &r->active[last * r->columns + column];
        uint8_t* inner = &r->active[(last > 0 ? last - 1 : 0) * r->columns + column];
        *top = *end = *inner = *top | *end | *inner;
    }
}

static void runner_touch(runner* r, int32_t tile)
{
    const int32_t row = tile / r->columns;
    r->touched[tile] = 1;
    r->top = row < r->top ? row : r->top;
    r->bottom = row > r->bottom ? row : r->bottom;
}

int64_t wadi_runner_next(const runner* r, int64_t cell)
{
    const int64_t width = r->width;
    const int64_t first = ((int64_t)r->top * RUNNER_TILE_HEIGHT - 1) * width;
    const int64_t end = (((int64_t)r->bottom + 1) * RUNNER_TILE_HEIGHT - 1) * width;
    const int64_t last = end < width * r->height ? end : width * r->height;
    int64_t c = cell + 1 > first ? cell + 1 : first;
    while (c < last)
    {
        const int64_t column = (c % width + 1) / RUNNER_TILE_WIDTH;
        const int64_t row = (c / width + 1) / RUNNER_TILE_HEIGHT;
        if (r->touched[row * r->columns + column] != 0)
        {
            return c;
        }
        const int64_t x = (column + 1) * RUNNER_TILE_WIDTH - 1;
        c += (x < width ? x : width) - c % width;
    }
    return -1;
}

void wadi_runner_list_tiles(runner* r)
{
    r->count = 0;
    r->tiles = 0;
    for (int32_t tile = 0; tile < r->columns * r->rows; ++tile)
    {
        if (r->active[tile] == 0)
        {
            r->moving[tile] = r->fastest[tile] = 0.0f;
            continue;
        }
        const int32_t last = r->count - 1;
        const bool joins = last >= 0 && r->lengths[last] < RUNNER_RUN &&
                           r->list[last] + r->lengths[last] == tile && tile % r->columns != 0;
        r->list[joins ? last : r->count] = joins ? r->list[last] : tile;
        r->lengths[joins ? last : r->count] = joins ? r->lengths[last] + 1 : 1;
        r->count += joins ? 0 : 1;
        ++r->tiles;
        runner_touch(r, tile);
    }
}

// Tiles of the rows with and beside work; all of them where rows are periodic.
static void runner_span(const runner* r, int32_t* from, int32_t* until)
{
    int32_t first = r->rows;
    int32_t last = -1;
    for (int32_t row = r->top; row <= r->bottom; ++row)
    {
        uint8_t works = 0;
        for (int32_t tile = row * r->columns; tile < (row + 1) * r->columns; ++tile)
        {
            works |= r->active[tile] | r->fresh[tile];
        }
        first = works != 0 && row < first ? row : first;
        last = works != 0 ? row : last;
    }
    first = first > 0 ? first - 1 : 0;
    last = last < r->rows - 1 ? last + 1 : r->rows - 1;
    *from = r->wraps_y ? 0 : first * r->columns;
    *until = r->wraps_y ? r->rows * r->columns : (last + 1) * r->columns;
}

// Tiles with and beside motion.
static void runner_choose_tiles(runner* r)
{
    int32_t from;
    int32_t until;
    runner_span(r, &from, &until);
    for (int32_t tile = from; tile < until; ++tile)
    {
        const bool was = r->active[tile] != 0;
        r->active[tile] = runner_is_near_motion(r, tile % r->columns, tile / r->columns) ? 1 : 0;
        r->active[tile] |= was ? 2 : 0;
    }
    for (int32_t tile = from; tile < until; ++tile)
    {
        if (r->active[tile] == 2)
        {
            runner_put_to_rest(r, tile);
        }
        r->active[tile] &= 1;
    }
    runner_wrap_tiles(r);
    memset(r->fresh, 0, (size_t)r->columns * (size_t)r->rows);
    wadi_runner_list_tiles(r);
}

// ---- passes ------------------------------------------------------------------------------

typedef struct runner_pass
{
    runner* r;
    runner_step step;
    int32_t pass;
} runner_pass;

static bool runner_is_active(const runner* r, int32_t column, int32_t row)
{
    return column < r->columns && row < r->rows && r->active[row * r->columns + column] != 0;
}

// Nothing crosses into tiles that are not computed.
static void runner_close_tile(const runner* r, int32_t tile, ptrdiff_t first)
{
    const runner_planes* p = &r->planes;
    const int32_t column = tile % r->columns;
    const int32_t row = tile / r->columns;
    if (!runner_is_active(r, column + 1, row))
    {
        for (int32_t y = 0; y < RUNNER_TILE_HEIGHT; ++y)
        {
            p->u[first + y * p->stride + RUNNER_TILE_WIDTH - 1] = 0.0f;
        }
    }
    if (!runner_is_active(r, column, row + 1))
    {
        memset(&p->v[first + (RUNNER_TILE_HEIGHT - 1) * p->stride], 0,
               RUNNER_TILE_WIDTH * sizeof *p->v);
    }
}

// Mass in voids and beyond open edges leaves.
static void runner_drain_tile(const runner* r, int32_t tile, ptrdiff_t first)
{
    for (int32_t k = 0; k < RUNNER_TILE_WIDTH * RUNNER_TILE_HEIGHT; ++k)
    {
        const ptrdiff_t i =
            first + k / RUNNER_TILE_WIDTH * r->planes.stride + k % RUNNER_TILE_WIDTH;
        if (r->sinks[i] != 0)
        {
            r->left[tile][r->sinks[i] - 1] += r->planes.mass[i];
            r->planes.mass[i] = 0;
        }
    }
}

// Friction, and the greatest velocities of each tile of the run.
static void runner_rub_run(const runner_pass* job, int32_t tile, int32_t tiles)
{
    const runner* r = job->r;
    float fastest[RUNNER_RUN_WIDTH] = {0.0f};
    float moving[RUNNER_RUN_WIDTH] = {0.0f};
    r->kernels->rub(&r->planes, &job->step, runner_first(r, tile), tiles * RUNNER_TILE_WIDTH,
                    fastest, moving);
    for (int32_t k = 0; k < tiles; ++k)
    {
        float most[2] = {0.0f, 0.0f};
        for (int32_t x = k * RUNNER_TILE_WIDTH; x < (k + 1) * RUNNER_TILE_WIDTH; ++x)
        {
            most[0] = fastest[x] > most[0] ? fastest[x] : most[0];
            most[1] = moving[x] > most[1] ? moving[x] : most[1];
        }
        r->fastest[tile + k] = most[0];
        r->moving[tile + k] = most[1];
        runner_close_tile(r, tile + k, runner_first(r, tile + k));
    }
}

static void runner_settle_run(const runner_pass* job, int32_t tile, int32_t tiles)
{
    const runner* r = job->r;
    r->kernels->settle(&r->planes, &job->step, runner_first(r, tile), tiles * RUNNER_TILE_WIDTH);
    for (int32_t k = tile; k < tile + tiles; ++k)
    {
        if (r->has_sinks[k] != 0)
        {
            runner_drain_tile(r, k, runner_first(r, k));
        }
    }
}

static void runner_run_task(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const runner_pass* job = user;
    const runner* r = job->r;
    const int32_t tile = r->list[block];
    const int32_t tiles = r->lengths[block];
    const int32_t cells = tiles * RUNNER_TILE_WIDTH;
    switch (job->pass)
    {
    case 0:
        r->kernels->push(&r->planes, &job->step, runner_first(r, tile), cells);
        break;
    case 1:
        runner_rub_run(job, tile, tiles);
        break;
    case 2:
        r->kernels->flow(&r->planes, &job->step, runner_first(r, tile), cells);
        break;
    default:
        runner_settle_run(job, tile, tiles);
    }
}

// ---- periodic edges ----------------------------------------------------------------------

void wadi_runner_wrap(const runner* r, void* plane)
{
    const ptrdiff_t cell = sizeof(float);
    const ptrdiff_t n = r->planes.stride * cell;
    char* first = (char*)plane + r->origin * cell;
    const ptrdiff_t width = r->width * cell;
    for (int32_t row = 0; r->wraps_x && row < r->height; ++row)
    {
        char* line = first + row * n;
        memcpy(line - cell, line + width - cell, (size_t)cell);
        memcpy(line + width, line, (size_t)cell);
    }
    if (r->wraps_y)
    {
        char* top = first - cell;
        memcpy(top - n, top + (r->height - 1) * n, (size_t)(width + 2 * cell));
        memcpy(top + r->height * n, top, (size_t)(width + 2 * cell));
    }
}

// The last tiles reach beyond the margin of a periodic axis. The flow from the margin, which is
// that of the other side, would gather there, deepen the waves that bound the step, or fall below
// 0.
static void runner_clear_beyond(const runner* r)
{
    const ptrdiff_t n = r->planes.stride;
    int32_t* const first = &r->planes.mass[r->origin];
    for (int32_t row = -1; r->wraps_x && row <= r->height; ++row)
    {
        first[row * n + r->width + 1] = 0;
    }
    if (r->wraps_y)
    {
        memset(first + (r->height + 1) * n - 1, 0, ((size_t)r->width + 2) * sizeof *first);
    }
}

static void runner_wrap_pass(const runner* r, int32_t pass)
{
    const runner_planes* p = &r->planes;
    void* const planes[RUNNER_PASSES][5] = {
        {p->us, p->vs, p->rub, NULL, NULL},
        {p->u, p->v, NULL, NULL, NULL},
        {p->qx, p->qy, p->bend, NULL, NULL},
        {p->mass, p->bed, p->mixed, p->added, NULL},
    };
    for (int32_t k = 0; planes[pass][k] != NULL; ++k)
    {
        wadi_runner_wrap(r, planes[pass][k]);
    }
    if (pass == RUNNER_PASSES - 1)
    {
        runner_clear_beyond(r);
    }
}

// ---- a step ------------------------------------------------------------------------------

static double runner_length(const runner* r)
{
    const double calm = runner_calm * r->cell;
    const double most =
        r->quick * calm > runner_courant * r->cell ? runner_courant * r->cell / r->quick : calm;
    const double ticks = floor(most * runner_ticks);
    return (ticks > 1.0 ? ticks : 1.0) / runner_ticks;
}

static runner_step runner_constants(const runner* r, double step)
{
    const runner_law* law = &r->law;
    const double metre = 1.0 / WADI_UNITS_PER_METRE;
    const double weight = law->density * runner_fall * 1e-3;
    const double over = law->turbulence > 0.0 ? 1.0 / law->turbulence : 0.0;
    return (runner_step){
        .slope = (float)(metre / r->cell),
        .metre = (float)metre,
        .step = (float)step,
        .time = (float)(r->time + step),
        .turn = (float)(metre / (r->cell * r->cell)),
        .carry = (float)(r->last > 0.0 ? step / r->last : 1.0),
        .share = (float)(step / r->cell),
        .drag = (float)(step * runner_fall * over),
        .drained = (float)law->drained,
        .drain = (float)(step * law->drainage),
        .weight = (float)(weight * metre),
        .blast = (float)(weight * over),
        .threshold = (float)law->bed_stress,
        .potential = (float)(law->bed_depth * WADI_UNITS_PER_METRE),
        .rate = (float)(law->bed_rate * step * WADI_UNITS_PER_METRE),
        .arrival = (float)(law->arrival * WADI_UNITS_PER_METRE),
    };
}

static void runner_sum(runner* r)
{
    float quick = 0.0f;
    float moving = 0.0f;
    for (int32_t k = 0; k < r->count; ++k)
    {
        for (int32_t tile = r->list[k]; tile < r->list[k] + r->lengths[k]; ++tile)
        {
            quick = r->fastest[tile] > quick ? r->fastest[tile] : quick;
            moving = r->moving[tile] > moving ? r->moving[tile] : moving;
        }
    }
    r->quick = (double)quick;
    r->rests = !(moving > 0.0f);
}

void wadi_runner_step(runner* r)
{
    if (r->since % RUNNER_KEEP == 0)
    {
        runner_choose_tiles(r);
        runner_wrap_pass(r, RUNNER_PASSES - 1); // what was released
    }
    ++r->since;
    const double step = runner_length(r);
    runner_pass job = {.r = r, .step = runner_constants(r, step)};
    for (job.pass = 0; job.pass < RUNNER_PASSES; ++job.pass)
    {
        wadi_parallel_blocks(r->context, r->count, runner_run_task, &job);
        runner_wrap_pass(r, job.pass);
    }
    runner_sum(r);
    r->time += step;
    r->last = step;
    ++r->steps;
    r->cell_steps += (int64_t)r->tiles * RUNNER_TILE_WIDTH * RUNNER_TILE_HEIGHT;
}

// ---- release -----------------------------------------------------------------------------

ptrdiff_t wadi_runner_at(const runner* r, int64_t cell)
{
    return r->origin + (ptrdiff_t)(cell / r->width) * r->planes.stride +
           (ptrdiff_t)(cell % r->width);
}

void wadi_runner_pour(runner* r, int64_t cell, int32_t units, double friction)
{
    const runner_planes* p = &r->planes;
    const ptrdiff_t i = wadi_runner_at(r, cell);
    if (units <= 0)
    {
        return;
    }
    const double before = p->mass[i];
    const double mixed = (before * (double)p->mixed[i] + units * friction) / (before + units);
    p->mixed[i] = (float)mixed;
    p->mass[i] += units;
    const double wave = 1.5 * sqrt(runner_fall * p->mass[i] / WADI_UNITS_PER_METRE);
    r->quick = wave > r->quick ? wave : r->quick;
    r->fresh[runner_tile_of(r, i)] = 1;
    runner_touch(r, runner_tile_of(r, i));
    r->since = 0; // choose tiles anew
    r->rests = false;
}

void wadi_runner_release(runner* r, int64_t cell, int32_t units, double friction)
{
    const runner_planes* p = &r->planes;
    const ptrdiff_t i = wadi_runner_at(r, cell);
    p->bed[i] -= units;
    p->soil[i] -= units < p->soil[i] ? units : p->soil[i];
    wadi_runner_pour(r, cell, units, friction);
}

int64_t wadi_runner_holds(const runner* r)
{
    int64_t sum = 0;
    for (int64_t cell = wadi_runner_next(r, -1); cell >= 0; cell = wadi_runner_next(r, cell))
    {
        sum += r->planes.mass[wadi_runner_at(r, cell)];
    }
    return sum;
}

// Mass times speed of the active tiles, in the order of the tiles [units x cells x m/s].
static double runner_momentum(const runner* r)
{
    double sum = 0.0;
    for (int32_t k = 0; k < r->count; ++k)
    {
        const ptrdiff_t first = runner_first(r, r->list[k]);
        for (int32_t row = 0; row < RUNNER_TILE_HEIGHT; ++row)
        {
            const ptrdiff_t start = first + row * r->planes.stride;
            for (ptrdiff_t i = start; i < start + r->lengths[k] * RUNNER_TILE_WIDTH; ++i)
            {
                sum += (double)r->planes.mass[i] * (double)sqrtf(r->planes.fast[i]);
            }
        }
    }
    return sum;
}

bool wadi_runner_is_spent(runner* r, double share)
{
    const double momentum = runner_momentum(r);
    r->vigour = momentum > r->vigour ? momentum : r->vigour;
    return momentum < share * r->vigour;
}
