// SPDX-License-Identifier: MIT
// Dimples and spikes: forms of a few cells that neither water nor slides leave behind.
#include "maps/judge/land_forms_internal.h"

enum
{
    DENTS_LAKE = 10 // cells of the smallest depression that counts as a lake
};

static const double dents_deep = 0.5; // deepest depression that is no dimple [m]

typedef struct dents_run
{
    const land_drainage* drainage;
    uint8_t* seen;
    int32_t* stack;
    double dimples;
} dents_run;

static bool dents_is_closed(const dents_run* run, int64_t cell)
{
    return land_depth(run->drainage, cell) > run->drainage->grid->least; // false for voids
}

// Cells of a depression, and how deep it is.
static int64_t dents_measure(dents_run* run, int64_t start, double* deepest)
{
    int64_t count = 0;
    int64_t waiting = 0;
    run->stack[waiting++] = (int32_t)start;
    run->seen[start] = 1;
    while (waiting > 0)
    {
        const int32_t cell = run->stack[--waiting];
        ++count;
        *deepest = fmax(*deepest, land_depth(run->drainage, cell));
        for (int k = 0; k < 8; ++k)
        {
            const int64_t n = land_neighbour(run->drainage->grid, cell, k);
            if (n >= 0 && run->seen[n] == 0 && dents_is_closed(run, n))
            {
                run->seen[n] = 1;
                run->stack[waiting++] = (int32_t)n;
            }
        }
    }
    return count;
}

static void dents_count_dimples(dents_run* run)
{
    for (int64_t i = 0; i < run->drainage->grid->cells; ++i)
    {
        if (run->seen[i] == 0 && dents_is_closed(run, i))
        {
            double deepest = 0.0;
            const int64_t count = dents_measure(run, i, &deepest);
            run->dimples += count < DENTS_LAKE && deepest > dents_deep ? 1.0 : 0.0;
        }
    }
}

// Whether a cell stands above all its neighbours by more than 45 degrees.
static bool dents_is_spike(const land_grid* grid, int64_t cell)
{
    for (int k = 0; k < 8; ++k)
    {
        const int64_t n = land_neighbour(grid, cell, k);
        if (n < 0 || !((double)grid->z[cell] - (double)grid->z[n] > land_step(grid, k)))
        {
            return false;
        }
    }
    return !isnan(grid->z[cell]);
}

static double dents_count_spikes(const land_grid* grid)
{
    double spikes = 0.0;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        spikes += dents_is_spike(grid, i) ? 1.0 : 0.0;
    }
    return spikes;
}

static wadi_result dents_run_all(dents_run* run, wadi_land_forms* out)
{
    const land_grid* grid = run->drainage->grid;
    WADI_ALLOC(grid->context, run->seen, grid->cells, "depressions");
    WADI_ALLOC(grid->context, run->stack, grid->cells, "depressions");
    dents_count_dimples(run);
    out->dimples = 1e4 * run->dimples / (double)grid->valid;
    out->spikes = 1e4 * dents_count_spikes(grid) / (double)grid->valid;
    return WADI_OK;
}

wadi_result wadi_land_dents(const land_drainage* drainage, wadi_land_forms* out)
{
    dents_run run = {.drainage = drainage};
    const wadi_result result = dents_run_all(&run, out);
    wadi_free(drainage->grid->context, run.seen);
    wadi_free(drainage->grid->context, run.stack);
    return result;
}
