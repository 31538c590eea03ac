// SPDX-License-Identifier: MIT
// Maps that are shown, the probe, and sections.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAPS_PERIOD 250.0 // least time between two messages of a slot while playing [ms]

enum
{
    MAPS_HEADER = 48,
    MAPS_SAMPLES = 4096,
    MAPS_MAX_SECTION = 2048
};

// ---- what is shown ------------------------------------------------------------------------------

// The source of an input map of a running process. Noise is left out: its seed depends on the step
// that took it.
static const wadi_source* maps_source(wadi_studio* studio, const wadi_quantity* quantity)
{
    const wadi_scene_process* step =
        quantity->process != NULL ? wadi_studio_running(studio, quantity->process) : NULL;
    for (int32_t i = 0; step != NULL && i < step->input_count; ++i)
    {
        const wadi_source* source = &step->inputs[i].source;
        if (strcmp(step->inputs[i].map, quantity->map) == 0 &&
            wadi_generator_find(source->kind->name) == NULL)
        {
            return source;
        }
    }
    return NULL;
}

static bool maps_is_input(const wadi_quantity* quantity)
{
    bool is_made = quantity->process == NULL;
    for (int32_t i = 0; quantity->process != NULL && i < quantity->process->map_count; ++i)
    {
        const wadi_map_info* map = &quantity->process->maps[i];
        is_made = is_made || (!map->input && strcmp(map->name, quantity->map) == 0);
    }
    return !is_made;
}

wadi_result wadi_studio_values(wadi_studio* studio, const wadi_quantity* quantity)
{
    wadi_run* run = wadi_session_run(studio->session);
    const wadi_source* source = maps_is_input(quantity) ? maps_source(studio, quantity) : NULL;
    return source != NULL ? wadi_run_source(run, source, studio->map)
                          : wadi_run_quantity(run, quantity, studio->map);
}

wadi_result wadi_studio_show(wadi_studio* studio, const studio_message* message)
{
    double slot;
    SCENE_TRY(wadi_studio_number(message, "slot", 0.0, 0.0, STUDIO_SLOTS - 1, &slot));
    studio_slot* shown = &studio->slots[(int32_t)slot];
    if (wadi_studio_find(message, "map") == NULL)
    {
        *shown = (studio_slot){0};
        return WADI_OK;
    }
    const char* name;
    studio_slot next = {.is_stale = true, .sent = -1e9};
    SCENE_TRY(wadi_studio_text(message, "map", &name));
    SCENE_TRY(wadi_quantity_parse(studio->context, name, &next.quantity));
    SCENE_TRY(wadi_studio_values(studio, &next.quantity));
    (void)snprintf(next.name, sizeof next.name, "%s", name);
    *shown = next;
    return WADI_OK;
}

void wadi_studio_stale_maps(wadi_studio* studio)
{
    for (int32_t i = 0; i < STUDIO_SLOTS; ++i)
    {
        studio->slots[i].is_stale = studio->slots[i].name[0] != '\0';
    }
}

// ---- messages -----------------------------------------------------------------------------------

static int maps_compare(const void* a, const void* b)
{
    const float x = *(const float*)a;
    const float y = *(const float*)b;
    return (x > y) - (x < y);
}

// Smallest and largest value, and the 2nd and 98th percentile of a sample.
static void maps_range(const float* values, int64_t count, float range[4])
{
    float sample[MAPS_SAMPLES];
    int32_t taken = 0;
    const int64_t stride = count / MAPS_SAMPLES + 1;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int64_t i = 0; i < count; ++i)
    {
        if (isfinite(values[i]))
        {
            range[0] = values[i] < range[0] ? values[i] : range[0];
            range[1] = values[i] > range[1] ? values[i] : range[1];
            if (i % stride == 0 && taken < MAPS_SAMPLES)
            {
                sample[taken++] = values[i];
            }
        }
    }
    if (range[0] > range[1])
    {
        memset(range, 0, 4 * sizeof *range);
        return;
    }
    sample[taken] = range[0];
    qsort(sample, (size_t)taken, sizeof *sample, maps_compare);
    range[2] = taken > 0 ? sample[taken / 50] : range[0];
    range[3] = taken > 0 ? sample[taken - 1 - taken / 50] : range[1];
}

static void maps_codes(const float* values, int64_t count, const float range[4], unsigned char* out)
{
    const float span = range[1] - range[0];
    const float scale = span > 0.0f && isfinite(span) ? 65534.0f / span : 0.0f;
    for (int64_t i = 0; i < count; ++i)
    {
        const float code = (values[i] - range[0]) * scale + 0.5f;
        const uint16_t word = !isfinite(values[i]) ? 65535
                              : code >= 65534.0f   ? 65534
                                                   : (uint16_t)code;
        memcpy(out + 2 * i, &word, sizeof word);
    }
}

static const char* maps_unit(const wadi_quantity* quantity, const char** doc)
{
    *doc = "";
    if (quantity->is_derived)
    {
        *doc = wadi_derived_doc(quantity->derived);
        return wadi_derived_unit(quantity->derived);
    }
    if (quantity->process == NULL)
    {
        const bool share =
            quantity->layer >= WADI_LAYER_HARDNESS && quantity->layer < WADI_LAYER_LOOSE;
        return share ? "1" : "m";
    }
    for (int32_t i = 0; i < quantity->process->map_count; ++i)
    {
        if (strcmp(quantity->process->maps[i].name, quantity->map) == 0)
        {
            *doc = quantity->process->maps[i].doc;
            return quantity->process->maps[i].unit;
        }
    }
    return "1";
}

static void maps_legend(wadi_studio* studio, const studio_slot* slot)
{
    const char* doc;
    const char* unit = maps_unit(&slot->quantity, &doc);
    wadi_json_reset(&studio->text);
    wadi_json_open(&studio->text, NULL, '{');
    wadi_json_text(&studio->text, "name", slot->name);
    wadi_json_text(&studio->text, "unit", unit);
    wadi_json_text(&studio->text, "doc", doc);
    wadi_json_close(&studio->text, '}');
}

static void maps_send(wadi_studio* studio, int32_t index)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    const int64_t cells = (int64_t)width * height;
    maps_legend(studio, &studio->slots[index]);
    const size_t values = (size_t)(cells + cells % 2) * 2;
    const size_t size = MAPS_HEADER + values + studio->text.size;
    if (studio->text.failed || wadi_studio_reserve(studio, size) != WADI_OK)
    {
        return;
    }
    float range[4];
    maps_range(studio->map, cells, range);
    const double year = wadi_session_year(studio->session);
    const uint32_t words[4] = {0, ++studio->seq, (uint32_t)index, (uint32_t)studio->text.size};
    const uint32_t grid[2] = {(uint32_t)width, (uint32_t)height};
    unsigned char* out = studio->buffer;
    memcpy(out, words, sizeof words);
    memcpy(out, "wadm", 4);
    memcpy(out + 16, &year, sizeof year);
    memcpy(out + 24, range, sizeof range);
    memcpy(out + 40, grid, sizeof grid);
    memset(out + MAPS_HEADER + values - 2, 0, 2);
    maps_codes(studio->map, cells, range, out + MAPS_HEADER);
    memcpy(out + MAPS_HEADER + values, studio->text.text, studio->text.size);
    studio->under_way += 1;
    studio->def.send(studio->def.user, true, out, size);
}

bool wadi_studio_send_map(wadi_studio* studio, double now)
{
    for (int32_t i = 0; i < STUDIO_SLOTS && studio->under_way < STUDIO_CREDITS; ++i)
    {
        studio_slot* slot = &studio->slots[i];
        if (!slot->is_stale || (studio->plays && now - slot->sent < MAPS_PERIOD))
        {
            continue;
        }
        slot->is_stale = false;
        slot->sent = now;
        // a process that has just begun or ended has no map: it is tried again after a change
        if (wadi_studio_values(studio, &slot->quantity) == WADI_OK)
        {
            maps_send(studio, i);
            return true;
        }
    }
    return false;
}

// ---- probe --------------------------------------------------------------------------------------

// Cell of a position; false outside of the grid.
static bool maps_cell(const wadi_terrain* terrain, wadi_point at, int32_t* column, int32_t* row)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double x = floor(at.x / cell);
    const double y = wadi_terrain_height(terrain) - 1.0 - floor(at.y / cell);
    const bool inside =
        x >= 0.0 && y >= 0.0 && x < wadi_terrain_width(terrain) && y < wadi_terrain_height(terrain);
    *column = inside ? (int32_t)x : 0;
    *row = inside ? (int32_t)y : 0;
    return inside;
}

static double maps_value(const wadi_terrain* terrain, wadi_layer layer, int32_t column, int32_t row)
{
    const int32_t units = wadi_terrain_units(terrain, layer, column, row);
    const bool share = layer >= WADI_LAYER_HARDNESS && layer < WADI_LAYER_LOOSE;
    return units / (share ? 65535.0 : 65536.0);
}

static double maps_slope(const wadi_terrain* terrain, int32_t column, int32_t row)
{
    const int32_t west = column > 0 ? column - 1 : column;
    const int32_t east = column < wadi_terrain_width(terrain) - 1 ? column + 1 : column;
    const int32_t north = row > 0 ? row - 1 : row;
    const int32_t south = row < wadi_terrain_height(terrain) - 1 ? row + 1 : row;
    const double cell = wadi_terrain_cell_size(terrain);
    const double dx = (maps_value(terrain, WADI_LAYER_SURFACE, east, row) -
                       maps_value(terrain, WADI_LAYER_SURFACE, west, row)) /
                      (cell * (east > west ? east - west : 1));
    const double dy = (maps_value(terrain, WADI_LAYER_SURFACE, column, north) -
                       maps_value(terrain, WADI_LAYER_SURFACE, column, south)) /
                      (cell * (south > north ? south - north : 1));
    return atan(sqrt(dx * dx + dy * dy)) * 57.29577951308232;
}

static void maps_point(studio_json* json, const char* key, double x, double y)
{
    wadi_json_open(json, key, '[');
    wadi_json_number(json, NULL, x);
    wadi_json_number(json, NULL, y);
    wadi_json_close(json, ']');
}

static void maps_layers(studio_json* json, const wadi_terrain* terrain, int32_t column, int32_t row)
{
    wadi_json_open(json, "layers", '{');
    for (int32_t l = 0; l < wadi_terrain_loose_count(terrain); ++l)
    {
        wadi_json_number(json, wadi_terrain_layer_name(terrain, WADI_LAYER_LOOSE + l),
                         maps_value(terrain, WADI_LAYER_LOOSE + l, column, row));
    }
    wadi_json_close(json, '}');
}

// A value of a shown map; NaN if nothing is shown.
static double maps_shown(wadi_studio* studio, int32_t slot, int32_t column, int32_t row)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    if (studio->slots[slot].name[0] == '\0' ||
        wadi_studio_values(studio, &studio->slots[slot].quantity) != WADI_OK)
    {
        return (double)NAN;
    }
    return (double)studio->map[(int64_t)row * wadi_terrain_width(terrain) + column];
}

wadi_result wadi_studio_probe(wadi_studio* studio, const studio_message* message)
{
    wadi_point at;
    int32_t column;
    int32_t row;
    SCENE_TRY(wadi_studio_point_of(message, "at", &at));
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    if (!maps_cell(terrain, at, &column, &row))
    {
        return wadi_context_fail(studio->context, WADI_ERROR_RANGE,
                                 "[%g, %g] lies outside of the grid", at.x, at.y);
    }
    double shown[STUDIO_SLOTS];
    for (int32_t i = 0; i < STUDIO_SLOTS; ++i)
    {
        shown[i] = maps_shown(studio, i, column, row);
    }
    const bool is_void = !wadi_terrain_is_valid(terrain, column, row);
    const double surface = maps_value(terrain, WADI_LAYER_SURFACE, column, row);
    studio_json* json = &studio->text;
    wadi_json_reset(json);
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "type", "probe");
    maps_point(json, "at", at.x, at.y);
    maps_point(json, "cell", column, row);
    wadi_json_bool(json, "void", is_void);
    wadi_json_number(json, "surface", is_void ? (double)NAN : surface);
    wadi_json_number(json, "bedrock", maps_value(terrain, WADI_LAYER_BEDROCK, column, row));
    wadi_json_number(json, "water", maps_value(terrain, WADI_LAYER_WATER, column, row));
    wadi_json_number(json, "slope", is_void ? (double)NAN : maps_slope(terrain, column, row));
    maps_layers(json, terrain, column, row);
    wadi_json_number(json, "hardness", maps_value(terrain, WADI_LAYER_HARDNESS, column, row));
    wadi_json_number(json, "vegetation", maps_value(terrain, WADI_LAYER_VEGETATION, column, row));
    wadi_json_number(json, "moisture", maps_value(terrain, WADI_LAYER_MOISTURE, column, row));
    wadi_json_open(json, "slots", '[');
    for (int32_t i = 0; i < STUDIO_SLOTS; ++i)
    {
        wadi_json_number(json, NULL, shown[i]);
    }
    wadi_json_close(json, ']');
    wadi_json_close(json, '}');
    wadi_studio_send_text(studio);
    return WADI_OK;
}

// ---- section ------------------------------------------------------------------------------------

typedef struct maps_section
{
    wadi_point from;
    wadi_point to;
    int32_t count;
} maps_section;

static bool maps_sample(const wadi_terrain* terrain, const maps_section* section, int32_t index,
                        int32_t* column, int32_t* row)
{
    const double t = (double)index / (section->count - 1);
    const wadi_point at = {section->from.x + t * (section->to.x - section->from.x),
                           section->from.y + t * (section->to.y - section->from.y)};
    // the eastern and northern edge belong to the last cells
    const double cell = wadi_terrain_cell_size(terrain);
    const double east = wadi_terrain_width(terrain) * cell;
    const double north = wadi_terrain_height(terrain) * cell;
    const wadi_point within = {at.x == east ? at.x - 0.5 * cell : at.x,
                               at.y == north ? at.y - 0.5 * cell : at.y};
    return maps_cell(terrain, within, column, row) && wadi_terrain_is_valid(terrain, *column, *row);
}

static void maps_section_layer(wadi_studio* studio, const maps_section* section, const char* key,
                               wadi_layer layer)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    wadi_json_open(&studio->text, key, '[');
    for (int32_t i = 0; i < section->count; ++i)
    {
        int32_t column;
        int32_t row;
        const bool inside = maps_sample(terrain, section, i, &column, &row);
        wadi_json_number(&studio->text, NULL,
                         inside ? maps_value(terrain, layer, column, row) : (double)NAN);
    }
    wadi_json_close(&studio->text, ']');
}

static void maps_section_slot(wadi_studio* studio, const maps_section* section, int32_t slot)
{
    wadi_run* run = wadi_session_run(studio->session);
    const wadi_terrain* terrain = wadi_run_terrain(run);
    if (studio->slots[slot].name[0] == '\0' ||
        wadi_studio_values(studio, &studio->slots[slot].quantity) != WADI_OK)
    {
        wadi_json_null(&studio->text, NULL);
        return;
    }
    wadi_json_open(&studio->text, NULL, '[');
    for (int32_t i = 0; i < section->count; ++i)
    {
        int32_t column;
        int32_t row;
        const bool inside = maps_sample(terrain, section, i, &column, &row);
        const int64_t at = (int64_t)row * wadi_terrain_width(terrain) + column;
        wadi_json_number(&studio->text, NULL, inside ? (double)studio->map[at] : (double)NAN);
    }
    wadi_json_close(&studio->text, ']');
}

static void maps_section_distance(studio_json* json, const maps_section* section)
{
    const double dx = section->to.x - section->from.x;
    const double dy = section->to.y - section->from.y;
    const double length = sqrt(dx * dx + dy * dy);
    wadi_json_open(json, "distance", '[');
    for (int32_t i = 0; i < section->count; ++i)
    {
        wadi_json_number(json, NULL, length * i / (section->count - 1));
    }
    wadi_json_close(json, ']');
}

wadi_result wadi_studio_section(wadi_studio* studio, const studio_message* message)
{
    maps_section section;
    double count;
    SCENE_TRY(wadi_studio_point_of(message, "from", &section.from));
    SCENE_TRY(wadi_studio_point_of(message, "to", &section.to));
    SCENE_TRY(wadi_studio_number(message, "count", 256.0, 2.0, MAPS_MAX_SECTION, &count));
    section.count = (int32_t)count;
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    studio_json* json = &studio->text;
    wadi_json_reset(json);
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "type", "section");
    maps_point(json, "from", section.from.x, section.from.y);
    maps_point(json, "to", section.to.x, section.to.y);
    maps_section_distance(json, &section);
    maps_section_layer(studio, &section, "surface", WADI_LAYER_SURFACE);
    maps_section_layer(studio, &section, "bedrock", WADI_LAYER_BEDROCK);
    maps_section_layer(studio, &section, "water", WADI_LAYER_WATER);
    wadi_json_open(json, "layers", '{');
    for (int32_t l = 0; l < wadi_terrain_loose_count(terrain); ++l)
    {
        maps_section_layer(studio, &section, wadi_terrain_layer_name(terrain, WADI_LAYER_LOOSE + l),
                           WADI_LAYER_LOOSE + l);
    }
    wadi_json_close(json, '}');
    wadi_json_open(json, "slots", '[');
    for (int32_t i = 0; i < STUDIO_SLOTS; ++i)
    {
        maps_section_slot(studio, &section, i);
    }
    wadi_json_close(json, ']');
    wadi_json_close(json, '}');
    wadi_studio_send_text(studio);
    return WADI_OK;
}
