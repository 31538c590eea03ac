// SPDX-License-Identifier: MIT
// The table of contacts. The kernels that a step uses compute the forces, on copies.
#include "bodies/grains/granular_desk.h"

#include <stdlib.h>

// Two grains of a contact; `sign` is -1 if they are exchanged to be in the order of ids.
typedef struct contacts_pair
{
    int32_t first;
    int32_t second;
    double sign;
} contacts_pair;

static contacts_pair contacts_order(const wadi_grains* grains, int32_t i, int32_t j)
{
    const int32_t a = grains->ids[i];
    const int32_t b = grains->ids[j];
    return a < b ? (contacts_pair){a, b, 1.0} : (contacts_pair){b, a, -1.0};
}

static bool contacts_is_free(const wadi_grains* grains, int32_t i, int32_t j)
{
    return grains->bodies[i].inverse_mass > 0.0 || grains->bodies[j].inverse_mass > 0.0;
}

// ---- grains that touch -------------------------------------------------------------------

static bool contacts_overlap(const wadi_grains* grains, int32_t i, int32_t j)
{
    const granular_body* a = &grains->bodies[i];
    const granular_body* b = &grains->bodies[j];
    const double x = wadi_exact_nearest(a->x[0] - b->x[0], grains->params.period_x,
                                        grains->list.inverse_period[0]);
    const double y = wadi_exact_nearest(a->x[1] - b->x[1], grains->params.period_y,
                                        grains->list.inverse_period[1]);
    const double z = a->x[2] - b->x[2];
    const double reach = a->radius + b->radius;
    return x * x + y * y + z * z < reach * reach;
}

// State of a contact, with the sign of the order of ids. A contact that begins has unstretched
// springs.
static void contacts_state(granular_desk* desk, const granular_chunk* chunk, int32_t p, int32_t k,
                           double sign)
{
    if (granular_flag(chunk->touching, p))
    {
        const int32_t at = granular_slip_of(chunk, p);
        desk->slips[k] = chunk->slips[at];
        desk->rolls[k] = chunk->rolls != NULL ? chunk->rolls[at] : desk->rolls[k];
        for (int c = 0; c < 3; ++c)
        {
            desk->slips[k].slip[c] *= sign;
        }
        return;
    }
    const granular_body* a = &desk->bodies[2 * k];
    const granular_body* b = &desk->bodies[2 * k + 1];
    const granular_contact* law = &desk->work.contacts[a->kind * desk->work.kinds + b->kind];
    const double inverse_mass = a->inverse_mass + b->inverse_mass;
    desk->slips[k] =
        (granular_slip){{0.0, 0.0, 0.0}, granular_damping(law, desk->work.hertz, inverse_mass)};
    desk->rolls[k] = (granular_roll){{0.0, 0.0, 0.0}, 0.0};
}

static void contacts_touch(granular_desk* desk, granular_chunk* chunk)
{
    const wadi_grains* grains = desk->grains;
    (void)wadi_granular_slips_rank(chunk);
    for (int32_t p = 0; p < chunk->base.pair_count; ++p)
    {
        const int32_t i = chunk->base.begin + chunk->pairs[p].i;
        const int32_t j = wadi_chunk_place(&chunk->base, chunk->pairs[p].j);
        if (contacts_is_free(grains, i, j) && contacts_overlap(grains, i, j))
        {
            const contacts_pair pair = contacts_order(grains, i, j);
            const int32_t k = wadi_granular_desk_put(desk, pair.first, pair.second);
            contacts_state(desk, chunk, p, k, pair.sign);
            wadi_granular_desk_step(desk);
        }
    }
}

// ---- liquid bridges, bonds and walls -----------------------------------------------------

// A bridge is part of the state of a pair; one between grains that touch forms in the next step.
static void contacts_bridge(granular_desk* desk, granular_chunk* chunk)
{
    const wadi_grains* grains = desk->grains;
    for (int32_t p = 0; p < chunk->base.pair_count && grains->wet != NULL; ++p)
    {
        if (granular_flag(chunk->bridged, p))
        {
            const int32_t j = wadi_chunk_place(&chunk->base, chunk->pairs[p].j);
            const contacts_pair pair =
                contacts_order(grains, chunk->base.begin + chunk->pairs[p].i, j);
            (void)wadi_granular_desk_put(desk, pair.first, pair.second);
            wadi_granular_desk_step(desk);
        }
    }
}

static void contacts_bond(granular_desk* desk)
{
    const wadi_grains* grains = desk->grains;
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        granular_bond bond = grains->bonds[b];
        if (bond.state >= BOND_BROKEN)
        {
            continue;
        }
        const contacts_pair pair = contacts_order(grains, bond.i, bond.j);
        const int32_t k = wadi_granular_desk_put(desk, pair.first, pair.second);
        for (int c = 0; c < 3; ++c)
        {
            bond.shear[c] *= pair.sign;
            bond.bend[c] *= pair.sign;
        }
        bond.i = 2 * k;
        bond.local = (uint16_t)(2 * k + 1);
        desk->bonds[k] = bond;
        wadi_granular_desk_step(desk);
    }
}

// Wall w, the ground or a mesh, by its number in the table.
static void contacts_put_touch(granular_desk* desk, int32_t place, int32_t w,
                               const granular_touch* touch)
{
    if (desk->grains->bodies[place].inverse_mass == 0.0)
    {
        return;
    }
    const int32_t k = wadi_granular_desk_put(desk, desk->grains->ids[place], w);
    desk->touches[k] = *touch;
    desk->touches[k].grain = 2 * k;
    desk->slips[k] = *touch->slip;
    desk->touches[k].slip = &desk->slips[k];
    if (touch->roll != NULL)
    {
        desk->rolls[k] = *touch->roll;
        desk->touches[k].roll = &desk->rolls[k];
    }
    wadi_granular_desk_step(desk);
}

static void contacts_wall(granular_desk* desk, granular_chunk* chunk)
{
    wadi_grains* grains = desk->grains;
    granular_touch* touches = grains->scratch[0].touches;
    for (uint32_t left = grains->present; left != 0; left &= left - 1)
    {
        const int32_t w = __builtin_ctz(left);
        const int32_t count = wadi_granular_wall_find(grains, w, chunk, touches);
        for (int32_t t = 0; t < count; ++t)
        {
            contacts_put_touch(desk, chunk->base.begin + touches[t].grain, w, &touches[t]);
        }
    }
}

static void contacts_beside(granular_desk* desk, int32_t place)
{
    const wadi_grains* grains = desk->grains;
    granular_touch* touches = grains->scratch[0].touches;
    granular_hold made[GRANULAR_MESH_TOUCHES];
    const int32_t count =
        wadi_granular_meshes_touch(grains, place, grains->scratch[0].candidates, made, touches);
    for (int32_t t = 0; t < count; ++t)
    {
        touches[t].slip = &made[t].slip;
        touches[t].roll = grains->rolls ? &made[t].roll : NULL;
        contacts_put_touch(desk, place, WADI_GRAIN_FIRST_MESH + touches[t].mesh, &touches[t]);
    }
}

static void contacts_mesh(granular_desk* desk, granular_chunk* chunk)
{
    const granular_beside* beside = &desk->grains->beside;
    for (int32_t i = chunk->base.begin; i < chunk->base.end && beside->places > 0; ++i)
    {
        if (beside->first[i + 1] > beside->first[i])
        {
            contacts_beside(desk, i);
        }
    }
}

// ---- all ---------------------------------------------------------------------------------

static void contacts_of_chunks(granular_desk* desk, int32_t kind,
                               void (*gather)(granular_desk*, granular_chunk*))
{
    desk->kind = kind;
    for (int32_t c = 0; c < desk->grains->list.chunk_count; ++c)
    {
        gather(desk, granular_chunk_at(desk->grains, c));
    }
    wadi_granular_desk_flush(desk);
}

// Which grains lean on walls is noted by the search and put back: it is part of the state.
static void contacts_of_walls(granular_desk* desk)
{
    const size_t size = (size_t)desk->grains->count * sizeof *desk->grains->leaning;
    memcpy(desk->grains->sorted_leaning, desk->grains->leaning, size);
    contacts_of_chunks(desk, WADI_GRAIN_CONTACT_WALL, contacts_wall);
    memcpy(desk->grains->leaning, desk->grains->sorted_leaning, size);
}

// A grain may touch a mesh at several points: they differ in their normals.
static int contacts_compare_normals(const wadi_grain_contact* x, const wadi_grain_contact* y)
{
    int32_t c = 0;
    while (c < 2 && x->normal[c] == y->normal[c])
    {
        ++c;
    }
    return (x->normal[c] > y->normal[c]) - (x->normal[c] < y->normal[c]);
}

static int contacts_compare(const void* a, const void* b)
{
    const wadi_grain_contact* x = a;
    const wadi_grain_contact* y = b;
    const int32_t left[3] = {x->first, x->kind == WADI_GRAIN_CONTACT_WALL, x->second};
    const int32_t right[3] = {y->first, y->kind == WADI_GRAIN_CONTACT_WALL, y->second};
    for (int c = 0; c < 3; ++c)
    {
        if (left[c] != right[c])
        {
            return left[c] < right[c] ? -1 : 1;
        }
    }
    return x->kind != y->kind ? x->kind - y->kind : contacts_compare_normals(x, y);
}

// Meshes are where the next step finds them.
static wadi_result contacts_ready(wadi_grains* grains)
{
    wadi_granular_meshes_pose(grains);
    grains->stale = wadi_granular_meshes_strayed(grains) || grains->stale;
    return wadi_granular_update_list(grains);
}

wadi_result wadi_grains_contacts(wadi_grains* grains, wadi_grain_contact* out, int64_t capacity,
                                 int64_t* count)
{
    *count = 0;
    WADI_CHECK(grains->context, capacity >= 0 && (out != NULL || capacity == 0),
               WADI_ERROR_ARGUMENT, "there is no room for %lld contacts", (long long)capacity);
    WADI_TRY(contacts_ready(grains));
    if (grains->count == 0)
    {
        return WADI_OK;
    }
    granular_desk desk;
    wadi_granular_desk_open(&desk, grains, out, capacity);
    contacts_of_chunks(&desk, WADI_GRAIN_CONTACT_TOUCH, contacts_touch);
    contacts_of_chunks(&desk, WADI_GRAIN_CONTACT_BRIDGE, contacts_bridge);
    contacts_of_walls(&desk);
    contacts_of_chunks(&desk, WADI_GRAIN_CONTACT_WALL, contacts_mesh);
    desk.kind = WADI_GRAIN_CONTACT_BOND;
    contacts_bond(&desk);
    wadi_granular_desk_flush(&desk);
    *count = desk.written;
    const int64_t written = desk.written < capacity ? desk.written : capacity;
    if (written > 0)
    {
        qsort(out, (size_t)written, sizeof *out, contacts_compare);
    }
    return WADI_OK;
}

// ---- loads -------------------------------------------------------------------------------

// Add a contact to the load of one of its grains; `arm`: share of the branch from the contact's
// point to the grain's centre, and `sign` of the force on it.
static void contacts_add_load(const wadi_grain_contact* contact, double arm, double sign,
                              double radius, wadi_grain_load* load)
{
    const double volume = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
    for (int a = 0; a < 3; ++a)
    {
        for (int b = 0; b < 3; ++b)
        {
            const double force =
                contact->normal_force * contact->normal[b] + contact->tangential[b];
            load->stress[a][b] += sign * arm * contact->branch[a] * force / volume;
        }
    }
    const bool bond =
        contact->kind == WADI_GRAIN_CONTACT_BOND || contact->kind == WADI_GRAIN_CONTACT_PLASTIC;
    load->contacts += contact->kind != WADI_GRAIN_CONTACT_BRIDGE;
    load->bonds += bond;
}

void wadi_grain_loads(const wadi_grain* grains, int32_t count, const wadi_grain_contact* contacts,
                      int64_t contact_count, wadi_grain_load* out)
{
    memset(out, 0, (size_t)count * sizeof *out);
    for (int64_t k = 0; k < contact_count; ++k)
    {
        const wadi_grain_contact* contact = &contacts[k];
        const double share = contact->radii[0] / (contact->radii[0] + contact->radii[1]);
        const int32_t first = contact->first;
        contacts_add_load(contact, share, 1.0, grains[first].radius, &out[first]);
        if (contact->kind != WADI_GRAIN_CONTACT_WALL)
        {
            const int32_t second = contact->second;
            contacts_add_load(contact, share - 1.0, -1.0, grains[second].radius, &out[second]);
        }
    }
}
