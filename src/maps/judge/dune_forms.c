// SPDX-License-Identifier: MIT
// Orientation of crests and slip faces from moments of the slopes of the surface, low-passed over
// three cells. The moments of second and third order give the measures at every azimuth.
#include "core/dmath.h"
#include "core/internal.h"
#include "maps/judge/dune_forms_internal.h"
#include "terrain/field2d.h"

enum
{
    FORMS_AZIMUTHS = 360
};

// Sums over cells; x east, y north.
typedef struct forms_moments
{
    double cells;
    double x, y;       // slopes
    double xx, xy, yy; // central second moments
    double xxx, xxy, xyy, yyy;
} forms_moments;

typedef struct forms_slope
{
    double x;
    double y;
    bool known;
} forms_slope;

// Mean of a cell and its neighbours with data; NaN for a void.
static double forms_smooth(const wadi_field2d* field, int32_t x, int32_t y)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t k = 0; k < 9; ++k)
    {
        const double level = dune_level(field, x + k % 3 - 1, y + k / 3 - 1);
        sum += isnan(level) ? 0.0 : level;
        count += isnan(level) ? 0 : 1;
    }
    return isnan(dune_level(field, x, y)) ? (double)NAN : sum / count;
}

static void forms_fill_smooth(const wadi_field2d* field, float* out)
{
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            out[(ptrdiff_t)y * field->width + x] = (float)forms_smooth(field, x, y);
        }
    }
}

static forms_slope forms_slope_at(const wadi_field2d* smooth, int32_t x, int32_t y)
{
    const double east = dune_level(smooth, x + 1, y) - dune_level(smooth, x - 1, y);
    const double north = dune_level(smooth, x, y - 1) - dune_level(smooth, x, y + 1);
    return (forms_slope){east / (2.0 * dune_cell_width(smooth, y)), north / (2.0 * smooth->dy),
                         !isnan(east) && !isnan(north)};
}

static void forms_add_mean(forms_moments* m, const forms_slope* s)
{
    m->x += s->x;
    m->y += s->y;
    m->cells += 1.0;
}

static void forms_add_central(forms_moments* m, const forms_slope* s)
{
    const double x = s->x - m->x;
    const double y = s->y - m->y;
    m->xx += x * x;
    m->xy += x * y;
    m->yy += y * y;
    m->xxx += x * x * x;
    m->xxy += x * x * y;
    m->xyy += x * y * y;
    m->yyy += y * y * y;
}

static void forms_add_all(const wadi_field2d* smooth, forms_moments* m,
                          void (*add)(forms_moments*, const forms_slope*))
{
    for (int32_t y = 0; y < smooth->height; ++y)
    {
        for (int32_t x = 0; x < smooth->width; ++x)
        {
            const forms_slope slope = forms_slope_at(smooth, x, y);
            if (slope.known)
            {
                add(m, &slope);
            }
        }
    }
}

// Moments are central, so that a regional slope does not count.
static forms_moments forms_take_moments(const wadi_field2d* smooth)
{
    forms_moments m = {0};
    forms_add_all(smooth, &m, forms_add_mean);
    if (m.cells > 0.0)
    {
        m.x /= m.cells;
        m.y /= m.cells;
        forms_add_all(smooth, &m, forms_add_central);
    }
    return m;
}

// Third moment of the descent along (x, y).
static double forms_cube(const forms_moments* m, double x, double y)
{
    return -(x * x * x * m->xxx + 3.0 * x * x * y * m->xxy + 3.0 * x * y * y * m->xyy +
             y * y * y * m->yyy) /
           m->cells;
}

// The third moment is compared, not the skewness: along straight ridges the variance is so small
// that its skewness is arbitrary (1.3 along linear dunes with symmetric sides).
static void forms_find_lee(const forms_moments* m, wadi_dune_forms* out)
{
    double most = -1.0;
    for (int32_t k = 0; k < FORMS_AZIMUTHS; ++k)
    {
        const double azimuth = 360.0 * k / FORMS_AZIMUTHS;
        const double x = wadi_sin(azimuth / dune_degree);
        const double y = wadi_cos(azimuth / dune_degree);
        const double cube = forms_cube(m, x, y);
        const double square = (x * x * m->xx + 2.0 * x * y * m->xy + y * y * m->yy) / m->cells;
        if (cube > most)
        {
            most = cube;
            out->skew = square > 0.0 ? cube / (square * sqrt(square)) : 0.0;
            out->lee = azimuth;
        }
    }
}

static void forms_find_crests(const forms_moments* m, wadi_dune_forms* out)
{
    const double difference = m->xx - m->yy;
    const double both = m->xx + m->yy;
    const double angle = 0.5 * wadi_atan2(2.0 * m->xy, difference) * dune_degree; // from east
    out->order = both > 0.0 ? sqrt(difference * difference + 4.0 * m->xy * m->xy) / both : 0.0;
    out->normal = dune_azimuth(90.0 - angle, 180.0);
}

static void forms_find_tilt(const forms_moments* m, wadi_dune_forms* out)
{
    const double mean = m->x * m->x + m->y * m->y;
    const double square = mean + (m->xx + m->yy) / m->cells;
    out->tilt = square > 0.0 ? sqrt(mean / square) : 0.0;
}

static double forms_height(const wadi_field2d* field)
{
    double sum = 0.0;
    double square = 0.0;
    double cells = 0.0;
    double first = (double)NAN; // offset of the sums, for precision on high plateaus
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            const double level = dune_level(field, x, y);
            first = isnan(first) ? level : first;
            const double above = isnan(level) ? 0.0 : level - first;
            sum += above;
            square += above * above;
            cells += isnan(level) ? 0.0 : 1.0;
        }
    }
    const double mean = cells > 0.0 ? sum / cells : 0.0;
    const double variance = cells > 0.0 ? square / cells - mean * mean : 0.0;
    return variance > 0.0 ? sqrt(12.0 * variance) : 0.0;
}

static wadi_result forms_measure_slopes(wadi_context* context, const wadi_field2d* field,
                                        wadi_dune_forms* out)
{
    float* levels;
    WADI_ALLOC(context, levels, (int64_t)field->width * field->height, "a smoothed surface");
    forms_fill_smooth(field, levels);
    wadi_field2d smooth = *field;
    smooth.heights = levels;
    smooth.stride = field->width;
    const forms_moments moments = forms_take_moments(&smooth);
    wadi_free(context, levels);
    WADI_CHECK(context, moments.cells > 0.0, WADI_ERROR_RANGE,
               "no cell of %d x %d has data on all four sides; nothing can be measured",
               (int)field->width, (int)field->height);
    forms_find_crests(&moments, out);
    forms_find_lee(&moments, out);
    forms_find_tilt(&moments, out);
    return WADI_OK;
}

// Number of dunes: bodies on bare ground, otherwise area over squared spacing.
static double forms_count(const wadi_field2d* field, const wadi_dune_forms* forms)
{
    if (forms->bare > dune_bare_ground)
    {
        return forms->bodies;
    }
    double area = 0.0;
    for (int32_t y = 0; y < field->height; ++y)
    {
        const double cell = dune_cell_width(field, y) * field->dy;
        for (int32_t x = 0; x < field->width; ++x)
        {
            area += isnan(dune_level(field, x, y)) ? 0.0 : cell;
        }
    }
    return area / (forms->spacing * forms->spacing);
}

wadi_result wadi_dune_forms_measure(wadi_context* context, const wadi_dune_field* field,
                                    wadi_dune_forms* out)
{
    *out = (wadi_dune_forms){
        .spacing = (double)NAN, .bare = (double)NAN, .bodies = -1, .dunes = (double)NAN};
    WADI_TRY(wadi_field2d_check(context, &field->surface, out));
    out->height = forms_height(&field->surface);
    wadi_dune_faces(&field->surface, out);
    out->behind = out->face > 0.0 ? wadi_dune_brinks(&field->surface, out->face) : (double)NAN;
    WADI_TRY(forms_measure_slopes(context, &field->surface, out));
    WADI_TRY(wadi_dune_spacing(context, &field->surface, out, &out->spacing));
    WADI_TRY(field->sand != NULL ? wadi_dune_bodies(context, field, out) : WADI_OK);
    out->dunes = forms_count(&field->surface, out);
    return WADI_OK;
}
