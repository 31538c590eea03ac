// SPDX-License-Identifier: MIT
#include "maps/render/overlay.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>
#include <stdlib.h>

enum
{
    OVERLAY_SAMPLES = 1 << 16 // most values sampled for the percentiles
};

static float overlay_value(float value, bool logarithmic)
{
    return logarithmic ? wadi_log2f(fmaxf(value, 1e-30f)) : value;
}

static int overlay_compare(const void* a, const void* b)
{
    const float x = *(const float*)a;
    const float y = *(const float*)b;
    return (x > y) - (x < y);
}

// Values of every n-th cell with data; only positive ones for a logarithmic ramp.
static size_t overlay_gather(const render_relief* r, bool logarithmic, float* values)
{
    const size_t cells = (size_t)r->width * (size_t)r->height;
    const size_t every = cells / OVERLAY_SAMPLES + 1;
    size_t count = 0;
    for (size_t i = 0; i < cells; i += every)
    {
        const float value = r->overlay[i];
        if (isfinite(value) && (!logarithmic || value > 0.0f))
        {
            values[count++] = overlay_value(value, logarithmic);
        }
    }
    return count;
}

static wadi_result overlay_percentiles(const render_relief* r, overlay_scale* scale)
{
    float* values;
    WADI_ALLOC(r->context, values, OVERLAY_SAMPLES, "the range of the overlay map");
    const size_t count = overlay_gather(r, scale->logarithmic, values);
    if (count > 0)
    {
        qsort(values, count, sizeof *values, overlay_compare);
        scale->low = values[count / 100];
        scale->high = values[count - 1 - count / 100];
        if (scale->high <= scale->low) // most of the map has one value
        {
            scale->low = values[0];
            scale->high = values[count - 1];
        }
    }
    wadi_free(r->context, values);
    return WADI_OK;
}

wadi_result wadi_overlay_scale_create(const render_relief* r, const wadi_render_params* params,
                                      overlay_scale* out)
{
    const bool logarithmic = params->overlay_log;
    *out = (overlay_scale){.low = overlay_value((float)params->overlay_min, logarithmic),
                           .high = overlay_value((float)params->overlay_max, logarithmic),
                           .logarithmic = logarithmic,
                           .ramp = (wadi_render_ramp)params->ramp};
    if (params->overlay_min == params->overlay_max)
    {
        WADI_TRY(overlay_percentiles(r, out));
    }

    // centre the ramp on zero, where it is white
    if (out->ramp == WADI_RENDER_RAMP_BALANCE && params->overlay_min == params->overlay_max)
    {
        out->high = fmaxf(fabsf(out->low), fabsf(out->high));
        out->low = -out->high;
    }
    return WADI_OK;
}

float wadi_overlay_share(const overlay_scale* scale, float value)
{
    const float span = scale->high - scale->low;
    const float over = overlay_value(value, scale->logarithmic) - scale->low;
    return span > 0.0f ? clamp01(over / span) : 0.5f;
}

float wadi_overlay_cover(const overlay_scale* scale, float value)
{
    const bool is_level = !(scale->high > scale->low);
    if (isnan(value) || (value == 0.0f && is_level)) // a map of zeros draws nothing
    {
        return 0.0f;
    }
    const float share = wadi_overlay_share(scale, value);
    if (scale->ramp == WADI_RENDER_RAMP_BALANCE)
    {
        return smooth(0.02f, 0.3f, fabsf(share - 0.5f));
    }

    // for logarithmic maps hide the lower half of the ramp, which is hillslopes, to show rivers
    return scale->logarithmic ? smooth(0.3f, 0.75f, share) : smooth(0.02f, 0.45f, share);
}
