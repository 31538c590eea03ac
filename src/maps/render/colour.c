// SPDX-License-Identifier: MIT
#include "maps/render/colour.h"

#include "core/dmath.h"
#include "maps/render/colour_kernels.h"

static float colour_decode(uint32_t byte)
{
    const float c = (float)byte / 255.0f;
    return c <= 0.04045f ? c / 12.92f : wadi_powf((c + 0.055f) / 1.055f, 2.4f);
}

rgb wadi_rgb_of_hex(uint32_t hex)
{
    return (rgb){colour_decode(hex >> 16 & 255u), colour_decode(hex >> 8 & 255u),
                 colour_decode(hex & 255u)};
}

void wadi_rgb_encode(const rgb* colours, uint32_t pixel, int32_t count, uint8_t* out)
{
    colour_kernels_of(wadi_isa_best())->encode(&colours->r, 3u * pixel, 3 * count, out);
}

// Ramps in Oklab (Ottosson 2020), where equal steps look equal. The balance ramp is lightest in the
// middle; the lightness of the others is linear.
enum
{
    RAMP_KNOTS = 5
};

typedef struct oklab
{
    float l;
    float a;
    float b;
} oklab;

static const oklab colour_ramps[WADI_RENDER_RAMP_COUNT][RAMP_KNOTS] = {
    {{0.95f, -0.03f, 0.02f},
     {0.79f, -0.07f, -0.05f},
     {0.63f, -0.06f, -0.11f},
     {0.47f, -0.03f, -0.14f},
     {0.31f, 0.00f, -0.13f}},
    {{0.20f, 0.05f, -0.08f},
     {0.39f, 0.13f, -0.04f},
     {0.58f, 0.15f, 0.07f},
     {0.77f, 0.06f, 0.13f},
     {0.96f, -0.02f, 0.09f}},
    {{0.40f, -0.02f, -0.14f},
     {0.68f, -0.04f, -0.09f},
     {0.96f, 0.00f, 0.00f},
     {0.68f, 0.11f, 0.06f},
     {0.40f, 0.14f, 0.07f}},
    {{0.15f, 0.0f, 0.0f},
     {0.36f, 0.0f, 0.0f},
     {0.57f, 0.0f, 0.0f},
     {0.78f, 0.0f, 0.0f},
     {0.99f, 0.0f, 0.0f}},
    {{0.95f, 0.00f, 0.04f},
     {0.79f, 0.03f, 0.10f},
     {0.63f, 0.06f, 0.11f},
     {0.47f, 0.07f, 0.08f},
     {0.31f, 0.05f, 0.05f}},
};

static rgb colour_of_oklab(oklab c)
{
    const float l = c.l + 0.3963377774f * c.a + 0.2158037573f * c.b;
    const float m = c.l - 0.1055613458f * c.a - 0.0638541728f * c.b;
    const float s = c.l - 0.0894841775f * c.a - 1.2914855480f * c.b;
    const float l3 = l * l * l;
    const float m3 = m * m * m;
    const float s3 = s * s * s;
    return (rgb){clamp01(4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3),
                 clamp01(-1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3),
                 clamp01(-0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3)};
}

rgb wadi_rgb_ramp(wadi_render_ramp ramp, float share)
{
    const float at = clamp01(share) * (float)(RAMP_KNOTS - 1);
    const int32_t knot = at < (float)(RAMP_KNOTS - 2) ? (int32_t)at : RAMP_KNOTS - 2;
    const float t = at - (float)knot;
    const oklab p = colour_ramps[ramp][knot];
    const oklab q = colour_ramps[ramp][knot + 1];
    return colour_of_oklab(
        (oklab){p.l + t * (q.l - p.l), p.a + t * (q.a - p.a), p.b + t * (q.b - p.b)});
}
