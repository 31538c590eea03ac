// SPDX-License-Identifier: MIT
// Eddies in front of cliffs. A wind that meets a wall turns back along the ground before it, up to
// about the wall's own height away (Tsoar 1983): sand there is carried back, and what arrives meets
// it half-way, so that a dune forms with a bare strip between it and the wall: an echo dune. No
// dune is placed; only the wind is turned.
//
// Where the eddy is, the shelter of a wind from behind says: ground over which a wind from the wall
// would pass at more than 55 degrees, 0.7 of its height long. In front of any gentler slope there
// is none, and sand climbs.
#include "dunes/slab_cliff.h"

#include <math.h>

// Angles between which the eddy is born [degree].
#define CLIFF_BEGIN 53.0
#define CLIFF_FULL 55.0

// Is there a step down of rock that is as steep as a cliff?
static bool cliff_stands(const wadi_ground* ground)
{
    const float wall = 1.33f * (float)(ground->cell_size * WADI_UNITS_PER_METRE); // 53 degrees
    for (int64_t cell = 0; cell + ground->width < ground->cells; ++cell)
    {
        const float east = (float)ground->bedrock[cell] - (float)ground->bedrock[cell + 1];
        const float south =
            (float)ground->bedrock[cell] - (float)ground->bedrock[cell + ground->width];
        if (fabsf(east) > wall || fabsf(south) > wall)
        {
            return true;
        }
    }
    return false;
}

wadi_result slab_cliff_create(slab_bed* bed, wadi_terrain* terrain)
{
    if (!cliff_stands(bed->ground))
    {
        return WADI_OK;
    }
    const airflow_law law = {.speedup_limit = 1.0,
                             .warp_wide_share = 1.0,
                             .lee_begin = CLIFF_BEGIN,
                             .lee_full = CLIFF_FULL};
    return wadi_airflow_create(terrain, &law, bed->stream, &bed->behind);
}

void slab_cliff_blow(slab_bed* bed, const airflow_wind* wind)
{
    if (bed->behind != NULL)
    {
        const double back = wind->direction < 180.0 ? 180.0 : -180.0;
        wadi_airflow_blow(bed->behind,
                          &(airflow_wind){wind->direction + back, wind->speed, wind->years});
        bed->eddy = wadi_airflow_view(bed->behind).shelter;
    }
}
