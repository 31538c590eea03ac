// SPDX-License-Identifier: MIT
// Masks: after each step every layer is blended with what it was before, in whole units. A limit
// inside the laws would have to be built into each of them, and a law that knows of a border piles
// matter up at it; so the books say what the blend undoes.
#include "process/solver.h"

#include "core/archive.h"
#include "core/random.h"
#include "terrain/ground.h"

#include <math.h>
#include <string.h>

enum
{
    MASK_FULL = 65535,
    MASK_GRAIN = 32, // rows a block
    MASK_HEIGHTS = 2 + WADI_MAX_LOOSE,
    MASK_SHARES = 3
};

struct solver_mask
{
    uint16_t* weights; // [1/65535]
    // layers before a step; NULL where the model does not write them
    int32_t* heights[MASK_HEIGHTS]; // bedrock, water, loose layers
    uint16_t* shares[MASK_SHARES];  // hardness, vegetation, moisture
    wadi_tally* tallies;            // by worker
};

// ---- layers -------------------------------------------------------------------------------------

static int32_t* mask_heights(const wadi_ground* ground, int32_t index)
{
    return index == 0 ? ground->bedrock : index == 1 ? ground->water : ground->loose[index - 2];
}

static int32_t mask_material(const wadi_ground* ground, int32_t index)
{
    return index == 0   ? WADI_MATERIAL_ROCK
           : index == 1 ? WADI_MATERIAL_WATER
                        : ground->material[index - 2];
}

static uint16_t* mask_shares(const wadi_ground* ground, int32_t index)
{
    uint16_t* const shares[MASK_SHARES] = {ground->hardness, ground->vegetation, ground->moisture};
    return shares[index];
}

// Rock and loose layers change together, whichever of them the model names. Water keeps its level
// on the ground that stays: held back, a lake would end in a wall. So it has a mask only where a
// model changes nothing else.
static bool mask_writes_heights(const wadi_solver* solver, int32_t index)
{
    const uint32_t water = WADI_LAYER_BIT(WADI_LAYER_WATER);
    const uint32_t shares = WADI_LAYER_BIT(WADI_LAYER_HARDNESS) |
                            WADI_LAYER_BIT(WADI_LAYER_VEGETATION) |
                            WADI_LAYER_BIT(WADI_LAYER_MOISTURE);
    const uint32_t writes = solver->model->writes;
    return index == 1 ? writes == water : (writes & ~water & ~shares) != 0;
}

// Beds determine the hardness.
static bool mask_writes_shares(const wadi_solver* solver, int32_t index)
{
    static const wadi_layer layers[MASK_SHARES] = {WADI_LAYER_HARDNESS, WADI_LAYER_VEGETATION,
                                                   WADI_LAYER_MOISTURE};
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    return (solver->model->writes & WADI_LAYER_BIT(layers[index])) != 0 &&
           (index > 0 || ground->strata == NULL);
}

// ---- memory -------------------------------------------------------------------------------------

static void mask_free(wadi_context* context, solver_mask* mask)
{
    if (mask == NULL)
    {
        return;
    }
    for (int32_t i = 0; i < MASK_HEIGHTS; ++i)
    {
        wadi_free(context, mask->heights[i]);
    }
    for (int32_t i = 0; i < MASK_SHARES; ++i)
    {
        wadi_free(context, mask->shares[i]);
    }
    wadi_free(context, mask->weights);
    wadi_free(context, mask->tallies);
    wadi_free(context, mask);
}

void wadi_solver_free_mask(wadi_solver* solver)
{
    mask_free(wadi_terrain_context(solver->terrain), solver->mask);
    solver->mask = NULL;
}

static wadi_result mask_allocate(const wadi_solver* solver, solver_mask* mask)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    WADI_ALLOC(context, mask->weights, ground->cells, "a mask");
    WADI_ALLOC(context, mask->tallies, wadi_context_workers(context), "a mask");
    for (int32_t i = 0; i < 2 + ground->loose_count; ++i)
    {
        if (mask_writes_heights(solver, i))
        {
            WADI_ALLOC(context, mask->heights[i], ground->cells, "a mask");
        }
    }
    for (int32_t i = 0; i < MASK_SHARES; ++i)
    {
        if (mask_writes_shares(solver, i))
        {
            WADI_ALLOC(context, mask->shares[i], ground->cells, "a mask");
        }
    }
    return WADI_OK;
}

static wadi_result mask_create(const wadi_solver* solver, solver_mask** out)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    WADI_ALLOC(context, *out, 1, "a mask");
    const wadi_result result = mask_allocate(solver, *out);
    if (result != WADI_OK)
    {
        mask_free(context, *out);
        *out = NULL;
    }
    return result;
}

// ---- weights ------------------------------------------------------------------------------------

static wadi_result mask_check(const wadi_solver* solver, const float* weights)
{
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        // written so that NaN fails too
        WADI_CHECK(wadi_terrain_context(solver->terrain),
                   ground->valid[c] == 0 || (weights[c] >= 0.0f && weights[c] <= 1.0f),
                   WADI_ERROR_RANGE,
                   "the mask of %s is %g at column %d, row %d but must lie in [0, 1]",
                   solver->process->name, (double)weights[c], (int32_t)(c % ground->width),
                   (int32_t)(c / ground->width));
    }
    return WADI_OK;
}

static void mask_set_weights(const wadi_ground* ground, const float* weights, uint16_t* out)
{
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        out[c] = ground->valid[c] != 0 ? (uint16_t)floor((double)weights[c] * MASK_FULL + 0.5) : 0;
    }
}

wadi_result wadi_solver_set_mask(wadi_solver* solver, const float* weights)
{
    if (weights == NULL && solver->mask == NULL)
    {
        return WADI_OK;
    }
    solver_mask* mask = NULL;
    if (weights != NULL)
    {
        WADI_TRY(mask_check(solver, weights));
        WADI_TRY(mask_create(solver, &mask));
        mask_set_weights(wadi_terrain_ground_const(solver->terrain), weights, mask->weights);
    }
    const wadi_result result = wadi_solver_finish(solver);
    if (result != WADI_OK)
    {
        mask_free(wadi_terrain_context(solver->terrain), mask);
        return result;
    }
    wadi_solver_free_mask(solver);
    solver->mask = mask;
    wadi_solver_begin_steps(solver);
    return WADI_OK;
}

wadi_result wadi_solver_archive_mask(wadi_archive* archive, wadi_solver* solver)
{
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    bool is_set = solver->mask != NULL;
    WADI_TRY(wadi_archive_part(archive, "mask", 1));
    wadi_archive_bool(archive, &is_set);
    if (!is_set)
    {
        return wadi_archive_result(archive);
    }
    if (wadi_archive_is_reading(archive))
    {
        WADI_TRY(mask_create(solver, &solver->mask));
    }
    wadi_archive_grid(archive, solver->mask->weights, 2, ground->width, ground->height);
    return wadi_archive_result(archive);
}

// ---- blending -----------------------------------------------------------------------------------

typedef struct mask_job
{
    const wadi_solver* solver;
    const wadi_ground* ground;
    uint32_t stream;
    bool saves; // copy the layers, or blend them
} mask_job;

// Share of a change that stays: a fraction of a unit stays with its own probability. The result
// lies between 0 and the change, and a full weight keeps all of it.
static int32_t mask_share(int32_t change, uint16_t weight, uint32_t chance)
{
    const int64_t product = (int64_t)change * weight + chance;
    const int64_t down = product / MASK_FULL;
    return (int32_t)(product < 0 && down * MASK_FULL != product ? down - 1 : down);
}

// Key of the random number of a cell: its number in the whole grid.
static uint64_t mask_number(const wadi_ground* ground, int64_t cell)
{
    return (uint64_t)(ground->part != NULL
                          ? wadi_ground_number(ground, (int32_t)(cell % ground->width),
                                               (int32_t)(cell / ground->width))
                          : cell);
}

// The water of a model that has laid it on its own ground keeps its level where that ground rises
// or sinks again.
static void mask_level_water(const mask_job* job, int64_t cell, int64_t rise, wadi_tally* tally)
{
    const bool lays = (job->solver->model->writes & WADI_LAYER_BIT(WADI_LAYER_WATER)) != 0;
    if (lays && job->solver->mask->heights[1] == NULL && job->ground->water[cell] > 0)
    {
        wadi_ground_keep_level(job->ground, cell, rise, tally);
    }
}

static void mask_blend_cell(const mask_job* job, int64_t cell, wadi_tally* tally)
{
    int64_t rise = 0; // of the ground
    const solver_mask* mask = job->solver->mask;
    const uint16_t weight = mask->weights[cell];
    const uint64_t seed = wadi_terrain_seed(job->solver->terrain);
    const uint32_t step = (uint32_t)job->solver->index;
    // one number for all layers of the cell: rock that becomes sediment is held back with it
    const uint32_t chance =
        weight == 0
            ? 0
            : wadi_random(seed, job->stream, mask_number(job->ground, cell), step).v[0] % MASK_FULL;
    for (int32_t i = 0; i < 2 + job->ground->loose_count; ++i)
    {
        if (mask->heights[i] != NULL)
        {
            int32_t* now = &mask_heights(job->ground, i)[cell];
            const int32_t before = mask->heights[i][cell];
            const int32_t kept = before + mask_share(*now - before, weight, chance);
            const int32_t back = kept - *now;
            tally->in[mask_material(job->ground, i)] += back > 0 ? back : 0;
            tally->lost[mask_material(job->ground, i)] -= back < 0 ? back : 0;
            *now = kept;
            rise += i == 1 ? 0 : back;
        }
    }
    mask_level_water(job, cell, rise, tally);
    for (int32_t i = 0; i < MASK_SHARES; ++i)
    {
        if (mask->shares[i] != NULL)
        {
            uint16_t* now = &mask_shares(job->ground, i)[cell];
            const int32_t before = mask->shares[i][cell];
            *now = (uint16_t)(before + mask_share((int32_t)*now - before, weight, chance));
        }
    }
}

static bool mask_changed(const mask_job* job, int64_t cell)
{
    const solver_mask* mask = job->solver->mask;
    bool changed = false;
    for (int32_t i = 0; i < 2 + job->ground->loose_count; ++i)
    {
        changed = changed || (mask->heights[i] != NULL &&
                              mask->heights[i][cell] != mask_heights(job->ground, i)[cell]);
    }
    for (int32_t i = 0; i < MASK_SHARES; ++i)
    {
        changed = changed || (mask->shares[i] != NULL &&
                              mask->shares[i][cell] != mask_shares(job->ground, i)[cell]);
    }
    return changed;
}

static void mask_blend(const mask_job* job, int64_t begin, int64_t end, wadi_tally* tally)
{
    wadi_tally ghosts = {0}; // which are not booked
    for (int64_t cell = begin; cell < end; ++cell)
    {
        if (job->solver->mask->weights[cell] < MASK_FULL && job->ground->valid[cell] != 0 &&
            mask_changed(job, cell))
        {
            mask_blend_cell(job, cell, wadi_ground_owns(job->ground, cell) ? tally : &ghosts);
        }
    }
    if (job->ground->strata != NULL)
    {
        wadi_strata_update_hardness(job->ground, begin, end - begin);
    }
}

static void mask_save(const mask_job* job, int64_t begin, int64_t end)
{
    const solver_mask* mask = job->solver->mask;
    const size_t count = (size_t)(end - begin);
    for (int32_t i = 0; i < 2 + job->ground->loose_count; ++i)
    {
        if (mask->heights[i] != NULL)
        {
            memcpy(mask->heights[i] + begin, mask_heights(job->ground, i) + begin,
                   count * sizeof(int32_t));
        }
    }
    for (int32_t i = 0; i < MASK_SHARES; ++i)
    {
        if (mask->shares[i] != NULL)
        {
            memcpy(mask->shares[i] + begin, mask_shares(job->ground, i) + begin,
                   count * sizeof(uint16_t));
        }
    }
}

static void mask_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const mask_job* job = user;
    const int64_t width = job->ground->width;
    if (job->saves)
    {
        mask_save(job, begin * width, end * width);
    }
    else
    {
        mask_blend(job, begin * width, end * width, &job->solver->mask->tallies[worker]);
    }
}

static void mask_run(wadi_solver* solver, bool saves)
{
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    mask_job job = {.solver = solver, .ground = ground, .saves = saves};
    // its own stream, as models key theirs by cell and step too
    job.stream = wadi_solver_stream(WADI_MASK_ACCOUNT,
                                    wadi_solver_stream(solver->process->name, solver->instance));
    wadi_parallel_rows(wadi_terrain_context(solver->terrain), ground->height, MASK_GRAIN, mask_rows,
                       &job);
}

void wadi_solver_mask_begin(wadi_solver* solver)
{
    if (solver->mask != NULL)
    {
        mask_run(solver, true);
    }
}

void wadi_solver_mask_end(wadi_solver* solver)
{
    if (solver->mask == NULL)
    {
        return;
    }
    wadi_context* context = wadi_terrain_context(solver->terrain);
    mask_run(solver, false);
    wadi_tally sum = {0};
    wadi_tally_collect(&sum, solver->mask->tallies, context);
    wadi_terrain_book(solver->terrain, WADI_MASK_ACCOUNT, &sum);
}
