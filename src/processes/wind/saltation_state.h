// SPDX-License-Identifier: MIT
// State of the saltation model, and its parts: law (constants of a wind), fleet (the parcels), edge
// (parcels entering and leaving), freeze (copy of the ground that parcels read), ahead (look-ahead
// of the wind), flight (a batch of steps), settle (update of the ground), spread (smoothing of that
// update), crowd (feedback), maps, archive.
#pragma once

#include "core/internal.h"
#include "core/isa.h"
#include "laws/sand/sand_storm.h"
#include "laws/slopes/talus.h"
#include "laws/wind/airflow.h"
#include "laws/wind/wind_course.h"
#include "processes/wind/saltation.h"
#include "processes/wind/saltation_law.h"

enum
{
    SALTATION_STEPS = 32,                       // steps of each parcel in a batch
    SALTATION_GRAIN = 32,                       // rows per parallel block: the height of a tile
    SALTATION_PLAIN_SKIN = 256 * 65536 + 16384, // dry, bare ground in the prevailing wind
    SALTATION_MOST_SPREAD = 8,                  // passes
    SALTATION_CROWD = 8,                        // width of a block for the feedback [cells]
    SALTATION_WINDOW = 32,      // one batch of this many is sampled: 3 % of the flights
    SALTATION_CROWD_WINDOW = 16 // batches between two updates of the feedback on the wind
};

// Rows of a block whose changes are spread, with rows beyond it.
typedef struct saltation_band
{
    int32_t* change; // [units]
    float* weight;
    float* west; // a row has a face more than cells
    float* south;
    int32_t* flux; // of two rows [units]
} saltation_band;

// Sums and buffers of one worker.
typedef struct saltation_worker
{
    saltation_sums sums;
    wadi_tally tally;
    int64_t steps;
    bool varied; // a cell's skin is not SALTATION_PLAIN_SKIN
    float* far;  // levels ahead of a row, by scale
    saltation_band spread;
    int64_t excess; // lifted beyond the cells' sand in the last flight [units x cells]
} saltation_worker;

// A face of a valid cell through which the wind blows in, from an edge or a void.
typedef struct saltation_gate
{
    int32_t cell;
    int32_t side; // wadi_side of the face
    bool open;    // sand can enter
    double reach; // sum of the widths across the wind up to this gate
} saltation_gate;

// Sums of the samples of one cell.
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
    double scale;   // factor of all lengths of the law: cells per metre at a feature of 56 m
    int32_t life;   // path of a parcel where edges are periodic: whole batches

    saltation_law law; // of the current wind
    double heading;    // [degree] direction of the current wind; below 0 before the first
    double wind_speed; // [m/s] speed of the current wind
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

    // grids with a rim of one ghost cell
    float* level;
    saltation_bed* bed;
    float* rate;
    int32_t* skin;
    saltation_aim* aims;  // of local winds; NULL: the wind of the law blows everywhere
    saltation_aim* plane; // their memory
    sand_grip* grip;      // NULL: nothing holds the sand
    // of every worker
    int64_t** sums;
    // grids without a rim
    uint32_t* passing; // load that passed since the samples were read [units / 16]
    int32_t* change;   // [units]
    int32_t* spread;   // [units] the next change; NULL if nothing is spread
    float* due;        // creep of the cells alone: by the load that passed, and delayed
    float* later;      // creep delayed to the next batch
    int32_t* stack;    // [units] sum of several loose layers; NULL where there is one
    int32_t* fill;     // by cell: the nearest valid cell; NULL without voids
    int32_t datum;     // [units] zero of `level`

    wadi_airflow* air; // local winds, gusts, vortices and eddies; NULL: none
    float* local;      // by cell: their speed over the fastest; used with `aims`
    float* dense;      // by block of cells: parcels there, over those in an even wind

    // feedback of the parcels on the wind, by block; NULL without momentum
    float* crowd;      // relative density of parcels, running mean; 1: as many as on flat ground
    float* count;      // speeds of parcels along the wind, summed since the last update
    sand_shore* shore; // NULL: waves bring no sand
    sand_top* top;     // crust, coarse grains, dry sand; NULL: there are none
    uint32_t* noted;   // `passing` when the top last aged; NULL: no top
    wadi_talus* talus;
    float* tangents;      // of repose under plants
    const float* planted; // the same, or NULL if there are no plants
    int64_t carried;      // load of all parcels at the last booking [units x cells]

    // maps
    float* wear;    // [units]
    float* deposit; // [units]
    saltation_mean* means;
    double window;   // years of wind since the samples were read
    double years;    // of the calendar
    double blown;    // of wind
    double calendar; // years of the clock in a year of the current wind
    double passed;   // saturated flux x time: sand that has passed each metre [m2]
    int64_t batches;
} saltation;

// Direction of the wind in a cell of the grids with a rim.
static inline saltation_aim saltation_aim_at(const saltation* s, ptrdiff_t cell)
{
    return s->aims != NULL ? s->aims[cell] : (saltation_aim){s->law.ex, s->law.ey};
}

// `share` of an amount, rounded up, but not more than the amount and `most`; 0 if amount <= 0.
static inline int32_t saltation_share(int32_t amount, double share, int64_t most)
{
    if (amount <= 0)
    {
        return 0;
    }
    const double raised = share * (double)amount + 1.0;
    const int32_t part = raised < (double)amount ? (int32_t)raised : amount;
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

// law: constants of a run, and constants of a wind. `load`: sand of a saturated parcel, as a
// thickness over one cell [m].
wadi_result wadi_saltation_law_create(saltation* s);
void wadi_saltation_law_set(saltation* s, const wind_spell* wind, double load);
double wadi_saltation_law_flux(const saltation* s, double speed); // saturated [m2/yr]

// fleet: storage of the parcels.
wadi_result wadi_saltation_fleet_create(saltation* s);
void wadi_saltation_fleet_destroy(saltation* s);
wadi_result wadi_saltation_fleet_archive(saltation* s, wadi_archive* archive);
void wadi_saltation_fleet_sort(saltation* s);
void wadi_saltation_fleet_reset(saltation* s); // after a change of wind: clear slope memories
int64_t wadi_saltation_fleet_load(const saltation* s);
// Remove up to `excess` from the parcels in proportion to their loads; returns the sum removed.
int64_t wadi_saltation_fleet_take_back(saltation* s, int64_t excess);

// edge: gates of the wind, and parcels that leave and enter.
wadi_result wadi_saltation_edge_create(saltation* s); // after the first law
void wadi_saltation_edge_list_gates(saltation* s);
// Respawn parcels whose life has ended. This is done between batches: within a batch, a parcel
// spawned at a random place would read ground outside the cache and delay the other 31 lanes.
void wadi_saltation_edge_respawn(saltation* s);
// Handle a stopped parcel: it has crossed an edge or is over a void.
void wadi_saltation_edge_cross(const saltation* s, saltation_worker* worker, saltation_parcel* p);
// Spawn a parcel at a random place on the grid.
void wadi_saltation_edge_spawn(const saltation* s, saltation_parcel* p);

// flight: all parcels take SALTATION_STEPS steps over frozen ground.
void wadi_saltation_flight(saltation* s);

// freeze: copy of the ground that parcels read.
wadi_result wadi_saltation_freeze_create(saltation* s);
void wadi_saltation_freeze(saltation* s);
void wadi_saltation_freeze_skin(saltation* s);
float wadi_saltation_freeze_level(const saltation* s, float x, float y);

// local: winds that vary from place to place.
wadi_result wadi_saltation_local_set(saltation* s, int32_t index, const double* rows,
                                     int32_t count);
void wadi_saltation_local_destroy(saltation* s);
// Compute the winds of a spell; returns the speed of the fastest [m/s].
double wadi_saltation_local_blow(saltation* s, const wind_spell* wind, double year);
// Speed of the wind in a cell over the fastest.
double wadi_saltation_local_wind(const saltation* s, int64_t cell);
// Capacity of a parcel in a cell over that if all cells had as many parcels.
double wadi_saltation_local_share(const saltation* s, int32_t x, int32_t y);
// Levels ahead of the cells of a row along their own winds.
void wadi_saltation_local_gather(const saltation* s, int32_t y, int scale, float* far);

// top: crusts, coarse grains and dry sand.
wadi_result wadi_saltation_top_create(saltation* s);
void wadi_saltation_top_destroy(saltation* s);
void wadi_saltation_top_note(saltation* s);              // at the begin of a step
void wadi_saltation_top_age(saltation* s, double years); // after a batch, or a calm
void wadi_saltation_top_clear(saltation* s);             // the samples have been read
// Reduce the creep of a row by what holds its sand.
void wadi_saltation_top_hold(const saltation* s, int32_t y, float* rate);

// ahead: reduction of the wind by rising ground ahead.
wadi_result wadi_saltation_ahead_create(saltation* s); // after the workers
void wadi_saltation_ahead(saltation* s);               // after freeze, for the law of the batch

// spread: smoothing of the changes of a batch.
wadi_result wadi_saltation_spread_create(saltation* s); // after the workers
void wadi_saltation_spread(saltation* s);

// settle: update of the ground after a flight.
void wadi_saltation_settle(saltation* s);
void wadi_saltation_settle_finally(saltation* s); // until all sand rests

// crowd: feedback of the parcel density on the wind.
wadi_result wadi_saltation_crowd_create(saltation* s);
wadi_result wadi_saltation_crowd_archive(saltation* s, wadi_archive* archive);
void wadi_saltation_crowd_count(const saltation* s, int32_t x, int32_t y, float along);
void wadi_saltation_crowd_update(saltation* s); // after all counts
double wadi_saltation_crowd_wind(const saltation* s, int32_t x,
                                 int32_t y); // over the prevailing one

// maps
void wadi_saltation_maps_read(saltation* s); // add the samples to the means and clear them
void wadi_saltation_maps_destroy(saltation* s);
wadi_result wadi_saltation_maps_create(saltation* s);
void wadi_saltation_maps_fill(const saltation* s, int32_t map, float* out);

// archive: all that is kept between steps
wadi_result wadi_saltation_archive(void* user, wadi_archive* archive);
