// SPDX-License-Identifier: MIT
// Slides of a storm as flows: one after the other, each at its hour, with its own water, on the
// ground that those before it have left. A slide that has begun runs to its end at once, so it
// does not meet the others on its way.
#include "processes/landslide/landslide_state.h"

static const double queue_spent = 0.05; // share of its greatest momentum at which a slide ends

enum
{
    QUEUE_QUESTION = 16 // steps between two questions
};

bool wadi_landslide_queues(const landslide_state* state)
{
    return state->params.start == WADI_LANDSLIDE_STORM && state->flow != NULL;
}

bool wadi_landslide_queue_is_over(const landslide_state* state)
{
    return !state->flowing && state->next >= state->source.list.count;
}

// Friction of the kind is that of saturated soil. Drier soil has more, up to its own. Relations
// with the volume hold for slides as they are.
static double queue_friction(const landslide_state* state, const slide_failure* f)
{
    const double cell = wadi_terrain_cell_size(state->terrain);
    const double volume = (double)f->units / WADI_UNITS_PER_METRE * cell * cell;
    const double wet = wadi_landslide_flow_friction(&state->params, volume);
    const double dry = f->friction > wet ? f->friction : wet;
    const bool whole =
        state->params.friction > 0.0 || state->params.volume_law != WADI_LANDSLIDE_ANY_VOLUME;
    return whole ? wet : wet + (1.0 - f->wetness) * (dry - wet);
}

void wadi_landslide_queue_release(landslide_state* state, int32_t index, runner* flow,
                                  double scatter)
{
    const slide_list* list = &state->source.list;
    const slide_failure* f = &list->failures[index];
    const double friction = queue_friction(state, f) * scatter;
    for (int64_t k = f->first; k < f->first + f->count + f->rim; ++k)
    {
        const slide_cell* s = &list->cells[k];
        const int32_t left = flow->planes.soil[wadi_runner_at(flow, s->cell)]; // by other flows
        const int32_t soil = s->depth < left ? s->depth : left;
        // rims that two slides share: the one that bares the rock takes it
        const int32_t rock = soil > 0 && soil == left ? state->source.rock[s->cell] : 0;
        wadi_landslide_flow_lift(state, flow, s->cell, soil + rock, friction);
    }
}

// Set the next slide in motion, if its hour has come. A stop is put off while its ensemble runs.
static bool queue_begin(landslide_state* state, double seconds)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const slide_list* list = &state->source.list;
    if (state->next >= list->count || list->failures[state->next].time > seconds)
    {
        return false;
    }
    const bool held = wadi_progress_hold(context, true);
    (void)wadi_landslide_flow_ensemble(state); // all its memory is there
    (void)wadi_progress_hold(context, held);
    wadi_landslide_queue_release(state, state->next, state->flow, 1.0);
    wadi_landslide_paint(state, &list->failures[state->next]);
    ++state->next;
    ++state->slides;
    state->flowing = true;
    return true;
}

static bool queue_slide_rests(landslide_state* state)
{
    runner* flow = state->flow;
    return flow->rests || flow->time >= state->params.longest ||
           (flow->steps % QUEUE_QUESTION == 0 && wadi_runner_is_spent(flow, queue_spent));
}

static void queue_move(landslide_state* state, bool* stopped)
{
    runner* flow = state->flow;
    wadi_context* context = wadi_terrain_context(state->terrain);
    const double share = (double)state->next / (double)state->source.list.count;
    while (!*stopped && !queue_slide_rests(state))
    {
        wadi_runner_step(flow);
        *stopped =
            flow->steps % QUEUE_QUESTION == 0 && !wadi_progress_stop(context, share, "landslide");
    }
}

// Lay the slide down. The figures of run-out stay those of the slide that ran farthest.
static void queue_lay(landslide_state* state)
{
    const landslide_account before = state->before_slide;
    const slide_list* list = &state->source.list;
    const slide_failure* f = &list->failures[state->next - 1];
    wadi_landslide_flow_lay(state);
    for (int64_t k = f->first; k < f->first + f->count; ++k)
    {
        wadi_landslide_flow_paint(state, list->cells[k].cell, state->lifted_units);
    }
    landslide_account* account = &state->account;
    account->first = (double)(state->failures + state->next);
    if (account->runout <= before.runout)
    {
        account->first = before.first;
        account->runout = before.runout;
        account->fall = before.fall;
    }
    wadi_runner_reset(state->flow, wadi_terrain_ground_const(state->terrain));
    state->before_slide = *account;
    state->lifted_units = 0;
    state->flowing = false;
}

void wadi_landslide_queue_run(landslide_state* state, double seconds, bool* stopped)
{
    while (!*stopped && (state->flowing || queue_begin(state, seconds)))
    {
        queue_move(state, stopped);
        if (!*stopped)
        {
            queue_lay(state);
        }
    }
    if (state->flowing)
    {
        wadi_landslide_flow_book(state);
    }
}

void wadi_landslide_queue_close(landslide_state* state)
{
    const int32_t count = state->source.list.count;
    if (state->next < count)
    {
        wadi_log_line(wadi_terrain_context(state->terrain),
                      "landslide: the run ends before the storm, and %d of its %d slides have not "
                      "begun",
                      (int)(count - state->next), (int)count);
    }
    state->failures += state->next;
}

void wadi_landslide_queue_finish(landslide_state* state)
{
    if (state->flowing)
    {
        queue_lay(state);
    }
    wadi_landslide_queue_close(state);
}
