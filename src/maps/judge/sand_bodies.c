// SPDX-License-Identifier: MIT
// Bodies of sand and their horns. The front of a body is its farthest sand downwind, by its
// distance across; it has a horn where an outer third of the front reaches farther than the inner
// third.
#include "core/dmath.h"
#include "maps/judge/dune_shapes_internal.h"

enum
{
    BODIES_LANES = 64, // most lanes across a body
    BODIES_LEAST = 9,  // least cells of a body
    RISE_REACH = 8,    // coarse cells of the opening
    RISE_MOST = 256    // cells of a coarse cell, along a side
};

static const double bodies_horn = 0.08;       // of the width
static const double bodies_lane = 1.5;        // [cells] least width of a lane
static const double bodies_touch = 1.0 / 3.0; // of the outline of a free body, beside other sand
static const double bodies_round = 0.9;       // of a periodic side: the body surrounds the map

// ---- the ground between dunes -------------------------------------------------------------------

// A coarse map: the lowest ground of each block, then its morphological opening by a disc.
typedef struct rise_map
{
    const shape_grid* grid;
    shape_grid coarse;
    int32_t block;
    float* lowest;
    float* opened;
} rise_map;

static void rise_fill(const rise_map* map)
{
    const shape_grid* g = map->grid;
    for (int32_t i = 0; i < map->coarse.cells; ++i)
    {
        map->lowest[i] = NAN;
    }
    for (int32_t i = 0; i < g->cells; ++i)
    {
        const int32_t at =
            i / g->width / map->block * map->coarse.width + i % g->width / map->block;
        map->lowest[at] = fminf(map->lowest[at], g->z[i]); // NaN is left out
    }
}

// Least, or for `sign` -1 greatest, value within the disc.
static void rise_filter(const rise_map* map, const float* in, float sign, float* out)
{
    const shape_grid* c = &map->coarse;
    for (int32_t i = 0; i < c->cells; ++i)
    {
        float least = NAN;
        for (int32_t y = -RISE_REACH; y <= RISE_REACH; ++y)
        {
            for (int32_t x = -RISE_REACH; x <= RISE_REACH; ++x)
            {
                const bool near = x * x + y * y <= RISE_REACH * RISE_REACH;
                const int32_t n = near ? shape_index(c, i % c->width + x, i / c->width + y) : -1;
                least = n >= 0 ? fminf(least, sign * in[n]) : least;
            }
        }
        out[i] = sign * least;
    }
}

static void rise_above(const rise_map* map, float* out)
{
    const shape_grid* g = map->grid;
    for (int32_t i = 0; i < g->cells; ++i)
    {
        const int32_t at =
            i / g->width / map->block * map->coarse.width + i % g->width / map->block;
        const float rise = g->z[i] - map->lowest[at];
        out[i] = rise < 0.0f ? 0.0f : rise;
    }
}

wadi_result wadi_sand_bodies_rise(const shape_grid* grid, double reach, float* out)
{
    const double block = ceil(reach / (RISE_REACH * grid->cell));
    rise_map map = {.grid = grid, .coarse = *grid};
    map.block = block < 1.0 ? 1 : block > RISE_MOST ? RISE_MOST : (int32_t)block;
    map.coarse.width = (grid->width + map.block - 1) / map.block;
    map.coarse.height = (grid->height + map.block - 1) / map.block;
    map.coarse.cells = map.coarse.width * map.coarse.height;
    WADI_ALLOC(grid->context, map.lowest, 2 * (int64_t)map.coarse.cells, "ground between dunes");
    map.opened = map.lowest + map.coarse.cells;
    rise_fill(&map);
    rise_filter(&map, map.lowest, 1.0f, map.opened);
    rise_filter(&map, map.opened, -1.0f, map.lowest);
    rise_above(&map, out);
    wadi_free(grid->context, map.lowest);
    return WADI_OK;
}

// ---- one body -----------------------------------------------------------------------------------

// Positions of the cells of a body across and along its axis.
typedef struct body_frame
{
    const body_job* job;
    const int32_t* cells;
    int32_t count;
    double east; // of the axis
    double north;
    double low; // extent across
    double high;
    int32_t lanes;
    double front[BODIES_LANES];
    int32_t tip[BODIES_LANES]; // cell of the front; -1: no sand in this lane
} body_frame;

static shape_place frame_place(const body_frame* f, int32_t k)
{
    const shape_place p = shape_between(f->job->grid, f->cells[0], f->cells[k]);
    return (shape_place){p.x * f->north - p.y * f->east, p.x * f->east + p.y * f->north};
}

// The axis is the drift, or the mean descent of the body's slip faces.
static double frame_axis(const body_frame* f, bool slips)
{
    const body_job* job = f->job;
    shape_place sum = {0.0, 0.0};
    for (int32_t k = 0; k < f->count && slips; ++k)
    {
        shape_place slope;
        if (job->slip[f->cells[k]] != 0 &&
            wadi_shape_gradient(job->grid, job->grid->z, f->cells[k], &slope))
        {
            sum.x -= slope.x;
            sum.y -= slope.y;
        }
    }
    return !isnan(job->drift) ? job->drift
           : slips            ? dune_azimuth(wadi_atan2(sum.x, sum.y) * dune_degree, 360.0)
                              : job->lee;
}

static int32_t frame_lane(const body_frame* f, double across)
{
    const double share = f->high > f->low ? (across - f->low) / (f->high - f->low) : 0.0;
    const int32_t lane = (int32_t)(share * f->lanes);
    return lane < f->lanes ? lane : f->lanes - 1;
}

static void frame_fill(body_frame* f, wadi_dune_body* out)
{
    double least = (double)INFINITY;
    double most = -(double)INFINITY;
    f->low = (double)INFINITY;
    f->high = -(double)INFINITY;
    for (int32_t k = 0; k < f->count; ++k)
    {
        const shape_place p = frame_place(f, k);
        f->low = fmin(f->low, p.x);
        f->high = fmax(f->high, p.x);
        least = fmin(least, p.y);
        most = fmax(most, p.y);
    }
    const double cell = f->job->grid->cell;
    out->width = f->high - f->low + cell;
    out->length = most - least + cell;
    const double lanes = floor((f->high - f->low) / (bodies_lane * cell));
    f->lanes = lanes < 3.0 ? 3 : lanes > BODIES_LANES ? BODIES_LANES : (int32_t)lanes;
    for (int32_t lane = 0; lane < f->lanes; ++lane)
    {
        f->tip[lane] = -1;
    }
    for (int32_t k = 0; k < f->count; ++k)
    {
        const shape_place p = frame_place(f, k);
        const int32_t lane = frame_lane(f, p.x);
        if (f->tip[lane] < 0 || p.y > f->front[lane])
        {
            f->front[lane] = p.y;
            f->tip[lane] = f->cells[k];
        }
    }
}

// Lane of the front that reaches farthest, or for `sign` -1 least far, in a share of the width.
static int32_t frame_extreme(const body_frame* f, double from, double to, double sign)
{
    int32_t best = -1;
    for (int32_t lane = 0; lane < f->lanes; ++lane)
    {
        const double middle = (lane + 0.5) / f->lanes;
        const bool inside = middle >= from && middle <= to && f->tip[lane] >= 0;
        const bool better = best < 0 || (inside && sign * f->front[lane] > sign * f->front[best]);
        best = inside && better ? lane : best;
    }
    return best;
}

static void frame_find_horns(const body_frame* f, wadi_dune_body* out, uint16_t* marks)
{
    const int32_t inner = frame_extreme(f, 1.0 / 3.0, 2.0 / 3.0, -1.0);
    const int32_t outer[2] = {frame_extreme(f, 0.0, 1.0 / 3.0, 1.0),
                              frame_extreme(f, 2.0 / 3.0, 1.0, 1.0)};
    for (int32_t side = 0; side < 2 && inner >= 0; ++side)
    {
        const int32_t lane = outer[side];
        out->horns[side] = lane >= 0 ? f->front[lane] - f->front[inner] : 0.0;
        const bool horn = out->horns[side] > bodies_horn * out->width;
        out->horned += horn ? 1 : 0;
        if (horn && marks != NULL)
        {
            marks[f->tip[lane]] |= WADI_DUNE_MARK_HORN;
        }
    }
}

// Does a body lie within the map, away from open edges and voids, with most of its outline on bare
// ground?
static bool body_is_free(const body_frame* f, const wadi_dune_body* body, const int32_t* label)
{
    const shape_grid* g = f->job->grid;
    int32_t outline = 0;
    int32_t touching = 0;
    for (int32_t k = 0; k < 8 * f->count; ++k)
    {
        const int32_t n = shape_neighbour(g, f->cells[k / 8], k % 8);
        if (n < 0 || isnan(f->job->thick[n]))
        {
            return false;
        }
        const bool outside = label[n] != label[f->cells[0]];
        outline += outside ? 1 : 0;
        touching += outside && (double)f->job->thick[n] >= f->job->thin ? 1 : 0;
    }
    const double side = fmin(g->wraps_x ? g->width * g->dx : (double)INFINITY,
                             g->wraps_y ? g->height * g->dy : (double)INFINITY);
    return fmax(body->width, body->length) < bodies_round * side &&
           touching <= bodies_touch * outline;
}

static wadi_dune_body body_measure(const body_job* job, const shape_parts* parts, int32_t part,
                                   uint16_t* marks)
{
    const shape_grid* g = job->grid;
    const int32_t* cells = parts->cells + parts->first[part];
    const int32_t count = parts->first[part + 1] - parts->first[part];
    body_frame frame = {.job = job, .cells = cells, .count = count};
    wadi_dune_body body = {.area = count * g->dx * g->dy};
    shape_place middle = {0.0, 0.0};
    for (int32_t k = 0; k < count; ++k)
    {
        const double thick = (double)job->thick[cells[k]];
        const shape_place p = shape_between(g, cells[0], cells[k]);
        body.height = fmax(body.height, thick);
        body.volume += thick * g->dx * g->dy;
        body.slips = body.slips || job->slip[cells[k]] != 0;
        middle.x += thick * g->dx * g->dy * p.x;
        middle.y += thick * g->dx * g->dy * p.y;
    }
    body.x = (cells[0] % g->width + 0.5) * g->dx + middle.x / body.volume;
    body.y = (cells[0] / g->width + 0.5) * g->dy - middle.y / body.volume;
    body.axis = frame_axis(&frame, body.slips);
    frame.east = wadi_sin(body.axis / dune_degree);
    frame.north = wadi_cos(body.axis / dune_degree);
    frame_fill(&frame, &body);
    body.free = body_is_free(&frame, &body, parts->label);
    if (body.free && body.height >= job->least)
    {
        frame_find_horns(&frame, &body, marks);
    }
    return body;
}

// ---- all bodies ---------------------------------------------------------------------------------

static void bodies_mark(const shape_parts* parts, int32_t part, bool crescent, uint16_t* marks)
{
    for (int32_t k = parts->first[part]; marks != NULL && k < parts->first[part + 1]; ++k)
    {
        marks[parts->cells[k]] |=
            (uint16_t)(WADI_DUNE_MARK_BODY | (crescent ? WADI_DUNE_MARK_CRESCENT : 0));
    }
}

// Insert by volume, the largest first.
static void bodies_insert(const wadi_dune_body* body, wadi_dune_body* bodies, int32_t capacity,
                          int32_t count)
{
    int32_t at = count < capacity ? count : capacity;
    while (at > 0 && bodies[at - 1].volume < body->volume)
    {
        if (at < capacity)
        {
            bodies[at] = bodies[at - 1];
        }
        --at;
    }
    if (at < capacity)
    {
        bodies[at] = *body;
    }
}

static void bodies_add(const body_job* job, const shape_parts* parts, int32_t part,
                       wadi_dune_body* bodies, int32_t capacity, int32_t* count,
                       wadi_dune_shapes* out, uint16_t* marks)
{
    const wadi_dune_body body = body_measure(job, parts, part, marks);
    if (body.height >= job->least)
    {
        out->bodies += 1;
        out->free += body.free ? 1 : 0;
        out->crescents += body.horned == 2 ? 1 : 0;
        out->one_horn += body.horned == 1 ? 1 : 0;
        bodies_mark(parts, part, body.horned == 2, marks);
        bodies_insert(&body, bodies, capacity, (*count)++);
    }
}

wadi_result wadi_sand_bodies_list(const body_job* job, wadi_dune_body* bodies, int32_t capacity,
                                  int32_t* count, wadi_dune_shapes* out, uint16_t* marks)
{
    uint8_t* mask;
    const shape_grid* g = job->grid;
    *count = 0;
    WADI_ALLOC(g->context, mask, g->cells, "bodies of sand");
    shape_parts parts = {0};
    wadi_result result = wadi_sand_split(job, mask);
    result = result == WADI_OK ? wadi_shape_parts_find(g, mask, SHAPE_LINK_EIGHT, &parts) : result;
    for (int32_t p = 0; p < parts.count; ++p)
    {
        if (parts.first[p + 1] - parts.first[p] >= BODIES_LEAST)
        {
            bodies_add(job, &parts, p, bodies, capacity, count, out, marks);
        }
    }
    wadi_shape_parts_free(g, &parts);
    wadi_free(g->context, mask);
    return result;
}
