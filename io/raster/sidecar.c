// SPDX-License-Identifier: MIT
#include "io/raster/sidecar.h"

#include "io/raster/sidecar_foreign.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static wadi_result sidecar_name(wadi_context* context, const char* path, char out[PATH_MAX])
{
    const int length = snprintf(out, PATH_MAX, "%s.json", path);
    return length > 0 && length < PATH_MAX
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_IO, "the path '%.60s...' is too long", path);
}

static double sidecar_number(const json_t* root, const char* key, double missing)
{
    const json_t* value = json_object_get(root, key);
    return json_is_number(value) ? json_number_value(value) : missing;
}

static bool sidecar_read_georef(const json_t* root, wadi_georef* out)
{
    const json_t* affine = json_object_get(root, "affine");
    const char* crs = json_string_value(json_object_get(root, "crs"));
    out->wkt = strdup(crs != NULL ? crs : "");
    out->valid = json_array_size(affine) == 6;
    for (size_t i = 0; out->valid && i < 6; ++i)
    {
        out->affine[i] = json_number_value(json_array_get(affine, i));
    }
    return out->wkt != NULL;
}

// What the values mean: offset_m and scale_m, or relief_m from min_m on, or min_m to max_m.
static void sidecar_take_heights(const json_t* root, wadi_io_sidecar* out)
{
    out->offset = sidecar_number(root, "offset_m", 0.0);
    out->scale = sidecar_number(root, "scale_m", 1.0);
    const double low = sidecar_number(root, "min_m", 0.0);
    const double high = sidecar_number(root, "max_m", 0.0);
    const double relief = sidecar_number(root, "relief_m", 0.0);
    const bool has_scale =
        json_object_get(root, "offset_m") != NULL || json_object_get(root, "scale_m") != NULL;
    out->has_heights = has_scale || relief != 0.0 || high > low;
    // sidecars of maps have a unit; without one, sidecars that others wrote are about metres
    const char* unit = json_string_value(json_object_get(root, "unit"));
    const bool is_ours = json_object_get(root, "datum") != NULL;
    (void)snprintf(out->read_unit, sizeof out->read_unit, "%s",
                   unit != NULL                   ? unit
                   : out->has_heights && !is_ours ? "m"
                                                  : "");
    out->heights.low = has_scale ? out->offset : low;
    out->heights.scale = has_scale ? out->scale : 0.0;
    out->heights.relief = has_scale ? 0.0 : relief;
    out->heights.high = has_scale || relief != 0.0 ? 0.0 : high;
}

static bool sidecar_is_sound(const wadi_io_sidecar* sidecar, double width, double height)
{
    // conditions that are false for NaN
    const wadi_io_reading* h = &sidecar->heights;
    const double limit = 1e9;
    return width >= 0.0 && width <= 65536.0 && height >= 0.0 && height <= 65536.0 &&
           h->cell >= 0.0 && h->cell <= 1e6 && fabs(h->low) <= limit && fabs(h->high) <= limit &&
           fabs(h->scale) <= limit && h->relief >= 0.0 && h->relief <= limit &&
           sidecar->scale != 0.0;
}

static wadi_result sidecar_take(wadi_context* context, const char* name, const json_t* root,
                                wadi_io_sidecar* out)
{
    const double width = sidecar_number(root, "width", 0.0);
    const double height = sidecar_number(root, "height", 0.0);
    const json_t* cell = json_object_get(root, "cell_size_m");
    out->heights.cell = sidecar_number(root, "cell_size_m", 0.0);
    sidecar_take_heights(root, out);
    const char* order = json_string_value(json_object_get(root, "byte_order"));
    out->big_endian = order != NULL && strncmp(order, "big", 3) == 0;
    out->has_nodata = json_is_number(json_object_get(root, "nodata"));
    out->nodata = sidecar_number(root, "nodata", 0.0);
    if (!sidecar_is_sound(out, width, height) || (cell != NULL && !(out->heights.cell > 0.0)))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s: needs width and height up to 65536, cell_size_m over 0, and "
                                 "numbers for offset_m and scale_m, or for min_m with max_m or "
                                 "relief_m",
                                 name);
    }
    out->width = (int32_t)width;
    out->height = (int32_t)height;
    return sidecar_read_georef(root, &out->georef)
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", name);
}

wadi_result wadi_io_sidecar_read(wadi_context* context, const char* path, wadi_io_sidecar* out,
                                 bool* found)
{
    *out = (wadi_io_sidecar){0};
    *found = false;
    char name[PATH_MAX];
    if (sidecar_name(context, path, name) != WADI_OK)
    {
        return WADI_ERROR_IO;
    }
    if (access(name, F_OK) != 0)
    {
        return wadi_io_sidecar_foreign(context, path, out, found);
    }
    json_error_t error;
    json_t* root = json_load_file(name, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s:%d:%d: %s", name, error.line,
                                 error.column, error.text);
    }
    const wadi_result result = sidecar_take(context, name, root, out);
    json_decref(root);
    *found = result == WADI_OK;
    return result;
}

void wadi_io_sidecar_free(wadi_io_sidecar* sidecar)
{
    // strdup() memory; the member is const for readers only
    free((char*)(uintptr_t)sidecar->georef.wkt);
    sidecar->georef.wkt = NULL;
}

// Lowest and highest height, and whether any cell has no data.
static void sidecar_measure(const wadi_io_raster* raster, wadi_io_sidecar* out, bool* voids)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    const int64_t cells = (int64_t)raster->width * raster->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        const double value = (double)raster->values[i];
        low = value < low ? value : low;
        high = value > high ? value : high;
        *voids = *voids || isnan(value);
    }
    out->low = isinf(low) ? 0.0 : low;
    out->high = isinf(high) ? 0.0 : high;
}

double wadi_io_sidecar_top(const wadi_io_sidecar* sidecar)
{
    return sidecar->bits == 8 ? 255.0 : 65535.0;
}

static bool sidecar_is_other_unit(const char* unit)
{
    static const char* const metres[] = {"", "m", "metre", "metres", "meter", "meters"};
    for (size_t i = 0; unit != NULL && i < sizeof metres / sizeof metres[0]; ++i)
    {
        if (strcmp(unit, metres[i]) == 0)
        {
            return false;
        }
    }
    return unit != NULL;
}

wadi_io_sidecar wadi_io_sidecar_for(const wadi_io_raster* raster, bool integers)
{
    wadi_io_sidecar out = {.width = raster->width,
                           .height = raster->height,
                           .cell = raster->dx,
                           .bits = raster->bits,
                           .scale = 1.0,
                           .georef = raster->georef,
                           .tags = raster->tags,
                           .name = raster->name,
                           .unit = raster->unit,
                           .is_map = raster->is_map || sidecar_is_other_unit(raster->unit)};
    bool voids = false;
    sidecar_measure(raster, &out, &voids);
    if (raster->high > raster->low)
    {
        out.low = raster->low;
        out.high = raster->high;
        voids = raster->has_nodata; // of the whole that this is a part of
    }
    if (integers)
    {
        const double first = voids ? 1.0 : 0.0;
        out.has_nodata = voids;
        out.scale =
            out.high > out.low ? (out.high - out.low) / (wadi_io_sidecar_top(&out) - first) : 1.0;
        out.offset = out.low - first * out.scale;
    }
    return out;
}

// Landscape sizes of Unreal and heightmap resolutions of Unity.
static const int32_t sidecar_unreal[] = {127, 253, 505, 1009, 2017, 4033, 8129};
static const int32_t sidecar_unity[] = {33, 65, 129, 257, 513, 1025, 2049, 4097};

static int32_t sidecar_nearest(const int32_t* sizes, size_t count, int32_t size)
{
    int32_t best = sizes[0];
    for (size_t i = 1; i < count; ++i)
    {
        best = abs(sizes[i] - size) < abs(best - size) ? sizes[i] : best;
    }
    return best;
}

// Import settings for game engines.
static json_t* sidecar_engines(const wadi_io_sidecar* sidecar, bool integers)
{
    const double range =
        integers ? wadi_io_sidecar_top(sidecar) * sidecar->scale : sidecar->high - sidecar->low;
    const double step = range / 65535.0;
    const int32_t side = sidecar->width > sidecar->height ? sidecar->width : sidecar->height;
    const int32_t unreal =
        sidecar_nearest(sidecar_unreal, sizeof sidecar_unreal / sizeof sidecar_unreal[0], side);
    const int32_t unity =
        sidecar_nearest(sidecar_unity, sizeof sidecar_unity / sizeof sidecar_unity[0], side);
    const double lowest = integers ? sidecar->offset : sidecar->low;
    // Unreal uses cm; a height step is ScaleZ / 128, and the value 32768 is at the actor's height
    return json_pack("{s:{s:i, s:f, s:f, s:f, s:f, s:s}, s:{s:i, s:f, s:f, s:f, s:s}, "
                     "s:{s:f, s:f, s:s}}",
                     "unreal", "nearest_size", unreal, "scale_x", 100.0 * sidecar->cell, "scale_y",
                     100.0 * sidecar->cell, "scale_z", 12800.0 * step, "location_z",
                     100.0 * (lowest + 32768.0 * step), "normal_y", "-", //
                     "unity", "nearest_resolution", unity, "terrain_width",
                     (sidecar->width - 1) * sidecar->cell, "terrain_length",
                     (sidecar->height - 1) * sidecar->cell, "terrain_height", range, "normal_y",
                     "+", //
                     "godot", "vertex_spacing", sidecar->cell, "height_scale", range, "normal_y",
                     "+");
}

static void sidecar_put_tags(const wadi_io_tags* tags, json_t* root)
{
    for (int32_t i = 0; tags != NULL && i < tags->count; ++i)
    {
        const wadi_io_tag* tag = &tags->rows[i];
        (void)json_object_set_new(root, tag->key,
                                  tag->value != NULL ? json_string(tag->value) : json_null());
    }
}

// What the values are: heights, with numbers for landscapes, or a map with its name and unit.
static void sidecar_put_meaning(const wadi_io_sidecar* sidecar, bool integers, json_t* root)
{
    if (sidecar->name != NULL)
    {
        (void)json_object_set_new(root, "quantity", json_string(sidecar->name));
    }
    if (sidecar->unit != NULL)
    {
        (void)json_object_set_new(root, "unit", json_string(sidecar->unit));
    }
    if (!sidecar->is_map)
    {
        (void)json_object_set_new(root, "datum",
                                  json_string("heights as in the source, in metres"));
        (void)json_object_set_new(root, "engines", sidecar_engines(sidecar, integers));
    }
}

static json_t* sidecar_build(const wadi_io_sidecar* sidecar, const char* format)
{
    const bool png = strncmp(format, "PNG", 3) == 0;
    const bool integers = png || strcmp(format, "R16") == 0;
    json_t* root = json_pack(
        "{s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:s, s:s}", "format", format, "width",
        sidecar->width, "height", sidecar->height, "cell_size_m", sidecar->cell, "min_m",
        sidecar->low, "max_m", sidecar->high, "offset_m", sidecar->offset, "scale_m",
        sidecar->scale, "nodata", sidecar->has_nodata ? json_real(sidecar->nodata) : json_null(),
        "row_order", "north to south", "byte_order",
        png ? "big endian, as in every PNG" : "little endian");
    sidecar_put_meaning(sidecar, integers, root);
    if (sidecar->georef.valid)
    {
        const double* a = sidecar->georef.affine;
        (void)json_object_set_new(
            root, "affine", json_pack("[f, f, f, f, f, f]", a[0], a[1], a[2], a[3], a[4], a[5]));
        (void)json_object_set_new(root, "crs", json_string(sidecar->georef.wkt));
    }
    sidecar_put_tags(sidecar->tags, root);
    return root;
}

// Write PATH.json and free its content.
static wadi_result sidecar_dump(wadi_context* context, json_t* root, const char* path)
{
    char name[PATH_MAX];
    wadi_result result = sidecar_name(context, path, name);
    if (result == WADI_OK && json_dump_file(root, name, JSON_INDENT(2)) != 0)
    {
        result = wadi_context_fail(context, WADI_ERROR_IO, "cannot write its sidecar");
    }
    json_decref(root);
    return result;
}

wadi_result wadi_io_sidecar_write(wadi_context* context, const wadi_io_sidecar* sidecar,
                                  const char* format, const char* path)
{
    return sidecar_dump(context, sidecar_build(sidecar, format), path);
}

wadi_result wadi_io_sidecar_write_tags(wadi_context* context, const wadi_io_tags* tags,
                                       const char* path)
{
    if (tags == NULL || tags->count == 0)
    {
        return WADI_OK;
    }
    json_t* root = json_object();
    sidecar_put_tags(tags, root);
    return sidecar_dump(context, root, path);
}
