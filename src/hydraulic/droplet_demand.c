// SPDX-License-Identifier: MIT
// Ground that may refuse: hard rock, loose matter on it, and cells that many droplets want to dig
// below their neighbours. None may carry what was never there. So where it matters a round runs
// twice. First droplets only ask, as if they were empty, which bounds what they can want; then each
// takes floor(want x share), share being what the cell can give over what it was asked for. Paths
// do not depend on loads, so both runs visit the same cells. The price is half the speed; most
// rounds on soft ground do without.
#include "hydraulic/droplet_settle.h"

bool droplet_demand_is_hard(const wadi_droplets* droplets)
{
    const wadi_ground* ground = droplets->ground;
    bool hard = ground->rock_softness < 1.0;
    for (int64_t i = 0; i < ground->cells && !hard; ++i)
    {
        hard = ground->hardness[i] != 0;
    }
    return hard;
}

wadi_result droplet_demand_allocate(wadi_droplets* droplets)
{
    for (int32_t w = 0; w < droplets->worker_count; ++w)
    {
        // a call that ran out of memory half way is taken up where it stopped
        if (droplets->workers[w].demands == NULL)
        {
            WADI_ALLOC(droplets->context, droplets->workers[w].demands, droplets->ground->cells,
                       "what droplets ask for");
        }
    }
    WADI_ALLOC(droplets->context, droplets->shares, droplets->ground->cells,
               "what the ground can give");
    return WADI_OK;
}

// What all droplets ask a cell for; empties the demands.
static int64_t demand_gather(const wadi_droplets* droplets, int64_t cell)
{
    int64_t asked = 0;
    for (int32_t w = 0; w < droplets->worker_count; ++w)
    {
        asked -= droplet_matter(droplets->workers[w].demands[cell]);
        droplets->workers[w].demands[cell] = 0;
    }
    return asked;
}

// What a cell gives when asked for so much: loose matter, then rock as its hardness lets go, and
// nothing below its lowest neighbour.
static double demand_available(const wadi_droplets* droplets, int64_t cell, int64_t asked,
                               int64_t room)
{
    const wadi_ground* ground = droplets->ground;
    int64_t loose = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        loose += ground->loose[i][cell];
    }
    const double soft = (65535 - (double)ground->hardness[cell]) / 65535.0 * ground->rock_softness;
    const double rock = asked > loose ? soft * (double)(asked - loose) : 0.0;
    const double gives = (double)(asked < loose ? asked : loose) + rock;
    return gives < (double)room ? gives : (double)room;
}

// Units that a cell stands above its lowest neighbour.
static int64_t demand_room(const wadi_droplets* droplets, int32_t x, int32_t y)
{
    const int32_t own = droplet_levels_row(droplets, y)[x];
    int32_t lowest = own;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t level = droplet_neighbour_level(droplets, x, y, k);
        lowest = level != DROPLET_MISSING && level < lowest ? level : lowest;
    }
    return (int64_t)own - lowest;
}

static void demand_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const wadi_droplets* droplets = user;
    const int32_t width = droplets->ground->width;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const int64_t cell = (int64_t)y * width + x;
            const int64_t asked = demand_gather(droplets, cell);
            if (asked > 0)
            {
                // 1e-6 pays for the rounding of want x share to float
                const double gives =
                    demand_available(droplets, cell, asked, demand_room(droplets, x, y));
                droplets->shares[cell] = (float)(gives / (double)asked * (1.0 - 1e-6));
            }
        }
    }
}

void droplet_demand(wadi_droplets* droplets, int32_t steps)
{
    droplet_law asking = droplets->law;
    asking.burden = 0.0f;
    asking.rounding = 1.0f; // a demand is never less than what is then wanted
    droplet_run_ask(droplets, &asking, steps);
    wadi_parallel_rows(droplets->context, droplets->ground->height, DROPLET_GRAIN, demand_rows,
                       droplets);
}
