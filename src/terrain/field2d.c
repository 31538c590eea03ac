// SPDX-License-Identifier: MIT
#include "terrain/field2d.h"

#include "core/internal.h"

#include <math.h>

static bool field2d_is_length(double value)
{
    return value > 0.0 && value < (double)INFINITY;
}

static wadi_result field2d_check_edges(wadi_context* context, const wadi_field2d* field)
{
    const wadi_edge* edges = field->edges;
    for (int side = 0; side < 4; ++side)
    {
        WADI_CHECK(context, (int)edges[side] >= 0 && edges[side] <= WADI_EDGE_PERIODIC,
                   WADI_ERROR_ARGUMENT,
                   "unknown edge %d; expected open (0), closed (1) or periodic (2)",
                   (int)edges[side]);
    }
    WADI_CHECK(context,
               (edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC) ==
                       (edges[WADI_SIDE_SOUTH] == WADI_EDGE_PERIODIC) &&
                   (edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC) ==
                       (edges[WADI_SIDE_EAST] == WADI_EDGE_PERIODIC),
               WADI_ERROR_ARGUMENT, "a periodic edge needs its opposite edge to be periodic too");
    return WADI_OK;
}

wadi_result wadi_field2d_check(wadi_context* context, const wadi_field2d* field, const void* out)
{
    WADI_CHECK(context, field != NULL && field->heights != NULL && out != NULL, WADI_ERROR_ARGUMENT,
               "a derived map needs a height field and an array to fill, got NULL");
    WADI_CHECK(context,
               field->width >= 1 && field->height >= 1 && field->width <= 65536 &&
                   field->height <= 65536,
               WADI_ERROR_ARGUMENT, "height field of %d x %d cells: each side must be 1..65536",
               (int)field->width, (int)field->height);
    WADI_CHECK(context, field->stride >= field->width, WADI_ERROR_ARGUMENT,
               "rows lie %lld elements apart but are %d cells wide", (long long)field->stride,
               (int)field->width);
    WADI_CHECK(context, field2d_is_length(field->dy), WADI_ERROR_RANGE,
               "cell height %g m must be above 0 and finite", field->dy);
    WADI_CHECK(context, field->dx_of_row != NULL || field2d_is_length(field->dx), WADI_ERROR_RANGE,
               "cell width %g m must be above 0 and finite", field->dx);
    for (int32_t row = 0; field->dx_of_row != NULL && row < field->height; ++row)
    {
        WADI_CHECK(context, field2d_is_length(field->dx_of_row[row]), WADI_ERROR_RANGE,
                   "cell width %g m of row %d must be above 0 and finite", field->dx_of_row[row],
                   (int)row);
    }
    return field2d_check_edges(context, field);
}
