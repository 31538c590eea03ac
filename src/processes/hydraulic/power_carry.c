// SPDX-License-Identifier: MIT
// Loads of model "stream_power". On land a stream lays down
//
//     D = G p Qs / Q    per area and time
//
// of its load Qs, with the discharge Q and the mean rain p (Davy & Lague 2009; Yuan et al. 2019).
// In standing water a load parts among all wet neighbours that lie nearer to the outlet, and fills
// what it crosses up to the level of the water, and a unit above that of the sea.
#include "processes/hydraulic/power.h"

#include "core/random.h"

#include <string.h>

enum
{
    CARRY_DONE = 255,
    CARRY_ROWS = 16
};

// A cell lays down so much at most in a step, and stays below the limit of heights [units].
#define CARRY_MOST (600 * (int64_t)WADI_UNITS_PER_METRE)

// ---- laying down ---------------------------------------------------------------------------

static int64_t carry_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// Share of its load that a cell lays down.
static double carry_share(const power* p, int64_t cell, double settling)
{
    const double area = p->ground->cell_size * p->ground->cell_size;
    const double q = (double)p->water[cell] / p->units;
    const double fall = settling * p->mean_rain * area;
    return fall > 0.0 ? fall / (fall + q) : 0.0;
}

// A dry cell keeps its share in the place of its level of water. An outlet that keeps its height
// lays nothing down: it would rise for ever, and all land behind it.
static void carry_keep_share(const power* p, int64_t cell)
{
    const float share =
        power_stays(p, cell) ? 0.0f : (float)carry_share(p, cell, p->params.settling);
    memcpy(&p->stage[cell], &share, sizeof share);
}

// What standing water lays down of what it would. Ground at the level of the sea is sea without a
// bottom, so the bed ends a unit above that level, or below it.
static int64_t carry_fill(const power* p, int64_t cell, int64_t want)
{
    const bool sea = p->stage[cell] == p->sea;
    const int64_t depth = (int64_t)p->stage[cell] - p->surface[cell];
    const int64_t room = depth + (sea ? 1 : 0);
    const int64_t laid = carry_least(want, room);
    return sea && laid == depth ? laid - 1 : laid;
}

// What a cell lays down of its load.
static int64_t carry_lay(const power* p, int64_t cell)
{
    const int64_t load = p->load[cell];
    const bool wet = (p->way[cell] & POWER_WET) != 0;
    double share = wet ? carry_share(p, cell, p->params.lake_settling) : 0.0;
    if (!wet)
    {
        float kept;
        memcpy(&kept, &p->stage[cell], sizeof kept);
        share = (double)kept;
    }
    const double part = (double)load * share;
    const int64_t some = part < (double)load ? (int64_t)part : load;
    const int64_t want = carry_least(some, CARRY_MOST);
    return cell == p->sink ? 0 : wet ? carry_fill(p, cell, want) : want;
}

// ---- setting out ---------------------------------------------------------------------------

// Take what a cell loses, rounded at random.
static void carry_take(const power* p, int64_t cell, wadi_tally* tally)
{
    const double fall = (double)p->surface[cell] - p->base[cell];
    int32_t amount = 0;
    if ((p->way[cell] & POWER_WET) == 0 && fall > 0.0)
    {
        const wadi_philox dice = wadi_random(wadi_terrain_seed(p->terrain), p->stream,
                                             (uint64_t)power_number(p, cell), p->step);
        const int64_t loose = (int64_t)p->surface[cell] - p->ground->bedrock[cell];
        const int64_t there = loose + wadi_ground_erodible_rock(p->ground, cell);
        const int64_t want = (int64_t)(fall + wadi_unit_double(dice.v[0], dice.v[1]));
        amount = (int32_t)carry_least(want, carry_least(there, INT32_MAX));
        wadi_ground_take_exact(p->ground, cell, amount, tally);
    }
    hydraulic_count(&p->wear[cell], amount);
    p->load[cell] = amount;
}

// Does a cell give a part of its load to the neighbour in a direction?
static bool carry_gives(const power* p, int64_t from, int64_t to, int32_t direction)
{
    const bool both_wet = (p->way[from] & p->way[to] & POWER_WET) != 0;
    return power_flows_to(p, from, direction) ||
           (both_wet && (p->way[from] & POWER_WAY) < POWER_ENDS && p->level[to] < p->level[from]);
}

static uint8_t carry_donors(const power* p, int64_t cell)
{
    int32_t count = 0;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t n = power_beside(p, cell, k);
        count += n >= 0 && carry_gives(p, n, cell, power_back(k)) ? 1 : 0;
    }
    return (uint8_t)count;
}

static void carry_begin_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const power* p = user;
    for (int32_t y = begin > p->owned.y ? begin : p->owned.y; y < end && y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            if ((p->place[c] & POWER_NONE) != 0)
            {
                p->waits[c] = CARRY_DONE;
                p->load[c] = 0;
                continue;
            }
            p->waits[c] = carry_donors(p, c);
            carry_take(p, c, &p->tallies[worker]);
            if ((p->way[c] & POWER_WET) == 0)
            {
                carry_keep_share(p, c);
            }
        }
    }
}

// What has been laid down along the ways goes to the ground row by row.
static void carry_end_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const power* p = user;
    for (int32_t y = begin > p->owned.y ? begin : p->owned.y; y < end && y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            const int32_t laid = (int32_t)carry_least(p->load[c], CARRY_MOST);
            wadi_ground_put(p->ground, c, laid, &p->tallies[worker]);
            hydraulic_count(&p->deposit[c], laid);
            // more is there after a failure alone
            p->tallies[worker].lost[WADI_MATERIAL_SEDIMENT] += p->load[c] - laid;
        }
    }
}

static void carry_rows(power* p, wadi_rows_fn* rows)
{
    wadi_parallel_rows(p->context, p->height, CARRY_ROWS, rows, p);
    wadi_tally_collect(&p->tally, p->tallies, p->context);
}

// ---- going on ------------------------------------------------------------------------------

static void carry_arrive(power* p, int64_t cell, int64_t load)
{
    p->load[cell] += load;
    p->waits[cell] -= 1;
    if (p->waits[cell] == 0)
    {
        wadi_power_push(p, &p->ready, cell);
    }
}

static wadi_result carry_give(power* p, int64_t to, int64_t load)
{
    if ((p->place[to] & POWER_GHOST) == 0)
    {
        carry_arrive(p, to, load);
        return WADI_OK;
    }
    const power_note note = {power_number(p, to), load, 0};
    return wadi_power_tell_owner(p, to, &note);
}

static void carry_out(power* p, int64_t cell, int64_t load)
{
    if (cell == p->sink)
    {
        p->pool += load;
        return;
    }
    const wadi_side side =
        (p->place[cell] & POWER_DEEP) != 0 ? WADI_SIDE_VOID : wadi_power_side(p, cell);
    p->tally.out[WADI_MATERIAL_SEDIMENT][side] += load;
}

// Part the load of a cell among its receivers; the one where its water goes gets what is left over.
static wadi_result carry_part(power* p, int64_t cell, int64_t load)
{
    int64_t receivers[8];
    int32_t count = 0;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t n = power_beside(p, cell, k);
        const bool valid = n >= 0 && (p->place[n] & POWER_NONE) == 0;
        if (valid && !power_flows_to(p, cell, k) && carry_gives(p, cell, n, k))
        {
            receivers[count++] = n;
        }
    }
    const int64_t each = load / (count + 1);
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(carry_give(p, receivers[i], each));
    }
    const int64_t main = power_beside(p, cell, p->way[cell] & POWER_WAY);
    return carry_give(p, main, load - count * each);
}

static wadi_result carry_visit(power* p, int64_t cell)
{
    p->waits[cell] = CARRY_DONE;
    const int64_t laid = carry_lay(p, cell);
    const int64_t load = p->load[cell] - laid;
    p->load[cell] = laid;
    const int32_t k = p->way[cell] & POWER_WAY;
    if (k == POWER_ENDS)
    {
        carry_out(p, cell, load);
        return WADI_OK;
    }
    return (p->way[cell] & POWER_WET) != 0 ? carry_part(p, cell, load)
                                           : carry_give(p, power_beside(p, cell, k), load);
}

static wadi_result carry_ready(power* p)
{
    while (p->ready.count > 0)
    {
        WADI_TRY(carry_visit(p, p->ready.at[--p->ready.count]));
    }
    return WADI_OK;
}

static wadi_result carry_own(power* p)
{
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            if (p->waits[c] == 0)
            {
                WADI_TRY(carry_visit(p, c));
                WADI_TRY(carry_ready(p));
            }
        }
    }
    return WADI_OK;
}

static wadi_result carry_hear(power* p)
{
    for (int64_t i = 0; i < p->relay.got_count; ++i)
    {
        carry_arrive(p, wadi_power_place_of(p, p->relay.got[i].cell), p->relay.got[i].value);
        WADI_TRY(carry_ready(p));
    }
    return WADI_OK;
}

static wadi_result carry_all(power* p)
{
    int64_t told;
    WADI_TRY(carry_own(p));
    WADI_TRY(wadi_power_exchange(p, &told));
    while (told > 0)
    {
        WADI_TRY(carry_hear(p));
        WADI_TRY(wadi_power_exchange(p, &told));
    }
    return p->all_memory ? WADI_OK
                         : wadi_fail_memory(p->context, (size_t)p->ready.room, "stream_power");
}

wadi_result wadi_power_carry(power* p)
{
    WADI_TRY(wadi_power_refresh(p, p->way, 1));
    wadi_power_enter(p, "take",
                     POWER_USES_LEVEL | POWER_USES_WAITS | POWER_USES_WATER | POWER_USES_SURFACE |
                         POWER_USES_WEAR | POWER_USES_GROUND | POWER_USES_LOAD | POWER_USES_STAGE |
                         POWER_USES_WAY | POWER_USES_PLACE);
    carry_rows(p, carry_begin_rows);
    // water alone needs more
    wadi_power_enter(p, "carry",
                     POWER_USES_LOAD | POWER_USES_STAGE | POWER_USES_WAITS | POWER_USES_WAY |
                         POWER_USES_PLACE);
    const wadi_result result = carry_all(p);
    wadi_power_enter(p, "lay", POWER_USES_LOAD | POWER_USES_DEPOSIT | POWER_USES_GROUND);
    // where it has failed, loads lie down where they are
    carry_rows(p, carry_end_rows);
    return result;
}
