// SPDX-License-Identifier: MIT
/// \file grain_flow.h
/// Grains that come and go while a world of grains runs: by hand, or from feeders and into sinks on
/// the world's clock. Ids are places in the arrays of all grains; they close up when grains go. A
/// name belongs to one grain for ever: those of the first grains are their ids, and each grain that
/// comes gets the next number. Grains of wadi_wet_grains can't come or go. docs/theory/grains.md
/// describes it.
#pragma once

#include <wadi/grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

enum
{
    WADI_GRAIN_MAX_FEEDERS = 8,
    WADI_GRAIN_MAX_SINKS = 8
};

/// A box that grains come out of. They are laid at random where they overlap nothing; those that
/// find no room wait. Radii lie between two limits, and their number falls as radius^exponent. A
/// clump (grain_clump.h) counts as one grain for a feeder or a sink, and as its spheres in the
/// books.
typedef struct wadi_grain_feeder
{
    double low[3]; ///< corners of the box that their centres lie in [m]
    double high[3];
    double mass_rate;   ///< under 1e12, or 0 with a `number_rate` [kg/s]
    double number_rate; ///< under 1e12, or 0 with a `mass_rate` [1/s]
    double from;        ///< time of the world at which it begins [s]
    double until;       ///< and ends; 0: it does not [s]
    double every;       ///< time between two looks [s]
    double radius_low;  ///< [m]
    double radius_high; ///< [m]
    double exponent;    ///< of the number of grains by radius; 0: all radii are as frequent
    double velocity[3]; ///< that they come with [m/s]
    double scatter;     ///< most that each part of their velocity differs from it [m/s]
    double wetness;     ///< water mass over grain mass
    uint64_t seed;      ///< of all that is random
    int32_t material;
    int32_t shape;      ///< of clumps, in a world that has shapes; radii are of equal volume
    double clump_share; ///< of grains that are clumps, turned at random; 0: none, 1: all
} wadi_grain_feeder;

/// A box that takes out grains, and clumps, whose centres (of mass) lie in it; infinite numbers
/// make a half space.
typedef struct wadi_grain_sink
{
    double low[3]; ///< [m]
    double high[3];
    double every; ///< time between two looks [s]
} wadi_grain_sink;

/// Grains and their mass without water.
typedef struct wadi_grain_tally
{
    int64_t grains;
    int64_t units; ///< of mass: each grain's is rounded to whole ones once, so sums are exact
    double mass;   ///< units x wadi_grain_books.unit [kg]
} wadi_grain_tally;

/// The books: first + come - gone - present is 0 grains and 0 units at any time.
typedef struct wadi_grain_books
{
    double unit; ///< of mass, 2^-36 of the largest grain or less [kg]
    wadi_grain_tally first;
    wadi_grain_tally come;
    wadi_grain_tally gone;
    wadi_grain_tally present;
} wadi_grain_books;

/// Prepare for grains of these radii, before the first step: the step and the unit of force are
/// chosen as if there were such grains of every material.
WADI_API wadi_result wadi_grains_expect(wadi_grains* grains, double smallest, double largest);

/// Add grains as they are; ids and names go on from the last. Refused are grains larger than any so
/// far or than was expected, and so light that the step is too long for them.
WADI_API wadi_result wadi_grains_insert(wadi_grains* grains, const wadi_grain* list, int32_t count);
/// Take out the grains whose entry, by id, is true. Their bonds and contacts end.
WADI_API wadi_result wadi_grains_remove(wadi_grains* grains, const bool* which);

/// Add a feeder or a sink; *out is its number. They cannot be taken away; `until` ends a feeder.
/// A world that is restored has to have the same.
WADI_API wadi_result wadi_grains_add_feeder(wadi_grains* grains, const wadi_grain_feeder* feeder,
                                            int32_t* out);
WADI_API wadi_result wadi_grains_add_sink(wadi_grains* grains, const wadi_grain_sink* sink,
                                          int32_t* out);

/// From now on no grain can come or go: for a caller who keeps something beside each of them, as
/// wadi_wet_grains does.
WADI_API void wadi_grains_tie(wadi_grains* grains);

WADI_API wadi_grain_books wadi_grains_books(const wadi_grains* grains);
/// What came from one feeder, or went into one sink.
WADI_API wadi_result wadi_grains_fed(const wadi_grains* grains, int32_t feeder,
                                     wadi_grain_tally* out);
WADI_API wadi_result wadi_grains_sunk(const wadi_grains* grains, int32_t sink,
                                      wadi_grain_tally* out);
/// Names of all grains by id, in rising order.
WADI_API void wadi_grains_names(const wadi_grains* grains, int64_t* out);

#ifdef __cplusplus
}
#endif
