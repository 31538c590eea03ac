// SPDX-License-Identifier: MIT
/// \file dune_shapes.h
/// What a field of dunes is made of: crests with their junctions and ends, slip faces and brinks,
/// bodies of sand with horns, stars with arms, small dunes on large ones, and collisions between
/// two surveys. docs/judge.md has the definitions.
///
///     wadi_dune_field field = {.surface = ground, .sand = thickness};
///     wadi_dune_shapes shapes;
///     wadi_dune_shapes_measure(context, &field, 90.0, &shapes, NULL);
#pragma once

#include <wadi/dune_forms.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Counts are 0 on ground without dunes, see `none`.
typedef struct wadi_dune_shapes
{
    bool none;     ///< wadi_dune_forms_are_none(): nothing is counted
    double height; ///< of the dunes: wadi_dune_forms.height [m]
    double scale;  ///< of the dunes: wavelength of a sine with the same heights and slopes [m]

    // crests
    double crests;     ///< length of all crests [m]
    int32_t lines;     ///< systems of crests that are not connected
    int32_t junctions; ///< places where three crests or more meet
    int32_t ends;      ///< places where a crest ends inside the map

    // slip faces
    int32_t faces; ///< slip faces
    double brinks; ///< length of their upper edges [m]

    // bodies of sand
    int32_t bodies;    ///< separate dunes
    int32_t free;      ///< those that lie within the map and do not surround it
    int32_t crescents; ///< free dunes with two horns downwind
    int32_t one_horn;  ///< free dunes with one

    // stars
    int32_t stars; ///< peaks from which three arms or more go out
    double arms;   ///< mean number of arms of a star; 0 without stars

    // small dunes on the flanks of large ones, if the scale is 20 cells or more
    int32_t small;        ///< crests of small dunes
    double small_crests;  ///< their length [m]
    double small_height;  ///< their mean height above the ground at both sides [m]; 0: none
    double small_spacing; ///< median distance between neighbours [m]; 0: none
} wadi_dune_shapes;

/// Bits of a cell in the map of marks.
typedef enum wadi_dune_mark
{
    WADI_DUNE_MARK_CREST = 1 << 0,
    WADI_DUNE_MARK_JUNCTION = 1 << 1,
    WADI_DUNE_MARK_END = 1 << 2,
    WADI_DUNE_MARK_FACE = 1 << 3,
    WADI_DUNE_MARK_BRINK = 1 << 4,
    WADI_DUNE_MARK_BODY = 1 << 5,
    WADI_DUNE_MARK_CRESCENT = 1 << 6, ///< with WADI_DUNE_MARK_BODY: of a dune with two horns
    WADI_DUNE_MARK_HORN = 1 << 7,     ///< tip of a horn
    WADI_DUNE_MARK_STAR = 1 << 8,     ///< peak of a star
    WADI_DUNE_MARK_SMALL = 1 << 9,    ///< crest of a small dune
} wadi_dune_mark;

/// \p drift is the azimuth towards which sand drifts; NaN: each dune's own slip face tells. \p
/// marks has width x height values of wadi_dune_mark bits, or is NULL. Cells have the width of the
/// middle row.
WADI_API wadi_result wadi_dune_shapes_measure(wadi_context* context, const wadi_dune_field* field,
                                              double drift, wadi_dune_shapes* out, uint16_t* marks);

/// Draw the marks over a hillshade, \p scale x \p scale pixels a cell, 1 to 32: RGB rows, north up.
/// Crests red, junctions magenta, ends black, slip faces and brinks blue, bodies outlined grey and
/// crescents green with dots at their horns, stars white, crests of small dunes yellow.
WADI_API wadi_result wadi_dune_marks_draw(wadi_context* context, const wadi_field2d* surface,
                                          const uint16_t* marks, int32_t scale, uint8_t* pixels);

/// One body of sand. Without a map of sand, bodies are what rises from the ground between dunes.
typedef struct wadi_dune_body
{
    double x;        ///< its middle, from the western edge of the map [m]
    double y;        ///< its middle, from the northern edge of the map [m]
    double area;     ///< [m2]
    double volume;   ///< [m3]
    double height;   ///< greatest thickness [m]
    double width;    ///< across `axis` [m]
    double length;   ///< along it [m]
    double axis;     ///< azimuth downwind, in [0, 360)
    double horns[2]; ///< how far the left and the right outer third reach beyond the middle [m]
    int32_t horned;  ///< number of horns, longer than 8 % of the width
    bool free;       ///< lies within the map and does not surround it
    bool slips;      ///< has a slip face
} wadi_dune_body;

/// List bodies, the largest first. \p bodies has room for \p capacity; *count is their number.
WADI_API wadi_result wadi_dune_bodies_list(wadi_context* context, const wadi_dune_field* field,
                                           double drift, wadi_dune_body* bodies, int32_t capacity,
                                           int32_t* count);

/// What became of the dunes of one state of a field in a later one.
typedef struct wadi_dune_encounters
{
    int32_t kept;       ///< dunes that are one dune in both states
    int32_t collisions; ///< dunes that joined another one
    int32_t calvings;   ///< dunes that left another one
    int32_t gone;       ///< dunes without a successor: they left the map or lost their sand
    int32_t born;       ///< dunes without a predecessor
} wadi_dune_encounters;

/// Dunes are the bodies of wadi_dune_bodies_list(), with the limits of the later state. They are
/// linked where they overlap after the shift of the field, which is up to 32 cells, times the mean
/// height over their own. Of two dunes that exchange sand and part, one collided and one calved.
/// States should be so close in time that most dunes move by less than their length. A field
/// without dunes in one of the states gives 0 in all.
WADI_API wadi_result wadi_dune_encounters_count(wadi_context* context,
                                                const wadi_dune_field* before,
                                                const wadi_dune_field* after,
                                                wadi_dune_encounters* out);

#ifdef __cplusplus
}
#endif
