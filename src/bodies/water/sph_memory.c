// SPDX-License-Identifier: MIT
// Memory of particles and workers, which grows with their number.
#include "bodies/water/sph.h"

static const wadi_array memory_particles[] = {
    WADI_ARRAY(wadi_sph, bodies, 0), WADI_ARRAY(wadi_sph, sorted, 0),
    WADI_ARRAY(wadi_sph, states, 0), WADI_ARRAY(wadi_sph, sorted_states, 0),
    WADI_ARRAY(wadi_sph, line, 0),   WADI_ARRAY(wadi_sph, own, 0),
    WADI_ARRAY(wadi_sph, built, 0),  WADI_ARRAY(wadi_sph, solid, 0),
    WADI_ARRAY(wadi_sph, taken, 0),  WADI_ARRAY(wadi_sph, excess, 0),
    WADI_ARRAY(wadi_sph, pace, 0),   WADI_ARRAY(wadi_sph, beside, 0),
};
static const wadi_arrays memory_by_particle = WADI_ARRAYS(memory_particles, "particles of water");

// Copies of the particles of a chunk and its halo.
static const wadi_array memory_local[] = {
    WADI_ARRAY(sph_scratch, bodies, 0),
    WADI_ARRAY(sph_scratch, shares, 0),
    WADI_ARRAY(sph_scratch, rows, 0),
};
static const wadi_arrays memory_by_local = WADI_ARRAYS(memory_local, "copies of particles");

wadi_result wadi_sph_reserve(wadi_sph* sph, int64_t count)
{
    enum
    {
        FEWEST = 1024
    };
    WADI_CHECK(sph->context, count <= 100000000, WADI_ERROR_ARGUMENT,
               "there would be %lld particles of water; there can be 1e8: make spacing larger",
               (long long)count);
    if (count <= sph->capacity)
    {
        return WADI_OK;
    }
    const int32_t wanted = (int32_t)(count + count / 4) + FEWEST;
    sph->stale = true; // the list is invalid after this, even on failure
    WADI_TRY(wadi_arrays_resize(sph->context, &memory_by_particle, sph, sph->capacity, wanted));
    WADI_TRY(wadi_list_reserve(&sph->list, wanted));
    sph->capacity = wanted;
    return WADI_OK;
}

wadi_result wadi_sph_reserve_local(wadi_sph* sph)
{
    if (sph->list.longest <= sph->local_capacity)
    {
        return WADI_OK;
    }
    const int32_t wanted = wadi_arrays_spare(sph->list.longest, 64);
    sph->local_capacity = 0;
    for (int32_t w = 0; w < sph->list.workers; ++w)
    {
        WADI_TRY(wadi_arrays_resize(sph->context, &memory_by_local, &sph->scratch[w], 0, wanted));
    }
    sph->local_capacity = wanted;
    return WADI_OK;
}

void wadi_sph_memory_free(wadi_sph* sph)
{
    wadi_context* context = sph->context;
    for (int32_t w = 0; sph->scratch != NULL && w < sph->list.workers; ++w)
    {
        wadi_arrays_free(context, &memory_by_local, &sph->scratch[w]);
    }
    wadi_free(context, sph->scratch);
    wadi_arrays_free(context, &memory_by_particle, sph);
    wadi_list_free(&sph->list);
    wadi_free(context, sph->ground.heights);
    wadi_free(context, sph->spheres);
    wadi_free(context, sph->contact_start);
    wadi_free(context, sph->meetings);
}
