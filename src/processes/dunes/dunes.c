// SPDX-License-Identifier: MIT
// The process "dunes": its descriptor and the code shared by its models.
#include "core/field_rows.h"
#include "core/internal.h"
#include "processes/dunes/dunes_internal.h"

void wadi_dunes_note_bare(const wadi_terrain* terrain, const wadi_dunes_params* params)
{
    if (params->inflow > 0.0 || params->shore_supply > 0.0)
    {
        return;
    }
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    if (!wadi_partition_any(ground->part, !wadi_ground_is_bare(ground)) &&
        wadi_ground_is_first(ground))
    {
        wadi_log_line(wadi_terrain_context(terrain),
                      "there is no sand for dunes: fill the layer sediment, or set inflow above "
                      "0");
    }
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_map_info dunes_maps[DUNES_MAP_COUNT] = {
    [DUNES_MAP_FLUX_X] = {"flux_x", "m2/yr", "mean flux of sand to the east", false, 0},
    [DUNES_MAP_FLUX_Y] = {"flux_y", "m2/yr", "mean flux of sand to the north", false, 0},
    [DUNES_MAP_WIND] = {"wind", "1", "wind near the ground over that of flat ground, at the end",
                        false, 0},
    [DUNES_MAP_SHELTER] = {"shelter", "1",
                           "share of the wind blocked by relief and plants, at the "
                           "end",
                           false, 0},
    [DUNES_MAP_AIRBORNE] = {"airborne", "m3/m2", "sand in the air", false, 0},
    [DUNES_MAP_WEAR] = {"wear", "m", "rock worn since the start", false, 0},
    SAND_TOP_MAPS(0),
};

// The article's wind never stops. In a year 36.5 slabs of 0.1 m leave every cell, each of which
// travels 8 / 0.6 m in a wind of 15 m/s and two thirds of that at 10 m/s, the reference of `flux`.
static const wadi_preset_value dunes_paper_values[] = {
    {"model", WADI_DUNES_SLAB}, {"flux", 32.44},
    {"blowing", 1.0},           {"threshold", 0.0},
    {"repose", 30.0},           {"slab_wear_gain", 12.5},
    {"slab_spread", 0.0},       {"slab_law", WADI_DUNES_SLAB_ARTICLE},
};

// For winds of unequal strength; docs/theory/dunes.md, "Straight ridges", has what it costs.
static const wadi_preset_value dunes_oblique_values[] = {{"shear_across", 0.7}};

static const wadi_preset dunes_presets[] = {
    {"default", "a continuous flux of sand under the shear stress of the wind", NULL, 0},
    {"oblique", "the same, with crests that turn right under unequal winds, but no fingers",
     dunes_oblique_values, WADI_COUNT(dunes_oblique_values)},
    {"paper", "the article's slabs of sand, with its constants", dunes_paper_values,
     WADI_COUNT(dunes_paper_values)},
};

#define DUNES_READS                                                                                \
    (WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |                    \
     WADI_LAYER_BIT(WADI_LAYER_WATER) | WADI_LAYER_BIT(WADI_LAYER_HARDNESS) |                      \
     WADI_LAYER_BIT(WADI_LAYER_MOISTURE) | WADI_LAYER_BIT(WADI_LAYER_VEGETATION))
#define DUNES_WRITES                                                                               \
    (WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |                    \
     WADI_LAYER_BIT(WADI_LAYER_VEGETATION))

// clang-format off
static const wadi_figure_info dunes_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"wind_hours", "h", WADI_FIGURE_SUM, "hours in which the wind moved sand", 0},
    {"sand_passed", "m2", WADI_FIGURE_SUM, "sand that passes a line across the saturated wind, for each metre of it [m3/m]", 0},
    {"saturation_length", "m", WADI_FIGURE_STATE, "length over which the flux of sand comes to saturation", FIELD_MODEL(WADI_DUNES_FLUX)},
    {"slab_step", "d", WADI_FIGURE_STATE, "time between two hops of slabs", FIELD_MODEL(WADI_DUNES_SLAB)},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature the process runs: 1; model slab: `slab_wear_gain`, for wear alone", 0},
};
// clang-format on

static const wadi_model dunes_models[WADI_DUNES_MODEL_COUNT] = {
    [WADI_DUNES_FLUX] = {"flux", "A continuous flux of sand under the shear stress of the wind.",
                         DUNES_READS, DUNES_WRITES, WADI_MODEL_HOLDS | WADI_MODEL_GATHERS,
                         &wadi_dunes_flux_api},
    [WADI_DUNES_SLAB] = {"slab", "The article's slabs of sand that hop at random.", DUNES_READS,
                         DUNES_WRITES, WADI_MODEL_RANDOM | WADI_MODEL_WINDOWS | WADI_MODEL_GATHERS,
                         &wadi_dunes_slab_api},
};

const wadi_process wadi_dunes_process = {
    .name = "dunes",
    .doc = "Dunes: wind over relief lifts sand where it speeds up and drops it where it slows; "
           "slip faces avalanche, lees are sheltered, plants hold sand and bare rock is worn.",
    .fields = &wadi_dunes_fields,
    .presets = dunes_presets,
    .preset_count = WADI_COUNT(dunes_presets),
    .maps = dunes_maps,
    .map_count = DUNES_MAP_COUNT,
    .figures = dunes_figure_list,
    .figure_count = WADI_COUNT(dunes_figure_list),
    .tables = wadi_wind_tables,
    .table_count = AIRFLOW_TABLE_COUNT,
    .models = dunes_models,
    .model_count = WADI_DUNES_MODEL_COUNT,
    .default_years = DUNES_DEFAULT_YEARS,
    .example = "  size: [256, 256]\n  cell: 2 m\n  edges: periodic\n"
               "  noise: {kind: fbm, relief: 0.4 m, wavelength: 16 m, octaves: 2}\n"
               "layers:\n  sediment: 6 m\n",
};
