// SPDX-License-Identifier: MIT
// The state of a runner in an archive: planes, tiles with motion, clock.
#include "processes/landslide/runner.h"

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
        r->top = r->top < 0 ? 0 : r->top < r->rows ? r->top : r->rows; // whatever the file says
        r->bottom = r->bottom < r->rows ? r->bottom : r->rows - 1;
        wadi_runner_list_tiles(r);
    }
    return WADI_OK;
}
