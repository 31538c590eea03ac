// SPDX-License-Identifier: MIT
// Whole scenes: text is parsed, the terrain is built and every step runs. Whatever the scene says,
// it fails with a message or its mass ledger closes, and all memory is given back. Leading lines
// "--set path=value" are overrides.
//
// Work is bounded: at most 32 x 32 cells, 64 steps, small pictures, 96 MB, and a time after which
// the progress hook stops all processes. Files that a scene names are made up here.
#include "io/scene/scene_yaml.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
    FUZZ_CELLS = 32 * 32,
    FUZZ_STEPS = 64,
    FUZZ_PIXELS = 48, // along each side of a picture
    FUZZ_OVERRIDES = 4,
    FUZZ_BYTES = 96 << 20
};

static const double fuzz_seconds = 0.2; // of all processes together

static void fuzz_require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

// ---- bounds -------------------------------------------------------------------------------------

typedef struct fuzz_bounds
{
    size_t held; // bytes
    clock_t until;
} fuzz_bounds;

static void* fuzz_allocate(size_t size, size_t alignment, void* user)
{
    fuzz_bounds* bounds = user;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded < size || rounded > FUZZ_BYTES - bounds->held)
    {
        return NULL;
    }
    void* memory = aligned_alloc(alignment, rounded);
    bounds->held += memory != NULL ? size : 0;
    return memory;
}

static void fuzz_release(void* memory, size_t size, void* user)
{
    ((fuzz_bounds*)user)->held -= size;
    free(memory);
}

static bool fuzz_progress(double share, const char* what, void* user)
{
    (void)what;
    fuzz_require(share >= 0.0 && share <= 1.0);
    return clock() < ((fuzz_bounds*)user)->until;
}

// Whether a scene is small enough to run.
static bool fuzz_is_small(const wadi_scene* scene)
{
    const wadi_scene_grid* grid = wadi_scene_grid_of(scene);
    return (int64_t)grid->width * grid->height <= FUZZ_CELLS &&
           wadi_scene_step_count(scene) <= FUZZ_STEPS;
}

// ---- files --------------------------------------------------------------------------------------

static wadi_result fuzz_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    (void)user;
    (void)source;
    *out = (wadi_frame){.width = 16, .height = 12, .cell_size = 10.0};
    return WADI_OK;
}

// A slope with a hill and a void.
static wadi_result fuzz_values(void* user, const wadi_source* source, const wadi_frame* frame,
                               float* out)
{
    (void)user;
    (void)source;
    for (int32_t i = 0; i < frame->width * frame->height; ++i)
    {
        const int32_t x = i % frame->width;
        const int32_t y = i / frame->width;
        out[i] = 20.0f + 2.0f * (float)x + (float)(x * y % 7);
    }
    out[frame->width * frame->height / 2] = NAN;
    return WADI_OK;
}

// Rows 1 2 3 ..., 2 3 4 ...: numbers that rise by row and by column.
static wadi_result fuzz_table(void* user, const char* file, const wadi_table_info* table,
                              double* out, int32_t capacity, int32_t* rows)
{
    (void)user;
    (void)file;
    *rows = 3;
    for (int32_t i = 0; i < (capacity < 3 ? capacity : 3) * table->column_count; ++i)
    {
        out[i] = (double)(i / table->column_count + i % table->column_count + 1);
    }
    return WADI_OK;
}

// One of two tetrahedra, chosen by the first letter of the file name.
static wadi_result fuzz_mesh(void* user, const char* file, bool z_is_up, wadi_mesh* out)
{
    (void)user;
    (void)z_is_up;
    static const double positions[2][4][3] = {
        {{1.0, 1.0, 0.0}, {3.0, 1.0, 0.0}, {1.0, 3.0, 0.0}, {1.0, 1.0, 2.0}},
        {{4.0, 1.0, 0.0}, {5.0, 1.0, 0.0}, {4.0, 3.0, 0.0}, {4.0, 1.0, 1.0}}};
    static const int32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    *out = (wadi_mesh){.positions = positions[file[0] % 2],
                       .vertex_count = 4,
                       .triangles = triangles,
                       .triangle_count = 4};
    return WADI_OK;
}

static wadi_result fuzz_grains(void* user, const char* file, int32_t bodies, wadi_bodies* out)
{
    (void)user;
    (void)file;
    (void)bodies;
    static const wadi_grain grains[2] = {{.position = {1.5, 1.5, 0.2}, .radius = 0.1},
                                         {.position = {1.5, 1.5, 0.45}, .radius = 0.1}};
    static const double strengths[2] = {1.0, 0.5};
    out->grains = grains;
    out->strengths = strengths;
    out->grain_count = 2;
    return WADI_OK;
}

static wadi_result fuzz_frame_of(void* user, wadi_run* run, const wadi_scene_process* step,
                                 int32_t index)
{
    (void)user;
    (void)step;
    (void)index;
    fuzz_require(wadi_run_terrain(run) != NULL);
    return WADI_OK;
}

// ---- outputs ------------------------------------------------------------------------------------

static wadi_result fuzz_render(wadi_run* run, const wadi_output* output, const float* overlay)
{
    wadi_render_params params = *output->render;
    params.samples = params.samples > 2 ? 2 : params.samples;
    params.width = params.width > FUZZ_PIXELS ? FUZZ_PIXELS : params.width;
    params.height = params.height > FUZZ_PIXELS ? FUZZ_PIXELS : params.height;
    uint8_t* rgb = malloc(3 * (size_t)params.width * (size_t)params.height);
    fuzz_require(rgb != NULL);
    const wadi_result result = wadi_render_terrain(wadi_run_terrain(run), overlay, &params, rgb);
    free(rgb);
    return result;
}

static wadi_result fuzz_output(void* user, wadi_run* run, const wadi_output* output)
{
    (void)user;
    const wadi_terrain* terrain = wadi_run_terrain(run);
    const size_t cells = (size_t)wadi_terrain_width(terrain) * (size_t)wadi_terrain_height(terrain);
    float* values = malloc(cells * sizeof *values);
    fuzz_require(values != NULL);
    wadi_result result = WADI_OK;
    if (output->kind == WADI_OUTPUT_WRITE)
    {
        result = wadi_run_quantity(run, &output->quantity, values);
    }
    else if (output->kind == WADI_OUTPUT_RENDER)
    {
        result = output->has_overlay ? wadi_run_quantity(run, &output->overlay, values) : WADI_OK;
        result = result == WADI_OK ? fuzz_render(run, output, output->has_overlay ? values : NULL)
                                   : result;
    }
    else if (output->kind == WADI_OUTPUT_AMPLIFY)
    {
        wadi_amplify_params params;
        result = wadi_run_window(run, output, &params);
    }
    free(values);
    return result;
}

// ---- a scene ------------------------------------------------------------------------------------

static void fuzz_check_ledger(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        fuzz_require(rows[i].residual_units == 0 && rows[i].residual == 0.0);
    }
}

static void fuzz_run(wadi_context* context, fuzz_bounds* bounds, const wadi_scene* scene)
{
    const wadi_host host = {.frame = fuzz_frame,
                            .read = fuzz_values,
                            .table = fuzz_table,
                            .mesh = fuzz_mesh,
                            .grains = fuzz_grains,
                            .frame_of = fuzz_frame_of,
                            .output = fuzz_output};
    wadi_run* run = NULL;
    bounds->until = clock() + (clock_t)(fuzz_seconds * CLOCKS_PER_SEC);
    wadi_result result = wadi_run_create(scene, &host, &run);
    fuzz_require((result == WADI_OK) == (run != NULL));
    while (result == WADI_OK && !wadi_run_is_done(run))
    {
        result = wadi_run_next(run);
        result = result == WADI_ERROR_CANCELLED ? WADI_OK : result;
        fuzz_check_ledger(wadi_run_terrain(run));
    }
    fuzz_require(result == WADI_OK || wadi_error_detail(context)[0] != '\0');
    wadi_run_destroy(run);
}

static void fuzz_scene(wadi_context* context, fuzz_bounds* bounds, char* text, size_t size)
{
    static const char prefix[] = "--set ";
    const char* overrides[FUZZ_OVERRIDES];
    int32_t count = 0;
    char* end = memchr(text, '\n', size);
    while (count < FUZZ_OVERRIDES && end != NULL && strncmp(text, prefix, sizeof prefix - 1) == 0)
    {
        *end = '\0';
        overrides[count++] = text + sizeof prefix - 1;
        size -= (size_t)(end + 1 - text);
        text = end + 1;
        end = memchr(text, '\n', size);
    }
    wadi_scene* scene = NULL;
    if (wadi_io_scene_parse(context, "fuzz.yaml", text, size, overrides, count, &scene) ==
            WADI_OK &&
        fuzz_is_small(scene))
    {
        fuzz_run(context, bounds, scene);
    }
    wadi_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz_bounds bounds = {0};
    wadi_context_def def = wadi_context_def_default();
    def.threads = 1;
    def.allocator = (wadi_allocator){fuzz_allocate, fuzz_release, &bounds};
    def.progress = fuzz_progress;
    def.user = &bounds;
    wadi_context* context = NULL;
    char* text = calloc(size + 1, 1);
    fuzz_require(text != NULL && wadi_context_create(&def, &context) == WADI_OK);
    memcpy(text, data, size);
    fuzz_scene(context, &bounds, text, size);
    fuzz_require(wadi_memory_used(context) == 0);
    wadi_context_destroy(context);
    fuzz_require(bounds.held == 0);
    free(text);
    return 0;
}
