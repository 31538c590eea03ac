// SPDX-License-Identifier: MIT
#include "support/front.h"

#include <math.h>
#include <stdlib.h>

#define DEGREE 0.017453292519943295
#define LOOSE 20.0    // [m]
#define MOUNTAIN 60.0 // [m]
#define INSIDE 120.0  // [m] from the mouth up the gap to the river

front_land front_plain(void)
{
    return (front_land){
        .size = 96, .cell = 30.0, .slope = 0.004, .gap = 150.0, .back = 300.0, .seed = 1};
}

void front_mouth(const front_land* land, double* x, double* y)
{
    const double half = 0.5 * land->size;
    const double back = half - land->back / land->cell;
    *x = half - back * cos(land->azimuth * DEGREE);
    *y = half - back * sin(land->azimuth * DEGREE);
}

// Distances along and across the river from the mouth [m].
static void front_along(const front_land* land, double x, double y, double* along, double* across)
{
    double mouth_x;
    double mouth_y;
    front_mouth(land, &mouth_x, &mouth_y);
    const double dx = (x - mouth_x) * land->cell;
    const double dy = (y - mouth_y) * land->cell;
    const double c = cos(land->azimuth * DEGREE);
    const double s = sin(land->azimuth * DEGREE);
    *along = dx * c + dy * s;
    *across = dy * c - dx * s;
}

static double front_height(const front_land* land, double along, double across)
{
    const bool mountain = along < 0.0 && fabs(across) > 0.5 * land->gap;
    if (mountain)
    {
        return MOUNTAIN;
    }
    if (land->sea > 0.0)
    {
        return along < 0.0 ? 1.0 - 1e-3 * along : -land->sea;
    }
    return along < 0.0 ? -0.01 * along : -land->slope * along;
}

wadi_terrain* front_terrain(fixture* f, const front_land* land)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = land->size;
    def.height = land->size;
    def.cell_size = land->cell;
    def.seed = land->seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    const int32_t cells = land->size * land->size;
    float* rock = malloc((size_t)cells * sizeof *rock);
    float* loose = malloc((size_t)cells * sizeof *loose);
    for (int32_t i = 0; i < cells; ++i)
    {
        double along;
        double across;
        front_along(land, i % land->size + 0.5, i / land->size + 0.5, &along, &across);
        const double height = front_height(land, along, across);
        const bool mountain = along < 0.0 && fabs(across) > 0.5 * land->gap;
        loose[i] = mountain ? 0.0f : (float)LOOSE;
        rock[i] = (float)(height - (double)loose[i]);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, land->size));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, loose, land->size));
    free(rock);
    free(loose);
    if (land->sea > 0.0)
    {
        const double year = 0.0;
        const double level = 0.0;
        CHECK_OK(f->context, wadi_terrain_set_sea_level(terrain, &year, &level, 1));
    }
    return terrain;
}

void front_inflow(const front_land* land, double discharge, double load, double* row)
{
    double x;
    double y;
    front_mouth(land, &x, &y);
    x -= INSIDE / land->cell * cos(land->azimuth * DEGREE);
    y -= INSIDE / land->cell * sin(land->azimuth * DEGREE);
    row[0] = x * land->cell;
    row[1] = (land->size - y) * land->cell;
    row[2] = 0.0;
    row[3] = discharge;
    row[4] = load;
    row[5] = 0.0;
}

wadi_solver* front_fan(wadi_terrain* terrain, const front_land* land,
                       const wadi_hydraulic_params* params)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    double row[6];
    const double mean = 50.0 * params->flood_days / 365.25;
    front_inflow(land, mean, 0.01 * mean * 31557600.0, row);
    CHECK_OK(context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

void front_heights(const wadi_terrain* terrain, float* heights)
{
    const int32_t width = wadi_terrain_width(terrain);
    for (int32_t i = 0; i < width * wadi_terrain_height(terrain); ++i)
    {
        const int32_t units = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % width, i / width);
        heights[i] = (float)units / 65536.0f;
    }
}

// ---- measures ----------------------------------------------------------------------------

// R2 of a least-squares fit of `count` values by up to three functions.
static double front_fit(const double (*basis)[3], const double* values, int32_t count,
                        int32_t terms, double* first)
{
    double m[3][4] = {{0}};
    double mean = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        mean += values[i] / count;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        for (int32_t r = 0; r < terms; ++r)
        {
            for (int32_t c = 0; c < terms; ++c)
            {
                m[r][c] += basis[i][r] * basis[i][c];
            }
            m[r][3] += basis[i][r] * (values[i] - mean);
        }
    }
    for (int32_t p = 0; p < terms; ++p)
    {
        for (int32_t r = 0; r < terms; ++r)
        {
            const double factor = r != p && m[p][p] != 0.0 ? m[r][p] / m[p][p] : 0.0;
            for (int32_t c = 0; c < 4; ++c)
            {
                m[r][c] -= factor * m[p][c];
            }
        }
    }
    double rest = 0.0;
    double all = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        double fit = 0.0;
        for (int32_t r = 0; r < terms; ++r)
        {
            fit += m[r][r] != 0.0 ? m[r][3] / m[r][r] * basis[i][r] : 0.0;
        }
        const double value = values[i] - mean;
        rest += (value - fit) * (value - fit);
        all += value * value;
    }
    *first = m[1][1] != 0.0 ? m[1][3] / m[1][1] : 0.0;
    return all > 0.0 ? 1.0 - rest / all : 0.0;
}

static int front_by_size(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

// Angle between the fall of the ground over four cells and the radius [degree]; -1: near the edge.
static double front_off(const float* h, const front_land* land, int32_t i, double along,
                        double across)
{
    const int32_t n = land->size;
    const int32_t x = i % n;
    const int32_t y = i / n;
    if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2)
    {
        return -1.0;
    }
    const double fall_x = (double)(h[i - 2] - h[i + 2]);
    const double fall_y = (double)(h[i - 2 * n] - h[i + 2 * n]);
    const double turn = atan2(fall_y, fall_x) - land->azimuth * DEGREE - atan2(across, along);
    return fabs(remainder(turn, 6.28318530717958648)) / DEGREE;
}

static double front_tower(const float* h, const front_land* land, int32_t i)
{
    const int32_t n = land->size;
    double high = -1e9;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t x = i % n + k % 3 - 1;
        const int32_t y = i / n + k / 3 - 1;
        const bool there = k != 4 && x >= 0 && y >= 0 && x < n && y < n;
        high = there && (double)h[y * n + x] > high ? (double)h[y * n + x] : high;
    }
    return (double)h[i] - high;
}

front_measures front_measure(const wadi_terrain* terrain, const front_land* land,
                             const float* before)
{
    const int32_t n = land->size * land->size;
    float* h = malloc((size_t)n * sizeof *h);
    double(*cone)[3] = malloc((size_t)n * sizeof *cone);
    double(*plane)[3] = malloc((size_t)n * sizeof *plane);
    double* z = malloc((size_t)n * sizeof *z);
    double* off = malloc((size_t)n * sizeof *off);
    front_heights(terrain, h);
    front_measures all = {0};
    int32_t offs = 0;
    for (int32_t i = 0; i < n; ++i)
    {
        double along;
        double across;
        front_along(land, i % land->size + 0.5, i / land->size + 0.5, &along, &across);
        const double laid = (double)h[i] - (double)before[i];
        all.volume += laid > 0.0 ? laid * land->cell * land->cell : 0.0;
        if (laid <= 1.0 || along < 0.0)
        {
            continue;
        }
        const double r = hypot(along, across);
        const double angle = atan2(across, along) / DEGREE;
        const int32_t sector = (int32_t)fmin(fmax((angle + 90.0) / 30.0, 0.0), 5.0);
        all.sector[sector] += laid;
        memcpy(cone[all.cells], (double[3]){1.0, r, r * r}, sizeof *cone);
        memcpy(plane[all.cells], (double[3]){1.0, along, across}, sizeof *plane);
        z[all.cells++] = (double)h[i];
        const double turn = front_off(h, land, i, along, across);
        off[offs] = turn;
        offs += turn >= 0.0 && r > 5.0 * land->cell ? 1 : 0;
        all.tower = fmax(all.tower, front_tower(h, land, i));
    }
    double none;
    all.cone = front_fit((const double(*)[3])cone, z, all.cells, 2, &all.slope);
    all.slope = -all.slope;
    all.parabola = front_fit((const double(*)[3])cone, z, all.cells, 3, &none);
    all.plane = front_fit((const double(*)[3])plane, z, all.cells, 3, &none);
    qsort(off, (size_t)offs, sizeof *off, front_by_size);
    all.off = offs > 0 ? off[offs / 2] : 0.0;
    double sum = 1e-9;
    for (int32_t i = 0; i < 6; ++i)
    {
        sum += all.sector[i];
    }
    for (int32_t i = 0; i < 6; ++i)
    {
        all.sector[i] /= sum;
    }
    free(h);
    free(cone);
    free(plane);
    free(z);
    free(off);
    return all;
}

double front_heading(wadi_solver* solver, const front_land* land, double radius)
{
    const int32_t n = land->size * land->size;
    float* flow = malloc((size_t)n * sizeof *flow);
    CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)),
             wadi_solver_map(solver, "discharge", flow));
    double most = 0.0;
    double heading = 0.0;
    for (int32_t degree = -84; degree <= 84; degree += 3)
    {
        double sum = 0.0;
        for (int32_t i = 0; i < n; ++i)
        {
            double along;
            double across;
            front_along(land, i % land->size + 0.5, i / land->size + 0.5, &along, &across);
            const double off = fabs(atan2(across, along) / DEGREE - degree);
            const bool ring = fabs(hypot(along, across) - radius) < land->cell;
            sum += ring && off < 10.0 ? (double)flow[i] : 0.0;
        }
        heading = sum > most ? degree : heading;
        most = sum > most ? sum : most;
    }
    free(flow);
    return heading;
}
