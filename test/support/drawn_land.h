// SPDX-License-Identifier: MIT
// Ground that tests of measures of land draw.
#pragma once

#include "support/fixture.h"

enum
{
    SIZE = 96,
    CELLS = SIZE * SIZE
};

static float ground[CELLS];

// Cells of 60 m: a channel drains 100 cells or more.
static inline wadi_land land_of(void)
{
    return (wadi_land){.surface = {.heights = ground,
                                   .width = SIZE,
                                   .height = SIZE,
                                   .stride = SIZE,
                                   .dx = 60.0,
                                   .dy = 60.0}};
}

static inline wadi_land_forms measure(wadi_context* context)
{
    const wadi_land land = land_of();
    wadi_land_forms forms;
    CHECK_OK(context, wadi_land_forms_measure(context, &land, &forms));
    return forms;
}

// Height at (x, y), in cells from the middle, y southwards.
typedef double shape(double x, double y);

static inline void draw(shape* height)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        ground[i] = (float)height(i % SIZE - 0.5 * SIZE, (double)(i / SIZE) - 0.5 * SIZE);
    }
}

// A number in [0, 1) for each cell.
static inline double chance(uint32_t i)
{
    uint32_t h = i * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return (double)(h ^ h >> 16) / 4294967296.0;
}

static inline double rough(double x, double y)
{
    const uint32_t i = (uint32_t)((y + 0.5 * SIZE) * SIZE + x + 0.5 * SIZE);
    return 300.0 * sin(x / 17.0) * cos(y / 13.0) + 25.0 * chance(i);
}

static inline int open_fixture(void** state)
{
    static fixture f;
    fixture_open(&f, 2);
    *state = &f;
    return 0;
}

static inline int close_fixture(void** state)
{
    fixture_close(*state);
    return 0;
}
