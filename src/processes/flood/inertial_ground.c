// SPDX-License-Identifier: MIT
// Memory of inertial shallow water, and its copy of the ground with edges and voids.
#include "processes/flood/inertial.h"

#include <math.h>
#include <string.h>

enum
{
    GROUND_PLANES = 16,
    GROUND_SPAN = 3,  // cells between those of which the slope at an edge is measured
    GROUND_VALLEY = 6 // cells on both sides of the mouth of a valley
};

// ---- memory ------------------------------------------------------------------------------

// Divide the memory into planes; all have 4 bytes for a cell.
static void ground_place_planes(inertial* w)
{
    inertial_planes* p = &w->planes;
    float** const floats[] = {&p->rough, &p->qx,    &p->qy,   &p->nx,     &p->ny,   &p->ux,
                              &p->uy,    &p->depth, &p->fast, &p->hazard, &p->dawn, &p->duration};
    int32_t** const whole[] = {&p->bed, &p->mass, &p->fx, &p->fy};
    _Static_assert(sizeof floats / sizeof floats[0] + sizeof whole / sizeof whole[0] ==
                       GROUND_PLANES,
                   "planes of the water");
    for (int32_t k = 0; k < WADI_COUNT(floats); ++k)
    {
        *floats[k] = w->memory + k * w->size;
    }
    for (int32_t k = 0; k < WADI_COUNT(whole); ++k)
    {
        *whole[k] = (int32_t*)(w->memory + (WADI_COUNT(floats) + k) * w->size);
    }
}

static wadi_result ground_allocate(inertial* w)
{
    wadi_context* context = w->context;
    const int64_t tiles = (int64_t)w->columns * w->rows;
    WADI_ALLOC(context, w->memory, GROUND_PLANES * w->size, "planes of a flood");
    ground_place_planes(w);
    WADI_ALLOC(context, w->fresh, tiles, "tiles of a flood");
    WADI_ALLOC(context, w->active, tiles, "tiles of a flood");
    WADI_ALLOC(context, w->level, tiles, "tiles of a flood");
    WADI_ALLOC(context, w->fastest, tiles, "tiles of a flood");
    WADI_ALLOC(context, w->deepest, tiles, "tiles of a flood");
    WADI_ALLOC(context, w->list, tiles, "tiles of a flood");
    WADI_ALLOC(context, w->lengths, tiles, "tiles of a flood");
    for (ptrdiff_t i = 0; i < w->size; ++i)
    {
        w->planes.dawn[i] = INFINITY;
    }
    return WADI_OK;
}

void wadi_inertial_destroy(inertial* w)
{
    if (w == NULL)
    {
        return;
    }
    wadi_context* context = w->context;
    wadi_free(context, w->memory);
    wadi_free(context, w->outlets);
    wadi_free(context, w->fresh);
    wadi_free(context, w->active);
    wadi_free(context, w->level);
    wadi_free(context, w->fastest);
    wadi_free(context, w->deepest);
    wadi_free(context, w->list);
    wadi_free(context, w->lengths);
    wadi_free(context, w);
}

static void ground_measure(inertial* w, const wadi_ground* ground)
{
    w->width = ground->width;
    w->height = ground->height;
    w->cell = ground->cell_size;
    w->wraps_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    w->wraps_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    w->columns = (w->width + 2 + INERTIAL_TILE_WIDTH - 1) / INERTIAL_TILE_WIDTH;
    w->rows = (w->height + 2 + INERTIAL_TILE_HEIGHT - 1) / INERTIAL_TILE_HEIGHT;
    w->planes.stride = (ptrdiff_t)w->columns * INERTIAL_TILE_WIDTH + 2 * INERTIAL_MARGIN;
    w->size = w->planes.stride * ((ptrdiff_t)w->rows * INERTIAL_TILE_HEIGHT + 2 * INERTIAL_RING);
    w->origin = INERTIAL_RING * w->planes.stride + INERTIAL_MARGIN + 1;
}

wadi_result wadi_inertial_create(wadi_context* context, const wadi_ground* ground,
                                 const inertial_law* law, inertial** out)
{
    inertial* w;
    WADI_ALLOC(context, w, 1, "a flood");
    w->context = context;
    w->kernels = inertial_kernels_of(wadi_isa_best());
    w->law = *law;
    ground_measure(w, ground);
    const wadi_result result = ground_allocate(w);
    if (result != WADI_OK)
    {
        wadi_inertial_destroy(w);
        return result;
    }
    *out = w;
    return WADI_OK;
}

// ---- ground ------------------------------------------------------------------------------

static void ground_copy_cell(const inertial* w, const wadi_ground* ground, int64_t cell,
                             const float* rough)
{
    const inertial_planes* p = &w->planes;
    const ptrdiff_t i = wadi_inertial_at(w, cell);
    const bool valid = ground->valid[cell] != 0;
    const int32_t bed = valid ? wadi_ground_surface(ground, cell) : 0;
    const int32_t mass = valid ? ground->water[cell] : 0;
    if (valid && (p->bed[i] != bed || p->mass[i] != mass) && mass + p->mass[i] > 0)
    {
        const int32_t tile = wadi_inertial_tile_of(w, i);
        w->fresh[tile] = 1;
        w->deepest[tile] = mass > w->deepest[tile] ? mass : w->deepest[tile];
    }
    p->bed[i] = bed;
    p->mass[i] = mass;
    const float own = rough != NULL && rough[cell] > 0.0f ? rough[cell] : 0.0f;
    p->rough[i] = !valid ? 0.0f : own > 0.0f ? own : (float)w->law.roughness;
}

// The lowest ground beside a void, or INT32_MAX.
static int32_t ground_beside(const wadi_ground* ground, int64_t cell)
{
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    int32_t low = INT32_MAX;
    for (int32_t k = 0; k < 4; ++k)
    {
        const int64_t n =
            wadi_ground_cell_at(ground, x + (k == 0) - (k == 1), y + (k == 2) - (k == 3));
        if (n >= 0 && ground->valid[n] != 0)
        {
            const int32_t height = wadi_ground_surface(ground, n);
            low = height < low ? height : low;
        }
    }
    return low;
}

static void ground_add_outlet(inertial* w, const inertial_outlet* outlet)
{
    const float inside = outlet->inner >= 0 ? w->planes.rough[outlet->inner] : 0.0f;
    w->planes.rough[outlet->at] = -(inside > 0.0f ? inside : (float)w->law.roughness);
    w->planes.mass[outlet->at] = outlet->inner >= 0 ? w->planes.mass[outlet->inner] : 0;
    w->outlets[w->outlet_count] = *outlet;
    w->outlets[w->outlet_count++].held = w->planes.mass[outlet->at];
}

// A void beside the ground lies as low as its lowest neighbour, so that water falls into it.
static void ground_fill_void(inertial* w, const wadi_ground* ground, int64_t cell)
{
    const int32_t low = ground_beside(ground, cell);
    const ptrdiff_t i = wadi_inertial_at(w, cell);
    if (low < INT32_MAX)
    {
        w->planes.bed[i] = low;
        const inertial_outlet outlet = {
            .at = (int32_t)i, .inner = -1, .side = (int32_t)wadi_ground_void_side(ground, cell)};
        ground_add_outlet(w, &outlet);
    }
}

// A cell of the margin as seen from there: which way is in, and which along the edge.
typedef struct ground_side
{
    ptrdiff_t in;
    ptrdiff_t along;
    int32_t depth;  // cells inwards
    int32_t before; // cells of the edge before this one
    int32_t after;
    bool wraps; // its ends are beside each other
} ground_side;

// The cell `k` places along the edge from `inner`; -1: none.
static ptrdiff_t ground_along(ptrdiff_t inner, const ground_side* at, int32_t k)
{
    const int32_t count = at->before + 1 + at->after;
    const int32_t place = at->before + k;
    const int32_t here = at->wraps ? (place % count + count) % count : place;
    return here >= 0 && here < count ? inner + (here - at->before) * at->along : -1;
}

// Fall of the ground out of the terrain at a cell of the edge [units a cell]: of the parabola
// through it and two cells inside, because the bank of a valley that crosses the edge at an angle
// is curved. False: cells are missing.
static bool ground_falls(const inertial* w, ptrdiff_t inner, const ground_side* at, double* fall)
{
    const inertial_planes* p = &w->planes;
    const int32_t room = (at->depth - 1) / 2;
    const int32_t step = room < GROUND_SPAN ? room : GROUND_SPAN;
    const ptrdiff_t a = inner + step * at->in;
    const ptrdiff_t b = a + step * at->in;
    if (step == 0 || !(p->rough[inner] > 0.0f && p->rough[a] > 0.0f && p->rough[b] > 0.0f))
    {
        return false;
    }
    *fall = (4.0 * p->bed[a] - p->bed[b] - 3.0 * p->bed[inner]) / (2.0 * step);
    return true;
}

// Place along the edge of the lowest cell nearby, counted from `inner`.
static int32_t ground_mouth(const inertial* w, ptrdiff_t inner, const ground_side* at)
{
    int32_t mouth = 0;
    int32_t low = w->planes.bed[inner];
    for (int32_t k = -GROUND_VALLEY; k <= GROUND_VALLEY; ++k)
    {
        const ptrdiff_t i = ground_along(inner, at, k);
        if (i >= 0 && w->planes.rough[i] > 0.0f && w->planes.bed[i] < low)
        {
            low = w->planes.bed[i];
            mouth = k;
        }
    }
    return mouth;
}

// Fall of the valley that crosses the edge: the mean of as many cells on both sides of its lowest,
// over which the slopes of its banks cancel out.
static double ground_valley_fall(const inertial* w, ptrdiff_t inner, const ground_side* at)
{
    const int32_t mouth = ground_mouth(w, inner, at);
    const int32_t before = at->before + mouth;
    const int32_t after = at->after - mouth;
    const int32_t least = at->wraps        ? (at->before + at->after) / 2
                          : before < after ? before
                                           : after;
    const int32_t reach = least < GROUND_VALLEY ? least : GROUND_VALLEY;
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t k = mouth - reach; k <= mouth + reach; ++k)
    {
        double fall;
        if (ground_falls(w, ground_along(inner, at, k), at, &fall))
        {
            sum += fall;
            ++count;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

// One cell of the margin: a wall, or an outlet. No water flows out where the ground rises.
static void ground_edge_cell(inertial* w, const wadi_ground* ground, ptrdiff_t at,
                             const ground_side* from, int32_t side)
{
    const inertial_planes* p = &w->planes;
    const inertial_law* law = &w->law;
    const ptrdiff_t inner = at + from->in;
    p->bed[at] = p->bed[inner];
    p->rough[at] = 0.0f;
    p->mass[at] = 0;
    if (ground->edges[side] != WADI_EDGE_OPEN || !(p->rough[inner] > 0.0f))
    {
        return;
    }
    const double unit = w->cell * WADI_UNITS_PER_METRE;
    const double least = law->least_slope * unit;
    const double fall =
        law->edge_slope > 0.0 ? law->edge_slope * unit : ground_valley_fall(w, inner, from);
    if (fall <= -least)
    {
        return;
    }
    const double bed = (double)p->bed[at] - floor(fmax(fall, least) + 0.5);
    p->bed[at] = (int32_t)fmax(bed, -WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE);
    const inertial_outlet outlet = {.at = (int32_t)at, .inner = (int32_t)inner, .side = side};
    ground_add_outlet(w, &outlet);
}

static void ground_edges(inertial* w, const wadi_ground* ground)
{
    const ptrdiff_t n = w->planes.stride;
    const int32_t east = w->width;
    const int32_t south = w->height;
    for (int32_t row = 0; row < south && !w->wraps_x; ++row)
    {
        const ptrdiff_t i = w->origin + row * n;
        const ground_side in[2] = {{1, n, east, row, south - 1 - row, w->wraps_y},
                                   {-1, n, east, row, south - 1 - row, w->wraps_y}};
        ground_edge_cell(w, ground, i - 1, &in[0], WADI_SIDE_WEST);
        ground_edge_cell(w, ground, i + east, &in[1], WADI_SIDE_EAST);
    }
    for (int32_t column = 0; column < east && !w->wraps_y; ++column)
    {
        const ptrdiff_t i = w->origin + column;
        const ground_side in[2] = {{n, 1, south, column, east - 1 - column, w->wraps_x},
                                   {-n, 1, south, column, east - 1 - column, w->wraps_x}};
        ground_edge_cell(w, ground, i - n, &in[0], WADI_SIDE_NORTH);
        ground_edge_cell(w, ground, i + south * n, &in[1], WADI_SIDE_SOUTH);
    }
}

// Room for the outlets of a terrain whose voids may have changed.
static wadi_result ground_make_room(inertial* w)
{
    const int64_t most =
        (int64_t)w->width * w->height - w->valid + 2 * ((int64_t)w->width + w->height);
    if (most > w->outlet_room)
    {
        inertial_outlet* outlets;
        WADI_ALLOC(w->context, outlets, most, "outlets of a flood");
        wadi_free(w->context, w->outlets);
        w->outlets = outlets;
        w->outlet_room = most;
    }
    w->outlet_count = 0;
    return WADI_OK;
}

// Water or ground that was changed may set water in motion.
static void ground_wake(inertial* w)
{
    for (int32_t tile = 0; tile < w->columns * w->rows; ++tile)
    {
        w->rests = w->rests && w->fresh[tile] == 0;
        w->since = w->fresh[tile] != 0 && w->active[tile] == 0 ? 0 : w->since;
    }
}

wadi_result wadi_inertial_follow(inertial* w, const wadi_ground* ground, const float* rough)
{
    const inertial_planes* p = &w->planes;
    w->valid = 0;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        ground_copy_cell(w, ground, cell, rough);
        w->valid += ground->valid[cell] != 0 ? 1 : 0;
    }
    WADI_TRY(ground_make_room(w));
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        if (ground->valid[cell] == 0)
        {
            ground_fill_void(w, ground, cell);
        }
    }
    ground_edges(w, ground);
    wadi_inertial_wrap(w, p->bed, INERTIAL_RING);
    wadi_inertial_wrap(w, p->mass, INERTIAL_RING);
    wadi_inertial_wrap(w, p->rough, 1); // nothing moves beyond the first ring
    ground_wake(w);
    return WADI_OK;
}
