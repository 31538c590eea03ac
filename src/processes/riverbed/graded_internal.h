// SPDX-License-Identifier: MIT
// Declarations shared by the files of the graded model. Places are in cells of the terrain (x east,
// y south, integers at centres), other lengths in metres; `side` and bends are positive rightwards.
#pragma once

#include "laws/slopes/talus.h"
#include "processes/riverbed/graded.h"
#include "processes/riverbed/graded_land.h"
#include "processes/riverbed/riverbed_internal.h"

enum
{
    GRADED_NODES = 40,   // nodes per width
    GRADED_STATION = 16, // nodes between two stations, at which load is deposited
    GRADED_PARTS = 4096  // fixed-point unit of a particle's thickness, as in model `paper`
};

// A point of a river's axis, the least-cost route around which its course meanders.
typedef struct graded_axis
{
    riverbed_point at;
    riverbed_point along; // unit
    double to_go;         // cost to the outlet [m]
    double damping;       // factor that damps bends on this slope
    double width;         // width of a river of this discharge: 4 Q^0.5
    double depth;         // 0.33 Q^0.4
    double discharge;     // [m3/s], with upstream tributaries
} graded_axis;

// A point of the course; points are `spacing` apart.
typedef struct graded_node
{
    riverbed_point at;
    riverbed_point along; // unit
    double heading;       // [radian], clockwise from east
    double turn;          // curvature here [1/m]
    double bend;          // curvature half a width upstream, to which the flow responds [1/m]
    double level;         // bankfull [m]
    double ground;        // of the land at first, across the course [m]
    double pond;          // depth of the lake behind a barrier downstream over it [m]; 0: none
    double width;         // bankfull
    double depth;         // mean
    double bed;           // depth in the middle of a straight bed
    double lean;          // asymmetry of the bed towards the outside of the bend [1]
    double soft;          // 1 - hardness, mean of the section
    double wear;          // lowering by one part of a particle's thickness [units]
    int32_t axis;         // nearest point of the axis
} graded_node;

// A point of the chain that a course of path free follows.
typedef struct graded_point
{
    riverbed_point at;
    riverbed_point moved; // in a step of migration [cells]
    double way;           // along the chain [cells]
    int32_t axis;         // nearest point of the axis
    double gentle;        // factor that damps bends on steep slopes
    bool far;             // from the next point
} graded_point;

// Where a course ends.
typedef enum graded_end
{
    GRADED_LEAVES, // over a side or into a void
    GRADED_JOINS,  // in another river
    GRADED_STOPS   // inside the terrain
} graded_end;

typedef struct graded_river
{
    riverbed_emitter emitter;
    int32_t number; // index in the table; rivers are sorted by discharge
    graded_axis* axis;
    int32_t axis_count;
    graded_node* nodes;
    int32_t count;
    int32_t inside;   // nodes before the side over which it leaves
    int32_t capacity; // of axis and nodes
    double radius;    // s: radius of the zone of erosion [m]
    double spacing;   // of nodes [m]
    graded_end end;
    wadi_side side;      // over which it leaves
    int32_t into;        // river that its axis joins, or -1
    int32_t into_axis;   // point of that river's axis
    int32_t meets;       // river that its course joins, or -1
    int32_t into_node;   // node of that river
    graded_point* chain; // path free; empty before the first batch
    int32_t chain_count;
    int32_t chain_capacity;
    riverbed_point* orbits; // centres of the particles of a batch, as shares of their room
    float* swarm;           // x of all particles at a step, then y [cells]
    int32_t steps;          // of a particle
    int32_t most_steps;     // capacity
    int64_t* intake;        // load that enters at a station [units x cells]
    int64_t* passing;       // load that passes it in a batch
    int64_t leaving;        // load that has reached the end
    int64_t held;           // load that cannot leave over an edge
} graded_river;

// A cell beside a river, in the river's coordinates.
typedef struct graded_cell
{
    int64_t cell;
    int32_t river;
    int32_t station;
    float near;    // squared distance from its station [widths2]
    float along;   // [nodes]
    float side;    // distance from the course [m]
    float eta;     // the same in half widths
    int32_t level; // [units]
    int32_t cap;   // highest level of deposition; in the bed its floor [units]
    int32_t given; // matter eroded from this cell in this batch [units]
} graded_cell;

typedef struct graded_corridor
{
    graded_cell* cells;
    int64_t count;
    int64_t capacity;
    int32_t* slot; // by cell of the terrain: 1 + index in `cells`, or 0
} graded_corridor;

// A cell in which load is deposited.
typedef struct graded_place
{
    double weight;
    double room;   // [units]
    int32_t entry; // of the corridor
} graded_place;

struct wadi_graded
{
    wadi_terrain* terrain;
    wadi_context* context;
    const wadi_ground* ground;
    wadi_riverbed_params params;
    uint32_t stream;
    riverbed_emitter* emitters;
    int32_t emitter_count;
    riverbed_emitter* next; // replace them at the next advance: parameters have changed; or NULL
    int32_t next_count;

    // created at the first advance, from the land at that time
    graded_land land;
    graded_river* rivers; // by falling discharge
    int32_t river_count;  // 0 before the first advance

    graded_corridor corridor;
    graded_place* places; // scratch of depositing, for all cells of the corridor
    int64_t place_capacity;
    wadi_talus* talus;
    float* tangents; // of the angle of repose, by cell; far from the river graded_cliff
    int64_t* worn;   // [units] gross sums by cell
    int64_t* raised; // likewise
    int32_t* laid;   // loose matter on bars, beyond the bed [units]
    int32_t* depth;  // of bankfull water [units]
    int32_t* poured; // added to the water layer [units]
    int32_t* lake;   // level of an oxbow lake [units], or GRADED_DRY
    int32_t* lakes;  // cells with a lake
    int64_t lake_count;
    int64_t lake_capacity;
    int64_t cutoffs;
    float* last;         // time at which the river ran here [yr]; 0: never
    wadi_tally* tallies; // by worker
    double years;
    double began; // value of `years` at which the emitters were set
    int32_t batch;
    int32_t course; // batch of the present courses
    int32_t drawn;  // batch of the courses in memory, or -1
    int64_t particles;
    int64_t steps;
    int64_t dead;
    double filled; // matter that filled pits in the bed [m3]
};

// `lake` of a cell without one.
#define GRADED_DRY INT32_MIN

// Tangent of 89 degrees, at which nothing slides: for cells away from the river.
static const float graded_cliff = 57.0f;

static inline double graded_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline int32_t graded_units(double metres)
{
    return (int32_t)(metres * WADI_UNITS_PER_METRE);
}

static inline double graded_metres(int32_t units)
{
    return (double)units / WADI_UNITS_PER_METRE;
}

// Cell of a place, or -1 off the grid.
static inline int64_t graded_cell_at(const wadi_ground* ground, riverbed_point p)
{
    const double x = p.x + 0.5;
    const double y = p.y + 0.5;
    const bool inside = x >= 0.0 && y >= 0.0 && x < ground->width && y < ground->height;
    return inside ? (int64_t)y * ground->width + (int64_t)x : -1;
}

static inline bool graded_is_land(const wadi_ground* ground, riverbed_point p)
{
    const int64_t cell = graded_cell_at(ground, p);
    return cell >= 0 && ground->valid[cell] != 0;
}

// Can load leave at the end of this river?
static inline bool graded_lets_out(const wadi_graded* graded, const graded_river* river)
{
    return river->end == GRADED_LEAVES &&
           (river->side == WADI_SIDE_VOID || graded->ground->edges[river->side] == WADI_EDGE_OPEN);
}

// Create the axes of all rivers. graded_axis.c
wadi_result wadi_graded_lay_axes(wadi_graded* graded);

// Course of one river for this batch; it may join larger rivers. graded_course.c
void wadi_graded_course(wadi_graded* graded, int32_t river);

// Are the courses of two batches the same?
bool wadi_graded_course_stays(const wadi_graded* graded, int32_t before, int32_t batch);

// Level, width, depth and wear along a course. graded_profile.c
void wadi_graded_profile(const wadi_graded* graded, graded_river* river);
void wadi_graded_profile_wear(const wadi_graded* graded, graded_river* river); // wear only

// graded_corridor.c
void wadi_graded_corridor_clear(graded_corridor* corridor);
wadi_result wadi_graded_corridor_add(wadi_graded* graded, int32_t river); // find its cells
void wadi_graded_corridor_measure(wadi_graded* graded); // all values that depend on the profile
void wadi_graded_corridor_flood(wadi_graded* graded);   // those that depend on the batch alone

// graded_wear.c
void wadi_graded_swarm(const wadi_graded* graded, graded_river* river); // place the particles
int32_t wadi_graded_thickness(const wadi_graded* graded, const graded_cell* cell); // [parts]
void wadi_graded_wear(wadi_graded* graded);

// Carry the load of a batch down a river. graded_load.c
void wadi_graded_load(wadi_graded* graded, int32_t river, wadi_tally* tally);

// Let banks slide. graded_banks.c
void wadi_graded_banks(wadi_graded* graded, wadi_tally* tally);

// graded_finish.c
double wadi_graded_excess(const wadi_graded* graded); // greatest height above the floor [depths]
wadi_result wadi_graded_close_pits(wadi_graded* graded, wadi_tally* tally);
void wadi_graded_export(wadi_graded* graded, wadi_tally* tally); // load at the ends
void wadi_graded_drain(wadi_graded* graded, wadi_tally* tally);  // remove poured water
wadi_result wadi_graded_pour(wadi_graded* graded, wadi_tally* tally);
// Note the depth of a cell under a level [units], and fill it with `water`.
void wadi_graded_pour_cell(wadi_graded* graded, int64_t cell, int32_t level, wadi_tally* tally);

// Lakes behind barriers. graded_ponds.c
void wadi_graded_dam(const wadi_graded* graded, graded_river* river); // levels of a course
bool wadi_graded_is_pond(const wadi_graded* graded, const graded_cell* cell);
wadi_result wadi_graded_pour_ponds(wadi_graded* graded, wadi_tally* tally);

// Make the rivers of a saved state, and their courses once the axes are read. graded.c
wadi_result wadi_graded_restore_rivers(wadi_graded* graded);
wadi_result wadi_graded_restore_courses(wadi_graded* graded);
// graded_archive.c
wadi_result wadi_graded_archive(void* user, wadi_archive* archive);
