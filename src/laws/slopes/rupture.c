// SPDX-License-Identifier: MIT
#include "laws/slopes/rupture.h"

#include <math.h>

static const double rupture_flat = 0.05;     // least slope of a chord
static const double rupture_overhang = 0.17; // least sine of the angle between head and plumb line
static const double rupture_least_m = 0.2;   // of cos e + sin a tan phi / F (Whitman & Bailey 1967)
static const double rupture_touch = 1e-6;    // depth at the toe, which is 0 but for rounding [m]
static const double rupture_margin = 0.25;   // ground searched beyond a chord, as its share

enum
{
    RUPTURE_ROUNDS = 12,
    RUPTURE_PARTS = 4 // places along a side of a cell
};

// ---- land --------------------------------------------------------------------------------

int64_t wadi_rupture_cell(const rupture_land* land, int32_t column, int32_t row)
{
    if (land->wraps[0])
    {
        column = (column % land->width + land->width) % land->width;
    }
    if (land->wraps[1])
    {
        row = (row % land->height + land->height) % land->height;
    }
    const bool inside = column >= 0 && column < land->width && row >= 0 && row < land->height;
    return inside ? (int64_t)row * land->width + column : -1;
}

static double rupture_top(const rupture_land* land, int32_t column, int32_t row)
{
    const int64_t cell = wadi_rupture_cell(land, column, row);
    return cell >= 0 ? (double)land->columns[cell].top : (double)NAN;
}

// The nearest one beside voids and edges.
double wadi_rupture_height(const rupture_land* land, double x, double y)
{
    const double west = floor(x);
    const double north = floor(y);
    const int32_t c = (int32_t)west;
    const int32_t r = (int32_t)north;
    const double u = x - west;
    const double v = y - north;
    const double a = rupture_top(land, c, r);
    const double b = rupture_top(land, c + 1, r);
    const double d = rupture_top(land, c, r + 1);
    const double e = rupture_top(land, c + 1, r + 1);
    const double z = (a * (1.0 - u) + b * u) * (1.0 - v) + (d * (1.0 - u) + e * u) * v;
    return isnan(z) ? rupture_top(land, (int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5)) : z;
}

// ---- surface -----------------------------------------------------------------------------

bool wadi_rupture_place(const rupture_land* land, const int32_t toe[2], double length,
                        const double back[2], double bulge, rupture_surface* out)
{
    const double low = rupture_top(land, toe[0], toe[1]);
    const double high = wadi_rupture_height(land, toe[0] + length * back[0] / land->cell,
                                            toe[1] + length * back[1] / land->cell);
    const double rise = high - low;
    if (isnan(rise) || rise < rupture_flat * length)
    {
        return false;
    }
    // the centre lies above the middle of the chord, at right angles to it
    const double chord = sqrt(length * length + rise * rise);
    const double depth = bulge * chord;
    const double radius = (0.25 * chord * chord + depth * depth) / (2.0 * depth);
    const double up = (radius - depth) / chord;
    const double behind = 0.5 * length - up * rise; // of the centre, from the toe
    *out = (rupture_surface){
        .x = toe[0] * land->cell + behind * back[0],
        .y = toe[1] * land->cell + behind * back[1],
        .z = low + 0.5 * rise + up * length,
        .ahead = {-back[0], -back[1]},
        .radius = radius,
        .toe = behind,
        .head = behind - length,
        .chord = chord,
    };
    return out->z - high > rupture_overhang * radius;
}

static double rupture_half(const rupture_land* land, const rupture_surface* s)
{
    return land->narrow > 0.0 ? (0.5 + rupture_margin) * s->chord / land->narrow : 0.0;
}

bool wadi_rupture_box(const rupture_land* land, const rupture_surface* s, int32_t box[4])
{
    const double half = rupture_half(land, s);
    const double more = rupture_margin * (s->toe - s->head);
    const double ends[2] = {s->head - more, s->toe + more};
    const double centre[2] = {s->x, s->y};
    for (int k = 0; k < 2; ++k)
    {
        const double a = ends[0] * s->ahead[k];
        const double b = ends[1] * s->ahead[k];
        const double wide = half * fabs(s->ahead[1 - k]);
        box[k] = (int32_t)floor((centre[k] + fmin(a, b) - wide) / land->cell);
        box[k + 2] = (int32_t)ceil((centre[k] + fmax(a, b) + wide) / land->cell);
    }
    if (land->narrow == 0.0) // cylinders, for tests: their axis runs from north to south
    {
        box[1] = 0;
        box[3] = land->height - 1;
    }
    return (!land->wraps[0] || box[2] - box[0] < land->width) &&
           (!land->wraps[1] || box[3] - box[1] < land->height);
}

void wadi_rupture_frame(const rupture_surface* s, double x, double y, double at[2])
{
    const double dx = x - s->x;
    const double dy = y - s->y;
    at[0] = dx * s->ahead[0] + dy * s->ahead[1];
    at[1] = dy * s->ahead[0] - dx * s->ahead[1];
}

// Height of the centre above the surface; negative: there is no surface.
static double rupture_drop(const rupture_land* land, const rupture_surface* s, const double at[2])
{
    const double across = at[1] * land->narrow;
    const double left = s->radius * s->radius - across * across - at[0] * at[0];
    return left > 0.0 ? sqrt(left) : -1.0;
}

// Height of the centre above the chord.
static double rupture_chord_drop(const rupture_surface* s, double ahead)
{
    const double radius2 = s->radius * s->radius;
    const double toe = sqrt(fmax(0.0, radius2 - s->toe * s->toe));
    const double head = sqrt(fmax(0.0, radius2 - s->head * s->head));
    return head + (toe - head) * (ahead - s->head) / (s->toe - s->head);
}

// Is the place beyond the window of a surface, or at its border of a width?
static bool rupture_beyond(const rupture_land* land, const rupture_surface* s, const double at[2],
                           double border)
{
    const double more = rupture_margin * (s->toe - s->head) - border;
    const double half = rupture_half(land, s) - border;
    return at[0] < s->head - more || at[0] > s->toe + more ||
           (land->narrow > 0.0 && fabs(at[1]) > half);
}

double wadi_rupture_depth(const rupture_land* land, const rupture_surface* s, int32_t column,
                          int32_t row)
{
    double sum = 0.0;
    for (int k = 0; k < RUPTURE_PARTS * RUPTURE_PARTS; ++k)
    {
        const double x = column + ((double)(k % RUPTURE_PARTS) + 0.5) / (double)RUPTURE_PARTS - 0.5;
        const double y = row + ((double)(k / RUPTURE_PARTS) + 0.5) / (double)RUPTURE_PARTS - 0.5;
        double at[2];
        wadi_rupture_frame(s, x * land->cell, y * land->cell, at);
        const double drop = rupture_drop(land, s, at);
        const double depth = wadi_rupture_height(land, x, y) - (s->z - drop);
        sum += drop >= 0.0 && depth > 0.0 && !rupture_beyond(land, s, at, 0.0) ? depth : 0.0;
    }
    return sum / (RUPTURE_PARTS * RUPTURE_PARTS);
}

bool wadi_rupture_cuts(const rupture_land* land, const rupture_surface* s, int32_t column,
                       int32_t row)
{
    double at[2];
    wadi_rupture_frame(s, column * land->cell, row * land->cell, at);
    const double drop = rupture_drop(land, s, at);
    return drop >= 0.0 && !rupture_beyond(land, s, at, 0.0) &&
           rupture_top(land, column, row) > s->z - drop;
}

// ---- moments -----------------------------------------------------------------------------

typedef struct rupture_sum
{
    const rupture_land* land;
    const rupture_surface* surface;
    double border; // of the window, where no surface may reach the ground from below [m]
    double factor; // for which the resistance is summed
    double hold;   // moment of the resistance over the area of a column [N/m]
    rupture_moments moments;
    bool exists;
} rupture_sum;

// Add the column of a cell.
static void rupture_add(rupture_sum* sum, int64_t cell, const double at[2], double drop)
{
    const rupture_land* land = sum->land;
    const rupture_surface* s = sum->surface;
    const rupture_column* c = &land->columns[cell];
    const double depth = (double)c->top - (s->z - drop);
    const bool in_rock = depth > (double)c->soil;
    const double rock = in_rock ? depth - (double)c->soil : 0.0;
    const double weight = (depth - rock) * (double)c->soil_weight + rock * land->rock_weight;
    const double cohesion = (double)(in_rock ? c->rock_cohesion : c->soil_cohesion);
    const double tangent = in_rock ? land->rock_tangent : (double)c->soil_tangent;
    const double normal = fmax(weight - (double)c->water * depth, 0.0);
    const double lever = sqrt(at[0] * at[0] + drop * drop);
    const double across = at[1] * land->narrow * land->narrow;
    const double level = drop / sqrt(lever * lever + across * across);
    const double m = level - at[0] / lever * tangent / sum->factor;
    const double middle = drop - 0.5 * depth;
    sum->hold += lever * (cohesion + normal * tangent) / fmax(m, rupture_least_m);
    sum->moments.drive -= weight * at[0];
    sum->moments.below += weight * middle;
    sum->moments.shake += land->shaking * weight * middle;
    sum->moments.area += 1.0;
    sum->moments.volume += depth;
    sum->exists = sum->exists && depth <= (double)c->deepest &&
                  !rupture_beyond(land, s, at, sum->border) && !isinf(cohesion);
}

// Narrow a range of x to where low <= p x + q <= high.
static void rupture_narrow(double p, double q, double low, double high, double range[2])
{
    if (fabs(p) > 1e-6)
    {
        const double a = (low - q) / p;
        const double b = (high - q) / p;
        const double least = a < b ? a : b;
        const double most = a < b ? b : a;
        range[0] = least > range[0] ? least : range[0];
        range[1] = most < range[1] ? most : range[1];
    }
}

// First and last column of a row that may lie in the window of a surface.
static void rupture_columns(const rupture_land* land, const rupture_surface* s,
                            const int32_t box[4], int32_t row, int32_t out[2])
{
    const double south = row * land->cell - s->y;
    const double more = rupture_margin * (s->toe - s->head);
    const double half = rupture_half(land, s);
    double range[2] = {box[0] * land->cell - s->x, box[2] * land->cell - s->x};
    rupture_narrow(s->ahead[0], south * s->ahead[1], s->head - more, s->toe + more, range);
    if (land->narrow > 0.0)
    {
        rupture_narrow(-s->ahead[1], south * s->ahead[0], -half, half, range);
    }
    const int32_t first = (int32_t)floor((range[0] + s->x) / land->cell) - 1;
    const int32_t last = (int32_t)ceil((range[1] + s->x) / land->cell) + 1;
    out[0] = first > box[0] ? first : box[0];
    out[1] = last < box[2] ? last : box[2];
}

// Look at a place, and add its column if the surface cuts it.
static void rupture_visit(rupture_sum* sum, int32_t column, int32_t row)
{
    const rupture_land* land = sum->land;
    double at[2];
    wadi_rupture_frame(sum->surface, column * land->cell, row * land->cell, at);
    const double drop = rupture_drop(land, sum->surface, at);
    if (drop <= 0.0 || rupture_beyond(land, sum->surface, at, 0.0))
    {
        return;
    }
    const int64_t cell = wadi_rupture_cell(land, column, row);
    const double top = cell >= 0 ? (double)land->columns[cell].top : (double)NAN;
    if (isnan(top))
    {
        // what lies beyond the land is not known; above the chord there may be no ground
        sum->exists = drop < rupture_chord_drop(sum->surface, at[0]);
    }
    else if (top > sum->surface->z - drop + rupture_touch)
    {
        rupture_add(sum, cell, at, drop);
    }
}

// Sum all columns for a factor of safety.
static void rupture_round(rupture_sum* sum, const int32_t box[4], int32_t stride)
{
    sum->hold = 0.0;
    sum->moments = (rupture_moments){0};
    sum->exists = true;
    for (int32_t row = box[1]; row <= box[3] && sum->exists; row += stride)
    {
        int32_t ends[2];
        rupture_columns(sum->land, sum->surface, box, row, ends);
        const int32_t first = box[0] + (ends[0] - box[0] + stride - 1) / stride * stride;
        for (int32_t column = first; column <= ends[1] && sum->exists; column += stride)
        {
            rupture_visit(sum, column, row);
        }
    }
}

void wadi_rupture_weigh(const rupture_land* land, const rupture_surface* surface, int32_t stride,
                        double within, rupture_moments* out)
{
    rupture_sum sum = {
        .land = land, .surface = surface, .border = stride * land->cell, .factor = 1.0};
    *out = (rupture_moments){.factor = (double)INFINITY};
    int32_t box[4];
    if (!wadi_rupture_box(land, surface, box))
    {
        return;
    }
    // F is below 1 just if the resistance that is summed for 1 is; then a fixed point is sought
    for (int32_t round = 0; round < RUPTURE_ROUNDS; ++round)
    {
        rupture_round(&sum, box, stride);
        const double drive = sum.moments.drive + sum.moments.shake;
        if (!sum.exists || drive <= 0.0)
        {
            return;
        }
        const double factor = sum.hold / drive;
        // where nothing holds the factor is 0, and stays it
        const bool settled = factor <= 0.0 || fabs(factor - sum.factor) <= within * factor;
        const bool done = within <= 0.0 || settled;
        sum.factor = factor;
        if (done)
        {
            break;
        }
    }
    const double area = land->cell * land->cell * stride * stride;
    *out = sum.moments;
    out->factor = sum.factor;
    out->drive *= area;
    out->below *= area;
    out->shake *= area;
    out->area *= area;
    out->volume *= area;
}
