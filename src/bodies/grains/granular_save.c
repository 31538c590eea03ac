// SPDX-License-Identifier: MIT
// Save and restore. Neighbour lists are not saved: results do not depend on them.
#include "bodies/engine/saved.h"
#include "bodies/engine/stream.h"
#include "bodies/grains/granular_saved.h"
#include "core/seal.h"

static int64_t save_chunk(const wadi_grains* grains, const granular_chunk* chunk,
                          const int32_t* ids, wadi_stream* writer)
{
    int64_t count = 0;
    int32_t at = chunk->slip_first;
    for (int32_t p = 0; p < chunk->base.pair_count; ++p)
    {
        if (!granular_has_state(chunk, p))
        {
            continue;
        }
        save_contact contact = {
            .i = ids[grains->ids[chunk->base.begin + chunk->pairs[p].i]],
            .j = ids[grains->ids[wadi_chunk_place(&chunk->base, chunk->pairs[p].j)]],
            .touches = granular_flag(chunk->touching, p),
            .bridged = granular_flag(chunk->bridged, p),
        };
        if (contact.touches)
        {
            contact.slip = chunk->slips[at];
            contact.roll = chunk->rolls != NULL ? chunk->rolls[at] : contact.roll;
            ++at;
        }
        if (contact.i >= 0 && contact.j >= 0)
        {
            wadi_stream_put(writer, &contact, sizeof contact);
            ++count;
        }
    }
    return count;
}

static int64_t save_contacts(const wadi_grains* grains, const int32_t* ids, wadi_stream* writer)
{
    int64_t count = 0;
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        count += save_chunk(grains, granular_chunk_at(grains, c), ids, writer);
    }
    return count;
}

static int64_t save_wall_contacts(const wadi_grains* grains, const int32_t* ids,
                                  wadi_stream* writer)
{
    int64_t count = 0;
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        const granular_wall* wall = &grains->walls[w];
        for (int32_t i = 0; i < grains->count; ++i)
        {
            if ((grains->leaning[i] >> w & 1) == 0 || ids[grains->ids[i]] < 0)
            {
                continue;
            }
            save_contact contact = {.i = ids[grains->ids[i]], .j = w, .slip = wall->slips[i]};
            contact.roll = grains->rolls ? wall->rolls[i] : contact.roll;
            wadi_stream_put(writer, &contact, sizeof contact);
            ++count;
        }
    }
    return count;
}

static save_grain save_grain_of(const wadi_grains* grains, int32_t id)
{
    const int32_t place = grains->places[id];
    save_grain grain = {.body = grains->bodies[place],
                        .wetness = grains->wetness[id],
                        .share = grains->shares != NULL ? grains->shares[id] : 1.0,
                        .leaning = grains->leaning[place],
                        .name = grains->names[id]};
    if (grains->forces != NULL)
    {
        memcpy(grain.force, grains->forces[id], sizeof grain.force);
    }
    if (grains->wet != NULL)
    {
        grain.wet = grains->wet[id];
    }
    return grain;
}

static int32_t save_grains(const wadi_grains* grains, const granular_change* change,
                           const int32_t* ids, wadi_stream* writer)
{
    int32_t count = change->count;
    for (int32_t id = 0; id < grains->count; ++id)
    {
        if (ids[id] >= 0)
        {
            const save_grain grain = save_grain_of(grains, id);
            wadi_stream_put(writer, &grain, sizeof grain);
            ++count;
        }
    }
    for (int32_t k = 0; k < change->count; ++k)
    {
        const save_grain grain = {.body = wadi_granular_body_of(grains, &change->come[k]),
                                  .wetness = change->come[k].wetness,
                                  .share = 1.0,
                                  .name = grains->next_name + k};
        wadi_stream_put(writer, &grain, sizeof grain);
    }
    return count;
}

static int32_t save_bonds(const wadi_grains* grains, const int32_t* ids, wadi_stream* writer)
{
    int32_t count = 0;
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        granular_bond bond = grains->bonds[b];
        bond.i = ids[grains->ids[bond.i]];
        bond.j = ids[grains->ids[bond.j]];
        if (bond.state < BOND_BROKEN && bond.i >= 0 && bond.j >= 0)
        {
            wadi_stream_put(writer, &bond, sizeof bond);
            ++count;
        }
    }
    return count;
}

static save_header save_header_of(const wadi_grains* grains)
{
    return (save_header){
        .magic = SAVE_MAGIC,
        .steps = grains->steps,
        .broken = grains->broken,
        .wet = grains->wet != NULL,
        .limit = grains->limit,
        .step = grains->step,
        .scale = grains->scale,
        .cap = grains->cap,
        .asked = grains->params.step,
        .stiffest = wadi_granular_law_stiffest(grains),
        .meshes = grains->mesh_count,
        .next_name = grains->next_name,
        .books = grains->flow.books,
    };
}

void wadi_granular_save_changed(const wadi_grains* grains, const granular_change* change,
                                const int32_t* ids, wadi_stream* writer)
{
    save_header header = save_header_of(grains);
    wadi_stream_put(writer, &header, sizeof header);
    header.count = save_grains(grains, change, ids, writer);
    header.bonds = save_bonds(grains, ids, writer);
    header.contacts = save_contacts(grains, ids, writer);
    header.leanings = save_wall_contacts(grains, ids, writer);
    header.holds = wadi_granular_meshes_save(grains, ids, writer);
    header.clumps =
        wadi_granular_clumps_save(grains, change, ids, header.count - change->count, writer);
    header.next_name += change->count;
    wadi_stream again = {writer->bytes, 0};
    wadi_stream_put(&again, &header, sizeof header);
}

// All as it is: every grain keeps its id.
static void save_all(const wadi_grains* grains, wadi_stream* writer)
{
    const granular_change none = {NULL, NULL, 0, NULL, 0};
    wadi_granular_save_changed(grains, &none, grains->same, writer);
}

size_t wadi_grains_save_size(const wadi_grains* grains)
{
    wadi_stream counter = {NULL, 0};
    save_all(grains, &counter);
    return counter.used + WADI_SEAL;
}

void wadi_grains_save(const wadi_grains* grains, void* bytes)
{
    wadi_stream writer = {bytes, 0};
    save_all(grains, &writer);
    wadi_seal(bytes, writer.used + WADI_SEAL);
}

// ---- restoring ---------------------------------------------------------------------------

static void restore_grains(wadi_grains* grains, const unsigned char* bytes)
{
    uint32_t known = 0; // walls that this world has had
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        known |= grains->walls[w].slips != NULL ? 1u << w : 0u;
    }
    for (int32_t id = 0; id < grains->count; ++id)
    {
        save_grain grain;
        memcpy(&grain, bytes + (size_t)id * sizeof grain, sizeof grain);
        grains->bodies[id] = grain.body;
        grains->wetness[id] = grain.wetness;
        if (grains->shares != NULL)
        {
            grains->shares[id] = grain.share;
        }
        grains->leaning[id] = (uint32_t)grain.leaning & known;
        grains->ids[id] = id;
        grains->places[id] = id;
        grains->names[id] = grain.name;
        if (grains->forces != NULL)
        {
            memcpy(grains->forces[id], grain.force, sizeof grain.force);
        }
        if (grains->wet != NULL)
        {
            grains->wet[id] = grain.wet;
        }
    }
}

// Memory for what only some worlds have: forces from outside, bond strengths, water.
static wadi_result restore_reserve_outside(wadi_grains* grains, const save_header* header,
                                           const unsigned char* bytes)
{
    bool pushed = false;
    bool uneven = false;
    for (int32_t id = 0; id < header->count; ++id)
    {
        save_grain grain;
        memcpy(&grain, bytes + (size_t)id * sizeof grain, sizeof grain);
        pushed = pushed || grain.force[0] != 0.0 || grain.force[1] != 0.0 || grain.force[2] != 0.0;
        uneven = uneven || grain.share != 1.0;
    }
    if (grains->forces == NULL && pushed)
    {
        WADI_ALLOC(grains->context, grains->forces, grains->room, "forces from outside");
    }
    if (grains->shares == NULL && uneven)
    {
        WADI_ALLOC(grains->context, grains->shares, grains->room, "strengths of grains");
        for (int32_t id = 0; id < grains->room; ++id)
        {
            grains->shares[id] = 1.0; // until they are restored
        }
    }
    if (grains->wet == NULL && header->wet != 0)
    {
        WADI_ALLOC(grains->context, grains->wet, grains->room, "water of grains");
    }
    return WADI_OK;
}

// Pair of a contact in the list; -1: they have moved apart by more than a skin since they touched.
static int32_t restore_find(const wadi_grains* grains, const save_contact* contact,
                            granular_chunk** chunk)
{
    const int32_t i = grains->places[contact->i];
    const int32_t j = grains->places[contact->j];
    const int32_t first = i < j ? i : j;
    *chunk = granular_chunk_at(grains, first / grains->params.chunk);
    return wadi_granular_list_find(*chunk, first, i < j ? j : i);
}

static void restore_flags(const wadi_grains* grains, const save_contact* contact)
{
    granular_chunk* chunk;
    const int32_t p = restore_find(grains, contact, &chunk);
    if (p >= 0 && contact->touches)
    {
        granular_set_flag(chunk->touching, p);
    }
    if (p >= 0 && contact->bridged)
    {
        granular_set_flag(chunk->bridged, p);
    }
}

static void restore_slip(const wadi_grains* grains, const save_contact* contact)
{
    granular_chunk* chunk;
    const int32_t p = restore_find(grains, contact, &chunk);
    if (p < 0 || !contact->touches)
    {
        return;
    }
    const double sign = grains->places[contact->i] < grains->places[contact->j] ? 1.0 : -1.0;
    const int32_t at = granular_slip_of(chunk, p);
    chunk->slips[at] = contact->slip;
    for (int c = 0; c < 3; ++c)
    {
        chunk->slips[at].slip[c] *= sign;
    }
    if (chunk->rolls != NULL)
    {
        chunk->rolls[at] = contact->roll;
    }
}

static void restore_wall_contact(wadi_grains* grains, const save_contact* contact)
{
    granular_wall* wall = &grains->walls[contact->j];
    const int32_t place = grains->places[contact->i];
    if (wall->slips == NULL)
    {
        return; // a wall that this world does not have
    }
    wall->slips[place] = contact->slip;
    if (wall->rolls != NULL)
    {
        wall->rolls[place] = contact->roll;
    }
}

static save_contact restore_read(const unsigned char* bytes, int64_t k)
{
    save_contact contact;
    memcpy(&contact, bytes + (size_t)k * sizeof contact, sizeof contact);
    return contact;
}

// Room for the state of all contacts, once the pairs in contact are known.
static wadi_result restore_reserve(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        granular_chunk* chunk = granular_chunk_at(grains, c);
        const int32_t count = wadi_granular_slips_rank(chunk);
        WADI_TRY(wadi_granular_slips_reserve(grains, chunk, count));
        chunk->slip_first = 0;
        chunk->slip_count = count;
    }
    return WADI_OK;
}

static wadi_result restore_contacts(wadi_grains* grains, const save_header* header,
                                    const unsigned char* bytes)
{
    for (int64_t k = 0; k < header->contacts; ++k)
    {
        const save_contact contact = restore_read(bytes, k);
        restore_flags(grains, &contact);
    }
    WADI_TRY(restore_reserve(grains));
    for (int64_t k = 0; k < header->contacts; ++k)
    {
        const save_contact contact = restore_read(bytes, k);
        restore_slip(grains, &contact);
    }
    for (int64_t k = header->contacts; k < header->contacts + header->leanings; ++k)
    {
        const save_contact contact = restore_read(bytes, k);
        restore_wall_contact(grains, &contact);
    }
    return WADI_OK;
}

static void restore_numbers(wadi_grains* grains, const save_header* header)
{
    grains->steps = header->steps;
    grains->broken = header->broken;
    grains->limit = header->limit;
    grains->step = header->step;
    grains->scale = header->scale;
    grains->cap = header->cap;
    grains->bond_count = header->bonds;
    grains->next_name = header->next_name;
    grains->flow.books = header->books;
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        memset(grains->walls[w].pressed, 0, sizeof grains->walls[w].pressed);
    }
    wadi_granular_law_set_sleep(grains);
}

// Choose the step anew when the parameters are others than those of the saved grains. Otherwise the
// saved step is kept: bonds that are broken by now count in it.
static wadi_result restore_step(wadi_grains* grains, const save_header* header)
{
    const double stiffest = wadi_granular_law_stiffest(grains);
    const bool is_same = header->asked >= grains->params.step &&
                         header->asked <= grains->params.step && header->stiffest >= stiffest &&
                         header->stiffest <= stiffest;
    return is_same ? WADI_OK : wadi_granular_law_set_step(grains);
}

// A list without contacts, so that none is carried into the next.
static void restore_clear_contacts(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->list.chunk_capacity; ++c)
    {
        granular_clear_flags(granular_chunk_at(grains, c));
    }
    grains->stale = true;
}

wadi_result wadi_grains_restore(wadi_grains* grains, const void* bytes, size_t size)
{
    save_header header = {0};
    WADI_TRY(wadi_stream_header(grains->context, bytes, size, SAVE_MAGIC, "saved grains", &header,
                                sizeof header));
    WADI_TRY(wadi_granular_saved_check(grains, &header, size));
    WADI_TRY(wadi_seal_check(grains->context, bytes, size, "grains"));
    const unsigned char* at = (const unsigned char*)bytes + sizeof header;
    WADI_TRY(wadi_granular_saved_check_state(grains, &header, at));
    WADI_TRY(wadi_granular_bonds_reserve(grains, header.bonds));
    WADI_TRY(restore_reserve_outside(grains, &header, at));
    WADI_TRY(wadi_granular_clumps_reserve(grains, (int32_t)header.clumps));
    WADI_TRY(wadi_granular_memory_fit(grains, header.count));
    grains->failed = true; // until all of it is restored
    restore_grains(grains, at);
    wadi_granular_clumps_restore(grains,
                                 (const unsigned char*)bytes + size - WADI_SEAL -
                                     (size_t)header.clumps * sizeof(granular_clump),
                                 (int32_t)header.clumps);
    at += (size_t)grains->count * sizeof(save_grain);
    restore_numbers(grains, &header);
    if (header.bonds > 0)
    {
        memcpy(grains->bonds, at, (size_t)header.bonds * sizeof *grains->bonds);
    }
    at += (size_t)header.bonds * sizeof *grains->bonds;
    WADI_TRY(restore_step(grains, &header));
    restore_clear_contacts(grains);
    const unsigned char* meshes =
        at + (size_t)(header.contacts + header.leanings) * sizeof(save_contact);
    wadi_granular_meshes_restore(grains, meshes, header.meshes);
    WADI_TRY(wadi_granular_holds_restore(grains, meshes, header.meshes, header.holds));
    WADI_TRY(wadi_granular_update_list(grains));
    const wadi_result result = restore_contacts(grains, &header, at);
    if (result != WADI_OK)
    {
        restore_clear_contacts(grains); // no flags without the state of contacts
        return result;
    }
    grains->failed = false;
    return WADI_OK;
}

wadi_result wadi_grains_archive(wadi_grains* grains, wadi_archive* archive)
{
    wadi_saved saved;
    WADI_TRY(
        wadi_saved_open(archive, wadi_grains_hash(grains), wadi_grains_save_size(grains), &saved));
    const bool reads = wadi_archive_is_reading(archive);
    if (saved.bytes != NULL && !reads)
    {
        wadi_grains_save(grains, saved.bytes);
    }
    wadi_result result = wadi_saved_pass(archive, &saved);
    if (result == WADI_OK && reads)
    {
        result = wadi_grains_restore(grains, saved.bytes, (size_t)saved.size);
    }
    wadi_saved_close(&saved);
    return result;
}
