// SPDX-License-Identifier: MIT
// The record as the text of a scene, and maps as files.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    EXPORT_HEADER = 16
};

// ---- the record ---------------------------------------------------------------------------------

static wadi_result export_write(void* user, const void* bytes, size_t size)
{
    studio_json* text = user;
    wadi_json_raw(text, bytes, size);
    return text->failed ? WADI_ERROR_MEMORY : WADI_OK;
}

// The scene's ground and the timeline of what was done. A scene has at least one step.
static wadi_result export_record_text(wadi_studio* studio, studio_json* text)
{
    static const char nothing[] = "steps: []\n";
    static const char still[] = "steps:\n  - add_sand: 0 m\n";
    wadi_json_raw(text, studio->preamble, strlen(studio->preamble));
    const size_t before = text->size;
    SCENE_TRY(wadi_session_write_record(studio->session, export_write, text));
    if (text->size - before == sizeof nothing - 1 &&
        memcmp(text->text + before, nothing, sizeof nothing - 1) == 0)
    {
        text->size = before;
        wadi_json_raw(text, still, sizeof still - 1);
    }
    wadi_json_raw(text, "", 1);
    return text->failed
               ? wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory for a record")
               : WADI_OK;
}

wadi_result wadi_studio_record(wadi_studio* studio, const studio_message* message)
{
    (void)message;
    studio_json text = {0};
    uint64_t end = 0;
    // the hash may take a replay in several slices: a long text before it would use each of them up
    wadi_result result = wadi_session_end_hash(studio->session, &end);
    if (result == WADI_OK)
    {
        result = export_record_text(studio, &text);
    }
    if (result == WADI_OK)
    {
        studio_json* json = &studio->text;
        wadi_json_reset(json);
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, "type", "record");
        wadi_json_text(json, "text", text.text);
        wadi_json_number(json, "year", wadi_session_year(studio->session));
        wadi_json_hash(json, "end", end);
        wadi_json_close(json, '}');
        wadi_studio_send_text(studio);
    }
    wadi_json_free(&text);
    return result;
}

// ---- files --------------------------------------------------------------------------------------

static void export_send(wadi_studio* studio, const char* name, const unsigned char* bytes,
                        size_t size, const float range[2])
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const uint32_t seq = ++studio->seq;
    studio_json* json = &studio->text;
    wadi_json_reset(json);
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "type", "file");
    wadi_json_number(json, "seq", seq);
    wadi_json_text(json, "name", name);
    wadi_json_number(json, "bytes", (double)size);
    wadi_json_open(json, "info", '{');
    wadi_json_number(json, "width", wadi_terrain_width(terrain));
    wadi_json_number(json, "height", wadi_terrain_height(terrain));
    wadi_json_number(json, "cell", wadi_terrain_cell_size(terrain));
    wadi_json_number(json, "min", (double)range[0]);
    wadi_json_number(json, "max", (double)range[1]);
    wadi_json_close(json, '}');
    wadi_json_close(json, '}');
    wadi_studio_send_text(studio);
    unsigned char piece[EXPORT_HEADER + STUDIO_PIECE_BYTES];
    for (size_t at = 0; at < size; at += STUDIO_PIECE_BYTES)
    {
        const size_t count = size - at < STUDIO_PIECE_BYTES ? size - at : STUDIO_PIECE_BYTES;
        const uint32_t words[4] = {0, seq, (uint32_t)at, (uint32_t)count};
        memcpy(piece, words, sizeof words);
        memcpy(piece, "wadx", 4);
        memcpy(piece + EXPORT_HEADER, bytes + at, count);
        studio->def.send(studio->def.user, true, piece, EXPORT_HEADER + count);
    }
}

static void export_range(const float* values, int64_t cells, float range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int64_t i = 0; i < cells; ++i)
    {
        range[0] = values[i] < range[0] ? values[i] : range[0];
        range[1] = values[i] > range[1] ? values[i] : range[1];
    }
}

static wadi_result export_r32(wadi_studio* studio, const char* name, int64_t cells,
                              const float range[2])
{
    export_send(studio, name, (const unsigned char*)studio->map, (size_t)cells * 4, range);
    return WADI_OK;
}

// The whole range in 16 bits; cells without data are 0.
static wadi_result export_r16(wadi_studio* studio, const char* name, int64_t cells,
                              const float range[2])
{
    uint16_t* words = calloc((size_t)cells, sizeof *words);
    if (words == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory for a file");
    }
    const double span = (double)range[1] - (double)range[0];
    for (int64_t i = 0; span > 0.0 && i < cells; ++i)
    {
        const double share = ((double)studio->map[i] - (double)range[0]) / span;
        words[i] = share >= 0.0 && share <= 1.0 ? (uint16_t)(share * 65535.0 + 0.5) : 0;
    }
    export_send(studio, name, (const unsigned char*)words, (size_t)cells * 2, range);
    free(words);
    return WADI_OK;
}

static void export_asc_text(const wadi_studio* studio, studio_json* text)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    char line[256];
    (void)snprintf(line, sizeof line,
                   "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize %.15g\n"
                   "NODATA_value -99999\n",
                   width, height, wadi_terrain_cell_size(terrain));
    wadi_json_raw(text, line, strlen(line));
    for (int64_t i = 0; i < (int64_t)width * height; ++i)
    {
        const float value = studio->map[i];
        (void)snprintf(line, sizeof line, "%.9g%c", isfinite(value) ? (double)value : -99999.0,
                       (i + 1) % width == 0 ? '\n' : ' ');
        wadi_json_raw(text, line, strlen(line));
    }
}

static wadi_result export_asc(wadi_studio* studio, const char* name, int64_t cells,
                              const float range[2])
{
    (void)cells;
    studio_json text = {0};
    export_asc_text(studio, &text);
    const bool failed = text.failed;
    if (!failed)
    {
        export_send(studio, name, (const unsigned char*)text.text, text.size, range);
    }
    wadi_json_free(&text);
    return failed
               ? wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory for a file")
               : WADI_OK;
}

wadi_result wadi_studio_export(wadi_studio* studio, const studio_message* message)
{
    static const struct
    {
        const char* name;
        wadi_result (*write)(wadi_studio* studio, const char* name, int64_t cells,
                             const float range[2]);
    } formats[] = {{"r32", export_r32}, {"r16", export_r16}, {"asc", export_asc}};
    const char* what;
    const char* format;
    wadi_quantity quantity;
    SCENE_TRY(wadi_studio_text(message, "what", &what));
    SCENE_TRY(wadi_studio_text(message, "format", &format));
    SCENE_TRY(wadi_quantity_parse(studio->context, what, &quantity));
    SCENE_TRY(wadi_studio_values(studio, &quantity));
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    float range[2];
    char name[160];
    export_range(studio->map, cells, range);
    (void)snprintf(name, sizeof name, "%s.%s", what, format);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
    {
        if (strcmp(formats[i].name, format) == 0)
        {
            return formats[i].write(studio, name, cells, range);
        }
    }
    return wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN,
                             "unknown format '%.20s'; expected r32, r16 or asc", format);
}
