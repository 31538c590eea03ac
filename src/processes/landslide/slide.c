// SPDX-License-Identifier: MIT
// Preparation of a slide: ground, grains, and the parcels of soil attached to them.
#include "processes/landslide/landslide_internal.h"

#include <string.h>

// Copy the grains and set their displacement to 0.
static wadi_result slide_place(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    WADI_ALLOC(context, s->now, s->count, "grains of a slide");
    WADI_ALLOC(context, s->way, s->count, "ways of grains");
    WADI_ALLOC(context, s->last, s->count, "ways of grains");
    memcpy(s->now, s->grains, (size_t)s->count * sizeof *s->now);
    for (int32_t i = 0; i < s->count; ++i)
    {
        memcpy(s->last[i], s->grains[i].position, sizeof s->last[i]);
    }
    return WADI_OK;
}

wadi_result wadi_slide_prepare(slide* s)
{
    WADI_TRY(wadi_slide_land_create(s));
    WADI_TRY(wadi_slide_pack(s));
    if (s->count == 0)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_slide_attach_parcels(s));
    return slide_place(s);
}

void wadi_slide_destroy(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    if (s->wet != NULL)
    {
        wadi_wet_grains_destroy(s->wet);
    }
    else
    {
        wadi_grains_destroy(s->world);
    }
    wadi_slide_land_destroy(context, &s->land);
    wadi_free(context, s->grains);
    wadi_free(context, s->homes);
    wadi_free(context, s->parcels);
    wadi_free(context, s->now);
    wadi_free(context, s->way);
    wadi_free(context, s->last);
    wadi_free(context, s->left);
    wadi_free(context, s->entrained);
    wadi_free(context, s->worn);
    wadi_free(context, s->taken_up);
    wadi_free(context, s->load);
    wadi_free(context, s->fraction);
    wadi_free(context, s->scratch);
}
