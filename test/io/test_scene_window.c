// SPDX-License-Identifier: MIT
// Heights of windows that are read from a file part by part, with progress between bands of rows.
#include "io/sample.h"

#include "io/scene/scene_files.h"

enum
{
    WIDTH = 150,
    HEIGHT = 1300
};

// A hook of progress that says stop after some calls.
typedef struct watch
{
    int calls;
    int most;
    double share; // of the last call
} watch;

static bool look(double share, const char* what, void* user)
{
    watch* w = user;
    assert_string_equal(what, "ground");
    assert_true(share >= 0.0 && share < 1.0);
    w->share = share;
    w->calls += 1;
    return w->calls <= w->most;
}

typedef struct reading
{
    wadi_context* context;
    wadi_io_scene_files files;
    wadi_windows_def cut;
    wadi_partition part;
    float* out;
} reading;

static void write_heights(wadi_context* context)
{
    float* values = malloc((size_t)WIDTH * HEIGHT * sizeof *values);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        values[i] = (float)(i % 7919);
    }
    const wadi_io_raster raster = {.width = WIDTH,
                                   .height = HEIGHT,
                                   .values = values,
                                   .dx = 10.0,
                                   .dy = 10.0,
                                   .name = "height",
                                   .unit = "m"};
    CHECK_OK(context, wadi_io_raster_write(context, &raster, "heights.tif"));
    free(values);
}

static void reading_open(reading* r, watch* w)
{
    wadi_context_def def = wadi_context_def_default();
    def.progress = look;
    def.user = w;
    assert_int_equal(wadi_context_create(&def, &r->context), WADI_OK);
    write_heights(r->context);
    CHECK_OK(r->context, wadi_io_scene_files_open(r->context, "scene.yaml", &r->files));
    r->cut = wadi_windows_def_default();
    r->cut.width = WIDTH;
    r->cut.height = HEIGHT;
    r->cut.columns = 2;
    r->cut.rows = 1;
    r->cut.halo = 8;
    CHECK_OK(r->context, wadi_windows_partition(r->context, &r->cut, 1, &r->part));
    r->out = malloc((size_t)WIDTH * HEIGHT * sizeof *r->out);
}

static void reading_close(reading* r)
{
    free(r->out);
    wadi_io_scene_files_close(&r->files);
    wadi_context_destroy(r->context);
}

static wadi_result reading_read(reading* r, const wadi_partition* part)
{
    const wadi_source source = {.kind = wadi_source_kind_find("import"), .file = "heights.tif"};
    const wadi_frame frame = {
        .width = part->halo[WADI_SIDE_WEST] + part->owned_width + part->halo[WADI_SIDE_EAST],
        .height = part->halo[WADI_SIDE_NORTH] + part->owned_height + part->halo[WADI_SIDE_SOUTH],
        .cell_size = 10.0,
        .window = part};
    return wadi_io_scene_window(&r->files, &source, &frame, r->out);
}

static void bands_have_all_cells_and_progress(void** state)
{
    (void)state;
    watch w = {.most = 100};
    reading r;
    reading_open(&r, &w);
    CHECK_OK(r.context, reading_read(&r, &r.part));
    assert_true(w.calls >= 3);
    assert_true(w.share > 0.5);
    const int32_t width = WIDTH - (r.part.x - r.part.halo[WADI_SIDE_WEST]);
    for (int32_t y = 0; y < HEIGHT; ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            const int32_t cell = y * WIDTH + x + WIDTH - width;
            assert_true(r.out[(int64_t)y * width + x] == (float)(cell % 7919));
        }
    }
    reading_close(&r);
}

static void a_reader_that_is_stopped_ends(void** state)
{
    (void)state;
    watch w = {.most = 1};
    reading r;
    reading_open(&r, &w);
    CHECK_FAILS(r.context, WADI_ERROR_CANCELLED, "stopped while heights.tif was read",
                reading_read(&r, &r.part));
    assert_int_equal(w.calls, 2);
    reading_close(&r);
}

static void another_size_is_refused_with_both(void** state)
{
    (void)state;
    watch w = {.most = 100};
    reading r;
    reading_open(&r, &w);
    wadi_partition other = r.part;
    other.width = 200;
    CHECK_FAILS(r.context, WADI_ERROR_FORMAT,
                "heights.tif has 150 x 1300 cells, and the terrain 200 x 1300: in windows a file "
                "is not resampled",
                reading_read(&r, &other));
    reading_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bands_have_all_cells_and_progress),
        cmocka_unit_test(a_reader_that_is_stopped_ends),
        cmocka_unit_test(another_size_is_refused_with_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
