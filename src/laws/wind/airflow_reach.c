// SPDX-License-Identifier: MIT
// How far shelter looks, and where: a part of a grid that computes it needs no more cells than
// those.
#include "core/dmath.h"
#include "core/float_order.h"
#include "laws/wind/airflow_internal.h"
#include "laws/wind/wind_heading.h"

#include <math.h>

// sine of a degree; below it one direction is used: shelter shifts by a cell in 57 at most
static const float reach_straight = 0.0174524f;
// tangent of an angle that is a little larger
static const float reach_aside = 0.018f;

double wadi_airflow_tangent(double degrees)
{
    const double angle = degrees * (3.14159265358979323846 / 180.0);
    return wadi_sin(angle) / wadi_cos(angle);
}

double wadi_airflow_lee_longest(const wadi_airflow* flow, float low, float high)
{
    const double cells = (double)(high - low) /
                         (wadi_airflow_tangent(flow->law.lee_begin) * flow->ground->cell_size);
    return cells < flow->longest ? cells : flow->longest;
}

void wadi_airflow_range(const float* top, int32_t count, airflow_row* row)
{
    int32_t low = wadi_order_of_float(1e30f);
    int32_t high = wadi_order_of_float(-1e30f);
#pragma omp simd reduction(min : low) reduction(max : high)
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t solid = wadi_order_of_float(top[x] > -1e29f ? top[x] : 1e30f);
        const int32_t any = wadi_order_of_float(top[x]);
        low = solid < low ? solid : low;
        high = any > high ? any : high;
    }
    row->low = wadi_float_of_order(low);
    row->high = wadi_float_of_order(high);
}

bool wadi_airflow_lee_is_straight(const wadi_airflow* flow)
{
    return flow->turned < reach_straight;
}

// A wind blows from the side that it does not blow to. Calm air looks east, as the kernels do.
static void reach_look(float x, float y, airflow_upwind* upwind)
{
    const float ax = fabsf(x);
    const float ay = fabsf(y);
    const float larger = ax > ay ? ax : ay;
    const bool calm = larger < 1e-30f;
    const float east = calm ? -1.0f : x / larger;
    const float south = calm ? 0.0f : y / larger;
    const float share[WADI_SIDE_COUNT] = {[WADI_SIDE_NORTH] = south,
                                          [WADI_SIDE_EAST] = -east,
                                          [WADI_SIDE_SOUTH] = -south,
                                          [WADI_SIDE_WEST] = east};
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        upwind->share[side] = share[side] > upwind->share[side] ? share[side] : upwind->share[side];
    }
}

airflow_upwind wadi_airflow_lee_ahead(double direction)
{
    airflow_upwind upwind = {{0.0f}};
    const wind_heading to = wadi_wind_heading(direction);
    reach_look(to.x, to.y, &upwind);
    return upwind;
}

airflow_upwind wadi_airflow_lee_upwind(const wadi_airflow* flow, double direction)
{
    airflow_upwind upwind = {{0.0f}};
    if (wadi_airflow_lee_is_straight(flow))
    {
        // where another window turns the wind, cells of this one look along their own winds: up to
        // a degree to either side, and the largest shares are those of the ends
        const wind_heading to = wadi_wind_heading(direction);
        reach_look(to.x - reach_aside * to.y, to.y + reach_aside * to.x, &upwind);
        reach_look(to.x + reach_aside * to.y, to.y - reach_aside * to.x, &upwind);
        return upwind;
    }
    const wadi_owned owned = wadi_ground_owned(flow->ground);
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            const int64_t cell = (int64_t)y * flow->ground->width + x;
            reach_look(flow->x[cell], flow->y[cell], &upwind);
        }
    }
    return upwind;
}

int32_t wadi_airflow_lee_margin(const airflow_upwind* upwind, wadi_side side, int64_t reach,
                                double longest)
{
    double sum = 0.0;
    for (int64_t level = reach; (double)level <= longest; level *= 2)
    {
        // each level looks between two cells
        sum += ceil((double)upwind->share[side] * (double)level) + 1.0;
    }
    return (int32_t)sum;
}

int32_t wadi_airflow_lee_reach(const airflow_upwind* upwind, wadi_side side, double longest)
{
    return 1 + wadi_airflow_lee_margin(upwind, side, 1, longest);
}
