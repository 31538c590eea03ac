// SPDX-License-Identifier: MIT
// Numbers with units, as people write them: "10 yr", "35 km/h", "800 mm/yr", "2m", "33 deg", "12".
#pragma once

#include <wadi/context.h>

// Read `text` as a number in `unit`. A number without a unit is in `unit` already. A year is 365.25
// days, the Julian year, as everywhere in Wadi. `what` names the value in messages. `unit` is "1"
// for shares and counts, which may be written in percent.
wadi_result wadi_io_parse_value(wadi_context* context, const char* what, const char* text,
                                const char* unit, double* value);
