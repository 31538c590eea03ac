// SPDX-License-Identifier: MIT
// Builds the terrain of a scene: the grid, the ground's height, materials, layers.
#include "core/field_rows.h"
#include "scene/scene_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum
{
    BUILD_SIZE = 512 // [cells] default
};
#define BUILD_CELL 30.0

// Prefix a failure with the position of its source in the scene file.
static wadi_result build_at(wadi_run* run, const wadi_source* source, wadi_result result)
{
    return result == WADI_OK || source->origin == NULL
               ? result
               : wadi_fail(run->context, result, "%s: %s", source->origin,
                           wadi_error_detail(run->context));
}

// ---- the grid ----------------------------------------------------------------------------

static void build_rescale(wadi_frame* frame, int32_t width, int32_t height)
{
    const double x = (double)frame->width / (double)width;
    const double y = (double)frame->height / (double)height;
    frame->georef.affine[1] *= x;
    frame->georef.affine[4] *= x;
    frame->georef.affine[2] *= y;
    frame->georef.affine[5] *= y;
    frame->cell_size *= x;
    frame->width = width;
    frame->height = height;
}

static int32_t build_scaled_count(int32_t cells, double ratio)
{
    return (int32_t)fmin(65536.0, fmax(1.0, floor((double)cells * ratio + 0.5)));
}

// Fails if the size distorts cells by more than half a cell over the whole height.
static wadi_result build_resize(wadi_run* run, const char* file, wadi_frame* frame)
{
    const wadi_scene_grid* grid = &run->scene->grid;
    const double fits = (double)grid->width * frame->height / frame->width;
    WADI_CHECK(run->context, fabs(fits - grid->height) <= 0.5, WADI_ERROR_ARGUMENT,
               "size [%d, %d] would distort '%s' (%d x %d cells); use [%d, %.0f]", grid->width,
               grid->height, file, frame->width, frame->height, grid->width,
               fmax(1.0, floor(fits + 0.5)));
    build_rescale(frame, grid->width, grid->height);
    return WADI_OK;
}

static wadi_result build_frame_of_file(wadi_run* run, const wadi_source* source, wadi_frame* frame)
{
    const wadi_scene_grid* grid = &run->scene->grid;
    WADI_CHECK(run->context, run->host.frame != NULL, WADI_ERROR_STATE,
               "'%s' cannot be read: this program reads no files", source->file);
    WADI_CHECK(run->context, grid->extent == 0.0 && (grid->cell_size == 0.0 || grid->width == 0),
               WADI_ERROR_ARGUMENT,
               "'%s' defines the extent; give only a size or a cell size to resample it",
               source->file);
    WADI_TRY(run->host.frame(run->host.user, source, frame));
    if (grid->cell_size != 0.0)
    {
        const double ratio = frame->cell_size / grid->cell_size;
        build_rescale(frame, build_scaled_count(frame->width, ratio),
                      build_scaled_count(frame->height, ratio));
        return WADI_OK;
    }
    return grid->width == 0 ? WADI_OK : build_resize(run, source->file, frame);
}

static wadi_result build_frame(wadi_run* run, wadi_frame* frame)
{
    const wadi_scene* scene = run->scene;
    const wadi_scene_grid* grid = &scene->grid;
    *frame = (wadi_frame){0};
    const wadi_source* first = &scene->grounds[0].source;
    if (first->kind->needs_file)
    {
        return build_at(run, first, build_frame_of_file(run, first, frame));
    }
    frame->width = grid->width != 0 ? grid->width : BUILD_SIZE;
    frame->height = grid->height != 0 ? grid->height : BUILD_SIZE;
    frame->cell_size = grid->extent != 0.0      ? grid->extent / frame->width
                       : grid->cell_size != 0.0 ? grid->cell_size
                                                : BUILD_CELL;
    return WADI_OK;
}

static wadi_result build_create(wadi_run* run, const wadi_frame* frame)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = frame->window != NULL ? frame->window->width : frame->width;
    def.height = frame->window != NULL ? frame->window->height : frame->height;
    def.cell_size = frame->cell_size;
    def.seed = run->scene->seed;
    memcpy(def.edges, run->scene->grid.edges, sizeof def.edges);
    WADI_TRY(wadi_terrain_create(run->context, &def, &run->terrain));
    return frame->georef.valid ? wadi_terrain_set_georef(run->terrain, &frame->georef) : WADI_OK;
}

// ---- the ground --------------------------------------------------------------------------

static float build_combine(wadi_combine combine, float old, float value)
{
    switch (combine)
    {
    case WADI_COMBINE_ADD:
        return old + value;
    case WADI_COMBINE_MAX:
        return value > old ? value : old;
    case WADI_COMBINE_MIN:
        return value < old ? value : old;
    case WADI_COMBINE_MULTIPLY:
        return old * value;
    default:
        return value;
    }
}

const char* wadi_combine_name(wadi_combine combine)
{
    static const char* const names[WADI_COMBINE_COUNT] = {
        [WADI_COMBINE_MIX] = "mix",           [WADI_COMBINE_ADD] = "add",
        [WADI_COMBINE_MAX] = "max",           [WADI_COMBINE_MIN] = "min",
        [WADI_COMBINE_MULTIPLY] = "multiply",
    };
    return (int)combine >= 0 && combine < WADI_COMBINE_COUNT ? names[combine] : NULL;
}

// Weights of a mask file, or 1 everywhere.
static wadi_result build_read_mask(wadi_run* run, const wadi_frame* frame, const char* file,
                                   float* mask)
{
    const int64_t cells = (int64_t)frame->width * frame->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        mask[i] = 1.0f;
    }
    if (file == NULL)
    {
        return WADI_OK;
    }
    WADI_CHECK(run->context, run->host.read != NULL, WADI_ERROR_STATE,
               "'%s' cannot be read: this program reads no files", file);
    const wadi_source source = {
        .kind = wadi_source_kind_find("import"), .file = file, .weighs = true};
    WADI_TRY(run->host.read(run->host.user, &source, frame, mask));
    for (int64_t i = 0; i < cells; ++i)
    {
        const float weight = isnan(mask[i]) ? 0.0f : mask[i];
        WADI_CHECK(run->context, weight >= 0.0f && weight <= 1.0f, WADI_ERROR_RANGE,
                   "mask '%s' has the value %g; weights must lie in [0, 1]", file, (double)weight);
        mask[i] = weight;
    }
    return WADI_OK;
}

// Blend a source into the ground, except where it has no data.
static void build_blend(const wadi_scene_ground* ground, const wadi_frame* frame, const float* mask,
                        const float* values, float* surface)
{
    for (int32_t row = 0; row < frame->height; ++row)
    {
        for (int32_t column = 0; column < frame->width; ++column)
        {
            const int64_t i = (int64_t)row * frame->width + column;
            if (!isnan(values[i]))
            {
                const wadi_point at = scene_cell_centre(frame, column, row);
                const float weight =
                    (float)(ground->weight * wadi_region_weight(&ground->region, at)) * mask[i];
                const float to = build_combine(ground->combine, surface[i], values[i]);
                surface[i] = weight >= 1.0f ? to : surface[i] + weight * (to - surface[i]);
            }
        }
    }
}

// `buffer` holds two grids.
static wadi_result build_ground(wadi_run* run, const wadi_frame* frame, float* buffer,
                                float* surface)
{
    float* values = buffer;
    float* mask = buffer + (int64_t)frame->width * frame->height;
    for (int32_t i = 0; i < run->scene->ground_count; ++i)
    {
        const wadi_scene_ground* ground = &run->scene->grounds[i];
        const uint64_t seed = scene_seed_of(run->scene->seed, SCENE_PLACE_GROUND + (uint32_t)i);
        const scene_fill fill = {run->context, &run->host, &ground->source, frame, seed, NULL};
        float* filled = i == 0 ? surface : values;
        WADI_TRY(build_at(run, &ground->source, wadi_scene_fill(&fill, filled)));
        if (i > 0)
        {
            WADI_TRY(
                build_at(run, &ground->source, build_read_mask(run, frame, ground->mask, mask)));
            build_blend(ground, frame, mask, values, surface);
        }
    }
    return WADI_OK;
}

// ---- materials ---------------------------------------------------------------------------

#define BUILD_MATERIAL(...) FIELD_NUMBER(scene_material_row, __VA_ARGS__, "")

static const wadi_field build_material_list[] = {
    BUILD_MATERIAL(density, 2650.0, 1.0, 30000.0, "kg/m3", "Of the grains."),
    BUILD_MATERIAL(porosity, 0.0, 0.0, 0.99, "1", "Share of the bulk that is pores."),
    BUILD_MATERIAL(hardness, 0.0, 0.0, 1.0, "1", "Share of erosion withstood."),
    BUILD_MATERIAL(friction_angle, 33.0, 0.1, 89.9, "degree", "Angle of repose."),
    BUILD_MATERIAL(cohesion, 0.0, 0.0, 1e9, "Pa", "Strength without load."),
    BUILD_MATERIAL(conductivity, 1e-4, 0.0, 10.0, "m/s", "Hydraulic, when saturated."),
    BUILD_MATERIAL(grain_diameter, 3e-4, 1e-7, 100.0, "m", "Median grain."),
};
const wadi_field_table wadi_scene_material_fields =
    FIELD_TABLE("material", build_material_list, scene_material_row);

static scene_material_row build_row_of(const wadi_material* material)
{
    scene_material_row row;
    wadi_fields_init(&wadi_scene_material_fields, &row);
    row.density = material->density;
    row.porosity = material->porosity;
    row.hardness = material->hardness;
    row.friction_angle = material->friction_angle;
    row.cohesion = material->cohesion;
    row.conductivity = material->conductivity;
    row.grain_diameter = material->grain_diameter;
    return row;
}

static void build_take_row(const scene_material_row* row, wadi_material* material)
{
    material->density = row->density;
    material->porosity = row->porosity;
    material->hardness = row->hardness;
    material->friction_angle = row->friction_angle;
    material->cohesion = row->cohesion;
    material->conductivity = row->conductivity;
    material->grain_diameter = row->grain_diameter;
}

// Row of that name, or the row after the last one.
static int32_t build_find_material(const wadi_terrain* terrain, const char* name)
{
    const int32_t count = wadi_terrain_material_count(terrain);
    int32_t index = 0;
    while (index < count && strcmp(wadi_terrain_material(terrain, index)->name, name) != 0)
    {
        ++index;
    }
    return index;
}

static wadi_result build_materials(wadi_run* run)
{
    for (int32_t i = 0; i < run->scene->material_count; ++i)
    {
        const wadi_scene_material* given = &run->scene->materials[i];
        const int32_t index = build_find_material(run->terrain, given->material);
        const bool is_new = index == wadi_terrain_material_count(run->terrain);
        wadi_material material =
            *wadi_terrain_material(run->terrain, is_new ? WADI_MATERIAL_SEDIMENT : index);
        memset(material.name, 0, sizeof material.name);
        memcpy(material.name, given->material, strlen(given->material));

        scene_material_row row = build_row_of(&material);
        WADI_TRY(wadi_field_set(run->context, &wadi_scene_material_fields, given->field,
                                given->value, &row));
        build_take_row(&row, &material);
        WADI_TRY(wadi_terrain_set_material(run->terrain, index, &material));
    }
    return WADI_OK;
}

// ---- layers ------------------------------------------------------------------------------

wadi_result wadi_scene_values(wadi_run* run, const wadi_source* source, uint32_t place, float* out)
{
    const wadi_frame frame = {wadi_terrain_width(run->terrain), wadi_terrain_height(run->terrain),
                              wadi_terrain_cell_size(run->terrain),
                              wadi_terrain_georef(run->terrain), wadi_partition_of(run->context)};
    const scene_fill fill = {
        run->context, &run->host, source, &frame, scene_seed_of(run->scene->seed, place),
        run->terrain};
    return wadi_scene_fill(&fill, out);
}

// Fail if a file does not cover all of the terrain. Elevations without data make holes.
static wadi_result build_check_cover(wadi_run* run, const wadi_scene_layer* layer,
                                     const float* values)
{
    const int32_t width = wadi_terrain_width(run->terrain);
    const int32_t height = wadi_terrain_height(run->terrain);
    const bool is_height = layer->layer == WADI_LAYER_SURFACE || layer->layer == WADI_LAYER_BEDROCK;
    if (!layer->source.kind->needs_file || is_height)
    {
        return WADI_OK;
    }
    for (int64_t c = 0; c < (int64_t)width * height; ++c)
    {
        const int32_t x = (int32_t)(c % width);
        const int32_t y = (int32_t)(c / width);
        WADI_CHECK(run->context, !isnan(values[c]) || !wadi_terrain_is_valid(run->terrain, x, y),
                   WADI_ERROR_RANGE,
                   "'%s' has no value for the cell at column %d, row %d; a file has to cover the "
                   "whole terrain",
                   layer->source.file, x, y);
    }
    return WADI_OK;
}

static wadi_result build_layer(wadi_run* run, const wadi_scene_layer* layer, const float* surface,
                               float* values)
{
    const int32_t width = wadi_terrain_width(run->terrain);
    WADI_TRY(
        wadi_scene_values(run, &layer->source, SCENE_PLACE_LAYER + (uint32_t)layer->layer, values));
    WADI_TRY(build_check_cover(run, layer, values));
    WADI_TRY(wadi_terrain_set_layer(run->terrain, layer->layer, values, width));
    // restore the surface, so the layer replaces rock; exact, as these are the same floats
    return layer->layer >= WADI_LAYER_LOOSE
               ? wadi_terrain_set_layer(run->terrain, WADI_LAYER_SURFACE, surface, width)
               : WADI_OK;
}

static wadi_result build_layers(wadi_run* run, const float* surface, float* values)
{
    for (int32_t i = 0; i < run->scene->layer_count; ++i)
    {
        const wadi_scene_layer* layer = &run->scene->layers[i];
        WADI_TRY(build_at(run, &layer->source, build_layer(run, layer, surface, values)));
    }
    return WADI_OK;
}

static wadi_result build_strata(wadi_run* run, float* values)
{
    const wadi_scene_strata* strata = &run->scene->strata;
    if (strata->count == 0)
    {
        return WADI_OK;
    }
    if (strata->top.kind == NULL)
    {
        return wadi_terrain_set_strata(run->terrain, strata->beds, strata->count, NULL, 0);
    }
    WADI_TRY(build_at(run, &strata->top,
                      wadi_scene_values(run, &strata->top, SCENE_PLACE_STRATA, values)));
    return wadi_terrain_set_strata(run->terrain, strata->beds, strata->count, values,
                                   wadi_terrain_width(run->terrain));
}

// Which voids lie beyond the sides of the file's map, and are no holes in it. The bytes fit the
// buffer, which holds floats.
static wadi_result build_void_sides(wadi_run* run, const wadi_frame* frame, float* buffer)
{
    const wadi_source* first = &run->scene->grounds[0].source;
    const int64_t cells = (int64_t)frame->width * frame->height;
    if (run->host.void_sides == NULL || !first->kind->needs_file ||
        (frame->window == NULL && wadi_terrain_valid_count(run->terrain) == cells))
    {
        return WADI_OK;
    }
    uint8_t* sides = (uint8_t*)buffer;
    WADI_TRY(build_at(run, first, run->host.void_sides(run->host.user, first, frame, sides)));
    return wadi_terrain_set_void_sides(run->terrain, sides, frame->width);
}

// `buffer` holds three grids.
static wadi_result build_all(wadi_run* run, const wadi_frame* frame, float* buffer)
{
    float* surface = buffer + 2 * (int64_t)frame->width * frame->height;
    WADI_TRY(build_ground(run, frame, buffer, surface));
    WADI_TRY(build_create(run, frame));
    WADI_TRY(wadi_terrain_set_layer(run->terrain, WADI_LAYER_SURFACE, surface, frame->width));
    WADI_TRY(build_void_sides(run, frame, buffer));
    WADI_TRY(wadi_scene_build_sea(run));
    WADI_TRY(build_materials(run));
    WADI_TRY(build_strata(run, buffer));
    return build_layers(run, surface, buffer);
}

// In a window of the grid, the part of the frame that the window holds.
static wadi_result build_window(wadi_run* run, wadi_frame* frame)
{
    const wadi_partition* window = wadi_partition_of(run->context);
    if (window == NULL)
    {
        return WADI_OK;
    }
    WADI_CHECK(run->context, window->width == frame->width && window->height == frame->height,
               WADI_ERROR_ARGUMENT,
               "the scene has %d x %d cells, but its windows are cut from %d x %d cells",
               frame->width, frame->height, window->width, window->height);
    frame->width = wadi_partition_local_width(window);
    frame->height = wadi_partition_local_height(window);
    frame->window = window;
    return wadi_partition_is_alone(window) ? wadi_scene_check_alone(run->scene)
                                           : wadi_scene_check_windows(run->scene);
}

wadi_result wadi_scene_frame(const wadi_scene* scene, const wadi_host* host, wadi_frame* out)
{
    *out = (wadi_frame){0};
    WADI_CHECK(scene->context, scene->ground_count > 0, WADI_ERROR_STATE,
               "the scene has no ground; give its terrain a source, such as noise or import");
    wadi_run run = {.scene = scene, .host = *host, .context = scene->context};
    return build_frame(&run, out);
}

wadi_result wadi_scene_build(wadi_run* run)
{
    WADI_CHECK(run->context, run->scene->ground_count > 0, WADI_ERROR_STATE,
               "the scene has no ground; give its terrain a source, such as noise or import");
    wadi_frame frame;
    WADI_TRY(build_frame(run, &frame));
    WADI_CHECK(run->context, frame.width > 0 && frame.height > 0, WADI_ERROR_RANGE,
               "the grid has %d x %d cells; each side needs at least one", frame.width,
               frame.height);
    WADI_TRY(build_window(run, &frame));
    float* buffer;
    WADI_ALLOC(run->context, buffer, 3 * (int64_t)frame.width * frame.height, "the ground");
    const wadi_result result = build_all(run, &frame, buffer);
    wadi_free(run->context, buffer);
    return result;
}
