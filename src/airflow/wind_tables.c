// SPDX-License-Identifier: MIT
#include "airflow/wind_tables.h"

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

const wadi_table_info wadi_wind_tables[WIND_TABLE_COUNT] = {
    [WIND_TABLE_ROSE] =
        {"rose", "winds that take turns every year, in place of the one; calms have speed 0",
         TABLES_COLUMNS(tables_rose)},
    [WIND_TABLE_SERIES] =
        {"series", "winds one after the other, in place of the one; begins again at its end",
         TABLES_COLUMNS(tables_series)},
    [WIND_TABLE_SCHEDULE] =
        {"schedule", "roses that follow each other: rows of one year are the rose from then on",
         TABLES_COLUMNS(tables_schedule)},
};
