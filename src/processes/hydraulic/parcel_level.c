// SPDX-License-Identifier: MIT
// Creation of a level: its arrays, its outline, and its copy of the ground.
#include "laws/slopes/talus.h"
#include "processes/hydraulic/parcel_momentum.h"

#include <math.h>
#include <string.h>

// ---- outline -----------------------------------------------------------------------------

// The cell at (x, y), over periodic edges too; -1 beyond other edges.
static int64_t level_cell(const parcel_level* level, int32_t x, int32_t y)
{
    const wadi_edge* edges = level->ground->edges;
    if (x < 0 || x >= level->width)
    {
        if (edges[WADI_SIDE_WEST] != WADI_EDGE_PERIODIC)
        {
            return -1;
        }
        x = (x + level->width) % level->width;
    }
    if (y < 0 || y >= level->height)
    {
        if (edges[WADI_SIDE_NORTH] != WADI_EDGE_PERIODIC)
        {
            return -1;
        }
        y = (y + level->height) % level->height;
    }
    return (int64_t)y * level->width + x;
}

// Side over which the parcels of a cell may leave, plus one; 0 inside.
static uint8_t level_rim_of(const parcel_level* level, int32_t x, int32_t y)
{
    const wadi_edge* edges = level->ground->edges;
    if (level->ground->valid[(int64_t)y * level->width + x] == 0)
    {
        return PARCEL_VOID;
    }
    const bool at[4] = {y == 0, x == level->width - 1, y == level->height - 1, x == 0};
    for (int side = 0; side < 4; ++side)
    {
        if (at[side] && edges[side] == WADI_EDGE_OPEN)
        {
            return (uint8_t)(1 + side);
        }
    }
    for (int d = 0; d < 8 && !level->ground->all_valid; ++d)
    {
        const int64_t n = level_cell(level, x + parcel_dx[d], y + parcel_dy[d]);
        if (n >= 0 && level->ground->valid[n] == 0)
        {
            return (uint8_t)(1 + wadi_ground_void_side(level->ground, n));
        }
    }
    return 0;
}

static void level_outline(parcel_level* level)
{
    for (int32_t y = 0; y < level->height; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            const uint8_t rim = level_rim_of(level, x, y);
            level->rim[(int64_t)y * level->width + x] = rim;
            level->has_outlet |= rim != 0 && rim != PARCEL_VOID;
        }
    }
}

// ---- reading -----------------------------------------------------------------------------

void wadi_parcel_level_refresh_ghosts(const parcel_level* level, int32_t* padded)
{
    const wadi_edge* edges = level->ground->edges;
    const bool wraps_x = edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    for (int32_t y = 0; y < level->height; ++y)
    {
        int32_t* row = padded + parcel_padded_index(level, 0, y);
        row[-1] = wraps_x ? row[level->width - 1] : PARCEL_WALL;
        row[level->width] = wraps_x ? row[0] : PARCEL_WALL;
    }
    int32_t* north = padded + parcel_padded_index(level, -1, -1);
    int32_t* south = padded + parcel_padded_index(level, -1, level->height);
    const size_t bytes = (size_t)level->stride * sizeof *padded;
    if (wraps_y)
    {
        memcpy(north, padded + parcel_padded_index(level, -1, level->height - 1), bytes);
        memcpy(south, padded + parcel_padded_index(level, -1, 0), bytes);
        return;
    }
    for (int32_t x = 0; x < level->stride; ++x)
    {
        north[x] = PARCEL_WALL;
        south[x] = PARCEL_WALL;
    }
}

void wadi_parcel_level_wrap(const parcel_level* level, void* padded, size_t size)
{
    const wadi_edge* edges = level->ground->edges;
    char* at = padded;
    for (int32_t y = 0; y < level->height && edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC; ++y)
    {
        char* row = at + (size_t)parcel_padded_index(level, 0, y) * size;
        char* beyond = row + (size_t)level->width * size;
        memcpy(row - size, beyond - size, size);
        memcpy(beyond, row, size);
    }
    if (edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)
    {
        const size_t bytes = (size_t)level->stride * size;
        memcpy(at, at + (size_t)level->height * bytes, bytes);
        memcpy(at + ((size_t)level->height + 1) * bytes, at + bytes, bytes);
    }
}

void wadi_parcel_level_read_ground(parcel_level* level)
{
    for (int32_t y = 0; y < level->height; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            const int64_t cell = (int64_t)y * level->width + x;
            const bool here = level->rim[cell] != PARCEL_VOID;
            level->surface[parcel_padded_index(level, x, y)] =
                here ? wadi_ground_surface(level->ground, cell) - level->datum : PARCEL_WALL;
        }
    }
    wadi_parcel_level_refresh_ghosts(level, level->surface);
}

// Heights are measured from the lowest cell, so that the difference of any two fits 32 bits.
static wadi_result level_find_datum(parcel_level* level)
{
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (int64_t c = 0; c < level->cells; ++c)
    {
        if (level->ground->valid[c] != 0)
        {
            const int32_t h = wadi_ground_surface(level->ground, c);
            low = h < low ? h : low;
            high = h > high ? h : high;
        }
    }
    const double relief = ((double)high - (double)low) / WADI_UNITS_PER_METRE;
    WADI_CHECK(level->context, low <= high, WADI_ERROR_STATE,
               "the terrain has no cell with data: there is nothing to erode");

    // half of the range stays free for the tilt of the flood and for deposits
    WADI_CHECK(level->context, relief <= 16000.0, WADI_ERROR_RANGE,
               "a relief of %.0f m is more than the 16000 m that hydraulic takes; check the height"
               " scale",
               relief);
    level->datum = low;
    return WADI_OK;
}

// Rain as whole weights relative to the mean rain, which `weight_m3` holds.
static wadi_result level_read_rain(parcel_level* level, const float* rain)
{
    double mean = level->params->rain;
    if (rain != NULL)
    {
        double sum = 0.0;
        double count = 0.0;
        for (int64_t c = 0; c < level->cells; ++c)
        {
            sum += level->ground->valid[c] != 0 ? (double)rain[c] : 0.0;
            count += level->ground->valid[c] != 0 ? 1.0 : 0.0;
        }
        mean = sum / count;
        WADI_ALLOC(level->context, level->rain, level->cells, "rain");
        for (int64_t c = 0; c < level->cells && mean > 0.0; ++c)
        {
            // all the rain of 34 million cells in one cell would not fit
            const double weights = floor((double)rain[c] / mean * PARCEL_WEIGHT + 0.5);
            level->rain[c] = (int32_t)fmin(weights, (double)INT32_MAX);
        }
    }
    level->mean_rain = mean;
    level->weight_m3 = mean * level->cell * level->cell / PARCEL_WEIGHT;
    return WADI_OK;
}

static bool level_find_hardness(const parcel_level* level)
{
    bool any = level->ground->rock_softness != 1.0 || level->ground->strata != NULL;
    for (int64_t c = 0; c < level->cells && !any; ++c)
    {
        any = level->ground->hardness[c] != 0;
    }
    return any;
}

// ---- life --------------------------------------------------------------------------------

static wadi_result level_allocate_cells(parcel_level* level)
{
    wadi_context* context = level->context;
    const int64_t n = level->cells;
    WADI_ALLOC(context, level->rim, n, "the outline");
    WADI_ALLOC(context, level->route, n, "routes");
    WADI_ALLOC(context, level->wet, n, "routes");
    WADI_ALLOC(context, level->pick, n, "rates");
    WADI_ALLOC(context, level->cap, n, "rates");
    WADI_ALLOC(context, level->settle, n, "rates");
    WADI_ALLOC(context, level->flow, n, "discharge");
    WADI_ALLOC(context, level->discharge, n, "discharge");
    WADI_ALLOC(context, level->tangents, n, "angles of repose");
    return WADI_OK;
}

static wadi_result level_allocate_padded(parcel_level* level)
{
    wadi_context* context = level->context;
    WADI_ALLOC(context, level->surface, level->padded, "the surface");
    WADI_ALLOC(context, level->spare, level->padded, "the surface");
    WADI_ALLOC(context, level->route_surface, level->padded, "the surface");
    WADI_ALLOC(context, level->ease, level->padded, "creep");
    if (level->has_hardness)
    {
        WADI_ALLOC(context, level->grip, level->padded, "hardness");
    }
    return WADI_OK;
}

// Cells over which water leaves are outlets.
static wadi_result level_create_flood(parcel_level* level)
{
    const wadi_flow_flood_def def = {
        .context = level->context,
        .width = level->width,
        .height = level->height,
        .wraps_x = level->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
        .wraps_y = level->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
        .valid = level->ground->valid,
    };
    WADI_ALLOC(level->context, level->outlets, level->cells, "outlets");
    for (int32_t y = 0; y < level->height; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            const uint8_t rim = level->rim[(int64_t)y * level->width + x];
            if (rim != 0 && rim != PARCEL_VOID)
            {
                level->outlets[level->outlet_count++] = (uint32_t)parcel_padded_index(level, x, y);
            }
        }
    }
    return wadi_flow_flood_create(&def, &level->flood);
}

wadi_result wadi_parcel_flood(parcel_level* level, int32_t rise_axis, int32_t rise_diagonal,
                              int32_t* out)
{
    if (!level->has_outlet && level->sink >= 0)
    {
        level->outlets[0] = (uint32_t)parcel_padded_index(
            level, (int32_t)(level->sink % level->width), (int32_t)(level->sink / level->width));
        level->outlet_count = 1;
    }
    const wadi_flow_flood_job job = {
        .surface = level->surface,
        .outlets = level->outlets,
        .outlet_count = level->outlet_count,
        .rise_axis = rise_axis,
        .rise_diagonal = rise_diagonal,
        .out = out,
    };
    WADI_TRY(wadi_flow_flood_run(level->flood, &job));
    wadi_parcel_level_refresh_ghosts(level, out);
    return WADI_OK;
}

static wadi_result level_allocate_rest(parcel_level* level, bool finest)
{
    wadi_context* context = level->context;
    const int64_t workers = wadi_context_workers(context);
    WADI_TRY(wadi_talus_create(context, level->width, level->height, true, &level->talus));
    WADI_ALLOC(context, level->worker_tallies, workers, "slides");
    WADI_ALLOC(context, level->worker_rows, workers * level->width, "slides");
    if (finest)
    {
        WADI_ALLOC(context, level->label, level->cells, "lakes");
    }
    WADI_TRY(wadi_parcel_momentum_create(level));
    WADI_TRY(wadi_parcel_walk_create(level));
    return level_create_flood(level);
}

static wadi_result level_init(parcel_level* level, const parcel_level_def* def)
{
    level->has_hardness = level_find_hardness(level);
    WADI_TRY(level_allocate_cells(level));
    WADI_TRY(level_allocate_padded(level));
    WADI_TRY(level_find_datum(level));
    level_outline(level);
    WADI_TRY(level_allocate_rest(level, def->finest));
    WADI_TRY(level_read_rain(level, def->rain));
    wadi_parcel_level_read_ground(level);
    return WADI_OK;
}

wadi_result wadi_parcel_level_create(const parcel_level_def* def, parcel_level** out)
{
    *out = NULL;
    wadi_context* context = wadi_terrain_context(def->terrain);
    parcel_level* level;
    WADI_ALLOC(context, level, 1, "a level");
    level->context = context;
    level->terrain = def->terrain;
    level->ground = wadi_terrain_ground(def->terrain);
    level->params = def->params;
    level->stream = def->stream;
    level->land = def->land;
    level->wear = def->wear;
    level->deposit = def->deposit;
    level->width = level->ground->width;
    level->height = level->ground->height;
    level->cells = level->ground->cells;
    level->cell = level->ground->cell_size;
    level->stride = level->width + 2;
    level->padded = (int64_t)level->stride * (level->height + 2);
    level->tiles_x = (level->width + PARCEL_TILE - 1) / PARCEL_TILE;
    level->tiles_y = (level->height + PARCEL_TILE - 1) / PARCEL_TILE;
    level->sink = -1;
    const wadi_result result = level_init(level, def);
    if (result != WADI_OK)
    {
        wadi_parcel_level_destroy(level);
        return result;
    }
    *out = level;
    return WADI_OK;
}

void wadi_parcel_level_destroy(parcel_level* level)
{
    if (level == NULL)
    {
        return;
    }
    wadi_context* context = level->context;
    wadi_parcel_momentum_destroy(level);
    wadi_flow_flood_destroy(level->flood);
    wadi_parcel_walk_destroy(level);
    wadi_talus_destroy(level->talus);
    void* const arrays[] = {
        level->wet,         level->surface,   level->spare, level->route_surface,
        level->ease,        level->tangents,  level->grip,  level->rim,
        level->route,       level->pick,      level->cap,   level->settle,
        level->flow,        level->discharge, level->rain,  level->worker_tallies,
        level->worker_rows, level->label,     level->lakes, level->outlets,
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    {
        wadi_free(context, arrays[i]);
    }
    wadi_free(context, level);
}
