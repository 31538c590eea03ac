// SPDX-License-Identifier: MIT
// Tiles: which of them changed, and how they are packed.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TILES_HEADER = 32,
    TILES_CELLS = STUDIO_TILE * STUDIO_TILE,
    TILES_BYTES = 4 + 8 * TILES_CELLS, // of one tile: its id, surface and material
    TILES_UNSEEN = 10,                 // looks after one that found all tiles changed
    TILES_FIRST = 1,                   // flags
    TILES_MORE = 2
};

wadi_result wadi_studio_reserve(wadi_studio* studio, size_t size)
{
    if (size <= studio->buffer_size)
    {
        return WADI_OK;
    }
    unsigned char* buffer = realloc(studio->buffer, size);
    if (buffer == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory for a message");
    }
    studio->buffer = buffer;
    studio->buffer_size = size;
    return WADI_OK;
}

wadi_result wadi_studio_prepare_tiles(wadi_studio* studio)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    studio->columns = (width + STUDIO_TILE - 1) / STUDIO_TILE;
    studio->rows = (height + STUDIO_TILE - 1) / STUDIO_TILE;
    studio->dirty = calloc((size_t)studio->columns * (size_t)studio->rows, 1);
    studio->map = calloc((size_t)width * (size_t)height, sizeof *studio->map);
    const double cell = wadi_terrain_cell_size(terrain);
    studio->view = (wadi_point){0.5 * width * cell, 0.5 * height * cell};
    if (studio->dirty == NULL || studio->map == NULL)
    {
        wadi_studio_close_scene(studio);
        return wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory for tiles");
    }
    return WADI_OK;
}

void wadi_studio_mark_all(wadi_studio* studio)
{
    memset(studio->dirty, 1, (size_t)studio->columns * (size_t)studio->rows);
    studio->is_first = true;
}

// Columns or rows of tiles that cells [from, to) touch; `wraps` around a periodic edge: all.
static void tiles_range(int32_t from, int32_t to, int32_t size, int32_t count, bool wraps,
                        int32_t* first, int32_t* end)
{
    const bool all = wraps && (from < 0 || to > size);
    const int32_t low = from < 0 ? 0 : from;
    const int32_t high = to > size ? size : to;
    *first = all ? 0 : low / STUDIO_TILE;
    *end = all ? count : high <= low ? 0 : (high - 1) / STUDIO_TILE + 1;
}

void wadi_studio_mark(wadi_studio* studio, wadi_rectangle rectangle)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    int32_t left;
    int32_t right;
    int32_t top;
    int32_t bottom;
    tiles_range(rectangle.x, rectangle.x + rectangle.width, wadi_terrain_width(terrain),
                studio->columns, wadi_terrain_edge(terrain, WADI_SIDE_EAST) == WADI_EDGE_PERIODIC,
                &left, &right);
    tiles_range(rectangle.y, rectangle.y + rectangle.height, wadi_terrain_height(terrain),
                studio->rows, wadi_terrain_edge(terrain, WADI_SIDE_NORTH) == WADI_EDGE_PERIODIC,
                &top, &bottom);
    for (int32_t row = top; row < bottom; ++row)
    {
        for (int32_t column = left; column < right; ++column)
        {
            studio->dirty[row * studio->columns + column] = 1;
        }
    }
}

static void tiles_mark_changed(wadi_studio* studio)
{
    const bool first = studio->is_first;
    wadi_studio_mark_all(studio);
    studio->is_first = first;
}

// Where a look while the scene plays finds that every tile has changed, the next few tell nothing.
wadi_result wadi_studio_look(wadi_studio* studio)
{
    studio->unseen = studio->plays && studio->unseen > 0 ? studio->unseen - 1 : 0;
    if (studio->unseen > 0)
    {
        tiles_mark_changed(studio);
        return WADI_OK;
    }
    uint32_t look;
    SCENE_TRY(wadi_session_look(studio->session, &look));
    wadi_session_tile changed[256];
    int32_t count = wadi_session_tiles(studio->session, look - 1, changed, 256);
    studio->unseen = count == studio->columns * studio->rows ? TILES_UNSEEN : 0;
    if (count > 256)
    {
        tiles_mark_changed(studio);
        return WADI_OK;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        studio->dirty[changed[i].y * studio->columns + changed[i].x] = 1;
    }
    return WADI_OK;
}

// ---- packing ------------------------------------------------------------------------------------

// Code of a thickness d [m]: 255 log2(1 + 8 d) / log2(801), for colour.
static uint32_t tiles_code(float thickness)
{
    if (!(thickness > 0.0f))
    {
        return 0;
    }
    const float code = 255.0f * log2f(1.0f + 8.0f * thickness) / 9.6456585f;
    return code < 1.0f ? 1 : code > 255.0f ? 255 : (uint32_t)(code + 0.5f);
}

static uint32_t tiles_share(float share)
{
    return share > 0.0f ? (uint32_t)(share * 255.0f + 0.5f) & 255 : 0;
}

// Values of a layer in a tile; cells beyond the grid repeat the last ones.
static void tiles_read(const wadi_terrain* terrain, wadi_layer layer, wadi_rectangle inside,
                       float* out)
{
    if (wadi_terrain_read_rectangle(terrain, layer, inside, out, STUDIO_TILE) != WADI_OK)
    {
        memset(out, 0, TILES_CELLS * sizeof *out);
        return;
    }
    for (int32_t y = 0; y < STUDIO_TILE; ++y)
    {
        float* row = out + y * STUDIO_TILE;
        if (y >= inside.height)
        {
            memcpy(row, row - STUDIO_TILE, STUDIO_TILE * sizeof *row);
            continue;
        }
        for (int32_t x = inside.width; x < STUDIO_TILE; ++x)
        {
            row[x] = row[x - 1];
        }
    }
}

static wadi_rectangle tiles_rectangle(const wadi_studio* studio, const wadi_terrain* terrain,
                                      int32_t tile)
{
    return wadi_terrain_clip(terrain, (wadi_rectangle){tile % studio->columns * STUDIO_TILE,
                                                       tile / studio->columns * STUDIO_TILE,
                                                       STUDIO_TILE, STUDIO_TILE});
}

static void tiles_pack(const wadi_studio* studio, int32_t tile, float* surface, uint32_t* material)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const wadi_rectangle inside = tiles_rectangle(studio, terrain, tile);
    float values[TILES_CELLS];
    float loose[TILES_CELLS] = {0};
    tiles_read(terrain, WADI_LAYER_SURFACE, inside, surface);
    for (int32_t l = 0; l < wadi_terrain_loose_count(terrain); ++l)
    {
        tiles_read(terrain, WADI_LAYER_LOOSE + l, inside, values);
        for (int32_t i = 0; i < TILES_CELLS; ++i)
        {
            loose[i] += values[i];
        }
    }
    float plants[TILES_CELLS];
    float hardness[TILES_CELLS];
    tiles_read(terrain, WADI_LAYER_WATER, inside, values);
    tiles_read(terrain, WADI_LAYER_VEGETATION, inside, plants);
    tiles_read(terrain, WADI_LAYER_HARDNESS, inside, hardness);
    for (int32_t i = 0; i < TILES_CELLS; ++i)
    {
        material[i] = tiles_code(loose[i]) | tiles_code(values[i]) << 8 |
                      tiles_share(plants[i]) << 16 | tiles_share(hardness[i]) << 24;
    }
}

// ---- messages -----------------------------------------------------------------------------------

// Square of the distance of a tile from the centre of the view, in tiles.
static double tiles_distance(const wadi_studio* studio, int32_t tile)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const double size = STUDIO_TILE * wadi_terrain_cell_size(terrain);
    const double north = wadi_terrain_height(terrain) * wadi_terrain_cell_size(terrain);
    const double dx = tile % studio->columns + 0.5 - studio->view.x / size;
    const double dy = tile / studio->columns + 0.5 - (north - studio->view.y) / size;
    return dx * dx + dy * dy;
}

typedef struct tiles_candidate
{
    double distance;
    int32_t tile;
} tiles_candidate;

static int tiles_compare(const void* a, const void* b)
{
    const tiles_candidate* x = a;
    const tiles_candidate* y = b;
    const int by_distance = (x->distance > y->distance) - (x->distance < y->distance);
    return by_distance != 0 ? by_distance : (x->tile > y->tile) - (x->tile < y->tile);
}

// The nearest dirty tiles, at most STUDIO_MAX_TILES; *waiting is the number of all of them.
static int32_t tiles_choose(const wadi_studio* studio, int32_t* chosen, int32_t* waiting)
{
    const int32_t tiles = studio->columns * studio->rows;
    *waiting = 0;
    for (int32_t i = 0; i < tiles; ++i)
    {
        *waiting += studio->dirty[i];
    }
    tiles_candidate* list = *waiting > 0 ? malloc((size_t)*waiting * sizeof *list) : NULL;
    int32_t count = 0;
    for (int32_t i = 0; list != NULL && i < tiles; ++i)
    {
        if (studio->dirty[i] != 0)
        {
            list[count++] = (tiles_candidate){tiles_distance(studio, i), i};
        }
    }
    if (count > STUDIO_MAX_TILES)
    {
        qsort(list, (size_t)count, sizeof *list, tiles_compare);
        count = STUDIO_MAX_TILES;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        chosen[i] = list[i].tile;
    }
    free(list);
    return count;
}

static void tiles_write_header(wadi_studio* studio, int32_t count, uint32_t flags)
{
    const double year = wadi_session_year(studio->session);
    const uint32_t words[4] = {0, ++studio->seq, (uint32_t)count, flags};
    const uint32_t grid[2] = {(uint32_t)studio->columns, (uint32_t)studio->rows};
    memcpy(studio->buffer, words, sizeof words);
    memcpy(studio->buffer, "wad1", 4);
    memcpy(studio->buffer + 16, &year, sizeof year);
    memcpy(studio->buffer + 24, grid, sizeof grid);
}

static void tiles_write(wadi_studio* studio, const int32_t* chosen, int32_t count)
{
    unsigned char* at = studio->buffer + TILES_HEADER;
    const size_t bytes = (size_t)TILES_CELLS * 4;
    memcpy(at, chosen, (size_t)count * 4);
    at += (size_t)count * 4;
    for (int32_t i = 0; i < count; ++i)
    {
        float surface[TILES_CELLS];
        uint32_t material[TILES_CELLS];
        tiles_pack(studio, chosen[i], surface, material);
        memcpy(at + (size_t)i * bytes, surface, bytes);
        memcpy(at + (size_t)(count + i) * bytes, material, bytes);
        studio->dirty[chosen[i]] = 0;
    }
}

bool wadi_studio_send_tiles(wadi_studio* studio)
{
    if (studio->under_way >= STUDIO_CREDITS)
    {
        return false;
    }
    int32_t chosen[STUDIO_MAX_TILES];
    int32_t waiting;
    const int32_t count = tiles_choose(studio, chosen, &waiting);
    const size_t size = TILES_HEADER + (size_t)count * TILES_BYTES;
    if (count == 0 || wadi_studio_reserve(studio, size) != WADI_OK)
    {
        return false;
    }
    const uint32_t flags =
        (studio->is_first ? TILES_FIRST : 0U) | (waiting > count ? TILES_MORE : 0U);
    tiles_write_header(studio, count, flags);
    tiles_write(studio, chosen, count);
    studio->is_first = false;
    studio->under_way += 1;
    studio->def.send(studio->def.user, true, studio->buffer, size);
    return waiting > count && studio->under_way < STUDIO_CREDITS;
}
