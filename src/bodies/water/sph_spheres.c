// SPDX-License-Identifier: MIT
// Solid spheres in the water, such as grains. Each force is a whole number, added to the sphere and
// subtracted from the particle, so momentum is conserved to the last unit.
#include "bodies/water/sph_spheres.h"

// ---- making ------------------------------------------------------------------------------

static wadi_result spheres_check(const wadi_sph* sph, const wadi_sph_sphere* s, int32_t number)
{
    bool finite = isfinite(s->room);
    for (int c = 0; c < 3; ++c)
    {
        finite = finite && fabs(s->position[c]) < 1e9 && isfinite(s->velocity[c]);
    }
    WADI_CHECK(
        sph->context, finite && s->room >= 0.0, WADI_ERROR_RANGE,
        "sphere %d has a position beyond 1e9 m, a velocity that is no number, or room below 0",
        number);
    WADI_CHECK(sph->context, s->radius > 0.0 && s->radius < 1e4, WADI_ERROR_RANGE,
               "the radius of sphere %d is %g m but must be above 0 and below 1e4", number,
               s->radius);
    return WADI_OK;
}

static wadi_result spheres_reserve(wadi_sph* sph, int32_t count)
{
    if (count <= sph->sphere_capacity)
    {
        return WADI_OK;
    }
    wadi_free(sph->context, sph->spheres);
    wadi_free(sph->context, sph->contact_start);
    sph->spheres = NULL;
    sph->contact_start = NULL;
    sph->sphere_capacity = 0;
    sph->sphere_count = 0;
    WADI_ALLOC(sph->context, sph->spheres, count, "spheres in water");
    WADI_ALLOC(sph->context, sph->contact_start, count + 1, "spheres in water");
    sph->sphere_capacity = count;
    return WADI_OK;
}

wadi_result wadi_sph_set_spheres(wadi_sph* sph, const wadi_sph_sphere* spheres, int32_t count)
{
    WADI_CHECK(sph->context, count >= 0, WADI_ERROR_ARGUMENT,
               "%d spheres were given; there must be 0 or more", count);
    for (int32_t s = 0; s < count; ++s)
    {
        WADI_TRY(spheres_check(sph, &spheres[s], s));
    }
    WADI_TRY(spheres_reserve(sph, count));
    const double most = 0x1p62;
    for (int32_t s = 0; s < count; ++s)
    {
        const double room = spheres[s].room / sph->unit;
        sph->spheres[s] = (sph_sphere){.is = spheres[s]};
        sph->spheres[s].room = (int64_t)(room < most ? room : most);
    }
    sph->sphere_count = count;
    sph->met = false;
    return WADI_OK;
}

void wadi_sph_read_touches(const wadi_sph* sph, wadi_sph_touch* out)
{
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        const sph_sphere* sphere = &sph->spheres[s];
        out[s].drunk = sph->unit * (double)sphere->drunk;
        for (int c = 0; c < 3; ++c)
        {
            const double pushed = sph->step * ((double)sphere->force[c] / sph->force_scale);
            out[s].brought[c] = sphere->momentum[c];
            out[s].impulse[c] = pushed + sphere->momentum[c];
        }
    }
}

// ---- contacts -----------------------------------------------------------------------------

static void spheres_count_contacts(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t s = begin; s < end; ++s)
    {
        sph_search near = wadi_sph_search_of(sph, s);
        wadi_sph_search_run(&near);
        sph->contact_start[s + 1] = near.count;
    }
}

sph_contact* wadi_sph_contacts_of(const wadi_sph* sph, int32_t s)
{
    return sph->meetings != NULL ? sph->meetings + sph->contact_start[s] : NULL;
}

static void spheres_list_contacts(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t s = begin; s < end; ++s)
    {
        sph_search near = wadi_sph_search_of(sph, s);
        near.out = wadi_sph_contacts_of(sph, s);
        wadi_sph_search_run(&near);
    }
}

static sph_search spheres_contacts(const wadi_sph* sph, int32_t s)
{
    sph_search near = wadi_sph_search_of(sph, s);
    near.out = wadi_sph_contacts_of(sph, s);
    near.count = sph->contact_start[s + 1] - sph->contact_start[s];
    return near;
}

static void spheres_displace(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    const wadi_sph* sph = job;
    for (int32_t s = begin; s < end; ++s)
    {
        const sph_search near = spheres_contacts(sph, s);
        wadi_sph_search_measure(&near);
        if (!near.is->tight)
        {
            wadi_sph_sphere_displace(sph, &near);
        }
    }
}

static void spheres_fill(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t s = begin; s < end; ++s)
    {
        const sph_search near = spheres_contacts(sph, s);
        wadi_sph_sphere_fill(sph, &sph->spheres[s], &near);
    }
}

static void spheres_compute_forces(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t s = begin; s < end; ++s)
    {
        const sph_search near = spheres_contacts(sph, s);
        (near.is->tight ? wadi_sph_sphere_add_contact
                        : wadi_sph_sphere_add_drag)(sph, &sph->spheres[s], &near);
    }
}

// Room for the contacts that were counted.
static wadi_result spheres_reserve_contacts(wadi_sph* sph)
{
    int64_t total = 0;
    sph->contact_start[0] = 0;
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        total += sph->contact_start[s + 1];
    }
    WADI_CHECK(sph->context, total <= 1600000000, WADI_ERROR_RANGE,
               "%d spheres meet %lld particles of water, more than 1.6e9: make spacing larger",
               sph->sphere_count, (long long)total);
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        sph->contact_start[s + 1] += sph->contact_start[s];
    }
    const int32_t count = sph->contact_start[sph->sphere_count];
    if (count > sph->contact_capacity)
    {
        wadi_free(sph->context, sph->meetings);
        sph->meetings = NULL;
        sph->contact_capacity = 0;
        WADI_ALLOC(sph->context, sph->meetings, count + count / 4, "spheres in water");
        sph->contact_capacity = count + count / 4;
    }
    return WADI_OK;
}

enum
{
    SPHERES_AT_ONCE = 64
};

// Find contacts. They are valid until spheres or the order of particles change.
static wadi_result spheres_find_contacts(wadi_sph* sph)
{
    wadi_parallel_rows(sph->context, sph->sphere_count, SPHERES_AT_ONCE, spheres_count_contacts,
                       sph);
    WADI_TRY(spheres_reserve_contacts(sph));
    wadi_parallel_rows(sph->context, sph->sphere_count, SPHERES_AT_ONCE, spheres_list_contacts,
                       sph);
    sph->met = true;
    return WADI_OK;
}

// Add to a sum. Spheres of hundreds of spacings, or thousands in one place, may exceed 64 bits.
static void spheres_add(int64_t* sum, int64_t part)
{
    *sum = wadi_exact_plus(*sum, part);
}

// Distances of all contacts, and the space that spheres take around each particle.
static void spheres_measure(wadi_sph* sph)
{
    wadi_parallel_rows(sph->context, sph->sphere_count, SPHERES_AT_ONCE, spheres_displace, sph);
    const int32_t count = sph->contact_start[sph->sphere_count];
    for (int32_t k = 0; k < count; ++k)
    {
        spheres_add(&sph->solid[sph->meetings[k].place], sph->meetings[k].solid);
    }
    wadi_parallel_rows(sph->context, sph->sphere_count, SPHERES_AT_ONCE, spheres_fill, sph);
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        const sph_sphere* sphere = &sph->spheres[s];
        for (int32_t k = sph->contact_start[s]; k < sph->contact_start[s + 1]; ++k)
        {
            const sph_contact* m = &sph->meetings[k];
            const double solid = (double)m->solid;
            spheres_add(&sph->taken[m->place], wadi_sph_sphere_taken(sphere, m));
            spheres_add(&sph->pace[m->place], wadi_exact_round(sphere->pace * solid));
            spheres_add(&sph->excess[m->place], wadi_exact_round(sphere->excess * solid));
        }
    }
}

wadi_result wadi_sph_spheres_take_room(wadi_sph* sph)
{
    if (sph->sphere_count == 0 && !sph->crowded)
    {
        return WADI_OK;
    }
    if (sph->sphere_count > 0)
    {
        WADI_TRY(sph->met ? WADI_OK : spheres_find_contacts(sph));
    }
    memset(sph->solid, 0, (size_t)sph->count * sizeof *sph->solid);
    memset(sph->taken, 0, (size_t)sph->count * sizeof *sph->taken);
    memset(sph->excess, 0, (size_t)sph->count * sizeof *sph->excess);
    memset(sph->pace, 0, (size_t)sph->count * sizeof *sph->pace);
    if (sph->sphere_count > 0)
    {
        spheres_measure(sph);
    }
    wadi_sph_room_update(sph);
    return WADI_OK;
}

void wadi_sph_spheres_add_forces(wadi_sph* sph)
{
    if (sph->sphere_count == 0)
    {
        return;
    }
    const int32_t count = sph->contact_start[sph->sphere_count];
    wadi_parallel_rows(sph->context, sph->sphere_count, SPHERES_AT_ONCE, spheres_compute_forces,
                       sph);
    for (int32_t k = 0; k < count; ++k)
    {
        const sph_contact* m = &sph->meetings[k];
        for (int c = 0; c < 3; ++c)
        {
            sph->own[m->place].force[c] =
                wadi_exact_minus(sph->own[m->place].force[c], m->force[c]);
        }
    }
}
