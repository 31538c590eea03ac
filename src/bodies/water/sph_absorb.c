// SPDX-License-Identifier: MIT
// Spheres absorb the water that touches them, in whole units.
#include "bodies/water/sph_spheres.h"

// Move the contacts that touch a sphere to the front, in order of id, which does not depend on the
// list. Returns how many.
static int32_t absorb_sort(const wadi_sph* sph, const sph_sphere* sphere, sph_contact* meetings,
                           int32_t count)
{
    int32_t touching = 0;
    for (int32_t k = 0; k < count; ++k)
    {
        if (!(meetings[k].r < wadi_sph_touching(sph, &sphere->is)))
        {
            continue;
        }
        const sph_contact moving = meetings[k];
        meetings[k] = meetings[touching];
        int32_t at = touching++;
        while (at > 0 && meetings[at - 1].id > moving.id)
        {
            meetings[at] = meetings[at - 1];
            --at;
        }
        meetings[at] = moving;
    }
    return touching;
}

// A sphere absorbs as much of a particle as it has room for, with its momentum. True: nothing is
// left of the particle.
static bool absorb_take(wadi_sph* sph, sph_sphere* sphere, const sph_contact* m)
{
    sph_state* state = &sph->states[m->place];
    const int64_t taken = sphere->room < state->units ? sphere->room : state->units;
    state->units -= (int32_t)taken;
    sphere->room -= taken;
    sphere->drunk += taken;
    sph->drunk += taken;
    for (int c = 0; c < 3; ++c)
    {
        sphere->momentum[c] += sph->mass * ((double)taken / sph->full) * state->v[c];
    }
    sph->uneven = sph->uneven || taken > 0;
    return taken > 0 && state->units == 0;
}

void wadi_sph_spheres_absorb(wadi_sph* sph)
{
    bool gone = false;
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        sph_sphere* sphere = &sph->spheres[s];
        sph_contact* meetings = wadi_sph_contacts_of(sph, s);
        const int32_t met = sph->contact_start[s + 1] - sph->contact_start[s];
        const int32_t count = sphere->room > 0 ? absorb_sort(sph, sphere, meetings, met) : 0;
        for (int32_t k = 0; k < count && sphere->room > 0; ++k)
        {
            const bool empty = absorb_take(sph, sphere, &meetings[k]);
            gone = gone || empty;
        }
    }
    if (gone)
    {
        wadi_sph_remove(sph);
    }
}
