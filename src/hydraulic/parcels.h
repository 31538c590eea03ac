// SPDX-License-Identifier: MIT
// The parcel model as hydraulic.c sees it.
#pragma once

#include "hydraulic/hydraulic_internal.h"

typedef struct wadi_parcels wadi_parcels;

// Bind parcels to a terrain; `default_years` is the duration that `batches` belongs to.
wadi_result wadi_parcels_create(wadi_terrain* terrain, const wadi_hydraulic_params* params,
                                double default_years, uint32_t stream, wadi_parcels** out);
void wadi_parcels_destroy(wadi_parcels* parcels); // NULL is allowed
wadi_result wadi_parcels_advance(wadi_parcels* parcels, double years);
void wadi_parcels_map(const wadi_parcels* parcels, int32_t map, float* out); // HYDRAULIC_MAP_*
wadi_result wadi_parcels_set_rain(wadi_parcels* parcels, const float* rain); // [m/yr], copied
double wadi_parcels_moves(const wadi_parcels* parcels);
uint64_t wadi_parcels_hash(const wadi_parcels* parcels);
