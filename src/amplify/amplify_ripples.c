// SPDX-License-Identifier: MIT
// Ripples: waves across the wind, one wavelength as long as the wind is strong, that lean downwind
// where one wind has made them. Their crests bend, end and fork as a noise shifts the phase, slowly
// along them and faster across. They are where wind meets loose sand: not in lees, on slip faces,
// under plants or on rock.
#include "amplify/amplify_internal.h"

#include "core/random.h"

#include <math.h>

enum
{
    RIPPLES_FAR = 1 << 14 // lattice cells from zero, so that no place is below it
};

static const double ripples_thin = 0.05;  // [m] of sand for whole ripples
static const double ripples_steep = 0.55; // slope on which there are none: 29 degrees
static const double ripples_gentle = 0.4; // slope from which they fade: 22 degrees

// Noise over crests, `along` and `across` wavelengths wide.
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

void amplify_ripples_begin(amplify_job* job)
{
    if (job->wavelength == 0.0)
    {
        return; // no ripples are asked for
    }
    job->bend = ripples_octave(job, 14.0, 20.0, 1);
    job->kink = ripples_octave(job, 5.0, 4.0, 2);
}

// Where a place lies within its wave, in [0, 1) downwind from a trough.
static double ripples_phase(const amplify_job* job, amplify_place at)
{
    // from the window's middle, lest the lattice ends
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

// Slope of the ground over a wavelength.
static double ripples_slope(const amplify_job* job, amplify_place at)
{
    const double d = 0.5 * job->ground->cell_size;
    const double gx = amplify_ground(job, (amplify_place){at.x + d, at.y}) -
                      amplify_ground(job, (amplify_place){at.x - d, at.y});
    const double gy = amplify_ground(job, (amplify_place){at.x, at.y + d}) -
                      amplify_ground(job, (amplify_place){at.x, at.y - d});
    return sqrt(gx * gx + gy * gy) / (2.0 * d);
}

static double ripples_weight(const amplify_job* job, amplify_place at)
{
    const double sand = amplify_smooth(amplify_sand(job, at) / ripples_thin);
    const double open = 1.0 - amplify_shelter(job, at);
    const double bare = 1.0 - amplify_cover(job, at);
    const double steep =
        (ripples_slope(job, at) - ripples_gentle) / (ripples_steep - ripples_gentle);
    return sand * open * bare * (1.0 - amplify_smooth(steep));
}

double amplify_ripples(const amplify_job* job, amplify_place at)
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
    // the crest lies at three quarters of the wave under one wind, in its middle under many
    const double crest = 0.5 + 0.25 * job->params.steadiness;
    const double phase = ripples_phase(job, at);
    const double rise = phase < crest ? phase / crest : (1.0 - phase) / (1.0 - crest);
    const double height = job->wavelength / job->params.ripple_index;
    return weight * height * (amplify_smooth(rise) - 0.5);
}
