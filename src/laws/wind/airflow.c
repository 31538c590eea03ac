// SPDX-License-Identifier: MIT
#include "laws/wind/airflow.h"

#include "laws/wind/airflow_internal.h"
#include "laws/wind/airflow_window.h"

#include <math.h>
#include <string.h>

// ---- heights -----------------------------------------------------------------------------------

void wadi_airflow_tops(const wadi_airflow* flow, int32_t y, float* out)
{
    const wadi_ground* ground = flow->ground;
    const int64_t first = (int64_t)y * ground->width;
    if (flow->tops_given)
    {
        memcpy(out, flow->height + first, (size_t)ground->width * sizeof *out);
        return;
    }
    flow->kernels->tops(flow->height + first, ground->vegetation + first, ground->valid + first,
                        (float)flow->law.plant_height, ground->width, out);
}

// Add a row of a layer to `sum`.
static void airflow_add_row(const int32_t* layer, int32_t count, int32_t* sum)
{
    for (int32_t x = 0; x < count; ++x)
    {
        sum[x] += layer[x];
    }
}

// Surface of the owned cells of row `y` [units], summed layer by layer rather than cell by cell:
// these loops run at memory bandwidth.
static int32_t* airflow_surface(const wadi_airflow* flow, int32_t y, int32_t worker)
{
    const wadi_ground* ground = flow->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    const int32_t count = owned.end_x - owned.x;
    const int64_t first = (int64_t)y * ground->width + owned.x;
    int32_t* sum = flow->units + (int64_t)worker * ground->width;
    memcpy(sum + owned.x, ground->bedrock + first, (size_t)count * sizeof *sum);
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        airflow_add_row(ground->loose[i] + first, count, sum + owned.x);
    }
    return sum;
}

static void airflow_sum_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    wadi_airflow* flow = user;
    const wadi_ground* ground = flow->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    for (int32_t y = owned.y + begin; y < owned.y + end; ++y)
    {
        const int32_t* surface = airflow_surface(flow, y, worker);
        const uint8_t* valid = ground->valid + (int64_t)y * ground->width;
        airflow_row row = {0};
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            row.sum += valid[x] != 0 ? surface[x] : 0;
            row.valid += valid[x];
        }
        flow->rows[y] = row;
    }
}

static wadi_result airflow_find_datum(wadi_airflow* flow)
{
    const wadi_owned owned = wadi_ground_owned(flow->ground);
    wadi_parallel_rows(flow->context, owned.end_y - owned.y, AIRFLOW_GRAIN, airflow_sum_rows, flow);
    int64_t sums[2] = {0}; // of units, and of cells
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        sums[0] += flow->rows[y].sum;
        sums[1] += flow->rows[y].valid;
    }
    if (!wadi_partition_sum(flow->ground->part, sums, 2))
    {
        return wadi_partition_lost(flow->context);
    }
    const int64_t sum = sums[0];
    const int64_t valid = sums[1];
    // floor division, so that adding a constant to all heights does not change the result
    flow->datum = valid > 0 ? (int32_t)((sum - (sum % valid + valid) % valid) / valid) : 0;
    return WADI_OK;
}

static void airflow_height_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    wadi_airflow* flow = user;
    const wadi_ground* ground = flow->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    for (int32_t y = owned.y + begin; y < owned.y + end; ++y)
    {
        const int32_t* surface = airflow_surface(flow, y, worker);
        const uint8_t* valid = ground->valid + (int64_t)y * ground->width;
        float* height = flow->height + (int64_t)y * ground->width;
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            // a peak can stand more than 2^31 units above the mean
            const int64_t units = (int64_t)surface[x] - flow->datum;
            const float above = (float)units * (1.0f / WADI_UNITS_PER_METRE);
            height[x] = valid[x] != 0 ? above : 0.0f;
        }
    }
}

static void airflow_read_heights(wadi_airflow* flow)
{
    const wadi_owned owned = wadi_ground_owned(flow->ground);
    wadi_parallel_rows(flow->context, owned.end_y - owned.y, AIRFLOW_GRAIN, airflow_height_rows,
                       flow);
}

// ---- create and destroy ------------------------------------------------------------------------

void wadi_airflow_destroy(wadi_airflow* flow)
{
    if (flow == NULL)
    {
        return;
    }
    wadi_airflow_local_destroy(flow->local, flow->context);
    wadi_airflow_laid_destroy(flow->laid, flow->context);
    wadi_airflow_window_destroy(flow);
    void* const owned[] = {flow->scratch,   flow->shifted,   flow->rows,      flow->height,
                           flow->smooth[0], flow->smooth[1], flow->weight[0], flow->weight[1],
                           flow->sky,       flow->x,         flow->y,         flow->shelter,
                           flow->units};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        wadi_free(flow->context, owned[i]);
    }
    wadi_free(flow->context, flow);
}

static wadi_result airflow_create_grids(wadi_airflow* flow)
{
    const int64_t cells = flow->ground->cells;
    float** const grids[] = {&flow->height, &flow->smooth[0], &flow->smooth[1], &flow->x, &flow->y};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; ++i)
    {
        WADI_ALLOC(flow->context, *grids[i], cells, "the wind field");
    }
    const int64_t each = flow->law.open ? 1 : 3;
    WADI_ALLOC(flow->context, flow->sky, 2 * each * cells, "the skyline of the wind");
    for (int32_t i = 0; i < 2; ++i)
    {
        // the buffers for smoothing share memory with the skylines; they are not in use together
        flow->buffer[i] = flow->sky + each * cells * i;
    }
    if (!flow->law.open)
    {
        for (int32_t i = 0; i < 2; ++i)
        {
            float* first = flow->buffer[i];
            flow->skyline[i] = (skyline){first, first + cells, first + 2 * cells};
        }
        WADI_ALLOC(flow->context, flow->shelter, cells, "the wind field");
    }
    return WADI_OK;
}

static wadi_result airflow_create_rows(wadi_airflow* flow)
{
    const int64_t workers = wadi_context_workers(flow->context);
    const int64_t width = flow->ground->width;
    flow->pad = wadi_airflow_smooth_reach(flow);
    WADI_ALLOC(flow->context, flow->rows, flow->ground->height, "rows of the wind field");
    WADI_ALLOC(flow->context, flow->scratch, workers * AIRFLOW_SCRATCH * (width + 2 * flow->pad),
               "rows of the wind field");
    WADI_ALLOC(flow->context, flow->units, workers * width, "rows of the wind field");
    WADI_ALLOC(flow->context, flow->shifted, workers * AIRFLOW_SHIFTED * width,
               "rows of the wind field");
    return WADI_OK;
}

// Where there are voids, smoothed ground is divided by the smoothed mask.
static wadi_result airflow_create_weights(wadi_airflow* flow)
{
    const wadi_ground* ground = flow->ground;
    if (!flow->holes)
    {
        return WADI_OK;
    }
    for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
    {
        WADI_ALLOC(flow->context, flow->weight[s], ground->cells, "weights of the wind field");
    }
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        flow->height[cell] = (float)ground->valid[cell];
    }
    return wadi_airflow_smooth(flow, flow->weight);
}

static wadi_result airflow_create_parts(wadi_airflow* flow, uint32_t stream)
{
    WADI_TRY(airflow_create_grids(flow));
    WADI_TRY(airflow_create_rows(flow));
    WADI_TRY(wadi_airflow_window_create(flow));
    WADI_TRY(airflow_create_weights(flow));
    return wadi_airflow_laid_create(flow->terrain, stream, &flow->laid);
}

wadi_result wadi_airflow_create(wadi_terrain* terrain, const airflow_law* law, uint32_t stream,
                                wadi_airflow** out)
{
    *out = NULL;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_CHECK(
        context, law->open || law->lee_full >= law->lee_begin + 0.1, WADI_ERROR_RANGE,
        "lee_full is %g degrees and lee_begin %g degrees; lee_full must be at least 0.1 degrees "
        "above lee_begin",
        law->lee_full, law->lee_begin);
    const int64_t cells = wadi_terrain_ground(terrain)->cells;
    WADI_CHECK(context, cells <= INT32_MAX, WADI_ERROR_RANGE,
               "a wind field of %lld cells, but at most 2^31 - 1 are possible; use coarser cells",
               (long long)cells);
    wadi_airflow* flow;
    WADI_ALLOC(context, flow, 1, "the wind field");
    flow->context = context;
    flow->terrain = terrain;
    flow->ground = wadi_terrain_ground(terrain);
    flow->kernels = airflow_kernels_of(wadi_isa_best());
    flow->law = *law;
    const int32_t width = wadi_ground_whole_width(flow->ground);
    const int32_t height = wadi_ground_whole_height(flow->ground);
    flow->longest = width > height ? width : height;
    flow->holes = wadi_partition_any(flow->ground->part, !flow->ground->all_valid);
    flow->wrap_x = flow->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    flow->wrap_y = flow->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const wadi_result result = airflow_create_parts(flow, stream);
    if (result != WADI_OK)
    {
        wadi_airflow_destroy(flow);
        return result;
    }
    *out = flow;
    return WADI_OK;
}

static wadi_result airflow_set_local(wadi_airflow* flow, const double* rows, int32_t count)
{
    airflow_local* made;
    WADI_TRY(wadi_airflow_local_create(flow->terrain, rows, count, &made));
    wadi_airflow_local_destroy(flow->local, flow->context);
    flow->local = made;
    return WADI_OK;
}

wadi_result wadi_airflow_set_table(wadi_airflow* flow, int32_t index, const double* rows,
                                   int32_t count)
{
    if (index == AIRFLOW_TABLE_LOCAL_WINDS)
    {
        return airflow_set_local(flow, rows, count);
    }
    return wadi_airflow_laid_set_table(flow->laid, flow->terrain, index, rows, count);
}

// ---- the field ---------------------------------------------------------------------------------

static void airflow_divide_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    wadi_airflow* flow = user;
    const int64_t width = flow->ground->width;
    for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
    {
        for (int64_t cell = begin * width; cell < end * width; ++cell)
        {
            // far inside a void the weight is 0, and the wind there is not used
            const float weight = flow->weight[s][cell];
            flow->smooth[s][cell] /= weight > 1e-3f ? weight : 1e-3f;
        }
    }
}

wadi_result wadi_airflow_survey(wadi_airflow* flow)
{
    WADI_TRY(airflow_find_datum(flow));
    airflow_read_heights(flow);
    WADI_TRY(wadi_airflow_smooth(flow, flow->smooth));
    if (flow->weight[0] != NULL)
    {
        wadi_parallel_rows(flow->context, flow->ground->height, AIRFLOW_GRAIN, airflow_divide_rows,
                           flow);
    }
    return WADI_OK;
}

static void airflow_calm(wadi_airflow* flow)
{
    const size_t bytes = (size_t)flow->ground->cells * sizeof(float);
    memset(flow->x, 0, bytes);
    memset(flow->y, 0, bytes);
    if (flow->shelter != NULL)
    {
        memset(flow->shelter, 0, bytes);
    }
    flow->turned = 0.0f;
}

// The regional wind over the relief, with local winds mixed in.
static void airflow_shape(wadi_airflow* flow, const airflow_wind* wind)
{
    airflow_read_heights(flow);
    if (wind->speed > 0.0)
    {
        flow->turned = wadi_airflow_warp(flow, wind, flow->x, flow->y);
    }
    else
    {
        airflow_calm(flow);
    }
    if (flow->local != NULL)
    {
        wadi_airflow_local_blow(flow->local, flow, wind->years);
        flow->turned = 1.0f; // local winds may have any direction
    }
}

wadi_result wadi_airflow_blow(wadi_airflow* flow, const airflow_wind* wind)
{
    airflow_shape(flow, wind);
    const bool shelters = !flow->law.open && (wind->speed > 0.0 || flow->local != NULL);
    WADI_TRY(shelters ? wadi_airflow_lee(flow, wind->direction)
                      : wadi_partition_most(flow->context, &flow->turned, 1));
    flow->laid_over =
        wadi_airflow_laid_add(flow->laid, flow->terrain, wind->years, flow->x, flow->y);
    return WADI_OK;
}

double wadi_airflow_next_change(const wadi_airflow* flow, double year)
{
    return flow != NULL ? fmin(wadi_airflow_laid_next_change(flow->laid, year),
                               wadi_airflow_local_next_change(flow->local, year))
                        : HUGE_VAL;
}

airflow_view wadi_airflow_view(const wadi_airflow* flow)
{
    return (airflow_view){flow->x, flow->y, flow->shelter, flow->turned, flow->laid_over};
}

wadi_result wadi_airflow_archive(wadi_airflow* flow, wadi_archive* archive)
{
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    wadi_archive_grid(archive, flow->x, 4, width, height);
    wadi_archive_grid(archive, flow->y, 4, width, height);
    if (flow->shelter != NULL)
    {
        wadi_archive_grid(archive, flow->shelter, 4, width, height);
    }
    return wadi_archive_result(archive);
}
