// SPDX-License-Identifier: MIT
// The state of a runner in an archive: planes, tiles with motion, clock.
#include "processes/landslide/runner.h"

#include <math.h>

// Far above what flows have; damaged files must not overflow.
static const int32_t archive_most_units = 1 << 30;
static const int64_t archive_most_sum = (int64_t)1 << 50;
static const float archive_most_float = 1e12f;

// A plane of whole numbers or of floats, with its margins: both have 4 bytes for a cell.
static void archive_plane(const runner* r, wadi_archive* archive, void* plane)
{
    wadi_archive_grid(archive, plane, 4, (int32_t)r->planes.stride,
                      (int32_t)(r->size / r->planes.stride));
}

static void archive_tiles(runner* r, wadi_archive* archive)
{
    const int64_t tiles = (int64_t)r->columns * r->rows;
    wadi_archive_u8(archive, r->fresh, tiles);
    wadi_archive_u8(archive, r->active, tiles);
    wadi_archive_u8(archive, r->touched, tiles);
    wadi_archive_i32(archive, &r->top, 1);
    wadi_archive_i32(archive, &r->bottom, 1);
    wadi_archive_f32(archive, r->moving, tiles);
    wadi_archive_f32(archive, r->fastest, tiles);
    wadi_archive_i64(archive, &r->left[0][0], tiles * WADI_SIDE_COUNT);
}

static bool archive_is_flow(const runner_planes* p, ptrdiff_t i)
{
    const int64_t top = (int64_t)p->bed[i] + p->mass[i];
    return p->mass[i] >= 0 && p->mass[i] <= archive_most_units && p->worn[i] >= 0 &&
           p->worn[i] <= archive_most_units && p->soil[i] >= 0 && top <= INT32_MAX &&
           p->qx[i] >= -archive_most_units && p->qx[i] <= archive_most_units &&
           p->qy[i] >= -archive_most_units && p->qy[i] <= archive_most_units && !isnan(p->dawn[i]);
}

// Can a flow go on from planes and tiles that were read?
static bool archive_is_sound(const runner* r)
{
    const runner_planes* p = &r->planes;
    const float* const floats[] = {p->u,     p->v,     p->us,    p->vs,   p->bend, p->rub,
                                   p->mixed, p->added, p->depth, p->push, p->fast};
    const int64_t tiles = (int64_t)r->columns * r->rows;
    bool sound = r->since >= 0 && r->since <= archive_most_sum && r->steps >= 0 &&
                 r->steps <= archive_most_sum && r->cell_steps >= 0 &&
                 r->cell_steps <= archive_most_sum;
    for (ptrdiff_t i = 0; i < r->size && sound; ++i)
    {
        sound = archive_is_flow(p, i);
        for (int32_t k = 0; k < WADI_COUNT(floats); ++k)
        {
            sound = sound && fabsf(floats[k][i]) <= archive_most_float;
        }
    }
    for (int64_t t = 0; t < tiles && sound; ++t)
    {
        sound =
            fabsf(r->moving[t]) <= archive_most_float && fabsf(r->fastest[t]) <= archive_most_float;
        for (int32_t side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            sound = sound && r->left[t][side] >= 0 && r->left[t][side] <= archive_most_sum;
        }
    }
    return sound;
}

wadi_result wadi_runner_archive(runner* r, wadi_archive* archive)
{
    const runner_planes* p = &r->planes;
    void* const planes[] = {p->bed,   p->mass,  p->soil,  p->worn, p->qx,   p->qy,
                            p->u,     p->v,     p->us,    p->vs,   p->bend, p->rub,
                            p->mixed, p->added, p->depth, p->push, p->dawn, p->fast};
    WADI_TRY(wadi_archive_part(archive, "runner", 3));
    for (int32_t k = 0; k < WADI_COUNT(planes); ++k)
    {
        archive_plane(r, archive, planes[k]);
    }
    archive_tiles(r, archive);
    wadi_archive_f64(archive, &r->time, 1);
    wadi_archive_f64(archive, &r->last, 1);
    wadi_archive_f64(archive, &r->quick, 1);
    wadi_archive_f64(archive, &r->vigour, 1);
    wadi_archive_i64(archive, &r->since, 1);
    wadi_archive_i64(archive, &r->steps, 1);
    wadi_archive_i64(archive, &r->cell_steps, 1);
    wadi_archive_bool(archive, &r->rests);
    WADI_TRY(wadi_archive_result(archive));
    if (wadi_archive_is_reading(archive))
    {
        WADI_CHECK(r->context, archive_is_sound(r), WADI_ERROR_FORMAT,
                   "the saved flow of a landslide is out of range");
        r->top = r->top < 0 ? 0 : r->top < r->rows ? r->top : r->rows; // whatever the file says
        r->bottom = r->bottom < r->rows ? r->bottom : r->rows - 1;
        wadi_runner_list_tiles(r);
    }
    return WADI_OK;
}
