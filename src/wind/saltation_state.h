// SPDX-License-Identifier: MIT
// The inside of the saltation model, and its parts: law (constants of a wind), fleet (the parcels),
// edge (where they enter and leave), flight (a batch of steps), settle (the ground after it),
// freeze (what parcels read of the ground) and maps.
#pragma once

#include "airflow/wind_course.h"
#include "core/internal.h"
#include "core/isa.h"
#include "talus/talus.h"
#include "wind/saltation.h"
#include "wind/saltation_law.h"

enum
{
    SALTATION_STEPS = 32,                       // of a parcel in a batch
    SALTATION_GRAIN = 32,                       // rows of a block of work: a row of talus tiles
    SALTATION_PLAIN_SKIN = 256 * 65536 + 16384, // dry, bare ground in the prevailing wind
    SALTATION_CROWD = 8,                        // cells of a block whose parcels are counted
    SALTATION_WINDOW = 32,      // batches for one that is sampled: 3 % of their flights
    SALTATION_CROWD_WINDOW = 16 // batches after which the wind follows its parcels
};

// What one worker adds to.
typedef struct saltation_worker
{
    saltation_sums sums;
    wadi_tally tally;
    int64_t steps;
    bool varied;  // some skin is not plain
    float* far;   // levels ahead of a row, by scale
    int64_t owed; // by cells after the last flight [units x cells]
} saltation_worker;

// Where wind comes in: the faces of valid cells that look upwind over an edge or a void.
typedef struct saltation_gate
{
    int32_t cell;
    int32_t side; // wadi_side that the face looks to
    bool open;    // sand may come in
    double reach; // sum of the widths across the wind up to this one
} saltation_gate;

// Samples of all batches, of one cell.
typedef struct saltation_mean
{
    float flux_x; // [m2]: flux x time
    float flux_y;
    float speed;
    float contacts;
    float visits;
    float recent; // flux of the last window [m2/yr of wind]
} saltation_mean;

typedef struct saltation
{
    wadi_terrain* terrain;
    wadi_context* context;
    wadi_ground* ground;
    wadi_wind_params params;
    wind_course course;
    const saltation_kernels* kernels;
    uint32_t stream;

    // lengths [cells]
    double feature; // spacing of the first dunes
    double scale;   // feature over that of the constants' reference, 56 m
    int32_t life;   // path of a parcel where edges are periodic: whole batches

    saltation_law law; // of the wind that blows
    double heading;    // [degree] of the law; below 0 before the first wind
    double gust;       // [m/s]
    uint32_t clock;    // strides since creation

    saltation_parcel* fleet;
    saltation_parcel* spare; // for sorting
    int32_t* tile_starts;
    int32_t fleet_size;
    saltation_gate* gates;
    int32_t gate_count;
    int32_t gate_capacity;

    saltation_worker* workers;
    int32_t worker_count;

    // grids with a rim of one cell
    float* level;
    saltation_bed* bed;
    float* rate;
    int32_t* skin;
    // of every worker
    int64_t** sums;
    // grids without
    uint32_t* passing; // load that passed since the samples were read [units / 16]
    int32_t* change;   // [units]
    float* later;      // creep that has to wait
    int32_t* stack;    // [units] sum of several loose layers; NULL where there is one
    int32_t* fill;     // of each void cell, in order: the valid cell whose level it shows
    int32_t datum;     // [units] that levels count from

    // the wind where parcels crowd or lack, by block; NULL without momentum
    float* crowd; // 1: as many as on flat ground
    float* count;
    wadi_talus* talus;
    float* tangents;      // of repose under plants
    const float* planted; // the same, or NULL where nothing grows
    int64_t carried;      // by parcels, as booked last [units x cells]

    // maps
    float* wear;    // [units]
    float* deposit; // [units]
    saltation_mean* means;
    double window; // years of wind since then
    double years;  // of the calendar
    double blown;  // of wind
    double passed; // saturated flux x time: sand that has passed each metre [m2]
    int64_t batches;
} saltation;

// A share of an amount above 0, rounded up, but at most all of it and `most`.
static inline int32_t saltation_share(int32_t amount, double share, int64_t most)
{
    if (amount <= 0)
    {
        return 0;
    }
    const double wish = share * (double)amount + 1.0;
    const int32_t part = wish < (double)amount ? (int32_t)wish : amount;
    return part < most ? part : (int32_t)most;
}

// Row y in [-1, height] of a grid with a rim; columns -1 and width may be read.
static inline ptrdiff_t saltation_rim(const saltation* s, int32_t y)
{
    return (ptrdiff_t)(y + 1) * s->law.stride + 1;
}

// Cells of a grid with a rim.
static inline int64_t saltation_rim_cells(const saltation* s)
{
    return (int64_t)s->law.stride * (s->ground->height + 2);
}

// law: what does not change; the constants of a wind and of parcels that carry `load` [m] of
// sand, spread over a cell, when saturated.
wadi_result saltation_law_create(saltation* s);
void saltation_law_set(saltation* s, const wind_spell* wind, double load);
double saltation_law_flux(const saltation* s, double speed); // saturated [m2/yr]

// fleet: parcels, and their order in memory.
wadi_result saltation_fleet_create(saltation* s);
void saltation_fleet_destroy(saltation* s);
void saltation_fleet_sort(saltation* s);
void saltation_fleet_turn(saltation* s); // another wind: they forget their paths
int64_t saltation_fleet_load(const saltation* s);
// Give back up to `owed`, each by its load; returns the sum.
int64_t saltation_fleet_repay(saltation* s, int64_t owed);

// edge: gates of the wind, and what becomes of a parcel that has stopped.
wadi_result saltation_edge_create(saltation* s); // after the first law
void saltation_edge_turn(saltation* s);
// Parcels whose life has ended begin another. Between batches: one that was born among others of a
// batch would fly on over ground that nobody else reads, and 31 wait for it.
void saltation_edge_renew(saltation* s);
void saltation_edge_attend(const saltation* s, saltation_worker* worker, saltation_parcel* p);
// A new parcel somewhere on the grid.
void saltation_edge_bear(const saltation* s, saltation_parcel* p);

// flight: all parcels take SALTATION_STEPS steps over frozen ground.
void saltation_flight(saltation* s);

// freeze: what parcels read.
wadi_result saltation_freeze_create(saltation* s);
void saltation_freeze(saltation* s);
void saltation_freeze_skin(saltation* s);
float saltation_freeze_level(const saltation* s, float x, float y);

// ahead: what the wind feels of the ground before it.
wadi_result saltation_ahead_create(saltation* s); // after the workers
void saltation_ahead(saltation* s);               // after freeze, for the law of the batch

// settle: the ground after a flight.
void saltation_settle(saltation* s);
void saltation_settle_finally(saltation* s); // until all sand rests

// crowd: where parcels go there is wind.
wadi_result saltation_crowd_create(saltation* s);
void saltation_crowd_count(const saltation* s, int32_t x, int32_t y, float along);
void saltation_crowd_update(saltation* s); // after all counts
double saltation_crowd_wind(const saltation* s, int32_t x,
                            int32_t y); // over the prevailing one

// maps
void saltation_maps_read(saltation* s); // empty the samples
void saltation_maps_destroy(saltation* s);
wadi_result saltation_maps_create(saltation* s);
void saltation_maps_fill(const saltation* s, int32_t map, float* out);
