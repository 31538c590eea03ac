// SPDX-License-Identifier: MIT
// Public interface of the wind over a terrain.
#include "core/internal.h"
#include "laws/wind/airflow.h"
#include "laws/wind/airflow_rows.h"

#include <wadi/airflow.h>

#include <math.h>
#include <string.h>

#define WIND_FIELD_NUMBER(...) FIELD_NUMBER(wadi_airflow_params, __VA_ARGS__)

// clang-format off
static const wadi_field wind_field_list[] = {
    WIND_FIELD_NUMBER(direction, 270.0, 0.0, 360.0, "degree", "where the wind comes from, clockwise from north: 270 blows to the east", "WMO convention"),
    WIND_FIELD_NUMBER(speed, 10.0, 0.0, 60.0, "m/s", "wind at 10 m above flat ground", "storms over sand seas 8-15 m/s"),
    WIND_FIELD_NUMBER(plant_height, 0.5, 0.0, 20.0, "m", "height of plants at full cover, which give shelter; lower in proportion to the cover", "shrubs of coastal dunes"),
    AIRFLOW_ROWS(wadi_airflow_params, 0),
};
// clang-format on

const wadi_field_table wadi_airflow_fields =
    FIELD_TABLE("airflow", wind_field_list, wadi_airflow_params);

struct wadi_wind_field
{
    wadi_context* context;
    wadi_terrain* terrain;
    wadi_airflow* flow;
    airflow_wind wind;
};

wadi_airflow_params wadi_airflow_params_default(void)
{
    wadi_airflow_params params;
    wadi_fields_init(&wadi_airflow_fields, &params);
    return params;
}

static airflow_law wind_field_law(const wadi_airflow_params* p)
{
    return (airflow_law)AIRFLOW_LAW_OF(p);
}

wadi_result wadi_wind_field_create(wadi_terrain* terrain, const wadi_airflow_params* params,
                                   wadi_wind_field** out)
{
    *out = NULL;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_TRY(wadi_fields_check(context, &wadi_airflow_fields, params));
    wadi_wind_field* field;
    WADI_ALLOC(context, field, 1, "a wind field");
    field->context = context;
    field->terrain = terrain;
    field->wind = (airflow_wind){params->direction, params->speed, 0.0};
    const airflow_law law = wind_field_law(params);
    const wadi_result result = wadi_airflow_create(terrain, &law, 0, &field->flow);
    if (result != WADI_OK)
    {
        wadi_free(context, field);
        return result;
    }
    *out = field;
    return WADI_OK;
}

void wadi_wind_field_destroy(wadi_wind_field* field)
{
    if (field != NULL)
    {
        wadi_airflow_destroy(field->flow);
        wadi_free(field->context, field);
    }
}

int32_t wadi_wind_field_table_count(void)
{
    return AIRFLOW_TABLE_COUNT - AIRFLOW_TABLE_GUSTS;
}

const wadi_table_info* wadi_wind_field_table(int32_t index)
{
    return index >= 0 && index < wadi_wind_field_table_count()
               ? &wadi_wind_tables[AIRFLOW_TABLE_GUSTS + index]
               : NULL;
}

wadi_result wadi_wind_field_set_table(wadi_wind_field* field, const char* name,
                                      const double* values, int32_t rows)
{
    for (int32_t i = AIRFLOW_TABLE_GUSTS; i < AIRFLOW_TABLE_COUNT; ++i)
    {
        if (strcmp(wadi_wind_tables[i].name, name) == 0)
        {
            WADI_TRY(wadi_table_check(field->context, &wadi_wind_tables[i], values, rows));
            return wadi_airflow_set_table(field->flow, i, values, rows);
        }
    }
    return wadi_fail(
        field->context, WADI_ERROR_UNKNOWN,
        "unknown table '%s' of a wind field; expected gusts, vortices, eddies or local_winds",
        name);
}

wadi_result wadi_wind_field_compute(wadi_wind_field* field, double year, float* east, float* north,
                                    float* shelter)
{
    const wadi_ground* ground = wadi_terrain_ground(field->terrain);
    field->wind.years = year;
    WADI_TRY(wadi_airflow_survey(field->flow));
    WADI_TRY(wadi_airflow_blow(field->flow, &field->wind));
    const airflow_view view = wadi_airflow_view(field->flow);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        const bool valid = ground->valid[cell] != 0;
        east[cell] = valid ? view.x[cell] : NAN;
        north[cell] = valid ? -view.y[cell] : NAN;
        shelter[cell] = valid ? view.shelter[cell] : NAN;
    }
    return WADI_OK;
}
