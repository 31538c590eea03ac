// SPDX-License-Identifier: MIT
// Room of spheres in water, by the locally averaged equations of Anderson & Jackson (1967), as
// Robinson, Ramaioli & Luding (2014) solve them with particles: the density of the water itself is
// its density in space over the porosity. Water and spheres together keep the volume of what moves
// in, so a particle around which spheres take a share more of the space is denser by that share
// times the density at rest. Its density in space follows from the continuity of water alone; the
// share is a function of places, so its sum over a path does not drift, and the water diffuses by a
// density that beds do not change.
#include "bodies/water/sph_spheres.h"

enum
{
    ROOM_NEAR = 1 << 16, // 6e-5: the rest of a change is made at once
    ROOM_PARTS = 4,      // share of a change in a step
    ROOM_AT_ONCE = 1024
};

// ---- in a step -----------------------------------------------------------------------------

// Largest change of the share in a step. It is that of a packing that enters water with a tenth of
// the speed of sound, the fastest flow: spheres set into water that is there push it aside with
// that speed at most.
static int32_t room_most(const wadi_sph* sph)
{
    return (int32_t)(0x1p30 * 0.02 * sph->params.sound_speed * sph->step / sph->reach);
}

// A change of the share by steps. Spheres stand still for some steps and then move by all of them,
// so without steps the density of water around would jump with them.
static int32_t room_change(int64_t wanted, int32_t now, int32_t most)
{
    const int64_t within = wanted < SPH_SOLID_MOST ? wanted : SPH_SOLID_MOST;
    const int64_t lacks = (within > 0 ? within : 0) - now; // sums beyond 64 bits may be negative
    const bool near = lacks > -ROOM_NEAR && lacks < ROOM_NEAR;
    const int64_t change = near ? lacks : lacks / ROOM_PARTS;
    return (int32_t)(change < -most ? -most : change < most ? change : most);
}

// Density that a particle lacks against the water around, as a share of the density at rest, by the
// mean of the excesses that the spheres around have found. Only too much water is corrected: it
// gathers between spheres. Too little of it may as well be air.
static double room_lacks(const wadi_sph* sph, int32_t place)
{
    const sph_state* state = &sph->states[place];
    if (sph->excess[place] == 0 || state->drop != 0)
    {
        return 0.0;
    }
    const double solid = 0x1p-40 * (double)sph->solid[place];
    const double mean = (double)sph->excess[place] / (double)sph->solid[place];
    const double found = mean * sph_porosity(state);
    const double lacks = found - (sph->bodies[place].rho / sph->params.density - 1.0);
    const double pace = (double)sph->pace[place] / (double)sph->solid[place];
    return lacks > 0.0 ? pace * lacks * (solid < 0.125 ? 8.0 * solid : 1.0) : 0.0;
}

static void room_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    const int32_t most = room_most(sph);
    const double quick = sph->params.sound_speed * sph->step / sph->reach;
    for (int32_t i = begin; i < end; ++i)
    {
        sph_state* state = &sph->states[i];
        sph_body* body = &sph->bodies[i];
        const int64_t wanted = state->drop != 0 ? 0 : sph->taken[i] >> 10;
        const int32_t change = room_change(wanted, state->solid, most);
        const double lacks = room_lacks(sph, i);
        if (change != 0 || lacks > 0.0)
        {
            state->solid += change;
            body->rho += sph->params.density * (0x1p-30 * (double)change + quick * lacks);
            wadi_sph_body_set_pressure(sph, body, sph_porosity(state));
        }
    }
}

static bool room_is_taken(const wadi_sph* sph)
{
    int32_t i = 0;
    while (i < sph->count && sph->states[i].solid == 0)
    {
        ++i;
    }
    return i < sph->count;
}

void wadi_sph_room_update(wadi_sph* sph)
{
    wadi_parallel_rows(sph->context, sph->count, ROOM_AT_ONCE, room_rows, sph);
    sph->crowded = room_is_taken(sph);
}

// ---- in a box that is to be filled -----------------------------------------------------------

typedef struct room_box
{
    const wadi_sph* sph;
    const double* low;
    const int64_t* n;
    int32_t* solid; // by particle
} room_box;

// Particles along an axis within a distance of a place, from *first on.
static int64_t room_span(const room_box* box, int axis, double at, double reach, int64_t* first)
{
    const double spacing = box->sph->params.spacing;
    const double last = (double)box->n[axis];
    const double from = ceil((at - reach - box->low[axis]) / spacing - 0.5);
    const double to = floor((at + reach - box->low[axis]) / spacing - 0.5) + 1.0;
    const double begin = from < 0.0 ? 0.0 : from < last ? from : last;
    const double end = to < begin ? begin : to < last ? to : last;
    *first = (int64_t)begin;
    return (int64_t)(end - begin);
}

// The room of one image of a sphere.
static void room_add(const room_box* box, const sph_search* near, const double x[3],
                     const sph_mirrors* mirrors)
{
    const double spacing = box->sph->params.spacing;
    int64_t first[3];
    int64_t count[3];
    for (int c = 0; c < 3; ++c)
    {
        count[c] = room_span(box, c, x[c], near->reach, &first[c]);
    }
    for (int64_t k = 0; k < count[0] * count[1] * count[2]; ++k)
    {
        const int64_t at[3] = {first[0] + k % count[0], first[1] + k / count[0] % count[1],
                               first[2] + k / count[0] / count[1]};
        double d[3];
        for (int c = 0; c < 3; ++c)
        {
            d[c] = x[c] - (box->low[c] + spacing * ((double)at[c] + 0.5));
        }
        const double kernel = wadi_sph_sphere_kernel(near, mirrors, d);
        int32_t* solid = &box->solid[at[0] + box->n[0] * (at[1] + box->n[1] * at[2])];
        const int64_t all = *solid + (wadi_sph_sphere_share(near, kernel) >> 10);
        *solid = (int32_t)(all < SPH_SOLID_MOST ? all : SPH_SOLID_MOST);
    }
}

void wadi_sph_room_in_box(const wadi_sph* sph, const double low[3], const int64_t n[3],
                          int32_t* solid)
{
    const room_box box = {sph, low, n, solid};
    const int turns[2] = {sph->law.period[0] > 0.0, sph->law.period[1] > 0.0};
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        const sph_search near = wadi_sph_search_of(sph, s);
        const sph_mirrors mirrors = wadi_sph_walls_mirrors(sph, near.is->position, near.reach);
        for (int i = -turns[0]; i <= turns[0] && !near.is->tight; ++i)
        {
            for (int j = -turns[1]; j <= turns[1]; ++j)
            {
                const double x[3] = {near.is->position[0] + i * sph->law.period[0],
                                     near.is->position[1] + j * sph->law.period[1],
                                     near.is->position[2]};
                room_add(&box, &near, x, &mirrors);
            }
        }
    }
}
