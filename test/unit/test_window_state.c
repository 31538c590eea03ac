// SPDX-License-Identifier: MIT
// Windows that can skip bytes of a saved state read it once together, get the same terrain, and
// find damage and a cut file together.
#include "support/fixture.h"

#include <stdlib.h>

enum
{
    WIDTH = 700,
    HEIGHT = 517,
    COLUMNS = 2,
    ROWS = 4,
    LAYERS = 8,
    BLOCK = 65536 + 16 // bytes
};

// A saved terrain.
typedef struct saved
{
    unsigned char* bytes;
    size_t size;
    size_t room;
    uint64_t hash;
} saved;

// One reader of it.
typedef struct reader
{
    const saved* from;
    size_t at;
    size_t read;
} reader;

typedef struct trial
{
    const saved* from;
    bool skips;
    uint64_t hashes[COLUMNS * ROWS];
    size_t read[COLUMNS * ROWS];
} trial;

static wadi_result keep_bytes(void* user, const void* bytes, size_t size)
{
    saved* to = user;
    if (to->room < to->size + size)
    {
        to->room = 2 * (to->size + size);
        to->bytes = realloc(to->bytes, to->room);
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return WADI_OK;
}

static wadi_result give_bytes(void* user, void* bytes, size_t size)
{
    reader* r = user;
    if (r->at > r->from->size || r->from->size - r->at < size)
    {
        return WADI_ERROR_IO;
    }
    memcpy(bytes, r->from->bytes + r->at, size);
    r->at += size;
    r->read += size;
    return WADI_OK;
}

static wadi_result pass_bytes(void* user, uint64_t size)
{
    ((reader*)user)->at += (size_t)size;
    return WADI_OK;
}

static wadi_terrain* ground(fixture* f, wadi_edge edge)
{
    wadi_terrain* terrain = fixture_plain(f, WIDTH, HEIGHT, 10.0, edge);
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 300.0, 3);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 4.0, 4);
    fixture_noise(terrain, WADI_LAYER_VEGETATION, 0.0, 1.0, 5);
    return terrain;
}

static saved save(fixture* f, wadi_edge edge)
{
    saved out = {0};
    wadi_terrain* terrain = ground(f, edge);
    out.hash = wadi_terrain_hash(terrain);
    CHECK_OK(f->context, wadi_terrain_save(terrain, keep_bytes, &out));
    wadi_terrain_destroy(terrain);
    return out;
}

static wadi_result load(wadi_context* window, int32_t index, void* user)
{
    trial* t = user;
    reader r = {.from = t->from};
    wadi_terrain* terrain = NULL;
    wadi_context_set_skip(window, give_bytes, t->skips ? pass_bytes : NULL);
    const wadi_result result = wadi_terrain_load(window, give_bytes, &r, &terrain);
    t->read[index] = r.read;
    t->hashes[index] = result == WADI_OK ? wadi_terrain_hash(terrain) : 0;
    wadi_terrain_destroy(terrain);
    return result;
}

static wadi_result load_in_windows(fixture* f, wadi_edge edge, trial* t)
{
    wadi_windows_def def = wadi_windows_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.in_turn = true;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = edge;
    }
    return wadi_windows_run(f->context, &def, load, t);
}

static void check_edges(wadi_edge edge)
{
    fixture f;
    fixture_open(&f, 1);
    saved from = save(&f, edge);
    for (int skips = 0; skips < 2; ++skips)
    {
        trial t = {.from = &from, .skips = skips != 0};
        CHECK_OK(f.context, load_in_windows(&f, edge, &t));
        size_t all = 0;
        size_t most = 0;
        for (int i = 0; i < COLUMNS * ROWS; ++i)
        {
            assert_true(t.hashes[i] == from.hash);
            assert_true(skips != 0 || t.read[i] == from.size);
            all += t.read[i];
            most = t.read[i] > most ? t.read[i] : most;
        }
        // each value once, and the block at the end of each layer; layers of more than a megabyte
        // are read by two windows
        assert_true(all >= from.size);
        assert_true(skips == 0 || all < from.size + COLUMNS * ROWS * (size_t)(LAYERS * BLOCK));
        assert_true(skips == 0 || most < from.size * 3 / 4);
    }
    free(from.bytes);
    fixture_close(&f);
}

static void windows_read_a_state_once(void** state)
{
    (void)state;
    check_edges(WADI_EDGE_OPEN);
}

// The first and last rows of windows hold halos from the other side of the grid.
static void windows_read_around_edges(void** state)
{
    (void)state;
    check_edges(WADI_EDGE_PERIODIC);
}

// One flipped bit anywhere, or an end anywhere, is found by some window.
static void damage_is_found_by_some_window(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    saved from = save(&f, WADI_EDGE_OPEN);
    const size_t whole = from.size;
    for (size_t i = 0; i < 24; ++i)
    {
        const size_t at = whole / 24 * i + 7;
        trial t = {.from = &from, .skips = true};
        from.bytes[at] ^= 4;
        const wadi_result result = load_in_windows(&f, WADI_EDGE_OPEN, &t);
        assert_true(result == WADI_ERROR_FORMAT || result == WADI_ERROR_IO);
        from.bytes[at] ^= 4;
        from.size = at;
        assert_int_equal(load_in_windows(&f, WADI_EDGE_OPEN, &t), WADI_ERROR_IO);
        from.size = whole;
    }
    free(from.bytes);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_read_a_state_once),
        cmocka_unit_test(windows_read_around_edges),
        cmocka_unit_test(damage_is_found_by_some_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
