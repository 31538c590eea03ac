// SPDX-License-Identifier: MIT
// Slopes, their aspects, and the curvature of the smoothed ground.
#include "maps/judge/land_forms_internal.h"

#include "core/radix_heap.h"

enum
{
    SLOPES_REACH = 4, // cells to each side of the Gaussian of one cell
    SLOPES_RIM = 8    // steps from the rim and from voids: the curvature there is left out
};

static double slopes_height(const land_grid* grid, int32_t x, int32_t y)
{
    return (double)grid->z[(int64_t)y * grid->width + x];
}

// ---- slopes -------------------------------------------------------------------------------------

// Tangent of the slope by central differences, one-sided at the border; NaN beside voids.
// A void of one cell has the slope between its neighbours.
static double slopes_tangent(const land_grid* grid, int32_t x, int32_t y)
{
    const int32_t west = x > 0 ? x - 1 : x;
    const int32_t east = x < grid->width - 1 ? x + 1 : x;
    const int32_t north = y > 0 ? y - 1 : y;
    const int32_t south = y < grid->height - 1 ? y + 1 : y;
    const double gx =
        (slopes_height(grid, east, y) - slopes_height(grid, west, y)) / ((east - west) * grid->dx);
    const double gy = (slopes_height(grid, x, south) - slopes_height(grid, x, north)) /
                      ((south - north) * grid->dy);
    return sqrt(gx * gx + gy * gy);
}

typedef struct slopes_list
{
    uint64_t* tangent; // keys of floats, of cells with a slope
    uint64_t* spare;
    int64_t count;
} slopes_list;

static double slopes_at(const slopes_list* list, int64_t index)
{
    const uint32_t key = (uint32_t)(list->tangent[index] >> 32);
    return (double)wadi_float_of_bits(key & 0x7FFFFFFFu); // tangents are not negative
}

static void slopes_fill(const land_grid* grid, slopes_list* list, wadi_land_forms* out)
{
    double degrees = 0.0;
    double steep = 0.0;
    for (int32_t y = 0; y < grid->height; ++y)
    {
        for (int32_t x = 0; x < grid->width; ++x)
        {
            const double tangent = slopes_tangent(grid, x, y);
            if (isnan(tangent))
            {
                continue;
            }
            list->tangent[list->count++] = (uint64_t)wadi_radix_key((float)tangent) << 32;
            degrees += land_degree * wadi_atan2(tangent, 1.0);
            steep += tangent > 1.0 ? 1.0 : 0.0;
        }
    }
    out->slope = degrees / (double)list->count;
    out->steep = steep / (double)list->count;
}

// Share of slopes below a tenth of the median, or of a quarter of the mean if that is more.
static double slopes_flat(const slopes_list* list)
{
    const double median =
        0.5 * (slopes_at(list, (list->count - 1) / 2) + slopes_at(list, list->count / 2));
    double mean = 0.0;
    for (int64_t i = 0; i < list->count; ++i)
    {
        mean += slopes_at(list, i) / (double)list->count;
    }
    const double least = 0.1 * fmax(median, 0.25 * mean);
    int64_t below = 0;
    while (below < list->count && slopes_at(list, below) < least)
    {
        ++below;
    }
    return (double)below / (double)list->count;
}

static wadi_result slopes_measure(const land_grid* grid, slopes_list* list, wadi_land_forms* out)
{
    WADI_ALLOC(grid->context, list->tangent, grid->cells, "slopes");
    WADI_ALLOC(grid->context, list->spare, grid->cells, "slopes");
    slopes_fill(grid, list, out);
    WADI_CHECK(grid->context, list->count > 0, WADI_ERROR_RANGE,
               "no cell of %d x %d has data on all four sides; nothing can be measured",
               (int)grid->width, (int)grid->height);
    wadi_land_sort(list->tangent, list->spare, list->count);
    out->flat = slopes_flat(list);
    return WADI_OK;
}

// ---- aspects ------------------------------------------------------------------------------------

// Add exp(8 i aspect) of a cell steeper than 5 degrees, of the gradient after Horn (1981). The
// aspect is in cells: slopes along a diagonal of oblong cells count as 45 degrees.
static void slopes_add_aspect(const land_grid* grid, int32_t x, int32_t y, double sum[3])
{
    const double east = slopes_height(grid, x + 1, y - 1) + 2.0 * slopes_height(grid, x + 1, y) +
                        slopes_height(grid, x + 1, y + 1);
    const double west = slopes_height(grid, x - 1, y - 1) + 2.0 * slopes_height(grid, x - 1, y) +
                        slopes_height(grid, x - 1, y + 1);
    const double south = slopes_height(grid, x - 1, y + 1) + 2.0 * slopes_height(grid, x, y + 1) +
                         slopes_height(grid, x + 1, y + 1);
    const double north = slopes_height(grid, x - 1, y - 1) + 2.0 * slopes_height(grid, x, y - 1) +
                         slopes_height(grid, x + 1, y - 1);
    const double gx = (east - west) / 8.0;
    const double gy = (south - north) / 8.0;
    const double slope = sqrt(gx * gx / (grid->dx * grid->dx) + gy * gy / (grid->dy * grid->dy));
    if (slope > 0.08748866352592401) // false for NaN
    {
        const double angle = 8.0 * wadi_atan2(gy, gx);
        sum[0] += wadi_cos(angle);
        sum[1] += wadi_sin(angle);
        sum[2] += 1.0;
    }
}

static double slopes_harmonic(const land_grid* grid)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t y = 1; y < grid->height - 1; ++y)
    {
        for (int32_t x = 1; x < grid->width - 1; ++x)
        {
            if (!isnan(slopes_height(grid, x, y)))
            {
                slopes_add_aspect(grid, x, y, sum);
            }
        }
    }
    return sum[2] > 0.0 ? sqrt(sum[0] * sum[0] + sum[1] * sum[1]) / sum[2] : (double)NAN;
}

wadi_result wadi_land_slopes(const land_grid* grid, wadi_land_forms* out)
{
    slopes_list list = {0};
    const wadi_result result = slopes_measure(grid, &list, out);
    wadi_free(grid->context, list.tangent);
    wadi_free(grid->context, list.spare);
    out->aspect_harmonic = slopes_harmonic(grid);
    return result;
}

// ---- curvature ----------------------------------------------------------------------------------

typedef struct slopes_smooth
{
    const land_grid* grid;
    double weight[SLOPES_REACH + 1];
    double* columns; // smoothed along columns
    double* both;    // and along rows
    int16_t* inside; // steps to the rim or to a void, along rows and columns
} slopes_smooth;

// Index that a border mirrors: -1 becomes 0.
static int32_t slopes_mirror(int32_t i, int32_t size)
{
    const int32_t period = 2 * size;
    const int32_t at = ((i % period) + period) % period;
    return at < size ? at : period - 1 - at;
}

static void slopes_convolve(const slopes_smooth* s, const double* from, double* to, bool along_row)
{
    const land_grid* grid = s->grid;
    for (int32_t y = 0; y < grid->height; ++y)
    {
        for (int32_t x = 0; x < grid->width; ++x)
        {
            double sum = 0.0;
            for (int32_t k = -SLOPES_REACH; k <= SLOPES_REACH; ++k)
            {
                const int32_t column = along_row ? slopes_mirror(x + k, grid->width) : x;
                const int32_t row = along_row ? y : slopes_mirror(y + k, grid->height);
                sum += s->weight[k < 0 ? -k : k] * from[(int64_t)row * grid->width + column];
            }
            to[(int64_t)y * grid->width + x] = sum;
        }
    }
}

// Smooth by a Gaussian with a deviation of one cell; voids have the mean height.
static void slopes_blur(slopes_smooth* s)
{
    const land_grid* grid = s->grid;
    double sum = 0.0;
    for (int32_t k = -SLOPES_REACH; k <= SLOPES_REACH; ++k)
    {
        sum += wadi_exp(-0.5 * k * k);
    }
    for (int32_t k = 0; k <= SLOPES_REACH; ++k)
    {
        s->weight[k] = wadi_exp(-0.5 * k * k) / sum;
    }
    double mean = 0.0;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        mean += isnan(grid->z[i]) ? 0.0 : (double)grid->z[i] / (double)grid->valid;
    }
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        s->both[i] = isnan(grid->z[i]) ? mean : (double)grid->z[i];
    }
    slopes_convolve(s, s->both, s->columns, false);
    slopes_convolve(s, s->columns, s->both, true);
}

static int16_t slopes_nearer(const slopes_smooth* s, int32_t x, int32_t y)
{
    const land_grid* grid = s->grid;
    const bool outside = x < 0 || y < 0 || x >= grid->width || y >= grid->height;
    const int16_t steps = outside ? 0 : s->inside[(int64_t)y * grid->width + x];
    return (int16_t)(steps < SLOPES_RIM + 1 ? steps + 1 : steps);
}

// Steps to the nearest void or border, no more than needed, in two sweeps.
static void slopes_find_inside(slopes_smooth* s)
{
    const land_grid* grid = s->grid;
    for (int sweep = 0; sweep < 2; ++sweep)
    {
        const int32_t back = sweep == 0 ? -1 : 1;
        for (int64_t q = 0; q < grid->cells; ++q)
        {
            const int64_t i = sweep == 0 ? q : grid->cells - 1 - q;
            const int32_t x = (int32_t)(i % grid->width);
            const int32_t y = (int32_t)(i / grid->width);
            const int16_t a = slopes_nearer(s, x + back, y);
            const int16_t b = slopes_nearer(s, x, y + back);
            const int16_t least = a < b ? a : b;
            const int16_t here = sweep == 0 ? least : s->inside[i];
            s->inside[i] = (int16_t)(isnan(grid->z[i]) ? 0 : here < least ? here : least);
        }
    }
}

static double slopes_laplacian(const slopes_smooth* s, int64_t i)
{
    const land_grid* grid = s->grid;
    const double* g = s->both;
    const double xx = (g[i - 2] - 2.0 * g[i] + g[i + 2]) / (4.0 * grid->dx * grid->dx);
    const int64_t row = 2 * (int64_t)grid->width;
    const double yy = (g[i - row] - 2.0 * g[i] + g[i + row]) / (4.0 * grid->dy * grid->dy);
    return xx + yy;
}

static double slopes_skewness(const slopes_smooth* s)
{
    const int64_t cells = s->grid->cells;
    double count = 0.0;
    double mean = 0.0;
    double moment[2] = {0.0, 0.0};
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int64_t i = 0; i < cells; ++i)
        {
            if (s->inside[i] <= SLOPES_RIM)
            {
                continue;
            }
            const double laplacian = slopes_laplacian(s, i);
            const double u = laplacian - mean;
            count += pass == 0 ? 1.0 : 0.0;
            moment[0] += pass == 0 ? laplacian : u * u;
            moment[1] += pass == 0 ? 0.0 : u * u * u;
        }
        mean = moment[0] / count;
        moment[0] = pass == 0 ? 0.0 : mean;
    }
    const double variance = moment[0];
    return count >= 100.0 && variance > 0.0 ? moment[1] / count / (variance * sqrt(variance))
                                            : (double)NAN;
}

static wadi_result slopes_curve(slopes_smooth* s, wadi_land_forms* out)
{
    const land_grid* grid = s->grid;
    WADI_ALLOC(grid->context, s->columns, grid->cells, "a smoothed ground");
    WADI_ALLOC(grid->context, s->both, grid->cells, "a smoothed ground");
    WADI_ALLOC(grid->context, s->inside, grid->cells, "a smoothed ground");
    slopes_blur(s);
    slopes_find_inside(s);
    out->curvature_skew = slopes_skewness(s);
    return WADI_OK;
}

wadi_result wadi_land_curvature(const land_grid* grid, wadi_land_forms* out)
{
    slopes_smooth smooth = {.grid = grid};
    const wadi_result result = slopes_curve(&smooth, out);
    wadi_free(grid->context, smooth.columns);
    wadi_free(grid->context, smooth.both);
    wadi_free(grid->context, smooth.inside);
    return result;
}
