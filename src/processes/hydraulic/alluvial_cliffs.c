// SPDX-License-Identifier: MIT
// Cliffs of rock beside plains are walls, as closed edges are.
//
// Parcels read ground and water between the centres of cells. Between a plain and a cliff that
// reading rises over a whole cell, so a gap in the mountains was a cell narrower than it is drawn,
// and more so where it lies aslant to the grid: water was held up there, and a steep heap grew at
// its mouth. Now ground and water go on before a cliff as they are at its foot, and no parcel walks
// onto it.
//
// On reaches of streams there are no cliffs: what lies beside a reach is ground of streams.
#include "processes/hydraulic/alluvial.h"

#define CLIFF_SLOPE 0.6 // at which loose matter rests: what is steeper is a cliff

enum
{
    CLIFF_AROUND = 9 // a cell and those beside it
};

// The cell beside a cell, or itself; -1: none, or one without data.
static int64_t cliff_beside(const alluvial* a, int64_t c, int32_t i)
{
    const int32_t x = (int32_t)(c % a->width) + i % 3 - 1;
    const int32_t y = (int32_t)(c / a->width) + i / 3 - 1;
    const int32_t column = hydraulic_fold(x, a->width, a->ground->edges[WADI_SIDE_WEST]);
    const int32_t row = hydraulic_fold(y, a->height, a->ground->edges[WADI_SIDE_NORTH]);
    const bool inside = column >= 0 && row >= 0;
    const int64_t beside = inside ? (int64_t)row * a->width + column : -1;
    return inside && a->ground->valid[beside] != 0 ? beside : -1;
}

static bool cliff_is_bare(const alluvial* a, int64_t c)
{
    return wadi_ground_surface(a->ground, c) == a->ground->bedrock[c];
}

// Level of the water, or of the ground where there is none. Ground may have risen over the level of
// the last round: load rolls there, and other processes move it. A sea may not have been seen yet.
static int32_t cliff_water(const alluvial* a, int64_t c)
{
    const int32_t ground = wadi_ground_surface(a->ground, c);
    const int32_t water = a->level[c] > ground ? a->level[c] : ground;
    const int32_t still = alluvial_still(a, c);
    return still > water ? still : water;
}

static bool cliff_is_wet(const alluvial* a, int64_t c)
{
    return a->level[c] > wadi_ground_surface(a->ground, c) || a->east[c] != 0.0f ||
           a->south[c] != 0.0f;
}

// Does bare rock stand over all loose ground beside it, and the water there? Rock by which water
// comes is no wall, for a river may fall over it.
static bool cliff_stands(const alluvial* a, int64_t c)
{
    const int64_t least = (int64_t)(CLIFF_SLOPE * a->cell * WADI_UNITS_PER_METRE);
    const int64_t top = wadi_ground_surface(a->ground, c);
    bool over = false;
    for (int32_t i = 0; i < CLIFF_AROUND; ++i)
    {
        const int64_t beside = cliff_beside(a, c, i);
        const bool bare = beside >= 0 && cliff_is_bare(a, beside);
        const bool foot = beside >= 0 && !bare;
        const bool low = foot && top - cliff_water(a, beside) >= least;
        if ((foot && !low) || (bare && cliff_is_wet(a, beside)))
        {
            return false;
        }
        over = over || foot;
    }
    return over;
}

void wadi_alluvial_find_cliffs(alluvial* a)
{
    for (int64_t c = 0; c < a->cells; ++c)
    {
        const bool bare = a->ground->valid[c] != 0 && a->gates[c] == 0 && cliff_is_bare(a, c);
        a->cliffs[c] = bare && a->reach.cells == NULL && cliff_stands(a, c) ? 1 : 0;
    }
}

bool wadi_alluvial_foot(const alluvial* a, int64_t c, int32_t* bed, int32_t* water)
{
    int64_t beds = 0;
    int64_t waters = 0;
    int64_t count = 0;
    for (int32_t i = 0; i < CLIFF_AROUND; ++i)
    {
        const int64_t beside = cliff_beside(a, c, i);
        if (beside >= 0 && !cliff_is_bare(a, beside))
        {
            beds += wadi_ground_surface(a->ground, beside);
            waters += cliff_water(a, beside);
            count += 1;
        }
    }
    if (count > 0)
    {
        *bed = (int32_t)(beds / count);
        *water = (int32_t)(waters / count);
    }
    return count > 0;
}
