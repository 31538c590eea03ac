// SPDX-License-Identifier: MIT
// A slide before it moves: ground, grains, and the soil on each of them.
#include "landslide/landslide_internal.h"

#include <string.h>

// Where grains are, and the way they have gone: none.
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

wadi_result slide_prepare(slide* s)
{
    WADI_TRY(slide_land_create(s));
    WADI_TRY(slide_pack(s));
    if (s->count == 0)
    {
        return WADI_OK;
    }
    WADI_TRY(slide_tie(s));
    return slide_place(s);
}

void slide_destroy(slide* s)
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
    slide_land_destroy(context, &s->land);
    wadi_free(context, s->grains);
    wadi_free(context, s->homes);
    wadi_free(context, s->parcels);
    wadi_free(context, s->now);
    wadi_free(context, s->way);
    wadi_free(context, s->last);
    wadi_free(context, s->left);
    wadi_free(context, s->worn);
    wadi_free(context, s->taken_up);
    wadi_free(context, s->load);
    wadi_free(context, s->owed);
    wadi_free(context, s->scratch);
}
