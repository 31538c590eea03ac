// SPDX-License-Identifier: MIT
#include "cli/run_cut.h"

#include "cli/options.h"
#include "cli/run_disk.h"

#include <wadi/dunes.h>
#include <wadi/earth.h>
#include <wadi/goal.h>
#include <wadi/riverbed.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    CUT_BUILD = 48,      // bytes a cell of a terrain and of its construction and outputs
    CUT_OTHER = 80,      // of a process that is not below
    CUT_SLABS = 260,     // of dunes, without the box around a window on which wind is computed
    CUT_WIND = 140,      // bytes a cell of that box: two winds over it, and cells on their way
    CUT_SPARE = 4,       // addresses over bytes, since shelter looks as far as the relief casts it
    CUT_GATHERED = 16,   // of a process that runs on the whole grid, with its input maps
    CUT_GRAIN = 4096,    // bytes of a grain of earth while its world is built
    CUT_RIVER = 36000,   // bytes of a course of riverbed for each of its widths: 160 points
    CUT_ROOM = 24 << 20, // bytes that do not grow with the cells
    CUT_HALO_MEMORY = 8, // an exchange in memory costs little
    CUT_HALO_FILES = 16  // one in files maps all windows anew
};

// Bytes a cell of the state of a process, with its input maps.
static int64_t cut_bytes_of(const char* process)
{
    return strcmp(process, "talus") == 0    ? 48
           : strcmp(process, "soil") == 0   ? 72
           : strcmp(process, "uplift") == 0 ? 32
           : strcmp(process, "dunes") == 0  ? CUT_SLABS
                                            : CUT_OTHER;
}

// Addresses a cell of the whole grid of a process that is gathered: the most that was measured of
// its models, docs/windows.md, and an eighth more. What is not asked for takes no room on the disk.
static size_t cut_whole_of(const char* process)
{
    static const struct
    {
        const char* name;
        size_t bytes;
    } all[] = {{"hydraulic", 310}, {"wind", 220},      {"dunes", 250},    {"coast", 120},
               {"flood", 120},     {"landslide", 320}, {"riverbed", 190}, {"regulate", 60}};
    size_t bytes = 250; // of others
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    {
        bytes = strcmp(process, all[i].name) == 0 ? all[i].bytes : bytes;
    }
    return bytes;
}

// Is a step the first of its process?
static bool cut_is_first(const wadi_scene* scene, int32_t index)
{
    const wadi_step* step = wadi_scene_step(scene, index);
    bool first = step->kind == WADI_STEP_PROCESS;
    for (int32_t k = 0; k < index && first; ++k)
    {
        const wadi_step* before = wadi_scene_step(scene, k);
        first =
            before->kind != WADI_STEP_PROCESS || before->process.process != step->process.process;
    }
    return first;
}

static int64_t cut_bytes(const wadi_scene* scene)
{
    int64_t bytes = CUT_BUILD;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (cut_is_first(scene, i))
        {
            bytes += cli_run_disk_gathers(step) ? CUT_GATHERED
                                                : cut_bytes_of(step->process.process->name);
        }
    }
    return bytes;
}

// Bytes of the grains of a step.
static size_t cut_grains(const wadi_step* step)
{
    const bool is_earth = step->kind == WADI_STEP_PROCESS && step->process.params != NULL &&
                          strcmp(step->process.process->name, "earth") == 0;
    const wadi_earth_params* earth = is_earth ? step->process.params : NULL;
    return is_earth ? CUT_GRAIN * (size_t)earth->most : 0;
}

// Bytes of the course of a river, which may be as long as all sides together: narrow ones have many
// points. Those of a table of emitters are not counted.
static size_t cut_river(const wadi_step* step, const wadi_frame* frame)
{
    const bool is_river = step->kind == WADI_STEP_PROCESS && step->process.params != NULL &&
                          strcmp(step->process.process->name, "riverbed") == 0;
    const wadi_riverbed_params* river = is_river ? step->process.params : NULL;
    return is_river && river->model == WADI_RIVERBED_GRADED
               ? (size_t)(CUT_RIVER * ((double)frame->width + frame->height) * frame->cell_size /
                          (4.0 * sqrt(river->discharge)))
               : 0;
}

size_t cli_run_cut_whole(const wadi_scene* scene, const wadi_frame* frame)
{
    const size_t cells = (size_t)frame->width * (size_t)frame->height;
    size_t bytes = 0;
    size_t grains = 0;
    size_t passing = 0;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        const bool gathers = cut_is_first(scene, i) && cli_run_disk_gathers(step);
        const size_t more = cut_grains(step);
        const size_t whole = gathers ? cut_whole_of(step->process.process->name) : 0;
        const size_t passes = (size_t)cli_run_disk_passing(step) * cells;
        bytes += whole * cells;
        bytes += gathers ? cut_river(step, frame) : 0;
        grains = more > grains ? more : grains;
        passing = passes > passing ? passes : passing;
    }
    return bytes + grains + passing;
}

// How far the wind of dunes looks [cells]; 0: no dunes. Smoothing looks 5.2 standard deviations
// away, half of a radius each, and shelter over low dunes not as far.
static int64_t cut_wind(const wadi_scene* scene, const wadi_frame* frame)
{
    double reach = 0.0;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (step->kind == WADI_STEP_PROCESS && step->process.params != NULL &&
            strcmp(step->process.process->name, "dunes") == 0)
        {
            const wadi_dunes_params* p = step->process.params;
            const double radius = p->warp_wide > p->warp_narrow ? p->warp_wide : p->warp_narrow;
            const double far = 2.6 * radius / frame->cell_size + 16.0;
            reach = far > reach ? far : reach;
        }
    }
    return (int64_t)reach;
}

// What the cells of windows take.
typedef struct cut_needs
{
    int64_t bytes; // a cell
    int64_t wind;  // reach [cells]
} cut_needs;

static int64_t cut_at_most(int64_t count, int64_t most)
{
    return count < most ? count : most;
}

static size_t cut_window_bytes(const wadi_frame* frame, int32_t columns, int32_t rows, int32_t halo,
                               const cut_needs* needs)
{
    // the last window of a row holds the cells that fill no tile
    const int64_t width = frame->width / columns + 2 * halo + 2 * WADI_PARTITION_TILE;
    const int64_t height = frame->height / rows + 2 * halo + 2 * WADI_PARTITION_TILE;
    const int64_t box = cut_at_most(width + 2 * needs->wind, frame->width) *
                        cut_at_most(height + 2 * needs->wind, frame->height);
    return (size_t)(width * height * needs->bytes + (needs->wind > 0 ? box * CUT_WIND : 0) +
                    CUT_ROOM);
}

static cli_status cut_parse(const char* option, const char* text, wadi_windows_def* def)
{
    char* end = NULL;
    const long columns = strtol(text, &end, 10);
    const long rows = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (columns < 1 || rows < 1 || columns > 1024 || rows > 1024 || *end != '\0')
    {
        return cli_fail(CLI_USAGE, "--%s %s: expected columns and rows of windows, such as 4x4",
                        option, text);
    }
    def->columns = (int32_t)columns;
    def->rows = (int32_t)rows;
    return CLI_DONE;
}

static bool cut_fits(int32_t cells, int32_t windows)
{
    return windows == 1 || cells / WADI_PARTITION_TILE >= windows;
}

// As few windows as the memory allows.
static cli_status cut_by_memory(const char* text, const wadi_frame* frame, const cut_needs* needs,
                                wadi_windows_def* def)
{
    const double memory = cli_bytes_of(text);
    if (memory == 0.0)
    {
        return cli_fail(CLI_USAGE, "--memory %s: expected an amount such as 4GiB or 400MB", text);
    }
    const int32_t side = frame->width < frame->height ? frame->width : frame->height;
    const int32_t most = side / WADI_PARTITION_TILE > 1 ? side / WADI_PARTITION_TILE : 1;
    for (int32_t n = 1; n <= most; ++n)
    {
        if ((double)cut_window_bytes(frame, n, n, def->halo, needs) <= memory)
        {
            def->columns = n;
            def->rows = n;
            return CLI_DONE;
        }
    }
    return cli_fail(CLI_USAGE, "--memory %s: the smallest windows of this grid need %zu MB", text,
                    cut_window_bytes(frame, most, most, def->halo, needs) / 1000000);
}

// The cut in `count` windows whose borders are shortest.
static cli_status cut_by_ranks(int32_t count, wadi_windows_def* def)
{
    int64_t shortest = INT64_MAX;
    for (int32_t columns = 1; columns <= count; ++columns)
    {
        const int32_t rows = count / columns;
        const bool fits =
            rows * columns == count && cut_fits(def->width, columns) && cut_fits(def->height, rows);
        const int64_t length = (int64_t)columns * def->height + (int64_t)rows * def->width;
        if (fits && length < shortest)
        {
            shortest = length;
            def->columns = columns;
            def->rows = rows;
        }
    }
    return shortest < INT64_MAX
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "%d x %d cells cannot be cut in %d windows of %d x %d cells or more; use "
                          "another number of ranks",
                          def->width, def->height, count, WADI_PARTITION_TILE, WADI_PARTITION_TILE);
}

static cli_status cut_for_ranks(const cli_windows_wish* wish, wadi_windows_def* def)
{
    const int32_t count = wish->ranks->count;
    if (wish->windows == NULL)
    {
        return cut_by_ranks(count, def);
    }
    CLI_TRY(cut_parse("windows", wish->windows, def));
    return def->columns * def->rows == count
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "--windows %s on %d ranks: each rank has one window; leave the option "
                          "out, or start as many ranks",
                          wish->windows, count);
}

cli_status cli_run_cut(const cli_windows_wish* wish, const wadi_scene* scene,
                       const wadi_frame* frame, wadi_windows_def* def, size_t* bytes,
                       size_t* addresses)
{
    const cut_needs needs = {cut_bytes(scene), cut_wind(scene, frame)};
    def->width = frame->width;
    def->height = frame->height;
    def->halo = wish->windows != NULL ? CUT_HALO_MEMORY : CUT_HALO_FILES;
    def->in_turn = true;
    CLI_TRY(wish->ranks != NULL     ? cut_for_ranks(wish, def)
            : wish->windows != NULL ? cut_parse("windows", wish->windows, def)
            : wish->tiles != NULL   ? cut_parse("tiles", wish->tiles, def)
                                    : cut_by_memory(wish->memory, frame, &needs, def));
    *bytes = cut_window_bytes(frame, def->columns, def->rows, def->halo, &needs);
    *addresses = needs.wind > 0 ? CUT_SPARE * *bytes : *bytes;
    return CLI_DONE;
}
