// SPDX-License-Identifier: MIT
#include "support/mesh_forms.h"

#include <math.h>

mesh_form* mesh_form_new(void)
{
    mesh_form* form = test_calloc(1, sizeof *form);
    form->mesh.positions = (const double(*)[3])form->vertices;
    form->mesh.triangles = (const int32_t(*)[3])form->triangles;
    return form;
}

static int32_t mesh_form_vertex(mesh_form* form, const double x[3])
{
    assert_true(form->mesh.vertex_count < MESH_FORM_VERTICES);
    memcpy(form->vertices[form->mesh.vertex_count], x, sizeof form->vertices[0]);
    return form->mesh.vertex_count++;
}

void mesh_form_triangle(mesh_form* form, const double a[3], const double b[3], const double c[3])
{
    assert_true(form->mesh.triangle_count < MESH_FORM_TRIANGLES);
    int32_t* t = form->triangles[form->mesh.triangle_count++];
    t[0] = mesh_form_vertex(form, a);
    t[1] = mesh_form_vertex(form, b);
    t[2] = mesh_form_vertex(form, c);
}

static void mesh_form_quad(mesh_form* form, double x[4][3], bool turned)
{
    if (turned)
    {
        mesh_form_triangle(form, x[0], x[1], x[3]);
        mesh_form_triangle(form, x[1], x[2], x[3]);
    }
    else
    {
        mesh_form_triangle(form, x[0], x[1], x[2]);
        mesh_form_triangle(form, x[0], x[2], x[3]);
    }
}

void mesh_form_sheet(mesh_form* form, const double corner[3], const double u[3], const double v[3],
                     int32_t n, int32_t m)
{
    for (int32_t i = 0; i < n * m; ++i)
    {
        const double sides[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        double x[4][3];
        for (int k = 0; k < 4; ++k)
        {
            for (int c = 0; c < 3; ++c)
            {
                x[k][c] =
                    corner[c] + (i % n + sides[k][0]) / n * u[c] + (i / n + sides[k][1]) / m * v[c];
            }
        }
        mesh_form_quad(form, x, (i % n + i / n) % 2 == 1);
    }
}

void mesh_form_ring(mesh_form* form, int axis, double from, double a, double to, double b,
                    int32_t sides)
{
    const double turn = 2.0 * 3.14159265358979323846 / sides;
    const int across = axis == 1 ? 2 : 1; // the second axis of the circles; the first is x
    for (int32_t k = 0; k < sides; ++k)
    {
        double x[4][3];
        for (int c = 0; c < 4; ++c)
        {
            const double angle = turn * (k + (c == 1 || c == 2 ? 1 : 0));
            const double radius = c < 2 ? a : b;
            x[c][0] = radius * cos(angle);
            x[c][across] = radius * sin(angle);
            x[c][axis] = c < 2 ? from : to;
        }
        mesh_form_quad(form, x, false);
    }
}
