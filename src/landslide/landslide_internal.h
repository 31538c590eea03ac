// SPDX-License-Identifier: MIT
// A slide, from the soil that is cut out to the soil that is laid back.
//
// Layers stay as they are until the slide has come to rest: what is cut out is written down as
// parcels, whole units of one layer of one cell that ride on a grain. Only then is each lifted from
// its cell and laid where its grain has carried it. So a slide that fails on its way has changed
// nothing, and soil that has not moved is equal to the last unit.
#pragma once

#include <wadi/grains.h>
#include <wadi/landslide.h>
#include <wadi/wet_grains.h>

#include "core/facets.h"
#include "core/internal.h"
#include "process/solver.h"
#include "terrain/ground.h"

enum
{
    SLIDE_ROCK = -1 // in place of a layer: weathered rock
};

// Units of one layer of one cell that ride on a grain.
typedef struct slide_parcel
{
    int32_t cell;
    int32_t layer; // or SLIDE_ROCK
    int32_t units;
    int32_t grain;
} slide_parcel;

// What is cut out of each cell, and why.
typedef struct slide_source
{
    int32_t* soil;    // [units] of loose layers, from the top down
    int32_t* rock;    // [units] below them
    float* stability; // factor of safety; NULL until it has been asked for
    int64_t cells;    // that give something
    int64_t areas;    // connected ones
    int64_t largest;  // of them [cells]
    int64_t units;    // units x cells cut out
    int32_t deepest;  // [units]
    double wetness;   // mean share below the water table
} slide_source;

// Ground below the grains and soil above it, one cell wider than the terrain on each side, so that
// what lies beyond an edge goes on.
typedef struct slide_land
{
    float* floor;    // [m]
    float* depth;    // of what is cut out [m]
    int32_t* source; // by cell of the terrain: the nearest with data, or -1
    int32_t width;
    int32_t height;
    double cell;
} slide_land;

typedef struct slide
{
    wadi_terrain* terrain;
    const wadi_landslide_params* params;
    uint32_t stream;
    const slide_source* source;
    slide_land land;

    double diameter; // of the largest grain [m]
    wadi_grain* grains;
    int32_t* homes; // cell that each grain was cut out of
    int32_t count;
    slide_parcel* parcels;
    int64_t parcel_count;

    wadi_grains* world;
    wadi_wet_grains* wet; // soil that soaks, whose grains `world` are; NULL: it does not
    int32_t rock_count;   // fixed grains of rock below soil that soaks, after the others
    wadi_grain* now;      // grains as they are
    double (*way)[2];     // that grains have gone, also round a torus [m]
    double (*last)[2];    // where they were seen last [m]
    int32_t* left;        // loose layers x cells: bed that may be taken up [units]; NULL: none is
    int32_t* worn;        // by cell: bed that was taken up [units]
    int32_t* taken_up;    // grains x loose layers: bed that rides on them [units x cells]
    double* load;         // by grain: all that rides on it [units x cells]
    double* owed;         // by grain: the part of a unit that is still to be taken up
    float* speed;         // greatest by cell [m/s]; borrowed
    wadi_watch watch;     // NULL: nobody does
    void* watcher;
    double shown;        // time that it was told last [s]
    int64_t done;        // steps
    int32_t moving;      // grains, when they were looked at last
    double time;         // of motion [s]
    double rested;       // motion in which soil that soaks came to rest, before time began [s]
    double* scratch;     // for its water
    double overlap;      // largest that was seen, share of a radius
    double still_moving; // share of the grains at the end
    wadi_grains_summary summary;
    wadi_wet_grains_summary soak; // both clocks and the water of soil that soaks
} slide;

// ---- source: which soil ------------------------------------------------------------------

// Corners of the outline, or none.
typedef struct slide_region
{
    const wadi_landslide_params* params;
    const double (*corners)[2]; // NULL: the shape of the parameters
    int32_t corner_count;
    const float* depth; // map of depths [m]; NULL: none
} slide_region;

bool slide_region_holds(const slide_region* region, double x, double y);

wadi_result slide_source_create(wadi_terrain* terrain, const slide_region* region,
                                slide_source* out);
// Count what is left of it.
void slide_source_sum(const wadi_ground* ground, slide_source* source);
void slide_source_destroy(wadi_context* context, slide_source* source);

// Keep the cells that fail, in connected areas that are large enough.
wadi_result slide_trigger(wadi_terrain* terrain, const wadi_landslide_params* params,
                          slide_source* source);

// ---- cut out -----------------------------------------------------------------------------

wadi_result slide_land_create(slide* s);
void slide_land_destroy(wadi_context* context, slide_land* land);
// The floor as it is once bed has been taken up.
void slide_land_wear(slide* s);
// Cell of the terrain, also beyond its edges: round a torus, or the last one.
int64_t slide_land_cell(const wadi_ground* ground, int32_t column, int32_t row);
// Neighbour k of 0..8, row by row and itself in the middle, round a torus; -1 beyond an edge.
int64_t slide_land_neighbour(const wadi_ground* ground, int64_t cell, int k);
// Heights of the land, or depths on it, as something to lie on.
wadi_facets slide_land_facets(const slide_land* land, float* heights);

// All of what follows; without grains (soil too thin for one) nothing is left to do.
wadi_result slide_prepare(slide* s);
void slide_destroy(slide* s);
// Fill what is cut out with grains, then tie the soil of each cell to its grains.
wadi_result slide_pack(slide* s);
wadi_result slide_tie(slide* s);

// ---- motion and return -------------------------------------------------------------------

// How grains rub: 0 and false stand for what soil does.
typedef struct slide_rub
{
    double friction;
    double restitution;
    bool rolls;  // without resistance
    bool floats; // no gravity but the forces that are set
} slide_rub;

extern const slide_rub slide_soil;
static const double slide_gravity = 9.81;

wadi_grains_params slide_world_params(const slide* s);
// Of loose layers, then of the ground.
void slide_world_materials(const slide* s, const slide_rub* rub, wadi_grain_material* out);
wadi_result slide_world_create(slide* s, const slide_rub* rub);
// Ground below and walls round the grains of `world`.
wadi_result slide_world_enclose(slide* s);

// Settle, then make the world in which time begins.
wadi_result slide_begin(slide* s);

// Let grains find their places before time begins.
wadi_result slide_settle(slide* s);

// Let so many seconds pass, or until grains rest; *stopped: the caller has asked for it.
wadi_result slide_move(slide* s, double seconds, bool* stopped);
// See where grains are, and how many of them move on the map.
void slide_look(slide* s);
// Tell who watches that it is so late now.
wadi_result slide_show(slide* s, double seconds);
// From one place to another, the shorter way round where there is one.
double slide_apart(double to, double from, double period);
// Cell with data under a place, or -1.
int64_t slide_cell_under(const wadi_ground* ground, const double at[3]);

// Bed that slides take up on their way.
wadi_result slide_bed_create(slide* s);
wadi_result slide_bed_take(slide* s);

// Soil that soaks: a world of wet grains on rock, moved by water alone.
wadi_result slide_soak_create(slide* s);
wadi_result slide_soak_move(slide* s, double seconds, bool* stopped);
// Leave its water in the layer of moisture.
void slide_soak_return(const slide* s);

// Lift every parcel and lay it where it has come to.
void slide_return(const slide* s, wadi_tally* tally);
