// SPDX-License-Identifier: MIT
// A world in 64 bits. Grains are taken by id; contacts and bonds add up, so their order and which
// of their grains comes first do not matter.
#include "bodies/engine/stream.h"
#include "bodies/grains/granular.h"

static uint64_t hash_vector(uint64_t hash, const double v[3], double sign)
{
    for (int c = 0; c < 3; ++c)
    {
        hash = wadi_stream_mix_number(hash, sign * v[c]);
    }
    return hash;
}

static uint64_t hash_push(uint64_t hash, const double push[3])
{
    const bool pushed = push[0] != 0.0 || push[1] != 0.0 || push[2] != 0.0;
    return pushed ? hash_vector(hash, push, 1.0) : hash;
}

// Dry grains have the hash they have in a world without water.
static uint64_t hash_wet(const wadi_grains* grains, int32_t id, uint64_t hash)
{
    const double inverse = grains->bodies[grains->places[id]].inverse_mass;
    if (inverse != wadi_granular_dry_inverse(grains, grains->places[id]))
    {
        hash = wadi_stream_mix_number(hash, inverse);
    }
    if (grains->wet != NULL)
    {
        hash = hash_push(hash, grains->wet[id].push);
    }
    if (grains->wet != NULL && (grains->wet[id].lift > 0.0 || grains->wet[id].pull > 0.0))
    {
        const double wet[3] = {grains->wet[id].lift, grains->wet[id].pull, grains->wet[id].bridge};
        hash = hash_vector(hash, wet, 1.0);
    }
    return hash;
}

static uint64_t hash_body(const wadi_grains* grains, int32_t id)
{
    const granular_body* body = &grains->bodies[grains->places[id]];
    uint64_t hash = wadi_stream_mix((uint64_t)id, (uint64_t)(uint32_t)body->kind);
    hash = wadi_stream_mix(hash, (uint64_t)(uint32_t)body->calm);
    hash = wadi_stream_mix_number(hash, body->radius);
    hash = wadi_stream_mix_number(hash, grains->wetness[id]);
    hash = hash_wet(grains, id, hash);
    hash = hash_vector(hash, body->x, 1.0);
    hash = hash_vector(hash, body->v, 1.0);
    return hash_vector(hash, body->w, 1.0);
}

// Key of two ids, and the sign of what is counted from the first.
static uint64_t hash_two(const wadi_grains* grains, int32_t i, int32_t j, double* sign)
{
    const uint32_t a = (uint32_t)grains->ids[i];
    const uint32_t b = (uint32_t)grains->ids[j];
    *sign = a < b ? 1.0 : -1.0;
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static uint64_t hash_contacts(const wadi_grains* grains, const granular_chunk* chunk)
{
    uint64_t sum = 0;
    int32_t at = chunk->slip_first;
    for (int32_t p = 0; p < chunk->base.pair_count; ++p)
    {
        if (!granular_has_state(chunk, p))
        {
            continue;
        }
        double sign;
        uint64_t hash = hash_two(grains, chunk->base.begin + chunk->pairs[p].i,
                                 wadi_chunk_place(&chunk->base, chunk->pairs[p].j), &sign);
        if (granular_flag(chunk->touching, p))
        {
            hash = hash_vector(hash, chunk->slips[at].slip, sign);
            hash = chunk->rolls != NULL ? hash_vector(hash, chunk->rolls[at].roll, 1.0) : hash;
            ++at;
        }
        sum += granular_flag(chunk->bridged, p) ? wadi_stream_mix(hash, 1) : hash;
    }
    return sum;
}

static uint64_t hash_bond(const wadi_grains* grains, const granular_bond* bond)
{
    double sign;
    uint64_t hash = hash_two(grains, bond->i, bond->j, &sign);
    hash = wadi_stream_mix(hash, bond->state);
    hash = hash_vector(hash, bond->shear, sign);
    hash = hash_vector(hash, bond->bend, sign);
    hash = wadi_stream_mix_number(hash, bond->twist);
    hash = wadi_stream_mix_number(hash, bond->strength);
    return wadi_stream_mix_number(hash, bond->length);
}

static uint64_t hash_leaning(const wadi_grains* grains, int32_t id)
{
    const int32_t place = grains->places[id];
    uint64_t hash = wadi_stream_mix((uint64_t)id, grains->leaning[place]);
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        if ((grains->leaning[place] >> w & 1) != 0)
        {
            hash = hash_vector(hash, grains->walls[w].slips[place].slip, 1.0);
        }
    }
    return hash;
}

uint64_t wadi_grains_hash(const wadi_grains* grains)
{
    uint64_t hash = wadi_stream_mix((uint64_t)grains->steps, (uint64_t)(uint32_t)grains->count);
    for (int32_t id = 0; id < grains->count; ++id)
    {
        hash =
            wadi_stream_mix(wadi_stream_mix(hash, hash_body(grains, id)), hash_leaning(grains, id));
    }
    hash = wadi_granular_flow_hash(grains, wadi_granular_meshes_hash(grains, hash));
    hash = wadi_granular_clumps_hash(grains, hash);
    uint64_t sum = 0;
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        sum += hash_contacts(grains, granular_chunk_at(grains, c));
    }
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        sum += grains->bonds[b].state < BOND_BROKEN ? hash_bond(grains, &grains->bonds[b]) : 0;
    }
    return wadi_stream_mix(hash, sum);
}
