// SPDX-License-Identifier: MIT
#include "support/slope.h"

#include "core/archive.h"

#include <stdlib.h>

typedef struct slope_place
{
    double ahead;
    double aside;
} slope_place;

static slope_place slope_at(const slope_shape* shape, int32_t x, int32_t y)
{
    const double angle = shape->azimuth * 0.017453292519943295;
    const double east = (x + 0.5 - 0.5 * shape->side) * shape->cell;
    const double north = (0.5 * shape->side - y - 0.5) * shape->cell;
    return (slope_place){east * sin(angle) + north * cos(angle),
                         east * cos(angle) - north * sin(angle)};
}

static double slope_height(const slope_shape* shape, slope_place at)
{
    const double height = 100.0 - shape->tangent * at.ahead;
    return shape->foot > 0.0 && height < 100.0 - shape->foot ? 100.0 - shape->foot : height;
}

static double slope_soil(const slope_shape* shape, slope_place at)
{
    const bool inside = fabs(at.ahead - shape->ahead) < shape->half && fabs(at.aside) < shape->half;
    return shape->soil + (inside ? shape->block : 0.0);
}

wadi_terrain* slope_make(fixture* f, const slope_shape* shape)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = shape->side;
    def.cell_size = shape->cell;
    def.seed = 5;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    const size_t cells = (size_t)shape->side * (size_t)shape->side;
    float* rock = test_calloc(cells, sizeof *rock);
    float* soil = test_calloc(cells, sizeof *soil);
    for (int32_t y = 0; y < shape->side; ++y)
    {
        for (int32_t x = 0; x < shape->side; ++x)
        {
            const slope_place at = slope_at(shape, x, y);
            rock[y * shape->side + x] = (float)slope_height(shape, at);
            soil[y * shape->side + x] = (float)slope_soil(shape, at);
        }
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, shape->side));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, soil, shape->side));
    test_free(rock);
    test_free(soil);
    return terrain;
}

slope_middle slope_middle_of(wadi_terrain* terrain, const slope_shape* shape, wadi_layer layer)
{
    slope_middle m = {0};
    for (int32_t y = 0; y < shape->side; ++y)
    {
        for (int32_t x = 0; x < shape->side; ++x)
        {
            const slope_place at = slope_at(shape, x, y);
            const double volume = (double)wadi_terrain_units(terrain, layer, x, y) /
                                  WADI_UNITS_PER_METRE * shape->cell * shape->cell;
            m.volume += volume;
            m.ahead += volume * at.ahead;
            m.aside += volume * at.aside;
            m.height += volume * slope_height(shape, at);
        }
    }
    m.ahead /= m.volume;
    m.aside /= m.volume;
    m.height /= m.volume;
    return m;
}

// All figures stand in the table of the process, also those of options that no preset has.
static void slope_check_figure(const wadi_solver* solver, const char* name)
{
    const wadi_process* process = wadi_solver_process(solver);
    for (int32_t i = 0; i < process->figure_count; ++i)
    {
        if (strcmp(process->figures[i].name, name) == 0)
        {
            assert_true(
                wadi_model_is_in(process, wadi_solver_model(solver), process->figures[i].models));
            return;
        }
    }
    fail_msg("figure '%s' is not in the table of the process", name);
}

double slope_figure(const wadi_solver* solver, const char* name)
{
    wadi_figure figures[40];
    const int32_t count = wadi_solver_figures(solver, figures, 40);
    for (int32_t i = 0; i < count; ++i)
    {
        slope_check_figure(solver, figures[i].name);
    }
    for (int32_t i = 0; i < count; ++i)
    {
        if (strcmp(figures[i].name, name) == 0)
        {
            return figures[i].value;
        }
    }
    fail_msg("landslide reports no %s", name);
    return 0.0;
}

wadi_result slope_run(wadi_solver* solver, double years)
{
    WADI_TRY(wadi_solver_fit(solver, years));
    WADI_TRY(wadi_solver_advance(solver, years));
    return wadi_solver_settle(solver);
}

wadi_solver* slope_restore(wadi_solver* solver, wadi_terrain* terrain)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_bytes bytes = {.context = context};
    const uint64_t hash = wadi_solver_hash(solver);
    CHECK_OK(context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
    wadi_solver* copy = NULL;
    CHECK_OK(context, wadi_solver_load(terrain, wadi_bytes_read, &bytes, &copy));
    assert_true(wadi_solver_hash(copy) == hash);
    wadi_bytes_free(&bytes);
    return copy;
}
