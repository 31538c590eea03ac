// SPDX-License-Identifier: MIT
// Poisson faulting into classes (Warszawski & Nikiel 2012): the sum of many faults, divided at its
// quantiles. Equal steps of height would give half of the area to a middle class and a twentieth to
// outer ones.
#include "maps/synthesis/faults.h"

#include <stdlib.h>
#include <string.h>

static int classes_compare(const void* a, const void* b)
{
    const float x = *(const float*)a;
    const float y = *(const float*)b;
    return (x > y) - (x < y);
}

// Class of a value: the number of ascending limits it has reached.
static int32_t classes_find(const float* limits, int32_t count, float value)
{
    int32_t class = 0;
    while (class < count && value >= limits[class])
    {
        ++class;
    }
    return class;
}

wadi_result wadi_poisson_faults_fill(const synthesis_grid* grid, const void* params)
{
    enum
    {
        MAX_CLASSES = 64
    };
    const wadi_poisson_faults_params* p = params;
    const faults_layout layout = {p->kind,       p->count,      0.5,        0.0,
                                  p->radius_min, p->radius_max, p->tileable};
    WADI_TRY(wadi_faults_sum(grid, &layout));

    const int64_t cells = synthesis_cells(grid);
    float* sorted;
    WADI_ALLOC(grid->context, sorted, cells, "quantiles");
    memcpy(sorted, grid->out, (size_t)cells * sizeof *sorted);
    qsort(sorted, (size_t)cells, sizeof *sorted, classes_compare);
    float limits[MAX_CLASSES];
    for (int32_t i = 1; i < p->classes; ++i)
    {
        limits[i - 1] = sorted[cells * i / p->classes];
    }
    wadi_free(grid->context, sorted);

    const double step = p->classes > 1 ? (p->high - p->low) / (p->classes - 1) : 0.0;
    for (int64_t i = 0; i < cells; ++i)
    {
        const int32_t class = classes_find(limits, p->classes - 1, grid->out[i]);
        grid->out[i] = (float)(p->low + step * class);
    }
    return WADI_OK;
}
