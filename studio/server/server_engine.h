// SPDX-License-Identifier: MIT
// The engine's thread: it passes messages of the page to the engine and messages of the engine to
// the page, lets the engine work in between, and saves the record.
#pragma once

#include "studio/engine/engine.h"
#include "studio/server/server_link.h"
#include "studio/server/server_maps.h"
#include "studio/server/server_record.h"

#include "io/scene/scene_files.h"

typedef struct server_engine
{
    server_link* link;
    wadi_studio* studio;
    wadi_io_scene_files files; // that scenes name
    char grid_file[4096];      // its member of the same name, which must outlive a scene
    wadi_host host;
    server_record record;
    server_maps maps;
    bool saves;
    uint32_t page;                // number of the page that the engine talks to; 0: none
    bool is_open;                 // a scene is open
    bool is_changed;              // the record has changed since it was saved
    bool has_saved;               // a record has been written
    bool is_long;                 // the record is too long to be read again
    double year;                  // of the clock
    double saved_year;            // with which the record was saved last
    double saved;                 // [ms] when that was
    bool is_asking;               // answers are for the server itself, not for the page:
    char name[64];                // of the open scene
    char* text;                   // the record
    char problem[512];            // the last error
    char warning[SERVER_WARNING]; // what could not be saved; "": nothing
} server_engine;

typedef struct server_engine_def
{
    server_link* link;
    const char* scene; // file to open; NULL: the page opens one
    int32_t threads;   // 0: one per core
    bool saves;        // the record
} server_engine_def;

// Start an engine and open the scene. On failure the line `problem` of the engine says why, and
// server_engine_close() is still needed.
bool server_engine_open(const server_engine_def* def, server_engine* engine);
// The thread: until server_link_stop(). `user` is a server_engine.
void* server_engine_run(void* user);
void server_engine_close(server_engine* engine);
