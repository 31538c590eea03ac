// SPDX-License-Identifier: MIT
#include "processes/hydraulic/parcel_pyramid.h"

#include <math.h>
#include <string.h>

enum
{
    PYRAMID_PARTS = 256 // per unit: smoothing counts in sixteenths, and so does interpolation
};

// ---- down --------------------------------------------------------------------------------

// Indices of the up to four fine cells of a coarse cell; returns their number.
static int32_t pyramid_children(const wadi_ground* fine, int32_t x, int32_t y, int64_t out[4])
{
    int32_t count = 0;
    for (int32_t k = 0; k < 4; ++k)
    {
        const int32_t fx = 2 * x + (k & 1);
        const int32_t fy = 2 * y + (k >> 1);
        if (fx < fine->width && fy < fine->height &&
            fine->valid[(int64_t)fy * fine->width + fx] != 0)
        {
            out[count++] = (int64_t)fy * fine->width + fx;
        }
    }
    return count;
}

static int32_t pyramid_mean(int64_t sum, int32_t count)
{
    return (int32_t)floor((double)sum / count + 0.5);
}

// A coarse cell is valid if at least half of its fine cells are.
static void pyramid_coarsen_cell(const wadi_ground* fine, wadi_ground* coarse, int32_t x, int32_t y)
{
    int64_t child[4];
    const int64_t cell = (int64_t)y * coarse->width + x;
    const int32_t count = pyramid_children(fine, x, y, child);
    const int32_t there = (2 * x + 1 < fine->width ? 2 : 1) * (2 * y + 1 < fine->height ? 2 : 1);
    coarse->valid[cell] = 2 * count >= there && count > 0 ? 1 : 0;
    if (coarse->valid[cell] == 0)
    {
        coarse->all_valid = false;
        return;
    }
    int64_t rock = 0;
    int64_t loose = 0;
    int64_t hard = 0;
    int64_t top = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        rock += fine->bedrock[child[i]];
        loose += wadi_ground_surface(fine, child[i]) - fine->bedrock[child[i]];
        hard += fine->hardness[child[i]];
        top += fine->strata != NULL ? fine->strata->top[child[i]] : 0;
    }
    coarse->bedrock[cell] = pyramid_mean(rock, count);
    coarse->loose[0][cell] = pyramid_mean(loose, count);
    coarse->hardness[cell] = (uint16_t)pyramid_mean(hard, count);
    if (coarse->strata != NULL)
    {
        coarse->strata->top[cell] = pyramid_mean(top, count);
        wadi_strata_update_hardness(coarse, cell, 1);
    }
}

wadi_result wadi_parcel_coarsen(const wadi_terrain* fine_terrain, wadi_terrain** out)
{
    *out = NULL;
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = (wadi_terrain_width(fine_terrain) + 1) / 2;
    def.height = (wadi_terrain_height(fine_terrain) + 1) / 2;
    def.cell_size = 2.0 * wadi_terrain_cell_size(fine_terrain);
    def.seed = wadi_terrain_seed(fine_terrain);
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = wadi_terrain_edge(fine_terrain, (wadi_side)side);
    }
    wadi_terrain* terrain;
    WADI_TRY(wadi_terrain_create(wadi_terrain_context(fine_terrain), &def, &terrain));
    const wadi_ground* fine = wadi_terrain_ground_const(fine_terrain);
    wadi_ground* coarse = wadi_terrain_ground(terrain);
    coarse->rock_softness = fine->rock_softness;
    if (fine->strata != NULL)
    {
        const wadi_result result = wadi_strata_adopt(terrain, fine->strata);
        if (result != WADI_OK)
        {
            wadi_terrain_destroy(terrain);
            return result;
        }
    }
    for (int32_t y = 0; y < def.height; ++y)
    {
        for (int32_t x = 0; x < def.width; ++x)
        {
            pyramid_coarsen_cell(fine, coarse, x, y);
        }
    }
    const wadi_result result = wadi_ground_halve_void_sides(fine, terrain);
    if (result != WADI_OK)
    {
        wadi_terrain_destroy(terrain);
        return result;
    }
    *out = terrain;
    return WADI_OK;
}

wadi_result wadi_parcel_coarsen_map(const wadi_terrain* fine_terrain, const float* map, float** out)
{
    const wadi_ground* fine = wadi_terrain_ground_const(fine_terrain);
    const int32_t width = (fine->width + 1) / 2;
    const int32_t height = (fine->height + 1) / 2;
    WADI_ALLOC(wadi_terrain_context(fine_terrain), *out, (int64_t)width * height, "a map");
    for (int32_t y = 0; y < height; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            int64_t child[4];
            const int32_t count = pyramid_children(fine, x, y, child);
            double sum = 0.0;
            for (int32_t i = 0; i < count; ++i)
            {
                sum += (double)map[child[i]];
            }
            (*out)[(int64_t)y * width + x] = count > 0 ? (float)(sum / count) : 0.0f;
        }
    }
    return WADI_OK;
}

// ---- up ----------------------------------------------------------------------------------

wadi_result wadi_parcel_change_take(const wadi_terrain* now_terrain,
                                    const wadi_terrain* before_terrain, parcel_change* out)
{
    wadi_context* context = wadi_terrain_context(now_terrain);
    const wadi_ground* now = wadi_terrain_ground_const(now_terrain);
    const wadi_ground* before = wadi_terrain_ground_const(before_terrain);
    WADI_ALLOC(context, out->rock, now->cells, "a change");
    WADI_ALLOC(context, out->sediment, now->cells, "a change");
    for (int64_t c = 0; c < now->cells; ++c)
    {
        out->rock[c] = now->bedrock[c] - before->bedrock[c];
        out->sediment[c] = now->loose[0][c] - before->loose[0][c];
    }
    return WADI_OK;
}

void wadi_parcel_change_free(wadi_context* context, parcel_change* change)
{
    wadi_free(context, change->rock);
    wadi_free(context, change->sediment);
    *change = (parcel_change){0};
}

typedef struct pyramid_grid
{
    const wadi_ground* ground;
    bool wraps_x;
    bool wraps_y;
} pyramid_grid;

// Coarse cell at (x, y); indices outside are clamped or wrapped. Void cells give the cell `home`.
static int64_t pyramid_cell(const pyramid_grid* grid, int32_t x, int32_t y, int64_t home)
{
    const int32_t w = grid->ground->width;
    const int32_t h = grid->ground->height;
    x = grid->wraps_x ? (x + w) % w : x < 0 ? 0 : x >= w ? w - 1 : x;
    y = grid->wraps_y ? (y + h) % h : y < 0 ? 0 : y >= h ? h - 1 : y;
    const int64_t cell = (int64_t)y * w + x;
    return grid->ground->valid[cell] != 0 ? cell : home;
}

// Sixteen times a coarse change, smoothed by the binomial kernel [1 2 1] x [1 2 1]. The change of a
// coarse grid has ridges one cell wide in eight directions; without smoothing they remain in the
// finer land as straight lines. Neighbours exchange equal amounts, so the sum is conserved.
static void pyramid_smooth(const pyramid_grid* grid, const int32_t* values, int64_t* out)
{
    const wadi_ground* ground = grid->ground;
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t home = (int64_t)y * ground->width + x;
            int64_t sum = 16 * (int64_t)values[home];
            for (int32_t d = 0; d < 8 && ground->valid[home] != 0; ++d)
            {
                const int64_t weight = (d & 1) != 0 ? 1 : 2;
                const int64_t n = pyramid_cell(grid, x + parcel_dx[d], y + parcel_dy[d], home);
                sum += weight * ((int64_t)values[n] - values[home]);
            }
            out[home] = sum;
        }
    }
}

// Sixteen times the value of a fine cell: cell-centred bilinear weights 9 3 3 1 conserve sums.
static int64_t pyramid_bilinear(const pyramid_grid* grid, const int64_t* values, int32_t fx,
                                int32_t fy)
{
    const int32_t x = fx / 2;
    const int32_t y = fy / 2;
    const int32_t side_x = (fx & 1) != 0 ? x + 1 : x - 1;
    const int32_t side_y = (fy & 1) != 0 ? y + 1 : y - 1;
    const int64_t home = (int64_t)y * grid->ground->width + x;
    if (grid->ground->valid[home] == 0)
    {
        return 0;
    }
    return 9 * values[home] + 3 * values[pyramid_cell(grid, side_x, y, home)] +
           3 * values[pyramid_cell(grid, x, side_y, home)] +
           values[pyramid_cell(grid, side_x, side_y, home)];
}

// Remainder of the change, in parts of a unit: rounding errors, and matter that hard rock did not
// yield. It is carried to the next cell of the scan.
typedef struct pyramid_remainder
{
    int64_t rock;
    int64_t sediment;
} pyramid_remainder;

static int32_t pyramid_whole(int64_t parts)
{
    // round towards minus infinity, so that the remainder is never negative
    const int64_t whole =
        parts >= 0 ? parts / PYRAMID_PARTS : -((-parts + PYRAMID_PARTS - 1) / PYRAMID_PARTS);
    return (int32_t)whole;
}

// Remove sediment from loose layers; any deficit from rock, as far as its hardness allows.
static int32_t pyramid_take_sediment(const wadi_ground* ground, int64_t cell, int32_t amount,
                                     wadi_tally* tally)
{
    const int32_t loose = wadi_ground_surface(ground, cell) - ground->bedrock[cell];
    const int32_t room = wadi_ground_erodible_rock(ground, cell);
    const int32_t spare = amount - loose > room ? loose + room : amount;
    wadi_ground_take_exact(ground, cell, spare, tally);
    return spare;
}

static void pyramid_apply(const wadi_ground* ground, int64_t cell, pyramid_remainder* remainder,
                          int32_t* wear, int32_t* deposit, wadi_tally* tally)
{
    const int32_t room = wadi_ground_erodible_rock(ground, cell);
    const int32_t wanted = -pyramid_whole(remainder->rock);
    const int32_t cut = room == 0 ? 0 : wanted < room ? wanted : room;
    wadi_ground_take_exact_rock(ground, cell, cut, tally);
    remainder->rock += PYRAMID_PARTS * (int64_t)cut;

    int32_t laid = pyramid_whole(remainder->sediment);
    if (laid >= 0)
    {
        wadi_ground_put(ground, cell, laid, tally);
    }
    else
    {
        laid = -pyramid_take_sediment(ground, cell, -laid, tally);
    }
    remainder->sediment -= PYRAMID_PARTS * (int64_t)laid;

    const int32_t change = laid - cut;
    if (wear != NULL)
    {
        wear[cell] += change < 0 ? -change : 0;
        deposit[cell] += change > 0 ? change : 0;
    }
}

// The smoothed change of rock and of sediment.
typedef struct pyramid_smoothed
{
    int64_t* rock;
    int64_t* sediment;
} pyramid_smoothed;

static wadi_result pyramid_smooth_both(wadi_context* context, const pyramid_grid* grid,
                                       const parcel_change* change, pyramid_smoothed* out)
{
    WADI_ALLOC(context, out->rock, grid->ground->cells, "a change");
    WADI_ALLOC(context, out->sediment, grid->ground->cells, "a change");
    pyramid_smooth(grid, change->rock, out->rock);
    pyramid_smooth(grid, change->sediment, out->sediment);
    return WADI_OK;
}

static void pyramid_hand_on(const wadi_ground* fine, const pyramid_grid* grid,
                            const pyramid_smoothed* smoothed, int32_t* wear, int32_t* deposit,
                            wadi_tally* tally)
{
    pyramid_remainder remainder = {0};
    for (int32_t y = 0; y < fine->height; ++y)
    {
        for (int32_t x = 0; x < fine->width; ++x)
        {
            const int64_t cell = (int64_t)y * fine->width + x;

            // a void cell has no share: its coarse cell covers less land than its size, and the
            // change is one of height, not of volume
            if (fine->valid[cell] != 0)
            {
                remainder.rock += pyramid_bilinear(grid, smoothed->rock, x, y);
                remainder.sediment += pyramid_bilinear(grid, smoothed->sediment, x, y);
                pyramid_apply(fine, cell, &remainder, wear, deposit, tally);
            }
        }
    }
}

wadi_result wadi_parcel_refine(wadi_terrain* fine_terrain, const wadi_terrain* coarse_terrain,
                               const parcel_change* change, int32_t* wear, int32_t* deposit,
                               wadi_tally* tally)
{
    wadi_context* context = wadi_terrain_context(fine_terrain);
    const wadi_ground* fine = wadi_terrain_ground(fine_terrain);
    const wadi_ground* coarse = wadi_terrain_ground_const(coarse_terrain);
    const pyramid_grid grid = {
        .ground = coarse,
        .wraps_x = coarse->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC && fine->width % 2 == 0,
        .wraps_y = coarse->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC && fine->height % 2 == 0,
    };
    pyramid_smoothed smoothed = {0};
    const wadi_result result = pyramid_smooth_both(context, &grid, change, &smoothed);
    if (result == WADI_OK)
    {
        pyramid_hand_on(fine, &grid, &smoothed, wear, deposit, tally);
    }
    wadi_free(context, smoothed.rock);
    wadi_free(context, smoothed.sediment);
    return result;
}
