// SPDX-License-Identifier: MIT
// The state hash. Values are hashed as numbers, not as bytes in memory, so that the result does not
// depend on byte order.
#include "terrain/terrain.h"

#include <string.h>

static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
    // one multiply-xorshift round per word (constants of splitmix64, Steele et al. 2014)
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
    return hash ^ (hash >> 31);
}

static uint64_t hash_heights(uint64_t hash, const int32_t* values, int64_t count)
{
    for (int64_t i = 0; i < count; ++i)
    {
        hash = hash_mix(hash, (uint64_t)(uint32_t)values[i]);
    }
    return hash;
}

static uint64_t hash_shares(uint64_t hash, const uint16_t* values, int64_t count)
{
    for (int64_t i = 0; i < count; ++i)
    {
        hash = hash_mix(hash, values[i]);
    }
    return hash;
}

static uint64_t hash_strata(uint64_t hash, const wadi_ground* ground)
{
    hash = hash_heights(hash, ground->strata->bottom, ground->strata->count);
    hash = hash_shares(hash, ground->strata->hardness, ground->strata->count);
    return hash_heights(hash, ground->strata->top, ground->cells);
}

uint64_t wadi_terrain_hash(const wadi_terrain* terrain)
{
    const wadi_ground* ground = &terrain->ground;
    const int64_t n = ground->cells;
    uint64_t hash = 0x9E3779B97F4A7C15u;
    hash = hash_mix(hash, (uint64_t)ground->width << 32 | (uint32_t)ground->height);
    hash = hash_mix(hash, (uint64_t)terrain->clock_ms);
    hash = hash_mix(hash, terrain->seed);
    hash = hash_mix(hash, terrain->random_state);
    hash = hash_heights(hash, ground->bedrock, n);
    hash = hash_heights(hash, ground->water, n);
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        hash = hash_heights(hash, ground->loose[i], n);
    }
    hash = hash_shares(hash, ground->hardness, n);
    hash = hash_shares(hash, ground->vegetation, n);
    hash = hash_shares(hash, ground->moisture, n);
    for (int64_t i = 0; i < n; ++i)
    {
        hash = hash_mix(hash, ground->valid[i]);
    }
    return ground->strata != NULL ? hash_strata(hash, ground) : hash;
}

void wadi_terrain_mix_hash(wadi_terrain* terrain, uint64_t word)
{
    terrain->random_state = hash_mix(terrain->random_state, word);
}
