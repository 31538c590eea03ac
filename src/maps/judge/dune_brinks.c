// SPDX-License-Identifier: MIT
// How far the ground falls behind the steepest slopes. Behind the brink of a slip face it descends
// to the windward foot of the dune; behind the bank of a channel or the edge of a terrace it is
// level or rises.
#include "core/dmath.h"
#include "core/internal.h"
#include "maps/judge/dune_forms_internal.h"

enum
{
    BRINKS_STEPS = 64, // longest way to the top or to the foot of a slope
    BRINKS_BINS = 400
};

static const double brinks_steep = 0.85;  // of `face`: least slope of a cell of a slip face
static const double brinks_gentle = 0.25; // of its tangent: the slope ends
static const double brinks_away = 3.0;    // lengths of the slope behind its top
static const double brinks_far = 4096.0;  // [cells] at most
static const double brinks_least = -2.0;  // range of the histogram
static const double brinks_most = 2.0;

typedef struct brinks_map
{
    const wadi_field2d* field;
    double tangent; // of the steepest slopes
} brinks_map;

// A way over the ground, with steps of one cell.
typedef struct brinks_way
{
    double x, y;   // from [cells]
    double dx, dy; // of a step [cells]
    double step;   // [m]
} brinks_way;

typedef struct brinks_end
{
    double level;
    double steps;
} brinks_end;

static double brinks_sample(const wadi_field2d* f, const brinks_way* way, double steps)
{
    const double x = way->x + steps * way->dx;
    const double y = way->y + steps * way->dy;
    const double column = floor(x);
    const double row = floor(y);
    const int32_t i = (int32_t)column;
    const int32_t j = (int32_t)row;
    const double fx = x - column;
    const double fy = y - row;
    return (1.0 - fy) * ((1.0 - fx) * dune_level(f, i, j) + fx * dune_level(f, i + 1, j)) +
           fy * ((1.0 - fx) * dune_level(f, i, j + 1) + fx * dune_level(f, i + 1, j + 1));
}

// The first place on the way, `sign` 1 up or -1 down, where the slope is no longer steep.
static brinks_end brinks_follow(const brinks_map* map, const brinks_way* way, double sign)
{
    const double rise = brinks_gentle * map->tangent * way->step;
    brinks_end end = {brinks_sample(map->field, way, 0.0), 0.0};
    for (int32_t k = 1; k <= BRINKS_STEPS; ++k)
    {
        const double level = brinks_sample(map->field, way, sign * k);
        if (!(sign * (level - end.level) > rise))
        {
            return end;
        }
        end = (brinks_end){level, k};
    }
    return end;
}

// Fall of the ground behind the top of the slope through a cell, over the height of the slope; NaN
// if the cell is not steep or the ground there is not known.
static double brinks_fall(const brinks_map* map, int32_t x, int32_t y)
{
    const wadi_field2d* f = map->field;
    const double width = dune_cell_width(f, y);
    const double gx = (dune_level(f, x + 1, y) - dune_level(f, x - 1, y)) / (2.0 * width);
    const double gy = (dune_level(f, x, y + 1) - dune_level(f, x, y - 1)) / (2.0 * f->dy);
    const double slope = sqrt(gx * gx + gy * gy);
    if (!(slope > brinks_steep * map->tangent))
    {
        return (double)NAN;
    }
    const double step = fmin(width, f->dy);
    const brinks_way way = {x, y, gx / slope * step / width, gy / slope * step / f->dy, step};
    const brinks_end top = brinks_follow(map, &way, 1.0);
    const brinks_end foot = brinks_follow(map, &way, -1.0);
    const double height = top.level - foot.level;
    const double away = fmin(brinks_away * height / (map->tangent * step), brinks_far);
    const double behind = brinks_sample(f, &way, top.steps + away);
    return height > 0.0 ? (top.level - behind) / height : (double)NAN;
}

static double brinks_median(const int64_t* bins, int64_t all)
{
    int64_t below = 0;
    for (int32_t b = 0; b < BRINKS_BINS; ++b)
    {
        below += bins[b];
        if (all > 0 && 2 * below >= all)
        {
            return brinks_least + (b + 0.5) * (brinks_most - brinks_least) / BRINKS_BINS;
        }
    }
    return (double)NAN;
}

double wadi_dune_brinks(const wadi_field2d* field, double face)
{
    const double angle = face / dune_degree;
    const brinks_map map = {field, wadi_sin(angle) / wadi_cos(angle)};
    int64_t bins[BRINKS_BINS] = {0};
    int64_t all = 0;
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            const double fall = brinks_fall(&map, x, y);
            if (!isnan(fall))
            {
                const double within = fmin(fmax(fall, brinks_least), brinks_most) - brinks_least;
                const int32_t bin = (int32_t)(within / (brinks_most - brinks_least) * BRINKS_BINS);
                ++bins[bin < BRINKS_BINS ? bin : BRINKS_BINS - 1];
                ++all;
            }
        }
    }
    return brinks_median(bins, all);
}
