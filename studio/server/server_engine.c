// SPDX-License-Identifier: MIT
#include "studio/server/server_engine.h"

#include "io/scene/scene_yaml.h"
#include "io/scene/yaml.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    ENGINE_BUDGET = 12,        // [ms] of work between two looks at the messages of the page
    ENGINE_SAVE_EVENT = 1000,  // [ms] at least between two saved records, when commands were given
    ENGINE_SAVE_CLOCK = 10000, // [ms] and when only the clock moved
    ENGINE_SAVE_LOOK = 250,    // [ms] between two looks whether a record is due
    ENGINE_REST = 4            // [ms] between two turns of a scene that has nothing to do
};

// A turn that took less has found nothing to do [ms].
#define ENGINE_IDLE_TURN 0.05

static double engine_now(void* user)
{
    (void)user;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

// ---- messages of the engine ---------------------------------------------------------------------

// Whether a text of the engine has a type. The engine writes it first.
static bool engine_is(const char* bytes, size_t size, const char* type)
{
    char begin[64];
    const int length = snprintf(begin, sizeof begin, "{\"type\":\"%s\"", type);
    return size >= (size_t)length && memcmp(bytes, begin, (size_t)length) == 0;
}

static const char* engine_string(const json_t* message, const char* key)
{
    const char* value = json_string_value(json_object_get(message, key));
    return value != NULL ? value : "";
}

// An answer to a message of the server itself: keep the record, or the text of an error.
static void engine_keep(server_engine* engine, const char* bytes, size_t size)
{
    json_t* message = json_loadb(bytes, size, 0, NULL);
    if (engine_is(bytes, size, "error"))
    {
        (void)snprintf(engine->problem, sizeof engine->problem, "%s",
                       engine_string(message, "text"));
    }
    if (engine_is(bytes, size, "record"))
    {
        free(engine->text);
        engine->text = strdup(engine_string(message, "text"));
    }
    json_decref(message);
}

// What a message of the engine says about the record.
static void engine_note(server_engine* engine, const char* bytes, size_t size)
{
    engine->is_open |= engine_is(bytes, size, "scene");
    engine->is_changed |= engine_is(bytes, size, "event") || engine_is(bytes, size, "events");
    if (engine_is(bytes, size, "clock"))
    {
        json_t* message = json_loadb(bytes, size, 0, NULL);
        engine->year = json_number_value(json_object_get(message, "year"));
        json_decref(message);
    }
}

static void engine_send(void* user, bool is_binary, const void* bytes, size_t size)
{
    server_engine* engine = user;
    if (!is_binary)
    {
        engine_note(engine, bytes, size);
    }
    if (engine->is_asking)
    {
        if (!is_binary)
        {
            engine_keep(engine, bytes, size);
        }
        return;
    }
    server_message* message =
        engine->page != 0 ? server_message_create(is_binary, bytes, size) : NULL;
    if (message != NULL)
    {
        server_link_send(engine->link, engine->page, message);
    }
}

// ---- messages of the server ---------------------------------------------------------------------

// Have the engine process a message of the server itself; takes the reference.
static void engine_ask(server_engine* engine, json_t* message)
{
    char* text = json_dumps(message, JSON_COMPACT);
    wadi_studio_finish(engine->studio);
    engine->is_asking = true;
    engine->problem[0] = '\0';
    if (text != NULL)
    {
        wadi_studio_receive(engine->studio, false, text, strlen(text));
        wadi_studio_finish(engine->studio);
    }
    engine->is_asking = false;
    free(text);
    json_decref(message);
}

// Nobody waits for the rest of a replay or a tick.
static void engine_ask_now(server_engine* engine, const char* type)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "{\"type\":\"%s\"}", type);
    engine->is_asking = true;
    wadi_studio_receive(engine->studio, false, text, (size_t)length);
    engine->is_asking = false;
}

static void engine_ask_plain(server_engine* engine, const char* type)
{
    engine_ask(engine, json_pack("{s:s}", "type", type));
}

// Show a warning on the page. Without a page it waits for the next one.
static void engine_show_warning(server_engine* engine)
{
    json_t* message =
        json_pack("{s:s, s:s, s:b}", "type", "note", "text", engine->warning, "warns", 1);
    char* text = message != NULL ? json_dumps(message, JSON_COMPACT) : NULL;
    if (text != NULL)
    {
        engine_send(engine, false, text, strlen(text));
    }
    free(text);
    json_decref(message);
}

// Something is not saved: tell it in the terminal and on the page.
static void engine_warn(void* user, const char* text)
{
    server_engine* engine = user;
    (void)fprintf(stderr, "wadi: %s\n", text);
    (void)snprintf(engine->warning, sizeof engine->warning, "%s", text);
    engine_show_warning(engine);
}

// A record may grow longer than scenes that are read: tell it once.
static void engine_check_length(server_engine* engine)
{
    const bool is_long = engine->text != NULL && strlen(engine->text) > WADI_YAML_MAX_BYTES;
    if (is_long && !engine->is_long)
    {
        char text[SERVER_WARNING];
        (void)snprintf(
            text, sizeof text,
            "the record '%.1024s' has more than %d bytes and cannot be opened again; undo "
            "strokes, or export the heights and begin with them",
            engine->record.path, WADI_YAML_MAX_BYTES);
        engine_warn(engine, text);
    }
    engine->is_long = is_long;
}

static void engine_write(server_engine* engine)
{
    wadi_context* context = wadi_studio_context(engine->studio);
    server_maps_save(engine->studio, &engine->maps, engine->record.folder, engine->text,
                     engine_warn, engine);
    if (server_record_write(context, &engine->record, engine->text) != WADI_OK)
    {
        char text[SERVER_WARNING];
        (void)snprintf(text, sizeof text, "the record is not saved: %s",
                       wadi_error_detail(context));
        engine_warn(engine, text);
        return;
    }
    engine->has_saved = true;
}

static void engine_save(server_engine* engine)
{
    const bool is_due = engine->saves && engine->is_open;
    engine->is_changed = false;
    engine->saved_year = engine->year;
    engine->saved = engine_now(NULL);
    if (!is_due)
    {
        return;
    }
    free(engine->text);
    engine->text = NULL;
    engine_ask_plain(engine, "record");
    if (engine->text != NULL)
    {
        engine_write(engine);
    }
    engine_check_length(engine);
}

// A clock that was turned back has no news for the record.
static bool engine_has_moved(const server_engine* engine)
{
    return engine->year > engine->saved_year;
}

static void engine_save_when_due(server_engine* engine)
{
    const double age = engine_now(NULL) - engine->saved;
    const bool is_due = (engine->is_changed && age >= ENGINE_SAVE_EVENT) ||
                        (engine_has_moved(engine) && age >= ENGINE_SAVE_CLOCK);
    if (is_due && wadi_studio_rest(engine->studio))
    {
        engine_save(engine);
    }
}

// Tell a page that has come what is open.
static void engine_greet(server_engine* engine)
{
    json_t* message = json_pack("{s:s, s:b, s:s, s:s?}", "type", "server", "open",
                                engine->is_open ? 1 : 0, "name", engine->name, "record",
                                engine->saves && engine->is_open ? engine->record.path : NULL);
    char* text = json_dumps(message, JSON_COMPACT);
    if (text != NULL)
    {
        engine_send(engine, false, text, strlen(text));
    }
    free(text);
    json_decref(message);
    if (engine->warning[0] != '\0')
    {
        engine_show_warning(engine);
    }
}

// ---- files of scenes ----------------------------------------------------------------------------

static wadi_result engine_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    server_engine* engine = user;
    const wadi_result result = wadi_io_scene_frame(&engine->files, source, out);
    // the source goes with its scene, but its name is compared with those of later scenes
    (void)snprintf(engine->grid_file, sizeof engine->grid_file, "%s", source->file);
    engine->files.grid_file = engine->grid_file;
    return result;
}

static wadi_result engine_void_sides(void* user, const wadi_source* source, const wadi_frame* frame,
                                     uint8_t* out)
{
    return wadi_io_scene_void_sides(&((server_engine*)user)->files, source, frame, out);
}

static wadi_result engine_values(void* user, const wadi_source* source, const wadi_frame* frame,
                                 float* out)
{
    return wadi_io_scene_values(&((server_engine*)user)->files, source, frame, out);
}

static wadi_result engine_table(void* user, const char* file, const wadi_table_info* table,
                                double* out, int32_t capacity, int32_t* rows)
{
    return wadi_io_scene_table(&((server_engine*)user)->files, file, table, out, capacity, rows);
}

// ---- opening ------------------------------------------------------------------------------------

static bool engine_fail(server_engine* engine, const char* text)
{
    (void)snprintf(engine->problem, sizeof engine->problem, "%s", text);
    return false;
}

// The name of a file without its folder and ".yaml".
static void engine_set_name(server_engine* engine, const char* path)
{
    const char* slash = strrchr(path, '/');
    (void)snprintf(engine->name, sizeof engine->name, "%.*s", 63, slash != NULL ? slash + 1 : path);
    engine->name[strcspn(engine->name, ".")] = '\0';
    server_record_choose(&engine->record, engine->name);
}

// A text that is too long for one message goes in pieces, as PROTOCOL.md describes them.
static void engine_upload(server_engine* engine, const char* name, const char* text, size_t length)
{
    enum
    {
        PIECE = 60 * 1024
    };
    engine_ask(engine, json_pack("{s:s, s:s, s:I}", "type", "text", "name", name, "bytes",
                                 (json_int_t)length));
    for (size_t at = 0; at < length && engine->problem[0] == '\0'; at += PIECE)
    {
        unsigned char piece[PIECE + 64] = "wadp";
        const size_t size = length - at < PIECE ? length - at : PIECE;
        const size_t padded = (strlen(name) + 3) / 4 * 4;
        const uint32_t head[3] = {(uint32_t)at, (uint32_t)size, (uint32_t)strlen(name)};
        for (size_t i = 0; i < 12; ++i)
        {
            piece[4 + i] = (unsigned char)(head[i / 4] >> 8 * (i % 4));
        }
        memcpy(piece + 16, name, strlen(name));
        memcpy(piece + 16 + padded, text + at, size);
        engine->is_asking = true;
        wadi_studio_receive(engine->studio, true, piece, 16 + padded + size);
        engine->is_asking = false;
    }
}

static bool engine_open_scene(server_engine* engine, const char* path)
{
    wadi_context* context = wadi_studio_context(engine->studio);
    char* text = NULL;
    size_t length = 0;
    if (wadi_io_scene_text(context, path, &text, &length) != WADI_OK)
    {
        return engine_fail(engine, wadi_error_detail(context));
    }
    engine_set_name(engine, path);
    if (length <= 48 * 1024)
    {
        engine_ask(engine, json_pack("{s:s, s:s%, s:s}", "type", "open", "scene", text, length,
                                     "name", engine->name));
    }
    else
    {
        engine_upload(engine, "scene", text, length);
        engine_ask(engine, json_pack("{s:s, s:s, s:s}", "type", "open", "scene_from", "scene",
                                     "name", engine->name));
    }
    free(text);
    engine->is_changed = false;
    engine->saved_year = engine->year;
    return engine->problem[0] == '\0' && engine->is_open;
}

bool server_engine_open(const server_engine_def* def, server_engine* engine)
{
    *engine = (server_engine){.link = def->link, .saves = def->saves};
    wadi_studio_def studio = {.context = wadi_context_def_default(),
                              .send = engine_send,
                              .now = engine_now,
                              .user = engine,
                              .reads_yaml = true};
    studio.context.threads = def->threads;
    const wadi_result result = wadi_studio_create(&studio, &engine->studio);
    if (result != WADI_OK)
    {
        return engine_fail(engine, wadi_result_name(result));
    }
    server_record_create(def->scene, &engine->record);
    if (wadi_io_scene_files_open(wadi_studio_context(engine->studio),
                                 def->scene != NULL ? def->scene : "", &engine->files) != WADI_OK)
    {
        return engine_fail(engine, "the path of the scene is too long");
    }
    engine->host = (wadi_host){.frame = engine_frame,
                               .void_sides = engine_void_sides,
                               .read = engine_values,
                               .table = engine_table,
                               .user = engine};
    wadi_studio_set_files(engine->studio, &engine->host);
    return def->scene == NULL || engine_open_scene(engine, def->scene);
}

void server_engine_close(server_engine* engine)
{
    wadi_studio_destroy(engine->studio);
    wadi_io_scene_files_close(&engine->files);
    free(engine->text);
    engine->text = NULL;
}

// ---- the thread ---------------------------------------------------------------------------------

// Messages after which another record is written: save this one first.
static void engine_before(server_engine* engine, const server_message* message)
{
    json_t* json = message->is_binary ? NULL
                                      : json_loadb((const char*)message->bytes + SERVER_ROOM,
                                                   message->size, 0, NULL);
    const char* type = engine_string(json, "type");
    const bool opens = strcmp(type, "open") == 0;
    if (opens || strcmp(type, "branch") == 0 || strcmp(type, "switch") == 0)
    {
        wadi_studio_finish(engine->studio);
        if (engine->is_changed || engine_has_moved(engine))
        {
            engine_save(engine);
        }
        const char* name = engine_string(json, "name");
        (void)snprintf(engine->name, sizeof engine->name, "%.63s", opens ? name : engine->name);
        server_record_choose(&engine->record, name);
        engine->warning[0] = '\0';
    }
    json_decref(json);
}

// The page has gone or another has come. Without a page the run pauses.
static void engine_change_page(server_engine* engine, uint32_t page)
{
    if (engine->page != 0 && engine->is_open)
    {
        engine_ask_now(engine, "cancel");
        engine_ask_now(engine, "hold");
    }
    engine->page = page;
    if (page != 0)
    {
        engine_greet(engine);
    }
}

void* server_engine_run(void* user)
{
    server_engine* engine = user;
    bool is_busy = false;
    int rest = 0; // [ms] after a turn without work, as when a scene plays no faster than asked
    while (!server_link_is_stopping(engine->link))
    {
        uint32_t page = engine->page;
        const int pause = engine->is_changed || engine_has_moved(engine) ? ENGINE_SAVE_LOOK : -1;
        server_message* message = server_link_take(engine->link, is_busy ? rest : pause, &page);
        if (page != engine->page)
        {
            engine_change_page(engine, page);
        }
        if (message != NULL)
        {
            engine_before(engine, message);
            wadi_studio_receive(engine->studio, message->is_binary, message->bytes + SERVER_ROOM,
                                message->size);
            free(message);
        }
        const double begin = engine_now(NULL);
        is_busy = wadi_studio_turn(engine->studio, ENGINE_BUDGET);
        rest = engine_now(NULL) - begin < ENGINE_IDLE_TURN ? ENGINE_REST : 0;
        engine_save_when_due(engine);
    }
    if (engine->is_changed || engine_has_moved(engine))
    {
        engine_save(engine);
    }
    return NULL;
}
