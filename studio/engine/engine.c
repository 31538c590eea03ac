// SPDX-License-Identifier: MIT
// The studio: dispatch of commands, and the loop that advances and sends.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STUDIO_MAX_CELLS 4194304
#define STUDIO_FRAME 33.0    // least time between two looks [ms]
#define STUDIO_SLOWEST 400.0 // and the longest while the engine is busy
#define STUDIO_REST 32.0     // while it is busy: time between looks, over the time of one
#define STUDIO_TICK 8.0      // slices after which a tick is broken off, which costs time
#define STUDIO_CLOCK 50.0    // between two clocks
#define STUDIO_LEDGER 500.0  // between two ledgers
#define STUDIO_KEEP 500.0    // of work between two snapshots, and at least
#define STUDIO_KEEPS 120.0   // times as long as the latest took
#define STUDIO_YEARS 1000.0  // between two lists of snapshots
#define STUDIO_TRAVEL 100.0  // between two messages about a replay
#define STUDIO_BUDGET 12.0   // a slice outside a turn

// ---- life ---------------------------------------------------------------------------------------

// Stops the advance at the end of the slice. The first look lets it go on: where all the time was
// used up before, as on a machine full of other work, a replay still comes forward in each slice.
static bool engine_progress(double share, const char* what, void* user)
{
    (void)share;
    (void)what;
    wadi_studio* studio = user;
    const bool is_first = !studio->has_looked;
    studio->has_looked = true;
    return studio->def.now(studio->def.user) < studio->deadline || is_first;
}

static void engine_set_deadline(wadi_studio* studio, double deadline)
{
    studio->deadline = deadline;
    studio->has_looked = false;
}

wadi_result wadi_studio_create(const wadi_studio_def* def, wadi_studio** out)
{
    *out = NULL;
    wadi_studio* studio = calloc(1, sizeof *studio);
    if (studio == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    studio->def = *def;
    studio->def.max_cells = def->max_cells > 0 ? def->max_cells : STUDIO_MAX_CELLS;
    studio->def.context.progress = engine_progress;
    studio->def.context.user = studio;
    studio->deadline = (double)INFINITY;
    studio->waiting = -1.0;
    const wadi_result result = wadi_context_create(&studio->def.context, &studio->context);
    if (result != WADI_OK)
    {
        free(studio);
        return result;
    }
    wadi_studio_set_host(studio);
    *out = studio;
    return WADI_OK;
}

void wadi_studio_destroy(wadi_studio* studio)
{
    if (studio == NULL)
    {
        return;
    }
    wadi_studio_close_scene(studio);
    wadi_studio_free_uploads(studio);
    while (studio->queue != NULL)
    {
        wadi_studio_pop(studio);
    }
    wadi_json_free(&studio->text);
    free(studio->buffer);
    wadi_context_destroy(studio->context);
    free(studio);
}

wadi_context* wadi_studio_context(wadi_studio* studio)
{
    return studio->context;
}

void wadi_studio_set_files(wadi_studio* studio, const wadi_host* files)
{
    studio->files = files;
    wadi_studio_set_host(studio);
}

// ---- answers ------------------------------------------------------------------------------------

static void engine_answer(wadi_studio* studio, double id, const char* failure)
{
    studio_json* json = &studio->text;
    wadi_json_reset(json);
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "type", failure != NULL ? "error" : "done");
    if (id >= 0.0)
    {
        wadi_json_number(json, "id", id);
    }
    if (failure != NULL)
    {
        wadi_json_text(json, "text", failure);
    }
    wadi_json_close(json, '}');
    wadi_studio_send_text(studio);
}

// The step command, if one is under way, is over.
static void engine_end_step(wadi_studio* studio, const char* failure)
{
    const double id = studio->waiting;
    studio->waiting = -1.0;
    studio->steps = 0;
    if (id >= 0.0 || failure != NULL)
    {
        engine_answer(studio, id, failure);
    }
}

static void engine_pause(wadi_studio* studio)
{
    studio->plays = false;
    studio->speed = 0.0;
    studio->clock_is_stale = true;
}

// All that shows the state is to be sent anew.
static void engine_stale(wadi_studio* studio)
{
    studio->is_changed = true;
    studio->looked = -1e9;
    studio->clock_is_stale = true;
    studio->ledger_is_stale = true;
    studio->years_are_stale = true;
    wadi_studio_stale_maps(studio);
}

// ---- commands about time ------------------------------------------------------------------------

static wadi_result engine_hello(wadi_studio* studio, const studio_message* message)
{
    double version;
    const wadi_result result =
        wadi_studio_number(message, "version", (double)NAN, 1.0, STUDIO_VERSION, &version);
    if (result == WADI_OK)
    {
        wadi_studio_send_ready(studio);
    }
    return result;
}

static void engine_run(wadi_studio* studio, int32_t steps, double until, double rate)
{
    studio->plays = true;
    studio->steps = steps;
    studio->until = until;
    studio->rate = rate;
    studio->rate_year = wadi_session_year(studio->session);
    studio->rate_time = studio->def.now(studio->def.user);
    studio->speed_year = studio->rate_year;
    studio->speed_time = studio->rate_time;
    studio->clock_is_stale = true;
}

static wadi_result engine_play(wadi_studio* studio, const studio_message* message)
{
    double rate;
    double until;
    wadi_result result = wadi_studio_number(message, "rate", 0.0, 0.0, 1e9, &rate);
    if (result == WADI_OK)
    {
        result = wadi_studio_number(message, "until", 1e9, 0.0, 1e9, &until);
    }
    if (result == WADI_OK)
    {
        engine_end_step(studio, NULL);
        engine_run(studio, 0, until, rate);
    }
    return result;
}

static wadi_result engine_stop(wadi_studio* studio, const studio_message* message)
{
    (void)message;
    engine_end_step(studio, NULL);
    engine_pause(studio);
    return WADI_OK;
}

static wadi_result engine_step(wadi_studio* studio, const studio_message* message)
{
    double ticks;
    const wadi_result result = wadi_studio_number(message, "ticks", 1.0, 1.0, 10000.0, &ticks);
    if (result == WADI_OK)
    {
        engine_end_step(studio, NULL);
        studio->waiting = message->id;
        engine_run(studio, (int32_t)ticks, 1e9, 0.0);
    }
    return result;
}

static wadi_result engine_seek(wadi_studio* studio, const studio_message* message)
{
    double year;
    SCENE_TRY(wadi_studio_number(message, "year", (double)NAN, 0.0, 1e9, &year));
    engine_pause(studio);
    const wadi_result result = wadi_session_seek(studio->session, year);
    engine_stale(studio);
    return result;
}

// ---- commands about the record ------------------------------------------------------------------

static wadi_result engine_travel(wadi_studio* studio, wadi_result result)
{
    if (result == WADI_OK)
    {
        engine_stale(studio);
        wadi_studio_send_events(studio);
        wadi_studio_send_maps(studio);
    }
    return result;
}

static wadi_result engine_undo(wadi_studio* studio, const studio_message* message)
{
    (void)message;
    return engine_travel(studio, wadi_session_undo(studio->session));
}

static wadi_result engine_redo(wadi_studio* studio, const studio_message* message)
{
    (void)message;
    return engine_travel(studio, wadi_session_redo(studio->session));
}

static wadi_result engine_move(wadi_studio* studio, const studio_message* message)
{
    double index;
    double year;
    SCENE_TRY(wadi_studio_number(message, "index", (double)NAN, 0.0, 1e6, &index));
    SCENE_TRY(wadi_studio_number(message, "year", (double)NAN, 0.0, 1e9, &year));
    return engine_travel(studio, wadi_session_move(studio->session, (int32_t)index, year));
}

static wadi_result engine_remove(wadi_studio* studio, const studio_message* message)
{
    double index;
    SCENE_TRY(wadi_studio_number(message, "index", (double)NAN, 0.0, 1e6, &index));
    return engine_travel(studio, wadi_session_remove(studio->session, (int32_t)index));
}

static wadi_result engine_merge(wadi_studio* studio, const studio_message* message)
{
    double commands;
    SCENE_TRY(wadi_studio_number(message, "commands", (double)NAN, 1.0, 1e6, &commands));
    return wadi_session_merge(studio->session, (int32_t)commands);
}

static wadi_result engine_events(wadi_studio* studio, const studio_message* message)
{
    (void)message;
    wadi_studio_send_events(studio);
    return WADI_OK;
}

static wadi_result engine_branch(wadi_studio* studio, const studio_message* message)
{
    const char* name;
    SCENE_TRY(wadi_studio_text(message, "name", &name));
    return engine_travel(studio, wadi_session_branch(studio->session, name));
}

static wadi_result engine_switch(wadi_studio* studio, const studio_message* message)
{
    const char* name;
    SCENE_TRY(wadi_studio_text(message, "name", &name));
    return engine_travel(studio, wadi_session_switch(studio->session, name));
}

// ---- other commands -----------------------------------------------------------------------------

static wadi_result engine_hash(wadi_studio* studio, const studio_message* message)
{
    (void)message;
    uint64_t end;
    SCENE_TRY(wadi_session_end_hash(studio->session, &end));
    studio_json* json = &studio->text;
    wadi_json_reset(json);
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "type", "hash");
    wadi_json_number(json, "year", wadi_session_year(studio->session));
    wadi_json_hash(json, "living", wadi_run_hash(wadi_session_run(studio->session)));
    wadi_json_hash(json, "end", end);
    wadi_json_close(json, '}');
    wadi_studio_send_text(studio);
    return WADI_OK;
}

static wadi_result engine_view(wadi_studio* studio, const studio_message* message)
{
    return wadi_studio_point_of(message, "at", &studio->view);
}

static wadi_result engine_refresh(wadi_studio* studio, const studio_message* message)
{
    (void)message;
    studio->under_way = 0;
    wadi_studio_send_scene(studio);
    wadi_studio_send_maps(studio);
    wadi_studio_send_events(studio);
    wadi_studio_mark_all(studio);
    engine_stale(studio);
    return WADI_OK;
}

static wadi_result engine_ack(wadi_studio* studio, const studio_message* message)
{
    double seq;
    SCENE_TRY(wadi_studio_number(message, "seq", (double)NAN, 0.0, 4294967295.0, &seq));
    studio->under_way -= studio->under_way > 0 ? 1 : 0;
    return WADI_OK;
}

static wadi_result engine_open(wadi_studio* studio, const studio_message* message)
{
    SCENE_TRY(wadi_studio_open_scene(studio, message));
    studio->plays = false;
    studio->steps = 0;
    studio->waiting = -1.0;
    return engine_refresh(studio, message);
}

static wadi_result engine_grid(wadi_studio* studio, const studio_message* message)
{
    return wadi_studio_announce(studio, message, true);
}

static wadi_result engine_text(wadi_studio* studio, const studio_message* message)
{
    return wadi_studio_announce(studio, message, false);
}

static double engine_id_of(wadi_studio* studio, const studio_waiting* waiting)
{
    studio_message message = {.id = -1.0, .type = "message"};
    if (wadi_yaml_parse(studio->context, "message", waiting->bytes, waiting->size, &message.yaml) ==
        WADI_OK)
    {
        message.root = wadi_yaml_root(message.yaml);
        (void)wadi_studio_number(&message, "id", -1.0, 0.0, 9007199254740991.0, &message.id);
    }
    wadi_yaml_destroy(message.yaml);
    return message.id;
}

// The replay that is under way ends, and the world stays as it is. A tick on the way is ended.
static wadi_result engine_cancel(wadi_studio* studio, const studio_message* message)
{
    static const char pause[] = "{\"type\":\"pause\"}";
    (void)message;
    studio_waiting* first = studio->queue;
    if (first == NULL || !first->travels)
    {
        return WADI_OK;
    }
    wadi_session_leave_way(studio->session);
    engine_answer(studio, engine_id_of(studio, first), "cancelled");
    wadi_studio_pop(studio);
    return wadi_studio_push(studio, false, pause, sizeof pause - 1)
               ? WADI_OK
               : wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory");
}

// ---- dispatch -----------------------------------------------------------------------------------

typedef wadi_result engine_command_fn(wadi_studio* studio, const studio_message* message);

typedef enum engine_need
{
    ENGINE_NOTHING,
    ENGINE_SESSION,
    ENGINE_BORDER, // a session that is not in the midst of a tick
    ENGINE_LEAVE   // the same; a tick that can be left is not ended
} engine_need;

typedef enum engine_kind
{
    ENGINE_PLAIN,
    ENGINE_URGENT,  // is done at once, also while others wait
    ENGINE_TRAVELS, // a replay that is done in slices
    ENGINE_CHANGES  // the world or the record
} engine_kind;

static const struct
{
    const char* type;
    const char* keys;
    engine_need need;
    engine_command_fn* run;
    engine_kind kind;
} engine_commands[] = {
    {"hello", "version", ENGINE_NOTHING, engine_hello, ENGINE_PLAIN},
    {"describe", "process", ENGINE_NOTHING, wadi_studio_send_describe, ENGINE_PLAIN},
    {"open", "scene scene_from name tick run", ENGINE_NOTHING, engine_open, ENGINE_PLAIN},
    {"grid", "name width height cell bytes", ENGINE_NOTHING, engine_grid, ENGINE_PLAIN},
    {"text", "name bytes", ENGINE_NOTHING, engine_text, ENGINE_PLAIN},
    {"play", "rate until", ENGINE_SESSION, engine_play, ENGINE_PLAIN},
    {"pause", "", ENGINE_BORDER, engine_stop, ENGINE_PLAIN},
    {"hold", "", ENGINE_LEAVE, engine_stop, ENGINE_PLAIN},
    {"step", "ticks", ENGINE_SESSION, engine_step, ENGINE_PLAIN},
    {"seek", "year", ENGINE_SESSION, engine_seek, ENGINE_TRAVELS},
    {"undo", "", ENGINE_LEAVE, engine_undo, ENGINE_TRAVELS},
    {"redo", "", ENGINE_LEAVE, engine_redo, ENGINE_TRAVELS},
    {"start", "process with", ENGINE_LEAVE, wadi_studio_start_process, ENGINE_CHANGES},
    {"change", "process with", ENGINE_LEAVE, wadi_studio_change_process, ENGINE_CHANGES},
    {"stop", "process", ENGINE_LEAVE, wadi_studio_stop_process, ENGINE_CHANGES},
    {"edit", "edit joins", ENGINE_LEAVE, wadi_studio_edit, ENGINE_CHANGES},
    {"stroke", "edit amount radius soft points joins layer shape ratio azimuth", ENGINE_LEAVE,
     wadi_studio_stroke, ENGINE_CHANGES},
    {"paint", "process map value radius soft points base joins area", ENGINE_LEAVE,
     wadi_studio_paint, ENGINE_CHANGES},
    {"repaint", "process map stroke value radius soft points remove", ENGINE_LEAVE,
     wadi_studio_repaint, ENGINE_CHANGES},
    {"events", "", ENGINE_SESSION, engine_events, ENGINE_PLAIN},
    {"move", "index year", ENGINE_LEAVE, engine_move, ENGINE_TRAVELS},
    {"remove", "index", ENGINE_LEAVE, engine_remove, ENGINE_TRAVELS},
    {"merge", "commands", ENGINE_SESSION, engine_merge, ENGINE_PLAIN},
    {"branch", "name", ENGINE_LEAVE, engine_branch, ENGINE_PLAIN},
    {"switch", "name", ENGINE_LEAVE, engine_switch, ENGINE_TRAVELS},
    {"show", "slot map", ENGINE_SESSION, wadi_studio_show, ENGINE_PLAIN},
    {"probe", "at", ENGINE_SESSION, wadi_studio_probe, ENGINE_URGENT},
    {"section", "from to count", ENGINE_SESSION, wadi_studio_section, ENGINE_URGENT},
    {"hash", "", ENGINE_BORDER, engine_hash, ENGINE_TRAVELS},
    {"record", "", ENGINE_BORDER, wadi_studio_record, ENGINE_TRAVELS},
    {"export", "what format", ENGINE_BORDER, wadi_studio_export, ENGINE_PLAIN},
    {"look", "at", ENGINE_NOTHING, engine_view, ENGINE_URGENT},
    {"refresh", "", ENGINE_SESSION, engine_refresh, ENGINE_PLAIN},
    {"ack", "seq", ENGINE_NOTHING, engine_ack, ENGINE_URGENT},
    {"cancel", "", ENGINE_SESSION, engine_cancel, ENGINE_URGENT},
};
enum
{
    ENGINE_COMMANDS = sizeof engine_commands / sizeof engine_commands[0]
};

// A tick has ended: the step command may be over, or the year reached.
static void engine_count_tick(wadi_studio* studio)
{
    if (studio->steps > 0 && --studio->steps == 0)
    {
        engine_pause(studio);
        engine_end_step(studio, NULL);
    }
    const double left = studio->until - wadi_session_year(studio->session);
    if (studio->plays && left < 1e-6 * wadi_session_tick(studio->session))
    {
        engine_pause(studio);
    }
}

// Leave the running tick if the command may, or end it, until the slice is over.
static wadi_result engine_end_tick(wadi_studio* studio, engine_need need)
{
    if (need < ENGINE_BORDER || !wadi_session_is_within(studio->session))
    {
        return WADI_OK;
    }
    studio->is_changed = true;
    if (need == ENGINE_LEAVE && wadi_session_leave_tick(studio->session) == WADI_OK)
    {
        return WADI_OK;
    }
    engine_set_deadline(studio, studio->slice_end);
    const wadi_result result = wadi_session_advance(studio->session, 0);
    studio->deadline = (double)INFINITY;
    if (result == WADI_OK)
    {
        engine_count_tick(studio);
    }
    return result;
}

static wadi_result engine_do(wadi_studio* studio, int32_t index, const studio_message* message)
{
    const engine_kind kind = engine_commands[index].kind;
    if (engine_commands[index].need != ENGINE_NOTHING && studio->session == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_STATE,
                                 "'%s' needs a scene; open one first", message->type);
    }
    SCENE_TRY(wadi_studio_check_keys(message, engine_commands[index].keys));
    SCENE_TRY(engine_end_tick(studio, engine_commands[index].need));
    engine_set_deadline(studio, kind == ENGINE_TRAVELS ? studio->slice_end : (double)INFINITY);
    const wadi_result result = engine_commands[index].run(studio, message);
    studio->deadline = (double)INFINITY;
    return kind == ENGINE_CHANGES ? engine_travel(studio, result) : result;
}

// Messages of the scene reader begin with a position in the message, which helps nobody.
static const char* engine_detail(const wadi_studio* studio)
{
    static const char prefix[] = "message:";
    const char* text = wadi_error_detail(studio->context);
    if (strncmp(text, prefix, sizeof prefix - 1) != 0)
    {
        return text;
    }
    const char* after = strstr(text, ": ");
    return after != NULL ? after + 2 : text;
}

// Commands keep their order: one that comes while others wait joins them.
static wadi_result engine_dispatch(wadi_studio* studio, studio_message* message, bool has_waited)
{
    const char* type;
    SCENE_TRY(wadi_studio_number(message, "id", -1.0, 0.0, 9007199254740991.0, &message->id));
    SCENE_TRY(wadi_studio_text(message, "type", &type));
    message->type = type;
    int32_t index = 0;
    while (index < ENGINE_COMMANDS && strcmp(engine_commands[index].type, message->type) != 0)
    {
        ++index;
    }
    if (index == ENGINE_COMMANDS)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN, "unknown message '%.40s'",
                                 message->type);
    }
    const bool waits =
        studio->queue != NULL && !has_waited && engine_commands[index].kind != ENGINE_URGENT;
    return waits ? WADI_ERROR_CANCELLED : engine_do(studio, index, message);
}

// False: the message is not done, and has to be given again.
static bool engine_hear(wadi_studio* studio, const char* text, size_t size, bool has_waited)
{
    studio_message message = {.id = -1.0, .type = "message"};
    wadi_result result = wadi_yaml_parse(studio->context, "message", text, size, &message.yaml);
    if (result == WADI_OK)
    {
        message.root = wadi_yaml_root(message.yaml);
        result = engine_dispatch(studio, &message, has_waited);
    }
    const bool waits = studio->waiting >= 0.0 && studio->waiting == message.id;
    if (result != WADI_OK && result != WADI_ERROR_CANCELLED)
    {
        engine_answer(studio, message.id, engine_detail(studio));
    }
    else if (result == WADI_OK && message.id >= 0.0 && !waits)
    {
        engine_answer(studio, message.id, NULL);
    }
    wadi_yaml_destroy(message.yaml);
    return result != WADI_ERROR_CANCELLED;
}

// The first message that waits. False: it goes on waiting.
static bool engine_take_waiting(wadi_studio* studio)
{
    studio_waiting* first = studio->queue;
    bool is_done = true;
    if (first->is_binary)
    {
        wadi_studio_take_piece(studio, (const unsigned char*)first->bytes, first->size);
    }
    else
    {
        is_done = engine_hear(studio, first->bytes, first->size, true);
    }
    first->travels = !is_done;
    if (is_done)
    {
        wadi_studio_pop(studio);
    }
    return is_done;
}

static void engine_work(wadi_studio* studio, double begin, double budget)
{
    studio->slice_end = begin + STUDIO_TICK * budget;
    bool is_done = true;
    for (double now = begin; is_done && studio->queue != NULL && now < begin + budget;)
    {
        is_done = engine_take_waiting(studio);
        now = studio->def.now(studio->def.user);
    }
    studio->is_busy = studio->queue != NULL;
    studio->slice = studio->def.now(studio->def.user) - begin;
}

void wadi_studio_finish(wadi_studio* studio)
{
    studio->slice_end = (double)INFINITY;
    while (studio->queue != NULL)
    {
        (void)engine_take_waiting(studio);
    }
    if (studio->session != NULL && wadi_session_is_within(studio->session))
    {
        const wadi_result result = engine_end_tick(studio, ENGINE_BORDER);
        if (result != WADI_OK)
        {
            engine_pause(studio);
            engine_end_step(studio, engine_detail(studio));
        }
    }
}

bool wadi_studio_rest(wadi_studio* studio)
{
    const bool is_within = studio->plays && wadi_session_is_within(studio->session);
    studio->rests = studio->queue != NULL || is_within;
    return !studio->rests;
}

void wadi_studio_receive(wadi_studio* studio, bool is_binary, const void* bytes, size_t size)
{
    if (wadi_studio_is_full(studio))
    {
        wadi_studio_finish(studio);
    }
    studio->slice_end = studio->def.now(studio->def.user) + STUDIO_TICK * STUDIO_BUDGET;
    bool is_done = !is_binary || studio->queue == NULL;
    if (is_binary && is_done)
    {
        wadi_studio_take_piece(studio, bytes, size);
    }
    else if (!is_binary)
    {
        is_done = engine_hear(studio, bytes, size, false);
    }
    if (!is_done && !wadi_studio_push(studio, is_binary, bytes, size))
    {
        engine_answer(studio, -1.0, "out of memory for a message");
    }
}

// ---- the loop -----------------------------------------------------------------------------------

// Is there time left for another tick, and has the rate not been reached?
static bool engine_may_tick(const wadi_studio* studio, double now, double end)
{
    const double year = wadi_session_year(studio->session);
    const double ahead = year - studio->rate_year;
    const bool early =
        studio->rate > 0.0 && ahead > studio->rate * 1e-3 * (now - studio->rate_time);
    return studio->plays && now < end && (!early || wadi_session_is_within(studio->session));
}

static void engine_keep(wadi_studio* studio, double now)
{
    const double rest = fmax(STUDIO_KEEP, STUDIO_KEEPS * studio->keep_time);
    if (now - studio->kept >= rest && !wadi_session_is_within(studio->session))
    {
        const double deadline = studio->deadline;
        studio->deadline = (double)INFINITY;
        const double begin = studio->def.now(studio->def.user);
        (void)wadi_session_keep(studio->session); // a lack of memory ends nothing
        studio->kept = studio->def.now(studio->def.user);
        studio->keep_time = studio->kept - begin;
        studio->deadline = deadline;
        studio->years_are_stale = true;
    }
}

static void engine_slice(wadi_studio* studio, double begin, double budget)
{
    const double end = begin + budget;
    engine_set_deadline(studio, begin + STUDIO_TICK * budget);
    wadi_result result = WADI_OK;
    for (double now = begin; result == WADI_OK && engine_may_tick(studio, now, end);)
    {
        result = wadi_session_advance(studio->session, 1);
        studio->is_changed = true;
        now = studio->def.now(studio->def.user);
        if (result == WADI_OK)
        {
            engine_count_tick(studio);
            engine_keep(studio, now);
            now = studio->rests ? end : now;
            studio->rests = false;
        }
    }
    if (result != WADI_OK && result != WADI_ERROR_CANCELLED)
    {
        engine_pause(studio);
        engine_end_step(studio, engine_detail(studio));
    }
    studio->is_busy = studio->def.now(studio->def.user) >= end;
    studio->deadline = (double)INFINITY;
    studio->slice = studio->def.now(studio->def.user) - begin;
}

static void engine_measure(wadi_studio* studio, double now)
{
    const double year = wadi_session_year(studio->session);
    if (studio->plays && now - studio->speed_time >= 500.0)
    {
        studio->speed = (year - studio->speed_year) / (1e-3 * (now - studio->speed_time));
        studio->speed_year = year;
        studio->speed_time = now;
    }
}

static void engine_send_state(wadi_studio* studio, double now)
{
    const bool plays = studio->plays;
    if (studio->clock_is_stale || (plays && now - studio->clock_sent >= STUDIO_CLOCK))
    {
        wadi_studio_send_clock(studio);
        studio->clock_sent = now;
    }
    if (studio->ledger_is_stale || (plays && now - studio->ledger_sent >= STUDIO_LEDGER))
    {
        wadi_studio_send_ledger(studio);
        studio->ledger_sent = now;
    }
    if (studio->queue != NULL && studio->queue->travels &&
        now - studio->travel_sent >= STUDIO_TRAVEL)
    {
        wadi_studio_send_travel(studio);
        studio->travel_sent = now;
    }
    if (studio->years_are_stale && now - studio->years_sent >= STUDIO_YEARS)
    {
        wadi_studio_send_years(studio);
        studio->years_sent = now;
    }
}

// Looks and packing take a few percent of the time of an engine that is busy with ticks. What a
// command changes is looked at without a wait.
static bool engine_must_look(const wadi_studio* studio, double now)
{
    const double rest = fmin(STUDIO_SLOWEST, fmax(STUDIO_FRAME, STUDIO_REST * studio->look_time));
    const bool is_busy = (studio->plays || studio->queue != NULL) && studio->is_busy;
    return studio->is_changed && studio->under_way < STUDIO_CREDITS &&
           now - studio->looked >= (is_busy ? rest : STUDIO_FRAME);
}

// Send tiles and maps. False: nothing waits that a free credit would let go.
static bool engine_send_ground(wadi_studio* studio, double now)
{
    if (engine_must_look(studio, now))
    {
        studio->is_changed = wadi_studio_look(studio) != WADI_OK;
        studio->looked = now;
        studio->look_time = 0.0;
        wadi_studio_stale_maps(studio);
    }
    bool more = wadi_studio_send_tiles(studio);
    studio->look_time += studio->def.now(studio->def.user) - now;
    more = wadi_studio_send_map(studio, now) || more;
    return more || (studio->is_changed && studio->under_way < STUDIO_CREDITS);
}

bool wadi_studio_turn(wadi_studio* studio, double budget)
{
    if (studio->session == NULL)
    {
        return false;
    }
    const double begin = studio->def.now(studio->def.user);
    if (studio->queue != NULL)
    {
        engine_work(studio, begin, budget > 0.0 ? budget : 1.0);
    }
    else if (studio->plays)
    {
        engine_slice(studio, begin, budget > 0.0 ? budget : 1.0);
    }
    const double now = studio->def.now(studio->def.user);
    engine_measure(studio, now);
    engine_send_state(studio, now);
    wadi_studio_end_grains(studio);
    const bool more = engine_send_ground(studio, now);
    return studio->plays || studio->queue != NULL || more;
}
