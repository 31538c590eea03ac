// SPDX-License-Identifier: MIT
// The state of inertial shallow water in an archive: planes, tiles with motion, clock.
#include "processes/flood/inertial.h"

wadi_result wadi_inertial_archive(inertial* w, wadi_archive* archive)
{
    const inertial_planes* p = &w->planes;
    void* const planes[] = {p->bed,  p->mass,   p->qx,   p->qy,      p->depth,
                            p->fast, p->hazard, p->dawn, p->duration};
    const int64_t tiles = (int64_t)w->columns * w->rows;
    WADI_TRY(wadi_archive_part(archive, "inertial", 1));
    for (int32_t k = 0; k < WADI_COUNT(planes); ++k)
    {
        wadi_archive_grid(archive, planes[k], 4, (int32_t)w->planes.stride,
                          (int32_t)(w->size / w->planes.stride));
    }
    wadi_archive_u8(archive, w->fresh, tiles);
    wadi_archive_u8(archive, w->active, tiles);
    wadi_archive_f32(archive, w->fastest, tiles);
    wadi_archive_i32(archive, w->deepest, tiles);
    wadi_archive_f64(archive, &w->time, 1);
    wadi_archive_i64(archive, &w->since, 1);
    wadi_archive_i64(archive, &w->steps, 1);
    wadi_archive_i64(archive, &w->cell_steps, 1);
    wadi_archive_bool(archive, &w->rests);
    WADI_TRY(wadi_archive_result(archive));
    if (wadi_archive_is_reading(archive))
    {
        wadi_inertial_list_tiles(w);
    }
    return WADI_OK;
}
