// SPDX-License-Identifier: MIT
// Gusts, vortices and eddies by the stream functions of Bridson et al. (2007): psi at the centre of
// every cell and of a halo around the grid, and its curl by central differences,
//     u = (psi north - psi south) / 2c,    v = (psi west - psi east) / 2c.
// The divergence cancels term by term, so only rounding is left of it. A part with a radius fades
// out as (1 - r^2)^3, with two smooth derivatives at its rim.
#include "laws/wind/airflow_laid.h"

#include "core/internal.h"
#include "core/octave.h"
#include "core/random.h"
#include "laws/wind/airflow_place.h"
#include "laws/wind/wind_heading.h"

#include <math.h>
#include <string.h>

enum
{
    LAID_KINDS = AIRFLOW_TABLE_EDDIES + 1 - AIRFLOW_TABLE_GUSTS,
    LAID_GRAIN = 16,
    LAID_FINEST = 4 // least size of an eddy or radius [cells]
};

// One row of a table.
typedef struct laid_part
{
    int32_t table;
    double x, y;   // centre [m] from the south-west corner
    double radius; // [m]; 0: everywhere
    double from, until;
    double east, north; // of a gust [m/s]
    double speed;       // maximum of a vortex, root mean square of eddies [m/s]
    double size;        // of eddies [m]
    wadi_octave octave; // of eddies
    bool active;
} laid_part;

struct airflow_laid
{
    laid_part* parts[LAID_KINDS];
    int32_t counts[LAID_KINDS];
    uint32_t stream;
    bool stale;  // a table has changed since the field was made
    bool any;    // a part is active
    double* psi; // [m2/s] (height + 2) x (width + 2); NULL without parts
    float* x;    // [m/s] to the east
    float* y;    // to the south
};

// ---- create, destroy, tables -------------------------------------------------------------------

wadi_result wadi_airflow_laid_create(wadi_terrain* terrain, uint32_t stream, airflow_laid** out)
{
    airflow_laid* laid;
    WADI_ALLOC(wadi_terrain_context(terrain), laid, 1, "gusts, vortices and eddies");
    laid->stream = stream;
    *out = laid;
    return WADI_OK;
}

void wadi_airflow_laid_destroy(airflow_laid* laid, wadi_context* context)
{
    if (laid == NULL)
    {
        return;
    }
    for (int32_t kind = 0; kind < LAID_KINDS; ++kind)
    {
        wadi_free(context, laid->parts[kind]);
    }
    wadi_free(context, laid->psi);
    wadi_free(context, laid->x);
    wadi_free(context, laid->y);
    wadi_free(context, laid);
}

static wadi_result laid_check(wadi_terrain* terrain, const laid_part* part, int32_t row)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const char* table = wadi_wind_tables[part->table].name;
    WADI_CHECK(context, part->until > part->from, WADI_ERROR_RANGE,
               "row %d of %s ends in year %g but begins in year %g; it must end after it begins",
               row, table, part->until, part->from);
    const double finest = LAID_FINEST * ground->cell_size;
    WADI_CHECK(context, part->radius == 0.0 || part->radius >= finest, WADI_ERROR_RANGE,
               "row %d of %s has a radius of %g m, too small for cells of %g m; give at least %g m",
               row, table, part->radius, ground->cell_size, finest);
    WADI_CHECK(context, part->table != AIRFLOW_TABLE_VORTICES || part->radius > 0.0,
               WADI_ERROR_RANGE, "row %d of vortices has no radius; give at least %g m", row,
               finest);
    WADI_CHECK(
        context, part->table != AIRFLOW_TABLE_EDDIES || part->size >= finest, WADI_ERROR_RANGE,
        "row %d of eddies has a size of %g m, too small for cells of %g m; give at least %g m", row,
        part->size, ground->cell_size, finest);
    for (int axis = 0; axis < 2; ++axis)
    {
        const double half = 0.5 * airflow_extent(ground, axis == 0);
        WADI_CHECK(context, !airflow_wraps(ground, axis == 0) || part->radius <= half,
                   WADI_ERROR_RANGE,
                   "row %d of %s has a radius of %g m and would overlap itself across the periodic "
                   "edges; give at most %g m",
                   row, table, part->radius, half);
    }
    return WADI_OK;
}

// Noise with the period of the grid along periodic axes.
static wadi_octave laid_octave(const airflow_laid* laid, wadi_terrain* terrain, double size,
                               int32_t row)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const double wide = airflow_extent(ground, true);
    const double high = airflow_extent(ground, false);
    const double across = fmax(1.0, floor(wide / size + 0.5));
    const double down = fmax(1.0, floor(high / size + 0.5));
    // offset by one lattice cell, so that coordinates in the halo are positive
    wadi_octave octave = {.ux = 1.0 / size, .u0 = 1.0, .vy = 1.0 / size, .v0 = 1.0};
    if (airflow_wraps(ground, true))
    {
        octave.ux = across / wide;
        octave.period_u = (int32_t)across;
    }
    if (airflow_wraps(ground, false))
    {
        octave.vy = down / high;
        octave.period_v = (int32_t)down;
    }
    octave.key = wadi_random(wadi_terrain_seed(terrain), laid->stream, (uint64_t)row, 0).v[0];
    return octave;
}

static laid_part laid_read(const airflow_laid* laid, wadi_terrain* terrain, int32_t table,
                           const double* row, int32_t index)
{
    laid_part part = {.table = table,
                      .x = row[0],
                      .y = row[1],
                      .radius = row[2],
                      .from = row[3],
                      .until = row[4]};
    if (table == AIRFLOW_TABLE_GUSTS)
    {
        const wind_heading to = wadi_wind_heading(row[5]);
        part.east = row[6] * (double)to.x;
        part.north = -row[6] * (double)to.y;
        return part;
    }
    part.speed = row[5];
    if (table == AIRFLOW_TABLE_EDDIES)
    {
        part.size = row[6];
        part.octave = laid_octave(laid, terrain, part.size, index);
    }
    return part;
}

// Allocate the field with the first part.
static wadi_result laid_allocate(airflow_laid* laid, wadi_terrain* terrain)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    if (laid->psi == NULL)
    {
        WADI_ALLOC(context, laid->psi, ((int64_t)ground->width + 2) * (ground->height + 2),
                   "the stream function of the wind");
    }
    if (laid->x == NULL)
    {
        WADI_ALLOC(context, laid->x, ground->cells, "gusts, vortices and eddies");
    }
    if (laid->y == NULL)
    {
        WADI_ALLOC(context, laid->y, ground->cells, "gusts, vortices and eddies");
    }
    return WADI_OK;
}

wadi_result wadi_airflow_laid_set_table(airflow_laid* laid, wadi_terrain* terrain, int32_t index,
                                        const double* rows, int32_t count)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const int32_t columns = wadi_wind_tables[index].column_count;
    for (int32_t i = 0; i < count; ++i)
    {
        const laid_part part = laid_read(laid, terrain, index, rows + columns * (ptrdiff_t)i, i);
        WADI_TRY(laid_check(terrain, &part, i + 1));
    }
    WADI_TRY(laid_allocate(laid, terrain));
    laid_part* parts;
    WADI_ALLOC(context, parts, count, "gusts, vortices and eddies");
    for (int32_t i = 0; i < count; ++i)
    {
        parts[i] = laid_read(laid, terrain, index, rows + columns * (ptrdiff_t)i, i);
    }
    const int32_t kind = index - AIRFLOW_TABLE_GUSTS;
    wadi_free(context, laid->parts[kind]);
    laid->parts[kind] = parts;
    laid->counts[kind] = count;
    laid->stale = true;
    return WADI_OK;
}

// ---- the stream function -----------------------------------------------------------------------

typedef struct laid_job
{
    airflow_laid* laid;
    const wadi_ground* ground;
    const laid_part* part; // to add to psi
    float* x;              // to add the field to
    float* y;
} laid_job;

// psi of a gust with its full speed in the centre, or of a vortex. The fastest ring of a vortex is
// at 1/sqrt(5) of its radius, where the slope of the window is 1.7173.
static double laid_psi(const laid_part* part, double x, double y, double window)
{
    return part->table == AIRFLOW_TABLE_GUSTS ? window * (part->east * y - part->north * x)
                                              : window * part->speed * part->radius / 1.7173;
}

static double laid_window(const laid_part* part, double x, double y)
{
    const double r2 = part->radius > 0.0 ? (x * x + y * y) / (part->radius * part->radius) : 0.0;
    const double fade = 1.0 - r2;
    return fade > 0.0 ? fade * fade * fade : 0.0;
}

// Add psi of eddies to `count` cells from column `x0`.
static void laid_eddies(const laid_job* job, double north, int32_t x0, int32_t count, double* psi)
{
    const laid_part* part = job->part;
    const int32_t column = airflow_first_column(job->ground) + x0;
    double x[OCTAVE_SPAN];
    double y[OCTAVE_SPAN];
    float noise[OCTAVE_SPAN];
    for (int32_t i = 0; i < count; ++i)
    {
        x[i] = (column + i + 0.5) * job->ground->cell_size;
        y[i] = north;
    }
    wadi_octave_eval(&part->octave, x, y, count, noise);
    const double way_y = airflow_way(job->ground, false, part->y, north);
    for (int32_t i = 0; i < count; ++i)
    {
        const double way_x = airflow_way(job->ground, true, part->x, x[i]);
        const double window = laid_window(part, way_x, way_y);
        // the noise has a mean slope of 1.25 on a lattice of 1
        psi[i] += window * part->speed * part->size / 1.25 * (double)noise[i];
    }
}

static void laid_row(const laid_job* job, double north, double* psi)
{
    const wadi_ground* ground = job->ground;
    const double y = airflow_way(ground, false, job->part->y, north);
    const int32_t column = airflow_first_column(ground);
    for (int32_t i = -1; i <= ground->width; ++i)
    {
        const double x =
            airflow_way(ground, true, job->part->x, (column + i + 0.5) * ground->cell_size);
        psi[i] += laid_psi(job->part, x, y, laid_window(job->part, x, y));
    }
}

// Columns [*begin, *end) of the array that lie on the grid or one cell beside it. Noise has no
// values further west, and in a window none are asked for there.
static void laid_columns(const wadi_ground* ground, int32_t* begin, int32_t* end)
{
    const int32_t column = airflow_first_column(ground);
    const int32_t last = wadi_ground_whole_width(ground) + 1 - column;
    *begin = column < 0 ? -1 - column : -1;
    *end = last < ground->width + 1 ? last : ground->width + 1;
}

static void laid_eddies_row(const laid_job* job, double north, double* psi)
{
    int32_t begin;
    int32_t end;
    laid_columns(job->ground, &begin, &end);
    for (int32_t x = begin; x < end; x += OCTAVE_SPAN)
    {
        laid_eddies(job, north, x, end - x < OCTAVE_SPAN ? end - x : OCTAVE_SPAN, psi + x);
    }
}

static void laid_psi_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const laid_job* job = user;
    const wadi_ground* ground = job->ground;
    const int32_t whole = wadi_ground_whole_height(ground);
    for (int32_t row = begin; row < end; ++row)
    {
        double* psi = job->laid->psi + (int64_t)row * (ground->width + 2) + 1;
        const int32_t place = airflow_first_row(ground) + row;
        const double north = (whole - place + 0.5) * ground->cell_size;
        if (job->part->table != AIRFLOW_TABLE_EDDIES)
        {
            laid_row(job, north, psi);
        }
        else if (place >= 0 && place <= whole + 1)
        {
            laid_eddies_row(job, north, psi);
        }
    }
}

static void laid_curl_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const laid_job* job = user;
    const int32_t width = job->ground->width;
    const ptrdiff_t stride = width + 2;
    const double scale = 0.5 / job->ground->cell_size;
    for (int32_t y = begin; y < end; ++y)
    {
        const double* psi = job->laid->psi + (y + 1) * stride + 1;
        float* out_x = job->laid->x + (int64_t)y * width;
        float* out_y = job->laid->y + (int64_t)y * width;
        for (int32_t x = 0; x < width; ++x)
        {
            out_x[x] = (float)((psi[x - stride] - psi[x + stride]) * scale);
            out_y[x] = (float)((psi[x + 1] - psi[x - 1]) * scale);
        }
    }
}

// ---- the field ---------------------------------------------------------------------------------

static double laid_sooner(double year, double change, double soonest)
{
    // a change within 30 ms counts as past: the clock has rounded to it
    const double later = year + 1e-9;
    return change > later && change < soonest ? change : soonest;
}

double wadi_airflow_laid_next_change(const airflow_laid* laid, double year)
{
    double soonest = HUGE_VAL;
    for (int32_t kind = 0; kind < LAID_KINDS; ++kind)
    {
        for (int32_t i = 0; i < laid->counts[kind]; ++i)
        {
            const laid_part* part = &laid->parts[kind][i];
            soonest = laid_sooner(year, part->from, soonest);
            soonest = laid_sooner(year, part->until, soonest);
        }
    }
    return soonest;
}

// Update which parts are active in that year; true if this differs from the last call.
static bool laid_update_active(airflow_laid* laid, double year)
{
    bool changed = laid->stale;
    laid->stale = false;
    laid->any = false;
    for (int32_t kind = 0; kind < LAID_KINDS; ++kind)
    {
        for (int32_t i = 0; i < laid->counts[kind]; ++i)
        {
            laid_part* part = &laid->parts[kind][i];
            const bool active = year >= part->from && year < part->until;
            changed = changed || active != part->active;
            part->active = active;
            laid->any = laid->any || active;
        }
    }
    return changed;
}

// A uniform gust has no periodic stream function, so it is added to the field directly.
static bool laid_is_uniform(const laid_part* part)
{
    return part->table == AIRFLOW_TABLE_GUSTS && part->radius == 0.0;
}

static void laid_build(laid_job* job, wadi_context* context)
{
    airflow_laid* laid = job->laid;
    const wadi_ground* ground = job->ground;
    const int64_t nodes = ((int64_t)ground->width + 2) * (ground->height + 2);
    float east = 0.0f;
    float south = 0.0f;
    memset(laid->psi, 0, (size_t)nodes * sizeof *laid->psi);
    for (int32_t kind = 0; kind < LAID_KINDS; ++kind)
    {
        for (int32_t i = 0; i < laid->counts[kind]; ++i)
        {
            job->part = &laid->parts[kind][i];
            if (job->part->active && laid_is_uniform(job->part))
            {
                east += (float)job->part->east;
                south -= (float)job->part->north;
            }
            else if (job->part->active)
            {
                wadi_parallel_rows(context, ground->height + 2, LAID_GRAIN, laid_psi_rows, job);
            }
        }
    }
    wadi_parallel_rows(context, ground->height, LAID_GRAIN, laid_curl_rows, job);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        laid->x[cell] += east;
        laid->y[cell] += south;
    }
}

static void laid_add_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const laid_job* job = user;
    const int64_t width = job->ground->width;
    for (int64_t cell = begin * width; cell < end * width; ++cell)
    {
        job->x[cell] += job->laid->x[cell];
        job->y[cell] += job->laid->y[cell];
    }
}

bool wadi_airflow_laid_add(airflow_laid* laid, wadi_terrain* terrain, double year, float* x,
                           float* y)
{
    wadi_context* context = wadi_terrain_context(terrain);
    laid_job job = {.laid = laid, .ground = wadi_terrain_ground(terrain), .x = x, .y = y};
    if (laid_update_active(laid, year))
    {
        laid_build(&job, context);
    }
    if (laid->any)
    {
        wadi_parallel_rows(context, job.ground->height, LAID_GRAIN, laid_add_rows, &job);
    }
    return laid->any;
}
