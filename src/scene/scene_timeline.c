// SPDX-License-Identifier: MIT
// Converts a timeline to steps: time is divided at every tick, event, and begin or end of a track,
// and in each interval all active tracks run.
#include "scene/scene_internal.h"

#include <math.h>

enum
{
    TIMELINE_MAX_TICKS = 65536
};

// Times closer than this share of a tick are equal: 600 ticks of 0.1 yr sum to nearly 60 yr.
#define TIMELINE_SLACK 1e-6

// A track and its current parameters.
typedef struct timeline_player
{
    const wadi_track* track;
    wadi_step step;
} timeline_player;

// A timed output as far as it has been laid out.
typedef struct timeline_series
{
    double behind; // multiples of `every`
    int32_t frames;
} timeline_series;

typedef struct timeline_layout
{
    wadi_scene* scene;
    const wadi_timeline* timeline;
    timeline_player* players; // one for each track
    int32_t next_event;
    double now;              // [yr]
    timeline_series* series; // one for each timed output
} timeline_layout;

// ---- checks ------------------------------------------------------------------------------

static wadi_result timeline_check_clock(wadi_context* context, const wadi_timeline* timeline)
{
    WADI_CHECK(context, timeline->end > 0.0 && timeline->end <= 1e9, WADI_ERROR_RANGE,
               "the timeline ends at %g yr; expected more than 0 and at most 1e9 yr",
               timeline->end);
    WADI_CHECK(context, timeline->tick > 0.0 && timeline->tick <= timeline->end, WADI_ERROR_RANGE,
               "tick is %g yr but must lie in (0, %g], the length of the timeline", timeline->tick,
               timeline->end);
    WADI_CHECK(context, timeline->end / timeline->tick <= TIMELINE_MAX_TICKS, WADI_ERROR_RANGE,
               "%.0f ticks of %g yr, more than %d; give a longer tick",
               ceil(timeline->end / timeline->tick), timeline->tick, TIMELINE_MAX_TICKS);
    WADI_CHECK(context, timeline->track_count > 0, WADI_ERROR_ARGUMENT,
               "the timeline has no process; give at least one");
    return WADI_OK;
}

static wadi_result timeline_check_output(wadi_context* context, const wadi_timeline* timeline,
                                         const wadi_timed_output* output)
{
    const double least = timeline->tick * (1.0 - TIMELINE_SLACK);
    const char* name = wadi_step_name(output->step);
    WADI_CHECK(context, output->step->kind == WADI_STEP_OUTPUT, WADI_ERROR_ARGUMENT,
               "'%s' is no output, and cannot be repeated every so often", name);
    WADI_CHECK(context, output->every >= least, WADI_ERROR_RANGE,
               "a %s every %g yr, but it can be written at the end of a tick only: give at "
               "least %g yr, or a shorter tick",
               name, output->every, timeline->tick);
    WADI_CHECK(context, timeline->end / output->every <= SCENE_MAX_FRAMES - 2, WADI_ERROR_RANGE,
               "%.0f frames of '%s', more than %d; give a longer time for 'every'",
               timeline->end / output->every, output->step->output.file, SCENE_MAX_FRAMES);
    return WADI_OK;
}

static wadi_result timeline_check_track(wadi_context* context, const wadi_timeline* timeline,
                                        int32_t index)
{
    const wadi_track* track = &timeline->tracks[index];
    WADI_CHECK(context, track->from >= 0.0 && track->from < track->until, WADI_ERROR_RANGE,
               "%s runs from %g until %g yr; it must begin at 0 or later and before its end",
               track->process.process->name, track->from, track->until);
    const double slack = TIMELINE_SLACK * timeline->tick;
    for (int32_t i = 0; i < index; ++i)
    {
        const wadi_track* other = &timeline->tracks[i];
        const bool apart =
            other->until <= track->from + slack || track->until <= other->from + slack;
        WADI_CHECK(context, apart || other->process.process != track->process.process,
                   WADI_ERROR_ARGUMENT,
                   "%s has two tracks at %g yr; let one end before the other begins, or use one, "
                   "and events to change its parameters",
                   track->process.process->name, fmax(track->from, other->from));
    }
    return WADI_OK;
}

static wadi_result timeline_check_event(wadi_context* context, const wadi_timeline* timeline,
                                        int32_t index)
{
    const wadi_event* event = &timeline->events[index];
    WADI_CHECK(context, event->at >= 0.0 && event->at <= timeline->end, WADI_ERROR_RANGE,
               "an event at %g yr is outside the timeline of 0 to %g yr", event->at, timeline->end);
    WADI_CHECK(context, index == 0 || event->at >= timeline->events[index - 1].at,
               WADI_ERROR_ARGUMENT,
               "an event at %g yr follows one at %g yr; list them in order of time", event->at,
               timeline->events[index - 1].at);
    return WADI_OK;
}

static wadi_result timeline_check(wadi_scene* scene, const wadi_timeline* timeline)
{
    wadi_context* context = scene->context;
    WADI_TRY(wadi_scene_fail_at(scene, timeline->origin, timeline_check_clock(context, timeline)));
    for (int32_t i = 0; i < timeline->output_count; ++i)
    {
        WADI_TRY(
            wadi_scene_fail_at(scene, timeline->outputs[i].step->origin,
                               timeline_check_output(context, timeline, &timeline->outputs[i])));
    }
    for (int32_t i = 0; i < timeline->track_count; ++i)
    {
        WADI_TRY(wadi_scene_fail_at(scene, timeline->tracks[i].origin,
                                    timeline_check_track(context, timeline, i)));
    }
    for (int32_t i = 0; i < timeline->event_count; ++i)
    {
        WADI_TRY(wadi_scene_fail_at(scene, timeline->events[i].step.origin,
                                    timeline_check_event(context, timeline, i)));
    }
    return WADI_OK;
}

// ---- layout ------------------------------------------------------------------------------

static bool layout_is_reached(const timeline_layout* layout, double moment, double now)
{
    return moment <= now + TIMELINE_SLACK * layout->timeline->tick;
}

static bool layout_is_past(const timeline_layout* layout, double moment)
{
    return layout_is_reached(layout, moment, layout->now);
}

static wadi_result layout_add(timeline_layout* layout, const wadi_step* step)
{
    return wadi_scene_fail_at(layout->scene, step->origin,
                              wadi_scene_add_step(layout->scene, step));
}

// That of the latest track of a process that has begun, or else of its first one.
static timeline_player* layout_player(timeline_layout* layout, const wadi_process* process)
{
    timeline_player* best = NULL;
    for (int32_t i = 0; i < layout->timeline->track_count; ++i)
    {
        timeline_player* other = &layout->players[i];
        const bool begun = layout_is_past(layout, other->track->from);
        const bool best_begun = best != NULL && layout_is_past(layout, best->track->from);
        const bool later = best != NULL && other->track->from > best->track->from;
        if (other->track->process.process == process &&
            (best == NULL || (begun && !best_begun) || (begun == best_begun && later == begun)))
        {
            best = other;
        }
    }
    return best;
}

// Change the parameters of a process from now on.
static wadi_result layout_change(timeline_layout* layout, const wadi_step* step)
{
    const wadi_process* process = step->process.process;
    timeline_player* player = layout_player(layout, process);
    if (player == NULL)
    {
        return wadi_scene_fail_at(
            layout->scene, step->origin,
            wadi_fail(layout->scene->context, WADI_ERROR_ARGUMENT,
                      "an event changes %s, which does not run on this timeline", process->name));
    }
    player->step.process = step->process;
    player->step.origin = step->origin;
    return WADI_OK;
}

static wadi_result layout_fire_events(timeline_layout* layout)
{
    const wadi_timeline* timeline = layout->timeline;
    while (layout->next_event < timeline->event_count &&
           layout_is_past(layout, timeline->events[layout->next_event].at))
    {
        const wadi_step* step = &timeline->events[layout->next_event++].step;
        WADI_TRY(step->kind == WADI_STEP_PROCESS ? layout_change(layout, step)
                                                 : layout_add(layout, step));
    }
    return WADI_OK;
}

// The earlier of two times, unless the second one is past.
static double layout_earlier(const timeline_layout* layout, double next, double moment)
{
    return !layout_is_past(layout, moment) && moment < next ? moment : next;
}

// The next tick. By rounding, the tick just reached may still compare as later.
static double layout_tick(const timeline_layout* layout)
{
    const double tick = layout->timeline->tick;
    const double count = floor(layout->now / tick + TIMELINE_SLACK) + 1.0;
    return (layout_is_past(layout, count * tick) ? count + 1.0 : count) * tick;
}

// End of the interval that begins now.
static double layout_next(const timeline_layout* layout)
{
    const wadi_timeline* timeline = layout->timeline;
    double next = layout_earlier(layout, timeline->end, layout_tick(layout));
    if (layout->next_event < timeline->event_count)
    {
        next = layout_earlier(layout, next, timeline->events[layout->next_event].at);
    }
    for (int32_t i = 0; i < timeline->track_count; ++i)
    {
        next = layout_earlier(layout, next, timeline->tracks[i].from);
        next = layout_earlier(layout, next, timeline->tracks[i].until);
    }
    return next;
}

static bool layout_is_active(const timeline_layout* layout, const wadi_track* track)
{
    return layout_is_past(layout, track->from) && !layout_is_past(layout, track->until);
}

// Index of the last active track, which advances the clock; -1 if none is active.
static int32_t layout_last(const timeline_layout* layout)
{
    int32_t last = layout->timeline->track_count - 1;
    while (last >= 0 && !layout_is_active(layout, &layout->timeline->tracks[last]))
    {
        --last;
    }
    return last;
}

static wadi_result layout_interval(timeline_layout* layout, double next)
{
    const int32_t last = layout_last(layout);
    for (int32_t i = 0; i <= last; ++i)
    {
        timeline_player* player = &layout->players[i];
        if (layout_is_active(layout, player->track))
        {
            player->step.process.years = next - layout->now;
            player->step.process.overlaps = i < last;
            player->step.process.ends = layout_is_reached(layout, player->track->until, next);
            player->step.process.interval = layout->timeline->tick;
            WADI_TRY(layout_add(layout, &player->step));
            player->step.process.goes_on = true;
        }
    }
    return last >= 0 ? WADI_OK
                     : wadi_scene_fail_at(
                           layout->scene, layout->timeline->origin,
                           wadi_fail(layout->scene->context, WADI_ERROR_ARGUMENT,
                                     "no process runs from %g to %g yr; let one begin earlier or "
                                     "end later",
                                     layout->now, next));
}

// ---- timed outputs ------------------------------------------------------------------------

// Multiples of `every` up to now.
static double layout_due(const timeline_layout* layout, double every)
{
    return floor(layout->now / every + TIMELINE_SLACK * layout->timeline->tick / every);
}

static bool layout_at_tick(const timeline_layout* layout)
{
    const double ticks = layout->now / layout->timeline->tick;
    return fabs(ticks - floor(ticks + 0.5)) <= TIMELINE_SLACK;
}

static wadi_result layout_timed(timeline_layout* layout, const wadi_timed_output* output,
                                timeline_series* series)
{
    const bool ends = layout_is_past(layout, layout->timeline->end);
    const bool is_due =
        layout_at_tick(layout) && layout_due(layout, output->every) > series->behind;
    if (is_due)
    {
        series->behind = layout_due(layout, output->every);
    }
    if (output->step->output.kind == WADI_OUTPUT_CHECKPOINT)
    {
        return is_due && !ends ? layout_add(layout, output->step) : WADI_OK;
    }
    return is_due || ends || layout->now == 0.0
               ? wadi_scene_fail_at(
                     layout->scene, output->step->origin,
                     wadi_scene_add_frame(layout->scene, output->step, &series->frames))
               : WADI_OK;
}

static wadi_result layout_outputs(timeline_layout* layout)
{
    for (int32_t i = 0; i < layout->timeline->output_count; ++i)
    {
        WADI_TRY(layout_timed(layout, &layout->timeline->outputs[i], &layout->series[i]));
    }
    return WADI_OK;
}

static wadi_result layout_all(timeline_layout* layout)
{
    const wadi_timeline* timeline = layout->timeline;
    for (int32_t i = 0; i < timeline->track_count; ++i)
    {
        const wadi_track* track = &timeline->tracks[i];
        layout->players[i] =
            (timeline_player){track, {WADI_STEP_PROCESS, track->origin, track->process, {0}, {0}}};
    }
    WADI_TRY(layout_outputs(layout));
    WADI_TRY(layout_fire_events(layout));
    while (!layout_is_past(layout, timeline->end))
    {
        const double next = layout_next(layout);
        WADI_TRY(layout_interval(layout, next));
        layout->now = next;
        WADI_TRY(layout_outputs(layout));
        WADI_TRY(layout_fire_events(layout));
    }
    return WADI_OK;
}

wadi_result wadi_scene_add_timeline(wadi_scene* scene, const wadi_timeline* timeline)
{
    WADI_TRY(timeline_check(scene, timeline));
    timeline_layout layout = {.scene = scene, .timeline = timeline};
    WADI_ALLOC(scene->context, layout.players, timeline->track_count, "a timeline");
    layout.series =
        wadi_alloc(scene->context, (size_t)timeline->output_count + 1, sizeof *layout.series);
    const wadi_result result =
        layout.series != NULL
            ? layout_all(&layout)
            : wadi_fail_memory(scene->context, sizeof *layout.series, "a timeline");
    wadi_free(scene->context, layout.series);
    wadi_free(scene->context, layout.players);
    return result;
}
