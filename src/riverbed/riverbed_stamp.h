// SPDX-License-Identifier: MIT
// Stamps: Eq 2, sqrt(s2 - rho2) in every cell nearer than s, summed in whole parts of a cell. Sums
// of integers do not depend on the order, so neither do beds.
#pragma once

#include <stdint.h>

enum
{
    // parts of a cell of thickness: a stamp of s = 3 has 12 288 in its centre, and 10^4 particles
    // of it sum up to 10^9 there, which is why sums live in 64 bits and only tiles in 32
    RIVERBED_PARTS = 4096,
    RIVERBED_LANES = 8, // cells of a row that are stamped at once
    RIVERBED_APART = 8  // stamps that take turns
};

typedef struct riverbed_stamps
{
    int32_t* sums; // [parts]
    int32_t stride;
    int32_t reach; // ceil(s): rows and cells to either side
    int32_t span;  // cells in a row, 2 x reach rounded up to lanes
    float squared; // s2 [cells2]
    // one a stamp: cell of its north-west corner in `sums`, place of its centre beyond the cell
    // that it lies in, in [0, 1)
    int32_t count;
    const int32_t* corner;
    const float* x;
    const float* y;
} riverbed_stamps;

typedef void riverbed_stamp_fn(const riverbed_stamps* stamps);
riverbed_stamp_fn riverbed_stamp_base;
riverbed_stamp_fn riverbed_stamp_avx2;
riverbed_stamp_fn riverbed_stamp_avx512;
