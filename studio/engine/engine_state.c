// SPDX-License-Identifier: MIT
// Messages about the state of the session.
#include "studio/engine/engine_internal.h"

#include <wadi/ledger.h>
#include <wadi/version.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STATE_MAX_MATERIALS = 32,
    STATE_MAX_YEARS = 512
};

void wadi_studio_send_text(wadi_studio* studio)
{
    if (!studio->text.failed)
    {
        studio->def.send(studio->def.user, false, studio->text.text, studio->text.size);
    }
}

static studio_json* state_begin(wadi_studio* studio, const char* type)
{
    wadi_json_reset(&studio->text);
    wadi_json_open(&studio->text, NULL, '{');
    wadi_json_text(&studio->text, "type", type);
    return &studio->text;
}

static void state_end(wadi_studio* studio)
{
    wadi_json_close(&studio->text, '}');
    wadi_studio_send_text(studio);
}

void wadi_studio_note(wadi_studio* studio, const char* text)
{
    studio_json* json = state_begin(studio, "note");
    wadi_json_text(json, "text", text);
    state_end(studio);
}

void wadi_studio_send_ready(wadi_studio* studio)
{
    studio_json* json = state_begin(studio, "ready");
    wadi_json_number(json, "version", STUDIO_VERSION);
    wadi_json_text(json, "engine", wadi_version());
    wadi_json_number(json, "threads", wadi_context_workers(studio->context));
    wadi_json_bool(json, "yaml", studio->def.reads_yaml);
    wadi_json_bool(json, "files", studio->files != NULL);
    wadi_json_number(json, "max_cells", (double)studio->def.max_cells);
    wadi_json_open(json, "processes", '[');
    for (int32_t i = 0; i < wadi_process_count(studio->context); ++i)
    {
        const wadi_process* process = wadi_process_at(studio->context, i);
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, "name", process->name);
        wadi_json_text(json, "doc", process->doc);
        wadi_json_close(json, '}');
    }
    wadi_json_close(json, ']');
    state_end(studio);
}

// ---- scene --------------------------------------------------------------------------------------

static void state_layers(studio_json* json, const wadi_terrain* terrain)
{
    wadi_json_open(json, "layers", '[');
    for (wadi_layer layer = 0; layer < 32; ++layer)
    {
        const char* name = wadi_terrain_layer_name(terrain, layer);
        if (name != NULL)
        {
            const bool share = layer >= WADI_LAYER_HARDNESS && layer < WADI_LAYER_LOOSE;
            wadi_json_open(json, NULL, '{');
            wadi_json_text(json, "name", name);
            wadi_json_text(json, "unit", share ? "1" : "m");
            wadi_json_close(json, '}');
        }
    }
    wadi_json_close(json, ']');
}

static void state_edits(studio_json* json, const wadi_terrain* terrain)
{
    wadi_json_open(json, "edits", '[');
    for (int32_t i = 0; i < wadi_edit_kind_count(); ++i)
    {
        const wadi_edit_kind* kind = wadi_edit_kind_at(i);
        const wadi_field* field = kind->fields != NULL ? &kind->fields->fields[0] : NULL;
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, "name", kind->name);
        wadi_json_text(json, "doc", kind->doc);
        wadi_json_text(json, "amount", field != NULL ? field->name : NULL);
        wadi_json_text(json, "unit", field != NULL ? field->unit : NULL);
        wadi_json_number(json, "default", field != NULL ? field->initial : (double)NAN);
        wadi_json_number(json, "max", field != NULL ? field->max : (double)NAN);
        wadi_json_text(json, "layer",
                       field != NULL ? wadi_terrain_layer_name(terrain, kind->layer) : NULL);
        wadi_json_close(json, '}');
    }
    wadi_json_close(json, ']');
}

static void state_georef(studio_json* json, const wadi_terrain* terrain)
{
    const wadi_georef georef = wadi_terrain_georef(terrain);
    if (!georef.valid)
    {
        wadi_json_null(json, "georef");
        return;
    }
    wadi_json_open(json, "georef", '{');
    wadi_json_open(json, "affine", '[');
    for (int32_t i = 0; i < 6; ++i)
    {
        wadi_json_number(json, NULL, georef.affine[i]);
    }
    wadi_json_close(json, ']');
    wadi_json_text(json, "wkt", georef.wkt);
    wadi_json_close(json, '}');
}

static void state_edges(studio_json* json, const wadi_terrain* terrain)
{
    static const char* const names[WADI_EDGE_COUNT] = {"open", "closed", "periodic"};
    wadi_json_open(json, "edges", '[');
    for (int32_t side = 0; side < 4; ++side)
    {
        wadi_json_text(json, NULL, names[wadi_terrain_edge(terrain, (wadi_side)side)]);
    }
    wadi_json_close(json, ']');
}

void wadi_studio_send_scene(wadi_studio* studio)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const double cell = wadi_terrain_cell_size(terrain);
    studio_json* json = state_begin(studio, "scene");
    wadi_json_text(json, "name", wadi_scene_name(studio->scene));
    wadi_json_text(json, "doc", wadi_scene_doc(studio->scene));
    wadi_json_number(json, "width", wadi_terrain_width(terrain));
    wadi_json_number(json, "height", wadi_terrain_height(terrain));
    wadi_json_number(json, "cell", cell);
    wadi_json_open(json, "extent", '[');
    wadi_json_number(json, NULL, cell * wadi_terrain_width(terrain));
    wadi_json_number(json, NULL, cell * wadi_terrain_height(terrain));
    wadi_json_close(json, ']');
    state_edges(json, terrain);
    wadi_json_number(json, "tile", STUDIO_TILE);
    wadi_json_number(json, "columns", studio->columns);
    wadi_json_number(json, "rows", studio->rows);
    wadi_json_number(json, "tick", wadi_session_tick(studio->session));
    wadi_json_number(json, "end", studio->end);
    state_layers(json, terrain);
    state_edits(json, terrain);
    double level = (double)NAN;
    (void)wadi_terrain_sea_level(terrain, wadi_terrain_clock(terrain), &level);
    wadi_json_number(json, "sea_level", level);
    state_georef(json, terrain);
    state_end(studio);
}

// ---- clock --------------------------------------------------------------------------------------

// Has a process a track that begins behind this one and has begun?
static bool state_is_replaced(const wadi_timeline* plan, const wadi_track* track, double now)
{
    bool found = false;
    for (int32_t i = 0; i < plan->track_count; ++i)
    {
        const wadi_track* other = &plan->tracks[i];
        const bool begun = other->from <= now;
        found |= other->process.process == track->process.process && other != track &&
                 (track->from <= now ? begun && other->from > track->from
                                     : begun || other->from < track->from);
    }
    return found;
}

// `whole`: the present track of each process, with its state; otherwise all of them.
static void state_tracks(wadi_studio* studio, const wadi_timeline* plan, bool whole)
{
    studio_json* json = &studio->text;
    const double now = wadi_session_year(studio->session) + 1e-6 * plan->tick;
    for (int32_t i = 0; i < plan->track_count; ++i)
    {
        const wadi_track* track = &plan->tracks[i];
        const wadi_process* process = track->process.process;
        if (whole && state_is_replaced(plan, track, now))
        {
            continue;
        }
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, whole ? "name" : "process", process->name);
        wadi_json_number(json, "from", track->from);
        wadi_json_number(json, "until", track->until);
        if (whole)
        {
            wadi_json_bool(json, "running", track->from <= now && track->until > now);
            wadi_json_text(json, "model", wadi_process_model(process, track->process.params)->name);
        }
        wadi_json_close(json, '}');
    }
}

static void state_branches(wadi_studio* studio)
{
    studio_json* json = &studio->text;
    wadi_json_text(json, "branch", wadi_session_present_branch(studio->session));
    wadi_json_open(json, "branches", '[');
    for (int32_t i = 0; i < wadi_session_branch_count(studio->session); ++i)
    {
        wadi_json_text(json, NULL, wadi_session_branch_name(studio->session, i));
    }
    wadi_json_close(json, ']');
}

void wadi_studio_send_clock(wadi_studio* studio)
{
    wadi_timeline plan;
    if (wadi_session_plan_of(studio->session, &plan) != WADI_OK)
    {
        return; // out of memory: the next one may succeed
    }
    studio_json* json = state_begin(studio, "clock");
    wadi_json_number(json, "year", wadi_session_year(studio->session));
    wadi_json_number(json, "tick", wadi_session_tick(studio->session));
    wadi_json_bool(json, "playing", studio->plays);
    wadi_json_number(json, "rate", studio->plays ? studio->speed : 0.0);
    wadi_json_number(json, "slice_ms", studio->slice);
    wadi_json_bool(json, "can_undo", wadi_session_can_undo(studio->session));
    wadi_json_bool(json, "can_redo", wadi_session_can_redo(studio->session));
    state_branches(studio);
    wadi_json_open(json, "processes", '[');
    state_tracks(studio, &plan, true);
    wadi_json_close(json, ']');
    state_end(studio);
    studio->clock_is_stale = false;
}

void wadi_studio_send_events(wadi_studio* studio)
{
    wadi_timeline plan;
    if (wadi_session_plan_of(studio->session, &plan) != WADI_OK)
    {
        return;
    }
    studio_json* json = state_begin(studio, "events");
    wadi_json_number(json, "end", studio->end);
    wadi_json_open(json, "tracks", '[');
    state_tracks(studio, &plan, false);
    wadi_json_close(json, ']');
    wadi_json_open(json, "list", '[');
    for (int32_t i = 0; i < plan.event_count; ++i)
    {
        const wadi_step* step = &plan.events[i].step;
        wadi_json_open(json, NULL, '{');
        wadi_json_number(json, "index", i);
        wadi_json_number(json, "year", plan.events[i].at);
        wadi_json_text(json, "name", wadi_step_name(step));
        wadi_json_text(json, "kind", step->kind == WADI_STEP_EDIT ? "edit" : "change");
        wadi_json_close(json, '}');
    }
    wadi_json_close(json, ']');
    state_end(studio);
}

void wadi_studio_send_years(wadi_studio* studio)
{
    static const int32_t capacity = STATE_MAX_YEARS;
    double years[STATE_MAX_YEARS];
    const int32_t count = wadi_session_snapshot_years(studio->session, years, capacity);
    studio_json* json = state_begin(studio, "snapshots");
    wadi_json_open(json, "years", '[');
    for (int32_t i = 0; i < count && i < capacity; ++i)
    {
        wadi_json_number(json, NULL, years[i]);
    }
    wadi_json_close(json, ']');
    wadi_json_number(json, "bytes", (double)wadi_session_snapshot_bytes(studio->session));
    state_end(studio);
    studio->years_are_stale = false;
}

void wadi_studio_send_travel(wadi_studio* studio)
{
    studio_json* json = state_begin(studio, "travel");
    wadi_json_number(json, "year", wadi_session_way_year(studio->session));
    state_end(studio);
}

// ---- ledger -------------------------------------------------------------------------------------

static void state_ledger_row(studio_json* json, const wadi_ledger_row* row)
{
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "material", row->material);
    wadi_json_number(json, "before", row->before);
    wadi_json_number(json, "edited", row->edited);
    wadi_json_number(json, "in", row->in);
    wadi_json_open(json, "out", '[');
    for (int32_t side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        wadi_json_number(json, NULL, row->out[side]);
    }
    wadi_json_close(json, ']');
    wadi_json_number(json, "lost", row->lost);
    wadi_json_number(json, "converted", row->converted);
    wadi_json_number(json, "transit", row->transit);
    wadi_json_number(json, "after", row->after);
    wadi_json_number(json, "residual", row->residual);
    wadi_json_number(json, "eroded", row->eroded);
    wadi_json_number(json, "deposited", row->deposited);
    wadi_json_close(json, '}');
}

void wadi_studio_send_ledger(wadi_studio* studio)
{
    wadi_ledger_row rows[STATE_MAX_MATERIALS];
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const int32_t count = wadi_terrain_ledger(terrain, rows, STATE_MAX_MATERIALS);
    studio_json* json = state_begin(studio, "ledger");
    wadi_json_open(json, "rows", '[');
    for (int32_t i = 0; i < count && i < STATE_MAX_MATERIALS; ++i)
    {
        state_ledger_row(json, &rows[i]);
    }
    wadi_json_close(json, ']');
    state_end(studio);
    studio->ledger_is_stale = false;
}

// ---- maps ---------------------------------------------------------------------------------------

static void state_map(studio_json* json, const char* process, const char* name, const char* unit,
                      const char* doc)
{
    char full[2 * WADI_NAME_LENGTH + 2] = "";
    if (process != NULL)
    {
        (void)strncat(full, process, WADI_NAME_LENGTH);
        (void)strncat(full, ".", 2);
    }
    (void)strncat(full, name, WADI_NAME_LENGTH);
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "name", full);
    wadi_json_text(json, "unit", unit);
    wadi_json_text(json, "doc", doc);
    wadi_json_close(json, '}');
}

static bool state_has_input(const wadi_scene_process* step, const char* name)
{
    bool has = false;
    for (int32_t i = 0; i < step->input_count; ++i)
    {
        has = has || strcmp(step->inputs[i].map, name) == 0;
    }
    return has;
}

static void state_process_maps(wadi_studio* studio, const wadi_process* process)
{
    const wadi_scene_process* step = wadi_studio_running(studio, process);
    const wadi_model* model = step != NULL ? wadi_process_model(process, step->params) : NULL;
    for (int32_t i = 0; model != NULL && i < process->map_count; ++i)
    {
        const wadi_map_info* map = &process->maps[i];
        if ((!map->input || state_has_input(step, map->name)) &&
            wadi_model_is_in(process, model, map->models))
        {
            state_map(&studio->text, process->name, map->name, map->unit, map->doc);
        }
    }
}

static const struct
{
    const char* name;
    const char* unit;
    const char* doc;
} state_layers_shown[] = {
    {"surface", "m", "Elevation of the ground."},       {"bedrock", "m", "Elevation of the rock."},
    {"sediment", "m", "Thickness of loose matter."},    {"water", "m", "Depth of water."},
    {"hardness", "1", "Hardness of the rock."},         {"vegetation", "1", "Cover of plants."},
    {"moisture", "1", "Pore space filled with water."},
};

void wadi_studio_send_maps(wadi_studio* studio)
{
    studio_json* json = state_begin(studio, "maps");
    wadi_json_open(json, "list", '[');
    for (size_t i = 0; i < sizeof state_layers_shown / sizeof state_layers_shown[0]; ++i)
    {
        state_map(json, NULL, state_layers_shown[i].name, state_layers_shown[i].unit,
                  state_layers_shown[i].doc);
    }
    for (int32_t i = 0; i < WADI_DERIVED_COUNT; ++i)
    {
        const wadi_derived map = (wadi_derived)i;
        state_map(json, NULL, wadi_derived_name(map), wadi_derived_unit(map),
                  wadi_derived_doc(map));
    }
    for (int32_t i = 0; i < wadi_process_count(studio->context); ++i)
    {
        state_process_maps(studio, wadi_process_at(studio->context, i));
    }
    wadi_json_close(json, ']');
    state_end(studio);
}
