// SPDX-License-Identifier: MIT
// Solid spheres in the water, such as grains: averaged over the water around (no grid of pores is
// resolved), which drags and lifts them, and which they drink. Each force is a whole number that
// the sphere gets and the particle gives, so momentum is handed over to the last unit.
//
// Water around a sphere is weighed by a Wendland kernel of support 2h + R. Drag is Dallavalle's
// (1948), Cd = (0.63 + 4.8 / sqrt(Re))^2: good from Stokes' law to a blunt body and without any
// power. Lift is what the same volume of water would be borne with, the mean of what bears the
// water around: in water at rest just its weight, at any depth, where a gradient summed from
// pressures is off by some of the pressure itself. Spheres take no room in the water.
#include "sph/sph.h"

static const double SPHERES_VISCOSITY = 1e-3; // of water at 20 degrees [Pa s]

// ---- making ------------------------------------------------------------------------------

static wadi_result spheres_check(const wadi_sph* sph, const wadi_sph_sphere* s, int32_t number)
{
    bool finite = isfinite(s->room);
    for (int c = 0; c < 3; ++c)
    {
        finite = finite && isfinite(s->position[c]) && isfinite(s->velocity[c]);
    }
    WADI_CHECK(sph->context, finite && s->room >= 0.0, WADI_ERROR_RANGE,
               "sphere %d has a position or velocity that is no number, or room below 0", number);
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
    wadi_free(sph->context, sph->meeting_start);
    sph->spheres = NULL;
    sph->meeting_start = NULL;
    sph->sphere_capacity = 0;
    sph->sphere_count = 0;
    WADI_ALLOC(sph->context, sph->spheres, count, "spheres in water");
    WADI_ALLOC(sph->context, sph->meeting_start, count + 1, "spheres in water");
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
    const double unit = sph->mass / sph->params.density / SPH_FULL;
    const double most = 0x1p62;
    for (int32_t s = 0; s < count; ++s)
    {
        const double room = spheres[s].room / unit;
        sph->spheres[s] = (sph_sphere){.is = spheres[s]};
        sph->spheres[s].room = (int64_t)(room < most ? room : most);
    }
    sph->sphere_count = count;
    return WADI_OK;
}

void wadi_sph_read_touches(const wadi_sph* sph, wadi_sph_touch* out)
{
    const double unit = sph->mass / sph->params.density / SPH_FULL;
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        const sph_sphere* sphere = &sph->spheres[s];
        out[s].drunk = unit * (double)sphere->drunk;
        for (int c = 0; c < 3; ++c)
        {
            const double pushed = sph->step * ((double)sphere->force[c] / sph->force_scale);
            out[s].impulse[c] = pushed + sphere->momentum[c];
        }
    }
}

// ---- who meets ---------------------------------------------------------------------------

// Where meetings of a sphere go; NULL: they are counted.
typedef struct spheres_search
{
    const wadi_sph* sph;
    const wadi_sph_sphere* is;
    double reach;
    sph_meeting* out;
    int32_t count;
} spheres_search;

static void spheres_try(spheres_search* search, int32_t place)
{
    const wadi_sph* sph = search->sph;
    const double* x = sph->bodies[place].x;
    double d[3];
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double across = search->is->position[c] - x[c];
        d[c] = c < 2 ? sph_nearest(across, sph->law.period[c], sph->law.inverse_period[c]) : across;
        square += d[c] * d[c];
    }
    if (square >= search->reach * search->reach)
    {
        return;
    }
    if (search->out != NULL)
    {
        sph_meeting* meeting = &search->out[search->count];
        *meeting = (sph_meeting){.place = place, .id = sph->states[place].id, .r = sqrt(square)};
        memcpy(meeting->d, d, sizeof d);
    }
    search->count += 1;
}

// Columns that a sphere reaches along an axis, from *first on; a particle may have left its column
// by half a skin.
static int32_t spheres_columns(const spheres_search* search, int axis, int32_t* first)
{
    const wadi_sph* sph = search->sph;
    const sph_grid* grid = &sph->grid;
    const double wide = search->reach + sph->params.skin * sph->params.spacing;
    const double low = search->is->position[axis] - wide - grid->origin[axis];
    const double high = search->is->position[axis] + wide - grid->origin[axis];
    const double begin = floor(low / grid->size[axis]);
    const double end = floor(high / grid->size[axis]) + 1.0;
    const double last = (double)grid->columns[axis];
    if (sph->law.period[axis] > 0.0)
    {
        const double count = end - begin < last ? end - begin : last;
        const double wrapped = begin - last * floor(begin / last);
        *first = (int32_t)wrapped % grid->columns[axis];
        return (int32_t)count;
    }
    // particles beyond the grid are in its outermost columns
    const double from = begin < 0.0 ? 0.0 : begin < last ? begin : last - 1.0;
    const double to = end < 1.0 ? 1.0 : end < last ? end : last;
    *first = (int32_t)from;
    return (int32_t)(to - from);
}

static void spheres_find(spheres_search* search)
{
    const sph_grid* grid = &search->sph->grid;
    int32_t first[2];
    const int32_t nx = spheres_columns(search, 0, &first[0]);
    const int32_t ny = spheres_columns(search, 1, &first[1]);
    for (int32_t k = 0; k < nx * ny; ++k)
    {
        const int32_t column = sph_column(grid, (first[0] + k % nx) % grid->columns[0],
                                          (first[1] + k / nx) % grid->columns[1]);
        for (int32_t i = grid->first[column]; i < grid->first[column + 1]; ++i)
        {
            spheres_try(search, i);
        }
    }
}

static spheres_search spheres_search_of(const wadi_sph* sph, int32_t s)
{
    const wadi_sph_sphere* is = &sph->spheres[s].is;
    return (spheres_search){.sph = sph, .is = is, .reach = sph->reach + is->radius};
}

static void spheres_count(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t s = begin; s < end; ++s)
    {
        spheres_search search = spheres_search_of(sph, s);
        spheres_find(&search);
        sph->meeting_start[s + 1] = search.count;
    }
}

// ---- what water does ---------------------------------------------------------------------

// Water around a sphere, in whole numbers that add up in any order.
typedef struct spheres_sum
{
    int64_t units;       // of water
    int64_t weight;      // 2^-40
    int64_t velocity[3]; // weight x velocity, 2^-40 of the speed of sound
    int64_t bearing[3];  // weight x acceleration, 2^-36 of the speed of sound squared over 2h
} spheres_sum;

// The same in metres and seconds.
typedef struct spheres_water
{
    double mass;
    double weight;
    double velocity[3]; // weighed mean, from the sphere
    double bearing[3];  // acceleration by all but gravity
} spheres_water;

// Add a particle that weighs (1 - q)^4 (1 + 4 q).
static void spheres_add(const wadi_sph* sph, const spheres_search* near, sph_meeting* m,
                        spheres_sum* sum)
{
    const sph_body* body = &sph->bodies[m->place];
    const sph_state* state = &sph->states[m->place];
    const int32_t units = state->drop != 0 ? 0 : state->units;
    const double q = m->r / near->reach;
    const double w2 = (1.0 - q) * (1.0 - q);
    m->weight = (double)units / SPH_FULL * w2 * w2 * (1.0 + 4.0 * q);
    sum->units += units;
    sum->weight += sph_round(0x1p40 * m->weight);

    const double c = sph->params.sound_speed;
    const sph_row row = sph_collect(sph, m->place);
    const double per_unit =
        (double)SPH_FULL / (sph->mass * (double)state->units * sph->force_scale);
    const double per_bearing = per_unit * sph->reach / (c * c);
    for (int k = 0; k < 3; ++k)
    {
        const double v = (body->v[k] - near->is->velocity[k]) / c;
        sum->velocity[k] += sph_round(0x1p40 * m->weight * v);
        sum->bearing[k] += sph_round(0x1p36 * m->weight * ((double)row.force[k] * per_bearing));
    }
}

static spheres_water spheres_gather(const wadi_sph* sph, const spheres_search* near)
{
    spheres_sum sum = {0};
    for (int32_t k = 0; k < near->count; ++k)
    {
        spheres_add(sph, near, &near->out[k], &sum);
    }
    const double c = sph->params.sound_speed;
    const double per_weight = sum.weight > 0 ? c / (double)sum.weight : 0.0;
    const double per_bearing = per_weight * c / sph->reach * 0x1p4;
    spheres_water water = {.mass = sph->mass * (double)sum.units / SPH_FULL,
                           .weight = 0x1p-40 * (double)sum.weight};
    for (int k = 0; k < 3; ++k)
    {
        water.velocity[k] = per_weight * (double)sum.velocity[k];
        water.bearing[k] = per_bearing * (double)sum.bearing[k];
    }
    return water;
}

// Drag over the velocity of the water. It may not turn that round within a step.
static double spheres_drag(const wadi_sph* sph, const wadi_sph_sphere* is,
                           const spheres_water* water)
{
    const double pi = 3.14159265358979323846;
    const double* v = water->velocity;
    const double rho = sph->params.density;
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double root =
        0.63 * sqrt(speed) + 4.8 * sqrt(SPHERES_VISCOSITY / (2.0 * rho * is->radius));
    const double drag = 0.5 * rho * pi * is->radius * is->radius * root * root;
    const double most = 0.5 * water->mass / sph->step;
    return drag < most ? drag : most;
}

static void spheres_meet(wadi_sph* sph, int32_t s)
{
    const double pi = 3.14159265358979323846;
    spheres_search near = spheres_search_of(sph, s);
    near.out = sph->meetings + sph->meeting_start[s];
    spheres_find(&near);
    const spheres_water water = spheres_gather(sph, &near);
    if (!(water.weight > 0.0))
    {
        return;
    }
    const double drag = spheres_drag(sph, near.is, &water);
    const double radius = near.is->radius;
    const double lifted = sph->params.density * (4.0 / 3.0 * pi * radius * radius * radius);
    for (int32_t k = 0; k < near.count; ++k)
    {
        sph_meeting* m = &near.out[k];
        const double share = m->weight / water.weight;
        for (int c = 0; c < 3; ++c)
        {
            const double force = drag * water.velocity[c] + lifted * water.bearing[c];
            m->force[c] = sph_round(sph->force_scale * share * force);
            sph->spheres[s].force[c] += m->force[c];
        }
    }
}

static void spheres_meet_all(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    for (int32_t s = begin; s < end; ++s)
    {
        spheres_meet(job, s);
    }
}

// Room for the meetings that were counted.
static wadi_result spheres_reserve_meetings(wadi_sph* sph)
{
    sph->meeting_start[0] = 0;
    for (int32_t s = 0; s < sph->sphere_count; ++s)
    {
        sph->meeting_start[s + 1] += sph->meeting_start[s];
    }
    const int32_t count = sph->meeting_start[sph->sphere_count];
    if (count > sph->meeting_capacity)
    {
        wadi_free(sph->context, sph->meetings);
        sph->meetings = NULL;
        sph->meeting_capacity = 0;
        WADI_ALLOC(sph->context, sph->meetings, count + count / 4, "spheres in water");
        sph->meeting_capacity = count + count / 4;
    }
    return WADI_OK;
}

wadi_result sph_spheres_push(wadi_sph* sph)
{
    enum
    {
        SPHERES_AT_ONCE = 64
    };
    if (sph->sphere_count == 0)
    {
        return WADI_OK;
    }
    wadi_parallel_rows(sph->context, sph->sphere_count, SPHERES_AT_ONCE, spheres_count, sph);
    WADI_TRY(spheres_reserve_meetings(sph));
    wadi_parallel_rows(sph->context, sph->sphere_count, SPHERES_AT_ONCE, spheres_meet_all, sph);
    for (int32_t k = 0; k < sph->meeting_start[sph->sphere_count]; ++k)
    {
        const sph_meeting* m = &sph->meetings[k];
        for (int c = 0; c < 3; ++c)
        {
            sph->own[m->place].force[c] -= m->force[c];
        }
    }
    return WADI_OK;
}

// ---- drinking ----------------------------------------------------------------------------

static bool spheres_touch(const wadi_sph* sph, const sph_sphere* sphere, const sph_meeting* m)
{
    return m->r < sphere->is.radius + 0.5 * sph->params.spacing;
}

// Those that touch a sphere come first, in order of birth: the order of places is the list's own
// affair. Returns how many.
static int32_t spheres_sort(const wadi_sph* sph, const sph_sphere* sphere, sph_meeting* meetings,
                            int32_t count)
{
    int32_t touching = 0;
    for (int32_t k = 0; k < count; ++k)
    {
        if (!spheres_touch(sph, sphere, &meetings[k]))
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
static bool spheres_take(wadi_sph* sph, sph_sphere* sphere, const sph_meeting* m)
{
    sph_state* state = &sph->states[m->place];
    const int64_t taken = sphere->room < state->units ? sphere->room : state->units;
    state->units -= (int32_t)taken;
    sphere->room -= taken;
    sphere->drunk += taken;
    sph->drunk += taken;
    for (int c = 0; c < 3; ++c)
    {
        sphere->momentum[c] += sph->mass * ((double)taken / SPH_FULL) * state->v[c];
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
        sph_meeting* meetings = sph->meetings + sph->meeting_start[s];
        const int32_t met = sph->meeting_start[s + 1] - sph->meeting_start[s];
        const int32_t count = sphere->room > 0 ? spheres_sort(sph, sphere, meetings, met) : 0;
        for (int32_t k = 0; k < count && sphere->room > 0; ++k)
        {
            const bool empty = spheres_take(sph, sphere, &meetings[k]);
            gone = gone || empty;
        }
    }
    if (gone)
    {
        sph_remove(sph);
    }
}
