// SPDX-License-Identifier: MIT
// Survey of every cell: hop length of a slab, probability that it comes to rest, and the sand that
// leaves in this step.
//
// The article's chance of coming to rest is shelter + f_S + f_V. Its printed f_V = 1 - V lets no
// slab bounce on bare sand; read as in the released code, plants close the gap that sand leaves:
// f_V = (1 - f_S) V. Shelter both slows the wind and catches sand (the article multiplies by it in
// section 4 and adds it in 5.1): the wind is scaled by 1 - shelter.
#include "laws/sand/sand_flux.h"
#include "processes/articles/slabs/slab_state.h"

#include <math.h>

// Thinner sand, a grain or two, does not cushion landing slabs.
#define SURVEY_CUSHION 16 // [units], 0.24 mm

// Ratio of the wind along the ground in an eddy to the wind above it, 0.2-0.4 in wind tunnels
// (Tsoar 1983). The lee of a dune upwind does not reduce it.
#define SURVEY_BACK 0.4f

// A crust and coarse grains cushion landing slabs no better than rock: `loose` is the share
// without.
static float survey_settle(const slab_law* law, float loose, float cover, float shelter)
{
    const float bare = loose * law->settle_sand + (1.0f - loose) * law->settle_rock;
    const float sum = shelter + bare + (1.0f - bare) * cover;
    return sum < 1.0f ? sum : 1.0f;
}

// Does the cell lift its slab in this substep?
static bool survey_turn(const slab_bed* bed, int64_t cell)
{
    const slab_law* law = &bed->law;
    return law->turns == 1 || slab_random(bed, SLAB_TURN, cell, 0).v[0] % law->turns == law->turn;
}

static sand_grip survey_grip(const slab_bed* bed, int64_t cell)
{
    return bed->top != NULL ? wadi_sand_top_grip(bed->top, cell)
                            : (sand_grip){1.0f, 1.0f, SAND_GRIP_FREE};
}

// Share of the ground that is loose sand: 0 on rock.
static float survey_loose(const slab_bed* bed, int64_t cell, int32_t sand)
{
    const float soft = sand > SURVEY_CUSHION ? 1.0f : 0.0f;
    return bed->top != NULL ? soft * wadi_sand_top_loose(bed->top, cell) : soft;
}

// Thickness of the slab that leaves a cell with enough sand [units]. The article lifts one slab
// above the threshold, less by the cover. By the common law slab x hop / settle, the flux, is that
// of the stress that reaches the ground.
static int32_t survey_slab(const slab_bed* bed, int64_t cell, const slab_site* site)
{
    const slab_law* law = &bed->law;
    const wadi_ground* ground = bed->ground;
    const sand_skin skin = wadi_sand_skin(&law->skin, ground, cell);
    const float hop = site->hop_x * site->hop_x + site->hop_y * site->hop_y;
    const float square = hop / (law->hop * law->hop); // of the speed [m2/s2]
    const sand_grip grip = survey_grip(bed, cell);
    const float needed = law->threshold * law->threshold * skin.threshold * grip.threshold;
    if (!law->common)
    {
        const float cover = (float)ground->vegetation[cell] * (1.0f / 65535.0f);
        return square > needed ? (int32_t)((float)law->slab * (1.0f - cover)) : 0;
    }
    const float relative = grip.share * wadi_sand_relative(skin.stress * square, needed);
    return relative > 0.0f
               ? (int32_t)((float)law->slab * relative * site->settle * law->gain / sqrtf(square))
               : 0;
}

static slab_site survey_site(const slab_bed* bed, int64_t cell)
{
    const wadi_ground* ground = bed->ground;
    const slab_law* law = &bed->law;
    const int32_t sand = slab_sand(ground, cell);
    const float cover = (float)ground->vegetation[cell] * (1.0f / 65535.0f);
    const float shelter = bed->air.shelter[cell];
    const float eddy = bed->eddy != NULL ? bed->eddy[cell] : 0.0f;
    const float open = 1.0f - eddy;
    const float reach = law->hop * ((1.0f - shelter) * open - SURVEY_BACK * eddy);
    slab_site site = {.hop_x = reach * bed->air.x[cell],
                      .hop_y = reach * bed->air.y[cell],
                      .settle =
                          survey_settle(law, survey_loose(bed, cell, sand), cover, shelter * open)};
    if (ground->water[cell] > 0)
    {
        // slabs that land in water come to rest
        site.settle = 1.0f;
        return site;
    }
    const int32_t slab = survey_slab(bed, cell, &site);
    site.lift = slab == 0 || !survey_turn(bed, cell) ? 0 : slab < sand ? slab : sand;
    return site;
}

static void survey_run(const slab_bed* bed, int64_t first, int64_t count, wadi_tally* tally)
{
    (void)tally;
    for (int64_t cell = first; cell < first + count; ++cell)
    {
        bed->sites[cell] =
            bed->ground->valid[cell] != 0 ? survey_site(bed, cell) : (slab_site){.settle = 1.0f};
    }
}

static void survey_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    wadi_slab_runs(job, begin, end, worker, survey_run);
}

void wadi_slab_survey(slab_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, 16, survey_rows, bed);
}
