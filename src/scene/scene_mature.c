// SPDX-License-Identifier: MIT
// Finished land from noise at once, coarse to fine: the step's own model runs on cells four times
// as wide, then for a quarter of the time on cells twice as wide, and each change of height is laid
// on the land between the centres of the coarse cells. Then the step itself refines it.
#include "scene/scene_internal.h"

#include "terrain/terrain.h"

#include <math.h>

enum
{
    MATURE_WIDEST = 4, // cells of a coarse cell's side, at first
    MATURE_LEAST = 16  // coarse cells of a side; smaller maps skip that level
};

// One level: the land of the run, and the same on coarse cells.
typedef struct mature_level
{
    const wadi_ground* fine;
    wadi_terrain* coarse;
    int32_t factor;
    int32_t width; // of the coarse land
    int32_t height;
    float* values;   // [m], or a share
    uint8_t* valid;  // of the coarse land
    int32_t* before; // [units]
} mature_level;

// ---- the coarse land ---------------------------------------------------------------------

typedef struct mature_mean
{
    int64_t surface; // sums over the fine cells with data
    int64_t hardness;
    int32_t count;
    int32_t all;
} mature_mean;

static mature_mean mature_mean_of(const mature_level* level, int32_t x, int32_t y)
{
    const wadi_ground* fine = level->fine;
    mature_mean mean = {0};
    for (int32_t fy = y * level->factor; fy < (y + 1) * level->factor && fy < fine->height; ++fy)
    {
        for (int32_t fx = x * level->factor; fx < (x + 1) * level->factor && fx < fine->width; ++fx)
        {
            const int64_t cell = (int64_t)fy * fine->width + fx;
            const bool valid = fine->valid[cell] != 0;
            mean.surface += valid ? wadi_ground_surface(fine, cell) : 0;
            mean.hardness += valid ? fine->hardness[cell] : 0;
            mean.count += valid ? 1 : 0;
            mean.all += 1;
        }
    }
    return mean;
}

// Mean of the tops of beds over all cells of a coarse one.
static int32_t mature_mean_top(const mature_level* level, int32_t x, int32_t y)
{
    const wadi_ground* fine = level->fine;
    int64_t sum = 0;
    int64_t count = 0;
    for (int32_t fy = y * level->factor; fy < (y + 1) * level->factor && fy < fine->height; ++fy)
    {
        for (int32_t fx = x * level->factor; fx < (x + 1) * level->factor && fx < fine->width; ++fx)
        {
            sum += fine->strata->top[(int64_t)fy * fine->width + fx];
            count += 1;
        }
    }
    return (int32_t)(sum / count);
}

// Means of heights and hardness. A coarse cell has data if at least half of its cells do.
static void mature_coarsen(mature_level* level)
{
    wadi_ground* coarse = wadi_terrain_ground(level->coarse);
    for (int32_t y = 0; y < level->height; ++y)
    {
        for (int32_t x = 0; x < level->width; ++x)
        {
            const int64_t cell = (int64_t)y * level->width + x;
            const mature_mean mean = mature_mean_of(level, x, y);
            const int32_t count = mean.count > 0 ? mean.count : 1;
            level->valid[cell] = 2 * mean.count >= mean.all ? 1 : 0;
            level->before[cell] = (int32_t)floor((double)mean.surface / count + 0.5);
            level->values[cell] =
                (float)((double)level->before[cell] / (double)WADI_UNITS_PER_METRE);
            coarse->hardness[cell] = (uint16_t)(mean.hardness / count);
        }
    }
}

static wadi_result mature_set_sea(const wadi_terrain* from, wadi_terrain* to)
{
    wadi_context* context = wadi_terrain_context(to);
    const int32_t rows = wadi_terrain_sea_table(from, NULL, NULL, 0);
    if (rows == 0)
    {
        return WADI_OK;
    }
    double* table;
    WADI_ALLOC(context, table, 2 * (int64_t)rows, "the sea level");
    (void)wadi_terrain_sea_table(from, table, table + rows, rows);
    const wadi_result result = wadi_terrain_set_sea_level(to, table, table + rows, rows);
    wadi_free(context, table);
    return result;
}

// Beds whose tops are the means of the fine ones.
static wadi_result mature_set_strata(mature_level* level)
{
    const wadi_strata* beds = level->fine->strata;
    if (beds == NULL)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_strata_adopt(level->coarse, beds));
    const wadi_ground* coarse = wadi_terrain_ground(level->coarse);
    for (int64_t cell = 0; cell < coarse->cells; ++cell)
    {
        coarse->strata->top[cell] =
            mature_mean_top(level, (int32_t)(cell % level->width), (int32_t)(cell / level->width));
    }
    wadi_strata_update_hardness(coarse, 0, coarse->cells);
    return WADI_OK;
}

// Rock is as hard as on the land, and rivers of `riverbed` flow.
static wadi_result mature_set_matter(const wadi_run* run, mature_level* level)
{
    const int32_t count = wadi_terrain_material_count(level->coarse);
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(
            wadi_terrain_set_material(level->coarse, i, wadi_terrain_material(run->terrain, i)));
    }
    return wadi_rivers_copy(run->terrain, level->coarse);
}

static wadi_result mature_make(const wadi_run* run, mature_level* level)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    const double clock = wadi_terrain_clock(run->terrain);
    def.width = level->width;
    def.height = level->height;
    def.cell_size = level->fine->cell_size * level->factor;
    def.seed = wadi_terrain_seed(run->terrain);
    memcpy(def.edges, level->fine->edges, sizeof def.edges);
    WADI_TRY(wadi_terrain_create(run->context, &def, &level->coarse));
    const int64_t cells = (int64_t)level->width * level->height;
    WADI_ALLOC(run->context, level->values, cells, "coarse land");
    WADI_ALLOC(run->context, level->valid, cells, "coarse land");
    WADI_ALLOC(run->context, level->before, cells, "coarse land");
    WADI_TRY(mature_set_matter(run, level));
    mature_coarsen(level);
    WADI_TRY(
        wadi_terrain_set_layer(level->coarse, WADI_LAYER_SURFACE, level->values, level->width));
    WADI_TRY(wadi_terrain_set_valid(level->coarse, level->valid, level->width));
    WADI_TRY(mature_set_strata(level));
    WADI_TRY(mature_set_sea(run->terrain, level->coarse));
    return clock > 0.0 ? wadi_terrain_advance_clock(level->coarse, clock) : WADI_OK;
}

static wadi_result mature_live(wadi_run* run, const mature_level* level,
                               const wadi_scene_process* step, double years)
{
    wadi_solver* solver;
    WADI_TRY(wadi_solver_create(level->coarse, step->process, step->params, 0, &solver));
    wadi_result result = wadi_solver_fit(solver, years);
    for (int32_t i = 0; i < step->table_count && result == WADI_OK; ++i)
    {
        result = wadi_scene_give_table(run, step, &step->tables[i], solver);
    }
    result = result == WADI_OK ? wadi_solver_advance(solver, years) : result;
    result = result == WADI_OK ? wadi_solver_finish(solver) : result;
    wadi_solver_destroy(solver);
    return result;
}

// ---- back on the land --------------------------------------------------------------------

static int32_t mature_index(int32_t at, int32_t count, bool wraps)
{
    if (wraps)
    {
        return (at + count) % count;
    }
    return at < 0 ? 0 : at < count ? at : count - 1;
}

// Change of a coarse cell [units]; cells without data do not change.
static double mature_change(const mature_level* level, int32_t x, int32_t y)
{
    const wadi_edge* edges = level->fine->edges;
    const wadi_ground* coarse = wadi_terrain_ground_const(level->coarse);
    const int64_t cell =
        (int64_t)mature_index(y, level->height, edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC) *
            level->width +
        mature_index(x, level->width, edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC);
    return level->valid[cell] != 0 ? (double)wadi_ground_surface(coarse, cell) - level->before[cell]
                                   : 0.0;
}

// Bilinear between the centres of coarse cells [units].
static int64_t mature_between(const mature_level* level, int32_t x, int32_t y)
{
    const double u = (x + 0.5) / level->factor - 0.5;
    const double v = (y + 0.5) / level->factor - 0.5;
    const int32_t column = (int32_t)floor(u);
    const int32_t row = (int32_t)floor(v);
    const double p = u - column;
    const double q = v - row;
    const double upper =
        (1.0 - p) * mature_change(level, column, row) + p * mature_change(level, column + 1, row);
    const double lower = (1.0 - p) * mature_change(level, column, row + 1) +
                         p * mature_change(level, column + 1, row + 1);
    return (int64_t)floor((1.0 - q) * upper + q * lower + 0.5);
}

// Change a cell, and book it: what is laid down comes from what is worn, the rest leaves or comes.
static void mature_apply(const wadi_ground* ground, int64_t cell, int64_t change, wadi_tally* tally)
{
    if (change > 0)
    {
        wadi_ground_put(ground, cell, (int32_t)change, tally);
        tally->in[WADI_MATERIAL_SEDIMENT] += change;
        return;
    }
    const int64_t loose = (int64_t)wadi_ground_surface(ground, cell) - ground->bedrock[cell];
    const int64_t most = loose + wadi_ground_erodible_rock(ground, cell);
    const int64_t taken = -change < most ? -change : most;
    wadi_ground_take_exact(ground, cell, (int32_t)taken, tally);
    tally->out[WADI_MATERIAL_SEDIMENT][WADI_SIDE_VOID] += taken;
}

// The sea and cells without data stay as they are. The books have an account of their own for it,
// so that the step's rates are those of its years.
static void mature_prolong(wadi_run* run, const mature_level* level)
{
    wadi_ground* ground = wadi_terrain_ground(run->terrain);
    double level_of_sea;
    const bool has_sea =
        wadi_terrain_sea_level(run->terrain, wadi_terrain_clock(run->terrain), &level_of_sea);
    const double sea = has_sea ? level_of_sea * WADI_UNITS_PER_METRE : -1e300;
    wadi_tally tally = {0};
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            if (ground->valid[cell] != 0 && (double)wadi_ground_surface(ground, cell) > sea)
            {
                mature_apply(ground, cell, mature_between(level, x, y), &tally);
            }
        }
    }
    wadi_terrain_book(run->terrain, "mature", &tally);
    wadi_terrain_changed(run->terrain);
}

// ---- levels ------------------------------------------------------------------------------

// Coarse cells end at the seam of a periodic side, or the land would have a step there.
static wadi_result mature_check_seams(const wadi_run* run, const mature_level* level)
{
    const wadi_ground* fine = level->fine;
    const bool fits_x =
        fine->edges[WADI_SIDE_WEST] != WADI_EDGE_PERIODIC || fine->width % level->factor == 0;
    const bool fits_y =
        fine->edges[WADI_SIDE_NORTH] != WADI_EDGE_PERIODIC || fine->height % level->factor == 0;
    WADI_CHECK(run->context, fits_x && fits_y, WADI_ERROR_RANGE,
               "'mature' runs on cells %d times as wide, but the map has %d x %d cells; periodic "
               "sides need a multiple of %d",
               MATURE_WIDEST, fine->width, fine->height, MATURE_WIDEST);
    return WADI_OK;
}

static wadi_result mature_at(wadi_run* run, const wadi_scene_process* step, int32_t factor,
                             double years)
{
    const wadi_ground* fine = wadi_terrain_ground(run->terrain);
    mature_level level = {.fine = fine,
                          .factor = factor,
                          .width = (fine->width + factor - 1) / factor,
                          .height = (fine->height + factor - 1) / factor};
    if (level.width < MATURE_LEAST || level.height < MATURE_LEAST)
    {
        return WADI_OK;
    }
    WADI_TRY(mature_check_seams(run, &level));
    wadi_result result = mature_make(run, &level);
    result = result == WADI_OK ? mature_live(run, &level, step, years) : result;
    if (result == WADI_OK)
    {
        mature_prolong(run, &level);
    }
    wadi_terrain_destroy(level.coarse);
    wadi_free(run->context, level.values);
    wadi_free(run->context, level.valid);
    wadi_free(run->context, level.before);
    return result;
}

wadi_result wadi_scene_mature(wadi_run* run, const wadi_scene_process* step)
{
    double years = step->mature;
    for (int32_t factor = MATURE_WIDEST; factor > 1 && years > 0.0; factor /= 2)
    {
        WADI_TRY(mature_at(run, step, factor, years));
        years *= 0.25;
    }
    return WADI_OK;
}

wadi_result wadi_scene_check_mature(wadi_context* context, const wadi_scene_process* process)
{
    if (process->mature == 0.0)
    {
        return WADI_OK;
    }
    WADI_CHECK(context, process->mature > 0.0 && process->mature <= 1e9, WADI_ERROR_RANGE,
               "mature is %g yr but must lie in [0, 1e9]", process->mature);
    const wadi_model* model = wadi_process_model(process->process, process->params);
    WADI_CHECK(context,
               strcmp(process->process->name, "hydraulic") == 0 &&
                   strcmp(model->name, "streams") == 0 && process->interval == 0.0 &&
                   process->input_count == 0 && process->mask == NULL,
               WADI_ERROR_ARGUMENT,
               "'mature' is for steps of hydraulic with model streams and without maps and masks");
    return WADI_OK;
}
