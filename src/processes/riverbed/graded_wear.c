// SPDX-License-Identifier: MIT
// Particles move down the course and circle around it, like the helical flow in a bend seen from
// above. The thickness of a particle's zone of erosion, times the softness of a cell, lowers the
// cell, but never below the floor of the bed.
//
// The computation gathers: each cell sums the thickness of those steps of every particle that can
// reach it. So cells are independent, and sums of integers do not depend on the order of particles.
#include "processes/riverbed/graded_internal.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    WEAR_BLOCK = 256 // cells per task
};

static const double wear_turn = 6.28318530717958647692;
static const double wear_golden = 0.38196601125010515180; // golden angle [turns]

// ---- particles ---------------------------------------------------------------------------

// State common to the particles of a batch after `step` steps.
typedef struct wear_step
{
    riverbed_point at; // on the course [cells]
    riverbed_point along;
    double room;          // half-width of the particles' range [cells]
    double aside;         // offset of that range to the deep side [cells]
    riverbed_point phase; // cosine and sine of the rotation so far
} wear_step;

static wear_step wear_step_at(const wadi_graded* graded, const graded_river* river, int32_t step)
{
    const double cell = graded->ground->cell_size;
    const double way = step * graded->params.stride * river->radius;
    const double along = way / river->spacing;
    const int32_t i = (int32_t)graded_clamp(along, 0.0, river->count - 1.0);
    const graded_node* node = &river->nodes[i];
    const double ahead = (along - i) * river->spacing / cell;
    const double room = 0.5 * node->width - 0.35 * river->radius;
    const double turns = way / (8.0 * river->axis[0].width);
    const double phase = (turns - floor(turns)) * wear_turn;
    return (wear_step){
        .at = {node->at.x + ahead * node->along.x, node->at.y + ahead * node->along.y},
        .along = node->along,
        .room = fmax(0.0, room) / cell,
        .aside = 0.18 * node->lean * node->width / cell,
        .phase = {wadi_cos(phase), wadi_sin(phase)},
    };
}

// Initial position of a particle's circle, as a share of the room. The square root spreads evenly
// spaced numbers evenly over a disc.
static riverbed_point wear_orbit(const wadi_graded* graded, int32_t particle)
{
    const uint64_t id =
        (uint64_t)graded->batch * (uint64_t)graded->params.together + (uint64_t)particle;
    const double turns = (double)id * wear_golden;
    const double phase = (turns - floor(turns)) * wear_turn;
    const double share = sqrt(wadi_riverbed_mirror(id + 1, 2));
    return (riverbed_point){share * wadi_cos(phase), share * wadi_sin(phase)};
}

void wadi_graded_swarm(const wadi_graded* graded, graded_river* river)
{
    const int32_t count = graded->params.together;
    const double length = (river->count - 1) * river->spacing;
    river->steps = (int32_t)(length / (graded->params.stride * river->radius)) + 1;
    river->steps = river->steps < river->most_steps ? river->steps : river->most_steps;
    for (int32_t p = 0; p < count; ++p)
    {
        river->orbits[p] = wear_orbit(graded, p);
    }
    for (int32_t k = 0; k < river->steps; ++k)
    {
        const wear_step step = wear_step_at(graded, river, k);
        float* x = river->swarm + (int64_t)2 * count * k;
        for (int32_t p = 0; p < count; ++p)
        {
            const riverbed_point orbit = river->orbits[p];
            const double across = orbit.x * step.phase.x - orbit.y * step.phase.y;
            const double aside = across * step.room + step.aside;
            x[p] = (float)(step.at.x - aside * step.along.y);
            x[count + p] = (float)(step.at.y + aside * step.along.x);
        }
    }
}

// ---- thickness ---------------------------------------------------------------------------

// Thickness of `count` particles over one place, in parts of their radius: Eq 2.
static int32_t wear_thickness(const float* restrict x, const float* restrict y, int32_t count,
                              float at_x, float at_y, float squared, float scale)
{
    int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int32_t p = 0; p < count; ++p)
    {
        const float dx = x[p] - at_x;
        const float dy = y[p] - at_y;
        const float left = squared - dx * dx - dy * dy;
        sum += (int32_t)(sqrtf(left > 0.0f ? left : 0.0f) * scale);
    }
    return sum;
}

int32_t wadi_graded_thickness(const wadi_graded* graded, const graded_cell* cell)
{
    const wadi_ground* ground = graded->ground;
    const graded_river* river = &graded->rivers[cell->river];
    const int32_t count = graded->params.together;
    const double stride = graded->params.stride * river->radius / river->spacing; // [nodes]
    // inside a bend of two widths' radius, a quarter of a width off, steps are 0.75 as long
    const int32_t reach = (int32_t)ceil(1.0 / (0.7 * graded->params.stride));
    const int32_t middle = (int32_t)((double)cell->along / stride + 0.5);
    const int32_t from = middle > reach ? middle - reach : 0;
    const int32_t to = middle + reach < river->steps ? middle + reach : river->steps - 1;
    const float radius = (float)(river->radius / ground->cell_size);
    const float at_x = (float)(cell->cell % ground->width);
    const float at_y = (float)(cell->cell / ground->width);
    int32_t sum = 0;
    for (int32_t k = from; k <= to; ++k)
    {
        const float* x = river->swarm + (int64_t)2 * count * k;
        sum += wear_thickness(x, x + count, count, at_x, at_y, radius * radius,
                              (float)GRADED_PARTS / radius);
    }
    return sum;
}

// ---- erosion -----------------------------------------------------------------------------

// Erode a cell of the bed by the particles over it, down to the floor.
static void wear_cut(const wadi_graded* graded, graded_cell* cell, wadi_tally* tally)
{
    const wadi_ground* ground = graded->ground;
    const graded_river* river = &graded->rivers[cell->river];
    const int32_t above = wadi_ground_surface(ground, cell->cell) - cell->cap;
    if (above <= 0)
    {
        return;
    }
    const graded_node* node =
        &river
             ->nodes[(int32_t)cell->along < river->count ? (int32_t)cell->along : river->count - 1];
    const double asked = node->wear * wadi_graded_thickness(graded, cell);
    const int32_t given =
        wadi_ground_yield(ground, cell->cell, (int32_t)fmin(asked, (double)(INT32_MAX / 2)));
    cell->given = given < above ? given : above;
    wadi_ground_take_exact(ground, cell->cell, cell->given, tally);
}

// A flood erodes old bars above its stage, by half of the excess per batch. Without this, bars of
// the highest flood remain (0.73 m over bankfull instead of 0.21).
static void wear_plane(const wadi_graded* graded, graded_cell* cell, wadi_tally* tally)
{
    const wadi_ground* ground = graded->ground;
    const int32_t above = wadi_ground_surface(ground, cell->cell) - cell->cap;
    const int32_t laid = graded->laid[cell->cell];
    if (above <= 1 || laid <= 0)
    {
        return;
    }
    const int32_t loose = wadi_ground_surface(ground, cell->cell) - ground->bedrock[cell->cell];
    const int32_t most = laid < loose ? laid : loose;
    cell->given = above / 2 < most ? above / 2 : most;
    wadi_ground_take_exact(ground, cell->cell, cell->given, tally);
}

static void wear_one(const wadi_graded* graded, graded_cell* cell, wadi_tally* tally)
{
    const int64_t i = cell->cell;
    if (fabsf(cell->eta) < 1.0f)
    {
        wear_cut(graded, cell, tally);
        graded->laid[i] = 0;
        graded->lake[i] = GRADED_DRY;
        graded->last[i] = (float)(graded->began + (graded->batch + 1) * graded->params.growth /
                                                      graded->params.batches);
    }
    else if (fabsf(cell->eta) < 1e2f)
    {
        wear_plane(graded, cell, tally);
        graded->laid[i] -= cell->given;
    }
    graded->worn[i] += cell->given;
}

static void wear_block(int64_t block, int32_t worker, void* user)
{
    wadi_graded* graded = user;
    const graded_corridor* corridor = &graded->corridor;
    const int64_t from = block * WEAR_BLOCK;
    for (int64_t i = from; i < from + WEAR_BLOCK && i < corridor->count; ++i)
    {
        wear_one(graded, &corridor->cells[i], &graded->tallies[worker]);
    }
}

void wadi_graded_wear(wadi_graded* graded)
{
    const graded_corridor* corridor = &graded->corridor;
    const int64_t blocks = (corridor->count + WEAR_BLOCK - 1) / WEAR_BLOCK;
    wadi_parallel_blocks(graded->context, blocks, wear_block, graded);
    for (int64_t i = 0; i < corridor->count; ++i)
    {
        const graded_cell* cell = &corridor->cells[i];
        graded->rivers[cell->river].intake[cell->station] += cell->given;
    }
}
