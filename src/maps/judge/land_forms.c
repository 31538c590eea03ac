// SPDX-License-Identifier: MIT
// Measures of land: the ground that is measured, its drainage, and the erosion index.
#include "maps/judge/land_forms_internal.h"

#include "terrain/field2d.h"

enum
{
    FORMS_LEAST = 3,      // cells of a side
    FORMS_SAMPLE = 20000, // cells that show whether heights are whole metres
    FORMS_CHANNELS = 200  // fewer channel cells are too few
};

// Everything that is made for one land.
typedef struct forms_run
{
    const wadi_land* land;
    land_grid grid;
    uint8_t* masked;
    land_drainage drainage[2]; // of the ground, and upside down
    wadi_land_forms* out;
    bool index_only; // measure what the erosion index needs
} forms_run;

// ---- the ground ---------------------------------------------------------------------------------

// Number of cells with data, and the range of their heights.
static void forms_survey(land_grid* grid)
{
    grid->valid = 0;
    grid->low = (double)INFINITY;
    grid->high = -(double)INFINITY;
    bool whole = true;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        const double z = (double)grid->z[i];
        if (isnan(z))
        {
            continue;
        }
        whole = whole && (grid->valid >= FORMS_SAMPLE || z == floor(z));
        ++grid->valid;
        grid->low = fmin(grid->low, z);
        grid->high = fmax(grid->high, z);
    }
    // one unit of a survey in whole metres is noise
    grid->least = fmax(1e-9 * (grid->high - grid->low), whole ? 1.0 : 0.0);
}

static void forms_copy(forms_run* run)
{
    const wadi_field2d* field = &run->land->surface;
    land_grid* grid = &run->grid;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        const float z =
            field->heights[(ptrdiff_t)(i / grid->width) * field->stride + (i % grid->width)];
        const bool left_out = run->masked != NULL && run->masked[i] != 0;
        grid->z[i] = left_out || !(fabsf(z) < INFINITY) ? NAN : z;
    }
}

static wadi_result forms_load(forms_run* run)
{
    const wadi_field2d* field = &run->land->surface;
    land_grid* grid = &run->grid;
    wadi_context* context = grid->context;
    grid->width = field->width;
    grid->height = field->height;
    grid->cells = (int64_t)field->width * field->height;
    grid->dx = field->dx_of_row != NULL ? field->dx_of_row[field->height / 2] : field->dx;
    grid->dy = field->dy;
    WADI_CHECK(context,
               grid->width >= FORMS_LEAST && grid->height >= FORMS_LEAST && grid->cells < INT32_MAX,
               WADI_ERROR_RANGE,
               "land of %d x %d cells cannot be measured; each side needs 3 cells, and all have "
               "fewer than 2^31",
               (int)grid->width, (int)grid->height);
    WADI_ALLOC(context, grid->z, grid->cells, "the ground");
    if (run->land->mask_plains)
    {
        WADI_ALLOC(context, run->masked, grid->cells, "the mask of plains");
        WADI_TRY(wadi_land_mask_plains(context, field, run->masked));
    }
    forms_copy(run);
    forms_survey(grid);
    WADI_CHECK(
        context, grid->high > grid->low, WADI_ERROR_RANGE,
        "there is no land to measure: all ground is level, has no data or lies below the sea");
    run->out->relief = grid->high - grid->low;
    run->out->judged = (double)grid->valid / (double)grid->cells;
    return WADI_OK;
}

// ---- drainage and index -------------------------------------------------------------------------

static void forms_drain(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    land_drainage* drainage = user;
    wadi_land_drainage_run(&drainage[block]);
}

// Volume between the filled ground and the ground, in cells times metres.
static double forms_filled(const land_drainage* drainage)
{
    double sum = 0.0;
    for (int64_t q = 0; q < drainage->count; ++q)
    {
        sum += land_depth(drainage, drainage->order[q]);
    }
    return sum;
}

static double forms_log10(double x)
{
    return wadi_log(x) / 2.302585092994046;
}

// Shares of closed cells among all and among channels.
static int64_t forms_count_closed(const land_drainage* down, int32_t threshold,
                                  wadi_land_forms* out)
{
    int64_t closed = 0;
    int64_t channels = 0;
    int64_t both = 0;
    for (int64_t q = 0; q < down->count; ++q)
    {
        const int64_t cell = down->order[q];
        const bool is_closed = land_depth(down, cell) > down->grid->least;
        const bool is_channel = down->area[cell] >= threshold;
        closed += is_closed ? 1 : 0;
        channels += is_channel ? 1 : 0;
        both += is_closed && is_channel ? 1 : 0;
    }
    out->closed = (double)closed / (double)down->count;
    if (channels >= FORMS_CHANNELS)
    {
        out->channels_closed = (double)both / (double)channels;
    }
    return channels;
}

// 0 at the value of noise, 1 at that of nature.
static double forms_ramp(double value, double noise, double nature)
{
    return fmin(1.0, fmax(0.0, (value - noise) / (nature - noise)));
}

// Noise is the same upside down, and water stands in it. The mean of the drainage and the
// asymmetry is geometric, so that land needs both; a filled plain is flat.
static double forms_index(const wadi_land_forms* m)
{
    const double channels = isnan(m->channels_closed) ? 1.0 : m->channels_closed;
    const double up = forms_ramp(m->prominent, 0.1, 1.0);
    const double drained =
        (forms_ramp(forms_log10(m->closed + 1e-4), forms_log10(0.15), forms_log10(0.03)) +
         forms_ramp(m->pit_cap_volume, -0.5, -1.5) + forms_ramp(channels, 0.45, 0.15)) /
        3.0;
    return sqrt(up * drained) * forms_ramp(m->flat, 0.21, 0.13);
}

static wadi_result forms_measure_drainage(forms_run* run)
{
    const land_grid* grid = &run->grid;
    wadi_land_forms* out = run->out;
    WADI_TRY(wadi_land_drainage_create(grid, 1.0f, &run->drainage[0]));
    WADI_TRY(wadi_land_drainage_create(grid, -1.0f, &run->drainage[1]));
    wadi_parallel_blocks(grid->context, 2, forms_drain, run->drainage);
    const double pits = forms_filled(&run->drainage[0]);
    const double caps = forms_filled(&run->drainage[1]);
    out->pit_cap_volume = forms_log10((pits + 1e-9 * caps + 1e-30) / (caps + 1e-9 * pits + 1e-30));
    const int32_t threshold = wadi_land_channel_cells(&run->drainage[0]);
    out->channel_threshold = threshold * grid->dx * grid->dy;
    const int64_t channels = forms_count_closed(&run->drainage[0], threshold, out);
    if (run->index_only)
    {
        return WADI_OK;
    }
    if (channels >= FORMS_CHANNELS)
    {
        WADI_TRY(wadi_land_chi(&run->drainage[0], threshold, out));
    }
    WADI_TRY(wadi_land_dents(&run->drainage[0], out));
    wadi_land_trace(&run->drainage[0], &run->drainage[1], out);
    return WADI_OK;
}

static wadi_result forms_measure_prominent(forms_run* run)
{
    int64_t pits;
    int64_t peaks;
    WADI_TRY(wadi_land_prominent(&run->grid, 1.0f, 0.01 * run->out->relief, &pits));
    WADI_TRY(wadi_land_prominent(&run->grid, -1.0f, 0.01 * run->out->relief, &peaks));
    run->out->prominent = forms_log10(((double)peaks + 1.0) / ((double)pits + 1.0));
    return WADI_OK;
}

// ---- change -------------------------------------------------------------------------------------

// Sums over the cells that have data before and after.
typedef struct forms_change
{
    double count;
    double low[2]; // before and after
    double high[2];
    double lowered;
    double raised;
} forms_change;

static void forms_count_change(forms_change* sum, double before, double after)
{
    const double z[2] = {before, after};
    for (int k = 0; k < 2; ++k)
    {
        sum->low[k] = fmin(sum->low[k], z[k]);
        sum->high[k] = fmax(sum->high[k], z[k]);
    }
    sum->count += 1.0;
    sum->lowered += fmax(0.0, before - after);
    sum->raised += fmax(0.0, after - before);
}

static void forms_measure_change(forms_run* run)
{
    const wadi_land* land = run->land;
    const land_grid* grid = &run->grid;
    wadi_land_forms* out = run->out;
    const double none = (double)INFINITY;
    forms_change sum = {.low = {none, none}, .high = {-none, -none}};
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        const ptrdiff_t at = (ptrdiff_t)(i / grid->width) * land->surface.stride + i % grid->width;
        const double before = (double)land->before[at];
        if (fabs(before) < none && !isnan(grid->z[i]))
        {
            forms_count_change(&sum, before, (double)grid->z[i]);
        }
    }
    if (sum.count > 0.0)
    {
        out->relief_kept = sum.high[0] > sum.low[0]
                               ? (sum.high[1] - sum.low[1]) / (sum.high[0] - sum.low[0])
                               : (double)NAN;
        out->wear = sum.lowered / sum.count;
        out->deposit = sum.raised / sum.count;
        out->denudation = land->years > 0.0
                              ? 1000.0 * (sum.lowered - sum.raised) / sum.count / land->years
                              : (double)NAN;
    }
}

// ---- all ----------------------------------------------------------------------------------------

static wadi_result forms_measure(forms_run* run)
{
    WADI_TRY(forms_load(run));
    WADI_TRY(wadi_land_slopes(&run->grid, run->out));
    if (!run->index_only)
    {
        wadi_land_aspects(&run->grid, run->land, run->out);
        WADI_TRY(wadi_land_curvature(&run->grid, run->out));
        WADI_TRY(wadi_land_skyline(&run->grid, run->out));
    }
    WADI_TRY(forms_measure_drainage(run));
    WADI_TRY(forms_measure_prominent(run));
    run->out->erosion_index = forms_index(run->out);
    if (run->land->before != NULL)
    {
        forms_measure_change(run);
    }
    return WADI_OK;
}

static void forms_clear(wadi_land_forms* out)
{
    int32_t count;
    const wadi_land_measure* measures = wadi_land_measures(&count);
    for (int32_t i = 0; i < count; ++i)
    {
        const double unknown = (double)NAN;
        memcpy((char*)out + measures[i].offset, &unknown, sizeof unknown);
    }
}

static wadi_result forms_run_all(wadi_context* context, const wadi_land* land, bool index_only,
                                 wadi_land_forms* out)
{
    forms_clear(out);
    WADI_TRY(wadi_field2d_check(context, &land->surface, out));
    WADI_CHECK(context, land->years >= 0.0 && land->years < (double)INFINITY, WADI_ERROR_RANGE,
               "%g years between two surfaces; expected 0 (unknown) or more", land->years);
    forms_run run = {
        .land = land, .grid = {.context = context}, .out = out, .index_only = index_only};
    const wadi_result result = forms_measure(&run);
    wadi_land_drainage_free(&run.drainage[0]);
    wadi_land_drainage_free(&run.drainage[1]);
    wadi_free(context, run.masked);
    wadi_free(context, run.grid.z);
    if (result != WADI_OK)
    {
        forms_clear(out);
    }
    return result;
}

wadi_result wadi_land_forms_measure(wadi_context* context, const wadi_land* land,
                                    wadi_land_forms* out)
{
    WADI_CHECK(context, land != NULL && out != NULL, WADI_ERROR_ARGUMENT,
               "measures of land need the land and a place for them, got NULL");
    return forms_run_all(context, land, false, out);
}

wadi_result wadi_land_erosion_index(wadi_context* context, const wadi_field2d* surface, double* out)
{
    WADI_CHECK(context, surface != NULL && out != NULL, WADI_ERROR_ARGUMENT,
               "the erosion index needs the land and a place for it, got NULL");
    const wadi_land land = {.surface = *surface};
    wadi_land_forms forms;
    const wadi_result result = forms_run_all(context, &land, true, &forms);
    *out = forms.erosion_index;
    return result;
}
