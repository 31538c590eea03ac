// SPDX-License-Identifier: MIT
// Steady flow by the standard step method (Chow 1959, section 10-4). From the outlet upstream, each
// section gets the stage whose energy head exceeds that of the next by the friction between them.
// If no subcritical stage does, flow is critical and the section controls the flow upstream, like a
// crest; supercritical flow downstream of it takes its normal depth. The same law thus gives a lake
// behind a dam, the drop over its crest and uniform flow in a long channel.
#include "laws/channels/channel_profile.h"

#include <math.h>

enum
{
    PROFILE_HIGHEST = 65536, // [m] above the bed: upper limit of the search for a stage
    PROFILE_DEEPEST = 10000, // [m] of water
    PROFILE_HALVINGS = 44,   // bisections: from a range of 64 m to 4e-12 m
    PROFILE_WINDOW = 3       // sections on either side over which the bed slope is averaged
};

typedef struct profile_section
{
    const channel_reach* reach;
    const channel_transect* transect;
    double slope;  // bed slope for uniform flow
    double energy; // head required by the next section, without this one's friction [m]
} profile_section;

// Criterion for a stage; it holds from some stage upwards.
typedef bool profile_criterion_fn(const profile_section* s, double stage);

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

static bool profile_is_subcritical(const profile_section* s, double stage)
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

// Least stage above `low` that meets the criterion. Where water begins to overflow a bank the
// energy drops at once, so that two stages may meet it; the stage within the banks is preferred.
static double profile_least_stage(const profile_section* s, double low, profile_criterion_fn* holds)
{
    const float* crest = s->transect->crest;
    const double brim = (double)fminf(crest[TRANSECT_LEFT], crest[TRANSECT_RIGHT]);
    double high = brim;
    if (!(brim > low && brim < low + PROFILE_HIGHEST && holds(s, brim)))
    {
        double rise = 1.0;
        while (!holds(s, low + rise) && rise < PROFILE_HIGHEST)
        {
            rise *= 2.0;
        }
        high = low + rise;
    }
    for (int i = 0; i < PROFILE_HALVINGS; ++i)
    {
        const double middle = 0.5 * (low + high);
        *(holds(s, middle) ? &high : &low) = middle;
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

static void profile_solve_uniform(int64_t i, int32_t worker, void* user)
{
    const profile_job* job = user;
    (void)worker;
    const profile_section s = profile_section_of(job->reach, (int32_t)i);
    const double bed = profile_bed(s.transect);
    job->critical[i] = profile_least_stage(&s, bed, profile_is_subcritical);
    job->uniform[i] = profile_least_stage(&s, bed, profile_is_uniform);
    job->states[i].bed_slope = profile_bed_slope(job->reach, (int32_t)i);
}

// ---- upstream ----------------------------------------------------------------------------

// Stage of section `i` as the control of the sections upstream.
static double profile_step(const profile_job* job, int32_t i, const channel_state* next)
{
    profile_section s = profile_section_of(job->reach, i);
    s.energy = next->stage + profile_velocity_head(job->reach, &next->filling) +
               0.5 * job->reach->spacing * next->energy_slope;
    return profile_has_energy(&s, job->critical[i])
               ? job->critical[i]
               : profile_least_stage(&s, job->critical[i], profile_has_energy);
}

// Section where the computation starts. If the route leaves the grid at an angle, the last sections
// are cut short and their narrow flow would cause backwater. Instead flow is uniform at the last
// complete section, or at the shallowest one within the length that an exit at 45 degrees cuts.
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

// Beyond the outlet's section the depth is constant.
static void profile_extend_downstream(const profile_job* job, int32_t outlet)
{
    const channel_reach* reach = job->reach;
    const double depth = job->states[outlet].stage - profile_bed(&reach->transect[outlet]);
    for (int32_t i = outlet + 1; i < reach->count; ++i)
    {
        const profile_section s = profile_section_of(reach, i);
        profile_set(&s, profile_bed(s.transect) + depth, &job->states[i]);
    }
}

static void profile_solve_upstream(const profile_job* job, int32_t outlet)
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
    wadi_parallel_blocks(context, reach->count, profile_solve_uniform, &job);
    const int32_t outlet = profile_outlet(&job);
    profile_solve_upstream(&job, outlet);
    profile_extend_downstream(&job, outlet);
    wadi_free(context, stages);
    return WADI_OK;
}
