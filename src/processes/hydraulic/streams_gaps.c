// SPDX-License-Identifier: MIT
// Heights for the wind over ground without data: of the nearest cells with data in the row and in
// the column of a cell, weighted by one over their distance.
//
// With the height that the air came from, or of the nearest land, neighbouring rows cross a void
// with a difference of hundreds of metres, and rain falls in a stripe behind it.
#include "processes/hydraulic/streams.h"

// Cells of a row or a column, in one of its two ways.
typedef struct gaps_line
{
    int64_t first;
    int64_t next;
    int32_t count;
    bool wraps;
} gaps_line;

static float gaps_height(const streams* s, int64_t cell)
{
    const int32_t h = s->surface[stream_padded_of(s, cell)];
    const int32_t top = s->has_sea && h < s->sea_level ? s->sea_level : h;
    return (float)top * (1.0f / WADI_UNITS_PER_METRE);
}

// Add to each void the last height before it, twice around a line that closes.
static void gaps_sweep(const streams* s, const gaps_line* line, float* sum, float* weight)
{
    float height = 0.0f;
    int32_t distance = 0; // from the cell with that height; 0: none yet
    const int32_t turns = line->wraps ? 2 : 1;
    for (int32_t i = 0; i < turns * line->count; ++i)
    {
        const int64_t cell = line->first + i % line->count * line->next;
        if (s->ground->valid[cell] != 0)
        {
            height = gaps_height(s, cell);
            distance = 1;
            continue;
        }
        if (distance > 0 && i >= (turns - 1) * line->count)
        {
            sum[cell] += height / (float)distance;
            weight[cell] += 1.0f / (float)distance;
        }
        distance += distance > 0 ? 1 : 0;
    }
}

static void gaps_both_ways(const streams* s, gaps_line line, float* sum, float* weight)
{
    gaps_sweep(s, &line, sum, weight);
    line.first += (line.count - 1) * line.next;
    line.next = -line.next;
    gaps_sweep(s, &line, sum, weight);
}

void wadi_streams_fill_gaps(const streams* s, float* heights, float* weight)
{
    const wadi_edge* edges = s->ground->edges;
    const bool ring_x = edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool ring_y = edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    memset(heights, 0, (size_t)s->cells * sizeof *heights);
    memset(weight, 0, (size_t)s->cells * sizeof *weight);
    for (int32_t y = 0; y < s->height; ++y)
    {
        const gaps_line row = {(int64_t)y * s->width, 1, s->width, ring_x};
        gaps_both_ways(s, row, heights, weight);
    }
    for (int32_t x = 0; x < s->width; ++x)
    {
        const gaps_line column = {x, s->width, s->height, ring_y};
        gaps_both_ways(s, column, heights, weight);
    }
    for (int64_t c = 0; c < s->cells; ++c)
    {
        heights[c] = weight[c] > 0.0f ? heights[c] / weight[c] : STREAM_NO_HEIGHT;
    }
}
