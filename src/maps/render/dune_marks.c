// SPDX-License-Identifier: MIT
// The marks of the shapes of dunes over a grey hillshade.
#include <wadi/dune_shapes.h>

#include "core/internal.h"
#include "maps/render/colour.h"

#include <math.h>

enum
{
    MARKS_MOST = 32 // pixels of a cell
};

typedef struct marks_job
{
    const wadi_field2d* field;
    const float* shade;
    const uint16_t* marks;
    int32_t scale;
    uint8_t* pixels;
} marks_job;

static uint16_t marks_at(const marks_job* job, int32_t x, int32_t y)
{
    const wadi_field2d* f = job->field;
    const bool inside = x >= 0 && y >= 0 && x < f->width && y < f->height;
    return inside ? job->marks[(ptrdiff_t)y * f->width + x] : 0;
}

// Does one of the cells within `reach` have the bit?
static bool marks_near(const marks_job* job, int32_t x, int32_t y, int32_t reach, uint32_t bit)
{
    for (int32_t j = -reach; j <= reach; ++j)
    {
        for (int32_t i = -reach; i <= reach; ++i)
        {
            if (i * i + j * j <= reach * reach + 1 && (marks_at(job, x + i, y + j) & bit) != 0)
            {
                return true;
            }
        }
    }
    return false;
}

// Is a cell of a body at its outline?
static bool marks_outline(const marks_job* job, int32_t x, int32_t y)
{
    return (marks_at(job, x - 1, y) & marks_at(job, x + 1, y) & marks_at(job, x, y - 1) &
            marks_at(job, x, y + 1) & WADI_DUNE_MARK_BODY) == 0;
}

static rgb marks_colour(const marks_job* job, int32_t x, int32_t y)
{
    const uint32_t bits = marks_at(job, x, y);
    const float light = job->shade[(ptrdiff_t)y * job->field->width + x];
    const rgb grey = isnan(light)
                         ? wadi_rgb_of_hex(0x303040)
                         : (rgb){0.1f + 0.75f * light * light, 0.1f + 0.72f * light * light,
                                 0.09f + 0.66f * light * light};
    const bool crescent = (bits & WADI_DUNE_MARK_CRESCENT) != 0;
    const uint32_t dot = marks_near(job, x, y, 2, WADI_DUNE_MARK_STAR)       ? 0xffffff
                         : marks_near(job, x, y, 1, WADI_DUNE_MARK_HORN)     ? 0x00a651
                         : marks_near(job, x, y, 1, WADI_DUNE_MARK_JUNCTION) ? 0xd0208f
                         : marks_near(job, x, y, 1, WADI_DUNE_MARK_END)      ? 0x111111
                                                                             : 0;
    if (dot != 0)
    {
        return wadi_rgb_of_hex(dot);
    }
    if ((bits & WADI_DUNE_MARK_CREST) != 0)
    {
        return wadi_rgb_of_hex(0xe3361c);
    }
    if ((bits & WADI_DUNE_MARK_SMALL) != 0)
    {
        return wadi_rgb_of_hex(0xf2c200);
    }
    if ((bits & WADI_DUNE_MARK_BRINK) != 0)
    {
        return wadi_rgb_of_hex(0x2b5fd9);
    }
    if ((bits & WADI_DUNE_MARK_BODY) != 0 && marks_outline(job, x, y))
    {
        return wadi_rgb_of_hex(crescent ? 0x00a651 : 0x8c8c8c);
    }
    return (bits & WADI_DUNE_MARK_FACE) != 0 ? rgb_mix(grey, wadi_rgb_of_hex(0x2b5fd9), 0.25f)
                                             : grey;
}

static void marks_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const marks_job* job = user;
    const int32_t width = job->field->width * job->scale;
    for (int32_t i = begin * width; i < end * width; ++i)
    {
        const rgb colour = marks_colour(job, i % width / job->scale, i / width / job->scale);
        wadi_rgb_encode(&colour, 0, 1, job->pixels + 3 * (ptrdiff_t)i);
    }
}

wadi_result wadi_dune_marks_draw(wadi_context* context, const wadi_field2d* surface,
                                 const uint16_t* marks, int32_t scale, uint8_t* pixels)
{
    WADI_CHECK(context, scale >= 1 && scale <= MARKS_MOST, WADI_ERROR_RANGE,
               "a cell has %d pixels, expected 1 to %d", (int)scale, MARKS_MOST);
    marks_job job = {.field = surface, .marks = marks, .scale = scale, .pixels = pixels};
    float* shade;
    WADI_ALLOC(context, shade, (int64_t)surface->width * surface->height, "a hillshade");
    const wadi_result result = wadi_derive(context, surface, WADI_DERIVED_HILLSHADE, NULL, shade);
    if (result == WADI_OK)
    {
        job.shade = shade;
        wadi_parallel_rows(context, surface->height * scale, 16, marks_rows, &job);
    }
    wadi_free(context, shade);
    return result;
}
