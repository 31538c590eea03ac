// SPDX-License-Identifier: MIT
// What a step of streams reads of the ground: heights, outlets, the sea, and how soft the rock is.
#include "core/dmath.h"
#include "core/paging.h"
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <string.h>

// ---- outline -----------------------------------------------------------------------------

int64_t wadi_streams_beside(const streams* s, int64_t cell, int32_t direction)
{
    // cells fit 32 bits, whose division is faster
    const int32_t row = (int32_t)cell / s->width;
    int32_t x = (int32_t)cell - row * s->width + stream_dx[direction];
    int32_t y = row + stream_dy[direction];
    if (x < 0 || x >= s->width)
    {
        if (s->ground->edges[WADI_SIDE_WEST] != WADI_EDGE_PERIODIC)
        {
            return -1;
        }
        x = x < 0 ? s->width - 1 : 0;
    }
    if (y < 0 || y >= s->height)
    {
        if (s->ground->edges[WADI_SIDE_NORTH] != WADI_EDGE_PERIODIC)
        {
            return -1;
        }
        y = y < 0 ? s->height - 1 : 0;
    }
    return (int64_t)y * s->width + x;
}

int64_t wadi_streams_across(const streams* s, int64_t cell, int32_t direction)
{
    const int64_t n = wadi_streams_beside(s, cell, direction);
    return n >= 0 && s->ground->valid[n] != 0 ? n : -1;
}

// The first void cell around a cell; -1 if there is none.
static int64_t stream_void_beside(const streams* s, int32_t x, int32_t y)
{
    const wadi_edge* edges = s->ground->edges;
    for (int32_t d = 0; d < 8 && !s->ground->all_valid; ++d)
    {
        int32_t nx = x + stream_dx[d];
        int32_t ny = y + stream_dy[d];
        nx = edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC ? (nx + s->width) % s->width : nx;
        ny = edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC ? (ny + s->height) % s->height : ny;
        const int64_t n = (int64_t)ny * s->width + nx;
        if (nx >= 0 && nx < s->width && ny >= 0 && ny < s->height && s->ground->valid[n] == 0)
        {
            return n;
        }
    }
    return -1;
}

static uint8_t stream_rim_of(const streams* s, int32_t x, int32_t y)
{
    const wadi_edge* edges = s->ground->edges;
    if (s->ground->valid[(int64_t)y * s->width + x] == 0)
    {
        return STREAM_VOID;
    }
    const bool at[4] = {y == 0, x == s->width - 1, y == s->height - 1, x == 0};
    for (int side = 0; side < 4; ++side)
    {
        if (at[side] && edges[side] == WADI_EDGE_OPEN)
        {
            return (uint8_t)(1 + side);
        }
    }
    const int64_t hole = stream_void_beside(s, x, y);
    return hole < 0 ? 0 : (uint8_t)(1 + wadi_ground_void_side(s->ground, hole));
}

static bool stream_is_inside(const streams* s, int32_t x, int32_t y)
{
    return x > 0 && x < s->width - 1 && y > 0 && y < s->height - 1 &&
           stream_void_beside(s, x, y) < 0;
}

void wadi_streams_outline(streams* s)
{
    s->has_outlet = false;
    for (int32_t y = 0; y < s->height; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int64_t cell = (int64_t)y * s->width + x;
            // where a river enters is no outlet
            const bool gate = s->supply.gates != NULL && s->supply.gates[cell] != 0;
            s->outline[cell] = gate ? 0 : stream_rim_of(s, x, y);
            s->inside[cell] = stream_is_inside(s, x, y) ? 1 : 0;
            s->has_outlet |= s->outline[cell] != 0 && s->outline[cell] != STREAM_VOID;
        }
    }
}

// ---- heights -----------------------------------------------------------------------------

// Read the ends of the rows to come, where they lie in a file: of long rows no more than these.
static void ghosts_expect(const streams* s, const int32_t* padded, int32_t y)
{
    enum
    {
        AHEAD = 64 // rows
    };
    for (int32_t row = y; s->pages != NULL && y % AHEAD == 0 && row < y + AHEAD; ++row)
    {
        const bool any = row < s->height;
        const int32_t* end = padded + stream_padded(s, s->width - 1, any ? row : s->height - 1);
        wadi_expect(s->context, end, any ? 4 * sizeof *end : 0);
    }
}

void wadi_streams_ghosts(const streams* s, int32_t* padded)
{
    const bool wraps_x = s->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    for (int32_t y = 0; y < s->height; ++y)
    {
        ghosts_expect(s, padded, y);
        int32_t* row = padded + stream_padded(s, 0, y);
        row[-1] = wraps_x ? row[s->width - 1] : FLOW_WALL;
        row[s->width] = wraps_x ? row[0] : FLOW_WALL;
    }
    int32_t* north = padded;
    int32_t* south = padded + stream_padded(s, -1, s->height);
    for (int32_t x = 0; x < s->stride; ++x)
    {
        north[x] = wraps_y ? padded[stream_padded(s, -1, s->height - 1) + x] : FLOW_WALL;
        south[x] = wraps_y ? padded[stream_padded(s, -1, 0) + x] : FLOW_WALL;
    }
}

// Surface of a row with several loose layers, or none.
static void streams_read_layers(const streams* s, int64_t first, stream_heights_row* row)
{
    row->low = INT32_MAX;
    row->high = INT32_MIN;
    for (int32_t x = 0; x < s->width; ++x)
    {
        const int32_t h = wadi_ground_surface(s->ground, first + x);
        const bool valid = s->ground->valid[first + x] != 0;
        row->out[x] = h;
        row->low = valid && h < row->low ? h : row->low;
        row->high = valid && h > row->high ? h : row->high;
    }
}

static void streams_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * s->width;
        stream_heights_row row = {
            .count = s->width,
            .rock = s->ground->bedrock + first,
            .loose = s->ground->loose[0] + first,
            .valid = s->ground->valid + first,
            .out = s->surface + stream_padded(s, 0, y),
        };
        if (s->ground->loose_count == 1)
        {
            stream_kernels_of(wadi_isa_best())->heights(&row);
        }
        else
        {
            streams_read_layers(s, first, &row);
        }
        s->rows[y].low = row.low;
        s->rows[y].high = row.high;
    }
}

static void streams_level_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        stream_kernels_of(wadi_isa_best())
            ->level(s->width, s->datum, s->ground->valid + (int64_t)y * s->width,
                    s->surface + stream_padded(s, 0, y));
    }
}

// Heights are measured from the lowest cell, so that they are >= 0.
static wadi_result streams_read_heights(streams* s)
{
    const wadi_ground* ground = s->ground;
    const stream_array arrays[] = {
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {ground->valid, 1, STREAM_AT},
        {ground->bedrock, sizeof *ground->bedrock, STREAM_AT},
        {ground->loose[0], sizeof *ground->loose[0], STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    const stream_array heights[] = {arrays[0], arrays[1], arrays[4]};
    wadi_streams_pass(s, arrays, STREAM_ROWS, streams_read_rows, s);
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (int32_t y = 0; y < s->height; ++y)
    {
        low = s->rows[y].low < low ? s->rows[y].low : low;
        high = s->rows[y].high > high ? s->rows[y].high : high;
    }
    // half of the range stays free for the tilt of the flood and for deposits
    WADI_CHECK(s->context, (int64_t)high - low < INT32_MAX / 2, WADI_ERROR_RANGE,
               "the relief is %.0f m, but hydraulic takes at most %.0f m",
               ((double)high - (double)low) / WADI_UNITS_PER_METRE,
               INT32_MAX / 2.0 / WADI_UNITS_PER_METRE);
    s->datum = low;
    s->at_bottom = low < STREAM_BOTTOM + 1000 * (int64_t)WADI_UNITS_PER_METRE;
    wadi_streams_pass(s, heights, STREAM_ROWS, streams_level_rows, s);
    wadi_streams_ghosts(s, s->surface);
    return WADI_OK;
}

void wadi_streams_change_run(const streams* s, int64_t first, int32_t count, wadi_tally* tally)
{
    const int32_t* change = s->change + first;
    stream_kernels_of(wadi_isa_best())->count(count, change, s->wear + first, s->deposit + first);
    wadi_ground_change_row(s->ground, first, count, change, tally);
}

// ---- softness ----------------------------------------------------------------------------

// Soil of this thickness moves and wears as if there were no rock below [units]: 1 m.
#define STREAM_COVER WADI_UNITS_PER_METRE

static void streams_soften_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    const wadi_ground* ground = s->ground;
    for (int64_t c = (int64_t)begin * s->width; c < (int64_t)end * s->width; ++c)
    {
        const float rock = (float)((65535 - ground->hardness[c]) / 65535.0 * ground->rock_softness);
        const int32_t loose =
            ground->valid[c] != 0 ? wadi_ground_surface(ground, c) - ground->bedrock[c] : 0;
        const float cover = loose < STREAM_COVER ? (float)loose * (1.0f / STREAM_COVER) : 1.0f;
        s->soft[c] = rock + (1.0f - rock) * cover;
    }
}

static void streams_soften(streams* s)
{
    const wadi_ground* ground = s->ground;
    const stream_array arrays[] = {
        {s->soft, sizeof *s->soft, STREAM_AT},
        {ground->hardness, sizeof *ground->hardness, STREAM_AT},
        {ground->valid, 1, STREAM_AT},
        {ground->bedrock, sizeof *ground->bedrock, STREAM_AT},
        {ground->loose[0], sizeof *ground->loose[0], STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, arrays, STREAM_ROWS, streams_soften_rows, s);
}

// ---- the sea -----------------------------------------------------------------------------

// Returns the number of cells under the sea.
static int64_t streams_flood_row(const streams* s, int32_t y)
{
    uint8_t* rim = s->rim + (int64_t)y * s->width;
    const int32_t* surface = s->surface + stream_padded(s, 0, y);
    int64_t cells = 0;
    for (int32_t x = 0; x < s->width; ++x)
    {
        const bool under = rim[x] != STREAM_VOID && surface[x] <= s->sea_level;
        rim[x] = !under ? rim[x] : surface[x] == s->sea_level ? STREAM_DEEP : STREAM_SEA;
        cells += under ? 1 : 0;
    }
    return cells;
}

// The sea covers all ground below its level, and takes what flows into it. Ground exactly at its
// level is the sea of elevation models without depths: it has room for everything.
static void streams_find_sea(streams* s, double year)
{
    double level;
    const stream_array arrays[] = {
        {s->outline, 1, STREAM_AT},
        {s->rim, 1, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    for (int32_t y = 0; y < s->height; ++y)
    {
        wadi_streams_ahead(s, arrays, y);
        const int64_t first = (int64_t)y * s->width;
        memcpy(s->rim + first, s->outline + first, (size_t)s->width);
    }
    s->has_sea = wadi_terrain_sea_level(s->terrain, year, &level);
    if (!s->has_sea)
    {
        return;
    }
    const double above = floor(level * WADI_UNITS_PER_METRE + 0.5) - s->datum;
    s->sea_level = (int32_t)fmin(fmax(above, -1.0), INT32_MAX / 2.0);
    int64_t cells = 0;
    const stream_array heights[] = {
        {s->rim, 1, STREAM_AT},
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {NULL, 0, STREAM_AT},
    };
    for (int32_t y = 0; y < s->height; ++y)
    {
        wadi_streams_ahead(s, heights, y);
        cells += streams_flood_row(s, y);
    }
    s->has_sea = cells > 0;
}

wadi_result wadi_streams_read(streams* s, double year)
{
    WADI_TRY(streams_read_heights(s));
    if (s->soft != NULL)
    {
        streams_soften(s);
    }
    streams_find_sea(s, year);
    wadi_stage(s->context, "base");
    WADI_TRY(wadi_streams_base(s));
    wadi_stage(s->context, "read");
    if (s->has_sea && s->top == NULL)
    {
        WADI_ALLOC(s->context, s->top, (int64_t)s->stride * (s->height + 2), "the sea");
    }
    return WADI_OK;
}

void wadi_streams_cover(streams* s)
{
    const stream_array arrays[] = {
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {s->top, sizeof *s->top, STREAM_PADDED},
        {NULL, 0, STREAM_AT},
    };
    for (int32_t y = 0; y < s->height + 2; ++y)
    {
        wadi_streams_ahead(s, arrays, y);
        const int32_t* surface = s->surface + (int64_t)y * s->stride;
        int32_t* top = s->top + (int64_t)y * s->stride;
        for (int32_t x = 0; x < s->stride; ++x)
        {
            top[x] = surface[x] > s->sea_level ? surface[x] : s->sea_level;
        }
    }
}
