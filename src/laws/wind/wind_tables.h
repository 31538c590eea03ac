// SPDX-License-Identifier: MIT
// Tables of winds for processes. A process without a wind field offers only the first
// WIND_TABLE_COUNT of them.
#pragma once

#include <wadi/process.h>

enum
{
    WIND_TABLE_ROSE,
    WIND_TABLE_SERIES,
    WIND_TABLE_SCHEDULE,
    WIND_TABLE_COUNT,
    AIRFLOW_TABLE_GUSTS = WIND_TABLE_COUNT,
    AIRFLOW_TABLE_VORTICES,
    AIRFLOW_TABLE_EDDIES,
    AIRFLOW_TABLE_LOCAL_WINDS,
    AIRFLOW_TABLE_COUNT
};

extern const wadi_table_info wadi_wind_tables[AIRFLOW_TABLE_COUNT];
