// SPDX-License-Identifier: MIT
#include "laws/wind/airflow_local.h"

#include "laws/wind/airflow_internal.h"
#include "laws/wind/airflow_place.h"

#include <math.h>

enum
{
    LOCAL_FINEST = 4 // least radius [cells]
};

// One wind of a cycle and its duration.
typedef struct local_turn
{
    double direction; // direction the wind comes from [degree]
    double speed;     // [m/s]
    double years;
} local_turn;

typedef struct local_place
{
    double x, y;   // [m] from the south-west corner
    double radius; // [m]; 0: everywhere
    double soft;   // [m]
    const local_turn* turns;
    int32_t count;
    double cycle; // [yr] sum of all turns
} local_place;

struct airflow_local
{
    local_place* places;
    int32_t count;
    local_turn* turns; // of all places, in the order of the rows
    float* x;          // one wind over the whole map
    float* y;
};

// ---- create and destroy ------------------------------------------------------------------------

static bool local_is_same_place(const double* a, const double* b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

// Number of leading rows that share the place of the first.
static int32_t local_rows_of_place(const double* rows, int32_t count)
{
    int32_t same = 1;
    while (same < count &&
           local_is_same_place(rows, rows + AIRFLOW_LOCAL_COLUMNS * (ptrdiff_t)same))
    {
        ++same;
    }
    return same;
}

static wadi_result local_check_radius(wadi_terrain* terrain, const double* row, int32_t number)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const double finest = LOCAL_FINEST * ground->cell_size;
    WADI_CHECK(context, row[2] == 0.0 || row[2] >= finest, WADI_ERROR_RANGE,
               "row %d of local_winds has a radius of %g m, too small for cells of %g m; give at "
               "least %g m, or 0 for everywhere",
               number, row[2], ground->cell_size, finest);
    WADI_CHECK(context, row[3] <= row[2], WADI_ERROR_RANGE,
               "row %d of local_winds has a rim of %g m (soft), wider than its radius of %g m",
               number, row[3], row[2]);
    for (int axis = 0; axis < 2; ++axis)
    {
        const double half = 0.5 * airflow_extent(ground, axis == 0);
        WADI_CHECK(context, !airflow_wraps(ground, axis == 0) || row[2] <= half, WADI_ERROR_RANGE,
                   "row %d of local_winds has a radius of %g m and would overlap itself across the "
                   "periodic edges; give at most %g m",
                   number, row[2], half);
    }
    return WADI_OK;
}

// Rows of one place must be adjacent, otherwise the later group would hide the earlier one.
static wadi_result local_check(wadi_terrain* terrain, const double* rows, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        const double* row = rows + AIRFLOW_LOCAL_COLUMNS * (ptrdiff_t)i;
        WADI_TRY(local_check_radius(terrain, row, i + 1));
        for (int32_t j = 0; j + 1 < i; ++j)
        {
            const double* before = rows + AIRFLOW_LOCAL_COLUMNS * (ptrdiff_t)j;
            WADI_CHECK(
                wadi_terrain_context(terrain),
                !local_is_same_place(before, row) ||
                    local_is_same_place(row - AIRFLOW_LOCAL_COLUMNS, row),
                WADI_ERROR_RANGE,
                "row %d of local_winds repeats the place of row %d; put rows of a place together",
                i + 1, j + 1);
        }
    }
    return WADI_OK;
}

static wadi_result local_allocate(wadi_terrain* terrain, int32_t rows, airflow_local* local)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const int64_t cells = wadi_terrain_ground(terrain)->cells;
    WADI_ALLOC(context, local->places, rows, "local winds");
    WADI_ALLOC(context, local->turns, rows, "local winds");
    WADI_ALLOC(context, local->x, cells, "a local wind");
    WADI_ALLOC(context, local->y, cells, "a local wind");
    return WADI_OK;
}

static void local_read(airflow_local* local, const double* rows, int32_t count)
{
    for (int32_t i = 0; i < count;)
    {
        const double* first = rows + AIRFLOW_LOCAL_COLUMNS * (ptrdiff_t)i;
        local_place* place = &local->places[local->count++];
        *place = (local_place){.x = first[0],
                               .y = first[1],
                               .radius = first[2],
                               .soft = first[3],
                               .turns = &local->turns[i],
                               .count = local_rows_of_place(first, count - i)};
        for (const int32_t end = i + place->count; i < end; ++i)
        {
            const double* wind =
                rows + AIRFLOW_LOCAL_COLUMNS * (ptrdiff_t)i + AIRFLOW_LOCAL_DIRECTION;
            local->turns[i] = (local_turn){wind[0], wind[1], wind[2]};
            place->cycle += wind[2];
        }
    }
}

wadi_result wadi_airflow_local_create(wadi_terrain* terrain, const double* rows, int32_t count,
                                      airflow_local** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    airflow_local* local;
    WADI_TRY(local_check(terrain, rows, count));
    WADI_ALLOC(context, local, 1, "local winds");
    const wadi_result result = local_allocate(terrain, count, local);
    if (result != WADI_OK)
    {
        wadi_airflow_local_destroy(local, context);
        return result;
    }
    local_read(local, rows, count);
    *out = local;
    return WADI_OK;
}

void wadi_airflow_local_destroy(airflow_local* local, wadi_context* context)
{
    if (local != NULL)
    {
        wadi_free(context, local->places);
        wadi_free(context, local->turns);
        wadi_free(context, local->x);
        wadi_free(context, local->y);
        wadi_free(context, local);
    }
}

// ---- when --------------------------------------------------------------------------------------

// The wind of a place in that year, and when its turn ends. A change within 30 ms counts as past:
// the clock has rounded to it.
static const local_turn* local_turn_at(const local_place* place, double year, double* until)
{
    const double later = year + 1e-9;
    *until = floor(later / place->cycle) * place->cycle;
    for (int32_t i = 0; i < place->count; ++i)
    {
        *until += place->turns[i].years;
        if (*until > later)
        {
            return &place->turns[i];
        }
    }
    // by rounding, the year is past the last turn of the cycle
    *until += place->turns[0].years;
    return &place->turns[0];
}

double wadi_airflow_local_next_change(const airflow_local* local, double year)
{
    double soonest = HUGE_VAL;
    for (int32_t i = 0; local != NULL && i < local->count; ++i)
    {
        double until;
        (void)local_turn_at(&local->places[i], year, &until);
        if (local->places[i].count > 1 && until < soonest)
        {
            soonest = until;
        }
    }
    return soonest;
}

// ---- where -------------------------------------------------------------------------------------

typedef struct local_job
{
    const airflow_local* local;
    const local_place* place;
    wadi_airflow* flow;
    bool calm;
} local_job;

// Weight of the local wind at offset (dx, dy) from its centre: 1 inside, smoothly 0 over the rim.
static float local_share(const local_place* place, double dx, double dy)
{
    const double inside = place->radius - sqrt(dx * dx + dy * dy);
    if (place->radius == 0.0 || inside >= place->soft)
    {
        return inside >= 0.0 || place->radius == 0.0 ? 1.0f : 0.0f;
    }
    const double share = inside > 0.0 ? inside / place->soft : 0.0;
    return (float)(share * share * (3.0 - 2.0 * share));
}

static void local_mix_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const local_job* job = user;
    const local_place* place = job->place;
    const wadi_ground* ground = job->flow->ground;
    for (int32_t y = begin; y < end; ++y)
    {
        const double north = (wadi_ground_whole_height(ground) - wadi_ground_row(ground, y) - 0.5) *
                             ground->cell_size;
        const double dy = airflow_way(ground, false, place->y, north);
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            const double east = (wadi_ground_column(ground, x) + 0.5) * ground->cell_size;
            const float share = local_share(place, airflow_way(ground, true, place->x, east), dy);
            const float own_x = job->calm ? 0.0f : job->local->x[cell];
            const float own_y = job->calm ? 0.0f : job->local->y[cell];
            job->flow->x[cell] = (1.0f - share) * job->flow->x[cell] + share * own_x;
            job->flow->y[cell] = (1.0f - share) * job->flow->y[cell] + share * own_y;
        }
    }
}

void wadi_airflow_local_blow(airflow_local* local, wadi_airflow* flow, double year)
{
    for (int32_t i = 0; i < local->count; ++i)
    {
        double until;
        const local_turn* turn = local_turn_at(&local->places[i], year, &until);
        local_job job = {local, &local->places[i], flow, turn->speed == 0.0};
        if (!job.calm)
        {
            const airflow_wind wind = {turn->direction, turn->speed, year};
            (void)wadi_airflow_warp(flow, &wind, local->x, local->y);
        }
        wadi_parallel_rows(flow->context, flow->ground->height, AIRFLOW_GRAIN, local_mix_rows,
                           &job);
    }
}
