// SPDX-License-Identifier: MIT
// Triangle meshes for tests of grains: sheets, rings and boxes, added up into one.
#pragma once

#include "support/fixture.h"

#include <wadi/grain_mesh.h>

enum
{
    MESH_FORM_VERTICES = 20000,
    MESH_FORM_TRIANGLES = 20000
};

typedef struct mesh_form
{
    double vertices[MESH_FORM_VERTICES][3];
    int32_t triangles[MESH_FORM_TRIANGLES][3];
    wadi_mesh mesh; // of what was added
} mesh_form;

mesh_form* mesh_form_new(void); // empty; test_free() it
void mesh_form_triangle(mesh_form* form, const double a[3], const double b[3], const double c[3]);
// A parallelogram from `corner` along u and v, of n x m fields of two triangles each.
void mesh_form_sheet(mesh_form* form, const double corner[3], const double u[3], const double v[3],
                     int32_t n, int32_t m);
// A ring of `sides` between two circles about the line through x, z = 0 along `axis` (1: y, 2: z),
// from `from` with radius a to `to` with radius b.
void mesh_form_ring(mesh_form* form, int axis, double from, double a, double to, double b,
                    int32_t sides);
