// SPDX-License-Identifier: MIT
// Water in the soil: rain fills the deficit, then raises the water table; water flows along the
// base of the soil to lower neighbours,
//     q = K h_w S cos^2 b       [m2/s],
// kinematic and conservative. Whole units move, so no water is lost.
#include "laws/slopes/storm_internal.h"

#include <math.h>

static const double water_share = 0.9; // most of a cell's water that leaves in a substep

typedef struct water_job
{
    storm_land* land;
    double seconds; // of a substep
    double rain;    // [units of water]
} water_job;

// ---- geometry ----------------------------------------------------------------------------

// Cell to the east or south, round a torus; -1 at the edge of the map.
static int64_t water_beside(const storm_land* land, int64_t cell, bool south)
{
    const int32_t x = (int32_t)(cell % land->width);
    const int32_t y = (int32_t)(cell / land->width);
    if (south ? y + 1 < land->height : x + 1 < land->width)
    {
        return south ? cell + land->width : cell + 1;
    }
    const wadi_edge edge = land->edges[south ? WADI_SIDE_NORTH : WADI_SIDE_WEST];
    return edge != WADI_EDGE_PERIODIC ? -1 : south ? x : (int64_t)y * land->width;
}

// Share of the giver's water that passes an edge in a substep; below 0: towards `cell`.
static float water_share_of(const water_job* job, int64_t cell, int64_t to)
{
    const storm_land* land = job->land;
    if (to < 0 || storm_is_void(land, cell) || storm_is_void(land, to))
    {
        return 0.0f;
    }
    const double fall = (double)(land->surface[cell] - land->surface[to]) / land->cell;
    const int64_t giver = fall > 0.0 ? cell : to;
    const double gx = (double)land->east[giver];
    const double gy = (double)land->north[giver];
    const double steep = fall > 2.0 ? 2.0 : fall < -2.0 ? -2.0 : fall;
    return (float)((double)land->conduct[giver] * steep / (1.0 + gx * gx + gy * gy) * job->seconds /
                   (land->law.porosity * land->cell));
}

static void water_share_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const water_job* job = user;
    storm_land* land = job->land;
    for (int64_t c = (int64_t)begin * land->width; c < (int64_t)end * land->width; ++c)
    {
        land->to_east[c] = water_share_of(job, c, water_beside(land, c, false));
        land->to_south[c] = water_share_of(job, c, water_beside(land, c, true));
    }
}

static int64_t water_before(const storm_land* land, int64_t cell, bool north)
{
    const int32_t x = (int32_t)(cell % land->width);
    const int32_t y = (int32_t)(cell / land->width);
    if (north ? y > 0 : x > 0)
    {
        return north ? cell - land->width : cell - 1;
    }
    const wadi_edge edge = land->edges[north ? WADI_SIDE_NORTH : WADI_SIDE_WEST];
    return edge != WADI_EDGE_PERIODIC ? -1
           : north                    ? (int64_t)(land->height - 1) * land->width + x
                                      : cell + land->width - 1;
}

static float water_positive(float x)
{
    return x > 0.0f ? x : 0.0f;
}

// Shares that leave a cell must leave some of its water.
static void water_limit_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const water_job* job = user;
    storm_land* land = job->land;
    for (int64_t c = (int64_t)begin * land->width; c < (int64_t)end * land->width; ++c)
    {
        const int64_t west = water_before(land, c, false);
        const int64_t north = water_before(land, c, true);
        const float sum = water_positive(land->to_east[c]) + water_positive(land->to_south[c]) +
                          (west >= 0 ? water_positive(-land->to_east[west]) : 0.0f) +
                          (north >= 0 ? water_positive(-land->to_south[north]) : 0.0f);
        land->noise[c] = sum > (float)water_share ? (float)water_share / sum : 1.0f;
    }
}

static void water_scale_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const water_job* job = user;
    storm_land* land = job->land;
    for (int64_t c = (int64_t)begin * land->width; c < (int64_t)end * land->width; ++c)
    {
        const int64_t east = water_beside(land, c, false);
        const int64_t south = water_beside(land, c, true);
        land->to_east[c] *=
            land->to_east[c] > 0.0f || east < 0 ? land->noise[c] : land->noise[east];
        land->to_south[c] *=
            land->to_south[c] > 0.0f || south < 0 ? land->noise[c] : land->noise[south];
    }
}

int32_t wadi_storm_conduct(storm_land* land, double seconds)
{
    const storm_law* law = &land->law;
    const double passes =
        ceil(6.0 * law->conductivity * seconds / (law->porosity * land->cell * water_share));
    const int32_t substeps = (int32_t)fmin(1e4, fmax(1.0, passes));
    water_job job = {.land = land, .seconds = seconds / (double)substeps};
    wadi_parallel_rows(land->context, land->height, STORM_GRAIN, water_share_rows, &job);
    wadi_parallel_rows(land->context, land->height, STORM_GRAIN, water_limit_rows, &job);
    wadi_parallel_rows(land->context, land->height, STORM_GRAIN, water_scale_rows, &job);
    return substeps;
}

// ---- a step ------------------------------------------------------------------------------

static int32_t water_units(double metres)
{
    return (int32_t)(metres * STORM_WATER + 0.5);
}

void wadi_storm_dry(storm_land* land)
{
    for (int64_t c = 0; c < land->cells; ++c)
    {
        const double depth = storm_is_void(land, c) ? 0.0 : storm_depth(land->soil[c]);
        land->room[c] = water_units(depth * land->law.porosity);
        land->dry[c] = water_units(depth * land->law.deficit);
        land->water[c] = 0;
    }
}

// What passes an edge, towards the east or south.
static inline int32_t water_passes(float share, int32_t here, int32_t there)
{
    return (int32_t)(share * (float)(share > 0.0f ? here : there));
}

static void water_flow_cell(const storm_land* land, int64_t c)
{
    const int32_t* water = land->water;
    const int64_t west = water_before(land, c, false);
    const int64_t north = water_before(land, c, true);
    const int64_t east = water_beside(land, c, false);
    const int64_t south = water_beside(land, c, true);
    int32_t sum = water[c];
    sum -= east >= 0 ? water_passes(land->to_east[c], water[c], water[east]) : 0;
    sum -= south >= 0 ? water_passes(land->to_south[c], water[c], water[south]) : 0;
    sum += west >= 0 ? water_passes(land->to_east[west], water[west], water[c]) : 0;
    sum += north >= 0 ? water_passes(land->to_south[north], water[north], water[c]) : 0;
    land->next[c] = sum;
}

// Cells from `from` to `to` of a row that is not the first or last: plain loops over neighbours.
static void water_flow_span(const storm_land* land, int64_t from, int64_t to)
{
    const int64_t width = land->width;
    const int32_t* water = land->water;
    const float* east = land->to_east;
    const float* south = land->to_south;
    for (int64_t c = from; c < to; ++c)
    {
        land->next[c] = water[c] - water_passes(east[c], water[c], water[c + 1]) -
                        water_passes(south[c], water[c], water[c + width]) +
                        water_passes(east[c - 1], water[c - 1], water[c]) +
                        water_passes(south[c - width], water[c - width], water[c]);
    }
}

static void water_flow_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const water_job* job = user;
    const storm_land* land = job->land;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * land->width;
        const int64_t last = first + land->width;
        const bool inner = y > 0 && y + 1 < land->height && land->width > 2;
        const int64_t from = inner ? first + 1 : last;
        for (int64_t c = first; c < from; ++c)
        {
            water_flow_cell(land, c);
        }
        if (inner)
        {
            water_flow_span(land, from, last - 1);
            water_flow_cell(land, last - 1);
        }
    }
}

// Let rain in and cut off what finds no room.
static void water_admit(storm_land* land, int64_t c, double rain, storm_books* books)
{
    const int32_t units =
        land->room[c] > 0 && rain > 0.0 ? (int32_t)(rain * (double)land->rain[c] + 0.5) : 0;
    const int32_t soaks = units < land->dry[c] ? units : land->dry[c];
    const int64_t sum = (int64_t)land->water[c] + (units - soaks);
    const int32_t room = land->room[c];
    land->dry[c] -= soaks;
    land->water[c] = (int32_t)(sum < room ? sum : room);
    books->rain += units;
    books->soaked += soaks;
    books->runoff += sum - land->water[c];
}

static void water_admit_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const water_job* job = user;
    storm_land* land = job->land;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int64_t c = (int64_t)y * land->width; c < (int64_t)(y + 1) * land->width; ++c)
        {
            water_admit(land, c, job->rain, &land->rows[y]);
        }
    }
}

static void water_admit_all(water_job* job, double rain)
{
    job->rain = rain;
    wadi_parallel_rows(job->land->context, job->land->height, STORM_GRAIN, water_admit_rows, job);
}

static void water_collect(storm_land* land, storm_books* books)
{
    for (int32_t y = 0; y < land->height; ++y)
    {
        books->rain += land->rows[y].rain;
        books->soaked += land->rows[y].soaked;
        books->runoff += land->rows[y].runoff;
        land->rows[y] = (storm_books){0};
    }
}

void wadi_storm_wet(storm_land* land, double metres, int32_t substeps, storm_books* books)
{
    water_job job = {.land = land};
    water_admit_all(&job, metres * STORM_WATER);
    for (int32_t s = 0; s < substeps; ++s)
    {
        wadi_parallel_rows(land->context, land->height, STORM_GRAIN, water_flow_rows, &job);
        int32_t* last = land->water;
        land->water = land->next;
        land->next = last;
        water_admit_all(&job, 0.0);
    }
    water_collect(land, books);
}
