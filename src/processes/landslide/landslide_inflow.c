// SPDX-License-Identifier: MIT
// Debris that enters in the region by a hydrograph, and flows. All cells of the region get the same
// whole units; what does not make a unit for each of them waits.
//
// Volumes are counted in whole units up to both ends of a step, so their sum does not depend on the
// steps.
#include "core/time_series.h"
#include "processes/landslide/landslide_state.h"

#include <math.h>
#include <string.h>

bool wadi_landslide_inflows(const landslide_state* state)
{
    return state->params.start == WADI_LANDSLIDE_INFLOW;
}

// ---- hydrograph --------------------------------------------------------------------------

static double inflow_end(const landslide_inflow* inflow)
{
    return inflow
        ->rows[(ptrdiff_t)(inflow->count - 1) * LANDSLIDE_INFLOW_COLUMNS + LANDSLIDE_INFLOW_SECOND];
}

wadi_result wadi_landslide_inflow_set(landslide_state* state, const double* values, int32_t rows)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    for (int32_t i = 1; i < rows; ++i)
    {
        const double* row =
            values + (ptrdiff_t)i * LANDSLIDE_INFLOW_COLUMNS + LANDSLIDE_INFLOW_SECOND;
        WADI_CHECK(context, row[0] > row[-LANDSLIDE_INFLOW_COLUMNS], WADI_ERROR_RANGE,
                   "row %d of inflow is for second %g, which does not come after %g: sort the rows "
                   "by second",
                   i + 1, row[0], row[-LANDSLIDE_INFLOW_COLUMNS]);
    }
    WADI_CHECK(context, rows == 0 || rows >= 2, WADI_ERROR_ARGUMENT,
               "inflow has one row, but nothing enters before the first row and after the last: "
               "give the begin and the end of the inflow");
    double* copy = NULL;
    if (rows > 0)
    {
        WADI_ALLOC(context, copy, (int64_t)rows * LANDSLIDE_INFLOW_COLUMNS, "a table of inflow");
        memcpy(copy, values, (size_t)rows * LANDSLIDE_INFLOW_COLUMNS * sizeof *copy);
    }
    wadi_free(context, state->inflow.rows);
    state->inflow.rows = copy;
    state->inflow.count = rows;
    state->is_stale = true;
    return WADI_OK;
}

// Units x cells that have entered up to a time [s].
static int64_t inflow_units(const landslide_state* state, double time)
{
    const landslide_inflow* inflow = &state->inflow;
    const wadi_series series = {inflow->rows, inflow->count, LANDSLIDE_INFLOW_COLUMNS,
                                LANDSLIDE_INFLOW_SECOND};
    const double cell = wadi_terrain_cell_size(state->terrain);
    const double until =
        fmax(inflow->rows[LANDSLIDE_INFLOW_SECOND], fmin(time, inflow_end(inflow)));
    const double volume = wadi_series_sum(&series, LANDSLIDE_INFLOW_DISCHARGE, -1, until);
    return (int64_t)floor(fmin(volume * WADI_UNITS_PER_METRE / (cell * cell), 1e15));
}

double wadi_landslide_inflow_friction(const landslide_state* state)
{
    const bool inflows = wadi_landslide_inflows(state) && state->inflow.rows != NULL;
    const double cell = wadi_terrain_cell_size(state->terrain);
    const double units = inflows ? (double)inflow_units(state, inflow_end(&state->inflow)) : 0.0;
    return wadi_landslide_flow_friction(&state->params, units / WADI_UNITS_PER_METRE * cell * cell);
}

bool wadi_landslide_inflow_lasts(const landslide_state* state, double time)
{
    return wadi_landslide_inflows(state) && time < inflow_end(&state->inflow);
}

// ---- place -------------------------------------------------------------------------------

static int32_t inflow_find_cells(landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const slide_region region = {&state->params, (const double(*)[2])state->corners,
                                 state->corner_count, NULL};
    int32_t count = 0;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const double x = ((double)(c % ground->width) + 0.5) * ground->cell_size;
        const double y =
            ((double)(ground->height - 1 - c / ground->width) + 0.5) * ground->cell_size;
        if (ground->valid[c] != 0 && wadi_slide_region_holds(&region, x, y))
        {
            state->inflow.cells[count++] = (int32_t)c;
        }
    }
    return count;
}

wadi_result wadi_landslide_inflow_place(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_landslide_params* p = &state->params;
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    landslide_inflow* inflow = &state->inflow;
    WADI_CHECK(context, inflow->rows != NULL, WADI_ERROR_STATE,
               "landslide.start inflow has no table inflow: give rows of second and discharge");
    WADI_CHECK(context, p->shape != WADI_LANDSLIDE_EVERYWHERE || state->corners != NULL,
               WADI_ERROR_STATE,
               "landslide.start inflow brings debris into a region: set shape circle or rectangle, "
               "or give the table outline");
    WADI_ALLOC(context, state->source.soil, cells, "soil of a slide");
    WADI_ALLOC(context, state->source.rock, cells, "soil of a slide");
    WADI_ALLOC(context, inflow->cells, cells, "cells of an inflow");
    inflow->cell_count = inflow_find_cells(state);
    inflow->owed = 0;
    WADI_CHECK(context, inflow->cell_count > 0, WADI_ERROR_RANGE,
               "the region of the landslide's inflow holds the middle of no cell with data: give a "
               "region on the map that is wider than a cell of %g m",
               wadi_terrain_cell_size(state->terrain));
    return WADI_OK;
}

void wadi_landslide_inflow_drop(landslide_state* state)
{
    wadi_free(wadi_terrain_context(state->terrain), state->inflow.cells);
    state->inflow.cells = NULL;
    state->inflow.cell_count = 0;
    state->inflow.owed = 0;
}

// ---- motion ------------------------------------------------------------------------------

// Room for debris below the greatest height in all cells [units].
static int64_t inflow_room(const landslide_inflow* inflow, const runner* flow)
{
    int64_t room = INT32_MAX / 2;
    for (int32_t k = 0; k < inflow->cell_count; ++k)
    {
        const ptrdiff_t i = wadi_runner_at(flow, inflow->cells[k]);
        const int64_t here = (int64_t)WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE -
                             flow->planes.bed[i] - flow->planes.mass[i];
        room = here < room ? here : room;
    }
    return room > 0 ? room : 0;
}

int64_t wadi_landslide_inflow_pour(const landslide_state* state, runner* flow, double since,
                                   double friction, int64_t* owed)
{
    const landslide_inflow* inflow = &state->inflow;
    if (!wadi_landslide_inflows(state))
    {
        return 0;
    }
    *owed += inflow_units(state, flow->time) - inflow_units(state, since);
    const int64_t room = inflow_room(inflow, flow);
    const int64_t share = *owed / inflow->cell_count;
    const int64_t units = share < room ? share : room;
    for (int32_t k = 0; k < inflow->cell_count; ++k)
    {
        wadi_runner_pour(flow, inflow->cells[k], (int32_t)units, friction);
    }
    *owed -= units * inflow->cell_count;
    return units * inflow->cell_count;
}

// ---- archive -----------------------------------------------------------------------------

wadi_result wadi_landslide_inflow_archive(landslide_state* state, wadi_archive* archive)
{
    wadi_context* context = wadi_archive_context(archive);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    landslide_inflow* inflow = &state->inflow;
    int64_t count = inflow->cell_count;
    WADI_TRY(wadi_archive_count(archive, &count, cells, "cells of an inflow"));
    if (wadi_archive_is_reading(archive) && count > 0)
    {
        wadi_landslide_inflow_drop(state);
        WADI_ALLOC(context, inflow->cells, count, "cells of an inflow");
        inflow->cell_count = (int32_t)count;
    }
    wadi_archive_i32(archive, inflow->cells, count);
    wadi_archive_i64(archive, &inflow->owed, 1);
    WADI_TRY(wadi_archive_result(archive));
    for (int64_t k = 0; k < count; ++k)
    {
        WADI_CHECK(context, inflow->cells[k] >= 0 && inflow->cells[k] < cells, WADI_ERROR_FORMAT,
                   "a saved inflow has cell %d of %lld", (int)inflow->cells[k], (long long)cells);
    }
    return WADI_OK;
}
