// SPDX-License-Identifier: MIT
// Integrals of tables by year. They are exact, so the sum over steps does not depend on the steps.
#include "core/time_series.h"

#include <stddef.h>

static double series_at(const wadi_series* s, int32_t row, int32_t column)
{
    return column < 0 ? 1.0 : s->rows[(ptrdiff_t)row * s->columns + column];
}

// Value of a column at a share of the way from a row to the next.
static double series_between(const wadi_series* s, int32_t row, double share, int32_t column)
{
    const double a = series_at(s, row, column);
    return share > 0.0 ? a + share * (series_at(s, row + 1, column) - a) : a;
}

static double series_product(const wadi_series* s, int32_t row, double share, int32_t column,
                             int32_t times)
{
    return series_between(s, row, share, column) * series_between(s, row, share, times);
}

// Simpson's rule, which is exact for the product of two lines.
static double series_part(const wadi_series* s, int32_t row, double until, int32_t column,
                          int32_t times)
{
    const double length = series_at(s, row + 1, s->year) - series_at(s, row, s->year);
    const double share = until / length;
    return until / 6.0 *
           (series_product(s, row, 0.0, column, times) +
            4.0 * series_product(s, row, 0.5 * share, column, times) +
            series_product(s, row, share, column, times));
}

double wadi_series_sum(const wadi_series* s, int32_t column, int32_t times, double year)
{
    const double first = series_at(s, 0, s->year);
    double sum = 0.0;
    int32_t row = 0;
    if (year <= first)
    {
        return (year - first) * series_product(s, 0, 0.0, column, times);
    }
    for (; row + 1 < s->count && series_at(s, row + 1, s->year) <= year; ++row)
    {
        const double length = series_at(s, row + 1, s->year) - series_at(s, row, s->year);
        sum += series_part(s, row, length, column, times);
    }
    const double rest = year - series_at(s, row, s->year);
    return sum + (row + 1 < s->count ? series_part(s, row, rest, column, times)
                                     : rest * series_product(s, row, 0.0, column, times));
}

double wadi_series_mean(const wadi_series* s, int32_t column, double from, double years)
{
    return (wadi_series_sum(s, column, -1, from + years) - wadi_series_sum(s, column, -1, from)) /
           years;
}
