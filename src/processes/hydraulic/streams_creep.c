// SPDX-License-Identifier: MIT
// Creep of soil and failure of steep rock: the nonlinear law of Roering, Kirchner & Dietrich
// (1999), q = D S / (1 - (S / S_c)^2), with the tangent of the law beyond 0.96 S_c, so that steeper
// slopes fail fast but at a finite rate.
//
// A step solves it along all rows and along all columns of the same ground, each for twice the time
// and with half of the flux (additive operator splitting: Weickert et al. 1998), so that neither
// axis comes first: in turns, land differs from its transpose by four standard errors. Each line is
// implicit, linearised about the ground (Newton). Fluxes between cells are whole units, so nothing
// is lost. A lagged coefficient in place of the linearised law makes
// ripples at steps of 10 kyr.
#include "core/dmath.h"
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Above this share of S_c the law goes on along its tangent.
#define CREEP_TANGENT 0.96f

// Relief below the grid that slopes of coarse cells do not show: the share of the curvature, by
// halvings of the cell from CREEP_FINE. Fitted on one DEM of the Alps: wear by creep on cells of
// 160 and 320 m is then 0.99 of that on cells of 80 m, and 0.85 and 0.54 without (docs).
#define CREEP_HIDDEN 0.25
#define CREEP_FINE 30.0

// Diffusivity of loose matter on the beds of lakes [m2/yr]: waves and currents level it.
#define CREEP_MUD 10.0

typedef struct creep_sweep
{
    streams* s;
    bool along_x;
    int32_t lines;
    int32_t count; // cells of a line
    bool wraps;
    int32_t* flux; // result [units]: over the face after a cell
    float rate;    // D dt / L2, for two sweeps at once
    float mud;     // the same of loose matter under water
    float scale;   // units of height over a cell to slope / S_c
    float hidden;  // see CREEP_HIDDEN
    int32_t sea;   // [units]
} creep_sweep;

// Work of one line, by cell.
typedef struct creep_lines
{
    float* conduct; // r of the face after a cell
    float* flux;    // explicit flux of that face [units]
    float* upper;   // of the elimination
    float* right;
    float* wrap; // the second solution of a periodic line
} creep_lines;

static int64_t creep_cell(const creep_sweep* w, int32_t line, int32_t at)
{
    return w->along_x ? (int64_t)line * w->s->width + at : (int64_t)at * w->s->width + line;
}

static ptrdiff_t creep_padded(const creep_sweep* w, int32_t line, int32_t at)
{
    return w->along_x ? stream_padded(w->s, at, line) : stream_padded(w->s, line, at);
}

// ---- the law -----------------------------------------------------------------------------

typedef struct creep_face
{
    float conduct; // change of the flux by the difference of heights
    float flux;    // in units of the difference of heights
} creep_face;

// Flux down a difference of heights `drop` along the line, where the slope across is `across`; both
// as slope / S_c.
static inline creep_face creep_law(float along, float across, float hidden)
{
    const float along2 = along * along;
    const float s2 = along2 + across * across + hidden;
    const float s = sqrtf(s2);
    const float bounded = s2 < CREEP_TANGENT * CREEP_TANGENT ? s2 : CREEP_TANGENT * CREEP_TANGENT;
    const float ease = 1.0f / (1.0f - bounded);
    const float slope = (1.0f + bounded) * ease * ease; // of s / (1 - s2)
    const float beyond = s > CREEP_TANGENT ? s - CREEP_TANGENT : 0.0f;
    const float over = s > CREEP_TANGENT ? (CREEP_TANGENT * ease + slope * beyond) / s : ease;
    const float aligned = s2 > 1e-12f ? along2 / s2 : 0.0f;
    return (creep_face){slope * aligned + over * (1.0f - aligned), over * along};
}

// A cell that keeps its level: what creeps into it leaves.
static bool creep_is_fixed(const streams* s, int64_t cell, int64_t padded)
{
    if (s->rim[cell] == 0 || s->rim[cell] >= STREAM_SEA)
    {
        return false;
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

static float creep_height(const creep_sweep* w, ptrdiff_t padded, int32_t otherwise)
{
    const int32_t h = w->s->surface[padded];
    return (float)(h == FLOW_WALL ? otherwise : h);
}

// What the giver of a face can spare over one of its four faces, of the cell before the face if
// `ahead`: rock stays where it is under water.
static int64_t creep_spare(const creep_sweep* w, int32_t line, int32_t at, bool ahead)
{
    const streams* s = w->s;
    const int32_t next = at + 1 < w->count ? at + 1 : 0;
    const int64_t giver = creep_cell(w, line, ahead ? at : next);
    const bool wet = s->ground->water[giver] > 0;
    if (s->soft == NULL && !wet && !s->at_bottom)
    {
        return INT32_MAX;
    }
    const int64_t loose = wadi_ground_surface(s->ground, giver) - s->ground->bedrock[giver];
    const int64_t rock = wet ? 0 : wadi_ground_erodible_rock(s->ground, giver);
    const int64_t left = (int64_t)s->ground->bedrock[giver] - STREAM_BOTTOM;
    return (loose + (rock < left ? rock : left)) / 4;
}

// The face between a cell and the next of its line.
static creep_face creep_at(const creep_sweep* w, int32_t line, int32_t at)
{
    const streams* s = w->s;
    const int32_t next = at + 1 < w->count ? at + 1 : 0;
    const ptrdiff_t p = creep_padded(w, line, at);
    const ptrdiff_t q = creep_padded(w, line, next);
    const int32_t hp = s->surface[p];
    const int32_t hq = s->surface[q];
    if (hp == FLOW_WALL || hq == FLOW_WALL || (next == 0 && !w->wraps) ||
        (hp < w->sea && hq < w->sea))
    {
        return (creep_face){0.0f, 0.0f};
    }
    if (s->ground->water[creep_cell(w, line, at)] > 0 &&
        s->ground->water[creep_cell(w, line, next)] > 0)
    {
        return (creep_face){w->mud, w->mud * (float)(hp - hq)};
    }
    const int64_t giver = hp >= hq ? creep_cell(w, line, at) : creep_cell(w, line, next);
    const bool held = s->fixed[giver] != 0;
    const ptrdiff_t ahead = w->along_x ? 1 : s->stride;
    const ptrdiff_t aside = w->along_x ? s->stride : 1;
    // across the line: mean of the slopes at both cells
    const float across = 0.25f * (creep_height(w, p + aside, hp) - creep_height(w, p - aside, hp) +
                                  creep_height(w, q + aside, hq) - creep_height(w, q - aside, hq));
    // fourth order for means of cells, where the cells beyond are there
    const float d0 = (float)(hp - hq);
    const float before = creep_height(w, p - ahead, hp);
    const float after = creep_height(w, q + ahead, hq);
    const float c = (3.0f * d0 - (before - after)) * (1.0f / 12.0f);
    const float limit = fabsf(d0);
    const float along = d0 + (c > limit ? limit : c < -limit ? -limit : c);
    const float bend_p = before - 2.0f * (float)hp + (float)hq;
    const float bend_q = (float)hp - 2.0f * (float)hq + after;
    const float hidden = w->hidden * (bend_p * bend_p + bend_q * bend_q);
    const creep_face law = creep_law(along * w->scale, across * w->scale, hidden);
    const float ease = held ? 0.0f : s->soft != NULL ? s->soft[giver] : 1.0f;
    return (creep_face){w->rate * ease * law.conduct, w->rate * ease * law.flux / w->scale};
}

// ---- lines -------------------------------------------------------------------------------

// Whole units over a face; the sum over four faces fits 32 bits.
static int32_t creep_round(float flux)
{
    const float most = 2.5e8f;
    const float bounded = flux > most ? most : flux < -most ? -most : flux;
    return (int32_t)floorf(bounded + 0.5f);
}

// A face whose explicit flux is more than its giver can spare conducts less. Without that, what the
// solution passes through a cell with thin cover piles up before it, and towers grow.
static creep_face creep_within(const creep_sweep* w, int32_t line, int32_t at, creep_face face)
{
    const int64_t most = creep_spare(w, line, at, face.flux > 0.0f);
    const float share = fabsf(face.flux) > (float)most ? (float)most / fabsf(face.flux) : 1.0f;
    return (creep_face){share * face.conduct, share * face.flux};
}

static int32_t creep_bound(const creep_sweep* w, int32_t line, int32_t at, int32_t flux)
{
    const int64_t most = flux == 0 ? 0 : creep_spare(w, line, at, flux > 0);
    return flux > most ? (int32_t)most : flux < -most ? -(int32_t)most : flux;
}

// Solve one line: the tridiagonal system (1 + r- + r+) x - r- x- - r+ x+ = q- - q+, whose fixed
// cells stay. A periodic line is cut before its first cell; the cut adds a second right-hand side
// (Sherman & Morrison 1950).
static void creep_solve(const creep_sweep* w, int32_t line, const creep_lines* a)
{
    const int32_t n = w->count;
    const bool wraps = w->wraps;
    const float cut = wraps ? a->conduct[n - 1] : 0.0f;
    for (int32_t i = 0; i < n; ++i)
    {
        const bool fixed = w->s->fixed[creep_cell(w, line, i)] != 0;
        const float back = i > 0 ? a->conduct[i - 1] : cut;
        const float q_in = i > 0 ? a->flux[i - 1] : wraps ? a->flux[n - 1] : 0.0f;
        float diagonal = 1.0f + back + a->conduct[i];
        // the cut: corners of the matrix move to its ends
        diagonal += wraps && (i == 0 || i == n - 1) ? cut : 0.0f;
        const float lower = fixed || i == 0 ? 0.0f : back;
        const float pivot = fixed ? 1.0f : diagonal - lower * (i > 0 ? a->upper[i - 1] : 0.0f);
        const float right = fixed ? 0.0f : q_in - a->flux[i];
        a->upper[i] = fixed ? 0.0f : a->conduct[i] / pivot;
        a->right[i] = (right + lower * (i > 0 ? a->right[i - 1] : 0.0f)) / pivot;
        if (wraps)
        {
            const float ends = !fixed && (i == 0 || i == n - 1) ? cut : 0.0f;
            a->wrap[i] = (ends + lower * (i > 0 ? a->wrap[i - 1] : 0.0f)) / pivot;
        }
    }
    for (int32_t i = n - 2; i >= 0; --i)
    {
        a->right[i] += a->upper[i] * a->right[i + 1];
        if (wraps)
        {
            a->wrap[i] += a->upper[i] * a->wrap[i + 1];
        }
    }
    if (wraps && cut > 0.0f)
    {
        const float scale =
            (a->right[0] + a->right[n - 1]) / (1.0f - (a->wrap[0] + a->wrap[n - 1]));
        for (int32_t i = 0; i < n; ++i)
        {
            a->right[i] += scale * a->wrap[i];
        }
    }
}

static void creep_line(const creep_sweep* w, int32_t line, const creep_lines* a, int32_t* flux)
{
    const int32_t n = w->count;
    for (int32_t i = 0; i < n; ++i)
    {
        const creep_face face = creep_within(w, line, i, creep_at(w, line, i));
        a->conduct[i] = face.conduct;
        a->flux[i] = face.flux;
    }
    creep_solve(w, line, a);
    for (int32_t i = 0; i < n; ++i)
    {
        const float ahead = i + 1 < n ? a->right[i + 1] : w->wraps ? a->right[0] : 0.0f;
        const float all = 0.5f * (a->flux[i] + a->conduct[i] * (a->right[i] - ahead));
        flux[creep_cell(w, line, i)] = creep_bound(w, line, i, creep_round(all));
    }
}

// ---- sweeps ------------------------------------------------------------------------------

static void creep_lines_run(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const creep_sweep* w = user;
    float* own = w->s->scratch + (int64_t)worker * STREAM_SCRATCH * w->s->longest;
    const int64_t n = w->s->longest;
    const creep_lines lines = {own, own + n, own + 2 * n, own + 3 * n, own + 4 * n};
    for (int32_t line = begin; line < end; ++line)
    {
        creep_line(w, line, &lines, w->flux);
    }
}

// Flux into a cell from the west or the north, less what leaves to the other side.
static int32_t creep_gain(const creep_sweep* w, int32_t x, int32_t y)
{
    const int32_t at = w->along_x ? x : y;
    const int64_t cell = (int64_t)y * w->s->width + x;
    const int64_t back = w->along_x ? 1 : w->s->width;
    const int64_t before = at > 0 ? cell - back : w->wraps ? cell + (w->count - 1) * back : -1;
    return (before >= 0 ? w->flux[before] : 0) - w->flux[cell];
}

// A share of what creeps into a channel joins the load of its stream. Laid on the bed, all of it
// dams the stream, and at long steps trunks become rows of ponds.
static int64_t creep_into_stream(const streams* s, int64_t cell, int32_t gain)
{
    const double q = (double)s->discharge[cell];
    const double share = s->params.flushing * q / (q + (double)s->rates.head);
    const bool flows = gain > 0 && s->ground->water[cell] == 0 && s->rim[cell] == 0;
    return flows ? (int64_t)((double)gain * share) : 0;
}

static void creep_change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const creep_sweep* sweeps = user;
    streams* s = sweeps->s;
    wadi_tally* tally = &s->tallies[worker];
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int64_t cell = (int64_t)y * s->width + x;
            int32_t change = creep_gain(&sweeps[0], x, y) + creep_gain(&sweeps[1], x, y);
            if (s->fixed[cell] != 0)
            {
                tally->out[WADI_MATERIAL_SEDIMENT][s->rim[cell] - 1] += change;
                change = 0;
            }
            s->load[cell] = creep_into_stream(s, cell, change);
            change -= (int32_t)s->load[cell];
            s->change[cell] = change;
            stream_count(change < 0 ? &s->wear[cell] : &s->deposit[cell], llabs(change));
            s->surface[stream_padded(s, x, y)] += change;
        }
        wadi_ground_change_row(s->ground, (int64_t)y * s->width, s->width,
                               s->change + (int64_t)y * s->width, tally);
    }
}

static void creep_fix_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int64_t cell = (int64_t)y * s->width + x;
            s->fixed[cell] = creep_is_fixed(s, cell, stream_padded(s, x, y)) ? 1 : 0;
        }
    }
}

static creep_sweep creep_sweep_of(streams* s, bool along_x)
{
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
        .flux = along_x ? s->flux : s->drop,
        .rate = (float)(2.0 * s->params.creep * s->rates.years / (cell * cell)),
        .mud = (float)(2.0 * CREEP_MUD * s->rates.years / (cell * cell)),
        .scale = (float)scale,
        .hidden = (float)(0.5 * CREEP_HIDDEN * halvings * scale * scale),
        .sea = s->has_sea ? s->sea_level : INT32_MIN,
    };
}

void wadi_streams_creep(streams* s)
{
    if (s->params.creep <= 0.0)
    {
        memset(s->load, 0, (size_t)s->cells * sizeof *s->load);
        return;
    }
    creep_sweep sweeps[2] = {creep_sweep_of(s, true), creep_sweep_of(s, false)};
    wadi_parallel_rows(s->context, s->height, STREAM_ROWS, creep_fix_rows, s);
    for (int i = 0; i < 2; ++i)
    {
        wadi_parallel_rows(s->context, sweeps[i].lines, STREAM_ROWS, creep_lines_run, &sweeps[i]);
    }
    wadi_parallel_rows(s->context, s->height, STREAM_ROWS, creep_change_rows, sweeps);
    wadi_streams_ghosts(s, s->surface);
}
