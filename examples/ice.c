// SPDX-License-Identifier: MIT
// A process of one's own: ice that flows, slides and wears its bed. It uses public headers only.
// docs/own-process.md walks through this file.
//
// Flow (shallow ice, n = 3). Ice of thickness H with a surface of slope S moves the flux
//   q = D S,   D = (rho g)^3 S^2 (2 A H^5 / 5 + c f H^3).
// The first term is Glen's law (Cuffey & Paterson 2010, ch. 8), the second sliding: f is the factor
// of Budd et al. (1979) in the form of Oerlemans (2001). c <= 1 is the constriction of sliding in
// narrow channels, c = 1 / (1 + k b'') with the curvature b'' of the bed across the flow (Braun et
// al. 1999; Herman & Braun 2008). The flux of a face takes H from the cell upstream, and a cell
// gives away no more than it has, so that thickness stays positive on steep ground (the fault that
// Jarosch et al. 2013 describe). D is limited by the shortest step; S^2 in D by 1.
// Balance. Thickness changes by gradient x (surface - line) [m/yr], at most by `snow`.
// Steps. Explicit, of dx^2 / (8 D): the flux grows with S^3, which makes diffusion along the slope
// three times D.
// Wear. Sliding at the speed u wears rock of hardness 0 by K u (Humphrey & Raymond 1994: K = 1e-4).
// Debris comes from the bed in whole units, moves with the flux of ice as if it were mixed into it,
// and is laid down, less the share `washed`, where the ice would melt within the time `release`.
// The bed changes once a turn of up to a year.
//
// Ice itself is no layer: it comes from snow and leaves as water, and the ledger does not hold it.
#include "ice.h"

#include <wadi/archive.h>
#include <wadi/model.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

#define ICE_WEIGHT (917.0 * 9.81)                            // rho g [Pa/m]
#define ICE_YEAR (365.25 * 86400.0)                          // [s]
#define ICE_LIMIT (WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE) // [units] of heights

enum
{
    ICE_MAP_THICKNESS,
    ICE_MAP_SPEED,
    ICE_MAP_WEAR,
    ICE_MAP_TILL,
    ICE_MAP_COUNT,
    ICE_GRAIN = 16,    // rows of a block of parallel work
    ICE_CLOSED = -1,   // no neighbour, and no way out
    ICE_OUT = -2,      // ice that goes there leaves the grid
    ICE_MOST = 1 << 24 // [units] taken from a cell in one turn
};

typedef struct ice_cell
{
    double ice;       // thickness [m]
    double ease;      // c of the constriction
    double out[4];    // flux of ice to each side [m2/yr]
    double moved[4];  // the same in this turn, as thickness [m]
    double melted;    // in this turn [m]
    double mean;      // thickness x time in this turn [m yr]
    double speed;     // of the last turn [m/yr]
    double due;       // wear that is less than a unit [units]
    int64_t debris;   // [units] in the ice
    int64_t arriving; // [units] debris from neighbours
    int64_t wear;     // [units] taken since the start
    int64_t till;     // [units] deposited since the start
} ice_cell;

typedef struct ice_state
{
    wadi_terrain* terrain;
    wadi_context* context;
    ice_params params;
    int32_t width;
    int32_t height;
    double dx;         // [m]
    double flow;       // (rho g)^3 2 A / 5 [1/(m3 yr)]
    double slide;      // (rho g)^3 f [1/(m yr)]
    ice_cell* cells;   // width x height
    double* ice;       // thickness after a step [m]
    double* fastest;   // largest D of each row [m2/yr]
    int32_t* ground;   // surface of rock and sediment [units]; WADI_NO_UNITS: void
    int32_t* rock_top; // top of the rock [units]
    double step;       // [yr]
    double years;      // since the start
    int64_t rock;      // [units x cells] worn since the start
} ice_state;

// ---- the grid ------------------------------------------------------------------------------

// The neighbour of a cell on one side, ICE_CLOSED or ICE_OUT; *side is where ice would leave.
static ptrdiff_t ice_next(const ice_state* state, int32_t x, int32_t y, int32_t* side)
{
    int32_t nx = x + (*side == WADI_SIDE_EAST) - (*side == WADI_SIDE_WEST);
    int32_t ny = y + (*side == WADI_SIDE_SOUTH) - (*side == WADI_SIDE_NORTH);
    if (nx < 0 || ny < 0 || nx >= state->width || ny >= state->height)
    {
        const wadi_edge edge = wadi_terrain_edge(state->terrain, (wadi_side)*side);
        if (edge != WADI_EDGE_PERIODIC)
        {
            return edge == WADI_EDGE_OPEN ? ICE_OUT : ICE_CLOSED;
        }
        nx = (nx + state->width) % state->width;
        ny = (ny + state->height) % state->height;
    }
    const ptrdiff_t next = (ptrdiff_t)ny * state->width + nx;
    if (state->ground[next] == WADI_NO_UNITS)
    {
        *side = WADI_SIDE_VOID;
        return ICE_OUT;
    }
    return next;
}

static double ice_bed(const ice_state* state, ptrdiff_t cell) // [m]
{
    return state->ground[cell] / (double)WADI_UNITS_PER_METRE;
}

// Height of the ice, or of the bed, on a side of a cell [m]. Outside a closed edge it is that of
// the cell; outside an open one the bed goes on without ice.
static double ice_beside(const ice_state* state, int32_t x, int32_t y, int32_t side, bool bed)
{
    const ptrdiff_t own = (ptrdiff_t)y * state->width + x;
    const ptrdiff_t next = ice_next(state, x, y, &side);
    const ptrdiff_t cell = next >= 0 ? next : own;
    const bool bare = bed || next == ICE_OUT;
    return ice_bed(state, cell) + (bare ? 0.0 : state->cells[cell].ice);
}

// ---- flow ------------------------------------------------------------------------------------

// Fluxes out of the cells of some rows, from the thickness of the last step.
static void ice_flow_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const ice_state* state = user;
    const double most = state->dx * state->dx / (8.0 * state->params.shortest_step);
    for (int32_t y = begin; y < end; ++y)
    {
        state->fastest[y] = 0.0;
        for (int32_t x = 0; x < state->width; ++x)
        {
            const ptrdiff_t i = (ptrdiff_t)y * state->width + x;
            ice_cell* cell = &state->cells[i];
            memset(cell->out, 0, sizeof cell->out);
            if (cell->ice <= 0.0)
            {
                continue;
            }
            double at[4];
            for (int32_t side = 0; side < 4; ++side)
            {
                at[side] = ice_beside(state, x, y, side, false);
            }
            const double across[2] = {(at[WADI_SIDE_EAST] - at[WADI_SIDE_WEST]) / (2.0 * state->dx),
                                      (at[WADI_SIDE_NORTH] - at[WADI_SIDE_SOUTH]) /
                                          (2.0 * state->dx)};
            const double top = ice_bed(state, i) + cell->ice;
            const double h3 = cell->ice * cell->ice * cell->ice;
            const double law =
                h3 * (state->flow * cell->ice * cell->ice + state->slide * cell->ease);
            for (int32_t side = 0; side < 4; ++side)
            {
                const double down = (top - at[side]) / state->dx;
                const double other = across[side % 2];
                const double steep = fmin(1.0, down * down + other * other);
                const double spread = fmin(most, law * steep);
                cell->out[side] = down > 0.0 ? spread * down : 0.0;
                state->fastest[y] = fmax(state->fastest[y], down > 0.0 ? spread : 0.0);
            }
        }
    }
}

// Thickness that leaves a cell on one side in this step [m]: of all sides, no more than there is.
static double ice_leaves(const ice_state* state, ptrdiff_t i, int32_t side)
{
    const ice_cell* cell = &state->cells[i];
    const double all = (cell->out[0] + cell->out[2]) + (cell->out[1] + cell->out[3]);
    const double share = state->step / state->dx;
    return all * share > cell->ice ? cell->ice * (cell->out[side] / all) : cell->out[side] * share;
}

static void ice_step_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const ice_state* state = user;
    for (ptrdiff_t i = (ptrdiff_t)begin * state->width; i < (ptrdiff_t)end * state->width; ++i)
    {
        if (state->ground[i] == WADI_NO_UNITS)
        {
            continue;
        }
        ice_cell* cell = &state->cells[i];
        const int32_t x = (int32_t)(i % state->width);
        const int32_t y = (int32_t)(i / state->width);
        double change[4];
        for (int32_t side = 0; side < 4; ++side)
        {
            int32_t out = side;
            const ptrdiff_t next = ice_next(state, x, y, &out);
            const double left = ice_leaves(state, i, side);
            cell->moved[side] += left;
            change[side] = (next >= 0 ? ice_leaves(state, next, (side + 2) % 4) : 0.0) - left;
        }
        const double flown =
            fmax(0.0, cell->ice + ((change[0] + change[2]) + (change[1] + change[3])));
        const double above = ice_bed(state, i) + flown - state->params.line;
        const double balance = fmin(state->params.snow, state->params.gradient * above);
        state->ice[i] = fmax(0.0, flown + balance * state->step);
        cell->melted += balance < 0.0 ? flown - state->ice[i] : 0.0;
        cell->mean += cell->ice * state->step;
    }
}

// Move the ice for a time: as many steps as stability needs.
static void ice_flow(ice_state* state, double years)
{
    const ptrdiff_t count = (ptrdiff_t)state->width * state->height;
    for (double left = years; left > 0.0; left -= state->step)
    {
        wadi_parallel_rows(state->context, state->height, ICE_GRAIN, ice_flow_rows, state);
        double fastest = 0.0;
        for (int32_t y = 0; y < state->height; ++y)
        {
            fastest = fmax(fastest, state->fastest[y]);
        }
        const double stable = state->dx * state->dx / (8.0 * fmax(fastest, 1e-9));
        state->step = fmin(left, stable);
        wadi_parallel_rows(state->context, state->height, ICE_GRAIN, ice_step_rows, state);
        for (ptrdiff_t i = 0; i < count; ++i)
        {
            state->cells[i].ice = state->ice[i];
        }
    }
}

// ---- the bed ---------------------------------------------------------------------------------

// Constriction: 1 / (1 + k b''), with the curvature of the bed across the slope of the ice.
static void ice_ease_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const ice_state* state = user;
    for (ptrdiff_t i = (ptrdiff_t)begin * state->width; i < (ptrdiff_t)end * state->width; ++i)
    {
        if (state->ground[i] == WADI_NO_UNITS)
        {
            continue;
        }
        double bed[4];
        double top[4];
        for (int32_t side = 0; side < 4; ++side)
        {
            const int32_t x = (int32_t)(i % state->width);
            const int32_t y = (int32_t)(i / state->width);
            bed[side] = ice_beside(state, x, y, side, true);
            top[side] = ice_beside(state, x, y, side, false);
        }
        const double twice = 2.0 * ice_bed(state, i);
        const double sx = top[WADI_SIDE_EAST] - top[WADI_SIDE_WEST];
        const double sy = top[WADI_SIDE_NORTH] - top[WADI_SIDE_SOUTH];
        const double bxx = bed[WADI_SIDE_EAST] + bed[WADI_SIDE_WEST] - twice;
        const double byy = bed[WADI_SIDE_NORTH] + bed[WADI_SIDE_SOUTH] - twice;
        const double both = sx * sx + sy * sy;
        const double bend = both > 0.0 ? (sy * sy * bxx + sx * sx * byy) / both : 0.0;
        const double length = state->params.constriction / (state->dx * state->dx);
        state->cells[i].ease = 1.0 / (1.0 + length * fmax(0.0, bend));
    }
}

// Wear of the bed under one cell, by the sliding part of its speed; debris goes into the ice.
static void ice_wear(ice_state* state, ptrdiff_t i, double years, wadi_tally* tally)
{
    ice_cell* cell = &state->cells[i];
    const double qx = cell->moved[WADI_SIDE_EAST] - cell->moved[WADI_SIDE_WEST];
    const double qy = cell->moved[WADI_SIDE_NORTH] - cell->moved[WADI_SIDE_SOUTH];
    cell->speed = cell->mean > 0.0 ? sqrt(qx * qx + qy * qy) * state->dx / cell->mean : 0.0;
    const double h = cell->mean / years;
    const double slide = state->slide * cell->ease;
    const double share = slide > 0.0 ? slide / (slide + state->flow * h * h) : 0.0;
    cell->due += state->params.abrasion * share * cell->speed * years * WADI_UNITS_PER_METRE;

    // loose matter is taken faster, and uses up its share of the work
    const double whole = floor(cell->due);
    const double loose =
        fmin((double)state->ground[i] - (double)state->rock_top[i], whole * state->params.till);
    const double room = fmax(0.0, fmin(ICE_MOST, (double)state->ground[i] + ICE_LIMIT));
    const double amount = fmin(room, floor(loose + fmax(0.0, whole - loose / state->params.till)));
    cell->due -= whole;
    const int32_t taken = wadi_terrain_take(state->terrain, (int32_t)(i % state->width),
                                            (int32_t)(i / state->width), (int32_t)amount, tally);
    cell->debris += taken;
    cell->wear += taken;
    tally->transit[WADI_MATERIAL_SEDIMENT] += taken;
}

// Lay debris of a cell down where it is. Debris in a cell that has become void leaves the grid.
static void ice_lay(ice_state* state, ptrdiff_t i, int64_t amount, wadi_tally* tally)
{
    ice_cell* cell = &state->cells[i];
    if (state->ground[i] == WADI_NO_UNITS)
    {
        tally->out[WADI_MATERIAL_SEDIMENT][WADI_SIDE_VOID] += amount;
    }
    else
    {
        const double room = fmax(0.0, ICE_LIMIT - (double)state->ground[i]);
        amount = (int64_t)fmin((double)amount, room);
        wadi_terrain_put(state->terrain, (int32_t)(i % state->width), (int32_t)(i / state->width),
                         (int32_t)amount, tally);
        cell->till += amount;
    }
    cell->debris -= amount;
    tally->transit[WADI_MATERIAL_SEDIMENT] -= amount;
}

// Debris goes with the ice that moved to each side. Where ice will soon have melted, meltwater
// carries a share away, which the ledger counts as lost, and the rest is laid down.
static void ice_carry(ice_state* state, ptrdiff_t i, double years, wadi_tally* tally)
{
    ice_cell* cell = &state->cells[i];
    const double moved = (cell->moved[0] + cell->moved[2]) + (cell->moved[1] + cell->moved[3]);
    const double all = cell->ice + moved;
    const int64_t held = cell->debris;
    for (int32_t side = 0; side < 4 && held > 0 && all > 0.0; ++side)
    {
        const int64_t amount = (int64_t)((double)held * (cell->moved[side] / all));
        int32_t out = side;
        const ptrdiff_t next =
            ice_next(state, (int32_t)(i % state->width), (int32_t)(i / state->width), &out);
        if (next >= 0)
        {
            state->cells[next].arriving += amount;
        }
        else
        {
            tally->out[WADI_MATERIAL_SEDIMENT][out] += amount;
            tally->transit[WADI_MATERIAL_SEDIMENT] -= amount;
        }
        cell->debris -= amount;
    }
    if (cell->debris > 0 && cell->ice * years <= cell->melted * state->params.release)
    {
        const int64_t washed = (int64_t)((double)cell->debris * state->params.washed);
        tally->lost[WADI_MATERIAL_SEDIMENT] += washed;
        tally->transit[WADI_MATERIAL_SEDIMENT] -= washed;
        cell->debris -= washed;
        ice_lay(state, i, cell->debris, tally);
    }
}

// ---- the model -------------------------------------------------------------------------------

static void ice_destroy(void* user)
{
    ice_state* state = user;
    wadi_free(state->context, state->cells);
    wadi_free(state->context, state->ice);
    wadi_free(state->context, state->fastest);
    wadi_free(state->context, state->ground);
    wadi_free(state->context, state->rock_top);
    wadi_free(state->context, state);
}

static wadi_result ice_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                              void** out)
{
    (void)stream; // nothing is random
    wadi_context* context = wadi_terrain_context(terrain);
    ice_state* state = wadi_alloc(context, 1, sizeof *state);
    if (state == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "no memory for ice");
    }
    state->terrain = terrain;
    state->context = context;
    state->params = *(const ice_params*)params;
    state->width = wadi_terrain_width(terrain);
    state->height = wadi_terrain_height(terrain);
    state->dx = wadi_terrain_cell_size(terrain);
    const double unit = ICE_WEIGHT * ICE_WEIGHT * ICE_WEIGHT * ICE_YEAR;
    state->flow = unit * 0.4 * state->params.softness;
    state->slide = unit * state->params.sliding;
    const size_t cells = (size_t)state->width * (size_t)state->height;
    state->cells = wadi_alloc(context, cells, sizeof *state->cells);
    state->ice = wadi_alloc(context, cells, sizeof *state->ice);
    state->fastest = wadi_alloc(context, (size_t)state->height, sizeof *state->fastest);
    state->ground = wadi_alloc(context, cells, sizeof *state->ground);
    state->rock_top = wadi_alloc(context, cells, sizeof *state->rock_top);
    if (state->cells == NULL || state->ice == NULL || state->fastest == NULL ||
        state->ground == NULL || state->rock_top == NULL)
    {
        ice_destroy(state);
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "no memory for %zu cells of ice",
                                 cells);
    }
    *out = state;
    return WADI_OK;
}

// Move the ice for a step, then change the bed.
static void ice_turn(ice_state* state, double years, wadi_tally* tally)
{
    const ptrdiff_t count = (ptrdiff_t)state->width * state->height;
    wadi_terrain_read_units(state->terrain, WADI_LAYER_SURFACE, state->ground);
    wadi_terrain_read_units(state->terrain, WADI_LAYER_BEDROCK, state->rock_top);
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        ice_cell* cell = &state->cells[i];
        cell->ice = state->ground[i] == WADI_NO_UNITS ? 0.0 : cell->ice;
        cell->melted = cell->mean = 0.0;
        memset(cell->moved, 0, sizeof cell->moved);
    }
    wadi_parallel_rows(state->context, state->height, ICE_GRAIN, ice_ease_rows, state);
    ice_flow(state, years);
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        if (state->ground[i] != WADI_NO_UNITS)
        {
            ice_wear(state, i, years, tally);
        }
        ice_carry(state, i, years, tally);
    }
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        state->cells[i].debris += state->cells[i].arriving;
        state->cells[i].arriving = 0;
    }
    state->years += years;
}

static double ice_step(const void* user)
{
    const ice_state* state = user;
    return state->params.max_step;
}

static wadi_result ice_advance(void* user, const wadi_span* span)
{
    ice_state* state = user;
    wadi_tally tally = {0};
    ice_turn(state, span->years, &tally);
    state->rock += tally.eroded[WADI_MATERIAL_ROCK];
    wadi_terrain_book(state->terrain, "ice", &tally);
    return WADI_OK;
}

static void ice_settle(void* user)
{
    ice_state* state = user;
    wadi_tally tally = {0};
    wadi_terrain_read_units(state->terrain, WADI_LAYER_SURFACE, state->ground);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        ice_lay(state, i, state->cells[i].debris, &tally);
    }
    wadi_terrain_book(state->terrain, "ice", &tally);
}

static void ice_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const ice_state* state = user;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        held[WADI_MATERIAL_SEDIMENT] += state->cells[i].debris;
    }
}

static wadi_result ice_map(void* user, int32_t index, float* out)
{
    const ice_state* state = user;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        const ice_cell* cell = &state->cells[i];
        const double values[ICE_MAP_COUNT] = {
            [ICE_MAP_THICKNESS] = cell->ice,
            [ICE_MAP_SPEED] = cell->speed,
            [ICE_MAP_WEAR] = (double)cell->wear / WADI_UNITS_PER_METRE,
            [ICE_MAP_TILL] = (double)cell->till / WADI_UNITS_PER_METRE,
        };
        const bool valid = wadi_terrain_is_valid(state->terrain, (int32_t)(i % state->width),
                                                 (int32_t)(i / state->width));
        out[i] = valid ? (float)values[index] : NAN;
    }
    return WADI_OK;
}

static int32_t ice_figures(const void* user, wadi_figure* rows)
{
    const ice_state* state = user;
    double volume = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        volume += state->cells[i].ice;
    }
    const double cells = (double)wadi_terrain_valid_count(state->terrain) * state->years;
    const double rock = (double)state->rock / WADI_UNITS_PER_METRE;
    rows[0] = (wadi_figure){"years", "yr", state->years, WADI_FIGURE_SUM};
    rows[1] = (wadi_figure){"ice_volume", "m3", volume * state->dx * state->dx, WADI_FIGURE_STATE};
    rows[2] = (wadi_figure){"denudation", "mm/kyr", cells > 0.0 ? 1e6 * rock / cells : 0.0,
                            WADI_FIGURE_MEAN};
    return 3;
}

// What a step leaves behind outside the layers, and the sums of maps and figures.
static wadi_result ice_archive(void* user, wadi_archive* archive)
{
    ice_state* state = user;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        ice_cell* cell = &state->cells[i];
        wadi_archive_f64(archive, &cell->ice, 1);
        wadi_archive_f64(archive, &cell->speed, 1);
        wadi_archive_f64(archive, &cell->due, 1);
        wadi_archive_i64(archive, &cell->debris, 1);
        wadi_archive_i64(archive, &cell->wear, 1);
        wadi_archive_i64(archive, &cell->till, 1);
        const bool sound = cell->ice >= 0.0 && cell->ice < 1e5 && fabs(cell->due) < 1e9 &&
                           cell->debris >= 0 && cell->debris < (int64_t)1 << 40;
        if (!sound)
        {
            return wadi_context_fail(state->context, WADI_ERROR_FORMAT,
                                     "a cell of the saved ice is out of range");
        }
    }
    wadi_archive_f64(archive, &state->years, 1);
    wadi_archive_i64(archive, &state->rock, 1);
    return wadi_archive_result(archive);
}

// ---- the descriptor --------------------------------------------------------------------------

// clang-format off
#define ICE_FIELD(member, initial, min, max, unit, doc, source)                                    \
    {#member, WADI_FIELD_DOUBLE, offsetof(ice_params, member), initial, min, max, unit, doc, source, NULL, 0}

static const wadi_field ice_field_list[] = {
    ICE_FIELD(line, 150.0, -1000.0, 9000.0, "m", "altitude where as much snow falls as melts", "100 to 800 m on Svalbard: Hagen et al. 2003"),
    ICE_FIELD(gradient, 0.007, 0.0, 0.1, "yr-1", "change of the mass balance with height", "0.005 to 0.01: Oerlemans 2001"),
    ICE_FIELD(snow, 2.0, 0.0, 20.0, "m/yr", "largest mass balance, as ice", "2 m/yr: Herman & Braun 2008"),
    ICE_FIELD(softness, 2.4e-24, 0.0, 1e-22, "Pa-3 s-1", "A of Glen's law", "ice at the melting point: Cuffey & Paterson 2010, table 3.4"),
    ICE_FIELD(sliding, 5.7e-20, 0.0, 1e-17, "Pa-3 m2 s-1", "factor of sliding; 0: frozen to the bed", "Budd et al. 1979, Oerlemans 2001"),
    ICE_FIELD(constriction, 1000.0, 0.0, 1e5, "m", "length by which narrow channels slow sliding; 0: none", "1000 m: Braun et al. 1999"),
    ICE_FIELD(abrasion, 1e-4, 0.0, 0.1, "1", "rock of hardness 0 worn for each metre of sliding", "1e-4: Humphrey & Raymond 1994"),
    ICE_FIELD(till, 100.0, 1.0, 1e6, "1", "loose matter is taken so many times faster than rock of hardness 0", "chosen: soft beds move with the ice, Boulton & Hindmarsh 1987"),
    ICE_FIELD(release, 20.0, 0.0, 1e4, "yr", "ice that melts away in this time lays down its debris", "chosen for this example, not measured"),
    ICE_FIELD(washed, 0.5, 0.0, 1.0, "1", "share of the debris at the margin that meltwater carries out of the model", "chosen for this example, not measured"),
    ICE_FIELD(max_step, 1.0, 1e-3, 100.0, "yr", "step length: the ice moves, then the bed changes", "a year of snow and melt"),
    ICE_FIELD(shortest_step, 0.1, 1e-4, 100.0, "yr", "of the ice; limits its diffusivity to dx^2 / 8 steps", "thick ice on fine cells would need shorter ones"),
};
// clang-format on

static const wadi_field_table ice_fields = {
    "ice", ice_field_list, sizeof ice_field_list / sizeof ice_field_list[0], sizeof(ice_params)};

static const wadi_map_info ice_maps[ICE_MAP_COUNT] = {
    [ICE_MAP_THICKNESS] = {"thickness", "m", "of the ice", false, 0},
    [ICE_MAP_SPEED] = {"speed", "m/yr", "of the ice, mean over its depth", false, 0},
    [ICE_MAP_WEAR] = {"wear", "m", "rock and sediment that the ice took since the start", false, 0},
    [ICE_MAP_TILL] = {"till", "m", "debris that the ice laid down since the start", false, 0},
};

static const wadi_preset ice_presets[] = {{"default", "a maritime arctic climate", NULL, 0}};

static const wadi_model_api ice_api = {
    .create = ice_create,
    .step = ice_step,
    .advance = ice_advance,
    .settle = ice_settle,
    .held = ice_held,
    .destroy = ice_destroy,
    .map = ice_map,
    .figures = ice_figures,
    .archive = ice_archive,
};

static const wadi_model ice_models[] = {
    {"shallow", "Shallow ice that slides and wears its bed.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT), WADI_MODEL_HOLDS,
     &ice_api},
};

const wadi_process ice_process = {
    .name = "ice",
    .doc = "Glaciers: snow turns to ice above a line, flows and slides downhill, wears its bed and "
           "leaves the debris where it melts.",
    .fields = &ice_fields,
    .presets = ice_presets,
    .preset_count = 1,
    .maps = ice_maps,
    .map_count = ICE_MAP_COUNT,
    .models = ice_models,
    .model_count = 1,
    .default_years = 1000.0,
};
