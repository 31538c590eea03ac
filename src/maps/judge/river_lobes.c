// SPDX-License-Identifier: MIT
// Lobes of a delta or a fan: the outline of what was laid down, as its radius about the apex by
// direction. A lobe is a maximum that stands out from the minima on both sides.
#include "maps/judge/river_forms_internal.h"

#include "core/dmath.h"

enum
{
    LOBES_SECTORS = 72,
    LOBES_LEAST = 12 // radius of a body that is large enough [cells]
};

static const double lobes_deposit = 1.0;    // [m] least, by default
static const double lobes_prominence = 0.1; // of the largest radius

// Mark what was laid down. Returns its highest cell, the apex, or -1.
static int32_t lobes_mark(river_grid* body)
{
    const wadi_river_map* map = body->map;
    const double least = map->least_deposit > 0.0 ? map->least_deposit : lobes_deposit;
    int32_t apex = -1;
    for (int32_t i = 0; i < body->cells; ++i)
    {
        const double height = river_height(body, i);
        body->mask[i] = height - (double)map->before[i] > least ? 1 : 0; // not for NaN
        const bool higher = apex < 0 || height > river_height(body, apex);
        apex = body->mask[i] != 0 && higher ? i : apex;
    }
    return apex;
}

static void lobes_outline(const river_grid* body, const river_part* part, int32_t apex,
                          double* radius)
{
    double raw[LOBES_SECTORS] = {0};
    for (int32_t i = 0; i < part->count; ++i)
    {
        const int32_t cell = part->order[i];
        const double dx = cell % body->width - apex % body->width;
        const double dy = cell / body->width - apex / body->width;
        const double turn = wadi_atan2(dy, dx) / 6.28318530717958648 + 0.5;
        const int32_t sector = (int32_t)(turn * (double)LOBES_SECTORS) % LOBES_SECTORS;
        raw[sector] = fmax(raw[sector], sqrt(dx * dx + dy * dy));
    }
    for (int32_t i = 0; i < LOBES_SECTORS; ++i)
    {
        const double before = raw[(i + LOBES_SECTORS - 1) % LOBES_SECTORS];
        const double after = raw[(i + 1) % LOBES_SECTORS];
        radius[i] = (before + raw[i] + after) / 3.0;
    }
}

// Maxima of a ring of radii, from its least one around.
static double lobes_count(const double* radius)
{
    int32_t start = 0;
    double most = 0.0;
    for (int32_t i = 0; i < LOBES_SECTORS; ++i)
    {
        start = radius[i] < radius[start] ? i : start;
        most = fmax(most, radius[i]);
    }
    if (most < (double)LOBES_LEAST)
    {
        return (double)NAN;
    }
    int32_t lobes = 0;
    bool rising = true;
    double turn = radius[start]; // the least since the last lobe, or its largest radius
    for (int32_t i = 1; i <= LOBES_SECTORS; ++i)
    {
        const double value = radius[(start + i) % LOBES_SECTORS];
        const double change = rising ? value - turn : turn - value;
        if (change >= lobes_prominence * most)
        {
            lobes += rising ? 1 : 0;
            rising = !rising;
            turn = value;
        }
        turn = change < 0.0 ? value : turn;
    }
    return lobes > 0 ? lobes : 1;
}

static wadi_result lobes_run(river_grid* body, river_part* part, double* lobes)
{
    WADI_ALLOC(body->context, body->mask, body->cells, "lobes of a delta");
    const int32_t apex = lobes_mark(body);
    if (apex < 0)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_river_part_open(body, part));
    WADI_TRY(wadi_river_reach(body, apex, part));
    double radius[LOBES_SECTORS];
    lobes_outline(body, part, apex, radius);
    *lobes = lobes_count(radius);
    return WADI_OK;
}

wadi_result wadi_river_lobes(const river_grid* grid, double* lobes)
{
    *lobes = (double)NAN;
    if (grid->map->before == NULL)
    {
        return WADI_OK;
    }
    river_grid body = *grid;
    river_part part = {0};
    body.mask = NULL;
    const wadi_result result = lobes_run(&body, &part, lobes);
    wadi_free(body.context, body.mask);
    wadi_river_part_close(&body, &part);
    return result;
}
