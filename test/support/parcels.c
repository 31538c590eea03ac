// SPDX-License-Identifier: MIT
#include "support/parcels.h"

wadi_hydraulic_params parcels_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_hydraulic_process, "parcels", &params));
    return params;
}

double parcels_years(void)
{
    const wadi_hydraulic_params params = parcels_params();
    return wadi_process_years(&wadi_hydraulic_process, &params);
}
