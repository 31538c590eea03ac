// SPDX-License-Identifier: MIT
#include "maps/render/palette.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    PALETTE_BEDS = 28 // beds of rock between the lowest and the highest ground
};

// Wet soil reflects about half as much light as dry soil: Lobell & Asner (2002), Soil Sci. Soc. Am.
// J. 66, 722-727.
static const float palette_wet_loss = 0.5f;

typedef struct palette_inks
{
    uint32_t low_ground, high_ground, rock, high_rock, hard_rock, loose, wood, snow;
} palette_inks;

static const palette_inks palette_sets[WADI_RENDER_PALETTE_COUNT] = {
    // alpine: meadow, grass of the heights, rock
    {0x6A7146, 0x82805A, 0x7C7A76, 0xA2A2A1, 0x6B6966, 0xB4AB93, 0x37462C, 0xF6F8FA},
    // desert
    {0xD3A871, 0xD9AE7C, 0xA9603F, 0xC58A5E, 0x93492E, 0xEBCB94, 0x7C8150, 0xF6F8FA},
    // clay
    {0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8, 0xC9C2B8},
    // atlas
    {0x6E9A60, 0xD9C88E, 0xB08B62, 0xE9E4DC, 0xB08B62, 0xE9DCB0, 0x4E7A46, 0xFFFFFF},
    // badlands
    {0xA9A382, 0xB9A98C, 0xB7AFA2, 0xAF7F66, 0x8F6A5A, 0xD3CBBB, 0x7B7A50, 0xF6F8FA},
    // relief
    {0xE6E5E2, 0xE6E5E2, 0xE6E5E2, 0xE6E5E2, 0xE6E5E2, 0xE6E5E2, 0xE6E5E2, 0xE6E5E2},
};

// One colour, without beds and texture.
static bool palette_is_plain(const render_palette* p)
{
    return p->kind == WADI_RENDER_CLAY || p->kind == WADI_RENDER_RELIEF;
}

wadi_result wadi_palette_create(const render_relief* r, const wadi_render_params* params,
                                render_palette* out)
{
    const palette_inks* inks = &palette_sets[params->palette];
    const float metres = (r->high - r->base) / r->exaggeration * r->cell;
    const double azimuth = params->sun_azimuth / 57.29577951308232;
    *out = (render_palette){
        .kind = (wadi_render_palette)params->palette,
        .low_ground = wadi_rgb_of_hex(inks->low_ground),
        .high_ground = wadi_rgb_of_hex(inks->high_ground),
        .rock = wadi_rgb_of_hex(inks->rock),
        .high_rock = wadi_rgb_of_hex(inks->high_rock),
        .hard_rock = wadi_rgb_of_hex(inks->hard_rock),
        .loose = wadi_rgb_of_hex(inks->loose),
        .wood = wadi_rgb_of_hex(inks->wood),
        .snow = wadi_rgb_of_hex(inks->snow),
        .unknown = wadi_rgb_of_hex(0x9C9C9C),
        .river = wadi_rgb_of_hex(0x5E8AA3),
        .plants = params->palette == WADI_RENDER_ALPINE
                      ? (float)params->plants * smooth(50.0f, 500.0f, metres)
                      : 0.0f,
        .sun_x = (float)wadi_sin(azimuth),
        .sun_y = (float)-wadi_cos(azimuth),
        .bed = fmaxf(5.0f, (r->high - r->base) / 40.0f),
        .tall = smooth(0.0f, 900.0f, metres),
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

// What decides the colour of a cell.
typedef struct palette_place
{
    float share;     // of the relief [0, 1]
    float belt;      // the same for plants: they know low hills from mountains
    float steepness; // true slope [m/m]
    float hollow;    // above 0 in hollows, below 0 on crests: change of slope [m/m]
    float sunny;     // -1 to 1: slopes that face away from the sun, or to it
    float broad;     // noise in [-1, 1] over many cells
    float fine;      // noise in [-1, 1] over a few cells
    float crack;     // marks of rock in [-1, 1] along the fall line
    float stratum;   // the same, nearly level
    float tidal;     // share of ground that the sea keeps bare: all below its level
    float sunk;      // share of it that lies too deep for beaches: mud, weed and dark rock
} palette_place;

// Mean height of four cells around (x, y) at a distance of two cells of the land, less its own, as
// a slope.
static float palette_hollow(const render_relief* r, int32_t x, int32_t y)
{
    const int32_t reach = 2 * r->refined;
    if (x < reach || y < reach || x + reach >= r->width || y + reach >= r->height)
    {
        return 0.0f;
    }
    const float* here = r->ground + (ptrdiff_t)y * r->width + x;
    const ptrdiff_t down = (ptrdiff_t)reach * r->width;
    const float mean = 0.25f * (here[-reach] + here[reach] + here[-down] + here[down]);
    const float hollow = (mean - *here) / ((float)reach * r->exaggeration);
    return isnan(hollow) ? 0.0f : hollow;
}

// Nothing but grains and rock lies where tides and waves come, up to half a metre above the sea,
// and on stones up to some metres high that such ground surrounds.
static float palette_tidal(const render_relief* r, float z, float hollow)
{
    const float metres = r->cell / r->exaggeration;
    const float above = (z - r->base) * metres;
    const float beside = above + hollow * 2.0f * (float)r->refined * r->cell;
    return 1.0f - smooth(0.0f, 0.5f, clamp(beside, above - 4.0f, above));
}

static palette_place palette_look(const render_palette* p, const render_relief* r,
                                  const palette_cell* c)
{
    const float z = r->ground[(ptrdiff_t)c->y * r->width + c->x];
    const float share = palette_share(r, z);
    const float above = share > 0.0f ? share : 0.0f;
    const float slope = sqrtf(c->slope_x * c->slope_x + c->slope_y * c->slope_y);
    const float hollow = palette_hollow(r, c->x, c->y);
    const bool coast = p->plants > 0.0f && r->has_sea;
    return (palette_place){
        .share = above,
        .belt = above * p->tall,
        .steepness = slope / r->exaggeration,
        .hollow = hollow,
        .sunny = -(c->slope_x * p->sun_x + c->slope_y * p->sun_y) / (slope + 0.05f),
        .broad = c->broad,
        .fine = c->fine,
        .crack = c->crack,
        .stratum = c->stratum,
        .tidal = coast ? palette_tidal(r, z, hollow) : 0.0f,
        .sunk = coast ? smooth(0.5f, 5.0f, (r->base - z) * r->cell / r->exaggeration) : 0.0f,
    };
}

// Scree lies below cliffs: on slopes near its angle of repose that are steeper above. It is pale,
// and chutes between cracks bring it down in stripes.
static float palette_scree(const palette_place* at)
{
    const float foot = smooth(0.0f, 0.09f, at->hollow + 0.06f * at->crack + 0.02f * at->broad);
    const float holds = smooth(0.38f, 0.52f, at->steepness) - smooth(0.82f, 1.0f, at->steepness);
    return 0.8f * foot * (holds > 0.0f ? holds : 0.0f);
}

// Grey rock where it is steep: beds in some places and cracks down the fall line in others, dark
// where they are deep. Both everywhere look like fur on round ground.
static rgb palette_crag(const render_palette* p, const palette_place* at, rgb rock)
{
    const float steep = smooth(0.4f, 0.8f, at->steepness);
    const float middle = at->crack < 0.0f ? -at->crack : at->crack;
    const float deep = smooth(0.2f, 0.0f, middle); // lines along which the noise is 0
    const float bedded = smooth(-0.3f, 0.6f, at->broad);
    const float cracked = 1.0f - bedded;
    const float tone = 0.08f * at->crack + 0.05f * at->fine +
                       steep * (0.36f * bedded * at->stratum - 0.24f * cracked * deep);
    const rgb scree = rgb_mix(p->loose, p->high_rock, 0.6f);
    return rgb_mix(rgb_scale(rock, 1.0f + tone), rgb_scale(scree, 1.0f + 0.1f * at->fine),
                   palette_scree(at));
}

// Hardness of the rock around a cell. Beds crop out in lines a cell wide, which zigzag from cell to
// cell: the mean of 3 x 3 cells, weighted 1 2 1 along both axes, follows the bed.
static float palette_hardness(const render_relief* r, ptrdiff_t i)
{
    const int32_t x = (int32_t)(i % r->width);
    const int32_t y = (int32_t)(i / r->width);
    float sum = 0.0f;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t dx = k % 3 - 1;
        const int32_t dy = k / 3 - 1;
        const bool inside = x + dx >= 0 && x + dx < r->width && y + dy >= 0 && y + dy < r->height;
        const float weight = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f);
        sum += weight * r->hardness[inside ? i + dx + (ptrdiff_t)dy * r->width : i];
    }
    return sum / 16.0f;
}

// Rock: paler on the heights, hard beds darker, in beds in the desert.
static rgb palette_stone(const render_palette* p, const render_relief* r, ptrdiff_t i,
                         const palette_place* at)
{
    rgb rock = rgb_mix(p->rock, p->high_rock, smooth(0.2f, 0.9f, at->share));
    if (p->kind == WADI_RENDER_DESERT || p->kind == WADI_RENDER_BADLANDS)
    {
        rock = rgb_scale(rock, palette_beds(at->share + 0.002f * at->broad));
    }
    if (p->kind == WADI_RENDER_ALPINE)
    {
        rock = palette_crag(p, at, rock);
    }
    if (r->hardness != NULL)
    {
        rock = rgb_mix(rock, p->hard_rock, smooth(0.2f, 0.8f, palette_hardness(r, i)));
    }
    return rock;
}

// Soil with the plants that grow on it: forest up to the tree line on slopes that hold soil, denser
// in hollows and in the shade; meadows and woods on level ground, meadows above.
static rgb palette_soil(const render_palette* p, const palette_place* at)
{
    const float height = at->belt + 0.06f * at->broad + 0.02f * at->fine;
    const rgb soil = rgb_mix(p->low_ground, p->high_ground, smooth(0.15f, 0.7f, height));
    const float line = 0.52f + 0.5f * clamp(at->hollow, -0.1f, 0.1f) - 0.05f * at->sunny;
    const float below = 1.0f - smooth(line - 0.07f, line + 0.07f, height);
    const float slope = smooth(-0.1f, 0.2f, at->steepness + 0.15f * at->broad + 0.06f * at->fine);
    const float patchy =
        smooth(-0.7f, 0.1f, at->broad + 0.7f * at->fine - 0.5f * at->sunny + 5.0f * at->hollow);
    const rgb grown = rgb_mix(soil, p->wood, p->plants * below * slope * patchy);
    const rgb beach = rgb_mix(p->loose, p->rock, 0.5f);
    const rgb floor = rgb_scale(rgb_mix(p->rock, p->wood, 0.6f), 0.8f + 0.3f * at->fine);
    return rgb_mix(grown, rgb_mix(beach, floor, at->sunk), p->plants * at->tidal);
}

// Soil, or rock, or both, by the share of rock.
static rgb palette_slope(const render_palette* p, const render_relief* r, ptrdiff_t i,
                         const palette_place* at, float share)
{
    if (share <= 0.0f)
    {
        return palette_soil(p, at);
    }
    const rgb rock = palette_stone(p, r, i, at);
    return share >= 1.0f ? rock : rgb_mix(palette_soil(p, at), rock, share);
}

// How rough soil is: crowns of trees and tufts, and stones where it is bare, fewer on level ground.
static float palette_tufts(const render_palette* p, const palette_place* at)
{
    const float stones = smooth(0.02f, 0.25f, at->steepness);
    return 0.5f * p->plants + 0.28f * (1.0f - p->plants) * stones;
}

// Bare ground: soil on gentle slopes, rock on steep ones; a sharp crest counts as steep as its
// flanks. Soil holds up to about 40 degrees under plants, less on the heights.
static palette_ground palette_bare(const render_palette* p, const render_relief* r, ptrdiff_t i,
                                   const palette_place* at)
{
    if (p->kind == WADI_RENDER_ATLAS)
    {
        return (palette_ground){palette_atlas(p, at->share), 0.0f};
    }
    const float wild = palette_is_plain(p) ? 0.0f : 1.0f;
    const float grown = p->plants * (1.0f - smooth(0.3f, 0.62f, at->belt));
    const float hold =
        0.62f + 0.30f * grown - 0.2f * at->belt +
        wild * (0.8f * clamp(at->hollow, 0.0f, 0.12f) + 0.07f * at->broad + 0.09f * at->fine);
    const float flanks =
        at->steepness + wild * (1.0f - grown) * 1.6f * clamp(-at->hollow, 0.0f, 0.5f);
    const float stone = smooth(-0.14f, 0.08f, flanks - hold);
    const rgb bare = palette_slope(p, r, i, at, stone);
    const float carved = 0.7f * clamp(at->hollow, -0.2f, 0.2f); // gullies are darker than crests
    const float soil = palette_tufts(p, at);
    return (palette_ground){
        rgb_scale(bare, 1.0f + wild * (0.09f * at->fine + 0.05f * at->broad - carved)),
        wild * (soil + stone * (1.0f - soil))};
}

// The same colour and roughness, some of it under another.
static palette_ground palette_under(palette_ground ground, rgb colour, float rough, float share)
{
    return (palette_ground){rgb_mix(ground.colour, colour, share),
                            ground.rough + share * (rough - ground.rough)};
}

// Loose matter under the plants of its belt, which cover it but for bare spots: a plain of gravel
// and mud is as green as the slopes beside it, up to where these are rock. On steep ground less of
// it is covered. Where it is steeper than sand can lie, it is rubble of the colour of rock.
static palette_ground palette_overgrown(const render_palette* p, const palette_place* at)
{
    const float belt = 1.0f - smooth(0.72f, 1.0f, at->belt + 0.05f * at->broad);
    const float soil = 1.0f - smooth(0.3f, 0.7f, at->steepness);
    const float spots = 1.0f + 0.1f * at->fine + 0.04f * at->broad;
    const float grown = clamp01(p->plants * belt * soil * spots);
    const float rubble = palette_is_plain(p) ? 0.0f : smooth(0.65f, 0.85f, at->steepness);
    const rgb stones = rgb_scale(p->rock, 1.0f + 0.15f * at->fine);
    const rgb loose = rgb_mix(p->loose, stones, 0.7f * rubble);
    return (palette_ground){rgb_mix(loose, palette_soil(p, at), grown),
                            0.5f * grown + 0.9f * (1.0f - grown) * rubble};
}

// Half covered at 0.5 m; a thin cover is invisible on steep ground, a thick one (slip faces, scree)
// visible up to its angle of repose.
static float palette_loose(const render_relief* r, ptrdiff_t i, float steepness)
{
    const float cells = r->sediment[i] / r->exaggeration;
    const float metres = cells * r->cell;
    const float thick = smooth(0.15f, 0.6f, cells);
    const float bare = smooth(0.35f + 0.4f * thick, 0.7f + 0.3f * thick, steepness);
    return 0.85f * clamp01(metres / (metres + 0.5f) * (1.0f - bare));
}

// Snow lies above its line, lower in the shade and in hollows, and not on steep faces.
static float palette_snow(const render_palette* p, const render_relief* r, ptrdiff_t i,
                          const palette_place* at)
{
    const float band = 0.04f * (r->high - r->base) + 1e-6f;
    const float above = r->ground[i] - p->snow_line +
                        band * (1.0f * at->broad + 0.8f * at->fine - 1.0f * at->sunny +
                                16.0f * clamp(at->hollow, -0.15f, 0.15f));
    return smooth(-0.6f * band, 0.6f * band, above) *
           (1.0f - smooth(0.75f, 1.15f, at->steepness - at->hollow + 0.1f * at->fine));
}

// Share of a cell that is a hole. Its edge is rounded and ragged, since holes consist of cells of
// the land.
static float palette_unknown(const render_relief* r, const palette_cell* c)
{
    const int32_t reach = 1 + r->refined / 2;
    int32_t holes = 0;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t x = c->x + (k % 3 - 1) * reach;
        const int32_t y = c->y + (k / 3 - 1) * reach;
        const bool inside = x >= 0 && y >= 0 && x < r->width && y < r->height;
        holes += inside ? r->hole[(ptrdiff_t)y * r->width + x] : 0;
    }
    return holes == 9 ? 1.0f : smooth(2.5f, 5.5f, (float)holes + 1.5f * c->fine);
}

// Holes are hatched, as on maps: even grey looks like snow or ice. A line and a gap are an
// eightieth of the picture's grid.
static rgb palette_hatched(const render_palette* p, const render_relief* r, const palette_cell* c)
{
    const float period = fmaxf(4.0f, (float)r->width / 80.0f);
    const float at = (float)(c->x + c->y) / period;
    const float part = at - (float)(int32_t)at;
    const float line = smooth(0.08f, 0.22f, fabsf(part - 0.5f));
    return rgb_scale(p->unknown, 0.62f + 0.18f * line);
}

palette_ground wadi_palette_ground(const render_palette* p, const render_relief* r,
                                   const palette_cell* cell)
{
    const ptrdiff_t i = (ptrdiff_t)cell->y * r->width + cell->x;
    const float unknown = r->has_holes ? palette_unknown(r, cell) : 0.0f;
    if (unknown == 1.0f)
    {
        return (palette_ground){palette_hatched(p, r, cell), 0.0f};
    }
    const palette_place at = palette_look(p, r, cell);
    palette_ground ground = palette_bare(p, r, i, &at);
    if (r->sediment != NULL && r->sediment[i] > 0.0f)
    {
        const palette_ground loose = palette_overgrown(p, &at);
        ground =
            palette_under(ground, loose.colour, loose.rough, palette_loose(r, i, at.steepness));
    }
    if (r->moisture != NULL && !palette_is_plain(p))
    {
        ground.colour = rgb_scale(ground.colour, 1.0f - palette_wet_loss * clamp01(r->moisture[i]));
    }
    if (r->vegetation != NULL)
    {
        ground = palette_under(ground, p->wood, 0.5f, 0.9f * clamp01(r->vegetation[i]));
    }
    if (r->rivers != NULL)
    {
        ground = palette_under(ground, p->river, 0.0f, r->rivers[i]);
    }
    if (p->snow_line < r->high)
    {
        ground = palette_under(ground, p->snow, 0.1f, palette_snow(p, r, i, &at));
    }
    if (unknown > 0.0f)
    {
        ground = palette_under(ground, palette_hatched(p, r, cell), 0.0f, unknown);
    }
    const float cover = p->opacity > 0.0f ? wadi_overlay_cover(&p->overlay, r->overlay[i]) : 0.0f;
    if (cover > 0.0f)
    {
        const rgb ink =
            wadi_rgb_ramp(p->overlay.ramp, wadi_overlay_share(&p->overlay, r->overlay[i]));
        ground = palette_under(ground, ink, 0.0f, p->opacity * cover);
    }
    return ground;
}

rgb wadi_palette_rock(const render_palette* p, const render_relief* r, float z)
{
    const float tone = palette_is_plain(p) ? 1.0f : palette_beds(palette_share(r, z));
    return rgb_scale(p->rock, 0.75f * tone);
}
