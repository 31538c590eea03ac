// SPDX-License-Identifier: MIT
// How the ice of ice.c flows.
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
#include "ice_state.h"

// ---- the grid ------------------------------------------------------------------------------

ptrdiff_t ice_next(const ice_state* state, int32_t x, int32_t y, int32_t* side)
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
        *side = (int32_t)wadi_terrain_void_side(state->terrain, nx, ny);
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

// ---- constriction ----------------------------------------------------------------------------

// c = 1 / (1 + k b''), with the curvature of the bed across the slope of the ice.
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

void ice_flow(ice_state* state, double years)
{
    const ptrdiff_t count = (ptrdiff_t)state->width * state->height;
    wadi_parallel_rows(state->context, state->height, ICE_GRAIN, ice_ease_rows, state);
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
