// SPDX-License-Identifier: MIT
// Memory of inertial shallow water, and its copy of the ground with edges and voids.
#include "processes/flood/inertial.h"

#include <math.h>
#include <string.h>

enum
{
    GROUND_PLANES = 22,
    GROUND_SPAN = 3 // cells over which the slope at an edge is measured
};

// ---- memory ------------------------------------------------------------------------------

// Divide the memory into planes; all have 4 bytes for a cell.
static void ground_place_planes(inertial* w)
{
    inertial_planes* p = &w->planes;
    float** const floats[] = {&p->gate, &p->gives, &p->rough, &p->qx,     &p->qy,   &p->nx,
                              &p->ny,   &p->ux,    &p->uy,    &p->wx,     &p->wy,   &p->rx,
                              &p->ry,   &p->depth, &p->fast,  &p->hazard, &p->dawn, &p->duration};
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
    w->size = w->planes.stride * ((ptrdiff_t)w->rows * INERTIAL_TILE_HEIGHT + 2);
    w->origin = 2 * w->planes.stride + INERTIAL_MARGIN + 1;
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
    p->gate[i] = p->gives[i] = valid ? 1.0f : 0.0f;
    p->rough[i] = rough != NULL && rough[cell] > 0.0f ? rough[cell] : (float)w->law.roughness;
}

// The lowest ground beside a void, or INT32_MAX.
static int32_t ground_beside(const wadi_ground* ground, int64_t cell)
{
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    int32_t low = INT32_MAX;
    for (int32_t k = 0; k < 4; ++k)
    {
        const int32_t nx = x + (k == 0) - (k == 1);
        const int32_t ny = y + (k == 2) - (k == 3);
        const int64_t n = (int64_t)ny * ground->width + nx;
        if (nx >= 0 && nx < ground->width && ny >= 0 && ny < ground->height &&
            ground->valid[n] != 0)
        {
            const int32_t height = wadi_ground_surface(ground, n);
            low = height < low ? height : low;
        }
    }
    return low;
}

static void ground_add_outlet(inertial* w, ptrdiff_t at, ptrdiff_t inner, int32_t side)
{
    w->planes.gate[at] = 1.0f;
    w->planes.gives[at] = 0.0f;
    w->planes.mass[at] = inner >= 0 ? w->planes.mass[inner] : 0;
    w->outlets[w->outlet_count++] = (inertial_outlet){(int32_t)at, (int32_t)inner, side};
}

// A void beside the ground lies as low as its lowest neighbour, so that water falls into it.
static void ground_fill_void(inertial* w, const wadi_ground* ground, int64_t cell)
{
    const int32_t low = ground_beside(ground, cell);
    const ptrdiff_t i = wadi_inertial_at(w, cell);
    if (low < INT32_MAX)
    {
        w->planes.bed[i] = low;
        ground_add_outlet(w, i, -1, WADI_SIDE_VOID);
    }
}

// One cell of the margin: a wall, or an outlet from which the ground falls on. `on` leads inwards;
// `span` cells lie in that direction.
static void ground_edge_cell(inertial* w, const wadi_ground* ground, ptrdiff_t at, ptrdiff_t on,
                             int32_t span, int32_t side)
{
    const inertial_planes* p = &w->planes;
    const ptrdiff_t inner = at + on;
    p->gate[at] = p->gives[at] = 0.0f;
    p->bed[at] = p->bed[inner];
    p->rough[at] = p->rough[inner];
    p->mass[at] = 0;
    if (ground->edges[side] != WADI_EDGE_OPEN || p->gives[inner] == 0.0f)
    {
        return;
    }
    int32_t steps = 0;
    while (steps < GROUND_SPAN && steps + 1 < span && p->gives[inner + (steps + 1) * on] > 0.0f)
    {
        ++steps;
    }
    const double rise = (double)p->bed[inner + steps * on] - (double)p->bed[inner];
    const double slope =
        steps > 0 ? rise / (steps * w->cell * WADI_UNITS_PER_METRE) : w->law.least_slope;
    const double own = w->law.edge_slope > 0.0 ? w->law.edge_slope : slope;
    const double fall = fmax(own, w->law.least_slope) * w->cell * WADI_UNITS_PER_METRE;
    p->bed[at] -= (int32_t)fmin(floor(fall + 0.5), 1e9);
    ground_add_outlet(w, at, inner, side);
}

static void ground_edges(inertial* w, const wadi_ground* ground)
{
    const ptrdiff_t n = w->planes.stride;
    for (int32_t row = 0; row < w->height && !w->wraps_x; ++row)
    {
        const ptrdiff_t i = w->origin + row * n;
        ground_edge_cell(w, ground, i - 1, 1, w->width, WADI_SIDE_WEST);
        ground_edge_cell(w, ground, i + w->width, -1, w->width, WADI_SIDE_EAST);
    }
    for (int32_t column = 0; column < w->width && !w->wraps_y; ++column)
    {
        const ptrdiff_t i = w->origin + column;
        ground_edge_cell(w, ground, i - n, n, w->height, WADI_SIDE_NORTH);
        ground_edge_cell(w, ground, i + w->height * n, -n, w->height, WADI_SIDE_SOUTH);
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
    void* const planes[] = {p->bed, p->mass, p->gate, p->gives, p->rough};
    for (int32_t k = 0; k < WADI_COUNT(planes); ++k)
    {
        wadi_inertial_wrap(w, planes[k]);
    }
    ground_wake(w);
    return WADI_OK;
}
