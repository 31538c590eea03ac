// SPDX-License-Identifier: MIT
// A batch: every parcel takes the same number of steps on frozen ground, SALTATION_LANES parcels
// in lock step. Results are integer sums, which do not depend on the order of blocks or workers.
#include "processes/wind/saltation_state.h"

#include "core/prefetch.h"

#include <string.h>

enum
{
    FLIGHT_BLOCK = 8 * SALTATION_LANES, // parcels
    FLIGHT_SQUARE = SALTATION_STEPS,    // [cells] about the path of a parcel in a batch
    FLIGHT_LINE = 8                     // cells per cache line, at 8 bytes each
};

static void flight_load(const saltation_parcel* p, int32_t l, saltation_lanes* lanes)
{
    lanes->x[l] = p->x;
    lanes->y[l] = p->y;
    lanes->z[l] = p->z;
    lanes->u[l] = p->u;
    lanes->v[l] = p->v;
    lanes->w[l] = p->w;
    for (int i = 0; i < SALTATION_SCALES; ++i)
    {
        lanes->memory[i][l] = p->memory[i];
    }
    lanes->load[l] = p->load;
    lanes->left[l] = p->left;
    lanes->warmup[l] = p->warmup;
    lanes->id[l] = p->id;
    lanes->active[l] = 1;
}

static void flight_store(const saltation_lanes* lanes, int32_t l, saltation_parcel* p)
{
    p->x = lanes->x[l];
    p->y = lanes->y[l];
    p->z = lanes->z[l];
    p->u = lanes->u[l];
    p->v = lanes->v[l];
    p->w = lanes->w[l];
    for (int i = 0; i < SALTATION_SCALES; ++i)
    {
        p->memory[i] = lanes->memory[i][l];
    }
    p->load = lanes->load[l];
    p->left = lanes->left[l];
    p->warmup = lanes->warmup[l];
}

// Move the parcels of stopped lanes across edges. A lane is stopped for at most one stride.
static void flight_cross_edges(const saltation* s, saltation_worker* worker,
                               saltation_parcel* first, int32_t count, saltation_lanes* lanes)
{
    for (int32_t l = 0; l < count; ++l)
    {
        if (lanes->active[l] == 0)
        {
            flight_store(lanes, l, &first[l]);
            wadi_saltation_edge_cross(s, worker, &first[l]);
            flight_load(&first[l], l, lanes);
        }
    }
}

static void flight_group(const saltation* s, saltation_worker* worker, saltation_parcel* first,
                         int32_t count)
{
    const saltation_ground ground = {s->level, s->bed, s->skin, s->aims, s->grip};
    saltation_lanes lanes;
    memset(&lanes, 0, sizeof lanes);
    for (int32_t l = 0; l < count; ++l)
    {
        flight_load(&first[l], l, &lanes);
    }
    for (int32_t step = 0; step < SALTATION_STEPS; step += SALTATION_STRIDE)
    {
        const uint32_t clock = s->clock + (uint32_t)(step / SALTATION_STRIDE);
        s->kernels->fly(&s->law, &ground, &worker->sums, &lanes, clock);
        flight_cross_edges(s, worker, first, count, &lanes);
    }
    for (int32_t l = 0; l < count; ++l)
    {
        flight_store(&lanes, l, &first[l]);
        worker->steps += lanes.steps[l];
    }
}

static void flight_fetch_square(const saltation* s, const saltation_worker* worker, float x,
                                float y)
{
    const float east = x + (x < 0.0f ? s->law.wrap_x : 0.0f);
    const float south = y + (y < 0.0f ? s->law.wrap_y : 0.0f);
    const float to_x = east - (east >= s->law.width ? s->law.wrap_x : 0.0f);
    const float to_y = south - (south >= s->law.height ? s->law.wrap_y : 0.0f);
    if (to_x < 0.0f || to_y < 0.0f || to_x >= s->law.width || to_y >= s->law.height)
    {
        return;
    }
    const int32_t first = (int32_t)to_x / FLIGHT_SQUARE * FLIGHT_SQUARE;
    const int32_t top = (int32_t)to_y / FLIGHT_SQUARE * FLIGHT_SQUARE;
    for (int32_t row = top; row < top + FLIGHT_SQUARE && row < s->ground->height; ++row)
    {
        for (int32_t i = first; i < first + FLIGHT_SQUARE && i < s->ground->width; i += FLIGHT_LINE)
        {
            const ptrdiff_t at = saltation_rim(s, row) + i;
            wadi_prefetch_far(&s->level[at]);
            wadi_prefetch_far(&s->bed[at]);
            wadi_prefetch_far(&worker->sums.sand[at]);
        }
    }
}

// Prefetch the square that a parcel starts in and the square that it reaches.
static void flight_fetch(const saltation* s, const saltation_worker* worker,
                         const saltation_parcel* p)
{
    flight_fetch_square(s, worker, p->x, p->y);
    flight_fetch_square(s, worker, p->x + s->law.ex * FLIGHT_SQUARE,
                        p->y + s->law.ey * FLIGHT_SQUARE);
}

static void flight_block(int64_t block, int32_t worker, void* user)
{
    const saltation* s = user;
    const int32_t begin = (int32_t)(block * FLIGHT_BLOCK);
    const int32_t end = begin + FLIGHT_BLOCK < s->fleet_size ? begin + FLIGHT_BLOCK : s->fleet_size;
    for (int32_t i = begin; i < end; i += SALTATION_LANES)
    {
        const int32_t count = end - i < SALTATION_LANES ? end - i : SALTATION_LANES;
        // parcels are sorted, so the last parcel of the next group shows where that group flies;
        // parcels of the next block are not read, since another worker may move them
        const int32_t ahead = i + 2 * SALTATION_LANES - 1;
        if (ahead < end)
        {
            flight_fetch(s, &s->workers[worker], &s->fleet[ahead]);
        }
        flight_group(s, &s->workers[worker], &s->fleet[i], count);
    }
}

void wadi_saltation_flight(saltation* s)
{
    wadi_parallel_blocks(s->context, (s->fleet_size + FLIGHT_BLOCK - 1) / FLIGHT_BLOCK,
                         flight_block, s);
    s->clock += SALTATION_STEPS / SALTATION_STRIDE;
}
