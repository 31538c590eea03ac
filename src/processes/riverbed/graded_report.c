// SPDX-License-Identifier: MIT
// Maps and figures of rivers.
#include "process/figure_row.h"
#include "processes/riverbed/graded_internal.h"

#include "core/internal.h"

#include <math.h>
#include <string.h>

static const graded_cell* report_cell(const wadi_graded* graded, int64_t cell)
{
    const int32_t slot = graded->corridor.slot[cell];
    return slot != 0 ? &graded->corridor.cells[slot - 1] : NULL;
}

static bool report_is_bed(const graded_cell* cell)
{
    return cell != NULL && fabsf(cell->eta) < 1.0f;
}

static double report_level(const wadi_graded* graded, int64_t i)
{
    const int32_t surface = wadi_ground_surface(graded->ground, i);
    return graded_metres(surface) + graded_metres(graded->depth[i]);
}

static double report_load(const wadi_graded* graded, int64_t i)
{
    const graded_cell* cell = report_cell(graded, i);
    const double area = graded->ground->cell_size * graded->ground->cell_size;
    return report_is_bed(cell) ? (double)graded->rivers[cell->river].passing[cell->station] * area /
                                     WADI_UNITS_PER_METRE
                               : 0.0;
}

static double report_value(const wadi_graded* graded, int32_t index, int64_t i)
{
    const graded_cell* cell = report_cell(graded, i);
    switch (index)
    {
    case RIVERBED_MAP_WEAR:
        return (double)graded->worn[i] / WADI_UNITS_PER_METRE;
    case RIVERBED_MAP_DEPOSIT:
        return (double)graded->raised[i] / WADI_UNITS_PER_METRE;
    case RIVERBED_MAP_BED:
        return report_is_bed(cell) ? 1.0 - fabs((double)cell->eta) : 0.0;
    case RIVERBED_MAP_LEVEL:
        return report_level(graded, i);
    case RIVERBED_MAP_DEPTH:
        return graded_metres(graded->depth[i]);
    case RIVERBED_MAP_LOAD:
        return report_load(graded, i);
    default:
        return graded->last[i] > 0.0f ? fmax(0.0, graded->years - (double)graded->last[i]) : 0.0;
    }
}

wadi_result wadi_graded_map(void* user, int32_t index, float* out)
{
    const wadi_graded* graded = user;
    for (int64_t i = 0; i < graded->ground->cells; ++i)
    {
        out[i] = graded->ground->valid[i] != 0 ? (float)report_value(graded, index, i) : NAN;
    }
    return WADI_OK;
}

int32_t wadi_graded_work(const void* user, wadi_work* rows)
{
    const wadi_graded* graded = user;
    rows[0] = (wadi_work){"particles", (double)graded->particles};
    rows[1] = (wadi_work){"particle_steps", (double)graded->steps};
    return 2;
}

// Length of the course divided by that of its axis.
static double report_sinuosity(const graded_river* river)
{
    return river->axis_count > 1 ? (double)river->inside / river->axis_count : 1.0;
}

static double report_exported(const wadi_graded* graded)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count =
        wadi_terrain_ledger_of(graded->terrain, "riverbed", rows, WADI_MAX_MATERIALS);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT && count > WADI_MATERIAL_SEDIMENT; ++side)
    {
        sum += rows[WADI_MATERIAL_SEDIMENT].out[side];
    }
    return sum;
}

int32_t wadi_graded_figures(const void* user, wadi_figure* rows)
{
    const wadi_graded* graded = user;
    const double years = graded->years;
    const double cell = graded->ground->cell_size;
    const double land = (double)wadi_terrain_valid_count(graded->terrain) * cell * cell * years;
    const double exported = report_exported(graded);
    rows[0] = wadi_figure_of("years", years);
    rows[1] = wadi_figure_of("denudation", land > 0.0 ? exported / land * 1e6 : 0.0);
    rows[2] = wadi_figure_of("exported", exported);
    rows[3] = wadi_figure_of("sinuosity",
                             graded->river_count > 0 ? report_sinuosity(graded->rivers) : 1.0);
    rows[4] = wadi_figure_of("ended_inside", (double)graded->dead);
    rows[5] = wadi_figure_of("pits_filled", graded->filled);
    rows[6] = wadi_figure_of("acceleration", 100.0 / graded->params.growth);
    rows[7] = wadi_figure_of("cutoffs", (double)graded->cutoffs);
    return 8;
}
