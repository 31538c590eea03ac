// SPDX-License-Identifier: MIT
// State of landslides as an archive: maps, account, clocks, and the slide in progress.
#include "core/archive.h"
#include "processes/landslide/landslide_state.h"

#include <math.h>
#include <string.h>

enum
{
    LANDSLIDE_CAUSES = 10,
    LANDSLIDE_ACCOUNT = sizeof(landslide_account) / sizeof(double)
};

// Far above what slides have; damaged files must not overflow.
static const int64_t archive_most_sum = (int64_t)1 << 62;

static bool archive_is_sum(int64_t value)
{
    return value >= 0 && value <= archive_most_sum;
}

// Times and other figures are compared and counted down: with NaN a slide would never begin. Only
// what is read is checked.
static bool archive_are_figures(const wadi_archive* archive, double* const figures[], int32_t count)
{
    bool sound = true;
    for (int32_t k = 0; k < count; ++k)
    {
        sound = sound && (!wadi_archive_is_reading(archive) || fabs(*figures[k]) < 1e15);
    }
    return sound;
}

// Cause and region: a slide in progress is laid down when they change.
static void archive_cause(wadi_archive* archive, landslide_state* state)
{
    const wadi_landslide_params* p = &state->params;
    const double now[LANDSLIDE_CAUSES] = {p->start, p->shape,  p->x,       p->y,     p->radius,
                                          p->width, p->height, p->azimuth, p->depth, p->rock_depth};
    double then[LANDSLIDE_CAUSES];
    memcpy(then, now, sizeof then);
    wadi_archive_bool(archive, &state->is_stale);
    wadi_archive_f64(archive, then, LANDSLIDE_CAUSES);
    state->is_stale = state->is_stale || memcmp(then, now, sizeof then) != 0;
}

// Maps of run-out, which grains have where `start` is "storm" or was: at other starts they stay
// empty, and are no part of the hash.
static void archive_peaks(wadi_archive* archive, landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const bool empty =
        state->params.model == WADI_LANDSLIDE_GRAINS && state->params.start != WADI_LANDSLIDE_STORM;
    for (int32_t k = 0; k < LANDSLIDE_PEAKS; ++k)
    {
        if (state->peaks[k] != NULL && !(empty && wadi_archive_is_hashing(archive)))
        {
            wadi_archive_grid(archive, state->peaks[k], 4, ground->width, ground->height);
        }
    }
}

static void archive_maps(wadi_archive* archive, landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    wadi_archive_grid(archive, state->stability, 4, ground->width, ground->height);
    wadi_archive_grid(archive, state->speed, 4, ground->width, ground->height);
    wadi_archive_grid(archive, state->failure, 4, ground->width, ground->height);
    wadi_archive_grid(archive, state->hour, 4, ground->width, ground->height);
    wadi_archive_i64(archive, &state->failures, 1);
    wadi_archive_grid(archive, state->released, 8, ground->width, ground->height);
    wadi_archive_grid(archive, state->change[0], 8, ground->width, ground->height);
    wadi_archive_grid(archive, state->change[1], 8, ground->width, ground->height);
    archive_peaks(archive, state);
}

static bool archive_are_maps(const landslide_state* state)
{
    bool sound = archive_is_sum(state->failures) && archive_is_sum(state->slides);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    for (int64_t c = 0; c < cells && sound; ++c)
    {
        sound = archive_is_sum(state->released[c]) && archive_is_sum(state->change[0][c]) &&
                archive_is_sum(state->change[1][c]);
    }
    return sound;
}

// A slide of a storm, and the cells that it has.
static wadi_result archive_failure(wadi_archive* archive, slide_failure* f)
{
    double* const figures[] = {&f->time, &f->wetness, &f->pressure, &f->friction, &f->slope};
    wadi_archive_i64(archive, &f->count, 1);
    wadi_archive_i64(archive, &f->rim, 1);
    wadi_archive_i64(archive, &f->units, 1);
    for (int32_t k = 0; k < WADI_COUNT(figures); ++k)
    {
        wadi_archive_f64(archive, figures[k], 1);
    }
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(wadi_archive_context(archive),
               archive_are_figures(archive, figures, WADI_COUNT(figures)), WADI_ERROR_FORMAT,
               "a saved slide has an hour or a wetness that no slide has");
    return WADI_OK;
}

static wadi_result archive_cell(wadi_archive* archive, slide_list* list, int64_t k, int64_t cells)
{
    wadi_context* context = wadi_archive_context(archive);
    slide_cell s = wadi_archive_is_reading(archive) ? (slide_cell){0} : list->cells[k];
    wadi_archive_i64(archive, &s.cell, 1);
    wadi_archive_i32(archive, &s.depth, 1);
    wadi_archive_i32(archive, &s.water, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(context, s.cell >= 0 && s.cell < cells && s.depth >= 0, WADI_ERROR_FORMAT,
               "a saved slide has cell %lld of %lld", (long long)s.cell, (long long)cells);
    return wadi_archive_is_reading(archive) ? wadi_slide_list_add(context, list, s) : WADI_OK;
}

// Slides of a storm; they move one after the other.
static wadi_result archive_list(wadi_archive* archive, slide_source* source, int64_t cells)
{
    slide_list* list = &source->list;
    int64_t count = list->count;
    WADI_TRY(wadi_archive_count(archive, &count, cells, "slides of a storm"));
    for (int64_t i = 0; i < count; ++i)
    {
        slide_failure f = wadi_archive_is_reading(archive) ? (slide_failure){0} : list->failures[i];
        WADI_TRY(archive_failure(archive, &f));
        WADI_CHECK(wadi_archive_context(archive),
                   f.count > 0 && f.count <= cells && f.rim >= 0 && f.rim <= cells,
                   WADI_ERROR_FORMAT, "a saved slide has %lld cells of %lld", (long long)f.count,
                   (long long)cells);
        if (wadi_archive_is_reading(archive))
        {
            WADI_TRY(wadi_slide_list_begin(wadi_archive_context(archive), list, f.time));
        }
        const int64_t first = list->failures[i].first;
        for (int64_t k = first; k < first + f.count + f.rim; ++k)
        {
            WADI_TRY(archive_cell(archive, list, k, cells));
        }
        f.number = list->failures[i].number;
        f.first = first;
        list->failures[i] = f;
    }
    return wadi_archive_result(archive);
}

static bool archive_is_source(const slide_source* source, int64_t cells)
{
    bool sound = archive_is_sum(source->cells) && archive_is_sum(source->areas) &&
                 archive_is_sum(source->largest) && archive_is_sum(source->units);
    for (int64_t c = 0; c < cells && sound; ++c)
    {
        sound = source->soil[c] >= 0 && source->rock[c] >= 0 &&
                (int64_t)source->soil[c] + source->rock[c] <= INT32_MAX;
    }
    return sound;
}

// Soil and rock that a slide in progress was cut out of.
static wadi_result archive_soil(wadi_archive* archive, const wadi_ground* ground,
                                slide_source* source)
{
    if (wadi_archive_is_reading(archive) && source->soil == NULL)
    {
        wadi_context* context = wadi_archive_context(archive);
        WADI_ALLOC(context, source->soil, ground->cells, "soil of a slide");
        WADI_ALLOC(context, source->rock, ground->cells, "soil of a slide");
    }
    wadi_archive_grid(archive, source->soil, 4, ground->width, ground->height);
    wadi_archive_grid(archive, source->rock, 4, ground->width, ground->height);
    wadi_archive_i64(archive, &source->cells, 1);
    wadi_archive_i64(archive, &source->areas, 1);
    wadi_archive_i64(archive, &source->largest, 1);
    wadi_archive_i64(archive, &source->units, 1);
    wadi_archive_i32(archive, &source->deepest, 1);
    wadi_archive_f64(archive, &source->wetness, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(wadi_archive_context(archive),
               !wadi_archive_is_reading(archive) || archive_is_source(source, ground->cells),
               WADI_ERROR_FORMAT, "the saved soil of a landslide is out of range");
    return WADI_OK;
}

static wadi_result archive_source(wadi_archive* archive, landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    WADI_TRY(archive_soil(archive, ground, &state->source));
    return archive_list(archive, &state->source, ground->cells);
}

// Slides of a storm as grains: those that have begun, and the one that moves.
static wadi_result archive_release(wadi_archive* archive, landslide_state* state)
{
    slide* s = &state->slide;
    double* const clocks[] = {&state->begun, &s->origin, &s->given, &s->shown};
    if (wadi_archive_is_reading(archive))
    {
        WADI_TRY(wadi_landslide_release_allocate(state));
    }
    for (int32_t k = 0; k < WADI_COUNT(clocks); ++k)
    {
        wadi_archive_f64(archive, clocks[k], 1);
    }
    wadi_archive_i32(archive, &state->next, 1);
    wadi_archive_bool(archive, &state->flowing);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(wadi_archive_context(archive),
               archive_are_figures(archive, clocks, WADI_COUNT(clocks)) && state->next >= 0 &&
                   state->next <= state->source.list.count && (state->next > 0 || !state->flowing),
               WADI_ERROR_FORMAT, "the saved landslide has begun %d slides of %d", (int)state->next,
               (int)state->source.list.count);
    if (!state->flowing)
    {
        return WADI_OK;
    }
    WADI_TRY(archive_soil(archive, wadi_terrain_ground_const(state->terrain), &state->own));
    return wadi_slide_archive(s, archive);
}

static wadi_result archive_slide(wadi_archive* archive, landslide_state* state)
{
    bool at_work = state->at_work;
    wadi_archive_bool(archive, &at_work);
    WADI_TRY(wadi_archive_result(archive));
    if (!at_work)
    {
        return WADI_OK;
    }
    if (!state->at_work)
    {
        state->slide = (slide){.terrain = state->terrain,
                               .params = &state->params,
                               .source = &state->source,
                               .speed = state->speed};
        state->at_work = true; // so that a failure frees what there is
    }
    WADI_TRY(archive_source(archive, state));
    bool flows = state->flow != NULL;
    wadi_archive_bool(archive, &flows);
    WADI_TRY(wadi_archive_result(archive));
    if (flows)
    {
        return wadi_landslide_flow_archive(state, archive);
    }
    bool releases = wadi_landslide_releases(state);
    wadi_archive_bool(archive, &releases);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(wadi_archive_context(archive),
               !releases || wadi_landslide_has_peak(&state->params, LANDSLIDE_MAP_RUNOUT),
               WADI_ERROR_FORMAT,
               "the saved landslide is damaged: its blocks are grains of a storm");
    return releases ? archive_release(archive, state) : wadi_slide_archive(&state->slide, archive);
}

wadi_result wadi_landslide_archive(void* user, wadi_archive* archive)
{
    landslide_state* state = user;
    archive_maps(archive, state);
    wadi_archive_f64(archive, (double*)&state->account, LANDSLIDE_ACCOUNT);
    wadi_archive_f64(archive, (double*)&state->before_slide, LANDSLIDE_ACCOUNT);
    double* const clocks[] = {&state->waiting, &state->clock, &state->until, &state->given,
                              &state->slid};
    for (int32_t k = 0; k < WADI_COUNT(clocks); ++k)
    {
        wadi_archive_f64(archive, clocks[k], 1);
    }
    archive_cause(archive, state);
    wadi_archive_bool(archive, &state->is_put_off);
    wadi_archive_i64(archive, &state->slides, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(wadi_terrain_context(state->terrain),
               archive_are_figures(archive, clocks, WADI_COUNT(clocks)) &&
                   (!wadi_archive_is_reading(archive) || archive_are_maps(state)),
               WADI_ERROR_FORMAT, "the saved sums of landslides are out of range");
    return archive_slide(archive, state);
}
