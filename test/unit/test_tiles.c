// SPDX-License-Identifier: MIT
// Drainage by tiles against the whole grid, bit for bit.
// seconds: 3
#include "support/fixture.h"

#include "core/random.h"
#include "laws/flow/flow_flood.h"

#include <wadi/tiles.h>

#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 320,
    MOST = SIDE * SIDE
};

typedef enum shape
{
    NOISE,      // rough ground, few equal heights
    STEPS,      // the same in whole metres: much level ground
    PLATEAU,    // level
    BOWL,       // one depression
    SERPENTINE, // a valley that crosses all tiles many times
    VOIDS,      // noise with holes
    SHAPES
} shape;

// The whole grid, and each map computed from it at once and by tiles.
typedef struct land
{
    int32_t width;
    int32_t height;
    wadi_edge edges[4];
    double dx;
    double dy;
    const double* dx_of_row;
    float metres[MOST];
    int32_t units[MOST];
    float filled[MOST];
    wadi_flow_target targets[MOST];
    int8_t directions[MOST];
    double sum[MOST];
    uint8_t fed[MOST];
    int32_t level[MOST];
    double eroded[MOST];
} land;

static land at_once;
static land by_tiles;
static wadi_context* context;
static double rows[SIDE]; // widths of cells

static float noise_at(int32_t x, int32_t y)
{
    double sum = 0.0;
    for (int octave = 0; octave < 6; ++octave)
    {
        const int32_t length = 64 >> octave;
        double corner[4];
        for (int k = 0; k < 4; ++k)
        {
            const uint64_t key =
                (uint64_t)(y / length + k / 2) << 32 | (uint64_t)(x / length + k % 2);
            corner[k] = (double)(wadi_random(7, (uint32_t)octave, key, 0).v[0] % 1000);
        }
        const double u = (double)(x % length) / length;
        const double v = (double)(y % length) / length;
        sum += (double)length / 64.0 *
               ((corner[0] * (1.0 - u) + corner[1] * u) * (1.0 - v) +
                (corner[2] * (1.0 - u) + corner[3] * u) * v);
    }
    return (float)(0.1 * sum);
}

static float height_of(const land* l, shape kind, int32_t x, int32_t y)
{
    const float dx = (float)(2 * x - l->width);
    const float dy = (float)(2 * y - l->height);
    const bool wall = y % 8 == 0 && (y / 8 % 2 == 0 ? x > 3 : x < l->width - 4);
    switch (kind)
    {
    case PLATEAU:
        return 100.0f;
    case BOWL:
        return 0.01f * (dx * dx + dy * dy) * (x < 2 || y < 2 ? 0.5f : 1.0f);
    case SERPENTINE:
        return wall ? 500.0f : (x == l->width / 2 && y == 5 ? 3.0f : 10.0f - 0.001f * (float)y);
    case STEPS:
        return floorf(0.3f * noise_at(x, y));
    case VOIDS:
        return (x - 60) * (x - 60) + (y - 90) * (y - 90) < 400 || (x > 150 && x + y < 220)
                   ? NAN
                   : noise_at(x, y);
    default:
        return noise_at(x, y);
    }
}

static int32_t cells_of(const land* l)
{
    return l->width * l->height;
}

static void make(shape kind, int32_t width, int32_t height, wadi_edge edge)
{
    land* l = &at_once;
    l->width = width;
    l->height = height;
    for (int side = 0; side < 4; ++side)
    {
        l->edges[side] = edge;
    }
    l->dx = 30.0;
    l->dy = 30.0;
    l->dx_of_row = NULL;
    for (int32_t i = 0; i < cells_of(l); ++i)
    {
        l->metres[i] = height_of(l, kind, i % width, i / width);
        l->units[i] = isnan(l->metres[i]) ? INT32_MAX : (int32_t)(65536.0f * l->metres[i]);
    }
}

// ---- the whole grid at once ----------------------------------------------------------------

static int32_t neighbour_of(const land* l, int32_t cell, int k)
{
    static const int east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int south[8] = {0, -1, -1, -1, 0, 1, 1, 1};
    int32_t x = cell % l->width + east[k];
    int32_t y = cell / l->width + south[k];
    x = l->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC ? (x + l->width) % l->width : x;
    y = l->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC ? (y + l->height) % l->height : y;
    return x >= 0 && x < l->width && y >= 0 && y < l->height ? y * l->width + x : -1;
}

static bool is_outlet(const land* l, int32_t cell)
{
    const int32_t x = cell % l->width;
    const int32_t y = cell / l->width;
    bool outlet = (x == 0 && l->edges[WADI_SIDE_WEST] == WADI_EDGE_OPEN) ||
                  (y == 0 && l->edges[WADI_SIDE_NORTH] == WADI_EDGE_OPEN) ||
                  (x == l->width - 1 && l->edges[WADI_SIDE_EAST] == WADI_EDGE_OPEN) ||
                  (y == l->height - 1 && l->edges[WADI_SIDE_SOUTH] == WADI_EDGE_OPEN);
    for (int k = 0; k < 8; ++k)
    {
        const int32_t n = neighbour_of(l, cell, k);
        outlet = outlet || (n >= 0 && l->units[n] == INT32_MAX);
    }
    return outlet && l->units[cell] != INT32_MAX;
}

static wadi_field2d field_of(const land* l, const float* heights)
{
    wadi_field2d field = {.heights = heights,
                          .width = l->width,
                          .height = l->height,
                          .stride = l->width,
                          .dx = l->dx,
                          .dy = l->dy,
                          .dx_of_row = l->dx_of_row};
    memcpy(field.edges, l->edges, sizeof field.edges);
    return field;
}

static void derive_at_once(void)
{
    land* l = &at_once;
    wadi_field2d field = field_of(l, l->metres);
    CHECK_OK(context, wadi_flow_fill(context, &field, l->filled));
    field.heights = l->filled;
    CHECK_OK(context, wadi_flow_route(context, &field, WADI_FLOW_D8, l->targets));
    CHECK_OK(context, wadi_flow_accumulate(context, &field, l->targets, NULL, l->sum));
    CHECK_OK(context, wadi_flow_edge_fed(context, &field, l->targets, l->fed));
    for (int32_t i = 0; i < cells_of(l); ++i)
    {
        l->directions[i] = isnan(l->metres[i]) ? (int8_t)WADI_FLOW_VOID : l->targets[i].first;
    }
}

// The library's flood of the whole grid.
static void flood_at_once(int32_t rise_axis, int32_t rise_diagonal)
{
    land* l = &at_once;
    static int32_t surface[(SIDE + 2) * (SIDE + 2)];
    static int32_t out[(SIDE + 2) * (SIDE + 2)];
    static uint8_t valid[MOST];
    static uint32_t outlets[MOST];
    const bool wraps_x = l->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = l->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const int32_t stride = l->width + 2;
    int64_t count = 0;
    int32_t lowest = 0;
    for (int32_t i = 0; i < stride * (l->height + 2); ++i)
    {
        surface[i] = FLOW_WALL;
    }
    for (int32_t i = 0; i < cells_of(l); ++i)
    {
        const int32_t padded = (i / l->width + 1) * stride + i % l->width + 1;
        valid[i] = l->units[i] != INT32_MAX;
        surface[padded] = valid[i] != 0 ? l->units[i] : FLOW_WALL;
        lowest = l->units[i] < l->units[lowest] ? i : lowest;
        if (is_outlet(l, i))
        {
            outlets[count++] = (uint32_t)padded;
        }
    }
    if (count == 0)
    {
        outlets[count++] = (uint32_t)((lowest / l->width + 1) * stride + lowest % l->width + 1);
    }
    for (int32_t y = wraps_y ? -1 : 0; y < l->height + (wraps_y ? 1 : 0); ++y)
    {
        for (int32_t x = wraps_x ? -1 : 0; x < l->width + (wraps_x ? 1 : 0); ++x)
        {
            const int32_t from = (y + l->height) % l->height * l->width + (x + l->width) % l->width;
            surface[(y + 1) * stride + x + 1] = valid[from] != 0 ? l->units[from] : FLOW_WALL;
        }
    }
    wadi_flow_flood* flood;
    CHECK_OK(context, wadi_flow_flood_create(&(wadi_flow_flood_def){context, l->width, l->height,
                                                                    wraps_x, wraps_y, valid, NULL},
                                             &flood));
    CHECK_OK(context,
             wadi_flow_flood_run(flood, &(wadi_flow_flood_job){surface, outlets, count, rise_axis,
                                                               rise_diagonal, out}));
    wadi_flow_flood_destroy(flood);
    for (int32_t i = 0; i < cells_of(l); ++i)
    {
        l->level[i] =
            valid[i] != 0 ? out[(i / l->width + 1) * stride + i % l->width + 1] : INT32_MAX;
    }
}

static const land* sorted;
static int by_level(const void* a, const void* b)
{
    const int32_t one = *(const int32_t*)a;
    const int32_t other = *(const int32_t*)b;
    return sorted->level[one] < sorted->level[other]   ? -1
           : sorted->level[one] > sorted->level[other] ? 1
                                                       : one - other;
}

// Receivers, sums and stream power of the whole grid, in the order of the levels.
static void erode_at_once(const wadi_tiles_power* power)
{
    land* l = &at_once;
    static int32_t order[MOST];
    sorted = l;
    for (int32_t i = 0; i < cells_of(l); ++i)
    {
        order[i] = i;
        int32_t least = l->level[i];
        l->directions[i] = WADI_FLOW_NOWHERE;
        for (int k = 0; k < 8 && !is_outlet(l, i); ++k)
        {
            const int32_t n = neighbour_of(l, i, k);
            if (n >= 0 && l->level[n] < least)
            {
                least = l->level[n];
                l->directions[i] = (int8_t)k;
            }
        }
        l->directions[i] = l->units[i] == INT32_MAX ? (int8_t)WADI_FLOW_VOID : l->directions[i];
    }
    qsort(order, (size_t)cells_of(l), sizeof order[0], by_level);
    for (int32_t i = cells_of(l) - 1; i >= 0; --i)
    {
        const int32_t c = order[i];
        l->sum[c] = l->dx * l->dy;
        for (int k = 0; k < 8; ++k)
        {
            const int32_t n = neighbour_of(l, c, k);
            l->sum[c] += n >= 0 && l->directions[n] == (k + 4) % 8 ? l->sum[n] : 0.0;
        }
    }
    for (int32_t i = 0; i < cells_of(l); ++i)
    {
        const int32_t c = order[i];
        const int8_t k = l->directions[c];
        const double z = power->unit * (double)l->units[c];
        const double length = (k & 1) != 0 ? sqrt(l->dx * l->dx + l->dy * l->dy) : l->dx;
        const double f = power->erodibility * power->years * sqrt(l->sum[c]) / length;
        const double below = k >= 0 ? l->eroded[neighbour_of(l, c, k)] : z;
        l->eroded[c] = l->units[c] == INT32_MAX ? (double)NAN
                       : below < z              ? (z + f * below) / (1.0 + f)
                                                : z;
        l->sum[c] = l->units[c] == INT32_MAX ? (double)NAN : l->sum[c];
    }
}

// ---- by tiles ----------------------------------------------------------------------------

static wadi_tile_layer layer_of(void* cells, wadi_tile_type type, wadi_tile_array* array)
{
    *array = (wadi_tile_array){cells, at_once.width, type};
    return wadi_tile_layer_of(array);
}

static wadi_tiles* tiles_of(int32_t tile)
{
    const land* l = &at_once;
    wadi_tiling tiling = {.width = l->width, .height = l->height, .tile = tile};
    memcpy(tiling.edges, l->edges, sizeof tiling.edges);
    wadi_tiles* tiles;
    CHECK_OK(context, wadi_tiles_create(context, &tiling, &tiles));
    return tiles;
}

static void check_equal(const char* what, int32_t tile, const void* a, const void* b, size_t bytes)
{
    for (int32_t i = 0; i < cells_of(&at_once); ++i)
    {
        if (memcmp((const char*)a + bytes * (size_t)i, (const char*)b + bytes * (size_t)i, bytes) !=
            0)
        {
            fail_msg("%s by tiles of %d differs at column %d, row %d of %d x %d", what, (int)tile,
                     (int)(i % at_once.width), (int)(i / at_once.width), (int)at_once.width,
                     (int)at_once.height);
        }
    }
}

static void derive_by_tiles(int32_t tile)
{
    land* l = &by_tiles;
    wadi_tile_array a[4];
    wadi_tiles* tiles = tiles_of(tile);
    const wadi_tile_layer filled = layer_of(l->filled, WADI_TILE_FLOAT32, &a[0]);
    const wadi_tile_layer directions = layer_of(l->directions, WADI_TILE_INT8, &a[1]);
    const wadi_tiles_flood_job flood = {layer_of(at_once.metres, WADI_TILE_FLOAT32, &a[2]), filled,
                                        0, 0};
    const wadi_tiles_route_job route = {filled,     directions, WADI_TILES_STEEPEST,
                                        at_once.dx, at_once.dy, at_once.dx_of_row};
    const wadi_tiles_drain_job drain = {.directions = directions,
                                        .sum = layer_of(l->sum, WADI_TILE_FLOAT64, &a[3]),
                                        .dx = at_once.dx,
                                        .dy = at_once.dy,
                                        .dx_of_row = at_once.dx_of_row};
    CHECK_OK(context, wadi_tiles_flood(tiles, &flood));
    check_equal("filled ground", tile, at_once.filled, l->filled, sizeof(float));
    CHECK_OK(context, wadi_tiles_route(tiles, &route));
    check_equal("direction", tile, at_once.directions, l->directions, 1);
    CHECK_OK(context, wadi_tiles_drain(tiles, &drain));
    check_equal("area", tile, at_once.sum, l->sum, sizeof(double));
    wadi_tiles_drain_job fed = drain;
    fed.outlets = true;
    CHECK_OK(context, wadi_tiles_drain(tiles, &fed));
    for (int32_t i = 0; i < cells_of(&at_once); ++i)
    {
        l->fed[i] = l->sum[i] > 0.0 ? 1 : 0;
    }
    check_equal("fed by the edge", tile, at_once.fed, l->fed, 1);
    wadi_tiles_destroy(tiles);
}

static wadi_tiles_work erode_by_tiles(int32_t tile, int32_t axis, int32_t diagonal,
                                      wadi_tiles_power power)
{
    land* l = &by_tiles;
    wadi_tile_array a[5];
    wadi_tiles* tiles = tiles_of(tile);
    const wadi_tile_layer units = layer_of(at_once.units, WADI_TILE_INT32, &a[0]);
    const wadi_tile_layer levels = layer_of(l->level, WADI_TILE_INT32, &a[1]);
    const wadi_tile_layer directions = layer_of(l->directions, WADI_TILE_INT8, &a[2]);
    power.ground = units;
    power.eroded = layer_of(l->eroded, WADI_TILE_FLOAT64, &a[3]);
    const wadi_tiles_flood_job flood = {units, levels, axis, diagonal};
    const wadi_tiles_route_job route = {
        .levels = levels, .directions = directions, .law = WADI_TILES_LOWEST};
    const wadi_tiles_drain_job drain = {.directions = directions,
                                        .sum = layer_of(l->sum, WADI_TILE_FLOAT64, &a[4]),
                                        .dx = at_once.dx,
                                        .dy = at_once.dy,
                                        .power = power};
    CHECK_OK(context, wadi_tiles_flood(tiles, &flood));
    check_equal("level", tile, at_once.level, l->level, sizeof(int32_t));
    CHECK_OK(context, wadi_tiles_route(tiles, &route));
    check_equal("lowest neighbour", tile, at_once.directions, l->directions, 1);
    CHECK_OK(context, wadi_tiles_drain(tiles, &drain));
    check_equal("area", tile, at_once.sum, l->sum, sizeof(double));
    check_equal("eroded height", tile, at_once.eroded, l->eroded, sizeof(double));
    const wadi_tiles_work work = wadi_tiles_work_of(tiles);
    wadi_tiles_destroy(tiles);
    return work;
}

// ---- tests -------------------------------------------------------------------------------

static const wadi_tiles_power one_step = {
    .erodibility = 1e-4, .area_exponent = 0.5, .years = 1e4, .unit = 1.0 / 65536.0};

static void tiles_give_the_maps_of_the_whole_grid(void** state)
{
    (void)state;
    static const int32_t tile[] = {320, 160, 80, 62, 20};
    for (int kind = 0; kind < SHAPES; ++kind)
    {
        make((shape)kind, SIDE, SIDE, WADI_EDGE_OPEN);
        derive_at_once();
        for (int i = 0; i < 5; ++i)
        {
            derive_by_tiles(tile[i]);
        }
    }
}

static void tiles_give_the_erosion_of_the_whole_grid(void** state)
{
    (void)state;
    static const int32_t tile[] = {320, 160, 80, 62, 20};
    for (int kind = 0; kind < SHAPES; ++kind)
    {
        make((shape)kind, SIDE, SIDE, WADI_EDGE_OPEN);
        flood_at_once(65, 92);
        erode_at_once(&one_step);
        for (int i = 0; i < 5; ++i)
        {
            const wadi_tiles_work work = erode_by_tiles(tile[i], 65, 92, one_step);
            if (kind == NOISE && (double)work.visits > 1.5 * (double)MOST)
            {
                fail_msg("the flood by tiles of %d visits a cell %g times", (int)tile[i],
                         (double)work.visits / (double)MOST);
            }
        }
    }
}

static void edges_and_odd_sizes(void** state)
{
    (void)state;
    static const wadi_edge edge[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    static const int32_t size[][2] = {{97, 61}, {33, 130}, {1, 40}, {40, 2}, {64, 64}};
    static const int32_t tile[] = {8, 17, 32, 50, 200};
    for (int32_t i = 0; i < 3 * 5 * SHAPES; ++i)
    {
        make((shape)(i % SHAPES), size[i / SHAPES % 5][0], size[i / SHAPES % 5][1],
             edge[i / SHAPES / 5]);
        derive_at_once();
        flood_at_once(1, 1);
        for (int t = 0; t < 5; ++t)
        {
            derive_by_tiles(tile[t]);
        }
        erode_at_once(&one_step);
        for (int t = 0; t < 5; ++t)
        {
            (void)erode_by_tiles(tile[t], 1, 1, one_step);
        }
    }
}

static uint32_t random_of(uint64_t seed, uint64_t number, uint32_t below)
{
    return wadi_random(seed, 9, number, 0).v[0] % below;
}

// Small grids of few levels with rectangles of voids, and any edges.
static void random_grids(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; ++seed)
    {
        land* l = &at_once;
        make(PLATEAU, 1 + (int32_t)random_of(seed, 1, 70), 1 + (int32_t)random_of(seed, 2, 70),
             WADI_EDGE_OPEN);
        for (int side = 0; side < 2; ++side)
        {
            const uint32_t kind = random_of(seed, 3 + (uint64_t)side, 5);
            l->edges[side] = kind == 4 ? WADI_EDGE_PERIODIC : (wadi_edge)(kind & 1);
            l->edges[side + 2] = kind == 4 ? WADI_EDGE_PERIODIC : (wadi_edge)(kind >> 1);
        }
        const uint32_t levels = 1u << random_of(seed, 5, 8);
        const uint32_t smooth = 1 + random_of(seed, 6, 9);
        for (int32_t i = 0; i < cells_of(l); ++i)
        {
            const uint64_t block =
                (uint64_t)(i / l->width) / smooth * 1000 + (uint64_t)(i % l->width) / smooth;
            l->metres[i] = (float)random_of(seed, 1000 + block, levels) - 3.0f;
        }
        for (uint64_t hole = 0; hole < random_of(seed, 7, 6); ++hole)
        {
            const int32_t x = (int32_t)random_of(seed, 10 + 4 * hole, 8) * 8;
            const int32_t y = (int32_t)random_of(seed, 11 + 4 * hole, 8) * 8;
            const int32_t w = (int32_t)random_of(seed, 12 + 4 * hole, 30);
            for (int32_t i = 0; i < cells_of(l); ++i)
            {
                const bool in = i % l->width >= x && i % l->width < x + w && i / l->width >= y &&
                                i / l->width < y + 3 * w / 2;
                l->metres[i] = in ? NAN : l->metres[i];
            }
        }
        for (int32_t i = 0; i < cells_of(l); ++i)
        {
            const float z = l->metres[i];
            l->units[i] = isnan(z) ? INT32_MAX : (int32_t)(z + 3.0f) * 40;
        }
        l->dx = 10.0 + 0.1 * random_of(seed, 8, 2);
        derive_at_once();
        derive_by_tiles(8);
        derive_by_tiles(8 + (int32_t)random_of(seed, 9, 60));
        l->dx = l->dy;
        flood_at_once((int32_t)(1 + seed % 50), (int32_t)(1 + seed % 50 * 7 / 5));
        erode_at_once(&one_step);
        (void)erode_by_tiles(8 + (int32_t)random_of(seed, 9, 60), (int32_t)(1 + seed % 50),
                             (int32_t)(1 + seed % 50 * 7 / 5), one_step);
    }
}

// An island of whole tiles: all its outlets are beside voids of other tiles, and the lowest is in
// the last tile.
static void island_of_whole_tiles(void** state)
{
    (void)state;
    make(BOWL, 160, 96, WADI_EDGE_OPEN);
    for (int32_t i = 0; i < cells_of(&at_once); ++i)
    {
        const int32_t x = i % 160;
        const int32_t y = i / 160;
        const bool is_land = x >= 32 && x < 128 && y >= 32 && y < 64;
        const bool wall = x == 32 || y == 32 || y == 63;
        const int32_t way = wall ? 2000 : 1000 - 5 * x + abs(y - 48);
        at_once.metres[i] = is_land ? (float)way : NAN;
        at_once.units[i] = is_land ? 8192 * way : INT32_MAX;
    }
    derive_at_once();
    derive_by_tiles(32);
    flood_at_once(65, 92);
    erode_at_once(&one_step);
    (void)erode_by_tiles(32, 65, 92, one_step);
}

// Areas whose sums are rounded: the order of the donors counts.
static void sums_are_rounded_alike(void** state)
{
    (void)state;
    for (int32_t y = 0; y < SIDE; ++y)
    {
        rows[y] = 27.3 - 0.0137 * y;
    }
    make(NOISE, 300, 260, WADI_EDGE_OPEN);
    at_once.dx = 27.31;
    at_once.dy = 30.77;
    derive_at_once();
    derive_by_tiles(64);
    derive_by_tiles(33);
    at_once.dx_of_row = rows;
    derive_at_once();
    derive_by_tiles(64);
    derive_by_tiles(33);
}

static wadi_result fail_to_write(const wadi_tile* tile, const void* cells, void* user)
{
    (void)tile;
    (void)cells;
    (void)user;
    return wadi_context_fail(context, WADI_ERROR_IO, "disk full");
}

// Borders of levels that no flood has made are read anew for each routing.
static void receivers_of_other_levels(void** state)
{
    (void)state;
    make(NOISE, 64, 64, WADI_EDGE_OPEN);
    wadi_tile_array a[4];
    const wadi_tile_layer metres = layer_of(at_once.metres, WADI_TILE_FLOAT32, &a[0]);
    const wadi_tile_layer hollow = layer_of(by_tiles.filled, WADI_TILE_FLOAT32, &a[1]);
    const wadi_tile_layer first = layer_of(at_once.directions, WADI_TILE_INT8, &a[2]);
    const wadi_tile_layer later = layer_of(by_tiles.directions, WADI_TILE_INT8, &a[3]);
    for (int32_t i = 0; i < 64 * 64; ++i)
    {
        by_tiles.filled[i] = -at_once.metres[i];
    }
    wadi_tiles* tiles = tiles_of(16);
    wadi_tiles_route_job job = {.levels = hollow, .directions = later, .law = WADI_TILES_LOWEST};
    CHECK_OK(context, wadi_tiles_route(tiles, &job));
    job.levels = metres;
    CHECK_OK(context, wadi_tiles_route(tiles, &job));
    wadi_tiles_destroy(tiles);
    tiles = tiles_of(16);
    job.directions = first;
    CHECK_OK(context, wadi_tiles_route(tiles, &job));
    check_equal("receivers anew", 16, at_once.directions, by_tiles.directions, 1);
    wadi_tiles_destroy(tiles);
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    make(NOISE, 64, 64, WADI_EDGE_OPEN);
    wadi_tiles* tiles;
    CHECK_FAILS(
        context, WADI_ERROR_RANGE, "8..16384",
        wadi_tiles_create(context, &(wadi_tiling){.width = 9, .height = 9, .tile = 7}, &tiles));
    CHECK_FAILS(
        context, WADI_ERROR_RANGE, "1..1048576",
        wadi_tiles_create(context, &(wadi_tiling){.width = 0, .height = 9, .tile = 8}, &tiles));
    CHECK_FAILS(
        context, WADI_ERROR_ARGUMENT, "opposite",
        wadi_tiles_create(
            context,
            &(wadi_tiling){.width = 9, .height = 9, .tile = 8, .edges = {WADI_EDGE_PERIODIC}},
            &tiles));
    assert_null(tiles);
    tiles = tiles_of(16);
    wadi_tile_array a[3];
    const wadi_tile_layer metres = layer_of(at_once.metres, WADI_TILE_FLOAT32, &a[0]);
    wadi_tile_layer levels = layer_of(by_tiles.filled, WADI_TILE_FLOAT32, &a[1]);
    const wadi_tile_layer directions = layer_of(by_tiles.directions, WADI_TILE_INT8, &a[2]);
    CHECK_FAILS(context, WADI_ERROR_STATE, "wadi_tiles_route",
                wadi_tiles_drain(tiles, &(wadi_tiles_drain_job){.directions = directions}));
    CHECK_FAILS(context, WADI_ERROR_RANGE, "0..65536",
                wadi_tiles_flood(tiles, &(wadi_tiles_flood_job){metres, levels, -1, 0}));
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "both",
                wadi_tiles_flood(tiles, &(wadi_tiles_flood_job){metres, directions, 0, 0}));
    CHECK_OK(context, wadi_tiles_route(tiles, &(wadi_tiles_route_job){.levels = metres,
                                                                      .directions = directions,
                                                                      .law = WADI_TILES_LOWEST}));
    by_tiles.directions[20] = 8;
    CHECK_FAILS(context, WADI_ERROR_FORMAT, "direction 8 in the tile at column 16, row 0",
                wadi_tiles_drain(tiles, &(wadi_tiles_drain_job){
                                            .directions = directions, .dx = 1.0, .dy = 1.0}));
    levels.write = fail_to_write;
    CHECK_FAILS(context, WADI_ERROR_IO, "disk full",
                wadi_tiles_flood(tiles, &(wadi_tiles_flood_job){metres, levels, 0, 0}));
    wadi_tiles_destroy(tiles);
}

// ---- memory that runs out ------------------------------------------------------------------

static int32_t left; // allocations until one fails

static void* allocate(size_t size, size_t alignment, void* user)
{
    (void)user;
    left -= 1;
    return left >= 0 ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : NULL;
}

static void release(void* memory, size_t size, void* user)
{
    (void)size;
    (void)user;
    free(memory);
}

// All steps of the maps and of stream power; the result of the first that fails.
static wadi_result work_in(wadi_context* small, double dx)
{
    land* l = &by_tiles;
    wadi_tile_array a[5];
    const wadi_tiling tiling = {.width = at_once.width, .height = at_once.height, .tile = 16};
    const wadi_tile_layer metres = layer_of(at_once.metres, WADI_TILE_FLOAT32, &a[0]);
    const wadi_tile_layer filled = layer_of(l->filled, WADI_TILE_FLOAT32, &a[1]);
    const wadi_tile_layer directions = layer_of(l->directions, WADI_TILE_INT8, &a[2]);
    wadi_tiles_drain_job drain = {.directions = directions,
                                  .sum = layer_of(l->sum, WADI_TILE_FLOAT64, &a[3]),
                                  .dx = dx,
                                  .dy = dx,
                                  .power = one_step};
    drain.power.ground = metres;
    drain.power.eroded = layer_of(l->eroded, WADI_TILE_FLOAT64, &a[4]);
    wadi_tiles* tiles;
    wadi_result result = wadi_tiles_create(small, &tiling, &tiles);
    result = result == WADI_OK
                 ? wadi_tiles_flood(tiles, &(wadi_tiles_flood_job){metres, filled, 0, 0})
                 : result;
    result =
        result == WADI_OK
            ? wadi_tiles_route(tiles,
                               &(wadi_tiles_route_job){
                                   .levels = filled, .directions = directions, .dx = dx, .dy = dx})
            : result;
    result = result == WADI_OK ? wadi_tiles_drain(tiles, &drain) : result;
    wadi_tiles_destroy(tiles);
    return result;
}

static void memory_that_runs_out_is_an_error(void** state)
{
    (void)state;
    make(STEPS, 61, 50, WADI_EDGE_OPEN);
    wadi_result result = WADI_ERROR_MEMORY;
    for (int32_t n = 0; n < 2000 && result != WADI_OK; ++n)
    {
        wadi_context_def def = wadi_context_def_default();
        def.threads = 1;
        def.allocator = (wadi_allocator){allocate, release, NULL};
        left = INT32_MAX; // for the context itself
        wadi_context* small;
        assert_int_equal(wadi_context_create(&def, &small), WADI_OK);
        const size_t before = wadi_memory_used(small);
        left = n;
        result = work_in(small, 27.3);
        assert_true(result == WADI_OK || result == WADI_ERROR_MEMORY);
        assert_int_equal(wadi_memory_used(small), before);
        wadi_context_destroy(small);
    }
    assert_int_equal(result, WADI_OK);
}

static int open_context(void** state)
{
    (void)state;
    return wadi_context_create(NULL, &context) == WADI_OK ? 0 : -1;
}

static int close_context(void** state)
{
    (void)state;
    const size_t used = wadi_memory_used(context);
    wadi_context_destroy(context);
    return used == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_give_the_maps_of_the_whole_grid),
        cmocka_unit_test(tiles_give_the_erosion_of_the_whole_grid),
        cmocka_unit_test(edges_and_odd_sizes),
        cmocka_unit_test(random_grids),
        cmocka_unit_test(island_of_whole_tiles),
        cmocka_unit_test(sums_are_rounded_alike),
        cmocka_unit_test(receivers_of_other_levels),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
