// SPDX-License-Identifier: MIT
// Flow accumulation. A cell is summed after all its donors and gathers from them in the order of
// the directions, so the bits do not depend on the order of processing.
#include "laws/flow/flow_grid.h"

typedef struct sum_run
{
    wadi_context* context;
    flow_grid grid;
    const wadi_flow_target* targets;
    const float* source;
    double* sum;
    uint8_t* donors; // number not yet summed
    uint32_t* ready;
    int64_t ready_count;
} sum_run;

// Share of a cell's water that goes in a direction; 0 if that is not a receiver.
static double sum_share(const wadi_flow_target* target, int direction)
{
    return direction == target->first    ? 1.0 - (double)target->share
           : direction == target->second ? (double)target->share
                                         : 0.0;
}

static double sum_own(const sum_run* run, int64_t cell)
{
    const int32_t row = (int32_t)(cell / run->grid.width);
    return run->source != NULL ? (double)run->source[cell]
                               : flow_dx(&run->grid, row) * run->grid.field->dy;
}

static double sum_gather(const sum_run* run, int64_t cell)
{
    double sum = sum_own(run, cell);
    for (int k = 0; k < 8; ++k)
    {
        const int64_t n = flow_neighbour_of(&run->grid, cell, k);
        const double share = n >= 0 ? sum_share(&run->targets[n], (k + 4) % 8) : 0.0;
        if (share > 0.0)
        {
            sum += share * run->sum[n];
        }
    }
    return sum;
}

// Receiver in a direction, or -1; the targets come from the caller and may be invalid.
static int64_t sum_receiver(const sum_run* run, int64_t cell, int direction)
{
    const bool is_way = direction >= 0 && direction < 8;
    return is_way ? flow_neighbour_of(&run->grid, cell, direction) : -1;
}

static wadi_result sum_count_donors(sum_run* run)
{
    for (int64_t i = 0; i < run->grid.cells; ++i)
    {
        const int8_t to[2] = {run->targets[i].first, run->targets[i].second};
        for (int t = 0; t < 2; ++t)
        {
            const int64_t n = sum_receiver(run, i, to[t]);
            WADI_CHECK(run->context, to[t] >= -1 && to[t] < 8 && (to[t] < 0 || n >= 0),
                       WADI_ERROR_ARGUMENT, "target %d of column %d, row %d is not a neighbour",
                       (int)to[t], (int)(i % run->grid.width), (int)(i / run->grid.width));
            if (n >= 0)
            {
                run->donors[n] += 1;
            }
        }
    }
    for (int64_t i = 0; i < run->grid.cells; ++i)
    {
        if (run->donors[i] == 0)
        {
            run->ready[run->ready_count++] = (uint32_t)i;
        }
    }
    return WADI_OK;
}

static wadi_result sum_all(sum_run* run)
{
    WADI_ALLOC(run->context, run->donors, run->grid.cells, "flow accumulation");
    WADI_ALLOC(run->context, run->ready, run->grid.cells, "flow accumulation");
    WADI_TRY(sum_count_donors(run));
    int64_t done = 0;
    while (run->ready_count > 0)
    {
        const int64_t cell = (int64_t)run->ready[--run->ready_count];
        const bool has_data = !isnan(flow_height(&run->grid, cell));
        run->sum[cell] = has_data ? sum_gather(run, cell) : (double)NAN;
        done += 1;
        const int8_t to[2] = {run->targets[cell].first, run->targets[cell].second};
        for (int t = 0; t < 2; ++t)
        {
            const int64_t n = sum_receiver(run, cell, to[t]);
            if (n >= 0 && --run->donors[n] == 0)
            {
                run->ready[run->ready_count++] = (uint32_t)n;
            }
        }
    }
    WADI_CHECK(run->context, done == run->grid.cells, WADI_ERROR_ARGUMENT,
               "%lld cells drain in a cycle; take targets from wadi_flow_route()",
               (long long)(run->grid.cells - done));
    return WADI_OK;
}

wadi_result wadi_flow_accumulate(wadi_context* context, const wadi_field2d* field,
                                 const wadi_flow_target* targets, const float* source, double* sum)
{
    WADI_TRY(wadi_field2d_check(context, field, sum));
    WADI_CHECK(context, targets != NULL, WADI_ERROR_ARGUMENT,
               "flow accumulation needs targets, got NULL");
    sum_run run = {.context = context,
                   .grid = flow_grid_of(field),
                   .targets = targets,
                   .source = source,
                   .sum = sum};
    const wadi_result result = sum_all(&run);
    wadi_free(context, run.ready);
    wadi_free(context, run.donors);
    return result;
}

// Mark all cells downstream of the marked ones; each is visited at most once.
static void sum_mark_downstream(sum_run* run, uint8_t* fed)
{
    while (run->ready_count > 0)
    {
        const int64_t cell = (int64_t)run->ready[--run->ready_count];
        const int8_t to[2] = {run->targets[cell].first, run->targets[cell].second};
        for (int t = 0; t < 2; ++t)
        {
            const int64_t n = sum_receiver(run, cell, to[t]);
            if (n >= 0 && fed[n] == 0)
            {
                fed[n] = 1;
                run->ready[run->ready_count++] = (uint32_t)n;
            }
        }
    }
}

wadi_result wadi_flow_edge_fed(wadi_context* context, const wadi_field2d* field,
                               const wadi_flow_target* targets, uint8_t* fed)
{
    WADI_TRY(wadi_field2d_check(context, field, fed));
    WADI_CHECK(context, targets != NULL, WADI_ERROR_ARGUMENT,
               "marking the cells fed by the edge needs targets, got NULL");
    sum_run run = {.context = context, .grid = flow_grid_of(field), .targets = targets};
    WADI_ALLOC(context, run.ready, run.grid.cells, "the cells fed by the edge");
    for (int64_t i = 0; i < run.grid.cells; ++i)
    {
        const bool has_data = !isnan(flow_height(&run.grid, i));
        fed[i] = has_data && flow_is_rim(&run.grid, i) ? 1 : 0;
        if (fed[i] != 0)
        {
            run.ready[run.ready_count++] = (uint32_t)i;
        }
    }
    sum_mark_downstream(&run, fed);
    wadi_free(context, run.ready);
    return WADI_OK;
}
