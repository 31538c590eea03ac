// SPDX-License-Identifier: MIT
// An editor's core: a stroke of a brush, undo by a saved state, and redo. The state hash proves it.
#include <wadi/wadi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 256
#define TRY(call)                                                                                  \
    if ((call) != WADI_OK)                                                                         \
    return false

// Bytes of a saved state in memory; a program may as well write a file.
typedef struct snapshot
{
    unsigned char* bytes;
    size_t size;
    size_t room;
    size_t at; // reading position
} snapshot;

static wadi_result snapshot_write(void* user, const void* bytes, size_t size)
{
    snapshot* s = user;
    if (s->size + size > s->room)
    {
        s->room = 2 * (s->size + size);
        unsigned char* grown = realloc(s->bytes, s->room);
        if (grown == NULL)
        {
            return WADI_ERROR_MEMORY;
        }
        s->bytes = grown;
    }
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
    return WADI_OK;
}

static wadi_result snapshot_read(void* user, void* bytes, size_t size)
{
    snapshot* s = user;
    if (size > s->size - s->at)
    {
        return WADI_ERROR_IO;
    }
    memcpy(bytes, s->bytes + s->at, size);
    s->at += size;
    return WADI_OK;
}

// Replace a terrain by its snapshot.
static bool restore(wadi_context* context, snapshot* s, wadi_terrain** terrain)
{
    s->at = 0;
    wadi_terrain* old = NULL;
    TRY(wadi_terrain_load(context, snapshot_read, s, &old));
    wadi_terrain_destroy(*terrain);
    *terrain = old;
    return true;
}

// A ridge of sand from west to east, then plants on its crest.
static bool stroke(wadi_terrain* terrain)
{
    wadi_brush brush = wadi_brush_default();
    for (int i = 0; i < 20; ++i)
    {
        brush.layer = WADI_LAYER_SEDIMENT;
        brush.verb = WADI_EDIT_ADD;
        brush.x = 1000.0 + 300.0 * i; // [m] from the western edge
        brush.y = 4000.0;             // [m] from the southern edge
        brush.radius = 600.0;
        brush.soft = 1.0;
        brush.amount = 5.0; // [m]
        TRY(wadi_terrain_brush(terrain, &brush));
        brush.layer = WADI_LAYER_VEGETATION;
        brush.verb = WADI_EDIT_AT_LEAST;
        brush.radius = 150.0;
        brush.amount = 0.6; // share of the ground
        TRY(wadi_terrain_brush(terrain, &brush));
    }
    return true;
}

static bool edit(wadi_context* context, snapshot* s, wadi_terrain** terrain)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    TRY(wadi_terrain_create(context, &def, terrain));
    TRY(wadi_terrain_save(*terrain, snapshot_write, s));
    const uint64_t before = wadi_terrain_hash(*terrain);
    if (!stroke(*terrain))
    {
        return false;
    }
    const uint64_t after = wadi_terrain_hash(*terrain);
    printf("sand: %.0f m3\n", wadi_terrain_volume(*terrain, WADI_LAYER_SEDIMENT));
    if (!restore(context, s, terrain))
    {
        return false;
    }
    const bool undone = wadi_terrain_hash(*terrain) == before;
    const bool redone = stroke(*terrain) && wadi_terrain_hash(*terrain) == after;
    printf("undo %s, redo %s\n", undone ? "exact" : "differs", redone ? "exact" : "differs");
    return undone && redone && after != before;
}

int main(void)
{
    snapshot s = {0};
    wadi_context* context = NULL;
    wadi_terrain* terrain = NULL;
    const bool done = wadi_context_create(NULL, &context) == WADI_OK && edit(context, &s, &terrain);
    fputs(done ? "" : wadi_error_detail(context), stderr);
    free(s.bytes);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
