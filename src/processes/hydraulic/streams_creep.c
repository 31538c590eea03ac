// SPDX-License-Identifier: MIT
// Creep of soil and failure of steep rock: the nonlinear law of Roering, Kirchner & Dietrich
// (1999), q = D S / (1 - (S / S_c)^2), with the tangent of the law beyond 0.96 S_c, so that steeper
// slopes fail fast but at a finite rate.
//
// A step solves it along all rows and along all columns of the same ground, each for twice the time
// and with half of the flux (additive operator splitting: Weickert et al. 1998), so that neither
// axis comes first: in turns, land differs from its transpose by four standard errors. Each line is
// implicit, linearised about the ground (Newton). Fluxes between cells are whole units, so nothing
// is lost. A lagged coefficient in place of the linearised law makes ripples at steps of 10 kyr.
//
// The law and the solution are in streams_creep_kernel.h. CREEP_LANES lines are solved side by side
// in vectors; faces are computed along rows of memory, so lines along rows are transposed.
#include "processes/hydraulic/streams_creep.h"
#include "core/dmath.h"
#include "core/paging.h"

#include <math.h>

// Relief below the grid that slopes of coarse cells do not show: the share of the curvature, by
// halvings of the cell from CREEP_FINE. Fitted on one DEM of the Alps: wear by creep on cells of
// 160 and 320 m is then 0.99 of that on cells of 80 m, and 0.85 and 0.54 without (docs).
#define CREEP_HIDDEN 0.25
#define CREEP_FINE 30.0

// A step with D dt / L2 above CREEP_LONG is cut into equal parts of at most CREEP_REACH, but not
// into more than CREEP_PARTS. Where slopes near S_c run obliquely to the grid, the flux along one
// axis depends on the slope along the other, which is taken from the begin of the part. In longer
// parts towers and pits of hundreds of metres grow (docs). Steps of 4000 years on cells of 20 m or
// more are one part.
#define CREEP_LONG (1.0 / 8.0)
#define CREEP_REACH (1.0 / 16.0)
#define CREEP_PARTS 16

// The same around faces steeper than CREEP_CLIFF times S_c (streams_creep_walls.c): the wall of a
// plateau, or of an elevation model that was made periodic. On cells of 10 m a wall of 350 m grew
// towers and pits of 90 m in parts of 1/32 to 1/16, none in 1/66; a wall of 100 m towers of 31 m in
// one of 1/8. With a lower threshold aspects of noise turn to the grid (docs).
#define CREEP_CLIFF 6.0
#define CREEP_CLIFF_REACH (1.0 / 64.0)
#define CREEP_CLIFF_PARTS 64

// What may pass a face in a step [units]: the sum over four faces fits 32 bits.
#define CREEP_MOST 2.5e8

// Diffusivity of loose matter on the beds of lakes [m2/yr]: waves and currents level it.
#define CREEP_MUD 10.0

// Work of the lines of one block. Elements of lanes are as in creep_lines.
typedef struct creep_work
{
    float* conduct; // lanes
    float* flux;    // lanes
    float* upper;   // lanes
    float* right;   // lanes
    float* wrap;    // lanes
    float* row;     // eight rows, of cells of four lines
    int32_t* units; // lanes
    uint8_t* held;  // lanes: cells that keep their level
} creep_work;

static int64_t creep_cell(const creep_sweep* w, int32_t line, int32_t at)
{
    at += w->from;
    return w->along_x ? (int64_t)line * w->s->width + at : (int64_t)at * w->s->width + line;
}

static ptrdiff_t creep_padded(const creep_sweep* w, int32_t line, int32_t at)
{
    at += w->from;
    return w->along_x ? stream_padded(w->s, at, line) : stream_padded(w->s, line, at);
}

// ---- cells -------------------------------------------------------------------------------

// Does what creeps into this cell leave over the edge?
static bool creep_is_outlet(const streams* s, int64_t cell, int64_t padded)
{
    if (s->rim[cell] == 0 || s->rim[cell] >= STREAM_SEA)
    {
        return s->rim[cell] == STREAM_DEEP;
    }
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && s->rim[n] == 0 && s->surface[padded + s->step[d]] < s->surface[padded])
        {
            return false;
        }
    }
    return true;
}

// What a cell can lose over one of its four faces: rock stays where it is under water.
static int32_t creep_spare(const streams* s, int64_t cell)
{
    const bool wet = s->ground->water[cell] > 0;
    if (s->soft == NULL && !wet && !s->at_bottom)
    {
        return INT32_MAX;
    }
    const int64_t loose = wadi_ground_surface(s->ground, cell) - s->ground->bedrock[cell];
    const int64_t rock = wet ? 0 : wadi_ground_erodible_rock(s->ground, cell);
    const int64_t left = (int64_t)s->ground->bedrock[cell] - STREAM_BOTTOM;
    return (int32_t)((loose + (rock < left ? rock : left)) / 4);
}

// What cells of a run can lose over a face.
static void creep_spare_run(const streams* s, int64_t first, int32_t count, int32_t* spare)
{
    const wadi_ground* ground = s->ground;
    if (s->soft == NULL && !s->at_bottom && ground->loose_count == 1)
    {
        stream_kernels_of(wadi_isa_best())
            ->spare(count, ground->water + first, ground->loose[0] + first, spare);
        return;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        spare[i] = creep_spare(s, first + i);
    }
}

void wadi_creep_read_run(const streams* s, int32_t x, int32_t y, int32_t count)
{
    const int64_t first = (int64_t)y * s->width + x;
    const uint8_t* rim = s->rim + first;
    float* ease = s->ease + first;
    memcpy(ease, s->soft != NULL ? s->soft + first : s->ones, (size_t)count * sizeof *ease);
    memset(s->fixed + first, 0, (size_t)count);
    creep_spare_run(s, first, count, s->spare + first);
    for (int32_t i = stream_first_set(rim, 0, count); i < count;
         i = stream_first_set(rim, i + 1, count))
    {
        const int64_t padded = stream_padded(s, x + i, y);
        const bool outlet = creep_is_outlet(s, first + i, padded);
        const bool fixed = outlet && s->surface[padded] <= wadi_streams_base_of(s, first + i);
        s->fixed[first + i] = fixed ? CREEP_FIXED : outlet ? CREEP_OUTLET : 0;
        ease[i] = fixed ? 0.0f : ease[i];
    }
}

// ---- lines -------------------------------------------------------------------------------

// Faces after cell `at` of `count` lines from `first`, or if lines are rows, of one line and
// `count` faces.
static creep_run creep_run_of(const creep_sweep* w, int32_t first, int32_t at, int32_t count)
{
    const int64_t cell = creep_cell(w, first, at);
    return (creep_run){
        .rates = w->rates,
        .count = count,
        .h = w->s->surface + creep_padded(w, first, at),
        .ahead = w->along_x ? 1 : w->s->stride,
        .aside = w->along_x ? w->s->stride : 1,
        .next = w->along_x ? 1 : w->s->width,
        .ease = w->ease + cell,
        .spare = w->spare + cell,
        .water = w->s->ground->water + cell,
    };
}

// The faces after the last cells of `count` lines: to the first cells of periodic lines, else shut.
static void creep_last_faces(const creep_sweep* w, int32_t first, int32_t count, float* conduct,
                             float* flux)
{
    enum
    {
        ROW = CREEP_LANES + 2
    };
    int32_t patch[4 * ROW] = {0}; // heights of the last two and the first two cells
    const int32_t places[4] = {w->count - 2, w->count - 1, 0, 1};
    for (int32_t i = 0; i < 4 * (count + 2); ++i)
    {
        const int32_t lane = i % (count + 2);
        const ptrdiff_t padded = creep_padded(w, first + lane - 1, places[i / (count + 2)]);
        patch[i / (count + 2) * ROW + lane] = w->s->surface[padded];
    }
    creep_run run = creep_run_of(w, first, w->count - 1, count);
    run.h = patch + ROW + 1;
    run.ahead = ROW;
    run.aside = 1;
    run.next *= 1 - w->count;
    run.conduct = conduct;
    run.flux = flux;
    memset(conduct, 0, (size_t)count * sizeof *conduct);
    memset(flux, 0, (size_t)count * sizeof *flux);
    if (w->wraps)
    {
        w->kernels->faces(&run);
    }
}

static void creep_faces_of_columns(const creep_sweep* w, int32_t first, int32_t lanes,
                                   const creep_work* a)
{
    for (int32_t at = 0; at < w->count - 1; ++at)
    {
        creep_run run = creep_run_of(w, first, at, lanes);
        run.conduct = a->conduct + (int64_t)at * CREEP_LANES;
        run.flux = a->flux + (int64_t)at * CREEP_LANES;
        w->kernels->faces(&run);
    }
    const int64_t last = (int64_t)(w->count - 1) * CREEP_LANES;
    creep_last_faces(w, first, lanes, a->conduct + last, a->flux + last);
}

// Rows of `count` values into lanes from `lane`, four at a time.
static void creep_to_lanes(const float* rows, int32_t count, float* lanes)
{
    const float* a = rows;
    const float* b = rows + count;
    const float* c = rows + 2 * (int64_t)count;
    const float* d = rows + 3 * (int64_t)count;
    for (int32_t at = 0; at < count; ++at)
    {
        float* out = lanes + (int64_t)at * CREEP_LANES;
        out[0] = a[at];
        out[1] = b[at];
        out[2] = c[at];
        out[3] = d[at];
    }
}

// Faces of one line along x, into row `k` of the work rows.
static void creep_faces_of_row(const creep_sweep* w, int32_t line, const creep_work* a, int32_t k)
{
    const int32_t n = w->count;
    creep_run run = creep_run_of(w, line, 0, n - 1);
    run.conduct = a->row + (int64_t)k * n;
    run.flux = a->row + (int64_t)(4 + k) * n;
    w->kernels->faces(&run);
    creep_last_faces(w, line, 1, run.conduct + n - 1, run.flux + n - 1);
}

static void creep_faces_of_rows(const creep_sweep* w, int32_t first, int32_t lanes,
                                const creep_work* a)
{
    const int32_t n = w->count;
    for (int32_t lane = 0; lane < lanes; lane += 4)
    {
        const int32_t some = lanes - lane < 4 ? lanes - lane : 4;
        for (int32_t k = 0; k < some; ++k)
        {
            creep_faces_of_row(w, first + lane + k, a, k);
        }
        creep_to_lanes(a->row, n, a->conduct + lane);
        creep_to_lanes(a->row + 4 * (int64_t)n, n, a->flux + lane);
    }
    for (int32_t lane = 0; lane < lanes; ++lane)
    {
        const uint8_t* fixed = w->s->fixed + creep_cell(w, first + lane, 0);
        for (int32_t at = 0; at < n; ++at)
        {
            a->held[(int64_t)at * CREEP_LANES + lane] = fixed[at];
        }
    }
}

// What passes the faces at both ends of a stretch of `lanes` lines: into its first cells the result
// `enters`, and out of its last. The solution is for twice the flux.
static void creep_ends(const creep_sweep* w, int32_t first, int32_t lanes, const creep_work* a,
                       float* enters)
{
    const int32_t whole = w->along_x ? w->s->width : w->s->height;
    float* leaves = a->flux + (int64_t)(w->count - 1) * CREEP_LANES;
    for (int32_t i = 0; i < lanes; ++i)
    {
        enters[i] = w->wraps ? leaves[i] : 0.0f;
        if (w->parts > 0 && !w->wraps)
        {
            const int64_t last = creep_cell(w, first + i, w->count - 1);
            const int64_t before = creep_cell(w, first + i, w->from > 0 ? -1 : whole - 1);
            leaves[i] = 2.0f * (float)wadi_creep_portion(w->flux[last], w->part, w->parts);
            enters[i] = 2.0f * (float)wadi_creep_portion(w->flux[before], w->part, w->parts);
        }
    }
}

// Fluxes over the faces after cell `at` of all lanes, in whole units.
static void creep_round(const creep_sweep* w, int32_t lanes, int32_t at, const creep_work* a,
                        int32_t* out)
{
    const int64_t row = (int64_t)at * CREEP_LANES;
    const int64_t next = at + 1 < w->count ? row + CREEP_LANES : 0;
    w->kernels->round(lanes, w->most, a->conduct + row, a->flux + row, a->right + row,
                      a->right + next, out);
}

// What `count` faces from those after a cell may pass.
static void creep_bound(const creep_sweep* w, int64_t cell, ptrdiff_t next, int32_t count)
{
    w->kernels->bound(count, w->spare + cell, w->spare + cell + next, w->flux + cell);
}

// Faces of a line whose flux is a result: the one after a stretch is given.
static int32_t creep_own_faces(const creep_sweep* w)
{
    return w->parts > 0 && !w->wraps ? w->count - 1 : w->count;
}

static void creep_finish_columns(const creep_sweep* w, int32_t first, int32_t lanes,
                                 const creep_work* a)
{
    const ptrdiff_t width = w->s->width;
    for (int32_t at = 0; at < creep_own_faces(w); ++at)
    {
        const int64_t cell = creep_cell(w, first, at);
        creep_round(w, lanes, at, a, w->flux + cell);
        creep_bound(w, cell, at + 1 < w->count ? width : -at * width, lanes);
    }
}

static void creep_finish_rows(const creep_sweep* w, int32_t first, int32_t lanes,
                              const creep_work* a)
{
    const int32_t n = creep_own_faces(w);
    for (int32_t at = 0; at < n; ++at)
    {
        creep_round(w, lanes, at, a, a->units + (int64_t)at * CREEP_LANES);
    }
    for (int32_t lane = 0; lane < lanes; ++lane)
    {
        const int64_t cell = creep_cell(w, first + lane, 0);
        for (int32_t at = 0; at < n; ++at)
        {
            w->flux[cell + at] = a->units[(int64_t)at * CREEP_LANES + lane];
        }
        creep_bound(w, cell, 1, w->count - 1);
        creep_bound(w, cell + w->count - 1, 1 - w->count, n - w->count + 1);
    }
}

// ---- sweeps ------------------------------------------------------------------------------

static creep_work creep_work_of(const streams* s, int32_t worker)
{
    const int64_t n = (int64_t)s->longest * CREEP_LANES;
    float* own = s->scratch + worker * STREAM_SCRATCH * n;
    return (creep_work){own,         own + n,     own + 2 * n,           own + 3 * n,
                        own + 4 * n, own + 5 * n, s->units + worker * n, s->held + worker * n};
}

void wadi_creep_solve(const creep_sweep* w, int32_t first, int32_t lanes, int32_t worker)
{
    const creep_work a = creep_work_of(w->s, worker);
    float enters[CREEP_LANES];
    const creep_lines lines = {
        .count = w->count,
        .lanes = lanes,
        .wraps = w->wraps,
        .fixed = w->along_x ? a.held : w->s->fixed + creep_cell(w, first, 0),
        .fixed_step = w->along_x ? CREEP_LANES : w->s->width,
        .conduct = a.conduct,
        .flux = a.flux,
        .enters = enters,
        .upper = a.upper,
        .right = a.right,
        .wrap = a.wrap,
    };
    (w->along_x ? creep_faces_of_rows : creep_faces_of_columns)(w, first, lanes, &a);
    creep_ends(w, first, lanes, &a, enters);
    w->kernels->solve(&lines);
    (w->along_x ? creep_finish_rows : creep_finish_columns)(w, first, lanes, &a);
}

// Read cells of rows, and solve along these.
static void creep_along_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const creep_sweep* w = user;
    for (int32_t y = begin; y < end; ++y)
    {
        wadi_creep_read_run(w->s, 0, y, w->s->width);
    }
    wadi_creep_solve(w, begin, end - begin, worker);
}

static void creep_along(const creep_sweep* w)
{
    const streams* s = w->s;
    const stream_array arrays[] = {
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {s->rim, 1, STREAM_AT},
        {s->ground->water, sizeof *s->ground->water, STREAM_AT},
        {s->fixed, 1, STREAM_AT},
        {s->ease, sizeof *s->ease, STREAM_AT},
        {s->spare, sizeof *s->spare, STREAM_AT},
        {s->along, sizeof *s->along, STREAM_AT},
        {s->ground->loose[0], sizeof *s->ground->loose[0], STREAM_AT},
        {s->soft, sizeof *s->ease, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    creep_sweep sweep = *w;
    wadi_streams_pass(s, arrays, CREEP_LANES, creep_along_rows, &sweep);
}

// Columns are solved in strips. Each block of columns comes back to all rows, so where the arrays
// lie in a file a strip is as wide as some pages, and a part of the grid that fits into memory.
static int32_t creep_strip(const streams* s)
{
    enum
    {
        PAGE = (1 << PAGING_SHIFT) / 4 // cells
    };
    const int32_t part = s->width / 8 * 3 / PAGE * PAGE;
    return s->pages == NULL ? s->width : part > PAGE ? part : PAGE;
}

static void creep_expect_strip(const streams* s, int32_t first, int32_t count)
{
    for (int32_t y = 0; y < s->height && s->pages != NULL; ++y)
    {
        const int64_t cell = (int64_t)y * s->width + first;
        const size_t bytes = (size_t)count * sizeof(int32_t);
        wadi_expect(s->context, s->surface + stream_padded(s, first - 1, y), bytes + 8);
        wadi_expect(s->context, s->ease + cell, bytes);
        wadi_expect(s->context, s->spare + cell, bytes);
        wadi_expect(s->context, s->ground->water + cell, bytes);
        wadi_expect(s->context, s->across + cell, bytes);
        wadi_expect(s->context, s->fixed + cell, (size_t)count);
    }
}

typedef struct creep_columns
{
    const creep_sweep* sweep;
    int32_t first;
    int32_t count;
} creep_columns;

static void creep_block(int64_t block, int32_t worker, void* user)
{
    const creep_columns* c = user;
    const int32_t done = (int32_t)block * CREEP_LANES;
    const int32_t left = c->count - done;
    wadi_creep_solve(c->sweep, c->first + done, left < CREEP_LANES ? left : CREEP_LANES, worker);
}

static void creep_across(const creep_sweep* w)
{
    const streams* s = w->s;
    const int32_t strip = creep_strip(s);
    creep_columns c = {.sweep = w};
    for (; c.first < s->width; c.first += strip)
    {
        c.count = s->width - c.first < strip ? s->width - c.first : strip;
        creep_expect_strip(s, c.first, c.count);
        const int64_t blocks = ((int64_t)c.count + CREEP_LANES - 1) / CREEP_LANES;
        wadi_parallel_blocks(s->context, blocks, creep_block, &c);
    }
}

// Gain of cells of a row from fluxes along x and y.
static void creep_gains(const creep_sweep* sweeps, int32_t y, int32_t* change)
{
    const streams* s = sweeps[0].s;
    const int32_t width = s->width;
    const int64_t row = (int64_t)y * width;
    const int64_t before = y > 0 ? row - width : (int64_t)(s->height - 1) * width;
    const bool enters = y > 0 || sweeps[1].wraps;
    const int32_t* along = sweeps[0].flux + row;
    const int32_t* north = sweeps[1].flux + before;
    const int32_t* south = sweeps[1].flux + row;
    for (int32_t x = 0; x < width; ++x)
    {
        change[x] = (enters ? north[x] : 0) - south[x] - along[x];
    }
    for (int32_t x = 1; x < width; ++x)
    {
        change[x] += along[x - 1];
    }
    change[0] += sweeps[0].wraps ? along[width - 1] : 0;
}

// A share of what creeps into a channel joins the load of its stream. Laid on the bed, all of it
// dams the stream, and at long steps trunks become rows of ponds.
static void creep_into_streams(const streams* s, bool begins, int64_t first, int32_t count,
                               int32_t* change)
{
    stream_kernels_of(wadi_isa_best())
        ->flush(&(creep_flush_row){
            .count = count,
            .flushing = (float)s->params.flushing,
            .head = s->rates.head,
            .keep = begins ? 0 : -1,
            .discharge = s->discharge + first,
            .water = s->ground->water + first,
            .rim = s->rim + first,
            .load = s->load + first,
            .landed = s->landed + first,
            .gains = change,
        });
}

void wadi_creep_change_run(streams* s, bool begins, int32_t x, int32_t y, int32_t count,
                           wadi_tally* tally)
{
    const int64_t first = (int64_t)y * s->width + x;
    int32_t* change = s->change + first;
    int32_t* surface = s->surface + stream_padded(s, x, y);
    const uint8_t* fixed = s->fixed + first;
    for (int32_t i = stream_first_set(fixed, 0, count); i < count;
         i = stream_first_set(fixed, i + 1, count))
    {
        if (fixed[i] == CREEP_FIXED || change[i] > 0)
        {
            tally->out[WADI_MATERIAL_SEDIMENT][stream_side(s->rim[first + i])] += change[i];
            change[i] = 0;
        }
    }
    creep_into_streams(s, begins, first, count, change);
    for (int32_t i = 0; i < count; ++i)
    {
        surface[i] += change[i];
    }
    wadi_streams_change_run(s, first, count, tally);
}

static void creep_change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const creep_sweep* sweeps = user;
    streams* s = sweeps[0].s;
    for (int32_t y = begin; y < end; ++y)
    {
        creep_gains(sweeps, y, s->change + (int64_t)y * s->width);
        wadi_creep_spare_walls(s, y);
        wadi_creep_change_run(s, sweeps[0].begins, 0, y, s->width, &s->tallies[worker]);
    }
}

static void creep_change(creep_sweep sweeps[2])
{
    const streams* s = sweeps[0].s;
    const stream_array arrays[] = {
        {s->along, sizeof *s->along, STREAM_AT},
        {s->across, sizeof *s->across, STREAM_AT},
        {s->fixed, 1, STREAM_AT},
        {s->rim, 1, STREAM_AT},
        {s->discharge, sizeof *s->discharge, STREAM_AT},
        {s->ground->water, sizeof *s->ground->water, STREAM_AT},
        {s->load, sizeof *s->load, STREAM_AT},
        {s->landed, sizeof *s->landed, STREAM_AT},
        {s->change, sizeof *s->change, STREAM_AT},
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {s->wear, sizeof *s->wear, STREAM_AT},
        {s->deposit, sizeof *s->deposit, STREAM_AT},
        {s->ground->bedrock, sizeof *s->ground->bedrock, STREAM_AT},
        {s->ground->loose[0], sizeof *s->ground->loose[0], STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, arrays, STREAM_ROWS, creep_change_rows, sweeps);
}

creep_sweep wadi_creep_sweep(streams* s, bool along_x, int32_t parts)
{
    const double years = s->rates.years / parts;
    const double cell = s->cell;
    const double halvings =
        cell > CREEP_FINE ? wadi_log(cell / CREEP_FINE) / 0.69314718055994531 : 0.0;
    const double scale = 1.0 / (WADI_UNITS_PER_METRE * cell * s->params.critical_slope);
    return (creep_sweep){
        .s = s,
        .along_x = along_x,
        .lines = along_x ? s->height : s->width,
        .count = along_x ? s->width : s->height,
        .wraps = s->ground->edges[along_x ? WADI_SIDE_WEST : WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
        .most = (float)(CREEP_MOST / parts),
        .kernels = stream_kernels_of(wadi_isa_best()),
        .rates =
            {
                .rate = (float)(2.0 * s->params.creep * years / (cell * cell)),
                .mud = (float)(2.0 * CREEP_MUD * years / (cell * cell)),
                .scale = (float)scale,
                .hidden = (float)(0.5 * CREEP_HIDDEN * halvings * scale * scale),
                .sea = s->has_sea ? s->sea_level : INT32_MIN,
            },
        .ease = s->ease,
        .spare = s->spare,
        .flux = along_x ? s->along : s->across,
    };
}

static int32_t creep_parts_of(double reach, double longest, int32_t most)
{
    const double parts = reach / longest;
    return parts < most ? 1 + (int32_t)parts : most;
}

static void creep_part(streams* s, int32_t part, int32_t parts, int32_t at_walls)
{
    creep_sweep sweeps[2] = {wadi_creep_sweep(s, true, parts), wadi_creep_sweep(s, false, parts)};
    sweeps[0].begins = part == 0;
    creep_along(&sweeps[0]);
    creep_across(&sweeps[1]);
    creep_change(sweeps);
    wadi_streams_ghosts(s, s->surface);
    wadi_creep_walls(s, parts, at_walls);
}

// Parts of the step, and of each part at walls.
static int32_t creep_parts(streams* s, int32_t* at_walls)
{
    const double reach = s->params.creep * s->rates.years / (s->cell * s->cell);
    const int32_t parts = reach > CREEP_LONG ? creep_parts_of(reach, CREEP_REACH, CREEP_PARTS) : 1;
    const int32_t brief = creep_parts_of(reach, CREEP_CLIFF_REACH, CREEP_CLIFF_PARTS);
    const double steep = CREEP_CLIFF * s->params.critical_slope;
    *at_walls = (brief + parts - 1) / parts;
    wadi_creep_find_walls(s, *at_walls > 1 ? steep : (double)INFINITY);
    return parts;
}

void wadi_streams_creep(streams* s)
{
    if (s->params.creep <= 0.0)
    {
        memset(s->load, 0, (size_t)s->cells * sizeof *s->load);
        memset(s->landed, 0, (size_t)s->cells * sizeof *s->landed);
        return;
    }
    int32_t at_walls = 1;
    const int32_t parts = creep_parts(s, &at_walls);
    for (int32_t part = 0; part < parts; ++part)
    {
        creep_part(s, part, parts, at_walls);
    }
}
