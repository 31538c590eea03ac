// SPDX-License-Identifier: MIT
// Ripples: transverse waves whose wavelength is proportional to the wind speed. Under a steady wind
// they are asymmetric. Noise in the phase makes crests bend, end and fork, slowly along them and
// faster across. There are none without wind or loose sand: in the lee, on slip faces, under plants
// or on rock.
#include "maps/amplify/amplify_internal.h"

#include "core/random.h"

#include <math.h>

enum
{
    RIPPLES_FAR = 1 << 14 // offset of lattice coordinates, so that none is negative
};

static const double ripples_thin = 0.05;  // [m] sand thickness for full height
static const double ripples_steep = 0.55; // slope without ripples: 29 degrees
static const double ripples_gentle = 0.4; // slope where they begin to fade: 22 degrees

// Noise with a lattice of `along` x `across` wavelengths along and across the crests.
static wadi_octave ripples_octave(const amplify_job* job, double along, double across, uint32_t key)
{
    const double u = 1.0 / (along * job->wavelength);
    const double v = 1.0 / (across * job->wavelength);
    return (wadi_octave){
        .ux = -job->ey * u,
        .uy = job->ex * u,
        .u0 = RIPPLES_FAR,
        .vx = job->ex * v,
        .vy = job->ey * v,
        .v0 = RIPPLES_FAR,
        .key = wadi_random(wadi_terrain_seed(job->terrain), 0x726970, key, 0).v[0],
    };
}

void wadi_amplify_ripples_begin(amplify_job* job)
{
    if (job->wavelength == 0.0)
    {
        return; // ripples are off
    }
    job->bend = ripples_octave(job, 14.0, 20.0, 1);
    job->kink = ripples_octave(job, 5.0, 4.0, 2);
}

// Phase of a position within its wave, in [0, 1) downwind from a trough.
static double ripples_phase(const amplify_job* job, amplify_place at)
{
    // relative to the window's centre, to stay within the range of the lattice
    const double x = at.x - job->params.x - 0.5 * job->params.width;
    const double y = at.y - job->params.y - 0.5 * job->params.height;
    float bend;
    float kink;
    wadi_octave_eval(&job->bend, &x, &y, 1, &bend);
    wadi_octave_eval(&job->kink, &x, &y, 1, &kink);
    const double waves = (x * job->ex + y * job->ey) / job->wavelength;
    const double phase = waves + 1.6 * (double)bend + 0.5 * (double)kink;
    return phase - floor(phase);
}

// Slope of the ground over one cell of the terrain.
static double ripples_slope(const amplify_job* job, amplify_place at)
{
    const double d = 0.5 * job->ground->cell_size;
    const double gx = wadi_amplify_ground(job, (amplify_place){at.x + d, at.y}) -
                      wadi_amplify_ground(job, (amplify_place){at.x - d, at.y});
    const double gy = wadi_amplify_ground(job, (amplify_place){at.x, at.y + d}) -
                      wadi_amplify_ground(job, (amplify_place){at.x, at.y - d});
    return sqrt(gx * gx + gy * gy) / (2.0 * d);
}

static double ripples_weight(const amplify_job* job, amplify_place at)
{
    const double sand = amplify_smooth(wadi_amplify_sand(job, at) / ripples_thin);
    const double open = 1.0 - wadi_amplify_shelter(job, at);
    const double bare = 1.0 - wadi_amplify_cover(job, at);
    const double steep =
        (ripples_slope(job, at) - ripples_gentle) / (ripples_steep - ripples_gentle);
    return sand * open * bare * (1.0 - amplify_smooth(steep));
}

double wadi_amplify_ripples(const amplify_job* job, amplify_place at)
{
    if (job->wavelength == 0.0)
    {
        return 0.0;
    }
    const double weight = ripples_weight(job, at);
    if (weight <= 0.0)
    {
        return 0.0;
    }
    // the crest is at 3/4 of the wave under one wind, at 1/2 under symmetric winds
    const double crest = 0.5 + 0.25 * job->params.steadiness;
    const double phase = ripples_phase(job, at);
    const double rise = phase < crest ? phase / crest : (1.0 - phase) / (1.0 - crest);
    const double height = job->wavelength / job->params.ripple_index;
    return weight * height * (amplify_smooth(rise) - 0.5);
}
