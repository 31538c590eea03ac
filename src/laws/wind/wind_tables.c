// SPDX-License-Identifier: MIT
#include "laws/wind/wind_tables.h"

#define TABLES_COLUMNS(columns) columns, (int32_t)(sizeof(columns) / sizeof(columns)[0])

static const wadi_column tables_rose[] = {
    {"direction", "degree", 0.0, 360.0},
    {"speed", "m/s", 0.0, 60.0},
    {"share", "1", 0.0, 1.0},
};

static const wadi_column tables_series[] = {
    {"hours", "h", 0.0, 1e6},
    {"direction", "degree", 0.0, 360.0},
    {"speed", "m/s", 0.0, 60.0},
};

static const wadi_column tables_schedule[] = {
    {"year", "yr", 0.0, 1e9},
    {"direction", "degree", 0.0, 360.0},
    {"speed", "m/s", 0.0, 60.0},
    {"share", "1", 0.0, 1.0},
};

// Position and period of a gust, vortex or eddy field.
#define TABLES_PLACE                                                                               \
    {"x", "m", -1e7, 1e7}, {"y", "m", -1e7, 1e7}, {"radius", "m", 0.0, 1e7},                       \
        {"from", "yr", 0.0, 1e9},                                                                  \
    {                                                                                              \
        "until", "yr", 0.0, 1e9                                                                    \
    }

static const wadi_column tables_gusts[] = {
    TABLES_PLACE,
    {"direction", "degree", 0.0, 360.0},
    {"speed", "m/s", 0.0, 60.0},
};

static const wadi_column tables_vortices[] = {
    TABLES_PLACE,
    {"speed", "m/s", -60.0, 60.0},
};

static const wadi_column tables_eddies[] = {
    TABLES_PLACE,
    {"speed", "m/s", 0.0, 60.0},
    {"size", "m", 0.0, 1e6},
};

// The minimum of `years` is that of the parameter `cycle`.
static const wadi_column tables_local_winds[] = {
    {"x", "m", -1e7, 1e7},
    {"y", "m", -1e7, 1e7},
    {"radius", "m", 0.0, 1e7},
    {"soft", "m", 0.0, 1e7},
    {"direction", "degree", 0.0, 360.0},
    {"speed", "m/s", 0.0, 60.0},
    {"years", "yr", 1e-3, 1e4},
};

const wadi_table_info wadi_wind_tables[AIRFLOW_TABLE_COUNT] = {
    [WIND_TABLE_ROSE] =
        {"rose", "winds that take turns every year, in place of the one; calms have speed 0",
         TABLES_COLUMNS(tables_rose), 0, 0},
    [WIND_TABLE_SERIES] =
        {"series", "winds one after the other, in place of the one; begins again at its end",
         TABLES_COLUMNS(tables_series), 0, 0},
    [WIND_TABLE_SCHEDULE] =
        {"schedule", "roses that follow each other: rows of one year are the rose from then on",
         TABLES_COLUMNS(tables_schedule), 0, 0},
    [AIRFLOW_TABLE_GUSTS] =
        {"gusts", "winds added within a radius of a place (0: everywhere), from year to year",
         TABLES_COLUMNS(tables_gusts), 0, 0},
    [AIRFLOW_TABLE_VORTICES] =
        {"vortices",
         "air that turns about a place, speed that of its fastest ring; above 0 "
         "anticlockwise",
         TABLES_COLUMNS(tables_vortices), 0, 0},
    [AIRFLOW_TABLE_EDDIES] =
        {"eddies", "curl noise of that size and mean speed within a radius (0: everywhere)",
         TABLES_COLUMNS(tables_eddies), 0, 0},
    [AIRFLOW_TABLE_LOCAL_WINDS] =
        {"local_winds",
         "winds of a place in place of the one of the map: rows of one place take turns of so many "
         "years",
         TABLES_COLUMNS(tables_local_winds), 0, 0},
};
