// SPDX-License-Identifier: MIT
// Volume and moments of a union of spheres. A section across z is a union of discs, whose integrals
// are line integrals along the arcs of its rim (Green); those are trigonometric polynomials, which
// Gauss' rule takes exactly. Between the heights at which spheres begin, end or meet, sections
// change smoothly but for square roots at both ends, which z = -cos(t) takes away.
#include "bodies/grains/clump_shape.h"

#include "core/dmath.h"

#include <math.h>
#include <stdlib.h>

enum
{
    UNION_HALF = 8, // of the nodes of Gauss' rule
    UNION_MOST = WADI_GRAIN_SHAPE_SPHERES,
    UNION_EVENTS = 2 * UNION_MOST + UNION_MOST * (UNION_MOST - 1),
    UNION_FEW = 64, // events below which each part is cut in four
    UNION_FINE = 4
};

#define UNION_PI 3.14159265358979323846

static const double union_nodes[UNION_HALF] = {
    0.095012509837637441, 0.28160355077925892, 0.45801677765722737, 0.61787624440264377,
    0.755404408355003,    0.86563120238783176, 0.9445750230732326,  0.98940093499164994};
static const double union_weights[UNION_HALF] = {
    0.1894506104550685,  0.18260341504492358,  0.16915651939500254,  0.14959598881657674,
    0.12462897125553388, 0.095158511682492786, 0.062253523938647894, 0.027152459411754096};

// Node k of 16 between two ends, and its weight.
static double union_node(int k, double low, double high, double* weight)
{
    const int at = k / 2;
    const double half = 0.5 * (high - low);
    *weight = half * union_weights[at];
    return 0.5 * (low + high) + (k % 2 == 0 ? half : -half) * union_nodes[at];
}

// ---- sections --------------------------------------------------------------------------------

typedef struct union_disc
{
    double x;
    double y;
    double r;
} union_disc;

// Integrals over a section: area, x, y, xx, yy, xy.
typedef struct union_section
{
    double sums[6];
} union_section;

// Two ends of a covered stretch of a rim, in 0 to 2 pi.
typedef struct union_span
{
    double from;
    double to;
} union_span;

typedef struct union_rim
{
    union_span spans[2 * UNION_MOST];
    int32_t count;
} union_rim;

static void union_add_arc_piece(const union_disc* disc, union_span arc, union_section* section)
{
    for (int k = 0; k < 2 * UNION_HALF; ++k)
    {
        double weight;
        const double t = union_node(k, arc.from, arc.to, &weight);
        const double c = wadi_cos(t);
        const double s = wadi_sin(t);
        const double x = disc->x + disc->r * c;
        const double y = disc->y + disc->r * s;
        const double dx = -weight * disc->r * s;
        const double dy = weight * disc->r * c;
        section->sums[0] += 0.5 * (x * dy - y * dx);
        section->sums[1] += 0.5 * x * x * dy;
        section->sums[2] -= 0.5 * y * y * dx;
        section->sums[3] += x * x * x * dy / 3.0;
        section->sums[4] -= y * y * y * dx / 3.0;
        section->sums[5] += 0.5 * x * x * y * dy;
    }
}

static void union_add_arc(const union_disc* disc, union_span arc, union_section* section)
{
    const double middle = 0.5 * (arc.from + arc.to);
    union_add_arc_piece(disc, (union_span){arc.from, middle}, section);
    union_add_arc_piece(disc, (union_span){middle, arc.to}, section);
}

static void union_cover(union_rim* rim, double from, double to)
{
    rim->spans[rim->count++] = (union_span){from, to};
}

// Cover what lies within `half` of an angle.
static void union_cover_around(union_rim* rim, double angle, double half)
{
    const double full = 2.0 * UNION_PI;
    const double from = angle < 0.0 ? angle + full - half : angle - half;
    const double to = from + 2.0 * half;
    union_cover(rim, from < 0.0 ? 0.0 : from, to < full ? to : full);
    if (from < 0.0)
    {
        union_cover(rim, from + full, full);
    }
    if (to > full)
    {
        union_cover(rim, 0.0, to - full);
    }
}

// Cover the part of disc i's rim that lies in disc j; false: all of it does.
static bool union_cover_by(const union_disc* discs, int32_t i, int32_t j, union_rim* rim)
{
    const union_disc* a = &discs[i];
    const union_disc* b = &discs[j];
    const double x = b->x - a->x;
    const double y = b->y - a->y;
    const double d = sqrt(x * x + y * y);
    const bool alike = d <= 0.0 && a->r >= b->r && a->r <= b->r;
    if (b->r >= d + a->r && !(alike && i < j))
    {
        return false;
    }
    if (d < a->r + b->r && a->r < d + b->r)
    {
        const double c = (d * d + a->r * a->r - b->r * b->r) / (2.0 * d * a->r);
        const double held = c > 1.0 ? 1.0 : (c < -1.0 ? -1.0 : c);
        union_cover_around(rim, wadi_atan2(y, x), wadi_atan2(sqrt(1.0 - held * held), held));
    }
    return true;
}

static int union_compare_spans(const void* a, const void* b)
{
    const double x = ((const union_span*)a)->from;
    const double y = ((const union_span*)b)->from;
    return (x > y) - (x < y);
}

// Add the open stretches of a rim.
static void union_add_open(const union_disc* disc, union_rim* rim, union_section* section)
{
    double at = 0.0;
    qsort(rim->spans, (size_t)rim->count, sizeof *rim->spans, union_compare_spans);
    for (int32_t k = 0; k <= rim->count; ++k)
    {
        const double next = k < rim->count ? rim->spans[k].from : 2.0 * UNION_PI;
        if (next > at)
        {
            union_add_arc(disc, (union_span){at, next}, section);
        }
        at = k < rim->count && rim->spans[k].to > at ? rim->spans[k].to : at;
    }
}

static void union_add_rim(const union_disc* discs, int32_t count, int32_t i, union_section* section)
{
    union_rim rim = {.count = 0};
    bool open = true;
    for (int32_t j = 0; j < count && open; ++j)
    {
        open = j == i || union_cover_by(discs, i, j, &rim);
    }
    if (open)
    {
        union_add_open(&discs[i], &rim, section);
    }
}

static union_section union_cut(const wadi_grain_shape* shape, double z)
{
    union_disc discs[UNION_MOST];
    union_section section = {{0.0}};
    int32_t count = 0;
    for (int32_t i = 0; i < shape->count; ++i)
    {
        const double up = z - shape->centres[i][2];
        const double square = shape->radii[i] * shape->radii[i] - up * up;
        if (square > 0.0)
        {
            discs[count++] = (union_disc){shape->centres[i][0], shape->centres[i][1], sqrt(square)};
        }
    }
    for (int32_t i = 0; i < count; ++i)
    {
        union_add_rim(discs, count, i, &section);
    }
    return section;
}

// ---- heights ---------------------------------------------------------------------------------

typedef struct union_events
{
    double at[UNION_EVENTS];
    int32_t count;
} union_events;

// Lowest and highest point of the circle in which two spheres meet.
static void union_add_meeting(const wadi_grain_shape* shape, int32_t i, int32_t j,
                              union_events* events)
{
    double way[3];
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        way[c] = shape->centres[j][c] - shape->centres[i][c];
        square += way[c] * way[c];
    }
    const double d = sqrt(square);
    const double a = shape->radii[i];
    const double b = shape->radii[j];
    if (d >= a + b || d <= fabs(a - b))
    {
        return;
    }
    const double along = (square + a * a - b * b) / (2.0 * d);
    const double rim2 = a * a - along * along;
    const double tilt2 = 1.0 - way[2] * way[2] / square;
    const double high = sqrt(rim2 > 0.0 ? rim2 : 0.0) * sqrt(tilt2 > 0.0 ? tilt2 : 0.0);
    const double middle = shape->centres[i][2] + along * way[2] / d;
    events->at[events->count++] = middle - high;
    events->at[events->count++] = middle + high;
}

static int union_compare_heights(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

static void union_find_events(const wadi_grain_shape* shape, union_events* events)
{
    events->count = 0;
    for (int32_t i = 0; i < shape->count; ++i)
    {
        events->at[events->count++] = shape->centres[i][2] - shape->radii[i];
        events->at[events->count++] = shape->centres[i][2] + shape->radii[i];
        for (int32_t j = 0; j < i; ++j)
        {
            union_add_meeting(shape, i, j, events);
        }
    }
    qsort(events->at, (size_t)events->count, sizeof *events->at, union_compare_heights);
}

static void union_add_section(const union_section* section, double z, double weight,
                              clump_integral* sum)
{
    const double* s = section->sums;
    sum->volume += weight * s[0];
    sum->first[0] += weight * s[1];
    sum->first[1] += weight * s[2];
    sum->first[2] += weight * z * s[0];
    sum->second[0][0] += weight * s[3];
    sum->second[1][1] += weight * s[4];
    sum->second[0][1] += weight * s[5];
    sum->second[0][2] += weight * z * s[1];
    sum->second[1][2] += weight * z * s[2];
    sum->second[2][2] += weight * z * z * s[0];
}

static void union_add_part(const wadi_grain_shape* shape, double low, double high,
                           clump_integral* sum)
{
    const double half = 0.5 * (high - low);
    for (int k = 0; k < 2 * UNION_HALF; ++k)
    {
        double weight;
        const double t = union_node(k, 0.0, UNION_PI, &weight);
        const double z = 0.5 * (low + high) - half * wadi_cos(t);
        const union_section section = union_cut(shape, z);
        union_add_section(&section, z, weight * half * wadi_sin(t), sum);
    }
}

clump_integral wadi_clump_integrate(const wadi_grain_shape* shape)
{
    union_events events;
    clump_integral sum = {.volume = 0.0};
    union_find_events(shape, &events);
    const int parts = events.count < UNION_FEW ? UNION_FINE : 1;
    for (int32_t e = 0; e + 1 < events.count; ++e)
    {
        const double step = (events.at[e + 1] - events.at[e]) / parts;
        for (int k = 0; k < parts && step > 0.0; ++k)
        {
            union_add_part(shape, events.at[e] + k * step, events.at[e] + (k + 1) * step, &sum);
        }
    }
    sum.second[1][0] = sum.second[0][1];
    sum.second[2][0] = sum.second[0][2];
    sum.second[2][1] = sum.second[1][2];
    return sum;
}
