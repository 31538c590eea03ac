// SPDX-License-Identifier: MIT
// Common properties of all generators, and the special ones of each.
#include "support/fixture.h"

#include <stdlib.h>

#include <wadi/synthesis.h>

enum
{
    W = 96,
    H = 80,
    CELLS = W * H
};

// Large enough for every parameter struct.
typedef union any_params
{
    uint32_t cookie;
    wadi_noise_params noise;
    wadi_subdivision_params subdivision;
    wadi_faults_params faults;
    wadi_poisson_faults_params classes;
    wadi_deposition_params deposition;
} any_params;

static any_params params_of(const wadi_generator* generator)
{
    any_params params;
    assert_true(generator->fields->params_size <= sizeof params);
    wadi_fields_init(generator->fields, &params);
    return params;
}

static int32_t kinds_of(const wadi_generator* generator)
{
    return (int32_t)wadi_field_find(generator->fields, "kind")->max + 1;
}

static void set(wadi_context* context, const wadi_generator* generator, any_params* params,
                const char* name, double value)
{
    CHECK_OK(context, wadi_field_set(context, generator->fields, name, value, params));
}

static void fill(wadi_context* context, const wadi_generator* generator, const any_params* params,
                 uint64_t seed, int32_t width, int32_t height, float* out)
{
    CHECK_OK(context,
             wadi_generator_fill(context, generator, params, seed, width, height, 60.0, out));
}

static float map[CELLS];
static float other[CELLS];

// Every kind of every generator: exact range, dependence on the seed, independence of threads.
static void all_kinds_keep_the_laws(void** state)
{
    (void)state;
    for (int32_t g = 0; g < wadi_generator_count(); ++g)
    {
        const wadi_generator* generator = wadi_generator_at(g);
        for (int32_t kind = 0; kind < kinds_of(generator); ++kind)
        {
            fixture f;
            fixture_open(&f, 1);
            any_params params = params_of(generator);
            set(f.context, generator, &params, "kind", kind);
            const bool classes = wadi_field_find(generator->fields, "relief") == NULL;
            set(f.context, generator, &params, classes ? "low" : "base", 412.3);
            set(f.context, generator, &params, classes ? "high" : "relief", 1777.7);
            fill(f.context, generator, &params, 3, W, H, map);
            float low = map[0];
            float high = map[0];
            for (int i = 0; i < CELLS; ++i)
            {
                low = fminf(low, map[i]);
                high = fmaxf(high, map[i]);
            }
            assert_true(low == (float)412.3);
            assert_true(high == (float)(classes ? 1777.7 : 412.3 + 1777.7));
            fill(f.context, generator, &params, 4, W, H, other);
            assert_memory_not_equal(map, other, sizeof map);
            fixture_close(&f);

            fixture_open(&f, 3);
            fill(f.context, generator, &params, 3, W, H, other);
            assert_memory_equal(map, other, sizeof map);
            fixture_close(&f);
        }
    }
}

// A tile is seamless: the step across its border is no larger than the largest inside.
static void tileable_fields_are_periodic(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    for (int32_t g = 0; g < wadi_generator_count(); ++g)
    {
        const wadi_generator* generator = wadi_generator_at(g);
        for (int32_t kind = 0; kind < kinds_of(generator); ++kind)
        {
            any_params params = params_of(generator);
            set(f.context, generator, &params, "kind", kind);
            set(f.context, generator, &params, "tileable", 1.0);
            const wadi_result result =
                wadi_generator_fill(f.context, generator, &params, 9, W, H, 60.0, map);
            if (result == WADI_ERROR_ARGUMENT)
            {
                assert_non_null(strstr(wadi_error_detail(f.context), "tile"));
                continue;
            }
            CHECK_OK(f.context, result);
            double inside = 0.0;
            double across = 0.0;
            for (int i = 0; i < W; ++i)
            {
                double step = 0.0;
                for (int row = 0; row < H; ++row)
                {
                    step += fabs((double)map[row * W + i] - (double)map[row * W + (i + 1) % W]);
                }
                inside = i < W - 1 ? fmax(inside, step) : inside;
                across = i == W - 1 ? step : across;
            }
            assert_true(across <= inside);
        }
    }
    fixture_close(&f);
}

// A crop of a larger grid equals the smaller grid, up to scale: values depend on the position only.
static void crops_of_subdivided_ground_are_the_same_ground(void** state)
{
    (void)state;
    const wadi_generator* generator = wadi_generator_find("subdivision");
    fixture f;
    fixture_open(&f, 2);
    float* large = malloc((size_t)4 * CELLS * sizeof *large);
    for (int32_t kind = 0; kind < WADI_SUBDIVISION_COUNT; ++kind)
    {
        any_params params = params_of(generator);
        params.subdivision.kind = kind;
        params.subdivision.wavelength = 2000.0;
        fill(f.context, generator, &params, 5, W, H, map);
        fill(f.context, generator, &params, 5, 2 * W, 2 * H, large);
        int lowest = 0;
        int highest = 0;
        for (int i = 0; i < CELLS; ++i)
        {
            other[i] = large[i / W * 2 * W + i % W];
            lowest = other[i] < other[lowest] ? i : lowest;
            highest = other[i] > other[highest] ? i : highest;
        }
        const double span = (double)other[highest] - (double)other[lowest];
        for (int i = 0; i < CELLS; ++i)
        {
            const double share = ((double)other[i] - (double)other[lowest]) / span;
            CHECK_NEAR((double)map[i], params.subdivision.relief * share, 0.01);
        }
    }
    free(large);
    fixture_close(&f);
}

// Midpoint displacement has creases along the first lattice: second differences across its lines
// stand out. Hexagons and square-square avoid them.
static void only_midpoints_crease(void** state)
{
    (void)state;
    enum
    {
        N = 256,
        SPACING = 32 // cells between lines of the lattice
    };
    const wadi_generator* generator = wadi_generator_find("subdivision");
    fixture f;
    fixture_open(&f, 2);
    float* ground = malloc((size_t)N * N * sizeof *ground);
    double crease[WADI_SUBDIVISION_COUNT];
    for (int32_t kind = 0; kind < WADI_SUBDIVISION_COUNT; ++kind)
    {
        double on = 0.0;
        double off = 0.0;
        for (uint64_t seed = 1; seed <= 4; ++seed)
        {
            any_params params = params_of(generator);
            params.subdivision.kind = kind;
            params.subdivision.hurst = 1.0;
            params.subdivision.wavelength = SPACING * 60.0;
            fill(f.context, generator, &params, seed, N, N, ground);
            for (int i = N; i < N * N - N; ++i)
            {
                const int x = i % N;
                if (x >= 8 && x < N - 8)
                {
                    // second difference over four cells: sharpness of a bend
                    const double bend = fabs((double)ground[i - 4] + (double)ground[i + 4] -
                                             2.0 * (double)ground[i]);
                    on += x % SPACING == 0 ? bend * (SPACING - 1) : 0.0;
                    off += x % SPACING != 0 ? bend : 0.0;
                }
            }
        }
        crease[kind] = on / off;
    }
    assert_true(crease[WADI_SUBDIVISION_MIDPOINT] > 1.3);
    assert_true(crease[WADI_SUBDIVISION_SQUARE_SQUARE] < 1.1);
    assert_true(crease[WADI_SUBDIVISION_HEXAGON] < 1.1);
    free(ground);
    fixture_close(&f);
}

// All classes have equal areas, up to rounding and ties.
static void classes_have_equal_areas(void** state)
{
    (void)state;
    const wadi_generator* generator = wadi_generator_find("poisson_faults");
    fixture f;
    fixture_open(&f, 2);
    for (int32_t kind = 0; kind < 2; ++kind)
    {
        any_params params = params_of(generator);
        params.classes.kind = kind;
        params.classes.classes = 6;
        params.classes.low = 0.0;
        params.classes.high = 5.0;
        fill(f.context, generator, &params, 2, W, H, map);
        int count[6] = {0};
        for (int i = 0; i < CELLS; ++i)
        {
            assert_true(map[i] == floorf(map[i]));
            count[(int)map[i]] += 1;
        }
        for (int k = 0; k < 6; ++k)
        {
            CHECK_NEAR((double)count[k] / CELLS, 1.0 / 6.0, 0.02);
        }
    }
    fixture_close(&f);
}

// The same faults at half the cell size: classes differ only along the faults.
static void classes_do_not_depend_on_the_cells(void** state)
{
    (void)state;
    const wadi_generator* generator = wadi_generator_find("poisson_faults");
    fixture f;
    fixture_open(&f, 2);
    float* fine = malloc((size_t)4 * CELLS * sizeof *fine);
    any_params params = params_of(generator);
    params.classes.count = 20;
    fill(f.context, generator, &params, 2, W, H, map);
    CHECK_OK(f.context,
             wadi_generator_fill(f.context, generator, &params, 2, 2 * W, 2 * H, 30.0, fine));
    int same = 0;
    for (int i = 0; i < CELLS; ++i)
    {
        same += map[i] == fine[(2 * (i / W)) * 2 * W + 2 * (i % W)] ? 1 : 0;
    }
    assert_true(same > 0.93 * CELLS);
    free(fine);
    fixture_close(&f);
}

// Fault formation: smoothing removes cliffs; later faults are smaller.
static void smoothing_takes_the_cliffs(void** state)
{
    (void)state;
    const wadi_generator* generator = wadi_generator_find("faults");
    fixture f;
    fixture_open(&f, 2);
    double steepest[2] = {0.0, 0.0};
    for (int smooth = 0; smooth < 2; ++smooth)
    {
        any_params params = params_of(generator);
        params.faults.count = 64;
        params.faults.decay = 1.0;
        params.faults.smoothing = smooth != 0 ? 180.0 : 0.0;
        fill(f.context, generator, &params, 2, W, H, map);
        for (int i = 0; i < CELLS; ++i)
        {
            if (i % W != 0)
            {
                steepest[smooth] = fmax(steepest[smooth], fabs((double)(map[i] - map[i - 1])));
            }
        }
    }
    assert_true(steepest[1] < 0.5 * steepest[0]);
    fixture_close(&f);
}

// A fixed emitter builds one pile at the angle of repose, with a crater below the emitter.
static void a_still_emitter_builds_a_volcano(void** state)
{
    (void)state;
    const wadi_generator* generator = wadi_generator_find("deposition");
    fixture f;
    fixture_open(&f, 2);
    any_params params = params_of(generator);
    params.deposition.wander = 1e-6;
    params.deposition.scatter = 0.0;
    params.deposition.hold = 1;
    params.deposition.per_cell = 2.0;
    params.deposition.caldera = 0.8;
    fill(f.context, generator, &params, 1, W, H, map);
    const float middle = map[H / 2 * W + W / 2];
    float rim = 0.0f;
    for (int x = W / 2; x < W; ++x)
    {
        rim = fmaxf(rim, map[H / 2 * W + x]);
    }
    assert_true(rim > 0.9f * (float)params.deposition.relief);
    assert_true(middle < 0.85f * rim && middle > 0.5f * rim);
    assert_true(map[0] == 0.0f && map[CELLS - 1] == 0.0f);

    // down from the rim by one particle per cell along the axes
    int first = W / 2;
    while (map[H / 2 * W + first] < rim)
    {
        first += 1;
    }
    const double unit = (double)(map[H / 2 * W + first] - map[H / 2 * W + first + 4]) / 4.0;
    const double later = (double)(map[H / 2 * W + first + 4] - map[H / 2 * W + first + 8]) / 4.0;
    CHECK_NEAR(later / unit, 1.0, 0.35);
    fixture_close(&f);
}

static void bad_parameters_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_generator* faults = wadi_generator_find("faults");
    any_params params = params_of(faults);
    params.faults.radius_min = 900.0;
    params.faults.radius_max = 800.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "radius_min",
                wadi_generator_fill(f.context, faults, &params, 1, W, H, 60.0, map));
    params = params_of(faults);
    params.faults.base = 32000.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "32767",
                wadi_generator_fill(f.context, faults, &params, 1, W, H, 60.0, map));
    params.faults.count = 0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "count",
                wadi_generator_fill(f.context, faults, &params, 1, W, H, 60.0, map));
    params = params_of(faults);
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "0 x 80",
                wadi_generator_fill(f.context, faults, &params, 1, 0, H, 60.0, map));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "cell size",
                wadi_generator_fill(f.context, faults, &params, 1, W, H, 0.0, map));
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "NULL",
                wadi_generator_fill(f.context, faults, NULL, 1, W, H, 60.0, map));
    const wadi_generator* subdivision = wadi_generator_find("subdivision");
    params = params_of(subdivision);
    params.subdivision.wavelength = 1e-3;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "wavelength",
                wadi_generator_fill(f.context, subdivision, &params, 1, W, H, 60.0, map));
    assert_null(wadi_generator_find("nosie"));
    assert_null(wadi_generator_at(-1));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_keep_the_laws),
        cmocka_unit_test(tileable_fields_are_periodic),
        cmocka_unit_test(crops_of_subdivided_ground_are_the_same_ground),
        cmocka_unit_test(only_midpoints_crease),
        cmocka_unit_test(classes_have_equal_areas),
        cmocka_unit_test(classes_do_not_depend_on_the_cells),
        cmocka_unit_test(smoothing_takes_the_cliffs),
        cmocka_unit_test(a_still_emitter_builds_a_volcano),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
