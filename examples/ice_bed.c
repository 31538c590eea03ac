// SPDX-License-Identifier: MIT
// What the ice of ice.c does to its bed.
//
// Wear. Sliding at the speed u wears rock of hardness 0 by K u (Humphrey & Raymond 1994: K = 1e-4).
// Debris comes from the bed in whole units, moves with the flux of ice as if it were mixed into it,
// and is laid down, less the share `washed`, where the ice would melt within the time `release`.
// The bed changes once a turn of up to a year.
#include "ice_state.h"

enum
{
    ICE_MOST = 1 << 24 // [units] taken from a cell in one turn
};

void ice_wear(ice_state* state, ptrdiff_t i, double years, wadi_tally* tally)
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

void ice_lay(ice_state* state, ptrdiff_t i, int64_t amount, wadi_tally* tally)
{
    ice_cell* cell = &state->cells[i];
    if (state->ground[i] == WADI_NO_UNITS)
    {
        const wadi_side side = wadi_terrain_void_side(state->terrain, (int32_t)(i % state->width),
                                                      (int32_t)(i / state->width));
        tally->out[WADI_MATERIAL_SEDIMENT][side] += amount;
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
void ice_carry(ice_state* state, ptrdiff_t i, double years, wadi_tally* tally)
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
