// SPDX-License-Identifier: MIT
// The process "hydraulic": its descriptor, and code that its models share.
#include "process/figure_row.h"
#include "processes/hydraulic/hydraulic_internal.h"

#include "core/field_rows.h"
#include "core/internal.h"

#include <math.h>
#include <string.h>

// Sediment that has left, less what rivers have brought in [m3].
static double hydraulic_exported(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger_of(terrain, "hydraulic", rows, WADI_MAX_MATERIALS);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT && count > WADI_MATERIAL_SEDIMENT; ++side)
    {
        sum += rows[WADI_MATERIAL_SEDIMENT].out[side];
    }
    return count > WADI_MATERIAL_SEDIMENT ? sum - rows[WADI_MATERIAL_SEDIMENT].in : sum;
}

wadi_result wadi_hydraulic_check_sums(const wadi_terrain* terrain, const int32_t* wear,
                                      const int32_t* deposit)
{
    const int64_t cells = wadi_terrain_ground_const(terrain)->cells;
    bool sound = true;
    for (int64_t c = 0; c < cells && sound; ++c)
    {
        sound = wear[c] >= 0 && deposit[c] >= 0;
    }
    WADI_CHECK(wadi_terrain_context(terrain), sound, WADI_ERROR_FORMAT,
               "the saved maps of wear and deposits have values below 0");
    return WADI_OK;
}

int32_t wadi_hydraulic_figures(const wadi_terrain* terrain, double years, wadi_figure* rows)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double area = (double)wadi_terrain_valid_count(terrain) * cell * cell;
    const double lowering = area > 0.0 ? hydraulic_exported(terrain) / area : 0.0;
    const wadi_figure all[] = {
        wadi_figure_of("years", years),
        wadi_figure_of("denudation", years > 0.0 ? lowering / years * 1e6 : 0.0),
        wadi_figure_of("mean_lowering", lowering),
        wadi_figure_of("acceleration", 1.0),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

void wadi_hydraulic_note_rivers(const wadi_terrain* terrain, const char* model, bool* noted)
{
    const int32_t count = *noted ? 0 : wadi_terrain_rivers(terrain, NULL, 0);
    if (count > 0)
    {
        *noted = true;
        wadi_log_line(wadi_terrain_context(terrain),
                      "hydraulic: model '%s' has no rivers from outside, so %d of the terrain "
                      "stay dry; model 'streams' brings their water",
                      model, count);
    }
}

int64_t wadi_hydraulic_cell_at(const wadi_ground* ground, double x, double y)
{
    const double cell = ground->cell_size;
    const bool inside =
        x >= 0.0 && x <= ground->width * cell && y >= 0.0 && y <= ground->height * cell;
    if (!inside)
    {
        return -1;
    }
    const double east = floor(x / cell);
    const double north = floor(y / cell);
    const int32_t column = east < ground->width - 1 ? (int32_t)east : ground->width - 1;
    const int32_t up = north < ground->height - 1 ? (int32_t)north : ground->height - 1;
    return (int64_t)(ground->height - 1 - up) * ground->width + column;
}

// ---- descriptor --------------------------------------------------------------------------

#define PARCELS FIELD_MODEL(WADI_HYDRAULIC_PARCELS)
#define STREAMS FIELD_MODEL(WADI_HYDRAULIC_STREAMS)
#define ALLUVIAL FIELD_MODEL(WADI_HYDRAULIC_ALLUVIAL)
#define POWER FIELD_MODEL(WADI_HYDRAULIC_STREAM_POWER)
#define WATER (PARCELS | STREAMS | POWER)
#define UPLAND (WATER | FIELD_MODEL(WADI_HYDRAULIC_DROPLETS))

static const wadi_map_info hydraulic_maps[HYDRAULIC_MAP_COUNT] = {
    [HYDRAULIC_MAP_RAIN] = {"rain", "m/yr",
                            "effective rain, in place of the constant; of droplets the share of "
                            "each cell",
                            true, UPLAND},
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
    [HYDRAULIC_MAP_RAINFALL] = {"rainfall", "m/yr", "rain of the last step", false, STREAMS},
    [HYDRAULIC_MAP_FLOOD_DEPTH] = {"flood_depth", "m", "mean depth of floods, and of the sea",
                                   false, STREAMS | ALLUVIAL},
    [HYDRAULIC_MAP_COARSE] = {"coarse", "1", "share of coarse load at the surface", false,
                              STREAMS | ALLUVIAL},
    [HYDRAULIC_MAP_FLOOD_FLOW] = {"flood_flow", "m3/s", "discharge of floods on alluvial reaches",
                                  false, STREAMS},
    [HYDRAULIC_MAP_PLAINS] = {"plains", "1", "1 on alluvial reaches of streams", false, STREAMS},
    [HYDRAULIC_MAP_RIVER_WIDTH] = {"river_width", "m", "width of the bed of a river; 0 in lakes",
                                   false, STREAMS},
};

// Maps of floods on alluvial reaches of streams.
static const wadi_map_switch hydraulic_switches[] = {
    {"flood_depth", "plains"},
    {"coarse", "plains"},
    {"flood_flow", "plains"},
    {"plains", "plains"},
};

static const wadi_preset_value hydraulic_paper_values[] = {{"model", WADI_HYDRAULIC_DROPLETS}};

static const wadi_column hydraulic_inflow_columns[HYDRAULIC_INFLOW_COLUMNS] = {
    {"x", "m", -1e9, 1e9},        {"y", "m", -1e9, 1e9},
    {"year", "yr", -1e9, 1e9},    {"discharge", "m3/s", 0.0, 1e6},
    {"load", "m3/yr", 0.0, 1e10}, {"concentration", "kg/m3", 0.0, 1500.0},
};

static const wadi_column hydraulic_climate_columns[HYDRAULIC_CLIMATE_COLUMNS] = {
    {"year", "yr", -1e9, 1e9},
    {"factor", "1", 0.0, 100.0},
};

static const wadi_column hydraulic_season_columns[HYDRAULIC_SEASON_COLUMNS] = {
    {"share", "1", 0.0, 1.0},
    {"factor", "1", 0.0, 1e4},
};

static const wadi_table_info hydraulic_tables[HYDRAULIC_TABLE_COUNT] = {
    [HYDRAULIC_TABLE_INFLOW] = {"inflow",
                                "rivers that enter: place from the south-west corner, discharge, "
                                "and load as bulk volume, as concentration or both; rows of one "
                                "place that follow one another are a hydrograph, linear between "
                                "years",
                                hydraulic_inflow_columns, HYDRAULIC_INFLOW_COLUMNS,
                                STREAMS | ALLUVIAL, 1 << 2 | 1 << 4 | 1 << 5},
    [HYDRAULIC_TABLE_CLIMATE] = {"climate", "factor of the rain by year, linear between rows",
                                 hydraulic_climate_columns, HYDRAULIC_CLIMATE_COLUMNS, STREAMS, 0},
    [HYDRAULIC_TABLE_SEASONS] = {"seasons",
                                 "seasons and storms: shares of the year, and discharge in them "
                                 "over the mean; factors are divided by their mean",
                                 hydraulic_season_columns, HYDRAULIC_SEASON_COLUMNS, STREAMS, 0},
};

// Fitted by hand to noise of four seeds, on cells of 30 m.
static const wadi_preset_value hydraulic_parcels_values[] = {
    {"model", WADI_HYDRAULIC_PARCELS},
    {"erodibility", 1e-5},
    {"discharge_exponent", 0.58},
    {"settling", 2.0},
    {"lake_settling", 500.0},
    {"creep", 0.01},
    {"lake_repose", 1.7},
    {"max_step", 5000.0},
};

// Found by a search of 90 sets on ranges that rise by 0.8 mm/yr, on cells of 30 m:
// docs/theory/streams.md, Ranges. Not the defaults, since wear then depends more on the size of
// cells.
static const wadi_preset_value hydraulic_range_values[] = {
    {"settling", 4.0},     {"creep", 0.002},  {"channel_head", 1.4e4},
    {"floor_width", 65.0}, {"flushing", 0.8},
};

// A gravel river near the threshold of motion, whose banks do not hold: docs/theory/alluvial.md,
// Threads, bars and levees.
static const wadi_preset_value hydraulic_braid_values[] = {
    {"model", WADI_HYDRAULIC_ALLUVIAL},
    {"flood_days", 30.0},
    {"flood_spread", 0.1},
    {"flood_step", 0.2},
    {"round_volume", 4.0},
    {"flood_parcels", 250},
    {"depth_power", 2.0},
    {"focus", 2},
    {"gathering", 0.0},
    {"bed_speed", 1.2},
    {"bed_rate", 4e-3},
    {"adaptation", 60.0},
    {"cross_slope", 5.0},
    {"deposit_depth", 0.03},
};

// Floods that sink into their fan, and load that comes to equilibrium far from the head: fitted to
// cones.
static const wadi_preset_value hydraulic_fan_values[] = {
    {"model", WADI_HYDRAULIC_ALLUVIAL},
    {"flood_memory", 1.0},
    {"adaptation", 1500.0},
    {"seepage", 1.2e-4},
};

// A river of fine sand and much mud, which settles beside the threads and builds levees.
static const wadi_preset_value hydraulic_delta_values[] = {
    {"model", WADI_HYDRAULIC_ALLUVIAL},
    {"flood_days", 30.0},
    {"flood_spread", 0.4},
    {"flood_memory", 6.0},
    {"flood_step", 0.25},
    {"round_volume", 1.6},
    {"flood_parcels", 100},
    {"depth_power", 3.2},
    {"focus", 1},
    {"gathering", 0.0},
    {"bed_friction", 0.003},
    {"bed_speed", 0.3},
    {"bed_exponent", 5.0},
    {"bed_rate", 2e-4},
    {"adaptation", 100.0},
    {"cross_slope", 0.6},
    {"deposit_depth", 0.003},
    {"fine_share", 0.85},
    {"fine_speed", 0.8},
};

static const wadi_preset_value hydraulic_power_values[] = {
    {"model", WADI_HYDRAULIC_STREAM_POWER},
    {"settling", 1.0},
    {"max_step", 1000.0},
};

static const wadi_preset hydraulic_presets[] = {
    {"default",
     "all streams solved at once in fixed steps: rivers, lakes, hillslopes, any cut of the years",
     NULL, 0},
    {"paper", "the article's droplets and constants, with closed mass and an unbiased normal",
     hydraulic_paper_values, WADI_COUNT(hydraulic_paper_values)},
    {"parcels", "parcels of rain that merge; bends of streams on cells under 10 m",
     hydraulic_parcels_values, WADI_COUNT(hydraulic_parcels_values)},
    {"range", "ranges that rise: valleys between ridges as in nature (fitted on cells of 30 m)",
     hydraulic_range_values, WADI_COUNT(hydraulic_range_values)},
    {"braid",
     "a gravel river with much load on a valley floor: threads that part and join, and bars",
     hydraulic_braid_values, WADI_COUNT(hydraulic_braid_values)},
    {"fan", "floods that leave mountains and sink into the gravel of their fan: cones",
     hydraulic_fan_values, WADI_COUNT(hydraulic_fan_values)},
    {"delta", "a river of fine sand and mud that enters standing water: channels between levees",
     hydraulic_delta_values, WADI_COUNT(hydraulic_delta_values)},
    {"stream_power", "the stream power law with deposition, on grids larger than memory too",
     hydraulic_power_values, WADI_COUNT(hydraulic_power_values)},
};

// clang-format off
static const wadi_figure_info hydraulic_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"denudation", "mm/kyr", WADI_FIGURE_MEAN, "mean lowering of the map a year by sediment that left it, less what rivers brought", 0},
    {"mean_lowering", "m", WADI_FIGURE_SUM, "the same over all years", 0},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature the process runs: always 1", 0},
    {"rain", "m3", WADI_FIGURE_SUM, "water of rain; 0 in model alluvial, whose water comes with rivers", STREAMS | ALLUVIAL | POWER},
    {"inflow", "m3", WADI_FIGURE_SUM, "water that rivers of table `inflow` brought", STREAMS | ALLUVIAL},
    {"outflow", "m3", WADI_FIGURE_SUM, "water that left over open edges and into cells without data", STREAMS | ALLUVIAL | POWER},
    {"evaporation", "m3", WADI_FIGURE_SUM, "water that lakes lost by `lake_evaporation`", STREAMS},
    {"into_sea", "m3", WADI_FIGURE_SUM, "water that came into the sea or a lake", ALLUVIAL},
    {"infiltrated", "m3", WADI_FIGURE_SUM, "water that sank into the ground, by `infiltration` and `seepage`", ALLUVIAL},
    {"strayed", "m3", WADI_FIGURE_SUM, "water of parcels that lost their way: it stays in hollows and dries up", ALLUVIAL},
};
// clang-format on

static const wadi_model hydraulic_models[WADI_HYDRAULIC_MODEL_COUNT] = {
    [WADI_HYDRAULIC_STREAMS] =
        {"streams", "All streams at once, in fixed steps.",
         WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
             WADI_LAYER_BIT(WADI_LAYER_WATER) | WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
         WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
             WADI_LAYER_BIT(WADI_LAYER_WATER),
         WADI_MODEL_RANDOM | WADI_MODEL_HOLDS | WADI_MODEL_OWN_STEP | WADI_MODEL_GATHERS,
         &wadi_streams_api},
    [WADI_HYDRAULIC_PARCELS] = {"parcels", "Parcels of rain that merge and flow to the edge.",
                                WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                    WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                    WADI_LAYER_BIT(WADI_LAYER_WATER) |
                                    WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
                                WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                    WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                    WADI_LAYER_BIT(WADI_LAYER_WATER),
                                WADI_MODEL_RANDOM | WADI_MODEL_GATHERS, &wadi_parcels_api},
    [WADI_HYDRAULIC_DROPLETS] = {"droplets", "The article's particles with momentum.",
                                 WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                     WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                                     WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
                                 WADI_LAYER_BIT(WADI_LAYER_BEDROCK) |
                                     WADI_LAYER_BIT(WADI_LAYER_SEDIMENT),
                                 WADI_MODEL_RANDOM | WADI_MODEL_HOLDS | WADI_MODEL_GATHERS,
                                 &wadi_droplets_api},
    [WADI_HYDRAULIC_ALLUVIAL] =
        {"alluvial", "Rivers that build fans, deltas and braided plains.",
         WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
             WADI_LAYER_BIT(WADI_LAYER_WATER),
         WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) | WADI_LAYER_BIT(WADI_LAYER_WATER),
         WADI_MODEL_RANDOM | WADI_MODEL_HOLDS | WADI_MODEL_GATHERS | WADI_MODEL_UNDER_WATER,
         &wadi_alluvial_api},
    [WADI_HYDRAULIC_STREAM_POWER] =
        {"stream_power", "The stream power law along the steepest ways, with deposition.",
         WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
             WADI_LAYER_BIT(WADI_LAYER_WATER) | WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
         WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
             WADI_LAYER_BIT(WADI_LAYER_WATER),
         WADI_MODEL_RANDOM | WADI_MODEL_WINDOWS, &wadi_stream_power_api},
};

static const double hydraulic_model_years[WADI_HYDRAULIC_MODEL_COUNT] = {
    [WADI_HYDRAULIC_STREAMS] = HYDRAULIC_STREAM_YEARS,
    [WADI_HYDRAULIC_PARCELS] = HYDRAULIC_BATCH_YEARS,
    [WADI_HYDRAULIC_DROPLETS] = HYDRAULIC_BATCH_YEARS,
    [WADI_HYDRAULIC_ALLUVIAL] = HYDRAULIC_FLOOD_YEARS,
    [WADI_HYDRAULIC_STREAM_POWER] = HYDRAULIC_STREAM_YEARS,
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
    .figures = hydraulic_figure_list,
    .figure_count = WADI_COUNT(hydraulic_figure_list),
    .tables = hydraulic_tables,
    .table_count = HYDRAULIC_TABLE_COUNT,
    .models = hydraulic_models,
    .model_count = WADI_HYDRAULIC_MODEL_COUNT,
    .default_years = HYDRAULIC_STREAM_YEARS,
    .model_years = hydraulic_model_years,
    .switches = hydraulic_switches,
    .switch_count = WADI_COUNT(hydraulic_switches),
};
