// SPDX-License-Identifier: MIT
// Names of layers, float views of them, and writing them from floats.
#include "terrain/terrain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    LAYERS_GRAIN = 64 // rows a block
};

static const char* const layers_names[] = {
    [WADI_LAYER_SURFACE] = "surface",       [WADI_LAYER_BEDROCK] = "bedrock",
    [WADI_LAYER_WATER] = "water",           [WADI_LAYER_HARDNESS] = "hardness",
    [WADI_LAYER_VEGETATION] = "vegetation", [WADI_LAYER_MOISTURE] = "moisture",
};
enum
{
    LAYERS_FIXED = sizeof layers_names / sizeof layers_names[0]
};

// Names that users know from elsewhere (Houdini, Gaea).
static const struct
{
    const char* alias;
    wadi_layer layer;
} layers_aliases[] = {
    {"height", WADI_LAYER_SURFACE},
    {"debris", WADI_LAYER_SEDIMENT},
    {"sand", WADI_LAYER_SEDIMENT},
    {"wetness", WADI_LAYER_MOISTURE},
};

static bool layers_is_loose(const wadi_terrain* terrain, wadi_layer layer)
{
    return layer >= WADI_LAYER_LOOSE && layer < WADI_LAYER_LOOSE + terrain->ground.loose_count;
}

const char* wadi_terrain_layer_name(const wadi_terrain* terrain, wadi_layer layer)
{
    if (layers_is_loose(terrain, layer))
    {
        return terrain->loose_names[layer - WADI_LAYER_LOOSE];
    }
    return layer >= 0 && layer < LAYERS_FIXED ? layers_names[layer] : NULL;
}

// Layer of that own name, not of an alias; -1 if there is none.
static wadi_layer layers_find_name(const wadi_terrain* terrain, const char* name)
{
    for (wadi_layer layer = 0; layer < TERRAIN_LAYER_SLOTS; ++layer)
    {
        const char* own = wadi_terrain_layer_name(terrain, layer);
        if (own != NULL && strcmp(own, name) == 0)
        {
            return layer;
        }
    }
    return -1;
}

// Layer of an alias, or -1.
static wadi_layer layers_find_alias(const char* word)
{
    for (size_t i = 0; i < sizeof layers_aliases / sizeof layers_aliases[0]; ++i)
    {
        if (strcmp(layers_aliases[i].alias, word) == 0)
        {
            return layers_aliases[i].layer;
        }
    }
    return -1;
}

wadi_layer wadi_terrain_layer(const wadi_terrain* terrain, const char* name)
{
    const wadi_layer named = layers_find_name(terrain, name);
    return named != -1 ? named : layers_find_alias(name);
}

const char* wadi_layer_alias(const char* word)
{
    const wadi_layer layer = layers_find_alias(word);
    const char* fixed = layer >= 0 && layer < LAYERS_FIXED ? layers_names[layer] : NULL;
    return layer == WADI_LAYER_SEDIMENT ? "sediment" : fixed;
}

wadi_result wadi_terrain_set_loose(wadi_terrain* terrain, int32_t index, const char* name,
                                   int32_t material)
{
    wadi_context* context = terrain->context;
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_CHECK(context, index >= 0 && index < terrain->ground.loose_count, WADI_ERROR_RANGE,
               "no loose layer %d; the terrain has %d", index, terrain->ground.loose_count);
    WADI_CHECK(context, strlen(name) > 0 && strlen(name) < WADI_NAME_LENGTH, WADI_ERROR_ARGUMENT,
               "the name of a layer must have 1 to %d bytes", WADI_NAME_LENGTH - 1);
    // a layer's own name hides an alias: "sand" means sediment until a layer is named "sand"
    const wadi_layer other = layers_find_name(terrain, name);
    WADI_CHECK(context, other == -1 || other == WADI_LAYER_LOOSE + index, WADI_ERROR_ARGUMENT,
               "a layer named '%s' exists already; choose another name", name);
    WADI_CHECK(context,
               material >= 0 && material < terrain->material_count &&
                   material != WADI_MATERIAL_WATER && material != WADI_MATERIAL_ROCK,
               WADI_ERROR_RANGE, "material %d is not a loose material of this terrain", material);

    // the layer's content changes its material: the ledger follows
    const int32_t before = terrain->ground.material[index];
    const wadi_wide sum = wadi_terrain_sum(terrain->ground.loose[index], terrain->ground.cells);
    terrain->edited[before] -= sum;
    terrain->edited[material] += sum;
    terrain->ground.material[index] = material;
    (void)snprintf(terrain->loose_names[index], WADI_NAME_LENGTH, "%s", name);
    return WADI_OK;
}

int32_t* wadi_terrain_heights(const wadi_terrain* terrain, wadi_layer layer)
{
    if (layers_is_loose(terrain, layer))
    {
        return terrain->ground.loose[layer - WADI_LAYER_LOOSE];
    }
    return layer == WADI_LAYER_BEDROCK ? terrain->ground.bedrock
           : layer == WADI_LAYER_WATER ? terrain->ground.water
                                       : NULL;
}

uint16_t* wadi_terrain_shares(const wadi_terrain* terrain, wadi_layer layer)
{
    return layer == WADI_LAYER_HARDNESS     ? terrain->ground.hardness
           : layer == WADI_LAYER_VEGETATION ? terrain->ground.vegetation
           : layer == WADI_LAYER_MOISTURE   ? terrain->ground.moisture
                                            : NULL;
}

int32_t wadi_terrain_layer_material(const wadi_terrain* terrain, wadi_layer layer)
{
    if (layers_is_loose(terrain, layer))
    {
        return terrain->ground.material[layer - WADI_LAYER_LOOSE];
    }
    return layer == WADI_LAYER_WATER ? WADI_MATERIAL_WATER : WADI_MATERIAL_ROCK;
}

static int32_t layers_units_at(const wadi_terrain* terrain, wadi_layer layer, int64_t cell)
{
    if (layer == WADI_LAYER_SURFACE)
    {
        return wadi_ground_surface(&terrain->ground, cell);
    }
    const int32_t* heights = wadi_terrain_heights(terrain, layer);
    return heights != NULL ? heights[cell] : (int32_t)wadi_terrain_shares(terrain, layer)[cell];
}

int32_t wadi_terrain_units(const wadi_terrain* terrain, wadi_layer layer, int32_t x, int32_t y)
{
    const wadi_ground* ground = &terrain->ground;
    const bool inside = x >= 0 && y >= 0 && x < ground->width && y < ground->height &&
                        wadi_terrain_layer_name(terrain, layer) != NULL;
    return inside ? layers_units_at(terrain, layer, (int64_t)y * ground->width + x) : 0;
}

void wadi_terrain_read_units(const wadi_terrain* terrain, wadi_layer layer, int32_t* out)
{
    const wadi_ground* ground = &terrain->ground;
    const bool known = wadi_terrain_layer_name(terrain, layer) != NULL;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        out[i] =
            known && ground->valid[i] != 0 ? layers_units_at(terrain, layer, i) : WADI_NO_UNITS;
    }
}

// ---- views -------------------------------------------------------------------------------

typedef struct layers_view_job
{
    const wadi_terrain* terrain;
    wadi_layer layer;
    float* out;
} layers_view_job;

static void layers_view_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const layers_view_job* job = user;
    const wadi_ground* ground = &job->terrain->ground;
    const bool elevation = job->layer == WADI_LAYER_SURFACE || job->layer == WADI_LAYER_BEDROCK;
    const bool share = wadi_terrain_shares(job->terrain, job->layer) != NULL;
    const double scale = share ? 1.0 / 65535.0 : 1.0 / WADI_UNITS_PER_METRE;
    for (int64_t i = (int64_t)begin * ground->width; i < (int64_t)end * ground->width; ++i)
    {
        const double value = (double)layers_units_at(job->terrain, job->layer, i) * scale;
        job->out[i] = ground->valid[i] != 0 || !elevation ? (float)value : NAN;
    }
}

wadi_result wadi_terrain_borrow(wadi_terrain* terrain, wadi_layer layer, wadi_view* out)
{
    *out = (wadi_view){0};
    wadi_context* context = terrain->context;
    WADI_CHECK(context, wadi_terrain_layer_name(terrain, layer) != NULL, WADI_ERROR_UNKNOWN,
               "this terrain has no layer %d", layer);
    const wadi_ground* ground = &terrain->ground;
    if (terrain->views[layer] == NULL)
    {
        WADI_ALLOC(context, terrain->views[layer], ground->cells, "a view of a layer");
    }
    if (!terrain->view_is_fresh[layer])
    {
        layers_view_job job = {terrain, layer, terrain->views[layer]};
        wadi_parallel_rows(context, ground->height, LAYERS_GRAIN, layers_view_rows, &job);
        terrain->view_is_fresh[layer] = true;
    }
    terrain->borrows[layer] += 1;
    *out = (wadi_view){terrain->views[layer], ground->width, ground->height, ground->width};
    return WADI_OK;
}

wadi_result wadi_terrain_release(wadi_terrain* terrain, wadi_layer layer)
{
    const bool held = layer >= 0 && layer < TERRAIN_LAYER_SLOTS && terrain->borrows[layer] > 0;
    WADI_CHECK(terrain->context, held, WADI_ERROR_STATE,
               "layer %d is released more often than it was borrowed", layer);
    terrain->borrows[layer] -= 1;
    if (terrain->borrows[layer] == 0)
    {
        // the view is as large as the layer, so it is freed with its last borrower
        wadi_free(terrain->context, terrain->views[layer]);
        terrain->views[layer] = NULL;
        terrain->view_is_fresh[layer] = false;
    }
    return WADI_OK;
}

// ---- writing -----------------------------------------------------------------------------

static wadi_result layers_check_height(wadi_terrain* terrain, wadi_layer layer, float value,
                                       int32_t x, int32_t y)
{
    const bool elevation = layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK;
    if (elevation && isnan(value))
    {
        return WADI_OK; // becomes void
    }
    const double low = elevation ? -WADI_HEIGHT_LIMIT : 0.0;
    const double v = (double)value;
    WADI_CHECK(terrain->context, v >= low && v <= WADI_HEIGHT_LIMIT, WADI_ERROR_RANGE,
               "%s at column %d, row %d is %g m but must lie in [%g, %g] m",
               wadi_terrain_layer_name(terrain, layer), x, y, v, low, WADI_HEIGHT_LIMIT);
    return WADI_OK;
}

static wadi_result layers_check_share(wadi_terrain* terrain, wadi_layer layer, float value,
                                      int32_t x, int32_t y)
{
    WADI_CHECK(terrain->context, value >= 0.0f && value <= 1.0f, WADI_ERROR_RANGE,
               "%s at column %d, row %d is %g but must lie in [0, 1]",
               wadi_terrain_layer_name(terrain, layer), x, y, (double)value);
    return WADI_OK;
}

static int32_t layers_round(double value, double scale)
{
    return (int32_t)floor(value * scale + 0.5);
}

// Rock, loose matter and water must also be in range as a sum, so that sums of units fit 32 bits.
static wadi_result layers_check_column(wadi_terrain* terrain, wadi_layer layer, float value,
                                       int32_t x, int32_t y)
{
    const wadi_ground* ground = &terrain->ground;
    const int64_t cell = (int64_t)y * ground->width + x;
    const int64_t units = layers_round((double)value, WADI_UNITS_PER_METRE);
    int64_t bedrock = layer == WADI_LAYER_BEDROCK ? units : ground->bedrock[cell];
    int64_t cover = layer == WADI_LAYER_WATER ? units : ground->water[cell];
    int64_t loose = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        loose += layer == WADI_LAYER_LOOSE + i ? units : ground->loose[i][cell];
    }
    bedrock = layer == WADI_LAYER_SURFACE ? units - loose : bedrock;
    cover += bedrock + loose;
    const double low = (double)bedrock / WADI_UNITS_PER_METRE;
    const double high = (double)cover / WADI_UNITS_PER_METRE;
    WADI_CHECK(
        terrain->context, low >= -WADI_HEIGHT_LIMIT && high <= WADI_HEIGHT_LIMIT, WADI_ERROR_RANGE,
        "%s of %g m at column %d, row %d would put bedrock at %g m and the top of the layers "
        "at %g m; both must lie in [%g, %g] m",
        wadi_terrain_layer_name(terrain, layer), (double)value, x, y, low, high, -WADI_HEIGHT_LIMIT,
        WADI_HEIGHT_LIMIT);
    return WADI_OK;
}

static wadi_result layers_check_cell(wadi_terrain* terrain, wadi_layer layer, float value,
                                     int32_t x, int32_t y)
{
    if (wadi_terrain_shares(terrain, layer) != NULL)
    {
        return layers_check_share(terrain, layer, value, x, y);
    }
    WADI_TRY(layers_check_height(terrain, layer, value, x, y));
    return isnan(value) ? WADI_OK : layers_check_column(terrain, layer, value, x, y);
}

// A value for a void cell is ignored, except an elevation, which makes the cell valid.
static bool layers_is_written(const wadi_terrain* terrain, wadi_layer layer, int32_t x, int32_t y)
{
    return layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK ||
           wadi_terrain_is_valid(terrain, x, y);
}

// The whole layer is checked before anything is written: a failed call changes nothing.
static wadi_result layers_check_values(wadi_terrain* terrain, wadi_layer layer, const float* values,
                                       ptrdiff_t stride)
{
    for (int32_t y = 0; y < terrain->ground.height; ++y)
    {
        for (int32_t x = 0; x < terrain->ground.width; ++x)
        {
            if (layers_is_written(terrain, layer, x, y))
            {
                WADI_TRY(layers_check_cell(terrain, layer, values[y * stride + x], x, y));
            }
        }
    }
    return WADI_OK;
}

static wadi_result layers_check_fill(wadi_terrain* terrain, wadi_layer layer, float value)
{
    for (int32_t y = 0; y < terrain->ground.height; ++y)
    {
        for (int32_t x = 0; x < terrain->ground.width; ++x)
        {
            if (wadi_terrain_is_valid(terrain, x, y))
            {
                WADI_TRY(layers_check_cell(terrain, layer, value, x, y));
            }
        }
    }
    return WADI_OK;
}

// Make a cell void; its matter is booked as an edit.
static void layers_make_void(wadi_terrain* terrain, int64_t cell)
{
    wadi_ground* ground = &terrain->ground;
    terrain->edited[WADI_MATERIAL_ROCK] -= ground->bedrock[cell];
    terrain->edited[WADI_MATERIAL_WATER] -= ground->water[cell];
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        terrain->edited[ground->material[i]] -= ground->loose[i][cell];
        ground->loose[i][cell] = 0;
    }
    ground->bedrock[cell] = 0;
    ground->water[cell] = 0;
    ground->hardness[cell] = 0;
    ground->vegetation[cell] = 0;
    ground->moisture[cell] = 0;
    ground->valid[cell] = 0;
}

static void layers_refresh_all_valid(wadi_terrain* terrain)
{
    terrain->ground.all_valid =
        memchr(terrain->ground.valid, 0, (size_t)terrain->ground.cells) == NULL;
}

static void layers_write_elevation(wadi_terrain* terrain, wadi_layer layer, int64_t cell,
                                   float value)
{
    wadi_ground* ground = &terrain->ground;
    if (isnan(value))
    {
        layers_make_void(terrain, cell);
        return;
    }
    ground->valid[cell] = 1;
    int32_t units = layers_round((double)value, WADI_UNITS_PER_METRE);
    if (layer == WADI_LAYER_SURFACE)
    {
        units -= wadi_ground_surface(ground, cell) - ground->bedrock[cell];
    }
    terrain->edited[WADI_MATERIAL_ROCK] += (wadi_wide)units - ground->bedrock[cell];
    ground->bedrock[cell] = units;
}

static void layers_write_cell(wadi_terrain* terrain, wadi_layer layer, int64_t cell, float value)
{
    if (layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK)
    {
        layers_write_elevation(terrain, layer, cell, value);
        return;
    }
    if (terrain->ground.valid[cell] == 0)
    {
        return;
    }
    uint16_t* shares = wadi_terrain_shares(terrain, layer);
    if (shares != NULL)
    {
        shares[cell] = (uint16_t)layers_round((double)value, 65535.0);
        return;
    }
    int32_t* heights = wadi_terrain_heights(terrain, layer);
    const int32_t units = layers_round((double)value, WADI_UNITS_PER_METRE);
    terrain->edited[wadi_terrain_layer_material(terrain, layer)] +=
        (wadi_wide)units - heights[cell];
    heights[cell] = units;
}

wadi_result wadi_terrain_set_layer(wadi_terrain* terrain, wadi_layer layer, const float* values,
                                   ptrdiff_t stride)
{
    const wadi_ground* ground = &terrain->ground;
    WADI_CHECK(terrain->context, wadi_terrain_layer_name(terrain, layer) != NULL,
               WADI_ERROR_UNKNOWN, "this terrain has no layer %d", layer);
    WADI_CHECK(terrain->context, stride >= ground->width, WADI_ERROR_ARGUMENT,
               "rows %td elements apart cannot hold %d cells", stride, ground->width);
    WADI_TRY(wadi_strata_check_layer(terrain, layer));
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(layers_check_values(terrain, layer, values, stride));
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            layers_write_cell(terrain, layer, (int64_t)y * ground->width + x,
                              values[y * stride + x]);
        }
    }
    layers_refresh_all_valid(terrain);
    wadi_terrain_changed(terrain);
    return WADI_OK;
}

wadi_result wadi_terrain_fill_layer(wadi_terrain* terrain, wadi_layer layer, double value)
{
    WADI_CHECK(terrain->context, wadi_terrain_layer_name(terrain, layer) != NULL,
               WADI_ERROR_UNKNOWN, "this terrain has no layer %d", layer);
    WADI_CHECK(terrain->context, !isnan(value), WADI_ERROR_RANGE,
               "NaN cannot fill a layer; wadi_terrain_set_valid() makes cells void");
    WADI_TRY(wadi_strata_check_layer(terrain, layer));
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(layers_check_fill(terrain, layer, (float)value));
    for (int64_t i = 0; i < terrain->ground.cells; ++i)
    {
        if (terrain->ground.valid[i] != 0)
        {
            layers_write_cell(terrain, layer, i, (float)value);
        }
    }
    wadi_terrain_changed(terrain);
    return WADI_OK;
}

wadi_result wadi_terrain_set_valid(wadi_terrain* terrain, const uint8_t* valid, ptrdiff_t stride)
{
    const wadi_ground* ground = &terrain->ground;
    WADI_CHECK(terrain->context, stride >= ground->width, WADI_ERROR_ARGUMENT,
               "rows %td elements apart cannot hold %d cells", stride, ground->width);
    WADI_TRY(wadi_terrain_check_writable(terrain));
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            if (valid[y * stride + x] != 0)
            {
                ground->valid[cell] = 1;
            }
            else if (ground->valid[cell] != 0)
            {
                layers_make_void(terrain, cell);
            }
        }
    }
    layers_refresh_all_valid(terrain);
    wadi_terrain_changed(terrain);
    return WADI_OK;
}
