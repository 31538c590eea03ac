// SPDX-License-Identifier: MIT
// The process "hydraulic": its descriptor, and code that its models share.
#include "processes/hydraulic/hydraulic_internal.h"

#include "core/field_rows.h"
#include "core/internal.h"

#include <string.h>

static double hydraulic_exported(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger_of(terrain, "hydraulic", rows, WADI_MAX_MATERIALS);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT && count > WADI_MATERIAL_SEDIMENT; ++side)
    {
        sum += rows[WADI_MATERIAL_SEDIMENT].out[side];
    }
    return sum;
}

int32_t wadi_hydraulic_figures(const wadi_terrain* terrain, double years, wadi_figure* rows)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double area = (double)wadi_terrain_valid_count(terrain) * cell * cell;
    const double lowering = area > 0.0 ? hydraulic_exported(terrain) / area : 0.0;
    const wadi_figure all[] = {
        {"years", "yr", years, WADI_FIGURE_SUM},
        {"denudation", "mm/kyr", years > 0.0 ? lowering / years * 1e6 : 0.0, WADI_FIGURE_MEAN},
        {"mean_lowering", "m", lowering, WADI_FIGURE_SUM},
        {"acceleration", "1", 1.0, WADI_FIGURE_STATE},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

// ---- descriptor --------------------------------------------------------------------------

#define PARCELS FIELD_MODEL(WADI_HYDRAULIC_PARCELS)
#define WATER (PARCELS | FIELD_MODEL(WADI_HYDRAULIC_STREAMS))

static const wadi_map_info hydraulic_maps[HYDRAULIC_MAP_COUNT] = {
    [HYDRAULIC_MAP_RAIN] = {"rain", "m/yr", "effective rain, in place of the constant", true,
                            WATER},
    [HYDRAULIC_MAP_FLOW] = {"flow", "m2", "drainage area", false, WATER},
    [HYDRAULIC_MAP_DISCHARGE] = {"discharge", "m3/s", "mean discharge of water", false, 0},
    [HYDRAULIC_MAP_VELOCITY] = {"velocity", "m/s", "mean velocity of water", false, 0},
    [HYDRAULIC_MAP_WEAR] = {"wear", "m", "gross lowering since the start", false, 0},
    [HYDRAULIC_MAP_DEPOSIT] = {"deposit", "m", "gross raising since the start", false, 0},
    [HYDRAULIC_MAP_LAKE_DEPTH] = {"lake_depth", "m", "depth of standing water", false, WATER},
    [HYDRAULIC_MAP_MOMENTUM_EAST] = {"momentum_east", "m4/s2",
                                     "discharge x velocity of streams, eastwards", false, PARCELS},
    [HYDRAULIC_MAP_MOMENTUM_NORTH] = {"momentum_north", "m4/s2",
                                      "discharge x velocity of streams, northwards", false,
                                      PARCELS},
};

static const wadi_preset_value hydraulic_paper_values[] = {{"model", WADI_HYDRAULIC_DROPLETS}};

// Set B of the experiments: the best looks of a range under uplift.
static const wadi_preset_value hydraulic_streams_values[] = {
    {"model", WADI_HYDRAULIC_STREAMS},
    {"erodibility", 6e-5},
    {"discharge_exponent", 0.45},
    {"settling", 0.7},
    {"lake_settling", 3000.0},
    {"creep", 0.03},
    {"max_step", 500.0},
};

static const wadi_preset hydraulic_presets[] = {
    {"default", "rain in metres and years, rivers, lakes, hillslopes", NULL, 0},
    {"paper", "the article's droplets and constants, with closed mass and an unbiased normal",
     hydraulic_paper_values, WADI_COUNT(hydraulic_paper_values)},
    {"streams",
     "all streams solved at once, in fixed steps: land under uplift, any cut of the years",
     hydraulic_streams_values, WADI_COUNT(hydraulic_streams_values)},
};

static const wadi_model hydraulic_models[WADI_HYDRAULIC_MODEL_COUNT] = {
    [WADI_HYDRAULIC_PARCELS] = {"parcels", "Parcels of rain that merge and flow to the edge.",
                                WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                    WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                    WADI_LAYER_BIT(WADI_LAYER_WATER) |
                                    WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
                                WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                    WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                    WADI_LAYER_BIT(WADI_LAYER_WATER),
                                WADI_MODEL_RANDOM, &wadi_parcels_api},
    [WADI_HYDRAULIC_DROPLETS] = {"droplets", "The article's particles with momentum.",
                                 WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                     WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                     WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
                                 WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                     WADI_LAYER_BIT(WADI_LAYER_SEDIMENT),
                                 WADI_MODEL_RANDOM | WADI_MODEL_HOLDS, &wadi_droplets_api},
    [WADI_HYDRAULIC_STREAMS] = {"streams", "All streams at once, in fixed steps.",
                                WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                    WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                    WADI_LAYER_BIT(WADI_LAYER_WATER) |
                                    WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
                                WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                    WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                    WADI_LAYER_BIT(WADI_LAYER_WATER),
                                WADI_MODEL_RANDOM, &wadi_streams_api},
};

const wadi_process wadi_hydraulic_process = {
    .name = "hydraulic",
    .doc =
        "Erosion by running water: rain gathers into rivers, which incise, transport and deposit, "
        "and fill lakes with water and sediment; slopes creep and slide.",
    .fields = &wadi_hydraulic_fields,
    .presets = hydraulic_presets,
    .preset_count = WADI_COUNT(hydraulic_presets),
    .maps = hydraulic_maps,
    .map_count = HYDRAULIC_MAP_COUNT,
    .models = hydraulic_models,
    .model_count = WADI_HYDRAULIC_MODEL_COUNT,
    .default_years = HYDRAULIC_DEFAULT_YEARS,
};
