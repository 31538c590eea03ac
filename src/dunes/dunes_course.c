// SPDX-License-Identifier: MIT
#include "airflow/wind_drift.h"
#include "dunes/dunes_internal.h"

wadi_result wadi_dunes_course_create(wind_course* course, wadi_context* context,
                                     const wadi_dunes_params* params)
{
    const wind_prevailing prevailing = {params->regime, params->direction, params->speed,
                                        params->blowing, params->cycle};
    return wadi_wind_course_regime(course, context, &prevailing);
}

wadi_result wadi_dunes_course_table(wind_course* course, wadi_context* context,
                                    const wadi_dunes_params* params, int32_t index,
                                    const double* rows, int32_t count)
{
    const double gain = wadi_wind_gain(params->anemometer, params->roughness);
    return wadi_wind_course_table(course, context, index, rows, count, params->cycle, gain);
}
