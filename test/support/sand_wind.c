// SPDX-License-Identifier: MIT
#include "support/sand_wind.h"

static const double sand_degree = 3.14159265358979323846 / 180.0;

sand_land_def sand_land_def_default(void)
{
    sand_land_def def = {0};
    def.size = 160;
    def.cell = 2.0;
    def.edges = WADI_EDGE_OPEN;
    def.seed = 1;
    def.params = wadi_wind_params_default();
    def.params.closing = false;
    return def;
}

sand_place sand_place_of(const sand_land* land, int32_t x, int32_t y)
{
    const double east = (x + 0.5 - 0.5 * land->size) * land->cell;
    const double south = (y + 0.5 - 0.5 * land->size) * land->cell;
    return (sand_place){east * land->x + south * land->y, east * land->y - south * land->x};
}

void sand_land_draw(const sand_land* land, wadi_layer layer, sand_shape* shape, const void* user)
{
    if (shape == NULL)
    {
        return;
    }
    float* values = test_malloc((size_t)land->size * (size_t)land->size * sizeof *values);
    for (int32_t y = 0; y < land->size; ++y)
    {
        for (int32_t x = 0; x < land->size; ++x)
        {
            values[y * land->size + x] = (float)shape(sand_place_of(land, x, y), user);
        }
    }
    CHECK_OK(land->f.context, wadi_terrain_set_layer(land->terrain, layer, values, land->size));
    test_free(values);
}

void sand_land_open(sand_land* land, const sand_land_def* def)
{
    fixture_open(&land->f, 1);
    land->size = def->size;
    land->cell = def->cell;
    land->x = -sin(def->params.direction * sand_degree);
    land->y = cos(def->params.direction * sand_degree);
    land->wraps = def->edges == WADI_EDGE_PERIODIC;
    wadi_terrain_def terrain = wadi_terrain_def_default();
    terrain.width = def->size;
    terrain.height = def->size;
    terrain.cell_size = def->cell;
    terrain.seed = def->seed;
    for (int side = 0; side < 4; ++side)
    {
        terrain.edges[side] = def->edges;
    }
    CHECK_OK(land->f.context, wadi_terrain_create(land->f.context, &terrain, &land->terrain));
    sand_land_draw(land, WADI_LAYER_BEDROCK, def->rock, def->user);
    sand_land_draw(land, WADI_LAYER_SEDIMENT, def->sand, def->user);
    CHECK_OK(land->f.context,
             wadi_solver_create(land->terrain, &wadi_wind_process, &def->params, 0, &land->wind));
}

void sand_land_blow(sand_land* land, double years)
{
    CHECK_OK(land->f.context, wadi_solver_advance(land->wind, years));
    CHECK_OK(land->f.context, wadi_solver_finish(land->wind));
    fixture_check_ledger(land->terrain);
}

void sand_land_close(sand_land* land)
{
    wadi_solver_destroy(land->wind);
    wadi_terrain_destroy(land->terrain);
    fixture_close(&land->f);
}

static int32_t sand_index(const sand_land* land, int32_t i)
{
    const int32_t last = land->size - 1;
    if (land->wraps)
    {
        return (i % land->size + land->size) % land->size;
    }
    return i < 0 ? 0 : i > last ? last : i;
}

static double sand_cell(const sand_land* land, wadi_layer layer, int32_t x, int32_t y)
{
    return (double)wadi_terrain_units(land->terrain, layer, sand_index(land, x),
                                      sand_index(land, y)) /
           WADI_UNITS_PER_METRE;
}

double sand_layer_at(const sand_land* land, wadi_layer layer, sand_place place)
{
    const double east = place.along * land->x + place.across * land->y;
    const double south = place.along * land->y - place.across * land->x;
    const double x = east / land->cell + 0.5 * land->size - 0.5;
    const double y = south / land->cell + 0.5 * land->size - 0.5;
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double fx = x - column;
    const double fy = y - row;
    const double north = sand_cell(land, layer, column, row) * (1.0 - fx) +
                         sand_cell(land, layer, column + 1, row) * fx;
    const double below = sand_cell(land, layer, column, row + 1) * (1.0 - fx) +
                         sand_cell(land, layer, column + 1, row + 1) * fx;
    return north * (1.0 - fy) + below * fy;
}

double sand_heap(sand_place place, double height, double radius)
{
    const double far =
        (place.along * place.along + place.across * place.across) / (radius * radius);
    return fmax(0.0, height * (1.0 - far));
}

double sand_front(const sand_land* land, sand_place summit, double across, double reach,
                  double step)
{
    double front = -reach;
    for (double along = -reach; along < reach; along += step)
    {
        const sand_place p = {summit.along + along, summit.across + across};
        front = sand_layer_at(land, WADI_LAYER_SEDIMENT, p) > 0.3 ? along : front;
    }
    return front;
}

double sand_exponent(const double* x, const double* y, int32_t count)
{
    double mean[2] = {0.0, 0.0};
    for (int32_t i = 0; i < count; ++i)
    {
        mean[0] += log(x[i]) / count;
        mean[1] += log(y[i]) / count;
    }
    double up = 0.0;
    double down = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const double h = log(x[i]) - mean[0];
        up += h * (log(y[i]) - mean[1]);
        down += h * h;
    }
    return up / down;
}
