// SPDX-License-Identifier: MIT
// The first pass over a tile: slides, rock failures and outflow over open edges.
#include "laws/slopes/talus_patch.h"
#include "laws/slopes/talus_wake.h"

#include <string.h>

static void move_flux_of(const talus_setting* setting, talus_patch* patch, int32_t row,
                         talus_flux_row* flux)
{
    const int32_t at = talus_patch_index(-1, row);
    flux->surface = patch->surface + at;
    flux->loose = patch->loose + at;
    flux->awake = patch->awake[row + 1];
    flux->stale = patch->stale;
    flux->tangents = setting->law->tangents != NULL ? patch->tangents + at : NULL;
}

// Rows of changes are cleared on first use: most are never used.
static void move_clear(talus_patch* patch, int32_t row)
{
    const uint64_t bit = (uint64_t)1 << (row + TALUS_HALO);
    if ((patch->cleared & bit) == 0)
    {
        int32_t* change = patch->change + talus_patch_index(-TALUS_MARGIN, row);
        memset(change, 0, TALUS_PATCH_STRIDE * sizeof *change);
    }
    patch->cleared |= bit;
}

// Columns of whole vectors, from column -1 on, that the vectors `moves` of a row change.
typedef struct move_span
{
    int32_t begin;
    int32_t end;
} move_span;

static move_span move_span_of(uint32_t moves, int32_t count)
{
    int32_t first = 0;
    while ((moves >> first & 1u) == 0)
    {
        first += 1;
    }
    int32_t last = first;
    while (moves >> last >> 1 != 0)
    {
        last += 1;
    }
    const int32_t end = (last + 2) * TALUS_LANES;
    return (move_span){first > 0 ? (first - 1) * TALUS_LANES : 0, end < count ? end : count};
}

// Add the fluxes of a row in which the vectors `moves` slide; those of other vectors are 0.
static void move_add_fluxes(talus_patch* patch, int32_t row, const talus_setting* setting,
                            uint32_t moves, int32_t count)
{
    for (int32_t beside = row - 1; beside <= row + 1; ++beside)
    {
        move_clear(patch, beside);
        patch->moved[beside + TALUS_HALO] |= moves;
    }
    const move_span span = move_span_of(moves, count);
    const int32_t at = TALUS_MARGIN + span.begin;
    talus_sum_row sum = {.count = span.end - span.begin,
                         .given = patch->flux[TALUS_NEIGHBOURS] + at,
                         .north = patch->change + talus_patch_index(span.begin - 1, row - 1),
                         .here = patch->change + talus_patch_index(span.begin - 1, row),
                         .south = patch->change + talus_patch_index(span.begin - 1, row + 1)};
    for (int k = 0; k < TALUS_NEIGHBOURS; ++k)
    {
        sum.flux[k] = patch->flux[k] + at;
    }
    setting->kernels->sum(&sum);
}

static bool move_break_row(const talus_setting* setting, const talus_patch* patch, int32_t row,
                           int32_t width, int32_t* breaks)
{
    const talus_break_row job = {
        .surface = patch->surface + talus_patch_index(0, row),
        .loose = patch->loose + talus_patch_index(0, row),
        .slope = patch->slope + 1, // from column 0 on
        .count = width,
        .share = (float)setting->law->share,
        .hold = setting->scale.rock_hold,
        .start = setting->scale.rock_start,
        .breaks = breaks,
    };
    return setting->kernels->breaks(&job);
}

// The outflow is computed from all rows beside an open edge, so these are cleared.
static void move_begin(talus_patch* patch, const talus_setting* setting)
{
    bool open = false;
    for (int side = 0; side < 4; ++side)
    {
        open = open || setting->ground->edges[side] == WADI_EDGE_OPEN;
    }
    if (open)
    {
        memset(patch->change, 0, sizeof patch->change);
    }
    patch->cleared = open ? UINT64_MAX : 0;
    memset(patch->moved, 0, sizeof patch->moved);
    patch->crosses = false;
}

// True if a sliding row moves matter across the border of the tile, in either direction.
static bool move_crosses(const talus_patch* patch, const talus_tile* tile, int32_t row)
{
    const int32_t* given = patch->flux[TALUS_NEIGHBOURS] + TALUS_MARGIN; // from column -1 on
    const int32_t beside = given[0] | given[1] | given[tile->width] | given[tile->width + 1];
    return row <= 0 || row >= tile->height - 1 || beside != 0;
}

static void move_note_given(talus_patch* patch, const talus_tile* tile, int32_t row, uint32_t moves)
{
    if (row >= 0 && row < tile->height)
    {
        const int32_t* given = patch->flux[TALUS_NEIGHBOURS] + TALUS_MARGIN + 1;
        patch->given[row] = wadi_talus_stir_within(given, tile->width, wadi_talus_stretches(moves));
    }
}

bool wadi_talus_patch_move(talus_patch* patch, const talus_setting* setting, const talus_tile* tile,
                           int32_t* breaks)
{
    talus_flux_row flux = {.stride = TALUS_PATCH_STRIDE,
                           .count = (tile->width + 2) / TALUS_LANES * TALUS_LANES + TALUS_LANES,
                           .share = (float)setting->law->share,
                           .scale = (float)setting->scale.cell,
                           .widening = setting->scale.widening,
                           .hold = patch->hold + TALUS_MARGIN,
                           .start = patch->start + TALUS_MARGIN,
                           .slope = patch->slope,
                           .flat = breaks != NULL, // breaking rock needs the slopes of all cells
                           .given = patch->flux[TALUS_NEIGHBOURS] + TALUS_MARGIN};
    for (int k = 0; k < TALUS_NEIGHBOURS; ++k)
    {
        flux.flux[k] = patch->flux[k] + TALUS_MARGIN;
    }
    // bits of vectors beyond this tile are kept
    const uint32_t beyond = ~((1u << flux.count / TALUS_LANES) - 1u);
    bool any = false;
    move_begin(patch, setting);
    memset(patch->given, 0, sizeof patch->given);
    for (int32_t row = -1; row <= tile->height; ++row)
    {
        move_flux_of(setting, patch, row, &flux);
        // rock also needs the slopes of inactive rows, which are 0
        if (flux.awake != 0 || breaks != NULL)
        {
            const uint32_t moves = setting->kernels->flux(&flux);
            patch->stale = moves | (flux.stale & beyond);
            if (moves != 0)
            {
                move_add_fluxes(patch, row, setting, moves, flux.count);
                patch->crosses = patch->crosses || move_crosses(patch, tile, row);
                move_note_given(patch, tile, row, moves);
                any = true;
            }
        }
        if (breaks != NULL && row >= 0 && row < tile->height)
        {
            any = move_break_row(setting, patch, row, tile->width,
                                 breaks + row * WADI_TALUS_TILE_WIDTH) ||
                  any;
        }
    }
    return any;
}

// ---- outflow -----------------------------------------------------------------------------

static int64_t move_sum_of(const talus_patch* patch, int32_t column, int32_t row, int32_t count,
                           int32_t step)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += patch->change[talus_patch_index(column, row) + i * step];
    }
    return sum;
}

// The first and the last of the cells [begin, end) along an axis that a window owns, and those
// beyond the edges of the grid.
static void move_clip(int32_t owned, int32_t end_owned, int32_t tile, int32_t size, int32_t* begin,
                      int32_t* end)
{
    *begin = owned > tile ? owned - tile : *begin;
    *end = end_owned < tile + size ? end_owned - tile : *end;
    *end = *end > *begin ? *end : *begin;
}

// The outflow is the change of the cells beyond an open edge; corners count as north or south.
void wadi_talus_patch_book_leaving(const talus_patch* patch, const talus_setting* setting,
                                   const talus_tile* tile, wadi_tally* tally)
{
    const wadi_ground* ground = setting->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    const int32_t w = tile->width;
    const int32_t h = tile->height;
    const bool at_west = tile->x == 0 && ground->edges[WADI_SIDE_WEST] == WADI_EDGE_OPEN;
    const bool at_east =
        tile->x + w == ground->width && ground->edges[WADI_SIDE_EAST] == WADI_EDGE_OPEN;
    int32_t first = at_west ? -1 : 0;
    int32_t last = w + (at_east ? 1 : 0);
    int32_t top = 0;
    int32_t bottom = h;
    move_clip(owned.x, owned.end_x, tile->x, w, &first, &last);
    move_clip(owned.y, owned.end_y, tile->y, h, &top, &bottom);
    int64_t* out = tally->out[WADI_MATERIAL_SEDIMENT];
    if (tile->y == 0 && ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_OPEN)
    {
        out[WADI_SIDE_NORTH] += move_sum_of(patch, first, -1, last - first, 1);
    }
    if (tile->y + h == ground->height && ground->edges[WADI_SIDE_SOUTH] == WADI_EDGE_OPEN)
    {
        out[WADI_SIDE_SOUTH] += move_sum_of(patch, first, h, last - first, 1);
    }
    const int32_t rows = bottom - top;
    out[WADI_SIDE_WEST] += at_west ? move_sum_of(patch, -1, top, rows, TALUS_PATCH_STRIDE) : 0;
    out[WADI_SIDE_EAST] += at_east ? move_sum_of(patch, w, top, rows, TALUS_PATCH_STRIDE) : 0;
}
