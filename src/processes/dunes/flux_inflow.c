// SPDX-License-Identifier: MIT
// Sand that the wind brings over open edges.
//
// The load beyond an edge is the share `inflow` of what the wind can carry there, over ground that
// goes on with the slope at the edge. If the load of flat ground entered wherever the wind behind
// the edge carries less, it would settle in the first cells, and the bank that it makes would slow
// the wind further: 46 m in 60 years along the flank of a crater.
#include "processes/dunes/flux.h"

#include "core/internal.h"

// Largest stress that relief gives to the wind beyond an edge, over that on flat ground. Nobody
// knows of sand out there that a stronger wind could take along. With 4, banks are twice as high;
// with 1, edges that rise towards the wind are worn back along straight lines.
static const float inflow_most = 1.25f;
// Distances of the cells along an edge over which the stress there is averaged [cells].
static const int32_t inflow_spacing[] = {1, 2, 4, 8};

static bool inflow_is_column(wadi_side side)
{
    return side == WADI_SIDE_WEST || side == WADI_SIDE_EAST;
}

static int32_t inflow_length(const flux* f, wadi_side side)
{
    return inflow_is_column(side) ? f->ground->height : f->ground->width;
}

wadi_result wadi_flux_inflow_create(flux* f)
{
    for (int side = 0; side < 4 && f->params.inflow > 0.0; ++side)
    {
        const int64_t length = inflow_length(f, (wadi_side)side);
        if (f->ground->edges[side] == WADI_EDGE_OPEN)
        {
            WADI_ALLOC(f->context, f->entry[side], length, "sand that enters");
            WADI_ALLOC(f->context, f->relief[side], 3 * length, "wind at edges");
        }
    }
    return WADI_OK;
}

typedef struct inflow_place
{
    int32_t x;
    int32_t y;
} inflow_place;

static inflow_place inflow_at(const flux* f, wadi_side side, int32_t i)
{
    const int32_t along_x = side == WADI_SIDE_WEST ? 0 : f->ground->width - 1;
    const int32_t along_y = side == WADI_SIDE_NORTH ? 0 : f->ground->height - 1;
    return inflow_is_column(side) ? (inflow_place){along_x, i} : (inflow_place){i, along_y};
}

// Stress of the wind in a cell by gusts and local winds, over that of the fastest wind.
static float inflow_wind(const flux* f, inflow_place at)
{
    const float gust = f->streamers != NULL ? wadi_flux_streamer(f, at.x, at.y) : 1.0f;
    return gust * flux_wind_row(f, FLUX_WIND_STRENGTH, at.y)[at.x];
}

// Stress that relief gives to a cell. Plants, water and eddies at the edge reduce the stress at the
// ground, but let no sand fall before it.
static float inflow_relief(const flux* f, inflow_place at)
{
    const ptrdiff_t cell = flux_at(f, at.y) + at.x;
    const float whole = f->reach[cell] * inflow_wind(f, at);
    const float hidden = 0.01f; // of the ground: it does not tell the stress of the relief
    return whole > hidden ? f->stress[cell] / whole : 1.0f;
}

// Smooth values along a side with 1 2 1 over `spacing` cells.
static void inflow_blur(const float* values, float* out, int32_t count, int32_t spacing, bool wraps)
{
    for (int32_t i = 0; i < count; ++i)
    {
        const float before = values[flux_wrap(i - spacing, count, wraps)];
        const float after = values[flux_wrap(i + spacing, count, wraps)];
        out[i] = 0.5f * values[i] + 0.25f * (before + after);
    }
}

// Stress by relief of all cells of a side, then that of their neighbourhoods.
static const float* inflow_neighbourhood(flux* f, wadi_side side)
{
    const int32_t count = inflow_length(f, side);
    const bool wraps = inflow_is_column(side) ? f->wrap_y : f->wrap_x;
    float* const own = f->relief[side];
    for (int32_t i = 0; i < count; ++i)
    {
        own[i] = inflow_relief(f, inflow_at(f, side, i));
    }
    const float* from = own;
    for (size_t k = 0; k < sizeof inflow_spacing / sizeof inflow_spacing[0]; ++k)
    {
        float* const to = own + count * (int32_t)(1 + k % 2);
        inflow_blur(from, to, count, inflow_spacing[k], wraps);
        from = to;
    }
    return from;
}

// Load that the fastest wind carries where it is as strong as `wind`, over such relief [units].
static float inflow_carried(const flux* f, float wind, float relief)
{
    const float excess = wind * relief - f->law.shear.threshold;
    return excess > 0.0f ? f->law.shear.saturated * excess : 0.0f;
}

// Stress on the ground from which the sand comes. A stronger wind than that over flat ground finds
// more sand only as far as the ground there is sand, which the share `inflow` tells.
static float inflow_source(const flux* f, float near)
{
    const float sandy = (float)(f->params.inflow * f->params.inflow);
    const float most = near < inflow_most ? near : inflow_most;
    return most > 1.0f ? 1.0f + sandy * (most - 1.0f) : 1.0f;
}

// No more enters a cell than it and its neighbourhood can carry: single hollows would gather it.
static void inflow_read_side(flux* f, wadi_side side)
{
    const int32_t count = inflow_length(f, side);
    const float* own = f->relief[side];
    const float* near = inflow_neighbourhood(f, side);
    const float share = (float)f->params.inflow;
    for (int32_t i = 0; i < count; ++i)
    {
        const float wind = inflow_wind(f, inflow_at(f, side, i));
        const float comes = share * inflow_carried(f, wind, inflow_source(f, near[i]));
        const float fits = inflow_carried(f, wind, own[i] < near[i] ? own[i] : near[i]);
        f->entry[side][i] = (int32_t)(comes < fits ? comes : fits);
    }
}

void wadi_flux_inflow_read(flux* f)
{
    for (int side = 0; side < 4; ++side)
    {
        if (f->entry[side] != NULL)
        {
            inflow_read_side(f, (wadi_side)side);
        }
    }
}
