// SPDX-License-Identifier: MIT
// From the values of a file to metres: integers that cover a range of heights.
#pragma once

#include "io/raster/raster.h"

// True if `reading` says what the heights are.
bool wadi_io_heights_are_told(const wadi_io_reading* reading);

// True if the values of a raster have no unit: integers, or floats from 0 to 1.
bool wadi_io_heights_are_bare(const wadi_io_raster* raster);

// Fail if `reading` says it in two ways, or not completely.
wadi_result wadi_io_heights_check(wadi_context* context, const wadi_io_reading* reading);

// Turn the values of a raster into heights. Values of floats have to be 0 to 1 where `reading`
// gives a range.
wadi_result wadi_io_heights_apply(wadi_context* context, const char* path,
                                  const wadi_io_reading* reading, wadi_io_raster* raster);

// Length of the unit that a file gives for its values, such as "ft" [m]; 1 for metres and where it
// gives none that is a length.
double wadi_io_heights_unit(const char* unit);

// True for the length of a foot, of any kind: a unit of heights only, while mm are of rain too.
bool wadi_io_heights_is_foot(double metres);

// Turn values in the unit that the file gives into metres, with a line to the log hook unless
// `quiet`. Fails as wadi_io_heights_check_marks() does if some are marks in feet.
wadi_result wadi_io_heights_to_metres(wadi_context* context, const char* path, bool quiet,
                                      wadi_io_raster* raster);

// Fail if cells cells have a usual mark of no data, such as -9999, far below all others.
wadi_result wadi_io_heights_check_marks(wadi_context* context, const char* path,
                                        const wadi_io_raster* raster);

// Log what is doubtful about heights: 8 bits, or numbers without a unit that are taken as metres.
void wadi_io_heights_note(wadi_context* context, const char* path, const wadi_io_raster* raster);
