// SPDX-License-Identifier: MIT
// Collisions and calving: bodies of sand of two states of a field are linked where they overlap
// after a shift. Small dunes move farther, by the inverse of their height (Bagnold 1941).
#include "core/dmath.h"
#include "core/union_find.h"
#include "maps/judge/dune_shapes_internal.h"

enum
{
    MEET_REACH = 32, // cells, largest shift of the field
    MEET_LEAST = 9   // cells of a dune
};

static const double meet_overlap = 0.3; // of the smaller one: least overlap of two states of a dune
static const double meet_far = 3.0;     // most shift of a dune over that of the field
static const double meet_like = 0.3;    // least correlation of a field with its shifted state

// Dunes of one state.
typedef struct meet_state
{
    dune_sand sand;
    shape_parts parts;
    bool* is_dune;   // of each part
    double* heights; // of each part [m]
} meet_state;

// Links of dunes as a forest: those before, then those after.
typedef struct meet_job
{
    meet_state before;
    meet_state after;
    double east; // shift of the field [m]
    double south;
    double height; // of the dunes that the shift is of [m]
    int32_t* parent;
    int32_t* tally; // cells of overlap, of each part after
    int32_t* olds;  // number of dunes before in the tree of a root
    int32_t* news;
} meet_job;

static int32_t meet_cells(const shape_parts* parts, int32_t part)
{
    return parts->first[part + 1] - parts->first[part];
}

// ---- one state ----------------------------------------------------------------------------------

static void meet_close(meet_state* state)
{
    wadi_context* context = state->sand.grid.context;
    wadi_free(context, state->is_dune);
    wadi_free(context, state->heights);
    wadi_shape_parts_free(&state->sand.grid, &state->parts);
    wadi_dune_sand_close(&state->sand);
}

static void meet_measure(meet_state* state)
{
    for (int32_t p = 0; p < state->parts.count; ++p)
    {
        for (int32_t k = state->parts.first[p]; k < state->parts.first[p + 1]; ++k)
        {
            state->heights[p] =
                fmax(state->heights[p], (double)state->sand.thick[state->parts.cells[k]]);
        }
        state->is_dune[p] =
            state->heights[p] >= state->sand.least && meet_cells(&state->parts, p) >= MEET_LEAST;
    }
}

static wadi_result meet_find(meet_state* state)
{
    const shape_grid* g = &state->sand.grid;
    uint8_t* mask;
    WADI_ALLOC(g->context, mask, g->cells, "bodies of sand");
    const body_job job = {.grid = g,
                          .thick = state->sand.thick,
                          .thin = state->sand.thin,
                          .least = state->sand.least};
    wadi_result result = wadi_sand_split(&job, mask);
    result = result == WADI_OK ? wadi_shape_parts_find(g, mask, SHAPE_LINK_EIGHT, &state->parts)
                               : result;
    wadi_free(g->context, mask);
    WADI_TRY(result);
    WADI_ALLOC(g->context, state->is_dune, state->parts.count + 1, "dunes");
    WADI_ALLOC(g->context, state->heights, state->parts.count + 1, "heights of dunes");
    meet_measure(state);
    return WADI_OK;
}

// ---- two states ---------------------------------------------------------------------------------

// Shift of the field, and mean height of its dunes by their volume.
static wadi_result meet_find_shift(meet_job* job, const wadi_field2d* before,
                                   const wadi_field2d* after)
{
    wadi_dune_shift shift;
    const double reach = MEET_REACH * before->dy;
    WADI_TRY(wadi_dune_shift_measure(job->before.sand.grid.context, before, after, reach, &shift));
    if (!isnan(shift.azimuth) && shift.likeness > meet_like)
    {
        job->east = shift.distance * wadi_sin(shift.azimuth / dune_degree);
        job->south = -shift.distance * wadi_cos(shift.azimuth / dune_degree);
    }
    double volume = 0.0;
    const meet_state* state = &job->before;
    for (int32_t i = 0; i < state->sand.grid.cells; ++i)
    {
        const int32_t p = state->parts.label[i];
        const double thick = p >= 0 && state->is_dune[p] ? (double)state->sand.thick[i] : 0.0;
        volume += thick;
        job->height += thick > 0.0 ? thick * state->heights[p] : 0.0;
    }
    job->height = volume > 0.0 ? job->height / volume : 0.0;
    return WADI_OK;
}

// Part after at the place to which a cell of a part before moves; -1: none.
static int32_t meet_at(const meet_job* job, int32_t part, int32_t cell)
{
    const shape_grid* g = &job->before.sand.grid;
    const double factor = fmin(meet_far, job->height / job->before.heights[part]);
    const int32_t x = cell % g->width + (int32_t)floor(factor * job->east / g->dx + 0.5);
    const int32_t y = cell / g->width + (int32_t)floor(factor * job->south / g->dy + 0.5);
    const int32_t at = shape_index(g, x, y);
    const int32_t found = at >= 0 ? job->after.parts.label[at] : -1;
    return found >= 0 && job->after.is_dune[found] ? found : -1;
}

static void meet_link(meet_job* job, int32_t part)
{
    const shape_parts* parts = &job->before.parts;
    for (int32_t k = parts->first[part]; k < parts->first[part + 1]; ++k)
    {
        const int32_t found = meet_at(job, part, parts->cells[k]);
        job->tally[found >= 0 ? found : job->after.parts.count] += 1;
    }
    for (int32_t k = parts->first[part]; k < parts->first[part + 1]; ++k)
    {
        const int32_t found = meet_at(job, part, parts->cells[k]);
        const int32_t size =
            found >= 0 ? meet_cells(&job->after.parts, found) : meet_cells(parts, part);
        const double least = meet_overlap * fmin(size, meet_cells(parts, part));
        if (found >= 0 && job->tally[found] >= least)
        {
            job->parent[wadi_root_of(job->parent, parts->count + found)] =
                wadi_root_of(job->parent, part);
        }
    }
    for (int32_t p = 0; p <= job->after.parts.count; ++p)
    {
        job->tally[p] = 0;
    }
}

static void meet_count(meet_job* job, wadi_dune_encounters* out)
{
    const int32_t olds = job->before.parts.count;
    const int32_t all = olds + job->after.parts.count;
    for (int32_t i = 0; i < all; ++i)
    {
        const int32_t root = wadi_root_of(job->parent, i);
        job->olds[root] += i < olds && job->before.is_dune[i] ? 1 : 0;
        job->news[root] += i >= olds && job->after.is_dune[i - olds] ? 1 : 0;
    }
    for (int32_t i = 0; i < all; ++i)
    {
        const int32_t before = job->olds[i];
        const int32_t after = job->news[i];
        out->kept += before == 1 && after == 1 ? 1 : 0;
        out->collisions += before > 1 && after > 0 ? before - 1 : 0;
        out->calvings += after > 1 && before > 0 ? after - 1 : 0;
        out->gone += after == 0 ? before : 0;
        out->born += before == 0 ? after : 0;
    }
}

static wadi_result meet_states(meet_job* job, const wadi_dune_field* before,
                               const wadi_dune_field* after, wadi_dune_encounters* out)
{
    wadi_context* context = job->before.sand.grid.context;
    WADI_TRY(meet_find(&job->before));
    WADI_TRY(meet_find(&job->after));
    WADI_TRY(meet_find_shift(job, &before->surface, &after->surface));
    const int64_t all = (int64_t)job->before.parts.count + job->after.parts.count;
    WADI_ALLOC(context, job->parent, 3 * all + job->after.parts.count + 1, "links of dunes");
    job->olds = job->parent + all;
    job->news = job->olds + all;
    job->tally = job->news + all;
    for (int32_t i = 0; i < all; ++i)
    {
        job->parent[i] = i;
    }
    for (int32_t p = 0; p < job->before.parts.count; ++p)
    {
        if (job->before.is_dune[p])
        {
            meet_link(job, p);
        }
    }
    meet_count(job, out);
    return WADI_OK;
}

wadi_result wadi_dune_encounters_count(wadi_context* context, const wadi_dune_field* before,
                                       const wadi_dune_field* after, wadi_dune_encounters* out)
{
    *out = (wadi_dune_encounters){0};
    WADI_CHECK(context,
               before->surface.width == after->surface.width &&
                   before->surface.height == after->surface.height,
               WADI_ERROR_ARGUMENT, "the fields have %d x %d and %d x %d cells; resample one",
               (int)before->surface.width, (int)before->surface.height, (int)after->surface.width,
               (int)after->surface.height);
    meet_job job = {0};
    wadi_result result = wadi_dune_sand_open(context, after, NULL, &job.after.sand);
    result = result == WADI_OK
                 ? wadi_dune_sand_open(context, before, &job.after.sand, &job.before.sand)
                 : result;
    if (result == WADI_OK && !job.before.sand.none && !job.after.sand.none)
    {
        result = meet_states(&job, before, after, out);
    }
    wadi_free(context, job.parent);
    job.before.sand.grid.context = job.after.sand.grid.context = context;
    meet_close(&job.before);
    meet_close(&job.after);
    return result;
}
