// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 10
// Water against known results: a tank at rest, a dam break on a dry bed (Ritter 1892; Martin &
// Moyce 1952; Koshizuka & Oka 1996). Periodic slices.
#include "support/water.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MOST = 20000,
    ACROSS = 6 // particles
};

static const double G = 9.81;

static void open_slice(water* w, double spacing, double depth, double mach)
{
    water_open(w, 2, MOST);
    w->params.spacing = spacing;
    w->params.period_y = ACROSS * spacing;
    w->params.sound_speed = mach * sqrt(G * depth);
}

// ---- a tank at rest ----------------------------------------------------------------------

static double pressure_error(const water* w, double depth)
{
    double sum = 0.0;
    for (int32_t i = 0; i < w->count; ++i)
    {
        const double off =
            w->list[i].pressure - w->params.density * G * (depth - w->list[i].position[2]);
        sum += off * off;
    }
    return sqrt(sum / w->count) / (w->params.density * G * depth);
}

// Height of the surface: mean of the uppermost layer plus half a spacing.
static double surface(const water* w, double spacing)
{
    double highest = 0.0;
    for (int32_t i = 0; i < w->count; ++i)
    {
        highest = fmax(highest, w->list[i].position[2]);
    }
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < w->count; ++i)
    {
        const bool top = w->list[i].position[2] > highest - 0.5 * spacing;
        sum += top ? w->list[i].position[2] : 0.0;
        count += top;
    }
    return sum / count + 0.5 * spacing;
}

static void a_tank_stays_at_rest(void** state)
{
    (void)state;
    const double depth = 2.0;
    const double spacing = depth / 12.0;
    water w;
    open_slice(&w, spacing, depth, 10.0);
    water_make(&w);
    water_fill(&w, 0.0, 0.0, 0.0, 10.0 * spacing, w.params.period_y, depth);
    water_trough(&w, 10.0 * spacing, 0.0);
    water_pass(&w, 10.0);
    const double error = pressure_error(&w, depth);
    const double loss = (depth - surface(&w, spacing)) / spacing;
    const double speed = wadi_sph_summarize(w.sph).speed / sqrt(G * depth);
    print_message("tank after 10 s: pressure off by %.2f %% rms, surface down by %.2f spacings, "
                  "fastest %.4f sqrt(gH)\n",
                  100.0 * error, loss, speed);
    assert_true(error < 0.05);
    assert_true(fabs(loss) < 1.0);
    assert_true(speed < 0.01);
    water_close(&w);
}

// ---- a dam on a slippery bed -------------------------------------------------------------

// Depth of water around x: its volume per area.
static double depth_at(const water* w, double x, double half)
{
    double volume = 0.0;
    for (int32_t i = 0; i < w->count; ++i)
    {
        volume += fabs(w->list[i].position[0] - x) < half ? w->list[i].volume : 0.0;
    }
    return volume / (2.0 * half * w->params.period_y);
}

// Distance of the water front from the dam.
static double front_of(const water* w, double dam)
{
    double tip = dam;
    for (int32_t i = 0; i < w->count; ++i)
    {
        tip = fmax(tip, w->list[i].position[0]);
    }
    return tip - dam;
}

// Root mean square error of the depth against (2 c - x/t)^2 / 9g, in depths of the dam, from the
// undisturbed water to where two layers of particles are left.
static double ritter_error(const water* w, double dam, double depth)
{
    const double t = wadi_sph_summarize(w->sph).time;
    const double c = sqrt(G * depth);
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t k = -4; k <= 6; ++k)
    {
        const double s = 0.2 * k;
        const double expected = (2.0 - s) * (2.0 - s) * depth / 9.0;
        const double found = depth_at(w, dam + s * c * t, 0.2);
        sum += (found - expected) * (found - expected);
        ++count;
    }
    return sqrt(sum / count) / depth;
}

// Shallow water without friction. Vertical acceleration, which the theory neglects, delays the
// front, so its speed is compared, after two and a half times sqrt(h / g).
static void a_dam_break_agrees_with_ritter(void** state)
{
    (void)state;
    const double depth = 1.0;
    const double spacing = depth / 10.0;
    const double dam = 5.0 * depth;
    water w;
    open_slice(&w, spacing, depth, 20.0);
    w.params.viscosity = 0.02;
    water_make(&w);
    water_fill(&w, 0.0, 0.0, 0.0, dam, w.params.period_y, depth);
    water_trough(&w, 20.0 * dam, 0.0);
    water_pass(&w, 0.8);
    const double early = front_of(&w, dam);
    water_pass(&w, 0.5);
    const double speed = (front_of(&w, dam) - early) / 0.5 / (2.0 * sqrt(G * depth));
    const double error = ritter_error(&w, dam, depth);
    print_message("dam after 1.3 s: front runs with %.3f of 2 sqrt(gh), depth off by %.3f of the "
                  "dam rms\n",
                  speed, error);
    CHECK_NEAR(speed, 1.0, 0.1);
    assert_true(error < 0.05);
    water_close(&w);
}

// ---- a column that collapses -------------------------------------------------------------

typedef struct front_point
{
    double t; // t sqrt(2 g / a)
    double z; // over a
} front_point;

// 1 m wide and 2 m high, seconds and metres
static const front_point koshizuka_oka_si[] = {
    {0.368, 1.903}, {0.414, 2.123}, {0.447, 2.365}, {0.496, 2.584}, {0.522, 2.804}, {0.565, 3.034},
    {0.594, 3.219}, {0.637, 3.462}, {0.669, 3.704}, {0.702, 3.900}, {0.751, 4.132}};

enum
{
    FRAMES = 60
};

static double front_at(const front_point* run, double t)
{
    int k = 0;
    while (k < FRAMES - 1 && run[k + 1].t < t)
    {
        ++k;
    }
    assert_true(k < FRAMES - 1);
    const double share = (t - run[k].t) / (run[k + 1].t - run[k].t);
    return run[k].z + share * (run[k + 1].z - run[k].z);
}

// Largest error of the front against a series.
static double front_error(const char* name, const front_point* run, const front_point* series,
                          int count, double scale)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i)
    {
        const double error = front_at(run, scale * series[i].t) / series[i].z - 1.0;
        worst = fabs(error) > fabs(worst) ? error : worst;
    }
    print_message("%s: front off by %+.1f %% at most\n", name, 100.0 * worst);
    return fabs(worst);
}

// The same against the rows of an experiment in test/data/dam-break-front-position.csv: those after
// the gate has left and before the front is close to the end of the trough.
static double measured_error(const char* name, const char* experiment, const front_point* run,
                             int expected)
{
    FILE* file = fopen(WADI_SOURCE_DIR "/test/data/dam-break-front-position.csv", "r");
    assert_non_null(file);
    char line[256];
    front_point series[16];
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL && count < 16)
    {
        const char* at = strchr(strchr(strchr(line, ',') + 1, ',') + 1, ',') + 1;
        front_point point = {strtod(at, NULL), strtod(strchr(at, ',') + 1, NULL)};
        const size_t length = strlen(experiment);
        if (strncmp(line, experiment, length) == 0 && line[length] == ',' && point.t >= 1.5 &&
            point.t <= 5.1)
        {
            series[count++] = point;
        }
    }
    (void)fclose(file);
    assert_int_equal(count, expected);
    return front_error(name, run, series, count, 1.0);
}

static void run_column(front_point* run)
{
    const double a = 1.0;
    const double spacing = a / 20.0;
    water w;
    open_slice(&w, spacing, 2.0 * a, 20.0);
    water_make(&w);
    water_fill(&w, 0.0, 0.0, 0.0, a, w.params.period_y, 2.0 * a);
    water_trough(&w, 9.0 * a, 0.4); // drag that suits all four series
    const int gate = water_wall(&w, a, 0.0, 0.0, -1.0, 0.0, 0.0);
    water_run(&w, 1);
    CHECK_OK(w.f.context, wadi_sph_remove_wall(w.sph, gate));
    for (int k = 0; k < FRAMES; ++k)
    {
        double tip = 0.0;
        for (int32_t i = 0; i < w.count; ++i)
        {
            tip = fmax(tip, w.list[i].position[0] + 0.5 * spacing);
        }
        run[k] = (front_point){wadi_sph_summarize(w.sph).time * sqrt(2.0 * G / a), tip / a};
        water_pass(&w, 1.2 / FRAMES);
    }
    assert_true(wadi_sph_account(w.sph).residual == 0);
    water_close(&w);
}

static void slow_a_column_collapses_as_in_experiments(void** state)
{
    (void)state;
    front_point run[FRAMES];
    run_column(run);
    const double tolerance = 0.10;
    const double to_t = sqrt(2.0 * G);
    assert_true(measured_error("Martin & Moyce, 1.125 in", "martin-moyce-1952-a1.125in", run, 7) <
                tolerance);
    assert_true(measured_error("Martin & Moyce, 2.25 in", "martin-moyce-1952-a2.25in", run, 6) <
                tolerance);
    assert_true(measured_error("Koshizuka & Oka", "koshizuka-oka-1996", run, 5) < tolerance);
    assert_true(front_error("Koshizuka & Oka, in metres", run, koshizuka_oka_si, 11, to_t) <
                tolerance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tank_stays_at_rest),
        cmocka_unit_test(a_dam_break_agrees_with_ritter),
        cmocka_unit_test(slow_a_column_collapses_as_in_experiments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
