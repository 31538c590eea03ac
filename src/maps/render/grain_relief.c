// SPDX-License-Identifier: MIT
#include "maps/render/grain_relief.h"

#include "core/internal.h"

#include <math.h>

enum
{
    LAND_GRAIN = 64 // rows of a block
};

// Corners of triangles are a little within, so that no pixel on a common edge is missed.
static const float land_within = -1e-4F;

typedef struct land_job
{
    const grain_relief* land;
    grain_view* view;
} land_job;

wadi_result wadi_grain_relief_open(wadi_context* context, const wadi_grain_ground* ground,
                                   grain_relief* land)
{
    *land = (grain_relief){.lowest = (double)INFINITY};
    if (ground == NULL)
    {
        return WADI_OK;
    }
    double highest = -(double)INFINITY;
    for (int64_t i = 0; i < (int64_t)ground->width * ground->height; ++i)
    {
        const double z = (double)ground->heights[i];
        land->lowest = z < land->lowest ? z : land->lowest;
        highest = z > highest ? z : highest;
    }
    if (!(land->lowest < highest))
    {
        return WADI_OK;
    }
    land->ground = ground;
    const int64_t corners = (int64_t)(ground->width + 2) * (ground->height + 2);
    WADI_ALLOC(context, land->work, corners, "ground of a picture");
    return WADI_OK;
}

void wadi_grain_relief_close(wadi_context* context, grain_relief* land)
{
    wadi_free(context, land->work);
    land->work = NULL;
}

// --- corners ---

// Corners are cell centres, and the first and the last of a line lie on the edge. Their place along
// a line, in cells.
static double land_along(int32_t corner, int32_t cells)
{
    return corner == 0 ? 0.0 : corner > cells ? cells : corner - 0.5;
}

static int32_t land_cell(int32_t corner, int32_t cells)
{
    return corner == 0 ? 0 : corner > cells ? cells - 1 : corner - 1;
}

// A corner relative to the middle of the picture; z is NaN without data.
static vec3 land_corner(const grain_relief* land, int32_t column, int32_t row)
{
    const wadi_grain_ground* g = land->ground;
    const ptrdiff_t cell =
        (ptrdiff_t)land_cell(row, g->height) * g->width + land_cell(column, g->width);
    const double x = g->west + g->cell_size * land_along(column, g->width);
    const double y = g->south + g->cell_size * (g->height - land_along(row, g->height));
    return (vec3){(float)(x - land->middle[0]), (float)(y - land->middle[1]),
                  (float)((double)g->heights[cell] - land->middle[2])};
}

static void land_see_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const land_job* job = data;
    const int32_t wide = job->land->ground->width + 2;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < wide; ++column)
        {
            job->land->work[(ptrdiff_t)row * wide + column] =
                grain_view_project(job->view, land_corner(job->land, column, row));
        }
    }
}

// --- triangles ---

static float land_cross(vec3 a, vec3 b, float x, float y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// Draw one row of a triangle with corners of the view, from column `first` to `last`.
static void land_draw_row(grain_view* view, const vec3* t, float area, int32_t number, int32_t y)
{
    const float py = (float)y + 0.5F;
    const float left = fminf(t[0].x, fminf(t[1].x, t[2].x));
    const float right = fminf(fmaxf(t[0].x, fmaxf(t[1].x, t[2].x)), (float)view->width);
    for (int32_t x = left > 0.0F ? (int32_t)left : 0; (float)x < right; ++x)
    {
        const float px = (float)x + 0.5F;
        const float a = land_cross(t[1], t[2], px, py) / area;
        const float b = land_cross(t[2], t[0], px, py) / area;
        const float c = land_cross(t[0], t[1], px, py) / area;
        const ptrdiff_t i = (ptrdiff_t)y * view->width + x;
        const float depth = a * t[0].z + b * t[1].z + c * t[2].z;
        if (a > land_within && b > land_within && c > land_within && depth < view->depth[i])
        {
            view->depth[i] = depth;
            if (view->ball != NULL)
            {
                view->ball[i] = number;
            }
        }
    }
}

// Draw the part of a triangle that lies in rows [begin, end). Corners without data are NaN, and so
// is the area.
static void land_draw(grain_view* view, vec3 a, vec3 b, vec3 c, int32_t number, int32_t begin,
                      int32_t end)
{
    const vec3 t[3] = {a, b, c};
    const float top = fmaxf(fminf(a.y, fminf(b.y, c.y)), (float)begin);
    const float low = fminf(fmaxf(a.y, fmaxf(b.y, c.y)), (float)end);
    const float area = land_cross(a, b, c.x, c.y);
    if (!(fabsf(area) > 0.0F) || !(top < low))
    {
        return;
    }
    for (int32_t y = (int32_t)top; (float)y < low; ++y)
    {
        land_draw_row(view, t, area, number, y);
    }
}

// The side below the edge between two neighbouring corners.
static void land_draw_side(const land_job* job, int32_t column, int32_t row, int32_t right,
                           int32_t down, const int32_t rows[2])
{
    const grain_relief* land = job->land;
    vec3 from = land_corner(land, column, row);
    vec3 to = land_corner(land, column + right, row + down);
    const vec3 a = grain_view_project(job->view, from);
    const vec3 b = grain_view_project(job->view, to);
    from.z = isnan(from.z) ? from.z : land->floor;
    to.z = isnan(to.z) ? to.z : land->floor;
    const vec3 c = grain_view_project(job->view, from);
    const vec3 d = grain_view_project(job->view, to);
    land_draw(job->view, a, b, c, GRAIN_LAND_SIDE, rows[0], rows[1]);
    land_draw(job->view, b, d, c, GRAIN_LAND_SIDE, rows[0], rows[1]);
}

static void land_draw_top(const land_job* job, const int32_t rows[2])
{
    const int32_t wide = job->land->ground->width + 2;
    for (int32_t row = 0; row <= job->land->ground->height; ++row)
    {
        for (int32_t column = 0; column < wide - 1; ++column)
        {
            const vec3* at = &job->land->work[(ptrdiff_t)row * wide + column];
            land_draw(job->view, at[0], at[1], at[wide], GRAIN_LAND_TOP, rows[0], rows[1]);
            land_draw(job->view, at[1], at[wide + 1], at[wide], GRAIN_LAND_TOP, rows[0], rows[1]);
        }
    }
}

static void land_draw_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const land_job* job = data;
    const wadi_grain_ground* g = job->land->ground;
    const int32_t rows[2] = {begin, end};
    land_draw_top(job, rows);
    for (int32_t column = 0; column <= g->width; ++column)
    {
        land_draw_side(job, column, 0, 1, 0, rows);
        land_draw_side(job, column, g->height + 1, 1, 0, rows);
    }
    for (int32_t row = 0; row <= g->height; ++row)
    {
        land_draw_side(job, 0, row, 0, 1, rows);
        land_draw_side(job, g->width + 1, row, 0, 1, rows);
    }
}

void wadi_grain_relief_draw(wadi_context* context, const grain_relief* land, grain_view* view)
{
    if (land->ground == NULL)
    {
        return;
    }
    land_job job = {land, view};
    wadi_parallel_rows(context, land->ground->height + 2, LAND_GRAIN, land_see_rows, &job);
    wadi_parallel_rows(context, view->height, LAND_GRAIN, land_draw_rows, &job);
}

// --- normals ---

// Height at a place in cells from the north-west corner, between cell centres.
static float land_height(const wadi_grain_ground* g, float x, float y)
{
    const float cx = fminf(fmaxf(x - 0.5F, 0.0F), (float)(g->width - 1));
    const float cy = fminf(fmaxf(y - 0.5F, 0.0F), (float)(g->height - 1));
    const int32_t column = (int32_t)cx;
    const int32_t row = (int32_t)cy;
    const int32_t right = column + 1 < g->width ? 1 : 0;
    const ptrdiff_t down = row + 1 < g->height ? g->width : 0;
    const float* h = &g->heights[(ptrdiff_t)row * g->width + column];
    const float fx = cx - (float)column;
    const float fy = cy - (float)row;
    const float top = h[0] + fx * (h[right] - h[0]);
    return top + fy * (h[down] + fx * (h[down + right] - h[down]) - top);
}

vec3 wadi_grain_relief_normal(const grain_relief* land, vec3 at, bool side)
{
    const wadi_grain_ground* g = land->ground;
    const float cell = (float)g->cell_size;
    const float x = (at.x + (float)(land->middle[0] - g->west)) / cell;
    const float y = (float)g->height - (at.y + (float)(land->middle[1] - g->south)) / cell;
    if (side)
    {
        const float west = fminf(fabsf(x), fabsf((float)g->width - x));
        const float north = fminf(fabsf(y), fabsf((float)g->height - y));
        const float east = 2.0F * x > (float)g->width ? 1.0F : -1.0F;
        const float south = 2.0F * y > (float)g->height ? -1.0F : 1.0F;
        return west < north ? (vec3){east, 0.0F, 0.0F} : (vec3){0.0F, south, 0.0F};
    }
    const float sx = (land_height(g, x + 0.5F, y) - land_height(g, x - 0.5F, y)) / cell;
    const float sy = (land_height(g, x, y - 0.5F) - land_height(g, x, y + 0.5F)) / cell;
    const float size = sqrtf(1.0F + sx * sx + sy * sy);
    // beside a hole a slope is unknown
    return size < INFINITY ? (vec3){-sx / size, -sy / size, 1.0F / size} : (vec3){0.0F, 0.0F, 1.0F};
}
