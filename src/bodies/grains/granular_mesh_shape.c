// SPDX-License-Identifier: MIT
// Where a grain touches a mesh. A contact is a point of the surface from which the way to the
// centre of the grain is a local minimum: inside a face, or on an edge or a corner that no triangle
// beside it undercuts. So shared edges and corners push once, and a grain that rolls over an edge
// between triangles of one plane does not feel it. Faces that bend inwards by less than 16 degrees,
// as those of a drum do, count as one smooth surface: only the deeper of them pushes.
#include "bodies/grains/granular.h"

// Cosine of the angle between two contacts that are one.
#define SHAPE_SMOOTH 0.96

static void shape_from_corner(const granular_mesh* mesh, int32_t v, const double x[3],
                              granular_candidate* out)
{
    granular_minus(x, mesh->vertices[v], out->d);
    out->corners[0] = v;
    out->corner_count = 1;
}

static void shape_from_edge(const granular_mesh* mesh, int32_t a, int32_t b, double share,
                            const double x[3], granular_candidate* out)
{
    const double* p = mesh->vertices[a];
    const double* q = mesh->vertices[b];
    for (int c = 0; c < 3; ++c)
    {
        out->d[c] = x[c] - (p[c] + share * (q[c] - p[c]));
    }
    out->corners[0] = a;
    out->corners[1] = b;
    out->corner_count = 2;
}

// Nearest point of the edge from a to b; the way along it is clamped to its ends.
static void shape_edge(const granular_mesh* mesh, int32_t a, int32_t b, const double x[3],
                       granular_candidate* out)
{
    double along[3];
    double to[3];
    granular_minus(mesh->vertices[b], mesh->vertices[a], along);
    granular_minus(x, mesh->vertices[a], to);
    const double share = granular_dot(to, along) / granular_dot(along, along);
    if (share > 0.0 && share < 1.0)
    {
        shape_from_edge(mesh, a, b, share, x, out);
    }
    else
    {
        shape_from_corner(mesh, share > 0.0 ? b : a, x, out);
    }
    out->square = granular_dot(out->d, out->d);
}

// Normal of a triangle, of any length, and on which side of each edge x lies: inwards is above 0.
static void shape_sides(const granular_mesh* mesh, const int32_t t[3], const double x[3],
                        double n[3], double sides[3])
{
    double edges[3][3];
    for (int k = 0; k < 3; ++k)
    {
        for (int c = 0; c < 3; ++c)
        {
            edges[k][c] = mesh->vertices[t[(k + 1) % 3]][c] - mesh->vertices[t[k]][c];
        }
    }
    n[0] = edges[0][1] * edges[1][2] - edges[0][2] * edges[1][1];
    n[1] = edges[0][2] * edges[1][0] - edges[0][0] * edges[1][2];
    n[2] = edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0];
    for (int k = 0; k < 3; ++k)
    {
        const double* e = edges[k];
        const double inwards[3] = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2],
                                   n[0] * e[1] - n[1] * e[0]};
        const double* v = mesh->vertices[t[k]];
        const double to[3] = {x[0] - v[0], x[1] - v[1], x[2] - v[2]};
        sides[k] = granular_dot(inwards, to);
    }
}

static void shape_face(const granular_mesh* mesh, const int32_t t[3], const double x[3],
                       const double n[3], granular_candidate* out)
{
    const double* v = mesh->vertices[t[0]];
    const double to[3] = {x[0] - v[0], x[1] - v[1], x[2] - v[2]};
    const double inverse = 1.0 / sqrt(granular_dot(n, n));
    const double unit[3] = {inverse * n[0], inverse * n[1], inverse * n[2]};
    const double high = granular_dot(to, unit);
    for (int c = 0; c < 3; ++c)
    {
        out->d[c] = high * unit[c];
        out->corners[c] = t[c];
    }
    out->corner_count = 3;
    out->square = high * high;
}

void wadi_granular_mesh_nearest(const granular_mesh* mesh, int32_t triangle, const double x[3],
                                granular_candidate* out)
{
    const int32_t* t = mesh->triangles[triangle];
    double n[3];
    double sides[3];
    shape_sides(mesh, t, x, n, sides);
    if (sides[0] >= 0.0 && sides[1] >= 0.0 && sides[2] >= 0.0)
    {
        shape_face(mesh, t, x, n, out);
    }
    else
    {
        shape_edge(mesh, t[0], t[1], x, out);
        for (int k = 1; k < 3; ++k)
        {
            granular_candidate other;
            shape_edge(mesh, t[k], t[(k + 1) % 3], x, &other);
            *out = other.square < out->square ? other : *out;
        }
    }
    out->triangle = triangle;
}

static bool shape_has(const granular_candidate* c, int32_t vertex, const granular_mesh* mesh)
{
    const int32_t* t = mesh->triangles[c->triangle];
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

// Another triangle has the same edge or corner, and comes nearer to the grain.
static bool shape_is_undercut(const granular_mesh* mesh, const granular_candidate* list,
                              int32_t count, int32_t k)
{
    const granular_candidate* it = &list[k];
    bool undercut = false;
    for (int32_t m = 0; m < count && it->corner_count < 3 && !undercut; ++m)
    {
        bool shares = list[m].square < it->square * (1.0 - 1e-12);
        for (int c = 0; c < it->corner_count && shares; ++c)
        {
            shares = shape_has(&list[m], it->corners[c], mesh);
        }
        undercut = shares;
    }
    return undercut;
}

// Points almost the same way as a deeper contact.
static bool shape_is_smooth(const granular_candidate* list, int32_t count,
                            const granular_candidate* it)
{
    bool smooth = false;
    for (int32_t m = 0; m < count && !smooth; ++m)
    {
        const double sizes = sqrt(list[m].square * it->square);
        smooth = granular_dot(list[m].d, it->d) > SHAPE_SMOOTH * sizes || sizes == 0.0;
    }
    return smooth;
}

static void shape_sort(granular_candidate* list, int32_t count)
{
    for (int32_t k = 1; k < count; ++k)
    {
        const granular_candidate it = list[k];
        int32_t m = k;
        for (; m > 0 && list[m - 1].square > it.square; --m)
        {
            list[m] = list[m - 1];
        }
        list[m] = it;
    }
}

int32_t wadi_granular_mesh_choose(const granular_mesh* mesh, granular_candidate* list,
                                  int32_t count, granular_candidate* out)
{
    int32_t chosen = 0;
    shape_sort(list, count);
    for (int32_t k = 0; k < count && chosen < GRANULAR_MESH_MOST; ++k)
    {
        if (!shape_is_smooth(out, chosen, &list[k]) && !shape_is_undercut(mesh, list, count, k))
        {
            out[chosen++] = list[k];
        }
    }
    return chosen;
}
