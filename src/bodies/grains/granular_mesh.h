// SPDX-License-Identifier: MIT
// Triangle meshes among grains: a mesh is rigid, so grains are taken into its frame, where its
// triangles and the cells that find them never move.
#pragma once

#include "bodies/grains/granular_types.h"

#include <wadi/grain_mesh.h>

enum
{
    GRANULAR_MESHES = WADI_GRAIN_MAX_MESHES,
    GRANULAR_MESH_MOST = 16, // contacts of one grain with one mesh; the deepest count
    GRANULAR_MESH_TOUCHES = GRANULAR_MESHES * GRANULAR_MESH_MOST
};

// A mesh at one time: x = turn * v + shift.
typedef struct granular_pose
{
    double turn[3][3];
    double shift[3];
    double centre[3];   // point on the axis
    double velocity[3]; // of that point
    double spin[3];     // [rad/s]
} granular_pose;

// What is saved of a mesh, besides its triangles.
typedef struct granular_mesh_state
{
    wadi_grain_motion motion; // with an axis of length 1
    double turn[3][3];        // pose when the motion began
    double shift[3];
    int64_t since;     // step then
    int64_t force[3];  // of grains on it in the last step, in units of force
    int64_t torque[3]; // about the centre, in units of force x `length`
    int64_t touches;
    double impulse[3];
    double twist[3];
    double work;
    int32_t material;
    int32_t present;
} granular_mesh_state;

// Triangles by cell: a cell lists all that a grain with its centre in it may touch.
typedef struct granular_cells
{
    double low[3];
    double size; // of a cell [m]
    int32_t count[3];
    double reach;   // for which they were made [m]
    int32_t* first; // by cell, and one past the last
    int32_t* items;
} granular_cells;

typedef struct granular_mesh
{
    granular_mesh_state state;
    double (*vertices)[3];
    int32_t (*triangles)[3]; // welded: equal places have equal numbers
    int32_t triangle_count;
    granular_cells cells;
    granular_pose pose;
    double length;  // power of two above every arm of a torque [m]
    double extent;  // of the farthest vertex from the centre of motion [m]
    double fastest; // any of its points can be [m/s]
    double crept;   // way of its fastest point since the grains near it were found, or more [m]
} granular_mesh;

// A triangle that a grain may touch.
typedef struct granular_near
{
    int32_t mesh;
    int32_t triangle;
} granular_near;

// A contact of a grain with a mesh: it is known again in the next step by its normal, whichever
// triangle it is on.
typedef struct granular_hold
{
    double normal[3];
    int32_t mesh;
    int32_t spare;
    granular_slip slip;
    granular_roll roll;
} granular_hold;

// Grains near meshes, by place.
typedef struct granular_beside
{
    int32_t* first;       // of `near` and `holds`, and one past the last
    int32_t* held;        // contacts in the last step
    granular_near* near;  // by mesh and triangle
    granular_hold* holds; // as many as there can be contacts
    int32_t places;
    int32_t most; // near one grain
} granular_beside;

// The nearest point of a triangle.
typedef struct granular_candidate
{
    double d[3]; // from it to the centre of the grain, in the frame of the mesh
    double square;
    int32_t triangle;
    int32_t corners[3]; // vertices of the face, edge or corner it is on
    int32_t corner_count;
} granular_candidate;

static inline double granular_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void granular_minus(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; ++c)
    {
        out[c] = a[c] - b[c];
    }
}

// Nearest point of triangle t to x: its distance, and what it is on.
void wadi_granular_mesh_nearest(const granular_mesh* mesh, int32_t t, const double x[3],
                                granular_candidate* out);
// Those candidates of one grain that are contacts, deepest first: at most GRANULAR_MESH_MOST;
// returns how many. Sorts the list.
int32_t wadi_granular_mesh_choose(const granular_mesh* mesh, granular_candidate* list,
                                  int32_t count, granular_candidate* out);

// Make the cells of a mesh for grains that reach so far, unless it has them.
wadi_result wadi_granular_cells_make(wadi_context* context, granular_mesh* mesh, double reach);
// Triangles that a grain with its centre at x, in the frame of the mesh, may touch.
const int32_t* wadi_granular_cells_at(const granular_mesh* mesh, const double x[3], int32_t* count);
// Sizes and pose of a mesh whose state was set.
void wadi_granular_mesh_renew(const wadi_grains* grains, granular_mesh* mesh);
void wadi_granular_beside_free(wadi_context* context, granular_beside* beside);
void wadi_granular_mesh_free(wadi_context* context, granular_mesh* mesh);
