// SPDX-License-Identifier: MIT
#include "support/grain_run.h"

#include "article_wind.h"

#include <stdlib.h>

enum
{
    LOOK_WIDE = 16,  // half the window of the mean that is subtracted from dunes
    LOOK_SMOOTH = 2, // half the window of the smoothing before crests are counted
    LOOK_RIM = 16    // cells excluded at the edges: sand enters and leaves there
};

wadi_wind_params grain_preset(const char* name)
{
    wadi_context_def def = wadi_context_def_default();
    wadi_context* context;
    wadi_wind_params params = wadi_wind_params_default();
    assert_int_equal(wadi_context_create(&def, &context), WADI_OK);
    CHECK_OK(context, wadi_process_apply_preset(context, &wadi_wind_process, name, &params));
    wadi_context_destroy(context);
    return params;
}

static wadi_terrain* look_terrain(fixture* f, const grain_job* job)
{
    const int32_t cells = job->size * job->size;
    float* sand = test_malloc((size_t)cells * sizeof *sand);
    article_wind_noise(sand, job->size, job->seed);
    for (int32_t i = 0; i < cells; ++i)
    {
        sand[i] *= (float)(80.0 * job->amplitude);
    }
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = job->size;
    def.height = job->size;
    def.cell_size = 1.0;
    def.seed = job->seed;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, job->size));
    test_free(sand);
    return terrain;
}

static void look_export(const wadi_terrain* terrain, grain_land_look* look)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        look->exported += rows[WADI_MATERIAL_SEDIMENT].out[side];
    }
}

static void look_run(const grain_job* job, float* surface, grain_land_look* look)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = look_terrain(&f, job);
    wadi_wind_params params = job->params;
    params.grains_per_cell = job->grains;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_fit(solver, wadi_wind_process.default_years));
    CHECK_OK(f.context, wadi_solver_advance(solver, wadi_wind_process.default_years));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    fixture_check_ledger(terrain);
    wadi_figure figures[8];
    const int32_t count = wadi_solver_figures(solver, figures, 8);
    for (int32_t i = 0; i < count; ++i)
    {
        look->flux += strcmp(figures[i].name, "lifted") == 0 ? figures[i].value : 0.0;
        look->deposited += strcmp(figures[i].name, "laid_down") == 0 ? figures[i].value : 0.0;
    }
    look_export(terrain, look);
    for (int32_t i = 0; i < job->size * job->size; ++i)
    {
        const int32_t level =
            wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % job->size, i / job->size);
        surface[i] = (float)((double)level / WADI_UNITS_PER_METRE);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Mean over a square of cells, clipped to the grid.
static double look_mean(const float* surface, int32_t size, int32_t x, int32_t y, int32_t half)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t ny = y - half; ny <= y + half; ++ny)
    {
        for (int32_t nx = x - half; nx <= x + half; ++nx)
        {
            if (nx >= 0 && ny >= 0 && nx < size && ny < size)
            {
                sum += (double)surface[ny * size + nx];
                count += 1;
            }
        }
    }
    return sum / count;
}

static double look_dunes(const float* surface, int32_t size)
{
    double squares = 0.0;
    int32_t count = 0;
    for (int32_t y = LOOK_RIM; y < size - LOOK_RIM; y += 2)
    {
        for (int32_t x = LOOK_RIM; x < size - LOOK_RIM; x += 2)
        {
            const double d =
                (double)surface[y * size + x] - look_mean(surface, size, x, y, LOOK_WIDE);
            squares += d * d;
            count += 1;
        }
    }
    return sqrt(12.0 * squares / count);
}

static int look_compare(const void* a, const void* b)
{
    const float x = *(const float*)a;
    const float y = *(const float*)b;
    return (x > y) - (x < y);
}

static void look_slopes(const float* surface, int32_t size, grain_land_look* look)
{
    float* falls = test_malloc((size_t)size * (size_t)size * sizeof *falls);
    int32_t count = 0;
    int32_t all = 0;
    for (int32_t y = LOOK_RIM; y < size - LOOK_RIM; ++y)
    {
        for (int32_t x = LOOK_RIM; x < size - LOOK_RIM; ++x)
        {
            const float fall = (surface[y * size + x] - surface[(y + 1) * size + x + 1]) / sqrtf(2);
            look->texture += fabs((double)fall);
            all += 1;
            if (fall > 0.0f)
            {
                falls[count++] = fall;
            }
        }
    }
    qsort(falls, (size_t)count, sizeof *falls, look_compare);
    look->lee = atan((double)falls[count * 19 / 20]) * 57.29577951308232;
    look->texture /= all;
    test_free(falls);
}

// Crest spacing along the diagonals of a smoothed surface; a crest rises and falls by more than
// 0.25 cells.
static double look_spacing(const float* surface, int32_t size)
{
    const double least = 0.25;
    int32_t crests = 0;
    double length = 0.0;
    for (int32_t start = -size + 3 * LOOK_RIM; start < size - 3 * LOOK_RIM; start += 4)
    {
        int rising = 0;
        double turn = 0.0; // last extreme
        for (int32_t i = LOOK_RIM; i < size - LOOK_RIM; ++i)
        {
            const int32_t x = i + start;
            if (x < LOOK_RIM || x >= size - LOOK_RIM)
            {
                continue;
            }
            const double h = look_mean(surface, size, x, i, LOOK_SMOOTH);
            length += sqrt(2.0);
            crests += rising != 0 && h < turn - least ? 1 : 0;
            const int turns = rising != 0 ? h < turn - least : h > turn + least;
            rising = turns ? !rising : rising;
            turn = turns || (rising != 0 ? h > turn : h < turn) ? h : turn;
        }
    }
    return length / (crests > 0 ? crests : 1);
}

grain_land_look grain_look(const grain_job* job, float* surface)
{
    const int32_t cells = job->size * job->size;
    grain_land_look look = {0};
    float* own = test_malloc((size_t)cells * sizeof *own);
    look_run(job, own, &look);
    float low = own[0];
    float high = own[0];
    for (int32_t i = 1; i < cells; ++i)
    {
        low = fminf(low, own[i]);
        high = fmaxf(high, own[i]);
    }
    look.relief = (double)(high - low);
    look.dunes = look_dunes(own, job->size);
    look.spacing = look_spacing(own, job->size);
    look_slopes(own, job->size, &look);
    if (surface != NULL)
    {
        memcpy(surface, own, (size_t)cells * sizeof *surface);
    }
    test_free(own);
    return look;
}
