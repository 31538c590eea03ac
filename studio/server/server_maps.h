// SPDX-License-Identifier: MIT
// Height maps that the page sent, saved beside the record that names them, so that the record can
// be run and opened again. A file that was there before is never written over.
#pragma once

#include "studio/engine/engine.h"

enum
{
    SERVER_MAPS = 16,     // names that are remembered
    SERVER_WARNING = 2048 // bytes of a warning
};

// Takes the text of a warning, in words.
typedef void server_warn_fn(void* user, const char* text);

typedef struct server_map
{
    char name[128];
    uint64_t sum;   // of the values
    bool is_saved;  // or the same file was there
    bool is_warned; // it could not be saved, which was told
} server_map;

// What was handled so far, so that no map is compared and no warning is told with each record.
typedef struct server_maps
{
    server_map known[SERVER_MAPS];
    int32_t count;
} server_maps;

// Save the maps that a record names in a folder: "" or ending in '/'. `warn` takes what fails.
void server_maps_save(wadi_studio* studio, server_maps* maps, const char* folder,
                      const char* record, server_warn_fn* warn, void* user);
