// SPDX-License-Identifier: MIT
// Benchmarks of `wadi bench NAME` and their output. docs/benchmarks.md explains each row.
#pragma once

#include "cli/session.h"

#include <wadi/process.h>

#include <stdio.h>

enum
{
    BENCH_REPETITIONS = 5,
    BENCH_MAX_ROWS = 256
};

// One result. A ratio to the reference above 1 means that the value is better.
typedef struct bench_row
{
    const char* name; // of the case
    int32_t size;     // cells along each side, or grains
    int32_t threads;
    const char* metric;
    const char* unit;
    double value;     // median of the repetitions
    double reference; // of the plain serial version in the same run; NAN: none
    bool less;        // lower values are better
} bench_row;

typedef struct bench_rows
{
    bench_row rows[BENCH_MAX_ROWS];
    int32_t count;
} bench_rows;

void bench_add(bench_rows* rows, bench_row row);

// Add a row per stage: its mean seconds per step. `like` holds the members that all rows share.
void bench_add_stages(bench_rows* rows, const cli_stages* stages, double steps, bench_row like);

// Median of `count` values; sorts them.
double bench_median(double* values, int32_t count);

// Work of a kind that a solver has done; 0: there is none.
double bench_work(const wadi_solver* solver, const char* name);

// Processor time of all threads so far [s].
double bench_cpu_seconds(void);

// A benchmark. `full` adds cases that take minutes.
typedef struct bench_suite
{
    const char* name;
    cli_status (*run)(bool full, bench_rows* rows);
    cli_status (*run_at)(int32_t size,
                         bench_rows* rows); // measure one grid size; NULL: sizes are fixed
} bench_suite;

cli_status bench_airflow(bool full, bench_rows* rows);
cli_status bench_amplify(bool full, bench_rows* rows);
cli_status bench_amplify_at(int32_t size, bench_rows* rows);
cli_status bench_calls(bool full, bench_rows* rows);
cli_status bench_dunes(bool full, bench_rows* rows);
cli_status bench_dunes_at(int32_t size, bench_rows* rows);
cli_status bench_flood(bool full, bench_rows* rows);
// Add rows for floods in time.
cli_status bench_inertial(bench_rows* rows);
cli_status bench_hydraulic(bool full, bench_rows* rows);
cli_status bench_landslide(bool full, bench_rows* rows);
// Add rows for the article's five scenes.
cli_status bench_earth(bench_rows* rows);
// A wet wedge of 4000 bonded grains on a plain, which begins to slump; the caller destroys both.
wadi_result bench_earth_wedge(wadi_context* context, wadi_terrain** terrain, wadi_solver** solver);
cli_status bench_render(bool full, bench_rows* rows);
cli_status bench_render_at(int32_t size, bench_rows* rows);
cli_status bench_riverbed(bool full, bench_rows* rows);
cli_status bench_session(bool full, bench_rows* rows);
cli_status bench_session_at(int32_t size, bench_rows* rows);
cli_status bench_slab(bool full, bench_rows* rows);
cli_status bench_slab_at(int32_t size, bench_rows* rows);
// Add rows for a scene that the article runs for `steps` steps.
cli_status bench_slab_scene(const char* name, int32_t size, int32_t steps, bench_rows* rows);
cli_status bench_slides(bool full, bench_rows* rows);
cli_status bench_sph(bool full, bench_rows* rows);
cli_status bench_streams(bool full, bench_rows* rows);
cli_status bench_streams_at(int32_t size, bench_rows* rows);
cli_status bench_talus(bool full, bench_rows* rows);
cli_status bench_tiles(bool full, bench_rows* rows);
cli_status bench_tiles_at(int32_t size, bench_rows* rows);
cli_status bench_wind(bool full, bench_rows* rows);
// Add rows for the default model.
cli_status bench_wind_sand(bool full, bench_rows* rows);

// Print the rows together with the machine they were measured on.
void bench_print_table(const char* name, const bench_rows* rows);
void bench_print_json(const char* name, const bench_rows* rows);

// ---- one job on one terrain, through the public interface ---------------------------------------

typedef struct bench_job
{
    int32_t size;      // cells along each side
    double wavelength; // of the first octave of the ground [cells]
    double relief;     // [cells]
    double gain;
    int32_t octaves;
    int32_t threads;
    const char* preset;
    double droplets_per_cell; // preset paper only
} bench_job;

typedef struct bench_result
{
    double noise_s;   // to make the ground
    double advance_s; // to run the process
    double cpu_s;     // the same, summed over threads
    double steps;     // particle steps
    double eroded;    // [m3]
} bench_result;

// Size of a cell of all jobs [m].
extern const double bench_cell;

cli_status bench_run(const bench_job* job, bench_result* out);
// Medians of BENCH_REPETITIONS runs after a warm-up run.
cli_status bench_repeat(const bench_job* job, bench_result* out);

// Run `droplets` droplets of the article's kernel on the same ground, on one thread. False if the
// kernel is not in this build (WADI_TESTS=OFF).
bool bench_article(const bench_job* job, int64_t droplets, bench_result* out);
