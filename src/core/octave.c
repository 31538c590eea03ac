// SPDX-License-Identifier: MIT
#include "core/octave.h"

#include "core/random.h"

// Hash of a lattice point and a key; every bit of the result depends on every input bit (a
// two-round multiply-xorshift finaliser). The noise spends most of its time on four of these per
// point; Philox would be ten times slower.
static inline uint32_t octave_hash(uint32_t u, uint32_t v, uint32_t key)
{
    uint32_t h = (u * 0x9E3779B1u) ^ (v * 0x85EBCA77u + key);
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    h ^= h >> 15;
    return h;
}

// sin(2 pi s) for s in [-1/2, 1/2] by a parabola with one correction. The error of 0.1 % changes
// the length of a gradient, not the distribution of its direction.
static inline float octave_wave(float s)
{
    const float a = s < 0.0f ? -s : s;
    const float y = 8.0f * s * (1.0f - 2.0f * a);
    const float b = y < 0.0f ? -y : y;
    return y * (0.775f + 0.225f * b);
}

// Dot product of the lattice point's gradient with the offset (fu, fv) from it. All directions of
// the gradient are equally likely: the usual 8 or 12 directions show as straight ridges.
static inline float octave_corner(uint32_t hash, float fu, float fv)
{
    const float s = wadi_unit_float(hash) - 0.5f;
    const float quarter = s + 0.25f;
    const float c = quarter >= 0.5f ? quarter - 1.0f : quarter;
    return octave_wave(c) * fu + octave_wave(s) * fv;
}

static inline float octave_fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static inline float octave_blend(const uint32_t hash[4], float fu, float fv)
{
    const float n00 = octave_corner(hash[0], fu, fv);
    const float n10 = octave_corner(hash[1], fu - 1.0f, fv);
    const float n01 = octave_corner(hash[2], fu, fv - 1.0f);
    const float n11 = octave_corner(hash[3], fu - 1.0f, fv - 1.0f);
    const float su = octave_fade(fu);
    const float sv = octave_fade(fv);
    const float n0 = n00 + su * (n10 - n00);
    const float n1 = n01 + su * (n11 - n01);

    // unit gradients reach sqrt(1/2) in the middle of a lattice cell
    return 1.41421356f * (n0 + sv * (n1 - n0));
}

static inline uint32_t octave_wrap(int32_t index, int32_t period)
{
    return (uint32_t)(period > 0 ? index % period : index);
}

void wadi_octave_eval(const wadi_octave* octave, const double* x, const double* y, int32_t count,
                      float* out)
{
    const wadi_octave o = *octave;
    for (int32_t i = 0; i < count; ++i)
    {
        // coordinates are positive, so the conversion to int is a floor
        const double u = o.ux * x[i] + o.uy * y[i] + o.u0;
        const double v = o.vx * x[i] + o.vy * y[i] + o.v0;
        const int32_t iu = (int32_t)u;
        const int32_t iv = (int32_t)v;
        const uint32_t u0 = octave_wrap(iu, o.period_u);
        const uint32_t u1 = octave_wrap(iu + 1, o.period_u);
        const uint32_t v0 = octave_wrap(iv, o.period_v);
        const uint32_t v1 = octave_wrap(iv + 1, o.period_v);
        const uint32_t hash[4] = {octave_hash(u0, v0, o.key), octave_hash(u1, v0, o.key),
                                  octave_hash(u0, v1, o.key), octave_hash(u1, v1, o.key)};
        out[i] = octave_blend(hash, (float)(u - (double)iu), (float)(v - (double)iv));
    }
}
