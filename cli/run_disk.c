// SPDX-License-Identifier: MIT
#include "cli/run_disk.h"

#include <wadi/derive.h>
#include <wadi/dunes.h>
#include <wadi/earth.h>
#include <wadi/hydraulic.h>
#include <wadi/landslide.h>
#include <wadi/model.h>

#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum
{
    DISK_TERRAIN = 32,   // bytes a cell of a terrain in a window, with its construction
    DISK_MAPS = 4,       // of maps, one at a time
    DISK_STATE = 19,     // of a terrain in a saved state
    DISK_WINDOW = 65536, // bytes of a window that do not grow with its cells
    DISK_DRAINAGE = 40,  // a cell of the whole grid while a map of drainage is made
    DISK_INDEX = 90,     // of it while the erosion index is measured
    DISK_GRAIN = 4096    // of a grain of earth
};

// Bytes a cell of a model: of each window, or of the whole grid, and of a saved state.
typedef struct disk_row
{
    const char* process;
    const char* model; // NULL: all others of the process
    int32_t windows;
    int32_t whole;
    int32_t state;
} disk_row;

// docs/windows.md has how these were measured: with all that a model may be asked for but what
// disk_more() adds.
static const disk_row disk_rows[] = {
    {"talus", NULL, 44, 0, 24},
    {"soil", NULL, 52, 0, 24},
    {"uplift", NULL, 12, 0, 8},
    {"hydraulic", "streams", 0, 122, 12},
    {"hydraulic", "alluvial", 0, 147, 24},
    {"hydraulic", "stream_power", 52, 0, 16},
    {"hydraulic", "parcels", 0, 166, 20},
    {"hydraulic", NULL, 0, 96, 40},
    {"wind", "grains", 0, 133, 40},
    {"wind", NULL, 0, 190, 40},
    {"dunes", "flux", 0, 222, 40},
    {"dunes", NULL, 0, 174, 60},
    {"coast", NULL, 0, 104, 12},
    {"flood", "manning", 0, 49, 12},
    {"flood", NULL, 0, 88, 40},
    {"landslide", NULL, 0, 277, 80},
    {"riverbed", "paper", 0, 35, 8},
    {"riverbed", NULL, 0, 168, 60},
    {"regulate", NULL, 0, 53, 8},
    {NULL, NULL, 80, 222, 60},
};

// ---- steps -------------------------------------------------------------------------------------

static const wadi_model* disk_model(const wadi_step* step)
{
    const bool runs = step->kind == WADI_STEP_PROCESS && step->process.params != NULL;
    return runs ? wadi_process_model(step->process.process, step->process.params) : NULL;
}

bool cli_run_disk_gathers(const wadi_step* step)
{
    const wadi_model* model = disk_model(step);
    if (model == NULL)
    {
        return false;
    }
    const void* params = step->process.params;
    const bool parts = (model->traits & (uint32_t)WADI_MODEL_WINDOWS) != 0 &&
                       (model->api->windows == NULL || model->api->windows(params) == NULL);
    return (model->traits & (uint32_t)WADI_MODEL_GATHERS) != 0 && !parts;
}

static bool disk_drains(const wadi_quantity* quantity)
{
    return quantity->is_derived && !wadi_derived_is_local(quantity->derived);
}

// Is a map of the drainage of the whole grid needed for a step?
static bool disk_step_drains(const wadi_step* step)
{
    const wadi_mask* mask = step->kind == WADI_STEP_PROCESS ? step->process.mask
                            : step->kind == WADI_STEP_EDIT  ? step->edit.mask
                                                            : NULL;
    bool drains = step->kind == WADI_STEP_OUTPUT && disk_drains(&step->output.quantity);
    for (int32_t i = 0; mask != NULL && i < mask->band_count; ++i)
    {
        drains = drains || disk_drains(&mask->bands[i].quantity);
    }
    return drains;
}

int32_t cli_run_disk_passing(const wadi_step* step)
{
    const bool judges = step->kind == WADI_STEP_PROCESS && step->process.goal != NULL &&
                        step->process.goal->until > 0.0;
    return judges ? DISK_INDEX : disk_step_drains(step) ? DISK_DRAINAGE : 0;
}

static const disk_row* disk_row_of(const wadi_step* step)
{
    const char* process = step->process.process->name;
    const char* model = disk_model(step)->name;
    const disk_row* row = disk_rows;
    while (row->process != NULL && (strcmp(row->process, process) != 0 ||
                                    (row->model != NULL && strcmp(row->model, model) != 0)))
    {
        ++row;
    }
    return row;
}

// What parameters of streams ask for: bytes a cell of the whole grid, and of a saved state.
static disk_row disk_more(const wadi_step* step)
{
    disk_row more = {0};
    const wadi_hydraulic_params* p = step->process.params;
    if (strcmp(step->process.process->name, "hydraulic") == 0 && p->model == WADI_HYDRAULIC_STREAMS)
    {
        more.whole += p->lake_evaporation > 0.0 ? 60 : 0;
        more.whole += p->plains ? 154 : 0;
        more.whole += p->orographic > 0.0 ? 24 : 0;
        more.state += p->plains ? 16 : 0;
        more.state += p->orographic > 0.0 ? 4 : 0;
    }
    return more;
}

// Of one state of a process. The whole grid has an eighth more: arrays that a model takes when the
// ground asks for them, and gaps.
static cli_run_disk disk_of_step(const wadi_step* step)
{
    const disk_row* row = disk_row_of(step);
    const disk_row more = disk_more(step);
    const bool gathers = cli_run_disk_gathers(step);
    return (cli_run_disk){
        .windows = gathers ? 0.0 : row->windows,
        .whole = gathers ? (row->whole + more.whole) * 1.125 : 0.0,
        .state = row->state + more.state,
    };
}

static void disk_at_least(cli_run_disk* disk, const cli_run_disk* other)
{
    disk->windows = other->windows > disk->windows ? other->windows : disk->windows;
    disk->whole = other->whole > disk->whole ? other->whole : disk->whole;
    disk->state = other->state > disk->state ? other->state : disk->state;
}

// ---- processes ---------------------------------------------------------------------------------

// Bytes a cell of the process of a step, from this step on, its first one. Where its parameters
// change but not its model, the new state is made before the old one goes.
static cli_run_disk disk_of_process(const wadi_scene* scene, int32_t first)
{
    const wadi_step* before = wadi_scene_step(scene, first);
    cli_run_disk last = disk_of_step(before);
    cli_run_disk most = last;
    for (int32_t i = first + 1; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (disk_model(step) == NULL || step->process.goes_on ||
            step->process.process != before->process.process)
        {
            continue;
        }
        cli_run_disk next = disk_of_step(step);
        cli_run_disk both = next;
        if (disk_model(step) == disk_model(before))
        {
            both.windows += last.windows;
            both.whole += last.whole;
        }
        disk_at_least(&most, &both);
        before = step;
        last = next;
    }
    return most;
}

// Is a step the first of its process?
static bool disk_is_first(const wadi_scene* scene, int32_t index)
{
    const wadi_step* step = wadi_scene_step(scene, index);
    bool first = disk_model(step) != NULL;
    for (int32_t k = 0; k < index && first; ++k)
    {
        const wadi_step* before = wadi_scene_step(scene, k);
        first = disk_model(before) == NULL || before->process.process != step->process.process;
    }
    return first;
}

// Bytes of the grains of a step.
static double disk_grains(const wadi_step* step)
{
    const bool is_earth =
        disk_model(step) != NULL && strcmp(step->process.process->name, "earth") == 0;
    const wadi_earth_params* earth = is_earth ? step->process.params : NULL;
    return is_earth ? (double)DISK_GRAIN * earth->most : 0.0;
}

// Cells of all windows, each with its halo.
static double disk_cells(const wadi_windows_def* def)
{
    const double width = def->width + 2.0 * def->halo * def->columns;
    const double height = def->height + 2.0 * def->halo * def->rows;
    return width * height;
}

// Are dunes computed in windows?
static bool disk_has_wind(const wadi_step* step)
{
    return disk_model(step) != NULL && !cli_run_disk_gathers(step) &&
           strcmp(step->process.process->name, "dunes") == 0;
}

cli_run_disk cli_run_disk_of(const wadi_scene* scene, const wadi_windows_def* def, size_t window)
{
    const double cells = (double)def->width * def->height;
    const double count = (double)def->columns * def->rows;
    cli_run_disk each = {DISK_TERRAIN + DISK_MAPS, 0.0, DISK_STATE};
    double grains = 0.0;
    int32_t passing = 0;
    bool winds = false;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        const double more = disk_grains(step);
        const int32_t passes = cli_run_disk_passing(step);
        grains = more > grains ? more : grains;
        passing = passes > passing ? passes : passing;
        winds = winds || disk_has_wind(step);
        if (disk_is_first(scene, i))
        {
            const cli_run_disk process = disk_of_process(scene, i);
            each.windows += process.windows;
            each.whole += process.whole;
            each.state += process.state;
        }
    }
    return (cli_run_disk){
        .windows =
            winds ? count * (double)window : each.windows * disk_cells(def) + count * DISK_WINDOW,
        .whole = (each.whole + passing) * cells + grains,
        .state = each.state * cells,
    };
}

// ---- the disk ----------------------------------------------------------------------------------

cli_status cli_run_disk_check(const cli_run_disk* disk, int32_t windows, const char* folder,
                              const char* path)
{
    struct statvfs room;
    struct stat state;
    if (statvfs(folder, &room) != 0)
    {
        return CLI_DONE; // the disk does not say
    }
    const double there = stat(path, &state) == 0 ? (double)state.st_blocks * 512.0 : 0.0;
    const double states = 2.0 * disk->state - there;
    const double need = disk->windows + disk->whole + (states > 0.0 ? states : 0.0);
    const double free = (double)room.f_bavail * (double)room.f_frsize;
    return need <= free
               ? CLI_DONE
               : cli_fail(CLI_FAILED,
                          "%s: %d windows need up to %.3g GB with their saved state, and %.3g GB "
                          "are free; make room, or give -o a folder on a larger disk",
                          folder, (int)windows, need * 1e-9, free * 1e-9);
}
