// SPDX-License-Identifier: MIT
// The standard step (Chow 1959, section 10-4): from the outlet upstream each section gets the stage
// whose energy head exceeds the next one's by the friction between them. Where no tranquil stage
// does, flow is critical and the section controls what lies above it, as a crest does; rapid flow
// below such a section takes its uniform depth. So a lake behind a dam, the drop over its crest and
// uniform flow in a long channel come from one law.
#include "channel/channel_profile.h"

#include <math.h>

enum
{
    PROFILE_HIGHEST = 65536, // [m] that water is looked for above the bed
    PROFILE_DEEPEST = 10000, // [m] of water; more is no stage
    PROFILE_HALVINGS = 44,   // of the range of stages: 64 m to 4e-12 m
    PROFILE_WINDOW = 3       // sections to either hand that a slope of the bed is taken over
};

typedef struct profile_section
{
    const channel_reach* reach;
    const channel_transect* transect;
    double slope;  // of uniform flow
    double energy; // that the sections downstream ask for, friction of this one left out [m]
} profile_section;

// What a stage is asked; true from some stage on.
typedef bool profile_passes_fn(const profile_section* s, double stage);

static double profile_bed(const channel_transect* t)
{
    return (double)t->ground[t->bed];
}

static double profile_friction(const channel_reach* reach, const channel_filling* filling)
{
    const double ratio = reach->discharge / filling->conveyance;
    return ratio * ratio;
}

static double profile_velocity_head(const channel_reach* reach, const channel_filling* filling)
{
    return reach->discharge * reach->discharge * filling->kinetic / (2.0 * channel_gravity);
}

static bool profile_is_uniform(const profile_section* s, double stage)
{
    const channel_filling f = wadi_channel_transect_fill(s->transect, stage, s->reach->roughness);
    return f.conveyance * sqrt(s->slope) >= s->reach->discharge;
}

static bool profile_is_tranquil(const profile_section* s, double stage)
{
    const channel_filling f = wadi_channel_transect_fill(s->transect, stage, s->reach->roughness);
    const double q = s->reach->discharge;
    return channel_gravity * f.area * f.area * f.area > q * q * f.top; // not where both are 0
}

static bool profile_has_energy(const profile_section* s, double stage)
{
    const channel_filling f = wadi_channel_transect_fill(s->transect, stage, s->reach->roughness);
    const double friction = 0.5 * s->reach->spacing * profile_friction(s->reach, &f);
    return stage + profile_velocity_head(s->reach, &f) - friction >= s->energy;
}

// Least stage from `low` on that passes. Where water begins to run over a bank its energy falls at
// once, so that two stages may do: what stays in its bed is preferred.
static double profile_least(const profile_section* s, double low, profile_passes_fn* passes)
{
    const float* crest = s->transect->crest;
    const double brim = (double)fminf(crest[TRANSECT_LEFT], crest[TRANSECT_RIGHT]);
    double high = brim;
    if (!(brim > low && brim < low + PROFILE_HIGHEST && passes(s, brim)))
    {
        double rise = 1.0;
        while (!passes(s, low + rise) && rise < PROFILE_HIGHEST)
        {
            rise *= 2.0;
        }
        high = low + rise;
    }
    for (int i = 0; i < PROFILE_HALVINGS; ++i)
    {
        const double middle = 0.5 * (low + high);
        *(passes(s, middle) ? &high : &low) = middle;
    }
    return high;
}

static double profile_bed_slope(const channel_reach* reach, int32_t i)
{
    const int32_t from = i > PROFILE_WINDOW ? i - PROFILE_WINDOW : 0;
    const int32_t to = i + PROFILE_WINDOW < reach->count ? i + PROFILE_WINDOW : reach->count - 1;
    const double fall = profile_bed(&reach->transect[from]) - profile_bed(&reach->transect[to]);
    return fall / ((to - from) * reach->spacing);
}

static profile_section profile_section_of(const channel_reach* reach, int32_t i)
{
    return (profile_section){
        .reach = reach,
        .transect = &reach->transect[i],
        .slope = fmax(profile_bed_slope(reach, i), reach->least_slope),
    };
}

static void profile_set(const profile_section* s, double stage, channel_state* state)
{
    state->stage = stage;
    state->filling = wadi_channel_transect_fill(s->transect, stage, s->reach->roughness);
    state->energy_slope = profile_friction(s->reach, &state->filling);
}

// ---- each section by itself --------------------------------------------------------------

typedef struct profile_job
{
    const channel_reach* reach;
    channel_state* states;
    double* critical; // stages [m]
    double* uniform;
} profile_job;

static void profile_look(int64_t i, int32_t worker, void* user)
{
    const profile_job* job = user;
    (void)worker;
    const profile_section s = profile_section_of(job->reach, (int32_t)i);
    const double bed = profile_bed(s.transect);
    job->critical[i] = profile_least(&s, bed, profile_is_tranquil);
    job->uniform[i] = profile_least(&s, bed, profile_is_uniform);
    job->states[i].bed_slope = profile_bed_slope(job->reach, (int32_t)i);
}

// ---- upstream ----------------------------------------------------------------------------

// The stage that decides what happens above section `i`, and whether flow is critical there.
static double profile_step(const profile_job* job, int32_t i, const channel_state* next)
{
    profile_section s = profile_section_of(job->reach, i);
    s.energy = next->stage + profile_velocity_head(job->reach, &next->filling) +
               0.5 * job->reach->spacing * next->energy_slope;
    return profile_has_energy(&s, job->critical[i])
               ? job->critical[i]
               : profile_least(&s, job->critical[i], profile_has_energy);
}

// Where a route leaves the grid at a slant the last sections are cut short, and the narrow flow
// there would back up a lake. The flow is uniform at the last whole section instead, or the one
// where it is shallowest, within the length that a slant of 45 degrees cuts.
static int32_t profile_outlet(const profile_job* job)
{
    const channel_reach* reach = job->reach;
    const channel_transect* last = &reach->transect[reach->count - 1];
    const int32_t slant = (int32_t)(0.5 * last->count * last->step / reach->spacing);
    int32_t best = reach->count - 1;
    for (int32_t i = reach->count - 1; i >= 0 && i >= reach->count - 1 - slant; --i)
    {
        const channel_transect* t = &reach->transect[i];
        if (!wadi_channel_transect_fill(t, job->uniform[i], reach->roughness).walled)
        {
            return i;
        }
        const double least = job->uniform[best] - profile_bed(&reach->transect[best]);
        best = job->uniform[i] - profile_bed(t) < least ? i : best;
    }
    return best;
}

// Beyond the outlet's section the water is as deep as it is there.
static void profile_descend(const profile_job* job, int32_t outlet)
{
    const channel_reach* reach = job->reach;
    const double depth = job->states[outlet].stage - profile_bed(&reach->transect[outlet]);
    for (int32_t i = outlet + 1; i < reach->count; ++i)
    {
        const profile_section s = profile_section_of(reach, i);
        profile_set(&s, profile_bed(s.transect) + depth, &job->states[i]);
    }
}

static void profile_ascend(const profile_job* job, int32_t outlet)
{
    channel_state below = {0};
    for (int32_t i = outlet; i >= 0; --i)
    {
        const profile_section s = profile_section_of(job->reach, i);
        const double stage =
            i == outlet ? fmax(job->uniform[i], job->critical[i]) : profile_step(job, i, &below);
        profile_set(&s, stage, &below);
        job->states[i].rapid = stage <= job->critical[i] && job->uniform[i] < job->critical[i];
        profile_set(&s, job->states[i].rapid ? job->uniform[i] : stage, &job->states[i]);
    }
}

wadi_result wadi_channel_profile(wadi_context* context, const channel_reach* reach,
                                 channel_state* states)
{
    double* stages;
    WADI_ALLOC(context, stages, 2 * (int64_t)reach->count, "stages");
    profile_job job = {reach, states, stages, stages + reach->count};
    wadi_parallel_blocks(context, reach->count, profile_look, &job);
    const int32_t outlet = profile_outlet(&job);
    profile_ascend(&job, outlet);
    profile_descend(&job, outlet);
    wadi_free(context, stages);
    return WADI_OK;
}
