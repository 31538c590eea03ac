// SPDX-License-Identifier: MIT
// Slides of a storm as grains: one after the other, each at its hour, with its own water, on the
// ground that those before it have left. The grains of a slide that has begun run to their end at
// once, so they do not meet those of the others, as flows do not (landslide_queue.c).
#include "core/random.h"
#include "processes/landslide/landslide_state.h"

#include <string.h>

bool wadi_landslide_releases(const landslide_state* state)
{
    return state->at_work && state->flow == NULL && state->own.soil != NULL;
}

static bool release_moves(const landslide_state* state)
{
    return state->flowing && state->slide.count > 0;
}

bool wadi_landslide_release_is_over(const landslide_state* state)
{
    return !release_moves(state) && state->next >= state->source.list.count;
}

static const slide_failure* release_last(const landslide_state* state)
{
    return &state->source.list.failures[state->next - 1];
}

// ---- begin -------------------------------------------------------------------------------

// No grains are on their way; the clocks go on.
static void release_clear(landslide_state* state)
{
    slide* s = &state->slide;
    const slide clear = {.terrain = state->terrain,
                         .params = &state->params,
                         .source = &state->own,
                         .speed = state->speed,
                         .origin = s->origin,
                         .given = s->given,
                         .shown = s->shown,
                         .watch = s->watch,
                         .watcher = s->watcher};
    if (s->terrain != NULL)
    {
        wadi_slide_destroy(s);
    }
    *s = clear;
}

wadi_result wadi_landslide_release_allocate(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    WADI_ALLOC(context, state->own.soil, cells, "soil of a slide");
    WADI_ALLOC(context, state->own.rock, cells, "soil of a slide");
    release_clear(state);
    return WADI_OK;
}

// Figures of a slide are those of the last storm.
wadi_result wadi_landslide_release_begin(landslide_state* state)
{
    landslide_account* a = &state->account;
    state->at_work = true;
    state->next = 0;
    state->flowing = false;
    state->begun = state->clock;
    state->slide.origin = state->clock;
    a->grains = a->diameter = a->step = a->moving = 0.0;
    a->first = a->runout = a->fall = a->farthest = 0.0;
    return wadi_landslide_release_allocate(state);
}

static int32_t release_left(const wadi_ground* ground, int64_t cell)
{
    int64_t left = 0;
    for (int32_t l = 0; l < ground->loose_count; ++l)
    {
        left += ground->loose[l][cell];
    }
    return left < INT32_MAX ? (int32_t)left : INT32_MAX;
}

// Soil of a failure, as much as slides before it have left. Of a rim that two slides share, the
// slide that bares the rock takes the weathered rock.
static void release_cut(landslide_state* state, const slide_failure* f)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const slide_list* list = &state->source.list;
    slide_source* own = &state->own;
    memset(own->soil, 0, (size_t)ground->cells * sizeof *own->soil);
    memset(own->rock, 0, (size_t)ground->cells * sizeof *own->rock);
    for (int64_t k = f->first; k < f->first + f->count + f->rim; ++k)
    {
        const slide_cell* s = &list->cells[k];
        const int32_t left = release_left(ground, s->cell);
        own->soil[s->cell] = s->depth < left ? s->depth : left;
        own->rock[s->cell] =
            own->soil[s->cell] > 0 && own->soil[s->cell] == left ? state->source.rock[s->cell] : 0;
    }
    own->cells = own->units = own->deepest = 0;
    own->areas = 1;
    own->largest = f->count;
    own->wetness = f->wetness;
    wadi_slide_source_sum(ground, own);
    own->deepest = state->source.deepest; // contacts are as stiff as in the deepest slide
}

// Soil too thin for one grain stays in place.
static wadi_result release_pack(landslide_state* state, const slide_failure* f)
{
    slide* s = &state->slide;
    const uint64_t number = (uint64_t)(state->failures + f->number);
    s->stream =
        wadi_random(wadi_terrain_seed(state->terrain), state->stream, number, 0x52454cu).v[0];
    s->origin = state->begun + f->time;
    WADI_TRY(wadi_slide_prepare(s));
    if (s->count == 0)
    {
        release_clear(state);
        return WADI_OK;
    }
    WADI_TRY(wadi_slide_begin(s));
    return wadi_slide_show(s, 0.0);
}

// Set the next slide in motion. A stop is put off while its grains settle.
static wadi_result release_start(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const slide_failure* f = &state->source.list.failures[state->next];
    ++state->next;
    state->flowing = true;
    state->before_slide = state->account;
    release_cut(state, f);
    const bool held = wadi_progress_hold(context, true);
    const wadi_result result = state->own.units > 0 ? release_pack(state, f) : WADI_OK;
    (void)wadi_progress_hold(context, held);
    if (result == WADI_OK)
    {
        wadi_landslide_paint(state, f);
        state->flowing = state->slide.count > 0;
    }
    return result;
}

// ---- end ---------------------------------------------------------------------------------

void wadi_landslide_lay_grains(landslide_state* state)
{
    wadi_tally tally = {0};
    wadi_landslide_snapshot(state);
    wadi_slide_return(&state->slide, &tally);
    wadi_terrain_book(state->terrain, "landslide", &tally);
    wadi_landslide_compare(state);
    wadi_landslide_measure(state);
}

static double release_more(double a, double b)
{
    return a > b ? a : b;
}

// Of the slides of a storm, the figures are those of the one with most grains, and the run-out is
// that of the one that ran farthest.
static void release_combine(landslide_state* state)
{
    const landslide_account* before = &state->before_slide;
    landslide_account* a = &state->account;
    a->first = (double)(state->failures + release_last(state)->number);
    a->moving = release_more(a->moving, before->moving);
    a->farthest = release_more(a->farthest, before->farthest);
    if (a->grains < before->grains)
    {
        a->grains = before->grains;
        a->diameter = before->diameter;
        a->step = before->step;
    }
    if (a->runout <= before->runout)
    {
        a->first = before->first;
        a->runout = before->runout;
        a->fall = before->fall;
    }
    state->before_slide = *a;
}

static void release_lay(landslide_state* state)
{
    const slide_failure* f = release_last(state);
    const slide_list* list = &state->source.list;
    wadi_landslide_account_for(state);
    wadi_landslide_lay_grains(state);
    for (int64_t k = f->first; k < f->first + f->count; ++k)
    {
        wadi_landslide_flow_paint(state, list->cells[k].cell, state->own.units);
    }
    release_combine(state);
    release_clear(state);
    state->flowing = false;
}

// ---- run ---------------------------------------------------------------------------------

static bool release_is_due(const landslide_state* state, double seconds)
{
    const slide_list* list = &state->source.list;
    return state->next < list->count && list->failures[state->next].time <= seconds;
}

static wadi_result release_one(landslide_state* state, bool* stopped)
{
    if (!release_moves(state))
    {
        WADI_TRY(release_start(state));
    }
    if (release_moves(state))
    {
        WADI_TRY(wadi_slide_run(&state->slide, stopped));
    }
    if (release_moves(state) && !*stopped)
    {
        release_lay(state);
    }
    return WADI_OK;
}

// Frames of the time after the last slide.
static wadi_result release_show(landslide_state* state, double seconds)
{
    slide* s = &state->slide;
    const double now = state->begun + seconds;
    return s->shown < now ? wadi_slide_show(s, now - s->origin) : WADI_OK;
}

wadi_result wadi_landslide_release_run(landslide_state* state, double seconds, bool* stopped)
{
    wadi_result result = WADI_OK;
    while (result == WADI_OK && !*stopped &&
           (release_moves(state) || release_is_due(state, seconds)))
    {
        result = release_one(state, stopped);
    }
    if (result == WADI_OK && !*stopped)
    {
        result = release_show(state, seconds);
    }
    return result;
}

void wadi_landslide_release_forget(landslide_state* state)
{
    if (state->flowing)
    {
        state->account = state->before_slide;
        --state->next;
        state->flowing = false;
        release_clear(state);
    }
}

void wadi_landslide_release_finish(landslide_state* state)
{
    if (release_moves(state))
    {
        release_lay(state);
    }
    wadi_landslide_queue_close(state);
}
