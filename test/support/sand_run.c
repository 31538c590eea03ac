// SPDX-License-Identifier: MIT
#include "support/sand_run.h"

static const double sand_degree = 3.14159265358979323846 / 180.0;

sand_job sand_job_default(void)
{
    sand_job job = {256, 2.0, 4.0, 1, 1, wadi_wind_params_default()};
    job.params.closing = false;
    return job;
}

// Waves of 0.3 m, averaged from a finer grid so that all cell sizes see the same ground.
static void sand_strew(wadi_context* context, const sand_job* job, float* out)
{
    const int32_t fine = job->size * job->fine;
    float* waves = test_malloc((size_t)fine * (size_t)fine * sizeof *waves);
    wadi_noise_params noise = wadi_noise_params_default();
    noise.wavelength = 16.0;
    noise.octaves = 2;
    noise.relief = 0.3;
    noise.tileable = true;
    noise.base = job->depth - 0.15;
    CHECK_OK(context,
             wadi_noise_fill(context, &noise, job->seed, fine, fine, job->cell / job->fine, waves));
    const double share = 1.0 / ((double)job->fine * job->fine);
    for (int64_t i = 0; i < (int64_t)fine * fine; ++i)
    {
        const int64_t x = i % fine / job->fine;
        const int64_t y = i / fine / job->fine;
        out[y * job->size + x] += (float)(share * (double)waves[i]);
    }
    test_free(waves);
}

static wadi_terrain* sand_sheet(wadi_context* context, const sand_job* job)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = job->size;
    def.height = job->size;
    def.cell_size = job->cell;
    def.seed = job->seed;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    wadi_terrain* terrain = NULL;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    float* sand = test_calloc((size_t)job->size * (size_t)job->size, sizeof *sand);
    sand_strew(context, job, sand);
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, job->size));
    test_free(sand);
    return terrain;
}

void sand_open(sand_run* run, const sand_job* job)
{
    fixture_open(&run->f, 1);
    run->terrain = sand_sheet(run->f.context, job);
    CHECK_OK(run->f.context,
             wadi_solver_create(run->terrain, &wadi_wind_process, &job->params, 0, &run->wind));
    run->x = -sin(job->params.direction * sand_degree);
    run->y = cos(job->params.direction * sand_degree);
}

void sand_blow(sand_run* run, double years)
{
    CHECK_OK(run->f.context, wadi_solver_advance(run->wind, years));
    CHECK_OK(run->f.context, wadi_solver_finish(run->wind));
    fixture_check_ledger(run->terrain);
    for (int32_t y = 0; y < wadi_terrain_height(run->terrain); ++y)
    {
        for (int32_t x = 0; x < wadi_terrain_width(run->terrain); ++x)
        {
            assert_true(wadi_terrain_units(run->terrain, WADI_LAYER_SEDIMENT, x, y) >= 0);
        }
    }
}

dune_measures sand_measure(const sand_run* run)
{
    return dunes_measure(run->terrain, run->x, run->y);
}

double sand_flux(const sand_run* run)
{
    const int32_t width = wadi_terrain_width(run->terrain);
    const int64_t cells = (int64_t)width * wadi_terrain_height(run->terrain);
    float* map = test_malloc((size_t)cells * sizeof *map);
    double sum[2] = {0.0, 0.0};
    static const char* const names[2] = {"flux_x", "flux_y"};
    for (int k = 0; k < 2; ++k)
    {
        CHECK_OK(run->f.context, wadi_solver_map(run->wind, names[k], map));
        for (int64_t i = 0; i < cells; ++i)
        {
            sum[k] += (double)map[i] / (double)cells;
        }
    }
    test_free(map);
    return sum[0] * run->x - sum[1] * run->y; // flux_y is positive to the north
}

void sand_close(sand_run* run)
{
    wadi_solver_destroy(run->wind);
    wadi_terrain_destroy(run->terrain);
    fixture_close(&run->f);
}

dune_measures sand_look(const sand_job* job, double years)
{
    sand_run run;
    sand_open(&run, job);
    sand_blow(&run, years);
    const dune_measures look = sand_measure(&run);
    sand_close(&run);
    return look;
}

sand_mean sand_mean_of(const double* values, int32_t count)
{
    double sum = 0.0;
    double squares = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += values[i];
        squares += values[i] * values[i];
    }
    const double mean = sum / count;
    const double variance = fmax(squares / count - mean * mean, 0.0);
    return (sand_mean){mean, sqrt(variance / fmax(count - 1, 1))};
}
