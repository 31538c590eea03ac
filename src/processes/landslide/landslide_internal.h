// SPDX-License-Identifier: MIT
// A slide, from the soil that is cut out to the soil that is laid back.
//
// The layers stay unchanged until the slide has come to rest. Soil to be cut out is recorded as
// parcels: whole units of one layer of one cell, each attached to a grain. At the end each parcel
// is lifted from its cell and laid down at the displacement of its grain. Thus an error during a
// slide changes nothing, and soil that has not moved stays equal to the last unit.
#pragma once

#include <wadi/archive.h>
#include <wadi/grains.h>
#include <wadi/landslide.h>
#include <wadi/wet_grains.h>

#include "bodies/engine/facets.h"
#include "core/internal.h"
#include "laws/slopes/slide_list.h"
#include "terrain/ground.h"
#include <wadi/model.h>

enum
{
    SLIDE_ROCK = -1 // in place of a layer: weathered rock
};

// Units of one layer of one cell, attached to a grain.
typedef struct slide_parcel
{
    int32_t cell;
    int32_t layer; // or SLIDE_ROCK
    int32_t units;
    int32_t grain;
} slide_parcel;

// Soil and rock cut out of each cell, and the factor of safety.
typedef struct slide_source
{
    int32_t* soil;    // [units] of loose layers, from the top down
    int32_t* rock;    // [units] below them
    float* stability; // factor of safety; NULL until it is computed
    int64_t cells;    // cells with soil or rock cut out
    int64_t areas;    // connected failing areas
    int64_t largest;  // size of the largest area [cells]
    int64_t units;    // units x cells cut out
    int32_t deepest;  // [units]
    double wetness;   // mean share below the water table
    slide_list list;  // start "storm": the slides one by one; else empty
} slide_source;

// Ground below the grains and depth of the soil above it, with one ghost cell on each side.
typedef struct slide_land
{
    float* floor;    // [m]
    float* depth;    // of soil and rock cut out [m]
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
    bool soaks; // start "soaking"

    double diameter; // of the largest grain [m]
    wadi_grain* grains;
    int32_t* homes; // cell that each grain was cut out of
    int32_t count;
    slide_parcel* parcels;
    int64_t parcel_count;

    wadi_grains* world;
    wadi_wet_grains* wet; // start "soaking": owns `world`; else NULL
    int32_t rock_count;   // start "soaking": fixed grains of rock, stored after the soil's grains
    wadi_grain* now;      // current grains
    double (*way)[2];     // displacement of grains, not wrapped [m]
    double (*last)[2];    // positions at the last update of `way` [m]
    int32_t* left;        // loose layers x cells: bed below the slide [units]; NULL: no entrainment
    int32_t* entrained;   // loose layers x cells: bed entrained [units]
    int32_t* worn;        // by cell: bed entrained [units]
    int32_t* taken_up;    // grains x loose layers: bed attached to grains [units x cells]
    double* load;         // by grain: all soil attached to it [units x cells]
    double* fraction;     // by grain: entrainment below one unit, not yet taken
    float* speed;         // largest by cell [m/s]; borrowed
    wadi_watch watch;     // called for frames; NULL: none
    void* watcher;
    double origin;       // time of the process at the begin of the slide [s]
    double given;        // time of the process since then [s]
    double shown;        // time of the process at the last call of `watch` [s]
    int64_t done;        // steps
    int32_t moving;      // grains that moved at the last update
    double time;         // of motion [s]
    double rested;       // start "soaking": time of motion before the clock starts [s]
    double* scratch;     // start "soaking": buffer for the water
    double overlap;      // largest overlap of grains, share of a radius
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

bool wadi_slide_region_holds(const slide_region* region, double x, double y);

// Largest depth that may be cut out of a cell [units]; 0: none, INT32_MAX: all.
int32_t wadi_slide_source_limit(const slide_region* region, const wadi_ground* ground,
                                int64_t cell);
wadi_result wadi_slide_source_create(wadi_terrain* terrain, const slide_region* region,
                                     slide_source* out);
// Sum the soil that is cut out.
void wadi_slide_source_sum(const wadi_ground* ground, slide_source* source);
void wadi_slide_source_destroy(wadi_context* context, slide_source* source);

// Keep the cells that fail, in connected areas that are large enough.
wadi_result wadi_slide_trigger(wadi_terrain* terrain, const wadi_landslide_params* params,
                               slide_source* source);

// Let the rupture surface of each failure rise to the ground at its rim, at most as deep as the
// soil.
wadi_result wadi_slide_rim(wadi_context* context, const wadi_ground* ground, const int32_t* soil,
                           slide_list* list);

// Keep the cells that fail in the storm of this number.
wadi_result wadi_slide_storm(wadi_terrain* terrain, const wadi_landslide_params* params,
                             uint32_t number, slide_source* source);

// Start "deep": keep the ground above critical rupture surfaces, one failure after the other.
wadi_result wadi_slide_deep(wadi_terrain* terrain, const slide_region* region,
                            slide_source* source);
// Tell that no surface is tried, if parameters and map leave none.
void wadi_slide_deep_note(const wadi_terrain* terrain, const wadi_landslide_params* params);

// ---- cut out -----------------------------------------------------------------------------

wadi_result wadi_slide_land_create(slide* s);
void wadi_slide_land_destroy(wadi_context* context, slide_land* land);
// Compute the floor: the surface less the soil cut out and the bed entrained. Returns whether it
// has changed.
bool wadi_slide_land_wear(slide* s);
// Cell of the terrain for a position that may lie beyond its edges: wrapped, or the edge cell.
int64_t wadi_slide_land_cell(const wadi_ground* ground, int32_t column, int32_t row);
// Neighbour k of 0..8, row by row and itself in the middle, round a torus; -1 beyond an edge.
int64_t wadi_slide_land_neighbour(const wadi_ground* ground, int64_t cell, int k);
// Heights or depths of the land as a surface of triangles.
wadi_facets wadi_slide_land_facets(const slide_land* land, float* heights);

// Create the land, the grains and the parcels; s->count is 0 if the soil is too thin for a grain.
wadi_result wadi_slide_prepare(slide* s);
void wadi_slide_destroy(slide* s);
// Fill the soil cut out with grains, then attach the soil of each cell to its grains as parcels.
wadi_result wadi_slide_pack(slide* s);
wadi_result wadi_slide_attach_parcels(slide* s);

// ---- motion and return -------------------------------------------------------------------

// Contact parameters of grains; 0 and false: those of the soil.
typedef struct slide_rub
{
    double friction;
    double restitution;
    bool rolls;  // without rolling resistance
    bool floats; // without gravity, only under the forces that are set
} slide_rub;

extern const slide_rub wadi_slide_soil;
static const double slide_gravity = 9.81;

wadi_grains_params wadi_slide_world_params(const slide* s);
// Materials of the loose layers, then of the ground.
void wadi_slide_world_materials(const slide* s, const slide_rub* rub, wadi_grain_material* out);
wadi_result wadi_slide_world_create(slide* s, const slide_rub* rub);
// Ground below and walls round the grains of `world`.
wadi_result wadi_slide_world_enclose(slide* s);

// Settle the grains, then create the world in which they slide.
wadi_result wadi_slide_begin(slide* s);

// Let grains settle before the clock starts.
wadi_result wadi_slide_settle(slide* s);

// Before a step: other processes may have changed the ground since the last one.
wadi_result wadi_slide_follow_ground(slide* s);
// Advance up to `seconds` after the begin of the slide, or until the grains rest; *stopped: the
// caller cancelled.
wadi_result wadi_slide_move(slide* s, double seconds, bool* stopped);
// Advance until the grains rest.
wadi_result wadi_slide_run(slide* s, bool* stopped);
// Do the grains rest, or has the slide lasted as long as it may?
bool wadi_slide_is_over(const slide* s);
// Update displacements, the largest speed by cell and the number of moving grains.
void wadi_slide_update_motion(slide* s);
// Report the time since the begin of the slide to the watch function, if there is one.
wadi_result wadi_slide_show(slide* s, double seconds);
// Difference of two coordinates, the shorter one if `period` is above 0.
double wadi_slide_apart(double to, double from, double period);
// Cell with data under a place, or -1.
int64_t wadi_slide_cell_under(const wadi_ground* ground, const double at[3]);

// Entrainment of the bed below a slide.
wadi_result wadi_slide_bed_create(slide* s);
wadi_result wadi_slide_bed_allocate(slide* s);
// Compute the bed that is left, and the bed that is worn, from the bed entrained.
void wadi_slide_bed_fill(slide* s);
wadi_result wadi_slide_bed_take(slide* s);

// Start "soaking": wet grains on rock, which stand until soaking water makes them fail.
wadi_result wadi_slide_soak_create(slide* s);
// Create the world from s->now, where rock follows soil.
wadi_result wadi_slide_soak_create_world(slide* s);
wadi_result wadi_slide_soak_move(slide* s, double seconds, bool* stopped);
// Write the water of the soil to the layer of moisture.
void wadi_slide_soak_return(const slide* s);

// Lift every parcel from its cell and lay it down at the displacement of its grain. Where other
// processes have taken soil meanwhile, there is less to lift.
void wadi_slide_return(slide* s, wadi_tally* tally);

// Lay down units of a layer, or of SLIDE_ROCK, as a square of cell size around a place in cells.
void wadi_slide_spread(const wadi_ground* ground, int32_t layer, double column, double row,
                       int32_t units, wadi_tally* tally);

// List a slide in progress in an archive. A reading archive creates it from a slide with terrain,
// parameters, source and speeds.
wadi_result wadi_slide_archive(slide* s, wadi_archive* archive);
