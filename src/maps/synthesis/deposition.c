// SPDX-License-Identifier: MIT
// Particles fall one after the other and settle. The rule of settling determines the growth model:
// rolling is Edwards & Wilkinson (1982), sticking Kardar, Parisi & Zhang (1986), and the hop to
// the most concave cell Wolf & Villain (1990), whose spectrum, k^-4, is that of mountains.
#include "core/dmath.h"
#include "core/random.h"
#include "maps/synthesis/generator.h"

#include <math.h>

enum
{
    DEPOSITION_STREAM = 0x4465706F,
    DEPOSITION_MAX_AROUND = 48 // cells within a reach of 3
};

typedef struct deposition_run
{
    const synthesis_grid* grid;
    wadi_deposition_params params;
    int32_t* height; // [particles]
    int32_t around;  // number of cells within reach
    int8_t east[DEPOSITION_MAX_AROUND];
    int8_t south[DEPOSITION_MAX_AROUND];
    double distance[DEPOSITION_MAX_AROUND]; // [cells]
    double emitter_x;                       // [m]
    double emitter_y;
} deposition_run;

// Index of a cell; -1 beyond the grid.
static int64_t deposition_cell(const deposition_run* run, int32_t x, int32_t y)
{
    const synthesis_grid* grid = run->grid;
    if (run->params.tileable)
    {
        x = (x % grid->width + grid->width) % grid->width;
        y = (y % grid->height + grid->height) % grid->height;
    }
    const bool inside = x >= 0 && x < grid->width && y >= 0 && y < grid->height;
    return inside ? (int64_t)y * grid->width + x : -1;
}

static int64_t deposition_neighbour(const deposition_run* run, int64_t cell, int32_t k)
{
    return deposition_cell(run, (int32_t)(cell % run->grid->width) + run->east[k],
                           (int32_t)(cell / run->grid->width) + run->south[k]);
}

static void deposition_list_neighbours(deposition_run* run)
{
    const int32_t reach = run->params.reach;
    for (int32_t y = -reach; y <= reach; ++y)
    {
        for (int32_t x = -reach; x <= reach; ++x)
        {
            if (x != 0 || y != 0)
            {
                run->east[run->around] = (int8_t)x;
                run->south[run->around] = (int8_t)y;
                run->distance[run->around] = sqrt((double)(x * x + y * y));
                run->around += 1;
            }
        }
    }
}

// ---- the emitter -------------------------------------------------------------------------

// Keep a wandering coordinate in [0, extent]: wrapped on a tile, otherwise reflected at the border.
static double deposition_keep(double at, double extent, bool wraps)
{
    if (wraps)
    {
        return at - extent * floor(at / extent);
    }
    at = at < 0.0 ? -at : at;
    at = at > extent ? 2.0 * extent - at : at;
    return fmin(extent, fmax(0.0, at));
}

static int64_t deposition_wander(deposition_run* run, wadi_philox random)
{
    const synthesis_grid* grid = run->grid;
    const wadi_deposition_params* p = &run->params;
    const double turn = 6.283185307179586;
    const double way = turn * wadi_unit_double(random.v[0], 0);
    run->emitter_x = deposition_keep(run->emitter_x + p->wander * wadi_cos(way),
                                     grid->width * grid->cell_size, p->tileable);
    run->emitter_y = deposition_keep(run->emitter_y + p->wander * wadi_sin(way),
                                     grid->height * grid->cell_size, p->tileable);
    const double angle = turn * wadi_unit_double(random.v[1], 0);
    const double radius = p->scatter * sqrt(wadi_unit_double(random.v[3], 0));
    const double x = run->emitter_x + radius * wadi_cos(angle);
    const double y = run->emitter_y + radius * wadi_sin(angle);
    return deposition_cell(run, (int32_t)floor(x / grid->cell_size),
                           (int32_t)floor(y / grid->cell_size));
}

static int64_t deposition_emit(deposition_run* run, wadi_philox random)
{
    const int64_t column = (int64_t)(((uint64_t)random.v[0] * (uint32_t)run->grid->width) >> 32);
    const int64_t row = (int64_t)(((uint64_t)random.v[1] * (uint32_t)run->grid->height) >> 32);
    return run->params.wander > 0.0 ? deposition_wander(run, random)
                                    : row * run->grid->width + column;
}

// ---- settling ----------------------------------------------------------------------------

// Random order of equally good neighbours, different for each particle. (Always taking the first
// one drew rows across the ground.)
static uint32_t deposition_rank(int32_t k, uint32_t word)
{
    const uint32_t mixed = ((uint32_t)k * 0x9E3779B1u ^ word) * 0x85EBCA77u;
    return mixed ^ (mixed >> 15);
}

// The steepest descent, or -1 if the particle stays.
static int64_t deposition_downhill(const deposition_run* run, int64_t cell, uint32_t word)
{
    int64_t best = -1;
    uint32_t best_rank = 0;
    double steepest = (double)run->params.hold;
    for (int32_t k = 0; k < run->around; ++k)
    {
        const int64_t n = deposition_neighbour(run, cell, k);
        const double drop = n >= 0 ? (run->height[cell] - run->height[n]) / run->distance[k] : 0.0;
        const uint32_t rank = deposition_rank(k, word);
        if (drop > steepest || (drop == steepest && best >= 0 && rank > best_rank))
        {
            steepest = drop;
            best = n;
            best_rank = rank;
        }
    }
    return best;
}

static void deposition_roll(deposition_run* run, int64_t cell, uint32_t word)
{
    for (int64_t next = cell; next >= 0; next = deposition_downhill(run, cell, word))
    {
        cell = next;
    }
    run->height[cell] += 1;
}

static const int8_t deposition_side_x[4] = {1, 0, -1, 0};
static const int8_t deposition_side_y[4] = {0, 1, 0, -1};

static int64_t deposition_side(const deposition_run* run, int64_t cell, int k)
{
    return deposition_cell(run, (int32_t)(cell % run->grid->width) + deposition_side_x[k],
                           (int32_t)(cell / run->grid->width) + deposition_side_y[k]);
}

static void deposition_stick(deposition_run* run, int64_t cell, uint32_t word)
{
    (void)word;
    int32_t top = run->height[cell] + 1;
    for (int k = 0; k < 4; ++k)
    {
        const int64_t n = deposition_side(run, cell, k);
        top = n >= 0 && run->height[n] > top ? run->height[n] : top;
    }
    run->height[cell] = top;
}

// Sum of the height differences to the four axis neighbours.
static int32_t deposition_concavity(const deposition_run* run, int64_t cell)
{
    int32_t sum = 0;
    for (int k = 0; k < 4; ++k)
    {
        const int64_t n = deposition_side(run, cell, k);
        sum += n >= 0 ? run->height[n] - run->height[cell] : 0;
    }
    return sum;
}

static void deposition_hop(deposition_run* run, int64_t cell, uint32_t word)
{
    int64_t best = cell;
    uint32_t best_rank = UINT32_MAX; // among equals the cell of impact wins
    int32_t most = deposition_concavity(run, cell);
    for (int32_t k = 0; k < run->around; ++k)
    {
        const int64_t n = deposition_neighbour(run, cell, k);
        const int32_t concavity = n >= 0 ? deposition_concavity(run, n) : INT32_MIN;
        const uint32_t rank = deposition_rank(k, word);
        if (concavity > most || (concavity == most && rank > best_rank))
        {
            most = concavity;
            best = n;
            best_rank = rank;
        }
    }
    run->height[best] += 1;
}

typedef void deposition_settle_fn(deposition_run* run, int64_t cell, uint32_t word);

static deposition_settle_fn* const deposition_settle[WADI_DEPOSITION_COUNT] = {
    [WADI_DEPOSITION_ROLL] = deposition_roll,
    [WADI_DEPOSITION_STICK] = deposition_stick,
    [WADI_DEPOSITION_HOP] = deposition_hop,
};

// ---- run ---------------------------------------------------------------------------------

// Heights above the rim of the caldera are reflected at it.
static void deposition_write(const deposition_run* run)
{
    const int64_t cells = synthesis_cells(run->grid);
    int32_t highest = 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        highest = run->height[i] > highest ? run->height[i] : highest;
    }
    const double rim = run->params.caldera * highest;
    for (int64_t i = 0; i < cells; ++i)
    {
        const double height = run->height[i];
        run->grid->out[i] = (float)(height > rim ? 2.0 * rim - height : height);
    }
}

wadi_result wadi_deposition_fill(const synthesis_grid* grid, const void* params)
{
    deposition_run run = {.grid = grid,
                          .params = *(const wadi_deposition_params*)params,
                          .emitter_x = 0.5 * grid->width * grid->cell_size,
                          .emitter_y = 0.5 * grid->height * grid->cell_size};
    deposition_list_neighbours(&run);
    WADI_ALLOC(grid->context, run.height, synthesis_cells(grid), "piles of particles");
    const int64_t particles = (int64_t)(run.params.per_cell * (double)synthesis_cells(grid));
    for (int64_t i = 0; i < particles; ++i)
    {
        const wadi_philox random = wadi_random(grid->seed, DEPOSITION_STREAM, (uint64_t)i, 0);
        const int64_t cell = deposition_emit(&run, random);
        if (cell >= 0)
        {
            deposition_settle[run.params.kind](&run, cell, random.v[2]);
        }
    }
    deposition_write(&run);
    wadi_free(grid->context, run.height);
    wadi_synthesis_scale(grid, run.params.base, run.params.relief);
    return WADI_OK;
}
