// SPDX-License-Identifier: MIT
// Checks of a saved state before any of it is used. A checksum can be made anew after a state was
// changed, so every number that is an index, a size or part of the motion is checked here.
#include "bodies/grains/granular_saved.h"

#include "core/seal.h"

#include <float.h>

// ---- header ------------------------------------------------------------------------------------

static bool saved_is_tally(const granular_tally* tally)
{
    const int64_t most = (int64_t)1 << 60; // of which sums do not overflow
    return tally->grains >= 0 && tally->grains <= most && tally->units >= 0 &&
           tally->units <= most && tally->tries >= 0 && tally->tries <= most;
}

static bool saved_are_books(const granular_books* books)
{
    bool fit = saved_is_tally(&books->first) && saved_is_tally(&books->come) &&
               saved_is_tally(&books->gone);
    for (int32_t f = 0; f < WADI_GRAIN_MAX_FEEDERS; ++f)
    {
        fit = fit && saved_is_tally(&books->fed[f]);
    }
    for (int32_t s = 0; s < WADI_GRAIN_MAX_SINKS; ++s)
    {
        fit = fit && saved_is_tally(&books->sunk[s]);
    }
    return fit;
}

// Units of force belong to the stiffness of the contacts, with or without bonds. A world whose
// parameters differ chooses them anew.
static bool saved_are_units(const wadi_grains* grains, const save_header* header)
{
    const double wide = 256.0;
    int exponent;
    const bool numbers = header->cap > 0.0 && header->cap <= DBL_MAX && header->scale > 0.0 &&
                         header->scale <= DBL_MAX;
    return numbers && frexp(header->cap, &exponent) == 0.5 &&
           header->scale == ldexp(1.0, 50 - exponent) &&
           (header->stiffest != wadi_granular_law_stiffest(grains) ||
            (header->cap * wide >= wadi_granular_law_cap(grains, false) &&
             header->cap <= wide * wadi_granular_law_cap(grains, true)));
}

static bool saved_are_clocks(const wadi_grains* grains, const save_header* header)
{
    const int64_t most = (int64_t)1 << 53;
    return header->steps >= 0 && header->steps <= most && header->broken >= 0 &&
           header->next_name >= header->count && header->next_name <= most && header->limit > 0.0 &&
           header->limit <= 1.0 && header->step > 0.0 && header->step <= header->limit &&
           isfinite(header->asked) && isfinite(header->stiffest) &&
           (header->wet == 0 || header->wet == 1) && saved_are_units(grains, header);
}

static wadi_result saved_check_size(const wadi_grains* grains, const save_header* header,
                                    size_t size)
{
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

wadi_result wadi_granular_saved_check(const wadi_grains* grains, const save_header* header,
                                      size_t size)
{
    const granular_books* books = &header->books;
    WADI_CHECK(grains->context, books->first.grains == grains->flow.books.first.grains,
               WADI_ERROR_ARGUMENT,
               "%lld grains were saved at first, but this world began with %lld: make it of the "
               "same ones",
               (long long)books->first.grains, (long long)grains->flow.books.first.grains);
    WADI_CHECK(grains->context,
               header->count >= 0 && header->count <= 100000000 && saved_are_books(books) &&
                   header->count == books->first.grains + books->come.grains - books->gone.grains,
               WADI_ERROR_FORMAT, "the saved grains are damaged: save them anew");
    WADI_CHECK(grains->context, !grains->tied || header->count == grains->count,
               WADI_ERROR_ARGUMENT,
               "%d grains were saved, but this world has %d, and water seeps through them",
               header->count, grains->count);
    return saved_check_size(grains, header, size);
}

// ---- contacts and bonds ------------------------------------------------------------------------

static bool saved_are_ids(int32_t count, int32_t i, int32_t j)
{
    return i >= 0 && i < count && j >= 0 && j < count && i != j;
}

static bool saved_is_amount(double value, double most)
{
    return value >= 0.0 && value <= most;
}

// Friction and rolling resistance keep springs as short as grains.
bool wadi_granular_is_spring(const wadi_grains* grains, const granular_slip* slip,
                             const granular_roll* roll)
{
    const double longest = 1e6 * grains->list.largest;
    return wadi_stream_is_within(slip->slip, 3, longest) && saved_is_amount(slip->damping, 1e12) &&
           wadi_stream_is_within(roll->roll, 3, longest);
}

// Force far above those of contacts and bonds, whose sums can still be counted [N].
static double saved_strongest(const wadi_grains* grains)
{
    return 1e6 * wadi_granular_law_cap(grains, true);
}

static bool saved_is_bond(const wadi_grains* grains, const granular_bond* bond, double strongest)
{
    const double longest = 100.0 * grains->list.largest;
    const double torque = strongest * grains->list.largest;
    return bond->row >= 0 && bond->row < grains->kinds * grains->kinds &&
           bond->state < BOND_BROKEN && wadi_stream_is_within(bond->shear, 3, strongest) &&
           wadi_stream_is_within(bond->bend, 3, torque) && fabs(bond->twist) <= torque &&
           bond->length > 0.0 && bond->length <= longest && bond->birth > 0.0 &&
           bond->birth <= longest && bond->radius > 1e-9 && bond->radius <= longest &&
           saved_is_amount(bond->delay, 1e9) && saved_is_amount(bond->strength, 1e3);
}

static bool saved_bonds_fit(const wadi_grains* grains, const save_header* header,
                            const unsigned char* bytes)
{
    const double strongest = saved_strongest(grains);
    bool fit = true;
    for (int32_t b = 0; b < header->bonds && fit; ++b)
    {
        granular_bond bond;
        memcpy(&bond, bytes + (size_t)b * sizeof bond, sizeof bond);
        fit =
            saved_are_ids(header->count, bond.i, bond.j) && saved_is_bond(grains, &bond, strongest);
    }
    return fit;
}

static bool saved_contacts_fit(const wadi_grains* grains, const save_header* header,
                               const unsigned char* bytes)
{
    bool fit = true;
    for (int64_t k = 0; k < header->contacts + header->leanings && fit; ++k)
    {
        save_contact contact;
        memcpy(&contact, bytes + (size_t)k * sizeof contact, sizeof contact);
        const bool leans = k >= header->contacts;
        fit = wadi_granular_is_spring(grains, &contact.slip, &contact.roll) &&
              (leans ? contact.i >= 0 && contact.i < header->count && contact.j >= 0 &&
                           contact.j < GRANULAR_WALLS
                     : saved_are_ids(header->count, contact.i, contact.j));
    }
    return fit;
}

// ---- grains ------------------------------------------------------------------------------------

// Inverse mass of a single grain: 0 where it is fixed, else of its volume with 0 to 100 times its
// mass of water.
static bool saved_is_mass(const wadi_grains* grains, const granular_body* body)
{
    const double pi = 3.14159265358979323846;
    const double volume = 4.0 / 3.0 * pi * body->radius * body->radius * body->radius;
    const double dry = grains->materials[body->kind % grains->material_count].density * volume;
    const double share = body->inverse_mass * dry;
    return body->inverse_mass == 0.0 || (share >= 0.999 / 101.0 && share <= 1.001);
}

static bool saved_is_inside(const wadi_grains* grains, const granular_body* body)
{
    const double periods[2] = {grains->params.period_x, grains->params.period_y};
    bool inside = true;
    for (int c = 0; c < 2; ++c)
    {
        inside = inside && (periods[c] == 0.0 || (body->x[c] >= 0.0 && body->x[c] < periods[c]));
    }
    return inside;
}

// Spheres of clumps get mass, place and velocity from their clump.
static bool saved_is_body(const wadi_grains* grains, const granular_body* body, bool single)
{
    return body->kind >= 0 && body->kind < grains->kinds && body->calm >= 0 &&
           body->radius > 1e-6 && body->radius <= 1.000001 * grains->list.largest &&
           wadi_granular_is_moderate(body->x, body->v, body->w, body->radius) &&
           (!single || (saved_is_mass(grains, body) && saved_is_inside(grains, body)));
}

static bool saved_is_water(const wadi_grains* grains, const granular_wet* wet, double strongest)
{
    const double r = grains->list.largest;
    return wadi_stream_is_within(wet->push, 3, strongest) &&
           saved_is_amount(wet->lift, strongest) && saved_is_amount(wet->pull, strongest) &&
           saved_is_amount(wet->bridge, 1e6 * r * r * r);
}

static bool saved_is_grain(const wadi_grains* grains, const save_grain* grain, bool single)
{
    const double strongest = saved_strongest(grains);

    return saved_is_body(grains, &grain->body, single) && saved_is_amount(grain->share, 1e3) &&
           saved_is_amount(grain->wetness, 101.0) &&
           wadi_stream_is_within(grain->force, 3, strongest) &&
           saved_is_water(grains, &grain->wet, strongest);
}

static int32_t saved_first(const wadi_grains* grains, const save_header* header,
                           const unsigned char* clumps, int32_t n, int32_t* end)
{
    granular_clump clump = {.first = header->count};
    *end = header->count;
    if (n < header->clumps)
    {
        memcpy(&clump, clumps + (size_t)n * sizeof clump, sizeof clump);
        *end = clump.first + granular_shape_of(grains, &clump)->count;
    }
    return clump.first;
}

// Clumps have been checked. Names rise with the ids.
static bool saved_grains_fit(const wadi_grains* grains, const save_header* header,
                             const unsigned char* bytes, const unsigned char* clumps)
{
    int32_t n = 0;
    int32_t end;
    int32_t first = saved_first(grains, header, clumps, n, &end);
    int64_t name = -1;
    bool fit = true;
    for (int32_t id = 0; id < header->count && fit; ++id)
    {
        save_grain grain;
        memcpy(&grain, bytes + (size_t)id * sizeof grain, sizeof grain);
        first = id == end ? saved_first(grains, header, clumps, ++n, &end) : first;
        fit = saved_is_grain(grains, &grain, id < first) && grain.name > name &&
              grain.name < header->next_name;
        name = grain.name;
    }
    return fit;
}

// ---- all of it ---------------------------------------------------------------------------------

wadi_result wadi_granular_saved_check_state(const wadi_grains* grains, const save_header* header,
                                            const unsigned char* bytes)
{
    const unsigned char* bonds = bytes + (size_t)header->count * sizeof(save_grain);
    const unsigned char* contacts = bonds + (size_t)header->bonds * sizeof(granular_bond);
    const unsigned char* meshes =
        contacts + (size_t)(header->contacts + header->leanings) * sizeof(save_contact);
    const unsigned char* clumps = meshes + wadi_granular_meshes_size(header->meshes, header->holds);
    const bool fit =
        saved_are_clocks(grains, header) && saved_bonds_fit(grains, header, bonds) &&
        saved_contacts_fit(grains, header, contacts) &&
        wadi_granular_holds_fit(grains, header->count, meshes, header->meshes, header->holds) &&
        wadi_granular_clumps_fit(grains, clumps, (int32_t)header->clumps, header->count) &&
        (header->clumps == 0 || (header->bonds == 0 && header->wet == 0)) &&
        saved_grains_fit(grains, header, bytes, clumps);
    WADI_CHECK(grains->context, fit, WADI_ERROR_FORMAT,
               "the saved grains are damaged: they name grains, materials, walls or shapes that "
               "are not there, or hold numbers that no grains have; save them anew");
    return wadi_granular_meshes_check(grains, meshes, header->meshes, header->steps);
}
