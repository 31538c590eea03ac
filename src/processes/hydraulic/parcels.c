// SPDX-License-Identifier: MIT
// Years of rain on a terrain: from the coarsest level to the finest, and the ledger.
#include "core/dmath.h"
#include "processes/hydraulic/hydraulic_internal.h"
#include "processes/hydraulic/parcel_momentum.h"
#include "processes/hydraulic/parcel_pyramid.h"
#include "terrain/sea.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

enum
{
    PARCELS_MAX_LEVELS = 17,
    PARCELS_COARSEST = 64 // cells on the short side of the coarsest level, at least
};

static const double PARCELS_COARSEST_SHARE = 0.45; // of the years
static const double PARCELS_SECONDS_PER_YEAR = 31557600.0;

// A river that enters the map is rain on its first cells: 13 m3/s on a cell of 2 m.
static const float PARCELS_MOST_RAIN = 1e8f;

typedef struct wadi_parcels
{
    wadi_terrain* terrain;
    wadi_hydraulic_params params;
    double years; // since creation
    bool noted;   // that rivers stay dry
    uint32_t stream;
    uint32_t advances;
    float* rain;          // [m/yr], or NULL
    float* discharge;     // [m3/yr] on the finest level, from the last advance
    float* momentum_east; // [m4/s2] from the last advance, or NULL
    float* momentum_north;
    int32_t* wear;    // [units] gross, since creation
    int32_t* deposit; // [units] gross, since creation
    double mean_rain; // [m/yr] of the last advance
    double moves;
} wadi_parcels;

// One run over all levels. Index 0 is the finest.
typedef struct parcels_run
{
    wadi_parcels* parcels;
    int32_t levels;                         // coarse ones
    wadi_terrain* land[PARCELS_MAX_LEVELS]; // before the run; [0] is the terrain itself
    float* rain[PARCELS_MAX_LEVELS];        // [0] is the caller's map
    parcel_change change;                   // of the last level, for the next one
    double out[WADI_SIDE_COUNT];            // load that left coarse levels, in finest units
    double land_cells;                      // valid cells of the finest level
    double done;                            // progress so far
    bool cancelled;
    wadi_tally tally;
} parcels_run;

// ---- how long on which level -------------------------------------------------------------

// Large valleys are graded on the coarsest level, where a batch moves signals farthest; finer
// levels add finer valleys. The coarsest level gets 0.45 of the time, each finer one half of the
// remaining time, and the finest the rest. At 0.2 rivers are less well graded (chi r2 below 0.72 on
// 2 of 20 runs from noise) and twice the batches erode 16 % more; at 0.6 spurs and plains keep the
// lumps of noise.
static double parcels_years(const parcels_run* run, int32_t level, double years)
{
    if (run->levels == 0)
    {
        return years;
    }
    double left = years;
    for (int32_t i = run->levels; i > level; --i)
    {
        left -= i == run->levels ? PARCELS_COARSEST_SHARE * years : 0.5 * left;
    }
    return level == run->levels ? PARCELS_COARSEST_SHARE * years : level == 0 ? left : 0.5 * left;
}

// A batch on a coarse level is cheap, so the levels get 8, 4, 2 times the batches of the finest,
// from the coarsest on. Compared with 2.4, 2.0, 1.6, 1.2 this is 7 % more visits at 512 x 512 and
// 2 % at 1024 x 1024, and doubling the batches changes erosion by a third as much. Short runs have
// proportionally fewer batches.
static int32_t parcels_batches(const parcels_run* run, int32_t level, double years)
{
    const wadi_hydraulic_params* params = &run->parcels->params;
    const int32_t from_coarsest = run->levels - level;
    const double more = run->levels == 0 ? 1.0 : fmax(1.0, 8.0 / (1 << from_coarsest));
    const double part = fmin(1.0, years / HYDRAULIC_BATCH_YEARS);
    const double wanted = ceil(params->batches * more * part);
    const double needed = ceil(parcels_years(run, level, years) / params->max_step);
    return (int32_t)fmin(fmax(fmax(wanted, needed), 1.0), 1e6);
}

// ---- pyramid -----------------------------------------------------------------------------

static wadi_result parcels_build(parcels_run* run)
{
    wadi_parcels* parcels = run->parcels;
    run->land[0] = parcels->terrain;
    run->rain[0] = parcels->rain;
    for (int32_t i = 0; i < parcels->params.levels; ++i)
    {
        const wadi_terrain* fine = run->land[i];
        const int32_t width = wadi_terrain_width(fine);
        const int32_t height = wadi_terrain_height(fine);
        if ((width < height ? width : height) < 2 * PARCELS_COARSEST)
        {
            break;
        }
        WADI_TRY(wadi_parcel_coarsen(fine, &run->land[i + 1]));
        run->levels = i + 1;
        if (run->rain[i] != NULL)
        {
            WADI_TRY(wadi_parcel_coarsen_map(fine, run->rain[i], &run->rain[i + 1]));
        }
    }
    return WADI_OK;
}

static void parcels_tear_down(parcels_run* run)
{
    wadi_context* context = wadi_terrain_context(run->parcels->terrain);
    for (int32_t i = 1; i < PARCELS_MAX_LEVELS; ++i)
    {
        wadi_terrain_destroy(run->land[i]);
        wadi_free(context, run->rain[i]);
    }
    wadi_parcel_change_free(context, &run->change);
}

// ---- books -------------------------------------------------------------------------------

// Water of a level, in units x cells of the finest grid.
static void parcels_book_water(parcels_run* run, const parcel_level* level, int32_t index)
{
    const int64_t scale = (int64_t)1 << (2 * index);
    const int64_t weight = level->weight_units * scale;
    wadi_tally* tally = &run->tally;
    tally->in[WADI_MATERIAL_WATER] += level->water_in * weight;
    tally->lost[WADI_MATERIAL_WATER] += level->water_lost * weight + level->lake_lost * scale;
    int64_t waiting = 0;
    for (int64_t c = 0; c < level->cells; ++c)
    {
        waiting += atomic_load_explicit(&level->water[level->now][c], memory_order_relaxed);
    }
    tally->lost[WADI_MATERIAL_WATER] += waiting * weight; // in a cancelled run
    for (int32_t i = 0; i < level->lake_count; ++i)
    {
        tally->lost[WADI_MATERIAL_WATER] += level->lakes[i].stored * scale; // 0 once written
    }
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        tally->out[WADI_MATERIAL_WATER][side] += level->water_out[side] * weight;
    }
}

// Load still waiting on the finest level: 0 after draining, but counted to be safe.
static void parcels_book_waiting_load(parcels_run* run, const parcel_level* level)
{
    int64_t waiting = 0;
    for (int64_t c = 0; c < level->cells; ++c)
    {
        waiting += atomic_load_explicit(&level->load[level->now][c], memory_order_relaxed);
    }
    run->tally.lost[WADI_MATERIAL_SEDIMENT] += waiting;
}

// Matter that the coarse change removed and did not deposit [units x cells].
static int64_t parcels_left(const wadi_tally* refined)
{
    int64_t left = -refined->deposited[WADI_MATERIAL_SEDIMENT];
    for (int m = 0; m < WADI_MAX_MATERIALS; ++m)
    {
        left += refined->eroded[m];
    }
    return left;
}

// Without outlets no matter may leave. Coarse cells over the edge of an odd grid, hard rock and
// rounding leave a remainder of less than a millimetre, which is spread evenly over all cells.
static void parcels_level_out(const parcels_run* run, wadi_tally* refined)
{
    const wadi_ground* ground = wadi_terrain_ground_const(run->parcels->terrain);
    const int64_t valid = wadi_terrain_valid_count(run->parcels->terrain);
    int64_t left = parcels_left(refined);
    int64_t rest = valid;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        if (ground->valid[c] != 0)
        {
            const int32_t part =
                (int32_t)(left / rest); // the remainder of the division goes to the last cells
            wadi_ground_change_row(ground, c, 1, &part, refined);
            left -= part;
            rest -= 1;
        }
    }
}

// The matter removed but not deposited has left over the sides, in the proportions of the coarse
// levels.
static void parcels_book_coarse_export(parcels_run* run, wadi_tally* refined)
{
    double total = 0.0;
    int largest = 0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        total += run->out[side];
        largest = run->out[side] > run->out[largest] ? side : largest;
    }
    if (total <= 0.0)
    {
        parcels_level_out(run, refined);
    }
    const int64_t left = parcels_left(refined);
    int64_t rest = left;
    for (int side = 0; side < WADI_SIDE_COUNT && total > 0.0; ++side)
    {
        const int64_t part = (int64_t)((double)left * (run->out[side] / total));
        run->tally.out[WADI_MATERIAL_SEDIMENT][side] += part;
        rest -= part;
    }
    run->tally.out[WADI_MATERIAL_SEDIMENT][largest] += rest; // remainder of rounding
}

// ---- levels ------------------------------------------------------------------------------

static wadi_result parcels_run_years(parcels_run* run, parcel_level* level, int32_t index,
                                     double years)
{
    if (run->cancelled)
    {
        return WADI_OK;
    }

    // the finest level takes two thirds of the time, each coarser level a quarter of the next finer
    const double cost = 1.0 / (double)((int64_t)1 << (2 * index));
    const double to = index == 0 ? 1.0 : run->done + (1.0 - run->done) * cost;
    const wadi_result result = wadi_parcel_level_run(
        level, parcels_years(run, index, years), parcels_batches(run, index, years), run->done, to);
    run->done = to;
    run->cancelled = result == WADI_ERROR_CANCELLED;
    run->parcels->moves += level->moves;
    run->parcels->mean_rain = level->mean_rain;
    parcels_book_water(run, level, index);
    return run->cancelled ? WADI_OK : result;
}

static void parcels_note_export(parcels_run* run, const parcel_level* level, int32_t index)
{
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        run->out[side] += (double)level->tally.out[WADI_MATERIAL_SEDIMENT][side] *
                          (double)((int64_t)1 << (2 * index));
    }
}

// Run one coarse level on a copy of its land and keep its change.
static wadi_result parcels_run_coarse_on(parcels_run* run, wadi_terrain* work, int32_t index,
                                         double years)
{
    wadi_tally unused = {0};
    if (run->change.rock != NULL)
    {
        WADI_TRY(wadi_parcel_refine(work, run->land[index + 1], &run->change, NULL, NULL, &unused));
        wadi_parcel_change_free(wadi_terrain_context(work), &run->change);
    }
    parcel_level* level = NULL;
    const parcel_level_def def = {
        .terrain = work,
        .params = &run->parcels->params,
        .rain = run->rain[index],
        .stream = run->parcels->stream + (uint32_t)index * 0x632BE59Bu + run->parcels->advances,
        .land = run->land_cells / (double)((int64_t)1 << (2 * index)),
    };
    WADI_TRY(wadi_parcel_level_create(&def, &level));
    wadi_result result = parcels_run_years(run, level, index, years);
    parcels_note_export(run, level, index);
    wadi_parcel_level_destroy(level);
    return result == WADI_OK ? wadi_parcel_change_take(work, run->land[index], &run->change)
                             : result;
}

static wadi_result parcels_run_coarse(parcels_run* run, int32_t index, double years)
{
    wadi_terrain* work = NULL;
    WADI_TRY(wadi_terrain_clone(run->land[index], &work));
    const wadi_result result = parcels_run_coarse_on(run, work, index, years);
    wadi_terrain_destroy(work);
    return result;
}

static void parcels_keep_streams(wadi_parcels* parcels, const parcel_level* level)
{
    const float scale = (float)level->weight_m3;
    for (int64_t c = 0; c < level->cells; ++c)
    {
        parcels->discharge[c] = level->discharge[c] * scale;
    }
    if (level->momentum != NULL)
    {
        wadi_parcel_momentum_map(level, parcels->momentum_east, parcels->momentum_north);
    }
}

static wadi_result parcels_run_finest(parcels_run* run, double years)
{
    wadi_parcels* parcels = run->parcels;
    if (run->change.rock != NULL)
    {
        wadi_tally refined = {0};
        WADI_TRY(wadi_parcel_refine(parcels->terrain, run->land[1], &run->change, parcels->wear,
                                    parcels->deposit, &refined));
        parcels_book_coarse_export(run, &refined);
        wadi_tally_add(&run->tally, &refined);
    }
    parcel_level* level = NULL;
    const parcel_level_def def = {
        .terrain = parcels->terrain,
        .finest = true,
        .params = &parcels->params,
        .rain = parcels->rain,
        .wear = parcels->wear,
        .deposit = parcels->deposit,
        .stream = parcels->stream + parcels->advances,
        .land = run->land_cells,
    };
    WADI_TRY(wadi_parcel_level_create(&def, &level));
    const wadi_result result = parcels_run_years(run, level, 0, years);
    wadi_tally_add(&run->tally, &level->tally);
    parcels_book_waiting_load(run, level);
    parcels_keep_streams(parcels, level);
    wadi_parcel_level_destroy(level);
    return result;
}

static wadi_result parcels_advance(void* user, const wadi_span* span)
{
    const double years = span->years;
    wadi_parcels* parcels = user;
    if (parcels->years <= 0.0)
    {
        wadi_terrain_note_drowned(parcels->terrain, "hydraulic", span->from);
    }
    wadi_hydraulic_note_rivers(parcels->terrain, "parcels", &parcels->noted);
    parcels->years += years;
    parcels_run run = {
        .parcels = parcels,
        .land_cells = (double)wadi_terrain_valid_count(parcels->terrain),
    };
    wadi_result result = parcels_build(&run);
    for (int32_t i = run.levels; i >= 1 && result == WADI_OK; --i)
    {
        result = parcels_run_coarse(&run, i, years);
    }
    if (result == WADI_OK)
    {
        result = parcels_run_finest(&run, years);
    }
    wadi_terrain_book(parcels->terrain, "hydraulic", &run.tally);
    parcels->advances += 1;
    parcels_tear_down(&run);
    if (result == WADI_OK && run.cancelled)
    {
        return wadi_fail(wadi_terrain_context(parcels->terrain), WADI_ERROR_CANCELLED,
                         "hydraulic was stopped by the caller; what is done is kept");
    }
    return result;
}

// ---- life --------------------------------------------------------------------------------

static void parcels_destroy(void* user)
{
    wadi_parcels* parcels = user;
    wadi_context* context = wadi_terrain_context(parcels->terrain);
    wadi_free(context, parcels->rain);
    wadi_free(context, parcels->discharge);
    wadi_free(context, parcels->momentum_east);
    wadi_free(context, parcels->momentum_north);
    wadi_free(context, parcels->wear);
    wadi_free(context, parcels->deposit);
    wadi_free(context, parcels);
}

static wadi_result parcels_allocate(wadi_parcels* parcels)
{
    wadi_context* context = wadi_terrain_context(parcels->terrain);
    const int64_t cells = wadi_terrain_ground_const(parcels->terrain)->cells;
    WADI_ALLOC(context, parcels->discharge, cells, "maps");
    WADI_ALLOC(context, parcels->wear, cells, "maps");
    WADI_ALLOC(context, parcels->deposit, cells, "maps");
    if (wadi_parcel_momentum_applies(&parcels->params, wadi_terrain_cell_size(parcels->terrain)))
    {
        WADI_ALLOC(context, parcels->momentum_east, cells, "maps");
        WADI_ALLOC(context, parcels->momentum_north, cells, "maps");
    }
    return WADI_OK;
}

static wadi_result parcels_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                  void** out)
{
    const wadi_hydraulic_params* params = user_params;
    wadi_parcels* parcels;
    WADI_ALLOC(wadi_terrain_context(terrain), parcels, 1, "parcels");
    parcels->terrain = terrain;
    parcels->params = *params;
    parcels->stream = stream;
    parcels->mean_rain = params->rain;
    const wadi_result result = parcels_allocate(parcels);
    if (result != WADI_OK)
    {
        parcels_destroy(parcels);
        return result;
    }
    *out = parcels;
    return WADI_OK;
}

// The rain map is the only input map of the model.
static wadi_result parcels_set_map(void* user, int32_t index, const float* rain)
{
    wadi_parcels* parcels = user;
    (void)index;
    const wadi_ground* ground = wadi_terrain_ground_const(parcels->terrain);
    wadi_context* context = wadi_terrain_context(parcels->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const bool sound =
            ground->valid[c] == 0 || (rain[c] >= 0.0f && rain[c] <= PARCELS_MOST_RAIN);
        WADI_CHECK(context, sound, WADI_ERROR_RANGE,
                   "rain at column %d, row %d is %g m/yr but must lie in [0, 1e8]",
                   (int32_t)(c % ground->width), (int32_t)(c / ground->width), (double)rain[c]);
    }
    if (parcels->rain == NULL)
    {
        WADI_ALLOC(context, parcels->rain, ground->cells, "the rain map");
    }
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        parcels->rain[c] = ground->valid[c] != 0 ? rain[c] : 0.0f;
    }
    return WADI_OK;
}

static int32_t parcels_work(const void* user, wadi_work* rows)
{
    const wadi_parcels* parcels = user;
    rows[0] = (wadi_work){"particle_steps", parcels->moves};
    return 1;
}

static int32_t parcels_figures(const void* user, wadi_figure* rows)
{
    const wadi_parcels* parcels = user;
    return wadi_hydraulic_figures(parcels->terrain, parcels->years, rows);
}

// Read, write or hash a map that exists only with some parameters. A saved map that this solver
// does not have is skipped; a map that was not saved stays 0 until the next advance.
static wadi_result parcels_archive_momentum(wadi_parcels* parcels, wadi_archive* archive,
                                            float* map)
{
    wadi_context* context = wadi_archive_context(archive);
    const wadi_ground* ground = wadi_terrain_ground_const(parcels->terrain);
    bool is_there = map != NULL;
    wadi_archive_bool(archive, &is_there);
    if (!is_there)
    {
        return wadi_archive_result(archive);
    }
    float* unused = NULL;
    if (map == NULL)
    {
        WADI_ALLOC(context, unused, ground->cells, "maps");
    }
    wadi_archive_grid(archive, map != NULL ? map : unused, sizeof *map, ground->width,
                      ground->height);
    wadi_free(context, unused);
    return wadi_archive_result(archive);
}

static wadi_result parcels_archive(void* user, wadi_archive* archive)
{
    wadi_parcels* parcels = user;
    const wadi_ground* ground = wadi_terrain_ground_const(parcels->terrain);
    void* const maps[] = {parcels->discharge, parcels->wear, parcels->deposit};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; ++i)
    {
        wadi_archive_grid(archive, maps[i], 4, ground->width, ground->height);
    }
    wadi_archive_f64(archive, &parcels->years, 1);
    wadi_archive_u32(archive, &parcels->advances, 1);
    wadi_archive_f64(archive, &parcels->mean_rain, 1);
    wadi_archive_f64(archive, &parcels->moves, 1);
    WADI_TRY(parcels_archive_momentum(parcels, archive, parcels->momentum_east));
    return parcels_archive_momentum(parcels, archive, parcels->momentum_north);
}

// ---- maps --------------------------------------------------------------------------------

static float parcels_map_value(const wadi_parcels* parcels, int32_t map, int32_t x, int32_t y)
{
    const wadi_ground* ground = wadi_terrain_ground_const(parcels->terrain);
    const int64_t c = (int64_t)y * ground->width + x;
    const float per_second = parcels->discharge[c] / (float)PARCELS_SECONDS_PER_YEAR;
    switch (map)
    {
    case HYDRAULIC_MAP_FLOW:
        return parcels->mean_rain > 0.0 ? parcels->discharge[c] / (float)parcels->mean_rain : 0.0f;
    case HYDRAULIC_MAP_DISCHARGE:
        return per_second;
    case HYDRAULIC_MAP_VELOCITY:
        return wadi_hydraulic_velocity(ground, c, per_second);
    case HYDRAULIC_MAP_WEAR:
        return (float)parcels->wear[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_DEPOSIT:
        return (float)parcels->deposit[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_MOMENTUM_EAST:
        return parcels->momentum_east != NULL ? parcels->momentum_east[c] : 0.0f;
    case HYDRAULIC_MAP_MOMENTUM_NORTH:
        return parcels->momentum_north != NULL ? parcels->momentum_north[c] : 0.0f;
    default:
        return (float)ground->water[c] / WADI_UNITS_PER_METRE;
    }
}

static wadi_result parcels_map(void* user, int32_t index, float* out)
{
    const wadi_parcels* parcels = user;
    const wadi_ground* ground = wadi_terrain_ground_const(parcels->terrain);
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t c = (int64_t)y * ground->width + x;
            out[c] = ground->valid[c] != 0 ? parcels_map_value(parcels, index, x, y) : NAN;
        }
    }
    return WADI_OK;
}

const wadi_model_api wadi_parcels_api = {
    .create = parcels_create,
    .advance = parcels_advance,
    .destroy = parcels_destroy,
    .map = parcels_map,
    .set_map = parcels_set_map,
    .work = parcels_work,
    .figures = parcels_figures,
    .archive = parcels_archive,
};
