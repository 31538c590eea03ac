// SPDX-License-Identifier: MIT
// Figures and change maps of slides: change of the surface, run-out, clocks, water.
#include "process/figure_row.h"
#include "processes/landslide/landslide_state.h"

#include <wadi/stability.h>

#include <math.h>

#include <string.h>

static const double landslide_toe = 0.1; // deposit that counts as run-out [m]

enum
{
    LANDSLIDE_DRY_FIGURES = 15 // figures before those of soaking
};

// ---- books -------------------------------------------------------------------------------

void wadi_landslide_snapshot(landslide_state* state)
{
    const slide_source* source = state->slide.source;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        state->before[c] = wadi_ground_surface(ground, c);
        state->released[c] += (int64_t)source->soil[c] + source->rock[c];
    }
}

int64_t wadi_landslide_next(const landslide_state* state, int64_t cell)
{
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    return state->flow != NULL ? wadi_runner_next(state->flow, cell)
           : cell + 1 < cells  ? cell + 1
                               : -1;
}

void wadi_landslide_compare(landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = wadi_landslide_next(state, -1); c >= 0; c = wadi_landslide_next(state, c))
    {
        const int64_t change = (int64_t)wadi_ground_surface(ground, c) - state->before[c];
        state->change[0][c] += change < 0 ? -change : 0;
        state->change[1][c] += change > 0 ? change : 0;
    }
}

// Distance in cells, the shorter one if the terrain is periodic.
static double landslide_apart(int64_t cells, int32_t period, wadi_edge edge)
{
    return wadi_slide_apart((double)cells, 0.0, edge == WADI_EDGE_PERIODIC ? (double)period : 0.0);
}

static bool landslide_gave(const landslide_state* state, int64_t cell)
{
    const slide_source* source = state->slide.source; // of blocks: NULL
    return state->flow != NULL ? state->lifted[cell] > 0
           : source != NULL    ? source->soil[cell] + source->rock[cell] > 0
                               : state->source.soil[cell] + state->source.rock[cell] > 0;
}

// The highest cell of the source; -1: none.
static int64_t landslide_top(const landslide_state* state)
{
    int64_t top = -1;
    for (int32_t k = 0; k < state->inflow.cell_count && state->lifted_units > 0; ++k)
    {
        const int64_t c = state->inflow.cells[k];
        top = top < 0 || state->before[c] > state->before[top] ? c : top;
    }
    for (int64_t c = wadi_landslide_next(state, -1); c >= 0; c = wadi_landslide_next(state, c))
    {
        const bool higher = top < 0 || state->before[c] > state->before[top];
        top = landslide_gave(state, c) && higher ? c : top;
    }
    return top;
}

// Run-out: from the highest source cell to the farthest cell with a deposit of landslide_toe.
void wadi_landslide_measure(landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const int64_t top = landslide_top(state);
    double far2 = 0.0;
    int64_t toe = top;
    state->account.runout = state->account.fall = 0.0;
    for (int64_t c = top < 0 ? top : wadi_landslide_next(state, -1); c >= 0;
         c = wadi_landslide_next(state, c))
    {
        const int32_t raised = wadi_ground_surface(ground, c) - state->before[c];
        const double dx = landslide_apart(c % ground->width - top % ground->width, ground->width,
                                          ground->edges[WADI_SIDE_WEST]);
        const double dy = landslide_apart(c / ground->width - top / ground->width, ground->height,
                                          ground->edges[WADI_SIDE_NORTH]);
        if ((double)raised >= landslide_toe * WADI_UNITS_PER_METRE && dx * dx + dy * dy > far2)
        {
            far2 = dx * dx + dy * dy;
            toe = c;
        }
    }
    if (top < 0)
    {
        return;
    }
    state->account.runout = sqrt(far2) * ground->cell_size;
    state->account.fall = (double)(state->before[top] - state->before[toe]) / WADI_UNITS_PER_METRE;
}

static double landslide_farthest(const slide* s)
{
    double most = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double way2 = s->way[i][0] * s->way[i][0] + s->way[i][1] * s->way[i][1];
        most = way2 > most ? way2 : most;
    }
    return sqrt(most);
}

// Add the water of soaking soil to the account.
static void landslide_account_for_water(landslide_account* account, const slide* s)
{
    const wadi_seepage_books* water = &s->soak.water;
    account->soaked += s->soak.time;
    account->slept += s->soak.slept;
    account->failed = s->soak.failed;
    account->wakes += (double)s->soak.wakes;
    account->gained += water->now - water->before;
    account->holds = water->now;
    account->rained += water->rain;
    account->runoff += water->runoff;
    account->drained += water->drained;
    account->dried += water->evaporated;
    account->residual += (double)water->residual;
}

void wadi_landslide_account_for(landslide_state* state)
{
    const slide* s = &state->slide;
    const double cell = wadi_terrain_cell_size(state->terrain);
    landslide_account* account = &state->account;
    *account = state->before_slide;
    account->grains = s->count;
    account->diameter = s->diameter;
    account->step = s->summary.step;
    account->time += s->time;
    account->steps += (double)s->summary.steps;
    account->grain_steps += (double)s->summary.steps * (double)s->count;
    account->overlap = s->overlap > account->overlap ? s->overlap : account->overlap;
    account->moving = s->still_moving;
    account->farthest = landslide_farthest(s);
    account->released += (double)s->source->units / WADI_UNITS_PER_METRE * cell * cell;
    if (s->wet != NULL)
    {
        landslide_account_for_water(account, s);
    }
}

// ---- reports -----------------------------------------------------------------------------

int32_t wadi_landslide_work(const void* user, wadi_work* rows)
{
    const landslide_state* state = user;
    const wadi_work all[] = {
        {"grains", state->account.grains},
        {"steps", state->account.steps},
        {"particle_steps", state->account.grain_steps},
        {"cell_steps", state->account.flow_steps},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static double landslide_least(const landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    double least = WADI_STABILITY_MOST;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const double here = (double)state->stability[c];
        least = here < least ? here : least;
    }
    return least;
}

// Blocks turn in an instant: they have neither grains nor clocks of a slide.
static int32_t landslide_slump_figures(const landslide_state* state, wadi_figure* rows)
{
    const landslide_account* a = &state->account;
    const wadi_figure all[] = {
        wadi_figure_of("least_stability", landslide_least(state)),
        wadi_figure_of("failing_areas", a->areas),
        wadi_figure_of("largest_area", a->largest),
        wadi_figure_of("released", a->released),
        wadi_figure_of("runout", a->runout),
        wadi_figure_of("fall", a->fall),
        wadi_figure_of("rotation", a->rotation),
        wadi_figure_of("waiting_clock", state->waiting),
        wadi_figure_of("secondary_blocks", a->secondary), // last, left out without them
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all) - (state->params.secondary > 0 ? 0 : 1);
}

int32_t wadi_landslide_figures(const void* user, wadi_figure* rows)
{
    const landslide_state* state = user;
    const landslide_account* a = &state->account;
    const bool soaks = state->params.start == WADI_LANDSLIDE_SOAKING;
    const wadi_figure all[] = {
        wadi_figure_of("least_stability", landslide_least(state)),
        wadi_figure_of("failing_areas", a->areas),
        wadi_figure_of("largest_area", a->largest),
        wadi_figure_of("largest_slide", a->number),
        wadi_figure_of("released", a->released),
        wadi_figure_of("grains", a->grains),
        wadi_figure_of("grain_diameter", a->diameter),
        wadi_figure_of("step", a->step),
        wadi_figure_of("slide_clock", a->time),
        wadi_figure_of("waiting_clock", state->waiting),
        wadi_figure_of("largest_overlap", a->overlap),
        wadi_figure_of("still_moving", a->moving),
        wadi_figure_of("runout", a->runout),
        wadi_figure_of("fall", a->fall),
        wadi_figure_of("farthest_grain", a->farthest),
        wadi_figure_of("soaking_clock", a->soaked),
        wadi_figure_of("slept", a->slept),
        wadi_figure_of("acceleration", state->params.acceleration),
        wadi_figure_of("wakes", a->wakes),
        wadi_figure_of("rain_water", a->rained),
        wadi_figure_of("soil_water", a->holds),
        wadi_figure_of("soil_gained", a->gained),
        wadi_figure_of("runoff", a->runoff),
        wadi_figure_of("drained", a->drained),
        wadi_figure_of("evaporated", a->dried),
        wadi_figure_of("water_residual", a->residual),
        wadi_figure_of("failed", a->failed), // last, left out if the soil stands
    };
    const wadi_figure flows[] = {
        wadi_figure_of("entrained", a->entrained),
        wadi_figure_of("flow_height", a->thickest),
        wadi_figure_of("flow_speed", a->fastest),
        wadi_figure_of("farthest_slide", a->first),
    };
    if (state->params.model == WADI_LANDSLIDE_SLUMP)
    {
        return landslide_slump_figures(state, rows);
    }
    const int32_t count = WADI_COUNT(all);
    memcpy(rows, all, sizeof all);
    if (state->params.model != WADI_LANDSLIDE_GRAINS && !soaks)
    {
        const int32_t last = LANDSLIDE_DRY_FIGURES + WADI_COUNT(flows);
        memcpy(&rows[LANDSLIDE_DRY_FIGURES], flows, sizeof flows);
        rows[last] = wadi_figure_of("hummocks", a->hummocks);
        return state->params.hummocks > 0.0 ? last + 1 : last;
    }
    if (state->params.start == WADI_LANDSLIDE_STORM)
    {
        rows[LANDSLIDE_DRY_FIGURES] = flows[WADI_COUNT(flows) - 1];
        return LANDSLIDE_DRY_FIGURES + 1;
    }
    return !soaks ? LANDSLIDE_DRY_FIGURES : isnan(a->failed) ? count - 1 : count;
}
