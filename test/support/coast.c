// SPDX-License-Identifier: MIT
#include "support/coast.h"

#include <stdlib.h>

void coast_open_edges(coast_world* w, int32_t size, const wadi_edge* edges, coast_shape* shape)
{
    static const double level = 0.0;
    *w = (coast_world){.params = wadi_coast_params_default()};
    w->params.focus = 0.0;
    fixture_open(&w->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = size;
    def.cell_size = 10.0;
    memcpy(def.edges, edges, sizeof def.edges);
    CHECK_OK(w->f.context, wadi_terrain_create(w->f.context, &def, &w->terrain));
    float* heights = malloc((size_t)size * (size_t)size * sizeof *heights);
    assert_non_null(heights);
    for (int32_t i = 0; i < size * size; ++i)
    {
        heights[i] = shape(i % size, i / size);
    }
    CHECK_OK(w->f.context, wadi_terrain_set_layer(w->terrain, WADI_LAYER_SURFACE, heights, size));
    free(heights);
    CHECK_OK(w->f.context, wadi_terrain_set_sea_level(w->terrain, NULL, &level, 1));
}

void coast_open(coast_world* w, int32_t size, wadi_edge edge, coast_shape* shape)
{
    const wadi_edge edges[4] = {edge, edge, edge, edge};
    coast_open_edges(w, size, edges, shape);
}

void coast_run(coast_world* w, double years)
{
    if (w->solver == NULL)
    {
        CHECK_OK(w->f.context,
                 wadi_solver_create(w->terrain, &wadi_coast_process, &w->params, 0, &w->solver));
    }
    fixture_live(w->solver, years);
}

void coast_close(coast_world* w)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}
