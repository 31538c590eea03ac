// SPDX-License-Identifier: MIT
// Local winds, gusts, vortices and eddies: each cell has a direction and a speed of its own. All
// parcels move a cell in a step, along the wind of their cell; its speed counts in their capacity,
// like the feedback of the parcels. So as many parcels visit calm places as windy ones.
#include "processes/wind/saltation_state.h"

#include <math.h>

enum
{
    LOCAL_BLOCK = 4, // [cells]
    LOCAL_GRAIN = 4, // rows of blocks
};

// Largest factor of the capacity, and 1 / the smallest.
static const double local_most = 3.9;

static int32_t local_columns(const saltation* s)
{
    return (s->ground->width + LOCAL_BLOCK - 1) / LOCAL_BLOCK;
}

static int32_t local_rows(const saltation* s)
{
    return (s->ground->height + LOCAL_BLOCK - 1) / LOCAL_BLOCK;
}

static wadi_result local_create(saltation* s)
{
    const airflow_law law = {.speedup_limit = 1.0, .open = true};
    WADI_TRY(wadi_airflow_create(s->terrain, &law, s->stream, &s->air));
    WADI_ALLOC(s->context, s->plane, saltation_rim_cells(s), "local winds");
    WADI_ALLOC(s->context, s->local, s->ground->cells, "local winds");
    WADI_ALLOC(s->context, s->dense, (int64_t)local_columns(s) * local_rows(s), "local winds");
    return WADI_OK;
}

wadi_result wadi_saltation_local_set(saltation* s, int32_t index, const double* rows, int32_t count)
{
    if (s->air == NULL)
    {
        WADI_TRY(local_create(s));
    }
    return wadi_airflow_set_table(s->air, index, rows, count);
}

void wadi_saltation_local_destroy(saltation* s)
{
    wadi_airflow_destroy(s->air);
    wadi_free(s->context, s->plane);
    wadi_free(s->context, s->local);
    wadi_free(s->context, s->dense);
}

// ---- how many parcels visit a cell -------------------------------------------------------------

// Position along an axis, wrapped once or more where it is periodic. False: it is off the grid.
static bool local_wrap(float* place, float size, bool wraps)
{
    *place -= wraps ? size * floorf(*place / size) : 0.0f;
    return *place >= 0.0f && *place < size;
}

// Divergence of the directions of the wind about a cell [1/cell].
static float local_divergence(const saltation* s, int32_t x, int32_t y)
{
    const int32_t width = s->ground->width;
    const int32_t height = s->ground->height;
    const bool along = s->law.wrap_x > 0.0f;
    const bool down = s->law.wrap_y > 0.0f;
    const int32_t west = x > 0 ? x - 1 : along ? width - 1 : x;
    const int32_t east = x + 1 < width ? x + 1 : along ? 0 : x;
    const int32_t north = y > 0 ? y - 1 : down ? height - 1 : y;
    const int32_t south = y + 1 < height ? y + 1 : down ? 0 : y;
    return 0.5f *
           (s->aims[saltation_rim(s, y) + east].ex - s->aims[saltation_rim(s, y) + west].ex +
            s->aims[saltation_rim(s, south) + x].ey - s->aims[saltation_rim(s, north) + x].ey);
}

// Parcels by cell at the end of a path that is followed upwind. Parcels start anywhere, so those of
// each age come from another place of the path, and the winds between have drawn them together or
// apart. Where the path comes from beyond an edge, all older ones enter there.
static float local_density(const saltation* s, float x, float y)
{
    const float rate = 1.0f / (float)s->life;
    float left = 1.0f; // of the parcels at a place of the path
    float sum = 0.0f;
    for (int32_t i = 0; i < s->life; ++i)
    {
        if (!local_wrap(&x, s->law.width, s->law.wrap_x > 0.0f) ||
            !local_wrap(&y, s->law.height, s->law.wrap_y > 0.0f))
        {
            return sum + left * (1.0f - rate * (float)i);
        }
        const saltation_aim aim = s->aims[saltation_rim(s, (int32_t)y) + (int32_t)x];
        sum += rate * left;
        left *= 1.0f - local_divergence(s, (int32_t)x, (int32_t)y);
        left = left > 0.0f ? (left < 1e3f ? left : 1e3f) : 0.0f;
        x -= aim.ex;
        y -= aim.ey;
    }
    return sum;
}

static void local_density_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const saltation* s = user;
    (void)worker;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < local_columns(s); ++column)
        {
            const float x = (float)(LOCAL_BLOCK * column) + 0.5f * LOCAL_BLOCK;
            const float y = (float)(LOCAL_BLOCK * row) + 0.5f * LOCAL_BLOCK;
            const float last_x = s->law.width - 0.5f;
            const float last_y = s->law.height - 0.5f;
            s->dense[(int64_t)row * local_columns(s) + column] =
                local_density(s, x < last_x ? x : last_x, y < last_y ? y : last_y);
        }
    }
}

// The density of a block, wrapped or held at the edges.
static float local_block(const saltation* s, int32_t column, int32_t row)
{
    const int32_t columns = local_columns(s);
    const int32_t rows = local_rows(s);
    const int32_t x = s->law.wrap_x > 0.0f ? (column + columns) % columns
                      : column < 0         ? 0
                      : column < columns   ? column
                                           : columns - 1;
    const int32_t y = s->law.wrap_y > 0.0f ? (row + rows) % rows
                      : row < 0            ? 0
                      : row < rows         ? row
                                           : rows - 1;
    return s->dense[(int64_t)y * columns + x];
}

// Few parcels must carry more each, and many less.
double wadi_saltation_local_share(const saltation* s, int32_t x, int32_t y)
{
    if (s->aims == NULL)
    {
        return 1.0;
    }
    const float at_x = ((float)x + 0.5f) / LOCAL_BLOCK - 0.5f;
    const float at_y = ((float)y + 0.5f) / LOCAL_BLOCK - 0.5f;
    const int32_t column = (int32_t)floorf(at_x);
    const int32_t row = (int32_t)floorf(at_y);
    const float fx = at_x - (float)column;
    const float fy = at_y - (float)row;
    const float north =
        (1.0f - fx) * local_block(s, column, row) + fx * local_block(s, column + 1, row);
    const float south =
        (1.0f - fx) * local_block(s, column, row + 1) + fx * local_block(s, column + 1, row + 1);
    const double share = (double)((1.0f - fy) * north + fy * south);
    return 1.0 / fmin(fmax(share, 1.0 / local_most), local_most);
}

// ---- the winds of a spell ----------------------------------------------------------------------

static double local_fastest(const saltation* s, const airflow_view* view)
{
    float most = 0.0f;
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        const float square = view->x[cell] * view->x[cell] + view->y[cell] * view->y[cell];
        most = square > most ? square : most;
    }
    return sqrt((double)most);
}

// A cell without wind keeps the direction of the wind over the map.
static void local_aim(saltation* s, const airflow_view* view, float fastest, int64_t cell)
{
    const int32_t y = (int32_t)(cell / s->ground->width);
    const ptrdiff_t at = saltation_rim(s, y) + cell % s->ground->width;
    const float speed = sqrtf(view->x[cell] * view->x[cell] + view->y[cell] * view->y[cell]);
    s->local[cell] = speed / fastest;
    s->plane[at] = (saltation_aim){s->law.ex, s->law.ey};
    if (speed > 1e-4f * fastest)
    {
        s->plane[at] = (saltation_aim){view->x[cell] / speed, view->y[cell] / speed};
    }
}

double wadi_saltation_local_blow(saltation* s, const wind_spell* wind, double year)
{
    s->aims = NULL;
    s->law.has_aim = false;
    if (s->air == NULL)
    {
        return wind->speed;
    }
    (void)wadi_airflow_blow(s->air, &(airflow_wind){wind->direction, wind->speed, year});
    const airflow_view view = wadi_airflow_view(s->air);
    const double fastest = local_fastest(s, &view);
    if ((!view.laid && view.turned <= 0.0f) || fastest <= 0.0)
    {
        return wind->speed;
    }
    const wind_heading to = wadi_wind_heading(wind->direction);
    s->law.ex = to.x;
    s->law.ey = to.y;
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        local_aim(s, &view, (float)fastest, cell);
    }
    s->aims = s->plane;
    s->law.has_aim = true;
    wadi_parallel_rows(s->context, local_rows(s), LOCAL_GRAIN, local_density_rows, s);
    return fastest;
}

double wadi_saltation_local_wind(const saltation* s, int64_t cell)
{
    return s->aims != NULL ? (double)s->local[cell] : 1.0;
}

// A place on an axis: wrapped where it is periodic, else held on the grid.
static float local_place(float place, float size, bool wraps)
{
    if (wraps)
    {
        const float turned = place - size * floorf(place / size);
        return turned < size ? turned : 0.0f;
    }
    const float last = size - 0.001f;
    return place < 0.0f ? 0.0f : place < last ? place : last;
}

void wadi_saltation_local_gather(const saltation* s, int32_t y, int scale, float* far)
{
    const float ahead = 1.0f / s->law.ahead_slope[scale];
    const saltation_aim* aims = s->aims + saltation_rim(s, y);
    for (int32_t x = 0; x < s->ground->width; ++x)
    {
        const float to_x = (float)x + 0.5f + ahead * aims[x].ex;
        const float to_y = (float)y + 0.5f + ahead * aims[x].ey;
        far[x] =
            wadi_saltation_freeze_level(s, local_place(to_x, s->law.width, s->law.wrap_x > 0.0f),
                                        local_place(to_y, s->law.height, s->law.wrap_y > 0.0f));
    }
    far[s->ground->width] = far[s->ground->width - 1];
}
