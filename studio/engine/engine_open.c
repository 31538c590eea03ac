// SPDX-License-Identifier: MIT
// Opening a scene: its terrain becomes a session, and its steps a timeline.
#include "studio/engine/engine_internal.h"

#include "io/scene/scene_yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPEN_TICKS 64.0      // least number of ticks of a scene with steps
#define OPEN_MAX_TICKS 60000 // a session holds 65 536
#define OPEN_SLACK 1e-6      // of a tick

enum
{
    OPEN_MAX_TRACKS = 64
};

// A scene as a timeline. Steps of processes become tracks, and changes where one goes on as
// another.
typedef struct open_plan
{
    wadi_context* context;
    wadi_track tracks[OPEN_MAX_TRACKS];
    wadi_event* events;
    wadi_timeline timeline;
} open_plan;

// ---- the tick -----------------------------------------------------------------------------------

static bool open_is_whole(double ticks)
{
    return fabs(ticks - floor(ticks + 0.5)) <= OPEN_SLACK * ticks;
}

// Shortest duration of a step; an interval of a timeline is its tick.
static double open_shortest(const wadi_scene* scene, double* tick)
{
    double shortest = (double)INFINITY;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (step->kind == WADI_STEP_PROCESS)
        {
            shortest = step->process.years < shortest ? step->process.years : shortest;
            *tick = step->process.interval > 0.0 ? step->process.interval : *tick;
        }
    }
    return shortest;
}

static bool open_fits(const wadi_scene* scene, double tick)
{
    bool fits = true;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        fits =
            fits && (step->kind != WADI_STEP_PROCESS || open_is_whole(step->process.years / tick));
    }
    return fits;
}

// A tick into which all durations divide. 0: there is none.
static double open_tick(const wadi_scene* scene, double years)
{
    double tick = 0.0;
    const double shortest = open_shortest(scene, &tick);
    if (tick > 0.0)
    {
        return tick; // of a timeline
    }
    for (int32_t parts = 1; tick == 0.0 && parts <= 1000; ++parts)
    {
        tick = open_fits(scene, shortest / parts) ? shortest / parts : 0.0;
    }
    while (tick > 0.0 && years / tick < OPEN_TICKS)
    {
        tick *= 0.5;
    }
    return tick > 0.0 && years / tick <= OPEN_MAX_TICKS && open_fits(scene, tick) ? tick : 0.0;
}

// ---- the timeline -------------------------------------------------------------------------------

static wadi_result open_refuse(const open_plan* plan, const char* name, const char* why)
{
    return wadi_context_fail(plan->context, WADI_ERROR_ARGUMENT,
                             "%s %s, which the studio does not run; only the ground is shown", name,
                             why);
}

static wadi_result open_check(const open_plan* plan, const wadi_scene_process* process)
{
    const char* name = process->process->name;
    if (process->body_count > 0 || process->water != NULL)
    {
        return open_refuse(plan, name, "has bodies of soil");
    }
    if (process->goal != NULL || process->mature > 0.0)
    {
        return open_refuse(plan, name, "runs towards a goal");
    }
    return WADI_OK;
}

static wadi_track* open_find(open_plan* plan, const wadi_process* process)
{
    wadi_track* latest = NULL;
    for (int32_t i = 0; i < plan->timeline.track_count; ++i)
    {
        latest = plan->tracks[i].process.process == process ? &plan->tracks[i] : latest;
    }
    return latest;
}

static void open_add_event(open_plan* plan, const wadi_step* step, double at)
{
    plan->events[plan->timeline.event_count++] = (wadi_event){at, *step};
}

static wadi_result open_process(open_plan* plan, const wadi_step* step, double now)
{
    const wadi_scene_process* process = &step->process;
    SCENE_TRY(open_check(plan, process));
    wadi_track* track = open_find(plan, process->process);
    const double slack = OPEN_SLACK * plan->timeline.tick;
    if (track == NULL || now - track->until > slack)
    {
        if (plan->timeline.track_count == OPEN_MAX_TRACKS)
        {
            return open_refuse(plan, process->process->name, "is one process too many");
        }
        track = &plan->tracks[plan->timeline.track_count++];
        *track = (wadi_track){.process = *process, .from = now, .until = now};
    }
    else if (!process->goes_on)
    {
        open_add_event(plan, step, now);
    }
    track->until = now + process->years;
    return WADI_OK;
}

static wadi_result open_steps(open_plan* plan, const wadi_scene* scene)
{
    double now = 0.0;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (step->kind == WADI_STEP_EDIT)
        {
            open_add_event(plan, step, now);
        }
        else if (step->kind == WADI_STEP_PROCESS)
        {
            SCENE_TRY(open_process(plan, step, now));
            const double next = now + (step->process.overlaps ? 0.0 : step->process.years);
            now = floor(next / plan->timeline.tick + 0.5) * plan->timeline.tick;
        }
    }
    plan->timeline.end = now;
    return WADI_OK;
}

static double open_years(const wadi_scene* scene)
{
    double years = 0.0;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        years +=
            step->kind == WADI_STEP_PROCESS && !step->process.overlaps ? step->process.years : 0.0;
    }
    return years;
}

// The caller frees plan->events, also after a failure.
static wadi_result open_make_plan(wadi_context* context, const wadi_scene* scene, double tick,
                                  open_plan* plan)
{
    *plan = (open_plan){.context = context};
    const double years = open_years(scene);
    plan->timeline.tick = tick > 0.0 ? tick : years > 0.0 ? open_tick(scene, years) : 0.1;
    if (plan->timeline.tick <= 0.0 || !open_fits(scene, plan->timeline.tick) ||
        years / plan->timeline.tick > OPEN_MAX_TICKS)
    {
        plan->timeline.tick = tick > 0.0 ? tick : years / 100.0;
        return wadi_context_fail(context, WADI_ERROR_RANGE,
                                 "the steps of this scene do not share a tick; only the ground is "
                                 "shown");
    }
    const size_t steps = (size_t)wadi_scene_step_count(scene) + 1;
    plan->events = calloc(steps, sizeof *plan->events);
    if (plan->events == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for a timeline");
    }
    plan->timeline.tracks = plan->tracks;
    plan->timeline.events = plan->events;
    return open_steps(plan, scene);
}

// ---- the first part of a record -----------------------------------------------------------------

void wadi_studio_write_tree(studio_json* json, const char* key, wadi_yaml_node* node)
{
    if (wadi_yaml_kind_of(node) == WADI_YAML_SCALAR)
    {
        wadi_json_text(json, key, wadi_yaml_text(node));
        return;
    }
    const bool is_map = wadi_yaml_kind_of(node) == WADI_YAML_MAP;
    void* place = NULL;
    wadi_yaml_entry entry;
    wadi_json_open(json, key, is_map ? '{' : '[');
    while (wadi_yaml_next(node, &place, &entry))
    {
        wadi_studio_write_tree(json, is_map ? wadi_yaml_text(entry.key) : NULL, entry.value);
    }
    wadi_json_close(json, is_map ? '}' : ']');
}

static void open_write_preamble(studio_json* json, wadi_yaml_node* root)
{
    void* place = NULL;
    wadi_yaml_entry entry;
    wadi_json_reset(json);
    while (wadi_yaml_next(root, &place, &entry))
    {
        const char* key = wadi_yaml_text(entry.key);
        if (strcmp(key, "steps") != 0 && strcmp(key, "timeline") != 0 && strcmp(key, "output") != 0)
        {
            wadi_json_raw(json, key, strlen(key));
            wadi_json_raw(json, ": ", 2);
            json->comma = false;
            wadi_studio_write_tree(json, NULL, entry.value);
            wadi_json_raw(json, "\n", 1);
        }
    }
}

static wadi_result open_keep_preamble(wadi_studio* studio, const char* text, size_t length,
                                      char** out)
{
    wadi_yaml* yaml;
    *out = NULL;
    SCENE_TRY(wadi_yaml_parse(studio->context, "scene", text, length, &yaml));
    studio_json json = {0};
    open_write_preamble(&json, wadi_yaml_root(yaml));
    wadi_json_raw(&json, "", 1);
    wadi_yaml_destroy(yaml);
    if (json.failed)
    {
        wadi_json_free(&json);
        return wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory for a scene");
    }
    *out = json.text;
    return WADI_OK;
}

// ---- a session ----------------------------------------------------------------------------------

void wadi_studio_close_scene(wadi_studio* studio)
{
    wadi_session_destroy(studio->session);
    wadi_scene_destroy(studio->scene);
    free(studio->preamble);
    free(studio->dirty);
    free(studio->map);
    free(studio->grains);
    studio->grains = NULL;
    studio->grains_room = 0;
    studio->session = NULL;
    studio->scene = NULL;
    studio->preamble = NULL;
    studio->dirty = NULL;
    studio->map = NULL;
}

// What is opened, until it replaces what was.
typedef struct open_world
{
    wadi_scene* scene;
    wadi_session* session;
    char* preamble;
    double end;
    char note[512]; // why its steps do not run; ""
} open_world;

static wadi_result open_check_size(const wadi_studio* studio, const wadi_scene* scene)
{
    const wadi_scene_grid* grid = wadi_scene_grid_of(scene);
    const int64_t cells = (int64_t)grid->width * grid->height;
    return cells <= studio->def.max_cells
               ? WADI_OK
               : wadi_context_fail(studio->context, WADI_ERROR_RANGE,
                                   "%d x %d cells are more than the %lld that fit here; take a "
                                   "smaller size, or the command 'wadi run'",
                                   grid->width, grid->height, (long long)studio->def.max_cells);
}

static wadi_result open_session(wadi_studio* studio, double tick, bool runs, open_world* world)
{
    open_plan plan;
    wadi_result planned = open_make_plan(studio->context, world->scene, tick, &plan);
    const wadi_session_def def = {
        .scene = world->scene, .host = &studio->host, .tick = plan.timeline.tick};
    if (planned != WADI_OK)
    {
        (void)strncpy(world->note, wadi_error_detail(studio->context), sizeof world->note - 1);
    }
    const wadi_result result = wadi_session_create(&def, &world->session);
    const bool happens = plan.timeline.track_count > 0 || plan.timeline.event_count > 0;
    if (result == WADI_OK && planned == WADI_OK && runs && happens)
    {
        planned = wadi_session_plan(world->session, &plan.timeline);
        world->end = plan.timeline.end;
        if (planned != WADI_OK)
        {
            world->end = 0.0;
            (void)strncpy(world->note, wadi_error_detail(studio->context), sizeof world->note - 1);
        }
    }
    free(plan.events);
    return result;
}

static wadi_result open_world_of(wadi_studio* studio, const studio_message* message,
                                 const char* text, size_t length, open_world* world)
{
    const char* name = "scene";
    double tick;
    bool runs;
    SCENE_TRY(wadi_studio_find(message, "name") != NULL ? wadi_studio_text(message, "name", &name)
                                                        : WADI_OK);
    SCENE_TRY(wadi_studio_number(message, "tick", 0.0, 0.0, 1e6, &tick));
    SCENE_TRY(wadi_studio_flag(message, "run", true, &runs));
    SCENE_TRY(wadi_io_scene_parse(studio->context, name, text, length, NULL, 0, &world->scene));
    SCENE_TRY(open_check_size(studio, world->scene));
    SCENE_TRY(open_keep_preamble(studio, text, length, &world->preamble));
    SCENE_TRY(open_session(studio, tick, runs, world));
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(world->session));
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    return cells <= studio->def.max_cells
               ? WADI_OK
               : wadi_context_fail(studio->context, WADI_ERROR_RANGE,
                                   "%lld cells are more than the %lld that fit here",
                                   (long long)cells, (long long)studio->def.max_cells);
}

static wadi_result open_text(wadi_studio* studio, const studio_message* message, const char** text,
                             size_t* length)
{
    if (wadi_studio_find(message, "scene_from") == NULL)
    {
        SCENE_TRY(wadi_studio_text(message, "scene", text));
        *length = strlen(*text);
        return WADI_OK;
    }
    const char* name;
    SCENE_TRY(wadi_studio_text(message, "scene_from", &name));
    const studio_upload* upload = wadi_studio_find_upload(studio, name, false);
    if (upload == NULL || upload->received != upload->size)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_STATE,
                                 "the text '%s' has not been sent, or not to its end", name);
    }
    *text = upload->bytes;
    *length = upload->size;
    return WADI_OK;
}

static wadi_result open_take(wadi_studio* studio, open_world* world)
{
    wadi_studio_close_scene(studio);
    studio->scene = world->scene;
    studio->session = world->session;
    studio->preamble = world->preamble;
    studio->end = world->end;
    studio->kept = studio->def.now(studio->def.user);
    studio->speed = 0.0;
    memset(studio->slots, 0, sizeof studio->slots);
    return wadi_studio_prepare_tiles(studio);
}

wadi_result wadi_studio_open_scene(wadi_studio* studio, const studio_message* message)
{
    const char* text;
    size_t length = 0;
    SCENE_TRY(open_text(studio, message, &text, &length));
    open_world world = {0};
    const wadi_result result = open_world_of(studio, message, text, length, &world);
    if (result != WADI_OK)
    {
        wadi_session_destroy(world.session);
        wadi_scene_destroy(world.scene);
        free(world.preamble);
        return result;
    }
    SCENE_TRY(open_take(studio, &world));
    if (world.note[0] != '\0')
    {
        wadi_studio_note(studio, world.note);
    }
    return WADI_OK;
}
