// SPDX-License-Identifier: MIT
// Save, restore and hash. Neighbour lists are not saved: results do not depend on them.
#include "bodies/engine/saved.h"
#include "bodies/engine/stream.h"
#include "bodies/water/sph.h"
#include "core/seal.h"

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
    return sizeof(save_header) + (size_t)sph->count * sizeof(save_particle) + WADI_SEAL;
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
    wadi_stream to = {bytes, 0};
    wadi_stream_put(&to, &header, sizeof header);
    for (int32_t k = 0; k < sph->count; ++k)
    {
        const int32_t place = sph->line[k];
        const save_particle particle = {sph->bodies[place], sph->states[place]};
        wadi_stream_put(&to, &particle, sizeof particle);
    }
    wadi_seal(bytes, wadi_sph_save_size(sph));
}

static wadi_result restore_check(const wadi_sph* sph, const save_header* header, size_t size)
{
    WADI_CHECK(sph->context, header->spacing == sph->params.spacing, WADI_ERROR_ARGUMENT,
               "water of spacing %g m was saved, but this world's is %g m", header->spacing,
               sph->params.spacing);
    const size_t wanted =
        sizeof *header + (size_t)header->count * sizeof(save_particle) + WADI_SEAL;
    WADI_CHECK(sph->context, header->count >= 0 && size == wanted, WADI_ERROR_FORMAT,
               "saved water takes %zu bytes, but there are %zu", wanted, size);
    return WADI_OK;
}

static bool restore_is_particle(const wadi_sph* sph, const save_particle* particle)
{
    const sph_body* body = &particle->body;
    const double dense[2] = {0.4 * sph->params.density, 1.7 * sph->params.density};
    bool fit = wadi_stream_is_within(body->x, 3, 1e12) && wadi_stream_is_within(body->v, 3, 1e9) &&
               wadi_stream_is_within(particle->state.v, 3, 1e9) &&
               wadi_stream_is_within(&body->push, 1, 1e12) && body->rho >= dense[0] &&
               body->rho <= dense[1] && particle->state.units > 0 &&
               particle->state.units <= sph->full &&
               (particle->state.drop == 0 || particle->state.drop == 1) &&
               particle->state.solid >= 0 && particle->state.solid <= SPH_SOLID_MOST;
    for (int c = 0; c < 2; ++c)
    {
        const double period = sph->law.period[c];
        fit = fit && (period == 0.0 || (body->x[c] >= 0.0 && body->x[c] < period));
    }
    return fit;
}

static bool restore_are_sums(const save_header* header)
{
    const int64_t most = (int64_t)1 << 60;
    const int64_t sums[] = {header->steps, header->added, header->rained, header->out,
                            header->drunk};
    bool fit = header->fastest >= 0.0 && header->fastest <= 1e9 && fabs(header->owed) <= 1e12;
    for (int k = 0; k < 5; ++k)
    {
        fit = fit && sums[k] >= 0 && sums[k] <= most;
    }
    return fit;
}

static wadi_result restore_check_numbers(const wadi_sph* sph, const save_header* header,
                                         const unsigned char* bytes)
{
    bool fit = restore_are_sums(header);
    for (int32_t k = 0; k < header->count && fit; ++k)
    {
        save_particle particle;
        memcpy(&particle, bytes + (size_t)k * sizeof particle, sizeof particle);
        fit = restore_is_particle(sph, &particle);
    }
    WADI_CHECK(sph->context, fit, WADI_ERROR_FORMAT,
               "the saved water is damaged: it holds places, speeds, densities or amounts that no "
               "water has; save it anew");
    return WADI_OK;
}

static bool restore_particle(wadi_sph* sph, int32_t place, const unsigned char* bytes)
{
    save_particle particle;
    memcpy(&particle, bytes, sizeof particle);
    sph->bodies[place] = particle.body;
    sph->states[place] = particle.state;
    sph->line[place] = place;
    sph->crowded = sph->crowded || particle.state.solid != 0;
    return particle.state.drop != 0 || particle.state.units != sph->full;
}

wadi_result wadi_sph_restore(wadi_sph* sph, const void* bytes, size_t size)
{
    save_header header = {0};
    WADI_TRY(wadi_stream_header(sph->context, bytes, size, SAVE_MAGIC, "saved water", &header,
                                sizeof header));
    WADI_TRY(restore_check(sph, &header, size));
    WADI_TRY(wadi_seal_check(sph->context, bytes, size, "particles of water"));
    const unsigned char* from = (const unsigned char*)bytes + sizeof header;
    WADI_TRY(restore_check_numbers(sph, &header, from));
    WADI_TRY(wadi_sph_reserve(sph, header.count));
    sph->count = header.count;
    sph->next_id = header.next_id;
    sph->steps = header.steps;
    sph->added = header.added;
    sph->rained = header.rained;
    sph->out = header.out;
    sph->drunk = header.drunk;
    sph->owed = header.owed;
    sph->fastest = header.fastest;
    sph->uneven = false;
    sph->crowded = false;
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

uint64_t wadi_sph_hash(const wadi_sph* sph)
{
    uint64_t hash = wadi_stream_mix((uint64_t)sph->steps, (uint64_t)(uint32_t)sph->count);
    hash = wadi_stream_mix(hash, (uint64_t)sph->rained);
    hash = wadi_stream_mix(hash, (uint64_t)sph->out);
    hash = wadi_stream_mix(hash, (uint64_t)sph->drunk);
    hash = wadi_stream_mix_numbers(hash, &sph->owed, 1);
    for (int32_t k = 0; k < sph->count; ++k)
    {
        const sph_body* body = &sph->bodies[sph->line[k]];
        const sph_state* state = &sph->states[sph->line[k]];
        hash = wadi_stream_mix(hash, (uint64_t)state->id << 32 | (uint32_t)state->units);
        hash = wadi_stream_mix(hash, (uint64_t)(uint32_t)state->solid << 32 |
                                         (uint64_t)(uint32_t)state->drop);
        hash = wadi_stream_mix_numbers(hash, body->x, 3);
        hash = wadi_stream_mix_numbers(hash, body->v, 3);
        hash = wadi_stream_mix_numbers(hash, state->v, 3);
        hash = wadi_stream_mix_numbers(hash, &body->rho, 1);
    }
    return hash;
}

wadi_result wadi_sph_archive(wadi_sph* sph, wadi_archive* archive)
{
    wadi_saved saved;
    WADI_TRY(wadi_saved_open(archive, wadi_sph_hash(sph), wadi_sph_save_size(sph), &saved));
    const bool reads = wadi_archive_is_reading(archive);
    if (saved.bytes != NULL && !reads)
    {
        wadi_sph_save(sph, saved.bytes);
    }
    wadi_result result = wadi_saved_pass(archive, &saved);
    if (result == WADI_OK && reads)
    {
        result = wadi_sph_restore(sph, saved.bytes, (size_t)saved.size);
    }
    wadi_saved_close(&saved);
    return result;
}
