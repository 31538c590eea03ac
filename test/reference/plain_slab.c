// SPDX-License-Identifier: MIT
// After Paris et al. (2019), section 5, for one wind from the west and no plants. Written from the
// article; differences from its released code: slabs fly until they come to rest (there: three
// bounces, then lost), no cell loses more sand than it has, shelter is computed along the wind's
// own direction, slopes to diagonal neighbours use their distance, matter slides to the steepest
// neighbour until all rests, and edges are fully periodic.
#include "plain_slab.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum
{
    PLAIN_SIGHT = 64 // cells upwind that are searched for shelter
};

static const int32_t plain_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t plain_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static double plain_lot(plain_slab* job)
{
    job->state = job->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(job->state >> 11) * 0x1p-53;
}

static int32_t plain_cell(const plain_slab* job, int32_t x, int32_t y)
{
    const int32_t n = job->size;
    return (y % n + n) % n * n + (x % n + n) % n;
}

static int32_t plain_beside(const plain_slab* job, int32_t cell, int32_t way)
{
    return plain_cell(job, cell % job->size + plain_dx[way], cell / job->size + plain_dy[way]);
}

static double plain_distance(int32_t way)
{
    return way % 2 == 0 ? 1.0 : 1.4142135623730951;
}

// 0 where the skyline upwind is below 10 degrees, 1 above 15.
static double plain_shelter(const plain_slab* job, int32_t cell)
{
    double steepest = 0.0;
    for (int32_t k = 1; k <= PLAIN_SIGHT; ++k)
    {
        const int32_t there = plain_cell(job, cell % job->size - k, cell / job->size);
        steepest = fmax(steepest, (job->sand[there] - job->sand[cell]) / k);
    }
    const double begin = 0.17632698070846498;
    const double full = 0.2679491924311227;
    return fmin(1.0, fmax(0.0, (steepest - begin) / (full - begin)));
}

// Slide the cell's sand to its steepest neighbour, then the disturbed neighbours, until all rests.
static void plain_slide(plain_slab* job, int32_t cell)
{
    const double hold = tan(job->repose * 0.017453292519943295);
    const double start = tan((job->repose + 0.5) * 0.017453292519943295);
    int32_t steepest = -1;
    double excess = start - hold;
    for (int32_t way = 0; way < 8; ++way)
    {
        const double fall = job->sand[cell] - job->sand[plain_beside(job, cell, way)];
        const double over = fall / plain_distance(way) - hold;
        steepest = over > excess ? way : steepest;
        excess = over > excess ? over : excess;
    }
    if (steepest < 0)
    {
        return;
    }
    const int32_t to = plain_beside(job, cell, steepest);
    const double moved = fmin(job->sand[cell], 0.5 * excess * plain_distance(steepest));
    job->sand[cell] -= moved;
    job->sand[to] += moved;
    plain_slide(job, to);
    for (int32_t way = 0; way < 8; ++way)
    {
        plain_slide(job, plain_beside(job, cell, way));
    }
}

// Grains struck by a slab roll to the two steepest neighbours.
static void plain_creep(plain_slab* job, int32_t cell, double amount)
{
    double slope[2] = {0.0, 0.0};
    int32_t way[2] = {0, 0};
    for (int32_t k = 0; k < 8; ++k)
    {
        const double here =
            (job->sand[cell] - job->sand[plain_beside(job, cell, k)]) / plain_distance(k);
        const int32_t rank = here > slope[0] ? 0 : here > slope[1] ? 1 : 2;
        slope[1] = rank == 0 ? slope[0] : rank == 1 ? here : slope[1];
        way[1] = rank == 0 ? way[0] : rank == 1 ? k : way[1];
        slope[0] = rank == 0 ? here : slope[0];
        way[0] = rank == 0 ? k : way[0];
    }
    for (int32_t k = 0; k < 2; ++k)
    {
        const double wanted =
            slope[k] * fmin(0.25, job->reptation * amount / plain_distance(way[k]));
        const double moved = fmin(job->sand[cell], wanted);
        job->sand[cell] -= moved;
        job->sand[plain_beside(job, cell, way[k])] += moved;
    }
}

// One slab, from the cell until it comes to rest. Each time it strikes grains roll, at the end over
// the slab itself: "reptation is triggered by the deposition of sand at the end of saltation".
static void plain_fly(plain_slab* job, int32_t start)
{
    double shelter = plain_shelter(job, start);
    const double amount = fmin(job->slab, job->sand[start]);
    if (amount <= 0.0 || shelter >= 1.0)
    {
        return;
    }
    double x = start % job->size + plain_lot(job);
    const int32_t row = start / job->size;
    int32_t cell = start;
    bool rests = false;
    job->sand[start] -= amount;
    plain_slide(job, start);
    while (!rests)
    {
        x += job->hop * (1.0 - shelter);
        job->carried += amount * job->hop * (1.0 - shelter);
        cell = plain_cell(job, (int32_t)floor(x), row);
        shelter = plain_shelter(job, cell);
        rests = plain_lot(job) < shelter + (job->sand[cell] > 0.0 ? 0.6 : 0.4);
        job->sand[cell] += rests ? amount : 0.0;
        plain_creep(job, cell, amount);
    }
    plain_slide(job, cell);
}

void plain_slab_step(plain_slab* job)
{
    const int32_t cells = job->size * job->size;
    int32_t* order = malloc((size_t)cells * sizeof *order);
    for (int32_t i = 0; i < cells; ++i)
    {
        const int32_t other = (int32_t)(plain_lot(job) * (i + 1));
        order[i] = i;
        const int32_t kept = order[other];
        order[other] = i;
        order[i] = kept;
    }
    for (int32_t i = 0; i < cells; ++i)
    {
        plain_fly(job, order[i]);
    }
    free(order);
}
