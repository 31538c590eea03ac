// SPDX-License-Identifier: MIT
// Slides as depth-averaged flows. Soil that moves leaves the layers and is in transit until it
// comes to rest. All layers mix in a flow, so it lies down as sediment.
#include "core/random.h"
#include "processes/landslide/landslide_state.h"

#include "core/dmath.h"

#include <math.h>
#include <string.h>

static const double flow_grains_across = 5.0; // grains across the soil that resolve it
static const double flow_reached = 0.1;       // thickness that counts as reached [m]
static const double flow_thinnest = 0.01;     // a thinner flow stands [m]

enum
{
    FLOW_QUESTION = 16 // steps between two questions whether to stop
};

// ---- grains or flow ----------------------------------------------------------------------

// Diameter that grains would have at least [m].
static double flow_grain(const landslide_state* state)
{
    const wadi_landslide_params* p = &state->params;
    const double cell = wadi_terrain_cell_size(state->terrain);
    const double volume = (double)state->source.units / WADI_UNITS_PER_METRE * cell * cell;
    const double fits = wadi_pow(volume / (0.85 * p->most), 1.0 / 3.0); // of 0.6 of the volume
    const double least = fits > 0.2 * cell ? fits : 0.2 * cell;
    return p->diameter > 0.0 ? p->diameter : least;
}

static double flow_soil(const landslide_state* state)
{
    const int64_t cells = state->source.cells > 0 ? state->source.cells : 1;
    return (double)state->source.units / WADI_UNITS_PER_METRE / (double)cells;
}

static bool flow_grains_resolve(const landslide_state* state)
{
    return flow_grain(state) * flow_grains_across <= flow_soil(state);
}

bool wadi_landslide_flows(const landslide_state* state)
{
    const wadi_landslide_params* p = &state->params;
    if (wadi_landslide_inflows(state))
    {
        return true;
    }
    const bool coarse = p->start != WADI_LANDSLIDE_SOAKING && !flow_grains_resolve(state);
    return p->model == WADI_LANDSLIDE_RUNNER || (p->model == WADI_LANDSLIDE_AUTO && coarse);
}

void wadi_landslide_flow_note(const landslide_state* state)
{
    const wadi_landslide_params* p = &state->params;
    if (p->model == WADI_LANDSLIDE_RUNNER || p->start == WADI_LANDSLIDE_SOAKING ||
        wadi_landslide_inflows(state) || flow_grains_resolve(state))
    {
        return;
    }
    wadi_log_line(wadi_terrain_context(state->terrain),
                  "landslide: the soil is %.2g m deep and grains would be %.2g m wide, %s",
                  flow_soil(state), flow_grain(state),
                  state->flow != NULL
                      ? "so it moves as a depth-averaged flow"
                      : "too coarse to resolve it: set model runner, a smaller region, or more "
                        "grains by `most`");
}

// ---- begin -------------------------------------------------------------------------------

static runner_law flow_law(const landslide_state* state)
{
    const wadi_landslide_params* p = &state->params;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const int32_t row = ground->loose_count > 0 ? ground->material[0] : WADI_MATERIAL_SEDIMENT;
    const wadi_material* soil = wadi_terrain_material(state->terrain, row);
    const double angle = soil->friction_angle * 0.017453292519943295;
    return (runner_law){
        .turbulence = wadi_landslide_flow_turbulence(p),
        .drained = wadi_sin(angle) / wadi_cos(angle),
        .drainage = p->drainage,
        .density = p->density,
        .bed_depth = p->bed_depth,
        .bed_rate = p->bed_rate,
        .bed_stress = p->bed_stress,
        .thinnest = flow_thinnest,
        .lake = p->lake,
        .arrival = flow_reached,
    };
}

void wadi_landslide_flow_lift(landslide_state* state, runner* flow, int64_t cell, int32_t units,
                              double friction)
{
    if (units > 0)
    {
        wadi_runner_release(flow, cell, units, friction);
    }
    if (units > 0 && flow == state->flow)
    {
        state->lifted[cell] = units;
        state->lifted_units += units;
    }
}

// Set the soil of the source in motion, or the slide of a storm that is next.
static void flow_release(landslide_state* state, runner* flow, double scatter)
{
    const slide_source* source = &state->source;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    if (wadi_landslide_queues(state))
    {
        wadi_landslide_queue_release(state, state->next, flow, scatter);
        return;
    }
    for (int64_t c = 0; c < ground->cells && !wadi_landslide_inflows(state); ++c)
    {
        const double volume = state->volumes != NULL ? (double)state->volumes[c] : 0.0;
        const double friction = wadi_landslide_flow_friction(&state->params, volume);
        wadi_landslide_flow_lift(state, flow, c, source->soil[c] + source->rock[c],
                                 friction * scatter);
    }
}

// A number from 1 - scatter to 1 + scatter.
static double flow_scatter(const landslide_state* state, int32_t member, int32_t which)
{
    const wadi_philox lot = wadi_random(wadi_terrain_seed(state->terrain), state->stream,
                                        (uint64_t)member, (uint32_t)state->slides);
    return 1.0 + state->params.scatter *
                     (2.0 * wadi_unit_double(lot.v[2 * which], lot.v[2 * which + 1]) - 1.0);
}

// Count the cells that the run has reached.
static void flow_count_reach(landslide_state* state)
{
    const runner* flow = state->trial;
    const float one = 1.0f / (float)state->params.ensemble;
    const float least = (float)(flow_reached * WADI_UNITS_PER_METRE);
    for (int64_t c = wadi_runner_next(flow, -1); c >= 0; c = wadi_runner_next(flow, c))
    {
        state->share[c] += flow->planes.depth[wadi_runner_at(flow, c)] >= least ? one : 0.0f;
    }
}

// Keep the largest share of all slides.
static void flow_keep_reach(landslide_state* state)
{
    const runner* flow = state->trial;
    float* reach = state->peaks[LANDSLIDE_MAP_REACH - LANDSLIDE_MAP_HEIGHT];
    for (int64_t c = 0; c < (int64_t)flow->width * flow->height; ++c)
    {
        reach[c] = fmaxf(reach[c], state->share[c]);
        state->share[c] = 0.0f;
    }
}

static bool flow_rests(const landslide_state* state, const runner* flow)
{
    return flow->time >= state->params.longest ||
           (flow->rests && !wadi_landslide_inflow_lasts(state, flow->time));
}

// Run one member of the ensemble to its end.
static wadi_result flow_member(landslide_state* state, int32_t member)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    runner* flow = state->trial;
    flow->law = flow_law(state);
    flow->law.turbulence *= member > 0 ? flow_scatter(state, member, 1) : 1.0;
    const double scatter = member > 0 ? flow_scatter(state, member, 0) : 1.0;
    const double friction = wadi_landslide_inflow_friction(state) * scatter;
    int64_t owed = 0;
    flow_release(state, flow, scatter);
    bool goes_on = true;
    while (!flow_rests(state, flow) && goes_on)
    {
        const double since = flow->time;
        wadi_runner_step(flow);
        (void)wadi_landslide_inflow_pour(state, flow, since, friction, &owed);
        goes_on = flow->steps % FLOW_QUESTION != 0 ||
                  wadi_progress(context, (double)member / state->params.ensemble, "ensemble");
    }
    flow_count_reach(state);
    wadi_runner_reset(flow, wadi_terrain_ground_const(state->terrain));
    WADI_CHECK(context, goes_on, WADI_ERROR_CANCELLED, "the ensemble was stopped on its way");
    return WADI_OK;
}

wadi_result wadi_landslide_flow_ensemble(landslide_state* state)
{
    if (state->trial == NULL)
    {
        return WADI_OK;
    }
    wadi_runner_follow(state->trial, wadi_terrain_ground_const(state->terrain));
    for (int32_t member = 0; member < state->params.ensemble; ++member)
    {
        WADI_TRY(flow_member(state, member));
    }
    flow_keep_reach(state);
    return WADI_OK;
}

// Memory for the flow and its ensemble.
static wadi_result flow_create(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const runner_law law = flow_law(state);
    WADI_TRY(wadi_runner_create(context, ground, &law, &state->flow));
    WADI_ALLOC(context, state->lifted, ground->cells, "soil of a flow");
    WADI_TRY(wadi_landslide_hummocks_create(state));
    state->lifted_units = 0;
    state->next = 0;
    state->flowing = false;
    if (state->params.ensemble > 1)
    {
        WADI_ALLOC(context, state->share, ground->cells, "an ensemble of flows");
        WADI_TRY(wadi_runner_create(context, ground, &law, &state->trial));
    }
    return WADI_OK;
}

wadi_result wadi_landslide_flow_begin(landslide_state* state)
{
    WADI_TRY(flow_create(state));
    if (wadi_landslide_queues(state))
    {
        state->account.first = state->account.runout = state->account.fall = 0.0;
        state->before_slide = state->account;
        return WADI_OK;
    }
    if (state->params.volume_law != WADI_LANDSLIDE_ANY_VOLUME)
    {
        WADI_TRY(wadi_landslide_volumes(state));
    }
    WADI_TRY(wadi_landslide_flow_ensemble(state));
    flow_release(state, state->flow, 1.0);
    wadi_free(wadi_terrain_context(state->terrain), state->volumes);
    state->volumes = NULL;
    ++state->slides;
    return WADI_OK;
}

void wadi_landslide_flow_drop(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_runner_destroy(state->flow);
    wadi_runner_destroy(state->trial);
    wadi_free(context, state->lifted);
    wadi_free(context, state->share);
    wadi_free(context, state->volumes);
    wadi_landslide_hummocks_drop(state);
    wadi_landslide_inflow_drop(state);
    state->flow = state->trial = NULL;
    state->volumes = NULL;
    state->lifted = NULL;
    state->share = NULL;
}

// ---- books -------------------------------------------------------------------------------

// Units that leave or lie in void cells stay out of this: the runner counts them as it goes.
static void flow_take(const wadi_ground* ground, int64_t cell, int32_t units, wadi_tally* tally)
{
    const int32_t loose = wadi_ground_take_loose(ground, cell, units, tally);
    if (loose < units)
    {
        wadi_ground_take_exact_rock(ground, cell, units - loose, tally);
    }
}

// Take what moves out of the layers, and book what left.
static void flow_commit(landslide_state* state, wadi_tally* tally)
{
    runner* flow = state->flow;
    const wadi_ground* ground = wadi_terrain_ground(state->terrain);
    for (int64_t c = wadi_runner_next(flow, -1); c >= 0; c = wadi_runner_next(flow, c))
    {
        const int32_t units = ground->valid[c] == 0 ? 0
                                                    : wadi_ground_surface(ground, c) -
                                                          flow->planes.bed[wadi_runner_at(flow, c)];
        flow_take(ground, c, units, tally);
    }
    for (int32_t tile = 0; tile < flow->columns * flow->rows; ++tile)
    {
        for (int32_t side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            tally->out[WADI_MATERIAL_SEDIMENT][side] += flow->left[tile][side];
            flow->left[tile][side] = 0;
        }
    }
    tally->in[WADI_MATERIAL_SEDIMENT] += state->flow_fresh;
    state->flow_fresh = 0;
    const int64_t holds = wadi_runner_holds(flow);
    tally->transit[WADI_MATERIAL_SEDIMENT] += holds - state->flow_held;
    state->flow_held = holds;
}

static void flow_book(landslide_state* state, const wadi_tally* tally)
{
    wadi_terrain_book(state->terrain, "landslide", tally);
    wadi_terrain_changed(state->terrain);
}

void wadi_landslide_flow_book(landslide_state* state)
{
    wadi_tally tally = {0};
    flow_commit(state, &tally);
    flow_book(state, &tally);
}

void wadi_landslide_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    held[WADI_MATERIAL_SEDIMENT] += ((const landslide_state*)user)->flow_held;
}

// ---- motion ------------------------------------------------------------------------------

bool wadi_landslide_flow_is_over(const landslide_state* state)
{
    return wadi_landslide_queues(state) ? wadi_landslide_queue_is_over(state)
                                        : flow_rests(state, state->flow);
}

// A step, and what has entered during it.
static void flow_step(landslide_state* state)
{
    runner* flow = state->flow;
    const double since = flow->time;
    wadi_runner_step(flow);
    const int64_t units = wadi_landslide_inflow_pour(
        state, flow, since, wadi_landslide_inflow_friction(state), &state->inflow.owed);
    state->flow_fresh += units;
    state->lifted_units += units;
}

void wadi_landslide_flow_run(landslide_state* state, double seconds, bool* stopped)
{
    runner* flow = state->flow;
    wadi_context* context = wadi_terrain_context(state->terrain);
    if (wadi_landslide_queues(state))
    {
        wadi_landslide_queue_run(state, seconds, stopped);
        return;
    }
    const double until = seconds < state->params.longest ? seconds : state->params.longest;
    while (!wadi_landslide_flow_is_over(state) && flow->time < until && !*stopped)
    {
        flow_step(state);
        *stopped = flow->steps % FLOW_QUESTION == 0 &&
                   !wadi_progress_stop(context, flow->time / until, "landslide");
    }
    wadi_landslide_flow_book(state);
}

// ---- end ---------------------------------------------------------------------------------

// Debris that lies in standing water displaces it; that water leaves the terrain.
static void flow_displace(const wadi_ground* ground, int64_t cell, int32_t units, wadi_tally* tally)
{
    const int32_t water = ground->water[cell];
    const int32_t moved = units < water ? units : water;
    ground->water[cell] -= moved;
    tally->lost[WADI_MATERIAL_WATER] += moved;
}

static void flow_lay(landslide_state* state, wadi_tally* tally)
{
    runner* flow = state->flow;
    const wadi_ground* ground = wadi_terrain_ground(state->terrain);
    for (int64_t c = wadi_runner_next(flow, -1); c >= 0; c = wadi_runner_next(flow, c))
    {
        const ptrdiff_t i = wadi_runner_at(flow, c);
        const int32_t units = flow->planes.mass[i];
        const int32_t lifted = state->lifted[c] + flow->planes.worn[i];
        if (ground->valid[c] != 0 && units > 0)
        {
            wadi_ground_put(ground, c, units, tally);
            flow_displace(ground, c, units - lifted > 0 ? units - lifted : 0, tally);
        }
        flow->planes.mass[i] = 0;
        state->before[c] = wadi_ground_surface(ground, c) - units + lifted;
        state->released[c] += state->lifted[c];
    }
}

static void flow_keep_peaks(landslide_state* state)
{
    const runner* flow = state->flow;
    const float weight = (float)(flow->law.density * 1e-3);
    for (int64_t c = wadi_runner_next(flow, -1); c >= 0; c = wadi_runner_next(flow, c))
    {
        const ptrdiff_t i = wadi_runner_at(flow, c);
        const float height = flow->planes.depth[i] / WADI_UNITS_PER_METRE;
        const float push = flow->planes.push[i];
        const float dawn = flow->planes.dawn[i];
        state->speed[c] = fmaxf(state->speed[c], sqrtf(push));
        state->peaks[0][c] = fmaxf(state->peaks[0][c], height);
        state->peaks[1][c] = fmaxf(state->peaks[1][c], weight * push);
        state->peaks[2][c] = fminf(state->peaks[2][c], dawn);
        const bool reached = state->params.ensemble <= 1 && height >= (float)flow_reached;
        state->peaks[3][c] = reached ? 1.0f : state->peaks[3][c];
    }
}

void wadi_landslide_flow_paint(landslide_state* state, int64_t cell, int64_t units)
{
    const landslide_account* account = &state->account;
    const double width = wadi_terrain_cell_size(state->terrain);
    const double volume = (double)units / WADI_UNITS_PER_METRE * width * width;
    const double angle = account->runout > 0.0 ? account->fall / account->runout : 0.0;
    state->peaks[4][cell] = (float)account->runout;
    state->peaks[5][cell] = (float)angle;
    state->peaks[6][cell] = (float)volume;
}

static void flow_keep_figures(landslide_state* state)
{
    const runner* flow = state->flow;
    for (int32_t k = 0; k < state->inflow.cell_count; ++k)
    {
        wadi_landslide_flow_paint(state, state->inflow.cells[k], state->lifted_units);
    }
    for (int64_t c = wadi_runner_next(flow, -1); c >= 0; c = wadi_runner_next(flow, c))
    {
        if (state->lifted[c] > 0 && !wadi_landslide_queues(state))
        {
            wadi_landslide_flow_paint(state, c, state->lifted_units);
        }
        state->lifted[c] = 0;
    }
}

void wadi_landslide_flow_lay(landslide_state* state)
{
    wadi_tally tally = {0};
    wadi_landslide_flow_account_for(state);
    wadi_landslide_hummocks(state);
    flow_commit(state, &tally);
    flow_keep_peaks(state);
    flow_lay(state, &tally);
    tally.transit[WADI_MATERIAL_SEDIMENT] -= state->flow_held;
    state->flow_held = 0;
    flow_book(state, &tally);
    wadi_landslide_compare(state);
    wadi_landslide_measure(state);
    flow_keep_figures(state);
}

void wadi_landslide_flow_finish(landslide_state* state)
{
    if (wadi_landslide_queues(state))
    {
        wadi_landslide_queue_finish(state);
    }
    else
    {
        wadi_landslide_flow_lay(state);
    }
}

void wadi_landslide_flow_account_for(landslide_state* state)
{
    const runner* flow = state->flow;
    const double cell = wadi_terrain_cell_size(state->terrain);
    const double volume = cell * cell / WADI_UNITS_PER_METRE;
    landslide_account* account = &state->account;
    *account = state->before_slide;
    int64_t worn = 0;
    float height = 0.0f;
    float push = 0.0f;
    for (int64_t c = wadi_runner_next(flow, -1); c >= 0; c = wadi_runner_next(flow, c))
    {
        const ptrdiff_t i = wadi_runner_at(flow, c);
        worn += flow->planes.worn[i];
        height = fmaxf(height, flow->planes.depth[i]);
        push = fmaxf(push, flow->planes.push[i]);
    }
    account->time += flow->time;
    account->steps += (double)flow->steps;
    account->flow_steps += (double)flow->cell_steps;
    account->moving = flow->rests ? 0.0 : 1.0;
    account->released += (double)state->lifted_units * volume;
    account->entrained += (double)worn * volume;
    account->thickest = fmax(account->thickest, (double)height / WADI_UNITS_PER_METRE);
    account->fastest = fmax(account->fastest, sqrt((double)push));
}

// ---- archive -----------------------------------------------------------------------------

// Most units that a flow holds or has lifted in a saved state [units x cells].
static const int64_t flow_most_units = (int64_t)1 << 50;

static bool flow_is_lifted(const landslide_state* state)
{
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    bool sound = state->lifted_units >= 0 && state->lifted_units <= flow_most_units;
    for (int64_t c = 0; c < cells && sound; ++c)
    {
        sound = state->lifted[c] >= 0 && state->lifted[c] <= 1 << 30;
    }
    return sound;
}

wadi_result wadi_landslide_flow_archive(landslide_state* state, wadi_archive* archive)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    if (state->flow == NULL)
    {
        WADI_TRY(flow_create(state));
    }
    wadi_archive_grid(archive, state->lifted, 4, ground->width, ground->height);
    wadi_archive_i64(archive, &state->lifted_units, 1);
    wadi_archive_i32(archive, &state->next, 1);
    wadi_archive_bool(archive, &state->flowing);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(wadi_terrain_context(state->terrain),
               !wadi_archive_is_reading(archive) || flow_is_lifted(state), WADI_ERROR_FORMAT,
               "the saved flow of a landslide has lifted soil out of range");
    WADI_CHECK(wadi_terrain_context(state->terrain),
               state->next >= 0 && state->next <= state->source.list.count, WADI_ERROR_FORMAT,
               "the saved landslide has begun %d slides of %d", (int)state->next,
               (int)state->source.list.count);
    WADI_TRY(wadi_landslide_inflow_archive(state, archive));
    wadi_archive_i64(archive, &state->flow_held, 1);
    wadi_archive_f64(archive, &state->slide.given, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(wadi_terrain_context(state->terrain),
               !wadi_archive_is_reading(archive) ||
                   (state->flow_held >= 0 && state->flow_held <= flow_most_units),
               WADI_ERROR_FORMAT, "the saved flow of a landslide holds a mass out of range");
    return wadi_runner_archive(state->flow, archive);
}
