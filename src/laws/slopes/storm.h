// SPDX-License-Identifier: MIT
// Soil on slopes in a storm: the depth that the land carries, water that soaks in and flows below
// the surface, and the ground that fails.
//
// Strength, conductivity, rain and roots vary from place to place by noise whose wavelengths are in
// metres, so grids of any cell size have the same fields. docs/landslide.md has the equations.
#pragma once

#include "laws/slopes/slide_list.h"
#include <wadi/derive.h>

typedef struct storm_law
{
    double friction;     // tangent of the angle of friction
    double cohesion;     // of the soil [Pa]
    double roots;        // cohesion of roots at the surface [Pa]
    double root_depth;   // in which it falls to 1/e [m]
    double dry;          // unit weight of moist soil [N/m3]
    double wet;          // unit weight of saturated soil [N/m3]
    double conductivity; // saturated [m/s]
    double porosity;     // that drains
    double deficit;      // water that soil takes up before its water table rises, per depth
    double scatter;      // factor of the scatter of all fields; 1: as published
    double step;         // time between two searches for failing ground [s]
} storm_law;

// One storm: its rain falls at a constant rate from the begin to `rain_time`.
typedef struct storm_rain
{
    double rate;      // [m/s]
    double rain_time; // [s]
    double time;      // simulated, at least rain_time [s]
    uint32_t number;  // storms of different numbers have other rain fields and roots
} storm_rain;

// Water of a storm [2^-20 m x cells]: rain = runoff + soaked + held + slid.
typedef struct storm_books
{
    int64_t rain;
    int64_t runoff; // that found no room in the soil
    int64_t soaked; // that moist soil took up
    int64_t held;   // in the soil at the end
    int64_t slid;   // in soil that failed
} storm_books;

// The soil that production and creep leave, and the storms that it has met.
typedef struct soil_law
{
    double production; // of soil from bare rock [m/yr]
    double cover;      // depth of soil that reduces it to 1/e [m]
    double creep;      // diffusivity [m2/yr]
    double critical;   // tangent at which creep grows without bound
    double age;        // [yr]
    double most;       // greatest depth [m]
    double safety;     // least factor of safety at the wetness below
    double wetness;
    int32_t storms; // that the soil has met
} soil_law;

typedef struct storm_land storm_land;

storm_law wadi_storm_law_default(void);
soil_law wadi_soil_law_default(void);

// Geometry and constant fields of a map. `seed` selects the noise.
wadi_result wadi_storm_create(wadi_context* context, const wadi_field2d* field, uint64_t seed,
                              const storm_law* law, storm_land** out);
void wadi_storm_destroy(storm_land* land); // NULL is allowed

// Vertical depth of soil by cell [units]; the caller may write it. A storm empties what fails.
int32_t* wadi_storm_soil(storm_land* land);
// Run a storm; failures are added to the list.
wadi_result wadi_storm_run(storm_land* land, const storm_rain* rain, slide_list* list,
                           storm_books* books);
// Share of the soil's pores that water fills at the end of the last storm, 0..1, by cell.
float wadi_storm_wetness(const storm_land* land, int64_t cell);

// Write the soil that the land would carry: production and creep, thin enough to be stable, after
// `law->storms` storms like `rain`.
wadi_result wadi_soil_grow(storm_land* land, const soil_law* law, const storm_rain* rain);
