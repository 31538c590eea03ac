// SPDX-License-Identifier: MIT
// Commands: each makes another course, which the world then follows; undo, redo and branches.
#include "session/session_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The name under which messages and layouts know what a command brings.
static wadi_result command_name(wadi_session* session, const char** out)
{
    char text[WADI_NAME_LENGTH];
    session->commands += 1;
    (void)snprintf(text, sizeof text, "command %u", session->commands);
    return wadi_scene_keep_text(session->keeper, text, out);
}

// ---- versions -----------------------------------------------------------------------------------

// Forget what could be redone.
static void command_forget(wadi_session* session)
{
    session_branch* branch = session_present(session);
    while (branch->count > branch->present + 1)
    {
        wadi_session_free_course(session, &branch->versions[--branch->count].course);
    }
}

// Make room for one more version while nothing has changed yet.
static wadi_result command_reserve(wadi_session* session)
{
    session_branch* branch = session_present(session);
    WADI_GROW(session->context, branch->versions, branch->count, branch->room, 16, "a session");
    return WADI_OK;
}

static void command_push(wadi_session* session, const session_version* version)
{
    session_branch* branch = session_present(session);
    branch->versions[branch->count] = *version;
    branch->present = branch->count++;
}

// Make a changed course that of the present; it is freed on failure.
static wadi_result command_commit(wadi_session* session, session_course* course, bool is_edit)
{
    const double year = wadi_session_year(session);
    wadi_result result = command_reserve(session);
    result = result == WADI_OK ? wadi_session_keep(session) : result;
    result = result == WADI_OK ? wadi_session_follow(session, course, year) : result;
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, course);
        return result;
    }
    command_forget(session);
    command_push(session, &(session_version){*course, year, is_edit});
    return WADI_OK;
}

static wadi_result command_copy(wadi_session* session, session_course* out)
{
    WADI_TRY(wadi_session_check_border(session));
    return wadi_session_copy_course(session, &session_version_of(session)->course, 1, out);
}

// ---- processes ----------------------------------------------------------------------------------

static wadi_result command_check_tables(const wadi_session* session,
                                        const wadi_scene_process* process)
{
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        const wadi_scene_table* table = &process->tables[i];
        int32_t k = 0;
        while (strcmp(process->process->tables[k].name, table->table) != 0)
        {
            ++k; // exists: checked when it was kept
        }
        WADI_TRY(table->file != NULL
                     ? WADI_OK
                     : wadi_table_check(session->context, &process->process->tables[k],
                                        table->values, table->rows));
    }
    return WADI_OK;
}

static wadi_result command_keep_process(wadi_session* session, const wadi_scene_process* step,
                                        wadi_scene_process* out)
{
    WADI_CHECK(session->context, step->body_count == 0 && step->water == NULL, WADI_ERROR_ARGUMENT,
               "a session takes no bodies of soil for %s; run it in a scene", step->process->name);
    const wadi_scene_process given = {.process = step->process,
                                      .params = step->params,
                                      .years = session->tick,
                                      .inputs = step->inputs,
                                      .input_count = step->input_count,
                                      .tables = step->tables,
                                      .table_count = step->table_count,
                                      .mask = step->mask};
    WADI_TRY(wadi_scene_keep_process(session->keeper, &given, out));
    return command_check_tables(session, out);
}

// What a process runs with at a year.
static const wadi_scene_process* command_latest(const wadi_session* session,
                                                const session_course* course, int32_t track,
                                                double year)
{
    const wadi_scene_process* latest = &course->tracks[track]->process;
    for (int32_t i = 0; i < course->event_count; ++i)
    {
        const wadi_event* event = course->events[i];
        if (event->step.kind == WADI_STEP_PROCESS &&
            event->step.process.process == latest->process &&
            session_is_past(session, course->tracks[track]->from, event->at) &&
            session_is_past(session, event->at, year))
        {
            latest = &event->step.process;
        }
    }
    return latest;
}

// Zeroed memory that the session keeps.
static wadi_result command_room(wadi_session* session, size_t size, void** out)
{
    return wadi_scene_keep_room(session->keeper, size > 0 ? size : 1, out);
}

// Of structs that begin with a name the first of each name stays. Returns their number.
static int32_t command_unique(void* rows, size_t size, int32_t count)
{
    int32_t kept = 0;
    char* list = rows;
    for (int32_t i = 0; i < count; ++i)
    {
        const char* name = *(const char* const*)(const void*)(list + (size_t)i * size);
        if (scene_find_name(rows, size, kept, name) == kept)
        {
            memmove(list + (size_t)kept++ * size, list + (size_t)i * size, size);
        }
    }
    return kept;
}

// Maps, tables and the mask that a change does not name stay, as in scene files.
static wadi_result command_inherit(wadi_session* session, const wadi_scene_process* before,
                                   wadi_scene_process* process)
{
    const int32_t most_tables = process->table_count + before->table_count;
    const int32_t most_inputs = process->input_count + before->input_count;
    void* memory;
    WADI_TRY(command_room(session, (size_t)most_tables * sizeof(wadi_scene_table), &memory));
    wadi_scene_table* tables = memory;
    WADI_TRY(command_room(session, (size_t)most_inputs * sizeof(wadi_scene_input), &memory));
    wadi_scene_input* inputs = memory;
    for (int32_t i = 0; i < most_tables; ++i)
    {
        const int32_t old = i - process->table_count;
        tables[i] = old < 0 ? process->tables[i] : before->tables[old];
    }
    for (int32_t i = 0; i < most_inputs; ++i)
    {
        const int32_t old = i - process->input_count;
        inputs[i] = old < 0 ? process->inputs[i] : before->inputs[old];
    }
    process->table_count = command_unique(tables, sizeof *tables, most_tables);
    process->input_count = command_unique(inputs, sizeof *inputs, most_inputs);
    process->tables = tables;
    process->inputs = inputs;
    process->mask = process->mask != NULL ? process->mask : before->mask;
    return WADI_OK;
}

static wadi_result command_put_process(wadi_session* session, session_course* course,
                                       const wadi_scene_process* process)
{
    const double year = wadi_session_year(session);
    const int32_t index = wadi_session_find_track(session, course, process->process, year);
    const double begun = index >= 0 ? course->tracks[index]->from : (double)INFINITY;
    const char* name;
    WADI_TRY(command_name(session, &name));
    if (!session_is_past(session, begun, year))
    {
        const wadi_track track = {*process, year, begun, name}; // until the next one begins
        return wadi_session_add_track(session, course, &track);
    }
    wadi_event event = {year, {.kind = WADI_STEP_PROCESS, .origin = name, .process = *process}};
    WADI_TRY(command_inherit(session, command_latest(session, course, index, year),
                             &event.step.process));
    return wadi_session_add_event(session, course, &event);
}

wadi_result wadi_session_start(wadi_session* session, const wadi_scene_process* step)
{
    session_course course;
    wadi_scene_process process;
    WADI_TRY(command_keep_process(session, step, &process));
    WADI_TRY(command_copy(session, &course));
    const wadi_result result = command_put_process(session, &course, &process);
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, &course);
        return result;
    }
    return command_commit(session, &course, false);
}

// Take away the events that change the process of a track from a year until its end.
static void command_drop_events(const wadi_session* session, session_course* course,
                                const wadi_track* track, double year)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < course->event_count; ++i)
    {
        const wadi_event* event = course->events[i];
        const bool changes = event->step.kind == WADI_STEP_PROCESS &&
                             event->step.process.process == track->process.process;
        if (!changes || !session_is_past(session, year, event->at) ||
            session_is_past(session, track->until, event->at))
        {
            course->events[kept++] = event;
        }
    }
    course->event_count = kept;
}

// Take a track that has not begun away.
static void command_drop_track(const wadi_session* session, session_course* course, int32_t index)
{
    const wadi_track* track = course->tracks[index];
    command_drop_events(session, course, track, track->from);
    course->track_count -= 1;
    memmove(&course->tracks[index], &course->tracks[index + 1],
            (size_t)(course->track_count - index) * sizeof(wadi_track*));
}

static wadi_result command_end_track(wadi_session* session, session_course* course, int32_t index)
{
    const double year = wadi_session_year(session);
    if (session_is_past(session, year, course->tracks[index]->from))
    {
        command_drop_track(session, course, index);
        return WADI_OK;
    }
    wadi_track track = *course->tracks[index];
    command_drop_events(session, course, &track, year + session->tick);
    track.until = year + session->tick;
    void* kept;
    WADI_TRY(wadi_scene_keep_bytes(session->keeper, &track, sizeof track, &kept));
    course->tracks[index] = kept;
    return WADI_OK;
}

wadi_result wadi_session_stop(wadi_session* session, const wadi_process* process)
{
    const session_course* now = &session_version_of(session)->course;
    const double year = wadi_session_year(session);
    const int32_t index = wadi_session_find_track(session, now, process, year);
    WADI_CHECK(session->context, index >= 0, WADI_ERROR_STATE, "%s does not run", process->name);
    session_course course;
    WADI_TRY(command_copy(session, &course));
    const wadi_result result = command_end_track(session, &course, index);
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, &course);
        return result;
    }
    return command_commit(session, &course, false);
}

// ---- edits --------------------------------------------------------------------------------------

static wadi_result command_put_edit(wadi_session* session, session_course* course,
                                    const wadi_edit* edit, double year)
{
    wadi_event event = {.at = year, .step = {.kind = WADI_STEP_EDIT}};
    WADI_TRY(command_name(session, &event.step.origin));
    WADI_TRY(wadi_scene_keep_edit(session->keeper, edit, &event.step.edit));
    return wadi_session_add_event(session, course, &event);
}

// Put a longer stroke in the place of the present one.
static wadi_result command_join(wadi_session* session, session_course* course)
{
    const wadi_result result = wadi_session_follow(session, course, wadi_session_year(session));
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, course);
        return result;
    }
    session_branch* branch = session_present(session);
    wadi_session_free_course(session, &branch->versions[branch->present].course);
    branch->versions[branch->present].course = *course;
    return WADI_OK;
}

wadi_result wadi_session_edit(wadi_session* session, const wadi_edit* edit, bool joins)
{
    return wadi_session_stroke(session, edit, 1, joins);
}

wadi_result wadi_session_stroke(wadi_session* session, const wadi_edit* edits, int32_t count,
                                bool joins)
{
    const session_version* now = session_version_of(session);
    WADI_CHECK(session->context, count > 0 && count <= 1000000, WADI_ERROR_RANGE,
               "a stroke has %d edits; expected 1 to 1000000", count);
    WADI_CHECK(session->context,
               !joins || (now->is_edit && now->year == wadi_session_year(session) &&
                          !wadi_session_can_redo(session)),
               WADI_ERROR_STATE, "an edit joins an edit of the same year that came just before");
    session_course course;
    WADI_TRY(wadi_session_check_border(session));
    WADI_TRY(wadi_session_copy_course(session, &now->course, count, &course));
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < count && result == WADI_OK; ++i)
    {
        result = command_put_edit(session, &course, &edits[i], wadi_session_year(session));
    }
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, &course);
        return result;
    }
    return joins ? command_join(session, &course) : command_commit(session, &course, true);
}

// ---- the timeline -------------------------------------------------------------------------------

static wadi_result command_check_event(const wadi_session* session, int32_t index)
{
    const int32_t count = session_version_of(session)->course.event_count;
    WADI_CHECK(session->context, index >= 0 && index < count, WADI_ERROR_ARGUMENT,
               "there is no event %d; the record has %d", index, count);
    return wadi_session_check_border(session);
}

static const wadi_event* command_take_event(session_course* course, int32_t index)
{
    const wadi_event* event = course->events[index];
    course->event_count -= 1;
    memmove(&course->events[index], &course->events[index + 1],
            (size_t)(course->event_count - index) * sizeof(wadi_event*));
    return event;
}

wadi_result wadi_session_remove(wadi_session* session, int32_t index)
{
    session_course course;
    WADI_TRY(command_check_event(session, index));
    WADI_TRY(command_copy(session, &course));
    (void)command_take_event(&course, index);
    return command_commit(session, &course, false);
}

// A process cannot change before it begins.
static wadi_result command_check_year(const wadi_session* session, const session_course* course,
                                      const wadi_event* event)
{
    const bool changes = event->step.kind == WADI_STEP_PROCESS;
    double first = (double)INFINITY;
    for (int32_t i = 0; changes && i < course->track_count; ++i)
    {
        const wadi_track* track = course->tracks[i];
        const bool is_its = track->process.process == event->step.process.process;
        first = is_its && track->from < first ? track->from : first;
    }
    WADI_CHECK(session->context, !changes || session_is_past(session, first, event->at),
               WADI_ERROR_RANGE, "%s begins at %g yr only", event->step.process.process->name,
               first);
    return WADI_OK;
}

wadi_result wadi_session_move(wadi_session* session, int32_t index, double year)
{
    session_course course;
    WADI_TRY(command_check_event(session, index));
    WADI_CHECK(session->context, year >= 0.0 && year <= 1e9, WADI_ERROR_RANGE,
               "year %g must lie in [0, 1e9]", year);
    WADI_TRY(command_copy(session, &course));
    wadi_event event = *command_take_event(&course, index);
    event.at = floor(year / session->tick + 0.5) * session->tick;
    wadi_result result = command_check_year(session, &course, &event);
    if (result == WADI_OK)
    {
        result = wadi_session_add_event(session, &course, &event);
    }
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, &course);
        return result;
    }
    return command_commit(session, &course, false);
}

static wadi_result command_plan_track(wadi_session* session, const wadi_timeline* timeline,
                                      int32_t index, session_course* course)
{
    wadi_track track = timeline->tracks[index];
    WADI_TRY(command_keep_process(session, &track.process, &track.process));
    WADI_TRY(command_name(session, &track.origin));
    const bool goes_on = session_is_past(session, timeline->end, track.until);
    track.until = goes_on ? (double)INFINITY : track.until;
    return wadi_session_add_track(session, course, &track);
}

static wadi_result command_plan_event(wadi_session* session, const wadi_event* planned,
                                      session_course* course)
{
    if (planned->step.kind == WADI_STEP_EDIT)
    {
        return command_put_edit(session, course, &planned->step.edit, planned->at);
    }
    wadi_event event = {planned->at, {.kind = WADI_STEP_PROCESS}};
    WADI_TRY(command_name(session, &event.step.origin));
    WADI_TRY(command_keep_process(session, &planned->step.process, &event.step.process));
    return wadi_session_add_event(session, course, &event);
}

static wadi_result command_plan_all(wadi_session* session, const wadi_timeline* timeline,
                                    session_course* course)
{
    const size_t tracks = (size_t)timeline->track_count + 1;
    const size_t events = (size_t)timeline->event_count + 1;
    course->tracks = wadi_alloc(session->context, tracks, sizeof *course->tracks);
    course->events = wadi_alloc(session->context, events, sizeof *course->events);
    if (course->tracks == NULL || course->events == NULL)
    {
        return wadi_fail_memory(session->context, (tracks + events) * sizeof *course->tracks,
                                "a session");
    }
    for (int32_t i = 0; i < timeline->track_count; ++i)
    {
        WADI_TRY(command_plan_track(session, timeline, i, course));
    }
    for (int32_t i = 0; i < timeline->event_count; ++i)
    {
        const wadi_event* event = &timeline->events[i];
        WADI_TRY(event->step.kind != WADI_STEP_OUTPUT ? command_plan_event(session, event, course)
                                                      : WADI_OK);
    }
    return wadi_session_follow(session, course, 0.0);
}

wadi_result wadi_session_plan(wadi_session* session, const wadi_timeline* timeline)
{
    session_branch* branch = session_present(session);
    session_course* first = &branch->versions[0].course;
    WADI_CHECK(session->context,
               session->branch_count == 1 && branch->count == 1 && first->track_count == 0 &&
                   first->event_count == 0,
               WADI_ERROR_STATE, "a session begins with a timeline; it has begun already");
    WADI_CHECK(session->context, timeline->tick == session->tick, WADI_ERROR_ARGUMENT,
               "the timeline's tick is %g yr but the session's is %g yr", timeline->tick,
               session->tick);
    session_course course = {0};
    const wadi_result result = command_plan_all(session, timeline, &course);
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, &course);
        return result;
    }
    wadi_session_free_course(session, first);
    *first = course;
    return WADI_OK;
}

// ---- undo and branches --------------------------------------------------------------------------

bool wadi_session_can_undo(const wadi_session* session)
{
    return session_present(session)->present > 0;
}

bool wadi_session_can_redo(const wadi_session* session)
{
    const session_branch* branch = session_present(session);
    return branch->present < branch->count - 1;
}

wadi_result wadi_session_undo(wadi_session* session)
{
    session_branch* branch = session_present(session);
    WADI_CHECK(session->context, wadi_session_can_undo(session), WADI_ERROR_STATE,
               "there is no command to take back");
    WADI_TRY(wadi_session_check_border(session));
    const double now = wadi_session_year(session);
    const double given = branch->versions[branch->present].year;
    const session_course* course = &branch->versions[branch->present - 1].course;
    WADI_TRY(wadi_session_follow(session, course, given < now ? given : now));
    branch->present -= 1;
    return WADI_OK;
}

wadi_result wadi_session_redo(wadi_session* session)
{
    session_branch* branch = session_present(session);
    WADI_CHECK(session->context, wadi_session_can_redo(session), WADI_ERROR_STATE,
               "there is no command to give again");
    WADI_TRY(wadi_session_check_border(session));
    WADI_TRY(wadi_session_follow(session, &branch->versions[branch->present + 1].course,
                                 wadi_session_year(session)));
    branch->present += 1;
    return WADI_OK;
}

wadi_result wadi_session_merge(wadi_session* session, int32_t commands)
{
    session_branch* branch = session_present(session);
    WADI_CHECK(session->context, !wadi_session_can_redo(session), WADI_ERROR_STATE,
               "commands cannot become one while a command behind them can be given again");
    WADI_CHECK(session->context, commands >= 1 && commands <= branch->present, WADI_ERROR_ARGUMENT,
               "cannot make %d commands one: there are %d", commands, branch->present);
    const int32_t first = branch->present - commands + 1;
    for (int32_t i = first; i < branch->present; ++i)
    {
        wadi_session_free_course(session, &branch->versions[i].course);
    }
    branch->versions[first].course = branch->versions[branch->present].course;
    branch->versions[first].is_edit = branch->versions[first].is_edit && commands == 1;
    branch->present = first;
    branch->count = first + 1;
    return WADI_OK;
}

static int32_t command_find_branch(const wadi_session* session, const char* name)
{
    int32_t index = 0;
    while (index < session->branch_count && strcmp(session->branches[index]->name, name) != 0)
    {
        ++index;
    }
    return index;
}

static wadi_result command_new_branch(wadi_session* session, const char* name,
                                      const session_course* course, session_branch** out)
{
    session_version version = {{0}, 0.0, false};
    WADI_ALLOC(session->context, *out, 1, "a branch");
    (void)strncpy((*out)->name, name, sizeof(*out)->name - 1);
    wadi_result result = wadi_session_copy_course(session, course, 1, &version.course);
    if (result == WADI_OK)
    {
        (*out)->versions = wadi_alloc(session->context, 16, sizeof *(*out)->versions);
        result = (*out)->versions != NULL
                     ? WADI_OK
                     : wadi_fail_memory(session->context, sizeof version, "a branch");
    }
    if (result != WADI_OK)
    {
        wadi_session_free_course(session, &version.course);
        wadi_free(session->context, *out);
        return result;
    }
    (*out)->room = 16;
    (*out)->versions[(*out)->count++] = version;
    return WADI_OK;
}

wadi_result wadi_session_branch(wadi_session* session, const char* name)
{
    const size_t length = strlen(name);
    WADI_CHECK(session->context, length > 0 && length < WADI_NAME_LENGTH, WADI_ERROR_ARGUMENT,
               "the name of a branch must have 1 to %d bytes", WADI_NAME_LENGTH - 1);
    WADI_CHECK(session->context, command_find_branch(session, name) == session->branch_count,
               WADI_ERROR_ARGUMENT, "there is a branch '%s' already; choose another name", name);
    WADI_GROW(session->context, session->branches, session->branch_count, session->branch_room, 4,
              "a branch");
    const bool first = session->branch_count == 0;
    const session_course none = {0};
    session_branch* branch;
    WADI_TRY(command_new_branch(session, name, first ? &none : &session_version_of(session)->course,
                                &branch));
    if (!first)
    {
        branch->versions[0].year = wadi_session_year(session);
        session_present(session)->year = wadi_session_year(session);
    }
    session->branches[session->branch_count] = branch;
    session->branch = session->branch_count++;
    return WADI_OK;
}

wadi_result wadi_session_switch(wadi_session* session, const char* name)
{
    const int32_t index = command_find_branch(session, name);
    WADI_CHECK(session->context, index < session->branch_count, WADI_ERROR_UNKNOWN,
               "there is no branch '%s'", name);
    WADI_TRY(wadi_session_check_border(session));
    if (index == session->branch)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_session_keep(session));
    const session_branch* branch = session->branches[index];
    const double left = wadi_session_year(session);
    WADI_TRY(wadi_session_follow(session, &branch->versions[branch->present].course, branch->year));
    session_present(session)->year = left;
    session->branch = index;
    return WADI_OK;
}

int32_t wadi_session_branch_count(const wadi_session* session)
{
    return session->branch_count;
}

const char* wadi_session_branch_name(const wadi_session* session, int32_t index)
{
    return index >= 0 && index < session->branch_count ? session->branches[index]->name : NULL;
}

const char* wadi_session_present_branch(const wadi_session* session)
{
    return session_present(session)->name;
}
