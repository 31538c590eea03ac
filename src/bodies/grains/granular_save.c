// SPDX-License-Identifier: MIT
// Save and restore. Neighbour lists are not saved: results do not depend on them.
#include "bodies/engine/saved.h"
#include "bodies/engine/stream.h"
#include "bodies/grains/granular.h"
#include "core/seal.h"

#define SAVE_MAGIC UINT64_C(0x57414449475236)

typedef struct save_header
{
    uint64_t magic;
    int64_t steps;
    int64_t broken;
    int64_t contacts; // between grains
    int64_t leanings; // on walls
    int32_t count;
    int32_t bonds;
    int64_t wet; // 1: water was set
    double limit;
    double step;
    double scale;
    double cap;
    double asked;    // the parameter `step`
    double stiffest; // contact of the largest grains
    int64_t meshes;
    int64_t holds; // contacts with meshes
    int64_t clumps;
    int64_t next_name;
    granular_books books;
} save_header;

typedef struct save_grain
{
    granular_body body;
    double wetness;
    double force[3];
    granular_wet wet;
    double share; // of its material's bond strength
    uint64_t leaning;
    int64_t name;
} save_grain;

// State of a contact between two grains, or a grain and a wall. Grains are named by id.
typedef struct save_contact
{
    int32_t i;
    int32_t j; // of a wall, its number
    int32_t touches;
    int32_t bridged;
    granular_slip slip;
    granular_roll roll;
} save_contact;

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

static wadi_result restore_check(const wadi_grains* grains, const save_header* header, size_t size)
{
    const granular_books* books = &header->books;
    const int64_t most_grains = (int64_t)1 << 60; // of which sums do not overflow
    WADI_CHECK(grains->context, books->first.grains == grains->flow.books.first.grains,
               WADI_ERROR_ARGUMENT,
               "%lld grains were saved at first, but this world began with %lld: make it of the "
               "same ones",
               (long long)books->first.grains, (long long)grains->flow.books.first.grains);
    WADI_CHECK(grains->context,
               header->count >= 0 && header->count <= 100000000 && books->come.grains >= 0 &&
                   books->come.grains <= most_grains && books->gone.grains >= 0 &&
                   books->gone.grains <= most_grains &&
                   header->count == books->first.grains + books->come.grains - books->gone.grains,
               WADI_ERROR_FORMAT, "the saved grains are damaged: save them anew");
    WADI_CHECK(grains->context, !grains->tied || header->count == grains->count,
               WADI_ERROR_ARGUMENT,
               "%d grains were saved, but this world has %d, and water seeps through them",
               header->count, grains->count);
    // limits for which the sum of the sizes does not overflow
    const int64_t most = (int64_t)(size / sizeof(save_contact));
    WADI_CHECK(grains->context,
               header->bonds >= 0 && header->contacts >= 0 && header->contacts <= most &&
                   header->leanings >= 0 && header->leanings <= most && header->meshes >= 0 &&
                   header->meshes <= GRANULAR_MESHES && header->holds >= 0 &&
                   header->holds <= most && header->clumps >= 0 && header->clumps <= header->count,
               WADI_ERROR_FORMAT, "the saved grains are damaged: save them anew");
    const size_t wanted = sizeof *header + (size_t)header->count * sizeof(save_grain) +
                          (size_t)header->bonds * sizeof(granular_bond) +
                          (size_t)(header->contacts + header->leanings) * sizeof(save_contact) +
                          wadi_granular_meshes_size(header->meshes, header->holds) +
                          (size_t)header->clumps * sizeof(granular_clump) + WADI_SEAL;
    WADI_CHECK(grains->context, size == wanted, WADI_ERROR_FORMAT,
               "saved grains take %zu bytes, but there are %zu", wanted, size);
    return WADI_OK;
}

static bool restore_are_ids(int32_t count, int32_t i, int32_t j)
{
    return i >= 0 && i < count && j >= 0 && j < count && i != j;
}

static bool restore_bonds_fit(const wadi_grains* grains, const save_header* header,
                              const unsigned char* bytes)
{
    bool fit = true;
    for (int32_t b = 0; b < header->bonds && fit; ++b)
    {
        granular_bond bond;
        memcpy(&bond, bytes + (size_t)b * sizeof bond, sizeof bond);
        fit = restore_are_ids(header->count, bond.i, bond.j) && bond.row >= 0 &&
              bond.row < grains->kinds * grains->kinds && bond.state < BOND_BROKEN;
    }
    return fit;
}

static bool restore_contacts_fit(const save_header* header, const unsigned char* bytes)
{
    bool fit = true;
    for (int64_t k = 0; k < header->contacts + header->leanings && fit; ++k)
    {
        save_contact contact;
        memcpy(&contact, bytes + (size_t)k * sizeof contact, sizeof contact);
        const bool leans = k >= header->contacts;
        fit = leans ? contact.i >= 0 && contact.i < header->count && contact.j >= 0 &&
                          contact.j < GRANULAR_WALLS
                    : restore_are_ids(header->count, contact.i, contact.j);
    }
    return fit;
}

// Kinds, ids and walls in the bytes are used as indices later: check all of them here.
static wadi_result restore_check_names(const wadi_grains* grains, const save_header* header,
                                       const unsigned char* bytes)
{
    const unsigned char* bonds = bytes + (size_t)header->count * sizeof(save_grain);
    const unsigned char* contacts = bonds + (size_t)header->bonds * sizeof(granular_bond);
    const unsigned char* meshes =
        contacts + (size_t)(header->contacts + header->leanings) * sizeof(save_contact);
    const unsigned char* clumps = meshes + wadi_granular_meshes_size(header->meshes, header->holds);
    bool fit = restore_bonds_fit(grains, header, bonds) && restore_contacts_fit(header, contacts) &&
               wadi_granular_holds_fit(header->count, meshes, header->meshes, header->holds) &&
               wadi_granular_clumps_fit(grains, clumps, (int32_t)header->clumps, header->count) &&
               (header->clumps == 0 || (header->bonds == 0 && header->wet == 0));
    for (int32_t id = 0; id < header->count && fit; ++id)
    {
        save_grain grain;
        memcpy(&grain, bytes + (size_t)id * sizeof grain, sizeof grain);
        fit = grain.body.kind >= 0 && grain.body.kind < grains->kinds && grain.share >= 0.0 &&
              grain.share <= 1e3;
    }
    WADI_CHECK(grains->context, fit, WADI_ERROR_FORMAT,
               "the saved grains are damaged: they name grains, materials, walls or shapes that "
               "are not there; save them anew");
    return wadi_granular_meshes_check(grains, meshes, header->meshes);
}

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
    WADI_TRY(restore_check(grains, &header, size));
    WADI_TRY(wadi_seal_check(grains->context, bytes, size, "grains"));
    const unsigned char* at = (const unsigned char*)bytes + sizeof header;
    WADI_TRY(restore_check_names(grains, &header, at));
    WADI_TRY(wadi_granular_bonds_reserve(grains, header.bonds));
    WADI_TRY(restore_reserve_outside(grains, &header, at));
    WADI_TRY(wadi_granular_clumps_reserve(grains, (int32_t)header.clumps));
    WADI_TRY(wadi_granular_memory_fit(grains, header.count));
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
    grains->failed = true; // without memory for lists the state of contacts is lost
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
