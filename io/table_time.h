// SPDX-License-Identifier: MIT
// Times in tables.
#pragma once

#include <stdbool.h>

// Hours since a fixed day, from "2020-01-31", "2020-01-31T13:00Z", "2020-01-31 13:00:30" or a
// spreadsheet's number of days. False for any other text.
bool wadi_io_time_parse(const char* text, double* hours);
