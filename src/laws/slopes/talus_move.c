// SPDX-License-Identifier: MIT
// The first pass over a tile: slides, rock failures and outflow over open edges.
#include "laws/slopes/talus_plane.h"
#include "laws/slopes/talus_wake.h"

#include <string.h>

// A tile whose slides are computed.
typedef struct move_job
{
    const talus_setting* setting;
    const talus_tile* tile;
    talus_patch* patch;
    const talus_plane* plane;
} move_job;

// Vectors of `moves` with a cell that may slide into the tile: of those beside it only one column
// may.
static uint32_t move_within(const move_job* job, uint32_t moves)
{
    const int32_t* given = job->patch->flux[TALUS_NEIGHBOURS] + TALUS_MARGIN;
    const int32_t width = job->tile->width;
    const uint32_t behind = 1u << talus_vector_of(width);
    const bool whole = width % TALUS_LANES != 0;
    const uint32_t west = given[-1] != 0 ? 0 : 1;
    return moves & ~(west | (whole || given[width] != 0 ? 0 : behind));
}

// Fluxes of a row; returns the vectors that slide. A row with no steep vector, of which flux->awake
// has the bits, is left as it is.
static uint32_t move_row(const move_job* job, int32_t row, talus_flux_row* flux)
{
    const talus_setting* setting = job->setting;
    talus_patch* patch = job->patch;
    flux->surface = job->plane->memory + talus_plane_at(job->plane, job->tile->y + row) +
                    job->tile->x - TALUS_LANES;
    flux->awake = patch->awake[row + 1];
    flux->stale = patch->stale;
    if (flux->awake != 0 && setting->law->tangents != NULL)
    {
        flux->tangents = wadi_talus_patch_tangents(patch, setting, job->tile, row, flux->awake);
    }
    if (flux->awake != 0 && (setting->sieve || flux->flat))
    {
        patch->tested += __builtin_popcount(flux->awake);
        flux->awake = setting->kernels->steep(flux);
        patch->steep += __builtin_popcount(flux->awake);
    }
    if (flux->awake == 0)
    {
        return 0;
    }
    flux->loose = wadi_talus_patch_loose(patch, setting, job->tile, row, flux->awake);
    const uint32_t moves = setting->kernels->flux(flux);
    if (flux->flat)
    {
        wadi_talus_patch_level(patch, row, flux->awake);
    }
    patch->stale = moves;
    return move_within(job, moves);
}

// Note which cells give in a row where the vectors `moves` slide. Returns the vectors that change:
// outer cells may send matter into those beside them.
static uint32_t move_reach(const move_job* job, int32_t row, uint32_t moves)
{
    const int32_t* given = job->patch->flux[TALUS_NEIGHBOURS] + TALUS_MARGIN - TALUS_LANES;
    uint32_t reach = moves;
    uint32_t west = 0;
    uint32_t east = 0;
    for (uint32_t left = moves; left != 0; left &= left - 1u)
    {
        const int32_t v = __builtin_ctz(left);
        const int32_t* cells = given + v * TALUS_LANES;
        reach |= cells[0] != 0 ? 1u << v >> 1 : 0;
        reach |= cells[TALUS_LANES - 1] != 0 ? 2u << v : 0;
        west |= (cells[0] | cells[1]) != 0 ? 1u << v : 0;
        east |= (cells[TALUS_LANES - 2] | cells[TALUS_LANES - 1]) != 0 ? 1u << v : 0;
    }
    if (row >= 0 && row < job->tile->height)
    {
        const uint32_t groups = (1u << talus_vector_of(job->tile->width - 1)) - 1u;
        // the last group may be cut by the edge of the grid
        east |= job->tile->width % TALUS_LANES != 0 ? moves & ~(groups >> 1) : 0;
        job->patch->gives[row] =
            (talus_marks){(uint8_t)(moves >> 1 & groups), (uint8_t)(west >> 1 & groups),
                          (uint8_t)(east >> 1 & groups)};
    }
    return reach & talus_vectors_of(job->tile);
}

// Columns from the first to the last of some vectors, counted from the first vector's on.
typedef struct move_span
{
    int32_t begin;
    int32_t end;
} move_span;

static move_span move_span_of(uint32_t vectors)
{
    const int32_t first = __builtin_ctz(vectors);
    const int32_t last = 31 - __builtin_clz(vectors);
    return (move_span){first * TALUS_LANES, (last + 1) * TALUS_LANES};
}

// Add the fluxes of a row in which the vectors `moves` slide; those of other vectors are 0.
static void move_add_fluxes(const move_job* job, int32_t row, uint32_t moves)
{
    talus_patch* patch = job->patch;
    const uint32_t reach = move_reach(job, row, moves);
    for (int32_t beside = row - 1; beside <= row + 1; ++beside)
    {
        patch->moved[beside + TALUS_HALO] |= reach;
    }
    const move_span span = move_span_of(reach);
    const int32_t at = TALUS_MARGIN - TALUS_LANES + span.begin;
    const int32_t column = span.begin - TALUS_LANES;
    talus_sum_row sum = {.count = span.end - span.begin,
                         .given = patch->flux[TALUS_NEIGHBOURS] + at,
                         .north = patch->change + talus_patch_index(column, row - 1),
                         .here = patch->change + talus_patch_index(column, row),
                         .south = patch->change + talus_patch_index(column, row + 1)};
    for (int k = 0; k < TALUS_NEIGHBOURS; ++k)
    {
        sum.flux[k] = patch->flux[k] + at;
    }
    job->setting->kernels->sum(&sum);
}

// Rock that fails in a row: none where no vector is steep. The slopes of other vectors are 0.
static bool move_break_row(const move_job* job, int32_t row, const talus_flux_row* flux,
                           int32_t* breaks)
{
    const talus_setting* setting = job->setting;
    if (flux->awake == 0)
    {
        memset(breaks, 0, (size_t)job->tile->width * sizeof *breaks);
        return false;
    }
    const talus_break_row kernel = {
        .surface =
            job->plane->memory + talus_plane_at(job->plane, job->tile->y + row) + job->tile->x,
        .loose = flux->loose + TALUS_LANES,
        .slope = job->patch->slope + TALUS_MARGIN,
        .count = job->tile->width,
        .share = (float)setting->law->share,
        .hold = setting->scale.rock_hold,
        .start = setting->scale.rock_start,
        .breaks = breaks,
    };
    return setting->kernels->breaks(&kernel);
}

// True if a sliding row moves matter across the border of the tile, in either direction.
static bool move_crosses(const talus_patch* patch, const talus_tile* tile, int32_t row)
{
    const int32_t* given = patch->flux[TALUS_NEIGHBOURS] + TALUS_MARGIN;
    const int32_t beside = given[-1] | given[0] | given[tile->width - 1] | given[tile->width];
    return row <= 0 || row >= tile->height - 1 || beside != 0;
}

static talus_flux_row move_first_row(const move_job* job, bool breaks)
{
    const int32_t first = TALUS_MARGIN - TALUS_LANES;
    const talus_setting* setting = job->setting;
    talus_patch* patch = job->patch;
    talus_flux_row flux = {.stride = job->plane->stride,
                           .count = (talus_vector_of(job->tile->width) + 1) * TALUS_LANES,
                           .share = (float)setting->law->share,
                           .scale = (float)setting->scale.cell,
                           .widening = setting->scale.widening,
                           .hold = patch->hold + first,
                           .start = patch->start + first,
                           .slope = patch->slope + first,
                           .flat = breaks, // breaking rock needs the slopes of all cells
                           .given = patch->flux[TALUS_NEIGHBOURS] + first};
    for (int k = 0; k < TALUS_NEIGHBOURS; ++k)
    {
        flux.flux[k] = patch->flux[k] + first;
    }
    return flux;
}

bool wadi_talus_patch_move(talus_patch* patch, const talus_plane* plane,
                           const talus_setting* setting, const talus_tile* tile, int32_t* breaks)
{
    const move_job job = {setting, tile, patch, plane};
    talus_flux_row flux = move_first_row(&job, breaks != NULL);
    bool any = false;
    memset(patch->moved, 0, sizeof patch->moved);
    memset(patch->gives, 0, sizeof patch->gives);
    patch->crosses = false;
    for (int32_t row = -1; row <= tile->height; ++row)
    {
        const uint32_t moves = move_row(&job, row, &flux);
        if (moves != 0)
        {
            move_add_fluxes(&job, row, moves);
            patch->crosses = patch->crosses || move_crosses(patch, tile, row);
            any = true;
        }
        if (breaks != NULL && row >= 0 && row < tile->height)
        {
            any = move_break_row(&job, row, &flux, breaks + row * WADI_TALUS_TILE_WIDTH) || any;
        }
    }
    return any;
}

// ---- changes -----------------------------------------------------------------------------

// Take the changes of the tile's whole vectors out of a row; returns the vectors with any.
static uint32_t move_take_whole(const talus_setting* setting, int32_t* change, uint32_t vectors,
                                int32_t* out)
{
    const talus_take_row row = {change - TALUS_LANES, vectors, out - TALUS_LANES};
    return setting->kernels->take(&row);
}

// The same for the vector that the edge of the grid cuts, if it is one of `vectors`.
static uint32_t move_take_cut(const talus_tile* tile, const int32_t* change, uint32_t vectors,
                              int32_t* out)
{
    const int32_t v = talus_vector_of(tile->width - 1);
    const int32_t begin = (v - 1) * TALUS_LANES;
    const int32_t count = tile->width - begin;
    if (count == TALUS_LANES || (vectors >> v & 1u) == 0)
    {
        return 0;
    }
    memcpy(out + begin, change + begin, (size_t)count * sizeof *out);
    return wadi_talus_stir_any(out + begin, count) ? 1u << v : 0;
}

// Marks of a row of changes in the vectors `changed`. In a cut vector all cells count as outer
// ones.
static talus_marks move_marks(const talus_tile* tile, const int32_t* change, uint32_t changed)
{
    uint32_t west = 0;
    uint32_t east = 0;
    for (uint32_t left = changed; left != 0; left &= left - 1u)
    {
        const int32_t v = __builtin_ctz(left);
        const int32_t* cells = change + (v - 1) * TALUS_LANES;
        const bool cut = v * TALUS_LANES > tile->width;
        west |= cut || (cells[0] | cells[1]) != 0 ? 1u << v : 0;
        east |= cut || (cells[TALUS_LANES - 2] | cells[TALUS_LANES - 1]) != 0 ? 1u << v : 0;
    }
    return (talus_marks){(uint8_t)(changed >> 1), (uint8_t)(west >> 1), (uint8_t)(east >> 1)};
}

talus_marks wadi_talus_patch_take(talus_patch* patch, const talus_setting* setting,
                                  const talus_tile* tile, int32_t row, int32_t* out)
{
    const uint32_t moved = patch->moved[row + TALUS_HALO];
    int32_t* change = patch->change + talus_patch_index(0, row);
    const int32_t cut = talus_vector_of(tile->width);
    const uint32_t whole = moved & ((1u << cut) - 2u); // wholly in the tile
    uint32_t changed = 0;
    talus_marks marks = {0, 0, 0};
    if (row >= 0 && row < tile->height)
    {
        changed =
            move_take_whole(setting, change, whole, out) | move_take_cut(tile, change, moved, out);
        marks = move_marks(tile, out, changed);
    }
    const uint32_t beside = row >= 0 && row < tile->height ? moved & ~whole : moved;
    for (uint32_t left = beside; left != 0; left &= left - 1u)
    {
        memset(change + (__builtin_ctz(left) - 1) * TALUS_LANES, 0, TALUS_LANES * sizeof *change);
    }
    return marks;
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
