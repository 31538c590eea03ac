// SPDX-License-Identifier: MIT
// Ghost cells: values that kernels read beyond edges and in voids.
#include "processes/dunes/flux.h"

#include "core/internal.h"

void wadi_flux_fill_margins(const flux* f, float* row, int32_t reach)
{
    const int32_t width = f->ground->width;
    // ghost cells already written are read again, so rows shorter than `reach` wrap repeatedly
    for (int32_t i = 1; f->wrap_x && i <= reach; ++i)
    {
        row[-i] = row[width - i];
        row[width - 1 + i] = row[i - 1];
    }
    for (int32_t i = 1; !f->wrap_x && i <= reach; ++i)
    {
        row[-i] = row[0];
        row[width - 1 + i] = row[width - 1];
    }
}

void wadi_flux_fill_load_margins(const flux* f, int32_t* row)
{
    const int32_t width = f->ground->width;
    row[-1] = row[flux_wrap(-1, width, f->wrap_x)];
    row[width] = row[flux_wrap(width, width, f->wrap_x)];
}

const int32_t* wadi_flux_sand_row(const flux* f, int32_t y, flux_worker* worker)
{
    const wadi_ground* ground = f->ground;
    const int64_t first = (int64_t)y * ground->width;
    if (ground->loose_count == 1)
    {
        return ground->loose[0] + first;
    }
    for (int32_t x = 0; x < ground->width; ++x)
    {
        worker->stack[x] = wadi_ground_surface(ground, first + x) - ground->bedrock[first + x];
    }
    return worker->stack;
}

// ---- voids ---------------------------------------------------------------------------------

// The cell as far inside the ground as a void cell is outside of it, mirrored at the nearest valid
// cell. That cell itself, if the mirrored one is no ground.
static int32_t fill_inner_of(const flux* f, int64_t cell)
{
    const wadi_ground* ground = f->ground;
    const int32_t width = ground->width;
    const int32_t near = f->fill[cell];
    if (near < 0)
    {
        return near;
    }
    const wadi_ground_way way = wadi_ground_way_to(ground, cell, near);
    const int64_t inner = wadi_ground_cell_at(ground, near % width + way.x, near / width + way.y);
    return inner >= 0 && ground->valid[inner] != 0 ? (int32_t)inner : near;
}

wadi_result wadi_flux_fill_create(flux* f)
{
    if (f->ground->all_valid)
    {
        return WADI_OK;
    }
    int32_t* queue;
    WADI_ALLOC(f->context, f->fill, f->ground->cells, "levels of voids");
    WADI_ALLOC(f->context, f->inner, f->ground->cells, "levels of voids");
    WADI_ALLOC(f->context, queue, f->ground->cells, "levels of voids");
    wadi_ground_nearest_valid(f->ground, f->fill, queue);
    wadi_free(f->context, queue);
    for (int64_t cell = 0; cell < f->ground->cells; ++cell)
    {
        f->inner[cell] = fill_inner_of(f, cell);
    }
    return WADI_OK;
}

static void fill_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const flux* f = user;
    const wadi_ground* ground = f->ground;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            if (ground->valid[cell] == 0)
            {
                const int32_t from = f->fill[cell];
                const float level =
                    f->level[flux_at(f, from / ground->width) + from % ground->width];
                f->level[flux_at(f, y) + x] = level;
                f->roof[flux_at(f, y) + x] = level;
            }
        }
    }
}

void wadi_flux_fill_voids(flux* f)
{
    if (f->fill != NULL)
    {
        wadi_parallel_rows(f->context, f->ground->height, FLUX_GRAIN, fill_rows, f);
    }
}

void wadi_flux_leave_voids(const flux* f, int32_t y, int32_t* sand, wadi_tally* tally)
{
    const int64_t first = (int64_t)y * f->ground->width;
    const uint8_t* valid = f->ground->valid + first;
    for (int32_t x = 0; f->fill != NULL && x < f->ground->width; ++x)
    {
        if (valid[x] == 0)
        {
            const wadi_side side = wadi_ground_void_side(f->ground, first + x);
            tally->out[WADI_MATERIAL_SEDIMENT][side] += sand[x];
            sand[x] = 0;
        }
    }
}
