// SPDX-License-Identifier: MIT
#include "maps/render/palette.h"

#include "core/internal.h"

#include <math.h>

enum
{
    PALETTE_BEDS = 28 // beds of rock between the lowest and the highest ground
};

typedef struct palette_inks
{
    uint32_t low_ground, high_ground, rock, high_rock, loose, wood, snow;
} palette_inks;

static const palette_inks palette_sets[WADI_RENDER_PALETTE_COUNT] = {
    {0x7F8456, 0xA89F76, 0x8C857C, 0xB3AFA9, 0xCDBF96, 0x4A6136, 0xF6F8FA}, // alpine
    {0xD3A871, 0xD9AE7C, 0xA9603F, 0xC58A5E, 0xEBCB94, 0x7C8150, 0xF6F8FA}, // desert
    {0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8}, // clay
    {0x6E9A60, 0xD9C88E, 0xB08B62, 0xE9E4DC, 0xE9DCB0, 0x4E7A46, 0xFFFFFF}, // atlas
};

wadi_result wadi_palette_create(const render_relief* r, const wadi_render_params* params,
                                render_palette* out)
{
    const palette_inks* inks = &palette_sets[params->palette];
    *out = (render_palette){
        .kind = (wadi_render_palette)params->palette,
        .low_ground = wadi_rgb_of_hex(inks->low_ground),
        .high_ground = wadi_rgb_of_hex(inks->high_ground),
        .rock = wadi_rgb_of_hex(inks->rock),
        .high_rock = wadi_rgb_of_hex(inks->high_rock),
        .loose = wadi_rgb_of_hex(inks->loose),
        .wood = wadi_rgb_of_hex(inks->wood),
        .snow = wadi_rgb_of_hex(inks->snow),
        .unknown = wadi_rgb_of_hex(0x9C9C9C),
        .snow_line = params->snow_line < 1.0
                         ? r->base + (float)params->snow_line * (r->high - r->base)
                         : INFINITY,
    };
    if (r->overlay == NULL)
    {
        return WADI_OK;
    }
    const bool draped = params->overlay_place == WADI_RENDER_DRAPE;
    out->opacity = draped ? (float)params->overlay_opacity : 0.0f;
    return wadi_overlay_scale_create(r, params, &out->overlay);
}

static float palette_share(const render_relief* r, float z)
{
    return r->high > r->base ? (z - r->base) / (r->high - r->base) : 0.5f;
}

// Random number in [0, 1] of each bed.
static float palette_bed(int32_t bed)
{
    uint32_t h = (uint32_t)bed * 0x9E3779B1u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 13;
    return (float)(h >> 8) * 0x1p-24f;
}

// Brightness of bedded rock: beds of random tone with soft boundaries.
static float palette_beds(float share)
{
    const float at = (share + 1.0f) * (float)PALETTE_BEDS;
    const int32_t bed = (int32_t)at;
    const float edge = smooth(0.6f, 1.0f, at - (float)bed);
    const float tone = palette_bed(bed) + edge * (palette_bed(bed + 1) - palette_bed(bed));
    return 0.78f + 0.44f * tone;
}

// Atlas: colours by elevation only, through the four inks from lowland to summit.
static rgb palette_atlas(const render_palette* p, float share)
{
    if (share < 0.4f)
    {
        return rgb_mix(p->low_ground, p->high_ground, share / 0.4f);
    }
    return share < 0.75f ? rgb_mix(p->high_ground, p->rock, (share - 0.4f) / 0.35f)
                         : rgb_mix(p->rock, p->high_rock, (share - 0.75f) / 0.25f);
}

// Bare ground: soil on gentle slopes, rock on steep ones. Soil holds up to about 30 degrees, and to
// steeper slopes at low elevation.
static rgb palette_bare(const render_palette* p, float share, float steepness)
{
    if (p->kind == WADI_RENDER_ATLAS)
    {
        return palette_atlas(p, share);
    }
    rgb rock = rgb_mix(p->rock, p->high_rock, smooth(0.2f, 0.9f, share));
    if (p->kind == WADI_RENDER_DESERT)
    {
        rock = rgb_scale(rock, palette_beds(share));
    }
    const rgb soil = rgb_mix(p->low_ground, p->high_ground, smooth(0.05f, 0.65f, share));
    const float hold = 0.62f - 0.25f * share;
    return rgb_mix(soil, rock, smooth(hold - 0.22f, hold + 0.14f, steepness));
}

rgb wadi_palette_ground(const render_palette* p, const render_relief* r, ptrdiff_t i,
                        float steepness)
{
    if (r->hole[i] != 0)
    {
        return p->unknown;
    }
    const float z = r->ground[i];
    rgb colour = palette_bare(p, fmaxf(palette_share(r, z), 0.0f), steepness);
    if (r->sediment != NULL)
    {
        // half covered at 0.5 m; a thin cover is invisible on steep ground, a thick one (slip
        // faces, scree) visible up to its angle of repose
        const float cells = r->sediment[i] / r->exaggeration;
        const float metres = cells * r->cell;
        const float thick = smooth(0.15f, 0.6f, cells);
        const float bare = smooth(0.35f + 0.4f * thick, 0.7f + 0.3f * thick, steepness);
        const float lies = metres / (metres + 0.5f) * (1.0f - bare);
        colour = rgb_mix(colour, p->loose, 0.85f * clamp01(lies));
    }
    if (r->vegetation != NULL)
    {
        colour = rgb_mix(colour, p->wood, 0.9f * clamp01(r->vegetation[i]));
    }
    const float band = 0.04f * (r->high - r->base) + 1e-6f;
    const float snow =
        smooth(-band, band, z - p->snow_line) * (1.0f - smooth(0.8f, 1.3f, steepness));
    colour = rgb_mix(colour, p->snow, snow);
    const float cover = p->opacity > 0.0f ? wadi_overlay_cover(&p->overlay, r->overlay[i]) : 0.0f;
    if (cover > 0.0f)
    {
        const rgb ink =
            wadi_rgb_ramp(p->overlay.ramp, wadi_overlay_share(&p->overlay, r->overlay[i]));
        colour = rgb_mix(colour, ink, p->opacity * cover);
    }
    return colour;
}

rgb wadi_palette_rock(const render_palette* p, const render_relief* r, float z)
{
    const float tone = p->kind == WADI_RENDER_CLAY ? 1.0f : palette_beds(palette_share(r, z));
    return rgb_scale(p->rock, 0.75f * tone);
}
