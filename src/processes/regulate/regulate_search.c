// SPDX-License-Identifier: MIT
// Search on a grid of designs, then on finer grids around the best design. On rough ground the
// volume has many local minima, in which gradient descent would stop. Grades range from the least
// to the steepest stable grade of each width, so every design of a grid is stable and the bound
// itself is included.
#include "processes/regulate/regulate_search.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    SEARCH_FIRST = 17, // designs along each side of the first grid
    SEARCH_SIDE = 9,   // designs along each side of the finer grids
    SEARCH_ROUNDS = 7, // each grid a third as wide as the last: 1/2000 of the range
    SEARCH_NARROWER = 3
};

typedef struct search_run
{
    wadi_context* context;
    const regulate_works* works;
    double* bed;
    int64_t designs;
    int64_t least; // volume of the best design [units]
    regulate_design best;
    double u; // width of the best design, 0..1 from least to greatest
    double v; // grade of the best design, 0..1 from least to steepest
    bool found;
} search_run;

// Logarithmic interpolation.
static double search_between(double low, double high, double share)
{
    return low * wadi_exp(share * wadi_log(high / low));
}

static double search_width(const wadi_regulate_params* p, double u)
{
    return p->width > 0.0 ? p->width : search_between(p->min_width, p->max_width, u);
}

static void search_look(search_run* run, double u, double v, double width, double grade)
{
    const regulate_design design = wadi_regulate_design_of(run->works->params, width, grade);
    wadi_regulate_works_bed(run->works, &design, run->bed);
    const works_sums sums =
        wadi_regulate_works_measure(run->context, run->works, &design, run->bed);
    const int64_t volume = sums.cut + sums.stuck + sums.fill + sums.levee;
    ++run->designs;
    if (!run->found || volume < run->least)
    {
        run->found = true;
        run->least = volume;
        run->best = design;
        run->u = u;
        run->v = v;
    }
}

// Try all grades of one width. A grade given by the parameters is not varied.
static void search_row(search_run* run, double u, double v0, double v1, int side)
{
    const wadi_regulate_params* p = run->works->params;
    const double width = search_width(p, u);
    if (p->grade > 0.0)
    {
        if (wadi_regulate_design_of(p, width, p->grade).shear <= wadi_regulate_critical_shear(p))
        {
            search_look(run, u, 0.0, width, p->grade);
        }
        return;
    }
    const double steepest = wadi_regulate_steepest(p, width);
    for (int j = 0; j < side && steepest > 0.0; ++j)
    {
        const double v = v0 + (v1 - v0) * j / (side - 1);
        search_look(run, u, v, width, search_between(p->min_grade, steepest, v));
    }
}

static void search_grid(search_run* run, double u, double v, double span, int side)
{
    const double u0 = fmax(0.0, u - 0.5 * span);
    const double u1 = fmin(1.0, u + 0.5 * span);
    const double v0 = fmax(0.0, v - 0.5 * span);
    const double v1 = fmin(1.0, v + 0.5 * span);
    const int widths = run->works->params->width > 0.0 ? 1 : side;
    for (int i = 0; i < widths; ++i)
    {
        search_row(run, u0 + (u1 - u0) * i / (side - 1), v0, v1, side);
    }
}

static wadi_result search_check(const search_run* run)
{
    const wadi_regulate_params* p = run->works->params;
    const double width = search_width(p, 1.0);
    const double grade = p->grade > 0.0 ? p->grade : p->min_grade;
    WADI_CHECK(
        run->context, run->found, WADI_ERROR_RANGE,
        "%g m3/s on a bed %g m wide at grade %g exert %.3g Pa, above the critical %.3g: raise "
        "width, max_width, critical_shear or grain, or lower grade or min_grade",
        p->discharge, width, grade, wadi_regulate_design_of(p, width, grade).shear,
        wadi_regulate_critical_shear(p));
    return WADI_OK;
}

wadi_result wadi_regulate_search(wadi_context* context, const regulate_works* works, double* bed,
                                 regulate_found* out)
{
    search_run run = {.context = context, .works = works, .bed = bed};
    search_grid(&run, 0.5, 0.5, 1.0, SEARCH_FIRST);
    WADI_TRY(search_check(&run));
    double span = 1.0;
    for (int round = 0; round < SEARCH_ROUNDS; ++round)
    {
        span /= SEARCH_NARROWER;
        search_grid(&run, run.u, run.v, span, SEARCH_SIDE);
    }
    wadi_regulate_works_bed(works, &run.best, bed);
    *out = (regulate_found){run.best, run.designs};
    return WADI_OK;
}
