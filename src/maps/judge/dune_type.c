// SPDX-License-Identifier: MIT
// Classifies a dune field by its order, its bare ground and the angle between crests and sand
// drift.
#include "maps/judge/dune_forms_internal.h"

#include <math.h>

static const double type_slip = 20.0; // least slope of slip faces, on coarse cells [degree]
static const double type_rock = 38.0; // slope that loose sand does not keep [degree]
static const double type_tilt = 0.5;  // largest mean slope over the root mean square
// Measured on 11 simulated fields, three surveys of dunes, and 10 surveys and 5 noises without
// dunes, as they are and with their heights halved and more: rest 0.67 and more for dunes, 0.59 and
// less for land, but for a coast with 0.72 and a tail of 1.29.
static const double type_rest = 0.63;
static const double type_rest_tail = 0.75; // the same with a tail
static const double type_tail = 1.2;       // steepest slopes over slip faces
static const double type_no_order = 0.15;
static const double type_order = 0.4;
static const double type_across = 30.0; // largest angle, transverse crests [degree]
static const double type_along = 60.0;  // smallest angle of longitudinal crests [degree]

static const char* const type_names[WADI_DUNE_TYPE_COUNT] = {
    [WADI_DUNE_BARCHAN] = "barchan", [WADI_DUNE_TRANSVERSE] = "transverse",
    [WADI_DUNE_LINEAR] = "linear",   [WADI_DUNE_STAR] = "star",
    [WADI_DUNE_SHEET] = "sheet",     [WADI_DUNE_MIXED] = "mixed",
    [WADI_DUNE_NONE] = "none",
};

const char* wadi_dune_type_name(wadi_dune_type type)
{
    return (int)type >= 0 && type < WADI_DUNE_TYPE_COUNT ? type_names[type] : NULL;
}

// Angle between two axes, 0 to 90; NaN if one is undefined.
static double type_between(double a, double b)
{
    const double off = dune_azimuth(a - b, 180.0);
    return off > 90.0 ? 180.0 - off : off;
}

// Separate bodies on bare ground. The order of their curved crests may be as low as that of star
// dunes (0.13 in scenes/dunes-barchans.yaml), but without net drift there are no barchans.
static bool type_is_barchan(const wadi_dune_forms* forms, double off)
{
    const bool heaps = forms->bare > dune_bare_ground && forms->bodies >= 2;
    return heaps && (off < type_along || (off >= 0.0 && forms->order < type_no_order));
}

bool wadi_dune_forms_are_none(const wadi_dune_forms* forms)
{
    if (!isnan(forms->bare))
    {
        return forms->bodies == 0;
    }
    if (forms->tilt > type_tilt || forms->face > type_rock)
    {
        return true;
    }
    if (forms->face < type_slip)
    {
        return isnan(forms->spacing) || forms->order < type_order;
    }
    if (forms->behind <= 0.0) // banks and terraces; brinks have a windward side behind them
    {
        return true;
    }
    return forms->tail > type_tail ? isnan(forms->spacing) || forms->rest < type_rest_tail
                                   : forms->rest < type_rest;
}

wadi_dune_type wadi_dune_forms_classify(const wadi_dune_forms* forms, double drift)
{
    // NaN, when winds cancel, is neither transverse nor longitudinal
    const double off = type_between(forms->normal, drift);
    if (wadi_dune_forms_are_none(forms))
    {
        return WADI_DUNE_NONE;
    }
    if (forms->face < type_slip)
    {
        return WADI_DUNE_SHEET;
    }
    if (forms->order > type_order && off >= type_along)
    {
        return WADI_DUNE_LINEAR;
    }
    if (type_is_barchan(forms, off))
    {
        return WADI_DUNE_BARCHAN;
    }
    if (forms->order > type_order && off <= type_across)
    {
        return WADI_DUNE_TRANSVERSE;
    }
    return forms->order < type_no_order ? WADI_DUNE_STAR : WADI_DUNE_MIXED;
}
