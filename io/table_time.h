// SPDX-License-Identifier: MIT
// Times as tables write them.
#pragma once

#include <stdbool.h>

// Hours since some fixed day from "2020-01-31", "2020-01-31T13:00Z", "2020-01-31 13:00:30" or a
// number of days, as spreadsheets count them. False when the text is none of these.
bool wadi_io_time_parse(const char* text, double* hours);
