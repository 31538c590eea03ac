// SPDX-License-Identifier: MIT
// Is a mesh closed? Every edge of a closed surface is passed once each way by its two triangles.
#include "bodies/solid/solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// An edge of a triangle: ends by place in the welded order, the lower one first.
typedef struct mesh_edge
{
    int32_t low;
    int32_t high;
    int32_t way; // +1 from low to high, -1 back
} mesh_edge;

typedef struct mesh_vertex
{
    double place[3];
    int32_t id;
} mesh_vertex;

static int mesh_compare_places(const double a[3], const double b[3])
{
    for (int i = 0; i < 3; ++i)
    {
        if (a[i] != b[i])
        {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int mesh_compare_vertices(const void* left, const void* right)
{
    const mesh_vertex* a = left;
    const mesh_vertex* b = right;
    const int places = mesh_compare_places(a->place, b->place);
    return places != 0 ? places : (a->id > b->id) - (a->id < b->id);
}

static int mesh_compare_edges(const void* left, const void* right)
{
    const mesh_edge* a = left;
    const mesh_edge* b = right;
    const int low = (a->low > b->low) - (a->low < b->low);
    return low != 0 ? low : (a->high > b->high) - (a->high < b->high);
}

static wadi_result mesh_check_vertices(wadi_context* context, const wadi_mesh* mesh)
{
    WADI_CHECK(context, mesh->vertex_count > 0 && mesh->triangle_count > 0, WADI_ERROR_ARGUMENT,
               "the mesh has no triangles; give a closed surface");
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
    {
        const double* p = mesh->positions[v];
        // half of the largest double would overflow a volume; no ground is 1e9 m wide
        WADI_CHECK(context, fabs(p[0]) < 1e9 && fabs(p[1]) < 1e9 && fabs(p[2]) < 1e9,
                   WADI_ERROR_RANGE,
                   "vertex %d of the mesh is at (%g, %g, %g); coordinates are numbers of metres "
                   "under 1e9",
                   v + 1, p[0], p[1], p[2]);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
    {
        for (int i = 0; i < 3; ++i)
        {
            const int32_t v = mesh->triangles[t][i];
            WADI_CHECK(context, v >= 0 && v < mesh->vertex_count, WADI_ERROR_RANGE,
                       "triangle %d of the mesh names vertex %d; there are %d", t + 1, v + 1,
                       mesh->vertex_count);
        }
    }
    return WADI_OK;
}

// Number vertices so that those at the same place have the same number: exporters that shade flat
// write every corner anew.
static wadi_result mesh_weld(wadi_context* context, const wadi_mesh* mesh, int32_t* welded)
{
    mesh_vertex* order;
    WADI_ALLOC(context, order, mesh->vertex_count, "vertices");
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
    {
        order[v].id = v;
        memcpy(order[v].place, mesh->positions[v], sizeof order[v].place);
    }
    qsort(order, (size_t)mesh->vertex_count, sizeof *order, mesh_compare_vertices);
    int32_t first = 0;
    for (int32_t i = 0; i < mesh->vertex_count; ++i)
    {
        first = mesh_compare_places(order[first].place, order[i].place) == 0 ? first : i;
        welded[order[i].id] = order[first].id;
    }
    wadi_free(context, order);
    return WADI_OK;
}

static int32_t mesh_list_edges(const wadi_mesh* mesh, const int32_t* welded, mesh_edge* edges)
{
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
    {
        for (int i = 0; i < 3; ++i)
        {
            const int32_t a = welded[mesh->triangles[t][i]];
            const int32_t b = welded[mesh->triangles[t][(i + 1) % 3]];
            if (a != b)
            {
                edges[count++] = a < b ? (mesh_edge){a, b, 1} : (mesh_edge){b, a, -1};
            }
        }
    }
    return count;
}

static void mesh_report_edge(const wadi_mesh* mesh, const mesh_edge* edge, wadi_mesh_report* out)
{
    memcpy(out->edge[0], mesh->positions[edge->low], sizeof out->edge[0]);
    memcpy(out->edge[1], mesh->positions[edge->high], sizeof out->edge[1]);
}

// Check the triangles that share one edge.
static void mesh_check_edge(const wadi_mesh* mesh, const mesh_edge* edge, int32_t meet,
                            int32_t ways, wadi_mesh_report* out)
{
    const bool open = meet % 2 != 0;
    const bool turned = !open && ways != 0;
    if ((open && out->open_edges == 0) || (turned && out->open_edges + out->turned_edges == 0))
    {
        mesh_report_edge(mesh, edge, out);
    }
    out->open_edges += open ? 1 : 0;
    out->turned_edges += turned ? 1 : 0;
    out->crowded_edges += meet > 2 ? 1 : 0;
}

static void mesh_check_edges(const wadi_mesh* mesh, mesh_edge* edges, int32_t count,
                             wadi_mesh_report* out)
{
    qsort(edges, (size_t)count, sizeof *edges, mesh_compare_edges);
    int32_t end = 0;
    for (int32_t begin = 0; begin < count; begin = end)
    {
        int32_t ways = 0;
        for (end = begin; end < count && mesh_compare_edges(&edges[begin], &edges[end]) == 0; ++end)
        {
            ways += edges[end].way;
        }
        mesh_check_edge(mesh, &edges[begin], end - begin, ways, out);
    }
}

// Volume by the divergence theorem, from a corner of the box so that nothing cancels.
static void mesh_measure(const wadi_mesh* mesh, wadi_mesh_report* out)
{
    double six = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
    {
        double e[3][3];
        for (int i = 0; i < 9; ++i)
        {
            e[i / 3][i % 3] = mesh->positions[mesh->triangles[t][i / 3]][i % 3] - out->low[i % 3];
        }
        six += e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
               e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    }
    out->volume = six / 6.0;
}

static bool mesh_is_flat(const wadi_mesh* mesh, int32_t t)
{
    double a[3];
    double b[3];
    for (int i = 0; i < 3; ++i)
    {
        const double origin = mesh->positions[mesh->triangles[t][0]][i];
        a[i] = mesh->positions[mesh->triangles[t][1]][i] - origin;
        b[i] = mesh->positions[mesh->triangles[t][2]][i] - origin;
    }
    return a[1] * b[2] == a[2] * b[1] && a[2] * b[0] == a[0] * b[2] && a[0] * b[1] == a[1] * b[0];
}

static void mesh_bound(const wadi_mesh* mesh, wadi_mesh_report* out)
{
    memcpy(out->low, mesh->positions[0], sizeof out->low);
    memcpy(out->high, mesh->positions[0], sizeof out->high);
    for (int32_t v = 1; v < mesh->vertex_count; ++v)
    {
        for (int a = 0; a < 3; ++a)
        {
            const double x = mesh->positions[v][a];
            out->low[a] = x < out->low[a] ? x : out->low[a];
            out->high[a] = x > out->high[a] ? x : out->high[a];
        }
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
    {
        out->flat_triangles += mesh_is_flat(mesh, t) ? 1 : 0;
    }
}

static wadi_result mesh_find_edges(wadi_context* context, const wadi_mesh* mesh,
                                   const int32_t* welded, wadi_mesh_report* out)
{
    mesh_edge* edges;
    WADI_ALLOC(context, edges, 3 * (size_t)mesh->triangle_count, "edges");
    mesh_check_edges(mesh, edges, mesh_list_edges(mesh, welded, edges), out);
    wadi_free(context, edges);
    return WADI_OK;
}

wadi_result wadi_mesh_inspect(wadi_context* context, const wadi_mesh* mesh, wadi_mesh_report* out)
{
    *out = (wadi_mesh_report){0};
    WADI_TRY(mesh_check_vertices(context, mesh));
    int32_t* welded;
    WADI_ALLOC(context, welded, mesh->vertex_count, "vertices");
    wadi_result result = mesh_weld(context, mesh, welded);
    result = result == WADI_OK ? mesh_find_edges(context, mesh, welded, out) : result;
    wadi_free(context, welded);
    if (result == WADI_OK)
    {
        mesh_bound(mesh, out);
        mesh_measure(mesh, out);
    }
    return result;
}
