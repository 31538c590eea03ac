// SPDX-License-Identifier: MIT
#include "support/dunes.h"

#include "support/check.h"
#include "terrain/ground.h"

enum
{
    DUNES_BINS = 1800 // of angles, 0.05 degrees each
};

typedef struct dunes_field
{
    double* level; // minus the mean [m]
    int32_t width;
    int32_t height;
    double cell;
    double x; // wind direction
    double y;
} dunes_field;

static const double dunes_degrees = 57.29577951308232;
static const double dunes_flat = 1.0; // [degree]: flatter slopes are neither stoss nor lee

static double dunes_at(const dunes_field* f, int32_t x, int32_t y)
{
    const int32_t column = (x % f->width + f->width) % f->width;
    const int32_t row = (y % f->height + f->height) % f->height;
    return f->level[(int64_t)row * f->width + column];
}

static double dunes_between(const dunes_field* f, double x, double y)
{
    const double fx = x - floor(x);
    const double fy = y - floor(y);
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double north = dunes_at(f, column, row) * (1.0 - fx) + dunes_at(f, column + 1, row) * fx;
    const double south =
        dunes_at(f, column, row + 1) * (1.0 - fx) + dunes_at(f, column + 1, row + 1) * fx;
    return north * (1.0 - fy) + south * fy;
}

static double dunes_variance(const dunes_field* f)
{
    double sum = 0.0;
    for (int64_t i = 0; i < (int64_t)f->width * f->height; ++i)
    {
        sum += f->level[i] * f->level[i];
    }
    return sum / ((double)f->width * f->height);
}

// Autocorrelation along the wind at a lag [cells], over every second cell of every second row.
static double dunes_correlation(const dunes_field* f, double lag)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int32_t y = 0; y < f->height; y += 2)
    {
        for (int32_t x = 0; x < f->width; x += 2)
        {
            sum += dunes_at(f, x, y) * dunes_between(f, x + lag * f->x, y + lag * f->y);
            ++count;
        }
    }
    return sum / (double)count;
}

// Lag of the first maximum after the first minimum, refined by a parabola.
static double dunes_spacing(const dunes_field* f)
{
    const double variance = dunes_variance(f);
    double before = variance;
    double here = dunes_correlation(f, 1.0);
    bool falling = true;
    for (double lag = 2.0; lag < 0.5 * f->width; lag += 1.0)
    {
        const double next = dunes_correlation(f, lag);
        if (falling && next > here && here < 0.0)
        {
            falling = false;
        }
        else if (!falling && next < here)
        {
            const double bend = before - 2.0 * here + next;
            const double shift = bend < 0.0 ? 0.5 * (before - next) / bend : 0.0;
            return (lag - 1.0 + shift) * f->cell;
        }
        before = here;
        here = next;
    }
    return 0.0;
}

static double dunes_quantile(const int64_t* bins, int64_t count, double share)
{
    int64_t below = 0;
    for (int32_t b = 0; b < DUNES_BINS; ++b)
    {
        below += bins[b];
        if ((double)below >= share * (double)count)
        {
            return (b + 0.5) * 90.0 / DUNES_BINS;
        }
    }
    return 0.0;
}

typedef struct dunes_slopes
{
    int64_t rising[DUNES_BINS];
    int64_t falling[DUNES_BINS];
    int64_t risers;
    int64_t fallers;
    double rise; // sum of angles
    double fall;
    double square; // of slopes
    double cube;
    double xx; // structure tensor
    double xy;
    double yy;
} dunes_slopes;

static void dunes_add_slope(const dunes_field* f, int32_t x, int32_t y, dunes_slopes* s)
{
    const double east = (dunes_at(f, x + 1, y) - dunes_at(f, x - 1, y)) / (2.0 * f->cell);
    const double south = (dunes_at(f, x, y + 1) - dunes_at(f, x, y - 1)) / (2.0 * f->cell);
    const double slope = east * f->x + south * f->y;
    const double angle = atan(fabs(slope)) * dunes_degrees;
    const int32_t bin = (int32_t)(angle / 90.0 * DUNES_BINS);
    if (slope > 0.0 && angle > dunes_flat)
    {
        ++s->rising[bin];
        ++s->risers;
        s->rise += angle;
    }
    else if (angle > dunes_flat)
    {
        ++s->falling[bin];
        ++s->fallers;
        s->fall += angle;
    }
    s->square += slope * slope;
    s->cube += slope * slope * slope;
    s->xx += east * east;
    s->xy += east * south;
    s->yy += south * south;
}

// Angle between the mean slope direction and the wind; crests are perpendicular to the former.
static double dunes_crest_error(const dunes_field* f, const dunes_slopes* s)
{
    const double main = 0.5 * atan2(2.0 * s->xy, s->xx - s->yy);
    const double wind = atan2(f->y, f->x);
    const double off = fmod(fabs(main - wind) * dunes_degrees, 180.0);
    return off > 90.0 ? 180.0 - off : off;
}

static void dunes_measure_slopes(const dunes_field* f, dune_measures* out)
{
    dunes_slopes* s = test_calloc(1, sizeof *s);
    for (int32_t y = 0; y < f->height; ++y)
    {
        for (int32_t x = 0; x < f->width; ++x)
        {
            dunes_add_slope(f, x, y, s);
        }
    }
    const double cells = (double)f->width * f->height;
    const double sigma = sqrt(s->square / cells);
    const double spread = sqrt((s->xx - s->yy) * (s->xx - s->yy) + 4.0 * s->xy * s->xy);
    out->stoss = s->rise / (double)(s->risers > 0 ? s->risers : 1);
    out->lee = s->fall / (double)(s->fallers > 0 ? s->fallers : 1);
    out->stoss_p95 = dunes_quantile(s->rising, s->risers, 0.95);
    out->lee_p90 = dunes_quantile(s->falling, s->fallers, 0.90);
    out->lee_p95 = dunes_quantile(s->falling, s->fallers, 0.95);
    out->skew = sigma > 0.0 ? s->cube / cells / (sigma * sigma * sigma) : 0.0;
    out->crest_error = dunes_crest_error(f, s);
    out->order = s->xx + s->yy > 0.0 ? spread / (s->xx + s->yy) : 0.0;
    test_free(s);
}

double* dunes_levels(const wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    double* level = test_calloc((size_t)ground->cells, sizeof *level);
    double mean = 0.0;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        level[i] = (double)wadi_ground_surface(ground, i) / WADI_UNITS_PER_METRE;
        mean += level[i] / (double)ground->cells;
    }
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        level[i] -= mean;
    }
    return level;
}

static dunes_field dunes_field_of(const wadi_terrain* terrain, double x, double y)
{
    return (dunes_field){dunes_levels(terrain),
                         wadi_terrain_width(terrain),
                         wadi_terrain_height(terrain),
                         wadi_terrain_cell_size(terrain),
                         x,
                         y};
}

dune_measures dunes_measure(const wadi_terrain* terrain, double x, double y)
{
    const dunes_field f = dunes_field_of(terrain, x, y);
    dune_measures out = {0};
    out.height = sqrt(12.0 * dunes_variance(&f));
    out.spacing = dunes_spacing(&f);
    dunes_measure_slopes(&f, &out);
    test_free(f.level);
    return out;
}

// Correlation of the surface before with the surface now, `lag` cells downwind.
static double dunes_likeness(const dunes_field* f, const double* before, double lag)
{
    double sum = 0.0;
    for (int32_t y = 0; y < f->height; y += 2)
    {
        for (int32_t x = 0; x < f->width; x += 2)
        {
            sum += before[(int64_t)y * f->width + x] *
                   dunes_between(f, x + lag * f->x, y + lag * f->y);
        }
    }
    return sum;
}

double dunes_shift(const double* before, const wadi_terrain* after, double x, double y,
                   double reach)
{
    const dunes_field f = dunes_field_of(after, x, y);
    const int32_t last = (int32_t)(reach / f.cell);
    int32_t best = 0;
    double most = dunes_likeness(&f, before, 0.0);
    for (int32_t lag = -last; lag <= last; ++lag)
    {
        const double likeness = dunes_likeness(&f, before, lag);
        best = likeness > most ? lag : best;
        most = fmax(most, likeness);
    }
    // the peak of a parabola
    const double back = dunes_likeness(&f, before, best - 1.0);
    const double ahead = dunes_likeness(&f, before, best + 1.0);
    const double bend = back - 2.0 * most + ahead;
    const double shift = bend < 0.0 ? 0.5 * (back - ahead) / bend : 0.0;
    test_free(f.level);
    return (best + shift) * f.cell;
}

double dunes_steepest(const wadi_terrain* terrain)
{
    const dunes_field f = dunes_field_of(terrain, 1.0, 0.0);
    double most = 0.0;
    for (int32_t y = 1; y < f.height - 1; ++y)
    {
        for (int32_t x = 1; x < f.width - 1; ++x)
        {
            for (int32_t k = 0; k < 9; ++k)
            {
                const double fall = dunes_at(&f, x, y) - dunes_at(&f, x + k % 3 - 1, y + k / 3 - 1);
                const double run =
                    k % 2 == 0 ? 1.4142135623730951 : 1.0; // k = 4 is the cell itself
                most = fmax(most, fall / (run * f.cell));
            }
        }
    }
    test_free(f.level);
    return atan(most) * dunes_degrees;
}
