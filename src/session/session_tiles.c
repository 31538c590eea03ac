// SPDX-License-Identifier: MIT
// Which tiles changed: each look makes a checksum of every tile and compares it with the former
// one.
#include "session/session_internal.h"

#include "core/archive.h"
#include "terrain/ground.h"

static uint64_t tiles_mix_heights(uint64_t sum, const int32_t* values, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        sum = wadi_archive_mix(sum, (uint32_t)values[i]);
    }
    return sum;
}

static uint64_t tiles_mix_shares(uint64_t sum, const uint16_t* a, const uint16_t* b, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        sum = wadi_archive_mix(sum, (uint32_t)a[i] << 16 | b[i]);
    }
    return sum;
}

static int32_t tiles_end(int32_t tile, int32_t size)
{
    const int32_t end = (tile + 1) * WADI_SESSION_TILE;
    return end < size ? end : size;
}

static uint64_t tiles_sum(const wadi_ground* ground, int32_t column, int32_t row)
{
    const int32_t x = column * WADI_SESSION_TILE;
    const int32_t count = tiles_end(column, ground->width) - x;
    uint64_t sum = 1;
    for (int32_t y = row * WADI_SESSION_TILE; y < tiles_end(row, ground->height); ++y)
    {
        const int64_t at = (int64_t)y * ground->width + x;
        sum = tiles_mix_heights(sum, ground->bedrock + at, count);
        sum = tiles_mix_heights(sum, ground->water + at, count);
        for (int32_t i = 0; i < ground->loose_count; ++i)
        {
            sum = tiles_mix_heights(sum, ground->loose[i] + at, count);
        }
        sum = tiles_mix_shares(sum, ground->vegetation + at, ground->hardness + at, count);
    }
    return sum;
}

static wadi_result tiles_prepare(wadi_session* session, const wadi_ground* ground)
{
    if (session->tile_sums != NULL)
    {
        return WADI_OK;
    }
    const int32_t columns = (ground->width + WADI_SESSION_TILE - 1) / WADI_SESSION_TILE;
    const int32_t rows = (ground->height + WADI_SESSION_TILE - 1) / WADI_SESSION_TILE;
    uint32_t* stamps;
    WADI_ALLOC(session->context, stamps, (int64_t)columns * rows, "tiles");
    session->tile_sums =
        wadi_alloc(session->context, (size_t)columns * (size_t)rows, sizeof *session->tile_sums);
    if (session->tile_sums == NULL)
    {
        wadi_free(session->context, stamps);
        return wadi_fail_memory(session->context, (size_t)columns * (size_t)rows * sizeof(uint64_t),
                                "tiles");
    }
    session->tile_stamps = stamps;
    session->tile_columns = columns;
    session->tile_rows = rows;
    return WADI_OK;
}

wadi_result wadi_session_look(wadi_session* session, uint32_t* look)
{
    const wadi_ground* ground = wadi_terrain_ground_const(session->run->terrain);
    WADI_TRY(tiles_prepare(session, ground));
    session->looks += 1;
    for (int32_t row = 0; row < session->tile_rows; ++row)
    {
        for (int32_t column = 0; column < session->tile_columns; ++column)
        {
            const int64_t tile = (int64_t)row * session->tile_columns + column;
            const uint64_t sum = tiles_sum(ground, column, row);
            if (sum != session->tile_sums[tile])
            {
                session->tile_sums[tile] = sum;
                session->tile_stamps[tile] = session->looks;
            }
        }
    }
    *look = session->looks;
    return WADI_OK;
}

int32_t wadi_session_tiles(const wadi_session* session, uint32_t since, wadi_session_tile* out,
                           int32_t capacity)
{
    int32_t count = 0;
    for (int32_t i = 0; i < session->tile_columns * session->tile_rows; ++i)
    {
        if (session->tile_stamps[i] > since)
        {
            if (count < capacity)
            {
                out[count] = (wadi_session_tile){
                    i % session->tile_columns, i / session->tile_columns, session->tile_stamps[i]};
            }
            count += 1;
        }
    }
    return count;
}
