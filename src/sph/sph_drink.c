// SPDX-License-Identifier: MIT
// Spheres drink the water that touches them, in whole units.
#include "sph/sph_spheres.h"

// Those that touch a sphere come first, in order of birth: the order of places is the list's own
// affair. Returns how many.
static int32_t drink_sort(const wadi_sph* sph, const sph_sphere* sphere, sph_meeting* meetings,
                          int32_t count)
{
    int32_t touching = 0;
    for (int32_t k = 0; k < count; ++k)
    {
        if (!(meetings[k].r < sph_touching(sph, &sphere->is)))
        {
            continue;
        }
        const sph_meeting moving = meetings[k];
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

// A sphere takes what it has room for, with its momentum. True: nothing is left of the particle.
static bool drink_take(wadi_sph* sph, sph_sphere* sphere, const sph_meeting* m)
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

void sph_spheres_drink(wadi_sph* sph)
{
    bool gone = false;
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        sph_sphere* sphere = &sph->spheres[s];
        sph_meeting* meetings = sph_meetings_of(sph, s);
        const int32_t met = sph->meeting_start[s + 1] - sph->meeting_start[s];
        const int32_t count = sphere->room > 0 ? drink_sort(sph, sphere, meetings, met) : 0;
        for (int32_t k = 0; k < count && sphere->room > 0; ++k)
        {
            const bool empty = drink_take(sph, sphere, &meetings[k]);
            gone = gone || empty;
        }
    }
    if (gone)
    {
        sph_remove(sph);
    }
}
