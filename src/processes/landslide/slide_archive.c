// SPDX-License-Identifier: MIT
// A slide in progress as an archive.
#include "bodies/engine/saved.h"
#include "processes/landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static const int64_t archive_most = 100000000; // grains

// Numbers that are used as indices or sizes must fit the terrain.
static bool archive_fits(const slide* s)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    bool fits = s->diameter > 0.0 && s->diameter < 1e6;
    for (int64_t i = 0; i < s->parcel_count && fits; ++i)
    {
        const slide_parcel* p = &s->parcels[i];
        fits = p->cell >= 0 && p->cell < ground->cells && p->layer >= SLIDE_ROCK &&
               p->layer < ground->loose_count && p->units >= 0 && p->grain >= 0 &&
               p->grain < s->count;
    }
    return fits;
}

static wadi_result archive_sizes(slide* s, wadi_archive* archive)
{
    int64_t count = s->count;
    int64_t rock = s->rock_count;
    WADI_TRY(wadi_archive_count(archive, &count, archive_most, "grains of a slide"));
    WADI_TRY(wadi_archive_count(archive, &rock, count, "grains of rock"));
    WADI_TRY(wadi_archive_count(archive, &s->parcel_count, INT64_C(1) << 40, "parcels of soil"));
    WADI_CHECK(wadi_archive_context(archive), count > 0, WADI_ERROR_FORMAT,
               "the saved slide has no grains");
    s->count = (int32_t)count;
    s->rock_count = (int32_t)rock;
    return WADI_OK;
}

static void archive_numbers(slide* s, wadi_archive* archive)
{
    wadi_archive_bool(archive, &s->soaks);
    wadi_archive_f64(archive, &s->diameter, 1);
    wadi_archive_f64(archive, &s->origin, 1);
    wadi_archive_f64(archive, &s->given, 1);
    wadi_archive_f64(archive, &s->shown, 1);
    wadi_archive_i64(archive, &s->done, 1);
    wadi_archive_i32(archive, &s->moving, 1);
    wadi_archive_f64(archive, &s->time, 1);
    wadi_archive_f64(archive, &s->rested, 1);
    wadi_archive_f64(archive, &s->overlap, 1);
    wadi_archive_f64(archive, &s->still_moving, 1);
}

static wadi_result archive_allocate(slide* s, wadi_archive* archive)
{
    wadi_context* context = wadi_archive_context(archive);
    WADI_ALLOC(context, s->grains, s->count, "grains of a slide");
    WADI_ALLOC(context, s->now, s->count + s->rock_count, "grains of a slide");
    WADI_ALLOC(context, s->way, s->count, "ways of grains");
    WADI_ALLOC(context, s->last, s->count, "ways of grains");
    WADI_ALLOC(context, s->parcels, s->parcel_count + 1, "soil on grains");
    return WADI_OK;
}

static void archive_lists(slide* s, wadi_archive* archive)
{
    for (int32_t i = 0; i < s->count + s->rock_count; ++i)
    {
        wadi_saved_grain(archive, &s->now[i]);
    }
    wadi_archive_f64(archive, &s->way[0][0], 2 * (int64_t)s->count);
    wadi_archive_f64(archive, &s->last[0][0], 2 * (int64_t)s->count);
    for (int64_t i = 0; i < s->parcel_count; ++i)
    {
        slide_parcel* p = &s->parcels[i];
        int32_t values[4] = {p->cell, p->layer, p->units, p->grain};
        wadi_archive_i32(archive, values, 4);
        *p = (slide_parcel){values[0], values[1], values[2], values[3]};
    }
}

static wadi_result archive_bed(slide* s, wadi_archive* archive)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    bool is_taken = s->left != NULL;
    wadi_archive_bool(archive, &is_taken);
    WADI_TRY(wadi_archive_result(archive));
    if (!is_taken)
    {
        return WADI_OK;
    }
    if (s->left == NULL)
    {
        WADI_TRY(wadi_slide_bed_allocate(s));
    }
    for (int32_t l = 0; l < ground->loose_count; ++l)
    {
        wadi_archive_grid(archive, s->entrained + l * ground->cells, 4, ground->width,
                          ground->height);
    }
    wadi_archive_i32(archive, s->taken_up, (int64_t)s->count * ground->loose_count);
    wadi_archive_f64(archive, s->load, s->count);
    wadi_archive_f64(archive, s->fraction, s->count);
    return wadi_archive_result(archive);
}

// ---- the world ---------------------------------------------------------------------------

// A grain may lie beyond a periodic side until the next search for neighbours.
static double archive_wrap(double x, double period)
{
    const double in = period > 0.0 ? x - period * floor(x / period) : x;
    return period > 0.0 && in >= period ? 0.0 : in;
}

static wadi_result archive_create_world(slide* s)
{
    const wadi_grains_params params = wadi_slide_world_params(s);
    for (int32_t i = 0; i < s->count + s->rock_count; ++i)
    {
        double* at = s->now[i].position;
        at[0] = archive_wrap(at[0], params.period_x);
        at[1] = archive_wrap(at[1], params.period_y);
    }
    memcpy(s->grains, s->now, (size_t)s->count * sizeof *s->grains);
    if (s->left != NULL)
    {
        wadi_slide_bed_fill(s);
    }
    WADI_TRY(wadi_slide_land_create(s));
    return s->soaks ? wadi_slide_soak_create_world(s)
                    : wadi_slide_world_create(s, &wadi_slide_soil);
}

// Steps of grains so far. Where a change of parameters has made them shorter or longer, as many as
// the time that has passed.
static int64_t archive_steps(const slide* s)
{
    const double step = wadi_grains_step(s->world);
    const double own = (double)s->done * step;
    const bool is_other = s->wet == NULL && fabs(own - s->time) > 0.5 * step;
    return is_other && s->time >= 0.0 && s->time < 1e15 * step
               ? (int64_t)floor(s->time / step + 0.5)
               : s->done;
}

// Compute what follows from the world.
static wadi_result archive_read_world(slide* s)
{
    const int32_t layers = wadi_terrain_ground_const(s->terrain)->loose_count;
    wadi_grains_read(s->world, s->now);
    for (int32_t i = 0; i < s->count; ++i)
    {
        WADI_CHECK(wadi_terrain_context(s->terrain), s->now[i].material < layers, WADI_ERROR_FORMAT,
                   "the saved slide is damaged: grain %d is of material %d, but there are %d", i,
                   s->now[i].material, layers);
    }
    s->done = archive_steps(s);
    s->summary = wadi_grains_summarize(s->world);
    s->soak = s->wet != NULL ? wadi_wet_grains_summarize(s->wet) : s->soak;
    return WADI_OK;
}

wadi_result wadi_slide_archive(slide* s, wadi_archive* archive)
{
    const bool reads = wadi_archive_is_reading(archive);
    WADI_TRY(archive_sizes(s, archive));
    archive_numbers(s, archive);
    if (reads)
    {
        WADI_TRY(archive_allocate(s, archive));
    }
    archive_lists(s, archive);
    WADI_TRY(wadi_archive_result(archive));
    WADI_TRY(archive_bed(s, archive));
    if (reads)
    {
        WADI_CHECK(wadi_archive_context(archive), archive_fits(s), WADI_ERROR_FORMAT,
                   "the saved slide is damaged: its soil does not lie on the terrain");
        WADI_TRY(archive_create_world(s));
    }
    WADI_TRY(s->wet != NULL ? wadi_wet_grains_archive(s->wet, archive)
                            : wadi_grains_archive(s->world, archive));
    return reads ? archive_read_world(s) : WADI_OK;
}
