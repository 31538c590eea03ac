// SPDX-License-Identifier: MIT
// Bonds outside the kernel: creation, weakening by wetness, sorting, and breaking.
#include "bodies/grains/granular.h"

#include "core/dmath.h"

#include <float.h>

// ---- wetness -----------------------------------------------------------------------------

static double bonds_share(const wadi_grains* grains, int32_t place)
{
    return grains->shares != NULL ? grains->shares[grains->ids[place]] : 1.0;
}

// Strength falls from 1 to wet_strength (Hawkins & McConnell 1992), times the grain's own share; of
// two grains the weaker one counts.
static double bonds_strength(const wadi_grain_material* material, double wetness, double share)
{
    const double dry = wadi_exp(-material->wet_decay * wetness);
    return share * (material->wet_strength + (1.0 - material->wet_strength) * dry);
}

typedef struct bonds_condition
{
    double strength;
    granular_bond_state state;
} bonds_condition;

static bonds_condition bonds_at(const wadi_grains* grains, int32_t place)
{
    const wadi_grain_material* material =
        &grains->materials[grains->bodies[place].kind % grains->material_count];
    const double wetness = grains->wetness[grains->ids[place]];
    const granular_bond_state state = wetness >= material->liquid_limit    ? BOND_BROKEN
                                      : wetness >= material->plastic_limit ? BOND_PLASTIC
                                                                           : BOND_BRITTLE;
    const double share = bonds_share(grains, place);
    return (bonds_condition){bonds_strength(material, wetness, share), state};
}

static void bonds_weaken(const wadi_grains* grains, granular_bond* bond)
{
    const bonds_condition i = bonds_at(grains, bond->i);
    const bonds_condition j = bonds_at(grains, bond->j);
    bond->strength = i.strength < j.strength ? i.strength : j.strength;
    bond->state = (uint16_t)(i.state > j.state ? i.state : j.state);
}

// Grains above the liquid limit have the kind of mud.
static void bonds_liquefy(const wadi_grains* grains, int32_t place)
{
    granular_body* body = &grains->bodies[place];
    const int32_t material = body->kind % grains->material_count;
    const bool mud =
        grains->wetness[grains->ids[place]] >= grains->materials[material].liquid_limit;
    body->kind = mud ? material + grains->material_count : material;
}

void wadi_granular_bonds_apply_wetness(wadi_grains* grains)
{
    wadi_granular_invalidate_forces(grains);
    for (int32_t i = 0; i < grains->count; ++i)
    {
        bonds_liquefy(grains, i);
    }
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        granular_bond* bond = &grains->bonds[b];
        if (bond->state < BOND_BROKEN)
        {
            bonds_weaken(grains, bond);
            grains->broken += bond->state == BOND_BROKEN;
        }
    }
    for (int32_t c = 0; c < grains->list.chunk_count && !grains->stale; ++c)
    {
        wadi_granular_bonds_to_pairs(grains, granular_chunk_at(grains, c));
    }
}

wadi_result wadi_grains_set_wetness(wadi_grains* grains, const double* wetness)
{
    WADI_TRY(wadi_granular_clumps_refuse(grains, "grains cannot get wet"));
    for (int32_t id = 0; id < grains->count; ++id)
    {
        WADI_CHECK(grains->context, wetness[id] >= 0.0 && wetness[id] <= 100.0, WADI_ERROR_RANGE,
                   "the wetness of grain %d is %g but must be water over grain mass, 0 to 100", id,
                   wetness[id]);
    }
    memcpy(grains->wetness, wetness, (size_t)grains->count * sizeof *wetness);
    wadi_granular_bonds_apply_wetness(grains);
    return WADI_OK;
}

wadi_result wadi_grains_set_strength(wadi_grains* grains, const double* shares)
{
    for (int32_t id = 0; id < grains->count; ++id)
    {
        WADI_CHECK(grains->context, shares[id] >= 0.0 && shares[id] <= 1e3, WADI_ERROR_RANGE,
                   "the strength of grain %d is %g times its material's but must be 0 to 1000", id,
                   shares[id]);
    }
    if (grains->shares == NULL)
    {
        WADI_ALLOC(grains->context, grains->shares, grains->room, "strengths of grains");
    }
    memcpy(grains->shares, shares, (size_t)grains->count * sizeof *shares);
    wadi_granular_bonds_apply_wetness(grains);
    return WADI_OK;
}

// ---- making ------------------------------------------------------------------------------

wadi_result wadi_granular_bonds_reserve(wadi_grains* grains, int64_t count)
{
    if (count <= grains->bond_capacity)
    {
        return WADI_OK;
    }
    WADI_CHECK(grains->context, count < INT32_MAX, WADI_ERROR_RANGE,
               "%lld bonds are more than the %d there can be: reach less far", (long long)count,
               INT32_MAX);
    granular_bond* bonds;
    granular_bond* sorted;
    WADI_ALLOC(grains->context, bonds, count, "bonds");
    sorted = wadi_alloc(grains->context, (size_t)count, sizeof *sorted);
    if (sorted == NULL)
    {
        wadi_free(grains->context, bonds);
        return wadi_fail_memory(grains->context, (size_t)count * sizeof *sorted, "bonds");
    }
    if (grains->bond_count > 0)
    {
        memcpy(bonds, grains->bonds, (size_t)grains->bond_count * sizeof *bonds);
    }
    wadi_free(grains->context, grains->bonds);
    wadi_free(grains->context, grains->sorted_bonds);
    grains->bonds = bonds;
    grains->sorted_bonds = sorted;
    grains->bond_capacity = (int32_t)count;
    return WADI_OK;
}

static double bonds_distance(const wadi_grains* grains, int32_t i, int32_t j)
{
    const double* a = grains->bodies[i].x;
    const double* b = grains->bodies[j].x;
    const double x =
        wadi_exact_nearest(a[0] - b[0], grains->params.period_x, grains->list.inverse_period[0]);
    const double y =
        wadi_exact_nearest(a[1] - b[1], grains->params.period_y, grains->list.inverse_period[1]);
    const double z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static bool bonds_joins(const wadi_grains* grains, int32_t i, int32_t j, double reach)
{
    const granular_body* a = &grains->bodies[i];
    const granular_body* b = &grains->bodies[j];
    const double smaller = a->radius < b->radius ? a->radius : b->radius;
    const granular_cement* cement = &grains->cements[a->kind * grains->kinds + b->kind];
    const bool moves = a->inverse_mass + b->inverse_mass > 0.0;
    const bool solid = a->kind < grains->material_count && b->kind < grains->material_count;
    const bool strong = bonds_share(grains, i) > 0.0 && bonds_share(grains, j) > 0.0;
    const bool holds = solid && strong && (cement->tension > 0.0 || cement->cohesion > 0.0);
    return moves && holds && bonds_distance(grains, i, j) < a->radius + b->radius + reach * smaller;
}

static granular_bond bonds_make(const wadi_grains* grains, int32_t i, int32_t j)
{
    const granular_body* a = &grains->bodies[i];
    const granular_body* b = &grains->bodies[j];
    const int32_t row = a->kind * grains->kinds + b->kind;
    const granular_cement* cement = &grains->cements[row];
    const double smaller = a->radius < b->radius ? a->radius : b->radius;
    const double radius = cement->radius * smaller;
    const double area = 3.14159265358979323846 * radius * radius;
    const double stiffness = cement->modulus * area / (a->radius + b->radius);
    const double mass = 1.0 / (a->inverse_mass + b->inverse_mass);
    const double length = bonds_distance(grains, i, j);
    granular_bond bond = {
        .i = i,
        .j = j,
        .row = row,
        .length = length,
        .radius = radius,
        .delay = cement->damping * sqrt(mass / stiffness),
        .birth = length,
    };
    bonds_weaken(grains, &bond);
    return bond;
}

// Visit every listed pair that is near enough; `add` or only count.
static int64_t bonds_visit(wadi_grains* grains, double reach, bool add)
{
    int64_t found = 0;
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        const granular_chunk* chunk = granular_chunk_at(grains, c);
        for (int32_t p = 0; p < chunk->base.pair_count; ++p)
        {
            const int32_t i = chunk->base.begin + chunk->pairs[p].i;
            const int32_t j = wadi_chunk_place(&chunk->base, chunk->pairs[p].j);
            if (!bonds_joins(grains, i, j, reach))
            {
                continue;
            }
            if (add)
            {
                grains->bonds[grains->bond_count++] = bonds_make(grains, i, j);
            }
            ++found;
        }
    }
    return found;
}

wadi_result wadi_grains_bond(wadi_grains* grains, double reach, int64_t* out)
{
    if (out != NULL)
    {
        *out = 0;
    }
    WADI_TRY(wadi_granular_clumps_refuse(grains, "grains cannot be bonded"));
    WADI_CHECK(grains->context, reach >= 0.0 && reach <= 2.0 * grains->params.skin,
               WADI_ERROR_RANGE,
               "reach is %g but must lie in 0 to %g, twice the skin: set a larger skin to bond "
               "grains further apart",
               reach, 2.0 * grains->params.skin);
    grains->stale = true;
    WADI_TRY(wadi_granular_update_list(grains));
    WADI_TRY(wadi_granular_bonds_reserve(grains,
                                         grains->bond_count + bonds_visit(grains, reach, false)));
    const int32_t before = grains->bond_count;
    const int64_t found = bonds_visit(grains, reach, true);
    grains->stale = true; // bonded grains are no contact pairs
    const wadi_result result = wadi_granular_law_set_step(grains);
    if (result != WADI_OK)
    {
        grains->bond_count = before;
        return result;
    }
    if (out != NULL)
    {
        *out = found;
    }
    return WADI_OK;
}

double wadi_granular_bonds_limit(const wadi_grains* grains)
{
    double limit2 = DBL_MAX;
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        const granular_bond* bond = &grains->bonds[b];
        const granular_cement* cement = &grains->cements[bond->row];
        const double inverse_i = wadi_granular_dry_inverse(grains, bond->i);
        const double inverse_j = wadi_granular_dry_inverse(grains, bond->j);
        const double inverse = inverse_i > inverse_j ? inverse_i : inverse_j;
        const double area = 3.14159265358979323846 * bond->radius * bond->radius;
        const double rsum = grains->bodies[bond->i].radius + grains->bodies[bond->j].radius;
        // shear also rotates the grains: the frequency of that follows from 5/2 of the shear
        // stiffness over mass
        const double shear = 2.5 * cement->shear;
        const double pull = cement->modulus * area / rsum * (shear > 1.0 ? shear : 1.0);
        const double square = 1.0 / (pull * inverse);
        limit2 = square < limit2 ? square : limit2;
    }
    return sqrt(limit2);
}

// ---- order and end -----------------------------------------------------------------------

// A bond between grains in their new places. Forces on i change sign when i and j are exchanged;
// twist, taken along the line from i to j, does not.
static granular_bond bonds_move(const wadi_grains* grains, const granular_bond* bond)
{
    granular_bond moved = *bond;
    const int32_t i = grains->list.moved[bond->i];
    const int32_t j = grains->list.moved[bond->j];
    const double sign = i < j ? 1.0 : -1.0;
    moved.i = i < j ? i : j;
    moved.j = i < j ? j : i;
    for (int c = 0; c < 3; ++c)
    {
        moved.shear[c] *= sign;
        moved.bend[c] *= sign;
    }
    return moved;
}

// Counting sort.
void wadi_granular_bonds_sort(wadi_grains* grains)
{
    int32_t* start = grains->bond_start;
    memset(start, 0, ((size_t)grains->count + 1) * sizeof *start);
    grains->sorted_bond_count = 0;
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        if (grains->bonds[b].state < BOND_BROKEN)
        {
            start[bonds_move(grains, &grains->bonds[b]).i + 1] += 1;
            grains->sorted_bond_count += 1;
        }
    }
    for (int32_t i = 0; i < grains->count; ++i)
    {
        start[i + 1] += start[i];
    }
    for (int32_t b = 0; b < grains->bond_count; ++b)
    {
        if (grains->bonds[b].state < BOND_BROKEN)
        {
            const granular_bond moved = bonds_move(grains, &grains->bonds[b]);
            grains->sorted_bonds[start[moved.i]++] = moved;
        }
    }
    for (int32_t i = grains->count; i > 0; --i)
    {
        start[i] = start[i - 1];
    }
    start[0] = 0;
}

void wadi_granular_bonds_to_pairs(wadi_grains* grains, granular_chunk* chunk)
{
    const int32_t end = grains->bond_start[chunk->base.end];
    for (int32_t b = grains->bond_start[chunk->base.begin]; b < end; ++b)
    {
        granular_bond* bond = &grains->bonds[b];
        if (bond->state == BOND_BROKEN)
        {
            const granular_pair pair = {(uint16_t)(bond->i - chunk->base.begin), bond->local};
            chunk->pairs[chunk->base.pair_count++] = pair; // list_grow() kept room for it
            bond->state = BOND_GONE;
        }
    }
}
