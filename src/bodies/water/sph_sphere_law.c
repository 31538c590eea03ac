// SPDX-License-Identifier: MIT
// Forces of water on a sphere. The flow around a single sphere is not resolved.
//
// Where water flows between spheres it is averaged, weighed by a Wendland kernel of support 2h + R,
// and spheres take their room in it (sph_room.c). Its flow over all of the space is its velocity
// relative to the sphere times the porosity. Drag on a lone one is Dallavalle's (1948), Cd = (0.63
// + 4.8 / sqrt(Re))^2: valid from Stokes' law to a blunt body, and it needs no power. Other spheres
// around increase it by Di Felice's (1994) power of the porosity, and the pressure gradient of the
// flow acts beside it: the resistance of a bed agrees with Ergun (1952) within a quarter. Buoyancy
// is the gradient of pressure times the volume of the sphere, from the mean acceleration that the
// surrounding water has from all but gravity and spheres: in water at rest exactly its weight, at
// any depth, while a gradient summed from pressures has an error proportional to the pressure.
// Watertight spheres stand for soil of finer grains: water touches them from outside, with a spring
// and damper that never pull.
#include "bodies/water/sph_spheres.h"
#include "core/dmath.h"

static const double FLOW_PI = 3.14159265358979323846;
static const double FLOW_VISCOSITY = 1e-3; // of water at 20 degrees [Pa s]
static const double FLOW_BED = 0.3;        // share of the space from which on spheres are a bed

// ---- the space around --------------------------------------------------------------------

static double flow_volume(const wadi_sph_sphere* is)
{
    return 4.0 / 3.0 * FLOW_PI * is->radius * is->radius * is->radius;
}

// Integral of the kernel by which the water around is averaged.
static double flow_whole(double reach)
{
    return 2.0 * FLOW_PI / 21.0 * reach * reach * reach;
}

static double flow_kernel(double q)
{
    const double w2 = (1.0 - q) * (1.0 - q);
    return q < 1.0 ? w2 * w2 * (1.0 + 4.0 * q) : 0.0;
}

// Walls mirror spheres, so that no room is lost and an even bed is even up to its walls. Images of
// images, in corners, are exact where walls are perpendicular.
double wadi_sph_sphere_kernel(const sph_search* near, const sph_mirrors* mirrors, const double d[3])
{
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    double farther[SPH_MIRRORS];
    for (int32_t w = 0; w < mirrors->count; ++w)
    {
        const double* n = mirrors->n[w];
        const double away = mirrors->d[w] - (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]);
        farther[w] = away > 0.0 ? 4.0 * mirrors->d[w] * away : 0.0;
    }
    double kernel = 0.0;
    for (int32_t image = 0; image < 1 << mirrors->count; ++image)
    {
        double far = square;
        for (int32_t w = 0; w < mirrors->count; ++w)
        {
            far += (image >> w & 1) != 0 ? farther[w] : 0.0;
        }
        kernel += flow_kernel(sqrt(far) / near->reach);
    }
    return kernel;
}

int64_t wadi_sph_sphere_share(const sph_search* near, double kernel)
{
    return wadi_exact_round(0x1p40 * flow_volume(near->is) / flow_whole(near->reach) * kernel);
}

void wadi_sph_sphere_displace(const wadi_sph* sph, const sph_search* near)
{
    const sph_mirrors mirrors = wadi_sph_walls_mirrors(sph, near->is->position, near->reach);
    for (int32_t k = 0; k < near->count; ++k)
    {
        sph_contact* m = &near->out[k];
        const sph_state* state = &sph->states[m->place];
        const double kernel = wadi_sph_sphere_kernel(near, &mirrors, m->d);
        const int32_t units = state->drop != 0 ? 0 : state->units;
        m->solid = wadi_sph_sphere_share(near, kernel);
        m->weight = (double)units / sph->full * kernel;
    }
}

// Speed of the water past a sphere above 0.005 of the speed of sound, a twentieth of the fastest
// flow, as a share of it and at most 0.1: sound in water at rest has less.
static double flow_pace(const wadi_sph* sph, const sph_sphere* sphere, const sph_search* near)
{
    int64_t weight = 0;
    int64_t flow[3] = {0, 0, 0};
    for (int32_t k = 0; k < near->count; ++k)
    {
        const sph_contact* m = &near->out[k];
        weight = wadi_exact_plus(weight, wadi_exact_round(0x1p40 * m->weight));
        for (int c = 0; c < 3; ++c)
        {
            const double v = sph->bodies[m->place].v[c] - sphere->is.velocity[c];
            const double share = v / sph->params.sound_speed;
            flow[c] = wadi_exact_plus(flow[c], wadi_exact_round(0x1p40 * m->weight * share));
        }
    }
    double square = 0.0;
    for (int c = 0; c < 3 && weight > 0; ++c)
    {
        const double mean = (double)flow[c] / (double)weight;
        square += mean * mean;
    }
    const double speed = square < 0.01 ? sqrt(square) : 0.1;
    return speed > 0.005 ? speed - 0.005 : 0.0;
}

// Each particle fills the space of its water over the porosity around it.
void wadi_sph_sphere_fill(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near)
{
    int64_t space = 0;
    for (int32_t k = 0; k < near->count; ++k)
    {
        const sph_contact* m = &near->out[k];
        const double solid = 0x1p-40 * (double)sph->solid[m->place];
        const double fills = m->weight / (solid < 0.75 ? 1.0 - solid : 0.25);
        space = wadi_exact_plus(space, wadi_exact_round(0x1p40 * fills));
    }
    const double filled =
        0x1p-40 * (double)space * sph->unit * (double)sph->full / flow_whole(near->reach);
    sphere->filled = filled < 1.0 ? filled : 1.0;
    sphere->excess = filled < 1.0 ? 0.0 : filled - 1.0;
    sphere->pace = flow_pace(sph, sphere, near);
}

int64_t wadi_sph_sphere_taken(const sph_sphere* sphere, const sph_contact* m)
{
    return wadi_exact_round(sphere->filled * (double)m->solid);
}

// ---- the water around --------------------------------------------------------------------

// In whole numbers that add up in any order.
typedef struct flow_sum
{
    int64_t units;       // of water
    int64_t weight;      // 2^-40
    int64_t own;         // weight x share of space taken by the sphere itself, 2^-40
    int64_t solid;       // weight x share taken by all spheres, 2^-40
    int64_t velocity[3]; // weight x flow, 2^-40 of the speed of sound
    int64_t bearing[3];  // weight x pressure gradient, 2^-36 of the speed of sound squared over 2h
} flow_sum;

// The same in metres and seconds.
typedef struct flow_water
{
    double mass;
    double weight;
    double solid;       // share of the space around taken by spheres
    double others;      // share taken by the other spheres
    double velocity[3]; // flow over all of the space, relative to the sphere
    double bearing[3];  // pressure gradient over density
} flow_water;

static void flow_add(const wadi_sph* sph, const sph_search* near, const sph_contact* m,
                     flow_sum* sum)
{
    const sph_body* body = &sph->bodies[m->place];
    const sph_state* state = &sph->states[m->place];
    const double c = sph->params.sound_speed;
    const double per_unit =
        (double)sph->full / (sph->mass * (double)state->units * sph->force_scale);
    const double porosity = sph_porosity(state);
    const double per_bearing = porosity * per_unit * sph->reach / (c * c);
    const sph_row row = wadi_sph_sum_forces(sph, m->place);
    sum->units += state->drop != 0 ? 0 : state->units;
    sum->weight = wadi_exact_plus(sum->weight, wadi_exact_round(0x1p40 * m->weight));
    sum->own = wadi_exact_plus(sum->own, wadi_exact_round(m->weight * (double)m->solid));
    sum->solid =
        wadi_exact_plus(sum->solid, wadi_exact_round(m->weight * (double)sph->solid[m->place]));
    for (int k = 0; k < 3; ++k)
    {
        const double v = porosity * (body->v[k] - near->is->velocity[k]) / c;
        sum->velocity[k] =
            wadi_exact_plus(sum->velocity[k], wadi_exact_round(0x1p40 * m->weight * v));
        sum->bearing[k] = wadi_exact_plus(
            sum->bearing[k],
            wadi_exact_round(0x1p36 * m->weight * ((double)row.force[k] * per_bearing)));
    }
}

// Means over the water around. The share of the other spheres is that of all less the sphere's own,
// scaled so that in a bed both add up to the whole.
static flow_water flow_mean(const wadi_sph* sph, const flow_sum* sum)
{
    const double c = sph->params.sound_speed;
    const double share = sum->weight > 0 ? 1.0 / (double)sum->weight : 0.0;
    const double own = share * (double)sum->own;
    const double solid = share * (double)sum->solid;
    flow_water water = {.mass = sph->mass * (double)sum->units / sph->full,
                        .weight = 0x1p-40 * (double)sum->weight,
                        .solid = solid};
    const double bed = water.solid > FLOW_BED ? water.solid : FLOW_BED;
    const double others = own < 0.5 * bed ? (water.solid - own) / (1.0 - own / bed) : 0.0;
    water.others = others < 0.7 ? others : 0.7; // above the densest packing of equal spheres
    for (int k = 0; k < 3; ++k)
    {
        water.velocity[k] = share * c * (double)sum->velocity[k];
        water.bearing[k] = share * c * c / sph->reach * 0x1p4 * (double)sum->bearing[k];
    }
    return water;
}

static flow_water flow_gather(const wadi_sph* sph, const sph_search* near)
{
    flow_sum sum = {0};
    for (int32_t k = 0; k < near->count; ++k)
    {
        if (near->out[k].weight > 0.0)
        {
            flow_add(sph, near, &near->out[k], &sum);
        }
    }
    return flow_mean(sph, &sum);
}

// ---- drag of water between spheres -------------------------------------------------------

// Di Felice's exponent, 3.7 in slow and in fast flow and 3.05 between.
static double flow_exponent(double reynolds)
{
    const double decades = wadi_log(reynolds) * 0.43429448190325182765; // 1 / ln 10
    const double off = 1.5 - decades;
    return 3.7 - 0.65 * wadi_exp(-0.5 * off * off);
}

// Drag per velocity of the water. It is limited so that neither this sphere nor all spheres in the
// same water reverse the relative velocity within a step.
static double flow_drag(const wadi_sph* sph, const wadi_sph_sphere* is, const flow_water* water)
{
    const double* v = water->velocity;
    const double rho = sph->params.density;
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double reynolds = 2.0 * rho * is->radius * speed / FLOW_VISCOSITY;
    const double root = 0.63 * sqrt(speed) + 4.8 * sqrt(FLOW_VISCOSITY / (2.0 * rho * is->radius));
    const double alone = 0.5 * rho * FLOW_PI * is->radius * is->radius * root * root;
    const double power = flow_exponent(reynolds > 1e-9 ? reynolds : 1e-9);
    const double drag = water->others > 0.0 ? alone / wadi_pow(1.0 - water->others, power) : alone;
    const double own =
        rho * flow_volume(is); // its share of the water is its share of the solid volume
    const double mass = water->mass * water->solid < own ? water->mass : own / water->solid;
    const double most = 0.5 * mass / sph->step;
    return drag < most ? drag : most;
}

void wadi_sph_sphere_add_drag(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near)
{
    const flow_water water = flow_gather(sph, near);
    if (!(water.weight > 0.0))
    {
        return;
    }
    const double drag = flow_drag(sph, near->is, &water);
    const double lifted = sph->params.density * flow_volume(near->is);
    for (int32_t k = 0; k < near->count; ++k)
    {
        sph_contact* m = &near->out[k];
        const double share = m->weight / water.weight * sphere->filled;
        for (int c = 0; c < 3; ++c)
        {
            const double force = drag * water.velocity[c] + lifted * water.bearing[c];
            m->force[c] = wadi_exact_round(sph->force_scale * share * force);
            sphere->force[c] = wadi_exact_plus(sphere->force[c], m->force[c]);
        }
    }
}

// ---- contact with watertight spheres -----------------------------------------------------

// Stiff enough to stop water of a fifth of the speed of sound within half a spacing; the damping is
// half critical.
void wadi_sph_sphere_add_contact(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near)
{
    const double rate = 0.2 * sph->params.sound_speed / (0.5 * sph->params.spacing);
    for (int32_t k = 0; k < near->count; ++k)
    {
        sph_contact* m = &near->out[k];
        const sph_body* body = &sph->bodies[m->place];
        const sph_state* state = &sph->states[m->place];
        const double along = m->r > 0.0 ? 1.0 / m->r : 0.0; // at the centre the normal points up
        const double n[3] = {along * m->d[0], along * m->d[1], m->r > 0.0 ? along * m->d[2] : -1.0};
        double closing = 0.0;
        for (int c = 0; c < 3; ++c)
        {
            closing += n[c] * (body->v[c] - sphere->is.velocity[c]);
        }
        const double push = rate * (rate * (near->reach - m->r) + closing);
        const double mass = sph->mass * (double)state->units / sph->full;
        const bool touches = m->r < near->reach && push > 0.0;
        for (int c = 0; touches && c < 3; ++c)
        {
            m->force[c] = wadi_exact_round(sph->force_scale * mass * push * n[c]);
            sphere->force[c] = wadi_exact_plus(sphere->force[c], m->force[c]);
        }
    }
}
