// SPDX-License-Identifier: MIT
// Noise of a survey leaves thousands of hollows of a few cells in flat ground near the level of the
// sea, and chains of them reach it. A picture that floods them all shows ponds with surf in place
// of a plain. The sea is an opening by reconstruction (Vincent 1993): cells all of whose neighbours
// lie below the level, in one piece with the border or with many others; narrow channels that lead
// on from them, when they are deeper than such noise; and the cells around both.
//
// Waves need room too. They come in over deep water that is as wide as the largest of these
// squares, and break where it ends: platforms at the level of the sea, channels and the hollows
// between islets of noise are calm.
#include "maps/render/open_water.h"

#include "core/internal.h"

#include <string.h>

typedef enum sea_kind
{
    SEA_DRY,
    SEA_LOW,  // below the level
    SEA_DEEP, // far enough below it to be a channel
    SEA_WIDE, // and so are all of its neighbours
    SEA_OPEN, // water of the sea
    SEA_SHORE // dry, beside the sea
} sea_kind;

enum
{
    SEA_LEAST = 100, // wide cells of a water that does not reach the border
    SEA_ROOM = 4,    // cells around one from which waves come
    SEA_RUN = 2      // cells that they go on over shallow water
};

typedef struct sea_search
{
    int32_t width;
    int32_t height;
    uint8_t* kind;
    int32_t* queue; // cells, in the order in which they are found
    int32_t count;
} sea_search;

// Voids are taken for the sea: comparisons with NaN are false.
static void sea_mark_low(const sea_search* s, const render_relief* r, float level)
{
    const float channel = r->sea_channel * r->exaggeration * (float)r->refined;
    for (int32_t y = 0; y < s->height; ++y)
    {
        const int32_t row = y * r->refined + r->refined / 2;
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int32_t column = x * r->refined + r->refined / 2;
            const float ground = r->ground[(ptrdiff_t)row * r->width + column];
            const sea_kind wet = ground < level - channel ? SEA_DEEP : SEA_LOW;
            s->kind[y * s->width + x] = (uint8_t)(ground >= level ? SEA_DRY : wet);
        }
    }
}

// Index of the neighbour in direction `k` of eight, or -1 beyond the border.
static int32_t sea_beside(const sea_search* s, int32_t i, int32_t k)
{
    static const int8_t step[8][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0},
                                      {1, 0},   {-1, 1}, {0, 1},  {1, 1}};
    const int32_t x = i % s->width + step[k][0];
    const int32_t y = i / s->width + step[k][1];
    return x < 0 || y < 0 || x >= s->width || y >= s->height ? -1 : y * s->width + x;
}

static void sea_mark_wide(const sea_search* s)
{
    for (int32_t i = 0; i < s->width * s->height; ++i)
    {
        bool wide = s->kind[i] != SEA_DRY;
        for (int32_t k = 0; wide && k < 8; ++k)
        {
            const int32_t n = sea_beside(s, i, k);
            wide = n < 0 || s->kind[n] != SEA_DRY;
        }
        s->kind[i] = wide ? SEA_WIDE : s->kind[i];
    }
}

static void sea_push(sea_search* s, int32_t i)
{
    s->kind[i] = SEA_OPEN;
    s->queue[s->count++] = i;
}

// Gather one piece of wide cells. Does it reach the border?
static bool sea_gather(sea_search* s, int32_t from)
{
    bool reaches = false;
    int32_t next = s->count;
    for (sea_push(s, from); next < s->count; ++next)
    {
        for (int32_t k = 0; k < 8; ++k)
        {
            const int32_t n = sea_beside(s, s->queue[next], k);
            reaches = reaches || n < 0;
            if (n >= 0 && s->kind[n] == SEA_WIDE)
            {
                sea_push(s, n);
            }
        }
    }
    return reaches;
}

static void sea_keep_large(sea_search* s)
{
    for (int32_t i = 0; i < s->width * s->height; ++i)
    {
        const int32_t before = s->count;
        if (s->kind[i] != SEA_WIDE || sea_gather(s, i) || s->count - before >= SEA_LEAST)
        {
            continue;
        }
        for (; s->count > before; --s->count)
        {
            s->kind[s->queue[s->count - 1]] = SEA_DEEP; // unless a channel leads there
        }
    }
}

// Let the sea go on along channels.
static void sea_follow_channels(sea_search* s)
{
    for (int32_t next = 0; next < s->count; ++next)
    {
        for (int32_t k = 0; k < 8; ++k)
        {
            const int32_t n = sea_beside(s, s->queue[next], k);
            if (n >= 0 && s->kind[n] == SEA_DEEP)
            {
                sea_push(s, n);
            }
        }
    }
}

// Let the sea grow by one cell over cells of a kind, from those that were found last.
static void sea_grow(sea_search* s, int32_t first, sea_kind over, sea_kind to)
{
    const int32_t end = s->count;
    for (int32_t next = first; next < end; ++next)
    {
        for (int32_t k = 0; k < 8; ++k)
        {
            const int32_t n = sea_beside(s, s->queue[next], k);
            if (n >= 0 && s->kind[n] == (uint8_t)over)
            {
                sea_push(s, n);
                s->kind[n] = (uint8_t)to;
            }
        }
    }
}

static void sea_search_all(sea_search* s)
{
    sea_mark_wide(s);
    sea_keep_large(s);
    sea_grow(s, 0, SEA_LOW, SEA_OPEN);
    const int32_t open = s->count;
    sea_follow_channels(s);
    sea_grow(s, open, SEA_LOW, SEA_OPEN);
    sea_grow(s, 0, SEA_DRY, SEA_SHORE);
    for (int32_t i = 0; i < s->width * s->height; ++i)
    {
        s->kind[i] = s->kind[i] == SEA_OPEN || s->kind[i] == SEA_SHORE ? 1 : 0;
    }
}

// Marks 1 of a line of cells go on for `reach` cells as marks 2, one way: `since` has the cells
// since the last one in each column.
static void sea_spread_line(uint8_t* mark, int32_t width, int32_t reach, uint8_t* since)
{
    for (int32_t x = 0; x < width; ++x)
    {
        const uint8_t next = (uint8_t)(since[x] < 255 ? since[x] + 1 : 255);
        since[x] = mark[x] == 1 ? 0 : next;
        mark[x] = (uint8_t)(mark[x] == 0 && since[x] <= reach ? 2 : mark[x]);
    }
}

// The same along a row, both ways; all marks are 1 then.
static void sea_spread_row(uint8_t* mark, int32_t width, int32_t reach)
{
    for (int32_t way = -1; way <= 1; way += 2)
    {
        int32_t since = width + reach;
        for (int32_t k = 0; k < width; ++k)
        {
            uint8_t* at = &mark[way > 0 ? k : width - 1 - k];
            since = *at == 1 ? 0 : since + 1;
            *at = (uint8_t)(*at == 0 && since <= reach ? 2 : *at);
        }
    }
    for (int32_t x = 0; x < width; ++x)
    {
        mark[x] = mark[x] != 0;
    }
}

// Marks spread over squares of `reach` cells to each side.
static void sea_spread(uint8_t* mark, int32_t width, int32_t height, int32_t reach, uint8_t* since)
{
    for (int32_t way = -1; way <= 1; way += 2)
    {
        memset(since, 255, (size_t)width);
        for (int32_t k = 0; k < height; ++k)
        {
            const int32_t y = way > 0 ? k : height - 1 - k;
            sea_spread_line(mark + (ptrdiff_t)y * width, width, reach, since);
        }
    }
    for (int32_t y = 0; y < height; ++y)
    {
        uint8_t* row = mark + (ptrdiff_t)y * width;
        for (int32_t x = 0; x < width; ++x)
        {
            row[x] = row[x] != 0;
        }
        sea_spread_row(row, width, reach);
    }
}

// Waves reach the cells around deep water with room.
static void sea_find_surf(const render_relief* r, float level, const sea_map* sea, uint8_t* since)
{
    const float shallow = level - r->sea_channel * r->exaggeration * (float)r->refined;
    const int32_t cells = sea->width * sea->height;
    for (int32_t y = 0; y < sea->height; ++y)
    {
        const int32_t row = y * r->refined + r->refined / 2;
        for (int32_t x = 0; x < sea->width; ++x)
        {
            const int32_t i = y * sea->width + x;
            const int32_t column = x * r->refined + r->refined / 2;
            const float ground = r->ground[(ptrdiff_t)row * r->width + column];
            sea->surf[i] = sea->may[i] == 0 || ground >= shallow; // no way for waves
        }
    }
    sea_spread(sea->surf, sea->width, sea->height, SEA_ROOM, since);
    for (int32_t i = 0; i < cells; ++i)
    {
        sea->surf[i] = !sea->surf[i];
    }
    sea_spread(sea->surf, sea->width, sea->height, SEA_ROOM + SEA_RUN, since);
}

wadi_result wadi_sea_find(const render_relief* r, float level, sea_map* out)
{
    *out = (sea_map){
        .width = r->width / r->refined, .height = r->height / r->refined, .refined = r->refined};
    const size_t cells = (size_t)out->width * (size_t)out->height;
    out->may = wadi_alloc(r->context, cells, 1);
    out->surf = wadi_alloc(r->context, cells, 1);
    sea_search search = {.width = out->width, .height = out->height, .kind = out->may};
    search.queue = wadi_alloc(r->context, cells, sizeof *search.queue);
    const bool enough = out->may != NULL && out->surf != NULL && search.queue != NULL;
    if (enough)
    {
        sea_mark_low(&search, r, level);
        sea_search_all(&search);
        sea_find_surf(r, level, out, (uint8_t*)search.queue);
    }
    else
    {
        wadi_sea_destroy(r->context, out);
    }
    wadi_free(r->context, search.queue);
    return enough ? WADI_OK
                  : wadi_fail_memory(r->context, cells * (2 + sizeof(int32_t)),
                                     "the sea of the picture");
}

void wadi_sea_destroy(wadi_context* context, sea_map* sea)
{
    wadi_free(context, sea->may);
    wadi_free(context, sea->surf);
    sea->may = NULL;
    sea->surf = NULL;
}
