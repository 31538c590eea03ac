// SPDX-License-Identifier: MIT
// Level, width and depth along a course. The level falls monotonically to the outlet and is steeper
// in hard reaches than in soft ones. Width and depth follow from slope and discharge: regime
// relations for width, Manning's law for depth, with Jarrett's roughness of steep streams.
#include "processes/riverbed/graded_internal.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    PROFILE_STEPS = 12, // time steps of incision
    PROFILE_BLOCK = 256 // nodes that one worker computes at a time
};

// What nodes of a river need to compute their values independently of each other.
typedef struct profile_job
{
    const wadi_graded* graded;
    graded_river* river;
    double slope; // means
    double soft;
} profile_job;

typedef void profile_node(const profile_job* job, int32_t i);

typedef struct profile_loop
{
    const profile_job* job;
    profile_node* node;
} profile_loop;

static void profile_block(int64_t block, int32_t worker, void* user)
{
    const profile_loop* loop = user;
    const int32_t from = (int32_t)block * PROFILE_BLOCK;
    (void)worker;
    for (int32_t i = from; i < from + PROFILE_BLOCK && i < loop->job->river->count; ++i)
    {
        loop->node(loop->job, i);
    }
}

static void profile_each(const profile_job* job, profile_node* node)
{
    profile_loop loop = {job, node};
    const int64_t blocks = (job->river->count + PROFILE_BLOCK - 1) / PROFILE_BLOCK;
    wadi_parallel_blocks(job->graded->context, blocks, profile_block, &loop);
}

// Power of a positive number with a relative error of 2e-7, which is enough for widths and depths.
static double profile_power(double x, double y)
{
    return (double)wadi_powf((float)x, (float)y);
}

static const graded_axis* profile_axis(const graded_river* river, int32_t node)
{
    return &river->axis[river->nodes[node].axis];
}

// ---- level -------------------------------------------------------------------------------

// Lowest ground across the course [m].
static double profile_ground(const wadi_graded* graded, const graded_river* river, int32_t i)
{
    const graded_land* land = &graded->land;
    const graded_node* node = &river->nodes[i];
    const double half = 0.5 * profile_axis(river, i)->width / graded->ground->cell_size;
    double lowest = HUGE_VAL;
    for (int side = -1; side <= 1; ++side)
    {
        const riverbed_point p = {node->at.x - side * half * node->along.y,
                                  node->at.y + side * half * node->along.x};
        lowest = fmin(lowest, wadi_graded_land_at(land, land->near, p));
    }
    return lowest;
}

static void profile_read(const profile_job* job, int32_t i)
{
    const graded_land* land = &job->graded->land;
    graded_node* node = &job->river->nodes[i];
    node->level = profile_ground(job->graded, job->river, i);
    // a slope that only a bend runs into is no barrier
    const riverbed_point straight = profile_axis(job->river, i)->at;
    node->ground = fmin(node->level, wadi_graded_land_at(land, land->near, straight));
    node->pond = 0.0;
    node->soft = fmax(0.02, wadi_graded_land_at(land, land->near_soft, node->at));
}

// Original ground along the course, forced to fall. It depends on the course alone, so the level
// does not drift from batch to batch. Returns the least fall per node.
static double profile_fall(const wadi_graded* graded, graded_river* river)
{
    graded_node* nodes = river->nodes;
    const int32_t last = river->count - 1;
    profile_each(&(profile_job){.graded = graded, .river = river}, profile_read);
    for (int32_t i = 1; i <= last; ++i)
    {
        nodes[i].level = fmin(nodes[i].level, nodes[i - 1].level);
    }
    // at least 3e-4 or a sixth of the mean slope; a gorge through a ridge would be level otherwise
    const double fall = nodes[0].level - nodes[last].level;
    const double least = fmax(3e-4 * river->spacing, 0.15 * fall / fmax(1.0, last));
    for (int32_t i = 1; i <= last; ++i)
    {
        nodes[i].level = fmin(nodes[i].level, nodes[i - 1].level - least);
    }
    return least;
}

static double profile_mean_soft(const graded_river* river)
{
    double sum = 0.0;
    for (int32_t i = 0; i < river->count; ++i)
    {
        sum += river->nodes[i].soft;
    }
    return sum / river->count;
}

// Incision migrates upstream from the outlet at a speed of softness^1.5 (Whipple & Tucker 1999,
// detachment-limited, n = 1), in implicit upwind steps, which are always stable. It makes hard
// reaches steeper: without it slopes differ by a fifth only.
static void profile_incise(const wadi_graded* graded, graded_river* river, double lowering,
                           double least)
{
    graded_node* nodes = river->nodes;
    const int32_t last = river->count - 1;
    const double mean = profile_mean_soft(river);
    const double fall = nodes[0].level - nodes[last].level;
    const double slope = fmax(3e-4, fall / (river->spacing * fmax(1.0, last)));
    const double depth = profile_axis(river, last)->depth;
    const double reach = 1.5 * graded->params.incision * depth / slope;
    for (int step = 0; step < PROFILE_STEPS; ++step)
    {
        nodes[last].level -= lowering / PROFILE_STEPS;
        for (int32_t i = last - 1; i >= 0; --i)
        {
            const double e = nodes[i].soft / mean;
            const double speed = reach / PROFILE_STEPS * e * sqrt(e) / river->spacing;
            nodes[i].level = (nodes[i].level + speed * nodes[i + 1].level) / (1.0 + speed);
        }
    }
    for (int32_t i = last - 1; i >= 0; --i)
    {
        nodes[i].level = fmax(nodes[i].level, nodes[i + 1].level + least);
    }
}

static double profile_level(const wadi_graded* graded, graded_river* river)
{
    const double least = profile_fall(graded, river);
    const graded_node* mouth = &river->nodes[river->count - 1];
    double lowering = graded->params.incision * profile_axis(river, river->count - 1)->depth;
    if (river->end == GRADED_JOINS)
    {
        // down to the level of the other river
        lowering = mouth->level - graded->rivers[river->meets].nodes[river->into_node].level;
    }
    profile_incise(graded, river, lowering, least);
    if (graded->params.breach < 1.0)
    {
        wadi_graded_dam(graded, river);
    }
    return least;
}

// ---- section -----------------------------------------------------------------------------

// Depth of uniform flow of discharge q. Manning's n is the larger of 0.035 and Jarrett's (1984)
// 0.32 S^0.38 d^-0.16. Each has a closed form; the larger n gives the larger depth.
static double profile_depth(double q, double width, double slope)
{
    const double even = profile_power(0.035 * q / (width * sqrt(slope)), 0.6);
    const double rough =
        profile_power(0.32 * q / (width * profile_power(slope, 0.12)), 1.0 / 1.8267);
    return fmax(even, rough);
}

static void profile_section(const profile_job* job, int32_t i)
{
    graded_river* river = job->river;
    graded_node* node = &river->nodes[i];
    const graded_axis* axis = profile_axis(river, i);
    const int32_t reach = 1 + (int32_t)(1.5 * axis->width / river->spacing);
    const int32_t from = i > reach ? i - reach : 0;
    const int32_t to = i + reach < river->count ? i + reach : river->count - 1;
    const double fall = river->nodes[from].level - river->nodes[to].level;
    const double slope = fmax(1e-5, fall / (fmax(1.0, to - from) * river->spacing));
    const double narrow =
        profile_power(slope / job->slope, -3.0 / 16.0) * profile_power(node->soft / job->soft, 0.4);
    node->width = axis->width * graded_clamp(narrow, 0.5, 1.5);
    node->depth =
        axis->depth *
        graded_clamp(profile_depth(axis->discharge, node->width, slope) / axis->depth, 0.5, 2.5);
    const double lean = fmin(0.85, 2.2 * axis->width * fabs(node->bend));
    node->lean = node->bend > 0.0 ? -lean : lean; // deep on the outside
}

// Ratio of thalweg depth to depth in the middle: the maximum of (1 - eta^4) (1 + lean eta).
static double profile_thalweg(double lean)
{
    double deepest = 1.0;
    for (int i = 1; i <= 7; ++i)
    {
        const double eta = 0.1 * i;
        const double square = eta * eta;
        deepest = fmax(deepest, (1.0 - square * square) * (1.0 + fabs(lean) * eta));
    }
    return deepest;
}

// Reduce bed depths where the thalweg would rise downstream: it falls at least half the least fall.
static void profile_bed(graded_river* river, double least)
{
    double floor = -HUGE_VAL;
    for (int32_t i = river->count - 1; i >= 0; --i)
    {
        graded_node* node = &river->nodes[i];
        const double thalweg = profile_thalweg(node->lean);
        const double rise = node->pond > 0.0 ? 0.0 : 0.5 * least; // a lake is level
        floor = fmax(floor + rise, node->level - 1.25 * node->depth * thalweg);
        node->bed = (node->level - floor) / thalweg;
    }
}

// ---- wear --------------------------------------------------------------------------------

// A ridge in the path is cut faster: by a third of its height above the bed in a batch.
static double profile_gorge(const wadi_graded* graded, const graded_river* river, int32_t i)
{
    const graded_node* node = &river->nodes[i];
    const int64_t cell = graded_cell_at(graded->ground, node->at);
    if (cell < 0)
    {
        return 1.0;
    }
    const double height = graded_metres(wadi_ground_surface(graded->ground, cell)) - node->level;
    const double wear = 0.5 * profile_axis(river, i)->depth;
    return fmax(1.0, 0.33 * (height + node->depth) / wear);
}

// Set the lowering by one part of a particle's thickness [units]. All particles of a batch together
// lower a bed of hardness 0 by half a depth over a width.
void wadi_graded_profile_wear(const wadi_graded* graded, graded_river* river)
{
    const double s = river->radius;
    const double stamp = 2.0 * 3.14159265358979323846 * s * s / 3.0;
    const double unit = graded->params.stride * s * WADI_UNITS_PER_METRE /
                        ((double)GRADED_PARTS * graded->params.together * stamp);
    const double fade = river->spacing / river->axis[0].width;
    double gorge = 1.0;
    for (int32_t i = 0; i < river->count; ++i)
    {
        const graded_axis* axis = profile_axis(river, i);
        gorge = fmax(profile_gorge(graded, river, i), gorge * (1.0 - fade));
        river->nodes[i].wear = 0.5 * axis->depth * axis->width * unit * gorge;
    }
}

void wadi_graded_profile(const wadi_graded* graded, graded_river* river)
{
    const double least = profile_level(graded, river);
    const int32_t last = river->count - 1;
    const double fall = river->nodes[0].level - river->nodes[last].level;
    const profile_job job = {.graded = graded,
                             .river = river,
                             .slope = fmax(3e-4, fall / (river->spacing * fmax(1.0, last))),
                             .soft = profile_mean_soft(river)};
    profile_each(&job, profile_section);
    profile_bed(river, least);
    wadi_graded_profile_wear(graded, river);
}
