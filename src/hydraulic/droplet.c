// SPDX-License-Identifier: MIT
// Holds the place of the droplets until they land: creating them fails and says so.
#include "hydraulic/droplet.h"

#include "core/internal.h"

wadi_result wadi_droplets_create(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                                 double default_years, uint32_t stream, wadi_droplets** out)
{
    (void)params;
    (void)default_years;
    (void)stream;
    *out = NULL;
    return wadi_fail(wadi_terrain_context(terrain), WADI_ERROR_STATE,
                     "model droplets is not in this build");
}

void wadi_droplets_destroy(wadi_droplets* droplets)
{
    (void)droplets;
}

wadi_result wadi_droplets_advance(wadi_droplets* droplets, double years)
{
    (void)droplets;
    (void)years;
    return WADI_OK;
}

void wadi_droplets_map(const wadi_droplets* droplets, wadi_droplet_map map, float* out)
{
    (void)droplets;
    (void)map;
    (void)out;
}

wadi_droplet_work wadi_droplets_work(const wadi_droplets* droplets)
{
    (void)droplets;
    return (wadi_droplet_work){0};
}

uint64_t wadi_droplets_hash(const wadi_droplets* droplets)
{
    (void)droplets;
    return 0;
}
