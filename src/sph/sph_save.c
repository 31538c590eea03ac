// SPDX-License-Identifier: MIT
// A world as bytes and back, and in 64 bits. Lists are not kept: the same particles come to the
// same bits with any.
#include "sph/sph.h"

#define SAVE_MAGIC UINT64_C(0x5741444953504832)

typedef struct save_header
{
    uint64_t magic;
    int64_t steps;
    int64_t added;
    int64_t rained;
    int64_t out;
    int64_t drunk;
    double owed;
    double fastest;
    double spacing;
    int32_t count;
    uint32_t next_id;
} save_header;

typedef struct save_particle
{
    sph_body body;
    sph_state state;
} save_particle;

size_t wadi_sph_save_size(const wadi_sph* sph)
{
    return sizeof(save_header) + (size_t)sph->count * sizeof(save_particle);
}

void wadi_sph_save(const wadi_sph* sph, void* bytes)
{
    const save_header header = {
        .magic = SAVE_MAGIC,
        .steps = sph->steps,
        .added = sph->added,
        .rained = sph->rained,
        .out = sph->out,
        .drunk = sph->drunk,
        .owed = sph->owed,
        .fastest = sph->fastest,
        .spacing = sph->params.spacing,
        .count = sph->count,
        .next_id = sph->next_id,
    };
    unsigned char* to = bytes;
    memcpy(to, &header, sizeof header);
    to += sizeof header;
    for (int32_t k = 0; k < sph->count; ++k)
    {
        const int32_t place = sph->line[k];
        const save_particle particle = {sph->bodies[place], sph->states[place]};
        memcpy(to, &particle, sizeof particle);
        to += sizeof particle;
    }
}

static wadi_result restore_check(const wadi_sph* sph, const save_header* header, size_t size)
{
    WADI_CHECK(sph->context, header->magic == SAVE_MAGIC, WADI_ERROR_FORMAT,
               "these bytes are no saved water, or were saved by another version");
    WADI_CHECK(sph->context, header->spacing == sph->params.spacing, WADI_ERROR_ARGUMENT,
               "water of spacing %g m was saved, but this world's is %g m", header->spacing,
               sph->params.spacing);
    const size_t wanted = sizeof *header + (size_t)header->count * sizeof(save_particle);
    WADI_CHECK(sph->context, header->count >= 0 && size == wanted, WADI_ERROR_FORMAT,
               "saved water takes %zu bytes, but there are %zu", wanted, size);
    return WADI_OK;
}

static bool restore_particle(wadi_sph* sph, int32_t place, const unsigned char* bytes)
{
    save_particle particle;
    memcpy(&particle, bytes, sizeof particle);
    sph->bodies[place] = particle.body;
    sph->states[place] = particle.state;
    sph->line[place] = place;
    return particle.state.drop != 0 || particle.state.units != sph->full;
}

wadi_result wadi_sph_restore(wadi_sph* sph, const void* bytes, size_t size)
{
    save_header header = {0};
    WADI_CHECK(sph->context, size >= sizeof header, WADI_ERROR_FORMAT,
               "%zu bytes are too few to be saved water", size);
    memcpy(&header, bytes, sizeof header);
    WADI_TRY(restore_check(sph, &header, size));
    WADI_TRY(sph_reserve(sph, header.count));
    sph->count = header.count;
    sph->next_id = header.next_id;
    sph->steps = header.steps;
    sph->added = header.added;
    sph->rained = header.rained;
    sph->out = header.out;
    sph->drunk = header.drunk;
    sph->owed = header.owed;
    sph->fastest = header.fastest;
    const unsigned char* from = (const unsigned char*)bytes + sizeof header;
    sph->uneven = false;
    for (int32_t k = 0; k < header.count; ++k)
    {
        const bool uneven = restore_particle(sph, k, from + (size_t)k * sizeof(save_particle));
        sph->uneven = sph->uneven || uneven;
    }
    sph->stale = true;
    sph->failed = false;
    return WADI_OK;
}

// ---- hash --------------------------------------------------------------------------------

// Mixer of SplitMix64 (Steele et al. 2014).
static uint64_t hash_mix(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The two zeros are one.
static uint64_t hash_numbers(uint64_t hash, const double* values, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        hash = hash_mix(hash, (uint64_t)sph_bits(values[i] + 0.0));
    }
    return hash;
}

uint64_t wadi_sph_hash(const wadi_sph* sph)
{
    uint64_t hash = hash_mix((uint64_t)sph->steps, (uint64_t)(uint32_t)sph->count);
    hash = hash_mix(hash, (uint64_t)sph->rained);
    hash = hash_mix(hash, (uint64_t)sph->out);
    hash = hash_mix(hash, (uint64_t)sph->drunk);
    hash = hash_numbers(hash, &sph->owed, 1);
    for (int32_t k = 0; k < sph->count; ++k)
    {
        const sph_body* body = &sph->bodies[sph->line[k]];
        const sph_state* state = &sph->states[sph->line[k]];
        hash = hash_mix(hash, (uint64_t)state->id << 32 | (uint32_t)state->units);
        hash = hash_mix(hash, (uint64_t)(uint32_t)state->drop);
        hash = hash_numbers(hash, body->x, 3);
        hash = hash_numbers(hash, body->v, 3);
        hash = hash_numbers(hash, state->v, 3);
        hash = hash_numbers(hash, &body->rho, 1);
    }
    return hash;
}
