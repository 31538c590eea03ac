// SPDX-License-Identifier: MIT
// Ripples: a sum of plane waves, each around a node of a jittered lattice (Gabor noise: Lagae et
// al. 2009; its phase: Tricart et al. 2019). The wave of a node has the length and the direction of
// the wind there. Phases start at random. Then each node takes the mean phase that its neighbours
// have at its place, a fixed number of times, so that crests join; where they cannot, they end or
// fork.
//
// A phase depends on RIPPLES_TURNS nodes around, and each node on its place alone. So every window
// of a terrain has the same ripples.
#include "maps/amplify/amplify_internal.h"

#include "core/random.h"

#include <math.h>

enum
{
    RIPPLES_STREAM = 0x726970,
    RIPPLES_NOISE = 0x72696E,
    RIPPLES_PATCH = 7, // nodes between points of the noise
    RIPPLES_TURNS = 14,
    RIPPLES_GRAIN = 8 // rows of nodes per block
};

static const double ripples_thin = 0.05;  // [m] sand thickness for full height
static const double ripples_steep = 0.55; // slope without ripples: 29 degrees
static const double ripples_gentle = 0.4; // slope where they begin to fade: 22 degrees
static const double ripples_calm = 0.6;   // stress over the threshold where they end
static const double ripples_least = 0.6;  // friction velocities that set the length
static const double ripples_most = 2.0;
static const double ripples_jitter = 0.7;   // of the lattice's spacing
static const double ripples_reach = 2.2;    // of a node [wavelengths on flat ground]
static const double ripples_turn_by = 0.17; // largest random turn [rad]
static const double ripples_stretch = 0.12; // largest random change of the length
static const double ripples_across = 0.6;   // how much less a neighbour along the wind counts

// Slope of the ground over one cell of the terrain.
static double ripples_slope(const amplify_job* job, amplify_place at)
{
    const double d = 0.5 * job->ground->cell_size;
    const double gx = wadi_amplify_ground(job, (amplify_place){at.x + d, at.y}) -
                      wadi_amplify_ground(job, (amplify_place){at.x - d, at.y});
    const double gy = wadi_amplify_ground(job, (amplify_place){at.x, at.y + d}) -
                      wadi_amplify_ground(job, (amplify_place){at.x, at.y - d});
    return sqrt(gx * gx + gy * gy) / (2.0 * d);
}

// Share of the full height: none without loose sand, under plants, on slip faces and in the lee.
static double ripples_weight(const amplify_job* job, amplify_place at, double speed)
{
    const double rest = wadi_amplify_threshold(job);
    const double calm = ripples_calm * rest;
    const double open = amplify_smooth((speed * speed - calm) / (rest - calm));
    const double sand = amplify_smooth(wadi_amplify_sand(job, at) / ripples_thin);
    const double bare = 1.0 - wadi_amplify_cover(job, at);
    const double steep =
        (ripples_slope(job, at) - ripples_gentle) / (ripples_steep - ripples_gentle);
    return sand * open * bare * (1.0 - amplify_smooth(steep));
}

// ---- nodes -------------------------------------------------------------------------------------

static int32_t ripples_wrap(int32_t i, int32_t period)
{
    return period > 0 ? (i % period + period) % period : i;
}

// Two values of smooth noise within [-1, 1], on a lattice of RIPPLES_PATCH nodes.
typedef struct ripples_noise
{
    double turn;
    double stretch;
} ripples_noise;

// Position of a node on the lattice of the noise, which fits a period.
static double ripples_patch(int32_t i, int32_t period, int32_t* patches)
{
    *patches = period > 0 ? (period + RIPPLES_PATCH - 1) / RIPPLES_PATCH : 0;
    return period > 0 ? (i + 0.5) * *patches / period : (i + 0.5) / RIPPLES_PATCH;
}

static ripples_noise ripples_noise_at(const amplify_job* job, int32_t column, int32_t row)
{
    int32_t around;
    int32_t up;
    const double x = ripples_patch(column, job->nodes.period_x, &around);
    const double y = ripples_patch(row, job->nodes.period_y, &up);
    const int32_t west = (int32_t)floor(x);
    const int32_t south = (int32_t)floor(y);
    const double sx = amplify_smooth(x - west);
    const double sy = amplify_smooth(y - south);
    ripples_noise sum = {0};
    for (int32_t k = 0; k < 4; ++k)
    {
        const uint32_t i = (uint32_t)ripples_wrap(west + k % 2, around);
        const uint32_t j = (uint32_t)ripples_wrap(south + k / 2, up);
        const wadi_philox r =
            wadi_random(wadi_terrain_seed(job->terrain), RIPPLES_NOISE, (uint64_t)j << 32 | i, 0);
        const double weight = (k % 2 == 1 ? sx : 1.0 - sx) * (k / 2 == 1 ? sy : 1.0 - sy);
        sum.turn += weight * (2.0 * (double)wadi_unit_float(r.v[0]) - 1.0);
        sum.stretch += weight * (2.0 * (double)wadi_unit_float(r.v[1]) - 1.0);
    }
    return sum;
}

static amplify_node ripples_node(const amplify_job* job, int32_t column, int32_t row)
{
    const amplify_nodes* nodes = &job->nodes;
    const uint32_t x = (uint32_t)ripples_wrap(column, nodes->period_x);
    const uint32_t y = (uint32_t)ripples_wrap(row, nodes->period_y);
    const wadi_philox r =
        wadi_random(wadi_terrain_seed(job->terrain), RIPPLES_STREAM, (uint64_t)y << 32 | x, 0);
    const double jx = ripples_jitter * ((double)wadi_unit_float(r.v[0]) - 0.5);
    const double jy = ripples_jitter * ((double)wadi_unit_float(r.v[1]) - 0.5);
    const amplify_place at = {(column + 0.5 + jx) * nodes->step_x,
                              (row + 0.5 + jy) * nodes->step_y};
    amplify_place along;
    const double speed = wadi_amplify_wind_at(job, at, &along);
    // the wavelength is a linear function of the friction velocity
    const double length = job->wavelength * fmin(fmax(speed, ripples_least), ripples_most);
    const ripples_noise noise = ripples_noise_at(job, column, row);
    const double waves = (1.0 + ripples_stretch * noise.stretch) / length;
    const double turn = ripples_turn_by * noise.turn;
    amplify_node node = {.x = at.x, .y = at.y};
    node.fx = (float)(waves * (along.x - turn * along.y));
    node.fy = (float)(waves * (along.y + turn * along.x));
    node.size = (float)(ripples_weight(job, at, speed) * length / job->params.ripple_index);
    amplify_circle(wadi_unit_float(r.v[2]), &node.re, &node.im);
    return node;
}

static void ripples_node_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const amplify_job* job = user;
    const amplify_nodes* nodes = &job->nodes;
    (void)worker;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < nodes->columns; ++column)
        {
            nodes->at[(int64_t)row * nodes->columns + column] =
                ripples_node(job, nodes->west + column, nodes->south + row);
        }
    }
}

// ---- phases ------------------------------------------------------------------------------------

typedef struct ripples_turn
{
    const amplify_job* job;
    float* phases; // two of each node
} ripples_turn;

// Add the phase that a neighbour's wave has at a node. Half of the way has the node's own length
// and direction.
static void ripples_add(const amplify_node* node, const amplify_node* beside, float sum[2])
{
    const float dx = (float)(node->x - beside->x);
    const float dy = (float)(node->y - beside->y);
    const float fx = 0.5f * (node->fx + beside->fx);
    const float fy = 0.5f * (node->fy + beside->fy);
    const float waves = fx * dx + fy * dy;
    const float square = (fx * fx + fy * fy) * (dx * dx + dy * dy);
    const float weight =
        1.0f - (float)ripples_across * (waves * waves / (square > 1e-6f ? square : 1e-6f));
    float cosine;
    float sine;
    amplify_circle(waves, &cosine, &sine);
    sum[0] += weight * (beside->re * cosine - beside->im * sine);
    sum[1] += weight * (beside->im * cosine + beside->re * sine);
}

static void ripples_phase(const amplify_nodes* nodes, int32_t column, int32_t row, float out[2])
{
    const amplify_node* node = &nodes->at[(int64_t)row * nodes->columns + column];
    float sum[2] = {0.0f, 0.0f};
    for (int32_t j = row - 1; j <= row + 1; ++j)
    {
        for (int32_t i = column - 1; i <= column + 1; ++i)
        {
            const bool inside = i >= 0 && j >= 0 && i < nodes->columns && j < nodes->rows;
            if (inside && (i != column || j != row))
            {
                ripples_add(node, &nodes->at[(int64_t)j * nodes->columns + i], sum);
            }
        }
    }
    const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1]);
    const bool known = length > 1e-12f;
    out[0] = known ? sum[0] / length : node->re;
    out[1] = known ? sum[1] / length : node->im;
}

static void ripples_phase_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const ripples_turn* turn = user;
    const amplify_nodes* nodes = &turn->job->nodes;
    (void)worker;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < nodes->columns; ++column)
        {
            const int64_t i = (int64_t)row * nodes->columns + column;
            ripples_phase(nodes, column, row, turn->phases + 2 * i);
        }
    }
}

static void ripples_store_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const ripples_turn* turn = user;
    const amplify_nodes* nodes = &turn->job->nodes;
    (void)worker;
    for (int64_t i = (int64_t)begin * nodes->columns; i < (int64_t)end * nodes->columns; ++i)
    {
        nodes->at[i].re = turn->phases[2 * i];
        nodes->at[i].im = turn->phases[2 * i + 1];
    }
}

static wadi_result ripples_align(amplify_job* job)
{
    const int64_t count = (int64_t)job->nodes.columns * job->nodes.rows;
    ripples_turn turn = {.job = job};
    WADI_ALLOC(job->context, turn.phases, 2 * count, "ripples");
    for (int32_t k = 0; k < RIPPLES_TURNS; ++k)
    {
        wadi_parallel_rows(job->context, job->nodes.rows, RIPPLES_GRAIN, ripples_phase_rows, &turn);
        wadi_parallel_rows(job->context, job->nodes.rows, RIPPLES_GRAIN, ripples_store_rows, &turn);
    }
    wadi_free(job->context, turn.phases);
    return WADI_OK;
}

// Spacing of the lattice along an axis: a wavelength, fitted to a periodic terrain.
static double ripples_spacing(const amplify_job* job, int32_t cells, bool wraps, int32_t* period)
{
    const double length = cells * job->ground->cell_size;
    const double count = fmax(1.0, floor(length / job->wavelength + 0.5));
    *period = wraps ? (int32_t)count : 0;
    return wraps ? length / count : job->wavelength;
}

// First node of an axis and the number of nodes, for cells of the window from `first` to `last`.
static int32_t ripples_range(const amplify_job* job, int64_t first, int64_t last, double step,
                             int32_t* count)
{
    const double far = job->nodes.reach / step + RIPPLES_TURNS + 1.0;
    const double cell = job->params.cell / step;
    const double low = floor((double)first * cell - far);
    *count = (int32_t)(ceil((double)last * cell + far) - low);
    return (int32_t)low;
}

wadi_result wadi_amplify_nodes_create(amplify_job* job)
{
    if (job->wavelength == 0.0)
    {
        return WADI_OK; // ripples are off
    }
    const wadi_ground* g = job->ground;
    amplify_nodes* nodes = &job->nodes;
    nodes->reach = ripples_reach * job->wavelength;
    nodes->per_area = (float)(1.0 / (nodes->reach * nodes->reach));
    nodes->step_x = ripples_spacing(job, g->width, g->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
                                    &nodes->period_x);
    nodes->step_y = ripples_spacing(job, g->height, g->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
                                    &nodes->period_y);
    // cells of the terrain that the window cuts are computed whole
    const amplify_area* a = &job->area;
    const int64_t more = (int64_t)ceil(g->cell_size / job->params.cell) + 1;
    nodes->west = ripples_range(job, a->west - more, a->west + a->columns + more, nodes->step_x,
                                &nodes->columns);
    nodes->south =
        ripples_range(job, a->south - more, a->south + a->rows + more, nodes->step_y, &nodes->rows);
    WADI_ALLOC(job->context, nodes->at, (int64_t)nodes->columns * nodes->rows, "ripples");
    wadi_parallel_rows(job->context, nodes->rows, RIPPLES_GRAIN, ripples_node_rows, job);
    return ripples_align(job);
}

// ---- rows of cells -----------------------------------------------------------------------------

// Add the wave of a node to the cells of a row that it reaches.
static void ripples_wave(const amplify_job* job, const amplify_node* node, amplify_place first,
                         int32_t count, amplify_sums sums)
{
    const double y = first.y - node->y;
    const double square = job->nodes.reach * job->nodes.reach - y * y;
    const double half = square > 0.0 ? sqrt(square) : 0.0;
    const double step = job->params.cell;
    const double from = ceil((node->x - half - first.x) / step);
    const double to = floor((node->x + half - first.x) / step);
    const int32_t begin = from > 0.0 ? (int32_t)fmin(from, (double)count) : 0;
    const int32_t end = to < count - 1.0 ? (int32_t)fmax(to, -1.0) : count - 1;
    if (square <= 0.0 || end < begin)
    {
        return;
    }
    const amplify_wave wave = {
        .count = end - begin + 1,
        .x = (float)(first.x + begin * step - node->x),
        .y = (float)y,
        .step = (float)step,
        .fx = node->fx,
        .fy = node->fy,
        .re = node->re,
        .im = node->im,
        .size = node->size,
        .per_area = job->nodes.per_area,
        .sums = {sums.re + begin, sums.im + begin, sums.weight + begin, sums.size + begin},
    };
    job->kernels->wave(&wave);
}

static void ripples_clear(const amplify_worker* own, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        own->sums.re[i] = 0.0f;
        own->sums.im[i] = 0.0f;
        own->sums.weight[i] = 0.0f;
        own->sums.size[i] = 0.0f;
        own->ripple[i] = 0.0f;
    }
}

void wadi_amplify_ripple_row(const amplify_job* job, const amplify_worker* own, int64_t column,
                             int64_t row, int32_t count)
{
    const amplify_nodes* nodes = &job->nodes;
    ripples_clear(own, count);
    if (nodes->at == NULL)
    {
        return;
    }
    const double cell = job->params.cell;
    const amplify_place first = {((double)column + 0.5) * cell, ((double)row + 0.5) * cell};
    const double last = first.x + (count - 1) * cell;
    const int32_t south = (int32_t)floor((first.y - nodes->reach) / nodes->step_y - 0.5);
    const int32_t north = (int32_t)floor((first.y + nodes->reach) / nodes->step_y + 0.5);
    const int32_t west = (int32_t)floor((first.x - nodes->reach) / nodes->step_x - 0.5);
    const int32_t east = (int32_t)floor((last + nodes->reach) / nodes->step_x + 0.5);
    for (int32_t y = south; y <= north; ++y)
    {
        const amplify_node* line = nodes->at + (int64_t)(y - nodes->south) * nodes->columns;
        for (int32_t x = west; x <= east; ++x)
        {
            ripples_wave(job, &line[x - nodes->west], first, count, own->sums);
        }
    }
    // the crest is at 3/4 of the wave under one wind, at 1/2 under symmetric winds
    const float crest = (float)(0.5 + 0.25 * job->params.steadiness);
    const amplify_profile profile = {count, crest, own->sums, own->ripple};
    job->kernels->profile(&profile);
}
