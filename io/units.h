// SPDX-License-Identifier: MIT
// Numbers with units: "10 yr", "35 km/h", "800 mm/yr", "2m", "33 deg", "12".
#pragma once

#include <wadi/context.h>

// Read `text` as a number in `unit`, which is also the unit of a bare number. A year is 365.25 days
// (Julian year). `what` names the value in messages. `unit` is "1" for shares and counts; percent
// is accepted for them.
wadi_result wadi_io_parse_value(wadi_context* context, const char* what, const char* text,
                                const char* unit, double* value);

// Factors that convert values of some units to `to`; 0 where they do not convert. For
// wadi_io_parse_value(): by udunits, or in the studio's module without a library.
void wadi_units_factors(const char* const* from, int32_t count, const char* to, double* factors);
