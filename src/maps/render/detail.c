// SPDX-License-Identifier: MIT
// Noise that is as fine as the pixels, wherever the camera is. Its longest waves are those of the
// noise in the colours of cells, so that far ground has none of it.
#include "maps/render/detail.h"
#include "maps/render/texture.h"

#include <math.h>

static const float detail_finest = 0.4f;  // waves [cells]
static const float detail_longest = 3.4f; // the colours of cells have longer ones
static const float detail_pixels = 2.2f;  // of the shortest wave that a picture shows
static const float detail_faint = 0.05f;  // share below which waves are left out

// A point of the ground: noise of soil lies on the map, that of rock down the fall line.
typedef struct detail_place
{
    float x, y, z; // [cells]
    float slope_x, slope_y;
    float cell; // [m]
    const sunlight* light;
} detail_place;

// How bright one octave of bumps is: hollows are dark, and so are slopes that turn from the sun.
static float detail_shade(texture_bump bump)
{
    return 0.35f * bump.height - 0.4f * bump.slope;
}

// Crowns, tufts and stones, less of them the longer the wave: plains of many kilometres have fields
// and woods, not hummocks. Each octave is turned against the next, since noise of a lattice shows
// its axes.
static float detail_tufts(const detail_place* at, float length, uint32_t key)
{
    const float turn = (key & 1u) != 0u ? 0.6f : -0.6f;
    const float u = 0.8f * at->x + turn * at->y + 8192.0f;
    const float v = -turn * at->x + 0.8f * at->y + 8192.0f;
    const float du = 0.8f * at->light->along_x + turn * at->light->along_y;
    const float dv = -turn * at->light->along_x + 0.8f * at->light->along_y;
    const float low = 1.0f - 0.75f * smooth(40.0f, 250.0f, length * at->cell);
    return low * detail_shade(texture_relief(u, v, length, key, du, dv));
}

// Ribs of rock: places are distances across one of four directions, and heights.
static float detail_rib(const detail_place* at, float length, uint32_t key, float dx, float dy)
{
    const float along = dx * at->x + dy * at->y + 8192.0f;
    const float height = clamp(0.6f * at->z, -8192.0f, 1e6f) + 8192.0f; // voids too
    const float sun = dx * at->light->along_x + dy * at->light->along_y;
    return detail_shade(texture_relief(along, height, length, key, sun, 0.0f));
}

// They lie across the nearest two of the directions (as in light_kernel.c).
static float detail_ribs(const detail_place* at, float length, uint32_t key)
{
    const float half = 0.70710678f;
    const float ax = fabsf(at->slope_x);
    const float ay = fabsf(at->slope_y);
    const float less = ax < ay ? ax : ay;
    const float more = ax < ay ? ay : ax;
    const float axis = detail_rib(at, length, key, ax < ay ? 1.0f : 0.0f, ax < ay ? 0.0f : 1.0f);
    const float side = at->slope_x * at->slope_y > 0.0f ? -half : half;
    const float diagonal = detail_rib(at, length, key, half, side);
    return axis + texture_ease(0.999f * less / (more + 1e-6f)) * (diagonal - axis);
}

static float detail_octave(const detail_place* at, float length, uint32_t key, float rock)
{
    const bool ribbed = (key & 1u) != 0u;
    const float tufts =
        !ribbed || rock < 1.0f ? (1.0f - 0.5f * rock) * detail_tufts(at, length, key) : 0.0f;
    return ribbed && rock > 0.0f ? tufts + rock * (1.2f * detail_ribs(at, length, key) - tufts)
                                 : tufts;
}

static detail_place detail_at(const render_relief* r, const relief_point* at, float x, float y,
                              const sunlight* light)
{
    const float* g = r->ground;
    const float south = at->w01 + at->w11;
    const float east = at->w10 + at->w11;
    const float top = g[at->i10] - g[at->i00];
    const float left = g[at->i01] - g[at->i00];
    return (detail_place){.x = x,
                          .y = y,
                          .z = relief_read(g, at),
                          .slope_x = top + south * (g[at->i11] - g[at->i01] - top),
                          .slope_y = left + east * (g[at->i11] - g[at->i10] - left),
                          .cell = r->cell,
                          .light = light};
}

static float detail_rough(const render_relief* r, const relief_point* at)
{
    const uint8_t* rough = r->rough;
    return (at->w00 * (float)rough[at->i00] + at->w10 * (float)rough[at->i10] +
            at->w01 * (float)rough[at->i01] + at->w11 * (float)rough[at->i11]) *
           (1.0f / 255.0f);
}

float wadi_picture_detail(const render_relief* r, const relief_point* at, float x, float y,
                          float pixel, const sunlight* light)
{
    const float shortest = detail_pixels * pixel;
    float length = detail_finest;
    uint32_t octave = 16u;
    while (length < shortest)
    {
        length *= 2.0f;
        octave += 1u;
    }
    const float rough = length < detail_longest ? detail_rough(r, at) : 0.0f;
    if (rough <= 0.02f)
    {
        return 1.0f;
    }
    const detail_place place = detail_at(r, at, x, y, light);
    const float rock = smooth(0.6f, 0.8f, rough);
    const float fine = clamp01(length / (shortest + 1e-6f) - 1.0f);
    const float shares[3] = {fine, 1.0f, 1.0f - fine};
    float sum = 0.0f;
    for (uint32_t k = 0; k < 3u && length < detail_longest; ++k)
    {
        sum += shares[k] > detail_faint
                   ? shares[k] * detail_octave(&place, length, octave + k, rock)
                   : 0.0f;
        length *= 2.0f;
    }
    const float sun = 0.3f + 0.7f * relief_read(r->sun, at);
    return clamp(1.0f + clamp01(1.6f * rough) * sun * sum, 0.4f, 1.6f);
}
