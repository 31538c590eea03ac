// SPDX-License-Identifier: MIT
#include "laws/wind/wind_drift.h"
#include "processes/dunes/dunes_internal.h"

static wind_prevailing dunes_prevailing(const wadi_dunes_params* p)
{
    return (wind_prevailing){p->regime, p->direction, p->speed, p->blowing, p->cycle};
}

wadi_result wadi_dunes_course_create(wind_course* course, wadi_context* context,
                                     const wadi_dunes_params* params)
{
    const wind_prevailing prevailing = dunes_prevailing(params);
    return wadi_wind_course_regime(course, context, &prevailing);
}

wadi_result wadi_dunes_course_table(wind_course* course, wadi_context* context,
                                    const wadi_dunes_params* params, int32_t index,
                                    const double* rows, int32_t count)
{
    const wadi_dunes_params initial = wadi_dunes_params_default();
    wind_prevailing given = dunes_prevailing(params);
    const wind_prevailing by_default = dunes_prevailing(&initial);
    // a table sets the duration of its winds; blowing = 1 (preset "paper") does not conflict with
    // it
    given.blowing = given.blowing == 1.0 ? by_default.blowing : given.blowing;
    WADI_TRY(wadi_wind_course_check_table(context, index, &given, &by_default));
    const double gain = wadi_wind_gain(params->anemometer, params->roughness);
    return wadi_wind_course_table(course, context, index, rows, count, params->cycle, gain);
}
