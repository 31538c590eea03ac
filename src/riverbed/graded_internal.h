// SPDX-License-Identifier: MIT
// What the parts of the graded model share. Places are in cells of the terrain (x east, y south,
// whole numbers at centres), all other lengths in metres; `side` and bends count to the right.
#pragma once

#include "riverbed/graded.h"
#include "riverbed/graded_land.h"
#include "riverbed/riverbed_path.h"
#include "talus/talus.h"

enum
{
    GRADED_NODES = 40,   // in a width
    GRADED_STATION = 16, // nodes between two stations, where load is laid down
    GRADED_PARTS = 4096  // of a particle's thickness, as the paper's stamps count
};

// The way down that the ground lays for a river: what its course swings about.
typedef struct graded_axis
{
    riverbed_point at;
    riverbed_point along; // unit
    double to_go;         // cost of the rest of the way [m]
    double calm;          // share of the swing that is left on this slope
    double width;         // of a river of this discharge: 4 Q^0.5
    double depth;         // 0.33 Q^0.4
    double discharge;     // [m3/s], with what joins upstream
} graded_axis;

// A point of the course, `spacing` after the one before.
typedef struct graded_node
{
    riverbed_point at;
    riverbed_point along; // unit
    double heading;       // [radian], from east to south
    double turn;          // curvature here [1/m]
    double bend;          // curvature that the flow feels: half a width upstream [1/m]
    double level;         // bankfull [m]
    double width;         // bankfull
    double depth;         // mean
    double bed;           // depth in the middle of a straight bed
    double lean;          // of the bed to its deep side, the outside of the bend [1]
    double soft;          // 1 - hardness, over the section
    double wear;          // lowering by one part of a particle's thickness [units]
    int32_t axis;         // nearest point of the axis
} graded_node;

// Where a course ends.
typedef enum graded_end
{
    GRADED_LEAVES, // over a side or into a void
    GRADED_JOINS,  // in another river
    GRADED_STOPS   // inside: a particle that dies
} graded_end;

typedef struct graded_river
{
    riverbed_emitter emitter;
    int32_t number; // as given: rivers are sorted by discharge
    graded_axis* axis;
    int32_t axis_count;
    graded_node* nodes;
    int32_t count;
    int32_t inside;   // nodes of them before the side that it leaves by
    int32_t capacity; // of both
    double radius;    // s: of the zone of erosion [m]
    double spacing;   // of nodes [m]
    graded_end end;
    wadi_side side;         // that it leaves by
    int32_t into;           // river that its axis joins, or -1
    int32_t into_axis;      // and where
    int32_t meets;          // river that its course joins, or -1
    int32_t into_node;      // and where
    riverbed_point* orbits; // of the particles of a batch, as shares of their room
    float* swarm;           // x of all particles at a step, then y [cells]
    int32_t steps;          // of a particle
    int32_t most_steps;     // that there is room for
    int64_t* intake;        // load that comes in at a station [units x cells]
    int64_t* passing;       // load that passes it in a batch
    int64_t leaving;        // load that has come to the end
    int64_t held;           // load that no edge lets out
} graded_river;

// A cell beside a river, in the river's coordinates.
typedef struct graded_cell
{
    int64_t cell;
    int32_t river;
    int32_t station;
    float near;    // squared distance from its station, in widths
    float along;   // [nodes]
    float side;    // off the course [m]
    float eta;     // the same in half widths
    int32_t level; // [units]
    int32_t cap;   // highest that the river lays matter down; in the bed its floor [units]
    int32_t given; // by this cell in this batch [units]
} graded_cell;

typedef struct graded_corridor
{
    graded_cell* cells;
    int64_t count;
    int64_t capacity;
    int32_t* slot; // by cell of the terrain: 1 + index in `cells`, or 0
} graded_corridor;

struct wadi_graded
{
    wadi_terrain* terrain;
    wadi_context* context;
    const wadi_ground* ground;
    wadi_riverbed_params params;
    uint32_t stream;
    riverbed_emitter* emitters;
    int32_t emitter_count;

    // laid at the first advance, from the land as it is then
    graded_land land;
    graded_river* rivers; // by falling discharge
    int32_t river_count;  // 0: nothing is laid yet

    graded_corridor corridor;
    wadi_talus* talus;
    float* tangents;     // of the angle of repose, by cell; far from the river nothing slides
    int64_t* worn;       // [units] gross sums by cell
    int64_t* raised;     // likewise
    int32_t* laid;       // loose matter that the river has laid down beside its bed [units]
    int32_t* depth;      // of bankfull water [units]
    int32_t* poured;     // into the layer of water [units]
    float* last;         // time at which the river ran here [yr]; 0: never
    wadi_tally* tallies; // by worker
    double years;
    double began; // years when these rivers were given
    int32_t batch;
    int64_t particles;
    int64_t steps;
    int64_t dead;
    double filled; // to close pits in the bed [m3]
};

// Tangent of an angle at which nothing slides, 89 degrees: where a river has no business.
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

// Does anything leave where this river ends?
static inline bool graded_lets_out(const wadi_graded* graded, const graded_river* river)
{
    return river->end == GRADED_LEAVES &&
           (river->side == WADI_SIDE_VOID || graded->ground->edges[river->side] == WADI_EDGE_OPEN);
}

// Lay the axes of all rivers. graded_axis.c
wadi_result wadi_graded_lay_axes(wadi_graded* graded);

// Course of one river for this batch, from those it may join. graded_course.c
void wadi_graded_course(wadi_graded* graded, int32_t river);

// Level, width, depth and wear along a course. graded_profile.c
void wadi_graded_profile(const wadi_graded* graded, graded_river* river);

// graded_corridor.c
void wadi_graded_corridor_clear(graded_corridor* corridor);
wadi_result wadi_graded_corridor_add(wadi_graded* graded, int32_t river); // find its cells
void wadi_graded_corridor_measure(wadi_graded* graded); // all that depends on the profile

// graded_wear.c
void wadi_graded_swarm(const wadi_graded* graded, graded_river* river); // place the particles
int32_t wadi_graded_asked(const wadi_graded* graded, const graded_cell* cell); // [parts]
void wadi_graded_wear(wadi_graded* graded);

// Carry the load of a batch down a river. graded_load.c
void wadi_graded_load(wadi_graded* graded, int32_t river, wadi_tally* tally);

// Let banks slide. graded_banks.c
void wadi_graded_banks(wadi_graded* graded, wadi_tally* tally);

// graded_finish.c
double wadi_graded_ungraded(const wadi_graded* graded); // highest bed above its floor [depths]
wadi_result wadi_graded_close_pits(wadi_graded* graded, wadi_tally* tally);
void wadi_graded_export(wadi_graded* graded, wadi_tally* tally); // what has come to the ends
void wadi_graded_drain(wadi_graded* graded, wadi_tally* tally);  // take back what was poured
wadi_result wadi_graded_pour(wadi_graded* graded, wadi_tally* tally);
