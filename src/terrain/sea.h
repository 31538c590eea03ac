// SPDX-License-Identifier: MIT
// The sea of a terrain: its level over the years, by a table.
#pragma once

#include <wadi/terrain.h>

typedef struct wadi_sea
{
    int32_t count;  // rows; 0: no sea
    double* years;  // increasing
    double* levels; // [m]
} wadi_sea;

void wadi_sea_free(wadi_context* context, wadi_sea* sea);
wadi_result wadi_sea_copy(const wadi_terrain* from, wadi_terrain* to);
wadi_result wadi_sea_archive(wadi_archive* archive, wadi_terrain* terrain);

// The level at a year in units of 2^-16 m, rounded to the nearest; false: no sea. Processes read
// the sea by this function, so all of them see the same shore.
bool wadi_terrain_sea_units(const wadi_terrain* terrain, double year, int32_t* units);

// Log a line "PROCESS: ..." if the sea covers all ground at a year, so that there is no land
// to wear and no shore.
void wadi_terrain_note_drowned(const wadi_terrain* terrain, const char* process, double year);
