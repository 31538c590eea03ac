// SPDX-License-Identifier: MIT
// labels: medium
// The slide of December 2021 in Washington state as a depth-averaged flow, with the class
// debris_flow as it is and friction a quarter lower and higher, on cells of 10 and 5 m.
#include "io/sample.h"
#include "support/slope.h"

#include <wadi/landslide.h>

#define SURVEY SAMPLE_DATA "washington-2021-"

enum
{
    WIDTH = 80,
    HEIGHT = 122,
    FINEST = 2, // cells of 5 m
    CELLS = FINEST * FINEST * WIDTH * HEIGHT
};

typedef struct survey
{
    fixture f;
    wadi_io_raster ground;
    wadi_io_raster source; // depth that failed, below 0
    int32_t fine;          // cells of the run over the width of a surveyed one
    float height[CELLS];
    float depth[CELLS];
    float soil[CELLS];
    float wear[CELLS];
    float deposit[CELLS];
} survey;

typedef struct outcome
{
    double eroded; // [m3]
    double runout; // from the top of the source to the farthest deposit [m]
    double fall;   // [m]
} outcome;

static void survey_read(survey* s, const char* name, bool is_ground, wadi_io_raster* out)
{
    char path[512];
    (void)snprintf(path, sizeof path, SURVEY "%s-10m.asc", name);
    CHECK_OK(s->f.context, wadi_io_raster_read(s->f.context, path, 0.0, is_ground, out));
    assert_int_equal(out->width, WIDTH);
    assert_int_equal(out->height, HEIGHT);
}

static int open_survey(void** state)
{
    static survey s;
    fixture_open(&s.f, 2);
    survey_read(&s, "pre-dem", true, &s.ground);
    survey_read(&s, "source-depth", false, &s.source);
    *state = &s;
    return 0;
}

static int close_survey(void** state)
{
    survey* s = *state;
    wadi_io_raster_free(&s->ground);
    wadi_io_raster_free(&s->source);
    fixture_close(&s->f);
    return 0;
}

static float survey_at(const wadi_io_raster* r, int32_t x, int32_t y)
{
    const int32_t column = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
    const int32_t row = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
    return r->values[row * WIDTH + column];
}

// Bilinear between the middles of surveyed cells; depths are those of the surveyed cell.
static void survey_refine(survey* s, int32_t fine)
{
    const int32_t width = fine * WIDTH;
    s->fine = fine;
    for (int32_t i = 0; i < width * fine * HEIGHT; ++i)
    {
        const double x = (i % width + 0.5) / fine - 0.5;
        const double y = (i / width + 0.5) / fine - 0.5;
        const int32_t c = (int32_t)floor(x);
        const int32_t r = (int32_t)floor(y);
        const double u = x - c;
        const double v = y - r;
        const float here = survey_at(&s->ground, i % width / fine, i / width / fine);
        const double z = (1.0 - v) * ((1.0 - u) * (double)survey_at(&s->ground, c, r) +
                                      u * (double)survey_at(&s->ground, c + 1, r)) +
                         v * ((1.0 - u) * (double)survey_at(&s->ground, c, r + 1) +
                              u * (double)survey_at(&s->ground, c + 1, r + 1));
        s->height[i] = isnan(z) ? here : (float)z;
        const float depth = survey_at(&s->source, i % width / fine, i / width / fine);
        s->depth[i] = isnan(depth) ? 0.0f : -depth;
        // a metre of loose bed; in the source the surveyed depth is all that was lost
        s->soil[i] = s->depth[i] > 0.0f ? s->depth[i] : 1.0f;
    }
}

static wadi_terrain* survey_terrain(survey* s)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = s->fine * WIDTH;
    def.height = s->fine * HEIGHT;
    def.cell_size = 10.0 / s->fine;
    wadi_terrain* terrain;
    wadi_context* context = s->f.context;
    CHECK_OK(context, wadi_terrain_create(context, &def, &terrain));
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, s->height, def.width));
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, s->soil, def.width));
    CHECK_OK(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, s->height, def.width));
    return terrain;
}

static outcome measure(const survey* s)
{
    const int32_t width = s->fine * WIDTH;
    const double cell = 10.0 / s->fine;
    int32_t top = -1;
    for (int32_t i = 0; i < width * s->fine * HEIGHT; ++i)
    {
        top = s->depth[i] > 0.0f && (top < 0 || s->height[i] > s->height[top]) ? i : top;
    }
    outcome o = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < width * s->fine * HEIGHT; ++i)
    {
        o.eroded += isnan(s->wear[i]) ? 0.0 : (double)s->wear[i] * cell * cell;
        const double dx = cell * (i % width - top % width);
        const double dy = cell * (i / width - top / width);
        const double far = sqrt(dx * dx + dy * dy);
        if (s->deposit[i] > 0.1f && far > o.runout)
        {
            o.runout = far;
            o.fall = (double)(s->height[top] - s->height[i]);
        }
    }
    return o;
}

static outcome run(survey* s, int32_t fine, double share)
{
    survey_refine(s, fine);
    wadi_terrain* terrain = survey_terrain(s);
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_RUNNER;
    params.start = WADI_LANDSLIDE_REGION;
    params.friction = 0.2 * share;
    wadi_solver* solver;
    wadi_context* context = s->f.context;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    CHECK_OK(context, wadi_solver_set_map(solver, "depth", s->depth));
    CHECK_OK(context, slope_run(solver, 600.0 / 31557600.0));
    CHECK_OK(context, wadi_solver_map(solver, "wear", s->wear));
    CHECK_OK(context, wadi_solver_map(solver, "deposit", s->deposit));
    const outcome o = measure(s);
    print_message("cells of %g m, friction %.3f: run-out %.0f m (786), eroded %.0f m3 (26407), H/L "
                  "%.3f (0.301), %.0f s, fastest %.1f m/s\n",
                  10.0 / fine, params.friction, o.runout, o.eroded, o.fall / o.runout,
                  slope_figure(solver, "slide_clock"), slope_figure(solver, "flow_speed"));
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    return o;
}

static void the_slide_runs_out_as_surveyed(void** state)
{
    survey* s = *state;
    for (int32_t fine = 1; fine <= FINEST; ++fine)
    {
        const outcome near = run(s, fine, 1.25);
        const outcome published = run(s, fine, 1.0);
        const outcome far = run(s, fine, 0.75);
        assert_true(near.runout <= published.runout && published.runout <= far.runout);
        CHECK_NEAR(published.runout, 786.0, 0.15 * 786.0);
        CHECK_NEAR(published.eroded, 26407.0, 0.15 * 26407.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_slide_runs_out_as_surveyed)};
    return cmocka_run_group_tests(tests, open_survey, close_survey);
}
