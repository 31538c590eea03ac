// SPDX-License-Identifier: MIT
// Routes and rates of a level: the kernel over all rows, then the special cases: the rim, cells
// without data and standing water.
#include "processes/hydraulic/parcel_kernels.h"
#include "processes/hydraulic/parcel_momentum.h"

#include "core/dmath.h"
#include "core/random.h"

typedef struct routes_job
{
    parcel_level* level;
    parcel_rate_constants constants;
    const parcel_kernels* kernels;
    int32_t deep; // [units] depth of water beyond which a parcel drifts
} routes_job;

static parcel_rate_constants routes_constants(const parcel_level* level, float mean_rate,
                                              int32_t walks)
{
    const wadi_hydraulic_params* p = level->params;
    const double units = WADI_UNITS_PER_METRE;
    parcel_rate_constants c = {.mean_rate = mean_rate};
    c.slope_scale = (float)(1.0 / (units * level->cell));
    c.pick_scale = (float)(level->dt * p->erodibility * units *
                           wadi_pow(level->weight_m3, p->discharge_exponent));
    c.m = (float)p->discharge_exponent;
    c.n = (float)p->slope_exponent;
    c.slope_is_linear = p->slope_exponent == 1.0;
    c.loose_factor = (float)p->sediment_erodibility;
    c.incision_limit = (float)p->incision_limit;
    // a larger share of the drop would dam the cell's own outflow within a batch
    c.deposit_limit = 0.25f / (float)walks;
    c.lake_share = 0.5f / (float)walks;
    c.settling = (float)(p->settling * PARCEL_WEIGHT);
    c.lake_settling = (float)(p->lake_settling * PARCEL_WEIGHT);

    // a tenth of a cell: half the depth of a deep lake in one batch would make an uneven floor
    c.lake_cap = (float)(0.1 * level->cell * units / walks);
    c.wet_depth = (int32_t)(1e-4 * level->cell * units);
    return c;
}

// Deep water has no useful gradient. Parcels drift to the first strictly lower neighbour, starting
// from a random direction; this makes a plume instead of stripes along the tree of the flood.
static parcel_route routes_drift(const parcel_level* level, int64_t padded, int64_t cell)
{
    const ptrdiff_t s = level->stride;
    const ptrdiff_t step[8] = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1};
    const wadi_philox random =
        wadi_random(wadi_terrain_seed(level->terrain), level->stream, (uint64_t)cell, level->batch);
    const int32_t first = (int32_t)(random.v[0] & 7);
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t d = (first + k) & 7;
        if (level->route_surface[padded + step[d]] < level->route_surface[padded])
        {
            return parcel_route_make(d, d, 0);
        }
    }
    return parcel_route_make(PARCEL_HOLD, PARCEL_HOLD, 0);
}

static void routes_stop(parcel_level* level, int64_t cell, int32_t code)
{
    level->route[cell] = parcel_route_make(code, code, 0);
    level->pick[cell] = 0;
    level->cap[cell] = 0;
}

// The lowest cells of the rim are outlets with a fixed height: the base level of the land.
static void routes_fix_cell(const routes_job* job, int32_t x, int32_t y)
{
    parcel_level* level = job->level;
    const int64_t cell = (int64_t)y * level->width + x;
    const int64_t padded = parcel_padded_index(level, x, y);
    const uint8_t rim = level->rim[cell];
    if (rim == PARCEL_VOID)
    {
        routes_stop(level, cell, PARCEL_HOLD);
        return;
    }
    const bool stuck = (level->route[cell] & 15) == PARCEL_HOLD;
    if (stuck && rim != 0)
    {
        routes_stop(level, cell, PARCEL_OUTLET);
    }
    else if (!stuck && level->route_surface[padded] - level->surface[padded] > job->deep)
    {
        level->route[cell] = routes_drift(level, padded, cell);
    }
}

// Is any cell of this stretch a special case? Few stretches have one.
static bool routes_any_special(const parcel_row* row, const uint8_t* restrict rim, int32_t begin,
                               int32_t end, int32_t deep)
{
    const int32_t* restrict r = row->route_surface;
    const int32_t* restrict h = row->surface;
    const parcel_route* restrict route = row->route;
    int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t x = begin; x < end; ++x)
    {
        any |= (r[x] - h[x] > deep) | ((route[x] & 15) == PARCEL_HOLD) | (rim[x] == PARCEL_VOID);
    }
    return any != 0;
}

static void routes_row(const routes_job* job, int32_t y)
{
    enum
    {
        STRETCH = 64
    };
    parcel_level* level = job->level;
    const int64_t cell = (int64_t)y * level->width;
    const int64_t padded = parcel_padded_index(level, 0, y);
    const parcel_row row = {
        .constants = &job->constants,
        .route_surface = level->route_surface + padded,
        .surface = level->surface + padded,
        .stride = level->stride,
        .count = level->width,
        .loose = level->ground->loose[0] + cell,
        .flow = level->flow + cell,
        .discharge = level->discharge + cell,
        .route = level->route + cell,
        .wet = level->wet + cell,
        .pick = level->pick + cell,
        .cap = level->cap + cell,
        .settle = level->settle + cell,
    };
    job->kernels->routes(&row);
    for (int32_t begin = 0; begin < level->width; begin += STRETCH)
    {
        const int32_t end = begin + STRETCH < level->width ? begin + STRETCH : level->width;
        if (!routes_any_special(&row, level->rim + cell, begin, end, job->deep))
        {
            continue;
        }
        for (int32_t x = begin; x < end; ++x)
        {
            routes_fix_cell(job, x, y); // does nothing to ordinary cells
        }
    }
}

static void routes_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        routes_row(user, y);
    }
}

void wadi_parcel_routes(parcel_level* level, float mean_rate, int32_t walks)
{
    routes_job job = {
        .level = level,
        .constants = routes_constants(level, mean_rate, walks),
        .kernels = parcel_kernels_of(wadi_isa_best()),
        .deep = (int32_t)(0.05 * level->cell * WADI_UNITS_PER_METRE),
    };
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, routes_rows, &job);
    wadi_parcel_momentum_flow(level);
}
