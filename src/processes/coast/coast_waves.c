// SPDX-License-Identifier: MIT
// Waves travel along straight rays in sixteen directions. A ray gains power with the length of open
// water, up to full power, and loses it over shallow ground. One pass over the grid for each
// direction carries all its rays: a cell takes the power of the point that lies one row or column
// against the ray, between two cells.
#include "processes/coast/coast_waves.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>
#include <string.h>

#define WAVES_PI 3.141592653589793

enum
{
    WAVES_GRAIN = 16 // rows of a block
};

// A ray: lines are rows or columns, and cells of a line are `across` apart.
typedef struct waves_ray
{
    const coast_waves* waves;
    bool by_rows;
    bool backward; // lines from the last to the first
    float slant;   // cells across, one line against the ray, in (-1, 1)
    float step;    // [m] from line to line
    int32_t lines;
    int32_t length; // cells of a line
    ptrdiff_t along;
    ptrdiff_t across;
    wadi_edge ahead; // edge of the side from which the ray comes
    wadi_edge left;  // edges of the ends of a line
    wadi_edge right;
    uint8_t* out;
} waves_ray;

// Direction from which ray `index` comes. None lies along the grid or its diagonals.
static double waves_angle(int32_t index)
{
    return ((double)index + 0.5) * 2.0 * WAVES_PI / COAST_DIRECTIONS;
}

static waves_ray waves_ray_of(const coast_waves* waves, int32_t index)
{
    const wadi_ground* ground = waves->ground;
    const double east = wadi_sin(waves_angle(index));
    const double south = -wadi_cos(waves_angle(index));
    const bool by_rows = fabs(south) > fabs(east);
    const double main = by_rows ? south : east;
    const double side = by_rows ? east : south;
    const wadi_edge* edges = ground->edges;
    waves_ray ray = {.waves = waves, .by_rows = by_rows, .backward = main > 0.0};
    ray.slant = (float)(side / fabs(main));
    ray.step = (float)(ground->cell_size / fabs(main));
    ray.lines = by_rows ? ground->height : ground->width;
    ray.length = by_rows ? ground->width : ground->height;
    ray.along = by_rows ? ground->width : 1;
    ray.across = by_rows ? 1 : ground->width;
    ray.ahead = by_rows ? edges[ray.backward ? WADI_SIDE_SOUTH : WADI_SIDE_NORTH]
                        : edges[ray.backward ? WADI_SIDE_EAST : WADI_SIDE_WEST];
    ray.left = edges[by_rows ? WADI_SIDE_WEST : WADI_SIDE_NORTH];
    ray.right = edges[by_rows ? WADI_SIDE_EAST : WADI_SIDE_SOUTH];
    ray.out = waves->rays + (ptrdiff_t)index * ground->cells;
    return ray;
}

// Power beyond the end of a line: the open sea has full waves.
static float waves_beyond(wadi_edge edge, float wrapped)
{
    return edge == WADI_EDGE_PERIODIC ? wrapped : (edge == WADI_EDGE_OPEN ? 1.0f : 0.0f);
}

// One line from the one before. Lines have a cell more at each end.
static void waves_line(const waves_ray* ray, int32_t line, float* before, float* now)
{
    const coast_waves* waves = ray->waves;
    const float gain = ray->step / (float)waves->params->fetch;
    const int32_t toward = ray->slant < 0.0f ? -1 : 1;
    const float far = ray->slant < 0.0f ? -ray->slant : ray->slant;
    before[0] = waves_beyond(ray->left, before[ray->length]);
    before[ray->length + 1] = waves_beyond(ray->right, before[1]);
    for (int32_t i = 0; i < ray->length; ++i)
    {
        const ptrdiff_t cell = line * ray->along + i * ray->across;
        const float come = before[i + 1] + far * (before[i + 1 + toward] - before[i + 1]);
        const float loss = ray->step * waves->loss[cell];
        // the loss is implicit, so it takes no more than there is
        const float power = (come + gain) / (1.0f + loss);
        const bool wet = waves->kind[cell] != COAST_LAND;
        now[i + 1] = !wet ? 0.0f : (power < 1.0f ? power : 1.0f);
        ray->out[cell] = (uint8_t)(now[i + 1] * 255.0f + 0.5f);
    }
}

static void waves_trace(int64_t index, int32_t worker, void* user)
{
    const coast_waves* waves = user;
    const waves_ray ray = waves_ray_of(waves, (int32_t)index);
    float* before = waves->lines + (ptrdiff_t)worker * 2 * waves->longest;
    float* now = before + waves->longest;
    for (int32_t i = 0; i < ray.length + 2; ++i)
    {
        before[i] = waves_beyond(ray.ahead, 0.0f);
    }
    // over periodic edges a second lap begins with the last line of the first
    const int32_t laps = ray.ahead == WADI_EDGE_PERIODIC ? 2 : 1;
    for (int32_t k = 0; k < laps * ray.lines; ++k)
    {
        const int32_t line = k % ray.lines;
        waves_line(&ray, ray.backward ? ray.lines - 1 - line : line, before, now);
        float* swap = before;
        before = now;
        now = swap;
    }
}

// ---- before and after --------------------------------------------------------------------------

static void waves_loss_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const coast_waves* waves = user;
    const int64_t width = waves->ground->width;
    const float surf = 1.0f / (float)waves->params->surf;
    const float base = -1.0f / (float)waves->params->wave_base;
    for (int64_t i = begin * width; i < end * width; ++i)
    {
        waves->loss[i] =
            waves->kind[i] == COAST_SEA ? surf * wadi_expf(base * coast_depth(waves, i)) : 0.0f;
    }
}

typedef struct waves_sum
{
    const coast_waves* waves;
    int32_t weights[COAST_DIRECTIONS]; // 65536: 1
} waves_sum;

// An open straight coast meets half of all directions, so their weights add up to 2. About the
// strongest direction they follow the square of a cosine. Whole numbers make the sum exact, and so
// the same for mirrored land.
static void waves_weigh(waves_sum* sum)
{
    const wadi_coast_params* p = sum->waves->params;
    double weights[COAST_DIRECTIONS];
    double all = 0.0;
    for (int32_t d = 0; d < COAST_DIRECTIONS; ++d)
    {
        const double c = wadi_cos(waves_angle(d) - p->direction * WAVES_PI / 180.0);
        weights[d] = c > 0.0 ? c * c : 0.0;
        all += weights[d];
    }
    for (int32_t d = 0; d < COAST_DIRECTIONS; ++d)
    {
        const double even = 2.0 / COAST_DIRECTIONS;
        const double weight = (1.0 - p->focus) * even + p->focus * weights[d] / all;
        sum->weights[d] = (int32_t)floor(weight * 65536.0 + 0.5);
    }
}

static void waves_sum_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const waves_sum* sum = user;
    const coast_waves* waves = sum->waves;
    const int64_t width = waves->ground->width;
    const int64_t cells = waves->ground->cells;
    for (int64_t i = begin * width; i < end * width; ++i)
    {
        int32_t all = 0;
        for (int32_t d = 0; d < COAST_DIRECTIONS; ++d)
        {
            all += sum->weights[d] * waves->rays[d * cells + i];
        }
        const float power = (float)all * (1.0f / (255.0f * 65536.0f));
        waves->power[i] = power < 1.0f ? power : 1.0f;
    }
}

void wadi_coast_blow(wadi_context* context, const coast_waves* waves)
{
    coast_waves job = *waves;
    waves_sum sum = {.waves = waves};
    waves_weigh(&sum);
    wadi_parallel_rows(context, waves->ground->height, WAVES_GRAIN, waves_loss_rows, &job);
    wadi_parallel_blocks(context, COAST_DIRECTIONS, waves_trace, &job);
    wadi_parallel_rows(context, waves->ground->height, WAVES_GRAIN, waves_sum_rows, &sum);
}
