// SPDX-License-Identifier: MIT
#include "support/dune_land.h"

#include "support/dune_shape.h"

static const double dune_degree = 3.14159265358979323846 / 180.0;

dune_land_def dune_land_def_default(void)
{
    return (dune_land_def){.size = 256,
                           .cell = 1.0,
                           .edges = WADI_EDGE_PERIODIC,
                           .threads = 1,
                           .params = wadi_dunes_params_default()};
}

void dune_land_open(sand_land* land, const dune_land_def* def)
{
    fixture_open(&land->f, def->threads);
    land->size = def->size;
    land->cell = def->cell;
    land->x = -sin(def->params.direction * dune_degree);
    land->y = cos(def->params.direction * dune_degree);
    land->wraps = def->edges == WADI_EDGE_PERIODIC;
    land->terrain = fixture_plain(&land->f, def->size, def->size, def->cell, def->edges);
    sand_land_draw(land, WADI_LAYER_BEDROCK, def->rock, def->user);
    sand_land_draw(land, WADI_LAYER_SEDIMENT, def->sand, def->user);
    sand_land_draw(land, WADI_LAYER_VEGETATION, def->plants, def->user);
    sand_land_draw(land, WADI_LAYER_HARDNESS, def->hardness, def->user);
    wadi_dunes_params params = def->params;
    if (def->table != NULL)
    {
        params.direction =
            wadi_dunes_params_default().direction; // the direction is in `winds` instead
    }
    CHECK_OK(land->f.context,
             wadi_solver_create(land->terrain, &wadi_dunes_process, &params, 0, &land->wind));
    if (def->table != NULL)
    {
        CHECK_OK(land->f.context,
                 wadi_solver_set_table(land->wind, def->table, def->rows, def->row_count));
    }
}

void dune_land_blow(sand_land* land, double years)
{
    sand_land_blow(land, years);
    for (int32_t i = 0; i < land->size * land->size; ++i)
    {
        assert_true(wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT, i % land->size,
                                       i / land->size) >= 0);
    }
}

// Lattice noise from a hash of the corner's position.
static double dune_corner(int32_t x, int32_t y)
{
    uint32_t word = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u;
    word = (word ^ word >> 15) * 0x2C1B3C6Du;
    word = (word ^ word >> 12) * 0x297A2D39u;
    return (word ^ word >> 15) / 4294967296.0 - 0.5;
}

double dune_sheet(sand_place place, const void* user)
{
    const double lattice = 4.0; // [m]
    const double x = place.along / lattice;
    const double y = place.across / lattice;
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double fx = x - column;
    const double fy = y - row;
    const double near = dune_corner(column, row) * (1.0 - fx) + dune_corner(column + 1, row) * fx;
    const double far =
        dune_corner(column, row + 1) * (1.0 - fx) + dune_corner(column + 1, row + 1) * fx;
    (void)user;
    return 4.0 + 0.4 * (near * (1.0 - fy) + far * fy);
}

dune_measures dune_land_measure(const sand_land* land)
{
    return dunes_measure(land->terrain, land->x, land->y);
}

static double dune_sand(const sand_land* land, int32_t i)
{
    return (double)wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT, i % land->size,
                                      i / land->size) /
           WADI_UNITS_PER_METRE;
}

double dune_bare_share(const sand_land* land)
{
    const int32_t cells = land->size * land->size;
    int32_t bare = 0;
    for (int32_t i = 0; i < cells; ++i)
    {
        bare += dune_sand(land, i) < 0.05 ? 1 : 0;
    }
    return (double)bare / cells;
}

double dune_summit(const sand_land* land, sand_place* where)
{
    double most = -1.0;
    for (int32_t i = 0; i < land->size * land->size; ++i)
    {
        const double sand = dune_sand(land, i);
        if (sand > most)
        {
            most = sand;
            *where = sand_place_of(land, i % land->size, i / land->size);
        }
    }
    return most;
}

sand_place dune_centre(const sand_land* land)
{
    sand_place sum = {0.0, 0.0};
    double mass = 0.0;
    for (int32_t i = 0; i < land->size * land->size; ++i)
    {
        const sand_place p = sand_place_of(land, i % land->size, i / land->size);
        const double sand = dune_sand(land, i);
        sum.along += sand * p.along;
        sum.across += sand * p.across;
        mass += sand;
    }
    return (sand_place){sum.along / mass, sum.across / mass};
}

int32_t dune_arms(const sand_land* land, sand_place middle, double radius, double least)
{
    enum
    {
        STEPS = 72
    };
    double ring[STEPS];
    double mean = 0.0;
    for (int i = 0; i < STEPS; ++i)
    {
        const double angle = 6.283185307179586 * i / STEPS;
        const sand_place p = {middle.along + radius * cos(angle),
                              middle.across + radius * sin(angle)};
        ring[i] = sand_layer_at(land, WADI_LAYER_SEDIMENT, p);
        mean += ring[i] / STEPS;
    }
    return dune_ring_arms(ring, STEPS, least * mean);
}
