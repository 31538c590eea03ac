// SPDX-License-Identifier: MIT
// Orographic rain. Air that a wind pushes up a slope forms cloud, which drifts on, turns into rain
// and falls, each within a length of its own: the model of Smith (2003) and of Smith & Barstad
// (2004) without the waves of the air. Air that sinks takes rain away.
//
// With S the slope along the wind and r the length of reach,
//
//     r dc/ds = S - c,   r dp/ds = c - p,   rain = base max(0, 1 + E p), scaled to the same mean
//
// Both are solved along the wind from line to line of cells, with the values upwind between two
// cells interpolated; so any azimuth will do, and no cell waits for one downwind. Rain comes with
// three winds, so that it does not fall in stripes.
#include "core/dmath.h"
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <string.h>

enum
{
    SHOWER_WINDS = 3,
    SHOWER_ARRAYS = 6, // of a line: height, cloud and rain, before and now
    SHOWER_PASSES = 8  // around periodic land, at most
};

static const float shower_weights[SHOWER_WINDS] = {0.25f, 0.5f, 0.25f};

// Lines of cells, one after the other downwind.
typedef struct shower_lines
{
    int32_t count;  // of lines
    int32_t length; // of a line
    int64_t first;  // cell
    int64_t next;   // to the next line
    int64_t along;  // to the next cell of a line
    int64_t step;   // the same in padded arrays
    bool wraps;     // from the last line to the first
    bool rings;     // a line closes
    int32_t ahead;  // cells, and a share of one, by which a place upwind lies further on its line
    float share;
    float run;   // [m] from line to line along the wind
    float decay; // exp(-run / reach)
} shower_lines;

typedef struct shower_job
{
    const streams* s;
    float* lift[SHOWER_WINDS]; // result by wind: p
    float* lines;              // work: SHOWER_ARRAYS lines by wind
} shower_job;

// ---- lines -------------------------------------------------------------------------------

static shower_lines shower_lines_of(const streams* s, double azimuth)
{
    const double angle = azimuth * (3.14159265358979323846 / 180.0);
    const double east = -wadi_sin(angle); // where the wind blows to
    const double south = wadi_cos(angle);
    const bool rows = fabs(south) >= fabs(east);
    const double major = rows ? south : east;
    const double minor = rows ? east : south;
    const bool back = major < 0.0;
    const double upwind = -minor / fabs(major);
    const double whole = floor(upwind);
    const wadi_edge* edges = s->ground->edges;
    const bool ring_x = edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool ring_y = edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    shower_lines lines = {.count = rows ? s->height : s->width,
                          .length = rows ? s->width : s->height,
                          .next = rows ? s->width : 1,
                          .along = rows ? 1 : s->width,
                          .step = rows ? 1 : s->stride,
                          .wraps = rows ? ring_y : ring_x,
                          .rings = rows ? ring_x : ring_y,
                          .ahead = (int32_t)whole,
                          .share = (float)(upwind - whole),
                          .run = (float)(s->cell / fabs(major))};
    lines.decay = (float)wadi_exp(-(double)lines.run / s->params.rain_reach);
    if (back)
    {
        lines.first = (int64_t)(lines.count - 1) * lines.next;
        lines.next = -lines.next;
    }
    return lines;
}

// Place on a line; beyond its ends its last cells, where it does not close.
static int32_t shower_place(const shower_lines* lines, int32_t i)
{
    if (lines->rings)
    {
        return (i + lines->length) % lines->length;
    }
    return i < 0 ? 0 : i < lines->length ? i : lines->length - 1;
}

// Value upwind of a cell, on the line before.
static float shower_upwind(const shower_lines* lines, const float* before, int32_t i)
{
    const float a = before[shower_place(lines, i + lines->ahead)];
    const float b = before[shower_place(lines, i + lines->ahead + 1)];
    return a + lines->share * (b - a);
}

// ---- a wind ------------------------------------------------------------------------------

// Height of the land or of the sea; without data that of the land around, or of the air's way.
static inline float shower_height(const streams* s, int64_t cell, int64_t padded, float otherwise)
{
    const int32_t h = s->surface[padded];
    if (h == FLOW_WALL)
    {
        const float around = s->supply.gaps[cell];
        return around > STREAM_NO_HEIGHT ? around : otherwise;
    }
    const int32_t top = s->has_sea && h < s->sea_level ? s->sea_level : h;
    return (float)top * (1.0f / WADI_UNITS_PER_METRE);
}

static void shower_line(const streams* s, const shower_lines* lines, int32_t line, bool fresh,
                        float* const* before, float* const* now, float* lift)
{
    const int64_t first = lines->first + line * lines->next;
    const int64_t padded = stream_padded_of(s, first);
    const float keep = lines->decay;
    for (int32_t i = 0; i < lines->length; ++i)
    {
        const int64_t cell = first + i * lines->along;
        const float upwind = fresh ? STREAM_NO_HEIGHT : shower_upwind(lines, before[0], i);
        const float height = shower_height(s, cell, padded + i * lines->step, upwind);
        const bool known = upwind > -1e9f; // not even in part unknown
        const float slope = known ? (height - upwind) / lines->run : 0.0f;
        const float cloud = fresh ? 0.0f : shower_upwind(lines, before[1], i);
        const float rain = fresh ? 0.0f : shower_upwind(lines, before[2], i);
        now[0][i] = height;
        now[1][i] = slope + keep * (cloud - slope);
        const float mean = 0.5f * (cloud + now[1][i]); // on the way from the line before
        now[2][i] = mean + keep * (rain - mean);
        lift[cell] = now[2][i];
    }
}

// Air comes in level and as it is; around periodic land it goes on until what it began with is
// forgotten.
static void shower_blow(const streams* s, const shower_lines* lines, float* work, float* lift)
{
    float* arrays[SHOWER_ARRAYS];
    for (int32_t i = 0; i < SHOWER_ARRAYS; ++i)
    {
        arrays[i] = work + (ptrdiff_t)i * s->longest;
    }
    const double around = (double)lines->run * lines->count / s->params.rain_reach;
    const double needed = ceil(12.0 / around);
    const int32_t passes = !lines->wraps            ? 1
                           : needed < SHOWER_PASSES ? (int32_t)needed + 1
                                                    : SHOWER_PASSES;
    for (int32_t step = 0; step < passes * lines->count; ++step)
    {
        float* const* before = arrays + 3 * (step & 1);
        float* const* now = arrays + 3 * (1 - (step & 1));
        shower_line(s, lines, step % lines->count, step == 0, before, now, lift);
    }
}

static void shower_wind(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const shower_job* job = user;
    const streams* s = job->s;
    const double turn = (double)(block - 1) * s->params.rain_wind_spread;
    const shower_lines lines = shower_lines_of(s, s->params.rain_wind + turn);
    float* work = job->lines + block * SHOWER_ARRAYS * s->longest;
    shower_blow(s, &lines, work, job->lift[block]);
}

// ---- the map of rain ---------------------------------------------------------------------

static wadi_result shower_allocate(streams* s)
{
    if (s->supply.showers == NULL)
    {
        WADI_ALLOC(s->context, s->supply.showers, s->cells, "orographic rain");
    }
    if (s->supply.lift == NULL)
    {
        const int64_t lines = (int64_t)SHOWER_WINDS * SHOWER_ARRAYS * s->longest;
        WADI_ALLOC(s->context, s->supply.lift, SHOWER_WINDS * s->cells + lines, "orographic rain");
    }
    if (!s->ground->all_valid && s->supply.gaps == NULL)
    {
        WADI_ALLOC(s->context, s->supply.gaps, 2 * s->cells, "orographic rain");
    }
    return WADI_OK;
}

static float shower_base(const streams* s, int64_t cell)
{
    return s->rain != NULL ? s->rain[cell] : (float)s->params.rain;
}

// Rain before it is scaled, and the sums over land before and after.
static void shower_shape(streams* s, const shower_job* job, double* base, double* sum)
{
    const float strength = (float)s->params.orographic;
    *base = 0.0;
    *sum = 0.0;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        float lift = 0.0f;
        for (int32_t i = 0; i < SHOWER_WINDS; ++i)
        {
            lift += shower_weights[i] * job->lift[i][c];
        }
        const bool land = s->rim[c] < STREAM_SEA;
        const float factor = 1.0f + strength * lift;
        const float rain = land ? shower_base(s, c) : 0.0f;
        s->supply.showers[c] = factor > 0.0f ? rain * factor : 0.0f;
        *base += (double)rain;
        *sum += (double)s->supply.showers[c];
    }
}

wadi_result wadi_streams_read_showers(streams* s)
{
    if (s->params.orographic <= 0.0)
    {
        wadi_free(s->context, s->supply.showers); // of other parameters
        s->supply.showers = NULL;
        return WADI_OK;
    }
    WADI_TRY(shower_allocate(s));
    shower_job job = {.s = s, .lines = s->supply.lift + SHOWER_WINDS * s->cells};
    for (int32_t i = 0; i < SHOWER_WINDS; ++i)
    {
        job.lift[i] = s->supply.lift + i * s->cells;
    }
    if (!s->ground->all_valid)
    {
        wadi_streams_fill_gaps(s, s->supply.gaps, s->supply.gaps + s->cells);
    }
    wadi_parallel_blocks(s->context, SHOWER_WINDS, shower_wind, &job);
    double base;
    double sum;
    shower_shape(s, &job, &base, &sum);
    const float scale = sum > 0.0 ? (float)(base / sum) : 0.0f;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const bool land = s->rim[c] < STREAM_SEA;
        const float rain = sum > 0.0 ? s->supply.showers[c] * scale : shower_base(s, c);
        s->supply.showers[c] = land ? rain : 0.0f;
    }
    return WADI_OK;
}
