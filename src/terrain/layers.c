// SPDX-License-Identifier: MIT
// Names of layers, and float views of them. edit_rectangle.c writes them.
#include "terrain/change.h"
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
    const wadi_wide sum = wadi_ground_owned_sum(&terrain->ground, terrain->ground.loose[index]);
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

double wadi_terrain_value(const wadi_terrain* terrain, wadi_layer layer, int64_t cell)
{
    if (wadi_terrain_layer_name(terrain, layer) == NULL)
    {
        return 0.0;
    }
    const bool share = wadi_terrain_shares(terrain, layer) != NULL;
    return (double)layers_units_at(terrain, layer, cell) / (share ? 65535.0 : WADI_UNITS_PER_METRE);
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

// The same values as below, without a choice of the layer for each cell.
static void layers_view_plain(const int32_t* heights, const uint16_t* shares, int32_t count,
                              float* out)
{
    for (int32_t i = 0; i < count; ++i)
    {
        out[i] = heights != NULL ? (float)((double)heights[i] * (1.0 / WADI_UNITS_PER_METRE))
                                 : (float)((double)shares[i] * (1.0 / 65535.0));
    }
}

void wadi_terrain_view_cells(const wadi_terrain* terrain, wadi_layer layer, int64_t first,
                             int32_t count, float* out)
{
    const bool elevation = layer == WADI_LAYER_SURFACE || layer == WADI_LAYER_BEDROCK;
    const uint16_t* shares = wadi_terrain_shares(terrain, layer);
    const int32_t* heights =
        shares == NULL && !elevation ? wadi_terrain_heights(terrain, layer) : NULL;
    if (shares != NULL || heights != NULL)
    {
        layers_view_plain(heights != NULL ? heights + first : NULL,
                          shares != NULL ? shares + first : NULL, count, out);
        return;
    }
    for (int64_t i = first; i < first + count; ++i)
    {
        const double value =
            (double)layers_units_at(terrain, layer, i) * (1.0 / WADI_UNITS_PER_METRE);
        out[i - first] = terrain->ground.valid[i] != 0 || !elevation ? (float)value : NAN;
    }
}

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
    const int32_t width = job->terrain->ground.width;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * width;
        wadi_terrain_view_cells(job->terrain, job->layer, first, width, job->out + first);
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
