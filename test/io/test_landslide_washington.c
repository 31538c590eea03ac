// SPDX-License-Identifier: MIT
// labels: slow
// The slide of December 2021 in Washington state (80 x 122 cells of 10 m) against the surveys
// before and after it. Friction is a handbook value; two numbers are fitted to this slide, the pore
// pressure and the bed entrained per metre.
#include "io/sample.h"
#include "support/slope.h"

#include <wadi/landslide.h>

#define SURVEY SAMPLE_DATA "washington-2021-"

enum
{
    WIDTH = 80,
    HEIGHT = 122,
    CELLS = WIDTH * HEIGHT
};

static const double area = 100.0; // of a cell [m2]

typedef struct survey
{
    fixture f;
    wadi_io_raster ground;
    wadi_io_raster source;   // depth that failed, below 0
    wadi_io_raster observed; // change
    float modelled[CELLS];
} survey;

// Measures of a map of change.
typedef struct outcome
{
    double eroded;    // [m3]
    double deposited; // [m3]
    double runout;    // from the top of the source to the farthest deposit [m]
    double fall;      // [m]
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
    fixture_open(&s.f, 1);
    survey_read(&s, "pre-dem", true, &s.ground);
    survey_read(&s, "source-depth", false, &s.source);
    survey_read(&s, "observed-dod", false, &s.observed);
    *state = &s;
    return 0;
}

static int close_survey(void** state)
{
    survey* s = *state;
    wadi_io_raster_free(&s->ground);
    wadi_io_raster_free(&s->source);
    wadi_io_raster_free(&s->observed);
    fixture_close(&s->f);
    return 0;
}

// ---- the slide ----------------------------------------------------------------------------------

static void report(const wadi_solver* solver)
{
    wadi_figure figures[24];
    const int32_t count = wadi_solver_figures(solver, figures, 24);
    for (int32_t i = 0; i < count; ++i)
    {
        print_message("  %s %.6g %s\n", figures[i].name, figures[i].value, figures[i].unit);
        if (strcmp(figures[i].name, "released") == 0)
        {
            // exact: whole units of each of the thirty cells
            CHECK_NEAR(figures[i].value, 22480.72, 0.05);
        }
    }
}

static void run_slide(survey* s)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 10.0;
    def.seed = 1;
    wadi_terrain* terrain = NULL;
    CHECK_OK(s->f.context, wadi_terrain_create(s->f.context, &def, &terrain));
    CHECK_OK(s->f.context,
             wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, s->ground.values, WIDTH));
    CHECK_OK(s->f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 17.0));
    CHECK_OK(s->f.context,
             wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, s->ground.values, WIDTH));
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.start = WADI_LANDSLIDE_REGION;
    params.most = 1500;
    params.overlap = 0.05;
    params.wetness = 1.0;
    params.pressure = 1.37;
    params.entrainment = 5e-4;
    wadi_solver* solver;
    CHECK_OK(s->f.context,
             wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    CHECK_OK(s->f.context, wadi_solver_set_map(solver, "depth", s->source.values));
    CHECK_OK(s->f.context, slope_run(solver, 300.0 / 31557600.0));
    report(solver);
    float wear[CELLS];
    CHECK_OK(s->f.context, wadi_solver_map(solver, "wear", wear));
    CHECK_OK(s->f.context, wadi_solver_map(solver, "deposit", s->modelled));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        s->modelled[i] -= wear[i];
    }
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
}

// ---- measures -----------------------------------------------------------------------------------

static int32_t top_of_source(const survey* s)
{
    int32_t top = -1;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const bool failed = s->source.values[i] < 0.0f;
        top = failed && (top < 0 || s->ground.values[i] > s->ground.values[top]) ? i : top;
    }
    return top;
}

static outcome measure(const survey* s, const float* change)
{
    const int32_t top = top_of_source(s);
    outcome o = {0};
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double metres = isnan(change[i]) ? 0.0 : (double)change[i];
        o.eroded += metres < 0.0 ? -metres * area : 0.0;
        o.deposited += metres > 0.0 ? metres * area : 0.0;
        const double dx = 10.0 * (i % WIDTH - top % WIDTH);
        const double dy = 10.0 * (i / WIDTH - top / WIDTH);
        const double far = sqrt(dx * dx + dy * dy);
        if (metres > 0.1 && far > o.runout)
        {
            o.runout = far;
            o.fall = (double)s->ground.values[top] - (double)s->ground.values[i];
        }
    }
    return o;
}

static void the_slide_comes_down_as_surveyed(void** state)
{
    survey* s = *state;
    const outcome observed = measure(s, s->observed.values);
    CHECK_NEAR(observed.eroded, 26407.0, 10.0);
    CHECK_NEAR(observed.deposited, 22543.0, 10.0);
    run_slide(s);
    const outcome modelled = measure(s, s->modelled);
    print_message("eroded %.0f m3 (%.0f), deposited %.0f m3 (%.0f), run-out %.0f m (%.0f), H/L "
                  "%.3f (%.3f)\n",
                  modelled.eroded, observed.eroded, modelled.deposited, observed.deposited,
                  modelled.runout, observed.runout, modelled.fall / modelled.runout,
                  observed.fall / observed.runout);
    CHECK_NEAR(modelled.eroded, observed.eroded, 0.25 * observed.eroded);
    CHECK_NEAR(modelled.deposited, observed.deposited, 0.25 * observed.deposited);
    CHECK_NEAR(modelled.runout, observed.runout, 0.25 * observed.runout);
    assert_true(modelled.fall / modelled.runout >= 0.24);
    assert_true(modelled.fall / modelled.runout <= 0.36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_slide_comes_down_as_surveyed)};
    return cmocka_run_group_tests(tests, open_survey, close_survey);
}
