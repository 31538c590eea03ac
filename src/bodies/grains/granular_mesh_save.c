// SPDX-License-Identifier: MIT
// Meshes in saved states: how they move, where they are, and what touches them. Their triangles are
// not saved; a world that is restored has them.
#include "bodies/grains/granular.h"

typedef struct mesh_record
{
    granular_mesh_state state;
    int64_t triangles;
} mesh_record;

typedef struct mesh_hold_record
{
    int32_t id; // of the grain
    int32_t spare;
    granular_hold hold;
} mesh_hold_record;

// ---- saving ------------------------------------------------------------------------------------

int64_t wadi_granular_meshes_save(const wadi_grains* grains, const int32_t* ids,
                                  wadi_stream* writer)
{
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        const mesh_record record = {grains->meshes[m].state, grains->meshes[m].triangle_count};
        wadi_stream_put(writer, &record, sizeof record);
    }
    int64_t count = 0;
    const granular_beside* beside = &grains->beside;
    for (int32_t id = 0; id < grains->count && beside->places > 0; ++id)
    {
        const int32_t place = grains->places[id];
        const int32_t held = ids[id] >= 0 ? beside->held[place] : 0;
        for (int32_t k = 0; k < held; ++k, ++count)
        {
            const mesh_hold_record record = {ids[id], 0, beside->holds[beside->first[place] + k]};
            wadi_stream_put(writer, &record, sizeof record);
        }
    }
    return count;
}

size_t wadi_granular_meshes_size(int64_t meshes, int64_t holds)
{
    return (size_t)meshes * sizeof(mesh_record) + (size_t)holds * sizeof(mesh_hold_record);
}

// ---- restoring ---------------------------------------------------------------------------------

static mesh_record mesh_read(const unsigned char* bytes, int64_t m)
{
    mesh_record record;
    memcpy(&record, bytes + (size_t)m * sizeof record, sizeof record);
    return record;
}

static mesh_hold_record mesh_read_hold(const unsigned char* bytes, int64_t meshes, int64_t k)
{
    mesh_hold_record record;
    memcpy(&record, bytes + wadi_granular_meshes_size(meshes, k), sizeof record);
    return record;
}

bool wadi_granular_holds_fit(const wadi_grains* grains, int32_t count, const unsigned char* bytes,
                             int64_t meshes, int64_t holds)
{
    bool fit = true;
    for (int64_t k = 0; k < holds && fit; ++k)
    {
        const mesh_hold_record record = mesh_read_hold(bytes, meshes, k);
        fit = record.id >= 0 && record.id < count && record.hold.mesh >= 0 &&
              record.hold.mesh < meshes && wadi_stream_is_within(record.hold.normal, 3, 1.001) &&
              wadi_granular_is_spring(grains, &record.hold.slip, &record.hold.roll);
    }
    return fit;
}

static bool mesh_is_state(const wadi_grains* grains, const granular_mesh_state* s, int64_t steps)
{
    const double far = 1e12;
    const wadi_grain_motion* m = &s->motion;
    const double rates[3] = {m->spin, m->sway, m->frequency};
    return s->material >= 0 && s->material < grains->material_count && s->since >= 0 &&
           s->since <= steps && s->touches >= 0 && wadi_stream_is_within(m->velocity, 3, far) &&
           wadi_stream_is_within(m->swing, 3, far) && wadi_stream_is_within(m->centre, 3, far) &&
           wadi_stream_is_within(m->axis, 3, 1.001) && wadi_stream_is_within(rates, 3, far) &&
           wadi_stream_is_within(s->turn[0], 9, 1.001) && wadi_stream_is_within(s->shift, 3, far) &&
           wadi_is_finite(s->impulse) && wadi_is_finite(s->twist) && isfinite(s->work);
}

static wadi_result mesh_check_record(const wadi_grains* grains, const mesh_record* record,
                                     int32_t m, int64_t steps)
{
    const bool exists = m < grains->mesh_count && grains->meshes[m].state.present;
    const int64_t triangles = exists ? grains->meshes[m].triangle_count : 0;
    WADI_CHECK(grains->context, !record->state.present || record->triangles == triangles,
               WADI_ERROR_ARGUMENT,
               "mesh %d was saved with %lld triangles, but this world's has %lld: make it with the "
               "same meshes",
               m, (long long)record->triangles, (long long)triangles);
    WADI_CHECK(grains->context,
               !record->state.present || mesh_is_state(grains, &record->state, steps),
               WADI_ERROR_FORMAT, "the saved grains are damaged: save them anew");
    return WADI_OK;
}

wadi_result wadi_granular_meshes_check(const wadi_grains* grains, const unsigned char* bytes,
                                       int64_t meshes, int64_t steps)
{
    for (int32_t m = 0; m < meshes; ++m)
    {
        const mesh_record record = mesh_read(bytes, m);
        WADI_TRY(mesh_check_record(grains, &record, m, steps));
    }
    return WADI_OK;
}

// A mesh that was taken away before the state was saved is taken away here too.
void wadi_granular_meshes_restore(wadi_grains* grains, const unsigned char* bytes, int64_t meshes)
{
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        const mesh_record record = m < meshes ? mesh_read(bytes, m) : (mesh_record){.triangles = 0};
        if (record.state.present)
        {
            grains->meshes[m].state = record.state;
            wadi_granular_mesh_renew(grains, &grains->meshes[m]);
        }
        else
        {
            wadi_granular_mesh_free(grains->context, &grains->meshes[m]);
        }
    }
    wadi_granular_beside_free(grains->context, &grains->beside);
}

// Grains are in the order of ids. Numbers of contacts of each grain, and places of the first.
static void mesh_count_holds(wadi_grains* grains, const unsigned char* bytes, int64_t meshes,
                             int64_t holds)
{
    granular_beside* beside = &grains->beside;
    for (int64_t k = 0; k < holds; ++k)
    {
        beside->first[mesh_read_hold(bytes, meshes, k).id + 1] += 1;
    }
    for (int32_t id = 0; id < grains->count; ++id)
    {
        beside->first[id + 1] += beside->first[id];
    }
}

wadi_result wadi_granular_holds_restore(wadi_grains* grains, const unsigned char* bytes,
                                        int64_t meshes, int64_t holds)
{
    granular_beside* beside = &grains->beside;
    if (holds == 0)
    {
        return WADI_OK;
    }
    WADI_ALLOC(grains->context, beside->first, grains->count + 1, "grains beside meshes");
    WADI_ALLOC(grains->context, beside->held, grains->count + 1, "grains beside meshes");
    WADI_ALLOC(grains->context, beside->holds, holds, "contacts with meshes");
    mesh_count_holds(grains, bytes, meshes, holds);
    for (int64_t k = 0; k < holds; ++k)
    {
        const mesh_hold_record record = mesh_read_hold(bytes, meshes, k);
        beside->holds[beside->first[record.id] + beside->held[record.id]] = record.hold;
        beside->held[record.id] += 1;
    }
    beside->places = grains->count;
    return WADI_OK;
}

// ---- hash --------------------------------------------------------------------------------------

static uint64_t mesh_hash_state(const granular_mesh_state* s, uint64_t hash)
{
    const wadi_grain_motion* m = &s->motion;
    const double rates[3] = {m->spin, m->sway, m->frequency};
    hash = wadi_stream_mix(hash, (uint64_t)s->since);
    hash = wadi_stream_mix_numbers(hash, rates, 3);
    hash = wadi_stream_mix_numbers(hash, m->velocity, 3);
    hash = wadi_stream_mix_numbers(hash, m->swing, 3);
    hash = wadi_stream_mix_numbers(hash, s->turn[0], 9);
    hash = wadi_stream_mix_numbers(hash, s->shift, 3);
    hash = wadi_stream_mix_numbers(hash, s->impulse, 3);
    hash = wadi_stream_mix_numbers(hash, s->twist, 3);
    return wadi_stream_mix_number(hash, s->work);
}

static uint64_t mesh_hash_hold(const granular_hold* hold, int32_t id)
{
    uint64_t hash = wadi_stream_mix((uint64_t)id, (uint64_t)hold->mesh);
    hash = wadi_stream_mix_numbers(hash, hold->normal, 3);
    hash = wadi_stream_mix_numbers(hash, hold->slip.slip, 3);
    return wadi_stream_mix_numbers(hash, hold->roll.roll, 3);
}

uint64_t wadi_granular_meshes_hash(const wadi_grains* grains, uint64_t hash)
{
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        hash = grains->meshes[m].state.present ? mesh_hash_state(&grains->meshes[m].state, hash)
                                               : wadi_stream_mix(hash, 0);
    }
    const granular_beside* beside = &grains->beside;
    for (int32_t id = 0; id < grains->count && beside->places > 0; ++id)
    {
        const int32_t place = grains->places[id];
        for (int32_t k = 0; k < beside->held[place]; ++k)
        {
            hash =
                wadi_stream_mix(hash, mesh_hash_hold(&beside->holds[beside->first[place] + k], id));
        }
    }
    return hash;
}
