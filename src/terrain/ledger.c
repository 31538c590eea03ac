// SPDX-License-Identifier: MIT
#include "terrain/terrain.h"

#include <stdio.h>
#include <string.h>

wadi_wide wadi_terrain_sum(const int32_t* heights, int64_t cells)
{
    // 2^20 heights cannot overflow 64 bits: one wide addition per 2^20 is enough
    wadi_wide sum = 0;
    for (int64_t begin = 0; begin < cells; begin += 1 << 20)
    {
        const int64_t end = begin + (1 << 20) < cells ? begin + (1 << 20) : cells;
        int64_t part = 0;
        for (int64_t i = begin; i < end; ++i)
        {
            part += heights[i];
        }
        sum += part;
    }
    return sum;
}

wadi_wide wadi_terrain_of_windows(const wadi_terrain* terrain, wadi_wide here)
{
    if (terrain->ground.part == NULL)
    {
        return here;
    }
    int64_t halves[2] = {(int64_t)(here & UINT32_MAX), (int64_t)(here >> 32)};
    (void)wadi_partition_sum(terrain->ground.part, halves, 2);
    return (wadi_wide)halves[0] + (wadi_wide)halves[1] * ((wadi_wide)1 << 32);
}

wadi_wide wadi_terrain_whole_sum(const wadi_terrain* terrain, const int32_t* heights)
{
    const wadi_ground* ground = &terrain->ground;
    return ground->part == NULL
               ? wadi_terrain_sum(heights, ground->cells)
               : wadi_terrain_of_windows(terrain, wadi_ground_owned_sum(ground, heights));
}

static double ledger_m3(const wadi_terrain* terrain, wadi_wide units)
{
    const double cell = terrain->ground.cell_size;
    return (double)units / WADI_UNITS_PER_METRE * cell * cell;
}

double wadi_terrain_volume(const wadi_terrain* terrain, wadi_layer layer)
{
    const wadi_ground* ground = &terrain->ground;
    wadi_wide sum = 0;
    const int32_t* heights = wadi_terrain_heights(terrain, layer);
    if (heights != NULL)
    {
        sum = wadi_terrain_whole_sum(terrain, heights);
    }
    else if (layer == WADI_LAYER_SURFACE)
    {
        sum = wadi_terrain_whole_sum(terrain, ground->bedrock);
        for (int32_t i = 0; i < ground->loose_count; ++i)
        {
            sum += wadi_terrain_whole_sum(terrain, ground->loose[i]);
        }
    }
    return ledger_m3(terrain, sum);
}

void wadi_tally_add(wadi_tally* sum, const wadi_tally* part)
{
    for (int m = 0; m < WADI_MAX_MATERIALS; ++m)
    {
        sum->eroded[m] += part->eroded[m];
        sum->deposited[m] += part->deposited[m];
        sum->converted[m] += part->converted[m];
        sum->in[m] += part->in[m];
        sum->lost[m] += part->lost[m];
        sum->transit[m] += part->transit[m];
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            sum->out[m][side] += part->out[m][side];
        }
    }
}

void wadi_tally_collect(wadi_tally* sum, wadi_tally* parts, const wadi_context* context)
{
    for (int32_t worker = 0; worker < wadi_context_workers(context); ++worker)
    {
        wadi_tally_add(sum, &parts[worker]);
        parts[worker] = (wadi_tally){0};
    }
}

// Number of the account of a process; -1: it has none.
static int32_t ledger_find(const wadi_terrain* terrain, const char* process)
{
    for (int32_t i = 0; i < terrain->account_count; ++i)
    {
        if (strcmp(terrain->accounts[i].process, process) == 0)
        {
            return i;
        }
    }
    return -1;
}

const wadi_tally* wadi_terrain_account(const wadi_terrain* terrain, const char* process)
{
    const int32_t i = ledger_find(terrain, process);
    return i >= 0 ? &terrain->accounts[i].tally : NULL;
}

static terrain_account* ledger_account(wadi_terrain* terrain, const char* process)
{
    const int32_t i = ledger_find(terrain, process);
    if (i >= 0)
    {
        return &terrain->accounts[i];
    }
    WADI_ASSERT(terrain->account_count < TERRAIN_MAX_ACCOUNTS);
    terrain_account* account = &terrain->accounts[terrain->account_count++];
    (void)snprintf(account->process, sizeof account->process, "%s", process);
    return account;
}

void wadi_terrain_book(wadi_terrain* terrain, const char* process, const wadi_tally* tally)
{
    wadi_tally_add(&ledger_account(terrain, process)->tally, tally);
}

int64_t wadi_terrain_transit(const wadi_terrain* terrain, const char* process, int32_t material)
{
    const wadi_tally* tally = wadi_terrain_account(terrain, process);
    return tally != NULL ? tally->transit[material] : 0;
}

static wadi_wide ledger_after(const wadi_terrain* terrain, int32_t material)
{
    const wadi_ground* ground = &terrain->ground;
    wadi_wide sum = 0;
    if (material == WADI_MATERIAL_ROCK)
    {
        sum += wadi_terrain_whole_sum(terrain, ground->bedrock);
    }
    if (material == WADI_MATERIAL_WATER)
    {
        sum += wadi_terrain_whole_sum(terrain, ground->water);
    }
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        if (ground->material[i] == material)
        {
            sum += wadi_terrain_whole_sum(terrain, ground->loose[i]);
        }
    }
    return sum;
}

static wadi_ledger_row ledger_row_of(const wadi_terrain* terrain, const wadi_tally* tally,
                                     int32_t m)
{
    wadi_ledger_row row = {.material = terrain->materials[m].name};
    row.in = ledger_m3(terrain, tally->in[m]);
    row.lost = ledger_m3(terrain, tally->lost[m]);
    row.converted = ledger_m3(terrain, tally->converted[m]);
    row.transit = ledger_m3(terrain, tally->transit[m]);
    row.eroded = ledger_m3(terrain, tally->eroded[m]);
    row.deposited = ledger_m3(terrain, tally->deposited[m]);
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        row.out[side] = ledger_m3(terrain, tally->out[m][side]);
    }
    return row;
}

// The tally of all windows.
static wadi_tally ledger_whole(const wadi_terrain* terrain, const wadi_tally* here)
{
    wadi_tally whole = *here;
    int64_t* rows[] = {whole.eroded, whole.deposited, whole.converted,
                       whole.in,     whole.lost,      whole.transit};
    for (int32_t i = 0; i < WADI_COUNT(rows); ++i)
    {
        (void)wadi_partition_sum(terrain->ground.part, rows[i], WADI_MAX_MATERIALS);
    }
    (void)wadi_partition_sum(terrain->ground.part, &whole.out[0][0],
                             WADI_MAX_MATERIALS * WADI_SIDE_COUNT);
    return whole;
}

static int64_t ledger_saturate(wadi_wide value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

// Fill in the entries of the whole terrain: edits, content and residual.
static void ledger_close(const wadi_terrain* terrain, const wadi_tally* tally, int32_t m,
                         wadi_ledger_row* row)
{
    const wadi_wide after = ledger_after(terrain, m);
    const wadi_wide edited = wadi_terrain_of_windows(terrain, terrain->edited[m]);
    wadi_wide booked = edited;
    booked += (wadi_wide)tally->in[m] - tally->lost[m] + tally->converted[m] - tally->transit[m];
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        booked -= tally->out[m][side];
    }
    row->edited = ledger_m3(terrain, edited);
    row->after = ledger_m3(terrain, after);
    row->residual_units = ledger_saturate(after - booked);
    row->residual = ledger_m3(terrain, after - booked);
}

int32_t wadi_terrain_ledger(const wadi_terrain* terrain, wadi_ledger_row* rows, int32_t capacity)
{
    wadi_tally total = {0};
    for (int32_t i = 0; i < terrain->account_count; ++i)
    {
        wadi_tally_add(&total, &terrain->accounts[i].tally);
    }
    total = ledger_whole(terrain, &total);
    for (int32_t m = 0; m < terrain->material_count && m < capacity; ++m)
    {
        rows[m] = ledger_row_of(terrain, &total, m);
        ledger_close(terrain, &total, m, &rows[m]);
    }
    return terrain->material_count;
}

int32_t wadi_terrain_ledger_of(const wadi_terrain* terrain, const char* process,
                               wadi_ledger_row* rows, int32_t capacity)
{
    const wadi_tally none = {0};
    const wadi_tally* here = wadi_terrain_account(terrain, process);
    const wadi_tally whole = ledger_whole(terrain, here != NULL ? here : &none);
    for (int32_t m = 0; m < terrain->material_count && m < capacity; ++m)
    {
        rows[m] = ledger_row_of(terrain, &whole, m);
    }
    return terrain->material_count;
}
