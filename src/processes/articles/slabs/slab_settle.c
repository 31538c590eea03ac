// SPDX-License-Identifier: MIT
// Update of the ground after a round of flights: sand is moved, and rock under thin sand is worn by
// slabs that bounced on it.
#include "processes/articles/slabs/slab_state.h"

#include <math.h>

enum
{
    SETTLE_STRETCH = 256
};

// Rock of hardness 0 that this step takes [units]. The article's law, k_a |w| (1 - rho)(1 - V), has
// no unit; its limit of 4 mm a year sets the scale: full wear under the saturated flux of a wind of
// the reference speed, over rock.
static int32_t settle_wear(const slab_bed* bed, int64_t cell, float bounced)
{
    const slab_law* law = &bed->law;
    const wadi_philox words = slab_random(bed, SLAB_WEAR, cell, 0);
    if (words.v[0] % bed->law.wear_seldom != 0)
    {
        return 0;
    }
    const float wind =
        sqrtf(bed->air.x[cell] * bed->air.x[cell] + bed->air.y[cell] * bed->air.y[cell]) *
        (1.0f - bed->air.shelter[cell]);
    const float cover = (float)bed->ground->vegetation[cell] * (1.0f / 65535.0f);
    const float share = law->wear * bounced * wind;
    const float wear = law->wear_limit * (share < 1.0f ? share : 1.0f) * (1.0f - cover);
    return (int32_t)(wear * (float)bed->law.wear_seldom + wadi_unit_float(words.v[1]));
}

static void settle_rock(const slab_bed* bed, int64_t cell, uint32_t bounced, wadi_tally* tally)
{
    if (bounced == 0 || slab_sand(bed->ground, cell) >= bed->law.bare_depth)
    {
        return;
    }
    const int32_t wanted = settle_wear(bed, cell, (float)bounced);
    if (wanted > 0)
    {
        const int32_t part = wadi_ground_take_rock(bed->ground, cell, wanted, tally);
        wadi_ground_put(bed->ground, cell, part, tally);
        bed->worn[cell] += part;
    }
}

// Move the sand of a run of cells, and update the maps.
static void settle_stretch(const slab_bed* bed, int64_t first, int32_t count, wadi_tally* tally)
{
    int32_t taken[SETTLE_STRETCH];
    int32_t laid[SETTLE_STRETCH];
    uint32_t bounced[SETTLE_STRETCH];
    for (int32_t i = 0; i < count; ++i)
    {
        const int64_t cell = first + i;
        const slab_site* site = &bed->sites[cell];
        const uint64_t landing = atomic_load_explicit(&bed->landings[cell], memory_order_relaxed);
        atomic_store_explicit(&bed->landings[cell], 0, memory_order_relaxed);
        taken[i] = site->lift;
        laid[i] = (int32_t)(uint32_t)landing;
        bounced[i] = (uint32_t)(landing >> 32);
        const float moving = (float)site->lift + (float)bounced[i];
        bed->flow_x[cell] += moving * site->hop_x;
        bed->flow_y[cell] += moving * site->hop_y;
        // plants shield the ground from what falls: the article's chance of reptation, 1 - V
        const float bare = 1.0f - (float)bed->ground->vegetation[cell] * (1.0f / 65535.0f);
        const float loose = bed->top != NULL ? wadi_sand_top_loose(bed->top, cell) : 1.0f;
        bed->struck[cell] = (int32_t)(bare * loose * ((float)laid[i] + (float)bounced[i]));
        if (bed->passed != NULL)
        {
            bed->passed[cell] +=
                moving * sqrtf(site->hop_x * site->hop_x + site->hop_y * site->hop_y);
        }
    }
    wadi_ground_exchange_row(bed->ground, first, count, taken, laid, tally);
    for (int32_t i = 0; bed->law.wear_limit > 0.0f && i < count; ++i)
    {
        settle_rock(bed, first + i, bounced[i], tally);
    }
}

static void settle_run(const slab_bed* bed, int64_t first, int64_t count, wadi_tally* tally)
{
    for (int64_t done = 0; done < count; done += SETTLE_STRETCH)
    {
        const int64_t left = count - done;
        settle_stretch(bed, first + done, left < SETTLE_STRETCH ? (int32_t)left : SETTLE_STRETCH,
                       tally);
    }
}

static void settle_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    wadi_slab_runs(job, begin, end, worker, settle_run);
}

void wadi_slab_settle(slab_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, 16, settle_rows, bed);
}
