// SPDX-License-Identifier: MIT
// The process "riverbed": its descriptor.
#include "core/field_rows.h"
#include "core/internal.h"
#include "processes/riverbed/riverbed_internal.h"

#define GRADED FIELD_MODEL(WADI_RIVERBED_GRADED)

static const wadi_map_info riverbed_maps[RIVERBED_MAP_COUNT] = {
    [RIVERBED_MAP_WEAR] = {"wear", "m", "gross lowering since the start", false, 0},
    [RIVERBED_MAP_DEPOSIT] = {"deposit", "m", "gross raising since the start", false, GRADED},
    [RIVERBED_MAP_BED] = {"bed", "1", "1 in the middle of the bed, 0 on its banks and beyond",
                          false, GRADED},
    [RIVERBED_MAP_LEVEL] = {"level", "m",
                            "elevation of bankfull water in the bed, of the surface elsewhere",
                            false, 0},
    [RIVERBED_MAP_DEPTH] = {"depth", "m", "depth of bankfull water", false, GRADED},
    [RIVERBED_MAP_LOAD] = {"load", "m3", "sediment that passes per batch, in the bed", false,
                           GRADED},
    [RIVERBED_MAP_AGE] = {"age", "yr",
                          "time since the river last ran through the cell; 0 where it never did",
                          false, GRADED},
};

static const wadi_column riverbed_emitter_columns[RIVERBED_EMITTER_COLUMNS] = {
    [RIVERBED_EMITTER_X] = {"x", "m", -1e9, 1e9},
    [RIVERBED_EMITTER_Y] = {"y", "m", -1e9, 1e9},
    [RIVERBED_EMITTER_WIDTH] = {"width", "m", 0.0, 1e7},
    [RIVERBED_EMITTER_AZIMUTH] = {"azimuth", "degree", -360.0, 360.0},
    [RIVERBED_EMITTER_SPREAD] = {"spread", "degree", 0.0, 180.0},
    [RIVERBED_EMITTER_QUANTITY] = {"quantity", "1", 0.0, 1e7},
    [RIVERBED_EMITTER_RATE] = {"rate", "1/yr", 0.0, 1e9},
    [RIVERBED_EMITTER_DISCHARGE] = {"discharge", "m3/s", 1e-3, 1e6},
};

static const wadi_table_info riverbed_tables[] = {
    {"emitters",
     "windows of emitters, in place of the single one; x counts eastwards and y northwards from "
     "the south-west. Graded rivers use x, y, width, azimuth and discharge; model paper all but "
     "discharge",
     riverbed_emitter_columns, RIVERBED_EMITTER_COLUMNS, 0, 0},
};

static const wadi_preset_value riverbed_paper_values[] = {
    {"model", WADI_RIVERBED_PAPER}, {"kappa", 1.0}, {"water", 0.0}};

static const wadi_preset_value riverbed_free_values[] = {
    {"path", WADI_RIVERBED_FREE}, {"bend_length", 9.0}, {"batches", 240.0}, {"incision", 0.1}};

static const wadi_preset riverbed_presets[] = {
    {"default", "a graded river: bends, bars, banks, sediment transport", NULL, 0},
    {"free", "bends that migrate by their curvature, cut-offs, oxbow lakes and levees",
     riverbed_free_values, WADI_COUNT(riverbed_free_values)},
    {"paper", "Eq 2 unchanged: a stamp is a hemisphere in metres, and beds are deep",
     riverbed_paper_values, WADI_COUNT(riverbed_paper_values)},
};

#define RIVERBED_READS                                                                             \
    (WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |                    \
     WADI_LAYER_BIT(WADI_LAYER_WATER) | WADI_LAYER_BIT(WADI_LAYER_HARDNESS))
#define RIVERBED_WRITES                                                                            \
    (WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |                    \
     WADI_LAYER_BIT(WADI_LAYER_WATER))

// clang-format off
static const wadi_figure_info riverbed_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"denudation", "mm/kyr", WADI_FIGURE_MEAN, "mean lowering of the map a year by the matter that left it; model paper: that was removed", 0},
    {"exported", "m3", WADI_FIGURE_SUM, "sediment that left the map", FIELD_MODEL(WADI_RIVERBED_GRADED)},
    {"sinuosity", "1", WADI_FIGURE_STATE, "length of the river over the distance of its ends", FIELD_MODEL(WADI_RIVERBED_GRADED)},
    {"ended_inside", "1", WADI_FIGURE_SUM, "particles that ended inside the map", FIELD_MODEL(WADI_RIVERBED_GRADED)},
    {"pits_filled", "m3", WADI_FIGURE_SUM, "sediment with which hollows of the bed were filled", FIELD_MODEL(WADI_RIVERBED_GRADED)},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature bends grow: 100 years over `growth`", FIELD_MODEL(WADI_RIVERBED_GRADED)},
    {"cutoffs", "1", WADI_FIGURE_SUM, "bends that were cut off", FIELD_MODEL(WADI_RIVERBED_GRADED)},
    {"deepest", "m", WADI_FIGURE_STATE, "deepest wear of a cell", FIELD_MODEL(WADI_RIVERBED_PAPER)},
    {"removed", "m3", WADI_FIGURE_SUM, "matter that was removed", FIELD_MODEL(WADI_RIVERBED_PAPER)},
};
// clang-format on

static const wadi_model riverbed_models[WADI_RIVERBED_MODEL_COUNT] = {
    [WADI_RIVERBED_GRADED] = {"graded", "Graded rivers that transport their sediment load.",
                              RIVERBED_READS, RIVERBED_WRITES,
                              WADI_MODEL_RANDOM | WADI_MODEL_HOLDS | WADI_MODEL_GATHERS,
                              &wadi_graded_api},
    [WADI_RIVERBED_PAPER] = {"paper", "The particles of the paper, which only remove matter.",
                             RIVERBED_READS, RIVERBED_WRITES,
                             WADI_MODEL_RANDOM | WADI_MODEL_GATHERS, &wadi_riverbed_paper_api},
};

const wadi_process wadi_riverbed_process = {
    .name = "riverbed",
    .doc =
        "Rivers that enter through a window on a side. Their particles circle, incise a graded bed "
        "and deposit their load inside bends. Model paper has the particles of the paper, which "
        "only cut soft ground.",
    .fields = &wadi_riverbed_fields,
    .presets = riverbed_presets,
    .preset_count = WADI_COUNT(riverbed_presets),
    .maps = riverbed_maps,
    .map_count = RIVERBED_MAP_COUNT,
    .figures = riverbed_figure_list,
    .figure_count = WADI_COUNT(riverbed_figure_list),
    .tables = riverbed_tables,
    .table_count = WADI_COUNT(riverbed_tables),
    .models = riverbed_models,
    .model_count = WADI_RIVERBED_MODEL_COUNT,
    .default_years = 1.0,
};
