// SPDX-License-Identifier: MIT
// The soil that a land carries: production against creep, thin enough to stand, after storms.
//
// With the surface held, erosion E balances uplift, and
//     dh/dt = P exp(-h / h0) / cos b - E,   E = div q,   q = K S / (1 - (S / Sc)^2),
// has a closed form: with u = exp(h / h0) and p = P / cos b,
//     u(T) = p / E + (1 - p / E) exp(-E T / h0);   E -> 0: u = 1 + p T / h0.
// Production under cover: Heimsath et al. 1997; creep: Roering et al. 1999.
#include "core/dmath.h"
#include "core/random.h"
#include "laws/slopes/soil_law.h"
#include "laws/slopes/storm_internal.h"

#include <math.h>

static const double soil_thinnest = 0.05; // [m]; thinner soil is none
static const double soil_age_scatter = 0.7;

soil_law wadi_soil_law_default(void)
{
    return (soil_law){
        .production = 2e-4,
        .cover = 0.5,
        .creep = 0.005,
        .critical = 1.25,
        .age = 10000.0,
        .most = 3.0,
        .safety = 1.2,
        .wetness = 0.3,
        .storms = 6,
    };
}

typedef struct soil_job
{
    storm_land* land;
    const soil_law* law;
} soil_job;

static double soil_slope(const storm_land* land, int64_t cell)
{
    const double gx = (double)land->east[cell];
    const double gy = (double)land->north[cell];
    return sqrt(gx * gx + gy * gy);
}

static double soil_creeps(const soil_job* job, int64_t cell)
{
    return soil_diffusivity(job->law->creep, job->law->critical, soil_slope(job->land, cell));
}

// Flux of creep out of a cell towards a side, per metre of edge [m2/yr]; 0 beyond edges.
static double soil_flux(const soil_job* job, int64_t cell, int side)
{
    const storm_land* land = job->land;
    const int64_t to = wadi_slide_cut_neighbour(land->cut, cell, side);
    if (to < 0 || storm_is_void(land, to))
    {
        return 0.0;
    }
    const double fall = (double)(land->surface[cell] - land->surface[to]) / land->cell;
    return 0.5 * (soil_creeps(job, cell) + soil_creeps(job, to)) * fall;
}

// Erosion by creep [m/yr]. At an edge the flux of the opposite side goes on.
static double soil_erosion(const soil_job* job, int64_t cell)
{
    double sum = 0.0;
    for (int axis = 0; axis < 4; axis += 2)
    {
        const double out = soil_flux(job, cell, axis);
        const double in = soil_flux(job, cell, axis + 4);
        sum += out != 0.0 && in != 0.0 ? out + in : 0.0;
    }
    return sum / job->land->cell;
}

static double soil_depth_at(const soil_law* law, double production, double erosion, double age)
{
    const double z = erosion * age / law->cover;
    const double limit = 40.0; // deeper than `most` in any case
    if (fabs(z) < 1e-6)
    {
        return law->cover * wadi_log(1.0 + production * age / law->cover);
    }
    const double balance = production / erosion;
    const double u = balance + (1.0 - balance) * wadi_exp(-fmax(z, -limit));
    return u > 1.0 ? law->cover * wadi_log(u) : 0.0;
}

// Is an infinite slope of the cell's own strength as safe as the law asks?
// land->roots is the mean.
static bool soil_stands(const soil_job* job, int64_t cell, double depth)
{
    const storm_land* land = job->land;
    const soil_law* law = job->law;
    const double weight = depth * (land->law.dry + (land->law.wet - land->law.dry) * law->wetness);
    const double slope = soil_slope(land, cell);
    const double area = land->cell * land->cell * sqrt(1.0 + slope * slope);
    const double push = area * weight * slope / (1.0 + slope * slope);
    // drive = push - resistance, and resistance is to be at least safety x push
    const double drive = wadi_storm_drive(land, cell, (int32_t)(depth * 65536.0), law->wetness);
    return push - drive >= law->safety * push;
}

static double soil_cap(const soil_job* job, int64_t cell, double depth)
{
    while (depth >= soil_thinnest && !soil_stands(job, cell, depth))
    {
        depth *= 0.93;
    }
    return depth >= soil_thinnest ? depth : 0.0;
}

static void soil_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const soil_job* job = user;
    storm_land* land = job->land;
    const soil_law* law = job->law;
    for (int64_t c = (int64_t)begin * land->width; c < (int64_t)end * land->width; ++c)
    {
        if (storm_is_void(land, c))
        {
            land->soil[c] = 0;
            continue;
        }
        const double slope = soil_slope(land, c);
        const double production = law->production * sqrt(1.0 + slope * slope);
        const double age =
            law->age *
            (double)wadi_expf((float)(soil_age_scatter * land->law.scatter) * land->noise[c]);
        const double covered = 1.0 - soil_bare(slope);
        const double depth = covered * soil_depth_at(law, production, soil_erosion(job, c), age);
        land->soil[c] = (int32_t)(soil_cap(job, c, fmin(depth, law->most)) * 65536.0);
    }
}

// Slides leave bare rock of random age: soil has grown again since.
static void soil_regrow(storm_land* land, const soil_law* law, const slide_list* list,
                        uint32_t storm)
{
    for (int32_t i = 0; i < list->count; ++i)
    {
        const slide_failure* f = &list->failures[i];
        const double u = wadi_unit_double(
            wadi_random(land->seed, storm, (uint64_t)f->number, 0x41474531u).v[0], 0);
        for (int64_t k = f->first; k < f->first + f->count; ++k)
        {
            const slide_cell* s = &list->cells[k];
            const double slope = soil_slope(land, s->cell);
            const double grown =
                law->cover * wadi_log(1.0 + law->production * law->age * u *
                                                sqrt(1.0 + slope * slope) / law->cover);
            const int32_t most = (int32_t)(sqrt(u) * (double)s->depth);
            const int32_t units = (int32_t)(grown * 65536.0);
            land->soil[s->cell] = units < most ? units : most;
        }
    }
}

static wadi_result soil_meet_storms(storm_land* land, const soil_law* law, const storm_rain* rain)
{
    for (int32_t s = 0; s < law->storms; ++s)
    {
        slide_list list = {0};
        storm_books books;
        storm_rain past = *rain;
        past.number = rain->number + 0x10000u + (uint32_t)s;
        const wadi_result result = wadi_storm_run(land, &past, &list, &books);
        if (result == WADI_OK)
        {
            soil_regrow(land, law, &list, past.number);
        }
        wadi_slide_list_destroy(land->context, &list);
        WADI_TRY(result);
    }
    return WADI_OK;
}

wadi_result wadi_soil_grow(storm_land* land, const soil_law* law, const storm_rain* rain)
{
    soil_job job = {land, law};
    wadi_storm_noise(land, STORM_FIELD_AGE, 40.0, 640.0);
    for (int64_t c = 0; c < land->cells; ++c)
    {
        land->roots[c] = (float)land->law.roots;
    }
    wadi_parallel_rows(land->context, land->height, STORM_GRAIN, soil_rows, &job);
    return soil_meet_storms(land, law, rain);
}
