// SPDX-License-Identifier: MIT
#include "laws/channels/channel_transect.h"

#include <math.h>

// ---- ground ------------------------------------------------------------------------------

// Bilinear between cell centres, constant from the outermost centres to the border; beside cells
// without data the nearest cell. NaN off the grid, and if the nearest has no data.
static float transect_ground(const wadi_field2d* field, double x, double y)
{
    const double column = x / field->dx - 0.5;
    const double row = field->height - 0.5 - y / field->dy;
    if (!(column >= -0.5 && row >= -0.5 && column <= field->width - 0.5 &&
          row <= field->height - 0.5))
    {
        return NAN;
    }
    const double inner_x = fmin(fmax(column, 0.0), field->width - 1.0);
    const double inner_y = fmin(fmax(row, 0.0), field->height - 1.0);
    const int32_t x0 = (int32_t)inner_x;
    const int32_t y0 = (int32_t)inner_y;
    const int32_t x1 = x0 + 1 < field->width ? x0 + 1 : x0;
    const int32_t y1 = y0 + 1 < field->height ? y0 + 1 : y0;
    const float* upper = field->heights + y0 * field->stride;
    const float* lower = field->heights + y1 * field->stride;
    const double u = inner_x - x0;
    const double v = inner_y - y0;
    const double north = (1.0 - u) * (double)upper[x0] + u * (double)upper[x1];
    const double south = (1.0 - u) * (double)lower[x0] + u * (double)lower[x1];
    const float nearest = (v < 0.5 ? upper : lower)[u < 0.5 ? x0 : x1];
    const double level = (1.0 - v) * north + v * south;
    return isnan(level) ? nearest : (float)level;
}

static const double transect_thin = 0.1; // of a bank's relief: negligible height

// ---- bed and banks -----------------------------------------------------------------------

static int32_t transect_find_bed(const channel_transect* t, int32_t swing)
{
    const int32_t middle = t->count / 2;
    int32_t bed = middle;
    for (int32_t i = middle - swing; i <= middle + swing; ++i)
    {
        // any height replaces NaN
        bed = t->ground[i] < t->ground[bed] || isnan(t->ground[bed]) ? i : bed;
    }
    return bed;
}

// The overbank begins at the inner shoulder of the crest: thin water on a broad crest would only
// add wetted perimeter to the bed.
static int32_t transect_shoulder(const channel_transect* t, int32_t crest, int32_t way)
{
    int32_t shoulder = crest;
    while (shoulder - way != t->bed &&
           (double)(t->ground[crest] - t->ground[shoulder - way]) < transect_thin * t->relief)
    {
        shoulder -= way;
    }
    return shoulder;
}

// The bank's crest: the first one beyond which the ground falls by `relief` before it rises higher.
// Ground hardly above the bed is not a crest: there the bed itself lies on a slope.
static void transect_find_bank(channel_transect* t, int side)
{
    const int32_t way = side == TRANSECT_LEFT ? 1 : -1;
    int32_t crest = t->bed;
    int32_t i = t->bed + way;
    for (; i >= 0 && i < t->count && !isnan(t->ground[i]); i += way)
    {
        const double fall = (double)(t->ground[crest] - t->ground[i]);
        crest = fall <= 0.0 ? i : crest;
        const double rise = (double)(t->ground[crest] - t->ground[t->bed]);
        if (rise >= transect_thin * t->relief && fall >= t->relief)
        {
            t->crest[side] = t->ground[crest];
            t->bank[side] = transect_shoulder(t, crest, way);
            return;
        }
    }
    t->crest[side] = INFINITY;
    t->bank[side] = i;
}

channel_transect wadi_channel_transect_cut(const wadi_field2d* field,
                                           const channel_station* station,
                                           const channel_section_def* def, float* ground)
{
    channel_transect t = {
        .ground = ground, .count = 2 * def->reach + 1, .step = def->step, .relief = def->relief};
    for (int32_t i = 0; i < t.count; ++i)
    {
        const double offset = channel_transect_offset(&t, i);
        ground[i] = transect_ground(field, station->x - offset * station->tangent_y,
                                    station->y + offset * station->tangent_x);
    }
    t.bed = transect_find_bed(&t, def->swing);
    transect_find_bank(&t, TRANSECT_LEFT);
    transect_find_bank(&t, TRANSECT_RIGHT);
    return t;
}

// ---- water -------------------------------------------------------------------------------

// Panels for the bed and both overbanks, as in HEC-RAS: thin water on a floodplain must not slow
// the flow in the bed.
typedef struct transect_panels
{
    channel_wet wet[3];
    bool walled;
} transect_panels;

static channel_wet* transect_panel(transect_panels* panels, const channel_transect* t,
                                   int32_t sample)
{
    const bool right = sample < t->bank[TRANSECT_RIGHT];
    const bool left = sample >= t->bank[TRANSECT_LEFT];
    return &panels->wet[right ? 0 : left ? 2 : 1];
}

// Add the water between two neighbouring samples of depth `deep` (inner) and `shallow` (outer); if
// `shallow` is negative the waterline lies between them.
static void transect_add(channel_wet* wet, double step, double deep, double shallow)
{
    const double share = shallow > 0.0 ? 1.0 : deep / (deep - shallow);
    const double end = shallow > 0.0 ? shallow : 0.0;
    const double fall = deep - shallow;
    wet->area += 0.5 * (deep + end) * share * step;
    wet->perimeter += share * sqrt(step * step + fall * fall);
    wet->top += share * step;
}

// Add the water from the bed outwards to the waterline; returns the outermost wet sample.
static int32_t transect_spread(const channel_transect* t, double stage, int32_t way,
                               transect_panels* panels)
{
    int32_t at = t->bed;
    for (;;)
    {
        const int32_t next = at + way;
        channel_wet* wet = transect_panel(panels, t, way > 0 ? at : next);
        const double deep = stage - (double)t->ground[at];
        if (next < 0 || next >= t->count || isnan(t->ground[next]))
        {
            wet->perimeter += deep;
            panels->walled = true;
            return at;
        }
        const double shallow = stage - (double)t->ground[next];
        transect_add(wet, t->step, deep, shallow);
        if (shallow <= 0.0)
        {
            return at;
        }
        at = next;
    }
}

// The overbank takes part gradually as the water rises over the crest, in full at `relief` above
// it. If it took part at once, the energy at bankfull stage would drop by most of its velocity head
// and two stages would fit one discharge.
static channel_wet transect_overbank(const channel_transect* t, int side, double stage,
                                     channel_wet wet)
{
    const double over = (stage - (double)t->crest[side]) / t->relief;
    const double share = fmin(fmax(over, 0.0), 1.0);
    return (channel_wet){share * wet.area, share * wet.perimeter, share * wet.top};
}

// Velocity head of panels that each carry Q K_i / K: alpha V2 / 2g with alpha A-2 = sum(K_i3 /
// A_i2) / K3 (Chow 1959, section 2-7).
static double transect_kinetic(const channel_wet* wet, const double* conveyance, double sum)
{
    double kinetic = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        const double share = conveyance[i] / sum;
        kinetic += share > 0.0 ? share * share * share / (wet[i].area * wet[i].area) : 0.0;
    }
    return kinetic;
}

channel_filling wadi_channel_transect_fill(const channel_transect* t, double stage,
                                           double roughness)
{
    channel_filling filling = {.first = t->bed, .last = t->bed};
    transect_panels panels = {0};
    if (!(stage > (double)t->ground[t->bed]))
    {
        return filling;
    }
    filling.first = transect_spread(t, stage, -1, &panels);
    filling.last = transect_spread(t, stage, 1, &panels);
    filling.walled = panels.walled;
    panels.wet[0] = transect_overbank(t, TRANSECT_RIGHT, stage, panels.wet[0]);
    panels.wet[2] = transect_overbank(t, TRANSECT_LEFT, stage, panels.wet[2]);
    double conveyance[3];
    for (int i = 0; i < 3; ++i)
    {
        conveyance[i] = wadi_channel_conveyance(panels.wet[i], roughness);
        filling.area += panels.wet[i].area;
        filling.top += panels.wet[i].top;
        filling.conveyance += conveyance[i];
    }
    filling.kinetic = transect_kinetic(panels.wet, conveyance, filling.conveyance);
    return filling;
}
