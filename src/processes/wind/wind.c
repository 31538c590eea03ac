// SPDX-License-Identifier: MIT
// The process "wind": its descriptor and the code shared by its models.
#include "core/field_rows.h"
#include "core/internal.h"
#include "processes/articles/wind_grains/grains.h"
#include "processes/wind/saltation.h"

#include <wadi/airflow.h>

void wadi_wind_note_bare(const wadi_terrain* terrain)
{
    if (wadi_ground_is_bare(wadi_terrain_ground_const(terrain)))
    {
        wadi_log_line(wadi_terrain_context(terrain),
                      "the terrain has no sand, so wind can only wear rock: fill the layer "
                      "sediment, or set inflow above 0");
    }
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_map_info wind_maps[WIND_MAP_COUNT] = {
    [WIND_MAP_TRACK] = {"track", "1", "share of the wind that touches the ground, mean over time",
                        false, 0},
    [WIND_MAP_FLUX_X] = {"flux_x", "m2/yr", "mean flux of sand to the east", false, 0},
    [WIND_MAP_FLUX_Y] = {"flux_y", "m2/yr", "mean flux of sand to the north", false, 0},
    [WIND_MAP_MOMENTUM] = {"momentum", "1", "mean wind near the ground over the prevailing wind",
                           false, 0},
    [WIND_MAP_AIRBORNE] = {"airborne", "m3/m2", "sand in the air in the last batch", false, 0},
    [WIND_MAP_TRANSIT] = {"transit", "m",
                          "sand that the wind held when the run ended; the ledger's transit", false,
                          0},
    [WIND_MAP_WEAR] = {"wear", "m", "rock worn since the start", false, 0},
    [WIND_MAP_DEPOSIT] = {"deposit", "m", "gross raising since the start", false, 0},
    SAND_TOP_MAPS(FIELD_MODEL(WADI_WIND_SALTATION)),
};

// The article's wind blows along (1, 1): from the north-west.
static const wadi_preset_value wind_paper_values[] = {
    {"model", WADI_WIND_GRAINS},
    {"direction", 315.0},
};

static const wadi_preset_value wind_paper_repo_values[] = {
    {"model", WADI_WIND_GRAINS}, {"direction", 315.0},     {"grain_wind", 2.0},
    {"grain_suspension", 0.002}, {"grain_abrasion", 0.01}, {"grain_settling", 0.05},
};

static const wadi_preset wind_presets[] = {
    {"default", "parcels of saltating sand in metres and years", NULL, 0},
    {"paper", "the article's wind particles, with the constants that it prints", wind_paper_values,
     WADI_COUNT(wind_paper_values)},
    {"paper-repo", "the same with the constants of the released code, which moves more sand",
     wind_paper_repo_values, WADI_COUNT(wind_paper_repo_values)},
};

#define WIND_READS                                                                                 \
    (WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |                    \
     WADI_LAYER_BIT(WADI_LAYER_HARDNESS))
#define WIND_WRITES (WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT))

// clang-format off
static const wadi_figure_info wind_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"wind_hours", "h", WADI_FIGURE_SUM, "hours in which the wind moved sand", FIELD_MODEL(WADI_WIND_SALTATION)},
    {"sand_passed", "m2", WADI_FIGURE_SUM, "sand that passes a line across the saturated wind, for each metre of it [m3/m]", FIELD_MODEL(WADI_WIND_SALTATION)},
    {"feature_size", "m", WADI_FIGURE_STATE, "length of the dunes that the law is scaled to", FIELD_MODEL(WADI_WIND_SALTATION)},
    {"lifted", "m3", WADI_FIGURE_SUM, "sand that was lifted", FIELD_MODEL(WADI_WIND_GRAINS)},
    {"laid_down", "m3", WADI_FIGURE_SUM, "sand that was laid down", FIELD_MODEL(WADI_WIND_GRAINS)},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature the process runs: always 1", 0},
};
// clang-format on

static const wadi_model wind_models[WADI_WIND_MODEL_COUNT] = {
    [WADI_WIND_SALTATION] = {"saltation", "Parcels of sand that fly, slide and settle.",
                             WIND_READS | WADI_LAYER_BIT(WADI_LAYER_WATER) |
                                 WADI_LAYER_BIT(WADI_LAYER_MOISTURE) |
                                 WADI_LAYER_BIT(WADI_LAYER_VEGETATION),
                             WIND_WRITES, WADI_MODEL_RANDOM | WADI_MODEL_HOLDS | WADI_MODEL_GATHERS,
                             &wadi_saltation_api},
    [WADI_WIND_GRAINS] = {"grains", "The article's particles.", WIND_READS, WIND_WRITES,
                          WADI_MODEL_RANDOM | WADI_MODEL_HOLDS | WADI_MODEL_GATHERS,
                          &wadi_grains_api},
};

const wadi_process wadi_wind_process = {
    .name = "wind",
    .doc = "Erosion by wind: parcels of air and sand fly, slide and settle, build dunes that "
           "wander and merge, shelter lees and wear bare rock.",
    .fields = &wadi_wind_fields,
    .presets = wind_presets,
    .preset_count = WADI_COUNT(wind_presets),
    .maps = wind_maps,
    .map_count = WIND_MAP_COUNT,
    .figures = wind_figure_list,
    .figure_count = WADI_COUNT(wind_figure_list),
    .tables = wadi_wind_tables,
    .table_count = AIRFLOW_TABLE_COUNT,
    .models = wind_models,
    .model_count = WADI_WIND_MODEL_COUNT,
    .default_years = WIND_DEFAULT_YEARS,
    .example = "  size: [256, 256]\n  cell: 2 m\n  edges: periodic\n"
               "  noise: {kind: fbm, relief: 0.4 m, wavelength: 16 m, octaves: 2}\n"
               "layers:\n  sediment: 6 m\n",
};
