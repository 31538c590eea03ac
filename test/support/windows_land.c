// SPDX-License-Identifier: MIT
#include "support/windows_land.h"

#include "core/random.h"
#include "terrain/ground.h"

#include <wadi/synthesis.h>

#include <math.h>
#include <stdlib.h>

float windows_land_noise(uint64_t seed, int32_t x, int32_t y)
{
    return wadi_unit_float(wadi_random(seed, 0, (uint64_t)y << 32 | (uint32_t)x, 0).v[0]);
}

float* windows_land_values(const wadi_terrain* terrain, float (*value)(int32_t x, int32_t y))
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    float* values = malloc((size_t)ground->cells * sizeof *values);
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            values[(int64_t)y * ground->width + x] =
                value(wadi_ground_column(ground, x), wadi_ground_row(ground, y));
        }
    }
    return values;
}

wadi_result windows_land_fill(wadi_terrain* terrain, wadi_layer layer,
                              float (*value)(int32_t x, int32_t y))
{
    float* values = windows_land_values(terrain, value);
    const wadi_result result =
        wadi_terrain_set_layer(terrain, layer, values, wadi_terrain_width(terrain));
    free(values);
    return result;
}

static float land_rock_of(int32_t x, int32_t y)
{
    const float coarse = windows_land_noise(1, x / 24, y / 24);
    return 90.0f * coarse + 12.0f * windows_land_noise(2, x / 3, y / 3);
}

static float land_rock_with_voids_of(int32_t x, int32_t y)
{
    const bool hole = (x / 9 + y / 7) % 11 == 3 && windows_land_noise(7, x, y) < 0.6f;
    return hole ? NAN : land_rock_of(x, y);
}

static float land_sand_of(int32_t x, int32_t y)
{
    return windows_land_noise(3, x, y) < 0.3f ? 0.0f : 6.0f * windows_land_noise(4, x, y);
}

static float land_level_of(int32_t x, int32_t y)
{
    return 3.0f * windows_land_noise(8, x / 40, y / 40);
}

static float land_waves_of(int32_t x, int32_t y)
{
    return windows_land_noise(9, x / 60, y / 60) < 0.2f
               ? 0.0f
               : 2.0f + 1.5f * windows_land_noise(3, x / 5, y / 5) +
                     0.3f * windows_land_noise(4, x, y);
}

static float land_hardness_of(int32_t x, int32_t y)
{
    return 0.6f * windows_land_noise(5, x / 5, y / 5);
}

// Plants in one corner only, so that some windows have none.
static float land_plants_of(int32_t x, int32_t y)
{
    return x < 60 && y < 60 ? windows_land_noise(6, x, y) : 0.0f;
}

// The generator makes the same hills in windows.
static wadi_result land_fill_hills(wadi_terrain* terrain)
{
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    wadi_noise_params noise = wadi_noise_params_default();
    noise.relief = 450.0;
    noise.wavelength = 750.0;
    float* values = malloc((size_t)width * (size_t)height * sizeof *values);
    wadi_result result =
        wadi_noise_fill(wadi_terrain_context(terrain), &noise, 5, width, height, 5.0, values);
    result = result == WADI_OK ? wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, values, width)
                               : result;
    free(values);
    return result;
}

wadi_result windows_land_create(wadi_context* context, const windows_land* land, double cell,
                                wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = land->width;
    def.height = land->height;
    def.cell_size = cell;
    def.seed = 42;
    def.edges[WADI_SIDE_WEST] = land->across;
    def.edges[WADI_SIDE_EAST] = land->across;
    def.edges[WADI_SIDE_NORTH] = land->along;
    def.edges[WADI_SIDE_SOUTH] = land->along;
    return wadi_terrain_create(context, &def, out);
}

wadi_result windows_land_make(wadi_context* context, const windows_land* land, wadi_terrain** out)
{
    wadi_result result = windows_land_create(context, land, 5.0, out);
    if (result != WADI_OK || land->hills)
    {
        return result == WADI_OK ? land_fill_hills(*out) : result;
    }
    result = windows_land_fill(*out, WADI_LAYER_BEDROCK,
                               land->voids   ? land_rock_with_voids_of
                               : land->dunes ? land_level_of
                                             : land_rock_of);
    result = result == WADI_OK ? windows_land_fill(*out, WADI_LAYER_SEDIMENT,
                                                   land->dunes ? land_waves_of : land_sand_of)
                               : result;
    if (land->beds && result == WADI_OK)
    {
        const wadi_stratum beds[] = {{9.0, 0.1}, {4.0, 0.8}, {1.0, 0.3}};
        result = wadi_terrain_set_strata(*out, beds, 3, NULL, 0);
    }
    else if (result == WADI_OK)
    {
        result = windows_land_fill(*out, WADI_LAYER_HARDNESS, land_hardness_of);
    }
    return land->plants && result == WADI_OK
               ? windows_land_fill(*out, WADI_LAYER_VEGETATION, land_plants_of)
               : result;
}

wadi_windows_def windows_land_cut(const windows_land* land, int32_t columns, int32_t rows,
                                  int32_t halo, bool in_turn)
{
    wadi_windows_def def = wadi_windows_def_default();
    def.width = land->width;
    def.height = land->height;
    def.edges[WADI_SIDE_WEST] = land->across;
    def.edges[WADI_SIDE_EAST] = land->across;
    def.edges[WADI_SIDE_NORTH] = land->along;
    def.edges[WADI_SIDE_SOUTH] = land->along;
    def.columns = columns;
    def.rows = rows;
    def.halo = halo;
    def.in_turn = in_turn;
    return def;
}
