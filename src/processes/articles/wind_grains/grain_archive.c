// SPDX-License-Identifier: MIT
// What grains keep between steps. The frozen ground is read anew in each step.
#include "processes/articles/wind_grains/grain_state.h"

static void archive_grain(wadi_archive* archive, grain* g)
{
    float places[9] = {g->x, g->y, g->z, g->u, g->v, g->w, g->rest, g->fallen, g->dust};
    int32_t counts[4] = {g->load, g->cell, g->age, g->state};
    wadi_archive_f32(archive, places, 9);
    wadi_archive_i32(archive, counts, 4);
    if (wadi_archive_is_reading(archive))
    {
        *g = (grain){places[0], places[1], places[2], places[3], places[4], places[5], places[6],
                     places[7], places[8], counts[0], counts[1], counts[2], counts[3]};
    }
}

static bool archive_is_sound(const wadi_grains* grains, const grain* g)
{
    const grain_law* law = &grains->law;
    const float values[] = {g->z, g->u, g->v, g->w};
    const int32_t x = g->cell % law->stride - 1;
    const int32_t y = g->cell / law->stride - 1;
    bool sound =
        g->x >= 0.0f && g->x < (float)law->width && g->y >= 0.0f && g->y < (float)law->height;
    sound = sound && g->cell >= 0 && x >= 0 && x < law->width && y >= 0 && y < law->height;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        sound = sound && values[i] > -1e12f && values[i] < 1e12f;
    }
    return sound && g->rest >= -1.0f && g->rest <= 1.0f && g->fallen >= -1.0f &&
           g->fallen <= 1.0f && g->dust >= 0.0f && g->dust < 1e30f && g->load >= 0 &&
           g->load < 1 << 30 && g->age >= 0 && g->age < 1 << 30 &&
           (g->state == GRAIN_FLIES || g->state == GRAIN_PARKED);
}

static wadi_result archive_pool(wadi_grains* grains, wadi_archive* archive)
{
    int64_t live = grains->live;
    WADI_TRY(wadi_archive_count(archive, &live, grains->capacity, "grains"));
    grains->live = (int32_t)live;
    for (int32_t i = 0; i < grains->live; ++i)
    {
        archive_grain(archive, &grains->pool[i]);
        if (wadi_archive_is_reading(archive))
        {
            WADI_TRY(wadi_archive_result(archive));
            WADI_CHECK(grains->context, archive_is_sound(grains, &grains->pool[i]),
                       WADI_ERROR_FORMAT,
                       "grain %d of the saved wind is not on the grid, or out of range", i);
        }
    }
    return WADI_OK;
}

static void archive_maps(wadi_grains* grains, wadi_archive* archive)
{
    const wadi_ground* ground = grains->land.ground;
    float* const padded[] = {grains->track,  grains->samples, grains->speed,
                             grains->flux_x, grains->flux_y,  grains->airborne};
    for (size_t i = 0; i < sizeof padded / sizeof padded[0]; ++i)
    {
        wadi_archive_grid(archive, padded[i], 4, grains->land.stride, ground->height + 2);
    }
    wadi_archive_grid(archive, grains->land.wear, 4, ground->width, ground->height);
    wadi_archive_grid(archive, grains->land.deposit, 4, ground->width, ground->height);
}

wadi_result wadi_wind_grains_archive(void* user, wadi_archive* archive)
{
    wadi_grains* grains = user;
    int64_t* const counts[] = {&grains->due,      &grains->spawned, &grains->started,
                               &grains->batches,  &grains->again,   &grains->steps,
                               &grains->contacts, &grains->lifted,  &grains->laid};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        wadi_archive_i64(archive, counts[i], 1);
    }
    wadi_archive_f64(archive, &grains->years, 1);
    wadi_archive_u32(archive, &grains->land.batch, 1);
    WADI_TRY(archive_pool(grains, archive));
    archive_maps(grains, archive);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(grains->context, grains->due >= 0 && grains->due < 1 << 30, WADI_ERROR_FORMAT,
               "the saved wind has %lld parts of a grain due", (long long)grains->due);
    return WADI_OK;
}
