// SPDX-License-Identifier: MIT
// Coarse grains among the sand, which the wind does not lift. Each cell has a book of them in whole
// units: all that its sand contains, and those in the layer at the surface. Erosion takes fine sand
// from that layer, which goes down and gets the grains of the sand below it, so it coarsens. What
// the wind lays down is fine: it lies as a cap on the layer, and erosion takes the cap first.
// Grains leave a cell only with slides.
#include "laws/sand/sand_shore_state.h"
#include "laws/sand/sand_top_state.h"

#include "core/internal.h"

// Raupach et al. (1993): u*t / u*t0 = sqrt((1 - m sigma lambda) (1 + m beta lambda)), for grains
// that are buried by half. Their frontal area lambda is half of the cover, sigma is 2.
static const float coarse_local = 0.5f;   // m: mean stress between grains over the largest
static const float coarse_frontal = 0.5f; // lambda / cover
static const float coarse_basal = 2.0f;   // sigma

static int32_t coarse_sand(const sand_top* top, int64_t cell)
{
    return wadi_ground_surface(top->ground, cell) - top->ground->bedrock[cell];
}

static int32_t coarse_least(int64_t a, int64_t b)
{
    return (int32_t)(a < b ? a : b);
}

void wadi_sand_coarse_start(const sand_top* top, int64_t cell, float given)
{
    const float share = given > 0.0f ? (given < 1.0f ? given : 1.0f) : 0.0f;
    const int32_t sand = top->ground->valid[cell] != 0 ? coarse_sand(top, cell) : 0;
    const int32_t layer = coarse_least(sand, top->layer);
    top->coarse[cell] = coarse_least((int64_t)((double)share * (double)sand), sand);
    top->lag[cell] = (int32_t)((double)share * (double)layer);
    top->cap[cell] = 0;
}

void wadi_sand_coarse_bury(const sand_top* top, int64_t cell, int64_t risen)
{
    const int32_t cap = top->cap[cell];
    const int64_t worn = -risen - cap; // of the layer [units]
    top->cap[cell] = worn >= 0 ? 0 : coarse_least(cap + risen, INT32_MAX);
    if (worn > 0)
    {
        const int64_t before = coarse_sand(top, cell) + worn;
        const int64_t below = before > top->layer ? before - top->layer : 1;
        const int64_t lower = top->coarse[cell] - top->lag[cell];
        const int64_t uncovered = lower * (worn < below ? worn : below) / below;
        top->lag[cell] = coarse_least(top->lag[cell] + uncovered, top->layer);
    }
}

// A cap hides the grains by and by, until it is as thick as the layer.
float wadi_sand_coarse_cover(const sand_top* top, int64_t cell)
{
    const int32_t cap = top->cap[cell];
    const float hidden = (float)(cap < top->layer ? cap : top->layer) / (float)top->layer;
    return (float)top->lag[cell] / (float)top->layer * (1.0f - hidden);
}

float wadi_sand_coarse_threshold(const sand_top* top, float cover)
{
    const float frontal = coarse_local * coarse_frontal * cover;
    return (1.0f - coarse_basal * frontal) * (1.0f + (float)top->law.coarse_drag * frontal);
}

float wadi_sand_coarse_supply(const sand_top* top, int64_t cell)
{
    const int32_t cap = top->cap[cell];
    const int64_t deep = (int64_t)coarse_sand(top, cell) - cap - top->layer;
    const float below = (float)(deep > 1 ? deep : 1);
    const float lower = (float)(top->coarse[cell] - top->lag[cell]);
    const float room = (float)(top->layer - top->lag[cell]);
    const float supply = (float)cap + 0.25f * room * below / (lower > 1.0f ? lower : 1.0f);
    return supply < SAND_GRIP_FREE ? supply : SAND_GRIP_FREE;
}

// ---- slides ------------------------------------------------------------------------------------

// The lowest of the four neighbours, if it is lower than the cell; else -1.
static int64_t coarse_downhill(const sand_top* top, int64_t cell)
{
    int64_t lowest = -1;
    int32_t level = wadi_ground_surface(top->ground, cell);
    for (int side = 0; side < 4; ++side)
    {
        const int64_t next = wadi_sand_shore_neighbour(top->ground, cell, side);
        if (next >= 0 && top->ground->valid[next] != 0 &&
            wadi_ground_surface(top->ground, next) < level)
        {
            lowest = next;
            level = wadi_ground_surface(top->ground, next);
        }
    }
    return lowest;
}

// What a cell holds over all of its sand goes down. True: some grains moved.
static bool coarse_slide(const sand_top* top, int64_t cell)
{
    const int32_t sand = coarse_sand(top, cell);
    const int32_t excess = top->coarse[cell] - sand;
    const int64_t next = excess > 0 ? coarse_downhill(top, cell) : -1;
    if (next >= 0)
    {
        top->coarse[cell] -= excess;
        top->came[next] += excess;
        top->lag[cell] = coarse_least(top->lag[cell], sand);
    }
    return next >= 0;
}

// Add what came to the owned cells.
static void coarse_arrive(const sand_top* top)
{
    const wadi_ground* ground = top->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            top->coarse[cell] += top->came[cell];
            top->came[cell] = 0;
        }
    }
}

// All cells at once, so that grains move as far in all directions. In windows, grains that slide
// into the halo are added to the cells of their owners.
bool wadi_sand_top_slide(const sand_top* top)
{
    if (top == NULL || top->coarse == NULL)
    {
        return true;
    }
    const wadi_ground* ground = top->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    bool moved = ground->part != NULL;
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            moved |= coarse_slide(top, (int64_t)y * ground->width + x);
        }
    }
    void* const layers[] = {top->came};
    const int32_t bytes[] = {(int32_t)sizeof *top->came};
    if (!wadi_partition_add(ground->part, layers, bytes, 1))
    {
        return false;
    }
    if (moved)
    {
        coarse_arrive(top);
    }
    return true;
}

// ---- saved state -------------------------------------------------------------------------------

wadi_result wadi_sand_coarse_check(const sand_top* top, int64_t cell)
{
    const int32_t all = top->coarse[cell];
    const int32_t lag = top->lag[cell];
    WADI_CHECK(top->context, lag >= 0 && lag <= top->layer && lag <= all && top->cap[cell] >= 0,
               WADI_ERROR_FORMAT,
               "the saved state of sand has %d units of coarse grains in the layer of cell %lld, "
               "which holds %d, of %d in all",
               (int)lag, (long long)cell, (int)top->layer, (int)all);
    return WADI_OK;
}
